//! Outcomes as they stand in evidence, and read back.
//! In: outcomes, or JSON. Out: the other.

use serde_json::{Value as Json, json};

use super::field::{float_from, float_json, from_json, to_json};
use super::read::{At, EvidenceError, fault, verdict};
use crate::check::bound::Term;
use crate::check::verdict::{Basis, Cause, GroupDifference, Late, Looser, Outcome, Tolerance, Totals};
use crate::table::Value;

pub(super) fn outcome_json(outcome: &Outcome) -> Json {
    let totals = &outcome.totals;
    json!({
        "name": outcome.metric,
        "verdict": outcome.verdict.as_str(),
        "cause": outcome.cause.map(Cause::as_str),
        "detail": outcome.detail,
        "tolerance": tolerance_json(&outcome.tolerance),
        "totals": {
            "groups": totals.groups,
            "equal": totals.equal,
            "within": totals.within,
            "different": totals.different,
            "unknown": totals.unknown,
            "open": totals.open,
        },
        "groups": outcome.groups.iter().map(group_json).collect::<Vec<_>>(),
        "late": outcome.late.as_ref().map(late_json),
    })
}

pub(super) fn outcome_from(at: &At<'_>) -> Result<Outcome, EvidenceError> {
    let totals = at.get("totals")?;
    let count = |key: &str| totals.get(key)?.count();
    Ok(Outcome {
        metric: at.text("name")?,
        verdict: verdict(at)?,
        cause: at.optional("cause", cause)?,
        detail: at.optional("detail", At::as_text)?,
        tolerance: tolerance_from(&at.get("tolerance")?)?,
        totals: Totals {
            groups: count("groups")?,
            equal: count("equal")?,
            within: count("within")?,
            different: count("different")?,
            unknown: count("unknown")?,
            open: count("open")?,
        },
        groups: at.list("groups", group_from)?,
        late: at.optional("late", late_from)?,
    })
}

fn cause(at: &At<'_>) -> Result<Cause, EvidenceError> {
    let word = at.as_text()?;
    Cause::parse(&word).ok_or_else(|| fault(&at.path, &format!("`{word}` is no cause")))
}

fn tolerance_json(tolerance: &Tolerance) -> Json {
    let (basis, bound, terms) = match &tolerance.basis {
        Basis::Exact => ("exact", Json::Null, Vec::new()),
        Basis::Unknown => ("unknown", Json::Null, Vec::new()),
        Basis::Derived { bound, terms } => {
            ("derived", float_json(*bound), terms.iter().map(term_json).collect())
        }
    };
    let set = tolerance.set.map(|set| match set {
        Looser::Absolute(bound) => json!({ "absolute": float_json(bound) }),
        Looser::Relative(share) => json!({ "relative": float_json(share) }),
    });
    json!({ "basis": basis, "bound": bound, "terms": terms, "set": set })
}

fn term_json(term: &Term) -> Json {
    json!({ "aggregate": term.aggregate, "n": term.n, "magnitude": float_json(term.magnitude) })
}

fn tolerance_from(at: &At<'_>) -> Result<Tolerance, EvidenceError> {
    let double = |at: &At<'_>| float_from(at.json, &at.path);
    let basis = match at.text("basis")?.as_str() {
        "exact" => Basis::Exact,
        "unknown" => Basis::Unknown,
        "derived" => {
            Basis::Derived { bound: double(&at.get("bound")?)?, terms: at.list("terms", term_from)? }
        }
        other => return Err(fault(&at.below("basis"), &format!("`{other}` is no basis of a bound"))),
    };
    let set = at.optional("set", |set| match set.get("absolute") {
        Ok(bound) => double(&bound).map(Looser::Absolute),
        Err(_) => double(&set.get("relative")?).map(Looser::Relative),
    })?;
    Ok(Tolerance { basis, set })
}

fn term_from(at: &At<'_>) -> Result<Term, EvidenceError> {
    let magnitude = at.get("magnitude")?;
    Ok(Term {
        aggregate: at.text("aggregate")?,
        n: at.get("n")?.count()?,
        magnitude: float_from(magnitude.json, &magnitude.path)?,
    })
}

/// A side that lacks the group has no key `left` or `right`; NULL is null.
fn group_json(group: &GroupDifference) -> Json {
    let mut written = json!({ "key": named_json(&group.key), "cause": group.cause.as_str() });
    if let Some(entries) = written.as_object_mut() {
        for (name, value) in [("left", &group.left), ("right", &group.right), ("delta", &group.delta)] {
            if let Some(value) = value {
                entries.insert(name.to_string(), to_json(value));
            }
        }
    }
    written
}

fn group_from(at: &At<'_>) -> Result<GroupDifference, EvidenceError> {
    let value = |key: &str| match at.get(key) {
        Ok(found) => from_json(found.json, &found.path).map(Some),
        Err(_) => Ok(None),
    };
    Ok(GroupDifference {
        key: at.list("key", named_from)?,
        left: value("left")?,
        right: value("right")?,
        delta: value("delta")?,
        cause: cause(&at.get("cause")?)?,
    })
}

pub(super) fn late_json(late: &Late) -> Json {
    json!({ "count": late.count, "sums": named_json(&late.sums) })
}

pub(super) fn late_from(at: &At<'_>) -> Result<Late, EvidenceError> {
    Ok(Late { count: at.get("count")?.count()?, sums: at.list("sums", named_from)? })
}

/// A list keeps the order of dimensions.
fn named_json(values: &[(String, Value)]) -> Json {
    values.iter().map(|(name, value)| json!([name, to_json(value)])).collect()
}

fn named_from(at: &At<'_>) -> Result<(String, Value), EvidenceError> {
    match at.json.as_array().map(Vec::as_slice) {
        Some([Json::String(name), value]) => {
            Ok((name.clone(), from_json(value, &format!("{}[1]", at.path))?))
        }
        Some(_) | None => Err(fault(&at.path, "expected a name and a value")),
    }
}
