//! The engine's own aggregate functions (docs/semantics.md, aggregates). In: an aggregate of a plan, and the values of one
//! row after another. Out: a group's value, and the cells from which it can be carried on.

mod exact;
mod measure;
mod moments;
mod order;

use std::collections::BTreeSet;

use unisono_compiler::function::AggregateFunction;

use self::moments::{Moments, Pairs};
use super::{Fault, Value};
pub(super) use exact::Wide;
pub(super) use measure::{Fraction, Measure, SumType};
pub(super) use order::{Direction, compare_by};

/// One aggregate of one group while its rows come in.
#[derive(Clone, Debug)]
pub(super) enum Accumulator {
    /// COUNT(*): the group counts its rows itself.
    Rows,
    /// COUNT.
    Count(i64),
    /// SUM of exact numbers.
    Exact { sum: Wide, count: i64 },
    /// SUM of floats.
    Float { sum: f64, count: i64 },
    /// MIN or MAX.
    Extreme(Option<Value>),
    /// The least or greatest `by`, and the value beside it.
    Pick(Option<(Value, Value)>),
    /// STDDEV, VARIANCE.
    Moments(Moments),
    /// CORR, COVAR.
    Pairs(Pairs),
    /// MEDIAN, percentiles: all values.
    Values(Vec<Value>),
    /// Anything DISTINCT: all tuples.
    Set(BTreeSet<Vec<Value>>),
    /// LISTAGG: all rows.
    List(Vec<Vec<Value>>),
}

impl Accumulator {
    /// Over no rows.
    pub(super) fn new(measure: &Measure) -> Accumulator {
        if measure.distinct {
            return match measure.function {
                AggregateFunction::ListAgg => Accumulator::List(Vec::new()),
                AggregateFunction::Min | AggregateFunction::Max => Accumulator::Extreme(None),
                _ => Accumulator::Set(BTreeSet::new()),
            };
        }
        match measure.function {
            AggregateFunction::CountRows => Accumulator::Rows,
            AggregateFunction::Count => Accumulator::Count(0),
            AggregateFunction::Sum => match measure.sum_type {
                SumType::Exact { scale: _ } => Accumulator::Exact { sum: Wide::default(), count: 0 },
                SumType::Float => Accumulator::Float { sum: 0.0, count: 0 },
            },
            AggregateFunction::Min | AggregateFunction::Max => Accumulator::Extreme(None),
            AggregateFunction::MinBy | AggregateFunction::MaxBy => Accumulator::Pick(None),
            AggregateFunction::StddevSamp
            | AggregateFunction::StddevPop
            | AggregateFunction::VarSamp
            | AggregateFunction::VarPop => Accumulator::Moments(Moments::default()),
            AggregateFunction::Corr | AggregateFunction::CovarPop | AggregateFunction::CovarSamp => {
                Accumulator::Pairs(Pairs::default())
            }
            AggregateFunction::Median
            | AggregateFunction::PercentileCont
            | AggregateFunction::PercentileDisc => Accumulator::Values(Vec::new()),
            AggregateFunction::ListAgg => Accumulator::List(Vec::new()),
        }
    }

    /// Takes the inputs of one row, as `Measure::inputs` made them.
    pub(super) fn add(&mut self, measure: &Measure, inputs: &[Value]) -> Result<(), Fault> {
        let Some(first) = inputs.first() else { return Ok(()) };
        if first.is_null() && !matches!(self, Accumulator::Pick(_)) {
            return Ok(());
        }
        match self {
            Accumulator::Rows => {}
            Accumulator::Count(count) => *count += 1,
            Accumulator::Exact { sum, count } => {
                sum.add(measure.exact(first)?);
                *count += 1;
            }
            Accumulator::Float { sum, count } => {
                *sum += float(first)?;
                *count += 1;
            }
            Accumulator::Extreme(best) => {
                if best.as_ref().is_none_or(|best| measure.beats(first, best)) {
                    *best = Some(first.clone());
                }
            }
            Accumulator::Pick(best) => {
                if let [value, by] = inputs
                    && !by.is_null()
                    && best.as_ref().is_none_or(|(best_by, best)| measure.wins((by, value), (best_by, best)))
                {
                    *best = Some((by.clone(), value.clone()));
                }
            }
            Accumulator::Moments(moments) => moments.add(float(first)?),
            Accumulator::Pairs(pairs) => {
                if let [x, y] = inputs
                    && !y.is_null()
                {
                    pairs.add(float(x)?, float(y)?);
                }
            }
            Accumulator::Values(values) => values.push(first.clone()),
            Accumulator::Set(tuples) => {
                if inputs.iter().all(|value| !value.is_null()) && !tuples.contains(inputs) {
                    tuples.insert(inputs.to_vec());
                }
            }
            Accumulator::List(rows) => rows.push(inputs.to_vec()),
        }
        Ok(())
    }

    /// What is kept of the group: as many cells as `Measure::cells` says.
    pub(super) fn cells(self, measure: &Measure) -> Result<Vec<Value>, Fault> {
        Ok(match self {
            Accumulator::Rows => Vec::new(),
            Accumulator::Count(count) => vec![Value::Integer(count)],
            Accumulator::Exact { sum, count } => vec![measure.sum(sum)?, Value::Integer(count)],
            Accumulator::Float { sum: _, count: 0 } => vec![Value::Null],
            Accumulator::Float { sum, count: _ } => vec![Value::Float(sum)],
            Accumulator::Extreme(best) => vec![best.unwrap_or(Value::Null)],
            Accumulator::Pick(best) => {
                let (by, value) = best.unwrap_or((Value::Null, Value::Null));
                vec![value, by]
            }
            Accumulator::Moments(moments) => vec![moments.finish(measure.function)],
            Accumulator::Pairs(pairs) => vec![pairs.finish(measure.function)],
            Accumulator::Values(values) => vec![order::percentile(measure, values)?],
            Accumulator::Set(tuples) => vec![distinct(measure, &tuples)?],
            Accumulator::List(rows) => vec![order::list(measure, rows)],
        })
    }
}

/// COUNT or SUM of distinct tuples.
fn distinct(measure: &Measure, tuples: &BTreeSet<Vec<Value>>) -> Result<Value, Fault> {
    if measure.function == AggregateFunction::Count {
        return i64::try_from(tuples.len())
            .map(Value::Integer)
            .map_err(|_| Fault::Overflow("more distinct values than BIGINT holds".to_string()));
    }
    if tuples.is_empty() {
        return Ok(Value::Null);
    }
    let values = tuples.iter().filter_map(|tuple| tuple.first());
    match measure.sum_type {
        SumType::Exact { scale: _ } => {
            let mut sum = Wide::default();
            for value in values {
                sum.add(measure.exact(value)?);
            }
            measure.sum(sum)
        }
        SumType::Float => {
            let mut sum = 0.0;
            for value in values {
                sum += float(value)?;
            }
            Ok(Value::Float(sum))
        }
    }
}

/// A number that the compiler cast to Float64.
fn float(value: &Value) -> Result<f64, Fault> {
    match value {
        Value::Float(value) => Ok(*value),
        other => Err(Fault::Plan(format!("{other:?} where a float is summed up"))),
    }
}

#[cfg(test)]
mod tests;
