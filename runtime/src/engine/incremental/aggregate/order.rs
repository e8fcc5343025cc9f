//! Aggregates that look at their values in order. In: all values of a group. Out: a percentile, or one text.

use std::cmp::Ordering;

use unisono_compiler::function::AggregateFunction;

use super::super::{Fault, Value};
use super::{Fraction, Measure, float};

/// How one key of an order compares.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(in super::super) struct Direction {
    /// Greatest first.
    pub(in super::super) descending: bool,
    /// NULLs before all values.
    pub(in super::super) nulls_first: bool,
}

/// Compares two values in one direction.
pub(in super::super) fn compare_one(left: &Value, right: &Value, direction: Direction) -> Ordering {
    match (left.is_null(), right.is_null()) {
        (true, true) => Ordering::Equal,
        (true, false) if direction.nulls_first => Ordering::Less,
        (true, false) => Ordering::Greater,
        (false, true) if direction.nulls_first => Ordering::Greater,
        (false, true) => Ordering::Less,
        (false, false) if direction.descending => right.cmp(left),
        (false, false) => left.cmp(right),
    }
}

/// Compares two tuples of keys.
pub(in super::super) fn compare_by(left: &[Value], right: &[Value], directions: &[Direction]) -> Ordering {
    let pairs = left.iter().zip(right).zip(directions);
    pairs
        .map(|((left, right), direction)| compare_one(left, right, *direction))
        .find(|found| found.is_ne())
        .unwrap_or(Ordering::Equal)
}

/// MEDIAN, PERCENTILE_CONT: between the two values around the place. PERCENTILE_DISC: the first whose share is enough.
pub(super) fn percentile(measure: &Measure, mut values: Vec<Value>) -> Result<Value, Fault> {
    values.sort_unstable();
    let Some(last) = values.len().checked_sub(1) else { return Ok(Value::Null) };
    if measure.function == AggregateFunction::PercentileDisc {
        let place = measure.fraction.place_among(values.len()).min(last);
        return Ok(values[place].clone());
    }
    let place = measure.fraction.value * count_as_float(last);
    let below = place.floor();
    let at = index(below, last);
    let low = float(&values[at])?;
    if at == last || place <= below {
        return Ok(Value::Float(low));
    }
    let high = float(&values[at + 1])?;
    // Between equal values there is no way, not even from infinity.
    Ok(Value::Float(if high <= low { low } else { low + (high - low) * (place - below) }))
}

impl Fraction {
    /// The position of the smallest value whose share reaches the fraction: CEIL(p * n), counted from 0 here. In whole
    /// numbers where the fraction has few digits, for 0.07 * 100 is more than 7 in doubles.
    fn place_among(&self, count: usize) -> usize {
        let exact = self.digits.and_then(|(digits, power)| {
            let count = u128::try_from(count).ok()?;
            usize::try_from(digits.checked_mul(count)?.div_ceil(power)).ok()
        });
        let reached = exact.unwrap_or_else(|| index((self.value * count_as_float(count)).ceil(), count));
        reached.saturating_sub(1)
    }
}

/// Groups have far fewer than 2^53 rows in memory.
#[allow(clippy::cast_precision_loss)]
fn count_as_float(count: usize) -> f64 {
    count as f64
}

/// A whole double from 0 to `most` as a position.
#[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)]
fn index(whole: f64, most: usize) -> usize {
    (whole.max(0.0) as usize).min(most)
}

/// LISTAGG: texts in order, each but the first after its separator. A row is text, separator, order keys.
pub(super) fn list(measure: &Measure, mut rows: Vec<Vec<Value>>) -> Value {
    rows.sort_by(|left, right| {
        let keys = (left.get(2..).unwrap_or_default(), right.get(2..).unwrap_or_default());
        compare_by(keys.0, keys.1, &measure.order).then_with(|| left.cmp(right))
    });
    let mut text = String::new();
    let mut seen = std::collections::BTreeSet::new();
    let mut any = false;
    for row in &rows {
        let [Value::Text(part), separator, ..] = row.as_slice() else { continue };
        if measure.distinct && !seen.insert(part.clone()) {
            continue;
        }
        if any && let Value::Text(separator) = separator {
            text.push_str(separator);
        }
        text.push_str(part);
        any = true;
    }
    if any { Value::text(text) } else { Value::Null }
}
