//! The TPC-DS models of OSI (beside the project, never in it): read, every metric compiled, three requests for every SQL
//! target, the texts read by parsers that are not ours: sqlglot, DataFusion, and a real Flink where one is running.

use std::fs;
use std::path::PathBuf;

use unisono_compiler::catalog::parse_ddl;
use unisono_compiler::resolve::{Resolved, resolve_model};
use unisono_compiler::source::SourceMap;
use unisono_compiler::syntax::parse_document;
use unisono_dialects::{flink_create_table, source_spec};
use unisono_tests::helper::{self, FlinkMode, skip};
use unisono_tests::project;

use crate::engines::{compile, datafusion, datafusion_session};

/// Columns of the five tables with the types of the TPC-DS specification, version 3.2.
const SCHEMA: &str = "
CREATE TABLE tpcds.public.store_sales (ss_sold_date_sk BIGINT, ss_item_sk BIGINT, ss_customer_sk BIGINT, ss_store_sk BIGINT,
  ss_ticket_number BIGINT, ss_quantity INTEGER, ss_sales_price DECIMAL(7,2), ss_ext_sales_price DECIMAL(7,2), ss_net_profit DECIMAL(7,2));
CREATE TABLE tpcds.public.date_dim (d_date_sk BIGINT, d_date DATE, d_year INTEGER, d_quarter_name VARCHAR, d_month_name VARCHAR);
CREATE TABLE tpcds.public.customer (c_customer_sk BIGINT, c_customer_id VARCHAR, c_first_name VARCHAR, c_last_name VARCHAR,
  c_email_address VARCHAR);
CREATE TABLE tpcds.public.item (i_item_sk BIGINT, i_item_id VARCHAR, i_item_desc VARCHAR, i_brand VARCHAR, i_category VARCHAR,
  i_current_price DECIMAL(7,2));
CREATE TABLE tpcds.public.store (s_store_sk BIGINT, s_store_id VARCHAR, s_store_name VARCHAR, s_city VARCHAR, s_state VARCHAR,
  s_number_employees INTEGER);
";

const REQUESTS: [(&str, &str); 3] = [
    (
        "brands",
        r#"{"dimensions": ["item.i_brand"], "measures": ["total_sales", "total_profit"], "where": ["date_dim.d_year = 2000"],
            "having": ["total_sales > 100"], "order_by": [{"expr": "total_sales", "direction": "DESC"}], "limit": 10}"#,
    ),
    (
        "productivity",
        r#"{"dimensions": ["store.s_state"], "measures": ["store_productivity", {"expr": "AVG(store_sales.ss_quantity)", "as": "quantity"}]}"#,
    ),
    (
        "lifetime value by year",
        r#"{"dimensions": ["date_dim.d_year", "customer.customer_full_name"],
            "measures": ["customer_lifetime_value", {"expr": "MEDIAN(store_sales.ss_sales_price)", "as": "median_price"}]}"#,
    ),
];

const TARGETS: [&str; 5] = ["datafusion", "duckdb", "starrocks", "flink", "flink-streaming"];

fn examples() -> Option<PathBuf> {
    let folder = project("../shared/osi/examples");
    folder.is_dir().then_some(folder)
}

fn main_model(folder: &std::path::Path) -> String {
    fs::read_to_string(folder.join("tpcds_semantic_model.main.yaml")).unwrap()
}

