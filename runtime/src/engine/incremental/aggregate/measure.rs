//! An aggregate of a plan made ready: what it reads of a row, and what is kept of a group between two runs.
//! In: the plan's aggregate, or its pick. Out: inputs of rows, kinds of cells, values from cells.

use unisono_compiler::data_type::DataType;
use unisono_compiler::expr::{Aggregate, ExprKind, Literal};
use unisono_compiler::function::AggregateFunction;
use unisono_compiler::ids::SlotId;

use super::super::eval::{Prepared, prepare};
use super::super::{Fault, Value};
use super::Wide;
use super::order::{Direction, compare_one};

/// An aggregate, ready to take rows.
#[derive(Debug)]
pub(in super::super) struct Measure {
    /// Where its value stands in a row of groups.
    pub(in super::super) place: usize,
    /// What is computed.
    pub(in super::super) function: AggregateFunction,
    /// Over different inputs only.
    pub(in super::super) distinct: bool,
    /// Of what it is a sum, if it is one.
    pub(super) sum_type: SumType,
    /// The fraction of a percentile.
    pub(super) fraction: Fraction,
    /// Directions of the inputs behind the arguments.
    pub(super) order: Vec<Direction>,
    inputs: Vec<Prepared>,
}

/// What is summed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(in super::super) enum SumType {
    /// Integers and decimals, as decimals of this scale.
    Exact { scale: u8 },
    /// Doubles.
    Float,
}

/// A fraction from 0 to 1: as a double, and exactly as `digits / power` where it is written with few digits.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(in super::super) struct Fraction {
    pub(super) value: f64,
    pub(super) digits: Option<(u128, u128)>,
}

const HALF: Fraction = Fraction { value: 0.5, digits: Some((5, 10)) };

impl Measure {
    /// An aggregate over slots whose values stand at `place`.
    pub(in super::super) fn of(
        place: usize,
        aggregate: &Aggregate<SlotId>,
        places: &dyn Fn(&unisono_compiler::plan::SlotExpr) -> Option<usize>,
    ) -> Result<Measure, Fault> {
        let sum_type = match (aggregate.function, aggregate.arguments.first().map(|first| first.data_type)) {
            (AggregateFunction::Sum, Some(given)) => sum_type(given)?,
            (_, Some(_) | None) => SumType::Float,
        };
        let is_percentile = matches!(
            aggregate.function,
            AggregateFunction::PercentileCont | AggregateFunction::PercentileDisc
        );
        let fraction = match aggregate.arguments.get(1).map(|second| &*second.kind) {
            Some(ExprKind::Literal(literal)) if is_percentile => fraction(literal)?,
            Some(_) | None if is_percentile => {
                return Err(Fault::Plan("a percentile without a literal fraction".to_string()));
            }
            Some(_) | None => HALF,
        };
        let read = if is_percentile { 1 } else { aggregate.arguments.len() };
        let arguments = aggregate.arguments.iter().take(read);
        let inputs = arguments
            .chain(aggregate.order_by.iter().map(|key| &key.expr))
            .map(|expr| prepare(expr, places))
            .collect::<Result<_, _>>()?;
        let order = aggregate
            .order_by
            .iter()
            .map(|key| Direction { descending: key.descending, nulls_first: key.nulls_first })
            .collect();
        let Aggregate { function, arguments: _, distinct, order_by: _ } = aggregate;
        Ok(Measure { place, function: *function, distinct: *distinct, sum_type, fraction, order, inputs })
    }

    /// A pick of the value beside the least or greatest `by`.
    pub(in super::super) fn pick(place: usize, greatest: bool, value: Prepared, by: Prepared) -> Measure {
        Measure {
            place,
            function: if greatest { AggregateFunction::MaxBy } else { AggregateFunction::MinBy },
            distinct: false,
            sum_type: SumType::Float,
            fraction: HALF,
            order: Vec::new(),
            inputs: vec![value, by],
        }
    }

    /// What a row gives to the aggregate: its arguments, then its order keys.
    pub(in super::super) fn inputs(&self, row: &[Value], into: &mut Vec<Value>) -> Result<(), Fault> {
        into.clear();
        for input in &self.inputs {
            into.push(input.eval(row)?);
        }
        Ok(())
    }

    /// Whether it is a count of rows or values, or an exact sum: what can be carried on by addition alone.
    pub(in super::super) fn is_linear(&self) -> bool {
        !self.distinct
            && match self.function {
                AggregateFunction::CountRows | AggregateFunction::Count => true,
                AggregateFunction::Sum => self.sum_type != SumType::Float,
                AggregateFunction::Min
                | AggregateFunction::Max
                | AggregateFunction::StddevSamp
                | AggregateFunction::StddevPop
                | AggregateFunction::VarSamp
                | AggregateFunction::VarPop
                | AggregateFunction::Median
                | AggregateFunction::PercentileCont
                | AggregateFunction::PercentileDisc
                | AggregateFunction::MinBy
                | AggregateFunction::MaxBy
                | AggregateFunction::ListAgg
                | AggregateFunction::Corr
                | AggregateFunction::CovarPop
                | AggregateFunction::CovarSamp => false,
            }
    }

