//! What a target can say and what it does with corner cases: facts without defaults, so that a new target states every answer.
//! Strategies and `emit` read these; nothing outside a target's own folder asks which engine it is.

use crate::sql::quote::Quoting;

/// The answers of one target in one version.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Capabilities {
    /// Identifiers and strings. <https://datafusion.apache.org/user-guide/sql/sql_status.html>,
    /// <https://duckdb.org/docs/sql/dialect/keywords_and_identifiers>,
    /// <https://docs.starrocks.io/docs/sql-reference/System_limit/>,
    /// <https://nightlies.apache.org/flink/flink-docs-stable/docs/sql/reference/overview/#reserved-keywords>
    pub(crate) quoting: Quoting,
    /// Where the engine itself puts NULLs; every text says it anyway. <https://duckdb.org/docs/stable/sql/query_syntax/orderby>,
    /// <https://docs.starrocks.io/docs/sql-reference/sql-statements/table_bucket_part_index/SELECT/SELECT_ORDER_BY/>
    pub(crate) null_order: NullOrder,
    /// What a session must be set to, so that texts mean what they say: statements, each with its page.
    pub(crate) session: &'static [Setting],
    /// How large values may be.
    pub(crate) limits: Limits,
    /// How NULL-safe equality is written. <https://docs.starrocks.io/docs/sql-reference/sql-functions/condition-functions/>
    pub(crate) null_safe_equality: NullSafeEquality,
    /// How two sides are joined so that all rows of both survive.
    /// <https://docs.starrocks.io/docs/sql-reference/sql-statements/table_bucket_part_index/SELECT/SELECT_JOIN/>
    pub(crate) full_join: FullJoin,
    /// What a NULL-safe join compares. <https://github.com/apache/datafusion/issues/22964>
    pub(crate) null_safe_keys: NullSafeKeys,
    /// Whether a filter over a NULL-safe outer join keeps the NULL group.
    /// <https://datafusion.apache.org/user-guide/configs.html>
    pub(crate) filtered_join: FilteredJoin,
    /// What ORDER BY may do. <https://nightlies.apache.org/flink/flink-docs-stable/docs/sql/reference/queries/orderby/>
    pub(crate) order_by: OrderBy,
    /// Whether every key of ORDER BY is kept. <https://docs.rs/datafusion-common/latest/datafusion_common/struct.FunctionalDependencies.html>
    pub(crate) order_keys: OrderKeys,
    /// What an aggregate without GROUP BY gives over no rows.
    /// <https://nightlies.apache.org/flink/flink-docs-stable/docs/sql/reference/queries/group-agg/>
    pub(crate) empty_aggregate: EmptyAggregate,
    /// Whether MIN and MAX forget values that leave a group.
    /// <https://nightlies.apache.org/flink/flink-docs-stable/docs/sql/reference/queries/group-agg/>
    pub(crate) extremes: Extremes,
    /// What SUM over a decimal does past 38 digits.
    /// <https://docs.starrocks.io/docs/sql-reference/sql-functions/aggregate-functions/sum/>
    pub(crate) decimal_sum: DecimalSum,
    /// The type in which whole numbers of 38 digits are summed.
    /// <https://docs.starrocks.io/docs/sql-reference/data-types/numeric/LARGEINT/>
    pub(crate) integer_sum: IntegerSum,
    /// What happens where a form depends on a type that nothing declares (docs/semantics.md, unknown types).
    pub(crate) unknown_types: UnknownTypes,
    /// The type of an integer literal.
    /// <https://nightlies.apache.org/flink/flink-docs-stable/docs/dev/table/types/>
    pub(crate) integer_literal: IntegerLiteral,
    /// The type of a string literal.
    /// <https://nightlies.apache.org/flink/flink-docs-stable/docs/dev/table/types/>
    pub(crate) string_literal: StringLiteral,
    /// How a text pins a table. <https://docs.starrocks.io/docs/data_source/catalog/paimon_catalog/>,
    /// <https://paimon.apache.org/docs/master/flink/sql-query/>
    pub(crate) pins: Pins,
    /// How rows are given the bounds of their time bucket. <https://nightlies.apache.org/flink/flink-docs-stable/docs/sql/reference/queries/window-tvf/>
    pub(crate) buckets: Buckets,
    /// Whether the text of a model's query can stand in FROM.
    pub(crate) query_source: QuerySource,
    /// Which rows a window may look at. <https://nightlies.apache.org/flink/flink-docs-stable/docs/sql/reference/queries/over-agg/>
    pub(crate) windows: Windows,
    /// Where -0 is told from 0. <https://docs.rs/arrow-ord/latest/arrow_ord/cmp/>,
    /// <https://nightlies.apache.org/flink/flink-docs-stable/docs/dev/table/types/>
    pub(crate) negative_zero: NegativeZero,
    /// What the keys of a window may be. <https://docs.starrocks.io/docs/sql-reference/sql-functions/Window_function/>
    pub(crate) window_keys: WindowKeys,
    /// Which ranges there are over an order by several keys. <https://nightlies.apache.org/flink/flink-docs-release-1.20/docs/dev/table/sql/queries/over-agg/>
    pub(crate) several_keys: SeveralKeys,
    /// Whether RANGE takes numbers. <https://docs.starrocks.io/docs/sql-reference/sql-functions/Window_function/>
    pub(crate) range_offsets: RangeOffsets,
}

