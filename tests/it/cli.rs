//! The binary as a person or program calls it. In: arguments. Out: exit code, stdout and stderr, as docs/guides/agent.md promises.

use std::fs;
use std::path::PathBuf;
use std::process::{Command, Output};

use unisono_tests::project;

use crate::project_folder::binary;

fn unisono(arguments: &[&str]) -> Output {
    Command::new(binary()).args(arguments).current_dir(project("")).env("NO_COLOR", "1").output().unwrap()
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

/// A file of this test run with a given text.
fn file(name: &str, content: &str) -> PathBuf {
    let folder = project(".cache/cli");
    fs::create_dir_all(&folder).unwrap();
    let path = folder.join(name);
    fs::write(&path, content).unwrap();
    path
}

const MODEL: &str = "
version: 0.2.0.dev0
semantic_model:
- name: m
  datasets:
  - name: orders
    source: main.orders
    primary_key: [id]
    fields:
    - {name: id, expression: {dialects: [{dialect: ANSI_SQL, expression: id}]}}
    - {name: amount, expression: {dialects: [{dialect: ANSI_SQL, expression: amount}]}}
  metrics:
  - {name: revenue, expression: {dialects: [{dialect: ANSI_SQL, expression: SUM(orders.amount)}]}}
";

/// Runs `sql` over a model text; stdout must be empty on refusal, the code must lead a line of stderr.
fn refused(name: &str, model: &str, code: &str, words: &[&str]) {
    let model = file(&format!("{name}.yaml"), model);
    let request = file(&format!("{name}.json"), r#"{"measures": ["revenue"]}"#);
    let output = unisono(&[
        "sql",
        "--model",
        model.to_str().unwrap(),
        "--query-file",
        request.to_str().unwrap(),
        "--dialect",
        "duckdb",
    ]);
    let said = text(&output.stderr);
    assert_eq!(output.status.code(), Some(2), "{name}: {said}");
    assert!(output.stdout.is_empty(), "{name}: {}", text(&output.stdout));
    assert!(said.lines().any(|line| line.starts_with(&format!("{code}: "))), "{name}, want {code}: {said}");
    for word in words {
        assert!(said.contains(word), "{name} does not say {word}: {said}");
    }
}

#[test]
fn sql_prints_sql_and_nothing_else() {
    let model = file("good.yaml", MODEL);
    let request = file("good.json", r#"{"measures": ["revenue"]}"#);
    let output = unisono(&[
        "sql",
        "--model",
        model.to_str().unwrap(),
        "--query-file",
        request.to_str().unwrap(),
        "--dialect",
        "duckdb",
    ]);
    assert_eq!(output.status.code(), Some(0), "{}", text(&output.stderr));
    let sql = "SELECT\n  SUM(orders.amount) AS revenue\nFROM main.orders AS orders\n";
    assert_eq!(text(&output.stdout), sql);
}

#[test]
fn bad_models_are_refused_with_place_and_help() {
    refused("empty", "", "E_PARSE", &["empty"]);
    refused("version", &MODEL.replace("0.2.0.dev0", "9.0.0"), "E_UNSUPPORTED_VERSION", &["9.0.0"]);
    refused(
        "root_key",
        &MODEL.replace("semantic_model:", "semantic_modle:"),
        "E_UNKNOWN_KEY",
        &["semantic_model"],
    );
    refused("model_key", &MODEL.replace("  datasets:", "  datsets:"), "E_UNKNOWN_KEY", &["datasets"]);
    refused(
        "dataset_key",
        &MODEL.replace("    primary_key:", "    primry_key:"),
        "E_UNKNOWN_KEY",
        &["primary_key"],
    );
    refused(
        "field_key",
        &MODEL.replace("{name: id, expression:", "{name: id, expresion:"),
        "E_UNKNOWN_KEY",
        &["expression"],
    );
    refused(
        "variant_key",
        &MODEL.replace("{dialect: ANSI_SQL, expression: SUM", "{dialct: ANSI_SQL, expression: SUM"),
        "E_UNKNOWN_KEY",
        &["dialect"],
    );
    refused(
        "metric_key",
        &MODEL.replace("{name: revenue, expression:", "{nme: revenue, expression:"),
        "E_UNKNOWN_KEY",
        &["name"],
    );
    refused(
        "column",
        &MODEL.replace("SUM(orders.amount)", "SUM(orders.amuont)"),
        "E_NAME_NOT_FOUND",
        &["amuont", "amount"],
    );
    refused(
        "cycle",
        &MODEL.replace("SUM(orders.amount)", "revenue + 1"),
        "E_METRIC_CYCLE",
        &["revenue -> revenue"],
    );
}

#[test]
fn a_ten_megabyte_model_ends() {
    let mut model = String::from("version: 0.2.0.dev0\nsemantic_model:\n- name: m\n  datasets:\n");
    let mut number = 0;
    while model.len() < 10 << 20 {
        number += 1;
        model.push_str(&format!(
            "  - name: d{number}\n    source: main.d{number}\n    primary_key: [id]\n    fields:\n    - name: id\n      expression: {{dialects: [{{dialect: ANSI_SQL, expression: id}}]}}\n"
        ));
    }
    refused("ten_megabytes", &model, "E_NAME_NOT_FOUND", &["revenue"]);
}

#[test]
fn a_folder_or_nothing_in_place_of_a_file_is_an_error_with_help() {
    let request = file("any.json", r#"{"measures": ["revenue"]}"#);
    for model in ["models", "models/none.yaml"] {
        let output = unisono(&[
            "sql",
            "--model",
            model,
            "--query-file",
            request.to_str().unwrap(),
            "--dialect",
            "duckdb",
        ]);
        assert_eq!(output.status.code(), Some(2), "{}", text(&output.stderr));
        assert!(text(&output.stderr).contains(model), "{}", text(&output.stderr));
    }
    let output = unisono(&[
        "query",
        "--model",
        "models/shop/model.yaml",
        "--data",
        "models/shop/no_data",
        "--metrics",
        "revenue",
    ]);
    assert_eq!(output.status.code(), Some(2), "{}", text(&output.stderr));
    assert!(text(&output.stderr).contains("no_data"), "{}", text(&output.stderr));
}

#[test]
fn query_answers_over_files_and_json_is_one_object() {
    let arguments = [
        "query",
        "--model",
        "models/shop/model.yaml",
        "--data",
        "models/shop/data",
        "--metrics",
        "revenue",
        "--by",
        "customers.region",
    ];
    let output = unisono(&arguments);
    assert_eq!(output.status.code(), Some(0), "{}", text(&output.stderr));
    let mut lines: Vec<String> = text(&output.stdout).lines().map(ToString::to_string).collect();
    assert_eq!(lines.remove(0), "region,revenue");
    lines.sort();
    // Order 105 belongs to no customer: its 30 stands under no region (models/shop/data).
    assert_eq!(lines, [",30.00", "EAST,350.00", "WEST,75.00"]);

    let output = unisono(&[&arguments[..], &["--format", "json"]].concat());
    let object: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(object["ok"], true);
    assert_eq!(object["data"]["columns"][0]["name"], "region");
    assert_eq!(object["data"]["rows"].as_array().unwrap().len(), 3);

    let output = unisono(&[
        "query",
        "--model",
        "models/shop/model.yaml",
        "--data",
        "models/shop/data",
        "--metrics",
        "revenu",
        "--format",
        "json",
    ]);
    assert_eq!(output.status.code(), Some(2));
    let object: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(object["ok"], false);
    assert_eq!(object["diagnostics"][0]["code"], "E_NAME_NOT_FOUND");
    assert_eq!(object["diagnostics"][0]["candidates"][0], "revenue");
}

#[test]
fn a_query_as_source_has_the_types_of_its_columns() {
    let query = "SELECT id, n * 2 AS twice FROM items WHERE id > 0";
    let model = MODEL.replace("main.orders", query).replace("expression: amount", "expression: twice");
    let model = file("query_source.yaml", &model);
    // 2 * 4,000,000,000,000,000,000 fits 64 bits, the sum of two of these does not.
    file("items.csv", "id,n\n1,4000000000000000000\n2,4000000000000000000\n0,1\n");
    let data = project(".cache/cli");
    let (model, data) = (model.to_str().unwrap(), data.to_str().unwrap());
    let output = unisono(&["query", "--model", model, "--data", data, "--metrics", "revenue"]);
    assert_eq!(output.status.code(), Some(0), "{}", text(&output.stderr));
    assert_eq!(text(&output.stdout), "revenue\n16000000000000000000\n");
    assert!(!text(&output.stderr).contains("W_UNKNOWN_TYPE"), "{}", text(&output.stderr));
}

#[test]
fn every_model_of_the_project_is_valid() {
    let output = unisono(&["validate", "models/shop/model.yaml", "models/tpch/model.yaml"]);
    assert_eq!(output.status.code(), Some(0), "{}{}", text(&output.stdout), text(&output.stderr));
}
