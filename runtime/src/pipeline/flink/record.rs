//! What is kept of a submitted job, under `.unisono/jobs/`. It is written before the job is: a job without a record does not exist.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

/// The job of a pipeline.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct FlinkJob {
    /// The record's form.
    pub format: u32,
    /// The name of the job, and the start of those of its consumers in the sources and of its commits' user: one for each submission.
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
    /// The consumers of each source: one for each place that reads it.
    pub readers: BTreeMap<String, Vec<String>>,
    /// Sources that Flink reads in another number of places than they have consumers: these do not tell of all of them.
    pub shared: Vec<String>,
    /// When it was stopped by hand, UTC; the next submission has a record of its own.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub stopped: Option<String>,
}
