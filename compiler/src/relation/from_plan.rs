//! Turns a plan into a relation: neighbouring nodes share one SELECT where SQL's order of clauses allows it, and become
//! a CTE where it does not.
//! In: a plan. Out: a relation whose grouped selects hold nothing but keys and plain aggregates.

mod frame;
mod live;
mod naming;
mod pick;

use std::collections::{BTreeMap, BTreeSet};

use crate::data_type::{DataType, Exactness};
use crate::expr::{Aggregate, Expr, ExprKind, OrderKey};
use crate::function::Scalar;
use crate::ids::{DatasetId, Id, NodeId, SlotId};
use crate::plan::{Node, Plan, SlotExpr, slots_of};
use crate::relation::from_plan::frame::Frame;
use crate::relation::from_plan::live::{live_slots, use_counts};
use crate::relation::from_plan::naming::names_of_datasets;
use crate::relation::{
    Body, ColumnRef, Cte, Grouping, Input, Item, Join, JoinKind, Names, RelExpr, Relation, Select, Source,
};
use crate::resolve::Resolved;

/// Nodes of earlier values that one value may repeat in place.
const MOST_REPEATED: usize = 256;

/// Turns a plan into a relation. Total: every plan has one.
pub fn relate(resolved: &Resolved, plan: &Plan) -> Relation {
    let mut ctx = Ctx {
        resolved,
        plan,
        live: live_slots(plan),
        uses: use_counts(plan),
        ctes: Vec::new(),
        names: names_of_datasets(&resolved.model, plan),
        frames: BTreeMap::new(),
    };
    for (id, node) in plan.nodes.iter() {
        let frame = ctx.node(id, node);
        let shared = ctx.uses[id.index()] > 1;
        let frame = if shared { ctx.materialise(id, frame) } else { frame };
        ctx.frames.insert(id, frame);
    }
    ctx.finish()
}

struct Ctx<'a> {
    resolved: &'a Resolved,
    plan: &'a Plan,
    /// Per node, the slots that later steps need of it.
    live: Vec<BTreeSet<SlotId>>,
    /// Per node, how many nodes read it.
    uses: Vec<usize>,
    ctes: Vec<Cte>,
    /// Taken names of CTEs.
    names: Names,
    frames: BTreeMap<NodeId, Frame>,
}

