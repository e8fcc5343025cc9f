//! Flink SQL 1.20 and 2.x, batch and streaming: forms as run on 2.2.1, `table.local-time-zone=UTC`.

mod aggregates;
mod comparisons;
mod functions;
mod keywords;
mod rankings;
mod temporal;
mod texts;
mod types;

use crate::capabilities::{
    Buckets, Capabilities, DecimalSum, EmptyAggregate, Extremes, FilteredJoin, FullJoin, IntegerLiteral,
    IntegerSum, Limits, NegativeZero, NullOrder, NullSafeEquality, NullSafeKeys, OrderBy, OrderKeys, Pins,
    QuerySource, RangeOffsets, RunningOrder, Setting, SeveralKeys, StringLiteral, UnknownTypes, WindowKeys,
    Windows,
};
use crate::dialect::Dialect;
use crate::form::Tables;
use crate::sql::quote::{Backslash, Quoting, When};
use crate::sql::tree::NullTreatment;
use crate::target::Version;

/// From this version on: PERCENTILE, STARTSWITH, running windows over any column.
const TWO: Version = Version { major: 2, minor: 0 };

const ZONE: Setting = Setting {
    statement: "SET 'table.local-time-zone' = 'UTC'",
    without: "instants show the clock of another zone",
    url: "https://nightlies.apache.org/flink/flink-docs-stable/docs/dev/table/config/#table-local-time-zone",
};

const MODE: &str =
    "https://nightlies.apache.org/flink/flink-docs-stable/docs/deployment/config/#execution-runtime-mode";

const SESSION: &[Setting] = &[
    ZONE,
    Setting {
        statement: "SET 'execution.runtime-mode' = 'batch'",
        without: "the answer is a changelog, and windows and orders are refused",
        url: MODE,
    },
];

const STREAMING_SESSION: &[Setting] = &[
    ZONE,
    Setting {
        statement: "SET 'execution.runtime-mode' = 'streaming'",
        without: "the answer is given once and not kept",
        url: MODE,
    },
];

const LIMITS: Limits = Limits {
    decimal_digits: 38,
    fraction_digits: 9,
    // A greater one wraps to a number below 0, and no row comes (2.2.1, run).
    rows: 2_147_483_647,
    text: "2147483647 characters",
    url: "https://nightlies.apache.org/flink/flink-docs-stable/docs/dev/table/types/",
};

/// Before 2.0 a RANGE over several keys is refused where it is written, and is what stands for no frame (run).
fn several_keys(version: Version) -> SeveralKeys {
    if version < TWO { SeveralKeys::DefaultFrame } else { SeveralKeys::AnyFrame }
}

/// Tables and capabilities of batch mode.
pub(crate) fn batch(version: Version) -> Dialect {
    Dialect {
        tables: Tables {
            function: functions::row,
            aggregate: aggregates::batch_row,
            ranking: rankings::row,
            data_type: types::data_type,
            cast: types::cast,
            decimal: types::decimal,
            moment: types::moment,
            // Parsed and not heeded: the ranking rows refuse it.
            ignore_nulls: NullTreatment::Respect,
        },
        capabilities: Capabilities {
            quoting: Quoting {
                identifier: '`',
                when: When::UnlessPlain,
                keywords: keywords::RESERVED,
                backslash: Backslash::Plain,
            },
            null_order: NullOrder::Least,
            session: SESSION,
            limits: LIMITS,
            null_safe_equality: NullSafeEquality::IsNotDistinctFrom,
            null_safe_keys: NullSafeKeys::Compared,
            filtered_join: FilteredJoin::KeepsNulls,
            full_join: FullJoin::Native,
            order_by: OrderBy::Sorts,
            order_keys: OrderKeys::AllKept,
            empty_aggregate: EmptyAggregate::OneRow,
            extremes: Extremes::TakenBack,
            decimal_sum: DecimalSum::GivesNull,
            integer_sum: IntegerSum::Decimal,
            unknown_types: UnknownTypes::Refused,
            integer_literal: IntegerLiteral::Narrow,
            string_literal: StringLiteral::Char,
            pins: Pins::OptionsHint,
            buckets: Buckets::None,
            query_source: QuerySource::NamesOnly,
            windows: Windows::Free,
            negative_zero: NegativeZero::ApartInKeys,
            window_keys: WindowKeys::Any,
            several_keys: several_keys(version),
            range_offsets: RangeOffsets::Supported,
        },
    }
}

/// Tables and capabilities of streaming mode.
pub(crate) fn streaming(version: Version) -> Dialect {
    let order = if version < TWO {
        RunningOrder::TimeAttribute("use Flink 2.0 or later, which orders them by any column")
    } else {
        RunningOrder::AnyColumn
    };
    Dialect {
        tables: Tables {
            function: functions::row,
            aggregate: aggregates::streaming_row,
            ranking: rankings::row,
            data_type: types::data_type,
            cast: types::cast,
            decimal: types::decimal,
            moment: types::moment,
            ignore_nulls: NullTreatment::Respect,
        },
        capabilities: Capabilities {
            quoting: Quoting {
                identifier: '`',
                when: When::UnlessPlain,
                keywords: keywords::RESERVED,
                backslash: Backslash::Plain,
            },
            null_order: NullOrder::Least,
            session: STREAMING_SESSION,
            limits: LIMITS,
            null_safe_equality: NullSafeEquality::IsNotDistinctFrom,
            null_safe_keys: NullSafeKeys::Compared,
            filtered_join: FilteredJoin::KeepsNulls,
            full_join: FullJoin::Native,
            order_by: OrderBy::OnlyWithLimit,
            order_keys: OrderKeys::AllKept,
            empty_aggregate: EmptyAggregate::NoRow,
            extremes: Extremes::StaleOverOuterJoins,
            decimal_sum: DecimalSum::GivesNull,
            integer_sum: IntegerSum::Decimal,
            unknown_types: UnknownTypes::Refused,
            integer_literal: IntegerLiteral::Narrow,
            string_literal: StringLiteral::Char,
            pins: Pins::OptionsHint,
            buckets: Buckets::Tumble,
            query_source: QuerySource::NamesOnly,
            windows: Windows::Running(order),
            negative_zero: NegativeZero::ApartInKeys,
            window_keys: WindowKeys::Any,
            several_keys: several_keys(version),
            range_offsets: RangeOffsets::Supported,
        },
    }
}
