//! From one version of a table spec to the next: what is altered, what is refused and why, and specs read back from JSON.

use serde_json::json;
use unisono_compiler::data_type::DataType;
use unisono_compiler::diagnostic::Code;

use super::relations::{BIG, TEXT, decimal};
use crate::{
    Change, ColumnSpec, TableSpec, evolve, flink_alter_table, schema_json, source_key_options, spec_of_json,
};

fn column(name: &str, data_type: DataType) -> ColumnSpec {
    ColumnSpec { name: name.to_string(), data_type, nullable: true, comment: None }
}

fn not_null(column: ColumnSpec) -> ColumnSpec {
    ColumnSpec { nullable: false, ..column }
}

fn commented(column: ColumnSpec, comment: &str) -> ColumnSpec {
    ColumnSpec { comment: Some(comment.to_string()), ..column }
}

/// `shop.orders` with the key `id`, integers of each width, a decimal and a text.
fn orders() -> TableSpec {
    TableSpec {
        name: "shop.orders".to_string(),
        columns: vec![
            not_null(column("id", BIG)),
            column("tiny", DataType::Int8),
            not_null(column("small", DataType::Int16)),
            column("units", DataType::Int32),
            column("amount", decimal(10, 2)),
            commented(column("order", TEXT), "its name"),
        ],
        primary_key: vec!["id".to_string()],
        options: source_key_options(),
    }
}

/// The statements that lead to a table.
fn statements(change: impl FnOnce(&mut TableSpec)) -> Vec<String> {
    let mut new = orders();
    change(&mut new);
    let changes = evolve(&orders(), &new).unwrap();
    changes.iter().map(|change| flink_alter_table(&new.name, change).unwrap()).collect()
}

/// Why no statements lead to it.
fn reasons(change: impl FnOnce(&mut TableSpec)) -> Vec<String> {
    let mut new = orders();
    change(&mut new);
    let findings = evolve(&orders(), &new).unwrap_err();
    assert!(findings.iter().all(|finding| finding.code == Code::TableChange), "{findings:?}");
    let start = "`shop.orders` cannot be altered: ";
    findings.iter().map(|finding| finding.message.strip_prefix(start).unwrap().to_string()).collect()
}

#[test]
fn changes_that_lose_nothing_become_statements() {
    assert_eq!(statements(|_| ()), Vec::<String>::new());
    assert_eq!(evolve(&orders(), &orders()), Ok(Vec::<Change>::new()));
    assert_eq!(
        statements(|table| {
            table.columns.push(commented(column("note", TEXT), "it's new"));
            table.columns.push(column("rebate", decimal(38, 4)));
        }),
        [
            "ALTER TABLE shop.orders ADD (note STRING COMMENT 'it''s new')",
            "ALTER TABLE shop.orders ADD (rebate DECIMAL(38, 4))"
        ]
    );
    assert_eq!(
        statements(|table| {
            table.columns[1].data_type = DataType::Int16;
            table.columns[2].data_type = DataType::Int32;
            table.columns[3].data_type = BIG;
            table.columns[4].data_type = decimal(38, 2);
        }),
        [
            "ALTER TABLE shop.orders MODIFY (tiny SMALLINT)",
            "ALTER TABLE shop.orders MODIFY (small INT NOT NULL)",
            "ALTER TABLE shop.orders MODIFY (units BIGINT)",
            "ALTER TABLE shop.orders MODIFY (amount DECIMAL(38, 2))"
        ]
    );
    assert_eq!(
        statements(|table| table.columns[2].nullable = true),
        ["ALTER TABLE shop.orders MODIFY (small SMALLINT)"]
    );
    assert_eq!(
        statements(|table| table.columns[5].comment = None),
        ["ALTER TABLE shop.orders MODIFY (`order` STRING COMMENT '')"]
    );
    assert_eq!(
        statements(|table| {
            table.columns[0].comment = Some("the key".to_string());
            table.columns[5].comment = Some("a name".to_string());
        }),
        [
            "ALTER TABLE shop.orders MODIFY (id BIGINT NOT NULL COMMENT 'the key')",
            "ALTER TABLE shop.orders MODIFY (`order` STRING COMMENT 'a name')"
        ]
    );
}

#[test]
fn types_that_lose_values_are_refused() {
    let to = |at: usize, data_type: DataType| reasons(|table| table.columns[at].data_type = data_type);
    let fit = "values that are there may not fit";
    assert_eq!(
        to(3, DataType::Int16),
        [format!("the column `units` would be Int16 in place of Int32: {fit}")]
    );
    assert_eq!(
        to(4, decimal(9, 2)),
        [format!("the column `amount` would be Decimal(9,2) in place of Decimal(10,2): {fit}")]
    );
    let digits = "the digits after the point would change";
    for scaled in [decimal(38, 4), decimal(38, 0)] {
        assert_eq!(
            to(4, scaled),
            [format!("the column `amount` would be {scaled} in place of Decimal(10,2): {digits}")]
        );
    }
    let only = "only integers become wider integers, and decimals get more digits at the same scale";
    for (at, name, was, is) in [
        (3, "units", "Int32", DataType::Float64),
        (3, "units", "Int32", TEXT),
        (3, "units", "Int32", decimal(38, 0)),
        (5, "order", "String", DataType::Date),
        (4, "amount", "Decimal(10,2)", DataType::Float64),
    ] {
        assert_eq!(to(at, is), [format!("the column `{name}` would be {is} in place of {was}: {only}")]);
    }
}

