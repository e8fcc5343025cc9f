//! What may stand inside what: aggregates, windows and metrics in each other.

use crate::diagnostic::{Code, Diagnostic};
use crate::expr::ExprKind;
use crate::resolve::typing::{Ctx, Inside};
use crate::resolve::{ModelExpr, Reference};
use crate::source::Span;

impl Ctx<'_> {
    /// A metric is an aggregate already, so it cannot stand inside one.
    pub(super) fn check_metric_use(&mut self, found: &ModelExpr, span: Span) {
        let is_metric = matches!(*found.kind, ExprKind::Reference(Reference::Metric(_)));
        if is_metric && matches!(self.inside, Inside::Aggregate | Inside::WindowAggregate | Inside::RowWindow)
        {
            self.diagnostics.push(nested_aggregation("the metric", span));
        }
    }
}

pub(super) fn nested_aggregation(inner: &str, span: Span) -> Diagnostic {
    Diagnostic::new(
        Code::NestedAggregationDeferred,
        format!("{inner} is an aggregate inside an aggregate, a nested aggregation that OSI has deferred"),
    )
    .at(span, "the inner aggregate")
    .help("a plain aggregate over the finer dataset gives the same for SUM, COUNT, MIN and MAX")
}

pub(super) fn nested_window(inner: &str, span: Span) -> Diagnostic {
    Diagnostic::new(Code::NestedWindow, format!("{inner} is a window nested inside another window"))
        .at(span, "the inner window")
        .help("make the inner window a field of its dataset and use the field")
}

pub(super) fn deferred_frame(reason: &str, span: Span) -> Diagnostic {
    Diagnostic::new(Code::DeferredFrameMode, format!("window frame: {reason}"))
        .at(span, "this frame")
        .help("use ROWS or RANGE with integer literals")
}

pub(super) fn finer_than_groups(function: &str, span: Span) -> Diagnostic {
    Diagnostic::new(
        Code::UnaggregatedFinerGrainReference,
        format!("{function} in a window runs over the request's groups, but its argument is a value of single rows"),
    )
    .at(span, "this window")
    .help(format!("aggregate the argument first, as in {function}(SUM(x)) OVER (..)"))
}
