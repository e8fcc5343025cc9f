//! `doctor`: what is there, what is missing, and how to get it. In: the project, if there is one. Out: a line a finding; nothing is written.

mod flink;
mod starrocks;

use std::path::Path;

use serde_json::{Value, json};

use super::lakehouse::finish;
use crate::engine::datafusion;
use crate::flags::Doctor;
use crate::lake::{Handle, Kind, Lake, Line, TableName};
use crate::models::find_project;
use crate::output::{Outcome, Run};
use crate::pipeline::{kept_by_flink, other_writer};
use crate::project::{EngineKind, Project};
use crate::version::Store;

pub(super) fn run(verb: &Doctor, project: Option<&Path>) -> Outcome {
    finish(verb.format, async |run| look(run, project).await)
}

/// One line of the report.
struct Finding {
    subject: String,
    state: &'static str,
    detail: String,
}

/// What was found at an engine: all that it needs, or the first thing that is missing.
enum Found {
    /// Everything.
    Good(String),
    /// Something to get or to mend.
    Missing(String),
}

async fn look(run: &mut Run, project: Option<&Path>) -> Option<(String, Value)> {
    let mut findings = vec![
        good("unisono", env!("CARGO_PKG_VERSION")),
        good("engine datafusion", &["embedded, batch, ", datafusion::VERSION].concat()),
        good("engine incremental", "embedded, real time: updating pipelines"),
    ];
    let found = find_project(run, project);
    let Some(found) = found else {
        findings.push(missing("project", "no unisono.yaml here or above: unisono init DIR makes one"));
        return Some(report(&findings));
    };
    findings.push(good("project", &found.path.display().to_string()));
    let opened = found
        .project
        .warehouse
        .as_ref()
        .map(|warehouse| Lake::open(&found.directory.join(&warehouse.path.value)));
    let lake = opened.as_ref().and_then(|opened| opened.as_ref().ok());
    for engine in &found.project.engines {
        let subject = format!("engine {}", engine.name.value);
        match &engine.kind {
            EngineKind::DataFusion | EngineKind::Incremental => findings.push(good(&subject, "embedded")),
            EngineKind::Flink { gateway, session, tls } => {
                let gateway = crate::engine::flink::gateway(&gateway.value, session, *tls);
                findings.push(of(&subject, flink::look(gateway, lake.map(Lake::root)).await));
            }
            EngineKind::StarRocks { url, tls, ca, catalog } => {
                let authority = ca.as_ref().map(|path| path.value.as_str());
                let front_end =
                    crate::engine::starrocks::front_end(&url.value, *tls, authority, &found.directory);
                let catalog = catalog.as_ref().map(|catalog| catalog.value.as_str());
                findings.push(of(&subject, starrocks::look(front_end, catalog, lake.map(Lake::root)).await));
            }
        }
    }
    match &opened {
        None => findings
            .push(missing("warehouse", "the project names none: add `warehouse: {path: ./warehouse}`")),
        Some(Err(error)) => {
            let finding = error.diagnostic();
            let help = finding.help.first().cloned().unwrap_or_default();
            findings.push(missing("warehouse", &format!("{}: {help}", finding.message)));
        }
        Some(Ok(lake)) => tables(lake, &found.project, &mut findings).await,
    }
    Some(report(&findings))
}

async fn tables(lake: &Lake, project: &Project, findings: &mut Vec<Finding>) {
    findings.push(good("warehouse", &lake.root().display().to_string()));
    let store = Store::new(lake.root());
    match store.journal() {
        Ok(Some(journal)) => findings.push(warn(
            "merge",
            &format!("a merge of {} was broken off: the next command that works on the warehouse finishes or undoes it", journal.branch),
        )),
        Ok(None) => {}
        Err(wrong) => findings.extend(wrong.iter().map(|finding| warn("merge", &finding.message))),
    }
    let names = match lake.tables(&Line::Main).await {
        Ok(names) => names,
        Err(error) => return findings.push(warn("tables", &error.to_string())),
    };
    for name in names {
        let subject = format!("table {name}");
        match lake.table(&name, &Line::Main).await {
            Err(error) => findings.push(warn(&subject, &error.to_string())),
            Ok(handle) => {
                let key = if handle.primary_key.is_empty() {
                    "no key".to_string()
                } else {
                    format!("key {}", handle.primary_key.join(", "))
                };
                let snapshot =
                    handle.head.snapshot.map_or("empty".to_string(), |id| format!("snapshot {id}"));
                findings.push(good(&subject, &format!("{key}, {snapshot}")));
                findings.extend(others(project, &name, &handle).iter().map(|text| warn(&subject, text)));
                for problem in handle.problems() {
                    let text = format!("{}; {}", problem.text, problem.help);
                    findings.push(match problem.kind {
                        Kind::Read | Kind::Write | Kind::Delete => warn(&subject, &text),
                        // They matter only where Flink reads or writes the table too.
                        Kind::Stream | Kind::TwoWriters => continue,
                    });
                }
            }
        }
    }
}

/// Why the pipelines of a rollup cannot write it.
fn others(project: &Project, name: &TableName, handle: &Handle) -> Vec<String> {
    let kept = project.pipelines.iter().filter_map(|pipeline| {
        let rollup = TableName::parse(&pipeline.rollup.value).ok().filter(|rollup| rollup == name)?;
        let flink = kept_by_flink(project, pipeline);
        let finding = other_writer(&pipeline.name.value, &rollup, flink, &handle.options)?;
        Some(format!("{}; {}", finding.message, finding.help.join("; ")))
    });
    kept.collect()
}

fn of(subject: &str, found: Found) -> Finding {
    match found {
        Found::Good(detail) => good(subject, &detail),
        Found::Missing(detail) => missing(subject, &detail),
    }
}

/// The databases that stand in the folder of a warehouse.
fn databases(warehouse: &Path) -> Vec<String> {
    let Ok(entries) = std::fs::read_dir(warehouse) else { return Vec::new() };
    let names = entries.flatten().map(|entry| entry.file_name().to_string_lossy().into_owned());
    let mut names: Vec<String> =
        names.filter_map(|name| name.strip_suffix(".db").map(ToString::to_string)).collect();
    names.sort();
    names
}

fn good(subject: &str, detail: &str) -> Finding {
    Finding { subject: subject.to_string(), state: "ok", detail: detail.to_string() }
}

fn missing(subject: &str, detail: &str) -> Finding {
    Finding { subject: subject.to_string(), state: "missing", detail: detail.to_string() }
}

fn warn(subject: &str, detail: &str) -> Finding {
    Finding { subject: subject.to_string(), state: "wrong", detail: detail.to_string() }
}

fn report(findings: &[Finding]) -> (String, Value) {
    let width = findings.iter().map(|finding| finding.subject.chars().count()).max().unwrap_or(0);
    let lines: Vec<String> = findings
        .iter()
        .map(|finding| format!("{:<7}  {:<width$}  {}\n", finding.state, finding.subject, finding.detail))
        .collect();
    let data: Vec<Value> = findings
        .iter()
        .map(|finding| json!({"subject": finding.subject, "state": finding.state, "detail": finding.detail}))
        .collect();
    (lines.concat(), json!({ "findings": data }))
}
