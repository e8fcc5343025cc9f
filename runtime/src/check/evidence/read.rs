//! Evidence read back.
//! In: JSON. Out: the facts, or the first place that is not as evidence is written.

use std::fmt;

use serde_json::{Value as Json, json};

use super::field::from_json;
use super::outcome::{late_from, outcome_from};
use super::{Assumed, Epoch, Evidence, FORMAT, Hashes, Side, TablePin, WindowStart};
use crate::check::digest::json_digest;
use crate::check::verdict::Verdict;

/// Why a document is no evidence.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct EvidenceError {
    /// Where, as in `sides.batch.rows`; empty for the whole document.
    pub path: String,
    /// What is wrong.
    pub message: String,
}

impl fmt::Display for EvidenceError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.path.is_empty() {
            f.write_str(&self.message)
        } else {
            write!(f, "`{}`: {}", self.path, self.message)
        }
    }
}

impl std::error::Error for EvidenceError {}

pub(super) fn fault(path: &str, message: &str) -> EvidenceError {
    EvidenceError { path: path.to_string(), message: message.to_string() }
}

pub(super) fn evidence(document: &Json) -> Result<Evidence, EvidenceError> {
    let root = At { path: String::new(), json: document };
    check_format(&root)?;
    check_hash(document)?;
    let (hashes, sides) = (root.get("hashes")?, root.get("sides")?);
    Ok(Evidence {
        tool: root.text("tool")?,
        pipeline: root.text("pipeline")?,
        request: root.get("request")?.json.clone(),
        now: root.text("now")?,
        zone: root.text("zone")?,
        hashes: Hashes {
            model: hashes.text("model")?,
            project: hashes.text("project")?,
            pipeline: hashes.text("pipeline")?,
        },
        left: side(&sides.get("batch")?)?,
        right: side(&sides.get("realtime")?)?,
        tables: root.list("tables", pin)?,
        epoch: root.optional("epoch", epoch)?,
        home_rows: root.optional("home_rows", At::count)?,
        outcomes: root.list("metrics", outcome_from)?,
        assumptions: root.list("assumptions", assumed)?,
    })
}

fn check_format(root: &At<'_>) -> Result<(), EvidenceError> {
    let found = root.text("format")?;
    if found == FORMAT {
        return Ok(());
    }
    Err(fault("format", &format!("this version reads `{FORMAT}`, and the document is `{found}`")))
}

/// The hash is of everything else in the document, so that a changed one is known as such.
fn check_hash(document: &Json) -> Result<(), EvidenceError> {
    let mut rest = document.clone();
    let written = rest.as_object_mut().and_then(|entries| entries.remove("sha256"));
    if written == Some(json!(json_digest(&rest))) {
        return Ok(());
    }
    Err(fault("sha256", "the hash is not that of the document, which was changed after it was written"))
}

fn side(at: &At<'_>) -> Result<Side, EvidenceError> {
    Ok(Side {
        engine: at.text("engine")?,
        version: at.text("version")?,
        settings: at.list("settings", pair)?,
        text: at.text("text")?,
        started: at.text("started")?,
        ended: at.text("ended")?,
        rows: at.optional("rows", At::count)?,
        digest: at.optional("digest", At::as_text)?,
    })
}

fn pair(at: &At<'_>) -> Result<(String, String), EvidenceError> {
    let items = at.json.as_array().map(Vec::as_slice);
    match items {
        Some([Json::String(name), Json::String(value)]) => Ok((name.clone(), value.clone())),
        Some(_) | None => Err(fault(&at.path, "expected a name and a value, both text")),
    }
}

fn pin(at: &At<'_>) -> Result<TablePin, EvidenceError> {
    Ok(TablePin {
        table: at.text("table")?,
        line: at.text("line")?,
        rollup: at.get("rollup")?.truth()?,
        snapshot: at.optional("snapshot", At::number)?,
        schema: at.get("schema")?.number()?,
    })
}

