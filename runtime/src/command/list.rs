//! `list`: what a model offers: metrics with home and class, dimensions, datasets.
//! In: a model, and for dimensions perhaps metrics that must share them. Out: a table for people, or JSON.

mod dimensions;
mod incremental;

use std::path::Path;

use serde_json::{Value, json};
use unisono_compiler::diagnostic::has_errors;
use unisono_compiler::ids::DatasetId;
use unisono_compiler::model::{Name, Source};
use unisono_compiler::query::{Bound, Moment, Shape, bind, parse_request};
use unisono_compiler::resolve::{ModelExpr, Reference, Resolved, resolve_model};
use unisono_compiler::source::SourceId;

use super::asked;
use crate::flags::{List, Listed, TextFormat};
use crate::models::open_model;
use crate::output::{Outcome, Run, Style};

pub(super) fn run(verb: &List, project: Option<&Path>) -> Outcome {
    let style = match verb.format {
        TextFormat::Text => Style::Human,
        TextFormat::Json => Style::Json,
    };
    let mut run = Run::default();
    let result = list(&mut run, verb, project);
    run.finish(style, result)
}

fn list(run: &mut Run, verb: &List, project: Option<&Path>) -> Option<(String, Value)> {
    let (model, found) = open_model(run, &verb.model, project)?;
    let catalog = asked::read_catalog(run, verb.schema.as_deref(), found.as_ref())?;
    let resolved = run.stage(resolve_model(&model, &catalog, ""))?;
    match verb.what {
        Listed::Metrics => Some(printed(
            "metrics",
            &metrics(&resolved),
            &["name", "type", "grain", "class", "incremental", "description"],
        )),
        Listed::Dimensions => {
            let rows = dimensions::rows(run, &resolved, &verb.metrics)?;
            Some(printed("dimensions", &rows, &["name", "type", "time", "grains", "description"]))
        }
        Listed::Datasets => {
            Some(printed("datasets", &datasets(&resolved), &["name", "source", "primary_key", "description"]))
        }
    }
}

/// Metrics that requests may use; one that cannot be computed names its code in place of a type.
fn metrics(resolved: &Resolved) -> Vec<Value> {
    let visible = resolved.model.metrics.iter().filter(|(_, metric)| !metric.private);
    visible
        .map(|(id, metric)| {
            let name = written(&metric.name);
            let bound = bind_measure(resolved, &name);
            let homes = bound.as_ref().map(homes).unwrap_or_default();
            let names: Vec<&str> =
                homes.iter().map(|home| resolved.model.datasets[*home].name.text.as_str()).collect();
            match &resolved.metrics[id] {
                Ok(expr) => json!({
                    "name": name,
                    "type": expr.data_type.to_string(),
                    "datasets": datasets_of(resolved, expr),
                    "grain": match names.as_slice() { [only] => json!(only), [] => Value::Null, several => json!(several) },
                    "class": expr.exactness.as_str(),
                    "incremental": bound.as_ref().map(|bound| incremental::class_of(bound).as_str()),
                    "description": metric.description,
                }),
                Err(findings) => json!({
                    "name": name,
                    "type": findings.first().map(|found| found.code.as_str()),
                    "datasets": [],
                    "grain": Value::Null,
                    "class": Value::Null,
                    "incremental": Value::Null,
                    "description": metric.description,
                }),
            }
        })
        .collect()
}

fn datasets(resolved: &Resolved) -> Vec<Value> {
    let datasets = resolved.model.datasets.iter();
    datasets
        .map(|(id, dataset)| {
            let keys: Vec<Vec<&str>> = resolved.keys[id]
                .iter()
                .map(|key| key.iter().map(|column| resolved.columns[*column].name.as_str()).collect())
                .collect();
            json!({
                "name": dataset.name.text,
                "source": match &dataset.source {
                    Source::Table(parts) => parts.join("."),
                    Source::Query(text) => text.clone(),
                },
                "primary_key": keys.first().cloned().unwrap_or_default(),
                "fields": dataset.fields.iter().map(|field| resolved.model.fields[*field].name.text.as_str()).collect::<Vec<_>>(),
                "description": dataset.description,
            })
        })
        .collect()
}

/// A name as requests write it.
fn written(name: &Name) -> String {
    if name.quoted { format!("\"{}\"", name.text.replace('"', "\"\"")) } else { name.text.clone() }
}

fn bind_measure(resolved: &Resolved, name: &str) -> Option<Bound> {
    let text = json!({"measures": [name]}).to_string();
    let (request, _) = parse_request(SourceId(u32::MAX), &text);
    let (bound, findings) = bind(resolved, &request?, &any_moment());
    bound.filter(|_| !has_errors(&findings))
}

fn homes(bound: &Bound) -> Vec<DatasetId> {
    match &bound.shape {
        Shape::Aggregation(aggregation) => aggregation.branches.iter().map(|branch| branch.home).collect(),
        Shape::Scalar(scalar) => vec![scalar.home],
    }
}

/// What a list says does not depend on the time.
fn any_moment() -> Moment {
    Moment { now: "2000-01-01 00:00:00.000000".to_string(), zone: "UTC".to_string() }
}

/// The datasets whose fields an expression reads, through other metrics too, in the order of the model.
fn datasets_of<'m>(resolved: &'m Resolved, expr: &ModelExpr) -> Vec<&'m str> {
    let mut found: Vec<DatasetId> = Vec::new();
    collect(resolved, expr, &mut found);
    found.sort();
    found.dedup();
    found.into_iter().map(|id| resolved.model.datasets[id].name.text.as_str()).collect()
}

fn collect(resolved: &Resolved, expr: &ModelExpr, found: &mut Vec<DatasetId>) {
    for reference in expr.references() {
        match reference {
            Reference::Column(id) => found.push(resolved.columns[*id].dataset),
            Reference::Field(id) => found.push(resolved.model.fields[*id].dataset),
            // Cycles were refused, so this ends.
            Reference::Metric(id) => {
                if let Ok(expr) = &resolved.metrics[*id] {
                    collect(resolved, expr, found);
                }
            }
            Reference::Now => {}
        }
    }
}

/// The rows under their word, and as columns for people.
fn printed(word: &str, rows: &[Value], columns: &[&str]) -> (String, Value) {
    let cell = |row: &Value, column: &str| match &row[column] {
        Value::Null => String::new(),
        Value::String(text) => text.lines().next().unwrap_or_default().to_string(),
        Value::Array(items) => items
            .iter()
            .map(|item| item.as_str().map_or_else(|| item.to_string(), String::from))
            .collect::<Vec<_>>()
            .join(", "),
        other @ (Value::Bool(_) | Value::Number(_) | Value::Object(_)) => other.to_string(),
    };
    let mut lines = vec![columns.iter().map(|column| (*column).to_string()).collect::<Vec<_>>()];
    lines.extend(rows.iter().map(|row| columns.iter().map(|column| cell(row, column)).collect::<Vec<_>>()));
    (crate::table::aligned(&lines), json!({ word: rows }))
}
