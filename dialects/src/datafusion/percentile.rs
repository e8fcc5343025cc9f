//! Percentiles of DataFusion 54 over the sorted values themselves. In: an aggregate call. Out: an expression over ARRAY_AGG.
//!
//! The engine's own PERCENTILE_CONT keeps only six digits of the share between two neighbours: at 0.9 over a TPC-H table it
//! gave 66706.132 for 66706.13199854.

use unisono_compiler::expr::Literal;

use crate::arithmetic::double;
use crate::build;
use crate::form::{AggregateCall, Refusal, Typed};
use crate::sql::tree::{Call, Expr, Operator, OrderKey, Type, binary, call, cast, number, plain_call, when};

/// Linear interpolation at `fraction * (n - 1)` among the values that are not NULL.
pub(super) fn continuous(node: &AggregateCall<'_>) -> Result<Expr, Refusal> {
    let (x, fraction) = parts(node)?;
    let value = double(x);
    let count = call("COUNT", vec![value.clone()]);
    let before_last = cast(binary(count.clone(), Operator::Subtract, number(1)), Type::word("DOUBLE"));
    let position = binary(double(fraction), Operator::Multiply, before_last);
    let whole = call("FLOOR", vec![position.clone()]);
    let first = binary(cast(whole.clone(), Type::word("BIGINT")), Operator::Add, number(1));
    let second = call("LEAST", vec![binary(first.clone(), Operator::Add, number(1)), count.clone()]);
    let low = element(value.clone(), first);
    let high = element(value, second);
    let share = binary(position, Operator::Subtract, whole);
    let step = binary(share, Operator::Multiply, binary(high, Operator::Subtract, low.clone()));
    Ok(when(binary(count, Operator::Greater, number(0)), binary(low, Operator::Add, step)))
}

/// The smallest value whose cumulative share reaches the fraction: the one at `ceil(fraction * n)`, exactly.
pub(super) fn discrete(node: &AggregateCall<'_>) -> Result<Expr, Refusal> {
    let (x, fraction) = parts(node)?;
    let value = x.expr.clone();
    let count = call("COUNT", vec![value.clone()]);
    let exact = binary(exact_fraction(fraction)?, Operator::Multiply, count.clone());
    let position = cast(call("CEIL", vec![exact]), Type::word("BIGINT"));
    let at = call("GREATEST", vec![position, number(1)]);
    Ok(when(binary(count, Operator::Greater, number(0)), element(value, at)))
}

fn parts<'n, 'a>(node: &'n AggregateCall<'a>) -> Result<(&'n Typed<'a>, &'n Typed<'a>), Refusal> {
    match node.arguments {
        [x, fraction] if node.over.is_none() && !node.distinct => Ok((x, fraction)),
        _ => Err(Refusal::function(
            "a percentile over a window has no exact form on DataFusion 54",
            "aggregate it by a dimension instead",
        )),
    }
}

/// A value of the sorted array, counted from 1. NULLs come last, so the first COUNT(x) are the values.
fn element(value: Expr, at: Expr) -> Expr {
    let sorted = Expr::Call(Box::new(Call {
        order_by: vec![OrderKey { expr: value.clone(), descending: false, nulls_first: false }],
        ..plain_call("ARRAY_AGG", vec![value])
    }));
    call("ARRAY_ELEMENT", vec![sorted, at])
}

/// The fraction as a decimal: in doubles 0.07 * 100 is a little over 7.
fn exact_fraction(fraction: &Typed<'_>) -> Result<Expr, Refusal> {
    let digits = match fraction.literal() {
        Some(Literal::Decimal(digits) | Literal::Float(digits) | Literal::Integer(digits)) => digits,
        Some(
            Literal::Null
            | Literal::Boolean(_)
            | Literal::String(_)
            | Literal::Date(_)
            | Literal::Time(_)
            | Literal::Timestamp(_),
        )
        | None => "",
    };
    let scale = digits.split_once('.').map_or(0, |(_, tail)| tail.len());
    match u8::try_from(scale) {
        Ok(scale) if scale <= 17 && !digits.is_empty() && !digits.contains(['e', 'E']) => {
            Ok(build::decimal(digits, Type::decimal(scale + 1, scale)))
        }
        Ok(_) | Err(_) => Err(Refusal::function(
            "the fraction of a percentile must be a plain decimal of at most 17 digits",
            "write it as in 0.95",
        )),
    }
}
