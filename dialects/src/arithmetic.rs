//! `+ - *`, sign change and absolute value without wrapping and without lost digits, by rules that each target states for itself.
//! In: typed operands and a target's `Exact`. Out: an expression of exactly the node's type that raises where it does not fit.

use unisono_compiler::data_type::DataType;
use unisono_compiler::function::{Function, Scalar};

use crate::form::{Refusal, ScalarCall, Typed};
use crate::magnitude::{self, BIGINT_MAX, Magnitude};
use crate::sql::tree::{Expr, Operator, Type, binary, call, cast};

/// How a target computes exact numbers.
#[derive(Clone, Copy)]
pub(crate) struct Exact {
    /// What keeps Int64 from wrapping.
    pub(crate) whole: Whole,
    /// The types to which the operands are cast before the operation.
    pub(crate) operands: fn(Scalar, Digits, Digits) -> (Digits, Digits),
    /// The type of the operation over such operands.
    pub(crate) natural: fn(Scalar, Digits, Digits) -> Digits,
    /// The operation where more than 38 digits are possible.
    pub(crate) past_38: fn(&Past<'_>) -> Result<Expr, Refusal>,
}

/// What keeps Int64 from wrapping.
#[derive(Clone, Copy)]
pub(crate) enum Whole {
    /// The engine raises.
    Raises,
    /// The operation is done in a wider type and cast back.
    Widen {
        /// The wide type for a number of so many digits.
        to: fn(u8) -> Type,
        /// Back to BIGINT; raises where it does not fit.
        back: fn(Expr) -> Expr,
    },
}

/// Precision and scale.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Digits {
    /// In all.
    pub(crate) precision: u8,
    /// After the point.
    pub(crate) scale: u8,
}

impl Digits {
    /// DECIMAL of these.
    pub(crate) fn sql(self) -> Type {
        Type::decimal(self.precision, self.scale)
    }
}

