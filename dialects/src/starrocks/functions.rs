//! Scalar functions of StarRocks 3.3 to 4.x: one row each, none left out.
//! In: a function and a version. Out: its form, whether the form depends on types, and the vendor's page.

use unisono_compiler::function::{Function, Scalar};

use super::{FOUR, FOUR_ONE, THREE_FIVE, temporal, types};
use crate::arithmetic::{
    self, Digits, Exact, Past, Said, Whole, as_decimal, double, operand_digits, sum_digits,
};
use crate::build::{self, Counts};
use crate::capabilities::NullSafeEquality;
use crate::casting::{Kind, kind};
use crate::finite;
use crate::form::{Form, Refusal, Row, ScalarCall, Typed, Types};
use crate::magnitude::{BIGINT_MAX, pow10};
use crate::pattern;
use crate::sql::tree::{
    Expr, NULL, Operator, Type, binary, call, cast, chain, number, text, when, when_else,
};
use crate::strategy::null_safe_join;
use crate::target::Version;

const OPERATORS: &str = "https://docs.starrocks.io/docs/sql-reference/sql-functions/operator/";
const MATH: &str = "https://docs.starrocks.io/docs/category/mathematical-functions/";
const CONDITIONAL: &str = "https://docs.starrocks.io/docs/category/conditional-functions/";
const STRING: &str = "https://docs.starrocks.io/docs/category/string-functions/";
const PATTERN: &str = "https://docs.starrocks.io/docs/category/pattern-matching-functions/";
const TIME: &str = "https://docs.starrocks.io/docs/category/date-functions/";

/// Counts of characters are INT; a CAST to it gives NULL where it does not fit.
const COUNTS: Counts = Counts::Held("INT");

/// The row of a function.
pub(super) fn row(function: Function, version: Version) -> Row {
    match function {
        Function::Scalar(scalar) => scalar_row(scalar, version),
        Function::DateTrunc(_) => needs_types(Form::Build(temporal::truncate), TIME),
        Function::Extract(_) => any_type(Form::Build(temporal::extract), TIME),
        Function::DateAdd(_) => needs_types(Form::Build(temporal::add), TIME),
        Function::DateDiff(_) => needs_types(Form::Build(temporal::difference), TIME),
    }
}

