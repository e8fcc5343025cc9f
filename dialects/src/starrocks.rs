//! StarRocks 3.3 to 4.x: forms from documentation, grammar and recorded tests; no server has been asked. Wanted of the session:
//! `time_zone='UTC'`, `sql_mode='ONLY_FULL_GROUP_BY,ERROR_IF_OVERFLOW'`, `lower_upper_support_utf8=true`, a large `group_concat_max_len`.

mod aggregates;
mod functions;
mod rankings;
mod temporal;
mod types;

use crate::build;
use crate::capabilities::{
    Capabilities, DecimalSum, EmptyAggregate, Extremes, FilteredJoin, FullJoin, IntegerLiteral, IntegerSum,
    NegativeZero, NullSafeEquality, OrderBy, OrderKeys, Pins, QuerySource, RangeOffsets, StringLiteral,
    UnknownTypes, WindowKeys, Windows,
};
use crate::dialect::Dialect;
use crate::form::Tables;
use crate::sql::quote::{Backslash, Quoting, When};
use crate::sql::tree::NullTreatment;
use crate::target::Version;

/// REGEXP_COUNT.
const FOUR: Version = Version { major: 4, minor: 0 };
/// Time travel, INITCAP.
const FOUR_ONE: Version = Version { major: 4, minor: 1 };
/// RANGE with numbers.
const FOUR_TWO: Version = Version { major: 4, minor: 2 };

/// Tables and capabilities.
pub(crate) fn dialect(version: Version) -> Dialect {
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
                identifier: '`',
                // The list of reserved words grows with each release, so every name is quoted.
                when: When::Always,
                keywords: &[],
                backslash: Backslash::Escape,
            },
            null_safe_equality: NullSafeEquality::Spaceship,
            filtered_join: FilteredJoin::KeepsNulls,
            full_join: FullJoin::UnionAndGroup,
            order_by: OrderBy::Sorts,
            order_keys: OrderKeys::AllKept,
            empty_aggregate: EmptyAggregate::OneRow,
            extremes: Extremes::TakenBack,
            decimal_sum: DecimalSum::Wraps,
            integer_sum: IntegerSum::LargeInt,
            unknown_types: UnknownTypes::Refused,
            integer_literal: IntegerLiteral::Narrow,
            string_literal: StringLiteral::Text,
            pins: if version < FOUR_ONE {
                Pins::None { why: "it reads the latest snapshot only; 4.1 has VERSION AS OF" }
            } else {
                Pins::VersionAsOf
            },
            query_source: QuerySource::NamesOnly,
            windows: Windows::Free,
            negative_zero: NegativeZero::ApartInKeys,
            window_keys: WindowKeys::NoConstants,
            range_offsets: if version < FOUR_TWO {
                RangeOffsets::Absent("use ROWS, or StarRocks 4.2")
            } else {
                RangeOffsets::Supported
            },
        },
    }
}
