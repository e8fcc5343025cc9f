//! The lake as the real-time engine reads it: sources at two pins, the rollup at the epoch before. In: pins. Out: rows, net changes,
//! and the count of what was read. The engine is synchronous, so each read runs the lake's own to its end.

use std::collections::{BTreeMap, BTreeSet};
use std::future::Future;

use arrow::array::{AsArray, RecordBatch};
use arrow::datatypes::Int8Type;
use unisono_compiler::ids::{ColumnId, DatasetId};
use unisono_compiler::resolve::Resolved;

use super::cells::cell;
use super::epoch::RowCounts;
use super::tap::{Pass, Tap};
use crate::engine::incremental::{
    Each, Fault, Keep, Key, Side, SourceChange, Sources, State, Value, key_text,
};
use crate::lake::{Change, KeyRange, Keys, Lake, LakeError, Pin, Scalar, TableName};
use unisono_dialects::ROLLUP_KEY as KEY;

/// The sources of a pipeline at two states.
pub struct LakeSources<'a> {
    lake: &'a Lake,
    resolved: &'a Resolved,
    tables: &'a BTreeMap<DatasetId, TableName>,
    old: &'a BTreeMap<TableName, Pin>,
    new: &'a BTreeMap<TableName, Pin>,
    tap: &'a mut dyn Tap,
    /// What is needed of the rows of a state; others may come as well.
    pub(super) within: Option<KeyRange>,
    /// Why a change could not be told, if one could not.
    pub full: Option<String>,
    /// What was read, by table.
    pub read: BTreeMap<TableName, RowCounts>,
}

/// Runs a future of the lake to its end from code that is not asynchronous.
pub(super) fn wait<T>(future: impl Future<Output = T>) -> T {
    tokio::task::block_in_place(|| tokio::runtime::Handle::current().block_on(future))
}

fn fault(error: &LakeError) -> Fault {
    Fault::Source(error.to_string())
}

impl<'a> LakeSources<'a> {
    /// The sources between two states; equal states have no change.
    pub fn new(
        lake: &'a Lake,
        resolved: &'a Resolved,
        tables: &'a BTreeMap<DatasetId, TableName>,
        old: &'a BTreeMap<TableName, Pin>,
        new: &'a BTreeMap<TableName, Pin>,
        tap: &'a mut dyn Tap,
    ) -> Self {
        LakeSources { lake, resolved, tables, old, new, tap, within: None, full: None, read: BTreeMap::new() }
    }

    fn table(&self, dataset: DatasetId) -> Result<&'a TableName, Fault> {
        self.tables.get(&dataset).ok_or_else(|| {
            Fault::Source(format!("`{}` has no table", self.resolved.model.datasets[dataset].name.text))
        })
    }

    fn pin(&self, table: &TableName, at: Side) -> Result<&'a Pin, Fault> {
        let pins = match at {
            Side::Old => self.old,
            Side::New => self.new,
        };
        pins.get(table).ok_or_else(|| Fault::Source(format!("{table} is not pinned")))
    }

    fn names(&self, columns: &[ColumnId]) -> Vec<String> {
        columns.iter().map(|column| self.resolved.columns[*column].name.clone()).collect()
    }
}

