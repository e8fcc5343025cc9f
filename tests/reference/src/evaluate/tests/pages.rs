//! The examples of docs/diagnostics: each page has a model, often a request, and the code that they bring; and a mended form.
//! The tables are empty: what the rules refuse, they refuse before any row.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use unisono_compiler::source::SourceId;
use unisono_compiler::syntax::expr::{for_each_name, parse_expr};
use unisono_compiler::syntax::parse_document;

use super::super::evaluate;
use crate::case::{Case, Column, ColumnType, Table};
use crate::stop::Stop;

/// The language and text of each fenced block.
fn blocks(page: &str) -> Vec<(String, String)> {
    let mut found = Vec::new();
    let mut open: Option<(String, String)> = None;
    for line in page.lines() {
        match (&mut open, line.strip_prefix("```")) {
            (None, Some(kind)) => open = Some((kind.to_string(), String::new())),
            (Some(_), Some(_)) => found.extend(open.take()),
            (Some((_, text)), None) => {
                text.push_str(line);
                text.push('\n');
            }
            (None, None) => {}
        }
    }
    found
}

/// Empty tables with all columns that a model names.
fn tables(model: &str) -> Vec<Table> {
    let (document, _) = parse_document(SourceId(0), model);
    let Some(document) = document else { return Vec::new() };
    let mut columns: BTreeMap<String, BTreeMap<String, ColumnType>> = BTreeMap::new();
    for model in &document.models {
        for dataset in &model.datasets {
            let mine = columns.entry(dataset.source.value.clone()).or_default();
            for field in &dataset.fields {
                let column_type = match field.datatype.as_ref().map(|one| one.value.as_str()) {
                    Some("Integer") => ColumnType::Int64,
                    Some("Float") => ColumnType::Double,
                    Some("Date") => ColumnType::Date,
                    Some("DateTime") => ColumnType::Timestamp,
                    _ => ColumnType::Text,
                };
                for variant in &field.expression.variants {
                    let Some(expr) = parse_expr(&variant.text).0 else { continue };
                    for_each_name(&expr, &mut |parts| {
                        let name = parts[0].value.text.clone();
                        let is_other = dataset
                            .fields
                            .iter()
                            .any(|other| other.name.value == name && other.name.value != field.name.value);
                        if parts.len() == 1 && !is_other {
                            mine.insert(name, column_type);
                        }
                    });
                }
            }
            for column in dataset.primary_key.iter().chain(dataset.unique_keys.iter().flatten()) {
                mine.entry(column.value.clone()).or_insert(ColumnType::Int64);
            }
        }
        for relationship in &model.relationships {
            let (near, far): (Vec<_>, Vec<_>) = relationship.columns.iter().cloned().unzip();
            for (name, keys) in [(&relationship.from.value, near), (&relationship.to.value, far)] {
                let Some(dataset) = model.datasets.iter().find(|one| one.name.value == *name) else {
                    continue;
                };
                let mine = columns.entry(dataset.source.value.clone()).or_default();
                for key in keys {
                    mine.entry(key.value).or_insert(ColumnType::Int64);
                }
            }
        }
    }
    let table = |(name, columns): (String, BTreeMap<String, ColumnType>)| Table {
        name,
        columns: columns.into_iter().map(|(name, column_type)| Column { name, column_type }).collect(),
        rows: Vec::new(),
    };
    columns.into_iter().map(table).collect()
}

/// Codes of types, targets and engines: evaluation knows values only, and on empty tables there are none.
const OF_TYPES_AND_TARGETS: [&str; 5] = [
    "E_TYPE_MISMATCH",
    "E_TYPE_REQUIRED",
    "E_UNKNOWN_TARGET",
    "E_UNSUPPORTED_PATTERN",
    "E_UNSUPPORTED_SOURCE",
];

#[test]
fn examples_of_the_pages_bring_their_codes() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/diagnostics");
    let mut pages: Vec<_> = fs::read_dir(root).unwrap().map(|one| one.unwrap().path()).collect();
    pages.sort();
    let (mut agreed, mut silent, mut wrong) = (0, Vec::new(), Vec::new());
    for page in pages {
        let code = page.file_stem().unwrap().to_string_lossy().to_string();
        if !code.starts_with('E') || OF_TYPES_AND_TARGETS.contains(&code.as_str()) {
            continue;
        }
        let text = fs::read_to_string(&page).unwrap();
        let (example, mended) = text.split_once("## Mending").unwrap_or((&text, ""));
        let find = |blocks: &[(String, String)], kind: &str| {
            blocks.iter().find(|(one, _)| one == kind).map(|(_, text)| text.clone())
        };
        let (example, mended) = (blocks(example), blocks(mended));
        let model = find(&example, "yaml model");
        let request = find(&example, "json request");
        if let (Some(model), Some(request)) = (&model, &request) {
            let case = Case { tables: tables(model), model: model.clone(), request: request.clone() };
            match evaluate(&case) {
                Err(Stop::Refused(codes)) if codes.contains(&code.as_str()) => agreed += 1,
                Ok(answer) if answer.may_refuse.contains(&code.as_str()) => agreed += 1,
                Err(Stop::Open(why) | Stop::Unknown(why)) => silent.push(format!("{code}: {why}")),
                other => wrong.push(format!("{code}: {other:?}")),
            }
        }
        let model = find(&mended, "yaml model").or(model);
        let request = find(&mended, "json request").or(request);
        if let (Some(model), Some(request)) = (model, request) {
            let case = Case { tables: tables(&model), model, request };
            match evaluate(&case) {
                Ok(_) => agreed += 1,
                Err(Stop::Open(why) | Stop::Unknown(why)) => silent.push(format!("{code} mended: {why}")),
                other => wrong.push(format!("{code} mended: {other:?}")),
            }
        }
    }
    println!("agreed {agreed}\nsilent:\n{}\nwrong:\n{}", silent.join("\n"), wrong.join("\n"));
    assert!(wrong.is_empty(), "see the list above");
}
