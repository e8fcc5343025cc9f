//! A warehouse worked on by the binary: loads, queries at versions, pipelines, checks, branches, merges, and bad input at each.
//! In: a small shop. Out: exit codes, texts, rows worked out by hand.

use std::fs;
use std::process::{Command, Stdio};
use std::sync::Arc;

use arrow::array::{ArrayRef, Int8Array, RecordBatch, StringArray, new_null_array};
use arrow::datatypes::{DataType, Field, Schema};
use serde_json::Value as Json;
use unisono_runtime::engine::datafusion::block_on;
use unisono_runtime::lake::{Commit, Lake, Line, TableName, VALUE_KIND, arrow_type};
use unisono_tests::helper::{self, FlinkMode, skip};
use unisono_tests::value::Value;

use crate::project_folder::{Folder, binary, text};

const PROJECT: &str = "
version: 1
models: [models/*.yaml]
warehouse: {path: ./warehouse}
engines: {batch: {kind: datafusion}, realtime: {kind: incremental}}
pipelines:
- {name: by_region, metrics: [revenue, order_count, average_order_value, largest, buyers], dimensions: [customers.region], rollup: shop.by_region}
- {name: by_day, metrics: [revenue, order_count], dimensions: [\"orders.ordered_at:day\"], rollup: shop.by_day}
";

/// A shop of two tables; more metrics may follow.
pub(crate) const MODEL: &str = "
version: 0.2.0.dev0
semantic_model:
- name: shop
  datasets:
  - name: customers
    source: shop.customers
    primary_key: [id]
    fields:
    - {name: id, expression: {dialects: [{dialect: ANSI_SQL, expression: id}]}}
    - {name: region, expression: {dialects: [{dialect: ANSI_SQL, expression: region}]}}
  - name: orders
    source: shop.orders
    primary_key: [id]
    fields:
    - {name: id, expression: {dialects: [{dialect: ANSI_SQL, expression: id}]}}
    - {name: customer_id, expression: {dialects: [{dialect: ANSI_SQL, expression: customer_id}]}}
    - {name: amount, expression: {dialects: [{dialect: ANSI_SQL, expression: amount}]}}
    - {name: ordered_at, expression: {dialects: [{dialect: ANSI_SQL, expression: ordered_at}]}, dimension: {is_time: true}}
  relationships:
  - {name: orders_to_customers, from: orders, to: customers, from_columns: [customer_id], to_columns: [id]}
  metrics:
  - {name: revenue, expression: {dialects: [{dialect: ANSI_SQL, expression: SUM(orders.amount)}]}}
  - {name: order_count, expression: {dialects: [{dialect: ANSI_SQL, expression: COUNT(orders.id)}]}}
  - {name: average_order_value, expression: {dialects: [{dialect: ANSI_SQL, expression: revenue / order_count}]}}
  - {name: largest, expression: {dialects: [{dialect: ANSI_SQL, expression: MAX(orders.amount)}]}}
  - {name: buyers, expression: {dialects: [{dialect: ANSI_SQL, expression: COUNT(DISTINCT orders.customer_id)}]}}
";

const CUSTOMERS: &str = "id,region\n1,EAST\n2,WEST\n3,\n";
const ORDERS: &str = "id,customer_id,amount,ordered_at\n\
    10,1,5.00,2024-03-01 10:00:00\n11,1,7.50,2024-03-01 11:00:00\n12,2,1.25,2024-03-02 09:00:00\n13,9,100.00,2024-03-02 23:59:59\n14,3,2.00,\n";

/// A project whose tables are loaded; no pipeline has run.
pub(crate) fn shop(name: &str) -> Folder {
    let folder = Folder::new(name);
    folder.write("unisono.yaml", PROJECT);
    folder.write("models/shop.yaml", MODEL);
    folder.write("data/customers.csv", CUSTOMERS);
    folder.write("data/orders.csv", ORDERS);
    folder.good("load shop.customers data/customers.csv");
    folder.good("load shop.orders data/orders.csv");
    folder
}

/// Removes groups of a rollup behind its pipeline's back.
pub(crate) fn tamper(folder: &Folder, rollup: &str, branch: Option<&str>, keys: &[&str]) {
    block_on(async {
        let lake = Lake::open(&folder.path.join("warehouse")).unwrap();
        let line = branch.map_or(Line::Main, |name| Line::branch(name).unwrap());
        let name = TableName::parse(rollup).unwrap();
        let handle = lake.table(&name, &line).await.unwrap();
        let fields: Vec<Field> = handle
            .columns
            .iter()
            .map(|column| {
                Field::new(&column.name, arrow_type(column.data_type).unwrap(), column.name != "__key")
            })
            .collect();
        let mut arrays: Vec<ArrayRef> = vec![Arc::new(StringArray::from(keys.to_vec()))];
        arrays.extend(fields.iter().skip(1).map(|field| new_null_array(field.data_type(), keys.len())));
        arrays.push(Arc::new(Int8Array::from(vec![3; keys.len()])));
        let mut fields = fields;
        fields.push(Field::new(VALUE_KIND, DataType::Int8, false));
        let batch = RecordBatch::try_new(Arc::new(Schema::new(fields)), arrays).unwrap();
        lake.upsert(&name, &line, &[batch], Commit::once("somebody")).await.unwrap();
    })
    .unwrap();
}

pub(crate) fn revenue_by_region(folder: &Folder, more: &str) -> String {
    folder.good(&format!(
        "query --metrics revenue,order_count --by customers.region --order customers.region {more}"
    ))
}

#[test]
fn loads_infer_types_once_and_are_queried_at_versions() {
    let folder = shop("load");
    // Customer 9 does not exist and customer 3 has no region: both rows stay, under NULL.
    let first = "region,revenue,order_count\nEAST,12.50,2\nWEST,1.25,1\n,102.00,2\n";
    assert_eq!(revenue_by_region(&folder, ""), first);
    folder.good("checkpoint before");
    folder.write(
        "data/more.csv",
        "id,customer_id,amount,ordered_at\n12,2,9.25,2024-03-02 09:00:00\n15,2,0.75,2024-03-03 00:00:00\n",
    );
    folder.refused(2, "load shop.orders data/more.csv", "E_DUPLICATE_KEY");
    folder.good("load shop.orders data/more.csv --upsert");
    folder.write("data/gone.csv", "id\n13\n");
    folder.good("load shop.orders data/gone.csv --delete");
    let second = "region,revenue,order_count\nEAST,12.50,2\nWEST,10.00,2\n,2.00,1\n";
    assert_eq!(revenue_by_region(&folder, ""), second);
    assert_eq!(revenue_by_region(&folder, "--at before"), first);
    assert_eq!(revenue_by_region(&folder, "--at v1"), first);
    folder.refused(2, "query --metrics revenue --at v9", "E_VERSION_NOT_FOUND");
    let asked = folder.json("query --metrics revenue --at before");
    assert_eq!(asked["snapshots"]["shop.orders"], 1);
}

#[test]
fn a_table_that_no_dataset_reads_is_made_and_said() {
    let folder = shop("strange");
    let said = |line: &str| text(&folder.run(line).stderr);
    folder.write("data/orders2.csv", "id,amount\n1,2.00\n");
    let strange = "no dataset of the models reads shop.ordes, and it has no key\n";
    assert_eq!(said("load shop.ordes data/orders2.csv"), strange);
    assert_eq!(said("load shop.ordes data/orders2.csv"), "");
    let keyed = "no dataset of the models reads shop.oders\n";
    assert_eq!(said("load shop.oders data/orders2.csv --primary-key id"), keyed);
}

#[test]
fn a_type_of_no_column_and_of_no_table_is_told() {
    let folder = Folder::new("types");
    folder.write("models/shop.yaml", MODEL);
    folder.write("data/orders.csv", ORDERS);
    folder.write("data/customers.csv", CUSTOMERS);
    let with = |types: &str| folder.write("unisono.yaml", &format!("{PROJECT}types:\n{types}"));
    // Of a mapped source both names are right; so is a table without its database, and another case.
    with("  shop.orders.AMOUNT: DECIMAL(18,2)\n  orders.id: BIGINT\n");
    let said = folder.run("validate");
    assert!(said.status.success() && !text(&said.stderr).contains("W_"), "{}", text(&said.stderr));
    with("  shop.orders.amuont: DECIMAL(18,2)\n  shop.order.id: BIGINT\n  shop.order.amount: BIGINT\n");
    for verb in ["validate", "compile"] {
        let heard = text(&folder.run(verb).stderr);
        assert_eq!(heard.matches("[W_UNUSED_TYPE]").count(), 2, "{verb}: {heard}");
        let column = "`types:` names a column `amuont` of `shop.orders`, and no dataset reads it there";
        let table = "`types:` names a table `shop.order`, and no dataset reads it";
        assert!(heard.contains(column) && heard.contains("did you mean `amount`"), "{verb}: {heard}");
        assert!(heard.contains(table) && heard.contains("did you mean `shop.orders`"), "{verb}: {heard}");
        // The place: the second line below `types:`.
        let line = PROJECT.lines().count() + 2;
        assert!(heard.contains(&format!("unisono.yaml:{line}:3")), "{verb}: {heard}");
    }
    let heard = folder.refused(2, "load shop.orders data/orders.csv", "E_NAME_NOT_FOUND");
    assert!(heard.contains("`amuont` of shop.orders") && heard.contains("did you mean `amount`"), "{heard}");
    folder.refused(2, "query --metrics revenue", "E_TABLE_NOT_FOUND");
    with("  shop.ordres.amount: DECIMAL(18,2)\n");
    let output = folder.run("load shop.orders data/orders.csv");
    let heard = text(&output.stderr);
    assert!(output.status.success() && heard.contains("[W_UNUSED_TYPE]"), "{heard}");
    assert!(heard.contains("`shop.ordres`") && heard.contains("did you mean `shop.orders`"), "{heard}");
    // A table that is there keeps its types, and another table is none of this load's business.
    with("  shop.orders.amuont: DECIMAL(18,2)\n");
    let output = folder.run("load shop.orders data/orders.csv --upsert");
    let heard = text(&output.stderr);
    assert!(
        output.status.success() && heard.contains("[W_UNUSED_TYPE]") && heard.contains("`amuont`"),
        "{heard}"
    );
    let heard = text(&folder.run("load shop.customers data/customers.csv").stderr);
    assert!(!heard.contains("W_UNUSED_TYPE"), "{heard}");
    // What a file of DDL has is known.
    folder.write("schema.sql", "CREATE TABLE shop.orders (id BIGINT, amuont DECIMAL(18,2), customer_id BIGINT, amount DECIMAL(18,2), ordered_at TIMESTAMP);\n");
    let heard = text(&folder.run("validate --schema schema.sql").stderr);
    assert!(!heard.contains("W_UNUSED_TYPE"), "{heard}");
    // Both what a pipeline groups by and what it measures is said at once.
    let both = PROJECT.replace(
        "metrics: [revenue, order_count], dimensions: [\"orders.ordered_at:day\"]",
        "metrics: [revenu, order_count], dimensions: [\"orders.ordred_at:day\"]",
    );
    folder.write("unisono.yaml", &both);
    let heard = folder.refused(2, "validate", "E_NAME_NOT_FOUND");
    assert!(
        heard.contains("did you mean `revenue`") && heard.contains("did you mean `ordered_at`"),
        "{heard}"
    );
}

#[test]
fn a_deletion_counts_the_keys_that_were_there() {
    let folder = shop("deleted");
    // Of four rows with three keys, one of which the table has twice said: 10 and 12 are there, 99 is not.
    folder.write("data/gone.csv", "id\n10\n99\n12\n10\n");
    let said = folder.good("load shop.orders data/gone.csv --delete");
    assert_eq!(said, "shop.orders: 2 rows deleted by 3 keys from data/gone.csv, snapshot 2\n");
    let again = folder.json("load shop.orders data/gone.csv --delete");
    assert_eq!((&again["rows"], &again["keys"], &again["deleted"]), (&4.into(), &3.into(), &0.into()));
    assert_eq!(folder.json("load shop.orders data/orders.csv --upsert")["deleted"], Json::Null);
    folder.write("data/one.csv", "id\n11\n");
    let said = folder.good("load shop.orders data/one.csv --delete");
    assert_eq!(said, "shop.orders: 1 row deleted by 1 key from data/one.csv, snapshot 5\n");
    // More keys than are looked for one by one, of a key of two columns, one of which is a text.
    let rows: Vec<String> = (0..40).map(|id| format!("{id},ä{},x\n", id % 3)).collect();
    folder.write("data/two.csv", &["id,part,note\n", &rows.concat()].concat());
    folder.good("load shop.parts data/two.csv --primary-key id,part");
    let keys: Vec<String> = (20..60).map(|id| format!("{id},ä{}\n", id % 2)).collect();
    folder.write("data/parts_gone.csv", &["id,part\n", &keys.concat()].concat());
    // By hand: of 20 to 39 those whose remainders by 2 and by 3 are the same: 24, 25, 30, 31, 36 and 37.
    let said = folder.good("load shop.parts data/parts_gone.csv --delete");
    assert_eq!(said, "shop.parts: 6 rows deleted by 40 keys from data/parts_gone.csv, snapshot 2\n");
}

/// The data files of a table, as they lie on the disk.
fn data_files(folder: &Folder, table: &str) -> Vec<String> {
    let mut found = Vec::new();
    let mut folders = vec![folder.path.join("warehouse/shop.db").join(table)];
    while let Some(next) = folders.pop() {
        let Ok(entries) = fs::read_dir(&next) else { continue };
        for entry in entries.flatten() {
            if entry.file_type().unwrap().is_dir() {
                folders.push(entry.path());
            } else if entry.path().extension().is_some_and(|ending| ending == "parquet") {
                found.push(entry.file_name().to_string_lossy().into_owned());
            }
        }
    }
    found.sort();
    found
}

#[test]
fn a_load_that_finds_no_room_leaves_no_file() {
    let folder = shop("room");
    let mut rows = "id,customer_id,amount,ordered_at\n".to_string();
    for id in 1000..60_000_u32 {
        // Values that no compression makes small.
        let mixed = id.wrapping_mul(2_654_435_761);
        rows.push_str(&format!(
            "{id},{},{}.{:02},2024-01-01 00:00:00\n",
            mixed % 99_991,
            mixed % 9973,
            mixed % 97
        ));
    }
    folder.write("data/large.csv", &rows);
    let before = (data_files(&folder, "orders"), revenue_by_region(&folder, ""));
    assert_eq!(before.0.len(), 1);
    // No file may become larger than 64 KiB: what is written fails half way, as on a full disk.
    for (line, table) in [
        ("load shop.orders data/large.csv --upsert", "orders"),
        ("load shop.fresh data/large.csv --primary-key id", "fresh"),
        ("load shop.appended data/large.csv", "appended"),
    ] {
        let limited = format!("trap '' XFSZ; ulimit -f 64; exec {} {line}", binary().display());
        let output = Command::new("bash").args(["-c", &limited]).current_dir(&folder.path).output().unwrap();
        assert_eq!(output.status.code(), Some(4), "{line}: {}", text(&output.stderr));
        assert!(text(&output.stderr).contains("File too large"), "{line}: {}", text(&output.stderr));
        let left = if table == "orders" { before.0.clone() } else { Vec::new() };
        assert_eq!(data_files(&folder, table), left, "{line}");
        assert_eq!(folder.path.join("warehouse/shop.db").join(table).exists(), table == "orders", "{line}");
    }
    assert_eq!(revenue_by_region(&folder, ""), before.1);
    // With room again all of them are loaded.
    assert!(folder.good("load shop.orders data/large.csv --upsert").contains("59000 rows upserted"));
    assert!(folder.good("load shop.fresh data/large.csv --primary-key id").contains("59000 rows from"));
}

#[test]
fn a_bad_file_writes_nothing() {
    let folder = shop("bad");
    let before = revenue_by_region(&folder, "");
    folder.write("data/third.csv", "id,customer_id,amount,ordered_at\n20,1,1.00,\n21,1,2.00,\n22,1,three,\n");
    folder.refused(2, "load shop.orders data/third.csv", "third.csv:4");
    folder.write("data/twice.csv", "id,customer_id,amount,ordered_at\n20,1,1.00,\n20,1,2.00,\n");
    folder.refused(2, "load shop.orders data/twice.csv", "E_DUPLICATE_KEY");
    folder.write("data/digits.csv", "id,customer_id,amount,ordered_at\n20,1,1.001,\n");
    folder.refused(2, "load shop.orders data/digits.csv", "amount");
    folder.write("data/column.csv", "id,customer_id,amount,ordered_at,note\n20,1,1.00,,x\n");
    folder.refused(2, "load shop.orders data/column.csv", "note");
    folder.write("data/short.csv", "id,amount\n20,1.00\n");
    folder.refused(2, "load shop.orders data/short.csv", "customer_id");
    folder.write("data/null.csv", "id,customer_id,amount,ordered_at\n,1,1.00,\n");
    folder.refused(2, "load shop.orders data/null.csv", "`id`");
    folder.write("data/fake.parquet", "PAR1 this is no Parquet file PAR1");
    folder.refused(2, "load shop.more data/fake.parquet", "fake.parquet");
    folder.write("files/shop/orders.parquet", "PAR1 this is no Parquet file PAR1");
    folder.refused(2, "query --data files --metrics order_count", "E_DATA_MALFORMED");
    folder.refused(2, "load shop.orders data/none.csv", "none.csv");
    folder.refused(2, "load \"shop.or ders\" data/orders.csv", "E_TABLE_NAME");
    assert_eq!(revenue_by_region(&folder, ""), before);
}

#[test]
fn a_warehouse_that_cannot_be_used_is_said() {
    let folder = Folder::new("place");
    folder.write("unisono.yaml", PROJECT);
    folder.write("models/shop.yaml", MODEL);
    folder.write("data/customers.csv", CUSTOMERS);
    folder.refused(2, "pipeline run", "E_WAREHOUSE");
    folder.write("warehouse", "a file");
    folder.refused(2, "load shop.customers data/customers.csv", "E_WAREHOUSE");
    fs::remove_file(folder.path.join("warehouse")).unwrap();
    folder.write("unisono.yaml", &PROJECT.replace("./warehouse", "s3://bucket/warehouse"));
    folder.refused(2, "load shop.customers data/customers.csv", "E_WAREHOUSE");
}

#[test]
fn a_table_with_a_refused_option_pair_is_refused_by_name() {
    let folder = shop("options");
    // As Flink could have made it: wrong sums when read from here (docs/diagnostics/E_TABLE_OPTIONS.md).
    let schema = folder.path.join("warehouse/shop.db/orders/schema/schema-0");
    let json = fs::read_to_string(&schema).unwrap();
    let mut object: Json = serde_json::from_str(&json).unwrap();
    object["options"]["merge-engine"] = "aggregation".into();
    object["options"]["fields.amount.aggregate-function"] = "sum".into();
    object["options"]["changelog-producer"] = "lookup".into();
    fs::write(&schema, object.to_string()).unwrap();
    folder.refused(2, "query --metrics revenue", "E_TABLE_OPTIONS");
    folder.refused(2, "load shop.orders data/orders.csv --upsert", "E_TABLE_OPTIONS");
}

#[test]
fn a_rollup_of_another_engine_than_its_pipeline_names_is_told_by_the_doctor() {
    let folder = shop("writer");
    folder.good("pipeline run by_day");
    assert!(!folder.good("doctor").contains("wrong"));
    let project = fs::read_to_string(folder.path.join("unisono.yaml")).unwrap();
    let flink = "realtime: {kind: flink, gateway: \"http://127.0.0.1:1\"}";
    folder.write("unisono.yaml", &project.replace("realtime: {kind: incremental}", flink));
    let one =
        "no Flink writes shop.by_day, and a Flink keeps pipeline `by_day`: a table has one writing engine";
    let line = |said: &str| said.lines().find(|line| line.starts_with("wrong")).unwrap().to_string();
    let said = line(&folder.good("doctor"));
    assert!(said.contains("table shop.by_day") && said.contains(one) && said.contains("`rollup:`"), "{said}");
    folder.refused(2, "pipeline run by_day", one);
    // The other way round: a table that Flink made, and a pipeline that is the embedded engine's now.
    folder.write("unisono.yaml", &project);
    let schema = folder.path.join("warehouse/shop.db/by_day/schema/schema-0");
    let of_flink = fs::read_to_string(&schema)
        .unwrap()
        .replace("\"unisono.writer\":\"unisono\"", "\"unisono.writer\":\"flink\"");
    fs::write(&schema, of_flink).unwrap();
    let said = line(&folder.good("doctor"));
    let other = "Flink writes shop.by_day, and the embedded engine keeps pipeline `by_day`";
    assert!(said.contains("table shop.by_day") && said.contains(other), "{said}");
    folder.write("data/change.csv", "id,customer_id,amount,ordered_at\n11,1,8.50,2024-03-01 11:00:00\n");
    folder.good("load shop.orders data/change.csv --upsert");
    folder.refused(2, "pipeline run by_day", "E_TABLE_WRITER");
}

#[test]
fn pipelines_follow_and_checks_prove() {
    let folder = shop("follow");
    folder.refused(2, "pipeline run by_regoin", "by_region");
    // Nothing has run: nothing is proved.
    folder.exits(3, "check");
    let said = folder.good("pipeline run");
    assert!(said.contains("by_region: epoch 1 in full (first run), "), "{said}");
    folder.good("check");
    folder.write(
        "data/change.csv",
        "id,customer_id,amount,ordered_at\n11,2,7.50,2024-03-01 11:00:00\n16,3,4.00,2024-03-05 00:00:00\n",
    );
    folder.good("load shop.orders data/change.csv --upsert");
    // The rollups are behind now.
    folder.exits(3, "check");
    let status = folder.good("pipeline status");
    assert!(status.contains("by_region: behind, epoch 1, behind shop.orders"), "{status}");
    let said = folder.good("pipeline run");
    assert!(said.contains("by_region: epoch 2 from the change, "), "{said}");
    folder.good("check");
    folder.write("data/moved.csv", "id,region\n2,EAST\n");
    folder.good("load shop.customers data/moved.csv --upsert");
    folder.good("pipeline run");
    folder.good("check");
    let again = folder.good("pipeline run");
    assert_eq!(
        again,
        "by_region: up to date at epoch 3, 0 rows read\nby_day: up to date at epoch 2, 0 rows read\n"
    );
}

#[test]
fn a_changed_rollup_is_found() {
    let folder = shop("changed");
    folder.good("pipeline run");
    folder.good("check");
    // Somebody writes into the rollup itself.
    tamper(&folder, "shop.by_region", None, &["V4:EAST"]);
    let said = folder.exits(1, "check by_region");
    assert!(said.contains("different") && said.contains("missing-group") && said.contains("EAST"), "{said}");
    folder.good("check by_day");
    folder.write("data/key.csv", "__key\nV4:EAST\n");
    folder.refused(2, "load shop.by_region data/key.csv --delete", "E_TABLE_WRITER");
    // The next run sees that the head is not its own, and mends the rollup.
    let said = folder.good("pipeline run by_region");
    assert!(
        said.contains("in full (the rollup was written by another)") && said.contains("1 group written"),
        "{said}"
    );
    folder.good("check");
}

#[test]
fn an_empty_rollup_beside_home_rows_is_never_equal() {
    let folder = shop("empty");
    folder.good("pipeline run");
    tamper(&folder, "shop.by_region", None, &["V4:EAST", "V4:WEST", "N"]);
    let said = folder.exits(3, "check by_region");
    assert!(said.contains("cannot-tell") && said.contains("empty-answer"), "{said}");
}

#[test]
fn a_checkpoint_whose_files_are_gone_is_said() {
    let folder = shop("gone");
    folder.good("checkpoint early");
    folder.write("data/more.csv", "id,customer_id,amount,ordered_at\n30,1,1.00,\n");
    folder.good("load shop.orders data/more.csv");
    // As an expiry that does not know the tag would leave it.
    let orders = folder.path.join("warehouse/shop.db/orders");
    fs::remove_file(orders.join("tag/tag-unisono_v1")).unwrap();
    fs::remove_file(orders.join("snapshot/snapshot-1")).unwrap();
    folder.refused(2, "query --metrics revenue --at early", "E_SNAPSHOT_GONE");
    assert_eq!(folder.good("query --metrics revenue"), "revenue\n116.75\n");
}

#[test]
fn a_broken_key_proves_nothing() {
    let folder = shop("key");
    folder.write("data/customers2.csv", "id,region\n1,EAST\n1,WEST\n2,WEST\n");
    // An append table does not keep the key that the model declares.
    let project = format!("{PROJECT}sources: {{shop.customers: {{table: shop.customers2}}}}\n");
    folder.write("models/shop.yaml", &MODEL.replace("primary_key: [id]\n    fields:\n    - {name: id, expression: {dialects: [{dialect: ANSI_SQL, expression: id}]}}\n    - {name: region", "unique_keys: [[id]]\n    fields:\n    - {name: id, expression: {dialects: [{dialect: ANSI_SQL, expression: id}]}}\n    - {name: region"));
    folder.write("unisono.yaml", &project);
    folder.good("load shop.customers2 data/customers2.csv");
    folder.good("pipeline run");
    let said = folder.exits(1, "check by_region --format json");
    let object: Json = serde_json::from_str(&said).unwrap();
    for metric in object["data"]["pipelines"][0]["metrics"].as_array().unwrap() {
        assert_eq!(metric["verdict"], "cannot-tell", "{said}");
        assert_eq!(metric["cause"], "assumption", "{said}");
    }
}

#[test]
fn a_branch_is_merged_after_its_check() {
    let folder = shop("merge");
    folder.good("pipeline run");
    folder.refused(2, "branch create main", "E_BRANCH_NAME");
    folder.refused(2, "branch merge fix", "E_BRANCH_NOT_FOUND");
    folder.good("branch create fix");
    folder.refused(2, "branch create fix", "E_BRANCH_EXISTS");
    assert!(folder.good("branch merge fix").contains("nothing"), "an untouched branch");
    folder.write("data/fix.csv", "id,customer_id,amount,ordered_at\n10,1,6.00,2024-03-01 10:00:00\n");
    folder.good("load shop.orders data/fix.csv --upsert --branch fix");
    let main = "region,revenue,order_count\nEAST,12.50,2\nWEST,1.25,1\n,102.00,2\n";
    let fixed = "region,revenue,order_count\nEAST,13.50,2\nWEST,1.25,1\n,102.00,2\n";
    assert_eq!(revenue_by_region(&folder, ""), main);
    assert_eq!(revenue_by_region(&folder, "--branch fix"), fixed);
    // The rollups do not reflect the branch yet.
    folder.exits(3, "branch merge fix");
    assert_eq!(revenue_by_region(&folder, ""), main);
    folder.good("pipeline run --branch fix");
    let said = folder.good("branch merge fix");
    assert!(said.contains("merged fix into main: v2"), "{said}");
    assert_eq!(revenue_by_region(&folder, ""), fixed);
    assert!(
        folder.good("pipeline run").lines().all(|line| line.contains("up to date")),
        "main's rollups came along"
    );
    folder.good("branch drop fix");
    assert_eq!(folder.good("branch list"), "");
    // What was merged is main's: the branch is needed neither to prove it again, nor to read what it began with.
    folder.good("replay target/unisono/evidence/by_region.json");
    assert_eq!(revenue_by_region(&folder, "--at v1"), main);
    folder.good("check");
    assert_eq!(revenue_by_region(&folder, ""), fixed);
    assert_eq!(revenue_by_region(&folder, "--at v2"), fixed);
}

/// What a merge refuses must not depend on a check that somebody ran before: none of these runs `check`.
fn merge_of_a_fault(name: &str, fault: impl Fn(&Folder)) {
    let folder = shop(name);
    folder.good("pipeline run");
    folder.good("branch create work");
    folder.write("data/work.csv", "id,customer_id,amount,ordered_at\n17,1,3.00,2024-03-06 00:00:00\n");
    folder.good("load shop.orders data/work.csv --branch work");
    folder.good("pipeline run --branch work");
    fault(&folder);
    let before = revenue_by_region(&folder, "");
    let said = folder.exits(1, "branch merge work");
    assert!(said.contains("different") && said.contains("refused"), "{said}");
    assert_eq!(revenue_by_region(&folder, ""), before);
}

#[test]
fn a_merge_refuses_a_rollup_that_lost_a_group() {
    merge_of_a_fault("lost", |folder| {
        tamper(folder, "shop.by_region", Some("work"), &["V4:WEST"]);
    });
}

#[test]
fn a_merge_refuses_a_metric_with_two_meanings() {
    merge_of_a_fault("meanings", |folder| {
        let two = "average_order_value, expression: {dialects: [{dialect: ANSI_SQL, expression: revenue / order_count}, {dialect: DATAFUSION, expression: MAX(orders.amount)}]}";
        let one = "average_order_value, expression: {dialects: [{dialect: ANSI_SQL, expression: revenue / order_count}]}";
        folder.write("models/shop.yaml", &MODEL.replace(one, two));
    });
}

#[test]
fn a_merge_refuses_a_rollup_that_lost_a_day() {
    merge_of_a_fault("day", |folder| {
        tamper(folder, "shop.by_day", Some("work"), &["V26:2024-03-01 00:00:00.000000"]);
    });
}

#[test]
fn a_branch_that_was_merged_already_is_told_as_that() {
    let folder = shop("twice");
    folder.good("pipeline run");
    folder.good("branch create more");
    folder.write("data/goods.csv", "id,name\n1,tea\n");
    folder.good("load shop.goods data/goods.csv --primary-key id --branch more");
    let said = folder.good("branch merge more");
    assert!(said.contains("merged more into main: v2, 1 table moved"), "{said}");
    let nothing = "more was merged into main already: v2; more has nothing that main has not\n";
    assert_eq!(folder.good("branch merge more"), nothing);
    // Main goes on, also in the table that the branch made.
    folder.write("data/goods2.csv", "id,name\n2,salt\n");
    folder.good("load shop.goods data/goods2.csv");
    assert_eq!(folder.good("branch merge more"), nothing);
    folder.write("data/main.csv", "id,customer_id,amount,ordered_at\n20,1,1.00,2024-03-01 10:00:00\n");
    folder.good("load shop.orders data/main.csv");
    assert_eq!(folder.good("branch merge more"), nothing);
    // What the branch got since then is not merged without what main has.
    folder.write("data/fix.csv", "id,customer_id,amount,ordered_at\n10,1,6.00,2024-03-01 10:00:00\n");
    folder.good("load shop.orders data/fix.csv --upsert --branch more");
    folder.refused(1, "branch merge more", "E_MAIN_MOVED");
    folder.write("data/more.csv", "id,region\n7,NORTH\n");
    folder.good("branch create other");
    folder.good("load shop.customers data/more.csv --branch other");
    folder.good("pipeline run --branch other");
    assert!(folder.good("branch merge other").contains("merged other into main: v4, "));
    folder.good("load shop.orders data/main.csv --upsert");
    assert!(folder.good("branch merge other").contains("other was merged into main already: v4; "));
    folder.write("data/yet.csv", "id,region\n8,SOUTH\n");
    folder.good("load shop.customers data/yet.csv --branch other");
    let heard = folder.refused(1, "branch merge other", "E_MAIN_MOVED");
    let message =
        "it was merged already, as v4, and has changes since, but not shop.orders as main has it now";
    assert!(heard.contains(message), "{heard}");
    // A table that main made by itself is still main's; so is one where a branch of this name was merged before.
    folder.good("branch drop more");
    folder.good("branch create more");
    folder.write("data/other.csv", "id,name\n1,x\n");
    folder.good("load shop.other data/other.csv --primary-key id");
    let heard = folder.refused(1, "branch merge more", "E_MAIN_MOVED");
    assert!(heard.contains("main has a new table shop.other"), "{heard}");
}

#[test]
fn a_pipeline_that_does_not_compile_stops_no_other() {
    let folder = shop("alone");
    let broken = PROJECT.replace("- {name: by_day, metrics: [revenue,", "- {name: by_day, metrics: [revenu,");
    assert_ne!(broken, PROJECT);
    folder.write("unisono.yaml", &broken);
    let output = folder.run("pipeline run");
    let (said, heard) = (text(&output.stdout), text(&output.stderr));
    assert_eq!(output.status.code(), Some(2), "{said}{heard}");
    assert!(
        said.starts_with("by_region: epoch 1 in full (first run), ") && said.lines().count() == 1,
        "{said}"
    );
    assert!(heard.contains("E_NAME_NOT_FOUND") && heard.contains("revenu"), "{heard}");
    let status = folder.exits(2, "pipeline status");
    assert!(status.starts_with("by_region: up to date, epoch 1") && status.lines().count() == 1, "{status}");
    // What judges all of them judges none.
    folder.refused(2, "check", "E_NAME_NOT_FOUND");
    folder.write("unisono.yaml", PROJECT);
    let said = folder.good("pipeline run");
    assert!(
        said.contains("by_region: up to date at epoch 1") && said.contains("by_day: epoch 1 in full"),
        "{said}"
    );
}

#[test]
fn a_merge_is_refused_when_main_moved() {
    let folder = shop("moved");
    folder.good("pipeline run");
    folder.good("branch create late");
    folder.write("data/a.csv", "id,customer_id,amount,ordered_at\n18,1,3.00,\n");
    folder.write("data/b.csv", "id,customer_id,amount,ordered_at\n19,1,4.00,\n");
    folder.good("load shop.orders data/a.csv --branch late");
    folder.good("load shop.orders data/b.csv");
    folder.good("pipeline run --branch late");
    let before = revenue_by_region(&folder, "");
    folder.refused(1, "branch merge late", "E_MAIN_MOVED");
    assert_eq!(revenue_by_region(&folder, ""), before);
}

#[test]
fn a_table_that_main_made_meanwhile_is_not_replaced() {
    let folder = shop("born");
    folder.good("branch create notes");
    folder.write("data/notes.csv", "id,note\n1,branch\n");
    folder.good("load shop.notes data/notes.csv --primary-key id --branch notes");
    folder.write("data/main.csv", "id,note\n2,main\n3,main\n");
    folder.good("load shop.notes data/main.csv --primary-key id");
    folder.refused(1, "branch merge notes", "E_MAIN_MOVED");
    folder.refused(2, "load shop.notes data/main.csv", "E_DUPLICATE_KEY");
}

#[test]
fn a_rollup_of_other_columns_comes_by_a_branch() {
    let folder = shop("columns");
    folder.good("pipeline run");
    folder.write(
        "unisono.yaml",
        &PROJECT
            .replace("metrics: [revenue, order_count], dim", "metrics: [revenue, order_count, buyers], dim"),
    );
    folder.refused(2, "pipeline run by_day", "E_ROLLUP_COLUMNS");
    folder.good("branch create wider");
    folder.good("pipeline run --branch wider");
    folder.good("check --branch wider");
    let said = folder.good("branch merge wider");
    assert!(said.contains("1 table moved"), "{said}");
    folder.good("check");
    assert!(folder.good("pipeline run").lines().all(|line| line.contains("up to date")));
}

#[test]
fn versions_made_at_once_have_numbers_of_their_own() {
    let folder = shop("numbers");
    std::thread::scope(|scope| {
        for at in 0..4 {
            let folder = &folder;
            scope.spawn(move || folder.good(&format!("checkpoint c{at}")));
        }
    });
    for at in 0..4 {
        folder.good(&format!("query --metrics revenue --at c{at}"));
        folder.good(&format!("query --metrics revenue --at v{}", at + 1));
    }
}

#[test]
fn a_protected_main_takes_merges_only() {
    let folder = shop("protected");
    folder.write("unisono.yaml", &format!("{PROJECT}main: {{protected: true}}\n"));
    folder.refused(2, "load shop.orders data/orders.csv --upsert", "E_MAIN_PROTECTED");
    folder.refused(2, "pipeline run", "E_MAIN_PROTECTED");
    folder.good("branch create work");
    folder.good("pipeline run --branch work");
    let said = folder.good("branch merge work");
    // Both rollups were born on the branch.
    assert!(said.contains("2 tables moved"), "{said}");
    folder.good("check");
}

#[test]
fn a_merge_without_pipelines_says_that_nothing_was_checked() {
    let folder = shop("unchecked");
    let (unchecked, _) = PROJECT.split_once("pipelines:").unwrap();
    folder.write("unisono.yaml", unchecked);
    folder.good("branch create work");
    folder.write("data/more.csv", "id,region\n4,EAST\n");
    folder.good("load shop.customers data/more.csv --branch work");
    let said = folder.good("branch merge work");
    assert!(said.contains("1 table moved") && said.contains("nothing was checked"), "{said}");
}

#[test]
fn a_recorded_check_is_replayed_on_its_snapshots() {
    let folder = shop("replay");
    folder.good("pipeline run");
    folder.good("check");
    folder.write("data/later.csv", "id,customer_id,amount,ordered_at\n20,1,3.00,\n");
    folder.good("load shop.orders data/later.csv");
    folder.good("pipeline run");
    let evidence = "target/unisono/evidence/by_region.json";
    assert!(folder.good(&format!("replay {evidence}")).contains("the same verdicts"));
    folder.write("models/shop.yaml", &MODEL.replace("SUM(orders.amount)", "SUM(orders.amount + 1)"));
    folder.exits(1, &format!("replay {evidence}"));
    let path = folder.path.join(evidence);
    let document = fs::read_to_string(&path).unwrap().replace("\"by_region\"", "\"by_day\"");
    fs::write(&path, document).unwrap();
    folder.refused(2, &format!("replay {evidence}"), "evidence");
}

#[test]
fn rows_of_many_processes_are_all_there() {
    let folder = shop("many");
    folder.write("data/log_0.csv", "at,what\n-1,start\n");
    folder.good("load shop.log data/log_0.csv");
    let processes: usize = 8;
    let loads: usize = std::env::var("UNISONO_LOADS").map_or(3, |text| text.parse().unwrap());
    std::thread::scope(|scope| {
        for process in 0..processes {
            let folder = &folder;
            scope.spawn(move || {
                for load in 0..loads {
                    let name = format!("data/log_{process}_{load}.csv");
                    folder.write(&name, &format!("at,what\n{},p{process}\n", process * 1000 + load));
                    folder.good(&format!("load shop.log {name}"));
                }
            });
        }
    });
    folder.write(
        "models/log.yaml",
        "version: 0.2.0.dev0\nsemantic_model:\n- name: log\n  datasets:\n  - {name: log, source: shop.log, fields: [{name: at, expression: {dialects: [{dialect: ANSI_SQL, expression: at}]}}]}\n  metrics:\n  - {name: entries, expression: {dialects: [{dialect: ANSI_SQL, expression: COUNT(log.at)}]}}\n",
    );
    let all = processes * loads + 1;
    assert_eq!(folder.good("query --name log --metrics entries"), format!("entries\n{all}\n"));
    let all = Value::Exact(all.to_string());
    let warehouse = folder.path.join("warehouse");
    match helper::shared() {
        Ok(oracle) => {
            let sql = "SELECT count(*), count(DISTINCT \"at\") FROM log";
            let seen = oracle.paimon(&warehouse, &[("log", "shop.log")], sql).unwrap();
            assert_eq!(seen.rows, [[all.clone(), all.clone()]]);
        }
        Err(reason) => skip("rows_of_many_processes_are_all_there, as pypaimon sees them", reason),
    }
    match helper::flink() {
        Ok(flink) => {
            let statements = [
                format!(
                    "CREATE CATALOG many WITH ('type'='paimon', 'warehouse'='file://{}', 'cache-enabled'='false')",
                    warehouse.display()
                ),
                "SELECT COUNT(*), COUNT(DISTINCT `at`) FROM many.shop.log".to_string(),
            ];
            let seen = flink.flink(FlinkMode::Batch, &statements).unwrap();
            assert_eq!(seen[1].as_ref().unwrap().table.rows, [[all.clone(), all]]);
        }
        Err(reason) => skip("rows_of_many_processes_are_all_there, as a real Flink sees them", &reason),
    }
}

#[test]
fn a_load_that_is_stopped_writes_nothing() {
    let folder = shop("stopped");
    let mut text_of = "id,customer_id,amount,ordered_at\n".to_string();
    for id in 1000..1_000_000 {
        text_of.push_str(&format!("{id},1,1.00,2024-01-01 00:00:00\n"));
    }
    folder.write("data/large.csv", &text_of);
    let before = revenue_by_region(&folder, "");
    let mut child = Command::new(binary())
        .args(["load", "shop.orders", "data/large.csv"])
        .current_dir(&folder.path)
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    std::thread::sleep(std::time::Duration::from_millis(700));
    Command::new("kill").args(["-INT", &child.id().to_string()]).status().unwrap();
    let status = child.wait().unwrap();
    assert!(!status.success());
    assert_eq!(revenue_by_region(&folder, ""), before);
}

#[test]
fn of_loads_of_one_key_at_one_moment_one_comes_and_the_others_are_refused() {
    let folder = Folder::new("same-key");
    folder.write("unisono.yaml", "version: 1\nwarehouse: {path: ./warehouse}\n");
    folder.write("first.csv", "id,amount\n1,1\n");
    folder.good("load shop.t first.csv --primary-key id");
    for round in 0..3 {
        let ids = 0..6;
        for id in ids.clone() {
            folder.write(&format!("{id}.csv"), &format!("id,amount\n{},{id}\n", 100 + round));
        }
        let loads: Vec<_> = ids
            .map(|id| {
                Command::new(binary())
                    .args(["load", "shop.t", &format!("{id}.csv")])
                    .current_dir(&folder.path)
                    .stdout(Stdio::piped())
                    .stderr(Stdio::piped())
                    .spawn()
                    .unwrap()
            })
            .collect();
        let ended: Vec<_> = loads.into_iter().map(|load| load.wait_with_output().unwrap()).collect();
        let came = ended.iter().filter(|output| output.status.success()).count();
        assert_eq!(came, 1, "round {round}");
        for output in ended.iter().filter(|output| !output.status.success()) {
            let heard = String::from_utf8_lossy(&output.stderr);
            assert!(heard.contains("E_DUPLICATE_KEY"), "{heard}");
        }
    }
}
