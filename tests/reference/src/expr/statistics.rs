//! Statistics of numbers: percentiles, variances, correlations. In: the values that are not NULL. Out: Float64, or NULL.

use super::compare::order;
use super::number::{count_float, is_zero, power_of_ten};
use crate::stop::Stop;
use crate::value::Value;

/// Infinities and NaN have no mean that engines agree on.
fn all_finite(values: &[f64]) -> Result<(), Stop> {
    if values.iter().all(|value| value.is_finite()) {
        Ok(())
    } else {
        Err(Stop::Open(String::from("statistics of values that are not finite")))
    }
}

fn mean(values: &[f64]) -> f64 {
    values.iter().sum::<f64>() / count_float(values.len())
}

/// STDDEV and VARIANCE: of a sample unless the name ends in `_POP`.
pub(super) fn spread(name: &str, values: &[f64]) -> Result<Value, Stop> {
    all_finite(values)?;
    let population = name.ends_with("_POP");
    let least = if population { 1 } else { 2 };
    if values.len() < least {
        return Ok(Value::Null);
    }
    let mean = mean(values);
    let squares: f64 = values.iter().map(|value| (value - mean) * (value - mean)).sum();
    let variance = squares / count_float(if population { values.len() } else { values.len() - 1 });
    // The derived bound of semantics.md part 7, `n u sum(x^2)`: where it is not small beside the variance, engines may differ.
    let of_all: f64 = values.iter().map(|value| value * value).sum();
    if count_float(values.len()) * f64::EPSILON * of_all > 1e-10 * variance && variance > 0.0 {
        return Err(Stop::Open(format!("{name} of values that lie close together")));
    }
    Ok(Value::Double(if name.starts_with("STDDEV") { variance.sqrt() } else { variance }))
}

/// CORR, COVAR_POP, COVAR_SAMP.
pub(super) fn pairs(name: &str, values: &[(f64, f64)]) -> Result<Value, Stop> {
    let (x, y): (Vec<f64>, Vec<f64>) = values.iter().copied().unzip();
    all_finite(&x)?;
    all_finite(&y)?;
    let rows = values.len();
    if rows == 0 || (name == "COVAR_SAMP" && rows == 1) {
        return Ok(Value::Null);
    }
    let (mean_x, mean_y) = (mean(&x), mean(&y));
    let product: f64 = values.iter().map(|(x, y)| (x - mean_x) * (y - mean_y)).sum();
    let square = |values: &[f64], mean: f64| -> f64 { values.iter().map(|v| (v - mean) * (v - mean)).sum() };
    match name {
        "COVAR_POP" => Ok(Value::Double(product / count_float(rows))),
        "COVAR_SAMP" => Ok(Value::Double(product / count_float(rows - 1))),
        _ => {
            let scale = square(&x, mean_x).sqrt() * square(&y, mean_y).sqrt();
            // Nothing says whether a column without any spread correlates with another.
            if is_zero(scale) {
                return Err(Stop::Open(String::from("CORR of a column of one value")));
            }
            Ok(Value::Double(product / scale))
        }
    }
}

/// Linear interpolation at `share * (n - 1)`.
pub(super) fn percentile_cont(values: &[f64], share: f64) -> Result<Value, Stop> {
    all_finite(values)?;
    let mut sorted = values.to_vec();
    sorted.sort_by(f64::total_cmp);
    let Some(last) = sorted.len().checked_sub(1) else { return Ok(Value::Null) };
    let place = share * count_float(last);
    let part = place.fract();
    let index: usize = format!("{:.0}", place.floor()).parse().unwrap_or(last);
    let low = sorted[index.min(last)];
    let high = sorted[(index + 1).min(last)];
    Ok(Value::Double(if is_zero(part) { low } else { low + (high - low) * part }))
}

/// The smallest value whose share of the rows up to it reaches `share`.
pub(super) fn percentile_disc(values: &[Value], share: &Value) -> Result<Value, Stop> {
    let mut sorted = values.to_vec();
    sorted.sort_by(order);
    let rows = i128::try_from(sorted.len()).unwrap_or(i128::MAX);
    let rank = match share {
        Value::Exact { digits, scale } => {
            let unit = power_of_ten(u32::from(*scale)).unwrap_or(1);
            digits.checked_mul(rows).map(|product| (product + unit - 1).div_euclid(unit))
        }
        _ => None,
    };
    let Some(rank) = rank else { return Err(Stop::Unknown(format!("PERCENTILE_DISC of {share:?}"))) };
    let index = usize::try_from(rank.max(1) - 1).unwrap_or(usize::MAX);
    Ok(sorted.get(index).cloned().unwrap_or(Value::Null))
}
