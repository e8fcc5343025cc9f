//! The lakehouse: Paimon tables on the local file system, read at pinned snapshots and written by one engine each.
//! In: table names, lines (main or a branch), Arrow batches. Out: pins, batches, net changes, commits. Nothing else of the
//! workspace touches the `paimon` crate.

/// Net change between two pins.
pub mod change;
/// What goes wrong, as diagnostics.
pub mod error;
/// Files of our own beside the tables.
pub mod files;
/// Tags, branches, fast-forward.
pub mod fork;
/// Option pairs that give wrong or invisible rows.
pub mod gate;
/// One table on one line.
pub mod handle;
/// The commits of a line.
pub mod history;
/// The lock that every commit holds.
mod lock;
/// Names of tables and lines.
pub mod names;
/// Reading at a pin.
pub mod read;
/// The language's types in Paimon and Arrow.
pub mod types;
/// The warehouse and its tables.
pub mod warehouse;
/// Appends, upserts, deletes.
pub mod write;

pub use change::{Change, Changed};
pub use error::{LakeError, Place};
pub use fork::{Moved, fork_tag};
pub use gate::{FLINK, Kind, OURS, Problem, WRITER};
pub use handle::Handle;
pub use history::{CommitKind, CommitRecord};
pub use lock::TableLock;
pub use names::{Line, TableName};
pub use read::{KeyRange, Keys, Pin, Rows, Scalar};
pub use types::arrow_type;
pub use warehouse::Lake;
pub use write::{Commit, Committed, VALUE_KIND, Writer};

#[cfg(test)]
mod tests;
