//! The exact place of a scalar. The parser's ranges include anchors and tags before it, blanks and comments after
//! its closing quote, and the blank lines after a block.
//! In: the text, the parser's range, the value. Out: the scalar's own bytes, and where its value stands in them.

use super::ScalarStyle;

/// The bytes of a scalar.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Place {
    /// First byte, the opening quote included.
    pub(super) start: usize,
    /// One past the last byte, the closing quote included.
    pub(super) end: usize,
    /// Where the value stands character for character.
    pub(super) verbatim_at: Option<usize>,
}

/// Finds the scalar in the range; `has_properties` says that an anchor or a tag comes before it.
pub(super) fn locate_scalar(
    text: &str,
    start: usize,
    end: usize,
    style: ScalarStyle,
    value: &str,
    has_properties: bool,
) -> Place {
    let start = if has_properties { skip_properties(text, start, end) } else { start };
    match style {
        ScalarStyle::Plain => {
            let verbatim_at = (text.get(start..end) == Some(value)).then_some(start);
            Place { start, end, verbatim_at }
        }
        ScalarStyle::SingleQuoted | ScalarStyle::DoubleQuoted => {
            let end = closing_quote(text, start, end);
            let inner = text.get(start + 1..end.saturating_sub(1));
            let verbatim_at = (inner == Some(value)).then_some(start + 1);
            Place { start, end, verbatim_at }
        }
        ScalarStyle::Literal | ScalarStyle::Folded => {
            let start = if has_properties { block_content(text, start, end) } else { start };
            let end = start + text.get(start..end).map_or(0, |block| block.trim_end().len());
            // Line ends at the end of a block are added, dropped or normalised by YAML; nothing ever points at them.
            let written = value.trim_end_matches('\n');
            let verbatim_at =
                text.get(start..).is_some_and(|rest| rest.starts_with(written)).then_some(start);
            Place { start, end, verbatim_at }
        }
    }
}

/// The first byte after anchors, tags, and the blanks and comments around them, at most `end`.
fn skip_properties(text: &str, start: usize, end: usize) -> usize {
    let bytes = text.as_bytes();
    let mut at = start;
    while at < end {
        match bytes[at] {
            b' ' | b'\t' | b'\r' | b'\n' => at += 1,
            b'#' => at += count_until(&bytes[at..end], |byte| byte == b'\n' || byte == b'\r'),
            b'&' | b'!' => at += count_until(&bytes[at..end], |byte| byte.is_ascii_whitespace()),
            _ => break,
        }
    }
    at
}

/// One past the quote that closes the scalar at `start`; `end` if there is none.
fn closing_quote(text: &str, start: usize, end: usize) -> usize {
    let bytes = text.as_bytes();
    let Some(&quote) = bytes.get(start) else { return end };
    let mut at = start + 1;
    while at < end {
        if quote == b'"' && bytes[at] == b'\\' {
            at += 2;
        } else if bytes[at] == quote {
            if quote == b'\'' && bytes.get(at + 1) == Some(&quote) {
                at += 2;
            } else {
                return at + 1;
            }
        } else {
            at += 1;
        }
    }
    end
}

/// The first byte of a block's content, given the place of its `|` or `>`.
fn block_content(text: &str, start: usize, end: usize) -> usize {
    let bytes = text.as_bytes();
    let mut at = start + count_until(&bytes[start..end], |byte| byte == b'\n');
    while at < end && bytes[at].is_ascii_whitespace() {
        at += 1;
    }
    at
}

fn count_until(bytes: &[u8], stop: impl Fn(u8) -> bool) -> usize {
    bytes.iter().position(|byte| stop(*byte)).unwrap_or(bytes.len())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_quoted_scalar_ends_at_its_quote() {
        let text = r#"a: "x y" # c"#;
        assert_eq!(
            locate_scalar(text, 3, 12, ScalarStyle::DoubleQuoted, "x y", false),
            Place { start: 3, end: 8, verbatim_at: Some(4) }
        );
    }

    #[test]
    fn escapes_are_not_verbatim() {
        let single = "'it''s' ";
        assert_eq!(
            locate_scalar(single, 0, 8, ScalarStyle::SingleQuoted, "it's", false),
            Place { start: 0, end: 7, verbatim_at: None }
        );
        let double = r#""a\"b""#;
        assert_eq!(
            locate_scalar(double, 0, 6, ScalarStyle::DoubleQuoted, "a\"b", false),
            Place { start: 0, end: 6, verbatim_at: None }
        );
    }

    #[test]
    fn anchors_and_tags_are_skipped() {
        let text = "b: &k !!str foo";
        assert_eq!(
            locate_scalar(text, 3, 15, ScalarStyle::Plain, "foo", true),
            Place { start: 12, end: 15, verbatim_at: Some(12) }
        );
    }

    #[test]
    fn a_block_is_its_content() {
        let text = "e: &x |\n  SUM(x)\n\nf: 1";
        assert_eq!(
            locate_scalar(text, 3, 18, ScalarStyle::Literal, "SUM(x)\n", true),
            Place { start: 10, end: 16, verbatim_at: Some(10) }
        );
    }
}
