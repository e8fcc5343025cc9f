//! CAST: which types can become which, and what that does to exactness.

use crate::data_type::{DataType, Exactness};
use crate::diagnostic::{Code, Diagnostic};
use crate::expr::{Expr, ExprKind, Literal};
use crate::resolve::ModelExpr;
use crate::resolve::typing::Ctx;
use crate::source::Spanned;
use crate::syntax::expr as syntax;

impl Ctx<'_> {
    pub(super) fn cast(&mut self, operand: &syntax::Expr, to: &Spanned<syntax::TypeName>) -> ModelExpr {
        let value = self.expr(operand);
        let Some(target) = named_type(&to.value) else {
            return self.error(
                Diagnostic::new(Code::TypeMismatch, format!("`{}` is no type of the language", to.value.name))
                    .at(to.span, "this type")
                    .suggest(&to.value.name, TYPE_NAMES.iter().copied())
                    .help("types are BOOLEAN, SMALLINT, INTEGER, BIGINT, DECIMAL(p, s), DOUBLE, VARCHAR, DATE, TIME, TIMESTAMP"),
            );
        };
        if target == DataType::String && !to.value.numbers.is_empty() {
            return self.error(
                Diagnostic::new(
                    Code::TypeMismatch,
                    format!(
                        "{} takes no length: what is too long would be cut or be an error, by the engine",
                        to.value.name
                    ),
                )
                .at(to.span, "this type")
                .help("write VARCHAR, and LEFT(s, n) to cut a text"),
            );
        }
        if !can_cast(value.data_type, target) {
            let why = match (value.data_type, target) {
                (DataType::Float32 | DataType::Float64, DataType::String) => {
                    ": engines print floats differently"
                }
                (DataType::Boolean | DataType::Timestamp | DataType::TimestampTz, DataType::String) => {
                    ": engines print it differently"
                }
                (DataType::Float64 | DataType::String, DataType::Float32) => {
                    ": engines differ in what is too large for it; DOUBLE holds it"
                }
                _ => "",
            };
            return self.mismatch(to.span, format!("{} cannot be cast to {target}{why}", value.data_type));
        }
        if value.data_type == DataType::Unknown {
            // What is written is done, also where nothing says what it is done to.
            let class = cast_exactness(&value, target);
            return Expr::new(ExprKind::Cast { operand: value }, target, class);
        }
        cast_to(value, target)
    }
}

/// The names that CAST understands.
const TYPE_NAMES: &[&str] = &[
    "BOOLEAN",
    "TINYINT",
    "SMALLINT",
    "INTEGER",
    "BIGINT",
    "DECIMAL",
    "NUMERIC",
    "REAL",
    "DOUBLE",
    "VARCHAR",
    "DATE",
    "TIME",
    "TIMESTAMP",
];

fn named_type(name: &syntax::TypeName) -> Option<DataType> {
    let plain = match name.name.as_str() {
        "BOOLEAN" | "BOOL" => DataType::Boolean,
        "TINYINT" => DataType::Int8,
        "SMALLINT" => DataType::Int16,
        "INT" | "INTEGER" => DataType::Int32,
        "BIGINT" => DataType::Int64,
        "REAL" => DataType::Float32,
        "DOUBLE" | "DOUBLE PRECISION" | "FLOAT" => DataType::Float64,
        "VARCHAR" | "CHAR" | "TEXT" | "STRING" | "CHARACTER VARYING" => DataType::String,
        "DATE" => DataType::Date,
        "TIME" => DataType::Time,
        "TIMESTAMP" | "TIMESTAMP_NTZ" | "DATETIME" | "TIMESTAMP WITHOUT TIME ZONE" => DataType::Timestamp,
        "TIMESTAMP_TZ" | "TIMESTAMPTZ" | "TIMESTAMP WITH TIME ZONE" => DataType::TimestampTz,
        "DECIMAL" | "NUMERIC" | "DEC" | "NUMBER" => {
            let (precision, scale) = match name.numbers.as_slice() {
                [] => (38, 0),
                [precision] => (*precision, 0),
                [precision, scale] => (*precision, *scale),
                _ => return None,
            };
            let fits = (1..=38).contains(&precision) && scale <= precision;
            return fits.then_some(DataType::Decimal {
                precision: u8::try_from(precision).ok()?,
                scale: u8::try_from(scale).ok()?,
            });
        }
        _ => return None,
    };
    Some(plain)
}

