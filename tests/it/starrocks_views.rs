//! The materialized views that `compile` makes for StarRocks: that their statements parse, and that each holds the rollup, row by row. In: the
//! candles' project. Expected rows are hand-written SQL's and those of the rollup that the embedded engine keeps. No server sees the texts.

use std::fs;

use unisono_tests::compare::{Rules, compare};
use unisono_tests::helper::shared_for;
use unisono_tests::project;
use unisono_tests::value::Value;

use crate::demo::{ROLLUPS, RULES};
use crate::project_folder::{self, Folder};

const ENGINE: &str =
    "sr: {kind: starrocks, url: \"mysql://reader@127.0.0.1:9030\", tls: disabled, catalog: lake}";

/// As a view holds them: in no order.
const SET: Rules = Rules { ordered: false, ..RULES };

/// The text of a pipeline's artefact.
fn artefact(folder: &Folder, pipeline: &str, kind: &str) -> String {
    let start = format!("{pipeline}.starrocks.{kind}.");
    let mut fitting = fs::read_dir(folder.path.join("target/unisono"))
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .filter(|path| path.file_name().unwrap().to_string_lossy().starts_with(&start));
    let path = fitting.next().unwrap_or_else(|| panic!("no {start}"));
    assert!(fitting.next().is_none(), "{start}");
    fs::read_to_string(path).unwrap()
}

/// The statements of a script, without the lines of remarks before the first.
fn statements(script: &str) -> Vec<&str> {
    let mut rest = script;
    while let Some(remark) = rest.strip_prefix("--") {
        rest = remark.split_once('\n').unwrap().1;
    }
    rest.trim_end().strip_suffix(';').unwrap().split(";\n").collect()
}

/// What sqlglot does not read at all, word for word.
fn is_unknown_to_sqlglot(statement: &str) -> bool {
    statement == "SET CATALOG `default_catalog`"
}

/// The tables of the candles in DuckDB.
fn candles() -> Vec<String> {
    let data = project("models/candles");
    let mut setup = vec![fs::read_to_string(data.join("schema.sql")).unwrap()];
    for table in ["trades", "quotes", "symbols"] {
        let path = data.join(format!("data/{table}.csv"));
        setup.push(format!("INSERT INTO market.{table} SELECT * FROM read_csv('{}')", path.display()));
    }
    setup
}

#[test]
fn a_view_holds_what_the_rollup_holds() {
    let Some(helper) = shared_for("a_view_holds_what_the_rollup_holds") else { return };
    let folder = project_folder::candles("starrocks-views", ENGINE);
    let warehouse = folder.path.join("warehouse");
    let setup = candles();
    for version in ["3.3", "3.5", "4.1", "4.2"] {
        folder.good(&format!("compile --target starrocks@{version}"));
        for (rollup, columns, by_hand) in ROLLUPS {
            let pipeline = rollup.strip_prefix("market.").unwrap();
            if version == "3.3" {
                folder.good(&format!("pipeline run {pipeline}"));
            }
            let script = artefact(&folder, pipeline, "view");
            let statements = statements(&script);
            for statement in statements.iter().filter(|statement| !is_unknown_to_sqlglot(statement)) {
                helper
                    .parses("starrocks", statement)
                    .unwrap_or_else(|error| panic!("{version} {pipeline}: {error}\n{statement}"));
            }
            let made =
                statements.iter().find(|statement| statement.starts_with("CREATE MATERIALIZED")).unwrap();
            assert!(made.starts_with(&format!("CREATE MATERIALIZED VIEW `market`.`{pipeline}`\n")), "{made}");
            let select = made.split_once("\nAS\n").unwrap().1.replace("`lake`.", "");
            // No row is lost or doubled on the way, and every column has its name.
            let held = helper.starrocks(&setup, &select).unwrap();
            let names: Vec<&str> = held.columns.iter().map(|column| column.name.as_str()).collect();
            assert_eq!(names.join(", "), format!("__key, {columns}"), "{version}");
            let kept = helper
                .paimon(&warehouse, &[("rollup", rollup)], &format!("SELECT __key, {columns} FROM rollup"))
                .unwrap();
            assert!(kept.rows.len() > 1, "{rollup}");
            compare(&kept, &held, SET).unwrap_or_else(|why| panic!("{version} {rollup}: {why}"));
            let mut plain = held;
            plain.columns.remove(0);
            for row in &mut plain.rows {
                row.remove(0);
            }
            let mut setup = setup.clone();
            setup.push("USE market".to_string());
            let expected = helper.duckdb(&setup, by_hand).unwrap();
            compare(&expected, &plain, SET).unwrap_or_else(|why| panic!("{version} {rollup}: {why}"));
        }
    }
}

