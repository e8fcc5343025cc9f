//! A plan made ready: every slot has a fixed place in a row that is as wide as the plan has slots, every expression is read.
//! In: a plan. Out: its steps, node by node.

use unisono_compiler::expr::{Expr, ExprKind};
use unisono_compiler::ids::{ColumnId, DatasetId, Id, NodeId, SlotId};
use unisono_compiler::plan::{Node, Plan, SlotExpr};

use super::aggregate::Measure;
use super::eval::{Prepared, prepare};
use super::{Fault, Value};

/// A plan whose nodes are steps over places in a row.
#[derive(Debug)]
pub(super) struct Program {
    steps: Vec<Step>,
    /// Places that a node's rows carry, by node.
    carried: Vec<Vec<usize>>,
    /// Values in a row.
    pub(super) width: usize,
    /// The node of the answer.
    pub(super) root: NodeId,
}

/// A node over places.
#[derive(Debug)]
pub(super) enum Step {
    /// Rows of a source.
    Scan { dataset: DatasetId, columns: Vec<ColumnId>, places: Vec<usize> },
    /// Values added row by row.
    Compute { input: NodeId, values: Vec<(usize, Prepared)> },
    /// Rows kept.
    Filter { input: NodeId, predicates: Vec<Prepared> },
    /// A LEFT join, whether of one far row or of many.
    Join { input: NodeId, far: NodeId, near_keys: Vec<usize>, far_keys: Vec<usize>, fans: bool },
    /// Rows made groups: aggregated, picked from, or only told apart.
    Group { input: NodeId, keys: Vec<usize>, measures: Vec<Measure>, kind: GroupKind },
    /// Branches side by side.
    Stitch { branches: Vec<NodeId>, keys: Vec<(usize, Vec<usize>)> },
    /// A branch beside rows.
    Attach { input: NodeId, branch: NodeId, near_keys: Vec<usize>, far_keys: Vec<usize> },
    /// What this engine does not do.
    Unsupported { input: NodeId, what: &'static str },
}

/// Which groups have a row.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum GroupKind {
    /// Those with rows; without keys exactly one.
    Aggregate,
    /// Those in which something was picked.
    Pick,
    /// Those with rows.
    Distinct,
}

impl Program {
    /// Reads a plan.
    pub(super) fn of(plan: &Plan) -> Result<Program, Fault> {
        let mut program =
            Program { steps: Vec::new(), carried: Vec::new(), width: plan.slots.len(), root: plan.root };
        for (_, node) in plan.nodes.iter() {
            let (step, carried) = program.read(plan, node)?;
            program.steps.push(step);
            program.carried.push(carried);
        }
        Ok(program)
    }

    /// A node's step.
    pub(super) fn step(&self, node: NodeId) -> &Step {
        &self.steps[node.index()]
    }

    /// All nodes, inputs before users.
    pub(super) fn nodes(&self) -> impl Iterator<Item = (NodeId, &Step)> {
        self.steps.iter().enumerate().map(|(index, step)| (NodeId::from_index(index), step))
    }

    /// The places that a node's rows carry.
    pub(super) fn carried(&self, node: NodeId) -> &[usize] {
        &self.carried[node.index()]
    }

    /// A row of NULLs.
    pub(super) fn blank(&self) -> Vec<Value> {
        vec![Value::Null; self.width]
    }

