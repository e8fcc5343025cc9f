//! `pipeline stop`: the jobs that a Flink runs for pipelines are stopped. In: pipelines by name; their models need not be whole. Out: a line of
//! text and an object each; a pipeline without a job has nothing to stop.

use std::path::Path;

use serde_json::{Value, json};
use unisono_compiler::diagnostic::{Code, Diagnostic};

use crate::calendar;
use crate::command::asked::clock;
use crate::command::flink::keeper;
use crate::command::lakehouse::chosen;
use crate::command::progress::Waiting;
use crate::flags::PipelineNames;
use crate::lake::{Line, Place, TableName};
use crate::output::Run;
use crate::pipeline::flink::{FlinkJob, Stopped, stop};
use crate::pipeline::kept_by_flink;
use crate::project::{EngineKind, Pipeline};
use crate::workspace::{self, Workspace, checked, taken};

pub(super) async fn run(
    run: &mut Run,
    flags: &PipelineNames,
    project: Option<&Path>,
    quiet: bool,
) -> Option<(String, Value)> {
    let workspace = workspace::open(run, project, false).await?;
    let mut text = String::new();
    let mut data = Vec::new();
    for pipeline in chosen(run, &workspace, &flags.names)? {
        // After a failure the others go on: each has a job of its own.
        if let Some((line, object)) = one(run, &workspace, pipeline, quiet).await {
            text.push_str(&line);
            data.push(object);
        }
    }
    Some((text, json!({ "pipelines": data })))
}

async fn one(
    run: &mut Run,
    workspace: &Workspace,
    pipeline: &Pipeline,
    quiet: bool,
) -> Option<(String, Value)> {
    let name = &pipeline.name.value;
    let rollup = taken(run, TableName::parse(&pipeline.rollup.value))?;
    // A job that is being submitted is waited for.
    let place = Place::new(&rollup, &Line::Main);
    let _running = taken(run, workspace.lake.lock_named(&format!("pipeline.{name}"), &place).await)?;
    let Some(record) = run.check(workspace.store.job::<FlinkJob>(name))? else {
        let (how, why) = if kept_by_flink(&workspace.found.project, pipeline) {
            ("never-run", "it was never submitted")
        } else {
            ("embedded", "the embedded engine keeps it, and works only while pipeline run does")
        };
        return Some(told(name, how, None, &[], &format!("nothing to stop: {why}")));
    };
    // Where the job is, whatever the project says now.
    let engine = record.engine.as_str();
    let engines = &workspace.found.project.engines;
    let flinks = engines.iter().filter(|known| matches!(known.kind, EngineKind::Flink { .. }));
    if flinks.clone().all(|known| known.name.value != engine) {
        let message =
            format!("the job of pipeline `{name}` was given to `{engine}`, which is no Flink of the project");
        let finding = Diagnostic::new(Code::NameNotFound, message)
            .suggest(engine, flinks.map(|known| known.name.value.as_str()))
            .help(format!(
                "declare `{engine}` under `engines:` again, or stop `{}` in Flink itself",
                record.name
            ));
        run.diagnostics.push(finding);
        return None;
    }
    let keeper = keeper(run, &workspace.found.project, engine)?;
    let waiting = Waiting::new(&format!("{name}: stopping its job on {engine}"), quiet);
    let now = calendar::format_timestamp(clock()) + "Z";
    let stopped = stop(&workspace.lake, &workspace.store, (name, &rollup), &record, &keeper, &now).await;
    drop(waiting);
    Some(match checked(run, stopped)? {
        Stopped::Now(jobs) => {
            let all = jobs.join(", ");
            let what = format!(
                "job {all} on {engine} stopped; {rollup} stays as its last checkpoint left it; to submit it anew: unisono pipeline run {name}"
            );
            told(name, "stopped", Some(engine), &jobs, &what)
        }
        Stopped::Before(why) => {
            told(name, "not-running", Some(engine), &[], &format!("nothing to stop: {why}"))
        }
    })
}

fn told(name: &str, how: &str, engine: Option<&str>, jobs: &[String], what: &str) -> (String, Value) {
    let data = json!({"name": name, "how": how, "engine": engine, "jobs": jobs, "told": what});
    (format!("{name}: {what}\n"), data)
}