impl Sources for LakeSources<'_> {
    fn rows(
        &mut self,
        dataset: DatasetId,
        columns: &[ColumnId],
        at: Side,
        keep: Option<Keep<'_>>,
        each: Each<'_>,
    ) -> Result<(), Fault> {
        let table = self.table(dataset)?;
        let pin = self.pin(table, at)?;
        let names = self.names(columns);
        let key_names = keep.map(|keep| self.names(keep.columns)).unwrap_or_default();
        let mut ranges = keep.map(|keep| ranges(&key_names, keep.keys)).unwrap_or_default();
        ranges.extend(self.within.clone());
        // The key columns are read too, each once.
        let mut wanted = names.clone();
        wanted.extend(key_names.iter().filter(|name| !names.contains(name)).cloned());
        if wanted.is_empty() {
            // Only the number of rows matters, and a batch without columns would not know it.
            let handle = wait(self.lake.table(table, &pin.line)).map_err(|error| fault(&error))?;
            wanted.extend(handle.columns.first().map(|column| column.name.clone()));
        }
        let at_key: Vec<usize> =
            key_names.iter().filter_map(|name| wanted.iter().position(|known| known == name)).collect();
        let mut rows = wait(self.lake.read(table, pin, &wanted, &ranges)).map_err(|error| fault(&error))?;
        let mut counts = RowCounts::default();
        while let Some(batch) = wait(rows.next()).map_err(|error| fault(&error))? {
            for row in 0..batch.num_rows() {
                if let Some(keep) = keep {
                    let key: Vec<Value> = at_key
                        .iter()
                        .map(|column| cell(batch.column(*column), row))
                        .collect::<Result<_, _>>()?;
                    if !keep.keys.contains(&key) {
                        continue;
                    }
                }
                counts.rows += 1;
                let values = (0..names.len()).map(|column| cell(batch.column(column), row));
                let mut values: Vec<Value> = values.collect::<Result<_, _>>()?;
                match self.tap.read(dataset, at, &mut values) {
                    Pass::Never => {}
                    Pass::Once => each(values)?,
                    Pass::Twice => {
                        each(values.clone())?;
                        each(values)?;
                    }
                }
            }
        }
        if keep.is_some() {
            counts.keys = rows.scanned;
        }
        self.count(table, counts);
        Ok(())
    }

    fn change(&mut self, dataset: DatasetId, columns: &[ColumnId]) -> Result<SourceChange, Fault> {
        let table = self.table(dataset)?;
        let (from, to) = (self.pin(table, Side::Old)?, self.pin(table, Side::New)?);
        if from == to {
            return Ok(SourceChange::Unchanged);
        }
        let names = self.names(columns);
        let changed = match wait(self.lake.change(table, from, to, &names)) {
            Ok(Change::Unchanged) => return Ok(SourceChange::Unchanged),
            Ok(Change::Full { why }) => return Ok(self.unknown(format!("{table}: {why}"))),
            Ok(Change::Rows(changed)) => changed,
            // What the rollup reflects can no longer be read, so what changed since cannot be told.
            Err(LakeError::SnapshotGone { .. }) => {
                let why = format!("the state of {table} that it reflects cannot be read here any more");
                return Ok(self.unknown(why));
            }
            Err(error) => return Err(fault(&error)),
        };
        self.count(table, RowCounts { rows: changed.given, keys: changed.scanned });
        let mut rows = Vec::new();
        for batch in &changed.batches {
            let sign = batch.column(batch.num_columns() - 1);
            let Some(sign) = sign.as_primitive_opt::<Int8Type>() else {
                return Err(Fault::Source("a change without signs".to_string()));
            };
            for row in 0..batch.num_rows() {
                let values = (0..names.len()).map(|column| cell(batch.column(column), row));
                let mut values: Vec<Value> = values.collect::<Result<_, _>>()?;
                let sign = sign.value(row);
                match self.tap.changed(dataset, sign, &mut values) {
                    Pass::Never => {}
                    Pass::Once => rows.push((sign, values)),
                    Pass::Twice => {
                        rows.push((sign, values.clone()));
                        rows.push((sign, values));
                    }
                }
            }
        }
        Ok(if rows.is_empty() { SourceChange::Unchanged } else { SourceChange::Rows(rows) })
    }

    fn moved(&mut self, dataset: DatasetId) -> Result<bool, Fault> {
        let table = self.table(dataset)?;
        Ok(self.pin(table, Side::Old)? != self.pin(table, Side::New)?)
    }
}

impl LakeSources<'_> {
    fn unknown(&mut self, why: String) -> SourceChange {
        self.full.get_or_insert(why);
        SourceChange::Unknown
    }

    fn count(&mut self, table: &TableName, counts: RowCounts) {
        self.read.entry(table.clone()).or_default().add(counts);
    }
}

/// Keys of several columns as one range a column.
fn ranges(names: &[String], keys: &BTreeSet<Vec<Value>>) -> Vec<KeyRange> {
    let mut ranges = Vec::new();
    for (at, name) in names.iter().enumerate() {
        let (mut wanted, mut null, mut whole) = (BTreeSet::new(), false, true);
        for key in keys {
            match key.get(at).map_or(Sought::No, scalar) {
                Sought::Value(value) => {
                    wanted.insert(value);
                }
                Sought::Null => null = true,
                Sought::No => whole = false,
            }
        }
        if whole {
            ranges.push(KeyRange { column: name.clone(), keys: Keys::of(wanted), null });
        }
    }
    ranges
}

