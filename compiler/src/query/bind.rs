//! Binds a request to a model: names to ids, expressions typed, aggregates given a home, predicates routed to each home.
//! In: a resolved model, a request, the caller's moment. Out: a `Bound`, or every finding that forbids it.

mod aggregation;
mod column_names;
mod entry;
mod home;
mod lift;
mod params;
mod predicate;
mod scalar;
mod scope;
mod side;
#[cfg(test)]
mod tests;
mod variants;

use crate::diagnostic::{Code, Diagnostic, Severity};
use crate::query::Request;
use crate::query::{Bound, Moment, Shape};
use crate::resolve::Resolved;

/// Binds a request. Warnings come beside a result; any error means that there is none.
pub fn bind(resolved: &Resolved, request: &Request, moment: &Moment) -> (Option<Bound>, Vec<Diagnostic>) {
    let mut diagnostics = Vec::new();
    refuse_unplanned_keys(request, &mut diagnostics);
    let shape = bind_shape(resolved, request, moment, &mut diagnostics);
    if let Some(shape) = &shape {
        variants::of_fields(resolved, shape, &mut diagnostics);
        diagnostics.extend(params::unused(request));
    }
    // What a name means comes before which column it names.
    diagnostics.sort_by_key(|finding| finding.code == Code::NameCollision);
    let failed = diagnostics.iter().any(|finding| finding.severity() == Severity::Error);
    let zone = request.time_zone.as_ref().map_or_else(|| moment.zone.clone(), |zone| zone.value.clone());
    let now = moment.now.clone();
    (shape.filter(|_| !failed).map(|shape| Bound { shape, zone, now }), diagnostics)
}

/// A key that would change the answer and is not planned yet must not be passed over.
fn refuse_unplanned_keys(request: &Request, diagnostics: &mut Vec<Diagnostic>) {
    let at = request.at.as_ref().map(|at| ("at", at.value.span));
    let engine = request.engine.as_ref().map(|engine| ("engine", engine.span));
    for (key, span) in [at, engine].into_iter().flatten() {
        diagnostics.push(
            Diagnostic::new(Code::UnknownKey, format!("`{key}` of a request is not planned yet"))
                .at(span, "this key")
                .help("leave it out: the answer is of the data as it stands, on the engine that the command names"),
        );
    }
}

fn bind_shape(
    resolved: &Resolved,
    request: &Request,
    moment: &Moment,
    diagnostics: &mut Vec<Diagnostic>,
) -> Option<Shape> {
    let dimensions = request.dimensions.as_deref().unwrap_or(&[]);
    let measures = request.measures.as_deref().unwrap_or(&[]);
    match &request.fields {
        Some(fields) if !dimensions.is_empty() || !measures.is_empty() => {
            if fields.is_empty() {
                return aggregation::bind_aggregation(resolved, request, moment, diagnostics);
            }
            diagnostics.push(
                Diagnostic::new(
                    Code::MixedQueryShape,
                    "a request is either scalar (`fields`) or an aggregation (`dimensions`, `measures`), not both",
                )
                .at(fields[0].span, "a field, which lists rows")
                .help("remove `fields`, or remove `dimensions` and `measures`"),
            );
            None
        }
        Some(fields) if fields.is_empty() && request.dimensions.is_none() && request.measures.is_none() => {
            diagnostics.push(
                Diagnostic::new(Code::EmptyScalarQuery, "a scalar request needs at least one field")
                    .at(request.span, "this request")
                    .help("name a field in `fields`, as in \"orders.id\""),
            );
            None
        }
        Some(fields) if !fields.is_empty() => {
            scalar::bind_scalar(resolved, request, fields, moment, diagnostics)
        }
        Some(_) | None if dimensions.is_empty() && measures.is_empty() => {
            diagnostics.push(
                Diagnostic::new(
                    Code::EmptyAggregationQuery,
                    "a request needs at least one dimension, measure or field",
                )
                .at(request.span, "this request")
                .help("name a metric in `measures` or a field in `dimensions`"),
            );
            None
        }
        Some(_) | None => aggregation::bind_aggregation(resolved, request, moment, diagnostics),
    }
}
