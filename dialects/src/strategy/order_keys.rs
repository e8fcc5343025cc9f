//! Keys of ORDER BY that the planner drops or takes for columns of the answer (DataFusion).
//! In: a relation. Out: the same rows ordered by `NULLIF(key, NULL)`, which is the key and for the planner no column.
//!
//! Where the answer repeats a part of an expression over grouped rows, DataFusion 54 computes the part first, as a new first column,
//! and then takes that column for the key of the groups: `ORDER BY part, key` became `ORDER BY part`. And it refuses
//! `SELECT -t.a AS a FROM t ORDER BY t.a`, since it sorts over the columns of both the answer and the source (both run).

use std::collections::BTreeSet;

use unisono_compiler::expr::ExprKind;
use unisono_compiler::function::{Function, Scalar};
use unisono_compiler::relation::{
    Body, ColumnRef, Cte, Grouping, Input, Item, RelExpr, Relation, Select, Source,
};

use super::rewrite::{column, free_name, opaque};
use crate::capabilities::OrderKeys;

const ANSWER: &str = "answer";

/// Calls whose text holds each argument once.
const PLAIN: [Scalar; 6] =
    [Scalar::Add, Scalar::Subtract, Scalar::Multiply, Scalar::Negate, Scalar::Coalesce, Scalar::NullIf];

/// Hides the keys of an order of several over computed columns, and those over a column whose name the answer gives to another value.
pub(crate) fn apply(relation: &mut Relation, style: OrderKeys) {
    let may_drop = relation.order_by.len() > 1 && may_repeat(&relation.body.items);
    let is_safe =
        !may_drop && !relation.order_by.iter().any(|key| is_hidden(&key.expr, &relation.body.items));
    if style == OrderKeys::AllKept || is_safe {
        return;
    }
    let mut taken = relation.ctes.iter().map(|cte| cte.name.clone()).collect();
    let answer = free_name(ANSWER, &mut taken);
    let mut names = relation.body.items.iter().map(|item| item.name.clone()).collect();
    let outer = relation
        .body
        .items
        .iter()
        .map(|item| Item {
            name: item.name.clone(),
            expr: column(&answer, &item.name, item.expr.data_type, item.expr.exactness),
        })
        .collect();
    for key in &mut relation.order_by {
        // A key that is no column of the answer becomes one of the select below it.
        let name = match &*key.expr.kind {
            ExprKind::Reference(ColumnRef { alias: None, column }) => column.clone(),
            _ => {
                let name = free_name("order_key", &mut names);
                relation.body.items.push(Item { name: name.clone(), expr: key.expr.clone() });
                name
            }
        };
        key.expr = opaque(column(&answer, &name, key.expr.data_type, key.expr.exactness));
    }
    let select = Select {
        distinct: false,
        items: outer,
        from: Some(Input { source: Source::Cte(answer.clone()), alias: answer.clone() }),
        joins: Vec::new(),
        filter: Vec::new(),
        group_by: Grouping::None,
    };
    let body = std::mem::replace(&mut relation.body, select);
    relation.ctes.push(Cte {
        name: answer,
        comment: "the answer, to be ordered".to_string(),
        body: Body::Select(body),
    });
}

/// Whether a key looks at a column of the source by whose name the answer calls another value.
fn is_hidden(key: &RelExpr, items: &[Item]) -> bool {
    // A value of the answer is found there as a whole.
    !items.iter().any(|item| item.expr == *key)
        && key.references().into_iter().any(|column| {
            let is_other = |item: &Item| match &*item.expr.kind {
                ExprKind::Reference(same) => same != column,
                ExprKind::Literal(_)
                | ExprKind::Call { .. }
                | ExprKind::Case { .. }
                | ExprKind::InList { .. }
                | ExprKind::Cast { .. }
                | ExprKind::Aggregate(_)
                | ExprKind::Window(_) => true,
            };
            column.alias.is_some() && items.iter().any(|item| item.name == column.column && is_other(item))
        })
}

/// Whether a computed part may stand twice in the text of the items. Only plain forms are looked into: others may repeat their arguments.
fn may_repeat(items: &[Item]) -> bool {
    let mut seen = BTreeSet::new();
    items.iter().any(|item| {
        item.expr.any(&mut |part| match &*part.kind {
            ExprKind::Reference(_) | ExprKind::Literal(_) => false,
            ExprKind::Cast { .. } => !seen.insert(format!("{part:?}")),
            ExprKind::Call { function: Function::Scalar(Scalar::Divide), arguments } => {
                // Both sides are cast.
                let mut casts = arguments.iter().map(|argument| format!("double {argument:?}"));
                !seen.insert(format!("{part:?}")) || casts.any(|cast| !seen.insert(cast))
            }
            ExprKind::Call { function: Function::Scalar(scalar), .. } if PLAIN.contains(scalar) => {
                !seen.insert(format!("{part:?}"))
            }
            ExprKind::Call { .. }
            | ExprKind::Case { .. }
            | ExprKind::InList { .. }
            | ExprKind::Aggregate(_)
            | ExprKind::Window(_) => true,
        })
    })
}
