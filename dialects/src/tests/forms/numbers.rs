//! Arithmetic, rounding and the mathematical functions: nothing wraps, nothing divides by zero, nothing leaves its domain.

use unisono_compiler::function::Scalar;
use unisono_compiler::relation::RelExpr;

use super::{Row, check_all, row, same};
use crate::tests::relations::{BIG, DOUBLE, b, column, d, decimal, f, i, integer, scalar};

/// Whole numbers past 64 bits: cast back so that it raises.
fn from_decimal(wide: &str) -> String {
    format!("CAST({wide} AS BIGINT)")
}

/// On Flink a cast to BIGINT wraps, reading a text does not.
fn from_text(wide: &str) -> String {
    format!("CAST(CONCAT(CAST({wide} AS STRING), '') AS BIGINT)")
}

/// On StarRocks a cast that does not fit gives NULL, so the range is asserted.
fn asserted(wide: &str) -> String {
    let least = "CAST('-9223372036854775808' AS LARGEINT)";
    let most = "CAST('9223372036854775807' AS LARGEINT)";
    format!(
        "CASE WHEN assert_true(COALESCE({wide} >= {least} AND {wide} <= {most}, TRUE)) THEN CAST({wide} AS BIGINT) END"
    )
}

/// An operation whose answer may pass 64 bits, on all four: the operation over decimals, as it is, over LARGEINT.
fn widened(says: RelExpr, decimals: &str, plain: &str, large: &str) -> Row {
    row(says, [from_decimal(decimals), plain.to_string(), from_text(decimals), asserted(large)])
}

fn finite(x: &str) -> String {
    format!("ABS({x}) <= 1.7976931348623157e308")
}

pub(super) fn rows() -> Vec<Row> {
    let mut rows = arithmetic();
    rows.extend(rounding());
    rows.extend(mathematics());
    rows
}

fn arithmetic() -> Vec<Row> {
    let big = |name, arguments| scalar(name, arguments, BIG);
    let divided = |x, y| scalar(Scalar::Divide, vec![x, y], DOUBLE);
    let rest = |x: RelExpr, y| {
        let data_type = x.data_type;
        scalar(Scalar::Modulo, vec![x, y], data_type)
    };
    let (e, largest) = (column("t", "e", decimal(12, 3)), "CAST(t.b AS LARGEINT)");
    vec![
        widened(
            big(Scalar::Add, vec![b(), i()]),
            "CAST(t.b AS DECIMAL(19, 0)) + CAST(t.i AS DECIMAL(10, 0))",
            "t.b + CAST(t.i AS BIGINT)",
            &format!("{largest} + CAST(t.i AS LARGEINT)"),
        ),
        widened(
            big(Scalar::Subtract, vec![b(), i()]),
            "CAST(t.b AS DECIMAL(19, 0)) - CAST(t.i AS DECIMAL(10, 0))",
            "t.b - CAST(t.i AS BIGINT)",
            &format!("{largest} - CAST(t.i AS LARGEINT)"),
        ),
        widened(
            big(Scalar::Multiply, vec![b(), i()]),
            "CAST(t.b AS DECIMAL(19, 0)) * CAST(t.i AS DECIMAL(10, 0))",
            "t.b * CAST(t.i AS BIGINT)",
            &format!("{largest} * CAST(t.i AS LARGEINT)"),
        ),
        widened(
            big(Scalar::Negate, vec![b()]),
            "-CAST(t.b AS DECIMAL(19, 0))",
            "-t.b",
            &format!("-{largest}"),
        ),
        widened(
            big(Scalar::Abs, vec![b()]),
            "ABS(CAST(t.b AS DECIMAL(19, 0)))",
            "ABS(t.b)",
            &format!("ABS({largest})"),
        ),
        // INT + INT is INT and wraps on DataFusion and Flink.
        same(big(Scalar::Add, vec![i(), i()]), "CAST(t.i AS BIGINT) + CAST(t.i AS BIGINT)"),
        same(scalar(Scalar::Add, vec![d(), e], decimal(13, 3)), "t.d + t.e"),
        row(
            scalar(Scalar::Multiply, vec![d(), d()], decimal(20, 4)),
            [
                "CAST(t.d * t.d AS DECIMAL(20, 4))",
                "CAST(CAST(t.d AS DECIMAL(19, 2)) * t.d AS DECIMAL(20, 4))",
                "CAST(t.d * t.d AS DECIMAL(20, 4))",
                "t.d * t.d",
            ],
        ),
        same(scalar(Scalar::Multiply, vec![f(), i()], DOUBLE), "t.f * CAST(t.i AS DOUBLE)"),
        // `/` of whole numbers is whole on DataFusion and Flink, and by zero an error, an infinity or NULL.
        row(
            divided(i(), b()),
            [
                "CAST(t.i AS DOUBLE) / NULLIF(CAST(t.b AS DOUBLE), 0)",
                "CAST(t.i AS DOUBLE) / NULLIF(CAST(t.b AS DOUBLE), 0)",
                "CAST(t.i AS DOUBLE) / NULLIF(CAST(t.b AS DOUBLE), 0)",
                "CASE WHEN t.b = 0 THEN NULL ELSE CAST(t.i AS DOUBLE) / CAST(t.b AS DOUBLE) END",
            ],
        ),
        // Flink's planner fails on a constant divided by NULLIF of a constant 0.
        row(
            divided(integer("5"), integer("0")),
            [
                "CAST(5 AS DOUBLE) / NULLIF(CAST(0 AS DOUBLE), 0)",
                "CAST(5 AS DOUBLE) / NULLIF(CAST(0 AS DOUBLE), 0)",
                "CASE WHEN CAST(0 AS DOUBLE) <> 0 THEN CAST(5 AS DOUBLE) / CAST(0 AS DOUBLE) END",
                "CASE WHEN 0 = 0 THEN NULL ELSE CAST(5 AS DOUBLE) / CAST(0 AS DOUBLE) END",
            ],
        ),
        same(divided(d(), integer("7")), "CAST(t.d AS DOUBLE) / CAST(7 AS DOUBLE)"),
        row(
            rest(b(), b()),
            [
                "CAST(t.b % NULLIF(t.b, 0) AS BIGINT)",
                "CAST(t.b % NULLIF(t.b, 0) AS BIGINT)",
                "CASE WHEN t.b <> 0 THEN CAST(MOD(t.b, t.b) AS BIGINT) END",
                "CAST(t.b % NULLIF(t.b, 0) AS BIGINT)",
            ],
        ),
        // DataFusion takes `x % 1` for 0 where x is not nullable.
        row(
            rest(d(), d()),
            [
                "CAST(NULLIF(t.d, NULL) % NULLIF(t.d, 0) AS DECIMAL(10, 2))",
                "CAST(t.d % NULLIF(t.d, 0) AS DECIMAL(10, 2))",
                "CASE WHEN t.d <> 0 THEN CAST(MOD(t.d, t.d) AS DECIMAL(10, 2)) END",
                "CAST(t.d % NULLIF(t.d, 0) AS DECIMAL(10, 2))",
            ],
        ),
    ]
}

