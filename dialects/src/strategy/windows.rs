//! Windows that a target refuses, or accepts and computes wrongly: they are refused by name before any text is made.
//! In: a relation and the target's limits. Out: diagnostics.

use unisono_compiler::diagnostic::{Code, Diagnostic};
use unisono_compiler::expr::{ExprKind, Frame, FrameBound, FrameMode, Literal, Window};
use unisono_compiler::function::{Function, Ranking, Scalar, WindowFunction};
use unisono_compiler::relation::{ColumnRef, RelExpr, Relation, Select, Source};

use super::rewrite::exprs;
use crate::capabilities::{Capabilities, RangeOffsets, RunningOrder, SeveralKeys, WindowKeys, Windows};
use crate::target::Target;

/// Reports every window of the relation that the target cannot compute.
pub(crate) fn check(
    relation: &Relation,
    capabilities: &Capabilities,
    target: Target,
    diagnostics: &mut Vec<Diagnostic>,
) {
    let named = relation
        .ctes
        .iter()
        .flat_map(|cte| cte.body.selects().iter().map(|select| (Some(&*cte.name), select)));
    for (name, select) in named.chain([(None, &relation.body)]) {
        let windows = windows_of(select);
        for (_, window) in &windows {
            if let Some((why, help)) = range_problem(window, capabilities.range_offsets) {
                report(window, why, help, target, diagnostics);
            }
            if capabilities.several_keys == SeveralKeys::DefaultFrame && is_range_by_several_keys(window) {
                let why = "RANGE over an order by several keys goes from the first row to this one only";
                report(window, why, "order by one key, write ROWS, or use Flink 2.0", target, diagnostics);
            }
            if capabilities.window_keys == WindowKeys::NoConstants && has_constant_key(window) {
                let why = "PARTITION BY and ORDER BY take no constant";
                report(window, why, "leave the constant out", target, diagnostics);
            }
        }
        match capabilities.windows {
            Windows::Free => {}
            Windows::Running(order) => check_running(relation, name, &windows, order, target, diagnostics),
        }
    }
}

type Named<'a> = (Option<&'a str>, &'a Window<ColumnRef>);

fn windows_of(select: &Select) -> Vec<Named<'_>> {
    let mut found = Vec::new();
    for item in &select.items {
        let is_bare = matches!(&*item.expr.kind, ExprKind::Window(_));
        collect(&item.expr, is_bare.then_some(item.name.as_str()), &mut found);
    }
    for expr in exprs(select).skip(select.items.len()) {
        collect(expr, None, &mut found);
    }
    found
}

fn collect<'a>(expr: &'a RelExpr, item: Option<&'a str>, found: &mut Vec<Named<'a>>) {
    if let ExprKind::Window(window) = &*expr.kind {
        found.push((item, window));
    }
    for child in expr.children() {
        collect(child, None, found);
    }
}

fn range_problem(window: &Window<ColumnRef>, offsets: RangeOffsets) -> Option<(&'static str, &'static str)> {
    let RangeOffsets::Absent(since) = offsets else { return None };
    let frame = window.frame.filter(|frame| frame.mode == FrameMode::Range)?;
    let is_offset = |bound| matches!(bound, FrameBound::Preceding(_) | FrameBound::Following(_));
    match (frame.start, frame.end) {
        (start, end) if is_offset(start) || is_offset(end) => {
            Some(("RANGE with a number has no form", since))
        }
        (FrameBound::CurrentRow, FrameBound::CurrentRow) => {
            Some(("RANGE over the peers of a row alone has no form", since))
        }
        _ => None,
    }
}

/// Whether a frame is a RANGE over several keys, and not the default one.
fn is_range_by_several_keys(window: &Window<ColumnRef>) -> bool {
    let is_default =
        |frame: Frame| (frame.start, frame.end) == (FrameBound::UnboundedPreceding, FrameBound::CurrentRow);
    let range = window.frame.filter(|frame| frame.mode == FrameMode::Range);
    window.order_by.len() > 1 && range.is_some_and(|frame| !is_default(frame))
}

/// The frame as it is written: none without an order, where each is the whole partition and StarRocks takes none, and none where the
/// target takes only that for which none stands.
pub(crate) fn written_frame(window: &Window<ColumnRef>, several_keys: SeveralKeys) -> Option<Frame> {
    let frame = window.frame.filter(|_| !window.order_by.is_empty())?;
    match several_keys {
        SeveralKeys::AnyFrame => Some(frame),
        SeveralKeys::DefaultFrame => {
            (window.order_by.len() == 1 || frame.mode != FrameMode::Range).then_some(frame)
        }
    }
}

/// Whether a key has no column in it.
fn has_constant_key(window: &Window<ColumnRef>) -> bool {
    let ordered = window.order_by.iter().map(|key| &key.expr);
    window.partition_by.iter().chain(ordered).any(|key| key.references().is_empty())
}

