//! Named ways around what a target cannot say or says wrongly, one a file, chosen by its capabilities.
//! `adapt` uses those that change the relation's shape; `emit` those that change one expression.

/// Shared parts.
mod rewrite;

pub(crate) use rewrite::column;

/// The rows below an aggregate.
mod aggregate_input;

/// ORDER BY where the answer is a changelog.
pub(crate) mod order_by;

/// Several keys of ORDER BY where some are dropped.
pub(crate) mod order_keys;

/// A global aggregate where no rows give no row.
pub(crate) mod global_aggregate;

/// MIN and MAX that must forget values.
pub(crate) mod extremes;

/// LIMIT past what a target takes.
pub(crate) mod limit;

/// FULL JOIN where NULL-safe keys are not proven.
pub(crate) mod full_join;

/// Filters over NULL-safe joins.
pub(crate) mod filtered_join;

/// Keys of NULL-safe joins that are never NULL.
pub(crate) mod null_safe_keys;

/// Keys of windows as columns.
pub(crate) mod window_keys;

/// Equality that holds between NULLs.
pub(crate) mod null_safe_join;

/// SUM past 38 digits.
pub(crate) mod decimal_sum;

/// SUM of whole numbers.
pub(crate) mod integer_sum;

/// -0 where it is told from 0.
pub(crate) mod negative_zero;

/// Windows that a target computes wrongly or not at all.
pub(crate) mod windows;