impl Ctx<'_> {
    fn node(&mut self, id: NodeId, node: &Node) -> Frame {
        match node {
            Node::Scan { dataset, columns } => self.scan(*dataset, columns),
            Node::Compute { input, values } => self.compute(*input, values),
            Node::Filter { input, predicates } => self.filter(*input, predicates),
            Node::Enrich { input, far, relationship: _, on } | Node::Fan { input, far, on } => {
                self.join_left(*input, *far, on)
            }
            Node::Aggregate { input, keys, measures } => self.aggregate(*input, keys, measures),
            Node::Pick { input, keys, value, by, greatest, result } => {
                self.pick(id, *input, keys, (*value, *by, *result), *greatest)
            }
            Node::Distinct { input, keys } => self.distinct(*input, keys),
            Node::Stitch { branches, keys } => self.stitch(branches, keys),
            Node::Attach { input, branch, on } => self.attach(*input, *branch, on),
        }
    }

    fn scan(&self, dataset: DatasetId, columns: &[(crate::ids::ColumnId, SlotId)]) -> Frame {
        let alias = self.resolved.model.datasets[dataset].name.text.clone();
        let mut frame = Frame::over(Input { source: Source::Dataset(dataset), alias: alias.clone() });
        for (column, slot) in columns {
            let name = self.resolved.columns[*column].name.clone();
            frame.slots.insert(*slot, self.column(*slot, &alias, &name));
        }
        frame
    }

    fn column(&self, slot: SlotId, alias: &str, name: &str) -> RelExpr {
        let slot = &self.plan.slots[slot];
        let reference = ColumnRef { alias: Some(alias.to_string()), column: name.to_string() };
        Expr::reference(reference, slot.data_type, slot.exactness)
    }

    /// The frame of a node, for a step that adds to its SELECT; taken where it is used once, else it is a CTE.
    fn input(&mut self, node: NodeId) -> Frame {
        let shared = self.uses[node.index()] > 1;
        let frame = if shared { self.frames.get(&node).cloned() } else { self.frames.remove(&node) };
        // Inputs come before their users in the arena, so their frames exist.
        frame.unwrap_or_else(Frame::empty)
    }

    /// The frame of a node as a plain select, for a step that filters, joins or groups its rows.
    fn plain_input(&mut self, node: NodeId) -> Frame {
        let frame = self.input(node);
        if frame.is_plain() { frame } else { self.materialise(node, frame) }
    }

    fn compute(&mut self, input: NodeId, values: &[(SlotId, SlotExpr)]) -> Frame {
        let mut frame = self.input(input);
        let uses_window = values.iter().any(|(_, expr)| {
            expr.references().iter().any(|slot| frame.slots.get(slot).is_some_and(Expr::has_window))
        });
        // A value that is repeated where it is used must stay small, or chains of values double at each step.
        let repeats_much = values.iter().any(|(_, expr)| {
            let sizes =
                expr.references().into_iter().filter_map(|slot| frame.slots.get(slot)).map(Expr::size);
            sizes.sum::<usize>() > MOST_REPEATED
        });
        if frame.is_grouped() || uses_window || repeats_much {
            frame = self.materialise(input, frame);
        }
        for (slot, expr) in values {
            let value = frame.substitute(expr);
            frame.slots.insert(*slot, value);
        }
        frame
    }

    fn filter(&mut self, input: NodeId, predicates: &[SlotExpr]) -> Frame {
        let mut frame = self.plain_input(input);
        let filter: Vec<RelExpr> = predicates.iter().map(|predicate| frame.substitute(predicate)).collect();
        frame.select.filter.extend(filter);
        frame
    }

    /// LEFT JOIN to a table, or to a CTE where the far side is more than one.
    fn join_left(&mut self, input: NodeId, far: NodeId, on: &[(SlotId, SlotId)]) -> Frame {
        let mut frame = self.plain_input(input);
        let far_frame = self.input(far);
        let far_frame = if far_frame.is_bare_table() { far_frame } else { self.materialise(far, far_frame) };
        frame.join_left(&far_frame, on, false);
        frame.slots.extend(far_frame.slots);
        frame
    }

    /// Groups plain columns; anything computed is given a name in a CTE first.
    fn aggregate(
        &mut self,
        input: NodeId,
        keys: &[SlotId],
        measures: &[(SlotId, Aggregate<SlotId>)],
    ) -> Frame {
        let mut frame = self.plain_input(input);
        let needed =
            keys.iter().copied().chain(measures.iter().flat_map(|(_, aggregate)| slots_of(aggregate)));
        let all_plain = needed.into_iter().all(|slot| frame.is_column(slot));
        if !all_plain {
            frame = self.materialise(input, frame);
        }
        let mut slots = BTreeMap::new();
        let mut group_by = Vec::new();
        for key in keys {
            let column = frame.value(*key);
            group_by.push(column.clone());
            slots.insert(*key, column);
        }
        for (slot, aggregate) in measures {
            let over_columns = frame.aggregate(aggregate);
            let info = &self.plan.slots[*slot];
            slots.insert(*slot, Expr::new(ExprKind::Aggregate(over_columns), info.data_type, info.exactness));
        }
        frame.select.group_by = if keys.is_empty() { Grouping::Global } else { Grouping::Keys(group_by) };
        frame.slots = slots;
        frame
    }

    fn distinct(&mut self, input: NodeId, keys: &[SlotId]) -> Frame {
        let mut frame = self.plain_input(input);
        frame.slots = keys.iter().map(|key| (*key, frame.value(*key))).collect();
        frame.select.distinct = true;
        frame
    }

    /// FULL joins on the merged keys, or a cross join of one-row selects.
    fn stitch(&mut self, branches: &[NodeId], keys: &[(SlotId, Vec<SlotId>)]) -> Frame {
        let frames: Vec<Frame> = branches
            .iter()
            .map(|branch| {
                let frame = self.input(*branch);
                self.materialise(*branch, frame)
            })
            .collect();
        let Some((first, others)) = frames.split_first() else { return Frame::empty() };
        let mut stitched = first.clone();
        let mut merged: Vec<Vec<RelExpr>> =
            keys.iter().map(|(_, slots)| vec![first.value(slots[0])]).collect();
        for (index, other) in others.iter().enumerate() {
            let right_keys: Vec<RelExpr> =
                keys.iter().map(|(_, slots)| other.value(slots[index + 1])).collect();
            let on =
                merged.iter().zip(&right_keys).map(|(left, right)| (coalesce(left), right.clone())).collect();
            stitched.select.joins.push(Join {
                kind: if keys.is_empty() { JoinKind::Cross } else { JoinKind::Full },
                right: other.select.from.clone().unwrap_or_else(Frame::no_input),
                on,
                null_safe: true,
            });
            for (left, right) in merged.iter_mut().zip(right_keys) {
                left.push(right);
            }
            stitched.slots.extend(other.slots.clone());
        }
        for ((slot, _), columns) in keys.iter().zip(&merged) {
            stitched.slots.insert(*slot, coalesce(columns));
        }
        stitched
    }

    fn attach(&mut self, input: NodeId, branch: NodeId, on: &[(SlotId, SlotId)]) -> Frame {
        let mut frame = self.plain_input(input);
        let branch_frame = self.input(branch);
        let branch_frame = self.materialise(branch, branch_frame);
        frame.join_left(&branch_frame, on, true);
        for (slot, value) in branch_frame.slots {
            frame.slots.entry(slot).or_insert(value);
        }
        frame
    }

    /// Gives a frame a name, unless it reads a CTE as it is: its live slots become columns of a CTE, and the frame returned reads it.
    fn materialise(&mut self, node: NodeId, mut frame: Frame) -> Frame {
        if frame.is_cte() {
            return frame;
        }
        let live: Vec<SlotId> =
            frame.slots.keys().copied().filter(|slot| self.live[node.index()].contains(slot)).collect();
        let items = frame.items(live.iter().copied(), &self.plan.slots);
        let (home, comment) = self.describe(node);
        let suffix = match &self.plan.nodes[node] {
            Node::Scan { .. }
            | Node::Compute { .. }
            | Node::Filter { .. }
            | Node::Enrich { .. }
            | Node::Fan { .. } => {
                if self.is_over_groups(node) {
                    "groups"
                } else {
                    "rows"
                }
            }
            Node::Aggregate { keys, .. } if keys.is_empty() => "total",
            Node::Aggregate { .. } => "groups",
            Node::Distinct { .. } => "distinct",
            Node::Pick { .. } => "picked",
            Node::Stitch { .. } => "stitched",
            Node::Attach { .. } => "attached",
        };
        let name = self.cte_name(&format!("{home}_{suffix}"));
        let mut named = Frame::over(Input::cte(&name));
        for (slot, item) in live.iter().zip(&items) {
            named.slots.insert(*slot, self.column(*slot, &name, &item.name));
        }
        named.cte = true;
        frame.select.items = if items.is_empty() { vec![row_marker()] } else { items };
        self.ctes.push(Cte { name, comment, body: Body::Select(frame.select) });
        named
    }

    fn finish(mut self) -> Relation {
        let root = self.plan.root;
        let mut frame = self.input(root);
        let output_slots: Vec<SlotId> = self.plan.output.iter().map(|output| output.slot).collect();
        let hidden_key = self.plan.order_by.iter().any(|key| !output_slots.contains(&key.slot));
        if hidden_key && frame.is_grouped() || frame.drops_keys(&output_slots) {
            frame = self.materialise(root, frame);
        }
        let items = self
            .plan
            .output
            .iter()
            .map(|output| Item { name: output.name.clone(), expr: frame.value(output.slot) })
            .collect();
        let order_by = self
            .plan
            .order_by
            .iter()
            .map(|key| {
                let slot = &self.plan.slots[key.slot];
                let shown = self.plan.output.iter().find(|output| output.slot == key.slot);
                let expr = match shown {
                    Some(output) => Expr::reference(
                        ColumnRef { alias: None, column: output.name.clone() },
                        slot.data_type,
                        slot.exactness,
                    ),
                    None => frame.value(key.slot),
                };
                OrderKey { expr, descending: key.descending, nulls_first: key.nulls_first }
            })
            .collect();
        let body = Select { items, ..frame.select };
        Relation { ctes: self.ctes, body, order_by, limit: self.plan.limit, names: self.names }
    }
}

/// The first value that is not NULL; the one value itself if there is only one.
fn coalesce(values: &[RelExpr]) -> RelExpr {
    if let [only] = values {
        return only.clone();
    }
    let (data_type, exactness) = values
        .first()
        .map_or((DataType::Unknown, Exactness::Exact), |first| (first.data_type, first.exactness));
    Expr::call(Scalar::Coalesce, values.to_vec(), data_type, exactness)
}

/// A column for a select whose rows are counted and nothing else.
fn row_marker() -> Item {
    Item { name: "row_marker".to_string(), expr: Expr::integer(1) }
}
