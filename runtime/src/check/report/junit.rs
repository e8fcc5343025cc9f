//! A check as JUnit XML: a suite a pipeline, a case a metric, a suite of assumptions.
//! In: a report. Out: XML. Only what passes is a passing case.

use unisono_compiler::diagnostic::counted;

use super::Report;
use crate::check::assumptions::Tested;
use crate::check::verdict::{Cause, Outcome, Verdict};

/// A case as XML needs it.
struct Case {
    name: String,
    verdict: Verdict,
    cause: String,
    message: String,
}

/// The report as JUnit XML.
pub fn junit(report: &Report) -> String {
    let mut text = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites>\n".to_string();
    for pipeline in &report.pipelines {
        let cases: Vec<Case> = pipeline.outcomes.iter().map(of_metric).collect();
        text.push_str(&suite(&pipeline.name, &cases));
    }
    if !report.assumptions.is_empty() {
        let cases: Vec<Case> = report.assumptions.iter().map(of_assumption).collect();
        text.push_str(&suite("assumptions", &cases));
    }
    text.push_str("</testsuites>\n");
    text
}

fn of_metric(outcome: &Outcome) -> Case {
    let totals = &outcome.totals;
    let differ =
        format!("{} of {} differ", totals.different + totals.unknown, counted(totals.groups, "group"));
    Case {
        name: outcome.metric.clone(),
        verdict: outcome.verdict,
        cause: outcome.cause.map_or("", Cause::as_str).to_string(),
        message: outcome.detail.clone().unwrap_or(differ),
    }
}

fn of_assumption(tested: &Tested) -> Case {
    let count = tested.count.map_or("not counted".to_string(), |count| format!("{count} counted"));
    Case {
        name: format!("{} {}", tested.assumption.kind.as_str(), tested.assumption.subject),
        verdict: tested.verdict,
        cause: Cause::Assumption.as_str().to_string(),
        message: count,
    }
}

fn suite(name: &str, cases: &[Case]) -> String {
    let failures = cases.iter().filter(|case| case.verdict == Verdict::Different).count();
    let passes = cases.iter().filter(|case| case.verdict.passes()).count();
    let errors = cases.len() - failures - passes;
    let name = escaped(name);
    let lines = cases.iter().map(|case| {
        let head = format!("    <testcase classname=\"{name}\" name=\"{}\"", escaped(&case.name));
        let element = match case.verdict {
            Verdict::Equal | Verdict::WithinTolerance => return format!("{head}/>\n"),
            Verdict::Different => "failure",
            // Skipped cases pass in most readers, and these prove nothing.
            Verdict::Pending | Verdict::CannotTell => "error",
        };
        let kind = if case.cause.is_empty() { case.verdict.as_str() } else { &case.cause };
        let (kind, message) =
            (escaped(kind), escaped(&format!("{}: {}", case.verdict.as_str(), case.message)));
        format!("{head}>\n      <{element} type=\"{kind}\" message=\"{message}\"/>\n    </testcase>\n")
    });
    let body: String = lines.collect();
    format!(
        "  <testsuite name=\"{name}\" tests=\"{}\" failures=\"{failures}\" errors=\"{errors}\">\n{body}  </testsuite>\n",
        cases.len()
    )
}

/// Text in an attribute. XML has no form for control characters but line breaks and tabs.
fn escaped(text: &str) -> String {
    text.chars()
        .map(|c| match c {
            '&' => "&amp;".to_string(),
            '<' => "&lt;".to_string(),
            '>' => "&gt;".to_string(),
            '"' => "&quot;".to_string(),
            '\n' | '\t' | '\r' => format!("&#{};", u32::from(c)),
            _ if c.is_control() || matches!(c, '\u{fffe}' | '\u{ffff}') => '\u{fffd}'.to_string(),
            _ => c.to_string(),
        })
        .collect()
}
