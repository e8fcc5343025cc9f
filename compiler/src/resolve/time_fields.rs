//! The time of a dataset and of a metric: declared by an extension, or the only field that is marked as time.
//! In: a model and its names. Out: a time field a dataset, and the field that a declaration names.

use crate::diagnostic::{Code, Diagnostic};
use crate::ids::{Arena, DatasetId, FieldId, MetricId};
use crate::model::Model;
use crate::resolve::names::{Names, name_parts, written};
use crate::resolve::{Outcome, TimeField};
use crate::source::Spanned;

/// The time field of each dataset: the one that an extension declares, else the only one marked as time.
pub(super) fn time_fields(
    model: &Model,
    names: &Names,
    fields: &Arena<FieldId, Outcome>,
    diagnostics: &mut Vec<Diagnostic>,
) -> Arena<DatasetId, TimeField> {
    model
        .datasets
        .iter()
        .map(|(id, dataset)| {
            if let Some(declared) = &dataset.time_dimension {
                return match declared_time(model, names, fields, declared, Some(id)) {
                    Ok(field) => TimeField::Field(field),
                    Err(finding) => {
                        diagnostics.push(finding.about(format!("datasets.{}", dataset.name.text)));
                        TimeField::None
                    }
                };
            }
            let mut marked = dataset.fields.iter().copied().filter(|field| model.fields[*field].is_time);
            match (marked.next(), marked.next()) {
                (None, _) => TimeField::None,
                (Some(only), None) => TimeField::Field(only),
                (Some(_), Some(_)) => TimeField::Ambiguous,
            }
        })
        .collect()
}

/// The time field that each metric declares for itself.
pub(super) fn metric_times(
    model: &Model,
    names: &Names,
    fields: &Arena<FieldId, Outcome>,
    diagnostics: &mut Vec<Diagnostic>,
) -> Arena<MetricId, Option<FieldId>> {
    model
        .metrics
        .iter()
        .map(|(_, metric)| {
            let declared = metric.time_dimension.as_ref()?;
            match declared_time(model, names, fields, declared, None) {
                Ok(field) => Some(field),
                Err(finding) => {
                    diagnostics.push(finding.about(format!("metrics.{}", metric.name.text)));
                    None
                }
            }
        })
        .collect()
}

/// `dataset.field`, or `field` of the dataset that declares it; a Date or a Timestamp, if its type is known.
fn declared_time(
    model: &Model,
    names: &Names,
    fields: &Arena<FieldId, Outcome>,
    declared: &Spanned<String>,
    own: Option<DatasetId>,
) -> Result<FieldId, Diagnostic> {
    let parts = name_parts(declared);
    let sibling = match (parts.as_slice(), own) {
        ([only], Some(own)) => names.field(model, own, &only.value),
        _ => None,
    };
    let field = match sibling {
        Some(field) => field,
        None => names.qualified(model, &parts, declared.span, true).map_err(|finding| {
            let message = format!("time_dimension `{}`: {}", written(&parts), finding.message);
            Diagnostic { message, ..finding }
        })?,
    };
    match &fields[field] {
        Ok(typed) if !typed.data_type.is_temporal() && !typed.data_type.is_open() => {
            let message = format!(
                "time_dimension `{}` is a {}, no Date or Timestamp",
                written(&parts),
                typed.data_type
            );
            Err(Diagnostic::new(Code::TypeMismatch, message).at(declared.span, "this field"))
        }
        Ok(_) | Err(_) => Ok(field),
    }
}
