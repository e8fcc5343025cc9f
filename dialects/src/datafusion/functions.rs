//! Scalar functions of DataFusion 54: one row each, none left out.
//! In: a function. Out: its form, whether the form depends on types, and the vendor's page.

use unisono_compiler::function::{Function, Scalar};

use super::{temporal, types};
use crate::arithmetic::{
    self, Digits, Exact, Past, Said, Whole, as_decimal, double, operand_digits, sum_digits,
};
use crate::build::{self, Counts};
use crate::casting::{Kind, kind};
use crate::finite;
use crate::form::{Form, Refusal, Row, ScalarCall, Types};
use crate::magnitude::pow10;
use crate::sql::tree::{Expr, Operator, Type, binary, call, cast, chain, is_not_null, number, text, when};
use crate::target::Version;

const OPERATORS: &str = "https://datafusion.apache.org/user-guide/sql/operators.html";
const MATH: &str = "https://datafusion.apache.org/user-guide/sql/scalar_functions.html#math-functions";
const CONDITIONAL: &str =
    "https://datafusion.apache.org/user-guide/sql/scalar_functions.html#conditional-functions";
const STRING: &str = "https://datafusion.apache.org/user-guide/sql/scalar_functions.html#string-functions";
const REGEX: &str =
    "https://datafusion.apache.org/user-guide/sql/scalar_functions.html#regular-expression-functions";
const TIME: &str =
    "https://datafusion.apache.org/user-guide/sql/scalar_functions.html#time-and-date-functions";

/// The row of a function.
pub(super) fn row(function: Function, _version: Version) -> Row {
    match function {
        Function::Scalar(scalar) => scalar_row(scalar),
        Function::DateTrunc(_) => needs_types(Form::Build(temporal::truncate), TIME),
        Function::Extract(_) => any_type(Form::Build(temporal::extract), TIME),
        Function::DateAdd(_) => needs_types(Form::Build(temporal::add), TIME),
        Function::DateDiff(_) => any_type(Form::Build(temporal::difference), TIME),
    }
}

fn scalar_row(scalar: Scalar) -> Row {
    match scalar {
        Scalar::Add | Scalar::Subtract | Scalar::Multiply | Scalar::Negate | Scalar::Abs => {
            needs_types(Form::Arithmetic(exact), OPERATORS)
        }
        Scalar::Divide => any_type(Form::Build(build::divide), OPERATORS),
        Scalar::Modulo => needs_types(Form::Build(modulo), OPERATORS),
        Scalar::Round => needs_types(Form::Build(round), MATH),
        Scalar::Floor => needs_types(Form::Build(|node| whole(node, "FLOOR")), MATH),
        Scalar::Ceiling => needs_types(Form::Build(|node| whole(node, "CEIL")), MATH),
        Scalar::Truncate => needs_types(Form::Build(truncate), MATH),
        Scalar::Sign => any_type(Form::Build(|node| finite::sign(node, "SIGNUM")), MATH),
        Scalar::Power => any_type(Form::Build(power), MATH),
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
        Scalar::Greatest => {
            any_type(Form::Build(|node| Ok(build::null_if_any_null(node, "GREATEST"))), CONDITIONAL)
        }
        Scalar::Least => {
            any_type(Form::Build(|node| Ok(build::null_if_any_null(node, "LEAST"))), CONDITIONAL)
        }
        Scalar::Equal => any_type(Form::Infix(Operator::Equal), OPERATORS),
        Scalar::NotEqual => any_type(Form::Infix(Operator::NotEqual), OPERATORS),
        Scalar::Less => any_type(Form::Infix(Operator::Less), OPERATORS),
        Scalar::LessEqual => any_type(Form::Infix(Operator::LessEqual), OPERATORS),
        Scalar::Greater => any_type(Form::Infix(Operator::Greater), OPERATORS),
        Scalar::GreaterEqual => any_type(Form::Infix(Operator::GreaterEqual), OPERATORS),
        Scalar::IsDistinctFrom => any_type(Form::Infix(Operator::IsDistinctFrom), OPERATORS),
        Scalar::IsNotDistinctFrom => any_type(Form::Infix(Operator::IsNotDistinctFrom), OPERATORS),
        Scalar::IsNull => any_type(Form::Build(build::null_test), OPERATORS),
        Scalar::IsNotNull => any_type(Form::Build(build::not_null_test), OPERATORS),
        Scalar::And => any_type(Form::Infix(Operator::And), OPERATORS),
        Scalar::Or => any_type(Form::Infix(Operator::Or), OPERATORS),
        Scalar::Not => any_type(Form::Build(build::not), OPERATORS),
        Scalar::Coalesce => any_type(Form::Call("COALESCE"), CONDITIONAL),
        Scalar::NullIf => any_type(Form::Call("NULLIF"), CONDITIONAL),
        Scalar::Concat => any_type(Form::Infix(Operator::Concat), OPERATORS),
        Scalar::Length => {
            any_type(Form::Build(|node| Ok(build::bigint_call(node, "CHARACTER_LENGTH"))), STRING)
        }
        Scalar::Upper => any_type(Form::Call("UPPER"), STRING),
        Scalar::Lower => any_type(Form::Call("LOWER"), STRING),
        Scalar::Trim => any_type(Form::Build(|node| build::trim(node, "TRIM", "BOTH")), STRING),
        Scalar::TrimLeading => any_type(Form::Build(|node| build::trim(node, "LTRIM", "LEADING")), STRING),
        Scalar::TrimTrailing => any_type(Form::Build(|node| build::trim(node, "RTRIM", "TRAILING")), STRING),
        Scalar::Substring => any_type(Form::Build(|node| build::substring(node, Counts::Any)), STRING),
        Scalar::Left => any_type(Form::Build(|node| build::with_count(node, "LEFT", Counts::Any)), STRING),
        Scalar::Right => any_type(Form::Build(|node| build::with_count(node, "RIGHT", Counts::Any)), STRING),
        Scalar::Replace => any_type(Form::Build(build::replace), STRING),
        Scalar::SplitPart => any_type(Form::Build(split_part), STRING),
        Scalar::Position => any_type(Form::Build(position), STRING),
        Scalar::Contains => any_type(Form::Call("CONTAINS"), STRING),
        Scalar::StartsWith => any_type(Form::Call("STARTS_WITH"), STRING),
        Scalar::EndsWith => any_type(Form::Call("ENDS_WITH"), STRING),
        Scalar::Like => any_type(Form::Build(build::like), OPERATORS),
        Scalar::ILike => any_type(Form::Build(build::ilike), OPERATORS),
        Scalar::RegexpLike => any_type(Form::Call("REGEXP_LIKE"), REGEX),
        Scalar::RegexpReplace => any_type(Form::Build(regexp_replace), REGEX),
        Scalar::RegexpExtract => any_type(Form::Build(regexp_extract), REGEX),
        Scalar::RegexpCount => any_type(Form::Build(regexp_count), REGEX),
        Scalar::Initcap => any_type(Form::Call("INITCAP"), STRING),
        Scalar::Reverse => any_type(Form::Call("REVERSE"), STRING),
        Scalar::Repeat => {
            any_type(Form::Build(|node| build::with_count(node, "REPEAT", Counts::Any)), STRING)
        }
        Scalar::PadLeft => any_type(Form::Build(|node| build::pad(node, "LPAD", Counts::Any)), STRING),
        Scalar::PadRight => any_type(Form::Build(|node| build::pad(node, "RPAD", Counts::Any)), STRING),
        Scalar::ToDate | Scalar::ToTimestamp => any_type(Form::Build(from_text), TIME),
    }
}

