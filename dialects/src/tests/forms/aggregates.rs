//! Aggregates: sums that do not wrap, deviations of a sample, tuples without a NULL, casts, and what an engine lacks.

use unisono_compiler::data_type::DataType;
use unisono_compiler::expr::{ExprKind, OrderKey};
use unisono_compiler::function::AggregateFunction;

use super::{Row, check, check_all, row, same};
use crate::tests::relations::{
    BIG, DOUBLE, INT, TEXT, aggregate, ascending, b, cast, column, d, decimal, distinct, exact, f, i, s, text,
};

const D: &str = "CAST(t.d AS DOUBLE)";
const I: &str = "CAST(t.i AS DOUBLE)";

pub(super) fn rows() -> Vec<Row> {
    let mut rows = counts_and_sums();
    rows.extend(statistics());
    rows.extend(percentiles());
    rows.extend(casts());
    rows.push(list());
    rows
}

fn counts_and_sums() -> Vec<Row> {
    let complete = |tuple: &str| {
        format!("COUNT(DISTINCT CASE WHEN t.s IS NOT NULL AND t.i IS NOT NULL THEN {tuple} END)")
    };
    let sum = |x, data_type| aggregate(AggregateFunction::Sum, vec![x], data_type);
    let whole = "SUM(CAST(t.b AS DECIMAL(38, 0)))";
    vec![
        same(aggregate(AggregateFunction::CountRows, Vec::new(), BIG), "COUNT(*)"),
        same(aggregate(AggregateFunction::Count, vec![s()], BIG), "COUNT(t.s)"),
        same(distinct(AggregateFunction::Count, vec![s()], BIG), "COUNT(DISTINCT t.s)"),
        row(
            distinct(AggregateFunction::Count, vec![s(), i()], BIG),
            [
                complete("STRUCT(t.s, t.i)"),
                complete("(t.s, t.i)"),
                complete("ROW(t.s, t.i)"),
                "COUNT(DISTINCT t.s, t.i)".to_string(),
            ],
        ),
        // SUM of integers wraps on DataFusion, Flink and StarRocks.
        row(
            sum(b(), decimal(38, 0)),
            [
                whole,
                whole,
                whole,
                "CAST(SUM(CAST(CAST(t.b AS DECIMAL(38, 0)) AS LARGEINT)) AS DECIMAL(38, 0))",
            ],
        ),
        same(sum(d(), decimal(38, 2)), "SUM(CAST(t.d AS DECIMAL(38, 2)))"),
        same(sum(f(), DOUBLE), "SUM(t.f)"),
        same(
            distinct(AggregateFunction::Sum, vec![d()], decimal(38, 2)),
            "SUM(DISTINCT CAST(t.d AS DECIMAL(38, 2)))",
        ),
        same(aggregate(AggregateFunction::Min, vec![s()], TEXT), "MIN(t.s)"),
        same(aggregate(AggregateFunction::Max, vec![d()], decimal(10, 2)), "MAX(t.d)"),
    ]
}