/// Where NULLs come in an order that does not say it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum NullOrder {
    /// Above every value: last ascending, first descending.
    Greatest,
    /// Below every value: first ascending, last descending.
    Least,
    /// Last both ways.
    Last,
}

/// A statement of a session.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Setting {
    /// The statement.
    pub statement: &'static str,
    /// What goes wrong without it.
    pub without: &'static str,
    /// The vendor's page.
    pub url: &'static str,
}

/// How large values may be.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Limits {
    /// Digits of the widest decimal.
    pub(crate) decimal_digits: u8,
    /// Digits behind the second that a timestamp keeps.
    pub(crate) fraction_digits: u8,
    /// The greatest number that LIMIT takes.
    pub(crate) rows: u64,
    /// The longest text, as the vendor says it.
    pub(crate) text: &'static str,
    /// The vendor's page.
    pub(crate) url: &'static str,
}

/// How NULL-safe equality is written.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum NullSafeEquality {
    /// `a IS NOT DISTINCT FROM b`.
    IsNotDistinctFrom,
    /// `a <=> b`.
    Spaceship,
}

/// What a NULL-safe join compares.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum NullSafeKeys {
    /// The keys, by NULL-safe equality.
    Compared,
    /// Each key with a default in NULL's place, and whether it is NULL.
    Defaulted,
}

/// How a FULL join on NULL-safe equality is said.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum FullJoin {
    /// FULL JOIN with NULL-safe equality in ON.
    Native,
    /// Not proven for NULL-safe keys: UNION ALL of the branches, then one row a key.
    UnionAndGroup,
}

/// Whether a filter over a NULL-safe outer join keeps the NULL group.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum FilteredJoin {
    /// It does.
    KeepsNulls,
    /// Not where the filter makes an inner join of it.
    LosesNulls,
}

/// What ORDER BY may do.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum OrderBy {
    /// Sorts the answer.
    Sorts,
    /// Only beside LIMIT; an unlimited answer is a changelog without an order.
    OnlyWithLimit,
}

/// Whether every key of ORDER BY is kept.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum OrderKeys {
    /// They are.
    AllKept,
    /// Some are dropped over computed columns.
    SomeDropped,
}

/// What an aggregate without GROUP BY gives over no rows.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum EmptyAggregate {
    /// One row, as docs/semantics.md wants it.
    OneRow,
    /// No row.
    NoRow,
}

