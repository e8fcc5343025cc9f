//! One run of a pipeline: its rollup brought to the heads of its sources in one commit. In: the pipeline, a line. Out: what was
//! read and written. Exactly once: the epoch's record is written before the commit that carries its number, and a commit of
//! that number is never made twice.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use arrow::array::{ArrayRef, Int8Array, RecordBatch, StringArray};
use arrow::datatypes::{DataType as ArrowType, Field, Schema};
use unisono_compiler::data_type::DataType;
use unisono_compiler::diagnostic::{Code, Diagnostic};
use unisono_dialects::{ColumnSpec, ROLLUP_KEY, TableSpec, rollup_spec, source_key_options};

use super::cells::batch;
use super::epoch::{Epoch, RowCounts, current};
use super::prepare::Prepared;
use super::step::{Step, failed};
use super::tap::Tap;
use crate::engine::incremental::{Fault, Key, Layout, Maintenance, Update, Value, key_text, layout};
use crate::lake::{Commit, CommitRecord, Handle, Lake, Line, Pin, Place, TableName, VALUE_KIND};
use crate::version::{FORMAT, Store, TableState, hash};

/// What a run did.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Ran {
    /// The pipeline.
    pub pipeline: String,
    /// The epoch that the rollup reflects now.
    pub epoch: i64,
    /// The rollup's snapshot that holds it.
    pub snapshot: Option<i64>,
    /// How it was done.
    pub how: How,
    /// What was read, by table.
    pub read: BTreeMap<String, RowCounts>,
    /// Groups written.
    pub upserts: usize,
    /// Groups removed.
    pub deletes: usize,
}

/// How a run brought the rollup up to date.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum How {
    /// The sources had not moved.
    UpToDate,
    /// From the sources' net change.
    Incremental,
    /// From all rows, and why.
    Full(String),
}

/// Brings a pipeline's rollup to the heads of its sources.
pub async fn run(
    lake: &Lake,
    store: &Store,
    prepared: &Prepared,
    line: &Line,
    tap: &mut dyn Tap,
) -> Result<Ran, Vec<Diagnostic>> {
    if let (Some(_), Line::Branch(branch)) = (&prepared.windows, line) {
        let message = format!(
            "pipeline `{}` is windowed, and `{branch}` has other commits than main: other rows would be late there",
            prepared.name
        );
        let finding = Diagnostic::new(Code::UnsupportedPipeline, message);
        return Err(vec![finding.help("run it on main, or make it `kind: updating`")]);
    }
    // One run at a time: a second one finds the first one's epoch.
    let _running =
        lake.lock_named(&format!("pipeline.{}", prepared.name), &Place::new(&prepared.rollup, line)).await?;
    let layout = layout(&prepared.resolved, &prepared.plan).map_err(|fault| failed(prepared, &fault))?;
    let new = heads(lake, prepared, line).await?;
    let states: BTreeMap<String, TableState> =
        new.iter().map(|(table, pin)| (table.to_string(), pin.into())).collect();
    let user = user(store, prepared, line)?;
    let rollup = rollup(lake, prepared, &layout, line).await?;
    let history = match &rollup {
        Some(_) => history(lake, prepared, line).await?,
        None => Vec::new(),
    };
    let before = newest(store, prepared, &history, &user)?;
    let same = before.as_ref().filter(|(epoch, _)| epoch.generation == prepared.generation);
    // A head that is no epoch's commit was written by another: all groups are compared then.
    let foreign = match (&rollup, &before) {
        (Some(handle), Some((_, snapshot))) => handle.head.snapshot != Some(*snapshot),
        (Some(_) | None, None) | (None, Some(_)) => false,
    };
    if let Some((epoch, snapshot)) = same
        && epoch.sources == states
        && !foreign
    {
        return Ok(Ran {
            pipeline: prepared.name.clone(),
            epoch: epoch.epoch,
            snapshot: Some(*snapshot),
            how: How::UpToDate,
            read: BTreeMap::new(),
            upserts: 0,
            deletes: 0,
        });
    }
    let mut how = match (&same, &layout.maintenance, &before) {
        _ if foreign => How::Full("the rollup was written by another".to_string()),
        // The buckets that were told stay as they are, whatever keeps them.
        (Some(_), _, _) if prepared.windows.is_some() => How::Incremental,
        (Some(_), Maintenance::Incremental, _) => How::Incremental,
        (Some(_), Maintenance::Full { why }, _) => How::Full(why.clone()),
        (None, _, None) => How::Full("first run".to_string()),
        (None, _, Some(_)) => How::Full("the pipeline or its model changed".to_string()),
    };
    let pin = rollup.as_ref().map(|handle| handle.head.clone());
    let columns = columns(&layout);
    let step = Step { lake, prepared, layout: &layout, columns: names(&columns), rollup: pin.as_ref() };
    let old = same.map(|(epoch, _)| epoch);
    let (mut update, read, window) = match &prepared.windows {
        None => step.followed(&new, old, &mut how, tap, line)?,
        Some(windows) => step.closed(windows, &new, old, &how, tap).await?,
    };
    tap.stored(&mut update);
    let number = before.as_ref().map_or(0, |(epoch, _)| epoch.epoch) + 1;
    // A number that a commit of this user has already is taken, even where its record is gone.
    let taken = history.iter().find(|commit| commit.user == user).map_or(0, |commit| commit.identifier);
    let number = number.max(taken + 1);
    let head = pin.as_ref().and_then(|pin| pin.snapshot);
    let nothing = update.upserts.is_empty() && update.deletes.is_empty();
    let epoch = Epoch {
        format: FORMAT,
        epoch: number,
        user: user.clone(),
        generation: prepared.generation.clone(),
        sources: states,
        at: None,
        read: read.clone(),
        window,
    };
    let handle = match rollup {
        Some(handle) => handle,
        None => lake.create(&spec(prepared, &layout)?, line).await?,
    };
    let snapshot = if nothing {
        let head = match head {
            Some(head) => head,
            // A rollup that was never written gets a commit even if it has no row: without one it would have no epoch.
            None => lake.first_snapshot(&prepared.rollup, line).await?,
        };
        store.put_epoch(&prepared.name, &epoch.stem(), &Epoch { at: Some(head), ..epoch })?;
        Some(head)
    } else {
        store.put_epoch(&prepared.name, &epoch.stem(), &epoch)?;
        let batch = rows(&handle, &columns, &update).map_err(|fault| failed(prepared, &fault))?;
        let commit = Commit { user, identifier: number };
        let mut writer = lake.writer(&prepared.rollup, line, commit).await?;
        // The rows are right for the head that was read. A merge may have moved it since; the lock is held from here on.
        if writer.head() != handle.head.snapshot {
            writer.abort().await;
            let message = format!("{} was written while pipeline `{}` ran", prepared.rollup, prepared.name);
            return Err(vec![
                Diagnostic::new(Code::EngineFailed, message).help("nothing was written; run it again"),
            ]);
        }
        if let Err(error) = writer.write(&batch).await {
            writer.abort().await;
            return Err(error.into());
        }
        writer.commit().await?.snapshot
    };
    Ok(Ran {
        pipeline: prepared.name.clone(),
        epoch: number,
        snapshot,
        how,
        read,
        upserts: update.upserts.len(),
        deletes: update.deletes.len(),
    })
}

