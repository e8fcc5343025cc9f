//! The table of scalar functions: one row each, none left out. In: arguments already evaluated. Out: the value.

use std::cmp::Ordering;

use unisono_compiler::data_type::DataType;
use unisono_compiler::function::Scalar;

use super::{arithmetic, cast, compare, math, text};
use crate::engine::incremental::{Fault, Value};

/// The arguments of a call, none of them NULL where they are read as a kind.
struct Arguments<'a> {
    function: Scalar,
    values: &'a [Value],
}

impl<'a> Arguments<'a> {
    fn value(&self, index: usize) -> Result<&'a Value, Fault> {
        self.values
            .get(index)
            .ok_or_else(|| Fault::Plan(format!("{} lacks argument {}", self.function.name(), index + 1)))
    }

    fn mismatch(&self, index: usize, wanted: &str) -> Fault {
        let found = self.values.get(index);
        Fault::Plan(format!("argument {} of {} is {found:?}, no {wanted}", index + 1, self.function.name()))
    }

    fn text(&self, index: usize) -> Result<&'a str, Fault> {
        let Value::Text(text) = self.value(index)? else { return Err(self.mismatch(index, "String")) };
        Ok(text)
    }

    fn count(&self, index: usize) -> Result<i64, Fault> {
        let Value::Integer(count) = self.value(index)? else { return Err(self.mismatch(index, "integer")) };
        Ok(*count)
    }

    fn float(&self, index: usize) -> Result<f64, Fault> {
        arithmetic::float(self.value(index)?)
    }

    /// An optional argument's one character; a blank if it is left out.
    fn character(&self, index: usize) -> Result<char, Fault> {
        if self.values.len() <= index {
            return Ok(' ');
        }
        let mut characters = self.text(index)?.chars();
        match (characters.next(), characters.next()) {
            (Some(character), None) => Ok(character),
            (_, _) => Err(self.mismatch(index, "single character")),
        }
    }
}

fn text_value(text: Option<String>) -> Value {
    text.map_or(Value::Null, Value::text)
}

fn float_value(float: Option<f64>) -> Value {
    float.map_or(Value::Null, Value::Float)
}

/// Functions that answer NULLs in a way of their own; for all others a NULL argument gives NULL.
fn takes_nulls(function: Scalar) -> bool {
    matches!(
        function,
        Scalar::IsNull
            | Scalar::IsNotNull
            | Scalar::IsDistinctFrom
            | Scalar::IsNotDistinctFrom
            | Scalar::NullIf
            | Scalar::And
            | Scalar::Or
            | Scalar::Coalesce
    )
}

