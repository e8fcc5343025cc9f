//! Writing a table: appends, and upserts or deletes by key. In: batches and a commit's user and number. Out: a snapshot,
//! or nothing at all. Every commit holds the table's lock: an append table's around the commit, a table's with a key from
//! the opening of the writer on, since a writer numbers its rows from the highest number that it finds there.

use std::collections::HashMap;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{SystemTime, UNIX_EPOCH};

use arrow::array::{Array, ArrayRef, AsArray, RecordBatch};
use arrow::compute::cast;
use arrow::datatypes::{DataType as ArrowType, Field, Int8Type, Schema, SchemaRef};
use paimon::table::{TableCommit, TableWrite};

use super::error::LakeError;
use super::files;
use super::gate;
use super::handle::Handle;
use super::history::newest;
use super::lock::TableLock;
use super::names::{Line, TableName};
use super::read::schema_of;
use super::warehouse::Lake;

/// The last column of a batch for a table with a key: 0 insert, 1 before an update, 2 after it, 3 delete.
pub const VALUE_KIND: &str = "_VALUE_KIND";

/// Who commits, and the number of this commit of theirs. Numbers of one user grow; the same or a lower one again is a
/// replay and writes nothing.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Commit {
    /// The commit's user.
    pub user: String,
    /// Its number.
    pub identifier: i64,
}

impl Commit {
    /// A commit that nobody repeats: its user is this process at this moment.
    pub fn once(what: &str) -> Commit {
        static COUNT: AtomicU64 = AtomicU64::new(0);
        let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
        let count = COUNT.fetch_add(1, Ordering::Relaxed);
        Commit { user: format!("{what}-{}-{}-{count}", std::process::id(), now.as_nanos()), identifier: 1 }
    }
}

/// What became of a commit.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Committed {
    /// The snapshot that holds the rows; `None` if there were none.
    pub snapshot: Option<i64>,
    /// Whether an earlier run had committed it.
    pub replayed: bool,
}

/// An open write. Nothing is visible before `commit`; dropped without `abort`, it leaves files that no reader looks at.
pub struct Writer {
    lake: Lake,
    handle: Box<Handle>,
    commit: Commit,
    write: Box<TableWrite>,
    committer: Box<TableCommit>,
    target: SchemaRef,
    lock: Option<TableLock>,
    rows: u64,
    /// How the names of this write's files begin.
    prefixes: Vec<String>,
}

impl Lake {
    /// Opens a write, if the table's options allow it and it is ours to write.
    pub async fn writer(&self, name: &TableName, line: &Line, commit: Commit) -> Result<Writer, LakeError> {
        let mut handle = self.table(name, line).await?;
        let has_key = !handle.primary_key.is_empty();
        gate::allow_write(&handle.place, &handle.options, has_key)?;
        let lock = if has_key { Some(self.lock(&handle).await?) } else { None };
        if has_key {
            // What was found before the lock was held may be old by now.
            handle = self.table(name, line).await?;
            gate::allow_write(&handle.place, &handle.options, has_key)?;
        }
        let columns: Vec<String> = handle.columns.iter().map(|column| column.name.clone()).collect();
        let target = schema_of(&handle, &columns)?;
        // Paimon forgets the file that it was writing when a write fails: by its name it is found again.
        let own = own_prefixes(&handle);
        let prefixes = own.values().cloned().collect();
        let table = handle.table.copy_with_options(own);
        let builder = table
            .new_write_builder()
            .with_commit_user(commit.user.as_str())
            .map_err(handle.failed("write"))?;
        let write = builder.new_write().map_err(handle.failed("write"))?;
        let committer = builder.try_new_commit().map_err(handle.failed("write"))?;
        Ok(Writer {
            lake: self.clone(),
            handle: Box::new(handle),
            commit,
            write: Box::new(write),
            committer: Box::new(committer),
            target,
            lock,
            rows: 0,
            prefixes,
        })
    }

    /// Writes batches in one commit. A table with a key takes them as upserts.
    pub async fn append(
        &self,
        name: &TableName,
        line: &Line,
        batches: &[RecordBatch],
        commit: Commit,
    ) -> Result<Committed, LakeError> {
        let mut writer = self.writer(name, line, commit).await?;
        for batch in batches {
            if let Err(error) = writer.write(batch).await {
                writer.abort().await;
                return Err(error);
            }
        }
        writer.commit().await
    }

    /// Writes batches that end in the column `_VALUE_KIND` in one commit.
    pub async fn upsert(
        &self,
        name: &TableName,
        line: &Line,
        batches: &[RecordBatch],
        commit: Commit,
    ) -> Result<Committed, LakeError> {
        self.append(name, line, batches, commit).await
    }

