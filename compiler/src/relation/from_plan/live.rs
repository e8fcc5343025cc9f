//! Which slots of each node later steps need, and how many nodes read it.
//! In: a plan. Out: a set of slots and a count a node.

use std::collections::BTreeSet;

use crate::ids::{Id, NodeId, SlotId};
use crate::plan::{Node, Plan};

/// Per node, the slots that the output or a later node reads.
pub(super) fn live_slots(plan: &Plan) -> Vec<BTreeSet<SlotId>> {
    let mut live = vec![BTreeSet::new(); plan.nodes.len()];
    live[plan.root.index()].extend(plan.output.iter().map(|output| output.slot));
    live[plan.root.index()].extend(plan.order_by.iter().map(|key| key.slot));
    for id in (0..plan.nodes.len()).rev() {
        let node = &plan.nodes[NodeId::from_index(id)];
        if let Node::Distinct { input: _, keys } = node {
            // Without one of its columns a DISTINCT select would be distinct over others.
            live[id].extend(keys.iter().copied());
        }
        let carried = if node.carries_inputs() { live[id].clone() } else { BTreeSet::new() };
        for (input, slots) in node.reads() {
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
        for (input, _) in node.reads() {
            counts[input.index()] += 1;
        }
    }
    counts
}
