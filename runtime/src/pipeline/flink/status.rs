//! Where a pipeline on Flink stands. In: the pipeline, its Flink. Out: the job's state, how far its sources are read, and the rollup's snapshot
//! that surely reflects their heads, or that this cannot be told.

use std::collections::BTreeMap;
use std::time::Duration;

use tokio::time::{Instant, sleep};
use unisono_compiler::diagnostic::Diagnostic;

use super::record::FlinkJob;
use super::stop::ended;
use super::{Keeper, failed};
use crate::engine::flink::Mode;
use crate::lake::{CommitKind, CommitRecord, Lake, Line};
use crate::pipeline::{Prepared, Windows};
use crate::version::Store;

/// How long each later checkpoint is waited for.
const PATIENCE: Duration = Duration::from_secs(30);
/// A commit may trail its checkpoint by one, and then the next commit is older than what the consumers tell of.
const LATER: i64 = 2;
/// Between two looks.
const PAUSE: Duration = Duration::from_millis(250);

/// What is known of a pipeline on Flink.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct FlinkStatus {
    /// In one word or sentence.
    pub state: State,
    /// What is kept of the job, if there was one.
    pub record: Option<FlinkJob>,
    /// Flink's id of the job and its state there.
    pub job: Option<(String, String)>,
    /// The watermark of a windowed pipeline, in microseconds since 1970: of the job's newest commit.
    pub watermark: Option<i64>,
    /// Why the rollup is not the job's alone. A check compares its rows all the same.
    pub stranger: Option<String>,
    /// Of each source the next snapshot that the job will read, if it has told, and the head.
    pub sources: BTreeMap<String, (Option<i64>, Option<i64>)>,
}

/// A commit of the rollup that surely holds all that the sources' heads say.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Reflected {
    /// The rollup's snapshot.
    pub snapshot: i64,
    /// The schema that it was written with.
    pub schema: i64,
    /// The job's checkpoint that it belongs to.
    pub checkpoint: i64,
}

/// Where it stands.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum State {
    /// It was never submitted.
    NeverRun,
    /// The job was submitted for another meaning of the pipeline.
    Earlier,
    /// No job runs: why.
    Stopped(String),
    /// It runs, and has not read these sources to their heads.
    Behind(Vec<String>),
    /// It runs, and the rollup reflects the heads of all sources in this snapshot.
    UpToDate(Reflected),
    /// It runs, and what the rollup reflects cannot be told: why.
    CannotTell(String),
    /// It runs, and what it computes is wrong: why.
    Wrong(String),
}

/// Looks at a pipeline.
pub async fn status(
    lake: &Lake,
    store: &Store,
    prepared: &Prepared,
    keeper: &Keeper,
) -> Result<FlinkStatus, Vec<Diagnostic>> {
    let mut status = FlinkStatus {
        state: State::NeverRun,
        record: None,
        job: None,
        watermark: None,
        stranger: None,
        sources: BTreeMap::new(),
    };
    let Some(record) = store.job::<FlinkJob>(&prepared.name)? else { return Ok(status) };
    status.record = Some(record.clone());
    let fault = |error| failed(&prepared.name, error);
    let session = keeper.gateway.open(Mode::Batch).await.map_err(fault)?;
    let jobs = session.jobs().await;
    let job = match jobs {
        Ok(jobs) => jobs.into_iter().find(|job| job.name == record.name),
        Err(error) => {
            session.close().await;
            return Err(fault(error));
        }
    };
    status.job = job.as_ref().map(|job| (job.id.clone(), job.status.clone()));
    let stopped = match &job {
        Some(job) if job.status == "FAILED" => {
            Some(format!("the job has failed: {}", session.failure(&job.id).await))
        }
        None => Some(ended(&record, None)),
        Some(job) if job.has_ended() => Some(ended(&record, Some(job))),
        Some(job) if job.status != "RUNNING" => {
            Some(format!("the job is {}; its last failure: {}", job.status, session.failure(&job.id).await))
        }
        Some(_) => None,
    };
    session.close().await;
    let heads = look(lake, prepared, &record, &mut status).await?;
    let commits = rollup_commits(lake, prepared).await?;
    status.watermark = prepared.windows.as_ref().and_then(|windows| watermark(&commits, windows, &record));
    status.stranger = written_by_another(&commits, prepared, &record);
    status.state = match stopped {
        Some(why) => State::Stopped(why),
        None if record.generation != prepared.generation => State::Earlier,
        None => running(lake, prepared, &record, &heads, &mut status).await?,
    };
    Ok(status)
}

