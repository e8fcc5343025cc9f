//! Table specs: sources with and without a key, rollups, their Flink DDL and JSON.

use serde_json::json;
use unisono_compiler::data_type::DataType;
use unisono_compiler::diagnostic::Code;
use unisono_compiler::relation::OutputColumn;

use super::relations::{BIG, TEXT, decimal};
use crate::{flink_create_table, rollup_spec, schema_json};

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
