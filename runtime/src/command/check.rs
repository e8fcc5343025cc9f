//! `check`: both sides of every pipeline compared on the heads of a line. In: pipelines, a line, the engines that are meant. Out: a verdict a
//! metric, evidence.

use std::path::Path;

use serde_json::Value;
use unisono_compiler::diagnostic::{Code, Diagnostic};

use super::checked::{checked, evidence_folder, write};
use super::lakehouse::{chosen, finish_with, prepared};
use crate::check::report::{json, junit};
use crate::flags::Check;
use crate::output::{Exit, Outcome, Run};
use crate::project::{EngineKind, Pipeline, Project};
use crate::version::heads;
use crate::workspace::{self, taken};

pub(super) fn run(verb: &Check, project: Option<&Path>, quiet: bool) -> Outcome {
    finish_with(verb.format, async |run| check(run, verb, project, quiet).await)
}

async fn check(
    run: &mut Run,
    verb: &Check,
    project: Option<&Path>,
    quiet: bool,
) -> Option<(String, Value, Exit)> {
    let workspace = workspace::open(run, project, false).await?;
    let line = workspace.line(run, verb.branch.as_deref())?;
    let models = workspace.models(run)?;
    let pipelines = chosen(run, &workspace, &verb.names)?;
    let pipelines = between(run, &workspace.found.project, verb, pipelines)?;
    let prepared = prepared(run, &workspace, &models, &pipelines, &line).await?;
    let tables = taken(run, heads(&workspace.lake, &line).await)?;
    let folder = verb.evidence.clone().unwrap_or_else(|| evidence_folder(&workspace));
    let checked = checked(run, &workspace, &models, &prepared, (&line, &tables), &folder, quiet).await?;
    if let Some(path) = &verb.junit {
        run.check(write(path, &junit(&checked.report)))?;
    }
    Some((checked.text(), json(&checked.report), checked.exit()))
}

/// The pipelines whose two sides are the engines of `--between`, in any order; all of them without it. Of pipelines that are named each must be one.
fn between<'p>(
    run: &mut Run,
    project: &Project,
    verb: &Check,
    pipelines: Vec<&'p Pipeline>,
) -> Option<Vec<&'p Pipeline>> {
    let (one, other) = match verb.between.as_slice() {
        [] => return Some(pipelines),
        [one, other] => (one, other),
        [_] | [_, _, _, ..] => {
            let message = "`--between` names two engines, with a comma between them";
            run.diagnostics
                .push(Diagnostic::new(Code::Usage, message).help("as in --between flink,datafusion"));
            return None;
        }
    };
    let names = project.engines.iter().map(|engine| engine.name.value.as_str());
    let known: Vec<&str> = names.chain(["batch", "realtime"]).chain(KINDS).collect();
    if let Some(name) = [one, other].into_iter().find(|name| !known.contains(&name.as_str())) {
        let message = format!("the project declares no engine `{name}`, and no kind of engine has that name");
        run.diagnostics.push(Diagnostic::new(Code::NameNotFound, message).suggest(name, known));
        return None;
    }
    let is =
        |side: &str, default: &'static str, name: &str| name == side || name == kind(project, side, default);
    let stands = |pipeline: &&Pipeline| {
        let pair = |realtime: &str, batch: &str| {
            is(&pipeline.realtime, "incremental", realtime) && is(&pipeline.batch, "datafusion", batch)
        };
        pair(one, other) || pair(other, one)
    };
    let (meant, others): (Vec<_>, Vec<_>) = pipelines.into_iter().partition(stands);
    let strange = others.first().filter(|_| !verb.names.is_empty() || meant.is_empty());
    if let Some(pipeline) = strange {
        let message = format!(
            "pipeline `{}` stands between `{}` and `{}`, not between `{one}` and `{other}`",
            pipeline.name.value, pipeline.realtime, pipeline.batch
        );
        run.diagnostics.push(
            Diagnostic::new(Code::Usage, message)
                .at(pipeline.name.span, "")
                .help("leave out --between, or name the pipelines that are meant"),
        );
        return None;
    }
    Some(meant)
}

/// The kinds of engines as the project file has them.
const KINDS: [&str; 4] = ["datafusion", "incremental", "flink", "starrocks"];

/// The kind of an engine of the project; one that is not declared is the embedded one of its side.
fn kind(project: &Project, name: &str, default: &'static str) -> &'static str {
    match project.engine(name) {
        Some(EngineKind::DataFusion) => "datafusion",
        Some(EngineKind::Incremental) => "incremental",
        Some(EngineKind::Flink { .. }) => "flink",
        Some(EngineKind::StarRocks { .. }) => "starrocks",
        None => default,
    }
}
