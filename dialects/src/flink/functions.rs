//! Scalar functions of Flink 1.20 and 2.x: one row each, none left out.
//! In: a function and a version. Out: its form, whether the form depends on types, and the vendor's page.

use unisono_compiler::function::{Function, Scalar};

use super::comparisons::{comparison, null_if};
use super::texts::{
    COUNTS, RAISED, Side, contains, ends_by_right, ilike, like, over_string, pad, position, regexp,
    split_part, starts_by_position,
};
use super::{TWO, temporal, types};
use crate::arithmetic::{
    self, Digits, Exact, Past, Said, Whole, as_decimal, double, operand_digits, sum_digits,
};
use crate::build;
use crate::casting::{Kind, kind};
use crate::finite;
use crate::form::{Form, Refusal, Row, ScalarCall, Typed, Types};
use crate::magnitude::pow10;
use crate::sql::tree::{Expr, Operator, Type, binary, call, cast, number, text, when, when_else};
use crate::target::Version;

const COMPARISON: &str = "https://nightlies.apache.org/flink/flink-docs-stable/docs/sql/functions/built-in-functions/#comparison-functions";
const LOGICAL: &str = "https://nightlies.apache.org/flink/flink-docs-stable/docs/sql/functions/built-in-functions/#logical-functions";
const MATH: &str = "https://nightlies.apache.org/flink/flink-docs-stable/docs/sql/functions/built-in-functions/#arithmetic-functions";
const STRING: &str = "https://nightlies.apache.org/flink/flink-docs-stable/docs/sql/functions/built-in-functions/#string-functions";
const TIME: &str = "https://nightlies.apache.org/flink/flink-docs-stable/docs/sql/functions/built-in-functions/#temporal-functions";
const CONDITIONAL: &str = "https://nightlies.apache.org/flink/flink-docs-stable/docs/sql/functions/built-in-functions/#conditional-functions";

/// The row of a function.
pub(super) fn row(function: Function, version: Version) -> Row {
    match function {
        Function::Scalar(scalar) => scalar_row(scalar, version),
        Function::DateTrunc(_) => needs_types(Form::Build(temporal::truncate), TIME),
        Function::Extract(_) => any_type(Form::Build(temporal::extract), TIME),
        Function::DateAdd(_) => needs_types(Form::Build(temporal::add), TIME),
        Function::DateDiff(_) => any_type(Form::Build(temporal::difference), TIME),
    }
}

