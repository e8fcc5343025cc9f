//! The net change of a table between two pins. In: the pins, the columns. Out: the rows that differ, before images with
//! sign -1 and after images with +1; or that only a full read can tell. Which way is exact depends on the table's kind and
//! on what each commit in between did, so those are looked at each time.

use std::collections::{BTreeSet, HashMap, HashSet};
use std::sync::Arc;

use arrow::array::{Array, ArrayRef, BooleanArray, Int8Array, RecordBatch};
use arrow::compute::{concat_batches, filter_record_batch};
use arrow::datatypes::{DataType as ArrowType, Field, Schema, SchemaRef};
use arrow::error::ArrowError;
use arrow::row::{RowConverter, Rows as EncodedRows, SortField};
use paimon::Table;
use paimon::table::IncrementalScanMode;

use super::error::LakeError;
use super::handle::{Handle, failed, snapshot_or_tag};
use super::history::{CommitKind, between};
use super::names::TableName;
use super::read::{KeyRange, Keys, Pin, Rows, physical_columns, read_table, schema_of};
use super::warehouse::Lake;

/// The last column of a change: -1 for a row as it was, +1 for a row as it is.
pub const SIGN: &str = "__sign";

/// What changed.
#[derive(Clone, Debug)]
pub enum Change {
    /// No row; nothing was read.
    Unchanged,
    /// Exactly these rows.
    Rows(Changed),
    /// Nobody can tell from the commits: read both states, or compute in full.
    Full {
        /// Why, for people.
        why: String,
    },
}

/// The rows of a change. Rows that are equal in all columns asked for, before and after, are left out.
#[derive(Clone, Debug)]
pub struct Changed {
    /// The columns asked for, then `__sign`.
    pub schema: SchemaRef,
    /// The rows, before images first.
    pub batches: Vec<RecordBatch>,
    /// How many rows that is.
    pub given: u64,
    /// Rows that had to be read to find them.
    pub scanned: u64,
}

impl Lake {
    /// The net change from one pin to another, normally of one line.
    pub async fn change(
        &self,
        name: &TableName,
        from: &Pin,
        to: &Pin,
        columns: &[String],
    ) -> Result<Change, LakeError> {
        if from.snapshot == to.snapshot && from.line == to.line {
            return Ok(Change::Unchanged);
        }
        let (handle, table) = self.pinned(name, to).await?;
        let Some(table) = table else {
            return Ok(full("nothing was ever written at the later pin, so the table was made again"));
        };
        let mut work = Work::new(&handle, &table, columns)?;
        let Some(from_id) = from.snapshot else {
            let after = work.state(&table, None).await?;
            let all = BooleanArray::from(vec![true; after.num_rows()]);
            return work.finish(None, Some((after, all)));
        };
        let engine = handle.options.get("merge-engine").map_or("deduplicate", String::as_str);
        if !handle.primary_key.is_empty() && engine != "deduplicate" {
            return Ok(full(&format!("rows of a table with `merge-engine` {engine} have no exact change")));
        }
        let same_line = from.line == to.line || self.same_snapshot(name, from, &handle).await?;
        let commits = match to.snapshot {
            Some(to_id) if same_line && from_id <= to_id => between(&handle, from_id, to_id).await?,
            Some(_) | None => None,
        };
        if let Some(commits) = &commits
            && commits.iter().all(|commit| matches!(commit.kind, CommitKind::Compact | CommitKind::Analyze))
        {
            return Ok(Change::Unchanged);
        }
        let appended = commits
            .as_ref()
            .is_some_and(|commits| commits.iter().all(|commit| commit.kind != CommitKind::Overwrite))
            && !rewrites_rows(&handle);
        let range = (from_id, to.snapshot.unwrap_or(from_id));
        if appended && handle.primary_key.is_empty() {
            let after = work.delta(range, &columns_or_one(&handle, columns)).await?;
            let all = BooleanArray::from(vec![true; after.num_rows()]);
            return work.finish(None, Some((after, all)));
        }
        let keep = if appended {
            let keys = work.touched(range).await?;
            if keys.found.is_empty() {
                return Ok(Change::Unchanged);
            }
            Some(keys)
        } else {
            None
        };
        let before_table = if same_line {
            table.copy_with_pinned_snapshot(&snapshot_or_tag(&handle, from_id).await?)
        } else {
            let (other, pinned) = self.pinned(name, from).await?;
            let same_columns = schema_of(&other, &work.all).is_ok_and(|schema| schema == work.schema);
            match pinned {
                Some(pinned) if same_columns => pinned,
                Some(_) | None => return Ok(full("the table's columns differ between the two lines")),
            }
        };
        let before = work.state(&before_table, keep.as_ref()).await?;
        let after = work.state(&table, keep.as_ref()).await?;
        let (gone, come) = if handle.primary_key.is_empty() {
            work.multisets(&before, &after)?
        } else {
            work.by_key(&before, &after)?
        };
        work.finish(Some((before, gone)), Some((after, come)))
    }

