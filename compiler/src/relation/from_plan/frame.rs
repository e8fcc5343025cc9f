//! A SELECT under construction: what it reads and filters, and the expression of each slot in its scope.

use std::collections::BTreeMap;

use crate::data_type::{DataType, Exactness};
use crate::expr::{Aggregate, Expr, ExprKind};
use crate::ids::{Arena, SlotId};
use crate::plan::{Slot, SlotExpr};
use crate::relation::{ColumnRef, Grouping, Input, Item, Join, JoinKind, Names, RelExpr, Select};

/// A select whose items are not chosen yet.
#[derive(Clone, Debug)]
pub(super) struct Frame {
    pub(super) select: Select,
    /// What each slot is in this select's scope.
    pub(super) slots: BTreeMap<SlotId, RelExpr>,
    /// Reads one CTE.
    pub(super) cte: bool,
}

impl Frame {
    pub(super) fn over(input: Input) -> Frame {
        Frame { select: Select::plain(Vec::new(), Some(input)), slots: BTreeMap::new(), cte: false }
    }

    pub(super) fn empty() -> Frame {
        Frame::over(Frame::no_input())
    }

    pub(super) fn no_input() -> Input {
        Input::cte("")
    }

    pub(super) fn is_cte(&self) -> bool {
        self.cte && self.is_bare_table()
    }

    pub(super) fn is_grouped(&self) -> bool {
        self.select.distinct || self.select.group_by != Grouping::None
    }

    /// Neither grouped nor windowed: WHERE, JOIN and GROUP BY may be added.
    pub(super) fn is_plain(&self) -> bool {
        !self.is_grouped() && !self.slots.values().any(Expr::has_window)
    }

    /// One table with its own columns and nothing done to it.
    pub(super) fn is_bare_table(&self) -> bool {
        self.select.joins.is_empty()
            && self.select.filter.is_empty()
            && !self.is_grouped()
            && self.slots.keys().all(|slot| self.is_column(*slot))
    }

    pub(super) fn is_column(&self, slot: SlotId) -> bool {
        self.slots.get(&slot).is_some_and(|expr| matches!(*expr.kind, ExprKind::Reference(_)))
    }

    /// A DISTINCT select must show exactly its keys.
    pub(super) fn drops_keys(&self, shown: &[SlotId]) -> bool {
        self.select.distinct && !self.slots.keys().all(|slot| shown.contains(slot))
    }

    /// The expression of a slot. Every slot that a step reads is in its input's scope; a fault in that would name a column
    /// that no engine knows, so that it cannot become a number.
    pub(super) fn value(&self, slot: SlotId) -> RelExpr {
        self.slots.get(&slot).cloned().unwrap_or_else(|| {
            let absent = ColumnRef { alias: None, column: format!("absent {slot:?}") };
            Expr::reference(absent, DataType::Unknown, Exactness::Exact)
        })
    }

    pub(super) fn substitute(&self, expr: &SlotExpr) -> RelExpr {
        expr.map_references(&mut |slot, _| self.value(*slot))
    }

    pub(super) fn aggregate(&self, aggregate: &Aggregate<SlotId>) -> Aggregate<ColumnRef> {
        aggregate.map_references(&mut |slot, _| self.value(*slot))
    }

    /// Columns for some slots, named after them, each name once.
    pub(super) fn items(&self, slots: impl Iterator<Item = SlotId>, info: &Arena<SlotId, Slot>) -> Vec<Item> {
        let mut names = Names::default();
        slots.map(|slot| Item { name: names.unused(&info[slot].name), expr: self.value(slot) }).collect()
    }

    /// Adds a LEFT JOIN to another frame that is a bare table or a CTE.
    pub(super) fn join_left(&mut self, right: &Frame, on: &[(SlotId, SlotId)], null_safe: bool) {
        let on = on.iter().map(|(near, far)| (self.value(*near), right.value(*far))).collect();
        self.select.joins.push(Join {
            kind: JoinKind::Left,
            right: right.select.from.clone().unwrap_or_else(Frame::no_input),
            on,
            null_safe,
        });
    }
}
