//! A shape as texts. In: a shape. Out: the model as YAML, the request as JSON, both together with the tables as a case.

use std::fmt::Write as _;

use super::shape::{Ask, Dataset, Entry, Key, Mark, Shape, replace_marks};
use crate::case::Case;

/// The whole case.
pub(crate) fn case(shape: &Shape) -> Case {
    Case { model: model(shape), tables: shape.plain_tables(), request: request(shape) }
}

/// An expression with names in place of marks.
pub(crate) fn expression(shape: &Shape, text: &str) -> String {
    replace_marks(text, |mark| name_of(shape, mark))
}

fn name_of(shape: &Shape, mark: Mark) -> Option<String> {
    match mark {
        Mark::Field(dataset, field) => {
            let field = shape.field(dataset, field)?;
            Some(format!("{}.{}", shape.dataset(dataset)?.name, field.name))
        }
        Mark::Sibling(dataset, field) => Some(shape.field(dataset, field)?.name.clone()),
        Mark::Column(dataset, column) => Some(shape.table_of(dataset)?.columns.get(column)?.name.clone()),
        Mark::Metric(metric) => Some(shape.metric(metric)?.name.clone()),
        Mark::Dataset(dataset) => Some(shape.dataset(dataset)?.name.clone()),
    }
}

/// A text in YAML's single quotes.
fn scalar(text: &str) -> String {
    format!("'{}'", text.replace('\'', "''"))
}

fn columns(shape: &Shape, dataset: usize, columns: impl Iterator<Item = usize>) -> String {
    let name = |column| name_of(shape, Mark::Column(dataset, column)).unwrap_or_default();
    let names: Vec<String> = columns.map(|column| scalar(&name(column))).collect();
    format!("[{}]", names.join(", "))
}

fn model(shape: &Shape) -> String {
    let mut out = String::from("name: random\ndatasets:\n");
    for dataset in &shape.datasets {
        print_dataset(shape, dataset, &mut out);
    }
    if !shape.relationships.is_empty() {
        out.push_str("relationships:\n");
    }
    for one in &shape.relationships {
        let end = |id| shape.dataset(id).map_or_else(String::new, |dataset| scalar(&dataset.name));
        let _ = writeln!(
            out,
            "- {{name: {}, from: {}, to: {}, from_columns: {}, to_columns: {}}}",
            scalar(&one.name),
            end(one.from),
            end(one.to),
            columns(shape, one.from, one.columns.iter().map(|pair| pair.0)),
            columns(shape, one.to, one.columns.iter().map(|pair| pair.1)),
        );
    }
    if !shape.metrics.is_empty() {
        out.push_str("metrics:\n");
    }
    for metric in &shape.metrics {
        let _ = writeln!(
            out,
            "- {{name: {}, expression: {}{}}}",
            scalar(&metric.name),
            scalar(&expression(shape, &metric.text)),
            access(metric.private)
        );
    }
    out
}

fn access(private: bool) -> &'static str {
    if private { ", access_modifier: private" } else { "" }
}

fn print_dataset(shape: &Shape, dataset: &Dataset, out: &mut String) {
    let source = shape.tables.get(dataset.table).map_or("", |table| table.name.as_str());
    let _ = writeln!(out, "- name: {}\n  source: {}", scalar(&dataset.name), scalar(source));
    if !dataset.primary.is_empty() {
        let key = columns(shape, dataset.id, dataset.primary.iter().copied());
        let _ = writeln!(out, "  primary_key: {key}");
    }
    if !dataset.unique.is_empty() {
        let keys: Vec<String> =
            dataset.unique.iter().map(|key| columns(shape, dataset.id, key.iter().copied())).collect();
        let _ = writeln!(out, "  unique_keys: [{}]", keys.join(", "));
    }
    if let Some(time) = dataset.time.and_then(|field| name_of(shape, Mark::Field(dataset.id, field))) {
        let data = format!("{{\"v\":\"1\",\"time_dimension\":{}}}", json(&time));
        let _ = writeln!(out, "  custom_extensions:\n  - {{vendor_name: UNISONO, data: {}}}", scalar(&data));
    }
    if !dataset.fields.is_empty() {
        out.push_str("  fields:\n");
    }
    for field in &dataset.fields {
        let time = if field.is_time { ", dimension: {is_time: true}" } else { "" };
        let _ = writeln!(
            out,
            "  - {{name: {}, expression: {}{time}{}}}",
            scalar(&field.name),
            scalar(&expression(shape, &field.text)),
            access(field.private)
        );
    }
}

