//! Scalar functions of DuckDB 2.0 (1.x alike): one row each, none left out.
//! In: a function. Out: its form, whether the form depends on types, and the vendor's page.

use unisono_compiler::function::{Function, Scalar};

use super::{temporal, types};
use crate::arithmetic::{self, Digits, Exact, Past, Said, Whole, as_decimal, operand_digits, sum_digits};
use crate::build::{self, Counts};
use crate::casting::{Kind, kind};
use crate::finite;
use crate::form::{Form, Refusal, Row, ScalarCall, Typed, Types};
use crate::sql::tree::{Expr, Operator, Type, binary, call, cast, number, text};
use crate::target::Version;

const OPERATORS: &str = "https://duckdb.org/docs/stable/sql/expressions/overview";
const MATH: &str = "https://duckdb.org/docs/stable/sql/functions/numeric";
const CONDITIONAL: &str = "https://duckdb.org/docs/stable/sql/functions/utility";
const STRING: &str = "https://duckdb.org/docs/stable/sql/functions/text";
const PATTERN: &str = "https://duckdb.org/docs/stable/sql/functions/pattern_matching";
const REGEX: &str = "https://duckdb.org/docs/stable/sql/functions/regular_expressions";
const DATE: &str = "https://duckdb.org/docs/stable/sql/functions/date";
const CAST: &str = "https://duckdb.org/docs/stable/sql/expressions/cast";

/// SUBSTRING and LEFT raise for counts past 32 bits.
const HELD: Counts = Counts::Held("INTEGER");

/// LPAD and RPAD take the width as an INTEGER only, to which CAST raises.
const INTEGER: Counts = Counts::Narrow(|count| cast(count, Type::word("INTEGER")));

/// The row of a function.
pub(super) fn row(function: Function, _version: Version) -> Row {
    match function {
        Function::Scalar(scalar) => scalar_row(scalar),
        Function::DateTrunc(_) => needs_types(Form::Build(temporal::truncate), DATE),
        Function::Extract(_) => any_type(Form::Build(temporal::extract), DATE),
        Function::DateAdd(_) => needs_types(Form::Build(temporal::add), DATE),
        Function::DateDiff(_) => any_type(Form::Build(temporal::difference), DATE),
    }
}

fn scalar_row(scalar: Scalar) -> Row {
    match scalar {
        Scalar::Add | Scalar::Subtract | Scalar::Multiply | Scalar::Negate | Scalar::Abs => {
            needs_types(Form::Arithmetic(exact), MATH)
        }
        Scalar::Divide => any_type(Form::Build(build::divide), MATH),
        Scalar::Modulo => needs_types(Form::Build(modulo), MATH),
        Scalar::Round => needs_types(Form::Build(|node| rounded(node, "ROUND")), MATH),
        Scalar::Floor => needs_types(Form::Build(|node| whole(node, "FLOOR")), MATH),
        Scalar::Ceiling => needs_types(Form::Build(|node| whole(node, "CEIL")), MATH),
        Scalar::Truncate => needs_types(Form::Build(|node| rounded(node, "TRUNC")), MATH),
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
        Scalar::Concat => any_type(Form::Infix(Operator::Concat), STRING),
        Scalar::Length => any_type(Form::Call("LENGTH"), STRING),
        Scalar::Upper => any_type(Form::Call("UPPER"), STRING),
        Scalar::Lower => any_type(Form::Call("LOWER"), STRING),
        Scalar::Trim => any_type(Form::Build(|node| trim(node, "TRIM", "BOTH")), STRING),
        Scalar::TrimLeading => any_type(Form::Build(|node| trim(node, "LTRIM", "LEADING")), STRING),
        Scalar::TrimTrailing => any_type(Form::Build(|node| trim(node, "RTRIM", "TRAILING")), STRING),
        Scalar::Substring => any_type(Form::Build(|node| build::substring(node, HELD)), STRING),
        Scalar::Left => any_type(Form::Build(|node| build::with_count(node, "LEFT", HELD)), STRING),
        Scalar::Right => any_type(Form::Build(|node| build::with_count(node, "RIGHT", HELD)), STRING),
        Scalar::Replace => any_type(Form::Build(build::replace), STRING),
        Scalar::SplitPart => any_type(Form::Build(split_part), STRING),
        Scalar::Position => any_type(Form::Build(position), STRING),
        Scalar::Contains => any_type(Form::Call("CONTAINS"), STRING),
        Scalar::StartsWith => any_type(Form::Call("STARTS_WITH"), STRING),
        Scalar::EndsWith => any_type(Form::Call("ENDS_WITH"), STRING),
        Scalar::Like => any_type(Form::Build(build::like), PATTERN),
        Scalar::ILike => any_type(Form::Build(build::ilike), PATTERN),
        Scalar::RegexpLike => any_type(Form::Call("REGEXP_MATCHES"), REGEX),
        Scalar::RegexpReplace => any_type(Form::Build(regexp_replace), REGEX),
        Scalar::RegexpExtract => any_type(Form::Build(regexp_extract), REGEX),
        Scalar::RegexpCount => any_type(Form::Build(regexp_count), REGEX),
        Scalar::Initcap => any_type(
            Form::Absent {
                why: "DuckDB has no INITCAP",
                needs: "use UPPER of the first letter with SUBSTRING, or DataFusion, Flink or StarRocks 4.1",
            },
            STRING,
        ),
        Scalar::Reverse => any_type(Form::Call("REVERSE"), STRING),
        Scalar::Repeat => {
            any_type(Form::Build(|node| build::with_count(node, "REPEAT", Counts::Any)), STRING)
        }
        Scalar::PadLeft => any_type(Form::Build(|node| build::pad(node, "LPAD", INTEGER)), STRING),
        Scalar::PadRight => any_type(Form::Build(|node| build::pad(node, "RPAD", INTEGER)), STRING),
        Scalar::ToDate | Scalar::ToTimestamp => any_type(Form::Build(from_text), CAST),
    }
}

