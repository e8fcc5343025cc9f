//! Regular expressions of the subset that RE2, Java and Rust read alike, and which all of them accept.
//! In: a constant pattern. Out: what puts it outside of the subset, and whether it can match the empty text.

use std::iter::Peekable;
use std::str::Chars;

/// Repeats above this, counted through groups in groups, are refused by some engines.
const MOST_REPEATS: u32 = 1000;

/// Patterns that are longer than this once their repeats are written out are refused by some engines.
const MOST_PIECES: u32 = 10_000;

/// Groups in groups above this are refused by some engines.
const MOST_NESTED: usize = 100;

/// How large a part of a pattern is.
#[derive(Clone, Copy, Default, Debug)]
struct Extent {
    /// Its characters and classes, with repeats written out.
    pieces: u32,
    /// The greatest product of repeats in repeats.
    repeats: u32,
}

/// What stands before a place in a pattern.
#[derive(Clone, Copy, Debug)]
enum Before {
    /// Nothing that can be repeated.
    Nothing,
    /// A character, class or group.
    Piece(Extent),
    /// A repeat, which a `?` makes lazy.
    Repeat,
    /// A lazy repeat.
    Lazy,
}

/// Why a regular expression is outside of the common subset.
pub(super) fn regex_trap(text: &str, groups_allowed: bool) -> Option<&'static str> {
    let characters: Vec<char> = text.chars().collect();
    // What is read of the pattern and of each group that is open.
    let mut open = vec![Extent::default()];
    let mut before = Before::Nothing;
    let mut at = 0;
    while at < characters.len() {
        let next = characters.get(at + 1).copied();
        let mut piece = Some(Extent { pieces: 1, repeats: 1 });
        match characters[at] {
            '\\' => {
                if let Some(trap) = escape_trap(next) {
                    return Some(trap);
                }
                at += 1;
            }
            '[' => match class(&characters, at) {
                Ok(end) => at = end,
                Err(trap) => return Some(trap),
            },
            '(' => {
                if next == Some('?') && characters.get(at + 2) != Some(&':') {
                    return Some("has look-around, a named group or a flag");
                }
                if next != Some('?') && !groups_allowed {
                    return Some("has a group, which changes what is extracted; use (?:..)");
                }
                if open.len() > MOST_NESTED {
                    return Some("nests more than 100 groups");
                }
                open.push(Extent::default());
                (before, piece) = (Before::Nothing, None);
                at += if next == Some('?') { 2 } else { 0 };
            }
            ')' => {
                piece = open.pop();
                if open.is_empty() {
                    return Some("closes a group that it does not open");
                }
            }
            '|' | '^' | '$' => (before, piece) = (Before::Nothing, None),
            '*' | '+' | '?' | '{' => {
                let most = match repeat(&characters, &mut at) {
                    Ok(most) => most,
                    Err(trap) => return Some(trap),
                };
                piece = None;
                before = match (before, characters[at]) {
                    (Before::Piece(inside), _) => match (repeated(inside, most), open.last_mut()) {
                        (Ok(extent), Some(all)) => {
                            // The piece itself is counted already.
                            add(all, Extent { pieces: extent.pieces - inside.pieces, ..extent });
                            Before::Repeat
                        }
                        (Err(trap), _) => return Some(trap),
                        (Ok(_), None) => Before::Repeat,
                    },
                    (Before::Repeat, '?') => Before::Lazy,
                    (Before::Repeat, '+') => return Some("has a possessive quantifier"),
                    (Before::Repeat | Before::Lazy, _) => {
                        return Some("repeats a repeat; put what is repeated into (?:..)");
                    }
                    (Before::Nothing, _) => return Some("repeats where there is nothing to repeat"),
                };
            }
            _ => {}
        }
        if let (Some(piece), Some(all)) = (piece, open.last_mut()) {
            add(all, piece);
            before = Before::Piece(piece);
        }
        at += 1;
    }
    match open.as_slice() {
        [all] if all.pieces > MOST_PIECES => {
            Some("has more than 10000 characters with its repeats written out")
        }
        [_] => None,
        _ => Some("does not close a group or class"),
    }
}

fn add(all: &mut Extent, part: Extent) {
    all.pieces = all.pieces.saturating_add(part.pieces);
    all.repeats = all.repeats.max(part.repeats);
}

/// A part that stands up to so many times.
fn repeated(part: Extent, most: u32) -> Result<Extent, &'static str> {
    let times = most.max(1);
    let extent = Extent {
        pieces: part.pieces.saturating_mul(times),
        repeats: part.repeats.max(1).saturating_mul(times),
    };
    if extent.repeats > MOST_REPEATS { Err("repeats more than 1000 times") } else { Ok(extent) }
}

