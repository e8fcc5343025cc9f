//! -0 equals 0 on every target: what each does about it, place by place.

use unisono_compiler::data_type::DataType;
use unisono_compiler::expr::{ExprKind, Literal};
use unisono_compiler::function::{AggregateFunction, Ranking, Scalar, WindowFunction};
use unisono_compiler::relation::{Grouping, RelExpr, Relation, Select};

use super::relations::{
    BIG, BOOLEAN, DOUBLE, aggregate, ascending, cast, column, descending, distinct, f, integer, item,
    literal, one, output, relation, scalar, select, table, window,
};
use super::sql;

fn float(digits: &str) -> RelExpr {
    literal(Literal::Float(digits.to_string()), DOUBLE)
}

/// The value of a relation of one item.
fn value(expr: RelExpr, target: &str) -> String {
    let text = sql(&one(expr), target);
    let line = text.lines().nth(1).unwrap().trim();
    line.trim_end_matches('`').trim_end_matches("answer").trim_end_matches('`').trim_end().to_string()
}

fn test(function: Scalar, left: RelExpr, right: RelExpr) -> RelExpr {
    scalar(function, vec![left, right], BOOLEAN)
}

#[test]
fn comparisons_look_at_plain_floats_where_the_engine_tells_zeros_apart() {
    let rounded = || scalar(Scalar::Round, vec![f()], DOUBLE);
    let cases = [
        (test(Scalar::Equal, rounded(), float("0e0")), "ROUND(t.f) + 0e0 = 0e0 AS"),
        (test(Scalar::Less, f(), column("t", "g", DOUBLE)), "t.f + 0e0 < t.g + 0e0 AS"),
        (scalar(Scalar::NullIf, vec![f(), float("-0e0")], DOUBLE), "NULLIF(t.f + 0e0, (-0e0) + 0e0) AS"),
        // A constant that is not 0, a whole number, a magnitude: no sign of zero is in question.
        (test(Scalar::Greater, f(), float("1.5e0")), "t.f > 1.5e0 AS"),
        (test(Scalar::Equal, column("t", "b", BIG), column("t", "i", BIG)), "t.b = t.i AS"),
        (test(Scalar::Equal, scalar(Scalar::Abs, vec![f()], DOUBLE), float("0e0")), "ABS(t.f) = 0e0 AS"),
    ];
    for (expr, wanted) in cases {
        assert_eq!(value(expr, "datafusion"), wanted);
    }
    for name in ["duckdb", "flink", "flink-streaming"] {
        let whole = scalar(Scalar::Floor, vec![f()], DOUBLE);
        assert_eq!(value(test(Scalar::Equal, whole, float("0e0")), name), "FLOOR(t.f) = 0e0 AS", "{name}");
    }
}

#[test]
fn divisors_roots_and_lists_look_at_plain_floats_too() {
    let g = || column("t", "g", DOUBLE);
    let list = |entries| {
        RelExpr::new(
            ExprKind::InList { operand: f(), list: entries, negated: false },
            BOOLEAN,
            unisono_compiler::data_type::Exactness::Exact,
        )
    };
    let cases = [
        (scalar(Scalar::Divide, vec![f(), g()], DOUBLE), "t.f / NULLIF(t.g + 0e0, 0) AS"),
        (
            scalar(Scalar::Sqrt, vec![f()], DOUBLE),
            "CASE WHEN t.f + 0e0 >= 0 AND t.f + 0e0 <= 1.7976931348623157e308 THEN SQRT(t.f + 0e0) END AS",
        ),
        (list(vec![float("0e0"), float("1e0")]), "t.f + 0e0 IN (0e0, 1e0) AS"),
        (list(vec![float("1e0"), float("2e0")]), "t.f IN (1e0, 2e0) AS"),
    ];
    for (expr, wanted) in cases {
        assert_eq!(value(expr, "datafusion"), wanted);
    }
    // Flink's IN goes by the bits (2.2.1, run), its comparisons do not.
    for name in ["flink", "flink-streaming"] {
        assert_eq!(
            value(list(vec![float("0e0"), float("1e0")]), name),
            "ABS(t.f) = 0e0 OR t.f IN (1e0) AS",
            "{name}"
        );
        assert_eq!(value(list(vec![float("-0e0")]), name), "ABS(t.f) = 0e0 AS", "{name}");
        let [zero, one] = ["0", "1"].map(|digits| cast(integer(digits), DOUBLE));
        assert_eq!(
            value(list(vec![zero, one]), name),
            "ABS(t.f) = 0e0 OR t.f IN (CAST(1 AS DOUBLE)) AS",
            "{name}"
        );
        assert_eq!(value(list(vec![float("1e0"), float("2e0")]), name), "t.f IN (1e0, 2e0) AS", "{name}");
    }
    assert_eq!(value(list(vec![float("0e0"), float("1e0")]), "duckdb"), "t.f IN (0e0, 1e0) AS");
}

