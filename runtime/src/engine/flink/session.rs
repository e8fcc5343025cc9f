//! Sessions of a gateway and the statements in them. In: a mode, settings, SQL, limits. Out: answers. A statement's operation is always closed,
//! and cancelled first where it did not end well, so that no job is left running behind it.

use std::collections::BTreeMap;
use std::time::Duration;

use reqwest::Method;
use serde_json::{Map, Value as Json, json};
use tokio::time::{Instant, sleep, timeout, timeout_at};

use super::address::Address;
use super::changelog::{Multiset, Row, batch_rows};
use super::fault::FlinkError;
use super::http::Http;
use super::values;
use super::wire::{ColumnInfo, InfoAnswer, OperationAnswer, Page, PageKind, PropertiesAnswer, SessionAnswer};
use crate::engine::Limits;
use crate::table::Table;

/// All pages of one answer at most.
const MAX_BYTES: usize = 512 << 20;
/// Pauses between pages without rows, which come at once for as long as a job runs.
const FIRST_PAUSE: Duration = Duration::from_millis(10);
const LONGEST_PAUSE: Duration = Duration::from_millis(200);
/// What closing may take beyond a statement's own time.
const GRACE: Duration = Duration::from_secs(10);
/// What opening a session may take.
const OPENING: Duration = Duration::from_secs(30);

/// Settings that decide what answers mean; the project file cannot change them.
const OWN_SETTINGS: [&str; 6] = [
    "execution.runtime-mode",
    "table.dml-sync",
    "table.exec.legacy-cast-behaviour",
    // Groups whose state has gone begin at nothing when their next row comes.
    "table.exec.state.ttl",
    "table.local-time-zone",
    "table.sql-dialect",
];

/// The settings that every session has: they decide what answers mean, and nothing wins over them.
pub fn own_settings(mode: Mode) -> [(&'static str, &'static str); 4] {
    let (runtime, sync) = match mode {
        Mode::Batch => ("batch", "true"),
        Mode::Streaming => ("streaming", "false"),
    };
    [
        ("execution.runtime-mode", runtime),
        ("table.dml-sync", sync),
        ("table.exec.legacy-cast-behaviour", "DISABLED"),
        ("table.local-time-zone", "UTC"),
    ]
}

/// How statements of a session run.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Mode {
    /// Each statement ends; a write has committed when it does.
    Batch,
    /// Answers are changes; a write is a job that goes on after its statement has ended.
    Streaming,
}

/// What answers at an address.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Info {
    /// `Apache Flink`.
    pub product: String,
    /// Flink's version.
    pub version: String,
}

/// A gateway, and the settings of each session with it.
#[derive(Clone, Debug)]
pub struct Gateway {
    http: Http,
    settings: Vec<(String, String)>,
}

/// A session of a gateway; catalogs and settings live in it. It must be closed, once.
#[derive(Clone, Debug)]
pub struct Session {
    http: Http,
    path: String,
    mode: Mode,
}

/// What a statement gave.
#[derive(Clone, PartialEq, Debug)]
pub struct Answer {
    /// Its rows; those of a statement that is no query are Flink's words about it.
    pub table: Table,
    /// The id of the job behind it, if there was one.
    pub job: Option<String>,
}

/// What came so far.
enum Rows {
    Batch(Vec<super::wire::Change>),
    Streaming(Multiset),
}

impl Gateway {
    /// A gateway at an address; nothing is sent yet.
    pub fn new(address: Address, settings: Vec<(String, String)>) -> Result<Gateway, FlinkError> {
        if let Some((own, _)) = settings.iter().find(|(key, _)| OWN_SETTINGS.contains(&key.as_str())) {
            return Err(FlinkError::Setting(own.clone()));
        }
        Ok(Gateway { http: Http::new(address)?, settings })
    }

    /// Where it is.
    pub fn address(&self) -> &Address {
        self.http.address()
    }

    /// The settings of its sessions that the project chose.
    pub fn settings(&self) -> &[(String, String)] {
        &self.settings
    }

    /// The settings of a session that is opened with these, by name, as they are sent.
    pub fn session_settings(&self, mode: Mode, further: &[(String, String)]) -> Vec<(String, String)> {
        let mut all: BTreeMap<String, String> = self.settings.iter().chain(further).cloned().collect();
        all.extend(own_settings(mode).map(|(key, value)| (key.to_string(), value.to_string())));
        all.into_iter().collect()
    }

    /// What answers there, within a time.
    pub async fn info(&self, time: Duration) -> Result<Info, FlinkError> {
        let asked = self.http.call::<InfoAnswer>(Method::GET, "/v3/info", None);
        let (answer, _) = timeout(time, asked).await.map_err(|_| FlinkError::Timeout(time))??;
        Ok(Info { product: answer.product_name, version: answer.version })
    }

    /// A new session.
    pub async fn open(&self, mode: Mode) -> Result<Session, FlinkError> {
        self.open_with(mode, &[]).await
    }

