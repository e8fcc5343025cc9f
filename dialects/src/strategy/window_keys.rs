//! Windows whose computed keys a planner loses track of (DataFusion).
//! In: a relation. Out: the same windows over a step below them that has each key as a column.
//!
//! DataFusion 54 simplifies a key in one place and not in another: its last check then refuses the plan, or it panics over windows
//! with one key written in two ways (run).

use unisono_compiler::expr::{ExprKind, OrderKey};
use unisono_compiler::relation::{Body, ColumnRef, Grouping, Input, RelExpr, Relation, Select};

use super::rewrite::{Added, Below, every_select, exprs, replace};
use crate::capabilities::WindowKeys;

/// Adds a step below every select that has a window with a computed key.
pub(crate) fn apply(relation: &mut Relation, style: WindowKeys) {
    match style {
        WindowKeys::Any | WindowKeys::NoConstants => {}
        WindowKeys::ColumnsOnly => every_select(relation, &mut rewrite),
    }
}

fn rewrite(select: &mut Select, order: &mut [OrderKey<ColumnRef>], name: &str, added: &mut Added<'_>) {
    let mut keys = Vec::new();
    for expr in exprs(select) {
        collect(expr, &mut keys);
    }
    // Where a select groups, each item is a key or an aggregate.
    if keys.is_empty() || select.group_by != Grouping::None {
        return;
    }
    let mut below = Below::new(&added.name(&[name, "_keyed"].concat()));
    let mut carried = |expr: &mut RelExpr| {
        *expr = replace(expr, &mut |part| match &*part.kind {
            _ if keys.contains(part) => Some(below.column(part, "window_key")),
            ExprKind::Reference(ColumnRef { alias: Some(_), column }) => Some(below.column(part, column)),
            _ => None,
        });
    };
    for expr in
        select.items.iter_mut().map(|item| &mut item.expr).chain(order.iter_mut().map(|key| &mut key.expr))
    {
        carried(expr);
    }
    let rows = Select {
        distinct: false,
        items: below.items,
        from: select.from.take(),
        joins: std::mem::take(&mut select.joins),
        filter: std::mem::take(&mut select.filter),
        group_by: Grouping::None,
    };
    select.from = Some(Input::cte(&below.alias));
    added.push(below.alias, format!("{name} with the keys of its windows"), Body::Select(rows));
}

/// The keys of an expression's windows that are neither columns nor constants.
fn collect(expr: &RelExpr, keys: &mut Vec<RelExpr>) {
    if let ExprKind::Window(window) = &*expr.kind {
        for key in window.partition_by.iter().chain(window.order_by.iter().map(|key| &key.expr)) {
            let is_computed = !matches!(&*key.kind, ExprKind::Reference(_) | ExprKind::Literal(_));
            if is_computed && !keys.contains(key) {
                keys.push(key.clone());
            }
        }
    }
    for child in expr.children() {
        collect(child, keys);
    }
}
