//! Rules about a model's names that hold whatever is asked of it. One rule a file, in the order of this list.
//! In: a lowered model. Out: findings; any error among them means that the model is not used.

mod reserved_names;
mod unique_names;

use crate::diagnostic::Diagnostic;
use crate::ids::FieldId;
use crate::model::{Model, Name};

/// Checks a model by every rule. Linear in the model.
pub fn check(model: &Model) -> Vec<Diagnostic> {
    let mut diagnostics = Vec::new();
    unique_names::check_unique_names(model, &mut diagnostics);
    reserved_names::check_reserved_names(model, &mut diagnostics);
    diagnostics
}

/// What has a name.
#[derive(Clone, Copy)]
enum Object {
    Dataset,
    Field(FieldId),
    Relationship,
    Metric,
}

/// Every name of a model with its object.
fn names(model: &Model) -> impl Iterator<Item = (&Name, Object)> {
    let datasets = model.datasets.iter().map(|(_, dataset)| (&dataset.name, Object::Dataset));
    let fields = model.fields.iter().map(|(id, field)| (&field.name, Object::Field(id)));
    let relationships =
        model.relationships.iter().map(|(_, relationship)| (&relationship.name, Object::Relationship));
    let metrics = model.metrics.iter().map(|(_, metric)| (&metric.name, Object::Metric));
    datasets.chain(fields).chain(relationships).chain(metrics)
}

/// The path of the object of a name.
fn path_of(model: &Model, name: &Name, object: Object) -> String {
    match object {
        Object::Dataset => format!("datasets.{}", name.text),
        Object::Field(field) => crate::resolve::fields::path_of(model, field),
        Object::Relationship => format!("relationships.{}", name.text),
        Object::Metric => format!("metrics.{}", name.text),
    }
}
