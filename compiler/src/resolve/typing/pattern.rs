//! Patterns of LIKE and of regular expressions: constants inside the subset that all engines read alike.

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

/// Why a regular expression cannot be used: it must be a constant in the common subset of RE2 and Java.
pub(super) fn check_regex(pattern: &ModelExpr, groups_allowed: bool, span: Span) -> Option<Diagnostic> {
    let Some(text) = literal_text(pattern) else {
        return Some(unsupported("a regular expression", "must be a constant", span));
    };
    let reason = regex_trap(text, groups_allowed)?;
    Some(unsupported(&format!("regular expression '{text}'"), reason, span))
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

/// Repeats above this are refused by some engines.
const MOST_REPEATS: u32 = 1000;

/// A repeat count that some engines refuse or read as plain text.
fn repeat_trap(characters: &[char], at: usize) -> Option<&'static str> {
    let end = characters[at..].iter().position(|character| *character == '}')?;
    let inside: String = characters[at + 1..at + end].iter().collect();
    if inside.starts_with(',') {
        return Some("has a repeat without a least count");
    }
    let large =
        inside.split(',').filter_map(|count| count.parse::<u32>().ok()).any(|count| count > MOST_REPEATS);
    large.then_some("repeats more than 1000 times")
}

fn regex_trap(text: &str, groups_allowed: bool) -> Option<&'static str> {
    let characters: Vec<char> = text.chars().collect();
    let mut in_class = false;
    let mut depth = 0_i32;
    let mut at = 0;
    while at < characters.len() {
        let next = characters.get(at + 1).copied();
        match characters[at] {
            '\\' => {
                match next {
                    Some('0'..='9' | 'k') => return Some("has a back-reference"),
                    Some('p' | 'P') => return Some("has a Unicode class, whose tables differ"),
                    Some('d' | 'D' | 'w' | 'W' | 's' | 'S' | 'b' | 'B') => {
                        return Some(
                            "has a class whose members differ beyond ASCII; write it out, as in [0-9]",
                        );
                    }
                    Some(
                        'u' | 'x' | 'Q' | 'E' | 'G' | 'Z' | 'A' | 'z' | 'h' | 'H' | 'R' | 'v' | 'V' | 'X'
                        | 'c',
                    ) => {
                        return Some("has an escape that not all engines know");
                    }
                    Some(_) => {}
                    None => return Some("ends in a backslash"),
                }
                at += 1;
            }
            '{' if !in_class => {
                if let Some(trap) = repeat_trap(&characters, at) {
                    return Some(trap);
                }
            }
            '[' if !in_class => in_class = true,
            '[' if in_class => return Some("has a class in a class"),
            '&' if in_class && next == Some('&') => return Some("has a class intersection"),
            ']' => in_class = false,
            '(' if !in_class => {
                depth += 1;
                if next == Some('?') && characters.get(at + 2) != Some(&':') {
                    return Some("has look-around, a named group or a flag");
                }
                if next != Some('?') && !groups_allowed {
                    return Some("has a group, which changes what is extracted; use (?:..)");
                }
            }
            ')' if !in_class => depth -= 1,
            '+' if !in_class && at > 0 && matches!(characters[at - 1], '*' | '+' | '?' | '}') => {
                let escaped = at >= 2 && characters[at - 2] == '\\';
                if !escaped {
                    return Some("has a possessive quantifier");
                }
            }
            _ => {}
        }
        if depth < 0 {
            return Some("closes a group that it does not open");
        }
        at += 1;
    }
    (in_class || depth != 0).then_some("does not close a group or class")
}

fn unsupported(what: &str, reason: &str, span: Span) -> Diagnostic {
    Diagnostic::new(Code::UnsupportedPattern, format!("{what} {reason}")).at(span, "this pattern")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_common_subset_is_accepted_and_the_rest_named() {
        for good in ["^a.*b$", "[0-9]+", "(?:x|y){2,3}", r"a\+b", "[0-9]{2,}", "a+?"] {
            assert_eq!(regex_trap(good, false), None, "{good}");
        }
        for bad in [
            "(?=x)", "(?<n>x)", r"(a)\1", "a++", "(a)", "[a[b]]", "(a", r"\p{L}", "(?i)x", r"a\", r"\d",
            "a{,2}", "a{1001}", r"\u0041",
        ] {
            assert!(regex_trap(bad, false).is_some(), "{bad}");
        }
        assert_eq!(regex_trap("(a|b)c", true), None);
    }
}
