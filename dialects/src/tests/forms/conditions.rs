//! Comparison, logic, lists, literals and what is NULL.

use unisono_compiler::data_type::{DataType, Exactness};
use unisono_compiler::expr::{ExprKind, Literal};
use unisono_compiler::function::Scalar;
use unisono_compiler::relation::RelExpr;

use super::{Row, check_all, row, same};
use crate::tests::relations::{
    BIG, BOOLEAN, DATE, DOUBLE, TIMESTAMP, b, case, cast, column, decimal, exact, i, integer, literal, s,
    scalar, text,
};

fn test(name: Scalar, left: RelExpr, right: RelExpr) -> RelExpr {
    scalar(name, vec![left, right], BOOLEAN)
}

fn is_large() -> RelExpr {
    test(Scalar::Greater, i(), integer("1"))
}

pub(super) fn rows() -> Vec<Row> {
    let mut rows = comparisons();
    rows.extend(logic());
    rows.extend(choices());
    rows.extend(literals());
    rows
}

fn comparisons() -> Vec<Row> {
    let x = || text("x");
    let day = || column("t", "day", DATE);
    vec![
        same(test(Scalar::Equal, s(), x()), "t.s = 'x'"),
        // Flink has no `!=`.
        same(test(Scalar::NotEqual, s(), x()), "t.s <> 'x'"),
        same(test(Scalar::Less, s(), x()), "t.s < 'x'"),
        same(test(Scalar::LessEqual, s(), x()), "t.s <= 'x'"),
        same(test(Scalar::Greater, s(), x()), "t.s > 'x'"),
        same(test(Scalar::GreaterEqual, s(), x()), "t.s >= 'x'"),
        row(
            test(Scalar::IsDistinctFrom, s(), x()),
            [
                "(t.s IS DISTINCT FROM 'x')",
                "(t.s IS DISTINCT FROM 'x')",
                "(t.s IS DISTINCT FROM 'x')",
                "NOT (t.s <=> 'x')",
            ],
        ),
        // In parentheses, since DataFusion reads `a IS NOT DISTINCT FROM b AND c` as one comparison.
        row(
            test(Scalar::And, test(Scalar::IsNotDistinctFrom, s(), x()), is_large()),
            [
                "(t.s IS NOT DISTINCT FROM 'x') AND t.i > 1",
                "(t.s IS NOT DISTINCT FROM 'x') AND t.i > 1",
                "(t.s IS NOT DISTINCT FROM 'x') AND t.i > 1",
                "(t.s <=> 'x') AND t.i > 1",
            ],
        ),
        row(
            test(Scalar::IsNotDistinctFrom, s(), x()),
            [
                "(t.s IS NOT DISTINCT FROM 'x')",
                "(t.s IS NOT DISTINCT FROM 'x')",
                "(t.s IS NOT DISTINCT FROM 'x')",
                "(t.s <=> 'x')",
            ],
        ),
        // Flink compares no date with a timestamp.
        row(
            test(Scalar::Less, day(), column("t", "ts", TIMESTAMP)),
            ["t.day < t.ts", "t.day < t.ts", "CAST(t.day AS TIMESTAMP(6)) < t.ts", "t.day < t.ts"],
        ),
        same(scalar(Scalar::IsNull, vec![s()], BOOLEAN), "t.s IS NULL"),
        same(scalar(Scalar::IsNotNull, vec![s()], BOOLEAN), "t.s IS NOT NULL"),
    ]
}

fn logic() -> Vec<Row> {
    let nothing = || literal(Literal::Null, BOOLEAN);
    let list = |operand, list, negated| {
        RelExpr::new(ExprKind::InList { operand, list, negated }, BOOLEAN, Exactness::Exact)
    };
    let one_of = || vec![integer("1"), literal(Literal::Null, BIG)];
    vec![
        same(test(Scalar::And, is_large(), is_large()), "t.i > 1 AND t.i > 1"),
        same(test(Scalar::Or, is_large(), is_large()), "t.i > 1 OR t.i > 1"),
        same(scalar(Scalar::Not, vec![is_large()], BOOLEAN), "NOT t.i > 1"),
        // Flink takes no bare NULL.
        same(test(Scalar::And, is_large(), nothing()), "t.i > 1 AND CAST(NULL AS BOOLEAN)"),
        same(list(b(), one_of(), false), "t.b IN (1, CAST(NULL AS BIGINT))"),
        same(list(b(), one_of(), true), "t.b NOT IN (1, CAST(NULL AS BIGINT))"),
        same(literal(Literal::Boolean(true), BOOLEAN), "TRUE"),
        same(literal(Literal::Boolean(false), BOOLEAN), "FALSE"),
    ]
}

