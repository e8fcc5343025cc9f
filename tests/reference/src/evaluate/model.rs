//! The model by folded names, with its expressions parsed and the cardinality of its relationships.
//! In: a case. Out: datasets, fields, metrics and relationships that the other modules look up; refusals of the model itself.

use unisono_compiler::diagnostic::{Diagnostic, Severity};
use unisono_compiler::source::{SourceId, Spanned};
use unisono_compiler::syntax::document::{self, Expression};
use unisono_compiler::syntax::expr::{Expr, Ident, Reserved, parse_expr, reserved};
use unisono_compiler::syntax::parse_document;
use unisono_compiler::syntax::yaml::{Node, NodeKind, parse_yaml};

use super::tree::{fold, folded};
use crate::case::Case;
use crate::stop::Stop;

/// A model.
pub(super) struct Model {
    /// Tables.
    pub(super) datasets: Vec<Dataset>,
    /// Joins.
    pub(super) relationships: Vec<Relationship>,
    /// Metrics.
    pub(super) metrics: Vec<Metric>,
}

/// A dataset.
pub(super) struct Dataset {
    /// Folded.
    pub(super) name: String,
    /// As written.
    pub(super) written: String,
    /// The number of its table in the case, if it reads a table of the case.
    pub(super) table: Option<usize>,
    /// The columns of its primary key.
    pub(super) primary_key: Option<Vec<usize>>,
    /// The columns of its unique keys.
    pub(super) unique_keys: Vec<Vec<usize>>,
    /// Its fields.
    pub(super) fields: Vec<Field>,
    /// The time field that an extension names, as written.
    pub(super) time: Option<String>,
}

/// A field.
pub(super) struct Field {
    /// Folded.
    pub(super) name: String,
    /// As written.
    pub(super) written: String,
    /// Its expression with folded names.
    pub(super) expr: Result<Expr, Stop>,
    /// Requests do not see it.
    pub(super) private: bool,
    /// Marked as a time dimension.
    pub(super) is_time: bool,
}

/// A metric.
pub(super) struct Metric {
    /// Folded.
    pub(super) name: String,
    /// As written.
    pub(super) written: String,
    /// Its expression with folded names.
    pub(super) expr: Result<Expr, Stop>,
    /// Requests do not see it.
    pub(super) private: bool,
    /// The time field that an extension names, as written.
    pub(super) time: Option<String>,
}

/// A relationship.
pub(super) struct Relationship {
    /// Its `from` dataset.
    pub(super) from: usize,
    /// Its `to` dataset.
    pub(super) to: usize,
    /// Columns of `from`.
    pub(super) from_columns: Vec<usize>,
    /// Columns of `to`.
    pub(super) to_columns: Vec<usize>,
    /// A row of `from` meets at most one row of `to`.
    pub(super) to_is_one: bool,
    /// A row of `to` meets at most one row of `from`.
    pub(super) from_is_one: bool,
}

/// The codes of the errors among findings of a stage that parses.
pub(super) fn errors(diagnostics: &[Diagnostic]) -> Vec<&'static str> {
    diagnostics.iter().filter(|one| one.severity() == Severity::Error).map(|one| one.code.as_str()).collect()
}

/// A name of the model: unquoted unless it carries the quotes itself.
pub(super) fn name_in_yaml(text: &str) -> Ident {
    match text.strip_prefix('"').and_then(|rest| rest.strip_suffix('"')) {
        Some(inner) if !inner.is_empty() => Ident { text: inner.replace("\"\"", "\""), quoted: true },
        _ => Ident { text: text.to_string(), quoted: false },
    }
}

/// Reads the model of a case.
pub(super) fn read_model(case: &Case) -> Result<Model, Stop> {
    let (document, diagnostics) = parse_document(SourceId(0), &case.model);
    let codes = errors(&diagnostics);
    if !codes.is_empty() {
        return Err(Stop::Refused(codes));
    }
    let Some(document) = document else { return Err(Stop::Refused(vec!["E_PARSE"])) };
    let [model] = document.models.as_slice() else {
        return Err(Stop::Refused(vec!["E_USAGE", "E_NAME_NOT_FOUND", "E_PARSE"]));
    };
    check_names(model)?;
    let datasets: Vec<Dataset> =
        model.datasets.iter().map(|one| read_dataset(one, case)).collect::<Result<_, _>>()?;
    let relationships = model
        .relationships
        .iter()
        .map(|one| read_relationship(one, &datasets, case))
        .collect::<Result<_, _>>()?;
    let metrics = model.metrics.iter().map(read_metric).collect();
    Ok(Model { datasets, relationships, metrics })
}