    /// A new session with settings beside those of the project, which they win over.
    pub async fn open_with(&self, mode: Mode, further: &[(String, String)]) -> Result<Session, FlinkError> {
        let all = self.session_settings(mode, further);
        let properties: Map<String, Json> = all.into_iter().map(|(key, value)| (key, json!(value))).collect();
        let body = json!({"sessionName": "unisono", "properties": properties});
        let opened = self.http.call::<SessionAnswer>(Method::POST, "/v3/sessions", Some(&body));
        let (answer, _) = timeout(OPENING, opened).await.map_err(|_| FlinkError::Timeout(OPENING))??;
        let path = format!("/v3/sessions/{}", handle(&answer.session_handle)?);
        Ok(Session { http: self.http.clone(), path, mode })
    }
}

impl Session {
    /// Runs one statement to its end. When the time is up, or anything else goes wrong, what it began is cancelled.
    pub async fn execute(&self, sql: &str, limits: Limits) -> Result<Answer, FlinkError> {
        let end = Instant::now() + limits.time;
        let late = FlinkError::Timeout(limits.time);
        let path = format!("{}/statements", self.path);
        let body = json!({ "statement": sql });
        let submitted = self.http.call::<OperationAnswer>(Method::POST, &path, Some(&body));
        let (submitted, _) = timeout_at(end, submitted).await.map_err(|_| late.clone())??;
        let operation = format!("{}/operations/{}", self.path, handle(&submitted.operation_handle)?);
        let outcome = timeout_at(end, self.fetch(&operation, limits)).await.unwrap_or(Err(late));
        // Closing ends the job behind a SELECT and cancelling does not; cancelling ends a write that is waited for.
        if outcome.is_err() {
            self.end(Method::POST, &format!("{operation}/cancel")).await;
        }
        self.end(Method::DELETE, &format!("{operation}/close")).await;
        outcome
    }

    /// The settings that are in force.
    pub(super) async fn properties(&self) -> Result<Map<String, Json>, FlinkError> {
        let asked = self.http.call::<PropertiesAnswer>(Method::GET, &self.path, None);
        let (answer, _) = timeout(OPENING, asked).await.map_err(|_| FlinkError::Timeout(OPENING))??;
        Ok(answer.properties)
    }

    /// The gateway's address.
    pub(super) fn address(&self) -> &Address {
        self.http.address()
    }

    /// Ends the session and the queries in it; jobs that write go on.
    pub async fn close(self) {
        self.end(Method::DELETE, &self.path).await;
    }

    /// A failure here takes nothing from an answer that is whole, and adds nothing to an error.
    async fn end(&self, method: Method, path: &str) {
        let _ = timeout(GRACE, self.http.call::<Json>(method, path, None)).await;
    }

    async fn fetch(&self, operation: &str, limits: Limits) -> Result<Answer, FlinkError> {
        let mut columns: Vec<ColumnInfo> = Vec::new();
        let mut job = None;
        let mut rows = match self.mode {
            Mode::Batch => Rows::Batch(Vec::new()),
            Mode::Streaming => Rows::Streaming(Multiset::default()),
        };
        let (mut bytes, mut pause) = (0usize, FIRST_PAUSE);
        // The plain form keeps the scale of decimals and the digits of times, which JSON drops.
        let mut path = format!("{operation}/result/0?rowFormat=PLAIN_TEXT");
        loop {
            let (page, length) = self.http.call::<Page>(Method::GET, &path, None).await?;
            bytes = bytes.saturating_add(length);
            if bytes > MAX_BYTES {
                return Err(FlinkError::TooLarge { most: MAX_BYTES });
            }
            if !page.results.columns.is_empty() {
                columns = page.results.columns;
            }
            job = page.job.or(job);
            let is_empty = page.results.data.is_empty();
            match &mut rows {
                Rows::Batch(all) => {
                    all.extend(page.results.data);
                    // What lies beyond the limit is not needed to know that there is more.
                    if all.len() > limits.rows {
                        break;
                    }
                }
                Rows::Streaming(all) => page.results.data.into_iter().for_each(|change| all.apply(change)),
            }
            // A job that has failed can count as finished, and its first pages come: only the end is success.
            if page.result_type == PageKind::End {
                break;
            }
            path = next(operation, page.next_result_uri)?;
            if is_empty {
                sleep(pause).await;
                pause = pause.mul_f64(1.5).min(LONGEST_PAUSE);
            } else {
                pause = FIRST_PAUSE;
            }
        }
        let rows: Vec<Row> = match rows {
            Rows::Batch(all) => batch_rows(all)?,
            Rows::Streaming(all) => all.rows()?,
        };
        Ok(Answer { table: values::table(&columns, &rows, limits.rows)?, job })
    }
}

/// The path of the next page: of this operation and of no other place.
fn next(operation: &str, uri: Option<String>) -> Result<String, FlinkError> {
    match uri {
        Some(uri) if uri.starts_with(&format!("{operation}/result/")) => Ok(uri),
        Some(_) => Err(FlinkError::Malformed("the next page is not one of this statement".to_string())),
        None => Err(FlinkError::Malformed("an answer breaks off before its end".to_string())),
    }
}

/// A handle that is safe in a path.
fn handle(text: &str) -> Result<&str, FlinkError> {
    let is_plain = !text.is_empty() && text.chars().all(|c| c.is_ascii_alphanumeric() || c == '-');
    if is_plain { Ok(text) } else { Err(FlinkError::Malformed("a handle is no UUID".to_string())) }
}

#[cfg(test)]
mod tests;