fn scalar_row(scalar: Scalar, version: Version) -> Row {
    match scalar {
        Scalar::Add | Scalar::Subtract | Scalar::Multiply | Scalar::Negate => {
            needs_types(Form::Arithmetic(exact), OPERATORS)
        }
        Scalar::Abs => needs_types(Form::Build(absolute), MATH),
        Scalar::Divide => any_type(Form::Build(divide), OPERATORS),
        Scalar::Modulo => needs_types(Form::Build(modulo), OPERATORS),
        Scalar::Round => needs_types(Form::Build(round), MATH),
        Scalar::Floor => needs_types(Form::Build(|node| whole(node, "FLOOR")), MATH),
        Scalar::Ceiling => needs_types(Form::Build(|node| whole(node, "CEIL")), MATH),
        Scalar::Truncate => needs_types(Form::Build(truncate), MATH),
        Scalar::Sign => any_type(Form::Build(|node| finite::sign(node, "SIGN")), MATH),
        Scalar::Power => any_type(Form::Build(|node| Ok(finite::finite_answer(node, "POW"))), MATH),
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
        Scalar::Greatest => needs_types(Form::Build(|node| extreme(node, "GREATEST")), CONDITIONAL),
        Scalar::Least => needs_types(Form::Build(|node| extreme(node, "LEAST")), CONDITIONAL),
        Scalar::Equal => needs_types(Form::Infix(Operator::Equal), OPERATORS),
        Scalar::NotEqual => needs_types(Form::Infix(Operator::NotEqual), OPERATORS),
        Scalar::Less => needs_types(Form::Infix(Operator::Less), OPERATORS),
        Scalar::LessEqual => needs_types(Form::Infix(Operator::LessEqual), OPERATORS),
        Scalar::Greater => needs_types(Form::Infix(Operator::Greater), OPERATORS),
        Scalar::GreaterEqual => needs_types(Form::Infix(Operator::GreaterEqual), OPERATORS),
        Scalar::IsDistinctFrom => needs_types(Form::Build(distinct), OPERATORS),
        Scalar::IsNotDistinctFrom => needs_types(Form::Build(not_distinct), OPERATORS),
        Scalar::IsNull => any_type(Form::Build(build::null_test), OPERATORS),
        Scalar::IsNotNull => any_type(Form::Build(build::not_null_test), OPERATORS),
        Scalar::And => any_type(Form::Infix(Operator::And), OPERATORS),
        Scalar::Or => any_type(Form::Infix(Operator::Or), OPERATORS),
        Scalar::Not => any_type(Form::Build(build::not), OPERATORS),
        Scalar::Coalesce => any_type(Form::Call("COALESCE"), CONDITIONAL),
        Scalar::NullIf => any_type(Form::Call("NULLIF"), CONDITIONAL),
        Scalar::Concat => any_type(Form::Call("CONCAT"), STRING),
        Scalar::Length => any_type(Form::Build(|node| Ok(build::bigint_call(node, "CHAR_LENGTH"))), STRING),
        Scalar::Upper | Scalar::Lower if version < THREE_FIVE => any_type(ASCII_ONLY, STRING),
        Scalar::Upper => any_type(Form::Call("UPPER"), STRING),
        Scalar::Lower => any_type(Form::Call("LOWER"), STRING),
        Scalar::Trim => any_type(Form::Build(|node| trim(node, "TRIM")), STRING),
        Scalar::TrimLeading => any_type(Form::Build(|node| trim(node, "LTRIM")), STRING),
        Scalar::TrimTrailing => any_type(Form::Build(|node| trim(node, "RTRIM")), STRING),
        Scalar::Substring => any_type(Form::Build(|node| build::substring(node, COUNTS)), STRING),
        Scalar::Left => any_type(Form::Build(|node| build::with_count(node, "LEFT", COUNTS)), STRING),
        Scalar::Right => any_type(Form::Build(|node| build::with_count(node, "RIGHT", COUNTS)), STRING),
        Scalar::Replace => any_type(Form::Build(build::replace), STRING),
        Scalar::SplitPart => any_type(Form::Build(split_part), STRING),
        Scalar::Position => any_type(Form::Build(|node| Ok(build::bigint_call(node, "LOCATE"))), STRING),
        Scalar::Contains => any_type(Form::Build(contains), STRING),
        Scalar::StartsWith => any_type(Form::Call("STARTS_WITH"), STRING),
        Scalar::EndsWith => any_type(Form::Call("ENDS_WITH"), STRING),
        Scalar::Like => any_type(Form::Build(build::like), PATTERN),
        Scalar::ILike if version < THREE_FIVE => any_type(ASCII_ONLY, PATTERN),
        Scalar::ILike => any_type(Form::Build(ilike), PATTERN),
        Scalar::RegexpLike => any_type(
            Form::Build(|node| Ok(call("REGEXP", build::with_pattern(node, pattern::of_lines)?))),
            PATTERN,
        ),
        Scalar::RegexpReplace => any_type(Form::Build(|node| found(node, "REGEXP_REPLACE")), STRING),
        Scalar::RegexpExtract => any_type(Form::Build(regexp_extract), STRING),
        Scalar::RegexpCount if version < FOUR => any_type(
            Form::Absent {
                why: "StarRocks before 4.0 has no REGEXP_COUNT",
                needs: "use StarRocks 4.0 or later",
            },
            STRING,
        ),
        Scalar::RegexpCount => {
            any_type(Form::Build(|node| Ok(cast(found(node, "REGEXP_COUNT")?, Type::word("BIGINT")))), STRING)
        }
        Scalar::Initcap if version < FOUR_ONE => any_type(
            Form::Absent { why: "StarRocks before 4.1 has no INITCAP", needs: "use StarRocks 4.1 or later" },
            STRING,
        ),
        Scalar::Initcap => any_type(Form::Call("INITCAP"), STRING),
        Scalar::Reverse => any_type(Form::Call("REVERSE"), STRING),
        Scalar::Repeat => any_type(Form::Build(|node| build::with_count(node, "REPEAT", COUNTS)), STRING),
        Scalar::PadLeft => any_type(Form::Build(|node| build::pad(node, "LPAD", COUNTS)), STRING),
        Scalar::PadRight => any_type(Form::Build(|node| build::pad(node, "RPAD", COUNTS)), STRING),
        Scalar::ToDate | Scalar::ToTimestamp => any_type(Form::Build(from_text), TIME),
    }
}

