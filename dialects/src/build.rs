//! Named shapes that several targets' tables list: guards, checks of constant arguments, null-safe forms.
//! In: a call with its typed arguments. Out: an expression, or the refusal of a constant that has no portable meaning.

use unisono_compiler::data_type::DataType;
use unisono_compiler::expr::Literal;

use crate::arithmetic::double;
use crate::form::{AggregateCall, Refusal, ScalarCall, Typed};
use crate::sql::tree::{
    Expr, NULL, Operator, Type, binary, call, cast, chain, is_not_null, is_null, number, text, when,
    when_else,
};

/// `CAST('1.5' AS DECIMAL(2, 1))`: a bare `1.5` is a double on some engines.
pub(crate) fn decimal(digits: &str, to: Type) -> Expr {
    cast(text(digits), to)
}

/// The arguments as they are.
pub(crate) fn arguments(node: &ScalarCall<'_>) -> Vec<Expr> {
    node.arguments.iter().map(|argument| argument.expr.clone()).collect()
}

/// The argument at a place; a call with too few of them is an error of the planner.
pub(crate) fn argument<'n, 'a>(node: &'n ScalarCall<'a>, index: usize) -> Result<&'n Typed<'a>, Refusal> {
    node.arguments.get(index).ok_or_else(|| Refusal::internal(format!("lacks argument {}", index + 1)))
}

/// `name(..)` as BIGINT: the engine's own integer is narrower.
pub(crate) fn bigint_call(node: &ScalarCall<'_>, name: &'static str) -> Expr {
    cast(call(name, arguments(node)), Type::word("BIGINT"))
}

/// An aggregate over its arguments as DOUBLE.
pub(crate) fn over_doubles(node: &AggregateCall<'_>, name: &'static str) -> Result<Expr, Refusal> {
    Ok(node.over_arguments(name, node.arguments.iter().map(double).collect()))
}

/// A statistic of a sample, NULL unless there are several rows with all arguments.
pub(crate) fn of_sample(node: &AggregateCall<'_>, name: &'static str) -> Result<Expr, Refusal> {
    let columns: Vec<Expr> = node.arguments.iter().map(|argument| argument.expr.clone()).collect();
    let counted = match columns.as_slice() {
        [column] => column.clone(),
        columns => when(chain(Operator::And, columns.iter().cloned().map(is_not_null).collect()), number(1)),
    };
    let several = binary(node.over_arguments("COUNT", vec![counted]), Operator::Greater, number(1));
    Ok(when(several, over_doubles(node, name)?))
}

/// `CAST(x AS DOUBLE) / NULLIF(CAST(y AS DOUBLE), 0)`.
pub(crate) fn divide(node: &ScalarCall<'_>) -> Result<Expr, Refusal> {
    let (x, y) = (argument(node, 0)?, argument(node, 1)?);
    Ok(binary(double(x), Operator::Divide, null_if_zero(y, double(y))))
}

/// The expression of a divisor, NULL where it is 0; a constant that is not 0 needs no guard.
pub(crate) fn null_if_zero(divisor: &Typed<'_>, expr: Expr) -> Expr {
    if is_never_zero(divisor) { expr } else { call("NULLIF", vec![expr, number(0)]) }
}

/// A constant that is not 0.
pub(crate) fn is_never_zero(divisor: &Typed<'_>) -> bool {
    match divisor.literal() {
        Some(Literal::Integer(digits) | Literal::Decimal(digits)) => {
            digits.contains(|digit| ('1'..='9').contains(&digit))
        }
        Some(
            Literal::Null
            | Literal::Boolean(_)
            | Literal::Float(_)
            | Literal::String(_)
            | Literal::Date(_)
            | Literal::Time(_)
            | Literal::Timestamp(_),
        )
        | None => false,
    }
}

/// `NOT x`.
pub(crate) fn not(node: &ScalarCall<'_>) -> Result<Expr, Refusal> {
    Ok(Expr::Not(Box::new(argument(node, 0)?.expr.clone())))
}

