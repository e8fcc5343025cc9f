//! The lakehouse's versions: records that tie tables to snapshots, project branches, and the merge that moves main.
//! In: a lake, its lines, the project's models. Out: records under `.unisono/`, tags and branches of tables.

/// Project branches.
pub mod branch;
/// The merge.
pub mod merge;

mod checkpoint;
mod context;
mod journal;
mod record;
mod store;

pub use checkpoint::{checkpoint, heads};
pub use context::Context;
pub use journal::{Journal, Move};
pub use record::{BranchRecord, BranchState, BranchTable, FORMAT, TableState, Version};
pub use store::Store;

/// SHA-256 of a text in hexadecimal.
pub fn hash(text: &str) -> String {
    crate::check::digest::sha256(text.as_bytes())
}
