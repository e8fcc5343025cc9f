//! `checkpoint`: main's state under a name, kept readable by tags. In: a name. Out: a version.

use std::path::Path;

use serde_json::{Value, json};
use unisono_compiler::diagnostic::counted;

use super::lakehouse::{context, finish};
use crate::flags::Checkpoint;
use crate::output::{Outcome, Run};
use crate::version::checkpoint;
use crate::workspace;

pub(super) fn run(verb: &Checkpoint, project: Option<&Path>) -> Outcome {
    finish(verb.format, async |run| make(run, verb, project).await)
}

async fn make(run: &mut Run, verb: &Checkpoint, project: Option<&Path>) -> Option<(String, Value)> {
    let workspace = workspace::open(run, project, false).await?;
    let models = workspace.models(run)?;
    let context = context(run, &workspace, &models)?;
    let version = run.check(checkpoint(&workspace.lake, &workspace.store, &verb.name, &context).await)?;
    let text = format!(
        "v{} {}: {}; read it with --at {}\n",
        version.number,
        verb.name,
        counted(version.tables.len() as u64, "table"),
        verb.name
    );
    let data = json!({"version": version.number, "name": verb.name, "tables": version.tables});
    Some((text, data))
}
