//! Numbers: exact arithmetic with a scale, rounding, and the way between exact and float.
//! In: numbers and operators. Out: numbers, or an overflow where more than 38 digits or an Int64 would be left.

use unisono_compiler::syntax::expr::BinaryOp;

use super::ill_typed;
use crate::stop::Stop;
use crate::value::Value;

/// Ten to the 38: an exact number has fewer digits than this one.
const LIMIT: i128 = 10_i128.pow(38);

/// Below this every whole number is a float.
const WHOLE_FLOATS: f64 = 9_007_199_254_740_992.0;

/// What the static type of an integer would be; a value alone does not tell Int64 from Decimal(p,0).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Width {
    /// Int64: leaving its range is an overflow.
    Int64,
    /// Decimal(p,0): only the 38 digits count.
    Decimal,
    /// One of the two.
    Unsure,
}

impl Width {
    /// Of two operands together.
    pub(super) fn with(self, other: Width) -> Width {
        match (self, other) {
            (Width::Decimal, _) | (_, Width::Decimal) => Width::Decimal,
            (Width::Unsure, _) | (_, Width::Unsure) => Width::Unsure,
            (Width::Int64, Width::Int64) => Width::Int64,
        }
    }
}

/// A whole number.
pub(super) fn integer(digits: impl Into<i128>) -> Value {
    Value::Exact { digits: digits.into(), scale: 0 }
}

/// A count of rows as a whole number.
pub(super) fn count(rows: usize) -> Value {
    integer(i128::try_from(rows).unwrap_or(i128::MAX))
}

/// A count as a float; counts of tests are small.
pub(super) fn count_float(rows: usize) -> f64 {
    u32::try_from(rows).map_or(f64::INFINITY, f64::from)
}

/// Ten to a power, if it has at most 39 digits.
pub(super) fn power_of_ten(exponent: u32) -> Option<i128> {
    10_i128.checked_pow(exponent)
}

/// An exact number if 38 digits are enough.
pub(super) fn exact(digits: Option<i128>, scale: u8) -> Result<Value, Stop> {
    match digits {
        Some(digits) if digits > -LIMIT && digits < LIMIT => Ok(Value::Exact { digits, scale }),
        Some(_) | None => Err(Stop::Overflow(String::from("more than 38 digits"))),
    }
}

/// The digits of an exact number at a larger scale.
fn raise(digits: i128, scale: u8, to: u8) -> Option<i128> {
    power_of_ten(u32::from(to.saturating_sub(scale)))?.checked_mul(digits)
}

/// The nearest float; reading a decimal text rounds correctly.
pub(super) fn to_float(digits: i128, scale: u8) -> f64 {
    format!("{digits}e-{scale}").parse().unwrap_or(f64::NAN)
}

/// A number as a float; None for NULL.
pub(super) fn float(value: &Value) -> Result<Option<f64>, Stop> {
    match value {
        Value::Null => Ok(None),
        Value::Exact { digits, scale } => Ok(Some(to_float(*digits, *scale))),
        Value::Double(number) => Ok(Some(*number)),
        other => Err(ill_typed("a number", other)),
    }
}

/// A whole number that fits Int64; None for NULL.
pub(super) fn whole(value: &Value) -> Result<Option<i64>, Stop> {
    match value {
        Value::Null => Ok(None),
        Value::Exact { digits, scale: 0 } => {
            i64::try_from(*digits).map(Some).map_err(|_| Stop::Open(format!("{digits} as an argument")))
        }
        other => Err(ill_typed("a whole number", other)),
    }
}

fn fits_int64(digits: i128) -> bool {
    i64::try_from(digits).is_ok()
}

/// A result over whole operands: if they were Int64, so must it be.
pub(super) fn within(result: Value, operands: &[i128], width: Width) -> Result<Value, Stop> {
    match result {
        Value::Exact { digits, scale: 0 }
            if !fits_int64(digits) && operands.iter().all(|digits| fits_int64(*digits)) =>
        {
            match width {
                Width::Int64 => Err(Stop::Overflow(format!("{digits} is no Int64"))),
                Width::Decimal => Ok(result),
                Width::Unsure => Err(Stop::Open(format!("{digits} may be an Int64 or a Decimal"))),
            }
        }
        other => Ok(other),
    }
}