/// Where each source stands, and where the job stands in it.
async fn look(
    lake: &Lake,
    prepared: &Prepared,
    record: &FlinkJob,
    status: &mut FlinkStatus,
) -> Result<BTreeMap<String, i64>, Vec<Diagnostic>> {
    let mut heads = BTreeMap::new();
    for source in &prepared.sources {
        let head = lake.head(source, &Line::Main).await?.snapshot;
        // A source is read as far as the slowest of its readers has come.
        let mut next = None;
        for (at, reader) in record.readers.get(&source.to_string()).into_iter().flatten().enumerate() {
            let told = lake.consumer(source, reader).await?;
            next = if at == 0 { told } else { next.min(told) };
        }
        status.sources.insert(source.to_string(), (next, head));
        heads.extend(head.map(|head| (source.to_string(), head)));
    }
    Ok(heads)
}

/// The commits of the rollup, if there is one.
async fn rollup_commits(lake: &Lake, prepared: &Prepared) -> Result<Vec<CommitRecord>, Vec<Diagnostic>> {
    if lake.exists(&prepared.rollup, &Line::Main).await? {
        Ok(lake.history(&prepared.rollup, &Line::Main).await?)
    } else {
        Ok(Vec::new())
    }
}

/// How far the events have come for a windowed pipeline. Flink's own watermark waits as long as a bucket does and is a millisecond lower.
fn watermark(commits: &[CommitRecord], windows: &Windows, record: &FlinkJob) -> Option<i64> {
    let of_job = commits.iter().filter(|commit| commit.user.starts_with(&record.name));
    // Before the first event it is the least that there is.
    let millis = of_job.filter_map(|commit| commit.watermark).filter(|millis| *millis > i64::MIN).max();
    (millis? + 1).checked_mul(1000)?.checked_add(windows.lateness)
}

/// What a running job's rollup reflects. The consumers tell what had been read before a checkpoint that is complete; a commit that comes
/// late enough after they were looked at is of that checkpoint or of a later one.
async fn running(
    lake: &Lake,
    prepared: &Prepared,
    record: &FlinkJob,
    heads: &BTreeMap<String, i64>,
    status: &mut FlinkStatus,
) -> Result<State, Vec<Diagnostic>> {
    if let Some(why) = lost(lake, prepared, record).await? {
        return Ok(State::Wrong(why));
    }
    let behind: Vec<String> = status
        .sources
        .iter()
        .filter(|(table, (next, _))| {
            heads.get(*table).is_some_and(|head| next.is_none_or(|next| next <= *head))
        })
        .map(|(table, _)| table.clone())
        .collect();
    if !behind.is_empty() {
        return Ok(State::Behind(behind));
    }
    if !record.shared.is_empty() {
        let tables = record.shared.join(", ");
        return Ok(State::CannotTell(format!(
            "Flink reads {tables} in other places than have been told apart"
        )));
    }
    let mut last = newest(lake, prepared, record).await?.map(|commit| commit.checkpoint);
    let mut missing = LATER;
    let mut end = Instant::now() + PATIENCE;
    loop {
        sleep(PAUSE).await;
        let now = newest(lake, prepared, record).await?;
        let came = match (last, now) {
            (Some(old), Some(new)) => new.checkpoint - old,
            (None, Some(_)) => 1,
            (Some(_) | None, None) => 0,
        };
        if let Some(now) = now.filter(|_| came > 0) {
            missing -= came;
            if missing <= 0 {
                return Ok(State::UpToDate(now));
            }
            last = Some(now.checkpoint);
            end = Instant::now() + PATIENCE;
        }
        if Instant::now() >= end {
            return Ok(State::CannotTell(format!(
                "no checkpoint was committed into the rollup within {} s",
                PATIENCE.as_secs()
            )));
        }
    }
}

/// The job's newest commit in the rollup.
async fn newest(
    lake: &Lake,
    prepared: &Prepared,
    record: &FlinkJob,
) -> Result<Option<Reflected>, Vec<Diagnostic>> {
    let commits = lake.history(&prepared.rollup, &Line::Main).await?;
    let of_job =
        |commit: &&CommitRecord| commit.user.starts_with(&record.name) && commit.kind == CommitKind::Append;
    Ok(commits.iter().rev().find(of_job).map(|commit| Reflected {
        snapshot: commit.snapshot,
        schema: commit.schema,
        checkpoint: commit.identifier,
    }))
}

