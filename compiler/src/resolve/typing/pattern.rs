//! Patterns of LIKE and of regular expressions: constants inside the subset that all engines read alike.

use std::iter::Peekable;
use std::str::Chars;

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

/// Repeats above this are refused by some engines.
const MOST_REPEATS: u32 = 1000;

/// Groups in groups above this are refused by some engines.
const MOST_NESTED: i32 = 100;

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
                if depth > MOST_NESTED {
                    return Some("nests more than 100 groups");
                }
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

/// Whether a pattern of the common subset can match the empty text.
fn matches_empty(text: &str) -> bool {
    let mut rest = text.chars().peekable();
    empty_alternatives(&mut rest)
}

/// `a|b|c`, up to the end or the group's end.
fn empty_alternatives(rest: &mut Peekable<Chars<'_>>) -> bool {
    let mut any = false;
    loop {
        any |= empty_sequence(rest);
        if rest.next_if_eq(&'|').is_none() {
            return any;
        }
    }
}

/// Pieces one behind the other: empty if all are.
fn empty_sequence(rest: &mut Peekable<Chars<'_>>) -> bool {
    let mut all = true;
    while let Some(character) = rest.next_if(|character| !['|', ')'].contains(character)) {
        let piece = match character {
            '^' | '$' => true,
            '(' => {
                // `(?:` opens a group as `(` does.
                if rest.next_if_eq(&'?').is_some() {
                    rest.next();
                }
                let inside = empty_alternatives(rest);
                rest.next();
                inside
            }
            '[' => {
                while let Some(inside) = rest.next()
                    && inside != ']'
                {
                    if inside == '\\' {
                        rest.next();
                    }
                }
                false
            }
            '\\' => {
                rest.next();
                false
            }
            _ => false,
        };
        all &= optional(rest) || piece;
    }
    all
}

/// Reads the repeat behind a piece; true if it allows none.
fn optional(rest: &mut Peekable<Chars<'_>>) -> bool {
    let none = match rest.peek() {
        Some('*' | '?') => true,
        Some('+') => false,
        Some('{') => {
            let least: String = rest.by_ref().skip(1).take_while(|character| *character != '}').collect();
            least.split(',').next().is_some_and(|least| least.parse() == Ok(0))
        }
        Some(_) | None => return false,
    };
    rest.next_if(|character| ['*', '?', '+'].contains(character));
    // A `?` behind a repeat makes it lazy.
    rest.next_if_eq(&'?');
    none
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
        assert_eq!(regex_trap(&"(?:".repeat(101), false), Some("nests more than 100 groups"));
        assert_eq!(regex_trap("(a|b)c", true), None);
    }

    #[test]
    fn patterns_that_can_match_the_empty_text_are_known() {
        for empty in
            ["", "a*", "a?", "a??", "^", "$", "^$", "a|", "(?:a*|b)", "(a+)?", "a{0,2}", "a{0}b*", "[0-9]*?"]
        {
            assert!(matches_empty(empty), "{empty}");
        }
        for full in [
            "a",
            "a+?",
            "a*b",
            "^a",
            "[0-9]+",
            "(?:x|y){2,3}",
            "[*?]",
            r"\*",
            r"[\]*]",
            "a{2,}",
            "x|y+",
            ".",
            "(a*)b",
        ] {
            assert!(!matches_empty(full), "{full}");
        }
    }
}
