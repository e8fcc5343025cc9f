//! The clauses around dimensions and measures, each entry judged by itself. In: a request. Out: predicates, `having`, sort keys, and the codes
//! of entries at the wrong level.

use unisono_compiler::query::Request;
use unisono_compiler::syntax::expr::{Expr, ExprKind};

use super::refuse::{Reasons, check_expression, level};
use super::request::{self, Column};
use super::rows::World;
use super::tree::names_of;
use crate::stop::Stop;

/// A sort key taken apart.
pub(super) struct Sort {
    /// What.
    pub(super) expr: Expr,
    /// From the highest down.
    pub(super) descending: bool,
    /// Where NULLs stand, if said.
    pub(super) nulls_first: Option<bool>,
}

/// The predicates of `where` and `time_range`; in both every name is one of rows.
pub(super) fn predicates(world: &World<'_>, request: &Request, reasons: &mut Reasons) -> Vec<Expr> {
    let mut predicates: Vec<Expr> = request
        .where_all
        .iter()
        .filter_map(|text| reasons.note(request::expression(text, request)))
        .collect();
    if let Some(range) = &request.time_range {
        // Days are ordered as their texts are; of other texts nothing is said here.
        if let (Some(start), Some(end)) = (&range.start, &range.end)
            && [start, end].iter().all(|bound| bound.value.len() == 10)
            && end.value < start.value
        {
            reasons.add("E_TIME_RANGE_REVERSED");
        }
        predicates.extend(reasons.note(request::range(range, request)).into_iter().flatten());
    }
    for predicate in &predicates {
        let found = level(predicate, &[]);
        let is_metric = |name: &Vec<_>| world.metric_named(name);
        if !found.aggregates.is_empty() || found.names.iter().any(is_metric) {
            reasons.add("E_AGGREGATE_IN_WHERE");
        }
        if !found.windows.is_empty() {
            reasons.add("E_WINDOW_IN_WHERE");
        }
        check_expression(world, predicate, true, reasons);
    }
    predicates
}

/// A dimension is of rows, and no float.
pub(super) fn check_dimension(world: &World<'_>, dimension: &Expr, reasons: &mut Reasons) {
    let found = level(dimension, &[]);
    if !found.windows.is_empty() {
        reasons.add("E_WINDOW_OVER_FANOUT_REWRITE");
    }
    if !found.aggregates.is_empty() || found.names.iter().any(|name| world.metric_named(name)) {
        reasons.note::<()>(Err(Stop::Unknown("an aggregate as a dimension".into())));
    }
    check_expression(world, dimension, true, reasons);
    if let ExprKind::Name(parts) = &*dimension.kind
        && let [dataset, field] = parts.as_slice()
        && let Some((dataset, field)) = world.model.field(&dataset.value.text, &field.value.text)
        && world.is_float(dataset, field)
    {
        reasons.add("E_FLOAT_DIMENSION");
    }
}

/// A measure that is more than the name of a windowed metric may not hold one, as a metric may not.
pub(super) fn check_composition(world: &World<'_>, expr: &Expr, reasons: &mut Reasons) {
    if matches!(&*expr.kind, ExprKind::Name(_)) {
        return;
    }
    if has_windowed_metric(world, expr) {
        reasons.add("E_WINDOWED_METRIC_COMPOSITION");
    }
}

fn has_windowed_metric(world: &World<'_>, expr: &Expr) -> bool {
    names_of(expr).iter().any(|name| {
        let metric = name.first().and_then(|one| world.model.metric(&one.value.text));
        let body = metric.filter(|_| name.len() == 1).map(|metric| &world.model.metrics[metric].expr);
        body.is_some_and(|body| body.as_ref().is_ok_and(|body| !level(body, &[]).windows.is_empty()))
    })
}

/// The entries of `having` with their levels checked, each by itself.
pub(super) fn having(
    world: &World<'_>,
    request: &Request,
    columns: &[Column],
    dimensions: &[Expr],
    reasons: &mut Reasons,
    may_refuse: &mut Vec<&'static str>,
) -> Vec<Expr> {
    let mut entries = Vec::new();
    for text in &request.having_all {
        let Some(expr) = reasons.note(request::expression(text, request)) else { continue };
        let Some(expr) = reasons.note(request::without_aliases(world, &expr, columns)) else { continue };
        check_expression(world, &expr, true, reasons);
        if has_windowed_metric(world, &expr) {
            may_refuse.push("E_WINDOWED_METRIC_COMPOSITION");
        }
        let found = level(&expr, dimensions);
        let (of_groups, of_rows): (Vec<_>, Vec<_>) =
            found.names.iter().partition(|name| world.metric_named(name));
        let is_of_groups = !of_groups.is_empty() || !found.aggregates.is_empty() || !found.windows.is_empty();
        match (of_rows.is_empty(), is_of_groups) {
            (true, _) => entries.push(expr),
            (false, true) => reasons.add("E_MIXED_PREDICATE_LEVEL"),
            (false, false) => reasons.add("E_NON_AGGREGATE_IN_HAVING"),
        }
    }
    entries
}

/// The sort keys.
pub(super) fn order(
    world: &World<'_>,
    request: &Request,
    columns: &[Column],
    reasons: &mut Reasons,
    may_refuse: &mut Vec<&'static str>,
) -> Vec<Sort> {
    let mut keys = Vec::new();
    for key in &request.order_by {
        let found = request::sort_expression(world, &key.expr, columns, request);
        let Some((expr, is_by_leaf)) = reasons.note(found) else { continue };
        if is_by_leaf {
            may_refuse.push("E_NAME_NOT_FOUND");
        }
        check_expression(world, &expr, true, reasons);
        if !matches!(&*expr.kind, ExprKind::Name(_)) && has_windowed_metric(world, &expr) {
            may_refuse.push("E_WINDOWED_METRIC_COMPOSITION");
        }
        keys.push(Sort { expr, descending: key.descending, nulls_first: key.nulls_first });
    }
    keys
}