    /// Whether a pin of another line names a snapshot that this line has too: one before the fork, or after a merge.
    async fn same_snapshot(&self, name: &TableName, pin: &Pin, handle: &Handle) -> Result<bool, LakeError> {
        let Some(id) = pin.snapshot else { return Ok(false) };
        let other = self.table(name, &pin.line).await?;
        let theirs = other.snapshots().get_snapshot(id).await;
        let ours = handle.snapshots().get_snapshot(id).await;
        Ok(matches!((theirs, ours), (Ok(theirs), Ok(ours)) if theirs == ours))
    }
}

fn full(why: &str) -> Change {
    Change::Full { why: why.to_string() }
}

/// Kinds of append tables whose commits of kind append may still delete or change rows.
fn rewrites_rows(handle: &Handle) -> bool {
    handle.primary_key.is_empty()
        && ["row-tracking.enabled", "data-evolution.enabled", "deletion-vectors.enabled"]
            .iter()
            .any(|key| handle.options.get(*key).is_some_and(|value| value.eq_ignore_ascii_case("true")))
}

fn columns_or_one(handle: &Handle, columns: &[String]) -> Vec<String> {
    physical_columns(handle, columns).into_iter().map(ToString::to_string).collect()
}

/// The keys that the commits of a range wrote.
struct Touched {
    found: HashSet<Box<[u8]>>,
    ranges: Vec<KeyRange>,
}

/// One comparison under way.
struct Work<'a> {
    handle: &'a Handle,
    table: &'a Table,
    asked: Vec<String>,
    /// The columns asked for, and those of the key.
    all: Vec<String>,
    schema: SchemaRef,
    scanned: u64,
}

