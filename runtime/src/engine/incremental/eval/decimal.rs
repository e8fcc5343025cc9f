//! Exact numbers: rescaling, text, and the way to and from floats. In: digits and a scale. Out: digits at another
//! scale, rounded half away from zero; `None` where they do not fit.

use crate::engine::incremental::value::power_of_ten;

/// The digits at `scale`, if they have at most `precision` of them.
pub(super) fn fit(unscaled: i128, from: u8, precision: u8, scale: u8) -> Option<i128> {
    let rescaled = if scale >= from {
        unscaled.checked_mul(power_of_ten(scale - from))?
    } else {
        divide_rounding(unscaled, power_of_ten(from - scale))
    };
    within(rescaled, precision)
}

/// The same digits, if they are at most `precision`.
pub(super) fn within(unscaled: i128, precision: u8) -> Option<i128> {
    (unscaled.unsigned_abs() < power_of_ten(precision).unsigned_abs()).then_some(unscaled)
}

/// Half away from zero; `by` is positive.
pub(super) fn divide_rounding(value: i128, by: i128) -> i128 {
    let (quotient, rest) = (value / by, (value % by).abs());
    // Not `2 * rest >= by`, which can overflow.
    if rest > 0 && rest >= by - rest { quotient + value.signum() } else { quotient }
}

/// `[+-]digits[.digits]` at a scale, if at most `precision` digits are left.
pub(super) fn parse(text: &str, precision: u8, scale: u8) -> Option<i128> {
    let unsigned = text.strip_prefix(['+', '-']).unwrap_or(text);
    let (whole, fraction) = match unsigned.split_once('.') {
        Some((_, "")) => return None,
        Some(parts) => parts,
        None => (unsigned, ""),
    };
    let are_digits = |part: &str| part.bytes().all(|byte| byte.is_ascii_digit());
    if whole.is_empty() || !are_digits(whole) || !are_digits(fraction) {
        return None;
    }
    let scale = usize::from(scale);
    let kept = whole.bytes().chain(fraction.bytes().chain(std::iter::repeat(b'0')).take(scale));
    let mut value = 0_i128;
    for digit in kept {
        value = value.checked_mul(10)?.checked_add(i128::from(digit - b'0'))?;
    }
    if fraction.as_bytes().get(scale).is_some_and(|digit| *digit >= b'5') {
        value = value.checked_add(1)?;
    }
    within(if text.starts_with('-') { -value } else { value }, precision)
}

/// The nearest float.
pub(super) fn to_float(unscaled: i128, scale: u8) -> f64 {
    if unscaled.unsigned_abs() < 1 << 53 && scale <= 22 {
        // Digits and power are exact as floats, so that only the division rounds.
        #[expect(clippy::cast_precision_loss, reason = "less than 2^53")]
        let digits = unscaled as f64;
        return digits / 10_f64.powi(i32::from(scale));
    }
    // Text is read with correct rounding.
    format!("{unscaled}e-{scale}").parse().unwrap_or(f64::NAN)
}

/// The nearest single.
pub(super) fn to_single(unscaled: i128, scale: u8) -> f32 {
    format!("{unscaled}e-{scale}").parse().unwrap_or(f32::NAN)
}

/// A float's exact value at a scale, half away from zero, in at most `precision` digits.
pub(super) fn from_float(value: f64, precision: u8, scale: u8) -> Option<i128> {
    if !value.is_finite() {
        return None;
    }
    match scaled(value, scale) {
        Some(unscaled) => within(unscaled, precision),
        // No float has more than 1074 digits after the point, so this text is exact.
        None => parse(&format!("{value:.1074}"), precision, scale),
    }
}

/// The same where 128 bits are enough for mantissa times power of ten.
fn scaled(value: f64, scale: u8) -> Option<i128> {
    let bits = value.to_bits();
    let (biased, fraction) = ((bits >> 52) & 0x7ff, i128::from(bits & ((1 << 52) - 1)));
    let mantissa = if biased == 0 { fraction * 2 } else { fraction + (1 << 52) };
    let power = i32::try_from(biased).ok()? - 1075;
    let magnitude = match power {
        -126..0 => divide_rounding(mantissa.checked_mul(power_of_ten(scale))?, 1 << -power),
        0..=73 => (mantissa << power).checked_mul(power_of_ten(scale))?,
        _ => return None,
    };
    Some(if value < 0.0 { -magnitude } else { magnitude })
}

/// `-0.05` of (-5, 2).
pub(in crate::engine::incremental) fn print(unscaled: i128, scale: u8) -> String {
    let sign = if unscaled < 0 { "-" } else { "" };
    let scale = usize::from(scale);
    let digits = format!("{:0>width$}", unscaled.unsigned_abs(), width = scale + 1);
    let (whole, fraction) = digits.split_at(digits.len() - scale);
    if fraction.is_empty() { format!("{sign}{whole}") } else { format!("{sign}{whole}.{fraction}") }
}
