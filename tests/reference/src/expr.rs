//! The expression language over rows, typed as it goes: simple rather than fast, and on its own (the parser is all it shares).
//! In: a tree as parsed, and rows that know their names. Out: values, or why there is none.
//! What only static types can tell (Int64 or Decimal(38,0), the scale of a CASE) is looked up in the tree where it matters.

mod aggregate;
mod cast;
mod compare;
mod frame;
mod logic;
mod math;
mod number;
#[cfg(test)]
mod sample;
mod scalar;
mod statistics;
mod text;
mod time;
mod window;

use unisono_compiler::source::Spanned;
use unisono_compiler::syntax::expr::{
    Arguments, BinaryOp, Call, Expr, ExprKind, Ident, Literal, TypeName, UnaryOp,
};

pub use aggregate::aggregate;
pub use compare::{Key, order, order_item, same};
pub use number::print_exact;
pub use time::{calendar, days_of, parse_date, parse_timestamp, print_date, print_timestamp, trunc};
pub use window::window;

use crate::stop::Stop;
use crate::value::Value;
use number::Width;

/// What a row (or group) gives an expression.
pub trait Row {
    /// The value of a name as written (`amount`, `orders.amount`).
    fn name(&self, parts: &[Spanned<Ident>]) -> Result<Value, Stop>;

    /// The value of an aggregate or window call that was computed before; None if calls mean nothing here.
    fn call(&self, call: &Call) -> Option<Result<Value, Stop>>;

    /// Whether a name's whole numbers are Decimal(p,0), such as a metric that is a sum, and not Int64.
    fn wide(&self, parts: &[Spanned<Ident>]) -> bool {
        let _ = parts;
        false
    }

    /// Whether a name's floats were computed (a metric) and not stored: engines may differ in their last bits.
    fn computed(&self, parts: &[Spanned<Ident>]) -> bool {
        let _ = parts;
        false
    }
}

/// Where an expression stands: whole numbers inside sums are not held to Int64.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Place {
    /// Outside any sum.
    Plain,
    /// A sum's argument, or arithmetic that it is made of.
    Sum,
    /// Deeper in a sum's argument: the rules do not say which of the two holds.
    BelowSum,
}

impl Place {
    /// The place of operands that are not those of arithmetic.
    fn below(self) -> Place {
        match self {
            Place::Plain => Place::Plain,
            Place::Sum | Place::BelowSum => Place::BelowSum,
        }
    }
}

/// Names of functions that make one value of many rows.
const AGGREGATES: &[&str] = &[
    "COUNT",
    "SUM",
    "AVG",
    "MIN",
    "MAX",
    "ANY_VALUE",
    "MIN_BY",
    "MAX_BY",
    "COUNT_IF",
    "SUM_IF",
    "BOOL_AND",
    "BOOL_OR",
    "STDDEV",
    "STDDEV_SAMP",
    "STDDEV_POP",
    "VARIANCE",
    "VAR_SAMP",
    "VAR_POP",
    "MEDIAN",
    "PERCENTILE_CONT",
    "PERCENTILE_DISC",
    "APPROX_COUNT_DISTINCT",
    "APPROX_PERCENTILE",
    "LISTAGG",
    "STRING_AGG",
    "ARRAY_AGG",
    "CORR",
    "COVAR_POP",
    "COVAR_SAMP",
];

/// Names of functions that mean something with OVER only.
const WINDOWS: &[&str] = &[
    "ROW_NUMBER",
    "RANK",
    "DENSE_RANK",
    "NTILE",
    "PERCENT_RANK",
    "CUME_DIST",
    "LAG",
    "LEAD",
    "FIRST_VALUE",
    "LAST_VALUE",
    "NTH_VALUE",
];

/// Whether a call makes one value of many rows: an aggregate's name without OVER.
pub fn is_aggregate(call: &Call) -> bool {
    call.over.is_none() && AGGREGATES.contains(&name_of(call).as_str())
}

/// Whether a call is a window: it has OVER, or its name means nothing without.
pub fn is_window(call: &Call) -> bool {
    call.over.is_some() || WINDOWS.contains(&name_of(call).as_str())
}

/// The value of an expression in one row.
pub fn evaluate(expr: &Expr, row: &dyn Row) -> Result<Value, Stop> {
    value_at(expr, row, Place::Plain)
}

/// A call's name in upper case.
fn name_of(call: &Call) -> String {
    call.name.value.text.to_ascii_uppercase()
}

/// A call's arguments; a star has none.
fn arguments(call: &Call) -> &[Expr] {
    match &call.arguments {
        Arguments::Star => &[],
        Arguments::List(list) => list,
    }
}

/// A value of another kind than the rules want. The compiler refuses such a tree by its static types, which a value that is
/// NULL in one row does not show: so the case says nothing.
fn ill_typed(wanted: &str, value: &Value) -> Stop {
    Stop::Unknown(format!("types: {value:?} is not {wanted}"))
}