#[test]
fn every_metric_of_the_tpcds_models_compiles_or_is_named_with_its_code() {
    let Some(folder) = examples() else {
        skip(
            "every_metric_of_the_tpcds_models_compiles_or_is_named_with_its_code",
            "the public OSI models are not here",
        );
        return;
    };
    let mut refused = Vec::new();
    for file in ["main", "foundational", "0.1.1", "bump"] {
        let text = fs::read_to_string(folder.join(format!("tpcds_semantic_model.{file}.yaml"))).unwrap();
        for metric in
            ["total_sales", "total_profit", "customer_lifetime_value", "sales_by_brand", "store_productivity"]
        {
            for target in TARGETS {
                let request = format!(r#"{{"measures": ["{metric}"]}}"#);
                if let Err(refusal) = compile(&text, &request, Some(SCHEMA), target) {
                    refused.push(format!("{file}, {metric}, {target}: {refusal:?}"));
                }
            }
        }
    }
    // None: all five metrics of all four models are within the language.
    assert!(refused.is_empty(), "{}", refused.join("\n"));
}

#[test]
fn tpcds_requests_are_read_by_parsers_that_are_not_ours() {
    let Some(folder) = examples() else {
        skip("tpcds_requests_are_read_by_parsers_that_are_not_ours", "the public OSI models are not here");
        return;
    };
    let model = main_model(&folder);
    let mut faults = Vec::new();
    let script = format!("CREATE DATABASE tpcds;\nCREATE SCHEMA tpcds.public;\n{SCHEMA}");
    let session = datafusion_session(&script).unwrap();
    for (name, request) in REQUESTS {
        for target in TARGETS {
            let sql = match compile(&model, request, Some(SCHEMA), target) {
                Ok((sql, _)) => sql,
                Err(refusal) => {
                    faults.push(format!("{name} for {target}: {refusal:?}"));
                    continue;
                }
            };
            let read = match (target, helper::shared()) {
                ("datafusion", _) => datafusion(&session, &sql).map(|_| ()),
                ("duckdb" | "starrocks", Ok(helper)) => helper.parses(target, &sql),
                ("duckdb" | "starrocks", Err(reason)) => {
                    skip("tpcds_requests_are_read_by_parsers_that_are_not_ours", reason);
                    Ok(())
                }
                // Flink has a test of its own.
                _ => Ok(()),
            };
            if let Err(reason) = read {
                faults.push(format!("{name} for {target}: {reason}\n{sql}"));
            }
        }
    }
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}

#[test]
fn a_real_flink_explains_the_tpcds_requests() {
    let name = "a_real_flink_explains_the_tpcds_requests";
    let Some(folder) = examples() else { return skip(name, "the public OSI models are not here") };
    let helper = match helper::flink() {
        Ok(helper) => helper,
        Err(reason) => return skip(name, &reason),
    };
    let model = main_model(&folder);
    let warehouse = project(".cache/flink-warehouse").join("tpcds");
    let _ = fs::remove_dir_all(&warehouse);
    let resolved = resolved(&model);
    let mut setup = vec![
        format!(
            "CREATE CATALOG tpcds WITH ('type'='paimon', 'warehouse'='file://{}', 'cache-enabled'='false')",
            warehouse.display()
        ),
        "USE CATALOG tpcds".to_string(),
        "CREATE DATABASE public".to_string(),
    ];
    for dataset in resolved.model.datasets.ids() {
        let (spec, findings) = source_spec(&resolved, dataset);
        setup.push(flink_create_table(&spec.unwrap_or_else(|| panic!("{findings:?}"))));
    }
    for (target, mode) in [("flink", FlinkMode::Batch), ("flink-streaming", FlinkMode::Streaming)] {
        let mut statements = setup.clone();
        for (_, request) in REQUESTS {
            let (sql, _) = compile(&model, request, Some(SCHEMA), target).unwrap();
            statements.push(format!("EXPLAIN {sql}"));
        }
        let results = helper.flink(mode, &statements).unwrap();
        for (statement, result) in statements.iter().zip(&results) {
            // The second mode finds the tables of the first.
            let exists = result.as_ref().err().is_some_and(|error| error.contains("already exist"));
            assert!(result.is_ok() || exists, "{target}: {result:?}\n{statement}");
        }
    }
}

fn resolved(model: &str) -> Resolved {
    let mut sources = SourceMap::default();
    let id = sources.add("tpcds.yaml", model);
    let (document, findings) = parse_document(id, model);
    let document = document.unwrap_or_else(|| panic!("{findings:?}"));
    let (catalog, findings) = parse_ddl(id, SCHEMA);
    assert!(findings.is_empty(), "{findings:?}");
    let (resolved, findings) = resolve_model(&document.models[0], &catalog, "FLINK");
    resolved.unwrap_or_else(|| panic!("{findings:?}"))
}
