//! The requests over models/tpch as cases: a few thousand rows that every target can read in a minute.
//! In: the scale factor's files. Out: cases whose expected rows are DuckDB's, by the hand-written SQL.

use unisono_tests::case::{Case, Expected, Variant, tpch};
use unisono_tests::helper::Helper;
use unisono_tests::project;
use unisono_tests::tpch::{duckdb_setup, shared};

/// 6,000 lines of orders; a streaming source has half as many changes again.
const SCALE: f64 = 0.001;

/// The requests, each with its rows.
pub(super) fn cases(oracle: &Helper) -> Vec<Case> {
    let schema = duckdb_setup(&shared(SCALE).unwrap()).unwrap().join(";\n");
    let mut cases = Vec::new();
    for case in tpch().unwrap() {
        let rows = oracle.duckdb(std::slice::from_ref(&schema), &case.check_sql).unwrap();
        cases.push(Case {
            id: case.id,
            tier: "foundation".to_string(),
            schema: schema.clone(),
            variants: vec![Variant {
                name: "as written",
                model: project("models/tpch/model.yaml"),
                query: case.request,
            }],
            home: None,
            time_zone: None,
            check_sql: Some(case.check_sql),
            expected: Expected::Rows {
                answers: vec![rows],
                rules: case.rules,
                also_accept: Vec::new(),
                refusal_ok: false,
            },
        });
    }
    cases
}
