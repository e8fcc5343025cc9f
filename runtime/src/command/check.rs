//! `check`: both sides of every pipeline compared on the heads of a line. In: pipelines, a line. Out: a verdict a metric, evidence.

use std::path::Path;

use serde_json::Value;

use super::checked::{checked, evidence_folder, write};
use super::lakehouse::{chosen, finish_with, prepared};
use crate::check::report::{json, junit};
use crate::flags::Check;
use crate::output::{Exit, Outcome, Run};
use crate::version::heads;
use crate::workspace::{self, taken};

pub(super) fn run(verb: &Check, project: Option<&Path>) -> Outcome {
    finish_with(verb.format, async |run| check(run, verb, project).await)
}

async fn check(run: &mut Run, verb: &Check, project: Option<&Path>) -> Option<(String, Value, Exit)> {
    let workspace = workspace::open(run, project, false).await?;
    let line = workspace.line(run, verb.branch.as_deref())?;
    let models = workspace.models(run)?;
    let pipelines = chosen(run, &workspace, &verb.names)?;
    let prepared = prepared(run, &workspace, &models, &pipelines, &line).await?;
    let tables = taken(run, heads(&workspace.lake, &line).await)?;
    let folder = verb.evidence.clone().unwrap_or_else(|| evidence_folder(&workspace));
    let checked = checked(run, &workspace, &models, &prepared, (&line, &tables), &folder).await?;
    if let Some(path) = &verb.junit {
        run.check(write(path, &junit(&checked.report)))?;
    }
    Some((checked.text(), json(&checked.report), checked.exit()))
}