/// What can be looked for in files.
enum Sought {
    /// NULL.
    Null,
    /// A value.
    Value(Scalar),
    /// Values of this type are not looked for.
    No,
}

fn scalar(value: &Value) -> Sought {
    match value {
        Value::Null => Sought::Null,
        Value::Boolean(value) => Sought::Value(Scalar::Boolean(*value)),
        Value::Integer(value) => Sought::Value(Scalar::Integer(*value)),
        Value::Text(value) => Sought::Value(Scalar::Text(value.to_string())),
        Value::Date(value) => Sought::Value(Scalar::Date(*value)),
        Value::Timestamp(value) | Value::Instant(value) => Sought::Value(Scalar::Micros(*value)),
        // The key's scale may not be the column's.
        Value::Decimal { .. } | Value::Float(_) | Value::Time(_) => Sought::No,
    }
}

/// The rollup as it stands.
pub struct Rollup<'a> {
    lake: &'a Lake,
    table: &'a TableName,
    pin: Option<&'a Pin>,
    /// All columns but `__key`, in the order of the layout.
    columns: Vec<String>,
    dimensions: usize,
}

impl<'a> Rollup<'a> {
    /// A rollup at a pin; `None` for one that does not exist yet.
    pub fn new(
        lake: &'a Lake,
        table: &'a TableName,
        pin: Option<&'a Pin>,
        columns: Vec<String>,
        dimensions: usize,
    ) -> Self {
        Rollup { lake, table, pin, columns, dimensions }
    }
}

impl State for Rollup<'_> {
    fn groups(&mut self, keys: Option<&BTreeSet<Key>>) -> Result<BTreeMap<Key, Vec<Value>>, Fault> {
        let Some(pin) = self.pin else { return Ok(BTreeMap::new()) };
        // The rollup is sorted by `__key`: few groups are few pages.
        let ranges: Vec<KeyRange> = keys
            .map(|keys| KeyRange {
                column: KEY.to_string(),
                keys: Keys::of(keys.iter().map(|key| Scalar::Text(key_text(key))).collect()),
                null: false,
            })
            .into_iter()
            .collect();
        let mut rows =
            wait(self.lake.read(self.table, pin, &self.columns, &ranges)).map_err(|error| fault(&error))?;
        let mut groups = BTreeMap::new();
        while let Some(batch) = wait(rows.next()).map_err(|error| fault(&error))? {
            for values in self::rows(&batch)? {
                let key: Key = values.iter().take(self.dimensions).cloned().collect();
                if keys.is_none_or(|keys| keys.contains(&key)) {
                    groups.insert(key, values);
                }
            }
        }
        Ok(groups)
    }
}

/// Rows as people see them.
pub fn table_rows(batches: &[RecordBatch]) -> Result<Vec<Vec<crate::table::Value>>, Fault> {
    let mut all = Vec::new();
    for batch in batches {
        all.extend(rows(batch)?.into_iter().map(|row| row.into_iter().map(shown).collect()));
    }
    Ok(all)
}

fn shown(value: Value) -> crate::table::Value {
    use crate::table::Value as Shown;
    match value {
        Value::Null => Shown::Null,
        Value::Boolean(value) => Shown::Boolean(value),
        Value::Integer(value) => Shown::Integer(value),
        Value::Decimal { unscaled, scale } => Shown::Decimal { unscaled, scale },
        Value::Float(value) => Shown::Float(value),
        Value::Text(value) => Shown::Text(value.to_string()),
        Value::Date(value) => Shown::Date(value),
        Value::Time(value) => Shown::Time(value),
        Value::Timestamp(value) => Shown::Timestamp(value),
        Value::Instant(value) => Shown::Instant(value),
    }
}

/// Rows of a batch as the engine's values.
fn rows(batch: &RecordBatch) -> Result<Vec<Vec<Value>>, Fault> {
    (0..batch.num_rows()).map(|row| batch.columns().iter().map(|array| cell(array, row)).collect()).collect()
}
