//! What changes add to one group. In: signed rows. Out: the group's new cells, or that its rows have to be read again.

use std::collections::BTreeMap;

use unisono_compiler::function::AggregateFunction;

use super::super::aggregate::{Measure, Wide};
use super::super::interpret::Cells;
use super::super::{Fault, Value};
use super::stored::broken;

/// Signed rows of one group, added up.
pub(super) struct Delta {
    rows: i64,
    parts: Vec<Part>,
}

/// Signed inputs of one measure, added up.
enum Part {
    /// Of COUNT(*).
    Rows,
    /// Of a COUNT.
    Count(i64),
    /// Of an exact SUM.
    Sum { sum: Wide, count: i64 },
    /// Of any other: how often each input came or went. Images of far sides come and go in one step; what is left is exact.
    Net(BTreeMap<Vec<Value>, i64>),
}

/// A group after a change.
pub(super) enum Merged {
    /// Its cells.
    Known(Cells),
    /// Its rows have to be read again.
    Again,
}

impl Delta {
    /// Nothing so far.
    pub(super) fn of(measures: &[Measure]) -> Delta {
        let part = |measure: &Measure| match measure.function {
            AggregateFunction::CountRows => Part::Rows,
            AggregateFunction::Count if measure.is_linear() => Part::Count(0),
            _ if measure.is_exact_sum() => Part::Sum { sum: Wide::default(), count: 0 },
            _ => Part::Net(BTreeMap::new()),
        };
        Delta { rows: 0, parts: measures.iter().map(part).collect() }
    }

    /// Adds a signed row.
    pub(super) fn add(&mut self, measures: &[Measure], sign: i64, row: &[Value]) -> Result<(), Fault> {
        self.rows += sign;
        let mut inputs = Vec::new();
        for (measure, part) in measures.iter().zip(&mut self.parts) {
            measure.inputs(row, &mut inputs)?;
            let is_null = inputs.first().is_none_or(Value::is_null);
            match part {
                Part::Count(count) if !is_null => *count += sign,
                Part::Sum { sum, count } if !is_null => {
                    let digits = measure.exact(&inputs[0])?;
                    if sign < 0 {
                        sum.subtract(digits);
                    } else {
                        sum.add(digits);
                    }
                    *count += sign;
                }
                Part::Rows | Part::Count(_) | Part::Sum { .. } => {}
                Part::Net(net) => {
                    let times = net.entry(inputs.clone()).or_insert(0);
                    *times += sign;
                    if *times == 0 {
                        net.remove(&inputs);
                    }
                }
            }
        }
        Ok(())
    }

    /// Whether all of it cancelled.
    pub(super) fn is_nothing(&self) -> bool {
        self.rows == 0
            && self.parts.iter().all(|part| match part {
                Part::Rows => true,
                Part::Count(count) => *count == 0,
                Part::Sum { sum, count } => *count == 0 && *sum == Wide::default(),
                Part::Net(net) => net.is_empty(),
            })
    }

    /// The group after the change.
    pub(super) fn merge(&self, measures: &[Measure], before: &Cells, empty: &Cells) -> Result<Merged, Fault> {
        let rows = before.rows + self.rows;
        if rows < 0 {
            return Err(broken("a group has fewer than no rows"));
        }
        if rows == 0 {
            return Ok(Merged::Known(empty.clone()));
        }
        let mut cells = Vec::with_capacity(before.cells.len());
        for ((measure, own), part) in before.by_measure(measures).zip(&self.parts) {
            match part {
                Part::Rows => {}
                Part::Count(count) => match own {
                    [Value::Integer(old)] if old + count >= 0 => cells.push(Value::Integer(old + count)),
                    _ => return Err(broken("a count is below zero or missing")),
                },
                Part::Sum { sum, count } => match own {
                    [old, Value::Integer(old_count)] if old_count + count >= 0 => {
                        let mut sum = *sum;
                        sum.add(measure.exact(old)?);
                        cells.push(measure.sum(sum)?);
                        cells.push(Value::Integer(old_count + count));
                    }
                    _ => return Err(broken("a sum's count is below zero or missing")),
                },
                Part::Net(net) => match carried_on(measure, own, net) {
                    Some(own) => cells.extend(own),
                    None => return Ok(Merged::Again),
                },
            }
        }
        Ok(Merged::Known(Cells { rows, cells }))
    }
}

/// The cells after what came and went, if they can be told from it.
fn carried_on(measure: &Measure, own: &[Value], net: &BTreeMap<Vec<Value>, i64>) -> Option<Vec<Value>> {
    let ignored = |inputs: &[Value]| {
        let decides = if measure.is_pick() { inputs.get(1) } else { inputs.first() };
        decides.is_none_or(Value::is_null)
    };
    let mut left = net.iter().filter(|(inputs, _)| !ignored(inputs)).peekable();
    if left.peek().is_none() {
        return Some(own.to_vec());
    }
    match (measure.function, own) {
        (AggregateFunction::Min | AggregateFunction::Max, [old]) => {
            let mut best = old.clone();
            for (inputs, times) in left {
                let value = inputs.first()?;
                if *times < 0 {
                    // What is strictly worse than the best was never it.
                    if old.is_null() || !measure.beats(old, value) {
                        return None;
                    }
                } else if best.is_null() || measure.beats(value, &best) {
                    best = value.clone();
                }
            }
            Some(vec![best])
        }
        (AggregateFunction::MinBy | AggregateFunction::MaxBy, [old, old_by]) => {
            let (mut best, mut best_by) = (old.clone(), old_by.clone());
            for (inputs, times) in left {
                let [value, by] = inputs.as_slice() else { return None };
                if *times < 0 {
                    if old_by.is_null() || !measure.wins((old_by, old), (by, value)) {
                        return None;
                    }
                } else if best_by.is_null() || measure.wins((by, value), (&best_by, &best)) {
                    (best, best_by) = (value.clone(), by.clone());
                }
            }
            Some(vec![best, best_by])
        }
        (AggregateFunction::Sum, [old]) if !measure.distinct => {
            let mut sum = match old {
                Value::Float(sum) => *sum,
                _ => 0.0,
            };
            for (inputs, times) in left {
                let Some(Value::Float(value)) = inputs.first() else { return None };
                if *times < 0 {
                    return None;
                }
                for _ in 0..*times {
                    sum += value;
                }
            }
            Some(vec![Value::Float(sum)])
        }
        _ => None,
    }
}
