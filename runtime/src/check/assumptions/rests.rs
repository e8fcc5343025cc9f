//! Which steps of a plan a value of the answer rests on.
//! In: a plan and a slot. Out: the nodes behind it; the column behind a slot that was scanned.

use unisono_compiler::ids::{ColumnId, NodeId, SlotId};
use unisono_compiler::plan::{Node, Plan};

/// The column that a scan put into a slot.
pub(super) fn column_of(plan: &Plan, slot: SlotId) -> Option<ColumnId> {
    plan.scans()
        .flat_map(|(_, columns)| columns)
        .find(|(_, scanned)| *scanned == slot)
        .map(|(column, _)| *column)
}

/// The nodes that decide a value: those that made its parts, and all rows that were aggregated into them. A branch that
/// was only stitched or attached beside them is not among them.
pub(super) fn nodes_behind(plan: &Plan, slot: SlotId) -> Vec<NodeId> {
    let mut nodes = Vec::new();
    let mut seen = Vec::new();
    let mut open = vec![slot];
    while let Some(slot) = open.pop() {
        if seen.contains(&slot) {
            continue;
        }
        seen.push(slot);
        for (id, node) in plan.nodes.iter() {
            match node {
                Node::Compute { input, values } => {
                    for (_, expr) in values.iter().filter(|(made, _)| *made == slot) {
                        open.extend(expr.references().into_iter().copied());
                        // A window sees every row of its input.
                        if expr.has_window() {
                            add_rows(plan, *input, &mut nodes);
                        }
                    }
                }
                Node::Aggregate { input: _, keys: _, measures } => {
                    if measures.iter().any(|(made, _)| *made == slot) {
                        add_rows(plan, id, &mut nodes);
                    }
                }
                Node::Pick { result, .. } => {
                    if *result == slot {
                        add_rows(plan, id, &mut nodes);
                    }
                }
                Node::Scan { dataset: _, columns } => {
                    if columns.iter().any(|(_, scanned)| *scanned == slot) {
                        add_rows(plan, id, &mut nodes);
                    }
                }
                Node::Stitch { branches: _, keys } => {
                    let of_branches = keys.iter().filter(|(merged, _)| *merged == slot);
                    open.extend(of_branches.flat_map(|(_, slots)| slots.iter().copied()));
                }
                Node::Filter { .. }
                | Node::Enrich { .. }
                | Node::Fan { .. }
                | Node::Distinct { .. }
                | Node::Attach { .. } => {}
            }
        }
    }
    nodes
}

/// A node and everything below it.
fn add_rows(plan: &Plan, node: NodeId, nodes: &mut Vec<NodeId>) {
    let mut open = vec![node];
    while let Some(id) = open.pop() {
        if nodes.contains(&id) {
            continue;
        }
        nodes.push(id);
        if let Some(node) = plan.nodes.get(id) {
            open.extend(node.reads().into_iter().map(|(input, _)| input));
        }
    }
}
