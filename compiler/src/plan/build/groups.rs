//! Aggregation requests: each branch aggregated over its home rows, branches stitched, measures computed over groups.
//! In: a bound aggregation. Out: a plan.

use std::collections::BTreeMap;

use crate::expr::{Aggregate, Expr, ExprKind, OrderKey};
use crate::function::AggregateFunction;
use crate::ids::{FieldId, NodeId, SlotId};
use crate::plan::build::over_groups::Groups;
use crate::plan::build::sides::HomeRows;
use crate::plan::build::{Builder, Built, Values, fields_of, over_slots};
use crate::plan::{Node, SlotExpr};
use crate::query::{Aggregation, BoundAggregate, Branch, GroupRef};
use crate::resolve::{ModelExpr, Reference};

/// A branch with its rows aggregated.
struct Grouped {
    node: NodeId,
    keys: Vec<SlotId>,
    /// Whether its groups are groups of the answer: it computes a selected measure, or the request has none.
    decides_groups: bool,
}

pub(super) fn plan_aggregation(builder: &mut Builder<'_>, request: &Aggregation) -> Built {
    let mut slots: BTreeMap<usize, SlotId> = BTreeMap::new();
    let selected = selected_aggregates(request);
    let grouped: Vec<Grouped> = request
        .branches
        .iter()
        .map(|branch| builder.branch(request, branch, &selected, &mut slots))
        .collect();
    let stitched = grouped.len() > 1 && !request.dimensions.is_empty();
    let (node, keys) = builder.combine(request, grouped);
    let groups = Groups { request, keys: &keys, slots: &slots, counts_may_miss: stitched };
    builder.over_groups(node, &groups)
}

/// The aggregates that measures refer to; those of `having` and `order_by` alone add no groups.
fn selected_aggregates(request: &Aggregation) -> Vec<usize> {
    request
        .measures
        .iter()
        .flat_map(|measure| measure.expr.references())
        .filter_map(|reference| match reference {
            GroupRef::Aggregate(index) => Some(*index),
            GroupRef::Dimension(_) => None,
        })
        .collect()
}

/// A MIN_BY or MAX_BY whose arguments are slots of the rows.
pub(super) struct Pick {
    /// The slot of the answer.
    result: SlotId,
    /// The value of the winning row.
    pub(super) value: SlotId,
    /// What decides.
    pub(super) by: SlotId,
    /// MAX_BY.
    greatest: bool,
}

