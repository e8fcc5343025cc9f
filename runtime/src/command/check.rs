//! `check`: both sides of every pipeline compared on the heads of a line. In: pipelines, a line. Out: a verdict a metric, evidence.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};

use serde_json::Value;

use unisono_compiler::diagnostic::{Code, Diagnostic};

use super::asked::clock;
use super::lakehouse::{chosen, finish_with, prepared};
use crate::calendar;
use crate::check::prove::{Asked, Proof, Texts, evidence, prove, report};
use crate::check::report::{json, junit, text};
use crate::check::verdict::Looser;
use crate::engine::datafusion::Session;
use crate::flags::Check;
use crate::lake::Line;
use crate::output::{Exit, Outcome, Run, pretty};
use crate::pipeline::Prepared;
use crate::table::to_text;
use crate::version::{TableState, hash, heads};
use crate::workspace::{self, Models, Workspace, taken};

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
    let looser = looser(&workspace);
    let asked = asked(&workspace, &line, &tables, &looser);
    let began = now();
    let proofs = run.check(prove(&asked, &prepared).await)?;
    warnings(run, &proofs);
    let folder = verb.evidence.clone().unwrap_or_else(|| evidence_folder(&workspace));
    let kept = keep(run, &workspace, &models, &asked, (&prepared, &proofs), &folder, began)?;
    let files: Vec<Option<String>> = kept.iter().map(|kept| Some(kept.path.clone())).collect();
    let report = report(&proofs, &files);
    if let Some(path) = &verb.junit {
        run.check(write(path, &junit(&report)))?;
    }
    let exit = exit_of(report.exit_code());
    Some((text(&report) + &behind(&proofs), json(&report), exit))
}

/// Evidence that was written.
pub(super) struct Kept {
    /// Where.
    pub(super) path: String,
    /// Its own hash.
    pub(super) hash: String,
}

/// Writes the evidence of every pipeline.
pub(super) fn keep(
    run: &mut Run,
    workspace: &Workspace,
    models: &Models,
    asked: &Asked<'_>,
    (prepared, proofs): (&[Prepared], &[Proof]),
    folder: &Path,
    began: String,
) -> Option<Vec<Kept>> {
    let texts = texts(run, workspace, models, began);
    let mut kept = Vec::new();
    for (proof, prepared) in proofs.iter().zip(prepared) {
        let document = evidence(asked, prepared, proof, &texts).to_json();
        let path = folder.join(format!("{}.json", proof.pipeline));
        run.check(write(&path, &pretty(&document)))?;
        let hash = document["sha256"].as_str().unwrap_or_default().to_string();
        let shown = path.strip_prefix(&workspace.found.directory).unwrap_or(&path);
        kept.push(Kept { path: shown.display().to_string(), hash });
    }
    Some(kept)
}

/// What evidence says of a check that ends now.
pub(super) fn texts(run: &Run, workspace: &Workspace, models: &Models, began: String) -> Texts {
    let all: Vec<&str> = models.texts.iter().map(|(_, text)| text.as_str()).collect();
    let project = run.sources.get(workspace.found.project.source).map(|source| source.text.clone());
    Texts { model: hash(&all.join("\n")), project: hash(&project.unwrap_or_default()), times: (began, now()) }
}

/// What explains differences: definitions of their own, and the home rows of the first groups.
pub(super) fn behind(proofs: &[Proof]) -> String {
    let mut text = String::new();
    for proof in proofs {
        if proof.outcomes.iter().all(|outcome| outcome.verdict.passes()) {
            continue;
        }
        for note in &proof.notes {
            let _ = writeln!(text, "\nwhy, perhaps: {note}");
        }
        for group in &proof.rows {
            let key: Vec<String> =
                group.key.iter().map(|(name, value)| format!("{name} = {}", value.text())).collect();
            let of = if key.is_empty() { String::new() } else { format!(" of {}", key.join(", ")) };
            let more = if group.rows.truncated { ", and more" } else { "" };
            let _ = writeln!(text, "\nrows of `{}`{of}, {}{more}:", group.dataset, group.rows.rows.len());
            text.push_str(&to_text(&group.rows));
        }
    }
    text
}

fn write(path: &Path, text: &str) -> Result<(), Vec<Diagnostic>> {
    let made =
        path.parent().map_or(Ok(()), std::fs::create_dir_all).and_then(|()| std::fs::write(path, text));
    made.map_err(|error| {
        vec![Diagnostic::new(
            Code::FileUnwritable,
            format!("`{}` cannot be written: {error}", path.display()),
        )]
    })
}

/// The time of evidence.
pub(super) fn now() -> String {
    calendar::format_timestamp(clock()) + "Z"
}

/// The folder in which checks leave their evidence.
pub(super) fn evidence_folder(workspace: &Workspace) -> PathBuf {
    workspace.found.directory.join("target").join("unisono").join("evidence")
}

/// The bounds that the project sets: each is a share of the greater value.
pub(super) fn looser(workspace: &Workspace) -> Vec<(String, Looser)> {
    let set = &workspace.found.project.checks.tolerance;
    set.iter().map(|(metric, share)| (metric.value.clone(), Looser::Relative(*share))).collect()
}

/// What a check of a state is told.
pub(super) fn asked<'a>(
    workspace: &'a Workspace,
    line: &'a Line,
    tables: &'a BTreeMap<String, TableState>,
    looser: &'a [(String, Looser)],
) -> Asked<'a> {
    Asked {
        lake: &workspace.lake,
        store: &workspace.store,
        line,
        tables,
        looser,
        sample: usize::try_from(workspace.found.project.checks.sample_rows).unwrap_or(usize::MAX),
        session: &Session::new,
    }
}

/// Findings of the compiler on the way, each once.
pub(super) fn warnings(run: &mut Run, proofs: &[Proof]) {
    for finding in proofs.iter().flat_map(|proof| &proof.diagnostics) {
        if !run.diagnostics.contains(finding) {
            run.diagnostics.push(finding.clone());
        }
    }
}

/// The exit code of a report.
pub(super) fn exit_of(code: u8) -> Exit {
    match code {
        0 => Exit::Good,
        1 => Exit::Difference,
        4 => Exit::EngineFailed,
        _ => Exit::Undecided,
    }
}
