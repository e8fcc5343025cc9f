//! Rules about a model's names that hold whatever is asked of it. One rule a file, in the order of this list.
//! In: a lowered model. Out: findings; any error among them means that the model is not used.

mod reserved_names;
mod unique_names;

use crate::diagnostic::Diagnostic;
use crate::model::Model;

/// Checks a model by every rule. Linear in the model.
pub fn check(model: &Model) -> Vec<Diagnostic> {
    let mut diagnostics = Vec::new();
    unique_names::check_unique_names(model, &mut diagnostics);
    reserved_names::check_reserved_names(model, &mut diagnostics);
    diagnostics
}

/// Every name of a model with the path of its object.
fn names(model: &Model) -> impl Iterator<Item = (&crate::model::Name, String)> {
    let datasets =
        model.datasets.iter().map(|(_, dataset)| (&dataset.name, format!("datasets.{}", dataset.name.text)));
    let fields =
        model.fields.iter().map(|(id, field)| (&field.name, crate::resolve::fields::path_of(model, id)));
    let relationships = model
        .relationships
        .iter()
        .map(|(_, relationship)| (&relationship.name, format!("relationships.{}", relationship.name.text)));
    let metrics =
        model.metrics.iter().map(|(_, metric)| (&metric.name, format!("metrics.{}", metric.name.text)));
    datasets.chain(fields).chain(relationships).chain(metrics)
}
