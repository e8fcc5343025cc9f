//! The mathematical library. In: floats. Out: a float, or `None` outside the domain or range: NULL.
//! Comparisons are those of the language: NaN is above every number, so it lies in the domain of LN and gives NaN.

fn finite(answer: f64) -> Option<f64> {
    answer.is_finite().then_some(answer)
}

fn positive(x: f64) -> bool {
    x > 0.0 || x.is_nan()
}

pub(super) fn power(x: f64, y: f64) -> Option<f64> {
    finite(x.powf(y))
}

pub(super) fn square_root(x: f64) -> Option<f64> {
    (x >= 0.0 || x.is_nan()).then(|| x.sqrt())
}

pub(super) fn exp(x: f64) -> Option<f64> {
    finite(x.exp())
}

pub(super) fn ln(x: f64) -> Option<f64> {
    positive(x).then(|| x.ln())
}

pub(super) fn log10(x: f64) -> Option<f64> {
    positive(x).then(|| x.log10())
}

pub(super) fn log(base: f64, x: f64) -> Option<f64> {
    // 1.0 is a base without a logarithm; no other float is so near that it would divide by zero.
    let is_base = positive(base) && base.to_bits() != 1.0_f64.to_bits();
    (is_base && positive(x)).then(|| x.ln() / base.ln())
}

/// SIN, COS, TAN.
pub(super) fn of_finite(x: f64, function: fn(f64) -> f64) -> Option<f64> {
    finite(x).map(function)
}

/// ASIN, ACOS.
pub(super) fn within_one(x: f64, function: fn(f64) -> f64) -> Option<f64> {
    (x.abs() <= 1.0).then(|| function(x))
}
