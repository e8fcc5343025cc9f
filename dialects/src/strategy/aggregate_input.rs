//! Parts a grouping select into the rows that it reads and the grouping over them, so that a strategy can put other rows beside.
//! In: a select with aggregates. Out: a select of plain rows; the grouping one refers to them by an alias.

use unisono_compiler::expr::{Aggregate, Expr, ExprKind};
use unisono_compiler::function::AggregateFunction;
use unisono_compiler::relation::{ColumnRef, Grouping, RelExpr, Select};

use super::rewrite::{Below, replace};

/// How COUNT(*) is kept right when rows are put beside.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum CountRows {
    /// No row will be: COUNT(*) stays.
    AsIs,
    /// It becomes a COUNT of a mark that the other rows lack.
    ByMark,
}

/// Moves the source, joins and filter of a grouping select into a select of the columns that its keys and aggregates need.
/// The caller names those rows and sets the grouping select's source, with the same alias.
pub(super) fn part(select: &mut Select, alias: &str, counting: CountRows) -> Select {
    let mut rows = Rows { below: Below::new(alias), counting };
    for item in &mut select.items {
        item.expr = rows.over(&item.expr);
    }
    if let Grouping::Keys(keys) = &mut select.group_by {
        for key in keys {
            *key = rows.over(key);
        }
    }
    Select {
        joins: std::mem::take(&mut select.joins),
        filter: std::mem::take(&mut select.filter),
        ..Select::plain(rows.below.items, select.from.take())
    }
}

/// The columns that are needed below.
struct Rows {
    below: Below,
    counting: CountRows,
}

impl Rows {
    fn over(&mut self, expr: &RelExpr) -> RelExpr {
        replace(expr, &mut |part| self.aggregate(part).or_else(|| self.reference(part)))
    }

    fn aggregate(&mut self, expr: &RelExpr) -> Option<RelExpr> {
        let ExprKind::Aggregate(aggregate) = &*expr.kind else { return None };
        let mut aggregate: Aggregate<ColumnRef> = aggregate.clone();
        if aggregate.function == AggregateFunction::CountRows && self.counting == CountRows::ByMark {
            aggregate.function = AggregateFunction::Count;
            aggregate.arguments = vec![self.mark()];
        }
        for argument in &mut aggregate.arguments {
            *argument = self.carried(argument);
        }
        for key in &mut aggregate.order_by {
            key.expr = self.carried(&key.expr);
        }
        Some(Expr::new(ExprKind::Aggregate(aggregate), expr.data_type, expr.exactness))
    }

    fn reference(&mut self, expr: &RelExpr) -> Option<RelExpr> {
        matches!(&*expr.kind, ExprKind::Reference(_)).then(|| self.carried(expr))
    }

    /// The value as a column of the rows below; constants such as a percentile's fraction stay where they are.
    fn carried(&mut self, expr: &RelExpr) -> RelExpr {
        let wanted = match &*expr.kind {
            ExprKind::Reference(reference) if reference.alias.as_ref() == Some(&self.below.alias) => {
                return expr.clone();
            }
            ExprKind::Reference(reference) => reference.column.as_str(),
            ExprKind::Literal(_) => return expr.clone(),
            ExprKind::Call { .. }
            | ExprKind::Case { .. }
            | ExprKind::InList { .. }
            | ExprKind::Cast { .. }
            | ExprKind::Aggregate(_)
            | ExprKind::Window(_) => "value",
        };
        self.below.column(expr, wanted)
    }

    fn mark(&mut self) -> RelExpr {
        self.below.column(&Expr::integer(1), "mark")
    }
}
