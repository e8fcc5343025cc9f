//! Binds a scalar request: one row per row of its home dataset.
//! In: a request with fields. Out: `Shape::Scalar`.

use crate::diagnostic::{Code, Diagnostic};
use crate::expr::{ExprKind, OrderKey};
use crate::ids::DatasetId;
use crate::query::bind::column_names::column_names;
use crate::query::bind::entry::{Parsed, parse_entry, parse_entry_expr};
use crate::query::bind::home::{finest, list, no_home, out_of_reach, touched, touched_by};
use crate::query::bind::predicate::{parse_predicates, type_predicate};
use crate::query::bind::scope::{RequestScope, Time};
use crate::query::{Entry, Request};
use crate::query::{Moment, Scalar, Shape};
use crate::resolve::graph::Reach;
use crate::resolve::names::name_parts;
use crate::resolve::typing::Level;
use crate::resolve::{ModelExpr, Reference, Resolved};
use crate::source::Span;

pub(super) fn bind_scalar(
    resolved: &Resolved,
    request: &Request,
    entries: &[Entry],
    moment: &Moment,
    diagnostics: &mut Vec<Diagnostic>,
) -> Option<Shape> {
    refuse_groups(request, diagnostics);
    let parsed: Vec<Option<Parsed>> =
        entries.iter().map(|entry| parse_entry(resolved, entry, diagnostics)).collect();
    let parsed: Vec<Parsed> = parsed.into_iter().collect::<Option<_>>()?;
    let columns: Vec<&Parsed> = parsed.iter().collect();
    let names = column_names(&columns, diagnostics);
    let scope = RequestScope { resolved, request, level: Level::Rows, time: Time::None, aliases: &[] };

    let mut fields = Vec::new();
    for (name, entry) in names.iter().zip(&parsed) {
        match scope.type_with_grain(&entry.expr, entry.grain, moment) {
            Ok(expr) => match refuse_aggregate(resolved, &expr, entry) {
                Some(finding) => diagnostics.push(finding),
                None => fields.push((name.clone(), expr)),
            },
            Err(findings) => diagnostics.extend(findings),
        }
    }
    if fields.len() != entries.len() {
        return None;
    }
    let home = home_of(resolved, request, &fields, diagnostics)?;
    let mut reachable = true;
    for ((_, expr), entry) in fields.iter().zip(&parsed) {
        let what = format!("field `{}`", entry.column_name());
        reachable &= check_reach(resolved, home, expr, &what, entry.span, diagnostics);
    }
    let mut predicates = Vec::new();
    for predicate in parse_predicates(resolved, request, diagnostics)? {
        match type_predicate(&predicate, &scope, moment) {
            Ok(expr) => {
                let what = format!("the filter `{}`", predicate.text);
                reachable &= check_reach(resolved, home, &expr, &what, predicate.span, diagnostics);
                predicates.push(expr);
            }
            Err(findings) => {
                diagnostics.extend(findings);
                reachable = false;
            }
        }
    }
    let order_by = bind_order(resolved, request, moment, &fields, home, diagnostics)?;
    reachable.then_some(Shape::Scalar(Scalar {
        home,
        fields,
        predicates,
        order_by,
        limit: request.limit.as_ref().map(|limit| limit.value),
    }))
}

fn refuse_groups(request: &Request, diagnostics: &mut Vec<Diagnostic>) {
    if let Some(first) = request.having_all.first() {
        diagnostics.push(
            Diagnostic::new(Code::MixedQueryShape, "`having` filters groups, and a scalar request has none")
                .at(first.span, "this predicate")
                .help("move it to `where`"),
        );
    }
}

fn refuse_aggregate(resolved: &Resolved, expr: &ModelExpr, entry: &Parsed) -> Option<Diagnostic> {
    let metric = expr.references().into_iter().find_map(|reference| match reference {
        Reference::Metric(metric) => Some(*metric),
        Reference::Column(_) | Reference::Field(_) | Reference::Now => None,
    });
    if metric.is_none() && !expr.has_aggregate() {
        return None;
    }
    let what = match metric {
        Some(metric) => format!("metric `{}`", resolved.model.metrics[metric].name.text),
        None => format!("`{}`", entry.column_name()),
    };
    Some(
        Diagnostic::new(
            Code::AggregateInScalarQuery,
            format!("{what} is an aggregate, and a scalar query lists single rows"),
        )
        .at(entry.span, "this field")
        .help("make it an aggregation query: the fields to `dimensions`, the metric to `measures`"),
    )
}

