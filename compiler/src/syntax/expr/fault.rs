//! The findings of the expression parser that need no grammar state: what is no token, brackets, limits, misused forms.
//! In: a place in the text. Out: one diagnostic with what to do about it. `unexpected` words the rest.

use super::lexer::{Misfit, Placed};
use super::parse::{MAX_BYTES, MAX_DEPTH};
use super::place::Place;
use super::tree::Ident;
use crate::diagnostic::{Code, Diagnostic};
use crate::source::{Span, Spanned};

/// One finding that ends the parse.
pub(super) type Fault = Box<Diagnostic>;

/// An `E_PARSE` with its label.
pub(super) fn parse_fault(
    place: &Place<'_>,
    message: impl Into<String>,
    (l, r): (usize, usize),
    remark: &str,
) -> Diagnostic {
    Diagnostic::new(Code::Parse, message).at(place.span(l, r), place.remark(l, remark))
}

/// A text of blanks and comments.
pub(super) fn empty(place: &Place<'_>) -> Fault {
    let message = "the expression is empty";
    Box::new(parse_fault(place, message, (0, place.text.len()), "an expression must stand here"))
}

/// A text longer than `MAX_BYTES`.
pub(super) fn too_long(place: &Place<'_>) -> Fault {
    let message = format!("the expression has {} bytes, the limit is {MAX_BYTES}", place.text.len());
    Box::new(
        Diagnostic::new(Code::LimitExceeded, message)
            .at(place.whole, "")
            .help("split it into several fields or metrics"),
    )
}

/// Brackets or operators deeper than `MAX_DEPTH`.
pub(super) fn too_deep(place: &Place<'_>, l: usize, r: usize) -> Fault {
    let message = format!("the expression is nested more than {MAX_DEPTH} levels deep");
    Box::new(
        Diagnostic::new(Code::LimitExceeded, message)
            .at(
                place.span(l, r),
                place.remark(l, "this is one level too many; each operator of a chain is a level"),
            )
            .help(
                "split it into several fields or metrics, or write a long chain of `OR` as `x IN (a, b, ..)`",
            ),
    )
}

/// What the lexer could not read.
pub(super) fn misfit(place: &Place<'_>, misfit: Misfit, l: usize, r: usize) -> Fault {
    let slice = place.slice(l, r);
    let found = match misfit {
        Misfit::OpenString => parse_fault(place, "a string is never closed", (l, l + 1), "it opens here")
            .help("close it with `'`; a quote inside a string is written twice: `'it''s'`"),
        Misfit::OpenName => parse_fault(place, "a quoted name is never closed", (l, l + 1), "it opens here")
            .help("close it with `\"`; a quote inside a name is written twice"),
        Misfit::OpenComment => parse_fault(place, "a comment is never closed", (l, l + 2), "it opens here")
            .help("close it with `*/`"),
        Misfit::EmptyName => {
            parse_fault(place, "a quoted name is empty", (l, r), "a name has at least one character")
                .help("write an empty string as `''`")
        }
        Misfit::NumberRunsOn => parse_fault(
            place,
            format!("a number runs into a name: `{slice}`"),
            (l, r),
            "no name begins with a digit",
        )
        .help(format!("put a name that begins with a digit in double quotes: `\"{slice}\"`")),
        Misfit::Character => stray_character(place, l),
    };
    Box::new(found)
}

fn stray_character(place: &Place<'_>, l: usize) -> Diagnostic {
    let rest = place.slice(l, place.text.len());
    let character = rest.chars().next().unwrap_or(' ');
    let shown = match character {
        '`' => "a backtick".to_string(),
        _ if character.is_control() => format!("`{}`", character.escape_unicode()),
        _ => format!("`{character}`"),
    };
    let range = (l, l + character.len_utf8());
    let message = format!("{shown} is not part of the expression language");
    let found = parse_fault(place, message, range, "found here");
    let help = match character {
        ';' => "write one expression without `;`",
        '`' => "quote names with double quotes: `\"name\"`",
        '[' | ']' => "quote names with double quotes; there are no arrays and no subscripts",
        '&' if rest.starts_with("&&") => "write `AND`",
        '!' => "write `NOT`, or `<>` for not equal",
        '^' => "write `POWER(x, y)`",
        '~' => "write `REGEXP_LIKE(text, pattern)`",
        '?' | '$' | '@' | ':' => "a parameter is written `:name`",
        '{' | '}' => "templates are not expanded; a parameter is written `:name`",
        '\u{2018}' | '\u{2019}' => "write strings with straight quotes: `'text'`",
        '\u{201c}' | '\u{201d}' => {
            "quote names with straight double quotes, strings with straight single quotes"
        }
        '\u{2260}' => "write `<>`",
        '\u{2264}' => "write `<=`",
        '\u{2265}' => "write `>=`",
        _ => return found,
    };
    found.help(help)
}

