//! `replay`: a recorded check run again on the same snapshots, its stored results put aside. In: evidence. Out: whether the same came
//! again, and what moved if not.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::path::Path;

use serde_json::{Value, json};
use unisono_compiler::diagnostic::{Code, Diagnostic};

use super::checked::{asked, looser, now, texts};
use super::lakehouse::{chosen, finish_with, prepared};
use super::starrocks::starrocks;
use crate::check::evidence::Evidence;
use crate::check::prove::{FLINK, Recorded, Streams, evidence, prove};
use crate::flags::Replay;
use crate::lake::Line;
use crate::load::read_text;
use crate::output::{Exit, Outcome, Run};
use crate::version::branch::whole;
use crate::version::{Store, TableState, Version, hash};
use crate::workspace;

pub(super) fn run(verb: &Replay, project: Option<&Path>) -> Outcome {
    finish_with(verb.format, async |run| replay(run, verb, project).await)
}

async fn replay(run: &mut Run, verb: &Replay, project: Option<&Path>) -> Option<(String, Value, Exit)> {
    let (recorded, own_hash) = run.check(recorded(&verb.evidence))?;
    let workspace = workspace::open(run, project, false).await?;
    let line = run.check(line(&workspace.store, &recorded, &own_hash))?;
    let models = workspace.models(run)?;
    let pipelines = chosen(run, &workspace, std::slice::from_ref(&recorded.pipeline))?;
    let prepared = prepared(run, &workspace, &models, &pipelines, &line).await?;
    let tables: BTreeMap<String, TableState> = recorded
        .tables
        .iter()
        .map(|pin| (pin.table.clone(), TableState { snapshot: pin.snapshot, schema: pin.schema }))
        .collect();
    let looser = looser(&workspace);
    let of_stream = recorded.right.engine == FLINK;
    let streams = Streams::Recorded(Box::new(Recorded {
        side: recorded.right.clone(),
        checkpoint: recorded.epoch.as_ref().map(|epoch| epoch.number),
        start: recorded.epoch.as_ref().and_then(|epoch| epoch.window),
    }));
    let starrocks = starrocks(run, &workspace.found, &prepared)?;
    let asked = asked(&workspace, &line, &tables, &looser, (&streams, &starrocks));
    let began = now();
    let proofs = run.check(prove(&asked, &prepared).await)?;
    let texts = texts(run, &workspace, &models, began);
    let (Some(proof), Some(prepared)) = (proofs.first(), prepared.first()) else { return None };
    let again = evidence(&asked, prepared, proof, &texts);
    let moved = moved(&recorded, &again);
    let mut text = if moved.is_empty() {
        format!("{}: the same verdicts and answers came again\n", recorded.pipeline)
    } else {
        let lines: Vec<String> = moved.iter().map(|(what, how)| format!("  {what}: {how}\n")).collect();
        format!("{}: not the same as recorded\n{}", recorded.pipeline, lines.concat())
    };
    if of_stream {
        let _ = writeln!(text, "  {STREAM}");
    }
    let data = json!({
        "pipeline": recorded.pipeline,
        "note": of_stream.then_some(STREAM),
        "same": moved.is_empty(),
        "moved": moved.iter().map(|(what, how)| json!({"what": what, "how": how})).collect::<Vec<_>>(),
    });
    Some((text, data, if moved.is_empty() { Exit::Good } else { Exit::Difference }))
}

/// What a replay leaves out of a rollup that a Flink keeps.
const STREAM: &str =
    "the rollup was read again as it was recorded; the stream that made it was not run again";

/// The line whose snapshots were checked. What was merged is main's since; a branch that was dropped, or made again under its
/// name, has them no more.
fn line(store: &Store, recorded: &Evidence, own_hash: &str) -> Result<Line, Vec<Diagnostic>> {
    let name = recorded.tables.first().map_or("main", |pin| pin.line.as_str());
    let line = Line::parse(name)?;
    let merged = |version: &Version| version.checks.iter().any(|known| known == own_hash);
    if line == Line::Main || store.versions()?.iter().any(merged) {
        return Ok(Line::Main);
    }
    let record = whole(store, name)?;
    let made = store.version(record.fork)?.map(|version| version.when);
    if made.is_some_and(|made| made > recorded.left.started) {
        let message = format!("the branch `{name}` that was checked is gone, and this one was made later");
        return Err(vec![
            Diagnostic::new(Code::BranchNotFound, message).help("check the branch that is there now"),
        ]);
    }
    Ok(line)
}

/// The evidence of a file, and its own hash.
fn recorded(path: &Path) -> Result<(Evidence, String), Vec<Diagnostic>> {
    let text = read_text(path, "evidence", &[".json"])?;
    let wrong = |why: String| {
        vec![
            Diagnostic::new(Code::Parse, format!("`{}` is no evidence: {why}", path.display()))
                .help("name a file that `unisono check` wrote"),
        ]
    };
    let document: Value = serde_json::from_str(&text).map_err(|error| wrong(error.to_string()))?;
    let evidence = Evidence::from_json(&document).map_err(|error| wrong(error.to_string()))?;
    Ok((evidence, document["sha256"].as_str().unwrap_or_default().to_string()))
}

/// What is not as it was recorded.
fn moved(recorded: &Evidence, again: &Evidence) -> Vec<(String, String)> {
    let mut moved = Vec::new();
    let mut look = |what: &str, was: &str, is: &str| {
        if was != is {
            moved.push((what.to_string(), format!("{} was recorded, {} came", short(was), short(is))));
        }
    };
    look("tool", &recorded.tool, &again.tool);
    look("model", &recorded.hashes.model, &again.hashes.model);
    look("project file", &recorded.hashes.project, &again.hashes.project);
    look("pipeline", &recorded.hashes.pipeline, &again.hashes.pipeline);
    look("batch SQL", &hash(&recorded.left.text), &hash(&again.left.text));
    look("batch answer", digest(recorded.left.digest.as_ref()), digest(again.left.digest.as_ref()));
    look("real-time answer", digest(recorded.right.digest.as_ref()), digest(again.right.digest.as_ref()));
    for outcome in &recorded.outcomes {
        let found = again.outcomes.iter().find(|other| other.metric == outcome.metric);
        if found.is_some_and(|found| found.verdict == outcome.verdict) {
            continue;
        }
        let is = found.map_or("nothing", |other| other.verdict.as_str());
        // A verdict that could not be formed again says why.
        let why = found.and_then(|other| other.detail.as_ref());
        let why = why.map_or_else(String::new, |why| format!(": {why}"));
        let how = format!("{} was recorded, {is} came{why}", outcome.verdict.as_str());
        moved.push((format!("metric {}", outcome.metric), how));
    }
    moved
}

fn digest(digest: Option<&String>) -> &str {
    digest.map_or("no answer", String::as_str)
}

fn short(text: &str) -> &str {
    text.get(..12).filter(|_| text.len() == 64).unwrap_or(text)
}
