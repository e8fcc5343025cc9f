//! Plans a bound request: home rows enriched and filtered, aggregated, picked, stitched, computed, ordered.
//! In: a resolved model and a `Bound`. Out: a `Plan` whose every slot is typed.

mod groups;
mod over_groups;
mod rows;
mod sides;

use std::collections::{BTreeMap, BTreeSet};

use crate::data_type::{DataType, Exactness};
use crate::diagnostic::{Code, Diagnostic, REPORT_FAULT};
use crate::expr::{Expr, ExprKind};
use crate::function::Function;
use crate::ids::{Arena, ColumnId, FieldId, Id, NodeId, SlotId};
use crate::plan::reads::is_whole;
use crate::plan::{Node, Output, Plan, Slot, SlotExpr, SortKey};
use crate::query::{Bound, Scalar, Shape};
use crate::resolve::graph::Step;
use crate::resolve::{ModelExpr, Reference, Resolved};

/// Plans a bound request. Every request that `bind` accepts is planned but for zones that are not UTC.
pub fn plan(resolved: &Resolved, bound: &Bound) -> (Option<Plan>, Vec<Diagnostic>) {
    let mut builder = Builder {
        resolved,
        now: &bound.now,
        nodes: Arena::default(),
        slots: Arena::default(),
        depth: 0,
        is_full: false,
    };
    let (built, limit) = match &bound.shape {
        Shape::Aggregation(request) => (groups::plan_aggregation(&mut builder, request), request.limit),
        Shape::Scalar(request) => (plan_scalar(&mut builder, request), request.limit),
    };
    if builder.is_full {
        return (None, vec![too_large()]);
    }
    let plan = builder.finish(built, limit);
    if !is_whole(resolved, &plan) {
        return (None, vec![lost_value()]);
    }
    if let Some(finding) = zone_finding(&plan, &bound.zone) {
        return (None, vec![finding]);
    }
    (Some(plan), Vec::new())
}

/// Instants are truncated and taken apart in the request's zone; only UTC is planned so far.
fn zone_finding(plan: &Plan, zone: &str) -> Option<Diagnostic> {
    if zone.eq_ignore_ascii_case("UTC") {
        return None;
    }
    let is_instant = |expr: &SlotExpr| expr.data_type == DataType::TimestampTz;
    let depends = |expr: &SlotExpr| {
        expr.any(&mut |part| match &*part.kind {
            ExprKind::Call {
                function:
                    Function::DateTrunc(_) | Function::Extract(_) | Function::DateAdd(_) | Function::DateDiff(_),
                arguments,
            } => arguments.iter().any(is_instant),
            // The clock that a cast reads, or a text is read by.
            ExprKind::Cast { operand } => is_instant(operand) != is_instant(part),
            _ => false,
        })
    };
    let found = plan.nodes.iter().any(|(_, node)| match node {
        Node::Compute { input: _, values } => values.iter().any(|(_, expr)| depends(expr)),
        Node::Filter { input: _, predicates } => predicates.iter().any(depends),
        _ => false,
    });
    found.then(|| {
        Diagnostic::new(
            Code::UnsupportedFunction,
            format!("instants are taken apart, moved and cast in UTC only; zone `{zone}` is not planned yet"),
        )
        .help("leave `time_zone` out, or use a Timestamp without zone, which never shifts")
    })
}

/// What a shape leaves to name, order and cut.
struct Built {
    root: NodeId,
    output: Vec<Output>,
    order_by: Vec<SortKey>,
}

fn plan_scalar(builder: &mut Builder<'_>, request: &Scalar) -> Built {
    let exprs = request
        .fields
        .iter()
        .map(|(_, expr)| expr)
        .chain(&request.predicates)
        .chain(request.order_by.iter().map(|key| &key.expr));
    let wanted = fields_of(exprs);
    let rows = builder.rows(request.home, &wanted, &Vec::new());
    let root = builder.filter(rows.node, &request.predicates, &rows.fields);
    let mut values = Values::default();
    let named: Vec<(String, SlotId)> = request
        .fields
        .iter()
        .map(|(name, expr)| (name.clone(), builder.value(name, expr, &rows.fields, &mut values)))
        .collect();
    let order_by = request
        .order_by
        .iter()
        .map(|key| {
            let slot = builder.value("order_key", &key.expr, &rows.fields, &mut values);
            SortKey { slot, descending: key.descending, nulls_first: key.nulls_first }
        })
        .collect();
    let root = builder.compute(root, values);
    let output = named.into_iter().map(|(name, slot)| Output { name, slot }).collect();
    Built { root, output, order_by }
}

/// The fields that expressions refer to, in order of appearance, without repeats.
fn fields_of<'a>(exprs: impl Iterator<Item = &'a ModelExpr>) -> Vec<FieldId> {
    let mut found = Vec::new();
    let mut seen = BTreeSet::new();
    for expr in exprs {
        for reference in expr.references() {
            if let Reference::Field(field) = reference
                && seen.insert(*field)
            {
                found.push(*field);
            }
        }
    }
    found
}

/// Steps that a plan may have: a field of a far dataset may need fields of farther ones, and each of those others.
const MOST_NODES: usize = 10_000;

