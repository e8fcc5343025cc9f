//! Entries of a project's `types:` that say something of nothing. In: the project, its models, the tables of a DDL, or the columns of one table.
//! Out: a finding for each table and column that is not there, with near names: left alone, a type is inferred in its place.

use std::collections::BTreeSet;

use unisono_compiler::catalog::{Catalog, Origin};
use unisono_compiler::diagnostic::{Code, Diagnostic};
use unisono_compiler::ids::DatasetId;
use unisono_compiler::model::{Body, Expression, Model, Source};
use unisono_compiler::syntax::expr::for_each_name;

use crate::pipeline::table_of;
use crate::project::{ColumnType, Project, is_same_table};

/// A table that something reads.
struct Read {
    /// As the model spells it, and as the project does.
    names: Vec<String>,
    /// The columns that are mentioned.
    columns: BTreeSet<String>,
}

/// Warnings for the entries whose table or column no dataset reads and no DDL declares.
pub fn unused_types(project: &Project, models: &[Model], declared: &Catalog) -> Vec<Diagnostic> {
    let mut all: Vec<Read> = Vec::new();
    let mut queries: Vec<&str> = Vec::new();
    for model in models {
        for (id, dataset) in model.datasets.iter() {
            match &dataset.source {
                Source::Table(parts) => {
                    let own = table_of(project, &dataset.source).map(|parts| parts.join("."));
                    let names = [parts.join(".")].into_iter().chain(own).collect();
                    all.push(Read { names, columns: mentioned(project, model, id) });
                }
                Source::Query(text) => queries.push(text),
            }
        }
    }
    for table in &declared.tables {
        let columns = table.columns.iter().filter(|column| column.origin != Origin::ProjectFile);
        let columns: BTreeSet<String> = columns.map(|column| column.name.clone()).collect();
        if !columns.is_empty() {
            all.push(Read { names: vec![table.name.join(".")], columns });
        }
    }
    let mut findings: Vec<Diagnostic> = Vec::new();
    let mut unknown: BTreeSet<&str> = BTreeSet::new();
    for entry in &project.types {
        let Some((table, column)) = entry.column.value.rsplit_once('.') else { continue };
        let last = table.rsplit('.').next().unwrap_or_default();
        // The text of a query is not taken apart: what stands in it somewhere counts as read.
        let mut texts = queries.iter().filter(|text| has_word(text, last));
        let is_queried = texts.clone().next().is_some();
        if texts.any(|text| text.contains('*') || has_word(text, column)) {
            continue;
        }
        let same: Vec<&Read> =
            all.iter().filter(|read| read.names.iter().any(|name| is_same_table(name, table))).collect();
        let columns = || same.iter().flat_map(|read| read.columns.iter().map(String::as_str));
        if same.is_empty() && !is_queried {
            if unknown.insert(table) {
                let message = format!("`types:` names a table `{table}`, and no dataset reads it");
                let names = all.iter().flat_map(|read| read.names.iter().map(String::as_str));
                findings.push(unused(entry, Code::UnusedType, message).suggest(table, names));
            }
        } else if !columns().any(|known| known.eq_ignore_ascii_case(column)) {
            let message =
                format!("`types:` names a column `{column}` of `{table}`, and no dataset reads it there");
            findings.push(unused(entry, Code::UnusedType, message).suggest(column, columns()));
        }
    }
    findings
}

/// The entries for a table that name none of its columns, as findings of a code.
pub fn strange_types(project: &Project, table: &str, columns: &[&str], code: Code) -> Vec<Diagnostic> {
    let of_table = project.types.iter().filter_map(|entry| {
        let (name, column) = entry.column.value.rsplit_once('.')?;
        let strange =
            is_same_table(name, table) && !columns.iter().any(|known| known.eq_ignore_ascii_case(column));
        let message = format!("`types:` names a column `{column}` of {table}, which has no such column");
        strange.then(|| unused(entry, code, message).suggest(column, columns.iter().copied()))
    });
    of_table.collect()
}

fn unused(entry: &ColumnType, code: Code, message: String) -> Diagnostic {
    Diagnostic::new(code, message)
        .at(entry.column.span, "")
        .about(format!("types.{}", entry.column.value))
        .help("correct the name, or leave the entry out")
}