fn rounding() -> Vec<Row> {
    let to = |name, x, places: &str, data_type| scalar(name, vec![x, integer(places)], data_type);
    let of = |name, x, data_type| scalar(name, vec![x], data_type);
    let tens = "ROUND(CAST(t.b AS DECIMAL(19, 0)), -1)";
    vec![
        same(to(Scalar::Round, d(), "1", decimal(10, 1)), "CAST(ROUND(t.d, 1) AS DECIMAL(10, 1))"),
        same(to(Scalar::Round, b(), "2", BIG), "CAST(t.b AS BIGINT)"),
        row(
            to(Scalar::Round, b(), "-1", BIG),
            [
                from_decimal(tens),
                "CAST(ROUND(CAST(t.b AS DECIMAL(20, 0)), -1) AS BIGINT)".to_string(),
                from_text(tens),
                asserted(&format!("CAST({tens} AS LARGEINT)")),
            ],
        ),
        // Flink goes by way of decimals, and fails on what is none.
        row(
            to(Scalar::Round, f(), "2", DOUBLE),
            [
                "ROUND(t.f, 2)",
                "ROUND(t.f, 2)",
                "CASE WHEN ABS(t.f) < 9007199254740992e0 THEN ROUND(t.f, 2) ELSE t.f END",
                "ROUND(t.f, 2)",
            ],
        ),
        row(
            of(Scalar::Floor, d(), decimal(10, 0)),
            [
                "CAST(FLOOR(CAST(t.d AS DECIMAL(11, 2))) AS DECIMAL(10, 0))",
                "CAST(FLOOR(t.d) AS DECIMAL(10, 0))",
                "CAST(FLOOR(t.d) AS DECIMAL(10, 0))",
                // FLOOR and CEIL take a DOUBLE and give a BIGINT there.
                "CAST(CASE WHEN t.d < TRUNCATE(t.d, 0) THEN TRUNCATE(t.d, 0) - 1 ELSE TRUNCATE(t.d, 0) END AS DECIMAL(10, 0))",
            ],
        ),
        row(
            of(Scalar::Ceiling, d(), decimal(10, 0)),
            [
                "CAST(CEIL(CAST(t.d AS DECIMAL(11, 2))) AS DECIMAL(10, 0))",
                "CAST(CEIL(t.d) AS DECIMAL(10, 0))",
                "CAST(CEIL(t.d) AS DECIMAL(10, 0))",
                "CAST(CASE WHEN t.d > TRUNCATE(t.d, 0) THEN TRUNCATE(t.d, 0) + 1 ELSE TRUNCATE(t.d, 0) END AS DECIMAL(10, 0))",
            ],
        ),
        // Of whole numbers DataFusion and DuckDB give a DOUBLE; StarRocks gives BIGINT for a DOUBLE.
        same(of(Scalar::Floor, b(), BIG), "CAST(t.b AS BIGINT)"),
        row(
            of(Scalar::Floor, f(), DOUBLE),
            [
                "FLOOR(t.f)",
                "FLOOR(t.f)",
                "FLOOR(t.f)",
                "CASE WHEN ABS(t.f) < 9007199254740992e0 THEN CAST(FLOOR(t.f) AS DOUBLE) ELSE t.f END",
            ],
        ),
        row(
            to(Scalar::Truncate, d(), "1", decimal(10, 1)),
            [
                "CAST(t.d - NULLIF(t.d, NULL) % CAST('0.1' AS DECIMAL(1, 1)) AS DECIMAL(10, 1))",
                "CAST(TRUNC(t.d, 1) AS DECIMAL(10, 1))",
                "CAST(TRUNCATE(t.d, 1) AS DECIMAL(10, 1))",
                "CAST(TRUNCATE(t.d, 1) AS DECIMAL(10, 1))",
            ],
        ),
        row(
            of(Scalar::Truncate, f(), DOUBLE),
            [
                "TRUNC(t.f)",
                "TRUNC(t.f)",
                "CASE WHEN ABS(t.f) < 9007199254740992e0 THEN TRUNCATE(t.f, 0) ELSE t.f END",
                "CAST(TRUNCATE(t.f, 0) AS DOUBLE)",
            ],
        ),
        row(
            to(Scalar::Truncate, b(), "-2", BIG),
            [
                "CAST(t.b - NULLIF(t.b, NULL) % CAST('100' AS DECIMAL(3, 0)) AS BIGINT)",
                "CAST(TRUNC(CAST(t.b AS DECIMAL(20, 0)), -2) AS BIGINT)",
                "CAST(t.b - MOD(t.b, CAST(100 AS BIGINT)) AS BIGINT)",
                "CAST(t.b - t.b % 100 AS BIGINT)",
            ],
        ),
    ]
}

