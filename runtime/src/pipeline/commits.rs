//! The commits of a source of events, one by one. In: an append table of main, two of its states. Out: the pins before and after each commit, or why the
//! table is no log of events: nothing may be replaced in it, and no commit may be forgotten.

use crate::lake::{CommitKind, Lake, LakeError, Line, Pin, TableName};

/// Why there are no commits to go through.
#[derive(Debug, thiserror::Error)]
pub enum NoLog {
    /// The lake gave no answer.
    #[error(transparent)]
    Lake(#[from] LakeError),
    /// Rows of it can change.
    #[error(
        "{0} has a primary key, and windows are of events that never change: load them into a table without one"
    )]
    HasKey(TableName),
    /// Rows of it were replaced.
    #[error("snapshot {1} of {0} replaced rows, and windows are of events that never change")]
    Replaced(TableName, i64),
    /// Its snapshots have expired.
    #[error(
        "the snapshots of {0} after {1} are not all there any more, so that nobody can tell which rows came late"
    )]
    Gone(TableName, i64),
}

/// The commits after a snapshot up to a pin, oldest first: what each found and what it left. `None`: from the empty table on.
pub async fn commits(
    lake: &Lake,
    table: &TableName,
    after: Option<i64>,
    to: &Pin,
) -> Result<Vec<(Pin, Pin)>, NoLog> {
    let handle = lake.table(table, &Line::Main).await?;
    if !handle.primary_key.is_empty() {
        return Err(NoLog::HasKey(table.clone()));
    }
    let Some(last) = to.snapshot else { return Ok(Vec::new()) };
    let from = after.unwrap_or(0);
    let mut before = Pin { line: Line::Main, snapshot: after, schema: to.schema };
    let mut commits = Vec::new();
    let mut next = from + 1;
    for commit in lake.history(table, &Line::Main).await? {
        if commit.snapshot <= from || commit.snapshot > last {
            continue;
        }
        if commit.snapshot != next {
            return Err(NoLog::Gone(table.clone(), from));
        }
        next += 1;
        let pin = Pin { line: Line::Main, snapshot: Some(commit.snapshot), schema: to.schema };
        match commit.kind {
            CommitKind::Append => commits.push((before.clone(), pin.clone())),
            CommitKind::Compact | CommitKind::Analyze => {}
            CommitKind::Overwrite => return Err(NoLog::Replaced(table.clone(), commit.snapshot)),
        }
        before = pin;
    }
    if next <= last {
        return Err(NoLog::Gone(table.clone(), from));
    }
    Ok(commits)
}