    /// Gives a table without a snapshot an empty one, so that it can be tagged; a table that has one is left alone.
    pub async fn first_snapshot(&self, name: &TableName, line: &Line) -> Result<i64, LakeError> {
        let handle = self.table(name, line).await?;
        if let Some(id) = handle.head.snapshot {
            return Ok(id);
        }
        gate::allow_write(&handle.place, &handle.options, !handle.primary_key.is_empty())?;
        let _lock = self.lock(&handle).await?;
        let handle = self.table(name, line).await?;
        first_snapshot(&handle).await
    }
}

/// The same under a lock that is held already.
pub(super) async fn first_snapshot(handle: &Handle) -> Result<i64, LakeError> {
    if let Some(id) = handle.head.snapshot {
        return Ok(id);
    }
    let builder = handle.table.new_write_builder();
    // An empty append, not a truncation: an OVERWRITE would make every later change a comparison of whole states.
    let committer = builder.try_new_commit().map_err(handle.failed("write"))?.with_ignore_empty_commit(false);
    Box::pin(committer.commit_with_identifier(Vec::new(), 0)).await.map_err(handle.failed("write"))?;
    let head = handle.snapshots().get_latest_snapshot_id().await.map_err(handle.failed("read"))?;
    head.ok_or_else(|| LakeError::CommitLost {
        place: handle.place.clone(),
        user: builder.commit_user().to_string(),
        identifier: 0,
    })
}

impl Writer {
    /// The columns that batches must have, by name and in any order.
    pub fn schema(&self) -> &SchemaRef {
        &self.target
    }

    /// The table's head when the write was opened; of a table with a key, whose lock is held since, its head still.
    pub fn head(&self) -> Option<i64> {
        self.handle.head.snapshot
    }

    /// Rows written so far.
    pub fn rows(&self) -> u64 {
        self.rows
    }

    /// Writes a batch. After an error the writer is only good for `abort`.
    pub async fn write(&mut self, batch: &RecordBatch) -> Result<(), LakeError> {
        let batch = self.fit(batch)?;
        Box::pin(self.write.write_arrow_batch(&batch)).await.map_err(self.handle.failed("write"))?;
        self.rows += batch.num_rows() as u64;
        Ok(())
    }

    /// Makes the rows visible, all at once.
    pub async fn commit(mut self) -> Result<Committed, LakeError> {
        let messages = match Box::pin(self.write.prepare_commit()).await {
            Ok(messages) => messages,
            Err(source) => {
                self.write.close().await;
                files::remove_of(self.handle.folder(), &self.prefixes);
                return Err(self.handle.failed("write")(source));
            }
        };
        self.write.close().await;
        if messages.is_empty() {
            return Ok(Committed { snapshot: None, replayed: false });
        }
        let ready = self.ready().await;
        let held = match ready {
            Ok((held, None)) => held,
            Ok((_, Some(earlier))) => {
                discard(&self.committer, &messages).await;
                return Ok(Committed { snapshot: Some(earlier), replayed: true });
            }
            Err(error) => {
                discard(&self.committer, &messages).await;
                return Err(error);
            }
        };
        let committing =
            self.committer.filter_and_commit_with_identifier(messages.clone(), self.commit.identifier);
        let done = Box::pin(committing).await;
        let (user, identifier) = (&self.commit.user, self.commit.identifier);
        let base = self.handle.head.snapshot;
        let found =
            newest(&self.handle, base, |seen| seen.user == *user && seen.identifier == identifier).await;
        drop(held);
        match (done, found) {
            // Reported as failed but there: the rows are visible, which is what was asked.
            (_, Ok(Some(seen))) => {
                self.sync()?;
                Ok(Committed { snapshot: Some(seen.snapshot), replayed: false })
            }
            (Ok(()), Ok(None)) => Err(LakeError::CommitLost {
                place: self.handle.place.clone(),
                user: user.clone(),
                identifier,
            }),
            (Ok(()), Err(error)) => Err(error),
            (Err(source), Ok(None)) => {
                discard(&self.committer, &messages).await;
                Err(self.handle.failed("commit to")(source))
            }
            // Nobody knows whether the snapshot names these files: they stay.
            (Err(source), Err(_)) => Err(self.handle.failed("commit to")(source)),
        }
    }

    /// Gives up: the files are deleted, nothing was ever visible.
    pub async fn abort(mut self) {
        self.write.close().await;
        files::remove_of(self.handle.folder(), &self.prefixes);
    }

    /// Takes the lock if it is not held, and looks whether this commit, or a later one of its user, was made already.
    async fn ready(&mut self) -> Result<(TableLock, Option<i64>), LakeError> {
        let held = match self.lock.take() {
            Some(held) => held,
            None => self.lake.lock(&self.handle).await?,
        };
        let user = &self.commit.user;
        let newest = newest(&self.handle, None, |seen| seen.user == *user).await?;
        let earlier = newest.filter(|seen| seen.identifier >= self.commit.identifier);
        Ok((held, earlier.map(|seen| seen.snapshot)))
    }