/// The heads of the tables that a pipeline reads.
pub async fn heads(
    lake: &Lake,
    prepared: &Prepared,
    line: &Line,
) -> Result<BTreeMap<TableName, Pin>, Vec<Diagnostic>> {
    let mut pins = BTreeMap::new();
    for table in &prepared.sources {
        let pin = lake.head(table, line).await?;
        pins.insert(table.clone(), pin);
    }
    Ok(pins)
}

/// The epoch that a rollup holds at one of its snapshots.
pub async fn at_snapshot(
    lake: &Lake,
    store: &Store,
    prepared: &Prepared,
    line: &Line,
    snapshot: Option<i64>,
) -> Result<Option<Epoch>, Vec<Diagnostic>> {
    let Some(snapshot) = snapshot else { return Ok(None) };
    let mut history = history(lake, prepared, line).await?;
    history.retain(|commit| commit.snapshot <= snapshot);
    let user = user(store, prepared, line)?;
    Ok(newest(store, prepared, &history, &user)?.map(|(epoch, _)| epoch))
}

/// A rollup's commits, newest first.
async fn history(
    lake: &Lake,
    prepared: &Prepared,
    line: &Line,
) -> Result<Vec<CommitRecord>, Vec<Diagnostic>> {
    let mut history = lake.history(&prepared.rollup, line).await?;
    history.reverse();
    Ok(history)
}

/// The newest epoch of a pipeline on a line, with the rollup's snapshot that holds it.
pub async fn current_epoch(
    lake: &Lake,
    store: &Store,
    prepared: &Prepared,
    line: &Line,
) -> Result<Option<(Epoch, i64)>, Vec<Diagnostic>> {
    if !lake.exists(&prepared.rollup, line).await? {
        return Ok(None);
    }
    let history = history(lake, prepared, line).await?;
    newest(store, prepared, &history, &user(store, prepared, line)?)
}

fn newest(
    store: &Store,
    prepared: &Prepared,
    history: &[CommitRecord],
    user: &str,
) -> Result<Option<(Epoch, i64)>, Vec<Diagnostic>> {
    Ok(current(history, &store.epochs(&prepared.name)?, user))
}

/// The commit user of a pipeline on a line: a branch that is made again under its name is another one.
pub fn user(store: &Store, prepared: &Prepared, line: &Line) -> Result<String, Vec<Diagnostic>> {
    let fork = match line {
        Line::Main => 0,
        Line::Branch(name) => store.branch(name)?.map_or(0, |record| record.fork),
    };
    Ok(hash(&format!("{} {} {fork} {}", prepared.name, prepared.rollup, line.name()))[..16].to_string())
}