/// On Flink types follow the input, and one value that is never NULL has a spread of -1; STDDEV is that of the population on StarRocks.
fn statistics() -> Vec<Row> {
    let of = |name| aggregate(name, vec![d()], DOUBLE);
    let both = |name| aggregate(name, vec![d(), i()], DOUBLE);
    let sample = |name: &str| {
        let plain = format!("{name}({D})");
        let watched = format!("CASE WHEN COUNT(t.d) > 1 THEN {plain} END");
        [plain.clone(), plain, watched.clone(), watched]
    };
    let absent = |name: &str| format!("E_UNSUPPORTED_FUNCTION: `{name}` on Flink 2.2: ");
    let pairs = "COUNT(CASE WHEN t.d IS NOT NULL AND t.i IS NOT NULL THEN 1 END) > 1";
    let (corr, covar) = (format!("CORR({D}, {I})"), |name: &str| format!("{name}({D}, {I})"));
    let finite = format!("CASE WHEN ABS({corr}) <= 1.7976931348623157e308 THEN {corr} END");
    vec![
        row(of(AggregateFunction::StddevSamp), sample("STDDEV_SAMP")),
        row(of(AggregateFunction::VarSamp), sample("VAR_SAMP")),
        same(of(AggregateFunction::StddevPop), &format!("STDDEV_POP({D})")),
        same(of(AggregateFunction::VarPop), &format!("VAR_POP({D})")),
        row(both(AggregateFunction::Corr), [finite.clone(), finite.clone(), absent("CORR"), finite]),
        row(
            both(AggregateFunction::CovarPop),
            [covar("COVAR_POP"), covar("COVAR_POP"), absent("COVAR_POP"), covar("COVAR_POP")],
        ),
        row(
            both(AggregateFunction::CovarSamp),
            [
                covar("COVAR_SAMP"),
                covar("COVAR_SAMP"),
                absent("COVAR_SAMP"),
                format!("CASE WHEN {pairs} THEN {} END", covar("COVAR_SAMP")),
            ],
        ),
        row(
            aggregate(AggregateFunction::Max, vec![f()], DOUBLE),
            [
                largest(" WHEN ISNAN(t.f) THEN 3", ""),
                "MAX(t.f)".to_string(),
                largest("", " WHEN t.f IS NOT NULL THEN 3"),
                "MAX(t.f)".to_string(),
            ],
        ),
    ]
}

/// The kind of value first: a number, infinity, NaN. Where NaN is told by ISNAN, and where by being neither above nor below 0.
fn largest(second: &str, last: &str) -> String {
    let number = "ABS(t.f) <= 1.7976931348623157e308";
    let kinds =
        format!("MAX(CASE WHEN {number} THEN 1{second} WHEN t.f > 0 THEN 2 WHEN t.f < 0 THEN 0{last} END)");
    format!(
        "CASE WHEN {kinds} = 1 THEN MAX(CASE WHEN {number} THEN t.f END) WHEN {kinds} = 3 THEN CAST('NaN' AS DOUBLE) \
         WHEN {kinds} = 2 THEN CAST('Infinity' AS DOUBLE) WHEN {kinds} = 0 THEN CAST('-Infinity' AS DOUBLE) END"
    )
}

fn percentiles() -> Vec<Row> {
    let quarter = || exact("0.25", decimal(2, 2));
    let sorted = |x: &str| format!("ARRAY_AGG({x} ORDER BY {x} ASC NULLS LAST)");
    let place = format!("CAST(CAST('0.25' AS DECIMAL(2, 2)) AS DOUBLE) * CAST(COUNT({D}) - 1 AS DOUBLE)");
    let first = format!("CAST(FLOOR({place}) AS BIGINT) + 1");
    let low = format!("ARRAY_ELEMENT({}, {first})", sorted(D));
    let high = format!("ARRAY_ELEMENT({}, LEAST({first} + 1, COUNT({D})))", sorted(D));
    vec![
        row(
            aggregate(AggregateFunction::Median, vec![d()], DOUBLE),
            [
                format!("MEDIAN({D})"),
                format!("MEDIAN({D})"),
                format!("PERCENTILE({D}, 0.5)"),
                format!("PERCENTILE_CONT({D}, 0.5)"),
            ],
        ),
        // DataFusion's own keeps six digits of the share.
        row(
            aggregate(AggregateFunction::PercentileCont, vec![d(), quarter()], DOUBLE),
            [
                format!(
                    "CASE WHEN COUNT({D}) > 0 THEN {low} + ({place} - FLOOR({place})) * ({high} - {low}) END"
                ),
                format!("QUANTILE_CONT({D}, CAST(CAST('0.25' AS DECIMAL(2, 2)) AS DOUBLE))"),
                format!("PERCENTILE({D}, 0.25)"),
                format!("PERCENTILE_CONT({D}, 0.25)"),
            ],
        ),
        row(
            aggregate(AggregateFunction::PercentileDisc, vec![d(), quarter()], decimal(10, 2)),
            [
                format!(
                    "CASE WHEN COUNT(t.d) > 0 THEN ARRAY_ELEMENT({}, GREATEST(CAST(CEIL(CAST('0.25' AS DECIMAL(3, 2)) * COUNT(t.d)) AS BIGINT), 1)) END",
                    sorted("t.d")
                ),
                "QUANTILE_DISC(t.d, CAST(CAST('0.25' AS DECIMAL(2, 2)) AS DOUBLE))".to_string(),
                "E_UNSUPPORTED_FUNCTION: `PERCENTILE_DISC` on Flink 2.2: ".to_string(),
                "E_UNSUPPORTED_FUNCTION: `PERCENTILE_DISC` on StarRocks 3.5: ".to_string(),
            ],
        ),
    ]
}

