//! The binary as a person or program calls it. In: arguments. Out: exit code, stdout and stderr, as docs/guides/agent.md promises.

use std::fs;
use std::path::PathBuf;
use std::process::{Command, Output};

use serde_json::{Value, json};
use unisono_tests::project;

use crate::project_folder::{Folder, binary};

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
    // Below the line for programs stands what every other verb says.
    assert!(said.contains(&format!("\nerror[{code}]: ")), "{name}: {said}");
    assert!(said.contains(&format!("= docs: unisono explain {code}\n")), "{name}: {said}");
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
    let object: Value = serde_json::from_slice(&output.stdout).unwrap();
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
    let object: Value = serde_json::from_slice(&output.stdout).unwrap();
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

const SHOP: [&str; 4] = ["--model", "models/shop/model.yaml", "--data", "models/shop/data"];

#[test]
fn every_code_has_a_page_in_the_binary() {
    let output = unisono(&["explain", "E_NO_PATH"]);
    assert_eq!(output.status.code(), Some(0), "{}", text(&output.stderr));
    assert_eq!(text(&output.stdout), fs::read_to_string(project("docs/diagnostics/E_NO_PATH.md")).unwrap());
    let output = unisono(&["explain", "W_UNUSED_PARAMETER", "--format", "json"]);
    let object: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(object["data"]["severity"], "warning");
    let output = unisono(&["explain", "E_NO_PAHT"]);
    assert_eq!(output.status.code(), Some(2));
    assert!(text(&output.stderr).contains("did you mean `E_NO_PATH`"), "{}", text(&output.stderr));
    // A stage is explained as before, and not beside a code.
    let output = unisono(&["explain", "--model", "models/shop/model.yaml", "--metrics", "revenue"]);
    assert_eq!(output.status.code(), Some(0), "{}", text(&output.stderr));
    assert_eq!(unisono(&["explain", "E_NO_PATH", "--metrics", "revenue"]).status.code(), Some(2));
}

/// The rows of `list dimensions`.
fn dimensions(arguments: &[&str]) -> Vec<Value> {
    let output = unisono(&[&["list", "dimensions", "--format", "json"], arguments].concat());
    assert_eq!(output.status.code(), Some(0), "{}", text(&output.stdout));
    let object: Value = serde_json::from_slice(&output.stdout).unwrap();
    object["data"]["dimensions"].as_array().unwrap().clone()
}

fn named<'a>(rows: &'a [Value], name: &str) -> Option<&'a Value> {
    rows.iter().find(|row| row["name"] == name)
}

#[test]
fn the_shared_time_is_listed_where_all_metrics_have_one() {
    let days = json!(["year", "quarter", "month", "week", "day"]);
    let model = ["--model", "models/shop/model.yaml"];
    // Orders and accounts have a time, returns and customers have none.
    for metrics in [None, Some("revenue"), Some("revenue,balance"), Some("average_order_value")] {
        let asked: Vec<&str> = metrics.map_or(vec![], |metrics| vec!["--metrics", metrics]);
        let rows = dimensions(&[&model[..], &asked].concat());
        let time = named(&rows, "metric_time").unwrap_or_else(|| panic!("{metrics:?}"));
        assert_eq!((&time["type"], &time["grains"], &time["time"]), (&json!("Date"), &days, &json!(true)));
    }
    for metrics in ["returned_amount", "revenue,returned_amount"] {
        let rows = dimensions(&[&model[..], &["--metrics", metrics]].concat());
        assert_eq!(named(&rows, "metric_time"), None, "{metrics}");
        assert!(named(&rows, "customers.region").is_some(), "{metrics}");
    }
    let rows = dimensions(&model);
    assert_eq!(named(&rows, "orders.ordered_at").unwrap()["grains"], days);
    assert_eq!(named(&rows, "customers.region").unwrap()["grains"], json!([]));
}

/// One fact with a Timestamp and one with a Date, and metrics that are windows.
const TIMES: &str = "
name: m
datasets:
- name: clicks
  source: main.clicks
  primary_key: [id]
  fields:
  - {name: id, expression: id, datatype: Integer}
  - {name: '\"Page Name\"', expression: page, datatype: String}
  - {name: at, expression: at, datatype: DateTime, dimension: {is_time: true}}
- name: bills
  source: main.bills
  primary_key: [id]
  fields:
  - {name: id, expression: id, datatype: Integer}
  - {name: day, expression: day, datatype: Date, dimension: {is_time: true}}
metrics:
- {name: clicks_so_far, expression: COUNT(clicks.id) OVER (ORDER BY clicks.at)}
- {name: click_count, expression: COUNT(clicks.id)}
- {name: bill_count, expression: COUNT(bills.id)}
";

#[test]
fn times_of_different_types_share_the_grains_from_a_day_up() {
    let model = file("times.yaml", TIMES);
    let model = model.to_str().unwrap();
    // Nothing connects the two facts: their time is all that they share, and they cannot stand side by side without it.
    let rows = dimensions(&["--model", model, "--metrics", "click_count,bill_count"]);
    assert_eq!(rows.len(), 1, "{rows:?}");
    assert_eq!(rows[0]["type"], "Date");
    assert_eq!(rows[0]["grains"], json!(["year", "quarter", "month", "week", "day"]));
    let rows = dimensions(&["--model", model]);
    assert_eq!(named(&rows, "metric_time").unwrap()["type"], json!(["Timestamp", "Date"]));
    assert_eq!(named(&rows, "metric_time").unwrap()["grains"].as_array().unwrap().len(), 8);
    // A name is listed as a request writes it.
    let name = "clicks.\"Page Name\"";
    assert!(named(&rows, name).is_some(), "{rows:?}");
    let output = unisono(&["sql", "--model", model, "--by", name, "--metrics", "click_count"]);
    assert_eq!(output.status.code(), Some(0), "{}", text(&output.stderr));
}

