//! JSON writes characters beyond U+FFFF as two `\u` escapes; YAML has no such pairs, so they are joined before the
//! YAML parser sees the text. Only in a text that is JSON: elsewhere `\ud83d` may be plain text.
//! In: the text. Out: the same text, or one with `\U0001F600` for each pair and the way back to the original offsets.

use std::borrow::Cow;
use std::fmt::Write as _;

/// A text for the parser with the way back to the original.
pub(super) struct Joined<'t> {
    /// What the parser reads.
    pub(super) text: Cow<'t, str>,
    /// For each joined pair: the byte after it in `text`, and in the original.
    joints: Vec<(usize, usize)>,
}

impl Joined<'_> {
    /// The original offset of a byte of `text`.
    pub(super) fn original(&self, at: usize) -> usize {
        let passed = self.joints.partition_point(|(joined, _)| *joined <= at);
        match passed.checked_sub(1).and_then(|last| self.joints.get(last)) {
            Some((joined, original)) => at - joined + original,
            None => at,
        }
    }
}

/// Joins the pairs of a JSON text.
pub(super) fn join_surrogates(text: &str) -> Joined<'_> {
    let untouched = Joined { text: Cow::Borrowed(text), joints: Vec::new() };
    if !text.contains("\\ud") && !text.contains("\\uD") {
        return untouched;
    }
    let Some(pairs) = surrogate_pairs(text) else { return untouched };
    let mut joined = String::with_capacity(text.len());
    let mut joints = Vec::with_capacity(pairs.len());
    let mut copied = 0;
    for (start, code_point) in pairs {
        joined.push_str(&text[copied..start]);
        // Writing to a string cannot fail.
        let _ = write!(joined, "\\U{code_point:08X}");
        copied = start + PAIR;
        joints.push((joined.len(), copied));
    }
    joined.push_str(&text[copied..]);
    Joined { text: Cow::Owned(joined), joints }
}

/// The bytes of `\ud83d\ude00`.
const PAIR: usize = 12;

/// Marks, blanks, and the characters of numbers, `true`, `false` and `null`.
const JSON_BETWEEN_STRINGS: &[u8] = b"{}[],: \t\r\n0123456789+-.Eetrufalsn";

/// Where the pairs stand and what they mean; `None` if the text is not JSON as far as its marks show: between strings
/// only brackets, commas, colons, blanks and the letters and digits of numbers, `true`, `false` and `null`.
fn surrogate_pairs(text: &str) -> Option<Vec<(usize, u32)>> {
    let bytes = text.as_bytes();
    let mut pairs = Vec::new();
    let mut in_string = false;
    let mut at = 0;
    while let Some(&byte) = bytes.get(at) {
        let mut step = 1;
        if !in_string {
            if byte == b'"' {
                in_string = true;
            } else if !JSON_BETWEEN_STRINGS.contains(&byte) {
                return None;
            }
        } else if byte == b'"' {
            in_string = false;
        } else if byte == b'\\' {
            step = 2;
            if let Some(code_point) = pair_at(bytes, at) {
                pairs.push((at, code_point));
                step = PAIR;
            }
        }
        at += step;
    }
    Some(pairs)
}

/// The character that a pair of escapes starting here stands for.
fn pair_at(bytes: &[u8], at: usize) -> Option<u32> {
    let high = escape_at(bytes, at)?;
    let low = escape_at(bytes, at + PAIR / 2)?;
    if !(0xD800..0xDC00).contains(&high) || !(0xDC00..0xE000).contains(&low) {
        return None;
    }
    Some(0x1_0000 + ((high - 0xD800) << 10) + (low - 0xDC00))
}

/// The number in `\uXXXX`.
fn escape_at(bytes: &[u8], at: usize) -> Option<u32> {
    let escape = bytes.get(at..at + PAIR / 2)?;
    if !escape.starts_with(b"\\u") {
        return None;
    }
    escape[2..].iter().try_fold(0, |number, digit| Some(number * 16 + char::from(*digit).to_digit(16)?))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pairs_in_json_strings_become_one_escape() {
        let joined = join_surrogates(r#"{"a": "x\uD83D\uDE00y", "b": 1}"#);
        assert_eq!(joined.text, r#"{"a": "x\U0001F600y", "b": 1}"#);
        // The `y` stands at byte 18 of the joined text and at byte 20 of the original.
        assert_eq!([0, 7, 18, 19].map(|at| joined.original(at)), [0, 7, 20, 21]);
    }

    #[test]
    fn other_escapes_and_other_texts_are_left_alone() {
        for text in [
            r#"{"a": "\\uD83D\\uDE00"}"#,
            r#"{"a": "\uD83Dx"}"#,
            "a: '\\uD83D\\uDE00'",
            "{\"a\": 1} # \\uD83D\\uDE00",
        ] {
            assert_eq!(join_surrogates(text).text, text);
        }
    }
}