fn can_cast(from: DataType, to: DataType) -> bool {
    if from.is_open() || from == to {
        return true;
    }
    match to {
        DataType::Boolean => from.is_integer() || from == DataType::String,
        DataType::Int8 | DataType::Int16 | DataType::Int32 | DataType::Int64 => {
            from.is_numeric() || from == DataType::String || from == DataType::Boolean
        }
        DataType::Decimal { .. } | DataType::Float64 => from.is_numeric() || from == DataType::String,
        DataType::Float32 => from.is_integer() || from.is_decimal(),
        DataType::String => from.is_integer() || from.is_decimal() || from == DataType::Date,
        DataType::Date => matches!(from, DataType::String | DataType::Timestamp),
        DataType::Time => from == DataType::String,
        DataType::Timestamp => matches!(from, DataType::String | DataType::Date),
        DataType::TimestampTz | DataType::Null | DataType::Unknown => false,
    }
}

/// The value as the wanted type: nothing if it has it (or either is unknown), another literal where that is exact,
/// else a CAST.
pub(crate) fn cast_to(value: ModelExpr, to: DataType) -> ModelExpr {
    if value.data_type == to || to.is_open() || value.data_type == DataType::Unknown && !to.is_float() {
        return value;
    }
    if let Some(literal) = recast_literal(&value, to) {
        return Expr::new(ExprKind::Literal(literal), to, Exactness::Exact);
    }
    let class = cast_exactness(&value, to);
    Expr::new(ExprKind::Cast { operand: value }, to, class)
}

fn recast_literal(value: &ModelExpr, to: DataType) -> Option<Literal> {
    let ExprKind::Literal(literal) = &*value.kind else { return None };
    match (literal, to) {
        (Literal::Null, _) => Some(Literal::Null),
        (Literal::Integer(digits), integer) if integer.is_integer() => {
            let value: i64 = digits.parse().ok()?;
            let bound = match integer {
                DataType::Int8 => i64::from(i8::MAX),
                DataType::Int16 => i64::from(i16::MAX),
                DataType::Int32 => i64::from(i32::MAX),
                _ => i64::MAX,
            };
            (-bound..=bound).contains(&value).then(|| Literal::Integer(digits.clone()))
        }
        (Literal::Integer(digits), DataType::Decimal { precision, scale }) => {
            let whole = digits.trim_start_matches(['-', '0']).len();
            (whole <= usize::from(precision - scale)).then(|| Literal::Decimal(digits.clone()))
        }
        (Literal::Decimal(text), DataType::Decimal { precision, scale }) => {
            let (whole, fraction) = text.trim_start_matches('-').split_once('.').unwrap_or((text, ""));
            let fits = whole.trim_start_matches('0').len() <= usize::from(precision - scale)
                && fraction.len() <= usize::from(scale);
            fits.then(|| Literal::Decimal(text.clone()))
        }
        (Literal::Date(text), DataType::Timestamp) => Some(Literal::Timestamp(format!("{text} 00:00:00"))),
        _ => None,
    }
}

fn cast_exactness(value: &ModelExpr, to: DataType) -> Exactness {
    let class = value.exactness;
    match (value.data_type, to) {
        (DataType::Int8 | DataType::Int16 | DataType::Int32 | DataType::Float32, DataType::Float64) => class,
        (_, DataType::Float64) if is_short_integer(value) => class,
        (_, DataType::Float32 | DataType::Float64) => class.and(Exactness::Rounding),
        // Bad date text is read more or less leniently by engines.
        (DataType::String, DataType::Date | DataType::Timestamp | DataType::Time) => {
            class.and(Exactness::Divergent)
        }
        // 2.675 is a little less than its text says: 2.67 or 2.68.
        (DataType::Float32 | DataType::Float64, DataType::Decimal { .. }) => class.and(Exactness::Divergent),
        // What lies next to a whole number, a power of ten or zero falls to one side of it.
        _ => class.at_a_jump(),
    }
}

/// A literal below 2^53, which is a double as it stands.
fn is_short_integer(value: &ModelExpr) -> bool {
    matches!(&*value.kind, ExprKind::Literal(Literal::Integer(digits)) if digits.trim_start_matches('-').len() <= 15)
}
