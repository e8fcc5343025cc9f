//! Hand-written values of every function and node, by docs/semantics.md; a function without an example fails.

mod dates;
mod functions;
mod nodes;

use unisono_compiler::data_type::{DataType, Exactness};
use unisono_compiler::expr::{Expr, ExprKind, Literal};
use unisono_compiler::function::{Function, Scalar};
use unisono_compiler::ids::{Id, SlotId};
use unisono_compiler::plan::SlotExpr;

use super::{cast, prepare};
use crate::engine::incremental::{Fault, Value};

const INT: DataType = DataType::Int64;
const DOUBLE: DataType = DataType::Float64;
const TEXT: DataType = DataType::String;
const FLAG: DataType = DataType::Boolean;
const NULL: Value = Value::Null;

fn int(value: i64) -> Value {
    Value::Integer(value)
}

fn dec(unscaled: i128, scale: u8) -> Value {
    Value::Decimal { unscaled, scale }
}

fn decimal(precision: u8, scale: u8) -> DataType {
    DataType::Decimal { precision, scale }
}

fn float(value: f64) -> Value {
    Value::Float(value)
}

fn text(value: &str) -> Value {
    Value::text(value)
}

fn flag(value: bool) -> Value {
    Value::Boolean(value)
}

fn date(iso: &str) -> Value {
    cast(&text(iso), DataType::Date).unwrap()
}

fn moment(iso: &str) -> Value {
    cast(&text(iso), DataType::Timestamp).unwrap()
}

fn instant(iso: &str) -> Value {
    cast(&text(iso), DataType::TimestampTz).unwrap()
}

fn node(kind: ExprKind<SlotId>, data_type: DataType) -> SlotExpr {
    Expr::new(kind, data_type, Exactness::Exact)
}

fn slot(index: usize) -> SlotExpr {
    node(ExprKind::Reference(SlotId::from_index(index)), DataType::Unknown)
}

fn constant(literal: Literal, data_type: DataType) -> SlotExpr {
    node(ExprKind::Literal(literal), data_type)
}

fn call(function: Function, arguments: Vec<SlotExpr>, to: DataType) -> SlotExpr {
    node(ExprKind::Call { function, arguments }, to)
}

/// Evaluates over a row whose columns are the slots in order.
fn eval(expr: &SlotExpr, row: &[Value]) -> Result<Value, Fault> {
    let place = |expr: &SlotExpr| match &*expr.kind {
        ExprKind::Reference(slot) => Some(slot.index()),
        _ => None,
    };
    prepare(expr, &place)?.eval(row)
}

/// Evaluates a call over columns; the pattern of a regular expression is a constant.
fn apply(function: Function, values: &[Value], to: DataType) -> String {
    let is_pattern = |index: usize| {
        index == 1
            && matches!(
                function,
                Function::Scalar(
                    Scalar::RegexpLike | Scalar::RegexpReplace | Scalar::RegexpExtract | Scalar::RegexpCount
                )
            )
    };
    let arguments = values
        .iter()
        .enumerate()
        .map(|(index, value)| match value {
            Value::Text(text) if is_pattern(index) => constant(Literal::String(text.to_string()), TEXT),
            _ => slot(index),
        })
        .collect();
    show(eval(&call(function, arguments, to), values))
}

/// A value with its kind: texts in quotes, decimals with their scale, floats with a point, faults by name.
fn show(answer: Result<Value, Fault>) -> String {
    match answer {
        Ok(Value::Text(text)) => format!("'{text}'"),
        Ok(Value::Date(days)) => format!("date {}", Value::Date(days)),
        Ok(Value::Timestamp(micros)) => format!("timestamp {}", Value::Timestamp(micros)),
        Ok(Value::Instant(micros)) => format!("instant {}", Value::Instant(micros)),
        Ok(value) => value.to_string(),
        Err(Fault::Overflow(_)) => "overflow".to_string(),
        Err(Fault::Unsupported(_)) => "unsupported".to_string(),
        Err(fault) => fault.to_string(),
    }
}
