//! A measure evaluated over intervals, one group at a time.
//! In: a measure and what the batch side says of the group. Out: what two engines' values may differ by.
//!
//! A comparison, CASE, ROUND or another step over rounded values is decided where the whole interval lies on one side of
//! the step. Where it does not, engines may take different sides, and no bound is known.

use unisono_compiler::data_type::Exactness;
use unisono_compiler::expr::ExprKind;
use unisono_compiler::function::{AggregateFunction, Function, Scalar};
use unisono_compiler::query::{GroupExpr, GroupRef};

use super::logic::{choose, compare, logic};
use super::number::{cast, number};
use super::span::Span;
use super::{Allowed, Facts, FloatSums, Role, aggregates_of};
use crate::check::question::literal_value;
use crate::table::Value;

/// 2^-53.
const HALF_ULP: f64 = f64::EPSILON / 2.0;

/// What is known of a value on every engine.
#[derive(Clone, PartialEq, Debug)]
pub(super) enum Estimate {
    /// This value, NULL included.
    Same(Value),
    /// A double in here, not NULL.
    Span(Span),
    /// Nothing.
    Unknown,
}

use Estimate::{Same, Unknown};

/// What two engines' values of a measure may differ by.
pub(super) fn allowed(expr: &GroupExpr, facts: &Facts<'_>) -> Allowed {
    if expr.exactness == Exactness::Exact {
        return Allowed::Exact;
    }
    match estimate(expr, facts) {
        Same(_) => Allowed::Exact,
        Estimate::Span(span) if span.radius() == 0.0 => Allowed::Exact,
        Estimate::Span(span) if span.radius().is_finite() => Allowed::Within {
            bound: span.radius(),
            terms: aggregates_of(expr).into_iter().filter_map(|index| facts.term(index)).collect(),
        },
        Estimate::Span(_) | Unknown => Allowed::Unknown,
    }
}

pub(super) fn of_span(span: Option<Span>) -> Estimate {
    span.map_or(Unknown, Estimate::Span)
}

fn estimate(expr: &GroupExpr, facts: &Facts<'_>) -> Estimate {
    match &*expr.kind {
        ExprKind::Literal(literal) => literal_value(literal).map_or(Unknown, Same),
        _ if expr.exactness == Exactness::Exact => {
            facts.value(&Role::Same(expr.clone())).cloned().map_or(Unknown, Same)
        }
        ExprKind::Reference(GroupRef::Aggregate(index)) => aggregate(*index, facts),
        ExprKind::Cast { operand } => cast(estimate(operand, facts), expr.data_type),
        ExprKind::Case { branches, otherwise } => {
            for (when, then) in branches {
                match estimate(when, facts) {
                    Same(Value::Boolean(true)) => return estimate(then, facts),
                    Same(_) => {}
                    Estimate::Span(_) | Unknown => return Unknown,
                }
            }
            otherwise.as_ref().map_or(Same(Value::Null), |value| estimate(value, facts))
        }
        ExprKind::InList { operand, list, negated } => {
            let operand = estimate(operand, facts);
            let items = list.iter().map(|item| compare(Scalar::Equal, &operand, &estimate(item, facts)));
            let found = items.reduce(|left, right| logic(Scalar::Or, &[left, right])).unwrap_or(Unknown);
            if *negated { logic(Scalar::Not, &[found]) } else { found }
        }
        ExprKind::Call { function: Function::Scalar(function), arguments } => {
            let values: Vec<Estimate> = arguments.iter().map(|argument| estimate(argument, facts)).collect();
            choose(*function, &values).unwrap_or_else(|| number(*function, &values, arguments))
        }
        ExprKind::Reference(GroupRef::Dimension(_))
        | ExprKind::Call { .. }
        | ExprKind::Aggregate(_)
        | ExprKind::Window(_) => Unknown,
    }
}

