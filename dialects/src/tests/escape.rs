//! Names and texts of all kinds on every target, byte for byte.

use unisono_compiler::ids::{DatasetId, Id};

use super::relations::{TEXT, column, cte, item, one, relation, select, table, text};
use super::{TARGETS, sql, target};
use crate::{Binding, Bindings, BoundSource, Target, emit};

fn value_line(relation: &unisono_compiler::relation::Relation, target: &str) -> String {
    sql(relation, target).lines().nth(1).unwrap().trim().to_string()
}

#[test]
fn string_literals_keep_every_character() {
    let cases = [
        // The text, as standard SQL writes it, as StarRocks writes it.
        ("it's", "'it''s'", "'it''s'"),
        ("a\\b", "'a\\b'", "'a\\\\b'"),
        ("\\'", "'\\'''", "'\\\\'''"),
        ("\"x\" `y`", "'\"x\" `y`'", "'\"x\" `y`'"),
        ("Straße 東京 🙂", "'Straße 東京 🙂'", "'Straße 東京 🙂'"),
        ("a -- b /* c */ ;", "'a -- b /* c */ ;'", "'a -- b /* c */ ;'"),
        ("", "''", "''"),
    ];
    for (raw, standard, starrocks) in cases {
        let relation = one(text(raw));
        assert_eq!(value_line(&relation, "datafusion"), format!("{standard} AS answer"));
        assert_eq!(value_line(&relation, "duckdb"), format!("{standard} AS answer"));
        assert_eq!(value_line(&relation, "flink"), format!("CAST({standard} AS STRING) AS answer"));
        assert_eq!(value_line(&relation, "flink-streaming"), format!("CAST({standard} AS STRING) AS answer"));
        assert_eq!(value_line(&relation, "starrocks"), format!("{starrocks} AS `answer`"));
    }
}

#[test]
fn identifiers_are_quoted_where_the_target_needs_it() {
    let cases = [
        // The name; DataFusion and DuckDB; Flink. StarRocks quotes every name.
        ("amount", "amount", "amount"),
        ("Amount", "\"Amount\"", "Amount"),
        ("order", "\"order\"", "`order`"),
        ("my column", "\"my column\"", "`my column`"),
        ("a\"b", "\"a\"\"b\"", "`a\"b`"),
        ("a`b", "\"a`b\"", "`a``b`"),
        ("größe", "\"größe\"", "`größe`"),
        ("1st", "\"1st\"", "`1st`"),
        ("_x1", "_x1", "_x1"),
        ("a.b", "\"a.b\"", "`a.b`"),
    ];
    for (name, standard, flink) in cases {
        let relation = relation(Vec::new(), select(vec![item(name, column("t", name, TEXT))], table(2, "t")));
        assert_eq!(value_line(&relation, "datafusion"), format!("t.{standard} AS {standard}"));
        assert_eq!(value_line(&relation, "duckdb"), format!("t.{standard} AS {standard}"));
        assert_eq!(value_line(&relation, "flink"), format!("t.{flink} AS {flink}"));
        let quoted = format!("`{}`", name.replace('`', "``"));
        assert_eq!(value_line(&relation, "starrocks"), format!("`t`.{quoted} AS {quoted}"));
    }
}

#[test]
fn table_names_and_aliases_are_quoted_like_columns() {
    let mut bindings = Bindings::default();
    let name = ["Shop DB", "select", "orders"].map(ToString::to_string).to_vec();
    bindings.bind(DatasetId::from_index(2), Binding { source: BoundSource::Table(name), pin: None });
    let relation =
        relation(Vec::new(), select(vec![item("s", column("Facts", "s", TEXT))], table(2, "Facts")));
    let text = |name: &str| emit(&relation, &target(name), &bindings).0.unwrap();
    assert_eq!(
        text("datafusion"),
        "SELECT\n  \"Facts\".s AS s\nFROM \"Shop DB\".\"select\".orders AS \"Facts\""
    );
    assert_eq!(text("flink"), "SELECT\n  Facts.s AS s\nFROM `Shop DB`.`select`.orders AS Facts");
    assert_eq!(
        text("starrocks"),
        "SELECT\n  `Facts`.`s` AS `s`\nFROM `Shop DB`.`select`.`orders` AS `Facts`"
    );
}

#[test]
fn a_comment_stays_on_its_line() {
    let rows = select(vec![item("s", column("t", "s", TEXT))], table(2, "t"));
    let body =
        select(vec![item("s", column("rows_of_t", "s", TEXT))], super::relations::cte_input("rows_of_t"));
    let relation = relation(vec![cte("rows_of_t", "first\nDROP TABLE t;\r-- \u{2028}x", rows)], body);
    for name in TARGETS {
        let sql = sql(&relation, name);
        let comment: Vec<&str> = sql.lines().filter(|line| line.contains("DROP TABLE")).collect();
        assert_eq!(comment, ["  -- first DROP TABLE t; --  x"], "{name}");
    }
}

#[test]
fn keyword_tables_are_sorted_upper_case_and_hold_each_word_once() {
    for name in TARGETS {
        let target: Target = target(name);
        let keywords = crate::dialect::dialect(target).capabilities.quoting.keywords;
        assert!(keywords.windows(2).all(|pair| pair[0] < pair[1]), "{name}");
        assert!(keywords.iter().all(|word| word.to_ascii_uppercase() == **word), "{name}");
    }
}