/// Keys by hand, as docs/engines.md says them: of every type that a dimension can have, NULL among them.
#[test]
fn the_key_of_a_view_is_that_of_the_rollup_for_every_type() {
    let Some(helper) = shared_for("the_key_of_a_view_is_that_of_the_rollup_for_every_type") else { return };
    let folder = Folder::new("starrocks-keys");
    folder.write(
        "model.yaml",
        "name: keys
datasets:
- name: rows
  source: main.rows
  fields:
  - {name: n, expression: n, datatype: Integer}
  - {name: flag, expression: flag, datatype: Boolean}
  - {name: number, expression: number, datatype: Integer}
  - {name: price, expression: price, datatype: Decimal}
  - {name: word, expression: word, datatype: String}
  - {name: day, expression: day, datatype: Date}
  - {name: moment, expression: moment, datatype: DateTime}
metrics:
- {name: how_many, expression: COUNT(rows.n)}
",
    );
    folder.write(
        "unisono.yaml",
        &format!(
            "version: 1
models: [model.yaml]
warehouse: {{path: ./warehouse}}
engines: {{{ENGINE}}}
pipelines:
- {{name: keys, metrics: [how_many], dimensions: [rows.flag, rows.number, rows.price, rows.word, rows.day, rows.moment], rollup: main.keys}}
types: {{main.rows.n: BIGINT, main.rows.flag: BOOLEAN, main.rows.number: INTEGER, main.rows.price: \"DECIMAL(10,2)\", main.rows.word: VARCHAR, main.rows.day: DATE, main.rows.moment: TIMESTAMP}}
"
        ),
    );
    folder.good("compile --target starrocks");
    let script = artefact(&folder, "keys", "view");
    let made = statements(&script).into_iter().find(|one| one.starts_with("CREATE MATERIALIZED")).unwrap();
    let select = made.split_once("\nAS\n").unwrap().1.replace("`lake`.", "");
    let setup = [
        "CREATE TABLE main.rows (n BIGINT, flag BOOLEAN, number INTEGER, price DECIMAL(10, 2), word VARCHAR, day DATE, moment TIMESTAMP)",
        "INSERT INTO main.rows VALUES
           (1, TRUE, -3, 10.5, 'Zürich', '2024-02-29', '2024-01-15 23:59:59.5'),
           (2, FALSE, 0, -0.05, '', '0001-01-01', '1970-01-01 00:00:00'),
           (3, NULL, NULL, NULL, NULL, NULL, NULL),
           (4, NULL, 7, 0, 'N', NULL, NULL)",
    ]
    .map(ToString::to_string);
    let held = helper.starrocks(&setup, &select).unwrap();
    let mut keys: Vec<&str> = held
        .rows
        .iter()
        .map(|row| match &row[0] {
            Value::Text(key) => key.as_str(),
            other => panic!("{other}"),
        })
        .collect();
    keys.sort_unstable();
    let mut expected = [
        "V4:trueV2:-3V5:10.50V6:ZürichV10:2024-02-29V26:2024-01-15 23:59:59.500000",
        "V5:falseV1:0V5:-0.05V0:V10:0001-01-01V26:1970-01-01 00:00:00.000000",
        "NNNNNN",
        "NV1:7V4:0.00V1:NNN",
    ];
    expected.sort_unstable();
    assert_eq!(keys, expected);
}