pub(super) fn call(function: Scalar, values: &[Value], to: DataType) -> Result<Value, Fault> {
    if !takes_nulls(function) && values.iter().any(Value::is_null) {
        return Ok(Value::Null);
    }
    let given = Arguments { function, values };
    let value = |index| given.value(index);
    let compared = |test: fn(Ordering) -> bool| {
        compare::order(value(0)?, value(1)?)
            .map(|order| order.map_or(Value::Null, |order| Value::Boolean(test(order))))
    };
    let floats = |function: fn(f64) -> f64| given.float(0).map(|x| Value::Float(function(x)));
    Ok(match function {
        Scalar::Add => arithmetic::add(value(0)?, value(1)?, to)?,
        Scalar::Subtract => arithmetic::subtract(value(0)?, value(1)?, to)?,
        Scalar::Multiply => arithmetic::multiply(value(0)?, value(1)?, to)?,
        Scalar::Divide => arithmetic::divide(value(0)?, value(1)?)?,
        Scalar::Modulo => arithmetic::modulo(value(0)?, value(1)?, to)?,
        Scalar::Negate => arithmetic::negate(value(0)?, to)?,
        Scalar::Abs => arithmetic::absolute(value(0)?, to)?,
        Scalar::Round | Scalar::Truncate => {
            let digits = if values.len() > 1 { given.count(1)? } else { 0 };
            arithmetic::round(value(0)?, digits, function == Scalar::Round, to)?
        }
        Scalar::Floor => arithmetic::whole(value(0)?, false, to)?,
        Scalar::Ceiling => arithmetic::whole(value(0)?, true, to)?,
        Scalar::Sign => arithmetic::sign(value(0)?)?,
        Scalar::Power => float_value(math::power(given.float(0)?, given.float(1)?)),
        Scalar::Sqrt => float_value(math::square_root(given.float(0)?)),
        Scalar::Exp => float_value(math::exp(given.float(0)?)),
        Scalar::Ln => float_value(math::ln(given.float(0)?)),
        Scalar::Log10 => float_value(math::log10(given.float(0)?)),
        Scalar::Log => float_value(math::log(given.float(0)?, given.float(1)?)),
        Scalar::Sin => float_value(math::of_finite(given.float(0)?, f64::sin)),
        Scalar::Cos => float_value(math::of_finite(given.float(0)?, f64::cos)),
        Scalar::Tan => float_value(math::of_finite(given.float(0)?, f64::tan)),
        Scalar::Asin => float_value(math::within_one(given.float(0)?, f64::asin)),
        Scalar::Acos => float_value(math::within_one(given.float(0)?, f64::acos)),
        Scalar::Atan => floats(f64::atan)?,
        Scalar::Atan2 => Value::Float(given.float(0)?.atan2(given.float(1)?)),
        Scalar::Radians => floats(f64::to_radians)?,
        Scalar::Degrees => floats(f64::to_degrees)?,
        Scalar::Pi => Value::Float(std::f64::consts::PI),
        Scalar::Greatest => compare::extreme(values, Ordering::Greater)?,
        Scalar::Least => compare::extreme(values, Ordering::Less)?,
        Scalar::Equal => compared(Ordering::is_eq)?,
        Scalar::NotEqual => compared(Ordering::is_ne)?,
        Scalar::Less => compared(Ordering::is_lt)?,
        Scalar::LessEqual => compared(Ordering::is_le)?,
        Scalar::Greater => compared(Ordering::is_gt)?,
        Scalar::GreaterEqual => compared(Ordering::is_ge)?,
        Scalar::IsDistinctFrom => Value::Boolean(compare::distinct(value(0)?, value(1)?)?),
        Scalar::IsNotDistinctFrom => Value::Boolean(!compare::distinct(value(0)?, value(1)?)?),
        Scalar::IsNull => Value::Boolean(value(0)?.is_null()),
        Scalar::IsNotNull => Value::Boolean(!value(0)?.is_null()),
        Scalar::Not => {
            let Value::Boolean(value) = value(0)? else { return Err(given.mismatch(0, "Boolean")) };
            Value::Boolean(!value)
        }
        Scalar::NullIf => {
            if compare::equal(value(0)?, value(1)?)? == Some(true) {
                Value::Null
            } else {
                value(0)?.clone()
            }
        }
        Scalar::Concat => {
            let parts: Result<Vec<&str>, Fault> = (0..values.len()).map(|index| given.text(index)).collect();
            Value::text(parts?.concat())
        }
        Scalar::Length => Value::Integer(text::length(given.text(0)?)),
        Scalar::Upper => Value::text(text::upper(given.text(0)?)),
        Scalar::Lower => Value::text(text::lower(given.text(0)?)),
        Scalar::Trim => Value::text(given.text(0)?.trim_matches(given.character(1)?)),
        Scalar::TrimLeading => Value::text(given.text(0)?.trim_start_matches(given.character(1)?)),
        Scalar::TrimTrailing => Value::text(given.text(0)?.trim_end_matches(given.character(1)?)),
        Scalar::Substring => {
            let length = if values.len() > 2 { Some(given.count(2)?) } else { None };
            text_value(text::substring(given.text(0)?, given.count(1)?, length))
        }
        Scalar::Left => text_value(text::left(given.text(0)?, given.count(1)?)),
        Scalar::Right => text_value(text::right(given.text(0)?, given.count(1)?)),
        Scalar::Replace => text_value(text::replace(given.text(0)?, given.text(1)?, given.text(2)?)),
        Scalar::SplitPart => text_value(text::split_part(given.text(0)?, given.text(1)?, given.count(2)?)),
        Scalar::Position => Value::Integer(text::position(given.text(0)?, given.text(1)?)),
        Scalar::Contains => Value::Boolean(given.text(0)?.contains(given.text(1)?)),
        Scalar::StartsWith => Value::Boolean(given.text(0)?.starts_with(given.text(1)?)),
        Scalar::EndsWith => Value::Boolean(given.text(0)?.ends_with(given.text(1)?)),
        Scalar::Like => Value::Boolean(text::like(given.text(0)?, given.text(1)?)),
        Scalar::ILike => {
            Value::Boolean(text::like(&text::lower(given.text(0)?), &text::lower(given.text(1)?)))
        }
        Scalar::Initcap => Value::text(text::initcap(given.text(0)?)),
        Scalar::Reverse => Value::text(text::reverse(given.text(0)?)),
        Scalar::Repeat => text_value(text::repeat(given.text(0)?, given.count(1)?)?),
        Scalar::PadLeft => text_value(text::pad(given.text(0)?, given.count(1)?, given.text(2)?, true)?),
        Scalar::PadRight => text_value(text::pad(given.text(0)?, given.count(1)?, given.text(2)?, false)?),
        Scalar::ToDate => cast(value(0)?, DataType::Date)?,
        Scalar::ToTimestamp => cast(value(0)?, DataType::Timestamp)?,
        // `eval` looks at these before all arguments are evaluated.
        Scalar::And
        | Scalar::Or
        | Scalar::Coalesce
        | Scalar::RegexpLike
        | Scalar::RegexpReplace
        | Scalar::RegexpExtract
        | Scalar::RegexpCount => return Err(Fault::Plan(format!("{} of values", function.name()))),
    })
}