/// The interval of a rounded aggregate around the batch side's value.
fn aggregate(index: usize, facts: &Facts<'_>) -> Estimate {
    let value = match facts.value(&Role::Value(index)) {
        Some(Value::Null) => return Same(Value::Null),
        Some(Value::Float(value)) => *value,
        Some(_) | None => return Unknown,
    };
    let Some(bound) = facts.request.aggregates.get(index) else { return Unknown };
    let function = bound.aggregate.function;
    let adds = match function {
        AggregateFunction::Sum
        | AggregateFunction::StddevSamp
        | AggregateFunction::StddevPop
        | AggregateFunction::VarSamp
        | AggregateFunction::VarPop => true,
        AggregateFunction::CountRows
        | AggregateFunction::Count
        | AggregateFunction::Min
        | AggregateFunction::Max
        | AggregateFunction::Median
        | AggregateFunction::PercentileCont
        | AggregateFunction::PercentileDisc
        | AggregateFunction::MinBy
        | AggregateFunction::MaxBy
        | AggregateFunction::ListAgg
        | AggregateFunction::Corr
        | AggregateFunction::CovarPop
        | AggregateFunction::CovarSamp => false,
    };
    let divergent = bound.exactness != Exactness::Rounding;
    if divergent || adds && facts.sums == FloatSums::Retracted {
        return Unknown;
    }
    let Some(ulps) = facts.ulps(index) else { return Unknown };
    // Values that engines round apart are one value on one engine and two on another.
    if bound.aggregate.distinct && ulps > 0.0 {
        return Unknown;
    }
    let of = |role: Role| facts.number(&role);
    let span = match function {
        AggregateFunction::Sum => of(Role::Count(index))
            .zip(of(Role::Magnitude(index)))
            .and_then(|(n, magnitude)| Span::around(value, 2.0 * HALF_ULP * (n + ulps) * magnitude)),
        AggregateFunction::VarSamp => variance(value, 1.0, ulps, index, facts),
        AggregateFunction::VarPop => variance(value, 0.0, ulps, index, facts),
        AggregateFunction::StddevSamp => {
            variance(value * value, 1.0, ulps, index, facts).and_then(|span| root_of(span, value))
        }
        AggregateFunction::StddevPop => {
            variance(value * value, 0.0, ulps, index, facts).and_then(|span| root_of(span, value))
        }
        AggregateFunction::Median => interpolated(value, 0.0, ulps, index, facts),
        AggregateFunction::PercentileCont => {
            of(Role::Count(index)).and_then(|n| interpolated(value, n, ulps, index, facts))
        }
        AggregateFunction::Min
        | AggregateFunction::Max
        | AggregateFunction::PercentileDisc
        | AggregateFunction::MinBy
        | AggregateFunction::MaxBy => {
            of(Role::Largest(index)).and_then(|largest| Span::around(value, f64::EPSILON * ulps * largest))
        }
        AggregateFunction::CountRows
        | AggregateFunction::Count
        | AggregateFunction::ListAgg
        | AggregateFunction::Corr
        | AggregateFunction::CovarPop
        | AggregateFunction::CovarSamp => None,
    };
    of_span(span)
}

/// The sum of squared deviations is off by n u sum(x^2) for each of the three sums of the textbook formula, on each side,
/// and by the rows' own errors; then it is divided by n, or by n - 1.
fn variance(value: f64, less: f64, ulps: f64, index: usize, facts: &Facts<'_>) -> Option<Span> {
    let n = facts.number(&Role::Count(index))?;
    let squares = facts.number(&Role::Squares(index))?;
    let apart = HALF_ULP * (6.0 * n + 4.0 * ulps) * squares;
    let divisor = n - less;
    // A variance of one row is NULL or 0.
    if divisor <= 0.0 { None } else { Span::around(value, apart / divisor) }
}

/// The square root of a variance's interval; below 0 engines cut it off.
fn root_of(variance: Span, value: f64) -> Option<Span> {
    Span::new(variance.low.max(0.0).sqrt(), value, variance.high.sqrt())?.ulp()
}

/// Interpolation between two neighbours: four units in the last place of the result, or of the greatest magnitude where
/// the neighbours may have different signs. `positions` rows put the place between them off by n u.
fn interpolated(value: f64, positions: f64, ulps: f64, index: usize, facts: &Facts<'_>) -> Option<Span> {
    let of = |role: Role| facts.number(&role);
    let (least, greatest) = (of(Role::Least(index))?, of(Role::Greatest(index))?);
    let largest = of(Role::Largest(index))?;
    let one_sign = least >= 0.0 || greatest <= 0.0;
    let scale = if one_sign { value.abs() } else { largest };
    let place = 2.0 * HALF_ULP * positions * (greatest - least);
    Span::around(value, f64::EPSILON * (4.0 * scale + ulps * largest) + place)
}