fn any_type(form: Form, url: &'static str) -> Row {
    Row { form, types: Types::Any, url }
}

fn needs_types(form: Form, url: &'static str) -> Row {
    Row { form, types: Types::Needed, url }
}

/// BIGINT wraps, so it is computed in LARGEINT; a CAST that does not fit would give NULL, so the range is asserted.
const EXACT: Exact = Exact {
    whole: Whole::Widen { to: |_| Type::word("LARGEINT"), back: asserted_bigint },
    operands: |_, left, right| (left, right),
    natural,
    past_38: watched,
};

fn exact(node: &ScalarCall<'_>) -> Result<Said, Refusal> {
    arithmetic::arithmetic(node, &EXACT)
}

/// `assert_true` raises where the condition is FALSE or NULL.
fn asserted(condition: Expr, value: Expr) -> Expr {
    when(call("assert_true", vec![call("COALESCE", vec![condition, Expr::Word("TRUE")])]), value)
}

fn asserted_bigint(wide: Expr) -> Expr {
    let limit = |text: String| cast(crate::sql::tree::text(text), Type::word("LARGEINT"));
    let within = chain(
        Operator::And,
        vec![
            binary(
                wide.clone(),
                Operator::GreaterEqual,
                limit(["-", &(BIGINT_MAX + 1).to_string()].concat()),
            ),
            binary(wide.clone(), Operator::LessEqual, limit(BIGINT_MAX.to_string())),
        ],
    );
    asserted(within, cast(wide, Type::word("BIGINT")))
}

fn natural(scalar: Scalar, left: Digits, right: Digits) -> Digits {
    let full = if scalar == Scalar::Multiply {
        Digits { precision: left.precision + right.precision, scale: left.scale + right.scale }
    } else {
        sum_digits(left, right)
    };
    Digits { precision: full.precision.min(38), scale: full.scale }
}

/// Past 38 digits the engine gives NULL or wraps, so the magnitudes are watched as DOUBLEs.
fn watched(past: &Past<'_>) -> Result<Expr, Refusal> {
    let magnitude = |expr: &Expr| call("ABS", vec![cast(expr.clone(), Type::word("DOUBLE"))]);
    let both = match past.operator {
        Operator::Multiply => Operator::Multiply,
        _ => Operator::Add,
    };
    let limit = number(["9.9e", &(37 - past.result.scale).to_string()].concat());
    let small = binary(binary(magnitude(past.left.0), both, magnitude(past.right.0)), Operator::Less, limit);
    let value = binary(past.left.0.clone(), past.operator, past.right.0.clone());
    Ok(asserted(small, cast(value, past.result.sql())))
}

/// ABS widens: of a BIGINT it is a LARGEINT.
fn absolute(node: &ScalarCall<'_>) -> Result<Expr, Refusal> {
    let x = build::argument(node, 0)?;
    match kind(node.data_type) {
        Kind::Integer if x.magnitude.unscaled > BIGINT_MAX => {
            Ok(asserted_bigint(call("ABS", vec![cast(x.expr.clone(), Type::word("LARGEINT"))])))
        }
        _ => Ok(types::exactly(call("ABS", vec![x.expr.clone()]), node.data_type)),
    }
}

