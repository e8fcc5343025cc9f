//! Values at the edges: NaN and the infinities, NULL of no type, the last digit of a decimal, years past 2262.

use unisono_compiler::data_type::DataType;
use unisono_compiler::expr::Literal;
use unisono_compiler::function::{Function, Part, Ranking, Scalar, Unit, WindowFunction};
use unisono_compiler::relation::RelExpr;

use super::relations::{
    BIG, BOOLEAN, DATE, DOUBLE, INT, TIMESTAMP, ascending, cast, column, decimal, function, integer, literal,
    one, scalar, window,
};
use super::{TARGETS, sql};

/// The one column of the answer.
fn line(expr: RelExpr, target: &str) -> String {
    let sql = sql(&one(expr), target);
    let line = sql.lines().nth(1).unwrap().trim();
    line.trim_end_matches('`')
        .trim_end_matches("answer")
        .trim_end_matches('`')
        .trim_end_matches(" AS ")
        .to_string()
}

#[test]
fn mathematical_functions_of_nan_and_the_infinities_are_null() {
    let float = || column("t", "f", DOUBLE);
    let of = |name, arguments| scalar(name, arguments, DOUBLE);
    for (expr, wanted) in [
        (of(Scalar::Atan, vec![float()]), "CASE WHEN ABS(t.f) <= 1.7976931348623157e308 THEN ATAN(t.f) END"),
        (
            of(Scalar::Atan2, vec![float(), integer("1")]),
            "CASE WHEN ABS(t.f) <= 1.7976931348623157e308 THEN ATAN2(t.f, CAST(1 AS DOUBLE)) END",
        ),
        (
            of(Scalar::Exp, vec![float()]),
            "CASE WHEN ABS(t.f) <= 1.7976931348623157e308 AND ABS(EXP(t.f)) <= 1.7976931348623157e308 THEN EXP(t.f) END",
        ),
        (
            of(Scalar::Degrees, vec![float()]),
            "CASE WHEN ABS(t.f) <= 1.7976931348623157e308 AND ABS(DEGREES(t.f)) <= 1.7976931348623157e308 THEN DEGREES(t.f) END",
        ),
        (
            of(Scalar::Ln, vec![float()]),
            "CASE WHEN t.f > 0 AND t.f <= 1.7976931348623157e308 THEN LN(t.f) END",
        ),
        (
            of(Scalar::Log, vec![float(), column("t", "i", INT)]),
            "CASE WHEN t.f > 0 AND t.f <= 1.7976931348623157e308 AND t.f <> 1 AND CAST(t.i AS DOUBLE) > 0 THEN LOG(t.f, CAST(t.i AS DOUBLE)) END",
        ),
        // What cannot be infinite needs no guard.
        (of(Scalar::Sin, vec![column("t", "d", decimal(10, 2))]), "SIN(CAST(t.d AS DOUBLE))"),
        (of(Scalar::Cos, vec![cast(column("t", "i", INT), DOUBLE)]), "COS(CAST(t.i AS DOUBLE))"),
        (of(Scalar::Tan, vec![of(Scalar::Pi, Vec::new())]), "TAN(PI())"),
        (of(Scalar::Radians, vec![literal(Literal::Float("1e2".to_string()), DOUBLE)]), "RADIANS(1e2)"),
    ] {
        for target in ["datafusion", "duckdb", "flink", "flink-streaming"] {
            assert_eq!(line(expr.clone(), target), wanted, "{target}");
        }
        assert_eq!(line(expr, "starrocks").replace('`', ""), wanted, "starrocks");
    }
}

#[test]
fn nan_has_no_sign() {
    let sign = |x| scalar(Scalar::Sign, vec![x], BIG);
    for (target, name) in
        [("datafusion", "SIGNUM"), ("duckdb", "SIGN"), ("flink", "SIGN"), ("starrocks", "SIGN")]
    {
        let float = line(sign(column("t", "f", DOUBLE)), target).replace('`', "");
        assert_eq!(
            float,
            format!("CASE WHEN ABS(ATAN(t.f)) <= 2 THEN CAST({name}(t.f) AS BIGINT) END"),
            "{target}"
        );
        let exact = line(sign(column("t", "d", decimal(10, 2))), target).replace('`', "");
        assert_eq!(exact, format!("CAST({name}(t.d) AS BIGINT)"), "{target}");
    }
}

