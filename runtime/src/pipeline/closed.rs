//! The rows that a run of a windowed pipeline tells of: those of the buckets that have closed since the run before. In: the source at two states and what
//! the pipeline knew at the first. Out: these rows as sources of the real-time engine; it sees no row of a bucket that is open or was told.
//!
//! What is there when a pipeline begins is one commit. After that the watermark moves at the end of each commit, and a row whose bucket was closed before
//! its own commit is late: it is left out, for ever.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use unisono_compiler::ids::{ColumnId, DatasetId};
use unisono_compiler::resolve::Resolved;

use super::epoch::RowCounts;
use super::sources::LakeSources;
use super::tap::Tap;
use super::windows::Windows;
use crate::engine::incremental::{Each, Fault, Keep, Side, SourceChange, Sources, Value};
use crate::lake::{KeyRange, Keys, Lake, Pin, Scalar, TableName};

/// How far a windowed pipeline has come.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct WindowState {
    /// The source's snapshot with which it began; `None` for the empty table.
    pub start: Option<i64>,
    /// The latest event that it has seen, in microseconds since 1970; `None` before the first.
    pub latest: Option<i64>,
}

/// Where closed rows are read.
pub(super) struct Reading<'a> {
    pub(super) lake: &'a Lake,
    pub(super) resolved: &'a Resolved,
    pub(super) tables: &'a BTreeMap<DatasetId, TableName>,
    pub(super) windows: &'a Windows,
}

/// The rows of the buckets that close.
pub(super) struct ClosedRows<'a> {
    reading: &'a Reading<'a>,
    tap: &'a mut dyn Tap,
    /// What is read, each part with the latest event before it: rows of buckets that this one closed are late, or told already.
    parts: Vec<(Part, Option<i64>)>,
    /// How far the pipeline has come with these commits.
    pub(super) state: WindowState,
    /// What was read, by table.
    pub(super) read: BTreeMap<TableName, RowCounts>,
}

/// A part of the source.
enum Part {
    /// All rows of a state.
    State(Pin),
    /// The rows of a commit.
    Commit(Pin, Pin),
}

impl<'a> ClosedRows<'a> {
    /// The rows of the buckets that `commits` close after a source's state, of which the pipeline knew so much. Where it begins, `known` is `None`: the
    /// state's own rows decide what its latest event is, and the buckets that had closed before are told too.
    pub(super) fn new(
        reading: &'a Reading<'a>,
        tap: &'a mut dyn Tap,
        from: Pin,
        known: Option<WindowState>,
        commits: Vec<(Pin, Pin)>,
    ) -> Result<Self, Fault> {
        let state = known.unwrap_or(WindowState { start: from.snapshot, latest: None });
        let mut rows = ClosedRows { reading, tap, parts: Vec::new(), state, read: BTreeMap::new() };
        let from = Part::State(from);
        if known.is_none() {
            rows.state.latest = rows.latest_of(&from)?;
        }
        rows.parts.push((from, known.and_then(|known| known.latest)));
        for (before, after) in commits {
            let latest = rows.state.latest;
            let part = Part::Commit(before, after);
            let of_commit = rows.latest_of(&part)?;
            rows.parts.push((part, latest));
            rows.state.latest = latest.max(of_commit);
        }
        Ok(rows)
    }

    fn latest_of(&mut self, part: &Part) -> Result<Option<i64>, Fault> {
        let mut latest = None;
        self.part(part, &[], None, &mut |_, time| {
            latest = latest.max(Some(time));
            Ok(())
        })?;
        Ok(latest)
    }

    /// The rows of a part that have a time, with it.
    fn part(
        &mut self,
        part: &Part,
        columns: &[ColumnId],
        within: Option<KeyRange>,
        each: &mut dyn FnMut(Vec<Value>, i64) -> Result<(), Fault>,
    ) -> Result<(), Fault> {
        let Reading { lake, resolved, tables, windows } = self.reading;
        // Each column is read once.
        let asked = columns.len();
        let at = columns.iter().position(|column| *column == windows.column);
        let added = if at.is_none() { Some(windows.column) } else { None };
        let columns: Vec<ColumnId> = columns.iter().copied().chain(added).collect();
        let (before, after) = match part {
            Part::State(pin) => (pin, pin),
            Part::Commit(before, after) => (before, after),
        };
        let pin = |pin: &Pin| BTreeMap::from([(windows.table.clone(), pin.clone())]);
        let (before, after) = (pin(before), pin(after));
        let mut timed = |mut row: Vec<Value>| {
            let time = row.get(at.unwrap_or(asked)).cloned();
            row.truncate(asked);
            match time {
                Some(Value::Timestamp(time)) => each(row, time),
                // A row without a time belongs to no bucket.
                Some(Value::Null) => Ok(()),
                other => Err(Fault::Source(format!("the time of an event is {other:?}"))),
            }
        };
        let mut sources = LakeSources::new(lake, resolved, tables, &before, &after, &mut *self.tap);
        sources.within = within;
        match part {
            Part::State(_) => sources.rows(windows.dataset, &columns, Side::New, None, &mut timed)?,
            Part::Commit(..) => match sources.change(windows.dataset, &columns)? {
                SourceChange::Unchanged => {}
                SourceChange::Rows(rows) => {
                    for (sign, row) in rows {
                        if sign < 0 {
                            return Err(Fault::Source(format!("a row of {} went", windows.table)));
                        }
                        timed(row)?;
                    }
                }
                SourceChange::Unknown => {
                    return Err(Fault::Source(format!(
                        "what a commit of {} added cannot be told",
                        windows.table
                    )));
                }
            },
        }
        for (table, counts) in sources.read {
            self.read.entry(table).or_default().add(counts);
        }
        Ok(())
    }
}

impl Sources for ClosedRows<'_> {
    fn rows(
        &mut self,
        _dataset: DatasetId,
        columns: &[ColumnId],
        _at: Side,
        keep: Option<Keep<'_>>,
        each: Each<'_>,
    ) -> Result<(), Fault> {
        if keep.is_some() {
            // All groups are made from these rows alone, and no other dataset is joined.
            return Err(Fault::Plan("a windowed pipeline reads some groups".to_string()));
        }
        let Some(latest) = self.state.latest else { return Ok(()) };
        let windows = self.reading.windows;
        let parts = std::mem::take(&mut self.parts);
        for (part, known) in &parts {
            // Of a state that was told of, the buckets that it left open and that are closed now.
            let closing = known.map(|known| KeyRange {
                column: windows.time.clone(),
                keys: Keys::Between(
                    Scalar::Micros(windows.first_open(known)),
                    Scalar::Micros(windows.first_open(latest) - 1),
                ),
                null: false,
            });
            self.part(part, columns, closing, &mut |row, time| {
                let closes = windows.closes(time);
                let is_told = known.is_some_and(|known| closes <= known);
                if closes <= latest && !is_told { each(row) } else { Ok(()) }
            })?;
        }
        self.parts = parts;
        Ok(())
    }

    fn change(&mut self, _dataset: DatasetId, _columns: &[ColumnId]) -> Result<SourceChange, Fault> {
        Ok(SourceChange::Unknown)
    }
}
