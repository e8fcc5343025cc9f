//! Windows over a few rows, worked out on paper.

use super::super::sample::{check_windows, table};

#[test]
fn ranking_knows_peers() {
    let rows = table("p, k, id", &["'a', 10, 1", "'a', 20, 2", "'a', 20, 3", "'b', 5, 4", "'a', NULL, 5"]);
    check_windows(
        &rows,
        &[
            ("RANK() OVER (PARTITION BY p ORDER BY k)", "1 2 2 1 4"),
            ("DENSE_RANK() OVER (PARTITION BY p ORDER BY k)", "1 2 2 1 3"),
            ("RANK() OVER (PARTITION BY p ORDER BY k DESC)", "4 2 2 1 1"),
            ("RANK() OVER (PARTITION BY p ORDER BY k NULLS FIRST)", "2 3 3 1 1"),
            ("ROW_NUMBER() OVER (PARTITION BY p ORDER BY k, id)", "1 2 3 1 4"),
            ("ROW_NUMBER() OVER (PARTITION BY p ORDER BY k)", "open"),
            ("ROW_NUMBER() OVER (ORDER BY id DESC)", "5 4 3 2 1"),
            ("ROW_NUMBER() OVER (PARTITION BY p)", "unknown"),
            (
                "PERCENT_RANK() OVER (PARTITION BY p ORDER BY k, id)",
                "0.0 0.3333333333333333 0.6666666666666666 0.0 1.0",
            ),
            ("CUME_DIST() OVER (PARTITION BY p ORDER BY k)", "0.25 0.75 0.75 1.0 1.0"),
            ("NTILE(2) OVER (ORDER BY id)", "1 1 1 2 2"),
            ("NTILE(3) OVER (ORDER BY id)", "1 1 2 2 3"),
            ("NTILE(9) OVER (ORDER BY id)", "1 2 3 4 5"),
            ("NTILE(1) OVER (ORDER BY p)", "1 1 1 1 1"),
        ],
    );
}

#[test]
fn neighbours_have_a_default_outside_only() {
    let rows = table("id, x", &["3, 30", "1, NULL", "2, 20"]);
    check_windows(
        &rows,
        &[
            ("LAG(x) OVER (ORDER BY id)", "20 NULL NULL"),
            ("LAG(x, 1, -1) OVER (ORDER BY id)", "20 -1 NULL"),
            ("LEAD(x) OVER (ORDER BY id)", "NULL 20 30"),
            ("LEAD(x, 2, 0) OVER (ORDER BY id)", "0 30 0"),
            ("LAG(x, 0) OVER (ORDER BY id)", "30 NULL 20"),
            ("LAG(x) IGNORE NULLS OVER (ORDER BY id)", "20 NULL NULL"),
            ("LEAD(x, 2) IGNORE NULLS OVER (ORDER BY id DESC)", "NULL NULL NULL"),
            ("FIRST_VALUE(x) OVER (ORDER BY id)", "NULL NULL NULL"),
            ("FIRST_VALUE(x) IGNORE NULLS OVER (ORDER BY id)", "20 NULL 20"),
            ("LAST_VALUE(x) OVER (ORDER BY id)", "30 NULL 20"),
            (
                "LAST_VALUE(x) OVER (ORDER BY id ROWS BETWEEN UNBOUNDED PRECEDING AND UNBOUNDED FOLLOWING)",
                "30 30 30",
            ),
            ("NTH_VALUE(x, 2) OVER (ORDER BY id)", "20 NULL 20"),
        ],
    );
}

#[test]
fn ties_leave_open_what_they_change() {
    let rows = table("k, x, same", &["1, 10, 7", "1, 20, 7", "2, 30, 7"]);
    check_windows(
        &rows,
        &[
            ("LAG(x) OVER (ORDER BY k)", "open"),
            ("SUM(x) OVER (ORDER BY k)", "30 30 60"),
            ("SUM(x) OVER (ORDER BY k ROWS UNBOUNDED PRECEDING)", "open"),
            ("SUM(same) OVER (ORDER BY k ROWS 1 PRECEDING)", "open"),
            ("MAX(same) OVER (ORDER BY k ROWS 1 PRECEDING)", "7 7 7"),
            ("FIRST_VALUE(same) OVER (ORDER BY k)", "7 7 7"),
            ("FIRST_VALUE(x) OVER (ORDER BY k)", "open"),
            ("LAST_VALUE(k) OVER (ORDER BY k)", "1 1 2"),
            ("SUM(x) OVER (ORDER BY k ROWS BETWEEN UNBOUNDED PRECEDING AND UNBOUNDED FOLLOWING)", "60 60 60"),
        ],
    );
    let many = table("k, x", &["1, 1", "1, 1", "1, 1", "1, 1", "1, 1", "1, 1", "1, 1"]);
    check_windows(
        &many,
        &[("LAG(x) OVER (ORDER BY k)", "open"), ("COUNT(*) OVER (ORDER BY k)", "7 7 7 7 7 7 7")],
    );
}