    /// Puts the names of the newest files on the disk; Paimon does so for their bytes alone.
    fn sync(&self) -> Result<(), LakeError> {
        let snapshots = PathBuf::from(self.handle.snapshots().snapshot_dir());
        for folder in [self.handle.folder().join("manifest"), snapshots] {
            files::sync_folder(&folder).map_err(|error| files::written(&folder, error))?;
        }
        Ok(())
    }

    /// The batch with the table's columns, in its order and with its types; a value that would change is refused.
    fn fit(&self, batch: &RecordBatch) -> Result<RecordBatch, LakeError> {
        let refused = |why: String| LakeError::Rows { place: self.handle.place.clone(), why };
        let given = batch.schema();
        for field in given.fields() {
            if field.name() != VALUE_KIND && self.target.index_of(field.name()).is_err() {
                return Err(refused(format!("the table has no column `{}`", field.name())));
            }
        }
        let physical = paimon::arrow::build_target_arrow_schema(self.handle.table.schema().fields())
            .map_err(self.handle.failed("write"))?;
        let mut fields: Vec<Arc<Field>> = Vec::new();
        let mut arrays: Vec<ArrayRef> = Vec::new();
        for (field, target) in physical.fields().iter().zip(self.target.fields()) {
            let array = batch
                .column_by_name(field.name())
                .ok_or_else(|| refused(format!("the column `{}` is missing", field.name())))?;
            if array.data_type() != target.data_type() {
                return Err(refused(format!(
                    "the column `{}` is {}, not {}",
                    field.name(),
                    array.data_type(),
                    target.data_type()
                )));
            }
            if !target.is_nullable() && array.null_count() > 0 {
                return Err(refused(format!("the column `{}` may not be NULL", field.name())));
            }
            arrays.push(stored(array, field.data_type()).ok_or_else(|| {
                refused(format!("the column `{}` has more digits than the table", field.name()))
            })?);
            fields.push(Arc::clone(field));
        }
        if let Some(kinds) = batch.column_by_name(VALUE_KIND) {
            self.kinds(kinds)?;
            fields.push(Arc::new(Field::new(VALUE_KIND, ArrowType::Int8, false)));
            arrays.push(Arc::clone(kinds));
        }
        RecordBatch::try_new(Arc::new(Schema::new(fields)), arrays)
            .map_err(|source| LakeError::Arrow { place: self.handle.place.clone(), source })
    }

    fn kinds(&self, kinds: &ArrayRef) -> Result<(), LakeError> {
        let refused = |why: &str| LakeError::Rows { place: self.handle.place.clone(), why: why.to_string() };
        if self.handle.primary_key.is_empty() {
            return Err(refused("a table without a key takes new rows only"));
        }
        let Some(values) = kinds.as_primitive_opt::<Int8Type>() else {
            return Err(refused("`_VALUE_KIND` is not Int8"));
        };
        if values.null_count() > 0 || values.values().iter().any(|kind| !(0..=3).contains(kind)) {
            return Err(refused("`_VALUE_KIND` is not 0, 1, 2 or 3"));
        }
        if values.values().iter().any(|kind| *kind == 1 || *kind == 3) {
            gate::allow_delete(&self.handle.place, &self.handle.options, true)?;
        }
        Ok(())
    }
}

/// Options that let the names of a write's files begin as no others do.
fn own_prefixes(handle: &Handle) -> HashMap<String, String> {
    static COUNT: AtomicU64 = AtomicU64::new(0);
    let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    let own =
        format!("{:x}-{:x}-{:x}", std::process::id(), now.as_nanos(), COUNT.fetch_add(1, Ordering::Relaxed));
    let of = |(key, default): (&str, &str)| {
        let begin = handle.options.get(key).map_or(default, String::as_str);
        (key.to_string(), format!("{begin}{own}-"))
    };
    [("data-file.prefix", "data-"), ("changelog-file.prefix", "changelog-")].into_iter().map(of).collect()
}

/// Deletes files that no snapshot names. Files that stay behind harm nobody, so a failure is not told. Not a method of
/// the writer: its buffers may not be shared between threads, so no task could wait with a reference to them.
async fn discard(committer: &TableCommit, messages: &[paimon::CommitMessage]) {
    let _ = committer.abort(messages).await;
}

/// The array in the table's own type, if it comes back the same: a table of others may keep milliseconds.
fn stored(array: &ArrayRef, data_type: &ArrowType) -> Option<ArrayRef> {
    if array.data_type() == data_type {
        return Some(Arc::clone(array));
    }
    let stored = cast(array, data_type).ok()?;
    let back = cast(&stored, array.data_type()).ok()?;
    (back.to_data() == array.to_data()).then_some(stored)
}
