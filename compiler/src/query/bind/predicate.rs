//! Row predicates: `where` entries and the time range, parsed once and typed for each home.

use crate::data_type::DataType;
use crate::diagnostic::{Code, Diagnostic};
use crate::expr::{ExprKind, Literal};
use crate::function::Scalar;
use crate::query::Moment;
use crate::query::bind::entry::{Parsed, is_metric_time, parse_text};
use crate::query::bind::scope::RequestScope;
use crate::query::{ParamValue, Request, TimeRange};
use crate::resolve::typing::{call, constant, is_iso_date, normal_timestamp, number};
use crate::resolve::{ModelExpr, Reference, Resolved};
use crate::source::{Span, Spanned};
use crate::syntax::expr as syntax;

/// A predicate of the request, not yet typed.
pub(super) struct Predicate {
    pub(super) kind: Kind,
    /// As written, for messages.
    pub(super) text: String,
    pub(super) span: Span,
    pub(super) mentions_metric_time: bool,
}

/// Where a predicate comes from.
pub(super) enum Kind {
    /// An entry of `where`.
    Where(syntax::Expr),
    /// `dimension >= bound` (a start) or `dimension < bound` (an end).
    Bound { dimension: Parsed, bound: Spanned<String>, is_start: bool },
}

/// Parses `where` and `time_range`; `None` if any cannot be read.
pub(super) fn parse_predicates(
    resolved: &Resolved,
    request: &Request,
    diagnostics: &mut Vec<Diagnostic>,
) -> Option<Vec<Predicate>> {
    let mut predicates = Vec::new();
    let mut whole = true;
    for text in &request.where_all {
        match parse_text(resolved, text, None, diagnostics) {
            Some(parsed) => predicates.push(Predicate {
                mentions_metric_time: mentions_metric_time(&parsed.expr),
                kind: Kind::Where(parsed.expr),
                text: text.value.clone(),
                span: text.span,
            }),
            None => whole = false,
        }
    }
    if let Some(range) = &request.time_range {
        diagnostics.extend(reversed(range));
        let dimension = parse_text(resolved, &range.dimension, None, diagnostics)?;
        for (bound, is_start) in [(&range.start, true), (&range.end, false)] {
            if let Some(bound) = bound {
                predicates.push(Predicate {
                    mentions_metric_time: mentions_metric_time(&dimension.expr),
                    text: format!(
                        "{} {} {}",
                        range.dimension.value,
                        if is_start { ">=" } else { "<" },
                        bound.value
                    ),
                    span: bound.span,
                    kind: Kind::Bound { dimension: dimension.clone(), bound: bound.clone(), is_start },
                });
            }
        }
    }
    whole.then_some(predicates)
}

/// No moment lies in a range that ends before it starts. Bounds that are no times are refused when they are typed.
fn reversed(range: &TimeRange) -> Option<Diagnostic> {
    let (start, end) = (range.start.as_ref()?, range.end.as_ref()?);
    if moment_text(&end.value)? >= moment_text(&start.value)? {
        return None;
    }
    Some(
        Diagnostic::new(
            Code::TimeRangeReversed,
            format!(
                "the time range ends at {}, before it starts at {}",
                end.value.trim(),
                start.value.trim()
            ),
        )
        .about("time_range")
        .at(end.span, "this end")
        .also_at(start.span, "this start")
        .help("exchange them; the start belongs to the range, the end does not"),
    )
}

/// Texts of moments that are ordered as the moments are.
fn moment_text(bound: &str) -> Option<String> {
    let text = normal_timestamp(bound.trim())?;
    let without_zeros = if text.contains('.') { text.trim_end_matches('0') } else { text.as_str() };
    Some(without_zeros.trim_end_matches('.').to_string())
}

/// Whether an expression names `metric_time`.
pub(super) fn mentions_metric_time(expr: &syntax::Expr) -> bool {
    let mut found = false;
    syntax::for_each_name(expr, &mut |parts| {
        found |= matches!(parts, [only] if is_metric_time(&only.value));
    });
    found
}

