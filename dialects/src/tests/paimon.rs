//! Table specs: sources with and without a key, rollups, their Flink DDL and JSON.

use serde_json::json;
use unisono_compiler::catalog::parse_ddl;
use unisono_compiler::data_type::DataType;
use unisono_compiler::diagnostic::{Code, has_errors};
use unisono_compiler::ids::{DatasetId, Id};
use unisono_compiler::relation::OutputColumn;
use unisono_compiler::resolve::{Resolved, resolve_model};
use unisono_compiler::source::SourceMap;
use unisono_compiler::syntax::parse_document;

use super::relations::{BIG, TEXT, decimal};
use crate::{
    flink_create_table, flink_create_table_if_missing, flink_rollup_insert, rollup_spec, schema_json,
    source_spec,
};

fn output(name: &str, data_type: DataType) -> OutputColumn {
    OutputColumn { name: name.to_string(), data_type }
}

#[test]
fn a_rollup_is_keyed_by_one_text_and_its_dimensions_may_be_null() {
    let dimensions = [output("region", TEXT), output("month", DataType::Date)];
    let measures = [output("revenue", decimal(38, 2)), output("orders", BIG)];
    let (spec, diagnostics) = rollup_spec("shop.revenue_by_month", &dimensions, &measures);
    assert_eq!(diagnostics, []);
    let spec = spec.unwrap();
    assert_eq!(
        flink_create_table(&spec),
        "\
CREATE TABLE shop.revenue_by_month (
  __key STRING NOT NULL COMMENT 'the dimensions as one text',
  region STRING,
  `month` DATE,
  revenue DECIMAL(38, 2),
  orders BIGINT,
  PRIMARY KEY (__key) NOT ENFORCED
) WITH (
  'bucket' = '1',
  'changelog-producer' = 'lookup',
  'file.format' = 'parquet',
  'merge-engine' = 'deduplicate'
)"
    );
    assert_eq!(
        schema_json(&spec),
        json!({
            "fields": [
                {"id": 0, "name": "__key", "type": "STRING NOT NULL", "description": "the dimensions as one text"},
                {"id": 1, "name": "region", "type": "STRING"},
                {"id": 2, "name": "month", "type": "DATE"},
                {"id": 3, "name": "revenue", "type": "DECIMAL(38, 2)"},
                {"id": 4, "name": "orders", "type": "BIGINT"},
            ],
            "partitionKeys": [],
            "primaryKeys": ["__key"],
            "options": {
                "bucket": "1",
                "changelog-producer": "lookup",
                "file.format": "parquet",
                "merge-engine": "deduplicate",
            },
        })
    );
}

#[test]
fn a_column_without_a_type_or_with_one_that_paimon_lacks_is_refused() {
    let (spec, diagnostics) =
        rollup_spec("r", &[output("a", DataType::Unknown)], &[output("b", DataType::Time)]);
    assert_eq!(spec, None);
    let codes: Vec<Code> = diagnostics.iter().map(|finding| finding.code).collect();
    assert_eq!(codes, [Code::TypeRequired, Code::TypeMismatch]);
    assert_eq!(diagnostics[0].message, "a Paimon table needs the type of `r.a`, and nothing declares it");
}

const MODEL: &str = "
name: shop
datasets:
  - name: orders
    source: lake.shop.orders
    primary_key: [id]
    fields:
      - {name: id, expression: id}
      - {name: amount, expression: amount}
      - {name: note, expression: note}
  - name: visits
    source: main.visits
    fields:
      - {name: visited_at, expression: visited_at}
  - name: asked
    source: SELECT id FROM raw
    fields:
      - {name: id, expression: id}
";

const SCHEMA: &str = "
CREATE TABLE shop.orders (id BIGINT, amount DECIMAL(10, 2), note VARCHAR);
CREATE TABLE visits (visited_at TIMESTAMP);
";

