//! A proof as it is kept and shown. In: proofs with what they were about. Out: evidence documents, the report.

use unisono_compiler::plan::print_plan;

use super::realtime::FLINK;
use super::{Asked, Proof, Realtime};
use crate::calendar::format_timestamp;
use crate::check::digest::answer_digest;
use crate::check::evidence::{Assumed, Epoch, Evidence, Hashes, Side, TablePin};
use crate::check::report::{PipelineReport, Report};
use crate::check::verdict::Late;
use crate::engine::datafusion;
use crate::lake::Line;
use crate::pipeline::{Prepared, moment};
use crate::table::Table;

/// What evidence says beside the proof.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Texts {
    /// Hash of the models' texts.
    pub model: String,
    /// Hash of the project file's text.
    pub project: String,
    /// When the check began and ended, UTC.
    pub times: (String, String),
}

/// The evidence of one pipeline's check.
pub fn evidence(asked: &Asked<'_>, prepared: &Prepared, proof: &Proof, texts: &Texts) -> Evidence {
    let columns: Vec<String> = prepared.columns.iter().map(|column| column.name.clone()).collect();
    let (started, ended) = texts.times.clone();
    let zone = || vec![("time_zone".to_string(), "UTC".to_string())];
    let side = |engine: Told<'_>, answer: Option<&Table>| Side {
        engine: engine.kind.to_string(),
        version: engine.version.to_string(),
        settings: engine.settings,
        text: engine.text,
        started: started.clone(),
        ended: ended.clone(),
        rows: answer.map(|table| table.rows.len() as u64),
        digest: answer.and_then(|table| answer_digest(&columns, table)),
    };
    let mut read: Vec<String> = prepared.sources.iter().map(ToString::to_string).collect();
    read.push(prepared.rollup.to_string());
    let tables = read
        .iter()
        .filter_map(|table| {
            let rollup = *table == prepared.rollup.to_string();
            // A rollup of Flink's is on main, and its head moves on by itself.
            let kept = proof.realtime.as_ref().filter(|found| rollup && found.stream.is_some());
            let state = kept.map(|found| &found.state).or_else(|| asked.tables.get(table))?;
            let line = if kept.is_some() { &Line::Main } else { asked.line };
            Some(TablePin {
                table: table.clone(),
                line: line.name().to_string(),
                rollup,
                snapshot: state.snapshot,
                schema: state.schema,
            })
        })
        .collect();
    Evidence {
        tool: env!("CARGO_PKG_VERSION").to_string(),
        pipeline: prepared.name.clone(),
        request: prepared.words.clone(),
        now: moment().now,
        zone: prepared.bound.zone.clone(),
        hashes: Hashes {
            model: texts.model.clone(),
            project: texts.project.clone(),
            pipeline: prepared.generation.clone(),
        },
        left: side(batch(prepared, proof, zone()), proof.batch.as_ref().map(|batch| &batch.answer)),
        right: side(
            realtime(prepared, proof, zone()),
            proof.realtime.as_ref().map(|realtime| &realtime.answer),
        ),
        tables,
        epoch: proof.realtime.as_ref().map(|realtime| epoch(prepared, proof, realtime)),
        home_rows: proof.home_rows,
        outcomes: proof.outcomes.clone(),
        assumptions: proof
            .assumed
            .iter()
            .map(|tested| Assumed {
                kind: tested.assumption.kind.as_str().to_string(),
                subject: tested.assumption.subject.clone(),
                verdict: tested.verdict,
                count: tested.count,
                columns: tested.columns.clone(),
                rows: tested.rows.clone(),
            })
            .collect(),
    }
}

/// What the real-time side holds, and what a windowed one has left out of it.
fn epoch(prepared: &Prepared, proof: &Proof, realtime: &Realtime) -> Epoch {
    let seen = proof.seen.as_ref();
    let latest = prepared.windows.as_ref().zip(seen.and_then(|seen| seen.latest));
    Epoch {
        number: realtime.epoch,
        watermark: latest.map(|(windows, latest)| format_timestamp(windows.watermark(latest))),
        late: Late { count: seen.map_or(0, |seen| seen.late + seen.timeless), sums: Vec::new() },
        window: realtime.start,
    }
}

/// What one side is and ran.
struct Told<'a> {
    kind: &'a str,
    version: &'a str,
    settings: Vec<(String, String)>,
    text: String,
}

/// The batch side: what answered, or what should have.
fn batch<'a>(prepared: &Prepared, proof: &'a Proof, zone: Vec<(String, String)>) -> Told<'a> {
    match (&proof.batch, &prepared.starrocks) {
        (Some(batch), _) => Told {
            kind: batch.engine,
            version: &batch.version,
            settings: batch.settings.clone(),
            text: batch.sql.clone(),
        },
        (None, Some(_)) => Told { kind: "starrocks", version: "", settings: Vec::new(), text: String::new() },
        (None, None) => {
            Told { kind: "datafusion", version: datafusion::VERSION, settings: zone, text: String::new() }
        }
    }
}

/// The real-time side: the job of a Flink as it was submitted, or the embedded engine and its plan.
fn realtime<'a>(prepared: &Prepared, proof: &'a Proof, zone: Vec<(String, String)>) -> Told<'a> {
    if prepared.flink.is_none() {
        let text = print_plan(&prepared.resolved, &prepared.plan);
        return Told { kind: "incremental", version: env!("CARGO_PKG_VERSION"), settings: zone, text };
    }
    let stream = proof.realtime.as_ref().and_then(|realtime| realtime.stream.as_ref());
    Told {
        kind: FLINK,
        version: stream.map_or("", |stream| &stream.version),
        settings: stream.map(|stream| stream.settings.clone()).unwrap_or_default(),
        text: stream.map(|stream| stream.statement.clone()).unwrap_or_default(),
    }
}

/// The report over proofs; `files` are where their evidence stands.
pub fn report(proofs: &[Proof], files: &[Option<String>]) -> Report {
    let mut assumptions = Vec::new();
    for tested in proofs.iter().flat_map(|proof| &proof.assumed) {
        let known = assumptions.iter().any(|known: &crate::check::assumptions::Tested| {
            known.assumption.kind == tested.assumption.kind
                && known.assumption.subject == tested.assumption.subject
        });
        if !known {
            assumptions.push(tested.clone());
        }
    }
    Report {
        pipelines: proofs
            .iter()
            .enumerate()
            .map(|(at, proof)| PipelineReport {
                name: proof.pipeline.clone(),
                outcomes: proof.outcomes.clone(),
                evidence: files.get(at).cloned().flatten(),
            })
            .collect(),
        assumptions,
    }
}
