//! Which slots of each node later steps need, and how many nodes read it.
//! In: a plan. Out: a set of slots and a count a node.

use std::collections::BTreeSet;

use crate::expr::{Aggregate, Expr};
use crate::ids::{Id, NodeId, SlotId};
use crate::plan::{Node, Plan, SlotExpr};

/// The slots that an aggregate reads.
pub(super) fn slots_of(aggregate: &Aggregate<SlotId>) -> Vec<SlotId> {
    aggregate
        .arguments
        .iter()
        .chain(aggregate.order_by.iter().map(|key| &key.expr))
        .flat_map(Expr::references)
        .copied()
        .collect()
}

/// The slots that a node itself reads, by the input that it reads them from.
fn reads(node: &Node) -> Vec<(NodeId, Vec<SlotId>)> {
    let of = |exprs: &mut dyn Iterator<Item = &SlotExpr>| -> Vec<SlotId> {
        exprs.flat_map(|expr| expr.references().into_iter().copied().collect::<Vec<_>>()).collect()
    };
    match node {
        Node::Scan { .. } => Vec::new(),
        Node::Compute { input, values } => vec![(*input, of(&mut values.iter().map(|(_, expr)| expr)))],
        Node::Filter { input, predicates } => vec![(*input, of(&mut predicates.iter()))],
        Node::Enrich { input, far, relationship: _, on } | Node::Fan { input, far, on } => vec![
            (*input, on.iter().map(|(near, _)| *near).collect()),
            (*far, on.iter().map(|(_, far)| *far).collect()),
        ],
        Node::Aggregate { input, keys, measures } => {
            let arguments = measures.iter().flat_map(|(_, aggregate)| slots_of(aggregate));
            vec![(*input, keys.iter().copied().chain(arguments).collect())]
        }
        Node::Pick { input, keys, value, by, greatest: _, result: _ } => {
            vec![(*input, keys.iter().copied().chain([*value, *by]).collect())]
        }
        Node::Distinct { input, keys } => vec![(*input, keys.clone())],
        Node::Stitch { branches, keys } => branches
            .iter()
            .enumerate()
            .map(|(index, branch)| (*branch, keys.iter().map(|(_, slots)| slots[index]).collect()))
            .collect(),
        Node::Attach { input, branch, on } => vec![
            (*input, on.iter().map(|(near, _)| *near).collect()),
            (*branch, on.iter().map(|(_, far)| *far).collect()),
        ],
    }
}

/// Whether a node's rows carry its inputs' other slots on.
fn carries_inputs(node: &Node) -> bool {
    match node {
        Node::Scan { .. } | Node::Aggregate { .. } | Node::Pick { .. } | Node::Distinct { .. } => false,
        Node::Compute { .. }
        | Node::Filter { .. }
        | Node::Enrich { .. }
        | Node::Fan { .. }
        | Node::Stitch { .. }
        | Node::Attach { .. } => true,
    }
}

/// Per node, the slots that the output or a later node reads.
pub(super) fn live_slots(plan: &Plan) -> Vec<BTreeSet<SlotId>> {
    let mut live = vec![BTreeSet::new(); plan.nodes.len()];
    live[plan.root.index()].extend(plan.output.iter().map(|output| output.slot));
    live[plan.root.index()].extend(
        plan.order_by.iter().flat_map(|key| key.expr.references().into_iter().copied().collect::<Vec<_>>()),
    );
    for id in (0..plan.nodes.len()).rev() {
        let node = &plan.nodes[NodeId::from_index(id)];
        if let Node::Distinct { input: _, keys } = node {
            // Without one of its columns a DISTINCT select would be distinct over others.
            live[id].extend(keys.iter().copied());
        }
        let carried = if carries_inputs(node) { live[id].clone() } else { BTreeSet::new() };
        for (input, slots) in reads(node) {
            live[input.index()].extend(slots);
            live[input.index()].extend(carried.iter().copied());
        }
    }
    live
}

/// Per node, how many nodes read it.
pub(super) fn use_counts(plan: &Plan) -> Vec<usize> {
    let mut counts = vec![0; plan.nodes.len()];
    for (_, node) in plan.nodes.iter() {
        for (input, _) in reads(node) {
            counts[input.index()] += 1;
        }
    }
    counts
}
