//! Pipelines proved on one state of a line's tables: both sides answer the same request at the same pins, and every metric gets
//! a verdict. In: the state, the pipelines, the rules. Out: verdicts, assumptions, evidence, and whether a merge may pass.

mod assume;
mod batch;
mod drill;
mod judged;
mod realtime;
mod record;
mod starrocks;
mod windows;

use std::collections::BTreeMap;

use unisono_compiler::diagnostic::{Code, Diagnostic};
use unisono_dialects::{Engine, Target};

use super::assumptions::{Tested, judge_with};
use super::bound::home_rows;
use super::judge::{OnOpen, cannot_tell};
use super::question::{Question, question};
use super::verdict::{Cause, Looser, Outcome, Verdict};
use crate::engine::datafusion::Session;
use crate::lake::{Lake, Line, Pin, TableName};
use crate::pipeline::{Prepared, pins};
use crate::project::OnLate;
use crate::version::merge::Passed;
use crate::version::{Store, TableState};

pub use batch::Batch;
pub use drill::Behind;
pub use realtime::{FLINK, Realtime, Recorded, Stream, Streams};
pub use record::{Texts, evidence, report};
pub use starrocks::StarRocks;
pub use windows::Seen;

/// Why a side has no answer, with the kind of reason.
type Untold = (Cause, String);

/// An engine or the lakehouse gave none.
#[expect(clippy::needless_pass_by_value, reason = "what `map_err` hands on")]
fn engine_failed(why: impl ToString) -> Untold {
    (Cause::EngineFailed, why.to_string())
}

/// What a check is told.
pub struct Asked<'a> {
    /// The lake.
    pub lake: &'a Lake,
    /// Its records.
    pub store: &'a Store,
    /// The line.
    pub line: &'a Line,
    /// The state of every table that counts: the heads, or the candidate of a merge.
    pub tables: &'a BTreeMap<String, TableState>,
    /// Wider bounds that the project sets.
    pub looser: &'a [(String, Looser)],
    /// What late rows of windowed pipelines do.
    pub on_late: OnLate,
    /// What their open buckets do.
    pub on_open: OnOpen,
    /// Groups and rows that are shown of a difference.
    pub sample: usize,
    /// A fresh session of the batch engine.
    pub session: &'a dyn Fn() -> Session,
    /// Those that answer in batch instead.
    pub starrocks: &'a [StarRocks],
    /// Who says what rollups of a Flink reflect.
    pub streams: &'a Streams,
}

/// What came of one pipeline.
#[derive(Debug)]
pub struct Proof {
    /// The pipeline.
    pub pipeline: String,
    /// One a metric.
    pub outcomes: Vec<Outcome>,
    /// The batch side, if it answered.
    pub batch: Option<Batch>,
    /// The real-time side, if it could be read.
    pub realtime: Option<Realtime>,
    /// Home rows of the first groups that differ.
    pub rows: Vec<Behind>,
    /// What the source's commits say of a windowed pipeline.
    pub seen: Option<Seen>,
    /// Remarks: a metric whose batch side is defined by a variant of its own.
    pub notes: Vec<String>,
    /// What planning trusted, tested on the data.
    pub assumed: Vec<Tested>,
    /// Home rows after `where`, if they were counted.
    pub home_rows: Option<u64>,
    /// Findings of the compiler on the way.
    pub diagnostics: Vec<Diagnostic>,
}

/// Proves pipelines on a state.
pub async fn prove(asked: &Asked<'_>, pipelines: &[Prepared]) -> Result<Vec<Proof>, Vec<Diagnostic>> {
    let state = pins(asked.tables, asked.line)?;
    let mut proofs = Vec::new();
    for prepared in pipelines {
        proofs.push(one(asked, prepared, &state).await?);
    }
    Ok(proofs)
}

/// The pass that a merge asks for: every pipeline has verdicts and all let it pass, on exactly this state.
pub fn passed(
    tables: &BTreeMap<String, TableState>,
    proofs: &[Proof],
    evidence: Vec<String>,
) -> Option<Passed> {
    let good = proofs.iter().all(|proof| {
        !proof.outcomes.is_empty() && proof.outcomes.iter().all(|outcome| outcome.verdict.passes())
    });
    // What a Flink keeps moves on by itself: main has it as it was checked.
    let kept = proofs.iter().filter_map(|proof| proof.realtime.as_ref());
    let kept = kept.filter(|realtime| realtime.stream.is_some());
    let kept = kept.map(|realtime| (realtime.rollup.clone(), realtime.state.clone())).collect();
    good.then(|| Passed::new(tables.clone(), kept, evidence))
}