    /// Whether it has the sum's own two cells, sum and count.
    pub(in super::super) fn is_exact_sum(&self) -> bool {
        self.function == AggregateFunction::Sum && self.is_linear()
    }

    /// The type of an exact sum.
    pub(in super::super) fn sum_data_type(&self) -> DataType {
        match self.sum_type {
            SumType::Exact { scale } => DataType::Decimal { precision: 38, scale },
            SumType::Float => DataType::Float64,
        }
    }

    /// Whether it is a pick, which has the cells value and `by`.
    pub(in super::super) fn is_pick(&self) -> bool {
        matches!(self.function, AggregateFunction::MinBy | AggregateFunction::MaxBy)
    }

    /// How many cells are kept of a group.
    pub(in super::super) fn cells(&self) -> usize {
        if self.function == AggregateFunction::CountRows {
            0
        } else if self.is_exact_sum() || self.is_pick() {
            2
        } else {
            1
        }
    }

    /// The value of a group from its cells.
    pub(in super::super) fn value(&self, rows: i64, cells: &[Value]) -> Value {
        match cells {
            [] => Value::Integer(rows),
            [_, Value::Integer(0)] if self.is_exact_sum() => Value::Null,
            [value, ..] => value.clone(),
        }
    }

    /// A summand's digits at the sum's scale.
    pub(in super::super) fn exact(&self, value: &Value) -> Result<i128, Fault> {
        let SumType::Exact { scale } = self.sum_type else {
            return Err(Fault::Plan("an exact sum of floats".to_string()));
        };
        let (digits, own) = value
            .exact()
            .ok_or_else(|| Fault::Plan(format!("{value:?} where exact numbers are summed up")))?;
        let up = scale.checked_sub(own).map(|up| 10_i128.checked_pow(u32::from(up)));
        up.flatten()
            .and_then(|up| digits.checked_mul(up))
            .ok_or_else(|| Fault::Plan(format!("{value:?} in a sum of scale {scale}")))
    }

    /// A sum as a value.
    pub(in super::super) fn sum(&self, sum: Wide) -> Result<Value, Fault> {
        let SumType::Exact { scale } = self.sum_type else {
            return Err(Fault::Plan("an exact sum of floats".to_string()));
        };
        match sum.digits() {
            Some(unscaled) => Ok(Value::Decimal { unscaled, scale }),
            None => Err(Fault::Overflow(format!("a sum leaves Decimal(38,{scale})"))),
        }
    }

    /// Whether a value of MIN or MAX is better than the best so far.
    pub(in super::super) fn beats(&self, value: &Value, best: &Value) -> bool {
        if self.function == AggregateFunction::Max { value > best } else { value < best }
    }

    /// Whether a row (by, value) of a pick wins over the best so far: ties go to the least value, NULL after all.
    pub(in super::super) fn wins(&self, row: (&Value, &Value), best: (&Value, &Value)) -> bool {
        let tie = Direction { descending: false, nulls_first: false };
        let by = Direction { descending: self.function == AggregateFunction::MaxBy, nulls_first: false };
        compare_one(row.0, best.0, by).then_with(|| compare_one(row.1, best.1, tie)).is_lt()
    }
}

fn sum_type(given: DataType) -> Result<SumType, Fault> {
    match given {
        DataType::Decimal { precision: _, scale } => Ok(SumType::Exact { scale }),
        DataType::Int8 | DataType::Int16 | DataType::Int32 | DataType::Int64 => {
            Ok(SumType::Exact { scale: 0 })
        }
        DataType::Float32 | DataType::Float64 => Ok(SumType::Float),
        DataType::Boolean
        | DataType::String
        | DataType::Date
        | DataType::Time
        | DataType::Timestamp
        | DataType::TimestampTz
        | DataType::Null
        | DataType::Unknown => Err(Fault::Unsupported(format!("SUM of {given}"))),
    }
}

fn fraction(literal: &Literal) -> Result<Fraction, Fault> {
    let (Literal::Integer(text) | Literal::Decimal(text) | Literal::Float(text)) = literal else {
        return Err(Fault::Plan("a percentile whose fraction is no number".to_string()));
    };
    let value = text.parse().map_err(|_| Fault::Plan(format!("fraction `{text}`")))?;
    let (whole, part) = text.split_once('.').unwrap_or((text, ""));
    let power =
        u32::try_from(part.len()).ok().filter(|length| *length <= 18).map(|length| 10_u128.pow(length));
    let digits = format!("{whole}{part}").parse().ok().zip(power);
    Ok(Fraction { value, digits })
}
