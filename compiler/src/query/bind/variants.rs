//! Objects whose expression is the target's own: their values no longer follow from the common one, which is said.
//! In: the metrics and the shape that a request uses. Out: a warning for each such object.

use std::collections::BTreeSet;

use crate::diagnostic::{Code, Diagnostic};
use crate::ids::{FieldId, MetricId};
use crate::model::{Body, Dialect, Expression, Name, Variant};
use crate::query::Shape;
use crate::resolve::fields::path_of;
use crate::resolve::{ModelExpr, Reference, Resolved};
use crate::syntax::expr::print_expr;

/// Warns of metrics.
pub(super) fn of_metrics(
    resolved: &Resolved,
    metrics: &BTreeSet<MetricId>,
    diagnostics: &mut Vec<Diagnostic>,
) {
    for metric in metrics {
        let declared = &resolved.model.metrics[*metric];
        let path = format!("metrics.{}", declared.name.text);
        diagnostics.extend(warning(resolved, &declared.expression, &declared.name, "metric", path));
    }
}

/// Warns of the fields that a bound request reads, directly or through others.
pub(super) fn of_fields(resolved: &Resolved, shape: &Shape, diagnostics: &mut Vec<Diagnostic>) {
    let mut found: BTreeSet<FieldId> = BTreeSet::new();
    let mut open: Vec<&ModelExpr> = exprs(shape);
    while let Some(expr) = open.pop() {
        for reference in expr.references() {
            if let Reference::Field(field) = reference
                && found.insert(*field)
            {
                open.extend(resolved.fields[*field].as_ref());
            }
        }
    }
    for field in found {
        let declared = &resolved.model.fields[field];
        let path = path_of(&resolved.model, field);
        diagnostics.extend(warning(resolved, &declared.expression, &declared.name, "field", path));
    }
}

/// Every expression over the model that a shape holds.
fn exprs(shape: &Shape) -> Vec<&ModelExpr> {
    match shape {
        Shape::Aggregation(request) => {
            let rows =
                request.branches.iter().flat_map(|branch| branch.dimensions.iter().chain(&branch.predicates));
            let aggregates = request.aggregates.iter().flat_map(|bound| bound.aggregate.parts());
            rows.chain(aggregates).collect()
        }
        Shape::Scalar(request) => {
            let fields = request.fields.iter().map(|(_, expr)| expr);
            fields.chain(&request.predicates).chain(request.order_by.iter().map(|key| &key.expr)).collect()
        }
    }
}

fn warning(
    resolved: &Resolved,
    expression: &Expression,
    name: &Name,
    what: &str,
    path: String,
) -> Option<Diagnostic> {
    let text = |variant: &Variant| match &variant.body {
        Body::Parsed(expr) => Some(print_expr(expr)),
        Body::Broken(_) | Body::Foreign => None,
    };
    let own = expression
        .variants
        .iter()
        .find(|variant| variant.dialect == Dialect::Named(resolved.dialect.clone()))
        .and_then(text)?;
    let common = expression
        .variants
        .iter()
        .filter(|variant| matches!(variant.dialect, Dialect::Common(_)))
        .min_by_key(|variant| variant.dialect.clone())
        .and_then(text);
    if common.as_ref() == Some(&own) {
        return None;
    }
    let message = format!("{what} `{}` uses its own expression for {}, `{own}`", name.text, resolved.dialect);
    Some(
        Diagnostic::new(Code::DialectVariant, message)
            .at(name.span, format!("this {what}"))
            .about(path)
            .help("keep it equal in meaning to the common expression, or leave it out"),
    )
}
