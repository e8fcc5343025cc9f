//! Patterns of LIKE and of regular expressions: constants inside the subset that all engines read alike.

mod regex;

use regex::{matches_empty, regex_trap};

use crate::diagnostic::{Code, Diagnostic};
use crate::expr::{ExprKind, Literal};
use crate::resolve::ModelExpr;
use crate::source::Span;

/// The text of a String literal.
pub(super) fn literal_text(value: &ModelExpr) -> Option<&str> {
    match &*value.kind {
        ExprKind::Literal(Literal::String(text)) => Some(text),
        _ => None,
    }
}

/// Why a LIKE pattern cannot be used: it must be a constant without a backslash, which some engines take as an escape.
pub(super) fn check_like(pattern: &ModelExpr, span: Span) -> Option<Diagnostic> {
    let reason = match literal_text(pattern) {
        None => "must be a constant",
        Some(text) if text.contains('\\') => "holds a backslash, which only some engines take as an escape",
        Some(_) => return None,
    };
    Some(unsupported("the pattern of LIKE", reason, span).help("use CONTAINS, STARTSWITH or ENDSWITH"))
}

/// What a regular expression is used for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Matching {
    /// Whether it is found.
    Test,
    /// How often it is found, or what is found.
    Find,
    /// All that is found becomes something else.
    Replace,
}

/// Why a regular expression cannot be used: it must be a constant in the common subset of RE2 and Java, and find at least one
/// character where more is asked than whether it is found.
pub(super) fn check_regex(pattern: &ModelExpr, matching: Matching, span: Span) -> Option<Diagnostic> {
    let Some(text) = literal_text(pattern) else {
        return Some(unsupported("a regular expression", "must be a constant", span));
    };
    let what = format!("regular expression '{text}'");
    if let Some(reason) = regex_trap(text, matching != Matching::Find) {
        return Some(unsupported(&what, reason, span));
    }
    (matching != Matching::Test && matches_empty(text)).then(|| {
        unsupported(&what, "can match the empty text, which engines find at different places", span)
            .help("write a pattern of at least one character, as in `[0-9]+` for `[0-9]*`")
    })
}

/// Why a replacement cannot be used: it must be a constant without what some engines take as a group.
pub(super) fn check_replacement(replacement: &ModelExpr, span: Span) -> Option<Diagnostic> {
    let reason = match literal_text(replacement) {
        None => "must be a constant",
        Some(text) if text.contains(['\\', '$']) => {
            "holds `\\` or `$`, which only some engines take as a group"
        }
        Some(_) => return None,
    };
    Some(unsupported("the replacement of REGEXP_REPLACE", reason, span))
}

fn unsupported(what: &str, reason: &str, span: Span) -> Diagnostic {
    Diagnostic::new(Code::UnsupportedPattern, format!("{what} {reason}")).at(span, "this pattern")
}