/// `(` without `)`.
pub(super) fn open_without_close(place: &Place<'_>, (l, _, r): Placed) -> Fault {
    Box::new(parse_fault(place, "`(` is never closed", (l, r), "it opens here").help("add the missing `)`"))
}

/// `)` without `(`.
pub(super) fn close_without_open(place: &Place<'_>, (l, _, r): Placed) -> Fault {
    Box::new(
        parse_fault(place, "`)` closes nothing", (l, r), "no `(` is open here")
            .help("remove it or add the `(`"),
    )
}

/// CASE without END.
pub(super) fn case_without_end(place: &Place<'_>, (l, _, r): Placed) -> Fault {
    let found = parse_fault(place, "`CASE` is never closed", (l, r), "it opens here");
    Box::new(found.help("add `END`; a name `case` must be quoted: `\"case\"`"))
}

/// END without CASE.
pub(super) fn end_without_case(place: &Place<'_>, (l, _, r): Placed) -> Fault {
    let found = parse_fault(place, "`END` closes nothing", (l, r), "no `CASE` is open here");
    Box::new(found.help("a name `end` must be quoted: `\"end\"`"))
}

/// A number of a type that no type has.
pub(super) fn number_too_large(place: &Place<'_>, l: usize, r: usize) -> Fault {
    Box::new(parse_fault(place, "a number of a type is too large", (l, r), "no type is this long"))
}

/// CAST and EXTRACT without their keyword; `None` for every other name.
pub(super) fn keywords_missing(place: &Place<'_>, name: &Ident, l: usize, r: usize) -> Option<Fault> {
    let folded = if name.quoted { String::new() } else { name.text.to_ascii_uppercase() };
    let (keyword, form) = match folded.as_str() {
        "CAST" => ("AS", "CAST(x AS type)"),
        "TRY_CAST" => ("AS", "TRY_CAST(x AS type)"),
        "EXTRACT" => ("FROM", "EXTRACT(part FROM x)"),
        _ => return None,
    };
    let message = format!("`{folded}` needs `{keyword}` in its parentheses");
    Some(Box::new(parse_fault(place, message, (l, r), "it is missing here").help(format!("write `{form}`"))))
}

/// `f(x IGNORE NULLS) RESPECT NULLS`.
pub(super) fn nulls_twice(place: &Place<'_>, l: usize, r: usize) -> Fault {
    let message = "a call says twice how it sees NULLs";
    Box::new(parse_fault(place, message, (l, r), "the parentheses say it already"))
}

/// `f() IGNORE NULLS`.
pub(super) fn nulls_without_argument(place: &Place<'_>, l: usize, r: usize) -> Fault {
    let message = "a call without arguments has no NULLs to ignore or respect";
    Box::new(parse_fault(place, message, (l, r), "remove this"))
}

/// EXTRACT of something that is no word.
pub(super) fn not_a_part(place: &Place<'_>, l: usize, span: Span) -> Fault {
    let found = Diagnostic::new(Code::Parse, "`EXTRACT` needs a part's word before `FROM`");
    let found = found.at(span, place.remark(l, "this is not a word such as `YEAR`"));
    Box::new(found.help("write `EXTRACT(YEAR FROM x)`"))
}

/// FROM in the parentheses of a call that has none.
pub(super) fn misplaced_from(place: &Place<'_>, name: &Spanned<Ident>, l: usize, r: usize) -> Fault {
    let message = format!("`{}` takes no `FROM` of this form", name.value.text);
    let found = parse_fault(place, message, (l, r), "in this call");
    Box::new(
        found.help("`EXTRACT(part FROM x)`, `SUBSTRING(x FROM a FOR b)` and `TRIM(BOTH c FROM x)` are known"),
    )
}

/// AS in the parentheses of a call that has none.
pub(super) fn misplaced_as(place: &Place<'_>, name: &Spanned<Ident>, l: usize, to: Span) -> Fault {
    let message = format!("`{}` takes no `AS`", name.value.text);
    let found =
        Diagnostic::new(Code::Parse, message).at(to, place.remark(l, "this belongs to `CAST(x AS type)`"));
    Box::new(found.help("names are given by the model or the request, not inside an expression"))
}