/// Names that are reserved or equal after folding (docs/semantics.md, section 2).
fn check_names(model: &document::SemanticModel) -> Result<(), Stop> {
    let mut codes = Vec::new();
    let mut check = |names: Vec<&str>| {
        let idents: Vec<Ident> = names.into_iter().map(name_in_yaml).collect();
        for (number, ident) in idents.iter().enumerate() {
            match reserved(&ident.text) {
                Some(Reserved::Keyword) if !ident.quoted => codes.push("E_RESERVED_NAME"),
                Some(Reserved::Deferred) if !ident.quoted => codes.push("E_DEFERRED_KEY_REJECTED"),
                _ => {}
            }
            if idents[..number].iter().any(|earlier| fold(earlier) == fold(ident)) {
                codes.push("E_NAME_COLLISION");
            }
        }
    };
    let global = model.datasets.iter().map(|one| one.name.value.as_str());
    let global = global.chain(model.relationships.iter().map(|one| one.name.value.as_str()));
    check(global.chain(model.metrics.iter().map(|one| one.name.value.as_str())).collect());
    for dataset in &model.datasets {
        check(dataset.fields.iter().map(|one| one.name.value.as_str()).collect());
    }
    if codes.is_empty() { Ok(()) } else { Err(Stop::Refused(codes)) }
}

fn read_dataset(dataset: &document::Dataset, case: &Case) -> Result<Dataset, Stop> {
    let table = find_table(case, &dataset.source.value);
    let name = &dataset.name.value;
    let key = |columns: &[Spanned<String>]| {
        columns.iter().map(|one| column_of(case, table, name, &one.value)).collect::<Result<Vec<_>, _>>()
    };
    let mut time = None;
    for extension in ours(&dataset.extensions) {
        time = read_extension(&extension.data.value)?.0.or(time);
    }
    Ok(Dataset {
        name: fold(&name_in_yaml(name)),
        written: name_in_yaml(name).text,
        table,
        primary_key: if dataset.primary_key.is_empty() { None } else { Some(key(&dataset.primary_key)?) },
        unique_keys: dataset.unique_keys.iter().map(|one| key(one)).collect::<Result<_, _>>()?,
        fields: dataset.fields.iter().map(read_field).collect(),
        time,
    })
}

/// The table that a source names: its whole name, else its last part.
fn find_table(case: &Case, source: &str) -> Option<usize> {
    let last = |name: &str| name.rsplit('.').next().unwrap_or(name).to_lowercase();
    let exact = case.tables.iter().position(|table| table.name == source);
    exact.or_else(|| case.tables.iter().position(|table| last(&table.name) == last(source)))
}

fn column_of(case: &Case, table: Option<usize>, dataset: &str, name: &str) -> Result<usize, Stop> {
    let Some(table) = table.and_then(|number| case.tables.get(number)) else {
        return Err(Stop::Unknown(format!("the source of {dataset} is no table of the case")));
    };
    find_column(table, &name_in_yaml(name))
        .ok_or_else(|| Stop::Unknown(format!("column {name} of {dataset} does not exist")))
}

/// A column by its name; a catalogue is at hand, so an unquoted name matches in any case.
pub(super) fn find_column(table: &crate::case::Table, name: &Ident) -> Option<usize> {
    let exact = table.columns.iter().position(|column| column.name == name.text);
    let any_case = || table.columns.iter().position(|column| column.name.to_lowercase() == fold(name));
    if name.quoted { exact } else { exact.or_else(any_case) }
}

fn read_field(field: &document::Field) -> Field {
    Field {
        name: fold(&name_in_yaml(&field.name.value)),
        written: name_in_yaml(&field.name.value).text,
        expr: read_expression(&field.expression),
        private: field.private,
        is_time: field.is_time,
    }
}

fn read_metric(metric: &document::Metric) -> Metric {
    let mut expr = read_expression(&metric.expression);
    let mut time = None;
    for extension in ours(&metric.extensions) {
        match read_extension(&extension.data.value) {
            Ok((named, says_more)) => {
                time = named.or(time);
                if says_more {
                    expr = Err(Stop::Refused(vec!["E_UNKNOWN_KEY"]));
                }
            }
            Err(stop) => expr = Err(stop),
        }
    }
    Metric {
        name: fold(&name_in_yaml(&metric.name.value)),
        written: name_in_yaml(&metric.name.value).text,
        expr,
        private: metric.private,
        time,
    }
}