/// `+ - * / %` of two numbers.
pub(super) fn arithmetic(op: BinaryOp, left: &Value, right: &Value, width: Width) -> Result<Value, Stop> {
    match (left, right) {
        (Value::Null, _) | (_, Value::Null) => Ok(Value::Null),
        (Value::Exact { digits: a, scale: s }, Value::Exact { digits: b, scale: t })
            if op != BinaryOp::Divide =>
        {
            let result = exactly(op, (*a, *s), (*b, *t))?;
            if *s == 0 && *t == 0 { within(result, &[*a, *b], width) } else { Ok(result) }
        }
        (Value::Exact { .. } | Value::Double(_), Value::Exact { .. } | Value::Double(_)) => {
            let (Some(a), Some(b)) = (float(left)?, float(right)?) else { return Ok(Value::Null) };
            floating(op, a, b)
        }
        (Value::Exact { .. } | Value::Double(_), other) | (other, _) => Err(ill_typed("a number", other)),
    }
}

fn exactly(op: BinaryOp, (a, s): (i128, u8), (b, t): (i128, u8)) -> Result<Value, Stop> {
    if op == BinaryOp::Multiply {
        let scale = s.saturating_add(t);
        if scale > 38 {
            return Err(Stop::Refused(vec!["E_TYPE_MISMATCH"]));
        }
        return exact(a.checked_mul(b), scale);
    }
    let scale = s.max(t);
    let (Some(a), Some(b)) = (raise(a, s, scale), raise(b, t, scale)) else { return exact(None, scale) };
    match op {
        BinaryOp::Add => exact(a.checked_add(b), scale),
        BinaryOp::Subtract => exact(a.checked_sub(b), scale),
        BinaryOp::Modulo if b == 0 => Ok(Value::Null),
        BinaryOp::Modulo => exact(a.checked_rem(b), scale),
        other => Err(Stop::Unknown(format!("{other:?} of exact numbers"))),
    }
}

fn floating(op: BinaryOp, a: f64, b: f64) -> Result<Value, Stop> {
    match op {
        BinaryOp::Add => Ok(Value::Double(a + b)),
        BinaryOp::Subtract => Ok(Value::Double(a - b)),
        BinaryOp::Multiply => Ok(Value::Double(a * b)),
        BinaryOp::Divide | BinaryOp::Modulo if is_zero(b) => Ok(Value::Null),
        BinaryOp::Divide => Ok(Value::Double(a / b)),
        BinaryOp::Modulo => Ok(Value::Double(a % b)),
        other => Err(Stop::Unknown(format!("{other:?} of floats"))),
    }
}

/// 0 or -0.
pub(super) fn is_zero(number: f64) -> bool {
    number.to_bits() << 1 == 0
}

/// `-x`.
pub(super) fn negate(value: &Value, width: Width) -> Result<Value, Stop> {
    match value {
        Value::Null => Ok(Value::Null),
        Value::Exact { digits, scale } => {
            let result = exact(digits.checked_neg(), *scale)?;
            if *scale == 0 { within(result, &[*digits], width) } else { Ok(result) }
        }
        Value::Double(number) => Ok(Value::Double(-number)),
        other => Err(ill_typed("a number", other)),
    }
}

/// Where a number that lies between two goes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Rounding {
    /// To the nearer one, half away from zero.
    Nearest,
    /// Toward zero.
    Zero,
    /// Down.
    Floor,
    /// Up.
    Ceiling,
}

/// An exact number with another scale, which may be negative (tens, hundreds): then it is written with scale 0.
pub(super) fn rescale(digits: i128, scale: u8, to: i64, rounding: Rounding) -> Result<Value, Stop> {
    let shown = u8::try_from(to.max(0)).map_err(|_| Stop::Unknown(format!("{to} digits")))?;
    let dropped = i64::from(scale) - to;
    if dropped <= 0 {
        return exact(raise(digits, scale, shown), shown);
    }
    let unit = u32::try_from(dropped).ok().and_then(power_of_ten);
    let Some(unit) = unit else {
        // More places go than the number has.
        return match rounding {
            Rounding::Nearest | Rounding::Zero => exact(Some(0), shown),
            Rounding::Floor | Rounding::Ceiling => Err(Stop::Unknown(format!("{to} digits"))),
        };
    };
    let (quotient, rest) = (digits / unit, digits % unit);
    let step = match rounding {
        Rounding::Nearest if rest.abs() >= unit - rest.abs() => rest.signum(),
        Rounding::Nearest | Rounding::Zero => 0,
        Rounding::Floor => -i128::from(rest < 0),
        Rounding::Ceiling => i128::from(rest > 0),
    };
    let rounded = quotient + step;
    let back = u32::try_from((-to).max(0)).ok().and_then(power_of_ten);
    exact(back.and_then(|back| rounded.checked_mul(back)), shown)
}

