//! Answers as Arrow IPC streams and Parquet files. In: small tables with every type. Out: the values and types that pyarrow reads, against
//! what is written here by hand; a terminal gets neither.

use std::fs;
use std::process::Command;

use serde_json::{Value as Json, json};
use unisono_tests::helper::{self, Helper, skip};
use unisono_tests::project;

use crate::lakehouse::shop;
use crate::project_folder::{Folder, binary, text};

const FORMS: [&str; 2] = ["arrow", "parquet"];

fn pyarrow(test: &str) -> Option<&'static Helper> {
    helper::shared().map_err(|reason| skip(test, reason)).ok()
}

/// Runs a query in both forms, to stdout and into a file; what pyarrow reads of each, with the columns as (name, type).
fn read(helper: &Helper, folder: &Folder, line: &str) -> Vec<(Json, Json, Json)> {
    let mut all = Vec::new();
    for form in FORMS {
        let output = folder.run(&format!("{line} --format {form}"));
        assert_eq!(output.status.code(), Some(0), "{}", text(&output.stderr));
        let said = folder.good(&format!("{line} --format {form} --output named.{form}"));
        assert_eq!(said, "");
        let named = folder.path.join(format!("named.{form}"));
        assert!(fs::read(&named).unwrap() == output.stdout, "{form}: the file is not what stdout got");
        let seen = helper.pyarrow(form, &named).unwrap();
        let columns = seen["columns"].as_array().unwrap();
        assert!(columns.iter().all(|column| column["nullable"] == true), "{form}: {columns:?}");
        let pairs = columns.iter().map(|column| json!([column["name"], column["type"]])).collect();
        all.push((pairs, seen["rows"].clone(), seen["metadata"].clone()));
    }
    all
}

const READINGS: &str = "
version: 0.2.0.dev0
semantic_model:
- name: readings
  datasets:
  - name: readings
    source: readings
    primary_key: [id]
    fields:
    - {name: id, expression: id}
    - {name: flag, expression: flag}
    - {name: small, expression: small}
    - {name: wide, expression: wide}
    - {name: amount, expression: amount}
    - {name: ratio, expression: ratio}
    - {name: label, expression: label}
    - {name: on_day, expression: on_day}
    - {name: clock, expression: clock}
    - {name: at, expression: at}
    - {name: moment, expression: moment}
";

const COLUMNS: [&str; 11] =
    ["id", "flag", "small", "wide", "amount", "ratio", "label", "on_day", "clock", "at", "moment"];

#[test]
fn every_type_comes_as_itself() {
    let Some(helper) = pyarrow("every_type_comes_as_itself") else { return };
    let folder = Folder::new("columnar");
    folder.write("model.yaml", READINGS);
    folder.write(
        "data/schema.sql",
        "CREATE TABLE readings (id BIGINT, flag BOOLEAN, small SMALLINT, wide DECIMAL(38,10), amount DECIMAL(10,2), ratio DOUBLE, \
         label VARCHAR, on_day DATE, clock TIME, at TIMESTAMP, moment TIMESTAMP WITH TIME ZONE);\n",
    );
    folder.write(
        "data/readings.csv",
        "id,flag,small,wide,amount,ratio,label,on_day,clock,at,moment\n\
         1,true,-32768,-1234567890123456789012345678.0123456789,-0.50,0.1,\"é,\"\"x\"\"\",2024-02-29,23:59:59.999999,1969-12-31 23:59:59.999999,2024-03-01 02:00:00.000001+02:00\n\
         2,,,,,,,,,,\n\
         3,false,7,0,1,1e308,\"\",0001-01-01,00:00:00,9999-12-31 00:00:00,1970-01-01T00:00:00Z\n\
         9007199254740993,,,,,-inf,,,,,\n",
    );
    let fields: Vec<String> = COLUMNS.iter().map(|name| format!("readings.{name}")).collect();
    folder.write("request.json", &json!({"fields": fields, "order_by": ["readings.id"]}).to_string());
    let columns = json!([
        ["id", "int64"],
        ["flag", "bool"],
        ["small", "int16"],
        ["wide", "decimal128(38, 10)"],
        ["amount", "decimal128(10, 2)"],
        ["ratio", "double"],
        ["label", "string"],
        ["on_day", "date32[day]"],
        ["clock", "time64[us]"],
        ["at", "timestamp[us]"],
        ["moment", "timestamp[us, tz=UTC]"],
    ]);
    let rows = json!([
        [
            1,
            true,
            -32768,
            "-1234567890123456789012345678.0123456789",
            "-0.50",
            0.1,
            "é,\"x\"",
            "2024-02-29",
            "23:59:59.999999",
            "1969-12-31 23:59:59.999999",
            "2024-03-01 00:00:00.000001"
        ],
        [2, null, null, null, null, null, null, null, null, null, null],
        [
            3,
            false,
            7,
            "0.0000000000",
            "1.00",
            1e308,
            "",
            "0001-01-01",
            "00:00:00",
            "9999-12-31 00:00:00",
            "1970-01-01 00:00:00"
        ],
        ["9007199254740993", null, null, null, null, "-Infinity", null, null, null, null, null],
    ]);
    let asked = "query --model model.yaml --data data --query-file request.json";
    for (seen, values, metadata) in read(helper, &folder, asked) {
        assert_eq!((&seen, &values), (&columns, &rows));
        assert_eq!(metadata.get("unisono.truncated"), None);
    }
}

