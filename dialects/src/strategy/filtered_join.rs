//! Filters over NULL-safe outer joins where the planner loses the NULL group (DataFusion).
//! In: a relation. Out: the same, with the columns of such filters behind `NULLIF(.., NULL)`.
//!
//! A filter that no NULL passes makes an inner join of an outer one, and an inner join of DataFusion 54 tells its other side which
//! keys to look for: NULL is not among them, although the join is NULL-safe (run). Behind a call the planner cannot tell.

use std::collections::BTreeSet;

use unisono_compiler::expr::{Expr, ExprKind};
use unisono_compiler::function::{Function, Scalar};
use unisono_compiler::relation::{Body, RelExpr, Relation, Select, Source};

use super::rewrite::{null, replace, selects};
use crate::capabilities::FilteredJoin;

/// Hides the columns of filters above NULL-safe joins.
pub(crate) fn apply(relation: &mut Relation, style: FilteredJoin) {
    if style == FilteredJoin::KeepsNulls {
        return;
    }
    let mut joined = BTreeSet::new();
    for cte in &mut relation.ctes {
        if selects(&cte.body).iter().any(|select| reads_join(select, &joined)) {
            joined.insert(cte.name.clone());
            match &mut cte.body {
                Body::Select(select) => hide(select),
                Body::UnionAll(all) => all.iter_mut().for_each(hide),
            }
        }
    }
    if reads_join(&relation.body, &joined) {
        hide(&mut relation.body);
    }
}

/// Whether a NULL-safe join is in a select or below it.
fn reads_join(select: &Select, joined: &BTreeSet<String>) -> bool {
    let inputs = select.from.iter().chain(select.joins.iter().map(|join| &join.right));
    let mut below = inputs.filter_map(|input| match &input.source {
        Source::Cte(name) => Some(name),
        Source::Dataset(_) => None,
    });
    select.joins.iter().any(|join| join.null_safe) || below.any(|name| joined.contains(name))
}

fn hide(select: &mut Select) {
    for predicate in &mut select.filter {
        *predicate = replace(predicate, &mut |part: &RelExpr| match &*part.kind {
            ExprKind::Reference(_) => {
                let arguments = vec![part.clone(), null(part.data_type)];
                let call = ExprKind::Call { function: Function::Scalar(Scalar::NullIf), arguments };
                Some(Expr::new(call, part.data_type, part.exactness))
            }
            _ => None,
        });
    }
}
