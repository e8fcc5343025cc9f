//! The commits of a line. In: a table on a line. Out: what each snapshot is and who made it; the newest that fits.

use paimon::spec::{CommitKind as PaimonKind, Snapshot};

use super::error::LakeError;
use super::handle::Handle;
use super::names::{Line, TableName};
use super::warehouse::Lake;

/// What a commit did.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum CommitKind {
    /// Added rows, or new versions of rows.
    Append,
    /// Rewrote files without changing rows.
    Compact,
    /// Replaced rows.
    Overwrite,
    /// Stored statistics.
    Analyze,
}

/// One commit.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct CommitRecord {
    /// The snapshot.
    pub snapshot: i64,
    /// The schema's number.
    pub schema: i64,
    /// Who committed.
    pub user: String,
    /// The user's number for it.
    pub identifier: i64,
    /// What it did.
    pub kind: CommitKind,
    /// When, in milliseconds since 1970, by the clock of who committed.
    pub time_millis: u64,
    /// The watermark that its writer gave it, in milliseconds since 1970.
    pub watermark: Option<i64>,
    /// Physical rows after it, if it says so; more than there are rows where keys have old versions.
    pub physical_rows: Option<i64>,
}

impl Lake {
    /// The commits of a line that still have a snapshot file, oldest first.
    pub async fn history(&self, name: &TableName, line: &Line) -> Result<Vec<CommitRecord>, LakeError> {
        let handle = self.table(name, line).await?;
        let snapshots = handle.snapshots().list_all().await.map_err(handle.failed("read"))?;
        Ok(snapshots.iter().map(record).collect())
    }
}

impl Lake {
    /// The next snapshot of main that a stream will read, as the stream has last told at a checkpoint; `None` before its first one.
    pub async fn consumer(&self, name: &TableName, consumer: &str) -> Result<Option<i64>, LakeError> {
        let handle = self.table(name, &Line::Main).await?;
        let path = handle.folder().join("consumer").join(format!("consumer-{consumer}"));
        // The file is replaced at each checkpoint: a look in between finds none, or not all of it.
        for _ in 0..TRIES {
            let text = std::fs::read_to_string(&path).unwrap_or_default();
            if let Ok(Consumer { next_snapshot }) = serde_json::from_str(&text) {
                return Ok(Some(next_snapshot));
            }
            tokio::time::sleep(std::time::Duration::from_millis(50)).await;
        }
        Ok(None)
    }
}

/// How often a consumer's file is looked at.
const TRIES: usize = 4;

/// A consumer's file.
#[derive(serde::Deserialize)]
#[serde(rename_all = "camelCase")]
struct Consumer {
    next_snapshot: i64,
}

/// The newest commit after a snapshot that fits, looked for from the newest back.
pub(super) async fn newest(
    handle: &Handle,
    after: Option<i64>,
    fits: impl Fn(&CommitRecord) -> bool,
) -> Result<Option<CommitRecord>, LakeError> {
    let ids = handle.snapshots().list_all_ids().await.map_err(handle.failed("read"))?;
    for id in ids.into_iter().rev().take_while(|id| after.is_none_or(|after| *id > after)) {
        let snapshot = handle.snapshots().get_snapshot(id).await.map_err(handle.failed("read"))?;
        let commit = record(&snapshot);
        if fits(&commit) {
            return Ok(Some(commit));
        }
    }
    Ok(None)
}

/// The commits in `(from, to]`; `None` if a snapshot file in between is missing, so that nobody can say what it did.
pub(super) async fn between(
    handle: &Handle,
    from: i64,
    to: i64,
) -> Result<Option<Vec<CommitRecord>>, LakeError> {
    let mut commits = Vec::new();
    for id in (from + 1)..=to {
        match handle.snapshots().get_snapshot(id).await {
            Ok(snapshot) => commits.push(record(&snapshot)),
            Err(paimon::Error::SnapshotNotExist { .. }) => return Ok(None),
            Err(source) => return Err(handle.failed("read")(source)),
        }
    }
    Ok(Some(commits))
}

fn record(snapshot: &Snapshot) -> CommitRecord {
    CommitRecord {
        snapshot: snapshot.id(),
        schema: snapshot.schema_id(),
        user: snapshot.commit_user().to_string(),
        identifier: snapshot.commit_identifier(),
        kind: match snapshot.commit_kind() {
            PaimonKind::APPEND => CommitKind::Append,
            PaimonKind::COMPACT => CommitKind::Compact,
            PaimonKind::OVERWRITE => CommitKind::Overwrite,
            PaimonKind::ANALYZE => CommitKind::Analyze,
        },
        time_millis: snapshot.time_millis(),
        watermark: snapshot.watermark(),
        physical_rows: snapshot.total_record_count(),
    }
}
