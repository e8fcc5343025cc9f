//! Filters over NULL-safe outer joins where the planner loses the NULL group (DataFusion).
//! In: a relation. Out: the same, with the columns of such filters behind `NULLIF(.., NULL)`.
//!
//! A filter that no NULL passes makes an inner join of an outer one, and an inner join of DataFusion 54 tells its other side which
//! keys to look for: NULL is not among them, although the join is NULL-safe (run). Behind a call the planner cannot tell. Where the keys
//! have types the joins are made safe in themselves (`null_safe_keys`); of two such joins made inner ones, the planner fails over the
//! names of their keys (run: "duplicate qualified field name").

use unisono_compiler::expr::ExprKind;
use unisono_compiler::relation::{Join, RelExpr, Relation, Select};

use super::rewrite::{ctes_over, every_select, is_over, opaque, replace};
use crate::capabilities::FilteredJoin;

/// Hides the columns of filters above NULL-safe joins.
pub(crate) fn apply(relation: &mut Relation, style: FilteredJoin) {
    if style == FilteredJoin::KeepsNulls {
        return;
    }
    let is_null_safe = |join: &Join| join.null_safe;
    let joined = ctes_over(relation, is_null_safe);
    every_select(relation, &mut |select, _, _, _| {
        if is_over(select, &joined, is_null_safe) {
            hide(select);
        }
    });
}

fn hide(select: &mut Select) {
    for predicate in &mut select.filter {
        *predicate = replace(predicate, &mut |part: &RelExpr| match &*part.kind {
            ExprKind::Reference(_) => Some(opaque(part.clone())),
            _ => None,
        });
    }
}