/// Rows grouped by a float.
fn grouped(data_type: DataType) -> Relation {
    let key = column("t", "f", data_type);
    let rows = aggregate(AggregateFunction::CountRows, Vec::new(), BIG);
    relation(
        Vec::new(),
        Select {
            group_by: Grouping::Keys(vec![key.clone()]),
            ..select(vec![item("f", key), item("n", rows)], table(2, "t"))
        },
    )
}

#[test]
fn groups_and_distinct_rows_are_of_plain_floats_on_all_engines_but_duckdb() {
    let text = |key: &str| ["SELECT\n  ", key, " AS f,\n  COUNT(*) AS n\nFROM t\nGROUP BY ", key].concat();
    let case = "CASE WHEN t.f = 0e0 THEN 0e0 ELSE t.f END";
    assert_eq!(sql(&grouped(DOUBLE), "datafusion"), text("t.f + 0e0"));
    assert_eq!(sql(&grouped(DOUBLE), "duckdb"), text("t.f"));
    assert_eq!(sql(&grouped(DOUBLE), "flink"), text(case));
    assert_eq!(
        sql(&grouped(DataType::Float32), "datafusion"),
        text("CAST(CAST(t.f AS DOUBLE) + 0e0 AS FLOAT)")
    );
    assert_eq!(
        sql(&grouped(DOUBLE), "starrocks"),
        text("CASE WHEN `t`.`f` = 0e0 THEN 0e0 ELSE `t`.`f` END")
            .replace("AS f", "AS `f`")
            .replace("AS n", "AS `n`")
            .replace("FROM t", "FROM `t`")
    );
    let mut rows = relation(Vec::new(), select(vec![item("f", f())], table(2, "t")));
    rows.body.distinct = true;
    assert_eq!(sql(&rows, "datafusion"), "SELECT DISTINCT\n  t.f + 0e0 AS f\nFROM t");
    assert_eq!(sql(&rows, "flink-streaming"), ["SELECT DISTINCT\n  ", case, " AS f\nFROM t"].concat());
    let values = distinct(AggregateFunction::Sum, vec![f()], DOUBLE);
    assert_eq!(value(values.clone(), "datafusion"), "SUM(DISTINCT t.f + 0e0) AS");
    assert_eq!(value(values, "duckdb"), "SUM(DISTINCT t.f) AS");
}

#[test]
fn windows_and_orders_go_by_plain_floats() {
    let rank = window(
        WindowFunction::Ranking(Ranking::Rank),
        Vec::new(),
        vec![f()],
        vec![descending(column("t", "g", DOUBLE))],
        None,
        BIG,
    );
    let ordered = |partition: &str, key: &str| {
        ["RANK() OVER (PARTITION BY ", partition, " ORDER BY ", key, " DESC NULLS FIRST) AS"].concat()
    };
    let text = sql(&relation(Vec::new(), select(vec![item("r", rank.clone())], table(2, "t"))), "datafusion");
    assert!(text.contains("t.f + 0e0 AS window_key,\n      t.g + 0e0 AS window_key_2\n"), "{text}");
    let over = "OVER (PARTITION BY answer_keyed.window_key ORDER BY answer_keyed.window_key_2 DESC";
    assert!(text.contains(over), "{text}");
    assert_eq!(value(rank.clone(), "duckdb"), ordered("t.f", "t.g"));
    assert_eq!(value(rank, "flink"), ordered("CASE WHEN t.f = 0e0 THEN 0e0 ELSE t.f END", "t.g"));
    let rows = Relation {
        order_by: vec![ascending(output("f", DOUBLE)), ascending(column("t", "g", DOUBLE))],
        ..relation(Vec::new(), select(vec![item("f", f()), item("b", column("t", "b", BIG))], table(2, "t")))
    };
    assert_eq!(
        sql(&rows, "datafusion"),
        "SELECT\n  t.f + 0e0 AS f,\n  t.b AS b\nFROM t\nORDER BY f ASC NULLS LAST, t.g + 0e0 ASC NULLS LAST"
    );
}
