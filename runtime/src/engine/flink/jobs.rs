//! Jobs of the cluster behind a gateway. In: a session. Out: which there are, one stopped, the cause of a failure.

use std::time::Duration;

use reqwest::Method;
use serde::Deserialize;

use super::fault::{FlinkError, innermost_cause};
use super::http::Http;
use super::session::Session;
use crate::engine::Limits;

/// What a look at the jobs may take.
const LOOK: Limits = Limits { rows: 1_000_000, time: Duration::from_secs(30) };

/// A job of the cluster.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Job {
    /// Flink's id.
    pub id: String,
    /// Its name.
    pub name: String,
    /// RUNNING, FAILED, FINISHED, CANCELED, RESTARTING ...
    pub status: String,
}

impl Job {
    /// Whether it will do nothing more.
    pub fn has_ended(&self) -> bool {
        matches!(self.status.as_str(), "FAILED" | "FINISHED" | "CANCELED" | "SUSPENDED")
    }
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Exceptions {
    exception_history: History,
}

#[derive(Deserialize)]
struct History {
    #[serde(default)]
    entries: Vec<Entry>,
}

#[derive(Deserialize)]
struct Entry {
    stacktrace: String,
}

impl Session {
    /// The jobs that the cluster knows, ended ones included.
    pub async fn jobs(&self) -> Result<Vec<Job>, FlinkError> {
        let answer = self.execute("SHOW JOBS", LOOK).await?;
        let mut jobs = Vec::new();
        for row in &answer.table.rows {
            let [id, name, status, ..] = row.as_slice() else {
                return Err(FlinkError::Malformed("SHOW JOBS has other columns".to_string()));
            };
            jobs.push(Job { id: id.text(), name: name.text(), status: status.text() });
        }
        Ok(jobs)
    }

    /// Stops a job; what it had not committed is lost.
    pub async fn stop(&self, id: &str) -> Result<(), FlinkError> {
        if id.is_empty() || !id.chars().all(|character| character.is_ascii_hexdigit()) {
            return Err(FlinkError::Malformed(format!("`{id}` is no id of a job")));
        }
        self.execute(&format!("STOP JOB '{id}'"), LOOK).await.map(|_| ())
    }

    /// The innermost cause of a job's last failure, from the JobManager that the gateway itself uses; in words if it cannot be had.
    pub async fn failure(&self, id: &str) -> String {
        match self.failure_of(id).await {
            Ok(Some(cause)) => cause,
            Ok(None) => "none is recorded".to_string(),
            Err(error) => format!("it stands in the JobManager's log ({error})"),
        }
    }

    async fn failure_of(&self, id: &str) -> Result<Option<String>, FlinkError> {
        let properties = self.properties().await?;
        let of = |key: &str| properties.get(key).and_then(serde_json::Value::as_str);
        let (Some(host), Some(port)) = (of("rest.address"), of("rest.port")) else {
            return Err(FlinkError::Malformed(
                "the gateway does not say where the JobManager is".to_string(),
            ));
        };
        let address = self.address().beside(host, port)?;
        let asked = Http::new(address)?;
        let path = format!("/jobs/{id}/exceptions");
        let call = asked.call::<Exceptions>(Method::GET, &path, None);
        let (answer, _) =
            tokio::time::timeout(LOOK.time, call).await.map_err(|_| FlinkError::Timeout(LOOK.time))??;
        let last = answer.exception_history.entries.into_iter().next();
        Ok(last.map(|entry| innermost_cause(&[entry.stacktrace])))
    }
}