#[test]
fn frames_of_rows_and_of_values() {
    let rows = table("id, k, x", &["1, 1, 10", "2, 2, 20", "3, 4, 30", "4, 7, 40", "5, NULL, 50"]);
    check_windows(
        &rows,
        &[
            ("SUM(x) OVER ()", "150 150 150 150 150"),
            ("SUM(x) OVER (ORDER BY id)", "10 30 60 100 150"),
            ("SUM(x) OVER (ORDER BY id DESC)", "150 140 120 90 50"),
            ("SUM(x) OVER (ORDER BY id ROWS 1 PRECEDING)", "10 30 50 70 90"),
            ("SUM(x) OVER (ORDER BY id ROWS BETWEEN 1 PRECEDING AND 1 FOLLOWING)", "30 60 90 120 90"),
            (
                "SUM(x) OVER (ORDER BY id ROWS BETWEEN CURRENT ROW AND UNBOUNDED FOLLOWING)",
                "150 140 120 90 50",
            ),
            ("SUM(x) OVER (ORDER BY id ROWS BETWEEN 2 FOLLOWING AND 3 FOLLOWING)", "70 90 50 NULL NULL"),
            ("COUNT(x) OVER (ORDER BY id ROWS BETWEEN 3 PRECEDING AND 2 PRECEDING)", "0 0 1 2 2"),
            ("COUNT(*) OVER (ORDER BY id ROWS BETWEEN 1 FOLLOWING AND 1 PRECEDING)", "0 0 0 0 0"),
            // Keys 1, 2, 4, 7, NULL: within 2 below are 10, 10+20, 20+30, 40; a NULL has its own kind only.
            ("SUM(x) OVER (ORDER BY k RANGE BETWEEN 2 PRECEDING AND CURRENT ROW)", "10 30 50 40 50"),
            ("SUM(x) OVER (ORDER BY k RANGE BETWEEN 1 PRECEDING AND 2 FOLLOWING)", "30 60 30 40 50"),
            ("SUM(x) OVER (ORDER BY k DESC RANGE BETWEEN 2 PRECEDING AND CURRENT ROW)", "30 50 30 40 50"),
            (
                "SUM(x) OVER (ORDER BY k RANGE BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING)",
                "NULL 10 30 60 150",
            ),
            (
                "SUM(x) OVER (ORDER BY k RANGE BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW)",
                "10 30 60 100 150",
            ),
            ("SUM(x) OVER (ORDER BY id, k RANGE BETWEEN 1 PRECEDING AND CURRENT ROW)", "unknown"),
            ("SUM(x) OVER (ORDER BY id GROUPS 1 PRECEDING)", "E_DEFERRED_FRAME_MODE"),
            ("SUM(x) OVER (ORDER BY id ROWS :n PRECEDING)", "E_DEFERRED_FRAME_MODE"),
            ("AVG(x) OVER (ORDER BY id ROWS 1 PRECEDING)", "10.0 15.0 25.0 35.0 45.0"),
            ("MAX_BY(x, id) OVER (ORDER BY id)", "unknown"),
        ],
    );
}

#[test]
fn rows_without_an_order_are_peers() {
    let rows = table("p, x", &["'a', 1", "'b', 2", "'a', 3", "NULL, 4", "NULL, 5"]);
    check_windows(
        &rows,
        &[
            ("SUM(x) OVER (PARTITION BY p)", "4 2 4 9 9"),
            ("COUNT(*) OVER (PARTITION BY p)", "2 1 2 2 2"),
            ("FIRST_VALUE(p) OVER (PARTITION BY p)", "'a' 'b' 'a' NULL NULL"),
            ("COUNT(*) FILTER (WHERE x > 1) OVER (PARTITION BY p)", "1 1 1 2 2"),
            (
                "SUM(x) OVER (ORDER BY x RANGE BETWEEN UNBOUNDED PRECEDING AND UNBOUNDED FOLLOWING)",
                "15 15 15 15 15",
            ),
        ],
    );
    check_windows(&[], &[("SUM(x) OVER ()", "")]);
}
