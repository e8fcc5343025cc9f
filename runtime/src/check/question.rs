//! What both sides were asked, as far as comparing needs it.
//! In: a bound request. Out: dimensions, metrics with their classes and their values over no rows.

use unisono_compiler::data_type::{DataType, Exactness};
use unisono_compiler::expr::{ExprKind, Literal};
use unisono_compiler::function::{AggregateFunction, Function, Scalar};
use unisono_compiler::query::{Aggregation, Bound, GroupExpr, GroupRef, Shape};

use super::exact::{order, to_float};
use crate::table::Value;

/// A request as two answers are compared by it.
#[derive(Clone, PartialEq, Debug)]
pub struct Question {
    /// Columns of the key; none where the answer is one row.
    pub dimensions: Vec<String>,
    /// The columns that are judged.
    pub metrics: Vec<Metric>,
    /// The weakest class of what decides which home row counts in which group: dimensions, `where`, `having`.
    pub grouping: Exactness,
}

/// A metric as it is compared.
#[derive(Clone, PartialEq, Debug)]
pub struct Metric {
    /// Its column.
    pub name: String,
    /// How equal two engines' values can be.
    pub class: Exactness,
    /// Its value over no rows; `None` where that is not known.
    pub empty: Option<Value>,
}

/// The question of a bound request; `None` for one that lists rows.
pub fn question(bound: &Bound) -> Option<Question> {
    let request = match &bound.shape {
        Shape::Aggregation(request) => request,
        Shape::Scalar(_) => return None,
    };
    let predicates = request.branches.iter().flat_map(|branch| &branch.predicates).map(|expr| expr.exactness);
    let grouping = request
        .dimensions
        .iter()
        .map(|dimension| dimension.exactness)
        .chain(predicates)
        .chain(request.having.iter().map(|expr| expr.exactness))
        .fold(Exactness::Exact, Exactness::and);
    let metrics = request.measures.iter().map(|measure| Metric {
        name: measure.name.clone(),
        class: measure.expr.exactness,
        empty: over_no_rows(request, &measure.expr),
    });
    Some(Question {
        dimensions: request.dimensions.iter().map(|dimension| dimension.name.clone()).collect(),
        metrics: metrics.collect(),
        grouping,
    })
}

/// A measure over no rows: counts are 0, other aggregates NULL, and what is simple enough is computed from these.
fn over_no_rows(request: &Aggregation, expr: &GroupExpr) -> Option<Value> {
    match &*expr.kind {
        ExprKind::Reference(GroupRef::Aggregate(index)) => {
            match request.aggregates.get(*index)?.aggregate.function {
                AggregateFunction::Count | AggregateFunction::CountRows => Some(Value::Integer(0)),
                AggregateFunction::Sum
                | AggregateFunction::Min
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
                | AggregateFunction::CovarSamp => Some(Value::Null),
            }
        }
        ExprKind::Literal(literal) => literal_value(literal),
        ExprKind::Cast { operand } => cast_empty(&over_no_rows(request, operand)?, expr.data_type),
        ExprKind::Call { function: Function::Scalar(function), arguments } => {
            let mut values = arguments.iter().map(|argument| over_no_rows(request, argument));
            match function {
                Scalar::Coalesce => loop {
                    match values.next() {
                        Some(Some(Value::Null)) => {}
                        Some(found) => return found,
                        None => return Some(Value::Null),
                    }
                },
                Scalar::Divide => match (values.next()??, values.next()??) {
                    (Value::Null, _) | (_, Value::Null) => Some(Value::Null),
                    (_, by) => (to_float(&by) == 0.0).then_some(Value::Null),
                },
                Scalar::Add
                | Scalar::Subtract
                | Scalar::Multiply
                | Scalar::Modulo
                | Scalar::Negate
                | Scalar::Abs
                | Scalar::Round
                | Scalar::Floor
                | Scalar::Ceiling
                | Scalar::Truncate
                | Scalar::Sign
                | Scalar::Power
                | Scalar::Sqrt
                | Scalar::Exp
                | Scalar::Ln
                | Scalar::Log10
                | Scalar::Log
                | Scalar::Greatest
                | Scalar::Least => values.any(|value| value == Some(Value::Null)).then_some(Value::Null),
                _ => None,
            }
        }
        ExprKind::Reference(GroupRef::Dimension(_))
        | ExprKind::Call { .. }
        | ExprKind::Case { .. }
        | ExprKind::InList { .. }
        | ExprKind::Aggregate(_)
        | ExprKind::Window(_) => None,
    }
}

/// The value of a constant whose text is a number, a text or a word.
pub(super) fn literal_value(literal: &Literal) -> Option<Value> {
    match literal {
        Literal::Null => Some(Value::Null),
        Literal::Boolean(value) => Some(Value::Boolean(*value)),
        Literal::Integer(digits) => digits.parse().ok().map(Value::Integer),
        Literal::Float(text) => text.parse().ok().map(Value::Float),
        Literal::String(text) => Some(Value::Text(text.clone())),
        Literal::Decimal(text) => {
            let scale = text.split_once('.').map_or(0, |(_, fraction)| fraction.len());
            let unscaled = text.replace('.', "").parse().ok()?;
            Some(Value::Decimal { unscaled, scale: u8::try_from(scale).ok()? })
        }
        Literal::Date(_) | Literal::Time(_) | Literal::Timestamp(_) => None,
    }
}

fn cast_empty(value: &Value, to: DataType) -> Option<Value> {
    if *value == Value::Null {
        return Some(Value::Null);
    }
    let is_zero = order(value, &Value::Integer(0)).is_eq();
    match to {
        _ if !is_zero => None,
        DataType::Int8 | DataType::Int16 | DataType::Int32 | DataType::Int64 => Some(Value::Integer(0)),
        DataType::Decimal { precision: _, scale } => Some(Value::Decimal { unscaled: 0, scale }),
        DataType::Float32 | DataType::Float64 => Some(Value::Float(0.0)),
        DataType::Boolean
        | DataType::String
        | DataType::Date
        | DataType::Time
        | DataType::Timestamp
        | DataType::TimestampTz
        | DataType::Null
        | DataType::Unknown => None,
    }
}

#[cfg(test)]
mod tests;