fn any_type(form: Form, url: &'static str) -> Row {
    Row { form, types: Types::Any, url }
}

fn needs_types(form: Form, url: &'static str) -> Row {
    Row { form, types: Types::Needed, url }
}

/// Everything raises past its type; a product of two decimals of at most 18 digits does so too early, so one is widened.
const EXACT: Exact = Exact { whole: Whole::Raises, operands, natural, past_38: capped };

fn exact(node: &ScalarCall<'_>) -> Result<Said, Refusal> {
    arithmetic::arithmetic(node, &EXACT)
}

fn operands(scalar: Scalar, left: Digits, right: Digits) -> (Digits, Digits) {
    let short = left.precision <= 18 && right.precision <= 18 && left.precision + right.precision > 18;
    if scalar == Scalar::Multiply && short {
        (Digits { precision: 19, ..left }, right)
    } else {
        (left, right)
    }
}

fn natural(scalar: Scalar, left: Digits, right: Digits) -> Digits {
    let full = if scalar == Scalar::Multiply {
        Digits { precision: left.precision + right.precision, scale: left.scale + right.scale }
    } else {
        sum_digits(left, right)
    };
    Digits { precision: full.precision.min(38), scale: full.scale }
}

fn capped(past: &Past<'_>) -> Result<Expr, Refusal> {
    Ok(cast(binary(past.left.0.clone(), past.operator, past.right.0.clone()), past.result.sql()))
}

fn modulo(node: &ScalarCall<'_>) -> Result<Expr, Refusal> {
    let (x, y) = (build::argument(node, 0)?, build::argument(node, 1)?);
    let rest = binary(x.expr.clone(), Operator::Modulo, build::null_if_zero(y, y.expr.clone()));
    Ok(types::exactly(rest, node.data_type))
}

/// ROUND and TRUNC; over integers by way of decimals, which have room for what is rounded up.
fn rounded(node: &ScalarCall<'_>, name: &'static str) -> Result<Expr, Refusal> {
    let x = build::argument(node, 0)?;
    let places = node.arguments.get(1).and_then(Typed::whole_number).unwrap_or(0);
    match kind(x.data_type) {
        Kind::Integer if places >= 0 => Ok(types::exactly(x.expr.clone(), node.data_type)),
        Kind::Integer => {
            let digits = operand_digits(x);
            let decimal = as_decimal(x, Digits { precision: (digits.precision + 1).min(38), scale: 0 });
            Ok(types::exactly(call(name, vec![decimal, number(places)]), node.data_type))
        }
        Kind::Decimal => Ok(types::exactly(call(name, build::arguments(node)), node.data_type)),
        _ => Ok(call(name, build::arguments(node))),
    }
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

fn split_part(node: &ScalarCall<'_>) -> Result<Expr, Refusal> {
    let guard = build::at_least(node, 2, 1, "part")?;
    let delimiter = build::not_empty(node, 1, "delimiter")?;
    Ok(build::guarded(vec![guard, delimiter], call("SPLIT_PART", build::arguments(node))))
}

/// POSITION(needle, haystack).
fn position(node: &ScalarCall<'_>) -> Result<Expr, Refusal> {
    let (needle, haystack) = (build::argument(node, 0)?, build::argument(node, 1)?);
    Ok(call("STRPOS", vec![haystack.expr.clone(), needle.expr.clone()]))
}

/// TRIM without characters takes every blank of Unicode, where blanks alone are meant.
fn trim(node: &ScalarCall<'_>, name: &'static str, lead: &'static str) -> Result<Expr, Refusal> {
    match node.arguments {
        [subject] => Ok(call(name, vec![subject.expr.clone(), text(" ")])),
        _ => build::trim(node, name, lead),
    }
}

fn regexp_replace(node: &ScalarCall<'_>) -> Result<Expr, Refusal> {
    let mut arguments = build::arguments(node);
    arguments.push(text("g"));
    Ok(call("REGEXP_REPLACE", arguments))
}

fn regexp_extract(node: &ScalarCall<'_>) -> Result<Expr, Refusal> {
    Ok(call("NULLIF", vec![call("REGEXP_EXTRACT", build::arguments(node)), text("")]))
}

fn regexp_count(node: &ScalarCall<'_>) -> Result<Expr, Refusal> {
    Ok(call("LEN", vec![call("REGEXP_EXTRACT_ALL", build::arguments(node))]))
}

fn from_text(node: &ScalarCall<'_>) -> Result<Expr, Refusal> {
    types::cast(build::argument(node, 0)?, node.data_type)
}