/// A constant that the language refuses.
fn bad_constant() -> Stop {
    Stop::Refused(vec!["E_UNSUPPORTED_PATTERN"])
}

/// Whether an expression is a constant as written.
fn is_constant(expr: &Expr) -> bool {
    match &*expr.kind {
        ExprKind::Literal(_) => true,
        ExprKind::Unary { op: UnaryOp::Minus | UnaryOp::Plus, operand } => is_constant(operand),
        _ => false,
    }
}

fn value_at(expr: &Expr, row: &dyn Row, place: Place) -> Result<Value, Stop> {
    let below = place.below();
    match &*expr.kind {
        ExprKind::Literal(literal) => read_literal(literal),
        ExprKind::Name(parts) => row.name(parts),
        ExprKind::Parameter(name) => Err(Stop::Unknown(format!("parameter {name}"))),
        ExprKind::Unary { op: UnaryOp::Not, operand } => {
            Ok(logic::value_of(logic::truth(&value_at(operand, row, below)?)?.map(|truth| !truth)))
        }
        ExprKind::Unary { op: UnaryOp::Minus, operand } => {
            number::negate(&value_at(operand, row, place)?, width_at(expr, row, place))
        }
        ExprKind::Unary { op: UnaryOp::Plus, operand } => {
            let value = value_at(operand, row, place)?;
            number::float(&value)?;
            Ok(value)
        }
        ExprKind::Binary { op, left, right } => binary(expr, *op, left, right, row, place),
        ExprKind::IsNull { operand, negated } => {
            Ok(Value::Boolean((value_at(operand, row, below)? == Value::Null) != *negated))
        }
        ExprKind::IsDistinct { left, right, negated } => {
            logic::is_distinct(left, right, row, below).map(|distinct| Value::Boolean(distinct != *negated))
        }
        ExprKind::Between { operand, low, high, negated } => {
            logic::between(operand, low, high, row, below).map(|truth| logic::negated(truth, *negated))
        }
        ExprKind::InList { operand, list, negated } => {
            logic::in_list(operand, list, row, below).map(|truth| logic::negated(truth, *negated))
        }
        ExprKind::Like { operand, pattern, negated, any_case } => {
            let text = value_at(operand, row, below)?;
            text::like(&text, pattern, *any_case).map(|truth| logic::negated(truth, *negated))
        }
        ExprKind::Case { operand, branches, otherwise } => {
            logic::case(operand.as_ref(), branches, otherwise.as_ref(), row, below)
        }
        ExprKind::Cast { operand, to, tolerant: _ } => {
            let value = value_at(operand, row, below)?;
            cast::cast(&value, operand, &to.value, row)
        }
        ExprKind::Extract { part, operand } => time::part(&part.value, &value_at(operand, row, below)?),
        ExprKind::Position { needle, haystack } => {
            text::position(&value_at(needle, row, below)?, &value_at(haystack, row, below)?)
        }
        ExprKind::Trim { side, character, operand } => {
            let text = value_at(operand, row, below)?;
            text::trim_character(&text, *side, character.as_ref())
        }
        ExprKind::Interval { .. } => Err(Stop::Unknown(String::from("an interval by itself"))),
        ExprKind::Call(call) if is_aggregate(call) || is_window(call) => {
            row.call(call).unwrap_or_else(|| Err(Stop::Unknown(format!("{} of one row", name_of(call)))))
        }
        ExprKind::Call(call) => scalar::call(call, row, place),
    }
}

fn read_literal(literal: &Literal) -> Result<Value, Stop> {
    let bad = |text: &str| Stop::Unknown(format!("literal {text}"));
    match literal {
        Literal::Null => Ok(Value::Null),
        Literal::Boolean(truth) => Ok(Value::Boolean(*truth)),
        Literal::Integer(text) | Literal::Decimal(text) => number::parse_exact(text)
            .map(|(digits, scale)| Value::Exact { digits, scale })
            .ok_or_else(|| bad(text)),
        Literal::Float(text) => text.parse().map(Value::Double).map_err(|_| bad(text)),
        Literal::String(text) => Ok(Value::Text(text.clone())),
        Literal::Date(text) => time::parse_date(text).map(Value::Date).ok_or_else(|| bad(text)),
        Literal::Timestamp(text) => {
            time::parse_timestamp(text).map(Value::Timestamp).ok_or_else(|| bad(text))
        }
        Literal::Time(text) => Err(bad(text)),
    }
}

