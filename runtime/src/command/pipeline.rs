//! `pipeline run`, `pipeline status` and `pipeline stop`: rollups brought to the heads of their sources, where they stand, their jobs stopped.
//! In: pipelines, a line. Out: a line of text a pipeline; a run says how many rows it read.

mod flink;
mod stop;

use std::fmt::Write as _;
use std::path::Path;

use serde_json::{Value, json};
use unisono_compiler::diagnostic::counted;

use super::lakehouse::{chosen, finish, prepared_alone};
use crate::calendar::format_timestamp;
use crate::engine::incremental::{Maintenance, layout};
use crate::flags::{Pipeline, PipelineFlags, PipelineVerb};
use crate::lake::Line;
use crate::output::{Outcome, Run};
use crate::pipeline::{How, NoTap, Prepared, Ran, current_epoch, heads, run as run_pipeline};
use crate::version::TableState;
use crate::workspace::{self, Workspace};

pub(super) fn run(verb: &Pipeline, project: Option<&Path>, quiet: bool) -> Outcome {
    match &verb.verb {
        PipelineVerb::Run(flags) => {
            finish(flags.format, async |run| advance(run, flags, project, quiet).await)
        }
        PipelineVerb::Status(flags) => {
            finish(flags.format, async |run| status(run, flags, project, quiet).await)
        }
        PipelineVerb::Stop(flags) => {
            finish(flags.format, async |run| stop::run(run, flags, project, quiet).await)
        }
    }
}

async fn opened(
    run: &mut Run,
    flags: &PipelineFlags,
    project: Option<&Path>,
) -> Option<(Workspace, Line, Vec<Prepared>)> {
    let workspace = workspace::open(run, project, false).await?;
    let line = workspace.line(run, flags.branch.as_deref())?;
    let models = workspace.models(run)?;
    let compiled = {
        let pipelines = chosen(run, &workspace, &flags.names)?;
        prepared_alone(run, &workspace, &models, &pipelines, &line).await?
    };
    Some((workspace, line, compiled))
}

async fn advance(
    run: &mut Run,
    flags: &PipelineFlags,
    project: Option<&Path>,
    quiet: bool,
) -> Option<(String, Value)> {
    let (workspace, line, pipelines) = opened(run, flags, project).await?;
    workspace.may_write(run, &line)?;
    let mut text = String::new();
    let mut data = Vec::new();
    for prepared in &pipelines {
        if prepared.flink.is_some() {
            if let Some((line, object)) = flink::run(run, &workspace, prepared, &line, quiet).await {
                text.push_str(&line);
                data.push(object);
            }
            continue;
        }
        let ran = run_pipeline(&workspace.lake, &workspace.store, prepared, &line, &mut NoTap).await;
        // After a failure the others go on: each rollup is a table of its own.
        if let Some(ran) = workspace::checked(run, ran) {
            text.push_str(&told(&ran));
            data.push(to_json(&ran));
        }
    }
    Some((text, json!({ "pipelines": data })))
}

fn told(ran: &Ran) -> String {
    let rows: u64 = ran.read.values().map(|counts| counts.rows).sum();
    let keys: u64 = ran.read.values().map(|counts| counts.keys).sum();
    let how = match &ran.how {
        How::UpToDate => {
            return format!("{}: up to date at epoch {}, 0 rows read\n", ran.pipeline, ran.epoch);
        }
        How::Incremental => "from the change".to_string(),
        How::Full(why) => format!("in full ({why})"),
    };
    let looked = if keys == 0 { String::new() } else { format!(", {} looked at", counted(keys, "key")) };
    let (rows, groups) = (counted(rows, "row"), counted(ran.upserts as u64, "group"));
    format!(
        "{}: epoch {} {how}, {rows} read{looked}, {groups} written, {} removed\n",
        ran.pipeline, ran.epoch, ran.deletes
    )
}

fn to_json(ran: &Ran) -> Value {
    let (how, why) = match &ran.how {
        How::UpToDate => ("up-to-date", None),
        How::Incremental => ("incremental", None),
        How::Full(why) => ("full", Some(why)),
    };
    let read: serde_json::Map<String, Value> = ran
        .read
        .iter()
        .map(|(table, counts)| (table.clone(), json!({"rows": counts.rows, "keys": counts.keys})))
        .collect();
    json!({
        "name": ran.pipeline,
        "epoch": ran.epoch,
        "snapshot": ran.snapshot,
        "how": how,
        "why": why,
        "read": read,
        "rows_read": ran.read.values().map(|counts| counts.rows).sum::<u64>(),
        "keys_read": ran.read.values().map(|counts| counts.keys).sum::<u64>(),
        "groups_written": ran.upserts,
        "groups_removed": ran.deletes,
    })
}

async fn status(
    run: &mut Run,
    flags: &PipelineFlags,
    project: Option<&Path>,
    quiet: bool,
) -> Option<(String, Value)> {
    let (workspace, line, pipelines) = opened(run, flags, project).await?;
    let mut text = String::new();
    let mut data = Vec::new();
    for prepared in &pipelines {
        if prepared.flink.is_some() {
            if let Some((line, object)) = flink::look(run, &workspace, prepared, &line, quiet).await {
                text.push_str(&line);
                data.push(object);
            }
            continue;
        }
        let epoch = run.check(current_epoch(&workspace.lake, &workspace.store, prepared, &line).await)?;
        let heads = run.check(heads(&workspace.lake, prepared, &line).await)?;
        let (state, number, snapshot, behind) = match &epoch {
            None => ("never run", None, None, Vec::new()),
            Some((epoch, snapshot)) => {
                let behind: Vec<String> = heads
                    .iter()
                    .filter(|(table, pin)| {
                        epoch.sources.get(&table.to_string()) != Some(&TableState::from(*pin))
                    })
                    .map(|(table, _)| table.to_string())
                    .collect();
                let state = if epoch.generation != prepared.generation {
                    "of an earlier definition"
                } else if behind.is_empty() {
                    "up to date"
                } else {
                    "behind"
                };
                (state, Some(epoch.epoch), Some(*snapshot), behind)
            }
        };
        let at = number.map_or_else(String::new, |number| format!(", epoch {number}"));
        let of = if behind.is_empty() { String::new() } else { format!(", behind {}", behind.join(", ")) };
        let watermark = prepared.windows.as_ref().and_then(|windows| {
            let latest = epoch.as_ref()?.0.window?.latest?;
            Some(format_timestamp(windows.watermark(latest)))
        });
        let passed = watermark.as_ref().map_or_else(String::new, |at| format!(", watermark {at}"));
        let kept = match layout(&prepared.resolved, &prepared.plan).map(|layout| layout.maintenance) {
            Ok(_) if prepared.windows.is_some() => "by closed buckets".to_string(),
            Ok(Maintenance::Incremental) => "from changes".to_string(),
            Ok(Maintenance::Full { why }) => format!("in full at each run: {why}"),
            Err(fault) => format!("not at all: {fault}"),
        };
        let _ = writeln!(text, "{}: {state}{at}{of}{passed}; kept {kept}", prepared.name);
        data.push(json!({
            "name": prepared.name,
            "state": state,
            "epoch": number,
            "snapshot": snapshot,
            "behind": behind,
            "kept": kept,
            "rollup": prepared.rollup.to_string(),
            "watermark": watermark,
        }));
    }
    Some((text, json!({ "pipelines": data })))
}
