//! What the rules refuse before any row is read. In: expressions of the model and of a request. Out: the codes, all of them: a compiler may
//! name any.

use unisono_compiler::source::Spanned;
use unisono_compiler::syntax::expr::{
    Call, Expr, ExprKind, FrameBound, FrameMode, Ident, Literal, WindowSpec,
};

use super::paths::Way;
use super::rows::{FieldName, World};
use super::time;
use super::tree::{names_of, walk, walk_call};
use crate::expr;
use crate::stop::Stop;

/// Reasons to stop, collected until all checks have run.
#[derive(Default)]
pub(super) struct Reasons {
    /// Codes of refusals.
    pub(super) codes: Vec<&'static str>,
    /// The first reason of another kind.
    other: Option<Stop>,
}

impl Reasons {
    /// Keeps why a step failed, or gives its value.
    pub(super) fn note<T>(&mut self, result: Result<T, Stop>) -> Option<T> {
        match result {
            Ok(value) => Some(value),
            Err(Stop::Refused(codes)) => {
                self.codes.extend(codes);
                None
            }
            Err(other) => {
                self.other.get_or_insert(other);
                None
            }
        }
    }

    /// Adds a code.
    pub(super) fn add(&mut self, code: &'static str) {
        self.codes.push(code);
    }

    /// Nothing, or why the request ends here. What is open or unknown may bring codes of its own, so it wins.
    pub(super) fn result(mut self) -> Result<(), Stop> {
        self.codes.sort_unstable();
        self.codes.dedup();
        match self.other {
            Some(other) => Err(other),
            None if self.codes.is_empty() => Ok(()),
            None => Err(Stop::Refused(self.codes)),
        }
    }
}

/// Whether a call aggregates rows, if it had no OVER.
pub(super) fn aggregates(call: &Call) -> bool {
    let plain = Call { over: None, ..call.clone() };
    expr::is_aggregate(&plain)
}

/// The outermost aggregates and windows of an expression, and the names outside of both.
#[derive(Default)]
pub(super) struct Level {
    /// Names outside.
    pub(super) names: Vec<Vec<Spanned<Ident>>>,
    /// Aggregates.
    pub(super) aggregates: Vec<Call>,
    /// Windows.
    pub(super) windows: Vec<Call>,
}

/// Looks at an expression's levels; `known` nodes are passed over, such as dimensions.
pub(super) fn level(expr: &Expr, known: &[Expr]) -> Level {
    let mut found = Level::default();
    walk(expr, &mut |part| {
        if known.contains(part) {
            return false;
        }
        match &*part.kind {
            ExprKind::Name(parts) => found.names.push(parts.clone()),
            ExprKind::Call(call) if call.over.is_some() => found.windows.push((**call).clone()),
            ExprKind::Call(call) if aggregates(call) => found.aggregates.push((**call).clone()),
            _ => return true,
        }
        false
    });
    found
}

/// The rules for each window of an expression: frames by ROWS and RANGE with integers, no window inside a window.
pub(super) fn check_windows(expr: &Expr, reasons: &mut Reasons) {
    walk(expr, &mut |part| {
        if let ExprKind::Call(call) = &*part.kind
            && let Some(over) = &call.over
        {
            check_frame(over, reasons);
            let mut has_window = false;
            walk_call(call, &mut |inner| {
                has_window |= matches!(&*inner.kind, ExprKind::Call(call) if call.over.is_some());
                true
            });
            if has_window {
                reasons.add("E_NESTED_WINDOW");
            }
        }
        true
    });
}

fn check_frame(over: &WindowSpec, reasons: &mut Reasons) {
    let Some(frame) = &over.frame else { return };
    let is_literal = |bound: &FrameBound| match bound {
        FrameBound::Preceding(offset) | FrameBound::Following(offset) => {
            matches!(&*offset.kind, ExprKind::Literal(Literal::Integer(_)))
        }
        FrameBound::UnboundedPreceding | FrameBound::CurrentRow | FrameBound::UnboundedFollowing => true,
    };
    let frame = &frame.value;
    if frame.mode == FrameMode::Groups || !is_literal(&frame.start) || !is_literal(&frame.end) {
        reasons.add("E_DEFERRED_FRAME_MODE");
    }
}

