//! Texts for tests in which `«` and `»` mark the place of each finding, in the order of the findings.
//! In: a marked text, its reader, the findings expected. Out: what the reader made of the text without its marks.

use crate::diagnostic::{Code, Diagnostic};

/// The text without marks, and the marked ranges.
fn unmark(marked: &str) -> (String, Vec<(u32, u32)>) {
    let mut text = String::new();
    let mut ranges = Vec::new();
    for character in marked.chars() {
        let at = u32::try_from(text.len()).unwrap();
        match character {
            '«' => ranges.push((at, at)),
            '»' => ranges.last_mut().unwrap().1 = at,
            other => text.push(other),
        }
    }
    (text, ranges)
}

/// Reads a marked text and compares the findings with codes and messages, and their places with the marks.
#[track_caller]
pub(crate) fn check_marked<T>(
    marked: &str,
    read: impl FnOnce(&str) -> (T, Vec<Diagnostic>),
    expected: &[(Code, &str)],
) -> (T, Vec<Diagnostic>) {
    let (text, ranges) = unmark(marked);
    let (value, diagnostics) = read(&text);
    let said: Vec<(Code, &str)> =
        diagnostics.iter().map(|diagnostic| (diagnostic.code, diagnostic.message.as_str())).collect();
    assert_eq!(said, expected, "{text}");
    let places: Vec<(u32, u32)> = diagnostics
        .iter()
        .map(|diagnostic| {
            diagnostic.primary.as_ref().map_or((0, 0), |label| (label.span.start, label.span.end))
        })
        .collect();
    assert_eq!(places, ranges, "{text}");
    (value, diagnostics)
}
