//! What planning trusted: keys that are unique, sides of relationships that have one row a key.
//! In: a resolved model and a plan; later what was counted on the data. Out: what to count, and the metrics that rest on it.

mod rests;

use unisono_compiler::diagnostic::counted;
use unisono_compiler::ids::{ColumnId, DatasetId, RelationshipId, SlotId};
use unisono_compiler::plan::{Node, Plan};
use unisono_compiler::resolve::{Cardinality, Resolved};

use super::question::Question;
use super::verdict::{Cause, Outcome, Verdict};
use crate::table::Value;

/// What is assumed.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Kind {
    /// The columns hold no value twice; rows with a NULL among them are no key.
    UniqueKey,
    /// The `to` side of a relationship has at most one row a key.
    ManyToOne,
    /// Rows whose key is on no row of the other side; counted, never broken.
    Orphans,
}

impl Kind {
    /// Every kind.
    pub const ALL: [Kind; 3] = [Kind::UniqueKey, Kind::ManyToOne, Kind::Orphans];

    /// The word in output.
    pub fn as_str(self) -> &'static str {
        match self {
            Kind::UniqueKey => "unique-key",
            Kind::ManyToOne => "many-to-one",
            Kind::Orphans => "orphans",
        }
    }

    /// The kind of a word.
    pub fn parse(word: &str) -> Option<Kind> {
        Kind::ALL.into_iter().find(|kind| kind.as_str() == word)
    }
}

/// Something to count on the data.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Assumption {
    /// What is assumed.
    pub kind: Kind,
    /// Whose rows are counted: the side with the key, or the one that may have orphans.
    pub dataset: DatasetId,
    /// The key, or the columns that the relationship joins on at this dataset.
    pub columns: Vec<ColumnId>,
    /// The relationship walked; its other side is where orphans are looked for.
    pub relationship: Option<RelationshipId>,
    /// For people: `customers(id)`, or `orders(customer_id) -> customers(id)`.
    pub subject: String,
    /// The metrics that rest on it.
    pub metrics: Vec<String>,
}

/// An assumption with what was counted.
#[derive(Clone, PartialEq, Debug)]
pub struct Tested {
    /// What was assumed.
    pub assumption: Assumption,
    /// `equal` if it holds, `different` if it is broken, `cannot-tell` if nobody could count.
    pub verdict: Verdict,
    /// Keys that stand more than once, or orphans; `None` if nobody could count.
    pub count: Option<u64>,
    /// Names of the columns of `rows`.
    pub columns: Vec<String>,
    /// Some of the rows with such keys.
    pub rows: Vec<Vec<Value>>,
}

/// What the metrics of a plan rest on, in the order of the plan's steps, each once.
pub fn assumptions(resolved: &Resolved, plan: &Plan, question: &Question) -> Vec<Assumption> {
    let mut found: Vec<Assumption> = Vec::new();
    let metrics = plan.output.iter().filter_map(|output| {
        let metric = question.metrics.iter().find(|metric| metric.name == output.name)?;
        Some((metric.name.clone(), rests::nodes_behind(plan, output.slot)))
    });
    let metrics: Vec<(String, Vec<_>)> = metrics.collect();
    for (id, node) in plan.nodes.iter() {
        let resting: Vec<String> =
            metrics.iter().filter(|(_, nodes)| nodes.contains(&id)).map(|(name, _)| name.clone()).collect();
        if resting.is_empty() {
            continue;
        }
        for mut assumption in of_node(resolved, plan, node) {
            let known = found.iter_mut().find(|known| {
                (known.kind, known.dataset, &known.columns, known.relationship)
                    == (assumption.kind, assumption.dataset, &assumption.columns, assumption.relationship)
            });
            match known {
                Some(known) => {
                    let new = resting.iter().filter(|name| !known.metrics.contains(name)).cloned();
                    let new: Vec<String> = new.collect();
                    known.metrics.extend(new);
                }
                None => {
                    assumption.metrics.clone_from(&resting);
                    found.push(assumption);
                }
            }
        }
    }
    found
}

/// The assumption with what was counted: `None` if that failed.
pub fn test(
    assumption: Assumption,
    count: Option<u64>,
    columns: Vec<String>,
    rows: Vec<Vec<Value>>,
) -> Tested {
    let verdict = match (assumption.kind, count) {
        (_, None) => Verdict::CannotTell,
        (Kind::Orphans, Some(_)) | (_, Some(0)) => Verdict::Equal,
        (Kind::UniqueKey | Kind::ManyToOne, Some(_)) => Verdict::Different,
    };
    Tested { assumption, verdict, count, columns, rows }
}

/// The outcomes of one pipeline, none of which is told where what it rests on is broken. Where nobody could count, those
/// that would pass are not told.
pub fn judge_with(outcomes: Vec<Outcome>, tested: &[Tested]) -> Vec<Outcome> {
    let doubt = |outcome: &Outcome| {
        let rests = |tested: &&Tested| tested.assumption.metrics.contains(&outcome.metric);
        let broken = tested.iter().filter(rests).find(|tested| tested.verdict == Verdict::Different);
        let open = || {
            let untested = |tested: &&Tested| {
                tested.assumption.kind != Kind::Orphans && tested.verdict == Verdict::CannotTell
            };
            tested.iter().filter(rests).filter(|_| outcome.verdict.passes()).find(untested)
        };
        broken.or_else(open).map(describe)
    };
    outcomes
        .into_iter()
        .map(|outcome| match doubt(&outcome) {
            Some(detail) => Outcome {
                verdict: Verdict::CannotTell,
                cause: Some(Cause::Assumption),
                detail: Some(detail),
                ..outcome
            },
            None => outcome,
        })
        .collect()
}