fn divide(node: &ScalarCall<'_>) -> Result<Expr, Refusal> {
    let (x, y) = (build::argument(node, 0)?, build::argument(node, 1)?);
    let quotient = binary(double(x), Operator::Divide, double(y));
    if build::is_never_zero(y) {
        return Ok(quotient);
    }
    Ok(when_else(binary(y.expr.clone(), Operator::Equal, number(0)), NULL, quotient))
}

fn modulo(node: &ScalarCall<'_>) -> Result<Expr, Refusal> {
    let (x, y) = (build::argument(node, 0)?, build::argument(node, 1)?);
    let rest = binary(x.expr.clone(), Operator::Modulo, build::null_if_zero(y, y.expr.clone()));
    Ok(types::exactly(rest, node.data_type))
}

fn places(node: &ScalarCall<'_>) -> i64 {
    node.arguments.get(1).and_then(Typed::whole_number).unwrap_or(0)
}

/// ROUND of integers by way of decimals, which have room for what is rounded up.
fn round(node: &ScalarCall<'_>) -> Result<Expr, Refusal> {
    let x = build::argument(node, 0)?;
    let places = places(node);
    match kind(x.data_type) {
        Kind::Integer if places >= 0 => Ok(types::exactly(x.expr.clone(), node.data_type)),
        Kind::Integer => {
            let decimal = as_decimal(x, operand_digits(x));
            let rounded = call("ROUND", vec![decimal, number(places)]);
            Ok(asserted_bigint(cast(rounded, Type::word("LARGEINT"))))
        }
        Kind::Decimal => {
            Ok(types::exactly(call("ROUND", vec![x.expr.clone(), number(places)]), node.data_type))
        }
        _ => Ok(call("ROUND", vec![x.expr.clone(), number(places)])),
    }
}

/// FLOOR and CEIL take a DOUBLE and give a BIGINT. Decimals, which would lose digits, go by way of what TRUNCATE cuts off; a DOUBLE past 2^53
/// is whole already.
fn whole(node: &ScalarCall<'_>, name: &'static str) -> Result<Expr, Refusal> {
    let x = build::argument(node, 0)?;
    let is_floor = name == "FLOOR";
    match kind(x.data_type) {
        Kind::Integer => Ok(types::exactly(x.expr.clone(), node.data_type)),
        Kind::Decimal if operand_digits(x).scale == 0 => Ok(types::exactly(x.expr.clone(), node.data_type)),
        Kind::Decimal => {
            let cut = call("TRUNCATE", vec![x.expr.clone(), number(0)]);
            let (beyond, step) = if is_floor {
                (Operator::Less, Operator::Subtract)
            } else {
                (Operator::Greater, Operator::Add)
            };
            let next = binary(cut.clone(), step, number(1));
            let value = when_else(binary(x.expr.clone(), beyond, cut.clone()), next, cut);
            Ok(types::exactly(value, node.data_type))
        }
        _ => {
            let fits =
                binary(call("ABS", vec![x.expr.clone()]), Operator::Less, number("9007199254740992e0"));
            let value = types::exactly(call(name, vec![x.expr.clone()]), node.data_type);
            Ok(when_else(fits, value, x.expr.clone()))
        }
    }
}

/// GREATEST and LEAST give a DATETIME for dates.
fn extreme(node: &ScalarCall<'_>, name: &'static str) -> Result<Expr, Refusal> {
    let found = call(name, build::arguments(node));
    Ok(if kind(node.data_type) == Kind::Date { types::exactly(found, node.data_type) } else { found })
}

/// TRUNCATE wants its second argument; tens of integers are cut by their remainder.
fn truncate(node: &ScalarCall<'_>) -> Result<Expr, Refusal> {
    let x = build::argument(node, 0)?;
    let places = places(node);
    match kind(x.data_type) {
        Kind::Integer if places >= 0 => Ok(types::exactly(x.expr.clone(), node.data_type)),
        Kind::Integer => {
            let unit = number(pow10(u8::try_from(places.unsigned_abs()).unwrap_or(18).min(18)));
            let rest = binary(x.expr.clone(), Operator::Modulo, unit);
            Ok(types::exactly(binary(x.expr.clone(), Operator::Subtract, rest), node.data_type))
        }
        _ => Ok(types::exactly(call("TRUNCATE", vec![x.expr.clone(), number(places)]), node.data_type)),
    }
}

