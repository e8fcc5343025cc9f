//! The check of a windowed pipeline: which buckets are open, and which rows a pipeline leaves out. In: the source's commits since the pipeline began, both
//! answers. Out: verdicts in which open buckets are not compared, and late rows are named where they explain a difference.
//!
//! It reads the commits anew: nothing that the pipeline kept is believed but where it began.

use std::collections::{BTreeMap, BTreeSet};

use arrow::array::{AsArray, BooleanArray, RecordBatch};
use arrow::compute::filter_record_batch;
use arrow::datatypes::{SchemaRef, TimestampMicrosecondType};
use unisono_compiler::model::Source;

use super::batch::{self, Batch, Compiled};
use super::realtime::Realtime;
use super::{Asked, Proof, Untold, engine_failed, judged};
use crate::calendar::MICROS_PER_DAY;
use crate::check::judge::{OnOpen, explain_by_late};
use crate::check::question::Question;
use crate::check::verdict::{Cause, Late, Outcome, Verdict};
use crate::data::sources::table_name;
use crate::engine::pinned::scans;
use crate::lake::{Change, Line, Pin, TableName};
use crate::pipeline::{Prepared, Windows, commits};
use crate::project::OnLate;
use crate::table::Value;

/// What the commits of the source say.
#[derive(Debug)]
pub struct Seen {
    /// The source's snapshot with which the pipeline began.
    pub start: Option<i64>,
    /// The latest event.
    pub latest: Option<i64>,
    /// Rows that came after their bucket was closed.
    pub late: u64,
    /// Rows without a time, which are of no bucket.
    pub timeless: u64,
    /// The starts of the buckets that a Flink may have closed within the commit of some of their rows.
    doubtful: BTreeSet<i64>,
    /// Rows of closed buckets that are neither.
    pub closed: u64,
    /// All rows that are neither.
    kept: batch::Given,
}

/// Reads the commits from the pipeline's beginning to the pin.
pub(super) async fn look(
    asked: &Asked<'_>,
    prepared: &Prepared,
    compiled: &Compiled,
    windows: &Windows,
    state: &BTreeMap<TableName, Pin>,
    start: Option<i64>,
) -> Result<Seen, Untold> {
    let head =
        state.get(&windows.table).ok_or_else(|| engine_failed(format!("{} is not pinned", windows.table)))?;
    let Source::Table(parts) = &prepared.resolved.model.datasets[windows.dataset].source else {
        return Err(engine_failed("the source is no table"));
    };
    let read = scans(&compiled.resolved, &compiled.plan).into_iter().flat_map(|(_, columns)| columns);
    let columns: BTreeSet<String> = read.chain([windows.time.clone()]).collect();
    let columns: Vec<String> = columns.into_iter().collect();
    let first = Pin { line: Line::Main, snapshot: start, schema: head.schema };
    let rows = asked.lake.read(&windows.table, &first, &columns, &[]).await.map_err(engine_failed)?;
    let mut sorter = Sorter::new(windows, prepared.flink.is_some(), rows.schema.clone());
    sorter.add(&rows.collect().await.map_err(engine_failed)?).map_err(engine_failed)?;
    let commits = commits(asked.lake, &windows.table, start, head).await.map_err(engine_failed)?;
    for (before, after) in commits {
        let change = asked.lake.change(&windows.table, &before, &after, &columns).await;
        match change.map_err(engine_failed)? {
            Change::Unchanged => {}
            Change::Rows(changed) => sorter.add(&changed.batches).map_err(engine_failed)?,
            Change::Full { why } => return Err(engine_failed(format!("{}: {why}", windows.table))),
        }
    }
    Ok(sorter.seen(start, table_name(parts)))
}

/// Goes through the rows commit by commit.
struct Sorter<'a> {
    windows: &'a Windows,
    /// Whether the order of the rows within a commit counts.
    by_row: bool,
    schema: SchemaRef,
    latest: Option<i64>,
    is_first: bool,
    late: u64,
    timeless: u64,
    doubtful: BTreeSet<i64>,
    times: Vec<i64>,
    kept: Vec<RecordBatch>,
}

impl<'a> Sorter<'a> {
    fn new(windows: &'a Windows, by_row: bool, schema: SchemaRef) -> Self {
        let (kept, times, doubtful) = (Vec::new(), Vec::new(), BTreeSet::new());
        Sorter {
            windows,
            by_row,
            schema,
            latest: None,
            is_first: true,
            late: 0,
            timeless: 0,
            doubtful,
            times,
            kept,
        }
    }