    fn read(&self, plan: &Plan, node: &Node) -> Result<(Step, Vec<usize>), Fault> {
        let all = |slots: &[SlotId]| slots.iter().map(|slot| slot.index()).collect::<Vec<usize>>();
        let pairs = |on: &[(SlotId, SlotId)]| -> (Vec<usize>, Vec<usize>) {
            on.iter().map(|(near, far)| (near.index(), far.index())).unzip()
        };
        Ok(match node {
            Node::Scan { dataset, columns } => {
                let (columns, slots): (Vec<ColumnId>, Vec<SlotId>) = columns.iter().copied().unzip();
                let places = all(&slots);
                (Step::Scan { dataset: *dataset, columns, places: places.clone() }, places)
            }
            Node::Compute { input, values } => {
                let mut carried = self.carried(*input).to_vec();
                carried.extend(values.iter().map(|(slot, _)| slot.index()));
                if values.iter().any(|(_, expr)| expr.has_window()) {
                    (Step::Unsupported { input: *input, what: "window functions" }, carried)
                } else {
                    let values = values
                        .iter()
                        .map(|(slot, expr)| Ok((slot.index(), prepare(expr, &place)?)))
                        .collect::<Result<_, Fault>>()?;
                    (Step::Compute { input: *input, values }, carried)
                }
            }
            Node::Filter { input, predicates } => {
                let predicates =
                    predicates.iter().map(|expr| prepare(expr, &place)).collect::<Result<_, _>>()?;
                (Step::Filter { input: *input, predicates }, self.carried(*input).to_vec())
            }
            Node::Enrich { input, far, relationship: _, on } => {
                let (near_keys, far_keys) = pairs(on);
                let carried = [self.carried(*input), self.carried(*far)].concat();
                (Step::Join { input: *input, far: *far, near_keys, far_keys, fans: false }, carried)
            }
            Node::Fan { input, far, on } => {
                let (near_keys, far_keys) = pairs(on);
                let carried = [self.carried(*input), self.carried(*far)].concat();
                (Step::Join { input: *input, far: *far, near_keys, far_keys, fans: true }, carried)
            }
            Node::Aggregate { input, keys, measures } => {
                let measures: Vec<Measure> = measures
                    .iter()
                    .map(|(slot, aggregate)| Measure::of(slot.index(), aggregate, &place))
                    .collect::<Result<_, _>>()?;
                group(*input, all(keys), measures, GroupKind::Aggregate)
            }
            Node::Pick { input, keys, value, by, greatest, result } => {
                let read = |slot: SlotId| {
                    let info =
                        plan.slots.get(slot).ok_or_else(|| Fault::Plan(format!("no slot {slot:?}")))?;
                    prepare(&Expr::reference(slot, info.data_type, info.exactness), &place)
                };
                let pick = Measure::pick(result.index(), *greatest, read(*value)?, read(*by)?);
                group(*input, all(keys), vec![pick], GroupKind::Pick)
            }
            Node::Distinct { input, keys } => group(*input, all(keys), Vec::new(), GroupKind::Distinct),
            Node::Stitch { branches, keys } => {
                let mut carried: Vec<usize> = keys.iter().map(|(merged, _)| merged.index()).collect();
                carried.extend(branches.iter().flat_map(|branch| self.carried(*branch)));
                let keys = keys.iter().map(|(merged, slots)| (merged.index(), all(slots))).collect();
                (Step::Stitch { branches: branches.clone(), keys }, carried)
            }
            Node::Attach { input, branch, on } => {
                let (near_keys, far_keys) = pairs(on);
                let mut carried = self.carried(*input).to_vec();
                // The keys of a pick over the same rows are the same values.
                carried
                    .extend(self.carried(*branch).iter().filter(|place| !carried_by(self, *input, **place)));
                (Step::Attach { input: *input, branch: *branch, near_keys, far_keys }, carried)
            }
        })
    }
}

fn carried_by(program: &Program, node: NodeId, place: usize) -> bool {
    program.carried(node).contains(&place)
}

fn group(input: NodeId, keys: Vec<usize>, measures: Vec<Measure>, kind: GroupKind) -> (Step, Vec<usize>) {
    let mut carried = keys.clone();
    carried.extend(measures.iter().map(|measure| measure.place));
    (Step::Group { input, keys, measures, kind }, carried)
}

/// A slot stands at the place of its number.
fn place(expr: &SlotExpr) -> Option<usize> {
    match &*expr.kind {
        ExprKind::Reference(slot) => Some(slot.index()),
        _ => None,
    }
}
