//! Flink SQL 1.20 and 2.x, batch and streaming: forms as run on 2.2.1, `table.local-time-zone=UTC`.

mod aggregates;
mod functions;
mod keywords;
mod rankings;
mod temporal;
mod types;

use crate::capabilities::{
    Capabilities, DecimalSum, EmptyAggregate, Extremes, FilteredJoin, FullJoin, IntegerLiteral, IntegerSum,
    NegativeZero, NullSafeEquality, OrderBy, OrderKeys, Pins, QuerySource, RangeOffsets, RunningOrder,
    StringLiteral, UnknownTypes, WindowKeys, Windows,
};
use crate::dialect::Dialect;
use crate::form::Tables;
use crate::sql::quote::{Backslash, Quoting, When};
use crate::sql::tree::NullTreatment;
use crate::target::Version;

/// From this version on: PERCENTILE, STARTSWITH, running windows over any column.
const TWO: Version = Version { major: 2, minor: 0 };

/// Tables and capabilities of batch mode.
pub(crate) fn batch(_version: Version) -> Dialect {
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
            null_safe_equality: NullSafeEquality::IsNotDistinctFrom,
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
            query_source: QuerySource::NamesOnly,
            windows: Windows::Free,
            negative_zero: NegativeZero::ApartInKeys,
            window_keys: WindowKeys::Any,
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
            null_safe_equality: NullSafeEquality::IsNotDistinctFrom,
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
            query_source: QuerySource::NamesOnly,
            windows: Windows::Running(order),
            negative_zero: NegativeZero::ApartInKeys,
            window_keys: WindowKeys::Any,
            range_offsets: RangeOffsets::Supported,
        },
    }
}