#[test]
fn a_power_looks_at_no_sign_of_zero() {
    let float = || column("t", "f", DOUBLE);
    let text = line(scalar(Scalar::Power, vec![float(), integer("-1")], DOUBLE), "datafusion");
    assert!(text.starts_with("CASE WHEN t.f + 0e0 IS NOT NULL AND (t.f + 0e0 <> 0 OR "), "{text}");
}

#[test]
fn a_function_of_nothing_is_null() {
    let nothing = || literal(Literal::Null, DataType::Null);
    let day = || column("t", "day", DATE);
    for (expr, wanted) in [
        (function(Function::DateTrunc(Unit::Month), vec![nothing()], DataType::Null), "NULL"),
        (function(Function::Extract(Part::Year), vec![nothing()], BIG), "CAST(NULL AS BIGINT)"),
        (function(Function::DateAdd(Unit::Day), vec![nothing(), day()], DATE), "CAST(NULL AS DATE)"),
        (function(Function::DateDiff(Unit::Day), vec![day(), nothing()], BIG), "CAST(NULL AS BIGINT)"),
        (scalar(Scalar::ToDate, vec![nothing()], DATE), "CAST(NULL AS DATE)"),
        (scalar(Scalar::Modulo, vec![nothing(), integer("2")], BIG), "CAST(NULL AS BIGINT)"),
        (scalar(Scalar::IsNull, vec![nothing()], BOOLEAN), "NULL IS NULL"),
        (scalar(Scalar::Coalesce, vec![nothing(), integer("1")], BIG), "COALESCE(NULL, 1)"),
    ] {
        for target in ["datafusion", "duckdb", "starrocks"] {
            let wanted = match (wanted, target) {
                // Constants take their type by a cast there.
                ("COALESCE(NULL, 1)", "duckdb" | "starrocks") => "COALESCE(NULL, CAST(1 AS BIGINT))",
                (other, _) => other,
            };
            assert_eq!(line(expr.clone(), target), wanted, "{target}");
        }
    }
    let month = function(Function::DateTrunc(Unit::Month), vec![nothing()], DataType::Null);
    assert_eq!(line(month, "flink"), "CAST(NULL AS BOOLEAN)");
}

#[test]
fn the_last_digits_of_a_decimal_are_rounded_up_with_room() {
    let of = |name, precision, scale| {
        scalar(name, vec![column("t", "d", decimal(precision, scale))], decimal(precision, 0))
    };
    for (expr, wanted) in [
        (of(Scalar::Ceiling, 4, 2), "CAST(CEIL(CAST(t.d AS DECIMAL(5, 2))) AS DECIMAL(4, 0))"),
        (of(Scalar::Floor, 38, 2), "CAST(FLOOR(CAST(t.d AS DECIMAL(39, 2))) AS DECIMAL(38, 0))"),
        (of(Scalar::Floor, 38, 0), "CAST(t.d AS DECIMAL(38, 0))"),
    ] {
        assert_eq!(line(expr, "datafusion"), wanted);
    }
}

#[test]
fn times_past_2262_are_cut_without_nanoseconds_on_datafusion() {
    let of = |unit, data_type| {
        line(function(Function::DateTrunc(unit), vec![column("t", "z", data_type)], data_type), "datafusion")
    };
    let micros = "CAST(CAST(t.z AS TIMESTAMP(6)) AS BIGINT) + 86400000000000000";
    for (data_type, name) in
        [(TIMESTAMP, "TIMESTAMP(6)"), (DataType::TimestampTz, "TIMESTAMP(6) WITH TIME ZONE")]
    {
        assert_eq!(
            of(Unit::Year, data_type),
            format!("CAST(MAKE_DATE(CAST(DATE_PART('year', t.z) AS INT), 1, 1) AS {name})")
        );
        assert_eq!(of(Unit::Day, data_type), format!("CAST(CAST(t.z AS DATE) AS {name})"));
        for (unit, length) in
            [(Unit::Hour, "3600000000"), (Unit::Minute, "60000000"), (Unit::Second, "1000000")]
        {
            assert_eq!(
                of(unit, data_type),
                format!("CAST(({micros}) / {length} * {length} - 86400000000000000 AS {name})")
            );
        }
    }
    for target in TARGETS {
        let seconds = function(
            Function::DateDiff(Unit::Second),
            vec![column("t", "z", DataType::TimestampTz), column("t", "day", DATE)],
            BIG,
        );
        assert!(!line(seconds, target).contains("'epoch'"), "{target}");
    }
}

