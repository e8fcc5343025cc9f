//! Table specs as tables: made of their JSON by pypaimon, of their DDL by a real Flink, and by the runtime itself; written and read by all three; and
//! altered by a planned ALTER TABLE. In: a project, and the gateway that UNISONO_FLINK_GATEWAY names. Out: schemas and rows, against values written by hand.

use std::fs;
use std::path::Path;
use std::time::Duration;

use serde_json::{Value as Json, json};
use unisono_compiler::data_type::DataType;
use unisono_dialects::{
    ColumnSpec, TableSpec, evolve, flink_alter_table, flink_create_table, schema_json, source_key_options,
    spec_of_json,
};
use unisono_runtime::engine::Limits;
use unisono_runtime::engine::datafusion::block_on;
use unisono_runtime::engine::flink::{Mode, create_catalog};
use unisono_runtime::lake::{Lake, Line, TableName};
use unisono_runtime::pipeline::table_rows;
use unisono_runtime::table::Value;
use unisono_tests::helper::{self, Helper, skip};

use crate::flink_engine::{address, gateway};
use crate::project_folder::Folder;

const LIMITS: Limits = Limits { rows: 1_000, time: Duration::from_mins(5) };

const PROJECT: &str = "
version: 1
models: [model.yaml]
warehouse: {path: ./warehouse}
engines: {flink: {kind: flink, gateway: \"http://127.0.0.1:1\"}}
pipelines:
- {name: daily, metrics: [total, heaviest], dimensions: [orders.label, orders.day], realtime: flink, rollup: shop.daily}
- {name: visited, metrics: [visit_count], realtime: flink, rollup: shop.visited}
";

const MODEL: &str = "
name: shop
datasets:
- name: orders
  source: shop.orders
  primary_key: [id]
  fields:
  - {name: label, expression: label}
  - {name: day, expression: day}
  - {name: amount, expression: amount}
  - {name: weight, expression: weight}
- name: visits
  source: shop.visits
  fields:
  - {name: page, expression: page}
metrics:
- {name: total, expression: SUM(orders.amount)}
- {name: heaviest, expression: MAX(orders.weight)}
- {name: visit_count, expression: COUNT(visits.page)}
";

const SCHEMA: &str = "
CREATE TABLE shop.orders (id BIGINT, flag BOOLEAN, tiny TINYINT, small SMALLINT, units INT, amount DECIMAL(10, 2), ratio REAL, weight DOUBLE,
  label VARCHAR, day DATE, made TIMESTAMP, seen TIMESTAMPTZ);
CREATE TABLE shop.visits (page VARCHAR, at TIMESTAMP);
";

/// The project's table schemas, as `compile` writes them, each table once; and its Flink DDL.
fn compiled(folder: &Folder) -> (Vec<(String, Json)>, Vec<String>) {
    folder.write("unisono.yaml", PROJECT);
    folder.write("model.yaml", MODEL);
    folder.write("schema.sql", SCHEMA);
    folder.good("compile --target paimon --schema schema.sql");
    let mut schemas: Vec<(String, Json)> = Vec::new();
    let mut statements: Vec<String> = Vec::new();
    let mut paths: Vec<_> = fs::read_dir(folder.path.join("target/unisono"))
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .collect();
    paths.sort();
    for path in paths {
        let (name, text) = (path.to_string_lossy().into_owned(), fs::read_to_string(&path).unwrap());
        if name.contains(".paimon.schemas.") {
            let document: Json = serde_json::from_str(&text).unwrap();
            for table in document["tables"].as_array().unwrap() {
                schemas.push((table["table"].as_str().unwrap().to_string(), table["schema"].clone()));
            }
        } else if name.contains(".paimon.flink-ddl.") {
            statements
                .extend(text.split(";\n").map(|one| one.trim().to_string()).filter(|one| !one.is_empty()));
        }
    }
    let names: Vec<&str> = schemas.iter().map(|(name, _)| name.as_str()).collect();
    assert_eq!(names, ["shop.orders", "shop.daily", "shop.visits", "shop.visited"]);
    (schemas, statements)
}

/// The newest schema that a table's folder holds, without what each program adds of its own.
fn stored(warehouse: &Path, table: &str) -> Json {
    let (database, table) = table.split_once('.').unwrap();
    let folder = warehouse.join(format!("{database}.db")).join(table).join("schema");
    let numbers = fs::read_dir(&folder).unwrap().flatten().filter_map(|entry| {
        entry
            .file_name()
            .to_string_lossy()
            .strip_prefix("schema-")
            .and_then(|number| number.parse::<u32>().ok())
    });
    let newest = numbers.max().unwrap();
    let document: Json =
        serde_json::from_str(&fs::read_to_string(folder.join(format!("schema-{newest}"))).unwrap()).unwrap();
    let mut options = document["options"].clone();
    options.as_object_mut().unwrap().retain(|key, _| key != "path" && key != "unisono.writer");
    json!({
        "fields": document["fields"],
        "partitionKeys": document["partitionKeys"],
        "primaryKeys": document["primaryKeys"],
        "options": options,
    })
}

/// Runs statements on Flink in one session over a warehouse; the rows of the last.
fn flink(address: &str, warehouse: &Path, statements: &[String]) -> Vec<Vec<Value>> {
    block_on(async {
        let session = gateway(address).open(Mode::Batch).await.unwrap();
        let mut rows = Vec::new();
        let start = [create_catalog(warehouse), "USE CATALOG unisono".to_string()];
        for statement in start.iter().chain(statements) {
            match session.execute(statement, LIMITS).await {
                Ok(answer) => rows = answer.table.rows,
                Err(error) => panic!("{error}\n{statement}"),
            }
        }
        session.close().await;
        rows
    })
    .unwrap()
}

/// A table's rows as the runtime reads them, by the first column.
fn embedded(warehouse: &Path, table: &str) -> Vec<Vec<Value>> {
    block_on(async {
        let lake = Lake::open(warehouse).unwrap();
        let name = TableName::parse(table).unwrap();
        let handle = lake.table(&name, &Line::Main).await.unwrap();
        let columns: Vec<String> = handle.columns.iter().map(|column| column.name.clone()).collect();
        let rows = lake.read(&name, &handle.head, &columns, &[]).await.unwrap();
        let mut rows = table_rows(&rows.collect().await.unwrap()).unwrap();
        rows.sort_by_key(|row| row[0].text());
        rows
    })
    .unwrap()
}

/// A query of `DuckDB` over the table `t` as pypaimon reads it: one text a row.
fn python(helper: &Helper, warehouse: &Path, table: &str, sql: &str) -> Vec<String> {
    let read = helper.paimon(warehouse, &[("t", table)], sql).unwrap();
    let text = |value: &unisono_tests::value::Value| match value {
        unisono_tests::value::Value::Text(text) => text.clone(),
        other => panic!("{other:?}"),
    };
    read.rows.iter().map(|row| text(&row[0])).collect()
}

fn decimal(unscaled: i128) -> Value {
    Value::Decimal { unscaled, scale: 2 }
}

fn word(text: &str) -> Value {
    Value::Text(text.to_string())
}

#[test]
fn specs_become_one_table_in_each_program_and_each_reads_the_others_rows() {
    const TEST: &str = "specs_become_one_table_in_each_program_and_each_reads_the_others_rows";
    let helper = match helper::shared() {
        Ok(helper) => helper,
        Err(reason) => return skip(TEST, reason),
    };
    let folder = Folder::new("specs");
    let (schemas, statements) = compiled(&folder);
    let gateway = address(TEST);

    // One schema, whoever makes the table.
    let of_rust = folder.path.join("of_rust");
    let lake = Lake::init(&of_rust).unwrap();
    let warehouse = folder.path.join("warehouse");
    Lake::init(&warehouse).unwrap();
    for (table, schema) in &schemas {
        let spec = spec_of_json(table, schema).unwrap();
        block_on(async { lake.create(&spec, &Line::Main).await.map(|_| ()) }).unwrap().unwrap();
        assert_eq!(stored(&of_rust, table), *schema, "{table} of the runtime");
        helper.paimon_make(&warehouse, table, schema).unwrap();
        assert_eq!(stored(&warehouse, table), *schema, "{table} of pypaimon");
    }
    if let Some(address) = &gateway {
        let of_flink = folder.path.join("of_flink");
        fs::create_dir_all(&of_flink).unwrap();
        let databases = ["CREATE DATABASE IF NOT EXISTS shop".to_string()];
        flink(address, &of_flink, &[&databases[..], &statements].concat());
        for (table, schema) in &schemas {
            assert_eq!(stored(&of_flink, table), *schema, "{table} of Flink");
        }
    }

    // One table, and a row of each program in it.
    let values = "1 AS id, TRUE AS flag, -128 AS tiny, -32768 AS small, 2147483647 AS units, 12345678.90 AS amount, 0.5 AS ratio, -0.25 AS weight,
        'Zürich' AS label, DATE '1969-12-31' AS day, TIMESTAMP '1969-12-31 23:59:59.999999' AS made, TIMESTAMPTZ '2024-02-29 12:00:00+00' AS seen";
    let nulls = "2, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL";
    helper
        .paimon_write(&warehouse, "shop.orders", &format!("SELECT {values} UNION ALL SELECT {nulls}"))
        .unwrap();
    folder.write(
        "more.csv",
        "id,flag,tiny,small,units,amount,ratio,weight,label,day,made,seen\n\
         3,false,127,32767,-2147483648,-0.01,1.5,1024.125,,2024-02-29,2024-02-29 00:00:00.000001,2024-02-29 00:00:00Z\n",
    );
    folder.good("load shop.orders more.csv");
    let mut expected = vec![
        vec![
            Value::Integer(1),
            Value::Boolean(true),
            Value::Integer(-128),
            Value::Integer(-32_768),
            Value::Integer(2_147_483_647),
            decimal(1_234_567_890),
            Value::Float(0.5),
            Value::Float(-0.25),
            word("Zürich"),
            Value::Date(-1),
            Value::Timestamp(-1),
            Value::Instant(1_709_208_000_000_000),
        ],
        [vec![Value::Integer(2)], vec![Value::Null; 11]].concat(),
        vec![
            Value::Integer(3),
            Value::Boolean(false),
            Value::Integer(127),
            Value::Integer(32_767),
            Value::Integer(-2_147_483_648),
            decimal(-1),
            Value::Float(1.5),
            Value::Float(1024.125),
            Value::Null,
            Value::Date(19_782),
            Value::Timestamp(1_709_164_800_000_001),
            Value::Instant(1_709_164_800_000_000),
        ],
    ];
    let mut texts = vec![
        "1|true|-128|-32768|2147483647|12345678.90|0.5|-0.25|Zürich|1969-12-31|1969-12-31 23:59:59.999999|2024-02-29 12:00:00+00",
        "2|-|-|-|-|-|-|-|-|-|-|-",
        "3|false|127|32767|-2147483648|-0.01|1.5|1024.125|-|2024-02-29|2024-02-29 00:00:00.000001|2024-02-29 00:00:00+00",
    ];
    if let Some(address) = &gateway {
        let row = "4, TRUE, CAST(1 AS TINYINT), CAST(2 AS SMALLINT), 3, CAST(4.5 AS DECIMAL(10, 2)), CAST(0.25 AS FLOAT), 8.0E0, 'x', DATE '2000-01-01',
            TIMESTAMP '2000-01-01 00:00:00.5', CAST(TIMESTAMP '2000-01-01 00:00:00' AS TIMESTAMP_LTZ(6))";
        let rows = flink(
            address,
            &warehouse,
            &[
                format!("INSERT INTO shop.orders VALUES ({row})"),
                "SELECT * FROM shop.orders ORDER BY id".to_string(),
            ],
        );
        expected.push(vec![
            Value::Integer(4),
            Value::Boolean(true),
            Value::Integer(1),
            Value::Integer(2),
            Value::Integer(3),
            decimal(450),
            Value::Float(0.25),
            Value::Float(8.0),
            word("x"),
            Value::Date(10_957),
            Value::Timestamp(946_684_800_500_000),
            Value::Instant(946_684_800_000_000),
        ]);
        texts.push("4|true|1|2|3|4.50|0.25|8.0|x|2000-01-01|2000-01-01 00:00:00.5|2000-01-01 00:00:00+00");
        assert_eq!(rows, expected, "as Flink reads them");
    }
    assert_eq!(embedded(&warehouse, "shop.orders"), expected, "as the runtime reads them");
    let columns =
        ["id", "flag", "tiny", "small", "units", "amount", "ratio", "weight", "label", "day", "made", "seen"];
    let shown = columns.map(|column| format!("COALESCE(CAST({column} AS VARCHAR), '-')"));
    let sql = format!("SELECT CONCAT_WS('|', {}) AS line FROM t ORDER BY id", shown.join(", "));
    assert_eq!(python(helper, &warehouse, "shop.orders", &sql), texts, "as pypaimon reads them");
}

fn column(name: &str, data_type: DataType) -> ColumnSpec {
    ColumnSpec { name: name.to_string(), data_type, nullable: true, comment: None }
}

#[test]
fn a_plan_leads_a_table_of_flink_from_one_version_to_the_next() {
    const TEST: &str = "a_plan_leads_a_table_of_flink_from_one_version_to_the_next";
    let helper = match helper::shared() {
        Ok(helper) => helper,
        Err(reason) => return skip(TEST, reason),
    };
    let Some(address) = address(TEST) else { return };
    let old = TableSpec {
        name: "shop.stock".to_string(),
        columns: vec![
            ColumnSpec { nullable: false, ..column("id", DataType::Int64) },
            column("tiny", DataType::Int8),
            ColumnSpec { nullable: false, ..column("small", DataType::Int16) },
            column("units", DataType::Int32),
            column("price", DataType::Decimal { precision: 10, scale: 2 }),
            ColumnSpec { comment: Some("of the shelf".to_string()), ..column("label", DataType::String) },
        ],
        primary_key: vec!["id".to_string()],
        options: source_key_options(),
    };
    let mut new = old.clone();
    new.columns[1].data_type = DataType::Int16;
    new.columns[2].data_type = DataType::Int32;
    new.columns[2].nullable = true;
    new.columns[3].data_type = DataType::Int64;
    new.columns[4].data_type = DataType::Decimal { precision: 20, scale: 2 };
    new.columns[5].comment = Some("it's on the shelf".to_string());
    new.columns.push(ColumnSpec { comment: Some("new".to_string()), ..column("order", DataType::Date) });
    let changes = evolve(&old, &new).unwrap();
    assert_eq!(changes.len(), 6);

    let folder = Folder::new("evolve");
    let warehouse = folder.path.join("warehouse");
    Lake::init(&warehouse).unwrap();
    let made = [
        "CREATE DATABASE IF NOT EXISTS shop".to_string(),
        flink_create_table(&old),
        "INSERT INTO shop.stock VALUES (1, CAST(-128 AS TINYINT), CAST(-32768 AS SMALLINT), -2147483648, CAST(-99999999.99 AS DECIMAL(10, 2)), 'a'),
            (2, CAST(NULL AS TINYINT), CAST(1 AS SMALLINT), CAST(NULL AS INT), CAST(NULL AS DECIMAL(10, 2)), CAST(NULL AS STRING)),
            (3, CAST(127 AS TINYINT), CAST(32767 AS SMALLINT), 2147483647, CAST(0.01 AS DECIMAL(10, 2)), '')"
            .to_string(),
    ];
    flink(&address, &warehouse, &made);
    assert_eq!(stored(&warehouse, "shop.stock"), schema_json(&old));
    let altered: Vec<String> =
        changes.iter().map(|change| flink_alter_table(&new.name, change).unwrap()).collect();
    let then = [
        "INSERT INTO shop.stock VALUES (2, CAST(300 AS SMALLINT), CAST(NULL AS INT), 9007199254740993, CAST('123456789012345678.25' AS DECIMAL(20, 2)), 'b',
            DATE '2024-02-29')"
            .to_string(),
        "SELECT * FROM shop.stock ORDER BY id".to_string(),
    ];
    let rows = flink(&address, &warehouse, &[&altered[..], &then].concat());
    assert_eq!(stored(&warehouse, "shop.stock"), schema_json(&new));
    let row = |id, tiny, small, units, price, label: &str, order| {
        let of = |number: i64| Value::Integer(number);
        vec![of(id), of(tiny), small, of(units), decimal(price), word(label), order]
    };
    let expected = [
        row(1, -128, Value::Integer(-32_768), -2_147_483_648, -9_999_999_999, "a", Value::Null),
        row(2, 300, Value::Null, 9_007_199_254_740_993, 12_345_678_901_234_567_825, "b", Value::Date(19_782)),
        row(3, 127, Value::Integer(32_767), 2_147_483_647, 1, "", Value::Null),
    ];
    assert_eq!(rows, expected, "as Flink reads them");
    assert_eq!(embedded(&warehouse, "shop.stock"), expected, "as the runtime reads them");
    let columns = ["id", "tiny", "small", "units", "price", "label", "\"order\""];
    let shown = columns.map(|column| format!("COALESCE(CAST({column} AS VARCHAR), '-')"));
    let sql = format!("SELECT CONCAT_WS('|', {}) AS line FROM t ORDER BY id", shown.join(", "));
    let texts = [
        "1|-128|-32768|-2147483648|-99999999.99|a|-",
        "2|300|-|9007199254740993|123456789012345678.25|b|2024-02-29",
        "3|127|32767|2147483647|0.01||-",
    ];
    assert_eq!(python(helper, &warehouse, "shop.stock", &sql), texts, "as pypaimon reads them");
    // Old files are found by predicates on the new types, too.
    let wide = ["SELECT id FROM shop.stock WHERE units < -2147483647 OR units > 9007199254740992 OR tiny = 127 ORDER BY id".to_string()];
    assert_eq!(flink(&address, &warehouse, &wide), [1, 2, 3].map(|id| vec![Value::Integer(id)]));
}
