//! Lifts typed expressions to the request's groups: metrics are expanded, aggregates are collected, and what is left
//! over must be a dimension.
//! In: expressions over fields and metrics. Out: expressions over dimensions and aggregates, and the list of aggregates.

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};

use crate::data_type::Exactness;
use crate::diagnostic::{Code, Diagnostic};
use crate::expr::{Aggregate, Expr, ExprKind, Rewrite};
use crate::ids::{FieldId, MetricId};
use crate::query::bind::scope::bind_now;
use crate::query::{GroupExpr, GroupRef, Moment};
use crate::resolve::{ModelExpr, Reference, Resolved};
use crate::source::Span;

/// Nodes and depth that an expanded expression may have.
const MOST_NODES: usize = 20_000;
const MOST_DEPTH: usize = 200;

/// Nodes of all metrics that one request may put in, counted wherever one stands.
const MOST_EXPANDED: usize = 10 * MOST_NODES;

/// The aggregates of a request while they are collected.
pub(super) struct Lift<'a> {
    resolved: &'a Resolved,
    /// What CURRENT_DATE means in metrics.
    moment: &'a Moment,
    /// The dimensions as typed, to be recognised in expressions.
    dimensions: &'a [ModelExpr],
    /// Each aggregate with the time field that its metric declares.
    pub(super) aggregates: Vec<Found>,
    /// Each metric written out, with the number of its parts.
    expanded: BTreeMap<(MetricId, Option<FieldId>), (GroupExpr, usize)>,
    /// The nodes put in so far.
    nodes: usize,
}

/// An aggregate found in a measure.
#[derive(Clone, PartialEq, Debug)]
pub(super) struct Found {
    pub(super) typed: ModelExpr,
    pub(super) aggregate: Aggregate<Reference>,
    /// The time field that the enclosing metric declares.
    pub(super) time: Option<FieldId>,
    /// Name of the metric or text that it comes from.
    pub(super) name: String,
    /// Where the request asks for it.
    pub(super) span: Span,
}

/// Why an expression is not one over groups.
pub(super) enum Fault {
    /// A field that is no dimension stands outside every aggregate.
    Row(FieldId),
    /// Something else, complete.
    Other(Box<Diagnostic>),
}

impl<'a> Lift<'a> {
    pub(super) fn new(resolved: &'a Resolved, moment: &'a Moment, dimensions: &'a [ModelExpr]) -> Self {
        Lift { resolved, moment, dimensions, aggregates: Vec::new(), expanded: BTreeMap::new(), nodes: 0 }
    }

    /// Lifts one expression; `name` is for its aggregates.
    pub(super) fn lift(&mut self, expr: &ModelExpr, name: &str, span: Span) -> Result<GroupExpr, Fault> {
        self.expand_metrics(expr, None, span)
            .and_then(|()| Walk { lift: self, time: None, name, span }.run(expr))
            .and_then(no_window_in_a_window)
            .map_err(|fault| match fault {
                Fault::Other(finding) if finding.primary.is_none() => {
                    Fault::Other(Box::new(finding.at(span, "here")))
                }
                other => other,
            })
    }

    /// The metrics that were expanded.
    pub(super) fn metrics(&self) -> BTreeSet<MetricId> {
        self.expanded.keys().map(|(metric, _)| *metric).collect()
    }

    /// Expands every metric that an expression reaches, innermost first and without recursion over metrics, so that a
    /// chain of any length ends.
    fn expand_metrics(&mut self, expr: &ModelExpr, time: Option<FieldId>, span: Span) -> Result<(), Fault> {
        let mut open: Vec<(MetricId, Option<FieldId>, bool)> = self.metrics_of(expr, time);
        while let Some((metric, time, ready)) = open.pop() {
            if self.expanded.contains_key(&(metric, time)) {
                continue;
            }
            // A metric whose use got this far has a typed expression.
            let Ok(typed) = &self.resolved.metrics[metric] else { continue };
            if ready {
                let name = self.resolved.model.metrics[metric].name.text.clone();
                let typed = match typed.exactness {
                    // Only what reads the clock is copied.
                    Exactness::Nondeterministic => Cow::Owned(bind_now(typed, self.moment)),
                    Exactness::Exact
                    | Exactness::Rounding
                    | Exactness::Approximate
                    | Exactness::Divergent => Cow::Borrowed(typed),
                };
                let lifted = Walk { lift: self, time, name: &name, span }.run(&typed)?;
                let nodes = check_size(&lifted, &name)?;
                self.expanded.insert((metric, time), (lifted, nodes));
            } else {
                open.push((metric, time, true));
                open.extend(self.metrics_of(typed, time));
            }
        }
        Ok(())
    }

    fn metrics_of(&self, expr: &ModelExpr, time: Option<FieldId>) -> Vec<(MetricId, Option<FieldId>, bool)> {
        expr.references()
            .into_iter()
            .filter_map(|reference| match reference {
                Reference::Metric(metric) => {
                    Some((*metric, self.resolved.metric_times[*metric].or(time), false))
                }
                Reference::Column(_) | Reference::Field(_) | Reference::Now => None,
            })
            .collect()
    }

