//! Aggregates over a few rows, worked out on paper.

use super::super::sample::{check_aggregates, table};

#[test]
fn over_nothing_counts_are_zero_and_others_null() {
    check_aggregates(
        &[],
        &[
            ("COUNT(*)", "0"),
            ("COUNT(x)", "0"),
            ("COUNT(DISTINCT x)", "0"),
            ("COUNT_IF(x)", "0"),
            ("SUM(x)", "NULL"),
            ("AVG(x)", "NULL"),
            ("MIN(x)", "NULL"),
            ("MAX(x)", "NULL"),
            ("MEDIAN(x)", "NULL"),
            ("STDDEV(x)", "NULL"),
            ("VAR_POP(x)", "NULL"),
            ("PERCENTILE_CONT(0.5) WITHIN GROUP (ORDER BY x)", "NULL"),
            ("PERCENTILE_DISC(0.5) WITHIN GROUP (ORDER BY x)", "NULL"),
            ("BOOL_AND(x)", "NULL"),
            ("MIN_BY(x, y)", "NULL"),
            ("CORR(x, y)", "NULL"),
            ("LISTAGG(x, ',') WITHIN GROUP (ORDER BY x)", "NULL"),
        ],
    );
}

#[test]
fn nulls_do_not_count() {
    let rows = table(
        "x, y, s, c",
        &["1, 10.50, 'b', TRUE", "NULL, 2.25, 'a', NULL", "3, NULL, 'b', FALSE", "3, 2.25, NULL, TRUE"],
    );
    check_aggregates(
        &rows,
        &[
            ("COUNT(*)", "4"),
            ("COUNT(x)", "3"),
            ("COUNT(DISTINCT x)", "2"),
            ("COUNT(DISTINCT x, y)", "2"),
            ("APPROX_COUNT_DISTINCT(s)", "2"),
            ("SUM(x)", "7"),
            ("SUM(DISTINCT x)", "4"),
            ("SUM(y)", "15.00"),
            ("AVG(x)", "2.3333333333333335"),
            ("AVG(y)", "5.0"),
            ("AVG(DISTINCT x)", "2.0"),
            ("MIN(y)", "2.25"),
            ("MAX(s)", "'b'"),
            ("MIN(c)", "FALSE"),
            ("ANY_VALUE(s)", "'a'"),
            ("COUNT_IF(x > 1)", "2"),
            ("SUM_IF(x, c)", "4"),
            ("SUM(x) FILTER (WHERE c)", "4"),
            ("COUNT(*) FILTER (WHERE s = 'b')", "2"),
            ("SUM(x) FILTER (WHERE FALSE)", "NULL"),
            ("BOOL_AND(c)", "FALSE"),
            ("BOOL_OR(c)", "TRUE"),
            ("BOOL_AND(c) FILTER (WHERE c)", "TRUE"),
            ("SUM(x * y)", "17.25"),
            ("SUM(s)", "unknown"),
            ("MEDIAN(DISTINCT x)", "unknown"),
            ("ARRAY_AGG(x)", "unknown"),
            ("LISTAGG(s, '-') WITHIN GROUP (ORDER BY s)", "'a-b-b'"),
            ("LISTAGG(DISTINCT s, '-') WITHIN GROUP (ORDER BY s DESC)", "'b-a'"),
            ("STRING_AGG(s, '') WITHIN GROUP (ORDER BY y)", "'abb'"),
            ("LISTAGG(s, '-') WITHIN GROUP (ORDER BY 1)", "open"),
        ],
    );
}

#[test]
fn sums_have_38_digits() {
    let rows = table(
        "n, d",
        &["9223372036854775807, 99999999999999999999999999999999999999", "9223372036854775807, 1", "2, -1"],
    );
    check_aggregates(
        &rows,
        &[
            ("SUM(n)", "18446744073709551616"),
            ("SUM(n * 2)", "36893488147419103232"),
            ("SUM(CASE WHEN n > 2 THEN n * 2 ELSE 0 END)", "open"),
            ("MAX(n * 2)", "overflow"),
            ("SUM(d)", "open"),
            ("SUM(d) FILTER (WHERE d > 0)", "overflow"),
            ("SUM(n) FILTER (WHERE n = 2)", "2"),
        ],
    );
}