fn check_running(
    relation: &Relation,
    name: Option<&str>,
    windows: &[Named<'_>],
    order: RunningOrder,
    target: Target,
    diagnostics: &mut Vec<Diagnostic>,
) {
    let running: Vec<&Window<ColumnRef>> = windows
        .iter()
        .filter(|(item, window)| !is_first_rows(relation, name, *item, window))
        .map(|(_, window)| *window)
        .collect();
    for window in &running {
        if let Some((why, help)) = running_problem(window, order) {
            report(window, why, help, target, diagnostics);
        }
    }
    if let Some((first, rest)) = running.split_first()
        && let Some(other) = rest.iter().find(|window| !same_window(first, window))
    {
        let why = "two different windows in one select are not computed in streaming mode";
        report(other, why, "ask for the two measures in two requests", target, diagnostics);
    }
}

fn same_window(a: &Window<ColumnRef>, b: &Window<ColumnRef>) -> bool {
    a.partition_by == b.partition_by && a.order_by == b.order_by && a.frame == b.frame
}

/// `ROW_NUMBER() .. AS n` under `WHERE n <= 3`: the engine keeps the first rows of each group, in any order.
fn is_first_rows(
    relation: &Relation,
    cte: Option<&str>,
    item: Option<&str>,
    window: &Window<ColumnRef>,
) -> bool {
    let (Some(cte), Some(item)) = (cte, item) else { return false };
    let keeps = |select: &Select| {
        let alias = select
            .from
            .iter()
            .find(|input| input.source == Source::Cte(cte.to_string()))
            .map(|input| &input.alias);
        alias.is_some_and(|alias| select.filter.iter().any(|predicate| bounds(predicate, alias, item)))
    };
    window.function == WindowFunction::Ranking(Ranking::RowNumber)
        && !window.order_by.is_empty()
        && relation.ctes.iter().flat_map(|cte| cte.body.selects()).chain([&relation.body]).any(keeps)
}

fn bounds(predicate: &RelExpr, alias: &str, item: &str) -> bool {
    let ExprKind::Call { function: Function::Scalar(scalar), arguments } = &*predicate.kind else {
        return false;
    };
    let [column, limit] = arguments.as_slice() else { return false };
    matches!(scalar, Scalar::Equal | Scalar::LessEqual | Scalar::Less)
        && matches!(&*column.kind, ExprKind::Reference(reference)
            if reference.alias.as_deref() == Some(alias) && reference.column == item)
        && matches!(&*limit.kind, ExprKind::Literal(Literal::Integer(_)))
}

fn running_problem(window: &Window<ColumnRef>, order: RunningOrder) -> Option<(&'static str, &'static str)> {
    const BATCH: &str = "use the `flink` target, which runs it in batch mode: `--dialect flink` of `sql`, `--target flink` of `compile`";
    match window.function {
        WindowFunction::Ranking(ranking) => match ranking {
            Ranking::FirstValue | Ranking::LastValue if !window.ignore_nulls => {
                return Some(("it skips NULLs in streaming mode, as if IGNORE NULLS were written", BATCH));
            }
            Ranking::RowNumber
            | Ranking::Rank
            | Ranking::DenseRank
            | Ranking::FirstValue
            | Ranking::LastValue => {}
            Ranking::Lag => {
                return Some(("it fails at run time over a plain column in streaming mode (2.2.1)", BATCH));
            }
            Ranking::Lead | Ranking::Ntile | Ranking::PercentRank | Ranking::CumeDist | Ranking::NthValue => {
                return Some(("it needs rows that a stream has not seen yet", BATCH));
            }
        },
        WindowFunction::Aggregate(_) => {
            if window.order_by.is_empty() {
                return Some(("a window without ORDER BY is not computed in streaming mode", BATCH));
            }
        }
    }
    if let RunningOrder::TimeAttribute(since) = order {
        return Some(("streaming mode orders windows by a time attribute of the source only", since));
    }
    if window.order_by.len() > 1 {
        return Some(("streaming mode orders windows by one column only", BATCH));
    }
    if window.order_by.iter().any(|key| key.descending) {
        return Some(("streaming mode orders windows ascending only", BATCH));
    }
    match window.frame {
        Some(Frame {
            mode: FrameMode::Rows,
            start: FrameBound::UnboundedPreceding,
            end: FrameBound::CurrentRow,
        })
        | None => None,
        Some(_) => {
            Some(("streaming mode computes ROWS BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW only", BATCH))
        }
    }
}

fn report(
    window: &Window<ColumnRef>,
    why: &str,
    help: &str,
    target: Target,
    diagnostics: &mut Vec<Diagnostic>,
) {
    let message = format!("`{} OVER` on {target}: {why}", window.function.name());
    let finding = Diagnostic::new(Code::UnsupportedFunction, message).help(help);
    if !diagnostics.contains(&finding) {
        diagnostics.push(finding);
    }
}
