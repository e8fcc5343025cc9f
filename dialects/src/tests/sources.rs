//! What FROM reads: pins, the model's own queries, and what is refused of them.

use unisono_compiler::ids::{DatasetId, Id};
use unisono_compiler::relation::{Body, Cte, Input, Join, JoinKind, Relation, Select, Source};

use super::relations::{TEXT, column, item, relation, select, table};
use super::stages::{text_of, whole};
use super::target;
use crate::{Binding, Bindings, BoundSource, Pin, emit, separate};

fn read() -> Relation {
    relation(Vec::new(), select(vec![item("s", column("t", "s", TEXT))], table(0, "t")))
}

fn from_line(source: BoundSource, pin: Option<Pin>, name: &str) -> Result<String, String> {
    let mut bindings = Bindings::default();
    bindings.bind(DatasetId::from_index(0), Binding { source, pin });
    let (sql, diagnostics) = emit(&read(), &target(name), &bindings);
    match sql {
        Some(sql) => Ok(sql.split_once("FROM ").unwrap().1.to_string()),
        None => Err(format!("{}: {}", diagnostics[0].code, diagnostics[0].message)),
    }
}

fn orders() -> BoundSource {
    BoundSource::Table(vec!["shop".to_string(), "orders".to_string()])
}

#[test]
fn a_snapshot_is_pinned_in_the_words_of_each_target() {
    let pin = || Some(Pin { branch: None, snapshot: Some(7), consumer: None });
    assert_eq!(from_line(orders(), pin(), "datafusion").unwrap(), "shop.orders VERSION AS OF 7 AS t");
    assert_eq!(
        from_line(orders(), pin(), "flink").unwrap(),
        "shop.orders /*+ OPTIONS('scan.snapshot-id'='7') */ AS t"
    );
    assert_eq!(
        from_line(orders(), pin(), "starrocks@4.1").unwrap(),
        "`shop`.`orders` VERSION AS OF 7 AS `t`"
    );
    assert_eq!(
        from_line(orders(), pin(), "starrocks").unwrap_err(),
        "E_UNSUPPORTED_SOURCE: `t` cannot be pinned on StarRocks 3.5: it reads the latest snapshot only; 4.1 has VERSION AS OF"
    );
    assert_eq!(
        from_line(orders(), pin(), "duckdb").unwrap_err(),
        "E_UNSUPPORTED_SOURCE: `t` cannot be pinned on DuckDB 2.0: DuckDB reads no Paimon snapshots"
    );
}

#[test]
fn a_stream_reads_under_a_name() {
    let pin = Some(Pin { branch: None, snapshot: None, consumer: Some("it's".to_string()) });
    assert_eq!(
        from_line(orders(), pin, "flink-streaming").unwrap(),
        "shop.orders /*+ OPTIONS('consumer-id'='it''s') */ AS t"
    );
}

#[test]
fn each_use_of_a_step_reads_at_a_place_of_its_own() {
    let step = |name: &str, from: Input| Cte {
        name: name.to_string(),
        comment: String::new(),
        body: Body::Select(select(vec![item("s", column(&from.alias, "s", TEXT))], from)),
    };
    let rows = step("rows", table(0, "t"));
    // Two steps over the same rows, and the answer over both of them and the table once more.
    let (one, two) = (step("one", Input::cte("rows")), step("two", Input::cte("rows")));
    let mut body = select(vec![item("s", column("one", "s", TEXT))], Input::cte("one"));
    for right in [Input::cte("two"), table(1, "u")] {
        body.joins.push(Join { kind: JoinKind::Cross, right, on: Vec::new(), null_safe: false });
    }
    let all = relation(vec![rows, one, two], body);
    let (separated, places) = separate(&all, 7).unwrap();
    assert_eq!(places, [0, 0, 1].map(DatasetId::from_index));
    let names: Vec<&str> = separated.ctes.iter().map(|cte| cte.name.as_str()).collect();
    assert_eq!(names, ["rows", "one", "rows_2", "two"]);
    let source = |select: &Select| select.from.clone().unwrap().source;
    let of = |at: usize| source(&separated.ctes[at].body.selects()[0]);
    assert_eq!(of(0), Source::Dataset(DatasetId::from_index(7)));
    assert_eq!(of(1), Source::Cte("rows".to_string()));
    assert_eq!(of(2), Source::Dataset(DatasetId::from_index(8)));
    assert_eq!(of(3), Source::Cte("rows_2".to_string()));
    assert_eq!(separated.body.joins[1].right.source, Source::Dataset(DatasetId::from_index(9)));
    // What is used once stays as it is but for the numbers of its places.
    let (same, places) = separate(&read(), 0).unwrap();
    assert_eq!((same, places), (read(), vec![DatasetId::from_index(0)]));
}