/// The model against a schema.
fn shop(schema: &str) -> Resolved {
    let mut sources = SourceMap::default();
    let (document, findings) = parse_document(sources.add("model.yaml", MODEL), MODEL);
    assert!(!has_errors(&findings), "{findings:?}");
    let (catalog, findings) = parse_ddl(sources.add("schema.sql", schema), schema);
    assert_eq!(findings, []);
    let (resolved, findings) = resolve_model(&document.unwrap().models[0], &catalog, "");
    resolved.unwrap_or_else(|| panic!("{findings:?}"))
}

#[test]
fn a_source_has_its_columns_and_its_key() {
    let shop = shop(SCHEMA);
    let (orders, diagnostics) = source_spec(&shop, DatasetId::from_index(0));
    assert_eq!(diagnostics, []);
    assert_eq!(
        flink_create_table(&orders.unwrap()),
        "\
CREATE TABLE shop.orders (
  id BIGINT NOT NULL,
  amount DECIMAL(10, 2),
  note STRING,
  PRIMARY KEY (id) NOT ENFORCED
) WITH (
  'bucket' = '1',
  'changelog-producer' = 'none',
  'file.format' = 'parquet',
  'merge-engine' = 'deduplicate'
)"
    );
    let (visits, diagnostics) = source_spec(&shop, DatasetId::from_index(1));
    assert_eq!(diagnostics, []);
    assert_eq!(
        flink_create_table(&visits.unwrap()),
        "\
CREATE TABLE main.visits (
  visited_at TIMESTAMP(6)
) WITH (
  'bucket' = '-1',
  'file.format' = 'parquet'
)"
    );
}

#[test]
fn a_source_without_types_or_of_a_query_has_no_table() {
    let shop = shop("");
    let (spec, diagnostics) = source_spec(&shop, DatasetId::from_index(0));
    assert_eq!(spec, None);
    assert_eq!(diagnostics[0].code, Code::TypeRequired);
    assert_eq!(
        diagnostics[0].message,
        "a Paimon table needs the type of `orders.id`, `orders.amount`, `orders.note`, and nothing declares it"
    );
    let (spec, diagnostics) = source_spec(&shop, DatasetId::from_index(2));
    assert_eq!(spec, None);
    assert_eq!(diagnostics[0].code, Code::UnsupportedSource);
}

#[test]
fn the_job_of_a_rollup_makes_its_key_from_the_dimensions() {
    let dimensions =
        [output("region", TEXT), output("month", DataType::Timestamp), output("open", DataType::Boolean)];
    let (spec, _) = rollup_spec("shop.r", &dimensions, &[output("orders", BIG)]);
    let spec = spec.unwrap();
    let table = ["lake".to_string(), "shop".to_string(), "r".to_string()];
    assert_eq!(
        flink_rollup_insert(&table, &spec, 3, "SELECT 1\n"),
        "\
INSERT INTO lake.shop.r
SELECT
  CONCAT(CASE WHEN answer.region IS NULL THEN 'N' ELSE CONCAT('V', CAST(CHAR_LENGTH(answer.region) AS STRING), ':', answer.region) END, CASE WHEN answer.`month` IS NULL THEN 'N' ELSE CONCAT('V', CAST(CHAR_LENGTH(CAST(CAST(answer.`month` AS TIMESTAMP(6)) AS STRING)) AS STRING), ':', CAST(CAST(answer.`month` AS TIMESTAMP(6)) AS STRING)) END, CASE WHEN answer.`open` IS NULL THEN 'N' ELSE CONCAT('V', CAST(CHAR_LENGTH(CASE WHEN answer.`open` THEN 'true' ELSE 'false' END) AS STRING), ':', CASE WHEN answer.`open` THEN 'true' ELSE 'false' END) END) AS __key,
  answer.region AS region,
  answer.`month` AS `month`,
  answer.`open` AS `open`,
  answer.orders AS orders
FROM (
SELECT 1
) AS answer"
    );
    let whole =
        flink_rollup_insert(&table, &rollup_spec("shop.r", &[], &[output("orders", BIG)]).0.unwrap(), 0, "q");
    assert!(whole.contains("SELECT\n  CAST('' AS STRING) AS __key,\n  answer.orders AS orders\n"), "{whole}");
    assert!(flink_create_table_if_missing(&spec).starts_with("CREATE TABLE IF NOT EXISTS shop.r ("));
}