/// What does not fit is NULL, from text only plain digits are read, and the cut is toward zero.
fn casts() -> Vec<Row> {
    // The `$` of Flink and StarRocks stops before a last end of a line too: `1\n` would be a number.
    let text_guard = |test: &str, pattern: &str, value: &str| {
        let end = match (test, value.starts_with("TRY_CAST")) {
            ("REGEXP", true) => r"\z",
            ("REGEXP", false) => r"\\z",
            _ => "$",
        };
        format!("CASE WHEN {test}(t.s, '{pattern}{end}') THEN {value} END")
    };
    let (digits, fraction) = ("^[+-]?[0-9]+", "^[+-]?[0-9]+([.][0-9]+)?");
    let truth = "^([Tt][Rr][Uu][Ee]|[Ff][Aa][Ll][Ss][Ee])";
    let from_text = |to, word: &str, pattern| {
        let tried = format!("TRY_CAST(t.s AS {word})");
        row(
            cast(s(), to),
            [
                text_guard("REGEXP_LIKE", pattern, &tried),
                text_guard("REGEXP_MATCHES", pattern, &tried),
                text_guard("REGEXP", pattern, &tried),
                text_guard("REGEXP", pattern, &format!("CAST(t.s AS {word})")),
            ],
        )
    };
    let float_range = "t.f >= -9223372036854775808e0 AND t.f < 9223372036854775808e0";
    vec![
        from_text(BIG, "BIGINT", digits),
        from_text(DataType::Boolean, "BOOLEAN", truth),
        // DataFusion's TRY_CAST of an empty text to a decimal is 0; StarRocks enforces no precision.
        row(
            cast(s(), decimal(5, 1)),
            [
                text_guard("REGEXP_LIKE", fraction, "TRY_CAST(t.s AS DECIMAL(5, 1))"),
                text_guard("REGEXP_MATCHES", fraction, "TRY_CAST(t.s AS DECIMAL(5, 1))"),
                text_guard("REGEXP", fraction, "TRY_CAST(t.s AS DECIMAL(5, 1))"),
                text_guard(
                    "REGEXP",
                    fraction,
                    "CASE WHEN ABS(CAST(t.s AS DECIMAL(38, 1))) < CAST('10000' AS DECIMAL(38, 0)) THEN CAST(t.s AS DECIMAL(5, 1)) END",
                ),
            ],
        ),
        // Flink's own cast fails on NaN and the infinities, TRY_CAST too.
        row(
            cast(f(), decimal(5, 1)),
            [
                "TRY_CAST(t.f AS DECIMAL(5, 1))",
                "TRY_CAST(t.f AS DECIMAL(5, 1))",
                "CASE WHEN ABS(t.f) < 1e38 THEN TRY_CAST(t.f AS DECIMAL(5, 1)) END",
                "CASE WHEN ABS(CAST(t.f AS DOUBLE)) < 10000e0 THEN CAST(t.f AS DECIMAL(5, 1)) END",
            ],
        ),
        // DuckDB rounds, Flink wraps or saturates, StarRocks gives the least number.
        row(
            cast(f(), BIG),
            [
                "TRY_CAST(t.f AS BIGINT)".to_string(),
                "TRY_CAST(TRUNC(t.f) AS BIGINT)".to_string(),
                format!("CASE WHEN {float_range} THEN CAST(t.f AS BIGINT) END"),
                format!("CASE WHEN {float_range} THEN CAST(TRUNCATE(t.f, 0) AS BIGINT) END"),
            ],
        ),
        row(
            cast(d(), BIG),
            [
                "NULLIF(CAST(t.d AS BIGINT), NULL)",
                "CAST(TRUNC(t.d) AS BIGINT)",
                "CAST(t.d AS BIGINT)",
                "CAST(TRUNCATE(t.d, 0) AS BIGINT)",
            ],
        ),
        row(
            cast(b(), INT),
            [
                "NULLIF(TRY_CAST(t.b AS INT), NULL)",
                "TRY_CAST(t.b AS INTEGER)",
                "CASE WHEN t.b > CAST('-2147483649' AS DECIMAL(19, 0)) AND t.b < CAST('2147483648' AS DECIMAL(19, 0)) THEN CAST(t.b AS INT) END",
                "CASE WHEN t.b > CAST('-2147483649' AS LARGEINT) AND t.b < CAST('2147483648' AS LARGEINT) THEN CAST(t.b AS INT) END",
            ],
        ),
        same(cast(d(), DOUBLE), "CAST(t.d AS DOUBLE)"),
        row(
            cast(d(), TEXT),
            ["CAST(t.d AS VARCHAR)", "CAST(t.d AS VARCHAR)", "CAST(t.d AS STRING)", "CAST(t.d AS STRING)"],
        ),
        row(
            cast(f(), TEXT),
            [
                "E_UNSUPPORTED_FUNCTION: `cast of Float64 to String` on DataFusion 54.0: ",
                "E_UNSUPPORTED_FUNCTION: `cast of Float64 to String` on DuckDB 2.0: ",
                "E_UNSUPPORTED_FUNCTION: `cast of Float64 to String` on Flink 2.2: ",
                "E_UNSUPPORTED_FUNCTION: `cast of Float64 to String` on StarRocks 3.5: ",
            ],
        ),
        row(
            cast(column("t", "yes", DataType::Boolean), TEXT),
            [
                "E_UNSUPPORTED_FUNCTION: `cast of Boolean to String` on DataFusion 54.0: ",
                "E_UNSUPPORTED_FUNCTION: `cast of Boolean to String` on DuckDB 2.0: ",
                "E_UNSUPPORTED_FUNCTION: `cast of Boolean to String` on Flink 2.2: ",
                "E_UNSUPPORTED_FUNCTION: `cast of Boolean to String` on StarRocks 3.5: ",
            ],
        ),
    ]
}