/// Names, fields and windows of a request's or metric's expression.
pub(super) fn check_expression(world: &World<'_>, expr: &Expr, from_request: bool, reasons: &mut Reasons) {
    check_windows(expr, reasons);
    for parts in names_of(expr) {
        match parts.as_slice() {
            [one] => {
                let name = one.value.text.as_str();
                match world.model.metric(name) {
                    Some(metric) if from_request && world.model.metrics[metric].private => {
                        reasons.add("E_NAME_NOT_FOUND");
                    }
                    Some(metric) => check_metric(world, metric, &mut Vec::new(), reasons),
                    None if time::metric_time(name).is_some() => {}
                    None => reasons.add("E_NAME_NOT_FOUND"),
                }
            }
            [dataset, field] => match world.model.field(&dataset.value.text, &field.value.text) {
                Some((dataset, field))
                    if from_request && world.model.datasets[dataset].fields[field].private =>
                {
                    reasons.add("E_NAME_NOT_FOUND");
                }
                Some((dataset, field)) => check_field(world, dataset, field, &mut Vec::new(), reasons),
                None => reasons.add("E_NAME_NOT_FOUND"),
            },
            _ => reasons.add("E_NAME_NOT_FOUND"),
        }
    }
    for call in level(expr, &[]).aggregates.iter().chain(&inner_aggregates(expr)) {
        check_aggregate(world, call, reasons);
    }
}

/// The aggregates inside windows: `SUM(SUM(x)) OVER ()` has one.
fn inner_aggregates(expr: &Expr) -> Vec<Call> {
    let mut found = Vec::new();
    for window in level(expr, &[]).windows {
        walk_call(&window, &mut |part| match &*part.kind {
            ExprKind::Call(call) if call.over.is_none() && aggregates(call) => {
                found.push((**call).clone());
                false
            }
            _ => true,
        });
    }
    found
}

/// No aggregate and no metric inside an aggregate.
fn check_aggregate(world: &World<'_>, call: &Call, reasons: &mut Reasons) {
    let mut is_nested = false;
    walk_call(call, &mut |part| {
        match &*part.kind {
            ExprKind::Call(inner) if inner.over.is_none() && aggregates(inner) => is_nested = true,
            ExprKind::Call(inner) if inner.over.is_some() => {
                reasons.note::<()>(Err(Stop::Unknown("a window inside an aggregate".into())));
            }
            ExprKind::Name(parts) => {
                if let [one] = parts.as_slice() {
                    if world.model.metric(&one.value.text).is_some() {
                        is_nested = true;
                    } else if time::metric_time(&one.value.text).is_some() {
                        reasons.note::<()>(Err(Stop::Unknown("metric_time inside an aggregate".into())));
                    }
                }
            }
            _ => {}
        }
        true
    });
    if is_nested {
        reasons.add("E_NESTED_AGGREGATION_DEFERRED");
    }
}

/// Everything that is wrong with a metric and what it is built on.
pub(super) fn check_metric(world: &World<'_>, metric: usize, above: &mut Vec<usize>, reasons: &mut Reasons) {
    if above.contains(&metric) {
        reasons.add("E_METRIC_CYCLE");
        return;
    }
    let Some(expr) = reasons.note(world.model.metrics[metric].expr.clone()) else { return };
    above.push(metric);
    let mut has_metric = false;
    for parts in names_of(&expr) {
        let Some(other) = parts.first().filter(|_| parts.len() == 1) else { continue };
        if let Some(other) = world.model.metric(&other.value.text) {
            has_metric = true;
            check_metric(world, other, above, reasons);
            let windows = world.model.metrics[other].expr.as_ref().map(|expr| level(expr, &[]).windows);
            if windows.is_ok_and(|windows| !windows.is_empty()) {
                reasons.add("E_WINDOWED_METRIC_COMPOSITION");
            }
        }
    }
    above.pop();
    if reasons.codes.contains(&"E_METRIC_CYCLE") {
        // Names are looked at again below, and a circle would never end.
        return;
    }
    let found = level(&expr, &[]);
    if found.aggregates.is_empty() && found.windows.is_empty() && !has_metric {
        reasons.add("E_UNAGGREGATED_FINER_GRAIN_REFERENCE");
    }
    check_parts(world, &expr, reasons);
}

