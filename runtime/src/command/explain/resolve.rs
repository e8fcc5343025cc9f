//! The stage `resolve`: columns with types and where those were said, cardinalities, typed expressions.

use serde_json::{Value, json};
use unisono_compiler::catalog::Origin;
use unisono_compiler::expr::print_typed;
use unisono_compiler::ids::DatasetId;
use unisono_compiler::resolve::{Cardinality, Outcome, Resolved, TimeField};

use crate::compile::reference_name;

/// The whole model.
pub(super) fn dump(resolved: &Resolved) -> Value {
    let model = &resolved.model;
    json!({
        "name": model.name.value,
        "datasets": model.datasets.iter().map(|(id, dataset)| json!({
            "name": dataset.name.text,
            "columns": columns(resolved, id),
            "keys": resolved.keys[id].iter().map(|key| {
                key.iter().map(|column| resolved.columns[*column].name.as_str()).collect::<Vec<_>>()
            }).collect::<Vec<_>>(),
            "time": match resolved.time_fields[id] {
                TimeField::Field(field) => json!(model.fields[field].name.text),
                TimeField::None => Value::Null,
                TimeField::Ambiguous => json!("ambiguous"),
            },
            "fields": dataset.fields.iter().map(|field| {
                outcome(resolved, &model.fields[*field].name.text, &resolved.fields[*field])
            }).collect::<Vec<Value>>(),
        })).collect::<Vec<Value>>(),
        "relationships": resolved.relationships.iter().map(|(id, relationship)| json!({
            "name": model.relationships[id].name.text,
            "from": model.datasets[relationship.from].name.text,
            "to": model.datasets[relationship.to].name.text,
            "cardinality": match relationship.cardinality {
                Cardinality::ManyToOne => "N:1",
                Cardinality::OneToOne => "1:1",
                Cardinality::OneToMany => "1:N",
                Cardinality::ManyToMany => "N:N",
            },
        })).collect::<Vec<Value>>(),
        "metrics": model.metrics.iter().map(|(id, metric)| {
            outcome(resolved, &metric.name.text, &resolved.metrics[id])
        }).collect::<Vec<Value>>(),
    })
}

fn columns(resolved: &Resolved, dataset: DatasetId) -> Vec<Value> {
    let own = resolved.columns.iter().filter(|(_, column)| column.dataset == dataset);
    own.map(|(_, column)| {
        json!({
            "name": column.name,
            "type": column.data_type.to_string(),
            "nullable": column.nullable,
            "origin": match column.origin {
                Origin::Catalogue => "catalogue",
                Origin::SchemaFile => "schema file",
                Origin::ProjectFile => "project file",
                Origin::Model => "model",
                Origin::Unknown => "unknown",
            },
        })
    })
    .collect()
}

fn outcome(resolved: &Resolved, name: &str, outcome: &Outcome) -> Value {
    match outcome {
        Ok(expr) => json!({
            "name": name,
            "expression": print_typed(expr, &|reference| reference_name(resolved, *reference)),
            "type": expr.data_type.to_string(),
            "class": expr.exactness.as_str(),
        }),
        Err(findings) => json!({
            "name": name,
            "errors": findings.iter().map(|found| found.code.as_str()).collect::<Vec<_>>(),
        }),
    }
}
