//! Metrics: each expression resolved over fields and other metrics, in the order of their references.
//! In: a model and its fields. Out: a typed expression a metric, or the findings that forbid its use.

use crate::diagnostic::{Code, Diagnostic};
use crate::expr::{Expr, ExprKind};
use crate::ids::{Arena, FieldId, Id, MetricId};
use crate::model::Model;
use crate::resolve::dependencies::{Knot, dependency_order};
use crate::resolve::fields::about;
use crate::resolve::names::{Names, public_fields, public_metrics};
use crate::resolve::typing::{Level, Scope, type_expr};
use crate::resolve::{ModelExpr, Outcome, Reference, choose};
use crate::source::{Span, Spanned};
use crate::syntax;
use crate::syntax::expr::Ident;

/// Resolves all metrics. Linear in the model.
pub(super) fn resolve_metrics(
    model: &Model,
    names: &Names,
    fields: &Arena<FieldId, Outcome>,
    dialect: &str,
) -> Arena<MetricId, Outcome> {
    let chosen: Vec<Result<&syntax::Expr, Vec<Diagnostic>>> = model
        .metrics
        .iter()
        .map(|(_, metric)| choose(&metric.expression, dialect, format_args!("metrics.{}", metric.name.text)))
        .collect();
    let needs = |index: usize| {
        let mut found = Vec::new();
        if let Ok(expr) = &chosen[index] {
            syntax::expr::for_each_name(expr, &mut |parts| {
                if let [only] = parts {
                    found.extend(names.metric(model, &only.value).map(Id::index));
                }
            });
        }
        found
    };
    let (order, knots) = dependency_order(model.metrics.len(), needs);
    let mut outcomes: Vec<Option<Outcome>> = vec![None; model.metrics.len()];
    for knot in &knots {
        let finding = circle_finding(model, knot);
        for index in &knot.members {
            outcomes[*index] = Some(Err(vec![finding.clone()]));
        }
    }
    for index in order {
        let id = MetricId::from_index(index);
        let outcome = match &chosen[index] {
            Err(findings) => Err(findings.clone()),
            Ok(expr) => {
                let scope = MetricScope { model, names, fields, outcomes: &outcomes };
                type_expr(expr, &scope)
                    .and_then(|typed| check_metric(model, id, typed, &outcomes))
                    .map_err(|findings| about(findings, &format!("metrics.{}", model.metrics[id].name.text)))
            }
        };
        outcomes[index] = Some(outcome);
    }
    outcomes.into_iter().map(|outcome| outcome.unwrap_or_else(|| Err(Vec::new()))).collect()
}

fn circle_finding(model: &Model, knot: &Knot) -> Diagnostic {
    let name = |index: usize| model.metrics[MetricId::from_index(index)].name.text.clone();
    let first = &model.metrics[MetricId::from_index(knot.members[0])];
    Diagnostic::new(
        Code::MetricCycle,
        format!("metrics refer to each other in a circle: {}", knot.text(name)),
    )
    .at(first.name.span, "this metric")
    .about(format!("metrics.{}", first.name.text))
    .help("let one of them be an aggregate over fields")
}

/// Bare names are metrics; fields are written `dataset.field`.
struct MetricScope<'a> {
    model: &'a Model,
    names: &'a Names,
    fields: &'a Arena<FieldId, Outcome>,
    outcomes: &'a [Option<Outcome>],
}

impl Scope for MetricScope<'_> {
    fn name(&self, parts: &[Spanned<Ident>], span: Span) -> Result<ModelExpr, Diagnostic> {
        if let [only] = parts {
            let Some(metric) = self.names.metric(self.model, &only.value) else {
                return Err(bare_name_finding(self.model, self.names, only, span));
            };
            return match &self.outcomes[metric.index()] {
                Some(Ok(typed)) => {
                    Ok(Expr::reference(Reference::Metric(metric), typed.data_type, typed.exactness))
                }
                Some(Err(findings)) if !findings.is_empty() => Err(findings[0].clone()),
                Some(Err(_)) | None => Err(Diagnostic::new(
                    Code::MetricCycle,
                    format!("metric `{}` refers to itself", only.value.text),
                )
                .at(span, "this name")),
            };
        }
        let field = self.names.qualified(self.model, parts, span, true)?;
        field_reference(self.fields, field)
    }

    fn parameter(&self, name: &str, span: Span) -> Result<ModelExpr, Diagnostic> {
        Err(Diagnostic::new(Code::NameNotFound, format!("`:{name}` is a parameter, and models have none"))
            .at(span, "this parameter")
            .help("parameters belong to requests"))
    }

    fn level(&self) -> Level {
        Level::Groups
    }
}

