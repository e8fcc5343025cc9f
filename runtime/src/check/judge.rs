//! Two answers judged, metric by metric (docs/semantics.md, when two answers are equal).
//! In: a question, both answers, bounds and rules. Out: one outcome a metric.

use std::collections::BTreeMap;

use unisono_compiler::data_type::Exactness;
use unisono_compiler::diagnostic::counted;

use super::align::{Alignment, Group, Key, align};
use super::bound::{Allowed, Term};
use super::exact::{Family, difference, family, same, to_float};
use super::question::{Metric, Question};
use super::verdict::{Basis, Cause, GroupDifference, Late, Looser, Outcome, Tolerance, Totals, Verdict};
use crate::table::{Table, Value};

/// What a judgement takes into account beside the two answers.
pub struct Rules<'a> {
    /// For each key what the metrics may differ by, in their order. Keys may be absent where all metrics are exact.
    pub bounds: &'a BTreeMap<Key, Vec<Allowed>>,
    /// Home rows after `where`, counted by the batch side; `None` where nobody counted.
    pub home_rows: Option<u64>,
    /// Bounds that the project sets, by metric.
    pub looser: &'a [(String, Looser)],
    /// Whether a key belongs to a time bucket that is still open.
    pub is_open: &'a dyn Fn(&[Value]) -> bool,
    /// What open buckets do.
    pub on_open: OnOpen,
    /// Groups listed of each metric.
    pub sample: usize,
}

/// What open buckets do. They are compared in neither case.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum OnOpen {
    /// The verdict is `pending` unless it is worse.
    Pend,
    /// They are left out and counted.
    Exclude,
}

/// What became of one group.
enum Compared {
    Equal,
    Within,
    Different(Cause),
    Unknown,
}

/// Judges the real-time answer (right) by the batch answer (left).
pub fn judge(question: &Question, left: &Table, right: &Table, rules: &Rules<'_>) -> Vec<Outcome> {
    for (table, side) in [(left, "batch"), (right, "real-time")] {
        if table.truncated {
            return cannot_tell(question, Cause::Truncated, &format!("the {side} answer was cut off"));
        }
    }
    for (table, side) in [(left, "batch"), (right, "real-time")] {
        if let Some(why) = emptiness(table, side, rules.home_rows) {
            return cannot_tell(question, Cause::EmptyAnswer, &why);
        }
    }
    let aligned = match align(question, left, right) {
        Ok(aligned) => aligned,
        Err(why) => return question.metrics.iter().map(|metric| mismatch(metric, &why)).collect(),
    };
    let sides = Sides { question, left, right, rules, aligned: &aligned };
    (0..question.metrics.len()).map(|at| sides.metric(at)).collect()
}

/// The same `cannot-tell` for every metric: an engine that failed, a snapshot that moved, a side that is behind.
pub fn cannot_tell(question: &Question, cause: Cause, detail: &str) -> Vec<Outcome> {
    let blank = |metric: &Metric| Outcome {
        verdict: Verdict::CannotTell,
        cause: Some(cause),
        detail: Some(detail.to_string()),
        ..unjudged(metric)
    };
    question.metrics.iter().map(blank).collect()
}

/// Explains differences by late rows: `without` was judged by the batch answer without exactly those rows.
pub fn explain_by_late(all: Vec<Outcome>, without: &[Outcome], late: &Late, accept: bool) -> Vec<Outcome> {
    let explained = |outcome: &Outcome| {
        late.count > 0
            && outcome.verdict == Verdict::Different
            && without.iter().any(|other| other.metric == outcome.metric && other.verdict.passes())
    };
    all.into_iter()
        .map(|outcome| {
            if !explained(&outcome) {
                return outcome;
            }
            let verdict = if accept { Verdict::WithinTolerance } else { Verdict::Different };
            Outcome { verdict, cause: Some(Cause::LateData), late: Some(late.clone()), ..outcome }
        })
        .collect()
}

/// An empty answer proves nothing unless there were no home rows.
fn emptiness(table: &Table, side: &str, home_rows: Option<u64>) -> Option<String> {
    match (table.rows.is_empty(), home_rows) {
        (false, _) | (true, Some(0)) => None,
        (true, Some(rows)) => Some(format!("the {side} answer is empty, and there are {rows} home rows")),
        (true, None) => Some(format!("the {side} answer is empty, and nobody counted the home rows")),
    }
}