#[test]
fn dimensions_of_a_window_are_listed_with_the_one_that_it_needs() {
    let model = file("windows.yaml", TIMES);
    let arguments = ["--model", model.to_str().unwrap(), "--metrics", "clicks_so_far"];
    let rows = dimensions(&arguments);
    let required: Vec<&Value> =
        rows.iter().filter(|row| row["required"] == true).map(|row| &row["name"]).collect();
    assert_eq!(required, ["clicks.at"]);
    assert!(named(&rows, "clicks.id").is_some() && named(&rows, "bills.id").is_none(), "{rows:?}");
    let output = unisono(&[&["list", "dimensions"], &arguments[..]].concat());
    assert!(text(&output.stderr).contains("runs over `clicks.at`"), "{}", text(&output.stderr));
}

#[test]
fn a_row_of_one_empty_field_is_no_empty_line() {
    let output = unisono(
        &[
            &["query", "--metrics", "revenue", "--where", "orders.status = 'none'", "--format", "csv"],
            &SHOP[..],
        ]
        .concat(),
    );
    assert_eq!(text(&output.stdout), "revenue\n\"\"\n");
}

#[test]
fn a_value_without_use_and_a_range_without_moments_are_not_passed_over() {
    let ask = |name: &str, request: &str| {
        let request = file(name, request);
        unisono(
            &[&["query", "--query-file", request.to_str().unwrap(), "--format", "json"], &SHOP[..]].concat(),
        )
    };
    let first = |output: &Output| {
        let object: Value = serde_json::from_slice(&output.stdout).unwrap();
        object["diagnostics"][0].clone()
    };
    let output = ask("unused.json", r#"{"measures": ["revenue"], "params": {"status": "completed"}}"#);
    assert_eq!((output.status.code(), &first(&output)["code"]), (Some(0), &json!("W_UNUSED_PARAMETER")));
    let near = r#"{"measures": ["revenue"], "where": "orders.status = :status", "params": {"status": "completed", "statu": 1}}"#;
    let output = ask("near.json", near);
    assert_eq!((output.status.code(), &first(&output)["code"]), (Some(2), &json!("E_UNKNOWN_KEY")));
    assert_eq!(first(&output)["candidates"], json!(["status"]));
    let output = unisono(
        &[&["query", "--metrics", "revenue", "--start", "2024-02-01", "--end", "2024-01-01"], &SHOP[..]]
            .concat(),
    );
    assert_eq!(output.status.code(), Some(2));
    assert!(text(&output.stderr).contains("error[E_TIME_RANGE_REVERSED]"), "{}", text(&output.stderr));
    let output = ask("metrics.json", r#"{"metrics": ["revenue"]}"#);
    assert_eq!(first(&output)["candidates"], json!(["measures"]));
}

#[test]
fn a_target_that_the_pipeline_does_not_run_on_is_left_out() {
    let folder = Folder::new("left_out");
    let metric = "- {name: place, expression: RANK() OVER (ORDER BY SUM(orders.amount) DESC)}";
    let model = MODEL.replace("expression: amount}]}}", "expression: amount}]}, datatype: Integer}");
    folder.write("model.yaml", &format!("{model}  {metric}\n"));
    let pipeline = "- {name: places, metrics: [place], dimensions: [orders.id], rollup: main.places}";
    let types = "types: {main.orders.id: BIGINT, main.orders.amount: BIGINT}";
    folder.write(
        "unisono.yaml",
        &format!("version: 1\nmodels: [model.yaml]\npipelines:\n{pipeline}\n{types}\n"),
    );
    let output = folder.run("compile");
    assert_eq!(output.status.code(), Some(0), "{}", text(&output.stderr));
    let said = text(&output.stderr);
    assert!(said.starts_with("left out: `places` for flink-streaming, "), "{said}");
    assert!(said.contains("E_UNSUPPORTED_FUNCTION: "), "{said}");
    let written = text(&output.stdout);
    assert!(written.contains("places.flink.query") && !written.contains("flink-streaming"), "{written}");
    assert_eq!(folder.run("compile --check").status.code(), Some(0));
    // Asked for by name it is an error, with the flag of the other target.
    let output = folder.run("compile --target flink-streaming");
    assert_eq!(output.status.code(), Some(2), "{}", text(&output.stdout));
    assert!(text(&output.stderr).contains("`--target flink`"), "{}", text(&output.stderr));
}

#[test]
fn the_readme_shows_what_the_program_says() {
    let readme = fs::read_to_string(project("README.md")).unwrap();
    let model = "--model models/shop/model.yaml";
    let asked = format!(
        "sql {model} --schema models/shop/schema.sql --metrics average_order_value --by metric_time:week --dialect flink"
    );
    assert!(readme.contains(&asked), "the command of the example");
    let output = unisono(&asked.split(' ').collect::<Vec<_>>());
    let said = text(&output.stdout);
    assert!(readme.contains(&format!("```sql\n{said}```")), "{said}");
    let asked =
        format!("query {model} --data models/shop/data --metrics revenue,returned_amount --by orders.status");
    let output = unisono(&asked.split(' ').collect::<Vec<_>>());
    let said = text(&output.stderr);
    assert!(readme.contains(&format!("```text\n{said}```")), "{said}");
}