/// Why what a running job has computed stands wrong for ever, so that it has to be submitted anew.
pub(super) async fn wrong(
    lake: &Lake,
    prepared: &Prepared,
    record: &FlinkJob,
) -> Result<Option<String>, Vec<Diagnostic>> {
    match lost(lake, prepared, record).await? {
        Some(why) => Ok(Some(why)),
        None => Ok(written_by_another(&rollup_commits(lake, prepared).await?, prepared, record)),
    }
}

/// Why a job's stream is not what its sources say.
async fn lost(
    lake: &Lake,
    prepared: &Prepared,
    record: &FlinkJob,
) -> Result<Option<String>, Vec<Diagnostic>> {
    match overwritten(lake, prepared, record).await? {
        Some(why) => Ok(Some(why)),
        None => set_back(lake, prepared, record).await,
    }
}

/// Who else writes into the rollup.
fn written_by_another(commits: &[CommitRecord], prepared: &Prepared, record: &FlinkJob) -> Option<String> {
    let user = stranger(commits, &record.name)?;
    Some(format!("{user} writes into {} too: {AGAIN}", prepared.rollup))
}

/// What to do about a rollup that stands wrong.
const AGAIN: &str = "run the pipeline again, which replaces the job";

/// Who else has added rows to the rollup since a job began to.
fn stranger<'a>(commits: &'a [CommitRecord], job: &str) -> Option<&'a str> {
    let of_job = |commit: &&CommitRecord| commit.user.starts_with(job);
    let others = commits.iter().skip_while(|commit| !of_job(commit)).filter(|commit| !of_job(commit));
    others
        .filter(|commit| match commit.kind {
            CommitKind::Append | CommitKind::Overwrite => true,
            CommitKind::Compact | CommitKind::Analyze => false,
        })
        .map(|commit| commit.user.as_str())
        .next()
}

/// A source whose newest snapshot lies before what the job has read: its history was set back, or the table was made anew.
async fn set_back(
    lake: &Lake,
    prepared: &Prepared,
    record: &FlinkJob,
) -> Result<Option<String>, Vec<Diagnostic>> {
    for source in &prepared.sources {
        for reader in record.readers.get(&source.to_string()).into_iter().flatten() {
            let next = lake.consumer(source, reader).await?;
            // Looked at after the reader, so that it is never the older of the two.
            let head = lake.head(source, &Line::Main).await?.snapshot;
            if let Some(read) = next.map(|next| next - 1).filter(|read| head.is_none_or(|head| *read > head))
            {
                let is =
                    head.map_or_else(|| "it has none".to_string(), |head| format!("its newest is {head}"));
                return Ok(Some(format!("the job has read snapshot {read} of {source}, and {is}: {AGAIN}")));
            }
        }
    }
    Ok(None)
}

/// A stream passes over commits that replace rows: what was computed before them stands for ever.
async fn overwritten(
    lake: &Lake,
    prepared: &Prepared,
    record: &FlinkJob,
) -> Result<Option<String>, Vec<Diagnostic>> {
    for source in &prepared.sources {
        let start = record.start.get(&source.to_string()).copied().flatten();
        let commits = lake.history(source, &Line::Main).await?;
        let found = commits.iter().find(|commit| {
            commit.kind == CommitKind::Overwrite && start.is_none_or(|start| commit.snapshot > start)
        });
        if let Some(commit) = found {
            return Ok(Some(format!(
                "snapshot {} of {source} replaced rows, which a stream does not see: {AGAIN}",
                commit.snapshot
            )));
        }
    }
    Ok(None)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn commit(user: &str, kind: CommitKind) -> CommitRecord {
        CommitRecord {
            snapshot: 1,
            schema: 0,
            user: user.to_string(),
            identifier: 1,
            kind,
            time_millis: 0,
            watermark: None,
            physical_rows: None,
        }
    }

    #[test]
    fn who_writes_beside_a_job_is_seen_and_who_wrote_before_it_is_not() {
        use CommitKind::{Append, Compact};
        let before = [commit("unisono_p_old-1", Append), commit("gateway", Append)];
        let own = [commit("unisono_p_new-1", Append), commit("unisono_p_new-2", Compact)];
        let quiet: Vec<CommitRecord> = before.iter().chain(&own).cloned().collect();
        assert_eq!(stranger(&quiet, "unisono_p_new"), None);
        assert_eq!(stranger(&before, "unisono_p_new"), None);
        // A compaction rewrites files and no rows.
        let compacted = [quiet.clone(), vec![commit("someone", Compact)]].concat();
        assert_eq!(stranger(&compacted, "unisono_p_new"), None);
        let mixed = [quiet, vec![commit("unisono_p_old-1", Append)]].concat();
        assert_eq!(stranger(&mixed, "unisono_p_new"), Some("unisono_p_old-1"));
    }
}