#[test]
fn uses_that_double_at_each_step_are_not_told_apart_without_end() {
    let mut ctes = vec![Cte {
        name: "s0".to_string(),
        comment: String::new(),
        body: Body::Select(select(vec![item("s", column("t", "s", TEXT))], table(0, "t"))),
    }];
    for at in 1..60 {
        let below = format!("s{}", at - 1);
        let one = || select(vec![item("s", column(&below, "s", TEXT))], Input::cte(&below));
        ctes.push(Cte {
            name: format!("s{at}"),
            comment: String::new(),
            body: Body::UnionAll(vec![one(), one()]),
        });
    }
    let all = relation(ctes, select(vec![item("s", column("s59", "s", TEXT))], Input::cte("s59")));
    assert_eq!(separate(&all, 1), None);
}

#[test]
fn a_branch_is_read_in_the_words_of_each_target() {
    let pin = |snapshot| Some(Pin { branch: Some("dev".to_string()), snapshot, consumer: None });
    assert_eq!(from_line(orders(), pin(None), "datafusion").unwrap(), "shop.\"orders$branch_dev\" AS t");
    assert_eq!(
        from_line(orders(), pin(Some(3)), "flink-streaming").unwrap(),
        "shop.orders /*+ OPTIONS('branch'='dev', 'scan.snapshot-id'='3') */ AS t"
    );
    assert_eq!(
        from_line(orders(), pin(None), "starrocks@4.1").unwrap(),
        "`shop`.`orders` VERSION AS OF 'branch:dev' AS `t`"
    );
    assert_eq!(
        from_line(orders(), pin(Some(3)), "starrocks@4.1").unwrap_err(),
        "E_UNSUPPORTED_SOURCE: `t` cannot be pinned on StarRocks 4.1: a snapshot of a branch cannot be named"
    );
}

#[test]
fn the_models_own_query_is_a_derived_table_where_it_is_portable() {
    let query = |text: &str| BoundSource::Query(text.to_string());
    assert_eq!(
        from_line(query("SELECT s FROM raw WHERE x > 1 -- kept"), None, "duckdb").unwrap(),
        "(\nSELECT s FROM raw WHERE x > 1 -- kept\n) AS t"
    );
    assert_eq!(from_line(query("SELECT s FROM raw"), None, "flink").unwrap(), "(\nSELECT s FROM raw\n) AS t");
    for name in ["flink", "flink-streaming", "starrocks"] {
        assert!(
            from_line(query("SELECT s FROM raw WHERE x > 1"), None, name)
                .unwrap_err()
                .starts_with("E_UNSUPPORTED_SOURCE: the source of `t` is a query in SQL that ")
        );
    }
    let pin = Some(Pin { branch: None, snapshot: Some(7), consumer: None });
    assert_eq!(
        from_line(query("SELECT s FROM raw"), pin, "datafusion").unwrap_err(),
        "E_UNSUPPORTED_SOURCE: the source of `t` is a query, which cannot be pinned"
    );
}

#[test]
fn a_table_may_be_called_like_a_step_that_a_strategy_adds() {
    let model = |orders: &str| {
        whole(&format!(
            "name: shop
datasets:
- {{name: orders, source: {orders}, primary_key: [id], fields: [{{name: amount, datatype: Float, expression: amount}}]}}
- {{name: customers, source: customers, primary_key: [id], fields: [{{name: region, datatype: String, expression: region}}]}}
relationships:
- {{name: placed_by, from: orders, to: customers, from_columns: [customer_id], to_columns: [id]}}
"
        ))
    };
    let ordered = r#"{"dimensions": ["customers.region"], "order_by": [{"expr": "largest", "direction": "desc"}, "region"],
        "measures": [{"expr": "MAX(orders.amount)", "as": "largest"}, {"expr": "CASE WHEN MAX(orders.amount) > 1 THEN 1 END", "as": "is_large"}]}"#;
    let text = text_of(&model("Answer"), ordered, "datafusion").unwrap();
    assert!(text.contains("FROM \"Answer\" AS orders\n"), "{text}");
    assert!(text.ends_with("FROM answer_2\nORDER BY NULLIF(answer_2.largest, CAST(NULL AS DOUBLE)) DESC NULLS FIRST, NULLIF(answer_2.region, CAST(NULL AS VARCHAR)) ASC NULLS LAST"), "{text}");

    let extreme = r#"{"dimensions": ["customers.region"], "measures": [{"expr": "MAX(orders.amount)", "as": "largest"}]}"#;
    for (table, step, alias) in [("never", "never_2", "never_2"), ("NEVER_ROWS", "never", "never_rows_2")] {
        let text = text_of(&model(table), extreme, "flink-streaming").unwrap();
        assert!(text.contains(&format!("FROM {table} AS orders\n")), "{text}");
        assert!(text.contains(&format!("FROM {step}\n")), "{text}");
        assert!(text.contains(&format!("{alias} AS (\n")), "{text}");
    }
}