fn any_type(form: Form, url: &'static str) -> Row {
    Row { form, types: Types::Any, url }
}

fn needs_types(form: Form, url: &'static str) -> Row {
    Row { form, types: Types::Needed, url }
}

/// Int64 is computed in decimals and cast back, which raises; decimals past 38 digits in 76.
const EXACT: Exact = Exact {
    whole: Whole::Widen {
        to: |digits| Type::decimal(digits, 0),
        back: |wide| cast(wide, Type::word("BIGINT")),
    },
    operands: |_, left, right| (left, right),
    natural: natural_digits,
    past_38: in_76_digits,
};

fn exact(node: &ScalarCall<'_>) -> Result<Said, Refusal> {
    arithmetic::arithmetic(node, &EXACT)
}

fn natural_digits(scalar: Scalar, left: Digits, right: Digits) -> Digits {
    let full = if scalar == Scalar::Multiply {
        Digits { precision: left.precision + right.precision + 1, scale: left.scale + right.scale }
    } else {
        sum_digits(left, right)
    };
    Digits { precision: full.precision.min(38), scale: full.scale }
}

fn in_76_digits(past: &Past<'_>) -> Result<Expr, Refusal> {
    let wide = |(expr, digits): (&Expr, Digits)| {
        cast(expr.clone(), Digits { precision: 76, scale: digits.scale }.sql())
    };
    Ok(cast(binary(wide(past.left), past.operator, wide(past.right)), past.result.sql()))
}

fn modulo(node: &ScalarCall<'_>) -> Result<Expr, Refusal> {
    let (x, y) = (build::argument(node, 0)?, build::argument(node, 1)?);
    let dividend =
        if kind(x.data_type) == Kind::Integer { x.expr.clone() } else { types::opaque(x.expr.clone()) };
    let rest = binary(dividend, Operator::Modulo, build::null_if_zero(y, y.expr.clone()));
    Ok(types::exactly(rest, node.data_type))
}

/// POWER where it has a finite answer. The engine takes `POWER(NULL, 0)` for 1 and raises for `POWER(0, -1)` (both run).
fn power(node: &ScalarCall<'_>) -> Result<Expr, Refusal> {
    let (x, y) = (double(build::argument(node, 0)?), double(build::argument(node, 1)?));
    let no_pole = binary(
        binary(x.clone(), Operator::NotEqual, number(0)),
        Operator::Or,
        binary(y, Operator::GreaterEqual, number(0)),
    );
    let is_there = chain(Operator::And, vec![is_not_null(x), no_pole]);
    Ok(when(is_there, finite::finite_answer(node, "POWER")))
}

