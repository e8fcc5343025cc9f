//! What is kept of a submitted job, under `.unisono/jobs/`. It is written before the job is: a job without a record does not exist.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

/// The job of a pipeline.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct FlinkJob {
    /// The record's form.
    pub format: u32,
    /// The name of the job, of its consumers in the sources, and the start of its commits' user: one for each submission.
    pub name: String,
    /// The engine that it was given to.
    pub engine: String,
    /// Hash of the pipeline's words and the model's.
    pub generation: String,
    /// The version of Flink that took it.
    pub version: String,
    /// The settings of its session by name; what speaks of secrets without its value.
    pub settings: Vec<(String, String)>,
    /// The statement that keeps the rollup.
    pub statement: String,
    /// When, UTC.
    pub submitted: String,
    /// The head of each source before it began.
    pub start: BTreeMap<String, Option<i64>>,
    /// Sources that the job reads in more than one place: their readers share one consumer, which then tells of one of them only.
    pub shared: Vec<String>,
}