/// The digits of a float at a scale. Near a tie engines differ, and where a float has no digits there they do too.
pub(super) fn float_digits(number: f64, scale: u8, rounding: Rounding) -> Result<i128, Stop> {
    let open = || Stop::Open(format!("{number:?} is too near to where rounding turns"));
    let scaled = number * to_float(power_of_ten(u32::from(scale)).unwrap_or(LIMIT), 0);
    if !scaled.is_finite() || scaled.abs() >= WHOLE_FLOATS {
        return Err(open());
    }
    let near = (scaled.abs() * 1e-14).max(1e-7);
    let part = scaled.abs().fract();
    let whole = is_zero(part);
    let rounded = match rounding {
        Rounding::Nearest if (part - 0.5).abs() < near => {
            // An exact half of a number that was not scaled is away from zero everywhere.
            if scale > 0 || !is_zero(part - 0.5) {
                return Err(open());
            }
            scaled.round()
        }
        Rounding::Nearest => scaled.round(),
        _ if !whole && (part < near || 1.0 - part < near) => return Err(open()),
        Rounding::Zero => scaled.trunc(),
        Rounding::Floor => scaled.floor(),
        Rounding::Ceiling => scaled.ceil(),
    };
    format!("{rounded:.0}").parse().map_err(|_| open())
}

/// A number from digits with an optional sign and point, as literals and casts read it.
pub(super) fn parse_exact(text: &str) -> Option<(i128, u8)> {
    let (negative, body) = match text.as_bytes().first()? {
        b'-' => (true, &text[1..]),
        b'+' => (false, &text[1..]),
        _ => (false, text),
    };
    let (front, behind) = body.split_once('.').unwrap_or((body, ""));
    let all = [front, behind].concat();
    if all.is_empty() || !all.bytes().all(|byte| byte.is_ascii_digit()) {
        return None;
    }
    let digits: i128 = all.parse().ok()?;
    if digits >= LIMIT {
        return None;
    }
    Some((if negative { -digits } else { digits }, u8::try_from(behind.len()).ok()?))
}

/// An exact number with all digits of its scale: `-0.05`, `12`.
pub fn print_exact(digits: i128, scale: u8) -> String {
    let sign = if digits < 0 { "-" } else { "" };
    let width = usize::from(scale) + 1;
    let all = format!("{:0>width$}", digits.unsigned_abs());
    let (front, behind) = all.split_at(all.len() - usize::from(scale));
    if scale == 0 { format!("{sign}{front}") } else { format!("{sign}{front}.{behind}") }
}

/// The exact sum. Opposite signs are taken in turn, so that no partial sum is larger than it must be.
pub(super) fn sum(numbers: &[(i128, u8)]) -> Result<Value, Stop> {
    let scale = numbers.iter().map(|(_, scale)| *scale).max().unwrap_or(0);
    let raised: Option<Vec<i128>> =
        numbers.iter().map(|(digits, from)| raise(*digits, *from, scale)).collect();
    let Some(raised) = raised else { return exact(None, scale) };
    let (mut up, mut down): (Vec<i128>, Vec<i128>) = raised.iter().partition(|digits| **digits > 0);
    let one_sided = |part: &[i128]| {
        let total = part.iter().try_fold(0_i128, |sum, digits| sum.checked_add(*digits));
        exact(total, scale).is_err()
    };
    let partial_overflow = one_sided(&up) || one_sided(&down);
    let mut total = 0_i128;
    loop {
        let next = if total > 0 { down.pop().or_else(|| up.pop()) } else { up.pop().or_else(|| down.pop()) };
        let Some(next) = next else { break };
        let Some(sum) = total.checked_add(next) else { return exact(None, scale) };
        total = sum;
    }
    let result = exact(Some(total), scale)?;
    if partial_overflow {
        return Err(Stop::Open(String::from("a partial sum may need more than 38 digits")));
    }
    Ok(result)
}