async fn one(
    asked: &Asked<'_>,
    prepared: &Prepared,
    state: &BTreeMap<TableName, Pin>,
) -> Result<Proof, Vec<Diagnostic>> {
    let mut opened = starrocks::open(asked, prepared).await;
    let proof = proved(asked, prepared, state, opened.as_mut().map(Option::as_mut)).await;
    if let Ok(Some(opened)) = opened {
        opened.close().await;
    }
    proof
}

/// The proof, with a StarRocks or the embedded engine as the batch side, or with the reason why there is no batch side.
async fn proved(
    asked: &Asked<'_>,
    prepared: &Prepared,
    state: &BTreeMap<TableName, Pin>,
    opened: Result<Option<&mut starrocks::Opened>, &mut String>,
) -> Result<Proof, Vec<Diagnostic>> {
    let mut proof = Proof {
        pipeline: prepared.name.clone(),
        outcomes: Vec::new(),
        batch: None,
        realtime: None,
        rows: Vec::new(),
        seen: None,
        notes: Vec::new(),
        assumed: Vec::new(),
        home_rows: None,
        diagnostics: Vec::new(),
    };
    // A pipeline asks for metrics; without one, nothing could differ.
    let mut asked_for = question(&prepared.bound).ok_or_else(|| {
        let message = format!("pipeline `{}` asks for no metric", prepared.name);
        vec![Diagnostic::new(Code::Internal, message)]
    })?;
    let starrocks = match opened {
        Ok(opened) => opened,
        Err(why) => {
            proof.outcomes = cannot_tell(&asked_for, Cause::EngineFailed, why);
            return Ok(proof);
        }
    };
    let target = starrocks.as_ref().map_or(Target::latest(Engine::DataFusion), |opened| opened.target);
    let compiled = batch::compile(prepared, target, &mut proof.diagnostics)?;
    weaken(&mut asked_for, question(&compiled.bound).as_ref());
    proof.notes = batch::variants(prepared, &compiled);
    proof.assumed = assume::test(asked, prepared, &compiled, &asked_for, state).await;
    let realtime = match realtime::read(asked, prepared, state).await {
        Ok(realtime) => realtime,
        Err((cause, why)) => {
            proof.outcomes = cannot_tell(&asked_for, cause, &why);
            return Ok(proof);
        }
    };
    let batch = match batch::answer(asked, prepared, &compiled, state, starrocks).await {
        Ok(batch) => batch,
        Err((cause, why)) => {
            proof.outcomes = cannot_tell(&asked_for, cause, &why);
            proof.realtime = Some(realtime);
            return Ok(proof);
        }
    };
    proof.home_rows = home_rows(&compiled.companions, &batch.answer);
    let outcomes = match &prepared.windows {
        None => {
            let answers = (&batch.answer, &realtime.answer);
            judged::judge(
                asked,
                prepared,
                (&asked_for, &compiled),
                answers,
                &judged::Buckets::none(proof.home_rows),
            )
        }
        Some(windows) => {
            let of = (&asked_for, &compiled, windows);
            let judged = windows::judge(asked, prepared, of, (&batch, &realtime), state, &mut proof);
            // Boxed, or every check would be as large.
            match Box::pin(judged).await {
                Ok(outcomes) => outcomes,
                Err((cause, why)) => cannot_tell(&asked_for, cause, &why),
            }
        }
    };
    proof.outcomes = judge_with(outcomes, &proof.assumed);
    if proof.outcomes.iter().any(|outcome| outcome.verdict == Verdict::Different) {
        proof.rows = drill::rows(asked, prepared, &compiled, state, &proof.outcomes).await;
    }
    proof.batch = Some(batch);
    proof.realtime = Some(realtime);
    Ok(proof)
}

/// The weaker class of both definitions counts.
fn weaken(asked: &mut Question, batch: Option<&Question>) {
    let Some(batch) = batch else { return };
    asked.grouping = asked.grouping.and(batch.grouping);
    for metric in &mut asked.metrics {
        if let Some(other) = batch.metrics.iter().find(|other| other.name == metric.name) {
            metric.class = metric.class.and(other.class);
        }
    }
}