/// `x IS NULL`.
pub(crate) fn null_test(node: &ScalarCall<'_>) -> Result<Expr, Refusal> {
    Ok(is_null(argument(node, 0)?.expr.clone()))
}

/// `x IS NOT NULL`.
pub(crate) fn not_null_test(node: &ScalarCall<'_>) -> Result<Expr, Refusal> {
    Ok(crate::sql::tree::is_not_null(argument(node, 0)?.expr.clone()))
}

/// `CASE WHEN x IS NULL OR y IS NULL THEN NULL ELSE name(x, y) END`: the engine's own skips NULLs.
pub(crate) fn null_if_any_null(node: &ScalarCall<'_>, name: &'static str) -> Expr {
    let nulls: Vec<Expr> = node
        .arguments
        .iter()
        .filter(|argument| argument.literal().is_none_or(|literal| *literal == Literal::Null))
        .map(|argument| is_null(argument.expr.clone()))
        .collect();
    let plain = call(name, arguments(node));
    if nulls.is_empty() { plain } else { when_else(chain(Operator::Or, nulls), NULL, plain) }
}

/// A whole-number argument that must be at least `least`: a constant is checked here, another gets a guard.
pub(crate) fn at_least(
    node: &ScalarCall<'_>,
    index: usize,
    least: i64,
    what: &str,
) -> Result<Option<Expr>, Refusal> {
    let checked = argument(node, index)?;
    match checked.whole_number() {
        Some(value) if value >= least => Ok(None),
        Some(value) => Err(Refusal::function(
            format!("has no portable meaning for {what} {value}"),
            format!("write a {what} of at least {least}"),
        )),
        None => Ok(Some(binary(checked.expr.clone(), Operator::GreaterEqual, number(least)))),
    }
}

/// A text argument that must not be empty: a constant is checked here, another gets a guard.
pub(crate) fn not_empty(node: &ScalarCall<'_>, index: usize, what: &str) -> Result<Option<Expr>, Refusal> {
    let checked = argument(node, index)?;
    match checked.string() {
        Some("") => Err(Refusal::function(
            format!("has no portable meaning for an empty {what}"),
            format!("write a {what} of at least one character"),
        )),
        Some(_) => Ok(None),
        None => Ok(Some(binary(checked.expr.clone(), Operator::NotEqual, text("")))),
    }
}

/// The value where all guards hold, else NULL.
pub(crate) fn guarded(guards: Vec<Option<Expr>>, value: Expr) -> Expr {
    let guards: Vec<Expr> = guards.into_iter().flatten().collect();
    if guards.is_empty() { value } else { when(chain(Operator::And, guards), value) }
}

/// A LIKE pattern or regular expression that all engines read alike: without a backslash in LIKE.
pub(crate) fn like_pattern(node: &ScalarCall<'_>) -> Result<(), Refusal> {
    let pattern = argument(node, 1)?;
    match pattern.string() {
        Some(text) if text.contains('\\') => Err(Refusal {
            code: unisono_compiler::diagnostic::Code::UnsupportedPattern,
            why: "engines read `\\` in a pattern differently".to_string(),
            help: "use `%` and `_` only, or CONTAINS for text with those characters".to_string(),
        }),
        Some(_) | None => Ok(()),
    }
}

/// The arguments, the constant pattern among them in other words.
pub(crate) fn with_pattern(node: &ScalarCall<'_>, said: fn(&str) -> String) -> Result<Vec<Expr>, Refusal> {
    let mut parts = arguments(node);
    if let (Some(part), Some(pattern)) = (parts.get_mut(1), argument(node, 1)?.string()) {
        *part = text(said(pattern));
    }
    Ok(parts)
}

/// `x LIKE p`.
pub(crate) fn like(node: &ScalarCall<'_>) -> Result<Expr, Refusal> {
    matched(node, Operator::Like)
}

/// `x ILIKE p`.
pub(crate) fn ilike(node: &ScalarCall<'_>) -> Result<Expr, Refusal> {
    matched(node, Operator::ILike)
}