fn mathematics() -> Vec<Row> {
    let (x, y) = ("CAST(t.d AS DOUBLE)", "CAST(t.i AS DOUBLE)");
    let of = |name| scalar(name, vec![d()], DOUBLE);
    let both = |name| scalar(name, vec![d(), i()], DOUBLE);
    let power = |name: &str| {
        let answer = format!("{name}({x}, {y})");
        format!("CASE WHEN {} THEN {answer} END", finite(&answer))
    };
    let sign = |name: &str| format!("CAST({name}(t.d) AS BIGINT)");
    let bounded = |name: &str| format!("CASE WHEN {} THEN {name}({x}) END", finite(&format!("{name}({x})")));
    vec![
        row(scalar(Scalar::Sign, vec![d()], BIG), [sign("SIGNUM"), sign("SIGN"), sign("SIGN"), sign("SIGN")]),
        row(
            both(Scalar::Power),
            [
                // POWER(NULL, 0) is 1 there, and POWER(0, -1) raises.
                format!("CASE WHEN {x} IS NOT NULL AND ({x} <> 0 OR {y} >= 0) THEN {} END", power("POWER")),
                power("POWER"),
                power("POWER"),
                power("POW"),
            ],
        ),
        same(of(Scalar::Sqrt), &format!("CASE WHEN {x} >= 0 THEN SQRT({x}) END")),
        same(of(Scalar::Exp), &bounded("EXP")),
        same(of(Scalar::Ln), &format!("CASE WHEN {x} > 0 THEN LN({x}) END")),
        same(of(Scalar::Log10), &format!("CASE WHEN {x} > 0 THEN LOG10({x}) END")),
        same(
            both(Scalar::Log),
            &format!("CASE WHEN {x} > 0 AND {x} <> 1 AND {y} > 0 THEN LOG({x}, {y}) END"),
        ),
        same(of(Scalar::Sin), &format!("SIN({x})")),
        same(of(Scalar::Cos), &format!("COS({x})")),
        same(of(Scalar::Tan), &format!("TAN({x})")),
        same(of(Scalar::Asin), &format!("CASE WHEN ABS({x}) <= 1 THEN ASIN({x}) END")),
        same(of(Scalar::Acos), &format!("CASE WHEN ABS({x}) <= 1 THEN ACOS({x}) END")),
        same(of(Scalar::Atan), &format!("ATAN({x})")),
        // Of whole numbers DataFusion's ATAN2 is a FLOAT.
        same(both(Scalar::Atan2), &format!("ATAN2({x}, {y})")),
        same(of(Scalar::Radians), &format!("RADIANS({x})")),
        same(of(Scalar::Degrees), &bounded("DEGREES")),
        same(scalar(Scalar::Pi, Vec::new(), DOUBLE), "PI()"),
    ]
}

#[test]
fn numbers_on_every_engine() {
    check_all(&rows());
}