/// The columns that a model mentions of a dataset's table. A name that is a field's may be a column's too.
fn mentioned(project: &Project, model: &Model, id: DatasetId) -> BTreeSet<String> {
    let dataset = &model.datasets[id];
    let mut found: BTreeSet<String> = BTreeSet::new();
    found.extend(dataset.keys.iter().flat_map(|key| &key.columns).map(|column| column.text.clone()));
    for (_, relationship) in model.relationships.iter() {
        for (from, to) in &relationship.columns {
            found.extend((relationship.from == id).then(|| from.text.clone()));
            found.extend((relationship.to == id).then(|| to.text.clone()));
        }
    }
    for field in &dataset.fields {
        each_name(&model.fields[*field].expression, &mut |parts| {
            found.extend(parts.last().map(ToString::to_string));
        });
    }
    for (_, metric) in model.metrics.iter() {
        each_name(&metric.expression, &mut |parts| {
            if let [owner, column] = parts
                && owner.eq_ignore_ascii_case(&dataset.name.text)
            {
                found.insert((*column).to_string());
            }
        });
    }
    if let Source::Table(parts) = &dataset.source {
        let source = parts.join(".");
        let of_source = project.sources.iter().filter(|entry| entry.source.value == source);
        found.extend(of_source.filter_map(|entry| Some(entry.event_time.as_ref()?.value.clone())));
    }
    found
}

fn each_name(expression: &Expression, found: &mut dyn FnMut(&[&str])) {
    for variant in &expression.variants {
        if let Body::Parsed(expr) = &variant.body {
            for_each_name(expr, &mut |parts| {
                let parts: Vec<&str> = parts.iter().map(|part| part.value.text.as_str()).collect();
                found(&parts);
            });
        }
    }
}

fn has_word(text: &str, word: &str) -> bool {
    text.split(|character: char| !character.is_alphanumeric() && character != '_')
        .any(|one| one.eq_ignore_ascii_case(word))
}

#[cfg(test)]
mod tests {
    use unisono_compiler::model::lower;
    use unisono_compiler::source::SourceId;
    use unisono_compiler::syntax::parse_document;

    use super::*;
    use crate::project::read_project;

    const MODEL: &str = "
name: shop
datasets:
- name: orders
  source: lake.shop.orders
  primary_key: [id]
  fields:
  - {name: net, expression: gross - tax}
- name: customers
  source: raw_customers
  unique_keys: [[mail]]
  fields:
  - {name: region, expression: UPPER(region_code)}
- name: paid
  source: SELECT o.id, o.paid_at FROM shop.payments AS o
  fields:
  - {name: id, expression: id}
relationships:
- {name: orders_to_customers, from: orders, to: customers, from_columns: [buyer], to_columns: [id]}
metrics:
- {name: revenue, expression: SUM(orders.amount)}
";

    /// The columns of the entries that nothing reads.
    fn unused_of(columns: &[&str]) -> Vec<String> {
        let types: Vec<String> = columns.iter().map(|column| format!("  {column}: BIGINT\n")).collect();
        let types = types.concat();
        let sources = "sources: {raw_customers: {table: shop.customers}, lake.shop.orders: {event_time: ordered_at, watermark_delay: 5 minutes}}";
        let text = format!("version: 1\nmodels: []\n{sources}\ntypes:\n{types}");
        let (project, findings) = read_project(SourceId(0), &text);
        assert_eq!(findings, []);
        let (document, findings) = parse_document(SourceId(1), MODEL);
        assert_eq!(findings, []);
        let model = lower(&document.unwrap().models[0]).0;
        let found = unused_types(&project.unwrap(), &[model], &Catalog::default());
        found.into_iter().map(|finding| finding.path).collect()
    }

    #[test]
    fn what_a_model_mentions_in_any_way_is_read() {
        // By a key, a field's expression, a relationship at both ends, a metric, the time of a source.
        let read = ["id", "gross", "TAX", "buyer", "amount", "ordered_at"];
        for table in ["lake.shop.orders", "shop.orders", "Orders"] {
            assert_eq!(
                unused_of(&read.map(|column| format!("{table}.{column}")).each_ref().map(String::as_str)),
                [""; 0]
            );
        }
        let customers = ["raw_customers.id", "shop.customers.mail", "customers.region_code"];
        assert_eq!(unused_of(&customers), [""; 0]);
        // What a query's text holds is not taken apart.
        assert_eq!(unused_of(&["shop.payments.paid_at", "payments.id"]), [""; 0]);
    }

    #[test]
    fn what_nothing_mentions_is_told_a_table_once() {
        let wrong = [
            "shop.orders.net",
            "shop.orders.region_code",
            "shop.customers.amount",
            "shop.payments.amount",
            "shop.payments.id",
            "shop.order.id",
            "shop.order.amount",
            "store.orders.id",
        ];
        // `net` is a field's name and no column's.
        let told = [
            "types.shop.orders.net",
            "types.shop.orders.region_code",
            "types.shop.customers.amount",
            "types.shop.payments.amount",
            "types.shop.order.id",
            "types.store.orders.id",
        ];
        assert_eq!(unused_of(&wrong), told);
    }
}
