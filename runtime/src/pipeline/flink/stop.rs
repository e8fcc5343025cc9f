//! A job that is stopped, by hand or for another one. In: its record, a session. Out: it has ended, and the record of one that was stopped by
//! hand says when, or there was none that ran. The rollup keeps what the job's last checkpoint committed.

use std::time::Duration;

use tokio::time::{Instant, sleep};
use unisono_compiler::diagnostic::{Code, Diagnostic};

use super::record::FlinkJob;
use super::{Keeper, failed};
use crate::engine::flink::{Job, Mode, Session};
use crate::version::Store;

/// How long a stopped job may take to end.
const STOPPING: Duration = Duration::from_mins(1);
/// Between two looks.
const PAUSE: Duration = Duration::from_millis(500);

/// What came of it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Stopped {
    /// The job of this id ran, and does no more.
    Now(String),
    /// No job ran: why.
    Before(String),
}

/// Stops the job of a record. `now` is when, UTC. The lock of the pipeline is the caller's to hold: a job that is being submitted has a record
/// already.
pub async fn stop(
    store: &Store,
    pipeline: &str,
    record: &FlinkJob,
    keeper: &Keeper,
    now: &str,
) -> Result<Stopped, Vec<Diagnostic>> {
    let session = keeper.gateway.open(Mode::Batch).await.map_err(|error| failed(pipeline, error))?;
    let outcome = stopped(store, pipeline, record, &session, now).await;
    session.close().await;
    outcome
}

async fn stopped(
    store: &Store,
    pipeline: &str,
    record: &FlinkJob,
    session: &Session,
    now: &str,
) -> Result<Stopped, Vec<Diagnostic>> {
    let jobs = session.jobs().await.map_err(|error| failed(pipeline, error))?;
    match jobs.into_iter().find(|job| job.name == record.name) {
        Some(job) if !job.has_ended() => {
            end(session, pipeline, &job).await?;
            // Not before it has ended: a record never says so of a job that runs.
            store.put_job(pipeline, &FlinkJob { stopped: Some(now.to_string()), ..record.clone() })?;
            Ok(Stopped::Now(job.id))
        }
        job => Ok(Stopped::Before(ended(record, job.as_ref()))),
    }
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