fn matched(node: &ScalarCall<'_>, operator: Operator) -> Result<Expr, Refusal> {
    like_pattern(node)?;
    Ok(binary(argument(node, 0)?.expr.clone(), operator, argument(node, 1)?.expr.clone()))
}

/// In which type an engine takes a count of characters.
#[derive(Clone, Copy)]
pub(crate) enum Counts {
    /// In any whole number.
    Any,
    /// In a narrower one, by a form that raises where it does not fit.
    Narrow(fn(Expr) -> Expr),
    /// In the INT of that name, past whose range it raises, wraps or gives NULL: a wider count is held at the greatest INT, which is
    /// past the end of every text.
    Held(&'static str),
}

/// The arguments, counts among them in the type that the engine takes. Guards look at the counts as they were.
pub(crate) fn counted(node: &ScalarCall<'_>, counts: Counts) -> Vec<Expr> {
    let narrowed = |argument: &Typed<'_>| {
        let expr = argument.expr.clone();
        if !argument.data_type.is_integer() || argument.literal().is_some() {
            return expr;
        }
        match counts {
            Counts::Any => expr,
            Counts::Narrow(narrow) => narrow(expr),
            Counts::Held(int) if argument.data_type == DataType::Int64 => {
                cast(call("LEAST", vec![expr, number(i32::MAX)]), Type::word(int))
            }
            Counts::Held(int) => cast(expr, Type::word(int)),
        }
    };
    node.arguments.iter().map(narrowed).collect()
}

/// `name(s, n)` with n not negative.
pub(crate) fn with_count(node: &ScalarCall<'_>, name: &'static str, counts: Counts) -> Result<Expr, Refusal> {
    let guard = at_least(node, 1, 0, "count")?;
    Ok(guarded(vec![guard], call(name, counted(node, counts))))
}

/// `SUBSTRING(s, start[, length])` within the string.
pub(crate) fn substring(node: &ScalarCall<'_>, counts: Counts) -> Result<Expr, Refusal> {
    let start = at_least(node, 1, 1, "start")?;
    let length = if node.arguments.len() > 2 { at_least(node, 2, 0, "length")? } else { None };
    Ok(guarded(vec![start, length], call("SUBSTRING", counted(node, counts))))
}

/// `REPLACE(s, from, to)` with something to look for.
pub(crate) fn replace(node: &ScalarCall<'_>) -> Result<Expr, Refusal> {
    let guard = not_empty(node, 1, "text to replace")?;
    Ok(guarded(vec![guard], call("REPLACE", arguments(node))))
}

/// `LPAD` and `RPAD` to a width that is not negative, with something to fill with.
pub(crate) fn pad(node: &ScalarCall<'_>, name: &'static str, counts: Counts) -> Result<Expr, Refusal> {
    let width = at_least(node, 1, 0, "width")?;
    let fill = if node.arguments.len() > 2 { not_empty(node, 2, "fill")? } else { None };
    let mut parts = counted(node, counts);
    if parts.len() == 2 {
        parts.push(text(" "));
    }
    Ok(guarded(vec![width, fill], call(name, parts)))
}

/// `TRIM(s)`, or `TRIM(BOTH 'x' FROM s)` with one character.
pub(crate) fn trim(node: &ScalarCall<'_>, name: &'static str, lead: &'static str) -> Result<Expr, Refusal> {
    match node.arguments {
        [subject] => Ok(call(name, vec![subject.expr.clone()])),
        [subject, character] => {
            one_character(character)?;
            Ok(Expr::Phrase {
                name: "TRIM",
                lead: Some(lead),
                first: Box::new(character.expr.clone()),
                word: "FROM",
                second: Box::new(subject.expr.clone()),
            })
        }
        _ => argument(node, 2).map(|extra| extra.expr.clone()),
    }
}

/// A constant of one character, as TRIM wants it.
pub(crate) fn one_character(character: &Typed<'_>) -> Result<(), Refusal> {
    let is_one = character.string().is_some_and(|text| text.chars().count() == 1);
    if is_one {
        Ok(())
    } else {
        Err(Refusal::function(
            "has a portable meaning for one constant character only",
            "trim one character at a time",
        ))
    }
}
