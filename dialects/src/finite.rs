//! The mathematical functions: of finite numbers they give a finite number or NULL, of NaN and the infinities NULL.
//! In: a call with its typed arguments. Out: an expression with the guards that its arguments need.

use unisono_compiler::expr::{ExprKind, Literal};
use unisono_compiler::function::{Function, Scalar};
use unisono_compiler::relation::RelExpr;

use crate::arithmetic::double;
use crate::build;
use crate::form::{Refusal, ScalarCall, Typed};
use crate::sql::tree::{Expr, Operator, Type, binary, call, cast, number, when};

/// The greatest finite double; `|x| <= FINITE` is false for NaN and the infinities.
pub(crate) const FINITE: &str = "1.7976931348623157e308";

/// `|x| <= FINITE`.
pub(crate) fn is_finite(expr: Expr) -> Expr {
    binary(call("ABS", vec![expr]), Operator::LessEqual, number(FINITE))
}

/// `name(..)` where the answer is finite, else NULL: the statistic has no value then.
pub(crate) fn finite_statistic(statistic: Expr) -> Expr {
    when(is_finite(statistic.clone()), statistic)
}

/// A function that every engine has by its own name, under the guard that its domain needs.
pub(crate) fn mathematical(node: &ScalarCall<'_>) -> Result<Expr, Refusal> {
    let Function::Scalar(scalar) = node.function else { return Err(misplaced(node)) };
    let name = scalar.name();
    match scalar {
        Scalar::Sqrt => above_zero(node, name, Operator::GreaterEqual),
        Scalar::Ln | Scalar::Log10 => above_zero(node, name, Operator::Greater),
        Scalar::Log => logarithm(node),
        Scalar::Asin | Scalar::Acos => within_one(node, name),
        Scalar::Exp | Scalar::Degrees => Ok(finite_answer(node, name)),
        Scalar::Sin | Scalar::Cos | Scalar::Tan | Scalar::Atan | Scalar::Atan2 | Scalar::Radians => {
            Ok(of_finite(node, name))
        }
        _ => Err(misplaced(node)),
    }
}

/// `name(..)` over DOUBLEs where they are finite, else NULL.
fn of_finite(node: &ScalarCall<'_>, name: &'static str) -> Expr {
    guarded(finite_arguments(node), call(name, doubles(node)))
}

/// `name(..)` over DOUBLEs where they and the answer are finite, else NULL.
pub(crate) fn finite_answer(node: &ScalarCall<'_>, name: &'static str) -> Expr {
    let answer = call(name, doubles(node));
    let mut conditions = finite_arguments(node);
    conditions.push(is_finite(answer.clone()));
    guarded(conditions, answer)
}

/// `name(x)` over a DOUBLE from -1 to 1, else NULL.
fn within_one(node: &ScalarCall<'_>, name: &'static str) -> Result<Expr, Refusal> {
    let x = double(build::argument(node, 0)?);
    let inside = binary(call("ABS", vec![x.clone()]), Operator::LessEqual, number(1));
    Ok(when(inside, call(name, vec![x])))
}

/// `name(x)` over a finite DOUBLE where `x operator 0`, else NULL.
fn above_zero(node: &ScalarCall<'_>, name: &'static str, operator: Operator) -> Result<Expr, Refusal> {
    let x = build::argument(node, 0)?;
    Ok(guarded(finite_above(x, operator), call(name, vec![double(x)])))
}

/// `LOG(base, x)` where both are finite and above 0 and the base is not 1, else NULL.
fn logarithm(node: &ScalarCall<'_>) -> Result<Expr, Refusal> {
    let (base, x) = (build::argument(node, 0)?, build::argument(node, 1)?);
    let mut conditions = finite_above(base, Operator::Greater);
    conditions.push(binary(double(base), Operator::NotEqual, number(1)));
    conditions.extend(finite_above(x, Operator::Greater));
    Ok(guarded(conditions, call("LOG", vec![double(base), double(x)])))
}

/// `name(x)` as BIGINT: 1 and -1 for the infinities, NULL for NaN, whose arc tangent alone is no angle.
pub(crate) fn sign(node: &ScalarCall<'_>, name: &'static str) -> Result<Expr, Refusal> {
    let x = build::argument(node, 0)?;
    let sign = cast(call(name, vec![x.expr.clone()]), Type::word("BIGINT"));
    if is_always_finite(x.source) {
        return Ok(sign);
    }
    let angle = call("ABS", vec![call("ATAN", vec![double(x)])]);
    Ok(when(binary(angle, Operator::LessEqual, number(2)), sign))
}

fn doubles(node: &ScalarCall<'_>) -> Vec<Expr> {
    node.arguments.iter().map(double).collect()
}

fn finite_arguments(node: &ScalarCall<'_>) -> Vec<Expr> {
    let open = node.arguments.iter().filter(|argument| !is_always_finite(argument.source));
    open.map(|argument| is_finite(double(argument))).collect()
}

/// `x operator 0`, and `x <= FINITE` where x may be infinite: a NaN of either sign fails one of them on every engine.
fn finite_above(x: &Typed<'_>, operator: Operator) -> Vec<Expr> {
    let mut conditions = vec![binary(double(x), operator, number(0))];
    if !is_always_finite(x.source) {
        conditions.push(binary(double(x), Operator::LessEqual, number(FINITE)));
    }
    conditions
}

fn guarded(conditions: Vec<Expr>, value: Expr) -> Expr {
    build::guarded(conditions.into_iter().map(Some).collect(), value)
}

/// Whether a number can be neither NaN nor infinite: it is exact or was, a constant, or the answer of a function of this file.
pub(crate) fn is_always_finite(x: &RelExpr) -> bool {
    if x.data_type.is_integer() || x.data_type.is_decimal() {
        return true;
    }
    match &*x.kind {
        ExprKind::Literal(literal) => match literal {
            Literal::Float(digits) => digits.parse().is_ok_and(f64::is_finite),
            Literal::Null
            | Literal::Boolean(_)
            | Literal::Integer(_)
            | Literal::Decimal(_)
            | Literal::String(_)
            | Literal::Date(_)
            | Literal::Time(_)
            | Literal::Timestamp(_) => true,
        },
        ExprKind::Cast { operand } => is_always_finite(operand),
        ExprKind::Call { function: Function::Scalar(scalar), .. } => scalar.is_mathematical(),
        ExprKind::Call { .. }
        | ExprKind::Reference(_)
        | ExprKind::Case { .. }
        | ExprKind::InList { .. }
        | ExprKind::Aggregate(_)
        | ExprKind::Window(_) => false,
    }
}

fn misplaced(node: &ScalarCall<'_>) -> Refusal {
    Refusal::internal(format!("is no mathematical function: {}", node.function.name()))
}
