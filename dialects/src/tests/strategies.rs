//! Shapes that a strategy changes: stitches of three facts with predicates and orders, global aggregates of every kind.

use unisono_compiler::data_type::DataType;
use unisono_compiler::expr::{ExprKind, Frame, FrameBound, FrameMode, Literal};
use unisono_compiler::function::{AggregateFunction, Ranking, Scalar, WindowFunction};
use unisono_compiler::relation::{Grouping, JoinKind, Relation, Select};

use super::relations::{
    BIG, BOOLEAN, DOUBLE, TEXT, aggregate, ascending, column, cte, cte_input, decimal, descending, distinct,
    exact, integer, item, join, literal, one, output, relation, scalar, select, table, text, window,
};
use super::{finding, say, sql};

/// Three facts by region; the second and third are joined on the key merged so far; a predicate and an order over one side.
fn three_facts() -> Relation {
    let branch = |alias: &str, dataset: usize| {
        let region = column(alias, "region", TEXT);
        Select {
            group_by: Grouping::Keys(vec![region.clone()]),
            ..select(
                vec![
                    item("region", region),
                    item("rows_of_it", aggregate(AggregateFunction::CountRows, Vec::new(), BIG)),
                ],
                table(dataset, alias),
            )
        }
    };
    let key = |alias: &str| column(alias, "region", TEXT);
    let rows = |alias: &str| column(alias, "rows_of_it", BIG);
    let merged = scalar(Scalar::Coalesce, vec![key("a_groups"), key("b_groups")], TEXT);
    let all = scalar(Scalar::Coalesce, vec![key("a_groups"), key("b_groups"), key("c_groups")], TEXT);
    let body = Select {
        joins: vec![
            join(JoinKind::Full, cte_input("b_groups"), vec![(key("a_groups"), key("b_groups"))], true),
            join(JoinKind::Full, cte_input("c_groups"), vec![(merged, key("c_groups"))], true),
        ],
        filter: vec![scalar(Scalar::Greater, vec![rows("b_groups"), integer("1")], BOOLEAN)],
        ..select(
            vec![item("region", all), item("first", rows("a_groups")), item("third", rows("c_groups"))],
            cte_input("a_groups"),
        )
    };
    Relation {
        order_by: vec![descending(rows("b_groups"))],
        ..relation(
            vec![
                cte("a_groups", "a", branch("a", 0)),
                cte("b_groups", "b", branch("b", 1)),
                cte("c_groups", "c", branch("c", 2)),
            ],
            body,
        )
    }
}

#[test]
fn three_facts_are_grouped_by_the_key_that_all_have() {
    let text = sql(&three_facts(), "starrocks");
    let (_, tail) = text.split_once("  -- the branches of answer under each other\n").unwrap();
    assert_eq!(
        tail,
        "  `answer_branches` AS (
    SELECT
      `a_groups`.`region` AS `region`,
      `a_groups`.`rows_of_it` AS `rows_of_it`,
      CAST(NULL AS BIGINT) AS `rows_of_it_2`,
      CAST(NULL AS BIGINT) AS `rows_of_it_3`
    FROM `a_groups`
    UNION ALL
    SELECT
      `b_groups`.`region` AS `region`,
      CAST(NULL AS BIGINT) AS `rows_of_it`,
      CAST(NULL AS BIGINT) AS `rows_of_it_2`,
      `b_groups`.`rows_of_it` AS `rows_of_it_3`
    FROM `b_groups`
    UNION ALL
    SELECT
      `c_groups`.`region` AS `region`,
      CAST(NULL AS BIGINT) AS `rows_of_it`,
      `c_groups`.`rows_of_it` AS `rows_of_it_2`,
      CAST(NULL AS BIGINT) AS `rows_of_it_3`
    FROM `c_groups`
  ),
  -- one row a key of answer
  `answer_groups` AS (
    SELECT
      `answer_branches`.`region` AS `region`,
      MAX(`answer_branches`.`rows_of_it`) AS `rows_of_it`,
      MAX(`answer_branches`.`rows_of_it_2`) AS `rows_of_it_2`,
      MAX(`answer_branches`.`rows_of_it_3`) AS `rows_of_it_3`
    FROM `answer_branches`
    GROUP BY `answer_branches`.`region`
  )
SELECT
  `answer_groups`.`region` AS `region`,
  `answer_groups`.`rows_of_it` AS `first`,
  `answer_groups`.`rows_of_it_2` AS `third`
FROM `answer_groups`
WHERE `answer_groups`.`rows_of_it_3` > 1
ORDER BY `answer_groups`.`rows_of_it_3` DESC NULLS FIRST"
    );
}