impl<'a> Work<'a> {
    fn new(handle: &'a Handle, table: &'a Table, columns: &[String]) -> Result<Work<'a>, LakeError> {
        let mut asked: Vec<String> = Vec::new();
        for column in columns {
            if !asked.contains(column) {
                asked.push(column.clone());
            }
        }
        let mut all = asked.clone();
        all.extend(handle.primary_key.iter().filter(|key| !columns.contains(*key)).cloned());
        let schema = schema_of(handle, &all)?;
        Ok(Work { handle, table, asked, all, schema, scanned: 0 })
    }

    fn broken(&self) -> impl Fn(ArrowError) -> LakeError + use<> {
        let place = self.handle.place.clone();
        move |source| LakeError::Arrow { place: place.clone(), source }
    }

    /// All rows, or those whose key was touched: the others are let go batch by batch.
    async fn gather(&mut self, mut rows: Rows, keys: Option<&Touched>) -> Result<RecordBatch, LakeError> {
        let schema = Arc::clone(&rows.schema);
        let mut batches = Vec::new();
        while let Some(batch) = rows.next().await? {
            batches.push(match keys {
                Some(keys) => self.only(&batch, keys)?,
                None => batch,
            });
        }
        self.scanned += rows.scanned;
        concat_batches(&schema, &batches).map_err(self.broken())
    }

    /// The rows of a state, or those of the touched keys, which Paimon narrows where it can.
    async fn state(&mut self, table: &Table, keys: Option<&Touched>) -> Result<RecordBatch, LakeError> {
        let ranges = keys.map(|keys| keys.ranges.as_slice()).unwrap_or_default();
        let rows = read_table(self.handle, Some(table), &self.all, ranges).await?;
        self.gather(rows, keys).await
    }

    /// The physical rows that the appends of a range wrote.
    async fn delta(&mut self, range: (i64, i64), columns: &[String]) -> Result<RecordBatch, LakeError> {
        let schema = schema_of(self.handle, columns)?;
        let place = self.handle.place.clone();
        let failed = |source| failed(place.clone(), "read", source);
        // The pinned table would carry its pin into a scan that has a range of its own.
        let current = &self.handle.table;
        let table = current
            .copy_with_resolved_schema(
                self.table.schema().copy_with_replaced_options(current.schema().options().clone()),
                current.branch(),
            )
            .map_err(failed)?;
        let mut builder = table.new_read_builder();
        let names: Vec<&str> = columns.iter().map(String::as_str).collect();
        builder.with_projection(&names).map_err(failed)?;
        let plan = builder
            .new_incremental_scan(IncrementalScanMode::Delta, range.0, range.1)
            .plan()
            .await
            .map_err(failed)?;
        let stream = builder.new_read().and_then(|read| read.to_audit_log_arrow(&plan)).map_err(failed)?;
        let rows = Rows { schema, scanned: 0, place: place.clone(), stream: Some(stream) };
        self.gather(rows, None).await
    }

    /// The keys that a range touched, whatever became of them.
    async fn touched(&mut self, range: (i64, i64)) -> Result<Touched, LakeError> {
        let key = self.handle.primary_key.clone();
        let events = self.delta(range, &key).await?;
        let encoded = self.encode(&events, &key)?;
        let found = (0..events.num_rows()).map(|row| encoded.row(row).into()).collect();
        let mut ranges = Vec::new();
        for (name, array) in key.iter().zip(events.columns()) {
            if let Some(keys) = Keys::OneOf(BTreeSet::new()).with_all(array) {
                ranges.push(KeyRange { column: name.clone(), keys, null: array.null_count() > 0 });
            }
        }
        Ok(Touched { found, ranges })
    }

    /// The rows whose key was touched.
    fn only(&self, rows: &RecordBatch, keys: &Touched) -> Result<RecordBatch, LakeError> {
        let encoded = self.encode(rows, &self.handle.primary_key)?;
        let mask: BooleanArray =
            (0..rows.num_rows()).map(|row| Some(keys.found.contains(encoded.row(row)))).collect();
        filter_record_batch(rows, &mask).map_err(self.broken())
    }

    /// Which rows remain when pairs of one key that are equal in the columns asked for are taken out.
    fn by_key(
        &self,
        before: &RecordBatch,
        after: &RecordBatch,
    ) -> Result<(BooleanArray, BooleanArray), LakeError> {
        let key = &self.handle.primary_key;
        let (before_keys, after_keys) = (self.encode(before, key)?, self.encode(after, key)?);
        let (before_rows, after_rows) = (self.encode(before, &self.asked)?, self.encode(after, &self.asked)?);
        let at: HashMap<&[u8], usize> =
            (0..before.num_rows()).map(|row| (before_keys.row(row), row)).collect();
        let mut gone = vec![true; before.num_rows()];
        let mut come = vec![true; after.num_rows()];
        for (row, stays) in come.iter_mut().enumerate() {
            if let Some(old) = at.get(after_keys.row(row))
                && before_rows.row(*old) == after_rows.row(row)
            {
                gone[*old] = false;
                *stays = false;
            }
        }
        Ok((gone.into(), come.into()))
    }

    /// Which rows remain when equal rows are taken out one against one.
    fn multisets(
        &self,
        before: &RecordBatch,
        after: &RecordBatch,
    ) -> Result<(BooleanArray, BooleanArray), LakeError> {
        let (before_rows, after_rows) = (self.encode(before, &self.asked)?, self.encode(after, &self.asked)?);
        let mut surplus: HashMap<&[u8], i64> = HashMap::new();
        for row in 0..after.num_rows() {
            *surplus.entry(after_rows.row(row)).or_default() += 1;
        }
        for row in 0..before.num_rows() {
            *surplus.entry(before_rows.row(row)).or_default() -= 1;
        }
        let mut remains = |rows: &Encoded, row: usize, sign: i64| match surplus.get_mut(rows.row(row)) {
            Some(count) if *count * sign > 0 => {
                *count -= sign;
                Some(true)
            }
            Some(_) | None => Some(false),
        };
        let gone = (0..before.num_rows()).map(|row| remains(&before_rows, row, -1)).collect();
        let come = (0..after.num_rows()).map(|row| remains(&after_rows, row, 1)).collect();
        Ok((gone, come))
    }

    fn encode(&self, rows: &RecordBatch, columns: &[String]) -> Result<Encoded, LakeError> {
        let arrays: Vec<ArrayRef> =
            columns.iter().filter_map(|column| rows.column_by_name(column)).map(Arc::clone).collect();
        if arrays.is_empty() {
            return Ok(Encoded(None));
        }
        let fields = arrays.iter().map(|array| SortField::new(array.data_type().clone())).collect();
        let encoded = RowConverter::new(fields).and_then(|converter| converter.convert_columns(&arrays));
        encoded.map(|rows| Encoded(Some(rows))).map_err(self.broken())
    }

    /// The rows that remain, with their signs.
    fn finish(
        self,
        before: Option<(RecordBatch, BooleanArray)>,
        after: Option<(RecordBatch, BooleanArray)>,
    ) -> Result<Change, LakeError> {
        let mut fields: Vec<Arc<Field>> = Vec::new();
        for name in &self.asked {
            let index = self.schema.index_of(name).map_err(self.broken())?;
            fields.push(Arc::clone(&self.schema.fields()[index]));
        }
        fields.push(Arc::new(Field::new(SIGN, ArrowType::Int8, false)));
        let schema = Arc::new(Schema::new(fields));
        let mut batches = Vec::new();
        for (side, sign) in [(before, -1_i8), (after, 1_i8)] {
            let Some((rows, mask)) = side else { continue };
            let rows = filter_record_batch(&rows, &mask).map_err(self.broken())?;
            if rows.num_rows() == 0 {
                continue;
            }
            let mut arrays: Vec<ArrayRef> = Vec::new();
            for name in &self.asked {
                let index = rows.schema().index_of(name).map_err(self.broken())?;
                arrays.push(Arc::clone(rows.column(index)));
            }
            arrays.push(Arc::new(Int8Array::from(vec![sign; rows.num_rows()])));
            batches.push(RecordBatch::try_new(Arc::clone(&schema), arrays).map_err(self.broken())?);
        }
        let given = batches.iter().map(|batch| batch.num_rows() as u64).sum();
        Ok(Change::Rows(Changed { schema, batches, given, scanned: self.scanned }))
    }
}

/// Rows as bytes that are equal where the rows are; without columns all rows are equal.
struct Encoded(Option<EncodedRows>);

impl Encoded {
    fn row(&self, row: usize) -> &[u8] {
        match &self.0 {
            Some(rows) => rows.row(row).data(),
            None => &[],
        }
    }
}
