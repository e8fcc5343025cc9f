//! The stage `parse`: documents as read, with the shape and version that were found.

use std::path::Path;

use serde_json::{Value, json};
use unisono_compiler::source::Spanned;
use unisono_compiler::syntax::Document;
use unisono_compiler::syntax::document::{Expression, SemanticModel};

use crate::command::validate::shape_word;

/// A file with its models.
pub(super) fn document(path: &Path, document: &Document) -> Value {
    json!({
        "path": path.display().to_string(),
        "shape": shape_word(document.shape),
        "version": document.version.as_ref().map(|version| version.value.as_str()),
        "models": document.models.iter().map(model).collect::<Vec<Value>>(),
    })
}

/// One model.
pub(super) fn model(model: &SemanticModel) -> Value {
    json!({
        "name": model.name.value,
        "description": model.description,
        "datasets": model.datasets.iter().map(|dataset| json!({
            "name": dataset.name.value,
            "source": dataset.source.value,
            "primary_key": values(&dataset.primary_key),
            "unique_keys": dataset.unique_keys.iter().map(values).collect::<Vec<_>>(),
            "fields": dataset.fields.iter().map(|field| json!({
                "name": field.name.value,
                "expression": expression(&field.expression),
                "is_time": field.is_time,
                "datatype": field.datatype.as_ref().map(|datatype| datatype.value.as_str()),
                "private": field.private,
            })).collect::<Vec<Value>>(),
        })).collect::<Vec<Value>>(),
        "relationships": model.relationships.iter().map(|relationship| json!({
            "name": relationship.name.value,
            "from": relationship.from.value,
            "to": relationship.to.value,
            "from_columns": values(relationship.columns.iter().map(|(from, _)| from)),
            "to_columns": values(relationship.columns.iter().map(|(_, to)| to)),
        })).collect::<Vec<Value>>(),
        "metrics": model.metrics.iter().map(|metric| json!({
            "name": metric.name.value,
            "expression": expression(&metric.expression),
            "datatype": metric.datatype.as_ref().map(|datatype| datatype.value.as_str()),
            "private": metric.private,
        })).collect::<Vec<Value>>(),
    })
}

fn values<'a>(texts: impl IntoIterator<Item = &'a Spanned<String>>) -> Vec<&'a str> {
    texts.into_iter().map(|text| text.value.as_str()).collect()
}

/// The text of a single plain variant, else one text a dialect.
fn expression(expression: &Expression) -> Value {
    match expression.variants.as_slice() {
        [only] if only.dialect.is_none() => json!(only.text.value),
        variants => variants
            .iter()
            .map(|variant| {
                let dialect = variant.dialect.as_ref().map(|dialect| dialect.value.as_str());
                json!({"dialect": dialect, "expression": variant.text.value})
            })
            .collect(),
    }
}