#[test]
fn a_native_full_join_keeps_its_shape() {
    let text = sql(&three_facts(), "duckdb");
    let (_, tail) = text.split_once("FROM a_groups\n").unwrap();
    assert_eq!(
        tail,
        "FULL JOIN b_groups ON (a_groups.region IS NOT DISTINCT FROM b_groups.region)
FULL JOIN c_groups ON (COALESCE(a_groups.region, b_groups.region) IS NOT DISTINCT FROM c_groups.region)
WHERE b_groups.rows_of_it > 1
ORDER BY b_groups.rows_of_it DESC NULLS FIRST"
    );
}

#[test]
fn null_safe_keys_are_never_null_where_null_is_forgotten() {
    let text = sql(&three_facts(), "datafusion");
    let (_, tail) = text.split_once("FROM a_groups\n").unwrap();
    assert_eq!(
        tail,
        "FULL JOIN b_groups ON COALESCE(a_groups.region, '') = COALESCE(b_groups.region, '') AND (a_groups.region IS NULL) = (b_groups.region IS NULL)
FULL JOIN c_groups ON COALESCE(COALESCE(a_groups.region, b_groups.region), '') = COALESCE(c_groups.region, '') AND (COALESCE(a_groups.region, b_groups.region) IS NULL) = (c_groups.region IS NULL)
WHERE NULLIF(b_groups.rows_of_it, CAST(NULL AS BIGINT)) > 1
ORDER BY b_groups.rows_of_it DESC NULLS FIRST"
    );
    // Without types there is no default.
    let mut untyped = three_facts();
    for (left, right) in untyped.body.joins.iter_mut().flat_map(|join| &mut join.on) {
        left.data_type = DataType::Unknown;
        right.data_type = DataType::Unknown;
    }
    let text = sql(&untyped, "datafusion");
    assert!(text.contains("(a_groups.region IS NOT DISTINCT FROM b_groups.region)"), "{text}");
}

#[test]
fn computed_keys_of_windows_are_columns_of_a_step_below() {
    let key = scalar(Scalar::Add, vec![column("t", "b", BIG), column("t", "c", BIG)], BIG);
    let rank = window(
        WindowFunction::Ranking(Ranking::Rank),
        Vec::new(),
        vec![column("t", "s", TEXT)],
        vec![ascending(key.clone())],
        None,
        BIG,
    );
    let body = Select {
        filter: vec![scalar(
            Scalar::Less,
            vec![column("t", "b", BIG), column("t", "d", BIG)],
            DataType::Boolean,
        )],
        ..select(
            vec![item("s", column("t", "s", TEXT)), item("place", rank), item("total", key)],
            table(2, "t"),
        )
    };
    let rows = Relation { order_by: vec![ascending(column("t", "d", BIG))], ..relation(Vec::new(), body) };
    assert_eq!(
        sql(&rows, "datafusion"),
        "WITH
  -- answer with the keys of its windows
  answer_keyed AS (
    SELECT
      t.s AS s,
      CAST(CAST(t.b AS DECIMAL(19, 0)) + CAST(t.c AS DECIMAL(19, 0)) AS BIGINT) AS window_key,
      t.d AS d
    FROM t
    WHERE t.b < t.d
  )
SELECT
  answer_keyed.s AS s,
  CAST(RANK() OVER (PARTITION BY answer_keyed.s ORDER BY answer_keyed.window_key ASC NULLS LAST) AS BIGINT) AS place,
  answer_keyed.window_key AS total
FROM answer_keyed
ORDER BY answer_keyed.d ASC NULLS LAST"
    );
    assert!(!sql(&rows, "duckdb").contains("_keyed"));
}

#[test]
fn a_stream_orders_windows_by_one_column_and_ascending() {
    let rank = |keys| {
        let function = WindowFunction::Ranking(Ranking::RowNumber);
        let place = window(function, Vec::new(), Vec::new(), keys, None, BIG);
        relation(Vec::new(), select(vec![item("place", place)], table(2, "t")))
    };
    let (first, second) = (ascending(column("t", "b", BIG)), ascending(column("t", "c", BIG)));
    assert!(sql(&rank(vec![first.clone()]), "flink-streaming").contains("ORDER BY t.b ASC NULLS LAST"));
    let refused = finding(&rank(vec![first, second]), "flink-streaming");
    assert!(refused.contains("by one column only"), "{refused}");
    let refused = finding(&rank(vec![descending(column("t", "b", BIG))]), "flink-streaming");
    assert!(refused.contains("ascending only"), "{refused}");
}