/// Types a predicate in the scope of one home; aggregates and windows have codes of their own.
pub(super) fn type_predicate(
    predicate: &Predicate,
    scope: &RequestScope<'_>,
    moment: &Moment,
) -> Result<ModelExpr, Vec<Diagnostic>> {
    let expr = match &predicate.kind {
        Kind::Where(expr) => scope.type_with_grain(expr, None, moment)?,
        Kind::Bound { dimension, bound, is_start } => {
            let value = scope.type_with_grain(&dimension.expr, dimension.grain, moment)?;
            if value.data_type == DataType::TimestampTz && !is_utc(scope, moment) {
                return Err(vec![
                    Diagnostic::new(
                        Code::UnsupportedFunction,
                        "a range of instants is bounded in UTC only; other zones are not planned yet",
                    )
                    .at(bound.span, "this bound")
                    .help("leave `time_zone` out, or filter in `where`"),
                ]);
            }
            let limit = bound_literal(bound, value.data_type).map_err(|finding| vec![finding])?;
            let class = value.exactness;
            let function = if *is_start { Scalar::GreaterEqual } else { Scalar::Less };
            call(function, vec![value, limit], DataType::Boolean, class)
        }
    };
    match check_where(&expr, predicate).or_else(|| check_boolean(&expr, "where", predicate.span)) {
        Some(finding) => Err(vec![finding]),
        None => Ok(expr),
    }
}

/// Whether the zone of the request is UTC.
fn is_utc(scope: &RequestScope<'_>, moment: &Moment) -> bool {
    let zone = scope.request.time_zone.as_ref().map_or(moment.zone.as_str(), |zone| zone.value.as_str());
    zone.eq_ignore_ascii_case("UTC")
}

fn check_where(expr: &ModelExpr, predicate: &Predicate) -> Option<Diagnostic> {
    let is_metric = |part: &ModelExpr| matches!(*part.kind, ExprKind::Reference(Reference::Metric(_)));
    let finding = if expr.has_window() {
        Diagnostic::new(
            Code::WindowInWhere,
            format!("`{}` holds a window function, and windows run after `where`", predicate.text),
        )
        .help("make the window a field of its dataset and filter on the field, or filter in `having`")
    } else if expr.has_aggregate() || expr.any(&mut |part| is_metric(part)) {
        Diagnostic::new(
            Code::AggregateInWhere,
            format!(
                "`{}` holds an aggregate, and `where` filters rows before they are aggregated",
                predicate.text
            ),
        )
        .help("move the predicate to `having`")
    } else {
        return None;
    };
    Some(finding.at(predicate.span, "this predicate"))
}

/// A predicate must be a Boolean.
pub(super) fn check_boolean(expr: &ModelExpr, clause: &str, span: Span) -> Option<Diagnostic> {
    if expr.data_type == DataType::Boolean || expr.data_type.is_open() {
        return None;
    }
    Some(
        Diagnostic::new(Code::TypeMismatch, format!("`{clause}` wants a Boolean, found {}", expr.data_type))
            .at(span, "this predicate"),
    )
}

/// A bound of a time range as a literal of the dimension's type.
fn bound_literal(bound: &Spanned<String>, wanted: DataType) -> Result<ModelExpr, Diagnostic> {
    let text = bound.value.trim();
    let literal = match wanted {
        DataType::Date | DataType::Unknown if is_iso_date(text) => {
            Some((Literal::Date(text.to_string()), DataType::Date))
        }
        DataType::Timestamp | DataType::TimestampTz | DataType::Unknown => {
            let data_type = if wanted == DataType::Unknown { DataType::Timestamp } else { wanted };
            normal_timestamp(text).map(|normal| (Literal::Timestamp(normal), data_type))
        }
        _ => None,
    };
    match literal {
        Some((literal, data_type)) => Ok(constant(literal, data_type)),
        None => Err(Diagnostic::new(
            Code::TypeMismatch,
            format!("'{text}' is no bound for a range of {wanted}"),
        )
        .at(bound.span, "this bound")
        .help("write days as YYYY-MM-DD and times as YYYY-MM-DD HH:MM:SS; a range is over a date or time")),
    }
}

/// The value of a request's parameter.
pub(super) fn parameter_literal(value: &ParamValue) -> ModelExpr {
    match value {
        ParamValue::Null => constant(Literal::Null, DataType::Null),
        ParamValue::Boolean(flag) => constant(Literal::Boolean(*flag), DataType::Boolean),
        ParamValue::Number(text) => number(text),
        ParamValue::String(text) => constant(Literal::String(text.clone()), DataType::String),
    }
}