#[test]
fn a_default_that_is_no_constant_is_told_by_a_mark_on_datafusion() {
    let neighbour = |name, default: RelExpr| {
        let arguments = vec![column("t", "b", BIG), integer("2"), default];
        let order = vec![ascending(column("t", "i", INT))];
        line(window(WindowFunction::Ranking(name), arguments, Vec::new(), order, None, BIG), "datafusion")
    };
    let over = "OVER (ORDER BY t.i ASC NULLS LAST)";
    assert_eq!(neighbour(Ranking::Lag, integer("0")), format!("LAG(t.b, 2, 0) {over}"));
    assert_eq!(
        neighbour(Ranking::Lead, column("t", "n", BIG)),
        format!("CASE WHEN LEAD(1, 2) {over} IS NULL THEN t.n ELSE LEAD(t.b, 2) {over} END")
    );
    assert_eq!(
        neighbour(Ranking::Lag, scalar(Scalar::Coalesce, vec![column("t", "b", BIG), integer("7")], BIG)),
        format!("CASE WHEN LAG(1, 2) {over} IS NULL THEN COALESCE(t.b, 7) ELSE LAG(t.b, 2) {over} END")
    );
}

#[test]
fn nan_is_above_every_number_on_flink_too() {
    let (f, g) = (|| column("t", "f", DOUBLE), || column("t", "g", DOUBLE));
    let one = || literal(Literal::Float("1e0".to_string()), DOUBLE);
    let of = |name, left: RelExpr, right: RelExpr| scalar(name, vec![left, right], BOOLEAN);
    let nan = |name: &str| format!("CAST(t.{name} AS STRING) = 'NaN'");
    let word = |name: &str, is: &str| format!("(CAST(t.{name} AS STRING) {is} DISTINCT FROM 'NaN')");
    let no_nan = |name: &str| format!("CAST(t.{name} AS STRING) <> 'NaN'");
    for (expr, wanted) in [
        (of(Scalar::Greater, f(), one()), format!("t.f > 1e0 OR {}", nan("f"))),
        (of(Scalar::GreaterEqual, f(), one()), format!("t.f >= 1e0 OR {}", nan("f"))),
        (of(Scalar::LessEqual, one(), f()), format!("1e0 <= t.f OR {}", nan("f"))),
        // The planner takes NOT of it for `>=`, which must not leave NaN out.
        (of(Scalar::Less, f(), one()), format!("t.f < 1e0 AND {}", no_nan("f"))),
        // Nothing of these is TRUE for NaN, turned round or not.
        (of(Scalar::Equal, f(), one()), "t.f = 1e0".to_string()),
        (of(Scalar::NotEqual, f(), one()), "t.f <> 1e0".to_string()),
        (
            of(Scalar::Greater, f(), g()),
            format!("(t.f > t.g OR {}) AND ({} OR t.f IS NULL)", nan("f"), no_nan("g")),
        ),
        (
            of(Scalar::LessEqual, f(), g()),
            format!("t.f <= t.g AND ({} OR t.g IS NULL) OR {} AND t.f IS NOT NULL", no_nan("f"), nan("g")),
        ),
        (of(Scalar::Equal, f(), g()), format!("t.f = t.g OR {} AND {}", nan("f"), nan("g"))),
        (
            of(Scalar::NotEqual, f(), g()),
            "t.f <> t.g AND (CAST(t.f AS STRING) <> 'NaN' OR CAST(t.g AS STRING) <> 'NaN')".to_string(),
        ),
        (
            of(Scalar::IsNotDistinctFrom, f(), g()),
            format!("(t.f IS NOT DISTINCT FROM t.g) OR {} AND {}", word("f", "IS NOT"), word("g", "IS NOT")),
        ),
        (
            of(Scalar::IsDistinctFrom, f(), g()),
            format!("(t.f IS DISTINCT FROM t.g) AND ({} OR {})", word("f", "IS"), word("g", "IS")),
        ),
        (
            scalar(Scalar::NullIf, vec![f(), g()], DOUBLE),
            format!("CASE WHEN t.f = t.g OR {} AND {} THEN NULL ELSE t.f END", nan("f"), nan("g")),
        ),
    ] {
        for target in ["flink", "flink-streaming"] {
            assert_eq!(line(expr.clone(), target), wanted, "{target}");
        }
        // The others have NaN where the language has it, or nobody knows (StarRocks).
        for target in ["datafusion", "duckdb", "starrocks"] {
            assert!(!line(expr.clone(), target).contains("NaN"), "{target}");
        }
    }
}