/// The home given, else the finest dataset of the fields, the first of several that meet one to one.
fn home_of(
    resolved: &Resolved,
    request: &Request,
    fields: &[(String, ModelExpr)],
    diagnostics: &mut Vec<Diagnostic>,
) -> Option<DatasetId> {
    if let Some(given) = &request.home {
        let found = match name_parts(given).as_slice() {
            [name] => resolved.names.dataset(&resolved.model, &name.value),
            _ => None,
        };
        if found.is_none() {
            let known = resolved.model.datasets.iter().map(|(_, dataset)| dataset.name.text.as_str());
            diagnostics.push(
                Diagnostic::new(Code::NameNotFound, format!("there is no dataset `{}`", given.value))
                    .at(given.span, "this home")
                    .suggest(&given.value, known),
            );
        }
        return found;
    }
    let datasets = touched_by(resolved, fields.iter().map(|(_, expr)| expr));
    let home = finest(resolved, &datasets);
    if datasets.is_empty() && home.is_none() {
        diagnostics.push(
            Diagnostic::new(
                Code::FanOutInScalarQuery,
                "a scalar query of constants has no home whose rows it lists",
            )
            .at(request.span, "this request")
            .help("name a field of a dataset, or the dataset in `home`"),
        );
        return None;
    }
    if home.is_none() {
        let finding = no_home(resolved, &datasets, "the request");
        let finding = if finding.code == Code::AmbiguousMeasureGrain {
            Diagnostic::new(
                Code::FanOutInScalarQuery,
                format!("a scalar query has a single home, and none of {} reaches all the others: rows would be repeated", list(resolved, &datasets)),
            )
            .help("make it an aggregation query, or list the fields of one dataset and what it reaches")
        } else {
            finding
        };
        diagnostics.push(finding.at(request.span, "this request"));
    }
    home
}

fn check_reach(
    resolved: &Resolved,
    home: DatasetId,
    expr: &ModelExpr,
    what: &str,
    span: Span,
    diagnostics: &mut Vec<Diagnostic>,
) -> bool {
    let mut reachable = true;
    for far in touched(resolved, expr) {
        let reach = resolved.graph.reach(home, far);
        let finding = match reach {
            Reach::Path(_) => continue,
            Reach::Many(_) | Reach::Edge(_) | Reach::NoSafeWay => Diagnostic::new(
                Code::FanOutInScalarQuery,
                format!(
                    "{what} has several rows of `{}` for one of the single home `{}`",
                    resolved.model.datasets[far].name.text, resolved.model.datasets[home].name.text
                ),
            )
            .help("make it an aggregation query, or choose the finer dataset as the home"),
            Reach::Ambiguous(..) | Reach::ManyWays(..) | Reach::Unconnected => {
                out_of_reach(resolved, home, far, &reach, what)
            }
        };
        diagnostics.push(finding.at(span, "used here"));
        reachable = false;
    }
    reachable
}

fn bind_order(
    resolved: &Resolved,
    request: &Request,
    moment: &Moment,
    fields: &[(String, ModelExpr)],
    home: DatasetId,
    diagnostics: &mut Vec<Diagnostic>,
) -> Option<Vec<OrderKey<Reference>>> {
    let scope = RequestScope { resolved, request, level: Level::Rows, time: Time::None, aliases: fields };
    let mut keys = Vec::new();
    for entry in &request.order_by {
        let Some(parsed) = parse_entry_expr(resolved, &entry.expr, None, entry.span, diagnostics) else {
            continue;
        };
        match scope.type_key(&parsed, moment) {
            Ok(expr) => {
                if let Some(finding) = refuse_aggregate(resolved, &expr, &parsed) {
                    diagnostics.push(finding);
                    continue;
                }
                let what = format!("the order `{}`", parsed.column_name());
                let constant = matches!(*expr.kind, ExprKind::Literal(_));
                if constant || !check_reach(resolved, home, &expr, &what, entry.span, diagnostics) {
                    if constant {
                        diagnostics.push(
                            Diagnostic::new(
                                Code::TypeMismatch,
                                "a constant orders nothing; positions are not part of the language",
                            )
                            .at(entry.span, "this entry")
                            .help("name a column of the answer"),
                        );
                    }
                    continue;
                }
                keys.push(OrderKey {
                    expr,
                    descending: entry.descending,
                    nulls_first: entry.nulls_first.unwrap_or(entry.descending),
                });
            }
            Err(findings) => diagnostics.extend(findings),
        }
    }
    (keys.len() == request.order_by.len()).then_some(keys)
}
