//! Lowers a document's model: ids for names, parsed expressions, lists instead of text.
//! In: `syntax::document::SemanticModel`. Out: a `Model`, and a finding for each part that refers to nothing.

use std::collections::BTreeMap;
use std::fmt;

use crate::diagnostic::{Code, Diagnostic};
use crate::ids::{Arena, DatasetId, FieldId, Id};
use crate::model::{
    Body, Dataset, Dialect, Expression, Field, Key, LogicalType, Metric, Model, Name, Relationship, Source,
    TARGET_DIALECTS, Variant,
};
use crate::source::Spanned;
use crate::syntax::document as syntax;
use crate::syntax::expr::parse_expr;

/// Lowers one semantic model. Relationships whose datasets do not exist are left out and reported; everything else is
/// kept, so that `check` and `resolve` find as much as possible. Linear in the document.
pub fn lower(document: &syntax::SemanticModel) -> (Model, Vec<Diagnostic>) {
    let mut diagnostics = Vec::new();
    let mut fields = Arena::default();
    let mut datasets = Arena::default();
    let mut by_name = BTreeMap::new();
    for dataset in &document.datasets {
        let id = DatasetId::from_index(datasets.len());
        let lowered = lower_dataset(dataset, id, &mut fields, &mut diagnostics);
        by_name.entry(lowered.name.folded().into_owned()).or_insert(id);
        datasets.push(lowered);
    }
    let mut relationships = Arena::default();
    for relationship in &document.relationships {
        if let Some(lowered) = lower_relationship(relationship, &by_name, &datasets, &mut diagnostics) {
            relationships.push(lowered);
        }
    }
    let metrics = document.metrics.iter().map(|metric| lower_metric(metric, &mut diagnostics)).collect();
    let model = Model { name: document.name.clone(), datasets, fields, relationships, metrics };
    (model, diagnostics)
}

fn lower_dataset(
    dataset: &syntax::Dataset,
    id: DatasetId,
    fields: &mut Arena<FieldId, Field>,
    diagnostics: &mut Vec<Diagnostic>,
) -> Dataset {
    let name = lower_name(&dataset.name);
    let own_fields = dataset
        .fields
        .iter()
        .map(|field| fields.push(lower_field(field, id, &name.text, diagnostics)))
        .collect();
    let primary = Some(Key { primary: true, columns: lower_names(&dataset.primary_key) });
    let unique =
        dataset.unique_keys.iter().map(|columns| Key { primary: false, columns: lower_names(columns) });
    let keys = primary.into_iter().chain(unique).filter(|key| !key.columns.is_empty()).collect();
    Dataset {
        source: lower_source(&dataset.source.value),
        source_span: dataset.source.span,
        keys,
        fields: own_fields,
        description: dataset.description.clone(),
        time_dimension: {
            diagnostics.extend(
                unknown_extension(&dataset.extensions)
                    .map(|finding| finding.about(format!("datasets.{}", name.text))),
            );
            time_dimension(&dataset.extensions, diagnostics)
        },
        name,
    }
}

fn lower_field(
    field: &syntax::Field,
    dataset: DatasetId,
    dataset_name: &str,
    diagnostics: &mut Vec<Diagnostic>,
) -> Field {
    let name = lower_name(&field.name);
    let path = format_args!("datasets.{dataset_name}.fields.{}", name.text);
    Field {
        dataset,
        expression: lower_expression(&field.expression, path),
        is_time: field.is_time,
        logical_type: lower_logical_type(field.datatype.as_ref(), path, diagnostics),
        private: field.private,
        description: field.description.clone(),
        name,
    }
}

fn lower_metric(metric: &syntax::Metric, diagnostics: &mut Vec<Diagnostic>) -> Metric {
    let name = lower_name(&metric.name);
    let path = format_args!("metrics.{}", name.text);
    let mut expression = lower_expression(&metric.expression, path);
    if let Some(finding) = unknown_extension(&metric.extensions) {
        let finding = finding.about(path.to_string());
        for variant in &mut expression.variants {
            variant.body = Body::Broken(vec![finding.clone()]);
        }
    }
    Metric {
        expression,
        logical_type: lower_logical_type(metric.datatype.as_ref(), path, diagnostics),
        private: metric.private,
        description: metric.description.clone(),
        time_dimension: time_dimension(&metric.extensions, diagnostics),
        name,
    }
}

