//! A job that is stopped, by hand or for another one. In: its record, a session. Out: it has ended, and the record of one that was stopped by
//! hand says when, or there was none that ran. The rollup keeps what the job's last checkpoint committed.

use std::time::Duration;

use tokio::time::{Instant, sleep};
use unisono_compiler::diagnostic::{Code, Diagnostic};

use super::record::FlinkJob;
use super::{Keeper, failed};
use crate::engine::flink::{Job, Mode, Session};
use crate::lake::{Lake, Line, TableName};
use crate::version::Store;

/// How long a stopped job may take to end.
const STOPPING: Duration = Duration::from_mins(1);
/// Between two looks.
const PAUSE: Duration = Duration::from_millis(500);

/// What came of it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Stopped {
    /// The jobs of these ids ran, and do no more.
    Now(Vec<String>),
    /// No job ran: why.
    Before(String),
}

/// Stops the job of a record, and those that have no record any more. `now` is when, UTC. The lock of the pipeline is the caller's to hold: a job that is being submitted has a record
/// already.
pub async fn stop(
    lake: &Lake,
    store: &Store,
    (pipeline, rollup): (&str, &TableName),
    record: &FlinkJob,
    keeper: &Keeper,
    now: &str,
) -> Result<Stopped, Vec<Diagnostic>> {
    let session = keeper.gateway.open(Mode::Batch).await.map_err(|error| failed(pipeline, error))?;
    let outcome = stopped(lake, store, (pipeline, rollup), record, &session, now).await;
    session.close().await;
    outcome
}

async fn stopped(
    lake: &Lake,
    store: &Store,
    (pipeline, rollup): (&str, &TableName),
    record: &FlinkJob,
    session: &Session,
    now: &str,
) -> Result<Stopped, Vec<Diagnostic>> {
    let jobs = session.jobs().await.map_err(|error| failed(pipeline, error))?;
    let own = jobs.iter().find(|job| job.name == record.name);
    let mut running: Vec<&Job> = own.filter(|job| !job.has_ended()).into_iter().collect();
    running.extend(forgotten(lake, pipeline, rollup, Some(&record.name), &jobs).await?);
    if running.is_empty() {
        return Ok(Stopped::Before(ended(record, own)));
    }
    for job in &running {
        end(session, pipeline, job).await?;
    }
    // Not before they have ended: a record never says so of a job that runs.
    store.put_job(pipeline, &FlinkJob { stopped: Some(now.to_string()), ..record.clone() })?;
    Ok(Stopped::Now(running.iter().map(|job| job.id.clone()).collect()))
}

/// Jobs of a pipeline that run, have written into its rollup, and are not the one of the record.
pub(super) async fn forgotten<'a>(
    lake: &Lake,
    pipeline: &str,
    rollup: &TableName,
    own: Option<&str>,
    jobs: &'a [Job],
) -> Result<Vec<&'a Job>, Vec<Diagnostic>> {
    let prefix = format!("unisono_{pipeline}_");
    let others: Vec<&Job> = jobs
        .iter()
        .filter(|job| job.name.starts_with(&prefix) && own != Some(job.name.as_str()) && !job.has_ended())
        .collect();
    if others.is_empty() || !lake.exists(rollup, &Line::Main).await? {
        return Ok(Vec::new());
    }
    // Another warehouse may have a pipeline of this name on the same Flink; its jobs write elsewhere.
    let commits = lake.history(rollup, &Line::Main).await?;
    let writes = |job: &&Job| commits.iter().any(|commit| commit.user.starts_with(&job.name));
    Ok(others.into_iter().filter(writes).collect())
}

/// Why no job of a record runs.
pub(super) fn ended(record: &FlinkJob, job: Option<&Job>) -> String {
    match (&record.stopped, job) {
        (Some(at), _) => format!("it was stopped by hand at {at}"),
        (None, Some(job)) => format!("the job is {}", job.status),
        (None, None) => "Flink does not know the job any more: it was started anew, or forgot it".to_string(),
    }
}

/// Stops a job and waits until it has ended.
pub(super) async fn end(session: &Session, pipeline: &str, job: &Job) -> Result<(), Vec<Diagnostic>> {
    let fault = |error| failed(pipeline, error);
    session.stop(&job.id).await.map_err(fault)?;
    let last = Instant::now() + STOPPING;
    loop {
        let jobs = session.jobs().await.map_err(fault)?;
        if jobs.iter().all(|other| other.id != job.id || other.has_ended()) {
            return Ok(());
        }
        if Instant::now() >= last {
            let message = format!("job {} of pipeline `{pipeline}` does not end", job.id);
            return Err(vec![Diagnostic::new(Code::EngineFailed, message)]);
        }
        sleep(PAUSE).await;
    }
}
