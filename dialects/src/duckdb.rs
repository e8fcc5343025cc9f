//! DuckDB 2.0 (1.x alike): a dialect of `sql` and the oracle of the tests; integers raise by themselves.

mod aggregates;
mod functions;
mod keywords;
mod rankings;
mod temporal;
mod types;

use crate::build;
use crate::capabilities::{
    Buckets, Capabilities, DecimalSum, EmptyAggregate, Extremes, FilteredJoin, FullJoin, IntegerLiteral,
    IntegerSum, Limits, NegativeZero, NullOrder, NullSafeEquality, NullSafeKeys, OrderBy, OrderKeys, Pins,
    QuerySource, RangeOffsets, Setting, SeveralKeys, StringLiteral, UnknownTypes, WindowKeys, Windows,
};
use crate::dialect::Dialect;
use crate::form::Tables;
use crate::sql::quote::{Backslash, Quoting, When};
use crate::sql::tree::NullTreatment;

const SESSION: &[Setting] = &[Setting {
    statement: "LOAD icu",
    without: "instants cannot be taken apart in UTC",
    url: "https://duckdb.org/docs/stable/core_extensions/icu",
}];

/// Tables and capabilities.
pub(crate) fn dialect() -> Dialect {
    Dialect {
        tables: Tables {
            function: functions::row,
            aggregate: aggregates::row,
            ranking: rankings::row,
            data_type: types::data_type,
            cast: types::cast,
            decimal: build::decimal,
            moment: types::moment,
            ignore_nulls: NullTreatment::IgnoreInside,
        },
        capabilities: Capabilities {
            quoting: Quoting {
                identifier: '"',
                when: When::UnlessLowerCase,
                keywords: keywords::RESERVED,
                backslash: Backslash::Plain,
            },
            null_order: NullOrder::Last,
            session: SESSION,
            limits: Limits {
                decimal_digits: 38,
                fraction_digits: 6,
                rows: i64::MAX.unsigned_abs(),
                text: "4 GiB",
                url: "https://duckdb.org/docs/stable/sql/data_types/overview",
            },
            null_safe_equality: NullSafeEquality::IsNotDistinctFrom,
            null_safe_keys: NullSafeKeys::Compared,
            filtered_join: FilteredJoin::KeepsNulls,
            full_join: FullJoin::Native,
            order_by: OrderBy::Sorts,
            order_keys: OrderKeys::AllKept,
            empty_aggregate: EmptyAggregate::OneRow,
            extremes: Extremes::TakenBack,
            decimal_sum: DecimalSum::Raises,
            integer_sum: IntegerSum::Decimal,
            unknown_types: UnknownTypes::NativeForm,
            integer_literal: IntegerLiteral::Narrow,
            string_literal: StringLiteral::Text,
            pins: Pins::None { why: "DuckDB reads no Paimon snapshots" },
            buckets: Buckets::None,
            query_source: QuerySource::Verbatim,
            windows: Windows::Free,
            negative_zero: NegativeZero::EqualsZero,
            window_keys: WindowKeys::Any,
            several_keys: SeveralKeys::AnyFrame,
            range_offsets: RangeOffsets::Supported,
        },
    }
}
