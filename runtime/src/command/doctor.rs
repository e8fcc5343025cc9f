//! `doctor`: what is there, what is missing, and how to get it. In: the project, if there is one. Out: a line a finding; nothing is written.

mod flink;

use std::path::Path;

use serde_json::{Value, json};

use super::lakehouse::finish;
use crate::engine::datafusion;
use crate::flags::Doctor;
use crate::lake::{Kind, Lake, Line};
use crate::models::find_project;
use crate::output::{Outcome, Run};
use crate::project::EngineKind;
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
                findings.push(match flink::look(gateway, lake.map(Lake::root)).await {
                    flink::Found::Good(detail) => good(&subject, &detail),
                    flink::Found::Missing(detail) => missing(&subject, &detail),
                });
            }
            EngineKind::StarRocks { .. } => findings.push(missing(
                &subject,
                "StarRocks is a target of `compile` and `sql` only: it cannot be asked yet",
            )),
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
        Some(Ok(lake)) => tables(lake, &mut findings).await,
    }
    Some(report(&findings))
}

async fn tables(lake: &Lake, findings: &mut Vec<Finding>) {
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
