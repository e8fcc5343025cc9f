//! A check for people: a line a metric, then the groups that differ, then what planning trusted.
//! In: a report. Out: text that ends with a newline.

use unisono_compiler::diagnostic::counted;

use super::{PipelineReport, Report};
use crate::check::assumptions::{Kind, Tested};
use crate::check::verdict::{Basis, Cause, GroupDifference, Looser, Outcome, Tolerance, Verdict};
use crate::table::{Value, aligned};

/// The report as text.
pub fn text(report: &Report) -> String {
    let mut parts: Vec<String> = report.pipelines.iter().map(pipeline).collect();
    if !report.assumptions.is_empty() {
        parts.push(assumptions(&report.assumptions));
    }
    parts.join("\n")
}

fn pipeline(pipeline: &PipelineReport) -> String {
    let mut text = format!("{}: {}\n", shown(&pipeline.name), pipeline.verdict().as_str());
    let head = ["metric", "verdict", "cause", "bound"].map(ToString::to_string).to_vec();
    let lines = pipeline.outcomes.iter().map(|outcome| {
        let cause = outcome.cause.map_or("", Cause::as_str);
        vec![
            shown(&outcome.metric),
            outcome.verdict.as_str().to_string(),
            cause.to_string(),
            bound(&outcome.tolerance),
        ]
    });
    text.push_str(&indented(&aligned(&std::iter::once(head).chain(lines).collect::<Vec<_>>())));
    let shared = shared(&pipeline.outcomes);
    if let Some(detail) = shared {
        push(&mut text, &["  every metric: ", &shown(detail)]);
    }
    for outcome in &pipeline.outcomes {
        text.push_str(&details(outcome, shared));
    }
    if let Some(path) = &pipeline.evidence {
        push(&mut text, &["  evidence: ", &shown(path)]);
    }
    text
}

/// A reason that all of several metrics have; it is said once.
fn shared(outcomes: &[Outcome]) -> Option<&str> {
    let (first, others) = outcomes.split_first()?;
    let is_shared = !others.is_empty() && others.iter().all(|other| other.detail == first.detail);
    first.detail.as_deref().filter(|_| is_shared)
}

/// What there is to say of a metric beside its line and the reason that all share.
fn details(outcome: &Outcome, shared: Option<&str>) -> String {
    let mut text = String::new();
    let name = shown(&outcome.metric);
    if let Some(detail) = outcome.detail.as_ref().filter(|_| shared.is_none()) {
        push(&mut text, &["  ", &name, ": ", &shown(detail)]);
    }
    if let Some(late) = &outcome.late {
        let sums = late.sums.iter().map(|(name, value)| format!("{} {}", shown(name), cell(value)));
        let rows = counted(late.count, "late row");
        let parts: Vec<String> = std::iter::once(rows).chain(sums).collect();
        push(&mut text, &["  ", &name, ": ", &parts.join(", ")]);
    }
    if !outcome.groups.is_empty() {
        let totals = &outcome.totals;
        let differ = totals.different + totals.unknown;
        let of_all = counted(totals.groups, "group");
        let counts = format!("{differ} of {of_all} differ, {} shown", outcome.groups.len());
        push(&mut text, &["  ", &name, ": ", &counts]);
        text.push_str(&indented(&indented(&groups(&outcome.groups))));
    }
    text
}

fn groups(groups: &[GroupDifference]) -> String {
    let dimensions = groups.first().map(|group| group.key.iter().map(|(name, _)| shown(name)));
    let values = ["batch", "real-time", "delta", "cause"].map(ToString::to_string);
    let head: Vec<String> = dimensions.into_iter().flatten().chain(values).collect();
    let lines = groups.iter().map(|group| {
        let side = |value: &Option<Value>| value.as_ref().map_or("(no group)".to_string(), cell);
        let delta = group.delta.as_ref().map_or(String::new(), cell);
        let key = group.key.iter().map(|(_, value)| cell(value));
        key.chain([side(&group.left), side(&group.right), delta, group.cause.as_str().to_string()]).collect()
    });
    aligned(&std::iter::once(head).chain(lines).collect::<Vec<Vec<String>>>())
}

/// The bound that was used, and the one that the project sets.
fn bound(tolerance: &Tolerance) -> String {
    let derived = match &tolerance.basis {
        Basis::Exact => "exact".to_string(),
        Basis::Unknown => "unknown".to_string(),
        Basis::Derived { bound, terms: _ } => format!("{bound:.2e}"),
    };
    match tolerance.set {
        None => derived,
        Some(Looser::Absolute(set)) => format!("{derived}, set to {set}"),
        Some(Looser::Relative(set)) => format!("{derived}, set to {set} of the greater"),
    }
}

fn assumptions(tested: &[Tested]) -> String {
    let head = ["assumption", "subject", "holds", "count"].map(ToString::to_string).to_vec();
    let lines = tested.iter().map(|tested| {
        let holds = match (tested.assumption.kind, tested.verdict) {
            (_, Verdict::Different) => "no",
            (_, Verdict::CannotTell | Verdict::Pending) => "cannot-tell",
            (Kind::Orphans, Verdict::Equal | Verdict::WithinTolerance) => "counted",
            (Kind::UniqueKey | Kind::ManyToOne, Verdict::Equal | Verdict::WithinTolerance) => "yes",
        };
        vec![
            tested.assumption.kind.as_str().to_string(),
            shown(&tested.assumption.subject),
            holds.to_string(),
            tested.count.map_or(String::new(), |count| count.to_string()),
        ]
    });
    let mut text = "assumptions\n".to_string();
    text.push_str(&indented(&aligned(&std::iter::once(head).chain(lines).collect::<Vec<_>>())));
    for broken in
        tested.iter().filter(|tested| tested.verdict == Verdict::Different && !tested.rows.is_empty())
    {
        push(&mut text, &["  rows of ", &shown(&broken.assumption.subject)]);
        let head: Vec<String> = broken.columns.iter().map(|name| shown(name)).collect();
        let lines = broken.rows.iter().map(|row| row.iter().map(cell).collect());
        let table = aligned(&std::iter::once(head).chain(lines).collect::<Vec<Vec<String>>>());
        text.push_str(&indented(&indented(&table)));
    }
    text
}

fn cell(value: &Value) -> String {
    match value {
        Value::Null => "NULL".to_string(),
        Value::Boolean(_)
        | Value::Integer(_)
        | Value::Decimal { .. }
        | Value::Float(_)
        | Value::Text(_)
        | Value::Date(_)
        | Value::Time(_)
        | Value::Timestamp(_)
        | Value::Instant(_) => shown(&value.text()),
    }
}

/// Control characters would break the lines and could steer a terminal.
fn shown(text: &str) -> String {
    text.chars()
        .map(|c| if c.is_control() { c.escape_default().to_string() } else { c.to_string() })
        .collect()
}

fn indented(text: &str) -> String {
    text.lines().flat_map(|line| ["  ", line, "\n"]).collect()
}

fn push(text: &mut String, line: &[&str]) {
    text.extend(line.iter().copied());
    text.push('\n');
}