#[test]
fn metrics_keep_their_types_and_a_cut_answer_says_so() {
    let Some(helper) = pyarrow("metrics_keep_their_types_and_a_cut_answer_says_so") else { return };
    let folder = shop("columnar-shop");
    let asked = "query --metrics revenue,order_count,average_order_value --by customers.region --order customers.region";
    let columns = json!([
        ["region", "string"],
        ["revenue", "decimal128(38, 2)"],
        ["order_count", "int64"],
        ["average_order_value", "double"],
    ]);
    // Of lakehouse.rs: 5.00 and 7.50 east, 1.25 west, 100.00 and 2.00 without a region.
    let rows = json!([["EAST", "12.50", 2, 6.25], ["WEST", "1.25", 1, 1.25], [null, "102.00", 2, 51.0]]);
    for (seen, values, metadata) in read(helper, &folder, asked) {
        assert_eq!((&seen, &values), (&columns, &rows));
        assert_eq!(metadata.get("unisono.truncated"), None);
    }
    for (seen, values, metadata) in read(helper, &folder, &format!("{asked} --max-rows 1")) {
        assert_eq!((&seen, &values), (&columns, &json!([rows[0]])));
        assert_eq!(metadata["unisono.truncated"], "true");
    }
    // No rows still have columns.
    for (seen, values, _) in read(helper, &folder, &format!("{asked} --where \"orders.id = 0\"")) {
        assert_eq!((&seen, &values), (&columns, &json!([])));
    }
}

#[test]
fn bytes_go_where_they_are_asked_for_and_nowhere_else() {
    let folder = shop("columnar-where");
    let asked = "query --metrics revenue";
    folder.refused(2, &format!("{asked} --output a.csv"), "--output takes rows as arrow or parquet only");
    folder.refused(2, &format!("{asked} --format json --output a.json"), "");
    folder.refused(2, &format!("{asked} --format arrow --output data"), "E_FILE_UNWRITABLE");
    folder.refused(2, &format!("{asked} --format arrow --output data/orders.csv/a"), "E_FILE_UNWRITABLE");
    // A request that is refused leaves a file of the same name as it was, and stdout empty.
    folder.write("kept.parquet", "as it was");
    folder.refused(2, "query --metrics revenu --format parquet --output kept.parquet", "E_NAME_NOT_FOUND");
    assert_eq!(fs::read_to_string(folder.path.join("kept.parquet")).unwrap(), "as it was");
    assert_eq!(folder.exits(2, "query --metrics revenu --format parquet"), "");
    let heard = folder.run(&format!("{asked} --format parquet --output kept.parquet"));
    assert!(text(&heard.stderr).contains("1 row in kept.parquet"), "{}", text(&heard.stderr));
    assert!(fs::read(folder.path.join("kept.parquet")).unwrap().starts_with(b"PAR1"));
}

/// Runs its arguments with a terminal for stdin, stdout and stderr, and ends as they do.
const ON_A_TERMINAL: &str =
    "import os, pty, sys; sys.exit(os.waitstatus_to_exitcode(pty.spawn(sys.argv[1:])))";

#[test]
fn a_terminal_gets_no_bytes() {
    if pyarrow("a_terminal_gets_no_bytes").is_none() {
        return;
    }
    let folder = shop("columnar-terminal");
    let spawned = |more: &[&str]| {
        let output = Command::new(project(".cache/venv/bin/python"))
            .args(["-c", ON_A_TERMINAL])
            .arg(binary())
            .args(["query", "--metrics", "revenue"])
            .args(more)
            .current_dir(&folder.path)
            .env("NO_COLOR", "1")
            .output()
            .unwrap();
        (output.status.code(), text(&output.stdout))
    };
    for form in FORMS {
        let (code, said) = spawned(&["--format", form]);
        assert_eq!(code, Some(2), "{said}");
        assert!(said.contains(&format!("rows as {form} are no text, and stdout is a terminal")), "{said}");
        assert!(said.contains(&format!("--output answer.{form}")), "{said}");
        let (code, said) = spawned(&["--format", form, "--output", "answer"]);
        assert_eq!(code, Some(0), "{said}");
    }
    // The table that a terminal gets is as before.
    let (code, said) = spawned(&[]);
    assert_eq!((code, said.replace('\r', "").as_str()), (Some(0), "revenue\n-------\n 115.75\n"));
}
