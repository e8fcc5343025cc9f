//! MIN_BY and MAX_BY: the row of each group that comes first.
//! In: the rows, the keys, what is picked and by what. Out: a frame over a CTE with one row a group.

use super::Ctx;
use super::frame::Frame;
use crate::data_type::{DataType, Exactness};
use crate::expr::{Expr, ExprKind, OrderKey, Window};
use crate::function::{Ranking, Scalar, WindowFunction};
use crate::ids::{NodeId, SlotId};
use crate::relation::{Body, ColumnRef, Cte, Input, Item, Names};

impl Ctx<'_> {
    /// The first row a group by `by`, ties to the least value: ROW_NUMBER in a CTE, then the rows numbered 1.
    pub(super) fn pick(
        &mut self,
        id: NodeId,
        input: NodeId,
        keys: &[SlotId],
        (value, by, result): (SlotId, SlotId, SlotId),
        greatest: bool,
    ) -> Frame {
        let mut frame = self.plain_input(input);
        let by_expr = frame.value(by);
        let is_not_null =
            Expr::call(Scalar::IsNotNull, vec![by_expr.clone()], DataType::Boolean, Exactness::Exact);
        frame.select.filter.push(is_not_null);
        let order_by = vec![
            OrderKey { expr: by_expr, descending: greatest, nulls_first: false },
            OrderKey { expr: frame.value(value), descending: false, nulls_first: false },
        ];
        let rank = Expr::new(
            ExprKind::Window(Box::new(Window {
                function: WindowFunction::Ranking(Ranking::RowNumber),
                arguments: Vec::new(),
                ignore_nulls: false,
                partition_by: keys.iter().map(|key| frame.value(*key)).collect(),
                order_by,
                frame: None,
            })),
            DataType::Int64,
            Exactness::Exact,
        );
        let mut items = frame.items(keys.iter().copied().chain([value]), &self.plan.slots);
        let mut names = Names::default();
        for item in &items {
            names.take(&item.name);
        }
        let rank_name = names.unused("pick_rank");
        items.push(Item { name: rank_name.clone(), expr: rank });
        let (home, comment) = self.describe(input);
        let name = self.cte_name(&format!("{home}_ranked"));
        frame.select.items.clone_from(&items);
        let direction = if greatest { "greatest" } else { "least" };
        self.ctes.push(Cte {
            name: name.clone(),
            comment: format!("{comment}, ranked from the {direction} {}", self.plan.slots[by].name),
            body: Body::Select(frame.select),
        });
        let mut picked = Frame::over(Input::cte(&name));
        for (slot, item) in keys.iter().copied().chain([result]).zip(&items) {
            picked.slots.insert(slot, self.column(slot, &name, &item.name));
        }
        let rank_column = Expr::reference(
            ColumnRef { alias: Some(name), column: rank_name },
            DataType::Int64,
            Exactness::Exact,
        );
        let is_first = vec![rank_column, Expr::integer(1)];
        picked.select.filter.push(Expr::call(Scalar::Equal, is_first, DataType::Boolean, Exactness::Exact));
        // Joined or read by others only as a named select.
        self.materialise(id, picked)
    }
}