#[test]
fn percentiles_interpolate_or_choose() {
    let rows = table("x, s", &["100, 'c'", "50, 'a'", "200, 'e'", "75, 'b'", "30, NULL", "NULL, 'd'"]);
    check_aggregates(
        &rows,
        &[
            ("MEDIAN(x)", "75.0"),
            ("PERCENTILE_CONT(0.5) WITHIN GROUP (ORDER BY x)", "75.0"),
            // 0.25 * 4 = 1: the second of 30, 50, 75, 100, 200.
            ("PERCENTILE_CONT(0.25) WITHIN GROUP (ORDER BY x)", "50.0"),
            // 0.875 * 4 = 3.5: between 100 and 200.
            ("PERCENTILE_CONT(0.875) WITHIN GROUP (ORDER BY x)", "150.0"),
            ("PERCENTILE_CONT(0) WITHIN GROUP (ORDER BY x)", "30.0"),
            ("PERCENTILE_CONT(1.0) WITHIN GROUP (ORDER BY x)", "200.0"),
            ("APPROX_PERCENTILE(x, 0.5)", "75.0"),
            ("PERCENTILE_DISC(0.2) WITHIN GROUP (ORDER BY x)", "30"),
            ("PERCENTILE_DISC(0.21) WITHIN GROUP (ORDER BY x)", "50"),
            ("PERCENTILE_DISC(0) WITHIN GROUP (ORDER BY x)", "30"),
            ("PERCENTILE_DISC(1) WITHIN GROUP (ORDER BY x)", "200"),
            ("PERCENTILE_DISC(0.5) WITHIN GROUP (ORDER BY s)", "'c'"),
            ("PERCENTILE_CONT(2) WITHIN GROUP (ORDER BY x)", "unknown"),
            ("PERCENTILE_CONT(0.5) WITHIN GROUP (ORDER BY x DESC)", "unknown"),
        ],
    );
    let even = table("x", &["80", "100"]);
    check_aggregates(
        &even,
        &[("MEDIAN(x)", "90.0"), ("PERCENTILE_DISC(0.5) WITHIN GROUP (ORDER BY x)", "80")],
    );
}

#[test]
fn spread_is_of_a_sample_unless_said() {
    // Mean 5, squares 9+1+1+1+0+0+4+16 = 32.
    let rows = table("x", &["2", "4", "4", "4", "5", "5", "7", "9"]);
    check_aggregates(
        &rows,
        &[
            ("VAR_POP(x)", "4.0"),
            ("STDDEV_POP(x)", "2.0"),
            ("VARIANCE(x)", "4.571428571428571"),
            ("VAR_SAMP(x)", "4.571428571428571"),
            ("STDDEV(x)", "2.138089935299395"),
            ("STDDEV_SAMP(x)", "2.138089935299395"),
        ],
    );
    check_aggregates(
        &table("x", &["5", "NULL"]),
        &[("STDDEV(x)", "NULL"), ("VAR_SAMP(x)", "NULL"), ("STDDEV_POP(x)", "0.0"), ("VAR_POP(x)", "0.0")],
    );
}

#[test]
fn pairs_need_both() {
    let rows = table("x, y", &["1, 2", "2, 4", "3, 6", "NULL, 100", "100, NULL"]);
    check_aggregates(
        &rows,
        &[
            // Products of distances 2+0+2 = 4.
            ("COVAR_SAMP(x, y)", "2.0"),
            ("COVAR_POP(x, y)", "1.3333333333333333"),
            ("CORR(x, y) FILTER (WHERE x < 2)", "open"),
            ("COVAR_SAMP(x, y) FILTER (WHERE x < 2)", "NULL"),
            ("COVAR_POP(x, y) FILTER (WHERE x < 2)", "0.0"),
        ],
    );
}

#[test]
fn picks_break_ties_by_the_least() {
    let rows = table("x, y", &["'b', 2", "'a', 2", "NULL, 2", "NULL, 1", "'z', NULL"]);
    check_aggregates(
        &rows,
        &[
            ("MAX_BY(x, y)", "'a'"),
            ("MIN_BY(x, y)", "NULL"),
            ("MAX_BY(x, y) FILTER (WHERE x IS NULL)", "NULL"),
            ("MAX_BY(x, y) FILTER (WHERE x = 'z')", "NULL"),
        ],
    );
}

#[test]
fn floats_are_added_as_floats() {
    let rows = table("x, n", &["1e0, 1", "5e-1, 2", "NULL, 3"]);
    check_aggregates(
        &rows,
        &[
            ("SUM(x)", "1.5"),
            ("AVG(x)", "0.75"),
            ("SUM(x * n)", "2.0"),
            ("SUM(CASE WHEN x IS NULL THEN n ELSE x END)", "4.5"),
            ("COUNT(DISTINCT x)", "unknown"),
            ("MAX(x)", "1.0"),
        ],
    );
}