    fn aggregate(&mut self, found: Found) -> GroupRef {
        let known = self.aggregates.iter().position(|other| {
            other.aggregate == found.aggregate && other.time == found.time && other.typed == found.typed
        });
        GroupRef::Aggregate(known.unwrap_or_else(|| {
            self.aggregates.push(found);
            self.aggregates.len() - 1
        }))
    }
}

/// One walk over an expression with what encloses it.
struct Walk<'a, 'b> {
    lift: &'a mut Lift<'b>,
    time: Option<FieldId>,
    name: &'a str,
    span: Span,
}

impl Walk<'_, '_> {
    fn run(&mut self, expr: &ModelExpr) -> Result<GroupExpr, Fault> {
        expr.rewrite(self)
    }
}

impl Rewrite<Reference, GroupRef, Fault> for Walk<'_, '_> {
    fn whole(&mut self, expr: &ModelExpr) -> Option<Result<GroupExpr, Fault>> {
        let leaf = |to| Some(Ok(Expr::reference(to, expr.data_type, expr.exactness)));
        // A dimension that is a constant is no reason to group the same constant elsewhere by it.
        let is_constant = matches!(*expr.kind, ExprKind::Literal(_));
        if !is_constant
            && let Some(index) = self.lift.dimensions.iter().position(|dimension| dimension == expr)
        {
            return leaf(GroupRef::Dimension(index));
        }
        match &*expr.kind {
            ExprKind::Aggregate(aggregate) => {
                let found = Found {
                    typed: expr.clone(),
                    aggregate: aggregate.clone(),
                    time: self.time,
                    name: self.name.to_string(),
                    span: self.span,
                };
                leaf(self.lift.aggregate(found))
            }
            ExprKind::Reference(Reference::Metric(metric)) => {
                let time = self.lift.resolved.metric_times[*metric].or(self.time);
                let (lifted, nodes) = self.lift.expanded.get(&(*metric, time))?;
                self.lift.nodes += nodes;
                Some(if self.lift.nodes <= MOST_EXPANDED { Ok(lifted.clone()) } else { Err(too_many()) })
            }
            ExprKind::Literal(_)
            | ExprKind::Reference(_)
            | ExprKind::Call { .. }
            | ExprKind::Case { .. }
            | ExprKind::InList { .. }
            | ExprKind::Cast { .. }
            | ExprKind::Window(_) => None,
        }
    }

    fn leaf(&mut self, reference: &Reference, _: &ModelExpr) -> Result<GroupExpr, Fault> {
        match reference {
            Reference::Field(field) => Err(Fault::Row(*field)),
            Reference::Column(_) | Reference::Metric(_) | Reference::Now => Err(Fault::Other(Box::new(
                Diagnostic::new(Code::NameNotFound, "a name stands here that means nothing over groups"),
            ))),
        }
    }
}

/// A metric that is a window may not stand in a window of the request.
fn no_window_in_a_window(expr: GroupExpr) -> Result<GroupExpr, Fault> {
    let is_nested = |part: &GroupExpr| {
        matches!(*part.kind, ExprKind::Window(_)) && part.children().into_iter().any(Expr::has_window)
    };
    if expr.any(&mut { is_nested }) {
        return Err(Fault::Other(Box::new(
            Diagnostic::new(Code::NestedWindow, "a metric that is a window stands inside another window")
                .help("use a metric without a window, or make the inner window a field of its dataset"),
        )));
    }
    Ok(expr)
}

/// The number of nodes.
fn check_size(expr: &GroupExpr, name: &str) -> Result<usize, Fault> {
    let (nodes, depth) = size(expr);
    if nodes <= MOST_NODES && depth <= MOST_DEPTH {
        return Ok(nodes);
    }
    Err(Fault::Other(Box::new(
        Diagnostic::new(
            Code::LimitExceeded,
            format!(
                "metric `{name}` expands to {nodes} parts, {depth} deep; the limits are {MOST_NODES} and {MOST_DEPTH}"
            ),
        )
        .about(format!("metrics.{name}"))
        .help("build it from fewer metrics"),
    )))
}

fn too_many() -> Fault {
    let message = format!("the metrics of the request expand to more than {MOST_EXPANDED} parts");
    Fault::Other(Box::new(
        Diagnostic::new(Code::LimitExceeded, message).help("ask for fewer measures, or in several requests"),
    ))
}

/// Number of nodes and longest way down. The depth is bounded because every expanded part was checked before.
fn size(expr: &GroupExpr) -> (usize, usize) {
    let mut nodes = 1;
    let mut depth = 0;
    for child in expr.children() {
        let (child_nodes, child_depth) = size(child);
        nodes += child_nodes;
        depth = depth.max(child_depth);
    }
    (nodes, depth + 1)
}
