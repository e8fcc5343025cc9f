//! Fields: each expression resolved in its dataset, in the order of their references, with the rules of fields checked.
//! In: a model, its columns and relationships. Out: a typed expression a field, or the findings that forbid its use.

mod shadowed;

use std::cell::RefCell;

use crate::data_type::{DataType, Exactness};
use crate::diagnostic::{Code, Diagnostic};
use crate::expr::{Expr, ExprKind};
use crate::ids::{Arena, DatasetId, FieldId, Id};
use crate::model::Model;
use crate::resolve::columns::{Columns, declared_type};
use crate::resolve::dependencies::{Knot, dependency_order};
use crate::resolve::fields::shadowed::shadowed_fields;
use crate::resolve::graph::{Graph, Reach, Step};
use crate::resolve::names::Names;
use crate::resolve::typing::{Level, Scope, type_expr};
use crate::resolve::{ModelExpr, Outcome, Reference, choose};
use crate::source::{Span, Spanned};
use crate::syntax;
use crate::syntax::expr::Ident;

/// Resolves all fields. Linear in the model but for the paths between datasets.
pub(super) fn resolve_fields(
    model: &Model,
    names: &Names,
    graph: &Graph,
    columns: &mut Columns,
    dialect: &str,
    diagnostics: &mut Vec<Diagnostic>,
) -> Arena<FieldId, Outcome> {
    let chosen: Vec<Result<&syntax::Expr, Vec<Diagnostic>>> = model
        .fields
        .iter()
        .map(|(_, field)| {
            let dataset = &model.datasets[field.dataset].name.text;
            let path = format_args!("datasets.{dataset}.fields.{}", field.name.text);
            choose(&field.expression, dialect, path)
        })
        .collect();
    learn_columns(model, names, columns, &chosen);
    diagnostics.extend(shadowed_fields(model, names, columns, &chosen));

    let needs = |index: usize| match &chosen[index] {
        Ok(expr) => mentioned_fields(model, names, columns, FieldId::from_index(index), expr),
        Err(_) => Vec::new(),
    };
    let (order, knots) = dependency_order(model.fields.len(), needs);
    let mut outcomes: Vec<Option<Outcome>> = vec![None; model.fields.len()];
    for knot in &knots {
        let finding = circle_finding(model, knot);
        for index in &knot.members {
            outcomes[*index] = Some(Err(vec![finding.clone()]));
        }
    }
    let columns = RefCell::new(columns);
    for index in order {
        let id = FieldId::from_index(index);
        let outcome = match &chosen[index] {
            Err(findings) => Err(findings.clone()),
            Ok(expr) => {
                let scope = FieldScope { model, names, columns: &columns, field: id, outcomes: &outcomes };
                type_expr(expr, &scope)
                    .map_err(|findings| about(findings, &path_of(model, id)))
                    .and_then(|typed| check_field(model, graph, id, typed))
                    .map(|typed| with_declared_type(model, id, typed))
            }
        };
        outcomes[index] = Some(outcome);
    }
    outcomes.into_iter().map(|outcome| outcome.unwrap_or_else(|| Err(Vec::new()))).collect()
}

/// `datasets.orders.fields.amount`.
pub(crate) fn path_of(model: &Model, field: FieldId) -> String {
    let field = &model.fields[field];
    format!("datasets.{}.fields.{}", model.datasets[field.dataset].name.text, field.name.text)
}

/// Names the object that findings are about, where they do not say it themselves.
pub(super) fn about(findings: Vec<Diagnostic>, path: &str) -> Vec<Diagnostic> {
    findings
        .into_iter()
        .map(|finding| if finding.path.is_empty() { finding.about(path) } else { finding })
        .collect()
}

/// Fields that are a plain column tell what exists and, by their declared types, what type it has.
fn learn_columns(
    model: &Model,
    names: &Names,
    columns: &mut Columns,
    chosen: &[Result<&syntax::Expr, Vec<Diagnostic>>],
) {
    for (id, field) in model.fields.iter() {
        let Ok(expr) = &chosen[id.index()] else { continue };
        let syntax::expr::ExprKind::Name(parts) = &*expr.kind else { continue };
        let [only] = parts.as_slice() else { continue };
        let is_itself = names.field(model, field.dataset, &only.value) == Some(id);
        let sibling = names.field(model, field.dataset, &only.value).is_some();
        let column = if is_itself || !sibling {
            columns.known_or_assumed(field.dataset, &only.value.text)
        } else {
            columns.known(field.dataset, &only.value.text)
        };
        if let (Some(column), Some(declared)) = (column, &field.logical_type) {
            columns.declare(column, declared.value);
        }
    }
}