    /// The rows of a commit, or of the state with which the pipeline began.
    fn add(&mut self, batches: &[RecordBatch]) -> Result<(), String> {
        let known = self.latest;
        let times = batches.iter().map(|batch| self.times(batch)).collect::<Option<Vec<_>>>();
        let times = times.ok_or_else(|| format!("`{}` is no Timestamp", self.windows.time))?;
        let latest = known.max(times.iter().flatten().flatten().copied().max());
        for (batch, times) in batches.iter().zip(times) {
            let mut keep = Vec::with_capacity(times.len());
            for time in times {
                let Some(time) = time else {
                    self.timeless += 1;
                    keep.push(false);
                    continue;
                };
                let closes = self.windows.closes(time);
                let is_late = known.is_some_and(|known| closes <= known);
                if is_late {
                    self.late += 1;
                } else {
                    self.times.push(time);
                    if self.by_row && !self.is_first && latest.is_some_and(|latest| closes <= latest) {
                        self.doubtful.insert(self.windows.start(time));
                    }
                }
                keep.push(!is_late);
            }
            let kept =
                filter_record_batch(batch, &BooleanArray::from(keep)).map_err(|error| error.to_string())?;
            self.kept.push(narrowed(&kept, &self.schema)?);
        }
        self.latest = latest;
        self.is_first = false;
        Ok(())
    }

    fn times(&self, batch: &RecordBatch) -> Option<Vec<Option<i64>>> {
        let times =
            batch.column_by_name(&self.windows.time)?.as_primitive_opt::<TimestampMicrosecondType>()?;
        Some(times.iter().collect())
    }

    fn seen(self, start: Option<i64>, table: Vec<String>) -> Seen {
        let is_closed = |time: &&i64| self.latest.is_some_and(|latest| self.windows.closes(**time) <= latest);
        Seen {
            start,
            latest: self.latest,
            late: self.late,
            timeless: self.timeless,
            closed: self.times.iter().filter(is_closed).count() as u64,
            doubtful: self.doubtful,
            kept: batch::Given { table, schema: self.schema, batches: self.kept },
        }
    }
}

/// The columns of the schema; a change has its sign behind them.
fn narrowed(batch: &RecordBatch, schema: &SchemaRef) -> Result<RecordBatch, String> {
    let columns = schema.fields().iter().map(|field| batch.column_by_name(field.name()).cloned());
    let columns = columns.collect::<Option<Vec<_>>>().ok_or("a commit lacks a column")?;
    RecordBatch::try_new(schema.clone(), columns).map_err(|error| error.to_string())
}

/// The verdicts: open buckets are not compared, and a difference that vanishes without the rows that are left out is theirs.
pub(super) async fn judge(
    asked: &Asked<'_>,
    prepared: &Prepared,
    (question, compiled, windows): (&Question, &Compiled, &Windows),
    (batch, realtime): (&Batch, &Realtime),
    state: &BTreeMap<TableName, Pin>,
    proof: &mut Proof,
) -> Result<Vec<Outcome>, Untold> {
    let start = realtime.start.ok_or((Cause::Behind, "nobody knows where the pipeline began".to_string()))?;
    let seen = &*proof.seen.insert(look(asked, prepared, compiled, windows, state, start.start).await?);
    let time = |key: &[Value]| match key.get(windows.dimension) {
        Some(Value::Timestamp(start)) => Some(*start),
        Some(Value::Date(day)) => Some(i64::from(*day) * MICROS_PER_DAY),
        Some(_) | None => None,
    };
    let is_open = |key: &[Value]| {
        time(key).is_some_and(|start| seen.latest.is_none_or(|latest| windows.closes(start) > latest))
    };
    let judged = |batch: &Batch, on_open, is_open: &dyn Fn(&[Value]) -> bool| {
        // As long as every bucket is open, an empty rollup is right.
        let open = judged::Buckets { is_open, on_open, home_rows: Some(seen.closed) };
        judged::judge(asked, prepared, (question, compiled), (&batch.answer, &realtime.answer), &open)
    };
    let of_all = judged(batch, asked.on_open, &is_open);
    let left_out = seen.late + seen.timeless;
    if left_out == 0 && seen.doubtful.is_empty() {
        return Ok(of_all);
    }
    proof.notes.push(format!(
        "{} rows came late and {} have no time: the pipeline leaves them out",
        seen.late, seen.timeless
    ));
    let without = batch::answer_over(asked, compiled, &seen.kept).await?;
    let of_kept = judged(&without, OnOpen::Exclude, &is_open);
    let late = Late { count: left_out, sums: Vec::new() };
    let told = explain_by_late(of_all, &of_kept, &late, asked.on_late == OnLate::Accept);
    if seen.doubtful.is_empty() {
        return Ok(told);
    }
    // Flink goes by rows, and their order within a commit is its own: the buckets that this may have changed prove nothing.
    let is_unsure =
        |key: &[Value]| is_open(key) || time(key).is_some_and(|start| seen.doubtful.contains(&start));
    let of_settled = judged(&without, OnOpen::Exclude, &is_unsure);
    Ok(told
        .into_iter()
        .map(|outcome| {
            let is_settled = of_settled.iter().any(|other| other.metric == outcome.metric && other.verdict.passes());
            if outcome.verdict != Verdict::Different || outcome.cause == Some(Cause::LateData) || !is_settled {
                return outcome;
            }
            let detail = format!(
                "rows of {} buckets came within one commit after rows that close them: Flink may have left them out",
                seen.doubtful.len()
            );
            Outcome { verdict: Verdict::CannotTell, cause: Some(Cause::UnknownBound), detail: Some(detail), ..outcome }
        })
        .collect())
}
