//! Evidence as JSON.
//! In: the facts. Out: a document with its hash.

use serde_json::{Value as Json, json};

use super::field::to_json;
use super::outcome::{late_json, outcome_json};
use super::{Assumed, Evidence, FORMAT, Side};
use crate::check::digest::json_digest;

/// Words in the name of a setting whose value is nobody's business.
const SECRETS: [&str; 6] = ["password", "passwd", "secret", "token", "credential", "access-key"];

pub(super) fn document(evidence: &Evidence) -> Json {
    let tables = evidence.tables.iter().map(|pin| {
        json!({
            "table": pin.table,
            "line": pin.line,
            "rollup": pin.rollup,
            "snapshot": pin.snapshot,
            "schema": pin.schema,
        })
    });
    let epoch = evidence.epoch.as_ref().map(|epoch| {
        let mut json =
            json!({ "number": epoch.number, "watermark": epoch.watermark, "late": late_json(&epoch.late) });
        if let Some(window) = epoch.window {
            json["window"] = json!({ "start": window.start });
        }
        json
    });
    let mut document = json!({
        "format": FORMAT,
        "tool": evidence.tool,
        "pipeline": evidence.pipeline,
        "request": evidence.request,
        "now": evidence.now,
        "zone": evidence.zone,
        "hashes": {
            "model": evidence.hashes.model,
            "project": evidence.hashes.project,
            "pipeline": evidence.hashes.pipeline,
        },
        "sides": { "batch": side(&evidence.left), "realtime": side(&evidence.right) },
        "tables": tables.collect::<Vec<_>>(),
        "epoch": epoch,
        "home_rows": evidence.home_rows,
        "metrics": evidence.outcomes.iter().map(outcome_json).collect::<Vec<_>>(),
        "assumptions": evidence.assumptions.iter().map(assumed).collect::<Vec<_>>(),
    });
    let hash = json_digest(&document);
    if let Some(entries) = document.as_object_mut() {
        entries.insert("sha256".to_string(), json!(hash));
    }
    document
}

/// The value of a setting as it may be kept: not that of one whose name speaks of secrets.
pub fn shown_setting(name: &str, value: &str) -> String {
    let folded = name.to_lowercase().replace('_', "-");
    let is_secret = SECRETS.iter().any(|word| folded.contains(word));
    if is_secret { "(not written)".to_string() } else { value.to_string() }
}

fn side(side: &Side) -> Json {
    let settings = side.settings.iter().map(|(name, value)| json!([name, shown_setting(name, value)]));
    json!({
        "engine": side.engine,
        "version": side.version,
        "settings": settings.collect::<Vec<_>>(),
        "text": side.text,
        "started": side.started,
        "ended": side.ended,
        "rows": side.rows,
        "digest": side.digest,
    })
}

fn assumed(assumed: &Assumed) -> Json {
    let rows = assumed.rows.iter().map(|row| row.iter().map(to_json).collect::<Vec<_>>());
    json!({
        "kind": assumed.kind,
        "subject": assumed.subject,
        "verdict": assumed.verdict.as_str(),
        "count": assumed.count,
        "columns": assumed.columns,
        "rows": rows.collect::<Vec<_>>(),
    })
}