/// The pins that a record names.
pub fn pins(
    states: &BTreeMap<String, TableState>,
    line: &Line,
) -> Result<BTreeMap<TableName, Pin>, Vec<Diagnostic>> {
    states
        .iter()
        .map(|(table, state)| {
            let name = TableName::parse(table)?;
            Ok((name, state.on(line)))
        })
        .collect()
}

/// The rollup, if it exists and has the pipeline's columns. One of other columns is replaced on a branch only.
async fn rollup(
    lake: &Lake,
    prepared: &Prepared,
    layout: &Layout,
    line: &Line,
) -> Result<Option<Handle>, Vec<Diagnostic>> {
    if !lake.exists(&prepared.rollup, line).await? {
        return Ok(None);
    }
    let handle = lake.table(&prepared.rollup, line).await?;
    let wanted: Vec<(String, DataType)> = std::iter::once((ROLLUP_KEY.to_string(), DataType::String))
        .chain(columns(layout).into_iter().map(|column| (column.name, column.data_type)))
        .collect();
    let has: Vec<(String, DataType)> =
        handle.columns.iter().map(|column| (column.name.clone(), column.data_type)).collect();
    if has == wanted {
        return Ok(Some(handle));
    }
    match line {
        Line::Branch(_) if handle.born => {
            lake.drop(&prepared.rollup, line).await?;
            Ok(None)
        }
        // A table of the branch's own, which takes the place of main's at the merge.
        Line::Branch(_) => Ok(None),
        Line::Main => Err(vec![
            Diagnostic::new(
                Code::RollupColumns,
                format!("the rollup {} has other columns than pipeline `{}` now makes", prepared.rollup, prepared.name),
            )
            .help("make it on a branch and merge that: unisono branch create NAME, unisono pipeline run --branch NAME, unisono branch merge NAME"),
        ]),
    }
}

/// The rollup's columns after `__key`.
fn columns(layout: &Layout) -> Vec<ColumnSpec> {
    let all = layout.dimensions.iter().chain(&layout.measures).chain(&layout.hidden);
    all.map(|column| ColumnSpec {
        name: column.name.clone(),
        data_type: column.data_type,
        nullable: true,
        comment: None,
    })
    .collect()
}

fn names(columns: &[ColumnSpec]) -> Vec<String> {
    columns.iter().map(|column| column.name.clone()).collect()
}

fn spec(prepared: &Prepared, layout: &Layout) -> Result<TableSpec, Vec<Diagnostic>> {
    let (dimensions, measures) = prepared.columns.split_at(prepared.dimensions);
    let (spec, findings) = rollup_spec(&prepared.rollup.to_string(), dimensions, measures);
    let mut spec = spec.ok_or(findings)?;
    let visible = spec.columns.len() - 1;
    spec.columns.extend(columns(layout).into_iter().skip(visible));
    // Kept by this program: a Flink reader rebuilds old values itself, and nothing here compacts.
    spec.options = source_key_options();
    Ok(spec)
}

/// The rows of a commit: upserts, then keys that go.
fn rows(handle: &Handle, columns: &[ColumnSpec], update: &Update) -> Result<RecordBatch, Fault> {
    let types: Vec<DataType> = columns.iter().map(|column| column.data_type).collect();
    let fields: Vec<Field> = handle
        .columns
        .iter()
        .skip(1)
        .map(|column| {
            Field::new(
                &column.name,
                crate::lake::arrow_type(column.data_type).unwrap_or(ArrowType::Utf8),
                true,
            )
        })
        .collect();
    let dimensions = |key: &Key| {
        let mut row = key.clone();
        row.resize(types.len(), Value::Null);
        row
    };
    let mut keys = Vec::new();
    let mut values = Vec::new();
    for (key, row) in &update.upserts {
        keys.push(key_text(key));
        values.push(row.clone());
    }
    let deletes: &BTreeSet<Key> = &update.deletes;
    for key in deletes {
        keys.push(key_text(key));
        values.push(dimensions(key));
    }
    let schema = Arc::new(Schema::new(fields.clone()));
    let body = batch(&schema, &types, &values)?;
    let mut all = vec![Arc::new(Field::new(ROLLUP_KEY, ArrowType::Utf8, false))];
    all.extend(fields.into_iter().map(Arc::new));
    all.push(Arc::new(Field::new(VALUE_KIND, ArrowType::Int8, false)));
    let mut arrays: Vec<ArrayRef> = vec![Arc::new(StringArray::from(keys))];
    arrays.extend(body.columns().iter().cloned());
    let kinds = update.upserts.iter().map(|_| 0).chain(deletes.iter().map(|_| 3));
    arrays.push(Arc::new(Int8Array::from_iter_values(kinds)));
    RecordBatch::try_new(Arc::new(Schema::new(all)), arrays).map_err(|error| Fault::Source(error.to_string()))
}
