//! A pipeline's memory: which state of its sources each commit of its rollup reflects. In: a rollup's history and the records
//! under `.unisono/pipelines`. Out: the last epoch that is surely in the rollup. A record is written before its commit, so a
//! commit without a record does not exist, and a record without its commit counts only if it says that nothing was to be written.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::closed::WindowState;
use crate::lake::CommitRecord;
use crate::version::TableState;

/// What one epoch of a rollup reflects.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Epoch {
    /// The record's form.
    pub format: u32,
    /// Its number, from 1 on; with `user` the identity of its commit.
    pub epoch: i64,
    /// The commit user: one a pipeline and line.
    pub user: String,
    /// Hash of the pipeline's words and the model's: another one is another generation.
    pub generation: String,
    /// The state of each source table.
    pub sources: BTreeMap<String, TableState>,
    /// The rollup's head that reflects the sources already: nothing was to be written. `None`: the commit of this epoch does.
    pub at: Option<i64>,
    /// Rows that the run read, by table.
    pub read: BTreeMap<String, RowCounts>,
    /// How far a windowed pipeline has come.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub window: Option<WindowState>,
}

/// What reading a table cost.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RowCounts {
    /// Rows that entered the computation.
    pub rows: u64,
    /// Rows whose key columns were looked at to find those.
    pub keys: u64,
}

impl RowCounts {
    /// Adds what another reading cost.
    pub(super) fn add(&mut self, other: RowCounts) {
        self.rows += other.rows;
        self.keys += other.keys;
    }
}

impl Epoch {
    /// The record's file name without its ending.
    pub fn stem(&self) -> String {
        format!("{}-{}", self.user, self.epoch)
    }
}

/// The newest epoch that the rollup surely reflects, and the rollup's snapshot that holds it. `history` is the rollup's line, newest first;
/// `records` are those of the line's own user and of whom it took over from.
pub(super) fn current(history: &[CommitRecord], records: &[Epoch], user: &str) -> Option<(Epoch, i64)> {
    let head = history.first()?.snapshot;
    let standing = records.iter().filter(|epoch| epoch.user == user && epoch.at == Some(head));
    if let Some(epoch) = standing.max_by_key(|epoch| epoch.epoch) {
        return Some((epoch.clone(), head));
    }
    history.iter().find_map(|commit| {
        let is_of = |epoch: &&Epoch| epoch.user == commit.user && epoch.epoch == commit.identifier;
        let epoch = records.iter().filter(|epoch| epoch.at.is_none()).find(is_of)?;
        Some((epoch.clone(), commit.snapshot))
    })
}
