//! MIN and MAX over rows of an outer join where the planner takes the joined rows for never changing (Flink streaming).
//! In: a relation. Out: the same rows beside a branch that never has any and whose values change, so that extremes are kept
//! in a form that takes values back.
//!
//! An order that came before its customer leaves the NULL group, and its amount stayed that group's maximum for ever (2.2.1, run).

use std::collections::BTreeSet;

use unisono_compiler::data_type::{DataType, Exactness};
use unisono_compiler::diagnostic::{Code, Diagnostic};
use unisono_compiler::expr::{Aggregate, Expr, ExprKind, Literal};
use unisono_compiler::function::{AggregateFunction, Function, Scalar, Unit};
use unisono_compiler::relation::{
    Body, Grouping, Input, Item, Join, JoinKind, RelExpr, Relation, Select, Source,
};

use super::aggregate_input::{CountRows, part};
use super::rewrite::{Added, column, ctes_over, every_select, exprs, is_over, null};
use crate::capabilities::Extremes;
use crate::target::Target;

const ALIAS: &str = "changing";
const TOTAL: &str = "total";

/// Puts the branch beside the rows of every select that needs it.
pub(crate) fn apply(
    relation: &mut Relation,
    style: Extremes,
    target: Target,
    diagnostics: &mut Vec<Diagnostic>,
) {
    if style == Extremes::TakenBack {
        return;
    }
    let is_outer = |join: &Join| join.kind != JoinKind::Cross;
    let joined = ctes_over(relation, is_outer);
    let mut never = None;
    every_select(relation, &mut |select, _, name, added| {
        if !has_extreme(select) || !is_over(select, &joined, is_outer) {
            return;
        }
        let never = never.get_or_insert_with(|| add_never(added)).clone();
        rewrite(select, name, &never, added, target, diagnostics);
    });
}

fn has_extreme(select: &Select) -> bool {
    exprs(select).any(|expr| expr.any(&mut |part| extreme_argument(part).is_some()))
}

fn extreme_argument(expr: &RelExpr) -> Option<&RelExpr> {
    match &*expr.kind {
        ExprKind::Aggregate(Aggregate {
            function: AggregateFunction::Min | AggregateFunction::Max,
            arguments,
            ..
        }) => arguments.first(),
        _ => None,
    }
}

/// A select without rows that the planner cannot prove to be one: a sum, which may change, of one 0 that is to be above 0.
fn add_never(added: &mut Added<'_>) -> String {
    let zero = Item { name: "zero".to_string(), expr: Expr::integer(0) };
    let (rows, never) = (added.name("never_rows"), added.name("never"));
    added.push(rows.clone(), "one row to sum".to_string(), Body::Select(Select::plain(vec![zero], None)));
    let sum = Aggregate {
        function: AggregateFunction::Sum,
        arguments: vec![column(&rows, "zero", DataType::Int64, Exactness::Exact)],
        distinct: false,
        order_by: Vec::new(),
    };
    let total = Item {
        name: TOTAL.to_string(),
        expr: Expr::new(ExprKind::Aggregate(sum), DataType::Int64, Exactness::Exact),
    };
    let summed = Select { group_by: Grouping::Global, ..Select::plain(vec![total], Some(Input::cte(&rows))) };
    added.push(never.clone(), "a value that may change, and is 0".to_string(), Body::Select(summed));
    never
}

fn rewrite(
    select: &mut Select,
    name: &str,
    never: &str,
    added: &mut Added<'_>,
    target: Target,
    diagnostics: &mut Vec<Diagnostic>,
) {
    let found = part(select, ALIAS, CountRows::AsIs);
    let mut extremes = BTreeSet::new();
    for expr in exprs(select) {
        expr.any(&mut |part| {
            if let Some(ExprKind::Reference(reference)) =
                extreme_argument(part).map(|argument| &*argument.kind)
            {
                extremes.insert(reference.column.clone());
            }
            false
        });
    }
    let total = column(never, TOTAL, DataType::Int64, Exactness::Exact);
    let mut items = Vec::new();
    for item in &found.items {
        let data_type = item.expr.data_type;
        let value =
            if extremes.contains(&item.name) { changing(&total, data_type) } else { Some(null(data_type)) };
        let expr = value.unwrap_or_else(|| {
            diagnostics.push(
                Diagnostic::new(
                    Code::UnsupportedFunction,
                    format!("`MIN` and `MAX` on {target}: over an outer join there is no safe form for {data_type}"),
                )
                .help("take the extreme of another column, or use the `flink` target, which runs in batch mode: `--dialect flink` of `sql`, `--target flink` of `compile`"),
            );
            null(data_type)
        });
        items.push(Item { name: item.name.clone(), expr });
    }
    let branch = Select { filter: vec![above_zero(total)], ..Select::plain(items, Some(Input::cte(never))) };
    let changing = added.name(&[name, "_changing"].concat());
    let comment = format!("rows of {name}, beside a branch without rows: extremes over them are taken back");
    added.push(changing.clone(), comment, Body::UnionAll(vec![found, branch]));
    select.from = Some(Input { source: Source::Cte(changing), alias: ALIAS.to_string() });
}

/// A value of a type that is made of the changing total.
fn changing(total: &RelExpr, data_type: DataType) -> Option<RelExpr> {
    let node = |kind| Expr::new(kind, data_type, Exactness::Exact);
    let moved = |unit, start: Literal| {
        node(ExprKind::Call {
            function: Function::DateAdd(unit),
            arguments: vec![total.clone(), node(ExprKind::Literal(start))],
        })
    };
    match data_type {
        DataType::Int64 => Some(total.clone()),
        DataType::Int8
        | DataType::Int16
        | DataType::Int32
        | DataType::Decimal { .. }
        | DataType::Float32
        | DataType::Float64
        | DataType::String => Some(node(ExprKind::Cast { operand: total.clone() })),
        DataType::Boolean => Some(above_zero(total.clone())),
        DataType::Date => Some(moved(Unit::Day, Literal::Date("2000-01-01".to_string()))),
        DataType::Timestamp | DataType::TimestampTz => {
            Some(moved(Unit::Second, Literal::Timestamp("2000-01-01 00:00:00".to_string())))
        }
        DataType::Time | DataType::Null | DataType::Unknown => None,
    }
}

fn above_zero(total: RelExpr) -> RelExpr {
    Expr::call(Scalar::Greater, vec![total, Expr::integer(0)], DataType::Boolean, Exactness::Exact)
}