/// Whether MIN and MAX forget values that leave a group.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Extremes {
    /// They do, or no value ever leaves.
    TakenBack,
    /// Not over rows of an outer join.
    StaleOverOuterJoins,
}

/// What SUM over a decimal does past 38 digits.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum DecimalSum {
    /// Raises.
    Raises,
    /// Gives plausible wrong values; a 76-digit sum cast back raises.
    Widen,
    /// Gives NULL.
    GivesNull,
    /// Wraps; the magnitude is watched in a DOUBLE beside it.
    Wraps,
}

/// The type in which whole numbers of 38 digits are summed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum IntegerSum {
    /// DECIMAL(38, 0).
    Decimal,
    /// LARGEINT, cast back to DECIMAL(38, 0).
    LargeInt,
}

/// What happens where a form depends on an unknown type.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum UnknownTypes {
    /// The engine's own form, with one warning.
    NativeForm,
    /// `E_TYPE_REQUIRED`.
    Refused,
}

/// The type of an integer literal.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum IntegerLiteral {
    /// BIGINT, as the language has it.
    BigInt,
    /// A narrower type if the digits fit; a literal that is a value is cast.
    Narrow,
}

/// The type of a string literal.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum StringLiteral {
    /// A string of any length.
    Text,
    /// CHAR of its own length; a literal that is a value is cast.
    Char,
}

/// How a text pins a table.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Pins {
    /// ``t$branch_b VERSION AS OF n``.
    BranchSuffixAndVersion,
    /// `t /*+ OPTIONS('branch'='b', 'scan.snapshot-id'='n') */`.
    OptionsHint,
    /// `t VERSION AS OF n` or `t VERSION AS OF 'branch:b'`, not both.
    VersionAsOf,
    /// Not at all.
    None {
        /// Why, and which version can.
        why: &'static str,
    },
}

/// How rows are given the bounds of their time bucket.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Buckets {
    /// `TABLE(TUMBLE(..))`: a group of a bucket is told once, when the watermark has passed it.
    Tumble,
    /// Not at all: buckets are groups like others.
    None,
}

/// Whether the text of a model's query can stand in FROM.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum QuerySource {
    /// As it is: the common language is close to the target's.
    Verbatim,
    /// Only names, commas and one table: `SELECT a, b FROM t`.
    NamesOnly,
}

/// Which rows a window may look at.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Windows {
    /// Any frame, any order, several windows a select.
    Free,
    /// One window a select, ascending, from the first row to this one: what a changelog can keep up.
    Running(RunningOrder),
}

/// What a running window may be ordered by.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum RunningOrder {
    /// Any column.
    AnyColumn,
    /// A time attribute of the source only, which no column of a plan is; the text says which version takes others.
    TimeAttribute(&'static str),
}

/// What the keys of a window may be.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum WindowKeys {
    /// Anything.
    Any,
    /// What has a column in it; a constant is an error.
    NoConstants,
    /// Columns and constants: over computed ones the planner fails.
    ColumnsOnly,
}

/// Which ranges there are over an order by several keys.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum SeveralKeys {
    /// All that SQL has.
    AnyFrame,
    /// From the first row to the peers of this one, and only where it is not written.
    DefaultFrame,
}

/// Whether RANGE takes numbers.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum RangeOffsets {
    /// It does.
    Supported,
    /// Only UNBOUNDED, or one UNBOUNDED and CURRENT ROW; the text says which version takes numbers.
    Absent(&'static str),
}

/// Where -0 is told from 0.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum NegativeZero {
    /// Nowhere, as docs/semantics.md wants it.
    EqualsZero,
    /// Groups, distinct rows, partitions, joins and IN go by the bits; comparisons do not. The planner drops `+ 0`.
    ApartInKeys,
    /// Comparisons and orders go by the bits too; `+ 0` is kept.
    ApartEverywhere,
}
