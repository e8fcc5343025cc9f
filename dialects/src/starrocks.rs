//! StarRocks 3.3 to 4.x: forms from documentation, grammar and recorded tests; no server has been asked.

mod aggregates;
mod functions;
mod rankings;
mod temporal;
mod types;
mod view;

pub use view::{
    ViewProperty, ViewText, catalog_property, starrocks_catalog, starrocks_view, view_properties,
};

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
use crate::target::Version;

/// The oldest version whose answers were looked at.
const THREE_THREE: Version = Version { major: 3, minor: 3 };
/// What an INSERT does with rows that do not fit, by a setting.
const THREE_FOUR: Version = Version { major: 3, minor: 4 };
/// UPPER and LOWER beyond ASCII, by a setting.
const THREE_FIVE: Version = Version { major: 3, minor: 5 };
/// REGEXP_COUNT, decimals of 76 digits.
const FOUR: Version = Version { major: 4, minor: 0 };
/// Time travel, INITCAP.
const FOUR_ONE: Version = Version { major: 4, minor: 1 };
/// RANGE with numbers, texts of 2 GiB.
const FOUR_TWO: Version = Version { major: 4, minor: 2 };

const VARIABLES: &str = "https://docs.starrocks.io/docs/sql-reference/System_variable/";

const fn setting(statement: &'static str, without: &'static str) -> Setting {
    Setting { statement, without, url: VARIABLES }
}

const ZONE: Setting = setting("SET time_zone = 'UTC'", "the session is in Asia/Shanghai, as documented");
const MODE: Setting = setting(
    "SET sql_mode = 'ONLY_FULL_GROUP_BY,ERROR_IF_OVERFLOW'",
    "decimals that overflow are NULL, and NULLs may be last",
);
const ROWS: Setting =
    setting("SET sql_select_limit = 9223372036854775807", "an answer may be cut where nobody asked for it");
const LISTS: Setting = setting("SET group_concat_max_len = 2147483647", "LISTAGG is cut at 1024 characters");
const REWRITE: Setting = setting(
    "SET enable_materialized_view_rewrite = false",
    "an answer may come from a materialized view that is behind",
);
const LETTERS: Setting =
    setting("SET lower_upper_support_utf8 = true", "UPPER and LOWER change ASCII letters only");

const OLD_SESSION: &[Setting] = &[ZONE, MODE, ROWS, LISTS, REWRITE];
const SESSION: &[Setting] = &[ZONE, MODE, ROWS, LISTS, REWRITE, LETTERS];

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
            null_order: NullOrder::Least,
            session: if version < THREE_FIVE { OLD_SESSION } else { SESSION },
            limits: Limits {
                decimal_digits: if version < FOUR { 38 } else { 76 },
                fraction_digits: 6,
                rows: i64::MAX.unsigned_abs(),
                text: if version < FOUR_TWO { "1 MiB" } else { "2 GiB" },
                url: "https://docs.starrocks.io/docs/sql-reference/System_limit/",
            },
            null_safe_equality: NullSafeEquality::Spaceship,
            null_safe_keys: NullSafeKeys::Compared,
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
            buckets: Buckets::None,
            query_source: QuerySource::NamesOnly,
            windows: Windows::Free,
            negative_zero: NegativeZero::ApartInKeys,
            window_keys: WindowKeys::NoConstants,
            several_keys: SeveralKeys::AnyFrame,
            range_offsets: if version < FOUR_TWO {
                RangeOffsets::Absent("use ROWS, or StarRocks 4.2")
            } else {
                RangeOffsets::Supported
            },
        },
    }
}