/// ROUND of integers goes by way of decimals: over BIGINT it gives a DOUBLE.
fn round(node: &ScalarCall<'_>) -> Result<Expr, Refusal> {
    let x = build::argument(node, 0)?;
    let places = places(node);
    match kind(x.data_type) {
        Kind::Integer if places >= 0 => Ok(types::exactly(x.expr.clone(), node.data_type)),
        Kind::Integer => {
            let decimal = as_decimal(x, operand_digits(x));
            Ok(types::exactly(call("ROUND", vec![decimal, number(places)]), node.data_type))
        }
        Kind::Decimal => Ok(types::exactly(call("ROUND", build::arguments(node)), node.data_type)),
        _ => Ok(call("ROUND", build::arguments(node))),
    }
}

fn places(node: &ScalarCall<'_>) -> i64 {
    node.arguments.get(1).and_then(crate::form::Typed::whole_number).unwrap_or(0)
}

/// FLOOR and CEIL: integers are whole already, decimals keep their scale here and need room for what is rounded up.
fn whole(node: &ScalarCall<'_>, name: &'static str) -> Result<Expr, Refusal> {
    let x = build::argument(node, 0)?;
    match kind(x.data_type) {
        Kind::Integer => Ok(types::exactly(x.expr.clone(), node.data_type)),
        Kind::Decimal => {
            let digits = operand_digits(x);
            if digits.scale == 0 {
                return Ok(types::exactly(x.expr.clone(), node.data_type));
            }
            let roomy = Digits { precision: digits.precision + 1, scale: digits.scale };
            Ok(types::exactly(call(name, vec![cast(x.expr.clone(), roomy.sql())]), node.data_type))
        }
        _ => Ok(call(name, vec![x.expr.clone()])),
    }
}

/// TRUNC over exact numbers: native gives a DOUBLE, so what is cut off is taken away: `x - x % 0.01`.
fn truncate(node: &ScalarCall<'_>) -> Result<Expr, Refusal> {
    let x = build::argument(node, 0)?;
    let places = places(node);
    let unit = match kind(x.data_type) {
        Kind::Integer if places >= 0 => return Ok(types::exactly(x.expr.clone(), node.data_type)),
        Kind::Integer | Kind::Decimal => unit_of(places),
        _ => return Ok(call("TRUNC", build::arguments(node))),
    };
    let scale = operand_digits(x).scale;
    if places >= i64::from(scale) {
        return Ok(types::exactly(x.expr.clone(), node.data_type));
    }
    let cut = binary(
        x.expr.clone(),
        Operator::Subtract,
        binary(types::opaque(x.expr.clone()), Operator::Modulo, unit),
    );
    Ok(types::exactly(cut, node.data_type))
}

/// The last digit that TRUNC keeps, as an exact constant.
fn unit_of(places: i64) -> Expr {
    let digits = u8::try_from(places.unsigned_abs()).unwrap_or(u8::MAX);
    if places > 0 {
        let zeros = "0".repeat(usize::from(digits.saturating_sub(1)));
        cast(text(["0.", &zeros, "1"].concat()), Type::decimal(digits, digits))
    } else {
        cast(text(pow10(digits).to_string()), Type::decimal(digits.saturating_add(1).min(38), 0))
    }
}

fn split_part(node: &ScalarCall<'_>) -> Result<Expr, Refusal> {
    let guard = build::at_least(node, 2, 1, "part")?;
    let delimiter = build::not_empty(node, 1, "delimiter")?;
    Ok(build::guarded(vec![guard, delimiter], call("SPLIT_PART", build::arguments(node))))
}

/// POSITION(needle, haystack).
fn position(node: &ScalarCall<'_>) -> Result<Expr, Refusal> {
    let (needle, haystack) = (build::argument(node, 0)?, build::argument(node, 1)?);
    Ok(cast(call("STRPOS", vec![haystack.expr.clone(), needle.expr.clone()]), Type::word("BIGINT")))
}

fn regexp_replace(node: &ScalarCall<'_>) -> Result<Expr, Refusal> {
    let mut arguments = build::arguments(node);
    arguments.push(text("g"));
    Ok(call("REGEXP_REPLACE", arguments))
}

fn regexp_extract(node: &ScalarCall<'_>) -> Result<Expr, Refusal> {
    Ok(Expr::Element { operand: Box::new(call("REGEXP_MATCH", build::arguments(node))), index: 1 })
}

/// The engine counts 0 in NULL.
fn regexp_count(node: &ScalarCall<'_>) -> Result<Expr, Refusal> {
    let subject = build::argument(node, 0)?.expr.clone();
    Ok(when(is_not_null(subject), call("REGEXP_COUNT", build::arguments(node))))
}

fn from_text(node: &ScalarCall<'_>) -> Result<Expr, Refusal> {
    types::cast(build::argument(node, 0)?, node.data_type)
}
