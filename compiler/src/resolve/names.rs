//! Looking names up: global names of the model, fields of a dataset, with folding and near names.
//! In: names as written in expressions and requests. Out: ids, or a finding with candidates.

use std::borrow::Cow;
use std::collections::BTreeMap;

use crate::diagnostic::{Code, Diagnostic};
use crate::function::Unit;
use crate::ids::{Arena, DatasetId, FieldId, MetricId};
use crate::model::{Model, Name, fold};
use crate::source::{Span, Spanned};
use crate::syntax::expr::{ExprKind, Ident, parse_expr_str};

/// The names of a model, folded. Where two collide the first wins; `check` reports the collision.
#[derive(Clone, PartialEq, Debug, Default)]
pub(crate) struct Names {
    datasets: BTreeMap<String, DatasetId>,
    metrics: BTreeMap<String, MetricId>,
    fields: Arena<DatasetId, BTreeMap<String, FieldId>>,
}

impl Names {
    /// Collects the names of a model. Linear.
    pub(crate) fn of(model: &Model) -> Names {
        let mut names = Names::default();
        for (id, dataset) in model.datasets.iter() {
            names.datasets.entry(dataset.name.folded().into_owned()).or_insert(id);
            names.fields.push(BTreeMap::new());
        }
        for (id, metric) in model.metrics.iter() {
            names.metrics.entry(metric.name.folded().into_owned()).or_insert(id);
        }
        for (id, field) in model.fields.iter() {
            names.fields[field.dataset].entry(field.name.folded().into_owned()).or_insert(id);
        }
        names
    }

    /// The dataset of a name.
    pub(crate) fn dataset(&self, model: &Model, name: &Ident) -> Option<DatasetId> {
        find(&self.datasets, &folded(name)).filter(|id| spelled(&model.datasets[*id].name, name))
    }

    /// The metric of a name, private ones too.
    pub(crate) fn metric(&self, model: &Model, name: &Ident) -> Option<MetricId> {
        find(&self.metrics, &folded(name)).filter(|id| spelled(&model.metrics[*id].name, name))
    }

    /// The field of a dataset, private ones too.
    pub(crate) fn field(&self, model: &Model, dataset: DatasetId, name: &Ident) -> Option<FieldId> {
        find(&self.fields[dataset], &folded(name)).filter(|id| spelled(&model.fields[*id].name, name))
    }

    /// `dataset.field`. Private fields are there for the model, not for requests.
    pub(crate) fn qualified(
        &self,
        model: &Model,
        parts: &[Spanned<Ident>],
        span: Span,
        sees_private: bool,
    ) -> Result<FieldId, Diagnostic> {
        let [dataset_part, field_part] = parts else {
            return Err(Diagnostic::new(
                Code::NameNotFound,
                format!("`{}` has {} parts; fields are written `dataset.field`", written(parts), parts.len()),
            )
            .at(span, "this name"));
        };
        let Some(dataset) = self.dataset(model, &dataset_part.value) else {
            return Err(Diagnostic::new(
                Code::NameNotFound,
                format!("there is no dataset `{}`", dataset_part.value.text),
            )
            .at(dataset_part.span, "this dataset")
            .suggest(
                &dataset_part.value.text,
                model.datasets.iter().map(|(_, known)| known.name.text.as_str()),
            ));
        };
        let visible = |id: &FieldId| sees_private || !model.fields[*id].private;
        self.field(model, dataset, &field_part.value).filter(visible).ok_or_else(|| {
            let finding = Diagnostic::new(
                Code::NameNotFound,
                format!(
                    "dataset `{}` has no field `{}`",
                    model.datasets[dataset].name.text, field_part.value.text
                ),
            )
            .at(field_part.span, "this field");
            let text = &field_part.value.text;
            let time = text.rsplit_once("__").filter(|(_, grain)| Unit::parse(grain).is_some());
            match time {
                Some((time, grain)) if public_fields(model, dataset).any(|known| known == time) => {
                    let dataset = &model.datasets[dataset].name.text;
                    finding.help(format!("a field at a grain is written `{dataset}.{time}:{grain}`"))
                }
                _ => finding.suggest(text, public_fields(model, dataset)),
            }
        })
    }
}

/// Names of the fields of a dataset that a request may see.
pub(crate) fn public_fields(model: &Model, dataset: DatasetId) -> impl Iterator<Item = &str> {
    model.datasets[dataset]
        .fields
        .iter()
        .map(|field| &model.fields[*field])
        .filter(|field| !field.private)
        .map(|field| field.name.text.as_str())
}

/// Names of the metrics that a request may see.
pub(crate) fn public_metrics(model: &Model) -> impl Iterator<Item = &str> {
    model.metrics.iter().filter(|(_, metric)| !metric.private).map(|(_, metric)| metric.name.text.as_str())
}

/// The parts of a name that stands outside an expression, quoted ones too; a text that is no name is one part, which nothing is called.
pub(crate) fn name_parts(name: &Spanned<String>) -> Vec<Spanned<Ident>> {
    let (expr, _) = parse_expr_str(&name.value, name.span.source);
    let parts = match expr.map(|expr| *expr.kind) {
        Some(ExprKind::Name(parts)) => parts.into_iter().map(|part| part.value).collect(),
        _ => vec![Ident { text: name.value.clone(), quoted: true }],
    };
    parts.into_iter().map(|part| Spanned::new(part, name.span)).collect()
}

/// A name as written, for messages.
pub(crate) fn written(parts: &[Spanned<Ident>]) -> String {
    parts.iter().map(|part| part.value.text.as_str()).collect::<Vec<_>>().join(".")
}

fn folded(name: &Ident) -> Cow<'_, str> {
    fold(&name.text, name.quoted)
}

/// A quoted reference also finds a name that was declared without quotes, if spelled the same.
fn find<I: Copy>(map: &BTreeMap<String, I>, text: &str) -> Option<I> {
    map.get(text).or_else(|| map.get(&*fold(text, false))).copied()
}

/// Unquoted references match in any case, quoted ones exactly.
fn spelled(declared: &Name, reference: &Ident) -> bool {
    if reference.quoted { declared.text == reference.text } else { declared.folded() == folded(reference) }
}
