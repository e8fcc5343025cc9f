//! Whether every value of one type fits another: what decides between a plain cast, one that gives NULL, and a refusal.
//! In: a typed operand and the type wanted. Out: `Fit`.

use unisono_compiler::data_type::DataType;

use crate::form::{Refusal, Typed};
use crate::magnitude::Magnitude;
use crate::sql::tree::Expr;

/// Whether a value can be cast.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Fit {
    /// Every value fits.
    Always,
    /// Some values may not; those become NULL.
    Maybe,
}

/// What kind of type a cast starts from or leads to.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Kind {
    /// Boolean.
    Boolean,
    /// Int8 to Int64.
    Integer,
    /// Decimal.
    Decimal,
    /// Float32, Float64.
    Float,
    /// String.
    String,
    /// Date.
    Date,
    /// Time.
    Time,
    /// Timestamp.
    Timestamp,
    /// TimestampTz.
    Instant,
    /// Unknown, Null.
    Open,
}

/// The kind of a type.
pub(crate) fn kind(data_type: DataType) -> Kind {
    match data_type {
        DataType::Boolean => Kind::Boolean,
        DataType::Int8 | DataType::Int16 | DataType::Int32 | DataType::Int64 => Kind::Integer,
        DataType::Decimal { .. } => Kind::Decimal,
        DataType::Float32 | DataType::Float64 => Kind::Float,
        DataType::String => Kind::String,
        DataType::Date => Kind::Date,
        DataType::Time => Kind::Time,
        DataType::Timestamp => Kind::Timestamp,
        DataType::TimestampTz => Kind::Instant,
        DataType::Null | DataType::Unknown => Kind::Open,
    }
}

/// Whether every value of the operand fits; pairs without a portable meaning are refused.
pub(crate) fn fit(operand: &Typed<'_>, to: DataType) -> Result<Fit, Refusal> {
    let from = kind(operand.data_type);
    match (from, kind(to)) {
        (from, to) if from == to && from != Kind::Integer && from != Kind::Decimal => Ok(Fit::Always),
        (Kind::Integer | Kind::Decimal, Kind::Integer | Kind::Decimal) => {
            Ok(exact_fit(operand.magnitude, to))
        }
        (Kind::Integer | Kind::Decimal, Kind::Float | Kind::String)
        | (Kind::Integer, Kind::Boolean)
        | (Kind::Boolean, Kind::Integer)
        | (Kind::Date, Kind::String | Kind::Timestamp | Kind::Instant)
        | (Kind::Timestamp, Kind::Date | Kind::Time | Kind::Instant)
        | (Kind::Instant, Kind::Date | Kind::Time | Kind::Timestamp) => Ok(Fit::Always),
        (Kind::Float, Kind::Integer | Kind::Decimal)
        | (
            Kind::String,
            Kind::Boolean
            | Kind::Integer
            | Kind::Decimal
            | Kind::Float
            | Kind::Date
            | Kind::Time
            | Kind::Timestamp
            | Kind::Instant,
        )
        | (Kind::Open, _)
        | (_, Kind::Open) => Ok(Fit::Maybe),
        (Kind::Float | Kind::Boolean | Kind::Timestamp | Kind::Instant | Kind::Time, Kind::String) => {
            Err(Refusal::function(
                format!("writes a {} as text in its own way", operand.data_type),
                "cast only integers, decimals, dates and strings to text",
            ))
        }
        (_, _) => Err(Refusal::function(
            format!("has no portable meaning from {} to {to}", operand.data_type),
            "take another type, or go by way of text",
        )),
    }
}

fn exact_fit(magnitude: Magnitude, to: DataType) -> Fit {
    let room = Magnitude::of_type(to);
    if magnitude.in_scale(room.scale).unscaled <= room.unscaled { Fit::Always } else { Fit::Maybe }
}