/// The expression of a metric without its metrics, which have been looked at.
fn check_parts(world: &World<'_>, expr: &Expr, reasons: &mut Reasons) {
    let masked = super::tree::map(expr, &mut |part| match &*part.kind {
        ExprKind::Name(parts) if parts.len() == 1 && world.model.metric(&parts[0].value.text).is_some() => {
            Ok(Some(super::tree::text_of("a metric")))
        }
        _ => Ok(None),
    });
    let Some(masked) = reasons.note(masked) else { return };
    check_expression(world, &masked, false, reasons);
    for call in level(expr, &[]).aggregates.iter().chain(&inner_aggregates(expr)) {
        check_aggregate(world, call, reasons);
    }
}

/// Everything that is wrong with a field and what it is built on.
pub(super) fn check_field(
    world: &World<'_>,
    dataset: usize,
    field: usize,
    above: &mut Vec<(usize, usize)>,
    reasons: &mut Reasons,
) {
    if above.contains(&(dataset, field)) {
        reasons.add("E_FIELD_CYCLE");
        return;
    }
    let Some(expr) = reasons.note(world.model.datasets[dataset].fields[field].expr.clone()) else { return };
    check_windows(&expr, reasons);
    walk(&expr, &mut |part| {
        if matches!(&*part.kind, ExprKind::Call(call) if call.over.is_none() && aggregates(call)) {
            reasons.add("E_AGGREGATE_IN_FIELD");
        }
        true
    });
    let in_window: Vec<Vec<Spanned<Ident>>> = level(&expr, &[])
        .windows
        .iter()
        .flat_map(|window| names_of(&Expr::new(ExprKind::Call(Box::new(window.clone())), expr.span)))
        .collect();
    above.push((dataset, field));
    for parts in names_of(&expr) {
        let Some(name) = reasons.note(world.name_in_field(dataset, &parts)) else { continue };
        match name {
            FieldName::Column(_) => {}
            FieldName::Metric => reasons.add("E_AGGREGATE_IN_FIELD"),
            FieldName::Missing => reasons.add("E_NAME_NOT_FOUND"),
            FieldName::Field(other, number) => {
                check_field(world, other, number, above, reasons);
                match world.way(dataset, other) {
                    Ok(Way::Near(_)) => {}
                    Ok(Way::Far { up, down }) => {
                        let edge = &world.model.relationships[up[0].relationship];
                        let is_edge = !edge.to_is_one && !edge.from_is_one;
                        if is_edge || !down.is_empty() {
                            reasons.add("E3012_MN_NO_SAFE_REWRITE");
                        } else {
                            reasons.add("E_UNAGGREGATED_FINER_GRAIN_REFERENCE");
                        }
                        if in_window.contains(&parts) {
                            // The draft's vector T-036b takes both.
                            reasons.add("E_AMBIGUOUS_MEASURE_GRAIN");
                            reasons.add("E_UNAGGREGATED_FINER_GRAIN_REFERENCE");
                        }
                    }
                    Err(stop) => {
                        reasons.note::<()>(Err(stop));
                    }
                }
            }
        }
    }
    above.pop();
}

/// What a compiler may refuse about a model although a request does not use it.
pub(super) fn model_reasons(world: &World<'_>) -> Vec<&'static str> {
    let mut reasons = Reasons::default();
    for (number, dataset) in world.model.datasets.iter().enumerate() {
        for field in 0..dataset.fields.len() {
            check_field(world, number, field, &mut Vec::new(), &mut reasons);
        }
    }
    for metric in 0..world.model.metrics.len() {
        check_metric(world, metric, &mut Vec::new(), &mut reasons);
    }
    reasons.codes.sort_unstable();
    reasons.codes.dedup();
    reasons.codes
}
