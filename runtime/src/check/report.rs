//! What people and programs read of a check: text, the JSON of interface.md, JUnit.
//! In: outcomes of pipelines and tested assumptions. Out: text or JSON.

mod junit;
mod text;

pub use junit::junit;
pub use text::text;

use serde_json::{Map, Value as Json, json};

use super::assumptions::Tested;
use super::verdict::{
    Basis, Cause, GroupDifference, Late, Looser, Outcome, Tolerance, Verdict, exit_code, worst,
};
use crate::table::Value;

/// Everything that was checked.
#[derive(Clone, PartialEq, Debug)]
pub struct Report {
    /// Pipelines in the order of the project.
    pub pipelines: Vec<PipelineReport>,
    /// What their plans trusted.
    pub assumptions: Vec<Tested>,
}

/// A pipeline that was checked.
#[derive(Clone, PartialEq, Debug)]
pub struct PipelineReport {
    /// Its name.
    pub name: String,
    /// One a metric.
    pub outcomes: Vec<Outcome>,
    /// Where its evidence was written.
    pub evidence: Option<String>,
}

impl PipelineReport {
    /// The worst verdict of its metrics.
    pub fn verdict(&self) -> Verdict {
        worst(self.outcomes.iter().map(|outcome| outcome.verdict))
    }
}

impl Report {
    /// The exit code: of all metrics, and of broken assumptions.
    pub fn exit_code(&self) -> u8 {
        let metrics = self.pipelines.iter().flat_map(|pipeline| &pipeline.outcomes);
        let judged: Vec<(Verdict, Option<Cause>)> = metrics
            .map(|outcome| (outcome.verdict, outcome.cause))
            .chain(self.assumptions.iter().map(|tested| (tested.verdict, Some(Cause::Assumption))))
            .collect();
        exit_code(&judged)
    }
}

/// The report as programs read it, under `data`.
pub fn json(report: &Report) -> Json {
    let pipelines = report.pipelines.iter().map(|pipeline| {
        json!({
            "name": pipeline.name,
            "verdict": pipeline.verdict().as_str(),
            "metrics": pipeline.outcomes.iter().map(metric).collect::<Vec<_>>(),
            "evidence": pipeline.evidence,
        })
    });
    let assumptions = report.assumptions.iter().map(|tested| {
        let rows = tested.rows.iter().map(|row| named(tested.columns.iter().zip(row)));
        json!({
            "kind": tested.assumption.kind.as_str(),
            "subject": tested.assumption.subject,
            "verdict": tested.verdict.as_str(),
            "count": tested.count,
            "rows": rows.collect::<Vec<_>>(),
        })
    });
    json!({ "pipelines": pipelines.collect::<Vec<_>>(), "assumptions": assumptions.collect::<Vec<_>>() })
}

fn metric(outcome: &Outcome) -> Json {
    let totals = &outcome.totals;
    json!({
        "name": outcome.metric,
        "verdict": outcome.verdict.as_str(),
        "cause": outcome.cause.map(Cause::as_str),
        "detail": outcome.detail,
        "tolerance": tolerance(&outcome.tolerance),
        "totals": {
            "groups": totals.groups,
            "equal": totals.equal,
            "within": totals.within,
            "different": totals.different,
            "unknown": totals.unknown,
            "open": totals.open,
        },
        "groups": outcome.groups.iter().map(group).collect::<Vec<_>>(),
        "late": outcome.late.as_ref().map(late),
    })
}

fn tolerance(tolerance: &Tolerance) -> Json {
    let (basis, bound) = match &tolerance.basis {
        Basis::Exact => ("exact", Json::Null),
        Basis::Unknown => ("unknown", Json::Null),
        Basis::Derived { bound, terms: _ } => ("derived", json!(bound)),
    };
    let set = tolerance.set.map(|set| match set {
        Looser::Absolute(bound) => json!({ "absolute": bound }),
        Looser::Relative(share) => json!({ "relative": share }),
    });
    json!({ "basis": basis, "bound": bound, "set": set })
}

/// A side that lacks the group is null as NULL is; the cause tells them apart.
fn group(group: &GroupDifference) -> Json {
    let value = |value: &Option<Value>| value.as_ref().map(Value::json);
    json!({
        "key": named(group.key.iter().map(|(name, value)| (name, value))),
        "left": value(&group.left),
        "right": value(&group.right),
        "delta": value(&group.delta),
        "cause": group.cause.as_str(),
    })
}

fn late(late: &Late) -> Json {
    json!({ "count": late.count, "sums": named(late.sums.iter().map(|(name, value)| (name, value))) })
}

fn named<'a>(values: impl Iterator<Item = (&'a String, &'a Value)>) -> Json {
    Json::Object(values.map(|(name, value)| (name.clone(), value.json())).collect::<Map<String, Json>>())
}

#[cfg(test)]
mod tests;