fn unjudged(metric: &Metric) -> Outcome {
    Outcome {
        metric: metric.name.clone(),
        verdict: Verdict::Equal,
        cause: None,
        detail: None,
        tolerance: Tolerance { basis: Basis::Exact, set: None },
        totals: Totals::default(),
        groups: Vec::new(),
        late: None,
    }
}

fn mismatch(metric: &Metric, why: &str) -> Outcome {
    Outcome {
        verdict: Verdict::Different,
        cause: Some(Cause::SchemaMismatch),
        detail: Some(why.to_string()),
        ..unjudged(metric)
    }
}

struct Sides<'a> {
    question: &'a Question,
    left: &'a Table,
    right: &'a Table,
    rules: &'a Rules<'a>,
    aligned: &'a Alignment,
}

impl Sides<'_> {
    fn metric(&self, at: usize) -> Outcome {
        let metric = &self.question.metrics[at];
        let columns = match &self.aligned.metrics[at] {
            Ok(columns) => columns,
            Err(why) => return mismatch(metric, why),
        };
        let set = self.rules.looser.iter().find(|(name, _)| *name == metric.name).map(|(_, set)| *set);
        let mut totals = Totals::default();
        let mut widest: Option<(f64, &[Term])> = None;
        let (mut plain, mut unknown) = (Vec::new(), Vec::new());
        let mut worst: Option<Cause> = None;
        let none = Group { key: Key(Vec::new()), left: None, right: None };
        // A one-row answer that is missing on both sides is still one group.
        let only: &[Group] = if self.question.dimensions.is_empty() { &[none] } else { &[] };
        let groups = if self.aligned.groups.is_empty() { only } else { &self.aligned.groups };
        for group in groups {
            totals.groups += 1;
            if (self.rules.is_open)(&group.key.0) {
                totals.open += 1;
                continue;
            }
            let allowed = self.allowed(at, &group.key);
            if let Allowed::Within { bound, terms } = allowed
                && widest.is_none_or(|(widest, _)| *bound > widest)
            {
                widest = Some((*bound, terms));
            }
            let left = self.value(group.left.map(|found| &self.left.rows[found.first][columns.left]), metric);
            let right =
                self.value(group.right.map(|found| &self.right.rows[found.first][columns.right]), metric);
            let compared = self.compare(metric, group, (left.as_ref(), right.as_ref()), allowed, set);
            let (list, cause) = match compared {
                Compared::Equal => {
                    totals.equal += 1;
                    continue;
                }
                Compared::Within => {
                    totals.within += 1;
                    continue;
                }
                Compared::Different(cause) => {
                    totals.different += 1;
                    worst = Some(worst.map_or(cause, |known| known.min(cause)));
                    (&mut plain, cause)
                }
                Compared::Unknown => {
                    totals.unknown += 1;
                    (&mut unknown, Cause::UnknownBound)
                }
            };
            if list.len() < self.rules.sample {
                list.push(self.difference(&group.key, left, right, cause));
            }
        }
        plain.append(&mut unknown);
        plain.truncate(self.rules.sample);
        let (verdict, cause) = self.verdict(&totals, worst);
        let basis = match (metric.class, widest) {
            (Exactness::Exact, _) => Basis::Exact,
            (_, Some((bound, terms))) => Basis::Derived { bound, terms: terms.to_vec() },
            (_, None) if totals.unknown == 0 => Basis::Exact,
            (_, None) => Basis::Unknown,
        };
        let detail = (totals.open > 0).then(|| counted(totals.open, "group") + " of open buckets");
        Outcome {
            metric: metric.name.clone(),
            verdict,
            cause,
            detail,
            tolerance: Tolerance { basis, set },
            totals,
            groups: plain,
            late: None,
        }
    }

    fn verdict(&self, totals: &Totals, worst: Option<Cause>) -> (Verdict, Option<Cause>) {
        if totals.different > 0 {
            (Verdict::Different, worst)
        } else if totals.unknown > 0 {
            (Verdict::CannotTell, Some(Cause::UnknownBound))
        } else if totals.open > 0 && self.rules.on_open == OnOpen::Pend {
            (Verdict::Pending, None)
        } else if totals.within > 0 {
            (Verdict::WithinTolerance, None)
        } else {
            (Verdict::Equal, None)
        }
    }

    fn allowed(&self, at: usize, key: &Key) -> &Allowed {
        match self.question.metrics[at].class {
            Exactness::Exact => &Allowed::Exact,
            Exactness::Rounding
            | Exactness::Approximate
            | Exactness::Divergent
            | Exactness::Nondeterministic => {
                self.rules.bounds.get(key).and_then(|bounds| bounds.get(at)).unwrap_or(&Allowed::Unknown)
            }
        }
    }

    /// The value of a row; the single row of a request without dimensions is never missing but empty.
    fn value(&self, found: Option<&Value>, metric: &Metric) -> Option<Value> {
        match found {
            Some(value) => Some(value.clone()),
            None if self.question.dimensions.is_empty() => metric.empty.clone(),
            None => None,
        }
    }

    fn compare(
        &self,
        metric: &Metric,
        group: &Group,
        values: (Option<&Value>, Option<&Value>),
        allowed: &Allowed,
        set: Option<Looser>,
    ) -> Compared {
        if [group.left, group.right].into_iter().flatten().any(|found| found.rows > 1) {
            return Compared::Different(Cause::DuplicateKey);
        }
        let compared = match values {
            (Some(left), Some(right)) => compare_values(left, right, allowed, set),
            // The single row is missing, and what it would hold is not known.
            (None, _) | (_, None) if self.question.dimensions.is_empty() => Compared::Unknown,
            (Some(_), None) => Compared::Different(Cause::MissingGroup),
            (None, Some(_)) => Compared::Different(Cause::ExtraGroup),
            (None, None) => Compared::Equal,
        };
        match compared {
            // Equal by chance: the value is no function of the input.
            Compared::Equal | Compared::Within if metric.class == Exactness::Nondeterministic => {
                Compared::Unknown
            }
            // A home row may count in another group on each engine, or in none.
            Compared::Different(Cause::Value | Cause::MissingGroup | Cause::ExtraGroup)
                if self.question.grouping != Exactness::Exact =>
            {
                Compared::Unknown
            }
            Compared::Equal | Compared::Within | Compared::Different(_) | Compared::Unknown => compared,
        }
    }

    fn difference(
        &self,
        key: &Key,
        left: Option<Value>,
        right: Option<Value>,
        cause: Cause,
    ) -> GroupDifference {
        let delta = left.as_ref().zip(right.as_ref()).and_then(|(left, right)| difference(left, right));
        let key = self.question.dimensions.iter().cloned().zip(key.0.iter().cloned()).collect();
        GroupDifference { key, left, right, delta, cause }
    }
}

