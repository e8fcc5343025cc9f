//! Types, casts and time literals of DuckDB.
//! <https://duckdb.org/docs/stable/sql/data_types/overview>

use unisono_compiler::data_type::DataType;

use crate::casting::{Fit, Kind, fit, kind, text_guard};
use crate::form::{Moment, Refusal, Typed};
use crate::sql::tree::{self, Expr, Type, call, when};

/// The SQL type.
pub(super) fn data_type(data_type: DataType) -> Option<Type> {
    match data_type {
        DataType::Boolean => Some(Type::word("BOOLEAN")),
        DataType::Int8 => Some(Type::word("TINYINT")),
        DataType::Int16 => Some(Type::word("SMALLINT")),
        DataType::Int32 => Some(Type::word("INTEGER")),
        DataType::Int64 => Some(Type::word("BIGINT")),
        DataType::Decimal { precision, scale } => Some(Type::decimal(precision, scale)),
        DataType::Float32 => Some(Type::word("REAL")),
        DataType::Float64 => Some(Type::word("DOUBLE")),
        DataType::String => Some(Type::word("VARCHAR")),
        DataType::Date => Some(Type::word("DATE")),
        DataType::Time => Some(Type::word("TIME")),
        DataType::Timestamp => Some(Type::word("TIMESTAMP")),
        DataType::TimestampTz => {
            Some(Type { name: "TIMESTAMP", parameters: Vec::new(), suffix: Some("WITH TIME ZONE") })
        }
        DataType::Null | DataType::Unknown => None,
    }
}

/// CAST where every value fits, else TRY_CAST. Numbers are cut toward zero first, since the engine rounds; texts are
/// looked at first, since the engine also reads `1e3` and blanks.
pub(super) fn cast(operand: &Typed<'_>, to: DataType) -> Result<Expr, Refusal> {
    let fits = fit(operand, to)?;
    let Some(sql_type) = data_type(to) else { return Ok(operand.expr.clone()) };
    let from_instant = kind(operand.data_type) == Kind::Instant && kind(to) != Kind::Instant;
    let expr = if from_instant { in_utc(operand) } else { operand.expr.clone() };
    let cut = match (kind(operand.data_type), kind(to)) {
        (Kind::Decimal | Kind::Float, Kind::Integer) => call("TRUNC", vec![expr]),
        _ => expr,
    };
    let guard = text_guard(operand, to, |subject, pattern| {
        call("REGEXP_MATCHES", vec![subject, tree::text(pattern)])
    });
    Ok(match (guard, fits) {
        (Some(guard), _) => when(guard, tree::try_cast(cut, sql_type)),
        (None, Fit::Always) => tree::cast(cut, sql_type),
        (None, Fit::Maybe) => tree::try_cast(cut, sql_type),
    })
}

/// An instant as the clock of UTC shows it: the engine itself takes instants apart in the session's zone. Other values as they are.
pub(super) fn in_utc(value: &Typed<'_>) -> Expr {
    if value.data_type == DataType::TimestampTz { utc(value.expr.clone()) } else { value.expr.clone() }
}

/// TIMEZONE in UTC: the clock of an instant, or the instant of a clock.
pub(super) fn utc(expr: Expr) -> Expr {
    call("TIMEZONE", vec![tree::text("UTC"), expr])
}

/// A value that is known to fit, in exactly the node's type.
pub(super) fn exactly(expr: Expr, to: DataType) -> Expr {
    match data_type(to) {
        Some(sql_type) => tree::cast(expr, sql_type),
        None => expr,
    }
}

/// Time literals.
pub(super) fn moment(moment: Moment, literal: &str) -> Expr {
    match moment {
        Moment::Date => Expr::Typed { word: "DATE", text: literal.to_string() },
        Moment::Time => Expr::Typed { word: "TIME", text: literal.to_string() },
        Moment::Timestamp => Expr::Typed { word: "TIMESTAMP", text: literal.to_string() },
        Moment::TimestampTz => Expr::Typed { word: "TIMESTAMPTZ", text: [literal, "+00"].concat() },
    }
}