/// A decimal operation that may need more than 38 digits.
pub(crate) struct Past<'a> {
    /// `+ - *`.
    pub(crate) operator: Operator,
    /// Left operand and its type.
    pub(crate) left: (&'a Expr, Digits),
    /// Right operand and its type.
    pub(crate) right: (&'a Expr, Digits),
    /// The type that the answer must have.
    pub(crate) result: Digits,
    /// The type that the engine would give it.
    pub(crate) natural: Digits,
}

/// An expression and, where it was narrowed last, the wide expression under it.
pub(crate) struct Said {
    /// The value in the node's type.
    pub(crate) expr: Expr,
    /// The value before it was narrowed.
    pub(crate) wide: Option<(Expr, Magnitude)>,
}

impl From<Expr> for Said {
    fn from(expr: Expr) -> Said {
        Said { expr, wide: None }
    }
}

/// `+ - *`, NEGATE and ABS.
pub(crate) fn arithmetic(call: &ScalarCall<'_>, exact: &Exact) -> Result<Said, Refusal> {
    let Function::Scalar(scalar) = call.function else { return Err(misplaced(call)) };
    match (operator(scalar), call.arguments) {
        (Some(operator), [left, right]) => {
            if left.data_type == DataType::Unknown || right.data_type == DataType::Unknown {
                return Ok(binary(left.expr.clone(), operator, right.expr.clone()).into());
            }
            if call.data_type.is_integer() {
                Ok(whole_operation(call, operator, left, right, exact))
            } else if let Some(result) = digits_of(call.data_type) {
                decimal_operation(scalar, operator, left, right, result, exact).map(Said::from)
            } else {
                Ok(binary(double(left), operator, double(right)).into())
            }
        }
        (None, [operand]) => Ok(one_operand(scalar, call, operand, exact)),
        _ => Err(misplaced(call)),
    }
}

/// A number as DOUBLE.
pub(crate) fn double(operand: &Typed<'_>) -> Expr {
    match operand.data_type {
        DataType::Float64 => operand.expr.clone(),
        _ => cast(operand.expr.clone(), Type::word("DOUBLE")),
    }
}

/// The digits of a decimal type.
pub(crate) fn digits_of(data_type: DataType) -> Option<Digits> {
    match data_type {
        DataType::Decimal { precision, scale } => Some(Digits { precision, scale }),
        _ => None,
    }
}

/// The digits that an exact operand needs as a decimal: its own, or those of its integer type, or of its literal.
pub(crate) fn operand_digits(operand: &Typed<'_>) -> Digits {
    let whole = operand.data_type.integer_digits().map(|precision| Digits { precision, scale: 0 });
    match digits_of(operand.data_type).or(whole) {
        Some(_) if operand.whole_number().is_some() => {
            Digits { precision: operand.magnitude.digits(), scale: operand.magnitude.scale }
        }
        Some(digits) => digits,
        None => Digits { precision: 38, scale: 0 },
    }
}

/// An exact operand in a decimal type; no cast if it has that type already.
pub(crate) fn as_decimal(operand: &Typed<'_>, digits: Digits) -> Expr {
    if let Some(number) = operand.whole_number() {
        return cast(crate::sql::tree::text(number.to_string()), digits.sql());
    }
    if digits_of(operand.data_type) == Some(digits) {
        operand.expr.clone()
    } else {
        cast(operand.expr.clone(), digits.sql())
    }
}

/// An integer operand as BIGINT; a literal adapts to the other side by itself.
pub(crate) fn as_bigint(operand: &Typed<'_>) -> Expr {
    if operand.data_type == DataType::Int64 || operand.literal().is_some() {
        operand.expr.clone()
    } else {
        cast(operand.expr.clone(), Type::word("BIGINT"))
    }
}

/// The usual type of a sum: one digit more before the point.
pub(crate) fn sum_digits(left: Digits, right: Digits) -> Digits {
    let scale = left.scale.max(right.scale);
    let whole = (left.precision - left.scale).max(right.precision - right.scale);
    Digits { precision: whole + scale + 1, scale }
}

fn operator(scalar: Scalar) -> Option<Operator> {
    match scalar {
        Scalar::Add => Some(Operator::Add),
        Scalar::Subtract => Some(Operator::Subtract),
        Scalar::Multiply => Some(Operator::Multiply),
        _ => None,
    }
}

fn misplaced(call: &ScalarCall<'_>) -> Refusal {
    Refusal::internal(format!("has no form for {} arguments", call.arguments.len()))
}

fn whole_operation(
    call: &ScalarCall<'_>,
    operator: Operator,
    left: &Typed<'_>,
    right: &Typed<'_>,
    exact: &Exact,
) -> Said {
    let of = |left: Magnitude, right: Magnitude| {
        magnitude::operation(call.function, &[left, right]).unwrap_or(Magnitude::UNKNOWN)
    };
    let plain = of(left.magnitude, right.magnitude);
    match exact.whole {
        Whole::Widen { to, back } if plain.unscaled > BIGINT_MAX => {
            let mut sides = [wide_operand(left, to), wide_operand(right, to)];
            if !of(sides[0].1, sides[1].1).fits_digits(38) {
                sides = [narrow_operand(left, to), narrow_operand(right, to)];
            }
            let magnitude = of(sides[0].1, sides[1].1);
            let [left, right] = sides.map(|(expr, _)| expr);
            let wide = binary(left, operator, right);
            Said { expr: back(wide.clone()), wide: Some((wide, magnitude)) }
        }
        Whole::Widen { .. } | Whole::Raises => {
            let both_literal = left.literal().is_some() && right.literal().is_some();
            let first =
                if both_literal { cast(left.expr.clone(), Type::word("BIGINT")) } else { as_bigint(left) };
            binary(first, operator, as_bigint(right)).into()
        }
    }
}

fn wide_operand(operand: &Typed<'_>, to: fn(u8) -> Type) -> (Expr, Magnitude) {
    match &operand.wide {
        Some(wide) => wide.clone(),
        None => narrow_operand(operand, to),
    }
}

fn narrow_operand(operand: &Typed<'_>, to: fn(u8) -> Type) -> (Expr, Magnitude) {
    let digits = operand_digits(operand);
    let expr = cast(operand.expr.clone(), to(digits.precision));
    (expr, operand.magnitude)
}

fn decimal_operation(
    scalar: Scalar,
    operator: Operator,
    left: &Typed<'_>,
    right: &Typed<'_>,
    result: Digits,
    exact: &Exact,
) -> Result<Expr, Refusal> {
    let bound = magnitude::operation(Function::Scalar(scalar), &[left.magnitude, right.magnitude]);
    let fits = bound.is_some_and(|bound| bound.fits_digits(38));
    let wanted = (exact.operands)(scalar, operand_digits(left), operand_digits(right));
    let kept = (exact.natural)(scalar, wanted.0, wanted.1);
    // Where the engine would give up scale, the bounds may prove that narrower operands hold the values.
    let (wanted, natural) = if fits && kept.scale != result.scale {
        let narrow = (proven_digits(left, wanted.0), proven_digits(right, wanted.1));
        (narrow, (exact.natural)(scalar, narrow.0, narrow.1))
    } else {
        (wanted, kept)
    };
    let sides = (as_decimal(left, wanted.0), as_decimal(right, wanted.1));
    if fits && natural.scale == result.scale {
        let expr = binary(sides.0, operator, sides.1);
        return Ok(if natural == result { expr } else { cast(expr, result.sql()) });
    }
    (exact.past_38)(&Past {
        operator,
        left: (&sides.0, wanted.0),
        right: (&sides.1, wanted.1),
        result,
        natural,
    })
}

fn proven_digits(operand: &Typed<'_>, digits: Digits) -> Digits {
    Digits {
        precision: operand.magnitude.digits().clamp(digits.scale.max(1), digits.precision),
        scale: digits.scale,
    }
}

fn one_operand(scalar: Scalar, node: &ScalarCall<'_>, operand: &Typed<'_>, exact: &Exact) -> Said {
    let apply = |expr: Expr| match scalar {
        Scalar::Abs => call("ABS", vec![expr]),
        _ => Expr::Negative(Box::new(expr)),
    };
    if !node.data_type.is_integer() || operand.data_type == DataType::Unknown {
        return apply(operand.expr.clone()).into();
    }
    match exact.whole {
        Whole::Widen { to, back } if operand.magnitude.unscaled > BIGINT_MAX => {
            let (expr, magnitude) = wide_operand(operand, to);
            let wide = apply(expr);
            Said { expr: back(wide.clone()), wide: Some((wide, magnitude)) }
        }
        Whole::Widen { .. } | Whole::Raises => apply(as_bigint(operand)).into(),
    }
}