fn scalar_row(scalar: Scalar, version: Version) -> Row {
    match scalar {
        Scalar::Add | Scalar::Subtract | Scalar::Multiply | Scalar::Negate | Scalar::Abs => {
            needs_types(Form::Arithmetic(exact), MATH)
        }
        Scalar::Divide => any_type(Form::Build(divide), MATH),
        Scalar::Modulo => needs_types(Form::Build(modulo), MATH),
        Scalar::Round => needs_types(Form::Build(round), MATH),
        Scalar::Floor => needs_types(Form::Build(|node| whole(node, "FLOOR")), MATH),
        Scalar::Ceiling => needs_types(Form::Build(|node| whole(node, "CEIL")), MATH),
        Scalar::Truncate => needs_types(Form::Build(truncate), MATH),
        Scalar::Sign => any_type(Form::Build(|node| finite::sign(node, "SIGN")), MATH),
        Scalar::Power => any_type(Form::Build(|node| Ok(finite::finite_answer(node, "POWER"))), MATH),
        Scalar::Sqrt
        | Scalar::Exp
        | Scalar::Ln
        | Scalar::Log10
        | Scalar::Log
        | Scalar::Sin
        | Scalar::Cos
        | Scalar::Tan
        | Scalar::Asin
        | Scalar::Acos
        | Scalar::Atan
        | Scalar::Atan2
        | Scalar::Radians
        | Scalar::Degrees => any_type(Form::Build(finite::mathematical), MATH),
        Scalar::Pi => any_type(Form::Call("PI"), MATH),
        Scalar::Greatest => any_type(Form::Call("GREATEST"), CONDITIONAL),
        Scalar::Least => any_type(Form::Call("LEAST"), CONDITIONAL),
        Scalar::Equal => any_type(Form::Build(|node| comparison(node, Operator::Equal)), COMPARISON),
        Scalar::NotEqual => any_type(Form::Build(|node| comparison(node, Operator::NotEqual)), COMPARISON),
        Scalar::Less => any_type(Form::Build(|node| comparison(node, Operator::Less)), COMPARISON),
        Scalar::LessEqual => any_type(Form::Build(|node| comparison(node, Operator::LessEqual)), COMPARISON),
        Scalar::Greater => any_type(Form::Build(|node| comparison(node, Operator::Greater)), COMPARISON),
        Scalar::GreaterEqual => {
            any_type(Form::Build(|node| comparison(node, Operator::GreaterEqual)), COMPARISON)
        }
        Scalar::IsDistinctFrom => {
            any_type(Form::Build(|node| comparison(node, Operator::IsDistinctFrom)), COMPARISON)
        }
        Scalar::IsNotDistinctFrom => {
            any_type(Form::Build(|node| comparison(node, Operator::IsNotDistinctFrom)), COMPARISON)
        }
        Scalar::IsNull => any_type(Form::Build(build::null_test), COMPARISON),
        Scalar::IsNotNull => any_type(Form::Build(build::not_null_test), COMPARISON),
        Scalar::And => any_type(Form::Infix(Operator::And), LOGICAL),
        Scalar::Or => any_type(Form::Infix(Operator::Or), LOGICAL),
        Scalar::Not => any_type(Form::Build(build::not), LOGICAL),
        Scalar::Coalesce => any_type(Form::Call("COALESCE"), CONDITIONAL),
        Scalar::NullIf => any_type(Form::Build(null_if), CONDITIONAL),
        Scalar::Concat => any_type(Form::Call("CONCAT"), STRING),
        Scalar::Length => any_type(Form::Build(|node| Ok(build::bigint_call(node, "CHAR_LENGTH"))), STRING),
        Scalar::Upper => any_type(Form::Build(|node| over_string(node, "UPPER")), STRING),
        Scalar::Lower => any_type(Form::Build(|node| over_string(node, "LOWER")), STRING),
        Scalar::Trim => any_type(Form::Build(|node| build::trim(node, "TRIM", "BOTH")), STRING),
        Scalar::TrimLeading => any_type(Form::Build(|node| build::trim(node, "LTRIM", "LEADING")), STRING),
        Scalar::TrimTrailing => any_type(Form::Build(|node| build::trim(node, "RTRIM", "TRAILING")), STRING),
        Scalar::Substring => any_type(Form::Build(|node| build::substring(node, COUNTS)), STRING),
        Scalar::Left => any_type(Form::Build(|node| build::with_count(node, "LEFT", COUNTS)), STRING),
        Scalar::Right => any_type(Form::Build(|node| build::with_count(node, "RIGHT", COUNTS)), STRING),
        Scalar::Replace => any_type(Form::Build(build::replace), STRING),
        Scalar::SplitPart => any_type(Form::Build(split_part), STRING),
        Scalar::Position => any_type(Form::Build(position), STRING),
        Scalar::Contains => any_type(Form::Build(contains), STRING),
        Scalar::StartsWith if version < TWO => any_type(Form::Build(starts_by_position), STRING),
        Scalar::StartsWith => any_type(Form::Call("STARTSWITH"), STRING),
        Scalar::EndsWith if version < TWO => any_type(Form::Build(ends_by_right), STRING),
        Scalar::EndsWith => any_type(Form::Call("ENDSWITH"), STRING),
        Scalar::Like => any_type(Form::Build(like), COMPARISON),
        Scalar::ILike => any_type(Form::Build(ilike), COMPARISON),
        Scalar::RegexpLike => any_type(Form::Build(|node| regexp(node, "REGEXP")), STRING),
        Scalar::RegexpReplace => any_type(Form::Build(|node| regexp(node, "REGEXP_REPLACE")), STRING),
        Scalar::RegexpExtract => any_type(Form::Build(|node| regexp(node, "REGEXP_EXTRACT")), STRING),
        Scalar::RegexpCount if version < TWO => any_type(
            Form::Absent { why: "Flink before 2.0 has no REGEXP_COUNT", needs: "use Flink 2.0 or later" },
            STRING,
        ),
        Scalar::RegexpCount => any_type(
            Form::Build(|node| Ok(cast(regexp(node, "REGEXP_COUNT")?, Type::word("BIGINT")))),
            STRING,
        ),
        Scalar::Initcap => any_type(Form::Build(|node| over_string(node, "INITCAP")), STRING),
        Scalar::Reverse => any_type(Form::Build(|node| over_string(node, "REVERSE")), STRING),
        Scalar::Repeat => any_type(Form::Build(|node| build::with_count(node, "REPEAT", RAISED)), STRING),
        Scalar::PadLeft => any_type(Form::Build(|node| pad(node, Side::Left)), STRING),
        Scalar::PadRight => any_type(Form::Build(|node| pad(node, Side::Right)), STRING),
        Scalar::ToDate | Scalar::ToTimestamp => any_type(Form::Build(from_text), TIME),
    }
}

