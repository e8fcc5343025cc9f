//! Flink SQL 1.20 and 2.x, batch and streaming: forms as run on 2.2.1, `table.local-time-zone=UTC`.

mod aggregates;
mod comparisons;
mod functions;
mod keywords;
mod rankings;
mod temporal;
mod texts;
mod types;

use unisono_compiler::function::AggregateFunction;

use crate::capabilities::{
    Buckets, Capabilities, DecimalSum, EmptyAggregate, Extremes, FilteredJoin, FullJoin, IntegerLiteral,
    IntegerSum, Limits, NegativeZero, NullOrder, NullSafeEquality, NullSafeKeys, OrderBy, OrderKeys, Pins,
    QuerySource, RangeOffsets, RunningOrder, Setting, SeveralKeys, StringLiteral, UnknownTypes, WindowKeys,
    Windows,
};
use crate::dialect::Dialect;
use crate::form::{AggregateRow, Tables};
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

/// The answers that depend on the mode.
struct OfMode {
    aggregate: fn(AggregateFunction, Version) -> AggregateRow,
    session: &'static [Setting],
    order_by: OrderBy,
    empty_aggregate: EmptyAggregate,
    extremes: Extremes,
    buckets: Buckets,
    windows: Windows,
}

/// Tables and capabilities of batch mode.
pub(crate) fn batch(version: Version) -> Dialect {
    let own = OfMode {
        aggregate: aggregates::batch_row,
        session: SESSION,
        order_by: OrderBy::Sorts,
        empty_aggregate: EmptyAggregate::OneRow,
        extremes: Extremes::TakenBack,
        buckets: Buckets::None,
        windows: Windows::Free,
    };
    dialect(version, &own)
}

/// Tables and capabilities of streaming mode.
pub(crate) fn streaming(version: Version) -> Dialect {
    let order = if version < TWO {
        RunningOrder::TimeAttribute("use Flink 2.0 or later, which orders them by any column")
    } else {
        RunningOrder::AnyColumn
    };
    let own = OfMode {
        aggregate: aggregates::streaming_row,
        session: STREAMING_SESSION,
        order_by: OrderBy::OnlyWithLimit,
        empty_aggregate: EmptyAggregate::NoRow,
        extremes: Extremes::StaleOverOuterJoins,
        buckets: Buckets::Tumble,
        windows: Windows::Running(order),
    };
    dialect(version, &own)
}

/// Those of both modes.
fn dialect(version: Version, own: &OfMode) -> Dialect {
    Dialect {
        tables: Tables {
            function: functions::row,
            aggregate: own.aggregate,
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
            session: own.session,
            limits: LIMITS,
            null_safe_equality: NullSafeEquality::IsNotDistinctFrom,
            null_safe_keys: NullSafeKeys::Compared,
            filtered_join: FilteredJoin::KeepsNulls,
            full_join: FullJoin::Native,
            order_by: own.order_by,
            order_keys: OrderKeys::AllKept,
            empty_aggregate: own.empty_aggregate,
            extremes: own.extremes,
            decimal_sum: DecimalSum::GivesNull,
            integer_sum: IntegerSum::Decimal,
            unknown_types: UnknownTypes::Refused,
            integer_literal: IntegerLiteral::Narrow,
            string_literal: StringLiteral::Char,
            pins: Pins::OptionsHint,
            buckets: own.buckets,
            query_source: QuerySource::NamesOnly,
            windows: own.windows,
            negative_zero: NegativeZero::ApartInKeys,
            window_keys: WindowKeys::Any,
            several_keys: several_keys(version),
            range_offsets: RangeOffsets::Supported,
        },
    }
}