fn compare_values(left: &Value, right: &Value, allowed: &Allowed, set: Option<Looser>) -> Compared {
    if same(left, right) {
        return Compared::Equal;
    }
    match (family(left), family(right)) {
        (Some(Family::Number), Some(Family::Number)) => {
            let distance = difference(left, right).map_or(f64::NAN, |delta| to_float(&delta).abs());
            let is_derived = matches!(allowed, Allowed::Within { bound, terms: _ } if distance <= *bound);
            if is_derived || set.is_some_and(|set| distance <= reach(set, left, right)) {
                return Compared::Within;
            }
        }
        (Some(one), Some(other)) if one != other => return Compared::Different(Cause::SchemaMismatch),
        (Some(_) | None, Some(_) | None) => {}
    }
    match allowed {
        // A bound set by the project decides what no derived one can.
        Allowed::Unknown if set.is_none() => Compared::Unknown,
        Allowed::Unknown | Allowed::Exact | Allowed::Within { .. } => Compared::Different(Cause::Value),
    }
}

/// How far apart two values may be by a bound that is set. Infinite values are never near anything.
fn reach(set: Looser, left: &Value, right: &Value) -> f64 {
    match set {
        Looser::Absolute(bound) => bound,
        Looser::Relative(share) => {
            let greatest = to_float(left).abs().max(to_float(right).abs());
            if greatest.is_finite() { share * greatest } else { 0.0 }
        }
    }
}

#[cfg(test)]
mod tests;