/// How often the quantifier at a place repeats at most, where it writes that out; moves the place to its end.
fn repeat(characters: &[char], at: &mut usize) -> Result<u32, &'static str> {
    if characters[*at] != '{' {
        return Ok(1);
    }
    let no_count = "has a `{` that opens no repeat, which only some engines take as it is; write [{]";
    let length = characters[*at..].iter().position(|character| *character == '}').ok_or(no_count)?;
    let inside: String = characters[*at + 1..*at + length].iter().collect();
    *at += length;
    if inside.starts_with(',') {
        return Err("has a repeat without a least count");
    }
    let (least, most) = inside.split_once(',').unwrap_or((&inside, &inside));
    let most = if most.is_empty() { least } else { most };
    if ![least, most].iter().all(|count| !count.is_empty() && count.bytes().all(|byte| byte.is_ascii_digit()))
    {
        return Err(no_count);
    }
    let [least, most] = [least, most].map(|count| count.parse().unwrap_or(u32::MAX));
    if least > most { Err("has a repeat whose least count is above its greatest") } else { Ok(most) }
}

fn escape_trap(next: Option<char>) -> Option<&'static str> {
    match next {
        Some('0'..='9' | 'k') => Some("has a back-reference"),
        Some('p' | 'P') => Some("has a Unicode class, whose tables differ"),
        Some('d' | 'D' | 'w' | 'W' | 's' | 'S' | 'b' | 'B') => {
            Some("has a class whose members differ beyond ASCII; write it out, as in [0-9]")
        }
        Some('n' | 't' | 'r' | 'f' | 'a') => None,
        Some('<' | '>') => Some("has an escape that not all engines know"),
        Some(other) if other.is_ascii_punctuation() || other == ' ' => None,
        Some(_) => Some("has an escape that not all engines know"),
        None => Some("ends in a backslash"),
    }
}

/// The place of the bracket that closes the class which one at a place opens.
fn class(characters: &[char], opening: usize) -> Result<usize, &'static str> {
    let mut at = opening + 1;
    if characters.get(at) == Some(&'^') {
        at += 1;
    }
    // What the class lists; a dash between two is None.
    let mut members: Vec<Option<char>> = Vec::new();
    loop {
        let next = characters.get(at + 1).copied();
        match characters.get(at) {
            None => return Err("does not close a group or class"),
            Some(']') => break,
            Some('[') => return Err("has a class in a class"),
            Some('&') if next == Some('&') => return Err("has a class intersection"),
            Some('-' | '~') if next == characters.get(at).copied() => {
                return Err("has two `-` or `~` in a class, which some engines take as a difference");
            }
            Some('\\') => {
                if let Some(trap) = escape_trap(next) {
                    return Err(trap);
                }
                members.push(next);
                at += 1;
            }
            Some('-') => members.push(None),
            Some(other) => members.push(Some(*other)),
        }
        at += 1;
    }
    if members.is_empty() {
        return Err("has a class of nothing");
    }
    let falls =
        members.windows(3).any(|three| matches!(three, [Some(first), None, Some(last)] if first > last));
    if falls { Err("has a range whose end is before its start") } else { Ok(at) }
}

/// Whether a pattern of the common subset can match the empty text.
pub(super) fn matches_empty(text: &str) -> bool {
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_common_subset_is_accepted_and_the_rest_named() {
        for good in [
            "^a.*b$",
            "[0-9]+",
            "(?:x|y){2,3}",
            r"a\+b",
            "[0-9]{2,}",
            "a+?",
            "a{2}?",
            "(?:a{10}b+){100}",
            "[a{*+?]",
            "[-a]",
            "[a-]",
            r"[\]-]",
            "}",
            "(?:abcdefghij){1000}",
            r"a\{",
            "",
            "a|",
            "a{0}",
        ] {
            assert_eq!(regex_trap(good, false), None, "{good}");
        }
        for bad in [
            "(?=x)",
            "(?<n>x)",
            r"(a)\1",
            "a++",
            "(a)",
            "[a[b]]",
            "(a",
            r"\p{L}",
            "(?i)x",
            r"a\",
            r"\d",
            "a{,2}",
            "a{1001}",
            r"\u0041",
            "a{10}{10}",
            "a{2}*",
            "a**",
            "a???",
            "*a",
            "(?:|+a)",
            "^*",
            "a{",
            "a{x}",
            "a{2,1}",
            "(?:a{1000}){2}",
            "(?:(?:a{10}b){10}){11}",
            "a{4294967297}",
            "[b-a]",
            "[]",
            "[^]",
            "[a--b]",
            r"\<",
            r"\q",
            "(?:abcdefghijk){1000}",
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
