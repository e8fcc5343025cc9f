//! Windows: frames and NULL orders written out, defaults and IGNORE NULLS where the engine heeds them, refused where it does not.

use unisono_compiler::expr::{ExprKind, Frame, FrameBound, FrameMode};
use unisono_compiler::function::{AggregateFunction, Ranking, WindowFunction};
use unisono_compiler::relation::RelExpr;

use super::{Row, check, check_all, row, same};
use crate::tests::relations::{
    BIG, DOUBLE, INT, RUNNING, TEXT, ascending, b, column, decimal, descending, integer, s, window,
};

const OVER: &str = "OVER (ORDER BY t.i ASC NULLS LAST)";
const RUN: &str = "OVER (ORDER BY t.i ASC NULLS LAST ROWS BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW)";

fn ranking(name: Ranking, arguments: Vec<RelExpr>, frame: Option<Frame>, ignore_nulls: bool) -> RelExpr {
    let data_type = match name {
        Ranking::PercentRank | Ranking::CumeDist => DOUBLE,
        _ => BIG,
    };
    let order = vec![ascending(column("t", "i", INT))];
    let mut expr = window(WindowFunction::Ranking(name), arguments, Vec::new(), order, frame, data_type);
    if let ExprKind::Window(window) = &mut *expr.kind {
        window.ignore_nulls = ignore_nulls;
    }
    expr
}

pub(super) fn rows() -> Vec<Row> {
    let mut rows = ranks();
    rows.extend(neighbours());
    rows.extend(edges());
    rows.extend(frames());
    rows
}

/// DataFusion counts in UINT64, Flink's NTILE in INT.
fn ranks() -> Vec<Row> {
    let rank = |name, called: &str| {
        let plain = format!("{called}() {OVER}");
        let signed = format!("CAST({plain} AS BIGINT)");
        row(ranking(name, Vec::new(), None, false), [signed, plain.clone(), plain.clone(), plain])
    };
    let ntile = format!("NTILE(2) {OVER}");
    let cast = format!("CAST({ntile} AS BIGINT)");
    let cume_dist = format!("CUME_DIST() {OVER}");
    let share =
        |name, called: &str| same(ranking(name, Vec::new(), None, false), &format!("{called}() {OVER}"));
    vec![
        rank(Ranking::RowNumber, "ROW_NUMBER"),
        rank(Ranking::Rank, "RANK"),
        rank(Ranking::DenseRank, "DENSE_RANK"),
        row(
            ranking(Ranking::Ntile, vec![integer("2")], None, false),
            [cast.clone(), ntile.clone(), cast, ntile],
        ),
        share(Ranking::PercentRank, "PERCENT_RANK"),
        row(
            ranking(Ranking::CumeDist, Vec::new(), None, false),
            [
                cume_dist.clone(),
                cume_dist.clone(),
                "E_UNSUPPORTED_FUNCTION: `CUME_DIST` on Flink 2.2: ".to_string(),
                cume_dist,
            ],
        ),
    ]
}

fn neighbours() -> Vec<Row> {
    let plain = |name, called: &str| {
        same(ranking(name, vec![b(), integer("2")], None, false), &format!("{called}(t.b, 2) {OVER}"))
    };
    let with_default = |name| ranking(name, vec![b(), integer("1"), integer("0")], None, false);
    let native = |called: &str, default: &str| format!("{called}(t.b, 1, {default}) {OVER}");
    let zero = "CAST(0 AS BIGINT)";
    let marked = |called: &str, mark: &str| {
        format!("CASE WHEN {called}({mark}, 1) {OVER} IS NULL THEN {zero} ELSE {called}(t.b, 1) {OVER} END")
    };
    let column = "CASE WHEN t.b IS NULL THEN 0 ELSE 1 END";
    let ignoring = |name| ranking(name, vec![b()], None, true);
    let not_heeded = |name: &str| {
        format!(
            "E_UNSUPPORTED_FUNCTION: `{name}` on Flink 2.2: Flink parses IGNORE NULLS and does not heed it"
        )
    };
    vec![
        plain(Ranking::Lag, "LAG"),
        plain(Ranking::Lead, "LEAD"),
        // With a default of its own Flink makes -1 of a NULL; StarRocks takes none that may be NULL, which a cast always may.
        row(
            with_default(Ranking::Lag),
            [
                native("LAG", "0"),
                native("LAG", zero),
                format!("CASE WHEN ROW_NUMBER() {OVER} <= 1 THEN {zero} ELSE LAG(t.b, 1) {OVER} END"),
                marked("LAG", column),
            ],
        ),
        row(
            with_default(Ranking::Lead),
            [
                native("LEAD", "0"),
                native("LEAD", zero),
                marked("LEAD", "1"),
                marked("LEAD", column),
            ],
        ),
        // LAG with IGNORE NULLS stops DataFusion's process; its place differs, and Flink does not heed it.
        row(
            ignoring(Ranking::Lag),
            [
                "LAST_VALUE(t.b) IGNORE NULLS OVER (ORDER BY t.i ASC NULLS LAST ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING)".to_string(),
                format!("LAG(t.b IGNORE NULLS) {OVER}"),
                not_heeded("LAG"),
                format!("LAG(t.b IGNORE NULLS) {OVER}"),
            ],
        ),
        row(
            ignoring(Ranking::Lead),
            [
                "FIRST_VALUE(t.b) IGNORE NULLS OVER (ORDER BY t.i ASC NULLS LAST ROWS BETWEEN 1 FOLLOWING AND UNBOUNDED FOLLOWING)".to_string(),
                format!("LEAD(t.b IGNORE NULLS) {OVER}"),
                not_heeded("LEAD"),
                format!("LEAD(t.b IGNORE NULLS) {OVER}"),
            ],
        ),
    ]
}

