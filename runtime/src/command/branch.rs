//! `branch create|list|show|merge|drop`: the branches of the warehouse. In: a name. Out: what was made, what is there, or a merge's outcome.

mod merge;

use std::fmt::Write as _;
use std::path::Path;

use serde_json::{Value, json};
use unisono_compiler::diagnostic::counted;

use super::lakehouse::{context, finish, prepared};
use crate::flags::{Branch, BranchVerb};
use crate::lake::Line;
use crate::output::{Outcome, Run};
use crate::pipeline::{Epoch, current_epoch, flink_rollups, user};
use crate::version::BranchState;
use crate::version::branch::{create, drop, whole};
use crate::workspace::{self, Models, Workspace, taken};

pub(super) fn run(verb: &Branch, project: Option<&Path>, quiet: bool) -> Outcome {
    match &verb.verb {
        BranchVerb::Create(flags) => finish(flags.format, async |run| made(run, &flags.name, project).await),
        BranchVerb::List(flags) => finish(flags.format, async |run| listed(run, project).await),
        BranchVerb::Show(flags) => finish(flags.format, async |run| shown(run, &flags.name, project).await),
        BranchVerb::Drop(flags) => finish(flags.format, async |run| dropped(run, &flags.name, project).await),
        BranchVerb::Merge(flags) => merge::run(flags, project, quiet),
    }
}

async fn made(run: &mut Run, name: &str, project: Option<&Path>) -> Option<(String, Value)> {
    let workspace = workspace::open(run, project, false).await?;
    let models = workspace.models(run)?;
    let context = context(run, &workspace, &models)?;
    let kept = flink_rollups(&workspace.found.project);
    let (record, version) =
        run.check(create(&workspace.lake, &workspace.store, name, &context, &kept).await)?;
    take_over(&workspace, &models, name).await;
    let tables = counted(record.tables.len() as u64, "table");
    let text = format!("branch {name}: {tables} of main, v{}\n", version.number);
    Some((text, json!({"name": name, "version": version.number, "tables": version.tables})))
}

async fn listed(run: &mut Run, project: Option<&Path>) -> Option<(String, Value)> {
    let workspace = workspace::open(run, project, false).await?;
    let branches = run.check(workspace.store.branches())?;
    let mut text = String::new();
    let mut data = Vec::new();
    for (name, record) in &branches {
        let state = match record.state {
            BranchState::Ready => "ready",
            BranchState::Creating => "half made",
            BranchState::Dropping => "half dropped",
        };
        let _ = writeln!(text, "{name}: {state}, from v{}", record.fork);
        data.push(json!({"name": name, "state": state, "version": record.fork}));
    }
    if branches.is_empty() {
        run.notes.push("no branches; make one: unisono branch create NAME".to_string());
    }
    Some((text, json!({ "branches": data })))
}

async fn shown(run: &mut Run, name: &str, project: Option<&Path>) -> Option<(String, Value)> {
    let workspace = workspace::open(run, project, false).await?;
    let record = run.check(whole(&workspace.store, name))?;
    let line = taken(run, Line::branch(name))?;
    let born = taken(run, workspace.lake.born(name).await)?;
    let mut text = format!("branch {name}, from v{}\n", record.fork);
    let mut data = Vec::new();
    for table in taken(run, workspace.lake.tables(&line).await)? {
        let head = taken(run, workspace.lake.head(&table, &line).await)?.snapshot;
        let fork = record.tables.get(&table.to_string()).map(|fork| fork.snapshot);
        let commits = match (head, fork) {
            (Some(head), Some(fork)) => head - fork,
            (Some(head), None) => head,
            (None, _) => 0,
        };
        let main = taken(run, workspace.lake.exists(&table, &Line::Main).await)?;
        let moved = match (born.contains(&table), main) {
            (true, _) => "new on the branch".to_string(),
            (false, true) => {
                let main = taken(run, workspace.lake.head(&table, &Line::Main).await)?.snapshot;
                if main == fork || main == head {
                    "main unmoved".to_string()
                } else {
                    "main moved".to_string()
                }
            }
            (false, false) => "gone from main".to_string(),
        };
        let _ = writeln!(
            text,
            "  {table}: {commits} {}, {moved}",
            if commits == 1 { "commit" } else { "commits" }
        );
        data.push(json!({"table": table.to_string(), "fork": fork, "head": head, "commits": commits, "main": moved}));
    }
    Some((text, json!({"name": name, "version": record.fork, "tables": data})))
}

async fn dropped(run: &mut Run, name: &str, project: Option<&Path>) -> Option<(String, Value)> {
    let workspace = workspace::open(run, project, false).await?;
    run.check(drop(&workspace.lake, &workspace.store, name).await)?;
    Some((format!("branch {name} is dropped\n"), json!({ "name": name })))
}

/// Tells the branch what main's rollups reflect where no commit says it. A pipeline that cannot be understood now is left alone: its next
/// run on the branch only reads more than it had to.
async fn take_over(workspace: &Workspace, models: &Models, name: &str) {
    let (lake, store) = (&workspace.lake, &workspace.store);
    let mut aside = Run::default();
    let Ok(line) = Line::branch(name) else { return };
    let pipelines: Vec<_> = workspace.found.project.pipelines.iter().collect();
    for pipeline in pipelines {
        let Some(prepared) = prepared(&mut aside, workspace, models, &[pipeline], &Line::Main).await else {
            continue;
        };
        for one in &prepared {
            if let Ok(Some((epoch, head))) = current_epoch(lake, store, one, &Line::Main).await
                && epoch.at.is_some()
                && let Ok(user) = user(store, one, &line)
            {
                let taken = Epoch { user, at: Some(head), ..epoch };
                let _ = store.put_epoch(&one.name, &taken.stem(), &taken);
            }
        }
    }
}
