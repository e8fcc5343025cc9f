//! What is computed over the groups of an aggregation: `having`, measures, the order. In: the groups' node, keys and slots of aggregates.
//! Out: the node with everything that the answer shows or is ordered by.

use std::collections::BTreeMap;

use crate::expr::{Expr, ExprKind};
use crate::function::{AggregateFunction, Scalar};
use crate::ids::{NodeId, SlotId};
use crate::plan::build::{Builder, Built, Values, missing};
use crate::plan::{Output, SlotExpr, SortKey};
use crate::query::{Aggregation, GroupExpr, GroupRef};

/// What expressions over groups refer to.
pub(super) struct Groups<'a> {
    pub(super) request: &'a Aggregation,
    pub(super) keys: &'a [SlotId],
    pub(super) slots: &'a BTreeMap<usize, SlotId>,
    /// Branches were stitched: a group may have no row in one of them, and its count is then 0.
    pub(super) counts_may_miss: bool,
}

impl Builder<'_> {
    /// `having` with its windows over all groups, then measures with their windows over those that are left, then order. A
    /// window of `having` that is asked for as well is shown as it was filtered on.
    pub(super) fn over_groups(&mut self, node: NodeId, groups: &Groups<'_>) -> Built {
        let request = groups.request;
        let mut windows = Values::default();
        let predicates: Vec<SlotExpr> = request
            .having
            .iter()
            .map(|predicate| {
                let mut expr = over_group_slots(predicate, groups);
                self.take_windows(&mut expr, &mut windows);
                expr
            })
            .collect();
        let early = windows.0.clone();
        let node = self.compute(node, windows);
        let node = self.keep(node, predicates);
        let mut values = Values::default();
        let mut output: Vec<Output> = request
            .dimensions
            .iter()
            .zip(groups.keys)
            .map(|(dimension, slot)| Output { name: dimension.name.clone(), slot: *slot })
            .collect();
        for measure in &request.measures {
            let mut expr = over_group_slots(&measure.expr, groups);
            use_windows(&mut expr, &early);
            let slot = self.slot_value(&measure.name, expr, &mut values);
            output.push(Output { name: measure.name.clone(), slot });
        }
        let order_by = request
            .order_by
            .iter()
            .map(|key| {
                let mut expr = over_group_slots(&key.expr, groups);
                use_windows(&mut expr, &early);
                let slot = self.slot_value("order_key", expr, &mut values);
                SortKey { slot, descending: key.descending, nulls_first: key.nulls_first }
            })
            .collect();
        Built { root: self.compute(node, values), output, order_by }
    }

    /// Puts a slot in place of each window.
    fn take_windows(&mut self, expr: &mut SlotExpr, windows: &mut Values) {
        if matches!(*expr.kind, ExprKind::Window(_)) {
            let slot = self.slot_value("having", expr.clone(), windows);
            *expr = self.reference(slot);
        } else {
            for part in expr.children_mut() {
                self.take_windows(part, windows);
            }
        }
    }
}

/// Puts their slots in place of windows that are computed already.
fn use_windows(expr: &mut SlotExpr, early: &[(SlotId, SlotExpr)]) {
    if let Some((slot, _)) = early.iter().find(|(_, window)| window == expr) {
        *expr = Expr::reference(*slot, expr.data_type, expr.exactness);
    } else {
        for part in expr.children_mut() {
            use_windows(part, early);
        }
    }
}

fn over_group_slots(expr: &GroupExpr, groups: &Groups<'_>) -> SlotExpr {
    expr.map_references(&mut |reference, leaf| {
        let slot = match reference {
            GroupRef::Dimension(index) => groups.keys.get(*index),
            GroupRef::Aggregate(index) => groups.slots.get(index),
        };
        // Every dimension and aggregate got its slot above.
        let Some(slot) = slot else { return missing(leaf) };
        let value = Expr::reference(*slot, leaf.data_type, leaf.exactness);
        let is_count = match reference {
            GroupRef::Dimension(_) => false,
            GroupRef::Aggregate(index) => matches!(
                groups.request.aggregates[*index].aggregate.function,
                AggregateFunction::Count | AggregateFunction::CountRows
            ),
        };
        if is_count && groups.counts_may_miss { or_zero(value) } else { value }
    })
}

/// A count of a group without a row is 0, as on an empty input.
fn or_zero(count: SlotExpr) -> SlotExpr {
    let (data_type, exactness) = (count.data_type, count.exactness);
    Expr::call(Scalar::Coalesce, vec![count, Expr::integer(0)], data_type, exactness)
}