impl Builder<'_> {
    fn branch(
        &mut self,
        request: &Aggregation,
        branch: &Branch,
        selected: &[usize],
        slots: &mut BTreeMap<usize, SlotId>,
    ) -> Grouped {
        let aggregates: Vec<&BoundAggregate> =
            branch.aggregates.iter().map(|index| &request.aggregates[*index]).collect();
        let arguments = aggregates.iter().flat_map(|bound| bound.aggregate.parts());
        let wanted = fields_of(branch.dimensions.iter().chain(&branch.predicates).chain(arguments));
        let HomeRows { node, fields, identity } = self.home_rows(branch, &wanted);
        let node = self.filter(node, &branch.predicates, &fields);

        let mut values = Values::default();
        let keys: Vec<SlotId> = request
            .dimensions
            .iter()
            .zip(&branch.dimensions)
            .map(|(dimension, expr)| self.value(&dimension.name, expr, &fields, &mut values))
            .collect();
        let mut unique = keys.clone();
        unique.sort_unstable();
        unique.dedup();
        let mut plain: Vec<(SlotId, Aggregate<SlotId>)> = Vec::new();
        let mut picks = Vec::new();
        for (index, bound) in branch.aggregates.iter().zip(&aggregates) {
            let name = aggregate_name(bound, self);
            let result = match bound.aggregate.function {
                function @ (AggregateFunction::MinBy | AggregateFunction::MaxBy) => {
                    let (value, by) = self.picked(bound, &fields, &mut values);
                    let result = self.slot(&name, bound.data_type, bound.exactness);
                    let greatest = function == AggregateFunction::MaxBy;
                    picks.push(Pick { result, value, by, greatest });
                    result
                }
                _ => {
                    let over_rows = self.over_rows(bound, &fields, &mut values);
                    let result = self.slot(&name, bound.data_type, bound.exactness);
                    plain.push((result, over_rows));
                    result
                }
            };
            slots.insert(*index, result);
        }
        let rows = self.compute(node, values);
        let rows = self.once_a_group(rows, &identity, &keys, &plain, &picks);
        let mut node = self.group(rows, &unique, plain, picks.is_empty());
        for pick in &picks {
            node = Some(self.pick(rows, node, &unique, pick));
        }
        Grouped {
            // A request without dimensions and with picks alone has no aggregate row of its own.
            node: node.unwrap_or(rows),
            keys,
            decides_groups: branch.aggregates.is_empty()
                || branch.aggregates.iter().any(|index| selected.contains(index)),
        }
    }

    /// Groups rows: aggregated, or the distinct keys where there is nothing to aggregate. `None` where the picks alone
    /// make the one row of a request without dimensions.
    fn group(
        &mut self,
        rows: NodeId,
        keys: &[SlotId],
        plain: Vec<(SlotId, Aggregate<SlotId>)>,
        alone: bool,
    ) -> Option<NodeId> {
        let keys = keys.to_vec();
        if plain.is_empty() {
            if keys.is_empty() && !alone {
                return None;
            }
            return Some(self.nodes.push(Node::Distinct { input: rows, keys }));
        }
        Some(self.nodes.push(Node::Aggregate { input: rows, keys, measures: plain }))
    }

    /// The picked value beside the groups. Without dimensions it is made one row first, NULL if nothing was picked.
    fn pick(&mut self, rows: NodeId, groups: Option<NodeId>, keys: &[SlotId], pick: &Pick) -> NodeId {
        let (data_type, exactness) = (self.slots[pick.result].data_type, self.slots[pick.result].exactness);
        let in_one_row = keys.is_empty();
        let result = if in_one_row { self.slot("picked", data_type, exactness) } else { pick.result };
        let branch = self.nodes.push(Node::Pick {
            input: rows,
            keys: keys.to_vec(),
            value: pick.value,
            by: pick.by,
            greatest: pick.greatest,
            result,
        });
        if !in_one_row {
            let on = keys.iter().map(|key| (*key, *key)).collect();
            return match groups {
                Some(input) => self.nodes.push(Node::Attach { input, branch, on }),
                None => branch,
            };
        }
        let only = Aggregate {
            function: AggregateFunction::Max,
            arguments: vec![self.reference(result)],
            distinct: false,
            order_by: Vec::new(),
        };
        let one_row = self.nodes.push(Node::Aggregate {
            input: branch,
            keys: Vec::new(),
            measures: vec![(pick.result, only)],
        });
        match groups {
            Some(other) => self.nodes.push(Node::Stitch { branches: vec![other, one_row], keys: Vec::new() }),
            None => one_row,
        }
    }

    /// What a MIN_BY or MAX_BY picks, and by what: slots of the rows.
    fn picked(
        &mut self,
        bound: &BoundAggregate,
        fields: &BTreeMap<FieldId, SlotId>,
        values: &mut Values,
    ) -> (SlotId, SlotId) {
        let mut slot = |argument: Option<&ModelExpr>| match argument {
            Some(argument) => self.argument(over_slots(argument, fields), values),
            // Never: typing gave it both arguments.
            None => super::missing_slot(),
        };
        let arguments = &bound.aggregate.arguments;
        (slot(arguments.first()), slot(arguments.get(1)))
    }

    /// The slot of an aggregate's argument.
    fn argument(&mut self, expr: SlotExpr, values: &mut Values) -> SlotId {
        let name = argument_name(&expr, self);
        self.slot_value(&name, expr, values)
    }

    /// An aggregate whose arguments are slots of the rows, or literals.
    fn over_rows(
        &mut self,
        bound: &BoundAggregate,
        fields: &BTreeMap<FieldId, SlotId>,
        values: &mut Values,
    ) -> Aggregate<SlotId> {
        let takes_literal = matches!(
            bound.aggregate.function,
            AggregateFunction::PercentileCont
                | AggregateFunction::PercentileDisc
                | AggregateFunction::ListAgg
        );
        let arguments = bound
            .aggregate
            .arguments
            .iter()
            .enumerate()
            .map(|(index, argument)| {
                let expr = over_slots(argument, fields);
                let is_literal = matches!(*expr.kind, ExprKind::Literal(_));
                if is_literal && takes_literal && index > 0 {
                    return expr;
                }
                let slot = self.argument(expr, values);
                self.reference(slot)
            })
            .collect();
        let order_by = bound
            .aggregate
            .order_by
            .iter()
            .map(|key| {
                let slot = self.value("order_key", &key.expr, fields, values);
                OrderKey {
                    expr: self.reference(slot),
                    descending: key.descending,
                    nulls_first: key.nulls_first,
                }
            })
            .collect();
        Aggregate {
            function: bound.aggregate.function,
            arguments,
            distinct: bound.aggregate.distinct,
            order_by,
        }
    }

    /// Stitches the branches that decide the groups and attaches the others.
    fn combine(&mut self, request: &Aggregation, grouped: Vec<Grouped>) -> (NodeId, Vec<SlotId>) {
        let without_dimensions = request.dimensions.is_empty();
        let (deciding, attached): (Vec<Grouped>, Vec<Grouped>) =
            grouped.into_iter().partition(|branch| branch.decides_groups || without_dimensions);
        let (mut node, keys) = self.stitch(request, deciding);
        for branch in attached {
            let on = keys.iter().copied().zip(branch.keys.iter().copied()).collect();
            node = self.nodes.push(Node::Attach { input: node, branch: branch.node, on });
        }
        (node, keys)
    }

    fn stitch(&mut self, request: &Aggregation, branches: Vec<Grouped>) -> (NodeId, Vec<SlotId>) {
        if let [only] = branches.as_slice() {
            return (only.node, only.keys.clone());
        }
        let keys: Vec<(SlotId, Vec<SlotId>)> = request
            .dimensions
            .iter()
            .enumerate()
            .map(|(index, dimension)| {
                let merged = self.slot(&dimension.name, dimension.data_type, dimension.exactness);
                (merged, branches.iter().map(|branch| branch.keys[index]).collect())
            })
            .collect();
        let merged = keys.iter().map(|(merged, _)| *merged).collect();
        let branches = branches.into_iter().map(|branch| branch.node).collect();
        (self.nodes.push(Node::Stitch { branches, keys }), merged)
    }
}

/// `sum_amount`: the function and the first field that it looks at.
fn aggregate_name(bound: &BoundAggregate, builder: &Builder<'_>) -> String {
    let function = match bound.aggregate.function {
        AggregateFunction::CountRows => return "row_count".to_string(),
        AggregateFunction::Count if bound.aggregate.distinct => "distinct".to_string(),
        function => function.name().to_lowercase(),
    };
    let field =
        bound.aggregate.arguments.iter().flat_map(Expr::references).find_map(|reference| match reference {
            Reference::Field(field) => Some(*field),
            Reference::Column(_) | Reference::Metric(_) | Reference::Now => None,
        });
    match field {
        Some(field) => format!("{function}_{}", builder.resolved.model.fields[field].name.text),
        None => function,
    }
}

/// The name of the first slot that an expression refers to.
fn argument_name(expr: &SlotExpr, builder: &Builder<'_>) -> String {
    expr.references()
        .first()
        .and_then(|slot| builder.slots.get(**slot))
        .map_or_else(|| "constant".to_string(), |slot| slot.name.clone())
}
