//! Walks over plans and relations to change them in place. In: a plan or relation. Out: whether anything changed.

use unisono_compiler::expr::{Aggregate, Expr, ExprKind, Window};
use unisono_compiler::ids::{Arena, Id, NodeId, SlotId};
use unisono_compiler::plan::{Node, Plan, SlotExpr};
use unisono_compiler::relation::{Join, Relation, Select};

/// Changes every node.
pub(super) fn nodes(plan: &mut Plan, change: &mut dyn FnMut(&mut Node) -> bool) -> bool {
    let mut changed = false;
    for id in plan.nodes.ids() {
        changed |= change(&mut plan.nodes[id]);
    }
    changed
}

/// Changes every part of every expression of a plan.
pub(super) fn exprs(plan: &mut Plan, change: &mut dyn FnMut(&mut SlotExpr) -> bool) -> bool {
    nodes(plan, &mut |node| {
        let mut changed = false;
        match node {
            Node::Compute { input: _, values } => {
                for (_, expr) in values {
                    changed |= parts(expr, change);
                }
            }
            Node::Filter { input: _, predicates } => {
                for expr in predicates {
                    changed |= parts(expr, change);
                }
            }
            _ => {}
        }
        changed
    })
}

fn parts<R>(expr: &mut Expr<R>, change: &mut dyn FnMut(&mut Expr<R>) -> bool) -> bool {
    let mut changed = false;
    for child in expr.children_mut() {
        changed |= parts(child, change);
    }
    change(expr) || changed
}

/// Changes every aggregate of the aggregating nodes.
pub(super) fn aggregates(plan: &mut Plan, change: &mut dyn FnMut(&mut Aggregate<SlotId>) -> bool) -> bool {
    nodes(plan, &mut |node| match node {
        Node::Aggregate { measures, .. } => {
            let mut changed = false;
            for (_, aggregate) in measures {
                changed |= change(aggregate);
            }
            changed
        }
        _ => false,
    })
}

/// Changes every window.
pub(super) fn windows(plan: &mut Plan, change: &mut dyn FnMut(&mut Window<SlotId>) -> bool) -> bool {
    exprs(plan, &mut |expr| match &mut *expr.kind {
        ExprKind::Window(window) => change(window),
        _ => false,
    })
}

/// Makes the plan anew: `make` gets each node, its inputs already the new ones, and pushes what stands for it; it gives the id that users see.
pub(super) fn rebuild(plan: &mut Plan, make: &mut dyn FnMut(Node, &mut Arena<NodeId, Node>) -> NodeId) {
    let mut fresh = Arena::default();
    let mut ids: Vec<NodeId> = Vec::new();
    for id in plan.nodes.ids() {
        let mut node = plan.nodes[id].clone();
        for input in inputs(&mut node) {
            *input = ids[input.index()];
        }
        ids.push(make(node, &mut fresh));
    }
    plan.root = ids[plan.root.index()];
    plan.nodes = fresh;
}

/// The inputs of a node.
pub(super) fn inputs(node: &mut Node) -> Vec<&mut NodeId> {
    match node {
        Node::Scan { .. } => Vec::new(),
        Node::Compute { input, .. }
        | Node::Filter { input, .. }
        | Node::Aggregate { input, .. }
        | Node::Pick { input, .. }
        | Node::Distinct { input, .. } => vec![input],
        Node::Enrich { input, far, .. } | Node::Fan { input, far, .. } => vec![input, far],
        Node::Stitch { branches, .. } => branches.iter_mut().collect(),
        Node::Attach { input, branch, .. } => vec![input, branch],
    }
}

/// Changes every select.
pub(super) fn selects(relation: &mut Relation, change: &mut dyn FnMut(&mut Select) -> bool) -> bool {
    let mut changed = false;
    for cte in &mut relation.ctes {
        for select in cte.body.selects_mut() {
            changed |= change(select);
        }
    }
    change(&mut relation.body) || changed
}

/// Changes every join.
pub(super) fn joins(relation: &mut Relation, change: &mut dyn FnMut(&mut Join) -> bool) -> bool {
    selects(relation, &mut |select| {
        let mut changed = false;
        for join in &mut select.joins {
            changed |= change(join);
        }
        changed
    })
}
