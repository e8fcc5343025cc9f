//! Types, casts and time literals of StarRocks. Both timestamps are DATETIME; the session's zone is UTC.
//! <https://docs.starrocks.io/docs/sql-reference/data-types/>

use unisono_compiler::data_type::DataType;

use crate::arithmetic::{Digits, digits_of};
use crate::casting::{Fit, Kind, fit, kind, text_guard};
use crate::form::{Moment, Refusal, Typed};
use crate::magnitude::pow10;
use crate::pattern::of_lines;
use crate::sql::tree::{self, Expr, Operator, Type, binary, call, chain, number, text, when};

/// The SQL type; VARCHAR without a length is STRING here.
pub(super) fn data_type(data_type: DataType) -> Option<Type> {
    match data_type {
        DataType::Boolean => Some(Type::word("BOOLEAN")),
        DataType::Int8 => Some(Type::word("TINYINT")),
        DataType::Int16 => Some(Type::word("SMALLINT")),
        DataType::Int32 => Some(Type::word("INT")),
        DataType::Int64 => Some(Type::word("BIGINT")),
        DataType::Decimal { precision, scale } => Some(Type::decimal(precision, scale)),
        DataType::Float32 => Some(Type::word("FLOAT")),
        DataType::Float64 => Some(Type::word("DOUBLE")),
        DataType::String => Some(Type::word("STRING")),
        DataType::Date => Some(Type::word("DATE")),
        DataType::Time => Some(Type::word("TIME")),
        DataType::Timestamp | DataType::TimestampTz => Some(Type::word("DATETIME")),
        DataType::Null | DataType::Unknown => None,
    }
}

/// CAST gives NULL for bad text by itself, but takes nearly anything for a date, does not enforce a decimal's precision, and
/// overflows integers by the machine: each stands in a guard.
pub(super) fn cast(operand: &Typed<'_>, to: DataType) -> Result<Expr, Refusal> {
    let fits = fit(operand, to)?;
    let Some(sql_type) = data_type(to) else { return Ok(operand.expr.clone()) };
    let expr = operand.expr.clone();
    let plain = tree::cast(expr.clone(), sql_type);
    let checked = match (kind(operand.data_type), kind(to)) {
        (Kind::Decimal | Kind::Float, Kind::Integer) => {
            let cut = call("TRUNCATE", vec![expr.clone(), number(0)]);
            let value = data_type(to).map_or(cut.clone(), |sql_type| tree::cast(cut, sql_type));
            if fits == Fit::Always { value } else { when(integer_range(operand, to), value) }
        }
        (Kind::Integer, Kind::Integer) if fits == Fit::Maybe => when(integer_range(operand, to), plain),
        (_, Kind::Decimal) if fits == Fit::Maybe => match digits_of(to) {
            Some(digits) => when(decimal_range(operand, digits), plain),
            None => plain,
        },
        (_, _) => plain,
    };
    let guard =
        text_guard(operand, to, |subject, pattern| call("REGEXP", vec![subject, text(of_lines(pattern))]));
    Ok(match guard {
        Some(guard) => when(guard, checked),
        None => checked,
    })
}

/// Between the bounds that are cut off toward zero into the type.
fn integer_range(operand: &Typed<'_>, to: DataType) -> Expr {
    let bits = match to {
        DataType::Int8 => 7,
        DataType::Int16 => 15,
        DataType::Int32 => 31,
        _ => 63,
    };
    let limit = 1_i128 << bits;
    let is_float = kind(operand.data_type) == Kind::Float;
    let constant = |value: i128| {
        if is_float {
            number([value.to_string().as_str(), "e0"].concat())
        } else {
            tree::cast(text(value.to_string()), Type::word("LARGEINT"))
        }
    };
    let lower = if is_float && bits == 63 {
        binary(operand.expr.clone(), Operator::GreaterEqual, constant(-limit))
    } else {
        binary(operand.expr.clone(), Operator::Greater, constant(-limit - 1))
    };
    chain(Operator::And, vec![lower, binary(operand.expr.clone(), Operator::Less, constant(limit))])
}

/// The value, rounded to the scale, has at most the digits of the type.
fn decimal_range(operand: &Typed<'_>, digits: Digits) -> Expr {
    let whole = digits.precision - digits.scale;
    let rounded = if kind(operand.data_type) == Kind::Float || digits.precision == 38 {
        tree::cast(operand.expr.clone(), Type::word("DOUBLE"))
    } else {
        tree::cast(operand.expr.clone(), Type::decimal(38, digits.scale))
    };
    let limit = if kind(operand.data_type) == Kind::Float || digits.precision == 38 {
        number([pow10(whole).to_string().as_str(), "e0"].concat())
    } else {
        tree::cast(text(pow10(whole).to_string()), Type::decimal(38, 0))
    };
    binary(call("ABS", vec![rounded]), Operator::Less, limit)
}

/// A value that is known to fit, in exactly the node's type.
pub(super) fn exactly(expr: Expr, to: DataType) -> Expr {
    match data_type(to) {
        Some(sql_type) => tree::cast(expr, sql_type),
        None => expr,
    }
}

/// Time literals; there is no TIMESTAMP.
pub(super) fn moment(moment: Moment, literal: &str) -> Expr {
    let word = match moment {
        Moment::Date => "DATE",
        Moment::Time => return tree::cast(text(literal), Type::word("TIME")),
        Moment::Timestamp | Moment::TimestampTz => "DATETIME",
    };
    Expr::Typed { word, text: literal.to_string() }
}
