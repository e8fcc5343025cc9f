//! What a plan scans, what a node reads of its inputs, and which values its rows carry: for `relate`, and for checking a plan.

use std::collections::BTreeSet;

use crate::expr::{Aggregate, Expr};
use crate::ids::{ColumnId, DatasetId, Id, NodeId, SlotId};
use crate::plan::{Node, Plan, SlotExpr};
use crate::resolve::Resolved;

impl Node {
    /// The slots that the node itself reads, by the input that it reads them from.
    pub fn reads(&self) -> Vec<(NodeId, Vec<SlotId>)> {
        match self {
            Node::Scan { .. } => Vec::new(),
            Node::Compute { input, values } => {
                vec![(*input, values.iter().flat_map(|(_, expr)| slots_in(expr)).collect())]
            }
            Node::Filter { input, predicates } => {
                vec![(*input, predicates.iter().flat_map(slots_in).collect())]
            }
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
                .map(|(index, branch)| {
                    (*branch, keys.iter().filter_map(|(_, slots)| slots.get(index).copied()).collect())
                })
                .collect(),
            Node::Attach { input, branch, on } => vec![
                (*input, on.iter().map(|(near, _)| *near).collect()),
                (*branch, on.iter().map(|(_, far)| *far).collect()),
            ],
        }
    }

    /// Whether the node's rows carry its inputs' other slots on.
    pub fn carries_inputs(&self) -> bool {
        match self {
            Node::Scan { .. } | Node::Aggregate { .. } | Node::Pick { .. } | Node::Distinct { .. } => false,
            Node::Compute { .. }
            | Node::Filter { .. }
            | Node::Enrich { .. }
            | Node::Fan { .. }
            | Node::Stitch { .. }
            | Node::Attach { .. } => true,
        }
    }

    /// The slots of the node's rows that are not carried on from its inputs as a whole.
    fn own(&self) -> Vec<SlotId> {
        match self {
            Node::Scan { dataset: _, columns } => columns.iter().map(|(_, slot)| *slot).collect(),
            Node::Compute { input: _, values } => values.iter().map(|(slot, _)| *slot).collect(),
            Node::Filter { .. } | Node::Enrich { .. } | Node::Fan { .. } | Node::Attach { .. } => Vec::new(),
            Node::Aggregate { input: _, keys, measures } => {
                keys.iter().copied().chain(measures.iter().map(|(slot, _)| *slot)).collect()
            }
            Node::Pick { input: _, keys, value: _, by: _, greatest: _, result } => {
                keys.iter().copied().chain([*result]).collect()
            }
            Node::Distinct { input: _, keys } => keys.clone(),
            Node::Stitch { branches: _, keys } => keys.iter().map(|(merged, _)| *merged).collect(),
        }
    }
}

impl Plan {
    /// The datasets that the plan scans, each with the columns that it needs and their slots, in the order of the nodes.
    pub fn scans(&self) -> impl Iterator<Item = (DatasetId, &[(ColumnId, SlotId)])> {
        self.nodes.iter().filter_map(|(_, node)| match node {
            Node::Scan { dataset, columns } => Some((*dataset, columns.as_slice())),
            Node::Compute { .. }
            | Node::Filter { .. }
            | Node::Enrich { .. }
            | Node::Fan { .. }
            | Node::Aggregate { .. }
            | Node::Pick { .. }
            | Node::Distinct { .. }
            | Node::Stitch { .. }
            | Node::Attach { .. } => None,
        })
    }
}

/// Whether every value that a step reads was made before it, every join has all its columns, and the answer is carried by
/// the root. A plan that is not whole could only answer wrongly.
pub(super) fn is_whole(resolved: &Resolved, plan: &Plan) -> bool {
    let mut carried: Vec<BTreeSet<SlotId>> = Vec::new();
    for (id, node) in plan.nodes.iter() {
        let reads = node.reads();
        let mut own: BTreeSet<SlotId> = node.own().into_iter().collect();
        for (input, slots) in &reads {
            let Some(there) = carried.get(input.index()).filter(|_| input.index() < id.index()) else {
                return false;
            };
            if !slots.iter().all(|slot| there.contains(slot)) {
                return false;
            }
            if node.carries_inputs() {
                own.extend(there);
            }
        }
        let joins_wholly = match node {
            Node::Enrich { on, relationship, .. } => {
                !on.is_empty() && on.len() == resolved.relationships[*relationship].on.len()
            }
            Node::Fan { on, .. } | Node::Attach { on, .. } => !on.is_empty(),
            Node::Stitch { branches, keys } => {
                branches.len() > 1 && keys.iter().all(|(_, slots)| slots.len() == branches.len())
            }
            Node::Scan { .. }
            | Node::Compute { .. }
            | Node::Filter { .. }
            | Node::Aggregate { .. }
            | Node::Pick { .. }
            | Node::Distinct { .. } => true,
        };
        if !joins_wholly {
            return false;
        }
        carried.push(own);
    }
    let shown = plan.output.iter().map(|output| output.slot);
    let sorted = plan.order_by.iter().map(|key| key.slot);
    carried.get(plan.root.index()).is_some_and(|root| shown.chain(sorted).all(|slot| root.contains(&slot)))
}

fn slots_in(expr: &SlotExpr) -> Vec<SlotId> {
    expr.references().into_iter().copied().collect()
}

/// The slots that an aggregate reads.
pub(crate) fn slots_of(aggregate: &Aggregate<SlotId>) -> Vec<SlotId> {
    aggregate.parts().flat_map(Expr::references).copied().collect()
}