#[test]
fn groups_are_found_again_by_the_null_safe_equality_of_each_engine() {
    // `<=>` is StarRocks' operator for it; IS NOT DISTINCT FROM is not in its grammar.
    let regions = select(vec![item("region", column("customers", "region", TEXT))], table(1, "customers"));
    let keys = vec![(column("orders", "region", TEXT), column("regions", "region", TEXT))];
    let body = Select {
        joins: vec![join(JoinKind::Left, cte_input("regions"), keys, true)],
        ..select(vec![item("region", column("regions", "region", TEXT))], table(0, "orders"))
    };
    let found = relation(vec![cte("regions", "all regions", regions)], body);
    let on = |name: &str| sql(&found, name).rsplit_once(" ON ").unwrap().1.to_string();
    assert_eq!(on("starrocks"), "(`orders`.`region` <=> `regions`.`region`)");
    for name in ["duckdb", "flink", "flink-streaming"] {
        assert_eq!(on(name), "(orders.region IS NOT DISTINCT FROM regions.region)", "{name}");
    }
}

#[test]
fn every_aggregate_of_an_empty_stream_sees_the_kept_row_and_none_counts_it() {
    let (name, real) = (column("t", "s", TEXT), column("t", "f", DOUBLE));
    let body = Select {
        group_by: Grouping::Global,
        ..select(
            vec![
                item("n", aggregate(AggregateFunction::CountRows, Vec::new(), BIG)),
                item("kinds", distinct(AggregateFunction::Count, vec![name.clone()], BIG)),
                item("least", aggregate(AggregateFunction::Min, vec![name], TEXT)),
                item(
                    "lower_part",
                    aggregate(
                        AggregateFunction::PercentileCont,
                        vec![real, exact("0.25", decimal(2, 2))],
                        DOUBLE,
                    ),
                ),
            ],
            table(2, "t"),
        )
    };
    assert_eq!(
        sql(&relation(Vec::new(), body), "flink-streaming"),
        "\
WITH
  -- rows of answer, and one of NULLs so that an empty input has an answer
  answer_kept AS (
    SELECT
      CAST(1 AS BIGINT) AS mark,
      t.s AS s,
      t.f AS f
    FROM t
    UNION ALL
    SELECT
      CAST(NULL AS BIGINT) AS mark,
      CAST(NULL AS STRING) AS s,
      CAST(NULL AS DOUBLE) AS f
  )
SELECT
  COUNT(kept.mark) AS n,
  COUNT(DISTINCT kept.s) AS kinds,
  MIN(kept.s) AS least,
  PERCENTILE(kept.f, 0.25) AS lower_part
FROM answer_kept AS kept"
    );
}

#[test]
fn extremes_over_an_outer_join_are_taken_back_in_streaming() {
    let region = column("customers", "region", TEXT);
    let body = Select {
        group_by: Grouping::Keys(vec![region.clone()]),
        joins: vec![join(
            JoinKind::Left,
            table(1, "customers"),
            vec![(column("orders", "customer_id", BIG), column("customers", "id", BIG))],
            false,
        )],
        ..select(
            vec![
                item("region", region),
                item("n", aggregate(AggregateFunction::CountRows, Vec::new(), BIG)),
                item(
                    "largest",
                    aggregate(
                        AggregateFunction::Max,
                        vec![column("orders", "amount", decimal(10, 2))],
                        decimal(10, 2),
                    ),
                ),
            ],
            table(0, "orders"),
        )
    };
    let relation = relation(Vec::new(), body);
    assert_eq!(
        sql(&relation, "flink-streaming"),
        "\
WITH
  -- one row to sum
  never_rows AS (
    SELECT
      CAST(0 AS BIGINT) AS zero
  ),
  -- a value that may change, and is 0
  never AS (
    SELECT
      SUM(never_rows.zero) AS `total`
    FROM never_rows
  ),
  -- rows of answer, beside a branch without rows: extremes over them are taken back
  answer_changing AS (
    SELECT
      customers.region AS region,
      orders.amount AS amount
    FROM orders
    LEFT JOIN customers ON orders.customer_id = customers.id
    UNION ALL
    SELECT
      CAST(NULL AS STRING) AS region,
      CAST(never.`total` AS DECIMAL(10, 2)) AS amount
    FROM never
    WHERE never.`total` > 0
  )
SELECT
  changing.region AS region,
  COUNT(*) AS n,
  MAX(changing.amount) AS largest
FROM answer_changing AS changing
GROUP BY changing.region"
    );
    assert!(!sql(&relation, "flink").contains("never"));
}