fn distinct(node: &ScalarCall<'_>) -> Result<Expr, Refusal> {
    let (left, right) = (build::argument(node, 0)?, build::argument(node, 1)?);
    Ok(null_safe_join::distinct(NullSafeEquality::Spaceship, left.expr.clone(), right.expr.clone()))
}

fn not_distinct(node: &ScalarCall<'_>) -> Result<Expr, Refusal> {
    let (left, right) = (build::argument(node, 0)?, build::argument(node, 1)?);
    Ok(null_safe_join::equal(NullSafeEquality::Spaceship, left.expr.clone(), right.expr.clone()))
}

/// The second argument is a set of characters, here of one.
fn trim(node: &ScalarCall<'_>, name: &'static str) -> Result<Expr, Refusal> {
    if let Some(character) = node.arguments.get(1) {
        build::one_character(character)?;
    }
    Ok(call(name, build::arguments(node)))
}

/// A missing part may be NULL or empty: both become empty.
fn split_part(node: &ScalarCall<'_>) -> Result<Expr, Refusal> {
    let subject = build::argument(node, 0)?;
    let guards = [build::not_empty(node, 1, "delimiter")?, build::at_least(node, 2, 1, "part")?];
    let found = call("COALESCE", vec![call("SPLIT_PART", build::counted(node, COUNTS)), text("")]);
    let is_text = crate::sql::tree::is_not_null(subject.expr.clone());
    Ok(when(
        chain(Operator::And, std::iter::once(is_text).chain(guards.into_iter().flatten()).collect()),
        found,
    ))
}

fn contains(node: &ScalarCall<'_>) -> Result<Expr, Refusal> {
    let (subject, needle) = (build::argument(node, 0)?, build::argument(node, 1)?);
    Ok(binary(call("LOCATE", vec![needle.expr.clone(), subject.expr.clone()]), Operator::Greater, number(0)))
}

/// The session variable that makes them look at all letters came with 3.5.
const ASCII_ONLY: Form = Form::Absent {
    why: "StarRocks before 3.5 changes the case of ASCII letters only",
    needs: "use StarRocks 3.5 or later",
};

fn ilike(node: &ScalarCall<'_>) -> Result<Expr, Refusal> {
    build::like_pattern(node)?;
    let lower = |x: &Typed<'_>| call("LOWER", vec![x.expr.clone()]);
    Ok(binary(lower(build::argument(node, 0)?), Operator::Like, lower(build::argument(node, 1)?)))
}

/// A call that takes matches out of a text.
fn found(node: &ScalarCall<'_>, name: &'static str) -> Result<Expr, Refusal> {
    Ok(call(name, of_first_match(node)?))
}

/// The arguments. The engine takes the longest match where others take the first alternative, or the shortest of a lazy repeat
/// (be/src/exprs/string_functions.cpp: `set_longest_match`, `set_dot_nl`).
fn of_first_match(node: &ScalarCall<'_>) -> Result<Vec<Expr>, Refusal> {
    if build::argument(node, 1)?.string().is_some_and(pattern::has_choice) {
        return Err(Refusal {
            code: unisono_compiler::diagnostic::Code::UnsupportedPattern,
            why: "takes the longest of several matches, and others the first".to_string(),
            help: "write a class for `a|b`, as in `[ab]`, and no lazy repeat".to_string(),
        });
    }
    build::with_pattern(node, pattern::of_lines)
}

fn regexp_extract(node: &ScalarCall<'_>) -> Result<Expr, Refusal> {
    let mut arguments = of_first_match(node)?;
    arguments.push(number(0));
    Ok(call("NULLIF", vec![call("REGEXP_EXTRACT", arguments), text("")]))
}

fn from_text(node: &ScalarCall<'_>) -> Result<Expr, Refusal> {
    types::cast(build::argument(node, 0)?, node.data_type)
}