/// The fields that an expression refers to: siblings by bare name where no column has it, others by `dataset.field`.
fn mentioned_fields(
    model: &Model,
    names: &Names,
    columns: &Columns,
    field: FieldId,
    expr: &syntax::Expr,
) -> Vec<usize> {
    let dataset = model.fields[field].dataset;
    let mut found = Vec::new();
    syntax::expr::for_each_name(expr, &mut |parts| {
        let target = match parts {
            [only] if columns.known(dataset, &only.value.text).is_none() => {
                // Its own bare name is the column that the field is named after.
                names.field(model, dataset, &only.value).filter(|sibling| *sibling != field)
            }
            [owner, name] => {
                names.dataset(model, &owner.value).and_then(|owner| names.field(model, owner, &name.value))
            }
            _ => None,
        };
        found.extend(target.map(Id::index));
    });
    found
}

fn circle_finding(model: &Model, knot: &Knot) -> Diagnostic {
    let first = FieldId::from_index(knot.members[0]);
    let name = |index: usize| written_field(model, FieldId::from_index(index));
    Diagnostic::new(Code::FieldCycle, format!("fields refer to each other in a circle: {}", knot.text(name)))
        .at(model.fields[first].name.span, "this field")
        .about(path_of(model, first))
        .help("let one of them be an expression over columns")
}

/// Bare names: physical column, then sibling field, then global; `dataset.field` is a field.
struct FieldScope<'a, 'c> {
    model: &'a Model,
    names: &'a Names,
    columns: &'a RefCell<&'c mut Columns>,
    field: FieldId,
    outcomes: &'a [Option<Outcome>],
}

impl Scope for FieldScope<'_, '_> {
    fn name(&self, parts: &[Spanned<Ident>], span: Span) -> Result<ModelExpr, Diagnostic> {
        let dataset = self.model.fields[self.field].dataset;
        match parts {
            [only] => self.bare(dataset, only, span),
            _ => {
                let field = self.names.qualified(self.model, parts, span, true)?;
                self.reference(field, span)
            }
        }
    }

    fn parameter(&self, name: &str, span: Span) -> Result<ModelExpr, Diagnostic> {
        Err(Diagnostic::new(Code::NameNotFound, format!("`:{name}` is a parameter, and models have none"))
            .at(span, "this parameter")
            .help("parameters belong to requests"))
    }

    fn level(&self) -> Level {
        Level::Rows
    }
}

impl FieldScope<'_, '_> {
    fn bare(&self, dataset: DatasetId, name: &Spanned<Ident>, span: Span) -> Result<ModelExpr, Diagnostic> {
        let text = &name.value.text;
        let known = self.columns.borrow().known(dataset, text);
        let sibling = self.names.field(self.model, dataset, &name.value).filter(|field| *field != self.field);
        let global = self.names.metric(self.model, &name.value);
        let column = match (known, sibling, global) {
            (Some(column), _, _) => Some(column),
            (None, Some(field), _) => return self.reference(field, span),
            (None, None, Some(_)) if self.columns.borrow().is_closed(dataset) => {
                return Err(Diagnostic::new(
                    Code::AggregateInField,
                    format!("`{text}` is a metric, and a field holds no aggregate"),
                )
                .at(span, "this name")
                .help("write the expression as a metric"));
            }
            (None, None, _) => self.columns.borrow_mut().known_or_assumed(dataset, text),
        };
        if let Some(column) = column {
            let data_type = self.columns.borrow().arena[column].data_type;
            return Ok(Expr::reference(Reference::Column(column), data_type, Exactness::Exact));
        }
        let columns = self.columns.borrow();
        let candidates: Vec<&str> = columns
            .names(dataset)
            .chain(
                self.model.datasets[dataset]
                    .fields
                    .iter()
                    .map(|field| self.model.fields[*field].name.text.as_str()),
            )
            .collect();
        Err(Diagnostic::new(
            Code::NameNotFound,
            format!(
                "dataset `{}` has no column and no field `{text}`",
                self.model.datasets[dataset].name.text
            ),
        )
        .at(span, "this name")
        .suggest(text, candidates))
    }