fn binary(
    expr: &Expr,
    op: BinaryOp,
    left: &Expr,
    right: &Expr,
    row: &dyn Row,
    place: Place,
) -> Result<Value, Stop> {
    let below = place.below();
    match op {
        BinaryOp::Or | BinaryOp::And => logic::connect(op, left, right, row, below),
        BinaryOp::Equal
        | BinaryOp::NotEqual
        | BinaryOp::Less
        | BinaryOp::LessEqual
        | BinaryOp::Greater
        | BinaryOp::GreaterEqual => logic::comparison(op, left, right, row, below),
        BinaryOp::Concat => text::concat(&[value_at(left, row, below)?, value_at(right, row, below)?]),
        BinaryOp::Add | BinaryOp::Subtract => match (&*left.kind, &*right.kind) {
            (_, ExprKind::Interval { value, unit }) => {
                interval(&value_at(left, row, below)?, value, &unit.value, op == BinaryOp::Subtract)
            }
            (ExprKind::Interval { value, unit }, _) if op == BinaryOp::Add => {
                interval(&value_at(right, row, below)?, value, &unit.value, false)
            }
            _ => {
                let (a, b) = (value_at(left, row, place)?, value_at(right, row, place)?);
                match dates(op, &a, &b) {
                    Some(result) => result,
                    None => number::arithmetic(op, &a, &b, width_at(expr, row, place)),
                }
            }
        },
        BinaryOp::Multiply | BinaryOp::Divide | BinaryOp::Modulo => {
            let place = if op == BinaryOp::Multiply { place } else { below };
            let (a, b) = (value_at(left, row, place)?, value_at(right, row, place)?);
            number::arithmetic(op, &a, &b, width_at(expr, row, place))
        }
    }
}

/// A date and `INTERVAL 'count' unit`.
fn interval(date: &Value, count: &str, unit: &str, subtract: bool) -> Result<Value, Stop> {
    let unit = time::Unit::read(unit)?;
    let amount: i64 = count.trim().parse().map_err(|_| Stop::Unknown(format!("interval {count}")))?;
    let amount = if subtract { amount.checked_neg() } else { Some(amount) };
    time::add(date, unit, amount.ok_or_else(|| Stop::Unknown(format!("interval {count}")))?)
}

/// `+` and `-` with a Date in it: days. None if both are numbers (or NULL, which arithmetic knows too).
fn dates(op: BinaryOp, a: &Value, b: &Value) -> Option<Result<Value, Stop>> {
    let moved = |date: &Value, days: &Value, back: bool| match number::whole(days) {
        Ok(Some(days)) => time::add(date, time::Unit::Day, if back { -days } else { days }),
        Ok(None) => Ok(Value::Null),
        Err(stop) => Err(stop),
    };
    match (op, a, b) {
        (BinaryOp::Subtract, Value::Date(a), Value::Date(b)) => {
            Some(Ok(number::integer(i64::from(*a) - i64::from(*b))))
        }
        (_, Value::Date(_), Value::Null) | (BinaryOp::Add, Value::Null, Value::Date(_)) => {
            Some(Ok(Value::Null))
        }
        (_, Value::Date(_), Value::Exact { .. }) => Some(moved(a, b, op == BinaryOp::Subtract)),
        (BinaryOp::Add, Value::Exact { .. }, Value::Date(_)) => Some(moved(b, a, false)),
        _ => None,
    }
}

/// What a whole number that an expression gives would be by its static type, seen from its place.
fn width_at(expr: &Expr, row: &dyn Row, place: Place) -> Width {
    match (place, width(expr, row)) {
        (Place::Sum, _) | (Place::Plain | Place::BelowSum, Width::Decimal) => Width::Decimal,
        (Place::BelowSum, _) => Width::Unsure,
        (Place::Plain, found) => found,
    }
}

fn width(expr: &Expr, row: &dyn Row) -> Width {
    let widest = |parts: &[Expr]| parts.iter().fold(Width::Int64, |found, part| found.with(width(part, row)));
    match &*expr.kind {
        ExprKind::Literal(Literal::Integer(text)) if text.parse::<i64>().is_ok() => Width::Int64,
        ExprKind::Literal(Literal::Integer(_) | Literal::Decimal(_)) => Width::Decimal,
        ExprKind::Name(parts) if row.wide(parts) => Width::Decimal,
        ExprKind::Unary { op: _, operand } => width(operand, row),
        ExprKind::Binary { op: _, left, right } => width(left, row).with(width(right, row)),
        ExprKind::Case { operand: _, branches, otherwise } => {
            let branches = branches.iter().map(|(_, then)| then).chain(otherwise);
            branches.fold(Width::Int64, |found, part| found.with(width(part, row)))
        }
        ExprKind::Cast { operand: _, to, tolerant: _ } if is_decimal(&to.value) => Width::Decimal,
        ExprKind::Call(call) => match name_of(call).as_str() {
            // Of Int8 to Int32 a sum is Int64, of others Decimal(38,..).
            "SUM" | "SUM_IF" => Width::Unsure,
            "COUNT" | "COUNT_IF" | "LENGTH" | "SIGN" => Width::Int64,
            // These may have made a whole number of a Decimal.
            "ROUND" | "FLOOR" | "CEIL" | "CEILING" | "TRUNC" | "TRUNCATE" => {
                widest(arguments(call)).with(Width::Unsure)
            }
            _ => widest(arguments(call)),
        },
        _ => Width::Int64,
    }
}

fn is_decimal(to: &TypeName) -> bool {
    matches!(to.name.as_str(), "DECIMAL" | "NUMERIC" | "DEC")
}

#[cfg(test)]
mod tests;