fn describe(tested: &Tested) -> String {
    let subject = &tested.assumption.subject;
    match tested.count {
        None => format!("nobody could count the keys of `{subject}`"),
        Some(count) => {
            let stands = if count == 1 { "stands" } else { "stand" };
            format!("{} of `{subject}` {stands} more than once", counted(count, "key"))
        }
    }
}

/// The columns of a dataset that two sides are joined on.
struct End {
    dataset: DatasetId,
    columns: Vec<ColumnId>,
}

fn of_node(resolved: &Resolved, plan: &Plan, node: &Node) -> Vec<Assumption> {
    match node {
        Node::Enrich { input: _, far: _, relationship, on } => {
            let (Some(near), Some(far)) = (end(resolved, plan, on, 0), end(resolved, plan, on, 1)) else {
                return Vec::new();
            };
            let key = key_within(resolved, &far).map(|key| unique(resolved, far.dataset, key));
            let many = joined(resolved, Kind::ManyToOne, *relationship, (&near, &far));
            let orphans = joined(resolved, Kind::Orphans, *relationship, (&near, &far));
            key.into_iter().chain([many, orphans]).collect()
        }
        // Far rows repeat home rows, and the home's key brings them back to one.
        Node::Fan { input: _, far: _, on } => {
            let (Some(home), Some(far)) = (end(resolved, plan, on, 0), end(resolved, plan, on, 1)) else {
                return Vec::new();
            };
            let key = resolved.identity(home.dataset).map(|key| unique(resolved, home.dataset, key));
            let many = relationship_of(resolved, &far, &home)
                .map(|found| joined(resolved, Kind::ManyToOne, found, (&far, &home)));
            key.into_iter().chain(many).collect()
        }
        Node::Scan { .. }
        | Node::Compute { .. }
        | Node::Filter { .. }
        | Node::Aggregate { .. }
        | Node::Pick { .. }
        | Node::Distinct { .. }
        | Node::Stitch { .. }
        | Node::Attach { .. } => Vec::new(),
    }
}

fn end(resolved: &Resolved, plan: &Plan, on: &[(SlotId, SlotId)], side: usize) -> Option<End> {
    let slots = on.iter().map(|(near, far)| if side == 0 { *near } else { *far });
    let columns: Vec<ColumnId> = slots.map(|slot| rests::column_of(plan, slot)).collect::<Option<_>>()?;
    let dataset = resolved.columns.get(*columns.first()?)?.dataset;
    Some(End { dataset, columns })
}

/// The declared key that makes the columns single.
fn key_within<'a>(resolved: &'a Resolved, end: &End) -> Option<&'a [ColumnId]> {
    let keys = resolved.keys.get(end.dataset)?;
    keys.iter().find(|key| key.iter().all(|column| end.columns.contains(column))).map(Vec::as_slice)
}

/// The relationship that makes `one` single for each row of `many`, by the columns joined on.
fn relationship_of(resolved: &Resolved, many: &End, one: &End) -> Option<RelationshipId> {
    let mut pairs: Vec<_> = many.columns.iter().zip(&one.columns).collect();
    pairs.sort_unstable();
    let joins = |from: &End, on: &[(ColumnId, ColumnId)]| {
        let mut found: Vec<_> =
            on.iter().map(|(a, b)| if from.dataset == many.dataset { (a, b) } else { (b, a) }).collect();
        found.sort_unstable();
        found == pairs
    };
    let found = resolved.relationships.iter().find(|(_, candidate)| {
        let ends = (candidate.from, candidate.to);
        let forwards = ends == (many.dataset, one.dataset)
            && matches!(candidate.cardinality, Cardinality::ManyToOne | Cardinality::OneToOne);
        let backwards = ends == (one.dataset, many.dataset)
            && matches!(candidate.cardinality, Cardinality::OneToMany | Cardinality::OneToOne);
        forwards && joins(many, &candidate.on) || backwards && joins(one, &candidate.on)
    });
    found.map(|(id, _)| id)
}

fn unique(resolved: &Resolved, dataset: DatasetId, key: &[ColumnId]) -> Assumption {
    Assumption {
        kind: Kind::UniqueKey,
        dataset,
        columns: key.to_vec(),
        relationship: None,
        subject: named(resolved, dataset, key),
        metrics: Vec::new(),
    }
}

fn joined(resolved: &Resolved, kind: Kind, relationship: RelationshipId, ends: (&End, &End)) -> Assumption {
    let (near, far) = ends;
    let counted = match kind {
        Kind::UniqueKey | Kind::ManyToOne => far,
        Kind::Orphans => near,
    };
    let side = |end: &End| named(resolved, end.dataset, &end.columns);
    Assumption {
        kind,
        dataset: counted.dataset,
        columns: counted.columns.clone(),
        relationship: Some(relationship),
        subject: format!("{} -> {}", side(near), side(far)),
        metrics: Vec::new(),
    }
}

/// `customers(id)`.
fn named(resolved: &Resolved, dataset: DatasetId, columns: &[ColumnId]) -> String {
    let name = resolved.model.datasets.get(dataset).map_or("", |dataset| dataset.name.text.as_str());
    let columns: Vec<&str> = columns
        .iter()
        .filter_map(|id| resolved.columns.get(*id))
        .map(|column| column.name.as_str())
        .collect();
    format!("{name}({})", columns.join(", "))
}

#[cfg(test)]
mod tests;
