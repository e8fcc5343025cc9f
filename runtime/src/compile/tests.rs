//! Tests of the chain of stages: hand-written texts in, expected values by hand.

use super::*;
use crate::project::read_project;
use unisono_compiler::data_type::DataType;
use unisono_compiler::source::SourceId;

const MODEL: &str = "
name: shop
datasets:
- name: orders
  source: main.orders
  primary_key: [id]
  fields:
  - {name: id, expression: id}
  - {name: status, expression: status}
  - {name: amount, expression: amount}
metrics:
- {name: revenue, expression: SUM(orders.amount)}
";
const SCHEMA: &str = "CREATE TABLE orders (id INTEGER, status VARCHAR, amount DECIMAL(10,2));";

fn moment() -> Moment {
    Moment { now: "2024-01-01 00:00:00.000000".to_string(), zone: "UTC".to_string() }
}

fn compiled(request: &str, schema: Option<&str>, target: &str) -> Compiled {
    compile_texts(MODEL, request, schema, target, &moment())
}

fn codes(compiled: &Compiled) -> Vec<&'static str> {
    compiled.diagnostics.iter().map(|found| found.code.as_str()).collect()
}

#[test]
fn texts_become_sql_with_typed_columns() {
    let request = r#"{"dimensions": ["orders.status"], "measures": ["revenue"]}"#;
    let compiled = compiled(request, Some(SCHEMA), "datafusion");
    assert!(compiled.sql.is_some(), "{:?}", compiled.diagnostics);
    let columns: Vec<(&str, DataType)> =
        compiled.columns.iter().map(|column| (column.name.as_str(), column.data_type)).collect();
    let money = DataType::Decimal { precision: 38, scale: 2 };
    assert_eq!(columns, [("status", DataType::String), ("revenue", money)]);
}

#[test]
fn a_refusal_has_no_text_and_a_code() {
    let unknown = compiled(r#"{"measures": ["revenu"]}"#, None, "duckdb");
    assert!(unknown.sql.is_none() && unknown.columns.is_empty());
    assert_eq!(codes(&unknown), ["E_NAME_NOT_FOUND"]);
    assert_eq!(unknown.diagnostics[0].candidates, ["revenue"]);
    assert_eq!(codes(&compiled("{", None, "duckdb")), ["E_PARSE"]);
    assert_eq!(codes(&compiled(r#"{"measures": ["revenue"]}"#, None, "dukdb")), ["E_UNKNOWN_TARGET"]);
}

#[test]
fn the_same_texts_give_the_same_bytes() {
    let request = r#"{"dimensions": ["orders.status"], "measures": ["revenue"], "limit": 2}"#;
    let first = compiled(request, Some(SCHEMA), "starrocks");
    assert!(first.sql.is_some(), "{:?}", first.diagnostics);
    assert_eq!(first.sql, compiled(request, Some(SCHEMA), "starrocks").sql);
}

fn types(text: &str, catalog: &mut Catalog) -> Vec<Diagnostic> {
    let (project, findings) = read_project(SourceId(0), &format!("version: 1\ntypes: {text}\n"));
    assert!(findings.is_empty(), "{findings:?}");
    add_types(catalog, &project.unwrap().types)
}

#[test]
fn types_of_the_project_fill_what_the_schema_leaves_out() {
    let (mut catalog, _) = parse_ddl(SourceId(0), SCHEMA);
    let text = r#"{main.orders.amount: "DOUBLE", main.orders.fee: "DECIMAL(8,2)", shop.returns.id: BIGINT}"#;
    assert!(types(text, &mut catalog).is_empty());
    let orders = &catalog.tables[0];
    assert_eq!(orders.column("amount").unwrap().data_type, DataType::Decimal { precision: 10, scale: 2 });
    assert_eq!(orders.column("fee").unwrap().data_type, DataType::Decimal { precision: 8, scale: 2 });
    assert_eq!(catalog.tables[1].name, ["shop", "returns"]);
    assert_eq!(catalog.tables[1].columns[0].origin, Origin::ProjectFile);
}

#[test]
fn what_is_no_type_or_column_is_said_at_its_place() {
    let mut catalog = Catalog::default();
    let findings = types(r#"{orders.amount: "MONEY(", amount: BIGINT}"#, &mut catalog);
    let found: Vec<_> = findings.iter().map(|found| (found.code.as_str(), found.primary.is_some())).collect();
    assert_eq!(found, [("E_TYPE_MISMATCH", true), ("E_PARSE", true)]);
}

#[test]
fn a_table_known_only_by_types_may_have_other_columns() {
    let mut catalog = Catalog::default();
    assert!(types(r#"{main.orders.amount: "DECIMAL(10,2)"}"#, &mut catalog).is_empty());
    let (document, _) = parse_document(SourceId(0), MODEL);
    let request = r#"{"dimensions": ["orders.status"], "measures": ["revenue"]}"#;
    let (request, _) = parse_request(SourceId(0), request);
    let target = Target::latest(Engine::DataFusion);
    let stages =
        compile_request(&document.unwrap().models[0], &catalog, &request.unwrap(), &moment(), target);
    assert!(stages.sql.is_some(), "{:?}", stages.diagnostics);
}