/// Datasets in a row of which each needs a field of the next.
const MOST_DEPTH: usize = 64;

struct Builder<'a> {
    resolved: &'a Resolved,
    /// What CURRENT_DATE means in fields.
    now: &'a str,
    nodes: Arena<NodeId, Node>,
    slots: Arena<SlotId, Slot>,
    /// Datasets whose rows are being planned, each for the one before.
    depth: usize,
    /// A limit was reached, and the plan is not complete.
    is_full: bool,
}

/// Values of one Compute while they are collected; equal expressions share a slot.
#[derive(Default)]
struct Values(Vec<(SlotId, SlotExpr)>);

/// Rows of a dataset: the node, the slot of every field wanted, and of every column at the end of a path.
struct Rows {
    node: NodeId,
    fields: BTreeMap<FieldId, SlotId>,
    at_stop: BTreeMap<Vec<Step>, BTreeMap<ColumnId, SlotId>>,
}

impl Rows {
    /// The columns at the end of a path.
    fn columns(&self, path: &[Step]) -> BTreeMap<ColumnId, SlotId> {
        self.at_stop.get(path).cloned().unwrap_or_default()
    }
}

impl Builder<'_> {
    fn slot(&mut self, name: &str, data_type: DataType, exactness: Exactness) -> SlotId {
        self.slots.push(Slot { name: name.to_string(), data_type, exactness })
    }

    fn reference(&self, slot: SlotId) -> SlotExpr {
        match self.slots.get(slot) {
            Some(info) => Expr::reference(slot, info.data_type, info.exactness),
            None => Expr::reference(slot, DataType::Unknown, Exactness::Exact),
        }
    }

    /// The slot of an expression over fields: a field's own, or one that `values` will compute.
    fn value(
        &mut self,
        name: &str,
        expr: &ModelExpr,
        fields: &BTreeMap<FieldId, SlotId>,
        values: &mut Values,
    ) -> SlotId {
        let expr = over_slots(expr, fields);
        self.slot_value(name, expr, values)
    }

    fn slot_value(&mut self, name: &str, expr: SlotExpr, values: &mut Values) -> SlotId {
        if let ExprKind::Reference(slot) = &*expr.kind {
            return *slot;
        }
        if let Some((slot, _)) = values.0.iter().find(|(_, known)| *known == expr) {
            return *slot;
        }
        let slot = self.slot(name, expr.data_type, expr.exactness);
        values.0.push((slot, expr));
        slot
    }

    fn compute(&mut self, input: NodeId, values: Values) -> NodeId {
        if values.0.is_empty() { input } else { self.nodes.push(Node::Compute { input, values: values.0 }) }
    }

    fn filter(
        &mut self,
        input: NodeId,
        predicates: &[ModelExpr],
        fields: &BTreeMap<FieldId, SlotId>,
    ) -> NodeId {
        let predicates = predicates.iter().map(|predicate| over_slots(predicate, fields)).collect();
        self.keep(input, predicates)
    }

    fn keep(&mut self, input: NodeId, predicates: Vec<SlotExpr>) -> NodeId {
        if predicates.is_empty() { input } else { self.nodes.push(Node::Filter { input, predicates }) }
    }

    fn finish(self, built: Built, limit: Option<u64>) -> Plan {
        Plan {
            nodes: self.nodes,
            slots: self.slots,
            root: built.root,
            output: built.output,
            order_by: built.order_by,
            limit,
        }
    }
}

/// Stands where a value has no slot, which the stages before rule out; `plan` refuses a plan that holds one.
fn missing<R>(leaf: &Expr<R>) -> SlotExpr {
    Expr::reference(missing_slot(), leaf.data_type, leaf.exactness)
}

/// A slot that no plan has.
fn missing_slot() -> SlotId {
    SlotId::from_index(usize::MAX)
}

/// A fault of the planner itself: better no plan than one that reads NULL for a value or joins on half a key.
fn lost_value() -> Diagnostic {
    Diagnostic::new(Code::Internal, "the planner lost a value on the way").help(REPORT_FAULT)
}

fn too_large() -> Diagnostic {
    Diagnostic::new(
        Code::LimitExceeded,
        format!(
            "the request needs fields that need other fields in more than {MOST_NODES} steps, or in longer chains than engines plan: {MOST_DEPTH} \
             datasets deep, or some thousand fields of one dataset"
        ),
    )
    .help("ask for fewer fields, write them over columns, or give the far fields a dataset of their own")
}

/// An expression over fields as one over slots.
fn over_slots(expr: &ModelExpr, fields: &BTreeMap<FieldId, SlotId>) -> SlotExpr {
    expr.map_references(&mut |reference, leaf| match reference {
        Reference::Field(field) => match fields.get(field) {
            Some(slot) => Expr::reference(*slot, leaf.data_type, leaf.exactness),
            // Never: the rows were made with every field that the expressions refer to.
            None => missing(leaf),
        },
        // Never: bound expressions refer to fields only.
        Reference::Column(_) | Reference::Metric(_) | Reference::Now => missing(leaf),
    })
}
