//! Pipelines checked on a state of a line, as `check` and `branch merge` do it, and what `replay` needs to do it again. In: the state,
//! the pipelines. Out: proofs, their report, evidence in files.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};

use unisono_compiler::diagnostic::{Code, Diagnostic};

use super::asked::clock;
use super::flink::streams;
use super::progress::Waiting;
use super::starrocks::starrocks;
use crate::calendar;
use crate::check::judge::OnOpen;
use crate::check::prove::{Asked, Proof, StarRocks, Streams, Texts, evidence, prove, report};
use crate::check::report::{Report, text};
use crate::check::verdict::Looser;
use crate::engine::datafusion::Session;
use crate::lake::Line;
use crate::output::{Exit, Run, pretty};
use crate::pipeline::Prepared;
use crate::project::OnPending;
use crate::table::to_text;
use crate::version::{TableState, hash};
use crate::workspace::{Models, Workspace};

/// What a check found and left.
pub(super) struct Checked {
    /// A proof a pipeline.
    pub(super) proofs: Vec<Proof>,
    /// Their report.
    pub(super) report: Report,
    /// The hash of each pipeline's evidence.
    pub(super) evidence: Vec<String>,
}

impl Checked {
    /// The report for people, with what explains differences.
    pub(super) fn text(&self) -> String {
        text(&self.report) + &behind(&self.proofs)
    }

    /// The exit code of the report.
    pub(super) fn exit(&self) -> Exit {
        match self.report.exit_code() {
            0 => Exit::Good,
            1 => Exit::Difference,
            4 => Exit::EngineFailed,
            _ => Exit::Undecided,
        }
    }
}

/// Checks pipelines on a state and writes the evidence of each into a folder.
pub(super) async fn checked(
    run: &mut Run,
    workspace: &Workspace,
    models: &Models,
    pipelines: &[Prepared],
    (line, tables): (&Line, &BTreeMap<String, TableState>),
    folder: &Path,
    quiet: bool,
) -> Option<Checked> {
    let looser = looser(workspace);
    let streams = streams(run, &workspace.found.project, pipelines)?;
    let starrocks = starrocks(run, &workspace.found, pipelines)?;
    let asked = asked(workspace, line, tables, &looser, (&streams, &starrocks));
    let began = now();
    let waits = pipelines.iter().any(|prepared| prepared.flink.is_some());
    let waiting =
        waits.then(|| Waiting::new("asking Flink what its jobs have read, two checkpoints each", quiet));
    let proofs = prove(&asked, pipelines).await;
    drop(waiting);
    let proofs = run.check(proofs)?;
    // Findings of the compiler on the way, each once.
    for finding in proofs.iter().flat_map(|proof| &proof.diagnostics) {
        if !run.diagnostics.contains(finding) {
            run.diagnostics.push(finding.clone());
        }
    }
    let texts = texts(run, workspace, models, began);
    let (mut files, mut hashes) = (Vec::new(), Vec::new());
    for (proof, prepared) in proofs.iter().zip(pipelines) {
        let document = evidence(&asked, prepared, proof, &texts).to_json();
        let path = folder.join(format!("{}.json", proof.pipeline));
        run.check(write(&path, &pretty(&document)))?;
        hashes.push(document["sha256"].as_str().unwrap_or_default().to_string());
        let shown = path.strip_prefix(&workspace.found.directory).unwrap_or(&path);
        files.push(Some(shown.display().to_string()));
    }
    Some(Checked { report: report(&proofs, &files), proofs, evidence: hashes })
}

/// What evidence says of a check that ends now.
pub(super) fn texts(run: &Run, workspace: &Workspace, models: &Models, began: String) -> Texts {
    let all: Vec<&str> = models.texts.iter().map(|(_, text)| text.as_str()).collect();
    let project = run.sources.get(workspace.found.project.source).map(|source| source.text.clone());
    Texts { model: hash(&all.join("\n")), project: hash(&project.unwrap_or_default()), times: (began, now()) }
}

/// What explains differences: definitions of their own, and the home rows of the first groups.
fn behind(proofs: &[Proof]) -> String {
    let mut text = String::new();
    // Two pipelines may share a metric, and what explains it.
    let mut said: Vec<&String> = Vec::new();
    for proof in proofs {
        if proof.outcomes.iter().all(|outcome| outcome.verdict.passes()) {
            continue;
        }
        for note in &proof.notes {
            if !said.contains(&note) {
                let _ = writeln!(text, "\nwhy, perhaps: {note}");
                said.push(note);
            }
        }
        for group in &proof.rows {
            let key: Vec<String> =
                group.key.iter().map(|(name, value)| format!("{name} = {}", value.text())).collect();
            let of = if key.is_empty() { String::new() } else { format!(" where {}", key.join(", ")) };
            let which = if group.rows.truncated { "the first" } else { "all" };
            let rows = group.rows.rows.len();
            let _ = writeln!(text, "\nrows of `{}`{of} ({which} {rows}):", group.dataset);
            text.push_str(&to_text(&group.rows));
        }
    }
    text
}

/// Writes a file, and the folders above it.
pub(super) fn write(path: &Path, text: &str) -> Result<(), Vec<Diagnostic>> {
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
    (streams, starrocks): (&'a Streams, &'a [StarRocks]),
) -> Asked<'a> {
    Asked {
        lake: &workspace.lake,
        store: &workspace.store,
        line,
        tables,
        looser,
        on_late: workspace.found.project.checks.on_late,
        on_open: match workspace.found.project.checks.on_pending {
            OnPending::Fail => OnOpen::Pend,
            OnPending::Exclude => OnOpen::Exclude,
        },
        sample: usize::try_from(workspace.found.project.checks.sample_rows).unwrap_or(usize::MAX),
        session: &Session::new,
        starrocks,
        streams,
    }
}