#[test]
fn columns_that_go_or_move_or_lack_values_are_refused() {
    assert_eq!(
        reasons(|table| table.columns[3].nullable = false),
        ["the column `units` would be NOT NULL, and rows that are there may hold NULL"]
    );
    assert_eq!(
        reasons(|table| table.columns.push(not_null(column("new", BIG)))),
        ["the new column `new` is NOT NULL, and rows that are there have no value for it"]
    );
    assert_eq!(
        reasons(|table| table.columns.insert(1, column("new", BIG))),
        ["the new column `new` would stand before `tiny`"]
    );
    assert_eq!(
        reasons(|table| drop(table.columns.remove(3))),
        ["the column `units` would go, and what it holds with it"]
    );
    // A new name is a column that goes and one that comes.
    assert_eq!(
        reasons(|table| table.columns[5].name = "name".to_string()),
        ["the column `order` would go, and what it holds with it"]
    );
    assert_eq!(reasons(|table| table.columns.swap(3, 4)), ["the column `units` would stand elsewhere"]);
}

#[test]
fn other_keys_and_options_are_refused() {
    assert_eq!(
        reasons(|table| table.primary_key = vec!["id".to_string(), "small".to_string()]),
        ["its primary key would be (`id`, `small`) in place of (`id`)"]
    );
    assert_eq!(
        reasons(|table| table.primary_key.clear()),
        ["its primary key would be none in place of (`id`)"]
    );
    assert_eq!(
        reasons(|table| table.columns[0].data_type = DataType::Int32),
        ["the key's column `id` would be Int32 in place of Int64"]
    );
    let option = |name: &str, value: &str| {
        let set = |table: &mut TableSpec| drop(table.options.insert(name.to_string(), value.to_string()));
        reasons(set).concat()
    };
    assert_eq!(
        option("bucket", "4"),
        "its option `bucket` would be `4` in place of `1`: rows that are there stay in their buckets, and a key may then be twice"
    );
    for (name, value, was) in [
        ("merge-engine", "aggregation", "`deduplicate`"),
        ("changelog-producer", "lookup", "`none`"),
        ("sequence.field", "units", "unset"),
        ("bucket-key", "id", "unset"),
        ("file.format", "orc", "`parquet`"),
        ("anything", "else", "unset"),
    ] {
        let said = option(name, value);
        assert!(
            said.starts_with(&format!("its option `{name}` would be `{value}` in place of {was}: ")),
            "{said}"
        );
    }
    assert!(
        reasons(|table| drop(table.options.remove("bucket")))[0].contains("would be unset in place of `1`")
    );
    // All reasons at once, and no statement.
    assert_eq!(
        reasons(|table| {
            table.primary_key.clear();
            table.options.clear();
            table.columns[3].nullable = false;
        })
        .len(),
        6
    );
}

#[test]
fn a_spec_comes_back_from_its_json() {
    let types = [
        DataType::Boolean,
        DataType::Int8,
        DataType::Int16,
        DataType::Int32,
        BIG,
        decimal(38, 38),
        DataType::Float32,
        DataType::Float64,
        TEXT,
        DataType::Date,
        DataType::Timestamp,
        DataType::TimestampTz,
    ];
    let mut table = orders();
    for (at, data_type) in types.into_iter().enumerate() {
        table.columns.push(column(&format!("c{at}"), data_type));
        table.columns.push(not_null(column(&format!("n{at}"), data_type)));
    }
    assert_eq!(spec_of_json("shop.orders", &schema_json(&table)), Ok(table));
    let with = |pointer: &str, value: serde_json::Value| {
        let mut schema = schema_json(&orders());
        *schema.pointer_mut(pointer).unwrap() = value;
        spec_of_json("t", &schema).unwrap_err()
    };
    assert_eq!(
        with("/fields/3/type", json!("VARCHAR(10)")),
        "`t.units` has the type `VARCHAR(10)`, which no spec has"
    );
    assert_eq!(
        with("/fields/3/type", json!("DECIMAL(39, 2)")),
        "`t.units` has the type `DECIMAL(39, 2)`, which no spec has"
    );
    assert_eq!(
        with("/fields/3/type", json!("TIMESTAMP(9)")),
        "`t.units` has the type `TIMESTAMP(9)`, which no spec has"
    );
    assert_eq!(with("/fields/3/name", json!(1)), "in `t`, the name of a field is not a text: 1");
    assert_eq!(with("/partitionKeys", json!(["id"])), "`t` has partitions, which no spec has");
    assert_eq!(with("/options/bucket", json!(1)), "in `t`, bucket is not a text: 1");
    assert_eq!(with("/fields", json!({})), "`t` has no list `fields`");
}
