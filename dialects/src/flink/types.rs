//! Types, casts and time literals of Flink.
//! <https://nightlies.apache.org/flink/flink-docs-stable/docs/dev/table/types/>

use unisono_compiler::data_type::DataType;
use unisono_compiler::expr::ExprKind;

use super::temporal;
use crate::casting::{Fit, Kind, fit, kind, text_guard};
use crate::form::{Moment, Refusal, Typed};
use crate::pattern::of_lines;
use crate::sql::tree::{self, Expr, Operator, Type, binary, call, chain, is_not_null, number, text, when};

/// The SQL type; timestamps carry six digits.
pub(super) fn data_type(data_type: DataType) -> Option<Type> {
    match data_type {
        // A bare NULL is rejected as a column.
        DataType::Boolean | DataType::Null => Some(Type::word("BOOLEAN")),
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
        DataType::Timestamp => Some(Type::with("TIMESTAMP", &[6])),
        DataType::TimestampTz => Some(Type::with("TIMESTAMP_LTZ", &[6])),
        DataType::Unknown => None,
    }
}

/// CAST to an integer wraps, so it stands in a range guard; to a decimal it gives NULL by itself; from text TRY_CAST, once the
/// text was looked at: TRY_CAST of `x` to a decimal is 0, and 30 February is read as a timestamp of the 29th.
pub(super) fn cast(operand: &Typed<'_>, to: DataType) -> Result<Expr, Refusal> {
    let fits = fit(operand, to)?;
    let Some(sql_type) = data_type(to) else { return Ok(operand.expr.clone()) };
    let expr = operand.expr.clone();
    if kind(operand.data_type) == Kind::String && kind(to) != Kind::String {
        return Ok(cast_text(operand, to, sql_type));
    }
    if to == DataType::Date && matches!(kind(operand.data_type), Kind::Timestamp | Kind::Instant) {
        return Ok(temporal::day(operand));
    }
    let plain = tree::cast(expr.clone(), sql_type.clone());
    Ok(match (fits, kind(operand.data_type), kind(to)) {
        (Fit::Maybe, Kind::Integer | Kind::Decimal, Kind::Integer) => when(exact_range(&expr, to), plain),
        (Fit::Maybe, Kind::Float, Kind::Integer) => when(float_range(&expr, to), plain),
        // The cast fails on NaN and the infinities, TRY_CAST too.
        (Fit::Maybe, Kind::Float, Kind::Decimal) => {
            let may_fit = binary(call("ABS", vec![expr.clone()]), Operator::Less, number("1e38"));
            when(may_fit, tree::try_cast(expr, sql_type))
        }
        (Fit::Maybe, Kind::Integer | Kind::Decimal, Kind::Decimal) | (Fit::Always, _, _) => plain,
        (Fit::Maybe, _, _) => tree::try_cast(expr, sql_type),
    })
}

fn cast_text(operand: &Typed<'_>, to: DataType, sql_type: Type) -> Expr {
    // The planner makes one wrapping cast of a cast to text and back, unless something stands between.
    let subject = if matches!(&*operand.source.kind, ExprKind::Cast { .. }) {
        call("CONCAT", vec![operand.expr.clone(), text("")])
    } else {
        operand.expr.clone()
    };
    let tried = tree::try_cast(subject, sql_type);
    let shape =
        text_guard(operand, to, |subject, pattern| call("REGEXP", vec![subject, text(of_lines(pattern))]));
    let day_exists = matches!(kind(to), Kind::Timestamp | Kind::Instant).then(|| {
        let day = call("SUBSTRING", vec![operand.expr.clone(), number(1), number(10)]);
        is_not_null(tree::try_cast(day, Type::word("DATE")))
    });
    let guards: Vec<Expr> = shape.into_iter().chain(day_exists).collect();
    if guards.is_empty() { tried } else { when(chain(Operator::And, guards), tried) }
}

/// The bits of an integer type, without its sign.
fn bits(to: DataType) -> u32 {
    match to {
        DataType::Int8 => 7,
        DataType::Int16 => 15,
        DataType::Int32 => 31,
        _ => 63,
    }
}

/// Between the bounds that are cut off toward zero into the type, as exact constants.
fn exact_range(x: &Expr, to: DataType) -> Expr {
    let limit = 1_i128 << bits(to);
    let constant = |value: i128| tree::cast(text(value.to_string()), Type::decimal(19, 0));
    chain(
        Operator::And,
        vec![
            binary(x.clone(), Operator::Greater, constant(-limit - 1)),
            binary(x.clone(), Operator::Less, constant(limit)),
        ],
    )
}

/// The same as doubles; NaN is outside of it.
fn float_range(x: &Expr, to: DataType) -> Expr {
    let limit = 1_i128 << bits(to);
    let constant = |value: i128| number([value.to_string().as_str(), "e0"].concat());
    let lower = if bits(to) == 63 {
        binary(x.clone(), Operator::GreaterEqual, constant(-limit))
    } else {
        binary(x.clone(), Operator::Greater, constant(-limit - 1))
    };
    chain(Operator::And, vec![lower, binary(x.clone(), Operator::Less, constant(limit))])
}

/// A value that is known to fit, in exactly the node's type.
pub(super) fn exactly(expr: Expr, to: DataType) -> Expr {
    match data_type(to) {
        Some(sql_type) => tree::cast(expr, sql_type),
        None => expr,
    }
}

/// Reading a text as DECIMAL counts the zero before the point as a digit, so it is left out.
pub(super) fn decimal(digits: &str, to: Type) -> Expr {
    let short = match digits.strip_prefix("-0.") {
        Some(fraction) => ["-.", fraction].concat(),
        None => {
            digits.strip_prefix("0.").map_or_else(|| digits.to_string(), |fraction| [".", fraction].concat())
        }
    };
    tree::cast(text(short), to)
}

/// Time literals; an instant is a timestamp in UTC, the session's zone.
pub(super) fn moment(moment: Moment, literal: &str) -> Expr {
    let typed = |word| Expr::Typed { word, text: literal.to_string() };
    match moment {
        Moment::Date => typed("DATE"),
        Moment::Time => typed("TIME"),
        Moment::Timestamp => tree::cast(typed("TIMESTAMP"), Type::with("TIMESTAMP", &[6])),
        Moment::TimestampTz => tree::cast(typed("TIMESTAMP"), Type::with("TIMESTAMP_LTZ", &[6])),
    }
}