#[test]
fn a_full_join_after_another_join_is_refused_where_it_has_no_form() {
    let mut relation = three_facts();
    let attached = join(JoinKind::Left, cte_input("b_groups"), Vec::new(), true);
    relation.body.joins.insert(0, attached);
    assert_eq!(
        finding(&relation, "starrocks"),
        "E_UNSUPPORTED_FUNCTION: `FULL JOIN` on StarRocks 3.5: `answer` joins two sides fully after another join, which has no form there"
    );
}

#[test]
fn a_table_that_a_step_hides_is_refused() {
    let rows = select(vec![item("s", column("t", "s", TEXT))], table(2, "t"));
    let body = select(vec![item("s", column("t", "s", TEXT))], super::relations::cte_input("t"));
    assert_eq!(
        finding(&relation(vec![cte("t", "a step named like the table", rows)], body), "duckdb"),
        "E_NAME_COLLISION: the table `t` has the name of a step of this query"
    );
}

#[test]
fn constants_take_the_language_s_types() {
    let one = literal(Literal::Integer("1".to_string()), BIG);
    let huge = literal(Literal::Integer("-9223372036854775808".to_string()), BIG);
    let nothing = literal(Literal::Null, decimal(10, 2));
    let instant = literal(
        Literal::Timestamp("2024-01-02 03:04:05".to_string()),
        unisono_compiler::data_type::DataType::TimestampTz,
    );
    assert!(matches!(&*one.kind, ExprKind::Literal(_)));
    let body = select(
        vec![item("a", one), item("b", huge), item("c", nothing), item("d", instant), item("e", text("x"))],
        table(2, "t"),
    );
    let relation = relation(Vec::new(), body);
    let lines = |name: &str| -> Vec<String> {
        sql(&relation, name)
            .lines()
            .skip(1)
            .take(5)
            .map(|line| line.trim().trim_end_matches(',').to_string())
            .collect()
    };
    assert_eq!(
        lines("datafusion"),
        [
            "1 AS a",
            "CAST('-9223372036854775808' AS BIGINT) AS b",
            "CAST(NULL AS DECIMAL(10, 2)) AS c",
            "CAST('2024-01-02 03:04:05Z' AS TIMESTAMP(6) WITH TIME ZONE) AS d",
            "'x' AS e",
        ]
    );
    assert_eq!(
        lines("flink"),
        [
            "CAST(1 AS BIGINT) AS a",
            "CAST('-9223372036854775808' AS BIGINT) AS b",
            "CAST(NULL AS DECIMAL(10, 2)) AS c",
            "CAST(TIMESTAMP '2024-01-02 03:04:05' AS TIMESTAMP_LTZ(6)) AS d",
            "CAST('x' AS STRING) AS e",
        ]
    );
    assert_eq!(
        lines("starrocks"),
        [
            "CAST(1 AS BIGINT) AS `a`",
            "CAST('-9223372036854775808' AS BIGINT) AS `b`",
            "CAST(NULL AS DECIMAL(10, 2)) AS `c`",
            "DATETIME '2024-01-02 03:04:05' AS `d`",
            "'x' AS `e`",
        ]
    );
}

#[test]
fn keys_that_the_planner_would_drop_are_hidden() {
    let next = |x| scalar(Scalar::Add, vec![x, integer("1")], BIG);
    let part = next(column("t", "b", BIG));
    let items = vec![item("part", part.clone()), item("whole", next(part))];
    let ordered =
        |keys| Relation { order_by: keys, ..relation(Vec::new(), select(items.clone(), table(2, "t"))) };
    let both = ordered(vec![ascending(output("part", BIG)), descending(output("whole", BIG))]);
    let text = sql(&both, "datafusion");
    let (_, tail) = text.split_once("    FROM t\n").unwrap();
    assert_eq!(
        tail,
        "  )
SELECT
  answer.part AS part,
  answer.whole AS whole
FROM answer
ORDER BY NULLIF(answer.part, CAST(NULL AS BIGINT)) ASC NULLS LAST, NULLIF(answer.whole, CAST(NULL AS BIGINT)) DESC NULLS FIRST"
    );
    assert!(sql(&both, "duckdb").ends_with("FROM t\nORDER BY part ASC NULLS LAST, whole DESC NULLS FIRST"));
    let first = ordered(vec![ascending(output("part", BIG))]);
    assert!(sql(&first, "datafusion").ends_with("FROM t\nORDER BY part ASC NULLS LAST"));
}