    fn reference(&self, field: FieldId, span: Span) -> Result<ModelExpr, Diagnostic> {
        match &self.outcomes[field.index()] {
            Some(Ok(typed)) => Ok(Expr::reference(Reference::Field(field), typed.data_type, typed.exactness)),
            Some(Err(findings)) if !findings.is_empty() => Err(findings[0].clone()),
            Some(Err(_)) | None => Err(Diagnostic::new(
                Code::FieldCycle,
                format!("field `{}` refers to itself", self.model.fields[field].name.text),
            )
            .at(span, "this name")),
        }
    }
}

/// The rules of a field: no aggregate, and only rows that its own row reaches without being multiplied.
fn check_field(model: &Model, graph: &Graph, id: FieldId, typed: ModelExpr) -> Outcome {
    let field = &model.fields[id];
    let span = field.expression.span;
    if typed.has_aggregate() {
        return Err(vec![
            Diagnostic::new(
                Code::AggregateInField,
                format!("field `{}` holds an aggregate", written_field(model, id)),
            )
            .at(span, "this expression")
            .about(path_of(model, id))
            .help("aggregates are metrics: move the expression to `metrics` at the top of the model"),
        ]);
    }
    for reference in typed.references() {
        let Reference::Field(other) = reference else { continue };
        let far = model.fields[*other].dataset;
        let reach = graph.reach(field.dataset, far);
        if let Some(finding) = unreachable_finding(model, id, *other, &reach) {
            return Err(vec![finding.at(span, "this expression").about(path_of(model, id))]);
        }
    }
    Ok(typed)
}

fn written_field(model: &Model, id: FieldId) -> String {
    let field = &model.fields[id];
    format!("{}.{}", model.datasets[field.dataset].name.text, field.name.text)
}

fn unreachable_finding(model: &Model, id: FieldId, other: FieldId, reach: &Reach) -> Option<Diagnostic> {
    let field = written_field(model, id);
    let far_name = &model.datasets[model.fields[other].dataset].name.text;
    let far_field = written_field(model, other);
    let finding = match reach {
        Reach::Path(_) => return None,
        Reach::Ambiguous(first, second) => Diagnostic::new(
            Code::AmbiguousPath,
            format!(
                "two ways lead from field `{field}` to `{far_name}`: {} and {}",
                path_text(model, first),
                path_text(model, second)
            ),
        )
        .help(format!("use a role-playing copy of `{far_name}` for each way")),
        Reach::Many(entry) if *entry == model.fields[other].dataset => Diagnostic::new(
            Code::UnaggregatedFinerGrainReference,
            format!(
                "field `{field}` refers to `{far_field}`, and `{far_name}` has many rows for one of its own"
            ),
        )
        .help("aggregate the finer rows in a metric"),
        Reach::Many(_) | Reach::ManyWays(..) | Reach::Edge(_) | Reach::NoSafeWay => Diagnostic::new(
            Code::E3012MnNoSafeRewrite,
            format!("field `{field}` refers to `{far_field}` across a many-to-many edge"),
        )
        .help("express it as a metric; a field needs one far row for each of its own"),
        Reach::Unconnected => Diagnostic::new(
            Code::NoPath,
            format!("field `{field}` refers to `{far_field}`, and no relationship connects the two datasets"),
        )
        .help("declare a relationship between the two datasets"),
    };
    Some(finding)
}

/// A path as the names of its relationships.
pub(crate) fn path_text(model: &Model, path: &[Step]) -> String {
    let names: Vec<String> =
        path.iter().map(|step| format!("`{}`", model.relationships[step.relationship].name.text)).collect();
    names.join(" then ")
}

/// Where nothing else says a type, the declared one holds.
fn with_declared_type(model: &Model, id: FieldId, mut typed: ModelExpr) -> ModelExpr {
    if typed.data_type == DataType::Unknown
        && let Some(declared) = &model.fields[id].logical_type
    {
        typed.data_type = declared_type(declared.value);
    }
    if typed.data_type == DataType::Null {
        typed.data_type = DataType::Unknown;
        if let ExprKind::Literal(_) = *typed.kind
            && let Some(declared) = &model.fields[id].logical_type
        {
            typed.data_type = declared_type(declared.value);
        }
    }
    typed
}
