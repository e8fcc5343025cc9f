//! The groups that one run of a pipeline writes. In: the sources' heads, what the rollup reflects so far. Out: rows to write and keys to remove, and what was
//! read to find them: of an updating pipeline all groups that changed, of a windowed one the groups whose buckets have closed.

use std::collections::BTreeMap;

use unisono_compiler::diagnostic::{Code, Diagnostic};

use super::closed::{ClosedRows, Reading, WindowState};
use super::commits::{NoLog, commits};
use super::epoch::{Epoch, RowCounts};
use super::meaning::unpinned;
use super::prepare::Prepared;
use super::run::{How, pins};
use super::sources::{LakeSources, Rollup};
use super::tap::Tap;
use super::windows::Windows;
use crate::engine::incremental::{Fault, Layout, Sources, Update, advance};
use crate::lake::{Lake, Line, Pin, TableName};

/// What a run works on.
pub(super) struct Step<'a> {
    pub(super) lake: &'a Lake,
    pub(super) prepared: &'a Prepared,
    pub(super) layout: &'a Layout,
    /// The rollup's columns after `__key`.
    pub(super) columns: Vec<String>,
    /// The rollup as it stands.
    pub(super) rollup: Option<&'a Pin>,
}

/// What a run writes, what it read, and how far a windowed pipeline has come.
pub(super) type Stepped = (Update, BTreeMap<String, RowCounts>, Option<WindowState>);

impl Step<'_> {
    /// Every group as the sources' heads have it.
    pub(super) fn followed(
        &self,
        new: &BTreeMap<TableName, Pin>,
        old: Option<&Epoch>,
        how: &mut How,
        tap: &mut dyn Tap,
        line: &Line,
    ) -> Result<Stepped, Vec<Diagnostic>> {
        let prepared = self.prepared;
        let old = match old {
            Some(epoch) => pins(&epoch.sources, line)?,
            None => new.clone(),
        };
        let mut sources =
            LakeSources::new(self.lake, &prepared.resolved, &prepared.tables, &old, new, &mut *tap);
        let update = self.advanced(&mut sources, self.rollup, *how != How::Incremental)?;
        if *how == How::Incremental
            && let Some(why) = sources.full.take()
        {
            *how = How::Full(why);
        }
        Ok((update, named(sources.read), None))
    }

    /// The groups of the buckets that have closed since the epoch before; all that are closed where there is none.
    pub(super) async fn closed(
        &self,
        windows: &Windows,
        new: &BTreeMap<TableName, Pin>,
        old: Option<&Epoch>,
        how: &How,
        tap: &mut dyn Tap,
    ) -> Result<Stepped, Vec<Diagnostic>> {
        let Step { lake, prepared, .. } = self;
        let head = new.get(&windows.table).ok_or_else(|| unpinned(&windows.table))?;
        let known = old.filter(|_| *how == How::Incremental);
        let (from, known) = match known.and_then(|epoch| Some((epoch, epoch.window?))) {
            Some((epoch, known)) => (epoch.sources.get(&windows.table.to_string()), Some(known)),
            None => (None, None),
        };
        let from = from.map_or_else(|| head.clone(), |state| state.on(&Line::Main));
        let commits = commits(lake, &windows.table, from.snapshot, head)
            .await
            .map_err(|error| no_log(prepared, &error))?;
        let reading = Reading { lake, resolved: &prepared.resolved, tables: &prepared.tables, windows };
        tokio::task::block_in_place(|| {
            let fault = |fault| failed(prepared, &fault);
            let mut sources = ClosedRows::new(&reading, tap, from, known, commits).map_err(fault)?;
            // A bucket is told once: its groups are new ones.
            let rollup = if known.is_some() { None } else { self.rollup };
            let update = self.advanced(&mut sources, rollup, true)?;
            Ok((update, named(sources.read), Some(sources.state)))
        })
    }

    fn advanced(
        &self,
        sources: &mut dyn Sources,
        rollup: Option<&Pin>,
        first: bool,
    ) -> Result<Update, Vec<Diagnostic>> {
        let Step { lake, prepared, layout, columns, .. } = self;
        let mut state = Rollup::new(lake, &prepared.rollup, rollup, columns.clone(), layout.dimensions.len());
        tokio::task::block_in_place(|| advance(&prepared.plan, layout, sources, &mut state, first))
            .map_err(|fault| failed(prepared, &fault))
    }
}

fn named(read: BTreeMap<TableName, RowCounts>) -> BTreeMap<String, RowCounts> {
    read.into_iter().map(|(table, counts)| (table.to_string(), counts)).collect()
}

fn no_log(prepared: &Prepared, error: &NoLog) -> Vec<Diagnostic> {
    let code = match error {
        NoLog::Lake(error) => return vec![error.diagnostic()],
        NoLog::HasKey(_) | NoLog::Replaced(..) => Code::UnsupportedPipeline,
        NoLog::Gone(..) => Code::SnapshotGone,
    };
    vec![
        Diagnostic::new(code, format!("pipeline `{}`: {error}", prepared.name))
            .help("make it `kind: updating`, or begin anew with another `rollup:`"),
    ]
}

pub(super) fn failed(prepared: &Prepared, fault: &Fault) -> Vec<Diagnostic> {
    let finding = |code| Diagnostic::new(code, format!("pipeline `{}`: {fault}", prepared.name));
    vec![match fault {
        Fault::Overflow(_) => {
            finding(Code::EngineFailed).help("a value leaves the range of its type; nothing was written")
        }
        Fault::Unsupported(_) => finding(Code::UnsupportedPipeline),
        Fault::Source(_) => finding(Code::EngineFailed).help("nothing was written; run it again"),
        Fault::Plan(_) => finding(Code::Internal),
    }]
}