#[test]
fn a_key_whose_name_the_answer_gives_to_another_value_is_hidden() {
    let amount = || column("t", "d", decimal(10, 2));
    let negative = || scalar(Scalar::Negate, vec![amount()], decimal(10, 2));
    let ordered = |items, key| Relation {
        order_by: vec![ascending(key)],
        ..relation(Vec::new(), select(items, table(2, "t")))
    };
    assert_eq!(
        sql(&ordered(vec![item("d", negative())], amount()), "datafusion"),
        "\
WITH
  -- the answer, to be ordered
  answer AS (
    SELECT
      -t.d AS d,
      t.d AS order_key
    FROM t
  )
SELECT
  answer.d AS d
FROM answer
ORDER BY NULLIF(answer.order_key, CAST(NULL AS DECIMAL(10, 2))) ASC NULLS LAST"
    );
    assert!(
        sql(&ordered(vec![item("d", negative())], amount()), "duckdb")
            .ends_with("FROM t\nORDER BY t.d ASC NULLS LAST")
    );
    for (plain, end) in [
        (ordered(vec![item("d", amount())], amount()), "FROM t\nORDER BY t.d ASC NULLS LAST"),
        (ordered(vec![item("e", negative())], amount()), "FROM t\nORDER BY t.d ASC NULLS LAST"),
        (ordered(vec![item("d", negative())], negative()), "FROM t\nORDER BY -t.d ASC NULLS LAST"),
    ] {
        assert!(sql(&plain, "datafusion").ends_with(end), "{}", sql(&plain, "datafusion"));
    }
}

#[test]
fn a_range_with_a_number_is_refused_where_it_has_no_form() {
    let near = Frame { mode: FrameMode::Range, start: FrameBound::Preceding(1), end: FrameBound::CurrentRow };
    let sum = |frame| {
        let key = ascending(column("t", "b", BIG));
        let function = WindowFunction::Aggregate(AggregateFunction::Sum);
        one(window(
            function,
            vec![column("t", "d", decimal(10, 2))],
            Vec::new(),
            vec![key],
            Some(frame),
            decimal(38, 2),
        ))
    };
    for name in ["starrocks", "starrocks@4.1"] {
        let said = finding(&sum(near), name);
        assert!(said.starts_with("E_UNSUPPORTED_FUNCTION: `SUM OVER` on StarRocks "), "{said}");
        assert!(said.ends_with(": RANGE with a number has no form"), "{said}");
    }
    for name in ["starrocks@4.2", "datafusion", "duckdb", "flink"] {
        assert!(sql(&sum(near), name).contains(" RANGE BETWEEN 1 PRECEDING AND CURRENT ROW"), "{name}");
    }
    let peers = Frame { start: FrameBound::UnboundedPreceding, ..near };
    assert!(sql(&sum(peers), "starrocks").contains(" RANGE BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW"));
}

#[test]
fn a_limit_past_what_flink_takes_is_refused_and_not_cut() {
    let mut relation = relation(Vec::new(), select(vec![item("x", column("t", "x", TEXT))], table(0, "t")));
    relation.limit = Some(2_147_483_648);
    for target in ["flink", "flink-streaming"] {
        let (text, findings) = say(&relation, target);
        let message = "a `limit` of 2147483648 is greater than 2147483647, the greatest that Flink";
        assert!(text.is_none() && findings[0].message.starts_with(message), "{target}: {findings:?}");
    }
    for target in ["datafusion", "duckdb", "starrocks"] {
        assert!(say(&relation, target).0.is_some_and(|text| text.contains("LIMIT 2147483648")), "{target}");
    }
    relation.limit = Some(2_147_483_647);
    assert!(say(&relation, "flink").0.is_some_and(|text| text.contains("LIMIT 2147483647")));
}
