//! DataFusion 54: forms as run (docs/semantics.md, functions), wrapping integers and unguarded domains put right.

mod aggregates;
mod functions;
mod keywords;
mod percentile;
mod rankings;
mod temporal;
mod types;

use crate::build;
use crate::capabilities::{
    Buckets, Capabilities, DecimalSum, EmptyAggregate, Extremes, FilteredJoin, FullJoin, IntegerLiteral,
    IntegerSum, Limits, NegativeZero, NullOrder, NullSafeEquality, NullSafeKeys, OrderBy, OrderKeys, Pins,
    QuerySource, RangeOffsets, SeveralKeys, StringLiteral, UnknownTypes, WindowKeys, Windows,
};
use crate::dialect::Dialect;
use crate::form::Tables;
use crate::sql::quote::{Backslash, Quoting, When};
use crate::sql::tree::NullTreatment;

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
            ignore_nulls: NullTreatment::IgnoreAfter,
        },
        capabilities: Capabilities {
            quoting: Quoting {
                identifier: '"',
                when: When::UnlessLowerCase,
                keywords: keywords::RESERVED,
                backslash: Backslash::Plain,
            },
            null_order: NullOrder::Greatest,
            session: &[],
            limits: Limits {
                decimal_digits: 76,
                fraction_digits: 6,
                rows: i64::MAX.unsigned_abs(),
                text: "2 GiB in a batch",
                url: "https://datafusion.apache.org/user-guide/sql/data_types.html",
            },
            null_safe_equality: NullSafeEquality::IsNotDistinctFrom,
            null_safe_keys: NullSafeKeys::Defaulted,
            filtered_join: FilteredJoin::LosesNulls,
            full_join: FullJoin::Native,
            order_by: OrderBy::Sorts,
            order_keys: OrderKeys::SomeDropped,
            empty_aggregate: EmptyAggregate::OneRow,
            extremes: Extremes::TakenBack,
            decimal_sum: DecimalSum::Widen,
            integer_sum: IntegerSum::Decimal,
            unknown_types: UnknownTypes::NativeForm,
            integer_literal: IntegerLiteral::BigInt,
            string_literal: StringLiteral::Text,
            pins: Pins::BranchSuffixAndVersion,
            buckets: Buckets::None,
            query_source: QuerySource::Verbatim,
            windows: Windows::Free,
            negative_zero: NegativeZero::ApartEverywhere,
            window_keys: WindowKeys::ColumnsOnly,
            several_keys: SeveralKeys::AnyFrame,
            range_offsets: RangeOffsets::Supported,
        },
    }
}
