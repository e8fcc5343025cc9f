//! Types, casts and time literals of DataFusion 54.
//! <https://datafusion.apache.org/user-guide/sql/data_types.html>

use unisono_compiler::data_type::DataType;

use crate::casting::{Fit, Kind, fit, kind, text_guard};
use crate::form::{Moment, Refusal, Typed};
use crate::sql::tree::{self, Expr, NULL, Type, call, text, when};

/// The SQL type; times carry their six digits, since TIMESTAMP alone is in nanoseconds here.
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
        DataType::String => Some(Type::word("VARCHAR")),
        DataType::Date => Some(Type::word("DATE")),
        DataType::Time => Some(Type::word("TIME")),
        DataType::Timestamp => Some(Type::with("TIMESTAMP", &[6])),
        DataType::TimestampTz => {
            Some(Type { name: "TIMESTAMP", parameters: vec![6], suffix: Some("WITH TIME ZONE") })
        }
        DataType::Null | DataType::Unknown => None,
    }
}

/// CAST where every value fits, else TRY_CAST; numbers are cut toward zero natively. TRY_CAST of an empty text to a decimal
/// is 0, so texts are looked at first.
pub(super) fn cast(operand: &Typed<'_>, to: DataType) -> Result<Expr, Refusal> {
    let fits = fit(operand, to)?;
    let Some(sql_type) = data_type(to) else { return Ok(operand.expr.clone()) };
    let tried = tree::try_cast(operand.expr.clone(), sql_type.clone());
    let guard = text_guard(operand, to, |subject, pattern| call("REGEXP_LIKE", vec![subject, text(pattern)]));
    let plain = match (guard, fits) {
        (Some(guard), _) => when(guard, tried),
        (None, Fit::Always) => tree::cast(operand.expr.clone(), sql_type),
        (None, Fit::Maybe) => tried,
    };
    Ok(if loses(operand.data_type, to, fits) { opaque(plain) } else { plain })
}

/// Whether two exact numbers can become one by the cast, or one becomes NULL.
fn loses(from: DataType, to: DataType, fits: Fit) -> bool {
    let is_exact = |data_type| matches!(kind(data_type), Kind::Integer | Kind::Decimal);
    is_exact(from) && is_exact(to) && (fits == Fit::Maybe || scale(to) < scale(from))
}

fn scale(data_type: DataType) -> u8 {
    match data_type {
        DataType::Decimal { scale, .. } => scale,
        _ => 0,
    }
}

/// The same value, but for the optimizer another: it moves a cast from a column to the constant that the column is compared with,
/// so that `CAST(2.99 AS INT) = 2` became `2.99 = 2`, and takes `x % 1` for 0 where x is not nullable (both run).
pub(super) fn opaque(expr: Expr) -> Expr {
    call("NULLIF", vec![expr, NULL])
}

/// A value that is known to fit, in exactly the node's type.
pub(super) fn exactly(expr: Expr, to: DataType) -> Expr {
    match data_type(to) {
        Some(sql_type) => tree::cast(expr, sql_type),
        None => expr,
    }
}

/// Time literals; timestamps by a cast, since `TIMESTAMP '..'` is in nanoseconds and ends in 2262.
pub(super) fn moment(moment: Moment, literal: &str) -> Expr {
    match moment {
        Moment::Date => Expr::Typed { word: "DATE", text: literal.to_string() },
        Moment::Time => Expr::Typed { word: "TIME", text: literal.to_string() },
        Moment::Timestamp => tree::cast(text(literal), Type::with("TIMESTAMP", &[6])),
        Moment::TimestampTz => tree::cast(
            text([literal, "Z"].concat()),
            Type { name: "TIMESTAMP", parameters: vec![6], suffix: Some("WITH TIME ZONE") },
        ),
    }
}
