//! Keys of the rows of a file: none twice where rows are new, none that the table has already. In: batches. Out: nothing, or the first
//! row at fault. A key is held as 16 bytes of its SHA-256: two different ones meet once in 2^64 files.

use std::collections::{BTreeSet, HashMap};
use std::path::Path;

use arrow::array::RecordBatch;
use arrow::util::display::{ArrayFormatter, FormatOptions};
use sha2::{Digest, Sha256};
use unisono_compiler::diagnostic::{Code, Diagnostic};

use super::target::Target;
use crate::lake::{KeyRange, Keys, Lake, Pin};

/// The keys of a file, each with the number of its row.
pub(super) struct Seen {
    key: Vec<String>,
    rows: HashMap<[u8; 16], u64>,
    count: u64,
    /// The values of each column of the key, where they can be looked for.
    spans: Vec<Option<Keys>>,
}

impl Seen {
    /// Of no rows yet.
    pub(super) fn new(key: &[String]) -> Self {
        let spans = vec![Some(Keys::OneOf(BTreeSet::new())); key.len()];
        Seen { key: key.to_vec(), rows: HashMap::new(), count: 0, spans }
    }

    /// How many different keys there are.
    pub(super) fn count(&self) -> u64 {
        self.rows.len() as u64
    }

    /// Where in the table they can be.
    fn ranges(&self) -> Vec<KeyRange> {
        let spans = self.key.iter().zip(&self.spans);
        let found = spans.filter_map(|(column, keys)| {
            Some(KeyRange { column: column.clone(), keys: keys.clone()?, null: false })
        });
        found.collect()
    }

    /// Adds the rows of a batch; NULL in a key is refused, and a second row of one key where `once` asks for it.
    pub(super) fn add(
        &mut self,
        batch: &RecordBatch,
        file: &Path,
        once: bool,
    ) -> Result<(), Vec<Diagnostic>> {
        if self.key.is_empty() {
            return Ok(());
        }
        for (name, span) in self.key.iter().zip(&mut self.spans) {
            let column = batch.column_by_name(name);
            *span = span.take().zip(column).and_then(|(keys, column)| keys.with_all(column));
        }
        for (key, shown) in keys(batch, &self.key)? {
            self.count += 1;
            let Some(key) = key else {
                return Err(vec![
                    Diagnostic::new(
                        Code::DataMalformed,
                        format!(
                            "{}: row {} has no value in its key {}",
                            file.display(),
                            self.count,
                            self.key.join(", ")
                        ),
                    )
                    .help("a column of a primary key is never empty"),
                ]);
            };
            if let Some(first) = self.rows.insert(key, self.count).filter(|_| once) {
                return Err(vec![
                    Diagnostic::new(
                        Code::DuplicateKey,
                        format!(
                            "{}: rows {first} and {} have the same key {shown}",
                            file.display(),
                            self.count
                        ),
                    )
                    .help("correct the file, or let the later row win with --upsert"),
                ]);
            }
        }
        Ok(())
    }
}

/// Refuses keys that the table has already in a snapshot: a plain load replaces nothing.
pub(super) async fn refuse_known(
    lake: &Lake,
    target: &Target,
    seen: &Seen,
    file: &Path,
    snapshot: Option<i64>,
) -> Result<(), Vec<Diagnostic>> {
    if seen.rows.is_empty() {
        return Ok(());
    }
    let head = lake.head(&target.name, &target.line).await?;
    let pin = Pin { snapshot, ..head };
    let mut rows = lake.read(&target.name, &pin, &target.key, &seen.ranges()).await?;
    while let Some(batch) = rows.next().await? {
        for (key, shown) in keys(&batch, &target.key)? {
            if let Some(row) = key.and_then(|key| seen.rows.get(&key)) {
                return Err(vec![
                    Diagnostic::new(
                        Code::DuplicateKey,
                        format!(
                            "{}: row {row} has the key {shown}, which {} has already",
                            file.display(),
                            target.name
                        ),
                    )
                    .help("replace the rows that are there with --upsert"),
                ]);
            }
        }
    }
    Ok(())
}

/// How many of the keys the table has in a snapshot: its keys alone are read, and only where the file's can be.
pub(super) async fn count_known(
    lake: &Lake,
    target: &Target,
    seen: &Seen,
    snapshot: Option<i64>,
) -> Result<u64, Vec<Diagnostic>> {
    let head = lake.head(&target.name, &target.line).await?;
    let pin = Pin { snapshot, ..head };
    let mut rows = lake.read(&target.name, &pin, &target.key, &seen.ranges()).await?;
    let mut known = 0;
    while let Some(batch) = rows.next().await? {
        let found = keys(&batch, &target.key)?;
        known += found.iter().filter(|(key, _)| key.is_some_and(|key| seen.rows.contains_key(&key))).count();
    }
    Ok(known as u64)
}

type Key = (Option<[u8; 16]>, String);

/// The key of each row, with its text; `None` where a part is NULL.
fn keys(batch: &RecordBatch, names: &[String]) -> Result<Vec<Key>, Vec<Diagnostic>> {
    let internal = |why: String| vec![Diagnostic::new(Code::Internal, why)];
    let options = FormatOptions::default();
    let mut columns = Vec::new();
    for name in names {
        let column = batch
            .column_by_name(name)
            .ok_or_else(|| internal(format!("a batch without the key column `{name}`")))?;
        let text = ArrayFormatter::try_new(column.as_ref(), &options)
            .map_err(|error| internal(error.to_string()))?;
        columns.push((column, text));
    }
    Ok((0..batch.num_rows())
        .map(|row| {
            let mut digest = Sha256::new();
            let mut shown = Vec::new();
            let mut whole = true;
            for (column, text) in &columns {
                whole &= column.is_valid(row);
                let text = text.value(row).to_string();
                digest.update((text.len() as u64).to_le_bytes());
                digest.update(text.as_bytes());
                shown.push(text);
            }
            let mut key = [0; 16];
            key.copy_from_slice(&digest.finalize()[..16]);
            (whole.then_some(key), shown.join(", "))
        })
        .collect())
}