fn any_type(form: Form, url: &'static str) -> Row {
    Row { form, types: Types::Any, url }
}

fn needs_types(form: Form, url: &'static str) -> Row {
    Row { form, types: Types::Needed, url }
}

/// Int64 is computed in decimals; the engine's CAST to BIGINT wraps, but reading a text as BIGINT raises past 64 bits.
const EXACT: Exact = Exact {
    whole: Whole::Widen { to: |digits| Type::decimal(digits, 0), back: through_text },
    operands: |_, left, right| (left, right),
    natural,
    past_38: watched,
};

fn exact(node: &ScalarCall<'_>) -> Result<Said, Refusal> {
    arithmetic::arithmetic(node, &EXACT)
}

/// The empty text between the two casts keeps the planner from making one wrapping cast of them.
fn through_text(wide: Expr) -> Expr {
    let digits = call("CONCAT", vec![cast(wide, Type::word("STRING")), text("")]);
    cast(digits, Type::word("BIGINT"))
}

/// Past 38 digits the engine gives up scale, down to 6 digits.
fn natural(scalar: Scalar, left: Digits, right: Digits) -> Digits {
    let full = if scalar == Scalar::Multiply {
        Digits { precision: left.precision + right.precision + 1, scale: left.scale + right.scale }
    } else {
        sum_digits(left, right)
    };
    if full.precision <= 38 {
        return full;
    }
    let whole = full.precision - full.scale;
    let scale = 38_u8.saturating_sub(whole).max(full.scale.min(6));
    Digits { precision: 38, scale }
}

/// Past 38 digits the engine gives NULL, so the magnitudes are watched as DOUBLEs. `result IS NULL` cannot be asked: the
/// planner takes it apart into the operands being NULL.
fn watched(past: &Past<'_>) -> Result<Expr, Refusal> {
    if past.natural.scale != past.result.scale {
        return Err(Refusal::function(
            format!(
                "keeps only {} of {} digits after the point of this product or sum",
                past.natural.scale, past.result.scale
            ),
            "declare or cast the operands to fewer digits",
        ));
    }
    let magnitude = |expr: &Expr| call("ABS", vec![cast(expr.clone(), Type::word("DOUBLE"))]);
    let both = match past.operator {
        Operator::Multiply => Operator::Multiply,
        _ => Operator::Add,
    };
    let limit = number(["9.9e", &(37 - past.result.scale).to_string()].concat());
    let large =
        binary(binary(magnitude(past.left.0), both, magnitude(past.right.0)), Operator::GreaterEqual, limit);
    // The message holds both operands: the planner moves what one of them alone decides out of the CASE, beside a window.
    let written = |expr: &Expr| cast(expr.clone(), Type::word("STRING"));
    let message = call(
        "CONCAT",
        vec![text("overflow of "), written(past.left.0), text(" and "), written(past.right.0)],
    );
    let raise = cast(cast(message, Type::word("BIGINT")), past.result.sql());
    let value = binary(past.left.0.clone(), past.operator, past.right.0.clone());
    Ok(when_else(large, raise, cast(value, past.result.sql())))
}