/// A text as JSON.
pub(crate) fn json(text: &str) -> String {
    let mut out = String::from("\"");
    for one in text.chars() {
        match one {
            '"' => out.push_str("\\\""),
            '\\' => out.push_str("\\\\"),
            '\n' => out.push_str("\\n"),
            '\t' => out.push_str("\\t"),
            one if one.is_control() => {
                let _ = write!(out, "\\u{:04x}", u32::from(one));
            }
            one => out.push(one),
        }
    }
    out.push('"');
    out
}

/// A request's expression; names in capitals where unquoted names match in any case.
fn asked(shape: &Shape, ask: &Ask, text: &str) -> String {
    replace_marks(text, |mark| {
        let name = name_of(shape, mark)?;
        Some(if ask.shout && !name.contains('"') { name.to_uppercase() } else { name })
    })
}

fn entry(shape: &Shape, entry: &Entry) -> String {
    let text = asked(shape, &shape.ask, &entry.text);
    match (entry.grain, &entry.alias) {
        (None, None) => json(&text),
        (Some(grain), None) if entry.colon && !text.contains('"') => json(&format!("{text}:{grain}")),
        (Some(grain), None) => format!("{{\"field\": {}, \"grain\": \"{grain}\"}}", json(&text)),
        (None, Some(alias)) => format!("{{\"expr\": {}, \"as\": {}}}", json(&text), json(alias)),
        (Some(grain), Some(alias)) => {
            format!("{{\"field\": {}, \"grain\": \"{grain}\", \"as\": {}}}", json(&text), json(alias))
        }
    }
}

fn key(shape: &Shape, key: &Key) -> String {
    let text = asked(shape, &shape.ask, &key.text);
    let what = match key.grain {
        Some(grain) => format!("\"field\": {}, \"grain\": \"{grain}\"", json(&text)),
        None => format!("\"expr\": {}", json(&text)),
    };
    let direction = if key.descending { "DESC" } else { "ASC" };
    let nulls = match key.nulls_first {
        None => "",
        Some(true) => ", \"nulls\": \"FIRST\"",
        Some(false) => ", \"nulls\": \"LAST\"",
    };
    format!("{{{what}, \"direction\": \"{direction}\"{nulls}}}")
}

fn request(shape: &Shape) -> String {
    let ask = &shape.ask;
    let mut parts = Vec::new();
    let mut list = |name: &str, items: Vec<String>, bare: bool| {
        if bare || !items.is_empty() {
            parts.push(format!("\"{name}\": [{}]", items.join(", ")));
        }
    };
    let entries = |list: &[Entry]| list.iter().map(|one| entry(shape, one)).collect::<Vec<_>>();
    let texts = |list: &[String]| list.iter().map(|text| json(&asked(shape, ask, text))).collect::<Vec<_>>();
    list("dimensions", entries(&ask.dimensions), ask.bare);
    list("measures", entries(&ask.measures), ask.bare);
    list("fields", entries(&ask.fields), false);
    list("where", texts(&ask.conditions), false);
    list("having", texts(&ask.having), false);
    list("order_by", ask.order.iter().map(|one| key(shape, one)).collect(), false);
    if let Some(range) = &ask.time_range {
        let mut inner = vec![format!("\"dimension\": {}", json(&asked(shape, ask, &range.dimension)))];
        for (name, bound) in [("start", &range.start), ("end", &range.end)] {
            inner.extend(bound.as_ref().map(|bound| format!("\"{name}\": {}", json(bound))));
        }
        parts.push(format!("\"time_range\": {{{}}}", inner.join(", ")));
    }
    if let Some(limit) = ask.limit {
        parts.push(format!("\"limit\": {limit}"));
    }
    if let Some(home) = ask.home.and_then(|home| name_of(shape, Mark::Dataset(home))) {
        parts.push(format!("\"home\": {}", json(&home)));
    }
    format!("{{{}}}\n", parts.join(", "))
}
