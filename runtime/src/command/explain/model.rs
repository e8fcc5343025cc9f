//! The stage `model`: names as ids, expressions parsed.

use serde_json::{Value, json};
use unisono_compiler::model::{Body, Dialect, Expression, Model, Source};
use unisono_compiler::syntax::expr::print_expr;

/// The whole model.
pub(super) fn dump(model: &Model) -> Value {
    let name = |id| model.datasets[id].name.text.as_str();
    json!({
        "name": model.name.value,
        "datasets": model.datasets.iter().map(|(id, dataset)| json!({
            "id": format!("{id:?}"),
            "name": dataset.name.text,
            "source": match &dataset.source {
                Source::Table(parts) => json!(parts),
                Source::Query(text) => json!({ "query": text }),
            },
            "keys": dataset.keys.iter().map(|key| {
                key.columns.iter().map(|column| column.text.as_str()).collect::<Vec<_>>()
            }).collect::<Vec<_>>(),
            "fields": dataset.fields.iter().map(|id| {
                let field = &model.fields[*id];
                json!({
                    "id": format!("{id:?}"),
                    "name": field.name.text,
                    "expression": expression(&field.expression),
                    "is_time": field.is_time,
                    "private": field.private,
                })
            }).collect::<Vec<Value>>(),
        })).collect::<Vec<Value>>(),
        "relationships": model.relationships.iter().map(|(id, relationship)| json!({
            "id": format!("{id:?}"),
            "name": relationship.name.text,
            "from": name(relationship.from),
            "to": name(relationship.to),
            "on": relationship.columns.iter().map(|(from, to)| format!("{} = {}", from.text, to.text)).collect::<Vec<_>>(),
        })).collect::<Vec<Value>>(),
        "metrics": model.metrics.iter().map(|(id, metric)| json!({
            "id": format!("{id:?}"),
            "name": metric.name.text,
            "expression": expression(&metric.expression),
            "private": metric.private,
        })).collect::<Vec<Value>>(),
    })
}

fn expression(expression: &Expression) -> Value {
    expression
        .variants
        .iter()
        .map(|variant| {
            let dialect = match &variant.dialect {
                Dialect::Common(_) => "common",
                Dialect::Named(name) => name,
            };
            let text = match &variant.body {
                Body::Parsed(expr) => json!(print_expr(expr)),
                Body::Broken(findings) => {
                    json!({"errors": findings.iter().map(|found| found.code.as_str()).collect::<Vec<_>>()})
                }
                Body::Foreign => Value::Null,
            };
            json!({"dialect": dialect, "expression": text})
        })
        .collect()
}