/// Flink's FIRST_VALUE and LAST_VALUE skip NULLs by themselves.
fn edges() -> Vec<Row> {
    let edge = |name, called: &str| {
        let plain = format!("{called}(t.b) {RUN}");
        let marked =
            format!("CASE WHEN {called}(CASE WHEN t.b IS NULL THEN 0 ELSE 1 END) {RUN} = 1 THEN {plain} END");
        row(ranking(name, vec![b()], Some(RUNNING), false), [plain.clone(), plain.clone(), marked, plain])
    };
    let nth = format!("NTH_VALUE(t.b, 2) {RUN}");
    vec![
        edge(Ranking::FirstValue, "FIRST_VALUE"),
        edge(Ranking::LastValue, "LAST_VALUE"),
        row(
            ranking(Ranking::FirstValue, vec![b()], Some(RUNNING), true),
            [
                format!("FIRST_VALUE(t.b) IGNORE NULLS {RUN}"),
                format!("FIRST_VALUE(t.b IGNORE NULLS) {RUN}"),
                format!("FIRST_VALUE(t.b) {RUN}"),
                format!("FIRST_VALUE(t.b IGNORE NULLS) {RUN}"),
            ],
        ),
        row(
            ranking(Ranking::NthValue, vec![b(), integer("2")], Some(RUNNING), false),
            [
                nth.clone(),
                nth,
                "E_UNSUPPORTED_FUNCTION: `NTH_VALUE` on Flink 2.2: ".to_string(),
                "E_UNSUPPORTED_FUNCTION: `NTH_VALUE` on StarRocks 3.5: ".to_string(),
            ],
        ),
    ]
}

fn frames() -> Vec<Row> {
    let peers =
        Frame { mode: FrameMode::Range, start: FrameBound::UnboundedPreceding, end: FrameBound::CurrentRow };
    let sum = |frame, keys| {
        let function = WindowFunction::Aggregate(AggregateFunction::Sum);
        let partition = vec![column("t", "s", TEXT)];
        window(function, vec![column("t", "d", decimal(10, 2))], partition, keys, frame, decimal(38, 2))
    };
    let text = |inside: &str| format!("SUM(CAST(t.d AS DECIMAL(38, 2))) OVER (PARTITION BY t.s{inside})");
    let key = || vec![descending(column("t", "i", INT))];
    let whole = Frame { end: FrameBound::UnboundedFollowing, mode: FrameMode::Rows, ..peers };
    vec![
        // StarRocks takes no frame without an order.
        same(sum(Some(whole), Vec::new()), &text("")),
        same(
            sum(Some(peers), key()),
            &text(" ORDER BY t.i DESC NULLS FIRST RANGE BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW"),
        ),
        same(
            sum(Some(Frame { mode: FrameMode::Rows, start: FrameBound::Preceding(2), ..peers }), key()),
            &text(" ORDER BY t.i DESC NULLS FIRST ROWS BETWEEN 2 PRECEDING AND CURRENT ROW"),
        ),
    ]
}

#[test]
fn windows_on_every_engine() {
    check_all(&rows());
}

#[test]
fn windows_that_starrocks_refuses_are_refused_by_name() {
    let back = |offset: &str| ranking(Ranking::Lag, vec![b(), integer(offset)], None, false);
    check(&back("0"), "starrocks", "E_UNSUPPORTED_FUNCTION: `LAG` on StarRocks 3.5: goes at least one row");
    let over = |partition, key, frame| {
        let function = WindowFunction::Aggregate(AggregateFunction::CountRows);
        window(function, Vec::new(), partition, vec![ascending(key)], frame, BIG)
    };
    let i = || column("t", "i", INT);
    let constant = "E_UNSUPPORTED_FUNCTION: `COUNT(*) OVER` on StarRocks 4.2: PARTITION BY and ORDER BY take no constant";
    check(&over(vec![integer("1")], i(), Some(RUNNING)), "starrocks@4.2", constant);
    check(&over(Vec::new(), integer("1"), Some(RUNNING)), "starrocks@4.2", constant);
    let peers = Frame { mode: FrameMode::Range, start: FrameBound::CurrentRow, end: FrameBound::CurrentRow };
    check(
        &over(Vec::new(), i(), Some(peers)),
        "starrocks",
        "E_UNSUPPORTED_FUNCTION: `COUNT(*) OVER` on StarRocks 3.5: RANGE over the peers of a row alone has no form",
    );
}

#[test]
fn ranges_by_several_keys_are_the_default_before_flink_2() {
    let over = |start, end| {
        let function = WindowFunction::Aggregate(AggregateFunction::CountRows);
        let frame = Frame { mode: FrameMode::Range, start, end };
        let keys = vec![ascending(b()), ascending(s())];
        window(function, Vec::new(), Vec::new(), keys, Some(frame), BIG)
    };
    let order = "COUNT(*) OVER (ORDER BY t.b ASC NULLS LAST, t.s ASC NULLS LAST";
    let running = over(FrameBound::UnboundedPreceding, FrameBound::CurrentRow);
    check(&running, "flink@1.20", &format!("{order})"));
    check(&running, "flink", &format!("{order} RANGE BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW)"));
    check(
        &over(FrameBound::CurrentRow, FrameBound::UnboundedFollowing),
        "flink@1.20",
        "E_UNSUPPORTED_FUNCTION: `COUNT(*) OVER` on Flink 1.20: RANGE over an order by several keys goes from the first row to this one only",
    );
}