/// The text in the common language; a variant for one engine leaves the others, so the case says nothing then.
fn read_expression(expression: &Expression) -> Result<Expr, Stop> {
    let common = ["OSI_SQL_2026", "OSSIE_SQL_2026", "ANSI_SQL"];
    let engines = ["DUCKDB", "DATAFUSION", "FLINK", "STARROCKS", "FLINK_SQL"];
    let dialect = |variant: &document::Variant| {
        variant.dialect.as_ref().map_or("ANSI_SQL".to_string(), |one| one.value.to_uppercase())
    };
    if expression.variants.iter().any(|variant| engines.contains(&dialect(variant).as_str())) {
        return Err(Stop::Open("a variant for one engine".into()));
    }
    let chosen =
        common.iter().find_map(|name| expression.variants.iter().find(|variant| dialect(variant) == *name));
    let Some(variant) = chosen else { return Err(Stop::Refused(vec!["E_NO_USABLE_EXPRESSION"])) };
    let (expr, diagnostics) = parse_expr(&variant.text);
    match expr {
        Some(expr) => folded(&expr),
        None => Err(Stop::Refused(errors(&diagnostics))),
    }
}

fn ours(extensions: &[document::Extension]) -> impl Iterator<Item = &document::Extension> {
    extensions.iter().filter(|one| ["UNISONO", "DATUS"].contains(&one.vendor.value.to_uppercase().as_str()))
}

/// The time dimension that an extension names, and whether it says more than `v` and `time_dimension`.
fn read_extension(data: &str) -> Result<(Option<String>, bool), Stop> {
    let (root, _) = parse_yaml(SourceId(0), data);
    let Some(Node { kind: NodeKind::Mapping(entries), .. }) = root else {
        return Err(Stop::Unknown(format!("the extension {data}")));
    };
    let mut time = None;
    let mut says_more = false;
    for entry in &entries {
        match (&*entry.key.value, &entry.value.kind) {
            ("v", _) => {}
            ("time_dimension", NodeKind::Scalar(scalar)) => time = Some(scalar.text.to_string()),
            _ => says_more = true,
        }
    }
    Ok((time, says_more))
}

fn read_relationship(
    relationship: &document::Relationship,
    datasets: &[Dataset],
    case: &Case,
) -> Result<Relationship, Stop> {
    let side = |name: &str, columns: Vec<&Spanned<String>>| {
        let folded = fold(&name_in_yaml(name));
        let Some(number) = datasets.iter().position(|one| one.name == folded) else {
            return Err(Stop::Refused(vec!["E_NAME_NOT_FOUND"]));
        };
        let dataset = &datasets[number];
        let columns: Vec<usize> = columns
            .into_iter()
            .map(|one| column_of(case, dataset.table, &dataset.written, &one.value))
            .collect::<Result<_, _>>()?;
        let keys = dataset.primary_key.iter().chain(&dataset.unique_keys);
        // A superset of a key counts too.
        let is_one = keys.into_iter().any(|key| key.iter().all(|column| columns.contains(column)));
        Ok((number, columns, is_one))
    };
    let (near, far) = relationship.columns.iter().map(|(from, to)| (from, to)).unzip();
    let (from, from_columns, from_is_one) = side(&relationship.from.value, near)?;
    let (to, to_columns, to_is_one) = side(&relationship.to.value, far)?;
    Ok(Relationship { from, to, from_columns, to_columns, to_is_one, from_is_one })
}

impl Model {
    /// A dataset by its folded name.
    pub(super) fn dataset(&self, name: &str) -> Option<usize> {
        self.datasets.iter().position(|one| one.name == name)
    }

    /// A metric by its folded name.
    pub(super) fn metric(&self, name: &str) -> Option<usize> {
        self.metrics.iter().position(|one| one.name == name)
    }

    /// A field by the folded names of its dataset and its own.
    pub(super) fn field(&self, dataset: &str, field: &str) -> Option<(usize, usize)> {
        let dataset = self.dataset(dataset)?;
        let number = self.datasets[dataset].fields.iter().position(|one| one.name == field)?;
        Some((dataset, number))
    }
}
