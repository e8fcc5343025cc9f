//! The evidence of a check: what was asked, of which tables at which snapshots, what both sides did and what came of it.
//! In: facts of a run, or a document read back. Out: JSON with its own hash, or the facts.
//!
//! Numbers that are no integers are written as text, so that no reader changes them and with them the hash.

mod field;
mod outcome;
mod read;
mod write;

pub use read::EvidenceError;
pub use write::shown_setting;

use super::verdict::{Late, Outcome, Verdict};
use crate::table::Value;

/// The shape of the document; another one is refused.
pub const FORMAT: &str = "unisono-evidence/1";

/// The JSON Schema of the document.
pub const SCHEMA: &str = include_str!("evidence.schema.json");

/// The evidence of one pipeline's check.
#[derive(Clone, PartialEq, Debug)]
pub struct Evidence {
    /// The tool's version.
    pub tool: String,
    /// The pipeline.
    pub pipeline: String,
    /// The request with its parameters, as a request is written in JSON.
    pub request: serde_json::Value,
    /// The instant that CURRENT_TIMESTAMP was bound to.
    pub now: String,
    /// The zone of the request.
    pub zone: String,
    /// What was checked, by hash.
    pub hashes: Hashes,
    /// The batch side.
    pub left: Side,
    /// The real-time side.
    pub right: Side,
    /// Every table that was read, at its pin.
    pub tables: Vec<TablePin>,
    /// The state of the real-time side; `None` where the rollup has no epoch yet.
    pub epoch: Option<Epoch>,
    /// Home rows after `where`, if they were counted.
    pub home_rows: Option<u64>,
    /// Verdicts with causes, bounds and samples.
    pub outcomes: Vec<Outcome>,
    /// What planning trusted, as tested.
    pub assumptions: Vec<Assumed>,
}

/// SHA-256 of the texts that a check depends on.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Hashes {
    /// The model's text.
    pub model: String,
    /// The project file's text.
    pub project: String,
    /// The pipeline's specification.
    pub pipeline: String,
}

/// What one side did.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Side {
    /// The engine's kind.
    pub engine: String,
    /// The engine's version.
    pub version: String,
    /// Session settings; those whose names speak of secrets are written without their values.
    pub settings: Vec<(String, String)>,
    /// The SQL, or the maintenance plan as printed.
    pub text: String,
    /// When it began.
    pub started: String,
    /// When it ended.
    pub ended: String,
    /// Rows of its answer; `None` if there is none.
    pub rows: Option<u64>,
    /// SHA-256 of its answer as canonical text.
    pub digest: Option<String>,
}

/// A table at a snapshot.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct TablePin {
    /// `database.table`.
    pub table: String,
    /// `main`, or the branch.
    pub line: String,
    /// The rollup rather than a source.
    pub rollup: bool,
    /// The snapshot; `None` where the table has none.
    pub snapshot: Option<i64>,
    /// The schema.
    pub schema: i64,
}

/// The state of the real-time side.
#[derive(Clone, PartialEq, Debug)]
pub struct Epoch {
    /// Its number.
    pub number: i64,
    /// The watermark, if the pipeline has one.
    pub watermark: Option<String>,
    /// Late rows so far.
    pub late: Late,
    /// Where the pipeline began, if it is windowed.
    pub window: Option<WindowStart>,
}

/// Where a windowed pipeline began.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct WindowStart {
    /// Its source's snapshot; `None` for the empty table.
    pub start: Option<i64>,
}

/// An assumption as tested.
#[derive(Clone, PartialEq, Debug)]
pub struct Assumed {
    /// `unique-key`, `many-to-one`, `orphans`.
    pub kind: String,
    /// Of what.
    pub subject: String,
    /// Whether it holds.
    pub verdict: Verdict,
    /// Keys that break it, or orphans.
    pub count: Option<u64>,
    /// Names of the columns of `rows`.
    pub columns: Vec<String>,
    /// Some of the rows.
    pub rows: Vec<Vec<Value>>,
}

impl Evidence {
    /// The document, with the hash of everything else under `sha256`.
    pub fn to_json(&self) -> serde_json::Value {
        write::document(self)
    }

    /// The facts of a document whose format and hash are right.
    pub fn from_json(document: &serde_json::Value) -> Result<Evidence, EvidenceError> {
        read::evidence(document)
    }
}

#[cfg(test)]
mod tests;
