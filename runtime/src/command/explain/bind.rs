//! The stage `bind`: the request against the model, aggregates with their homes, predicates routed.

use serde_json::{Value, json};
use unisono_compiler::expr::{print_aggregate, print_order, print_typed};
use unisono_compiler::query::{Aggregation, Bound, GroupRef, Link, Scalar, Shape, Side};
use unisono_compiler::resolve::{ModelExpr, Reference, Resolved};

use crate::compile::reference_name;

/// A request of either shape.
pub(super) fn dump(resolved: &Resolved, bound: &Bound) -> Value {
    match &bound.shape {
        Shape::Aggregation(aggregation) => dump_aggregation(resolved, aggregation),
        Shape::Scalar(scalar) => dump_scalar(resolved, scalar),
    }
}

fn dump_aggregation(resolved: &Resolved, bound: &Aggregation) -> Value {
    let leaf = |reference: &Reference| reference_name(resolved, *reference);
    let group = |reference: &GroupRef| match *reference {
        GroupRef::Dimension(at) => {
            bound.dimensions.get(at).map_or_else(String::new, |found| found.name.clone())
        }
        GroupRef::Aggregate(at) => format!("#{at}"),
    };
    let exprs = |exprs: &[ModelExpr]| exprs.iter().map(|expr| print_typed(expr, &leaf)).collect::<Vec<_>>();
    json!({
        "shape": "aggregation",
        "dimensions": bound.dimensions.iter().map(|dimension| json!({
            "name": dimension.name,
            "type": dimension.data_type.to_string(),
        })).collect::<Vec<Value>>(),
        "branches": bound.branches.iter().map(|branch| json!({
            "home": resolved.model.datasets[branch.home].name.text,
            "dimensions": exprs(&branch.dimensions),
            "where": exprs(&branch.predicates),
            "far_sides": branch.sides.iter().map(|side| dump_side(resolved, side)).collect::<Vec<Value>>(),
            "aggregates": branch.aggregates.iter().map(|at| format!("#{at}")).collect::<Vec<_>>(),
        })).collect::<Vec<Value>>(),
        "aggregates": bound.aggregates.iter().enumerate().map(|(at, aggregate)| json!({
            "id": format!("#{at}"),
            "expression": print_aggregate(&aggregate.aggregate, &leaf),
            "type": aggregate.data_type.to_string(),
            "class": aggregate.exactness.as_str(),
        })).collect::<Vec<Value>>(),
        "measures": bound.measures.iter().map(|measure| json!({
            "name": measure.name,
            "expression": print_typed(&measure.expr, &group),
        })).collect::<Vec<Value>>(),
        "having": bound.having.iter().map(|expr| print_typed(expr, &group)).collect::<Vec<_>>(),
        "order_by": print_order(&bound.order_by, &group),
        "limit": bound.limit,
    })
}

fn dump_side(resolved: &Resolved, side: &Side) -> Value {
    let model = &resolved.model;
    let through = match side.link {
        Link::Through(dataset) => model.datasets[dataset].name.text.as_str(),
        Link::Edge(relationship) => model.relationships[relationship].name.text.as_str(),
    };
    let datasets: Vec<&str> = side.datasets.iter().map(|id| model.datasets[*id].name.text.as_str()).collect();
    json!({"through": through, "datasets": datasets})
}

fn dump_scalar(resolved: &Resolved, bound: &Scalar) -> Value {
    let leaf = |reference: &Reference| reference_name(resolved, *reference);
    json!({
        "shape": "scalar",
        "home": resolved.model.datasets[bound.home].name.text,
        "fields": bound.fields.iter().map(|(name, expr)| json!({
            "name": name,
            "expression": print_typed(expr, &leaf),
            "type": expr.data_type.to_string(),
        })).collect::<Vec<Value>>(),
        "where": bound.predicates.iter().map(|expr| print_typed(expr, &leaf)).collect::<Vec<_>>(),
        "order_by": print_order(&bound.order_by, &leaf),
        "limit": bound.limit,
    })
}