fn choices() -> Vec<Row> {
    let other = || column("t", "c", BIG);
    let skips =
        |name: &str| format!("CASE WHEN t.b IS NULL OR t.c IS NULL THEN NULL ELSE {name}(t.b, t.c) END");
    let extreme = |says, name: &str| {
        let native = format!("{name}(t.b, t.c)");
        row(says, [skips(name), skips(name), native.clone(), native])
    };
    let of = |name| scalar(name, vec![b(), other()], BIG);
    vec![
        // DataFusion and DuckDB skip NULLs.
        extreme(of(Scalar::Greatest), "GREATEST"),
        extreme(of(Scalar::Least), "LEAST"),
        // Of dates StarRocks gives a DATETIME.
        row(
            scalar(Scalar::Greatest, vec![column("t", "day", DATE), column("t", "e", DATE)], DATE),
            [
                "CASE WHEN t.day IS NULL OR t.e IS NULL THEN NULL ELSE GREATEST(t.day, t.e) END",
                "CASE WHEN t.day IS NULL OR t.e IS NULL THEN NULL ELSE GREATEST(t.day, t.e) END",
                "GREATEST(t.day, t.e)",
                "CAST(GREATEST(t.day, t.e) AS DATE)",
            ],
        ),
        same(of(Scalar::Coalesce), "COALESCE(t.b, t.c)"),
        same(of(Scalar::NullIf), "NULLIF(t.b, t.c)"),
        // A text literal of Flink is CHAR of its own length.
        row(
            case(is_large(), text("many"), Some(text("a few"))),
            [
                "CASE WHEN t.i > 1 THEN 'many' ELSE 'a few' END",
                "CASE WHEN t.i > 1 THEN 'many' ELSE 'a few' END",
                "CASE WHEN t.i > 1 THEN CAST('many' AS STRING) ELSE CAST('a few' AS STRING) END",
                "CASE WHEN t.i > 1 THEN 'many' ELSE 'a few' END",
            ],
        ),
    ]
}

fn literals() -> Vec<Row> {
    let moment = |digits: &str| Literal::Timestamp(digits.to_string());
    let instant = literal(moment("2024-01-02 03:04:05"), DataType::TimestampTz);
    vec![
        // A bare `1.5` is a DOUBLE on DataFusion.
        same(exact("1.5", decimal(2, 1)), "CAST('1.5' AS DECIMAL(2, 1))"),
        // Read as a DECIMAL by Flink, the zero before the point is a digit.
        row(
            exact("-0.25", decimal(2, 2)),
            [
                "CAST('-0.25' AS DECIMAL(2, 2))",
                "CAST('-0.25' AS DECIMAL(2, 2))",
                "CAST('-.25' AS DECIMAL(2, 2))",
                "CAST('-0.25' AS DECIMAL(2, 2))",
            ],
        ),
        same(literal(Literal::Float("1.5e0".to_string()), DOUBLE), "1.5e0"),
        row(integer("7"), ["7", "CAST(7 AS BIGINT)", "CAST(7 AS BIGINT)", "CAST(7 AS BIGINT)"]),
        row(text("x"), ["'x'", "'x'", "CAST('x' AS STRING)", "'x'"]),
        same(literal(Literal::Null, BIG), "CAST(NULL AS BIGINT)"),
        same(literal(Literal::Date("2024-02-29".to_string()), DATE), "DATE '2024-02-29'"),
        row(
            literal(Literal::Time("10:11:12".to_string()), DataType::Time),
            ["TIME '10:11:12'", "TIME '10:11:12'", "TIME '10:11:12'", "CAST('10:11:12' AS TIME)"],
        ),
        // DataFusion's TIMESTAMP literal ends in 2262; StarRocks has no TIMESTAMP.
        row(
            literal(moment("2024-01-02 03:04:05"), TIMESTAMP),
            [
                "CAST('2024-01-02 03:04:05' AS TIMESTAMP(6))",
                "TIMESTAMP '2024-01-02 03:04:05'",
                "CAST(TIMESTAMP '2024-01-02 03:04:05' AS TIMESTAMP(6))",
                "DATETIME '2024-01-02 03:04:05'",
            ],
        ),
        row(
            instant,
            [
                "CAST('2024-01-02 03:04:05Z' AS TIMESTAMP(6) WITH TIME ZONE)",
                "TIMESTAMPTZ '2024-01-02 03:04:05+00'",
                "CAST(TIMESTAMP '2024-01-02 03:04:05' AS TIMESTAMP_LTZ(6))",
                "DATETIME '2024-01-02 03:04:05'",
            ],
        ),
        row(
            cast(column("t", "ts", TIMESTAMP), DataType::TimestampTz),
            [
                "CAST(t.ts AS TIMESTAMP(6) WITH TIME ZONE)",
                "CAST(t.ts AS TIMESTAMP WITH TIME ZONE)",
                "CAST(t.ts AS TIMESTAMP_LTZ(6))",
                "CAST(t.ts AS DATETIME)",
            ],
        ),
    ]
}

#[test]
fn conditions_on_every_engine() {
    check_all(&rows());
}