fn lower_relationship(
    relationship: &syntax::Relationship,
    by_name: &BTreeMap<String, DatasetId>,
    datasets: &Arena<DatasetId, Dataset>,
    diagnostics: &mut Vec<Diagnostic>,
) -> Option<Relationship> {
    let name = lower_name(&relationship.name);
    let path = format!("relationships.{}", name.text);
    let mut end = |written: &Spanned<String>, side: &str| {
        let found = by_name.get(&*lower_name(written).folded()).copied();
        if found.is_none() {
            diagnostics.push(
                Diagnostic::new(
                    Code::NameNotFound,
                    format!(
                        "relationship `{}` names a dataset `{}` that does not exist",
                        name.text, written.value
                    ),
                )
                .at(written.span, format!("`{side}` is no dataset"))
                .about(&path)
                .suggest(&written.value, datasets.iter().map(|(_, dataset)| dataset.name.text.as_str())),
            );
        }
        found
    };
    let from = end(&relationship.from, "from");
    let to = end(&relationship.to, "to");
    let (from, to) = (from?, to?);
    let columns = relationship.columns.iter().map(|(from, to)| (lower_name(from), lower_name(to))).collect();
    Some(Relationship { name, from, to, columns })
}

/// A name in YAML is unquoted unless it carries double quotes itself.
fn lower_name(written: &Spanned<String>) -> Name {
    let inner = written.value.strip_prefix('"').and_then(|rest| rest.strip_suffix('"'));
    match inner.filter(|inner| !inner.is_empty()) {
        Some(inner) => Name { text: inner.replace("\"\"", "\""), quoted: true, span: written.span },
        None => Name { text: written.value.clone(), quoted: false, span: written.span },
    }
}

fn lower_names(written: &[Spanned<String>]) -> Vec<Name> {
    written.iter().map(lower_name).collect()
}

fn lower_source(text: &str) -> Source {
    let trimmed = text.trim();
    let first_word = trimmed.split(|c: char| !c.is_alphanumeric()).next().unwrap_or("");
    let is_query = trimmed.starts_with('(')
        || (first_word.eq_ignore_ascii_case("select") || first_word.eq_ignore_ascii_case("with"))
            && trimmed.len() > first_word.len()
            && trimmed[first_word.len()..].starts_with(char::is_whitespace);
    if is_query {
        return Source::Query(trimmed.to_string());
    }
    Source::Table(split_table_name(trimmed))
}

/// Splits `a."b.c".d` at the dots outside quotes, and removes the quotes and the blanks around the dots.
fn split_table_name(text: &str) -> Vec<String> {
    let mut parts = vec![String::new()];
    let mut quote = None;
    let mut blanks = String::new();
    let mut characters = text.chars().peekable();
    while let Some(character) = characters.next() {
        let plain = match (character, quote) {
            ('"' | '`', None) => {
                quote = Some(character);
                continue;
            }
            (_, Some(open)) if character == open => {
                // A doubled quote is one character of the name.
                if characters.next_if_eq(&open).is_none() {
                    quote = None;
                    continue;
                }
                character
            }
            (blank, None) if blank.is_whitespace() => {
                blanks.push(blank);
                continue;
            }
            ('.', None) => {
                blanks.clear();
                parts.push(String::new());
                continue;
            }
            (plain, _) => plain,
        };
        if let Some(last) = parts.last_mut() {
            if !last.is_empty() {
                last.push_str(&blanks);
            }
            last.push(plain);
        }
        blanks.clear();
    }
    parts
}

fn lower_expression(expression: &syntax::Expression, path: fmt::Arguments<'_>) -> Expression {
    let variants = expression
        .variants
        .iter()
        .map(|variant| {
            let dialect = lower_dialect(variant.dialect.as_ref().map(|name| name.value.as_str()));
            let is_ours = match &dialect {
                Dialect::Common(_) => true,
                Dialect::Named(name) => TARGET_DIALECTS.contains(&name.as_str()),
            };
            let body = if is_ours { parse_body(&variant.text, path) } else { Body::Foreign };
            Variant { dialect, body }
        })
        .collect();
    Expression { variants, span: expression.span }
}

fn parse_body(text: &syntax::Text, path: fmt::Arguments<'_>) -> Body {
    let (expr, findings) = parse_expr(text);
    match expr {
        Some(expr) if findings.is_empty() => Body::Parsed(expr),
        Some(_) | None => {
            Body::Broken(findings.into_iter().map(|finding| finding.about(path.to_string())).collect())
        }
    }
}

