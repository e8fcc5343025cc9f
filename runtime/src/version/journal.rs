//! The journal of a merge: what moves, from which head to which, written before the first move and removed after the last.
//! In: the moves. Out: JSON that the next command finishes or undoes.

use serde::{Deserialize, Serialize};

use super::record::Version;
use crate::pipeline::Epoch;

/// One table's part of a merge.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "kebab-case", deny_unknown_fields)]
pub enum Move {
    /// Main takes over the snapshots of the branch.
    FastForward {
        /// The table.
        table: String,
        /// Main's head before.
        from: i64,
        /// The branch's head, which main's will be.
        to: i64,
    },
    /// A table born on the branch moves to its place; one that stands there is replaced.
    Settle {
        /// The table.
        table: String,
        /// Its head.
        head: Option<i64>,
        /// Whether a table of main makes room for it.
        replaces: bool,
    },
}

impl Move {
    /// The table that moves.
    pub fn table(&self) -> &str {
        match self {
            Move::FastForward { table, .. } | Move::Settle { table, .. } => table,
        }
    }
}

/// A merge under way.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Journal {
    /// The record's form.
    pub format: u32,
    /// The branch.
    pub branch: String,
    /// All moves, in the order in which they are done.
    pub moves: Vec<Move>,
    /// What main's rollups reflect after the moves, by pipeline.
    pub epochs: Vec<(String, Epoch)>,
    /// The version that main will have.
    pub version: Version,
}
