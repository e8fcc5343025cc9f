//! Constants. In: a literal and the type of its node. Out: its value, read once.

use unisono_compiler::data_type::DataType;
use unisono_compiler::expr::Literal;

use super::{cast, decimal, temporal};
use crate::engine::incremental::{Fault, Value};

pub(super) fn read(literal: &Literal, to: DataType) -> Result<Value, Fault> {
    let natural = match literal {
        Literal::Null => return Ok(Value::Null),
        Literal::Boolean(value) => Some(Value::Boolean(*value)),
        Literal::Integer(digits) | Literal::Decimal(digits) => number(digits),
        Literal::Float(text) => text.parse().ok().map(Value::Float),
        Literal::String(text) => Some(Value::text(text.as_str())),
        Literal::Date(text) => temporal::parse_date(text).map(Value::Date),
        Literal::Time(text) => temporal::parse_time(text).map(Value::Time),
        Literal::Timestamp(text) => temporal::parse_timestamp(text).map(Value::Timestamp),
    };
    let value = natural.map_or(Ok(Value::Null), |value| cast(&value, to))?;
    if value.is_null() {
        return Err(Fault::Plan(format!("{literal:?} is no {to}")));
    }
    Ok(value)
}

fn number(digits: &str) -> Option<Value> {
    let scale = u8::try_from(digits.split_once('.').map_or(0, |(_, fraction)| fraction.len())).ok()?;
    let unscaled = decimal::parse(digits, 38, scale)?;
    Some(match i64::try_from(unscaled) {
        Ok(value) if scale == 0 => Value::Integer(value),
        Ok(_) | Err(_) => Value::Decimal { unscaled, scale },
    })
}