/// The planner fails on a constant divided by NULLIF of a constant 0 (2.2.1, run).
fn divide(node: &ScalarCall<'_>) -> Result<Expr, Refusal> {
    let (x, y) = (build::argument(node, 0)?, build::argument(node, 1)?);
    let is_constant = x.source.references().is_empty() && y.source.references().is_empty();
    if !is_constant || build::is_never_zero(y) {
        return build::divide(node);
    }
    let quotient = binary(double(x), Operator::Divide, double(y));
    Ok(when(binary(double(y), Operator::NotEqual, number(0)), quotient))
}

fn modulo(node: &ScalarCall<'_>) -> Result<Expr, Refusal> {
    let y = build::argument(node, 1)?;
    if node.arguments.iter().any(|argument| kind(argument.data_type) == Kind::Float) {
        return Err(Refusal::function(
            "has no form for floats, which have no remainder there",
            "cast both sides to decimals",
        ));
    }
    let rest = types::exactly(call("MOD", build::arguments(node)), node.data_type);
    if build::is_never_zero(y) {
        return Ok(rest);
    }
    Ok(when(binary(y.expr.clone(), Operator::NotEqual, number(0)), rest))
}

/// ROUND of integers by way of decimals, which have room for what is rounded up.
fn round(node: &ScalarCall<'_>) -> Result<Expr, Refusal> {
    let x = build::argument(node, 0)?;
    let places = places(node);
    match kind(x.data_type) {
        Kind::Integer if places >= 0 => Ok(types::exactly(x.expr.clone(), node.data_type)),
        Kind::Integer => {
            let decimal = as_decimal(x, operand_digits(x));
            Ok(through_text(call("ROUND", vec![decimal, number(places)])))
        }
        Kind::Decimal => Ok(types::exactly(call("ROUND", build::arguments(node)), node.data_type)),
        _ => Ok(through_decimals(x, places, call("ROUND", build::arguments(node)))),
    }
}

/// The engine rounds and cuts floats by way of decimals, and fails on NaN, the infinities and what has more than 38 digits. From 2^53 on
/// they are whole, and stay as they are.
fn through_decimals(x: &Typed<'_>, places: i64, rounded: Expr) -> Expr {
    if places < 0 || finite::is_always_finite(x.source) && x.literal().is_some() {
        return rounded;
    }
    let has_fraction =
        binary(call("ABS", vec![x.expr.clone()]), Operator::Less, number("9007199254740992e0"));
    when_else(has_fraction, rounded, x.expr.clone())
}

fn places(node: &ScalarCall<'_>) -> i64 {
    node.arguments.get(1).and_then(Typed::whole_number).unwrap_or(0)
}

/// FLOOR and CEIL: integers are whole already.
fn whole(node: &ScalarCall<'_>, name: &'static str) -> Result<Expr, Refusal> {
    let x = build::argument(node, 0)?;
    match kind(x.data_type) {
        Kind::Integer => Ok(types::exactly(x.expr.clone(), node.data_type)),
        Kind::Decimal => Ok(types::exactly(call(name, vec![x.expr.clone()]), node.data_type)),
        _ => Ok(call(name, vec![x.expr.clone()])),
    }
}

/// TRUNCATE wants its second argument; tens of integers are cut by their remainder.
fn truncate(node: &ScalarCall<'_>) -> Result<Expr, Refusal> {
    let x = build::argument(node, 0)?;
    let places = places(node);
    match kind(x.data_type) {
        Kind::Integer if places >= 0 => Ok(types::exactly(x.expr.clone(), node.data_type)),
        Kind::Integer => {
            let unit = number(pow10(u8::try_from(places.unsigned_abs()).unwrap_or(18).min(18)));
            let rest = call("MOD", vec![x.expr.clone(), cast(unit, Type::word("BIGINT"))]);
            Ok(types::exactly(binary(x.expr.clone(), Operator::Subtract, rest), node.data_type))
        }
        Kind::Decimal => {
            Ok(types::exactly(call("TRUNCATE", vec![x.expr.clone(), number(places)]), node.data_type))
        }
        _ => Ok(through_decimals(x, places, call("TRUNCATE", vec![x.expr.clone(), number(places)]))),
    }
}

fn from_text(node: &ScalarCall<'_>) -> Result<Expr, Refusal> {
    types::cast(build::argument(node, 0)?, node.data_type)
}
