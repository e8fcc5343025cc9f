//! The embedded real-time engine: it interprets plans itself and keeps their answers current under changes.
//! In: a plan and rows of its sources. Out: rows of the rollup. No dialect and no other engine takes part.

/// One step of a rollup.
pub mod advance;

/// The engine's own aggregate functions.
mod aggregate;

/// Expressions over rows.
pub mod eval;

/// Why there is no answer.
pub mod fault;

#[cfg(test)]
mod fixture;

#[cfg(test)]
mod independence;

/// Whole plans over rows.
pub mod interpret;

/// The primary key of a rollup.
pub mod key;

/// The columns of a rollup.
pub mod layout;

/// Plans made ready.
mod program;

/// Where rows come from.
pub mod sources;

/// Values.
pub mod value;

/// What can be followed change by change.
mod view;

pub use advance::{Update, advance};
pub use fault::Fault;
pub use interpret::answer;
pub use key::key_text;
pub use layout::{Layout, Maintenance, StoredColumn, layout};
pub use sources::{Each, Keep, Key, Side, SourceChange, Sources, State};
pub use value::Value;