fn epoch(at: &At<'_>) -> Result<Epoch, EvidenceError> {
    Ok(Epoch {
        number: at.get("number")?.number()?,
        watermark: at.optional("watermark", At::as_text)?,
        late: late_from(&at.get("late")?)?,
        window: at
            .added("window", |window| Ok(WindowStart { start: window.optional("start", At::number)? }))?,
    })
}

fn assumed(at: &At<'_>) -> Result<Assumed, EvidenceError> {
    let cells = |row: &At<'_>| row.items(|cell| from_json(cell.json, &cell.path));
    Ok(Assumed {
        kind: at.text("kind")?,
        subject: at.text("subject")?,
        verdict: verdict(at)?,
        count: at.optional("count", At::count)?,
        columns: at.list("columns", At::as_text)?,
        rows: at.list("rows", cells)?,
    })
}

pub(super) fn verdict(at: &At<'_>) -> Result<Verdict, EvidenceError> {
    let word = at.text("verdict")?;
    Verdict::parse(&word).ok_or_else(|| fault(&at.below("verdict"), &format!("`{word}` is no verdict")))
}

/// A place in the document.
pub(super) struct At<'a> {
    pub(super) path: String,
    pub(super) json: &'a Json,
}

impl<'a> At<'a> {
    pub(super) fn below(&self, key: &str) -> String {
        if self.path.is_empty() { key.to_string() } else { format!("{}.{key}", self.path) }
    }

    pub(super) fn get(&self, key: &str) -> Result<At<'a>, EvidenceError> {
        let entries = self.json.as_object().ok_or_else(|| fault(&self.path, "expected an object"))?;
        let found = entries.get(key).ok_or_else(|| fault(&self.path, &format!("`{key}` is missing")))?;
        Ok(At { path: self.below(key), json: found })
    }

    /// `None` for null; the key itself must be there.
    pub(super) fn optional<T>(
        &self,
        key: &str,
        read: impl Fn(&At<'a>) -> Result<T, EvidenceError>,
    ) -> Result<Option<T>, EvidenceError> {
        let found = self.get(key)?;
        if found.json.is_null() { Ok(None) } else { read(&found).map(Some) }
    }

    /// `None` for a key that older documents do not have.
    fn added<T>(
        &self,
        key: &str,
        read: impl Fn(&At<'a>) -> Result<T, EvidenceError>,
    ) -> Result<Option<T>, EvidenceError> {
        if self.json.get(key).is_some() { self.optional(key, read) } else { Ok(None) }
    }

    pub(super) fn list<T>(
        &self,
        key: &str,
        read: impl Fn(&At<'a>) -> Result<T, EvidenceError>,
    ) -> Result<Vec<T>, EvidenceError> {
        self.get(key)?.items(read)
    }

    pub(super) fn items<T>(
        &self,
        read: impl Fn(&At<'a>) -> Result<T, EvidenceError>,
    ) -> Result<Vec<T>, EvidenceError> {
        let items = self.json.as_array().ok_or_else(|| fault(&self.path, "expected a list"))?;
        let place = |(index, json)| At { path: format!("{}[{index}]", self.path), json };
        items.iter().enumerate().map(place).map(|at| read(&at)).collect()
    }

    pub(super) fn text(&self, key: &str) -> Result<String, EvidenceError> {
        self.get(key)?.as_text()
    }

    pub(super) fn as_text(&self) -> Result<String, EvidenceError> {
        self.json.as_str().map(ToString::to_string).ok_or_else(|| fault(&self.path, "expected text"))
    }

    pub(super) fn number(&self) -> Result<i64, EvidenceError> {
        self.json.as_i64().ok_or_else(|| fault(&self.path, "expected an integer"))
    }

    pub(super) fn count(&self) -> Result<u64, EvidenceError> {
        self.json.as_u64().ok_or_else(|| fault(&self.path, "expected an integer from 0 up"))
    }

    pub(super) fn truth(&self) -> Result<bool, EvidenceError> {
        self.json.as_bool().ok_or_else(|| fault(&self.path, "expected true or false"))
    }
}
