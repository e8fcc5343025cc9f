//! `pipeline run` and `pipeline status` of pipelines that a Flink keeps. In: a prepared pipeline. Out: a line of text and an object each.

use std::fmt::Write as _;

use serde_json::{Value, json};
use unisono_compiler::diagnostic::{Code, Diagnostic};

use crate::calendar;
use crate::command::asked::clock;
use crate::command::flink::keeper;
use crate::command::progress::Waiting;
use crate::lake::Line;
use crate::output::Run;
use crate::pipeline::Prepared;
use crate::pipeline::flink::{FlinkStatus, Keeper, State, status, submit};
use crate::workspace::{Workspace, checked};

/// Submits a pipeline's job, or finds it running.
pub(super) async fn run(
    run: &mut Run,
    workspace: &Workspace,
    prepared: &Prepared,
    line: &Line,
    quiet: bool,
) -> Option<(String, Value)> {
    let keeper = on_main(run, workspace, prepared, line)?;
    let what = format!("{}: submitting the job to {}, then its first checkpoint", prepared.name, keeper.name);
    let waiting = Waiting::new(&what, quiet);
    let now = calendar::format_timestamp(clock()) + "Z";
    let ran = submit(&workspace.lake, &workspace.store, prepared, &keeper, &now).await;
    drop(waiting);
    let ran = checked(run, ran)?;
    let how = match (ran.ran_before, ran.snapshot) {
        (true, _) => "runs already".to_string(),
        (false, Some(snapshot)) => {
            format!("submitted; its first checkpoint is snapshot {snapshot} of {}", prepared.rollup)
        }
        (false, None) => "submitted".to_string(),
    };
    let text = format!(
        "{}: job {} on {} {how}; pipeline status tells when it has caught up\n",
        ran.pipeline, ran.job, keeper.name
    );
    let data = json!({
        "name": ran.pipeline, "engine": keeper.name, "job": ran.job, "how": if ran.ran_before { "running" } else { "submitted" },
        "snapshot": ran.snapshot,
    });
    Some((text, data))
}

/// Where a pipeline's job stands.
pub(super) async fn look(
    run: &mut Run,
    workspace: &Workspace,
    prepared: &Prepared,
    line: &Line,
    quiet: bool,
) -> Option<(String, Value)> {
    let keeper = on_main(run, workspace, prepared, line)?;
    let what = format!("{}: asking {} what its job has read, two checkpoints", prepared.name, keeper.name);
    let waiting = Waiting::new(&what, quiet);
    let status = status(&workspace.lake, &workspace.store, prepared, &keeper).await;
    drop(waiting);
    let status = checked(run, status)?;
    Some(told(prepared, &keeper.name, &status))
}

fn told(prepared: &Prepared, engine: &str, status: &FlinkStatus) -> (String, Value) {
    let (state, snapshot, behind) = match &status.state {
        State::NeverRun => ("never run".to_string(), None, Vec::new()),
        State::Earlier => ("of an earlier definition".to_string(), None, Vec::new()),
        State::Stopped(why) => (format!("stopped: {why}"), None, Vec::new()),
        State::Behind(tables) => ("behind".to_string(), None, tables.clone()),
        State::UpToDate(_) | State::CannotTell(_) if let Some(why) = &status.stranger => {
            (format!("wrong: {why}"), None, Vec::new())
        }
        State::UpToDate(at) => ("up to date".to_string(), Some(at.snapshot), Vec::new()),
        State::CannotTell(why) => (format!("cannot tell: {why}"), None, Vec::new()),
        State::Wrong(why) => (format!("wrong: {why}"), None, Vec::new()),
    };
    let job = status.job.as_ref().map_or_else(String::new, |(id, state)| format!(", job {id} {state}"));
    let at = snapshot
        .map_or_else(String::new, |snapshot| format!(", in snapshot {snapshot} of {}", prepared.rollup));
    let mut of = String::new();
    for table in &behind {
        let (next, head) = status.sources.get(table).copied().unwrap_or_default();
        let number = |id: Option<i64>| id.map_or_else(|| "none".to_string(), |id| id.to_string());
        let read = number(next.map(|next| next - 1));
        let _ = write!(of, ", {table}: read to snapshot {read} of {}", number(head));
    }
    let next = match &status.state {
        State::NeverRun | State::Earlier | State::Stopped(_) => {
            format!("; to submit it: unisono pipeline run {}", prepared.name)
        }
        State::Behind(_) | State::UpToDate(_) | State::CannotTell(_) | State::Wrong(_) => String::new(),
    };
    let watermark = status.watermark.map(calendar::format_timestamp);
    let passed = watermark.as_ref().map_or_else(String::new, |at| format!(", watermark {at}"));
    let text = format!("{}: {state}{at}{of}{passed}{job}; kept by {engine}{next}\n", prepared.name);
    let sources: serde_json::Map<String, Value> = status
        .sources
        .iter()
        .map(|(table, (next, head))| {
            (table.clone(), json!({"read": next.map(|next| next - 1), "head": head}))
        })
        .collect();
    let data = json!({
        "name": prepared.name,
        "state": state,
        "epoch": null,
        "snapshot": snapshot,
        "behind": behind,
        "kept": format!("by {engine}"),
        "rollup": prepared.rollup.to_string(),
        "job": status.job.as_ref().map(|(id, state)| json!({"id": id, "state": state})),
        "sources": sources,
        "watermark": watermark,
    });
    (text, data)
}

/// The Flink of a pipeline; only main is kept by one.
fn on_main(run: &mut Run, workspace: &Workspace, prepared: &Prepared, line: &Line) -> Option<Keeper> {
    let name = prepared.flink.as_ref()?;
    match line {
        Line::Main => keeper(run, &workspace.found.project, name),
        Line::Branch(branch) => {
            let message = format!(
                "pipeline `{}` is kept by `{name}`, a Flink, which works on main and not on `{branch}`",
                prepared.name
            );
            let finding = Diagnostic::new(Code::UnsupportedPipeline, message);
            run.diagnostics
                .push(finding.help("keep it with an engine of kind incremental to work on branches"));
            None
        }
    }
}