fn lower_dialect(name: Option<&str>) -> Dialect {
    let Some(name) = name else { return Dialect::Common(0) };
    match name.to_uppercase().as_str() {
        "OSI_SQL_2026" => Dialect::Common(0),
        "OSSIE_SQL_2026" => Dialect::Common(1),
        "ANSI_SQL" => Dialect::Common(2),
        other => Dialect::Named(other.to_string()),
    }
}

fn lower_logical_type(
    written: Option<&Spanned<String>>,
    path: fmt::Arguments<'_>,
    diagnostics: &mut Vec<Diagnostic>,
) -> Option<Spanned<LogicalType>> {
    let written = written?;
    let found = LogicalType::ALL.iter().find(|(_, name)| *name == written.value);
    if found.is_none() {
        diagnostics.push(
            Diagnostic::new(Code::Parse, format!("`{}` is no OSI data type", written.value))
                .at(written.span, "this type")
                .about(path.to_string())
                .suggest(&written.value, LogicalType::ALL.iter().map(|(_, name)| *name))
                .help(format!("the types are {}", LogicalType::ALL.map(|(_, name)| name).join(", "))),
        );
    }
    found.map(|(logical, _)| Spanned::new(*logical, written.span))
}

/// What the extension of a metric may say under our vendor names.
const EXTENSION_KEYS: [&str; 2] = ["v", "time_dimension"];

/// A metric whose extension says more than we understand means something else than its expression.
fn unknown_extension(extensions: &[syntax::Extension]) -> Option<Diagnostic> {
    for extension in extensions.iter().filter(|extension| is_ours(extension)) {
        let Ok(serde_json::Value::Object(data)) = serde_json::from_str(&extension.data.value) else {
            continue;
        };
        let data: serde_json::Map<String, serde_json::Value> = data;
        if let Some(key) = data.keys().find(|key| !EXTENSION_KEYS.contains(&key.as_str())) {
            return Some(
                Diagnostic::new(
                    Code::UnknownKey,
                    format!("the extension of vendor {} has a key `{key}` that may change the meaning and is not understood", extension.vendor.value),
                )
                .at(extension.data.span, "this data")
                .suggest(key, EXTENSION_KEYS)
                .help("the keys are `v` and `time_dimension`; write a metric as an expression"),
            );
        }
    }
    None
}

fn is_ours(extension: &syntax::Extension) -> bool {
    ["unisono", "datus"].contains(&extension.vendor.value.to_lowercase().as_str())
}

/// The time dimension that an extension of vendor UNISONO (or DATUS) names, as written.
fn time_dimension(
    extensions: &[syntax::Extension],
    diagnostics: &mut Vec<Diagnostic>,
) -> Option<Spanned<String>> {
    for extension in extensions.iter().filter(|extension| is_ours(extension)) {
        match serde_json::from_str::<serde_json::Value>(&extension.data.value) {
            Ok(data) => {
                if let Some(text) = data.get("time_dimension").and_then(serde_json::Value::as_str) {
                    return Some(Spanned::new(text.to_string(), extension.data.span));
                }
            }
            Err(error) => diagnostics.push(
                Diagnostic::new(
                    Code::Parse,
                    format!("the data of extension `{}` is not JSON: {error}", extension.vendor.value),
                )
                .at(extension.data.span, "this text"),
            ),
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sources_are_tables_or_queries() {
        assert_eq!(lower_source("main.orders"), Source::Table(vec!["main".into(), "orders".into()]));
        assert_eq!(lower_source("a.\"b.c\""), Source::Table(vec!["a".into(), "b.c".into()]));
        let doubled = Source::Table(vec!["my sch".into(), "ta\"b".into()]);
        assert_eq!(lower_source("\"my sch\".\"ta\"\"b\""), doubled);
        let spaced = Source::Table(vec!["my sch".into(), "my table".into()]);
        assert_eq!(lower_source("my sch . \"my table\""), spaced);
        assert_eq!(lower_source("selection"), Source::Table(vec!["selection".into()]));
        assert_eq!(lower_source("select 1 as x"), Source::Query("select 1 as x".into()));
        assert_eq!(lower_source("(select 1 as x)"), Source::Query("(select 1 as x)".into()));
    }

    #[test]
    fn dialect_names_rank_the_common_language() {
        assert_eq!(lower_dialect(None), Dialect::Common(0));
        assert_eq!(lower_dialect(Some("Ossie_SQL_2026")), Dialect::Common(1));
        assert_eq!(lower_dialect(Some("ANSI_SQL")), Dialect::Common(2));
        assert_eq!(lower_dialect(Some("Snowflake")), Dialect::Named("SNOWFLAKE".into()));
    }
}
