//! Texts of Flink: characters beyond 16 bits, ends of lines, literals that have a length of their own, parts that count from 0.
//! In: a call with its typed arguments. Out: an expression, or the refusal of a constant without a portable meaning.

use crate::build::{self, Counts};
use crate::form::{Refusal, ScalarCall, Typed};
use crate::pattern;
use crate::sql::tree::{
    Expr, NULL, Operator, Type, binary, call, cast, chain, number, phrase, text, when, when_else,
};

/// Counts of characters are INT, to which CAST wraps.
pub(super) const COUNTS: Counts = Counts::Held("INT");

/// The same for texts that are made so long: reading a text as INT raises past 32 bits.
pub(super) const RAISED: Counts = Counts::Narrow(|count| {
    cast(call("CONCAT", vec![cast(count, Type::word("STRING")), text("")]), Type::word("INT"))
});

/// Where a text is filled up.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Side {
    Left,
    Right,
}

/// LPAD and RPAD count halves of characters beyond 16 bits, and cut them through; LEFT, REPEAT and CHAR_LENGTH count characters.
pub(super) fn pad(node: &ScalarCall<'_>, side: Side) -> Result<Expr, Refusal> {
    let subject = string(build::argument(node, 0)?);
    let width = build::at_least(node, 1, 0, "width")?;
    let guard = if node.arguments.len() > 2 { build::not_empty(node, 2, "fill")? } else { None };
    let fill = match node.arguments.get(2) {
        Some(fill) => string(fill),
        None => cast(text(" "), Type::word("STRING")),
    };
    let counted = build::counted(node, RAISED);
    let count = || counted.get(1).cloned().unwrap_or(NULL);
    let length = call("CHAR_LENGTH", vec![subject.clone()]);
    let is_full = binary(length.clone(), Operator::GreaterEqual, count());
    let missing = binary(count(), Operator::Subtract, length);
    let filled = call("LEFT", vec![call("REPEAT", vec![fill, count()]), missing]);
    let parts =
        if side == Side::Left { vec![filled, subject.clone()] } else { vec![subject.clone(), filled] };
    let padded = when_else(is_full, call("LEFT", vec![subject, count()]), call("CONCAT", parts));
    Ok(build::guarded(vec![width, guard], padded))
}

/// A literal is CHAR(n), and some functions cut their answer to n characters.
pub(super) fn over_string(node: &ScalarCall<'_>, name: &'static str) -> Result<Expr, Refusal> {
    Ok(call(name, vec![string(build::argument(node, 0)?)]))
}

fn string(x: &Typed<'_>) -> Expr {
    cast(x.expr.clone(), Type::word("STRING"))
}

/// SPLIT_INDEX counts from 0 and gives NULL past the last part.
pub(super) fn split_part(node: &ScalarCall<'_>) -> Result<Expr, Refusal> {
    let (subject, part) = (build::argument(node, 0)?, build::argument(node, 2)?);
    let guards = [build::not_empty(node, 1, "delimiter")?, build::at_least(node, 2, 1, "part")?];
    let mut arguments = build::counted(node, COUNTS);
    if let Some(index) = arguments.last_mut() {
        *index = match part.whole_number() {
            Some(part) => number(part - 1),
            None => binary(index.clone(), Operator::Subtract, number(1)),
        };
    }
    let piece = call("SPLIT_INDEX", arguments);
    let found = call("COALESCE", vec![piece, cast(text(""), Type::word("STRING"))]);
    let is_text = crate::sql::tree::is_not_null(subject.expr.clone());
    Ok(when(
        chain(Operator::And, std::iter::once(is_text).chain(guards.into_iter().flatten()).collect()),
        found,
    ))
}

fn place(needle: &Typed<'_>, haystack: &Typed<'_>) -> Expr {
    phrase("POSITION", needle.expr.clone(), "IN", haystack.expr.clone())
}

/// POSITION(needle, haystack).
pub(super) fn position(node: &ScalarCall<'_>) -> Result<Expr, Refusal> {
    Ok(cast(place(build::argument(node, 0)?, build::argument(node, 1)?), Type::word("BIGINT")))
}

pub(super) fn contains(node: &ScalarCall<'_>) -> Result<Expr, Refusal> {
    Ok(binary(place(build::argument(node, 1)?, build::argument(node, 0)?), Operator::Greater, number(0)))
}

pub(super) fn starts_by_position(node: &ScalarCall<'_>) -> Result<Expr, Refusal> {
    Ok(binary(place(build::argument(node, 1)?, build::argument(node, 0)?), Operator::Equal, number(1)))
}

pub(super) fn ends_by_right(node: &ScalarCall<'_>) -> Result<Expr, Refusal> {
    let (subject, end) = (build::argument(node, 0)?, build::argument(node, 1)?);
    let length = call("CHAR_LENGTH", vec![end.expr.clone()]);
    Ok(binary(call("RIGHT", vec![subject.expr.clone(), length]), Operator::Equal, end.expr.clone()))
}

/// The `_` of LIKE passes over no end of a line here, so such patterns are regular expressions.
pub(super) fn like(node: &ScalarCall<'_>) -> Result<Expr, Refusal> {
    build::like_pattern(node)?;
    match build::argument(node, 1)?.string().filter(|pattern| pattern.contains('_')) {
        Some(pattern) => {
            let subject = build::argument(node, 0)?.expr.clone();
            Ok(call("REGEXP", vec![subject, text(pattern::of_like(pattern))]))
        }
        None => build::like(node),
    }
}

pub(super) fn ilike(node: &ScalarCall<'_>) -> Result<Expr, Refusal> {
    build::like_pattern(node)?;
    let lower = |x: &Typed<'_>| call("LOWER", vec![string(x)]);
    if let Some(pattern) = build::argument(node, 1)?.string().filter(|pattern| pattern.contains('_')) {
        let small = text(pattern::of_like(&pattern.to_lowercase()));
        return Ok(call("REGEXP", vec![lower(build::argument(node, 0)?), small]));
    }
    Ok(binary(lower(build::argument(node, 0)?), Operator::Like, lower(build::argument(node, 1)?)))
}

/// `name(s, pattern ..)`, whose pattern says which ends of lines it means.
pub(super) fn regexp(node: &ScalarCall<'_>, name: &'static str) -> Result<Expr, Refusal> {
    Ok(call(name, build::with_pattern(node, pattern::of_lines)?))
}
