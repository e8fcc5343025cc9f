//! The embedded real-time engine: it interprets plans itself and keeps their answers current under changes.
//! In: a plan and rows of its sources. Out: rows of the rollup. No dialect and no other engine takes part.

/// Expressions over rows.
pub mod eval;

/// Why there is no answer.
pub mod fault;

#[cfg(test)]
mod independence;

/// The primary key of a rollup.
pub mod key;

/// Values.
pub mod value;

pub use fault::Fault;
pub use value::Value;
