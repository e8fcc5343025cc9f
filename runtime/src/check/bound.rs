//! Derived error bounds: what engines may differ by where floats are added or computed in another order.
//! In: a bound request, then the batch side's answer to it with companions. Out: for each group what each metric may
//! differ by (docs/semantics.md, when two answers are equal).
//!
//! Rows and groups are treated apart. Over rows an error is counted in units of 2^-52 of a magnitude that the batch side
//! sums or maximises beside the metric (`row`). Over groups every aggregate becomes an interval around the batch side's
//! value, and the measure is evaluated over intervals (`group`, `span`). What is exact on both sides is read, not computed.

mod extend;
mod group;
mod logic;
mod number;
mod row;
mod span;

pub use extend::companions;

use std::collections::BTreeMap;

use unisono_compiler::query::{Aggregation, Bound, GroupExpr, GroupRef, Shape};

use super::align::{Key, key_of};
use super::exact::to_float;
use crate::table::{Table, Value};

/// What two values of a metric may differ by in one group.
#[derive(Clone, PartialEq, Debug)]
pub enum Allowed {
    /// Nothing.
    Exact,
    /// At most the bound.
    Within {
        /// |a - b| at most this; finite and above 0.
        bound: f64,
        /// What it was computed from.
        terms: Vec<Term>,
    },
    /// No bound is known: unequal values prove nothing.
    Unknown,
}

/// What a rounded aggregate contributes to a bound.
#[derive(Clone, PartialEq, Debug)]
pub struct Term {
    /// The aggregate's name.
    pub aggregate: String,
    /// Values that are not NULL, in the group.
    pub n: u64,
    /// Sum of their magnitudes (of the squares' for variances).
    pub magnitude: f64,
}

/// How the real-time side keeps sums of floats.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum FloatSums {
    /// A group that lost a row is summed again.
    Recomputed,
    /// Rows are subtracted: cancellation never leaves the sum, and how many changes it saw is not known.
    Retracted,
}

/// A request with what its bounds need beside its own measures, for the batch side only.
#[derive(Clone, PartialEq, Debug)]
pub struct Companions {
    /// The request with companions as further measures.
    pub bound: Bound,
    /// The measures that were added, with what each is for.
    pub added: Vec<Companion>,
    /// Errors of rows by aggregate, in units of 2^-52 of the magnitude; `None` where they are not known.
    ulps: BTreeMap<usize, Option<f64>>,
    /// Whether every home row stands in some group of the answer.
    every_group: bool,
}

/// A measure that was added.
#[derive(Clone, PartialEq, Debug)]
pub struct Companion {
    /// Its column.
    pub column: String,
    /// What it is for.
    pub role: Role,
}

/// What a companion says of a group.
#[derive(Clone, PartialEq, Debug)]
pub enum Role {
    /// Number of home rows of a branch.
    HomeRows(usize),
    /// A part of a measure that is the same on every engine.
    Same(GroupExpr),
    /// The value of an aggregate, by its position.
    Value(usize),
    /// Number of values that it took.
    Count(usize),
    /// Sum of their magnitudes.
    Magnitude(usize),
    /// Sum of the squares of their magnitudes.
    Squares(usize),
    /// Their greatest magnitude.
    Largest(usize),
    /// The least of them.
    Least(usize),
    /// The greatest of them.
    Greatest(usize),
}

/// Home rows that the batch side counted; `None` if the answer cannot say.
pub fn home_rows(companions: &Companions, answer: &Table) -> Option<u64> {
    if answer.rows.is_empty() {
        return (companions.every_group && !answer.truncated).then_some(0);
    }
    let counts: Vec<usize> = companions
        .added
        .iter()
        .filter(|added| matches!(added.role, Role::HomeRows(_)))
        .map(|added| position(answer, &added.column))
        .collect::<Option<_>>()?;
    if counts.is_empty() {
        return None;
    }
    answer.rows.iter().flat_map(|row| counts.iter().map(|at| row.get(*at))).try_fold(0_u64, |sum, count| {
        match count? {
            Value::Integer(count) => sum.checked_add(u64::try_from(*count).ok()?),
            // A group that a branch has no row of.
            Value::Null => Some(sum),
            Value::Boolean(_)
            | Value::Decimal { .. }
            | Value::Float(_)
            | Value::Text(_)
            | Value::Date(_)
            | Value::Time(_)
            | Value::Timestamp(_)
            | Value::Instant(_) => None,
        }
    })
}

/// What each metric of `asked`, in its order, may differ by in each group of the batch side's answer to the companions.
/// A group that the answer does not hold, or holds twice, has no entry: its bound is unknown.
pub fn bounds(
    asked: &Bound,
    companions: &Companions,
    answer: &Table,
    sums: FloatSums,
) -> BTreeMap<Key, Vec<Allowed>> {
    let request = match &asked.shape {
        Shape::Aggregation(request) => request,
        Shape::Scalar(_) => return BTreeMap::new(),
    };
    let dimensions = request.dimensions.iter().map(|dimension| position(answer, &dimension.name));
    let Some(key) = dimensions.collect::<Option<Vec<usize>>>() else { return BTreeMap::new() };
    let columns: Vec<Option<usize>> =
        companions.added.iter().map(|added| position(answer, &added.column)).collect();
    let mut found: BTreeMap<Key, Vec<Allowed>> = BTreeMap::new();
    let mut twice = Vec::new();
    for row in &answer.rows {
        let facts = Facts { request, companions, columns: &columns, row, sums };
        let allowed = request.measures.iter().map(|measure| group::allowed(&measure.expr, &facts)).collect();
        let key = key_of(row, &key);
        if found.insert(key.clone(), allowed).is_some() {
            twice.push(key);
        }
    }
    for key in twice {
        found.remove(&key);
    }
    found
}

fn position(table: &Table, name: &str) -> Option<usize> {
    table.columns.iter().position(|column| column.name == name)
}

/// What is known of one group.
struct Facts<'a> {
    request: &'a Aggregation,
    companions: &'a Companions,
    columns: &'a [Option<usize>],
    row: &'a [Value],
    sums: FloatSums,
}

impl Facts<'_> {
    fn value(&self, role: &Role) -> Option<&Value> {
        let at = self.companions.added.iter().position(|added| added.role == *role)?;
        self.row.get((*self.columns.get(at)?)?)
    }

    fn number(&self, role: &Role) -> Option<f64> {
        self.value(role).map(to_float).filter(|number| number.is_finite())
    }

    fn ulps(&self, aggregate: usize) -> Option<f64> {
        self.companions.ulps.get(&aggregate).copied().flatten()
    }

    fn term(&self, aggregate: usize) -> Option<Term> {
        let n = match self.value(&Role::Count(aggregate))? {
            Value::Integer(n) => u64::try_from(*n).ok()?,
            _ => return None,
        };
        let magnitude = self
            .number(&Role::Magnitude(aggregate))
            .or_else(|| self.number(&Role::Squares(aggregate)))
            .or_else(|| self.number(&Role::Largest(aggregate)))?;
        Some(Term { aggregate: self.request.aggregates.get(aggregate)?.name.clone(), n, magnitude })
    }
}

/// The aggregates that an expression refers to, once each.
fn aggregates_of(expr: &GroupExpr) -> Vec<usize> {
    let mut found: Vec<usize> = expr
        .references()
        .into_iter()
        .filter_map(|reference| match reference {
            GroupRef::Aggregate(index) => Some(*index),
            GroupRef::Dimension(_) => None,
        })
        .collect();
    found.sort_unstable();
    found.dedup();
    found
}

#[cfg(test)]
mod tests;