fn list() -> Row {
    let mut list = aggregate(AggregateFunction::ListAgg, vec![s(), text(", ")], TEXT);
    if let ExprKind::Aggregate(aggregate) = &mut *list.kind {
        aggregate.order_by =
            vec![OrderKey { expr: s(), descending: true, nulls_first: true }, ascending(i())];
    }
    let order = "ORDER BY t.s DESC NULLS FIRST, t.i ASC NULLS LAST";
    row(
        list,
        [
            format!("STRING_AGG(t.s, ', ' {order})"),
            format!("STRING_AGG(t.s, ', ' {order})"),
            "E_UNSUPPORTED_FUNCTION: `LISTAGG` on Flink 2.2: ".to_string(),
            format!("GROUP_CONCAT(t.s {order} SEPARATOR ', ')"),
        ],
    )
}

#[test]
fn aggregates_on_every_engine() {
    check_all(&rows());
}

#[test]
fn aggregates_on_other_versions_and_in_streaming() {
    let median = aggregate(AggregateFunction::Median, vec![d()], DOUBLE);
    for target in ["flink@1.20", "flink-streaming@1.20"] {
        check(&median, target, "E_UNSUPPORTED_FUNCTION: `MEDIAN` on Flink ");
    }
    check(
        &distinct(AggregateFunction::Count, vec![s(), i()], BIG),
        "flink-streaming",
        "E_UNSUPPORTED_FUNCTION: `COUNT` on Flink streaming 2.2: over several columns needs tuples",
    );
}
