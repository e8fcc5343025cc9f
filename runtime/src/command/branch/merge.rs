//! `branch merge`: checks on exactly the state that main would get, then main moves. In: a branch. Out: merged, nothing to merge, or
//! refused with the reason; refused and merged alike leave their evidence.

use std::fmt::Write as _;
use std::path::Path;

use serde_json::{Value, json};
use unisono_compiler::diagnostic::{Code, Diagnostic, counted};

use crate::check::prove::passed;
use crate::command::checked::{checked, evidence_folder};
use crate::command::lakehouse::{chosen, context, finish_with, prepared};
use crate::flags::BranchName;
use crate::lake::Line;
use crate::output::{Exit, Outcome, Run};
use crate::pipeline::{Epoch, Prepared, at_snapshot, current_epoch, flink_rollups, user};
use crate::version::Move;
use crate::version::branch::whole;
use crate::version::merge::{Candidate, apply, candidate, merged};
use crate::workspace::{self, Workspace, taken};

pub(super) fn run(verb: &BranchName, project: Option<&Path>, quiet: bool) -> Outcome {
    let mut outcome = finish_with(verb.format, async |run| merge(run, verb, project, quiet).await);
    // A refusal is the verb's answer, not a usage error.
    let refused = |finding: &Diagnostic| matches!(finding.code, Code::MainMoved | Code::MergeRefused);
    if outcome.data.is_null() && outcome.diagnostics.iter().any(refused) {
        outcome.exit = Exit::Difference;
        outcome.data = told("refused", &verb.name);
    }
    outcome
}

async fn merge(
    run: &mut Run,
    verb: &BranchName,
    project: Option<&Path>,
    quiet: bool,
) -> Option<(String, Value, Exit)> {
    let workspace = workspace::open(run, project, false).await?;
    let branch = verb.name.as_str();
    let record = run.check(whole(&workspace.store, branch))?;
    let line = taken(run, Line::branch(branch))?;
    let kept = flink_rollups(&workspace.found.project);
    let candidate = run.check(candidate(&workspace.lake, &workspace.store, &record, &kept).await)?;
    if candidate.moves.is_empty() {
        let before = run.check(merged(&workspace.store, &record))?;
        let already = before.map_or_else(String::new, |version| {
            format!("{branch} was merged into main already: v{}; ", version.number)
        });
        let text = format!("{already}{branch} has nothing that main has not\n");
        return Some((text, told("nothing", branch), Exit::Good));
    }
    if workspace.found.project.merge.person {
        run.diagnostics.push(
            Diagnostic::new(
                Code::MergeRefused,
                "the project asks for a person's word, which cannot be given yet",
            )
            .about("merge.accept")
            .help("set `accept: none` to merge on the checks alone"),
        );
        return None;
    }
    let models = workspace.models(run)?;
    let pipelines =
        if workspace.found.project.pipelines.is_empty() { Vec::new() } else { chosen(run, &workspace, &[])? };
    let prepared = prepared(run, &workspace, &models, &pipelines, &line).await?;
    let state = (&line, &candidate.tables);
    let folder = evidence_folder(&workspace);
    let checked = checked(run, &workspace, &models, &prepared, state, &folder, quiet).await?;
    let mut text = checked.text();
    let exit = checked.exit();
    let Some(passed) = passed(&candidate.tables, &checked.proofs, checked.evidence) else {
        let _ = writeln!(text, "refused: main stays as it is, since {branch} does not pass its checks");
        let exit = if exit == Exit::Good { Exit::Undecided } else { exit };
        return Some((text, told("refused", branch), exit));
    };
    let context = context(run, &workspace, &models)?;
    let rollups: Vec<_> = prepared.iter().map(|one| (one.name.clone(), one.rollup.clone())).collect();
    let epochs = epochs(run, &workspace, &prepared, &line, &candidate).await?;
    let applied = apply(
        &workspace.lake,
        &workspace.store,
        &record,
        &candidate,
        &passed,
        &rollups,
        epochs,
        &context,
        &mut |_| Ok(()),
    )
    .await;
    let version = run.check(applied)?;
    let moved = counted(candidate.moves.len() as u64, "table");
    let _ = writeln!(text, "merged {branch} into main: v{version}, {moved} moved");
    if prepared.is_empty() {
        text.push_str("nothing was checked: the project declares no pipelines\n");
    }
    let mut data = told("merged", branch);
    data["version"] = json!(version);
    data["tables"] = json!(candidate.moves.iter().map(Move::table).collect::<Vec<_>>());
    Some((text, data, Exit::Good))
}

fn told(outcome: &str, branch: &str) -> Value {
    json!({"outcome": outcome, "from": branch, "to": "main", "conflicts": []})
}

/// What main's rollups will reflect: the branch's epochs under main's own name, so that main's next run has nothing to do.
async fn epochs(
    run: &mut Run,
    workspace: &Workspace,
    prepared: &[Prepared],
    line: &Line,
    candidate: &Candidate,
) -> Option<Vec<(String, Epoch)>> {
    let (lake, store) = (&workspace.lake, &workspace.store);
    let mut all = Vec::new();
    for one in prepared.iter().filter(|one| one.flink.is_none()) {
        let head = candidate.tables.get(&one.rollup.to_string()).and_then(|state| state.snapshot);
        let epoch = run.check(at_snapshot(lake, store, one, line, head).await)?;
        let main = run.check(current_epoch(lake, store, one, &Line::Main).await)?;
        let Some(epoch) = epoch else { continue };
        if main.is_some_and(|(main, _)| main.epoch == epoch.epoch && main.sources == epoch.sources) {
            continue;
        }
        let user = run.check(user(store, one, &Line::Main))?;
        all.push((one.name.clone(), Epoch { user, at: head, ..epoch }));
    }
    Some(all)
}
