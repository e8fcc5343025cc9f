//! An aggregate without GROUP BY where no rows give no row (Flink streaming): a row of NULLs is added below it, which no
//! aggregate sees but which makes the input never empty. In: a relation. Out: the same with its global aggregates so rewritten.
//! COUNT(*) becomes a COUNT of a mark that the added row lacks. The changelog stays right, since the added row never changes.

use std::collections::BTreeSet;

use unisono_compiler::data_type::{DataType, Exactness};
use unisono_compiler::diagnostic::{Code, Diagnostic};
use unisono_compiler::expr::{Aggregate, Expr, ExprKind, Literal};
use unisono_compiler::function::AggregateFunction;
use unisono_compiler::relation::{Body, ColumnRef, Grouping, Input, Item, RelExpr, Relation, Select, Source};

use super::rewrite::{Added, column, every_select, free_name, null, replace};
use crate::capabilities::EmptyAggregate;
use crate::target::Target;

const ALIAS: &str = "kept";

/// Adds the row below every global aggregate where the target needs it.
pub(crate) fn apply(
    relation: &mut Relation,
    style: EmptyAggregate,
    target: Target,
    diagnostics: &mut Vec<Diagnostic>,
) {
    if style == EmptyAggregate::OneRow {
        return;
    }
    every_select(relation, &mut |select, _, name, added| rewrite(select, name, added, target, diagnostics));
}

fn rewrite(
    select: &mut Select,
    name: &str,
    ctes: &mut Added,
    target: Target,
    diagnostics: &mut Vec<Diagnostic>,
) {
    if select.group_by != Grouping::Global {
        return;
    }
    let mut rows = Rows::default();
    let items: Vec<Item> = select
        .items
        .iter()
        .map(|item| Item {
            name: item.name.clone(),
            expr: replace(&item.expr, &mut |expr| rows.aggregate(expr)),
        })
        .collect();
    for item in &rows.items {
        if item.expr.data_type == DataType::Unknown {
            diagnostics.push(
                Diagnostic::new(
                    Code::TypeRequired,
                    format!("{target} needs the type of `{}` for the row that keeps `{name}` from being empty", item.name),
                )
                .help("declare it in a `--schema` file, under `types:` in unisono.yaml, or as the field's `datatype`"),
            );
        }
    }
    let kept = ctes.name(&[name, "_kept"].concat());
    let missing = rows
        .items
        .iter()
        .map(|item| Item { name: item.name.clone(), expr: null(item.expr.data_type) })
        .collect();
    let found = Select {
        distinct: false,
        items: rows.items,
        from: select.from.take(),
        joins: std::mem::take(&mut select.joins),
        filter: std::mem::take(&mut select.filter),
        group_by: Grouping::None,
    };
    let added = Select {
        distinct: false,
        items: missing,
        from: None,
        joins: Vec::new(),
        filter: Vec::new(),
        group_by: Grouping::None,
    };
    let comment = format!("rows of {name}, and one of NULLs so that an empty input has an answer");
    ctes.push(kept.clone(), comment, Body::UnionAll(vec![found, added]));
    select.items = items;
    select.from = Some(Input { source: Source::Cte(kept), alias: ALIAS.to_string() });
}

/// The columns that the aggregates need below them.
#[derive(Default)]
struct Rows {
    items: Vec<Item>,
    taken: BTreeSet<String>,
}

impl Rows {
    fn aggregate(&mut self, expr: &RelExpr) -> Option<RelExpr> {
        let ExprKind::Aggregate(aggregate) = &*expr.kind else { return None };
        let mut aggregate: Aggregate<ColumnRef> = aggregate.clone();
        if aggregate.function == AggregateFunction::CountRows {
            aggregate.function = AggregateFunction::Count;
            aggregate.arguments = vec![self.mark()];
        } else {
            for argument in &mut aggregate.arguments {
                *argument = self.carry(argument);
            }
            for key in &mut aggregate.order_by {
                key.expr = self.carry(&key.expr);
            }
        }
        Some(Expr::new(ExprKind::Aggregate(aggregate), expr.data_type, expr.exactness))
    }

    /// The value as a column of the rows below; constants such as a percentile's fraction stay where they are.
    fn carry(&mut self, expr: &RelExpr) -> RelExpr {
        let wanted = match &*expr.kind {
            ExprKind::Literal(_) if !matches!(&*expr.kind, ExprKind::Literal(Literal::Integer(_))) => {
                return expr.clone();
            }
            ExprKind::Reference(reference) => reference.column.as_str(),
            ExprKind::Literal(_)
            | ExprKind::Call { .. }
            | ExprKind::Case { .. }
            | ExprKind::InList { .. }
            | ExprKind::Cast { .. }
            | ExprKind::Aggregate(_)
            | ExprKind::Window(_) => "value",
        };
        self.item(wanted, expr)
    }

    fn mark(&mut self) -> RelExpr {
        let one = Expr::new(
            ExprKind::Literal(Literal::Integer("1".to_string())),
            DataType::Int64,
            Exactness::Exact,
        );
        self.item("mark", &one)
    }

    fn item(&mut self, wanted: &str, expr: &RelExpr) -> RelExpr {
        let known = self.items.iter().find(|item| item.expr == *expr).map(|item| item.name.clone());
        let name = known.unwrap_or_else(|| {
            let name = free_name(wanted, &mut self.taken);
            self.items.push(Item { name: name.clone(), expr: expr.clone() });
            name
        });
        column(ALIAS, &name, expr.data_type, expr.exactness)
    }
}
