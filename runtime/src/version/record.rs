//! What `.unisono/` says of versions and branches. In: JSON text. Out: the same as values; an unknown key is an error, since
//! a later tool wrote it.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::lake::{Line, Pin};

/// The form of all records; a greater one was written by a later tool.
pub const FORMAT: u32 = 1;

/// The state of one table in a version.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct TableState {
    /// The snapshot; `None` for a table that has none yet.
    pub snapshot: Option<i64>,
    /// The schema that the table had.
    pub schema: i64,
}

impl TableState {
    /// The same state of a table on a line.
    pub fn on(&self, line: &Line) -> Pin {
        Pin { line: line.clone(), snapshot: self.snapshot, schema: self.schema }
    }
}

impl From<&Pin> for TableState {
    fn from(pin: &Pin) -> Self {
        TableState { snapshot: pin.snapshot, schema: pin.schema }
    }
}

/// All tables of one line at one moment, with what they were made and judged by.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Version {
    /// The record's form.
    pub format: u32,
    /// Its number, from 1 on, never reused.
    pub number: u64,
    /// `main` or the branch.
    pub line: String,
    /// The version before it on this line.
    pub parent: Option<u64>,
    /// The checkpoint's name, if it was given one.
    pub name: Option<String>,
    /// Every table of the line.
    pub tables: BTreeMap<String, TableState>,
    /// Model files by path, each with the hash of its text, which `.unisono/models/<hash>` holds.
    pub models: BTreeMap<String, String>,
    /// Pipelines by name, each with the hash of its words.
    pub pipelines: BTreeMap<String, String>,
    /// Who made it: the user of the operating system, or an agent's name.
    pub who: String,
    /// When, UTC.
    pub when: String,
    /// Why: `checkpoint`, `fork of <branch>`, `merge of <branch>`.
    pub why: String,
    /// Hashes of the evidence of the checks that it passed.
    pub checks: Vec<String>,
}

/// How far a branch is made.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum BranchState {
    /// Tables are being forked; a crash left it so.
    Creating,
    /// It can be written.
    Ready,
    /// Tables are being dropped; a crash left it so.
    Dropping,
}

/// Where a branch of one table starts.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct BranchTable {
    /// The tag that keeps the fork's snapshot alive.
    pub tag: String,
    /// The snapshot of main that it starts from.
    pub snapshot: i64,
    /// Main's schema at that moment.
    pub schema: i64,
}

/// A branch of the project: one branch of each table.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct BranchRecord {
    /// The record's form.
    pub format: u32,
    /// Its name.
    pub name: String,
    /// How far it is made.
    pub state: BranchState,
    /// The version of main that it starts from.
    pub fork: u64,
    /// The tables that main had then.
    pub tables: BTreeMap<String, BranchTable>,
}