/// `CASE`'s condition under which a text is a plain number, truth value, date, time or timestamp: engines also take blanks, exponents, parts of
/// dates, days that do not exist, or (DataFusion) read an empty text as 0. `matches` is the target's regular-expression test.
/// `None` where no text of that type is in question, or the text is a constant of the right shape.
pub(crate) fn text_guard(
    operand: &Typed<'_>,
    to: DataType,
    matches: impl FnOnce(Expr, &'static str) -> Expr,
) -> Option<Expr> {
    if kind(operand.data_type) != Kind::String {
        return None;
    }
    let shape = match kind(to) {
        Kind::Integer => Shape::Integer,
        Kind::Decimal => Shape::Decimal,
        Kind::Date => Shape::Date,
        Kind::Timestamp | Kind::Instant => Shape::Timestamp,
        Kind::Float => Shape::Float,
        Kind::Boolean => Shape::Boolean,
        Kind::Time => Shape::Time,
        Kind::String | Kind::Open => return None,
    };
    if operand.string().is_some_and(|constant| shape.holds(constant)) {
        return None;
    }
    Some(matches(operand.expr.clone(), shape.pattern()))
}

/// The shapes of texts that every engine reads alike.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Shape {
    Integer,
    Decimal,
    /// Below 1e300, so that no engine reads infinity.
    Float,
    Boolean,
    Date,
    Time,
    Timestamp,
}

impl Shape {
    fn pattern(self) -> &'static str {
        match self {
            Shape::Integer => "^[+-]?[0-9]+$",
            Shape::Decimal => "^[+-]?[0-9]+([.][0-9]+)?$",
            Shape::Float => "^[+-]?[0-9]{1,200}([.][0-9]+)?([eE][+-]?[0-9]{1,2})?$",
            Shape::Boolean => "^([Tt][Rr][Uu][Ee]|[Ff][Aa][Ll][Ss][Ee])$",
            Shape::Time => "^[0-9]{2}:[0-9]{2}:[0-9]{2}$",
            Shape::Date => "^[0-9]{4}-[0-9]{2}-[0-9]{2}$",
            Shape::Timestamp => "^[0-9]{4}-[0-9]{2}-[0-9]{2}( [0-9]{2}:[0-9]{2}:[0-9]{2}([.][0-9]{1,6})?)?$",
        }
    }

    /// Whether a constant has the shape. Days that do not exist are left to the engines.
    fn holds(self, constant: &str) -> bool {
        let unsigned = constant.strip_prefix(['+', '-']).unwrap_or(constant);
        match self {
            Shape::Integer => all_digits(unsigned),
            Shape::Decimal => match unsigned.split_once('.') {
                Some((whole, fraction)) => all_digits(whole) && all_digits(fraction),
                None => all_digits(unsigned),
            },
            // A shorter form than the pattern's is enough: what it misses is looked at when it runs.
            Shape::Float => unsigned.len() <= 200 && Shape::Decimal.holds(constant),
            Shape::Boolean => constant.eq_ignore_ascii_case("true") || constant.eq_ignore_ascii_case("false"),
            Shape::Time => is_like(constant, "dd:dd:dd"),
            Shape::Date => is_like(constant, "dddd-dd-dd"),
            Shape::Timestamp => is_like(constant, "dddd-dd-dd") || is_like(constant, "dddd-dd-dd dd:dd:dd"),
        }
    }
}

fn all_digits(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit())
}

fn is_like(text: &str, shape: &str) -> bool {
    text.len() == shape.len()
        && text
            .bytes()
            .zip(shape.bytes())
            .all(|(byte, wanted)| if wanted == b'd' { byte.is_ascii_digit() } else { byte == wanted })
}

#[cfg(test)]
mod tests {
    use super::Shape;

    #[test]
    fn constants_of_the_right_shape_need_no_guard() {
        assert!(Shape::Integer.holds("-12") && !Shape::Integer.holds("") && !Shape::Integer.holds(" 12"));
        assert!(Shape::Decimal.holds("1.50") && !Shape::Decimal.holds(".5") && !Shape::Decimal.holds("1e2"));
        assert!(Shape::Date.holds("2024-02-29") && !Shape::Date.holds("2024-2-29"));
        assert!(Shape::Timestamp.holds("2024-02-29 10:11:12") && !Shape::Timestamp.holds("2024-02-29 10:11"));
    }
}
