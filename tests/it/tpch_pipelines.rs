//! Pipelines over TPC-H: 99 % loaded, then 1 % inserts, updates and deletes of facts, then of a dimension. In: the binary. Out: every
//! metric equal after each step, and a bound on the rows that a step reads. Scale 0.05; UNISONO_TPCH_SCALE sets another.

use std::path::Path;

use serde_json::Value;
use unisono_tests::project;
use unisono_tests::tpch::shared;

use crate::project_folder::{Folder, lines_of};

const PROJECT: &str = "
version: 1
models: [models/*.yaml]
warehouse: {path: ./warehouse}
engines: {batch: {kind: datafusion}, realtime: {kind: incremental}}
pipelines:
- {name: by_flag, metrics: [quantity, gross_revenue, charge, average_price, line_count], dimensions: [lineitem.l_returnflag, lineitem.l_linestatus], rollup: r.by_flag}
- {name: by_priority, metrics: [revenue, line_count, average_quantity], dimensions: [orders.o_orderpriority], rollup: r.by_priority}
- {name: by_nation, metrics: [revenue, returned_share], dimensions: [customer_nation.n_name], rollup: r.by_nation}
- {name: by_segment, metrics: [order_count, order_value], dimensions: [customer.c_mktsegment, \"orders.o_orderdate:month\"], rollup: r.by_segment}
- {name: by_mode, metrics: [parts_sold, price_p90, first_shipment], dimensions: [lineitem.l_shipmode, \"lineitem.l_shipdate:day\"], rollup: r.by_mode}
- {name: total, metrics: [revenue, order_count], dimensions: [], rollup: r.total}
";

const SELF_MAINTAINED: [&str; 5] = ["by_flag", "by_priority", "by_nation", "by_segment", "total"];

/// Every hundredth row, by position.
fn hundredth(at: usize, which: usize) -> bool {
    at % 100 == which
}

/// A table's rows as four files: what is loaded first, then inserts, updates and deletes.
fn split(folder: &Folder, source: &Path, table: &str, change: impl Fn(&str) -> String) {
    let lines = lines_of(&source.join(format!("{table}.csv")));
    let (header, rows) = lines.split_first().unwrap();
    let mut files = vec![header.clone() + "\n"; 4];
    for (at, row) in rows.iter().enumerate() {
        if hundredth(at, 7) {
            files[1].push_str(&format!("{row}\n"));
            continue;
        }
        files[0].push_str(&format!("{row}\n"));
        if hundredth(at, 13) {
            files[2].push_str(&format!("{}\n", change(row)));
        } else if hundredth(at, 29) {
            files[3].push_str(&format!("{row}\n"));
        }
    }
    for (name, text) in ["first", "insert", "update", "delete"].iter().zip(files) {
        folder.write(&format!("data/{table}_{name}.csv"), &text);
    }
}

/// A row with another value; a field in quotes may hold commas.
fn field(row: &str, at: usize, value: &str) -> String {
    let mut fields: Vec<String> = vec![String::new()];
    let mut quoted = false;
    for letter in row.chars() {
        quoted ^= letter == '"';
        if letter == ',' && !quoted {
            fields.push(String::new());
        } else {
            fields.last_mut().unwrap().push(letter);
        }
    }
    fields[at] = value.to_string();
    fields.join(",")
}

/// What a run of all pipelines says of each, by name.
fn run(folder: &Folder) -> Vec<Value> {
    folder.json("pipeline run")["pipelines"].as_array().unwrap().clone()
}

fn count(ran: &[Value], name: &str, key: &str) -> u64 {
    let one = ran.iter().find(|one| one["name"] == name).unwrap();
    one[key].as_u64().unwrap()
}

fn all_equal(folder: &Folder) {
    let output = folder.run("check --format json");
    let said = String::from_utf8_lossy(&output.stdout).into_owned();
    assert_eq!(output.status.code(), Some(0), "{said}{}", String::from_utf8_lossy(&output.stderr));
    let object: Value = serde_json::from_str(&said).unwrap();
    for pipeline in object["data"]["pipelines"].as_array().unwrap() {
        for metric in pipeline["metrics"].as_array().unwrap() {
            let verdict = metric["verdict"].as_str().unwrap();
            assert!(["equal", "within-tolerance"].contains(&verdict), "{pipeline}");
            assert!(metric["totals"]["groups"].as_u64().unwrap() > 0, "{pipeline}");
        }
    }
}

#[test]
fn pipelines_follow_changes_and_read_little() {
    let scale = std::env::var("UNISONO_TPCH_SCALE").map_or(0.05, |text| text.parse().unwrap());
    let source = shared(scale).unwrap();
    let folder = Folder::new("tpch");
    folder.write("unisono.yaml", PROJECT);
    let model = std::fs::read_to_string(project("models/tpch/model.yaml")).unwrap();
    folder.write("models/tpch.yaml", &model);
    // Quantity and discount change; an order moves to another priority and customer; a customer to another nation and segment.
    split(&folder, &source, "lineitem", |row| field(&field(row, 4, "7.00"), 6, "0.03"));
    split(&folder, &source, "orders", |row| field(&field(row, 5, "9-LATE"), 1, "1"));
    split(&folder, &source, "customer", |row| field(&field(row, 3, "5"), 6, "MOVED"));
    for table in ["region", "nation", "supplier", "part", "partsupp"] {
        let file = source.join(format!("{table}.csv"));
        folder.good(&format!("load tpch.{table} \"{}\"", file.display()));
    }
    for table in ["lineitem", "orders", "customer"] {
        folder.good(&format!("load tpch.{table} data/{table}_first.csv"));
    }
    let full = run(&folder);
    all_equal(&folder);

    for table in ["lineitem", "orders"] {
        folder.good(&format!("load tpch.{table} data/{table}_insert.csv"));
        folder.good(&format!("load tpch.{table} data/{table}_update.csv --upsert"));
        folder.good(&format!("load tpch.{table} data/{table}_delete.csv --delete"));
    }
    let facts = run(&folder);
    all_equal(&folder);

    folder.good("load tpch.customer data/customer_insert.csv");
    folder.good("load tpch.customer data/customer_update.csv --upsert");
    folder.good("load tpch.customer data/customer_delete.csv --delete");
    let dimension = run(&folder);
    all_equal(&folder);

    let again = run(&folder);
    let mut report = format!("TPC-H pipelines, scale {scale}: rows read (keys looked at)\n");
    for one in &full {
        let name = one["name"].as_str().unwrap();
        let read =
            |ran: &[Value]| format!("{} ({})", count(ran, name, "rows_read"), count(ran, name, "keys_read"));
        report.push_str(&format!(
            "{name:12} in full {}, facts {}, customer {}\n",
            read(&full),
            read(&facts),
            read(&dimension)
        ));
        assert_eq!(count(&again, name, "rows_read") + count(&again, name, "keys_read"), 0, "{name}");
        assert_eq!(count(&again, name, "epoch"), count(&dimension, name, "epoch"), "{name}");
    }
    println!("{report}");
    for name in SELF_MAINTAINED {
        let (whole, step) = (count(&full, name, "rows_read"), count(&facts, name, "rows_read"));
        assert!(step * 100 <= whole * 15, "{name} read {step} of {whole} rows\n{report}");
        // The customer step reads what the changed customers lead to: each key column on the way is looked through once, those of the
        // changed dimension once at each side.
        let (rows, keys) = (count(&dimension, name, "rows_read"), count(&dimension, name, "keys_read"));
        assert!(
            rows * 100 <= whole * 15 && keys * 10 <= whole * 13,
            "{name} read {rows} rows, {keys} keys\n{report}"
        );
    }
}