/// A typed leaf for a field, or the first finding that forbids its use.
pub(crate) fn field_reference(
    fields: &Arena<FieldId, Outcome>,
    field: FieldId,
) -> Result<ModelExpr, Diagnostic> {
    match &fields[field] {
        Ok(typed) => Ok(Expr::reference(Reference::Field(field), typed.data_type, typed.exactness)),
        Err(findings) => Err(findings
            .first()
            .cloned()
            .unwrap_or_else(|| Diagnostic::new(Code::FieldCycle, "the field cannot be resolved"))),
    }
}

/// Why a bare name is no metric: what it is instead, or what is near.
pub(crate) fn bare_name_finding(
    model: &Model,
    names: &Names,
    name: &Spanned<Ident>,
    span: Span,
) -> Diagnostic {
    let text = &name.value.text;
    let owners: Vec<String> = model
        .datasets
        .iter()
        .filter(|(id, _)| {
            names.field(model, *id, &name.value).is_some_and(|field| !model.fields[field].private)
        })
        .map(|(_, dataset)| format!("{}.{text}", dataset.name.text))
        .collect();
    let finding =
        Diagnostic::new(Code::NameNotFound, format!("there is no metric `{text}`")).at(span, "this name");
    if let Some(dataset) = names.dataset(model, &name.value) {
        return finding
            .help(format!("`{text}` is a dataset; name one of its fields"))
            .suggest(text, public_fields(model, dataset));
    }
    if name.value.quoted && owners.is_empty() {
        return finding
            .help(format!("a text stands in single quotes, as in '{text}'; in double quotes it is a name"));
    }
    if owners.is_empty() {
        return finding.suggest(text, public_metrics(model));
    }
    let mut finding = finding.help("fields are written `dataset.field`");
    finding.candidates = owners;
    finding
}

/// The rules of a metric that need other metrics: nothing is built on a window.
fn check_metric(model: &Model, id: MetricId, typed: ModelExpr, outcomes: &[Option<Outcome>]) -> Outcome {
    let metric = &model.metrics[id];
    for reference in typed.references() {
        let Reference::Metric(other) = reference else { continue };
        if let Some(Ok(inner)) = &outcomes[other.index()]
            && inner.has_window()
        {
            return Err(vec![
                Diagnostic::new(
                    Code::WindowedMetricComposition,
                    format!(
                        "metric `{}` is built on metric `{}`, which is a window",
                        metric.name.text, model.metrics[*other].name.text
                    ),
                )
                .at(metric.expression.span, "this expression")
                .also_at(model.metrics[*other].name.span, "the windowed metric")
                .help("OSI defers windows inside metrics; write the whole expression in one metric"),
            ]);
        }
    }
    if !is_aggregated(&typed) {
        return Err(vec![
            Diagnostic::new(
                Code::UnaggregatedFinerGrainReference,
                format!("metric `{}` aggregates nothing", metric.name.text),
            )
            .at(metric.expression.span, "this expression")
            .help(
                "a metric is an aggregate, as in SUM(orders.amount), or is built from metrics and aggregates",
            ),
        ]);
    }
    Ok(typed)
}

/// Whether an expression holds an aggregate, a metric or a window, or no reference at all.
fn is_aggregated(typed: &ModelExpr) -> bool {
    let is_one = |part: &ModelExpr| {
        matches!(
            *part.kind,
            ExprKind::Aggregate(_) | ExprKind::Window(_) | ExprKind::Reference(Reference::Metric(_))
        )
    };
    typed.any(&mut |part| is_one(part)) || typed.references().is_empty()
}
