//! Lines and columns of many spans, with one look at each text.
//! In: the diagnostics to be rendered and their texts. Out: for each span its path, its first and its last position.

use std::collections::BTreeMap;

use crate::diagnostic::{Diagnostic, Label};
use crate::source::{LineColumn, SourceId, SourceMap, Span};

/// The texts that some diagnostics point into.
pub(super) struct Places<'m> {
    texts: BTreeMap<SourceId, Indexed<'m>>,
}

/// A span for people.
pub(super) struct Place<'m> {
    /// The file as the user named it.
    pub(super) path: &'m str,
    /// Its first character.
    pub(super) start: LineColumn,
    /// The character after its last one.
    pub(super) end: LineColumn,
}

struct Indexed<'m> {
    path: &'m str,
    text: &'m str,
    /// The first byte of each line.
    lines: Vec<usize>,
    /// The characters before each block of `BLOCK` bytes, so that long lines cost no more than short ones.
    characters: Vec<usize>,
}

const BLOCK: usize = 4096;

impl<'m> Places<'m> {
    /// Looks through each text that the diagnostics name.
    pub(super) fn new(diagnostics: &[Diagnostic], sources: &'m SourceMap) -> Self {
        let mut texts = BTreeMap::new();
        for label in diagnostics.iter().flat_map(labels) {
            let id = label.span.source;
            if let (false, Some(source)) = (texts.contains_key(&id), sources.get(id)) {
                texts.insert(id, Indexed::new(&source.path, &source.text));
            }
        }
        Places { texts }
    }

    /// Where a span is; `None` if its text is not known.
    pub(super) fn place(&self, span: Span) -> Option<Place<'m>> {
        let indexed = self.texts.get(&span.source)?;
        Some(Place {
            path: indexed.path,
            start: indexed.position(span.start),
            end: indexed.position(span.end),
        })
    }

    /// The text of a span's source.
    pub(super) fn text(&self, span: Span) -> Option<&'m str> {
        self.texts.get(&span.source).map(|indexed| indexed.text)
    }

    /// The bytes of the lines from the one to the other, both from 1, without the last line's end.
    pub(super) fn line_bytes(&self, span: Span, first: usize, last: usize) -> Option<(usize, usize)> {
        let indexed = self.texts.get(&span.source)?;
        let start = *indexed.lines.get(first.checked_sub(1)?)?;
        let end = indexed.lines.get(last).map_or(indexed.text.len(), |next| next - 1);
        Some((start, end))
    }
}

impl<'m> Indexed<'m> {
    fn new(path: &'m str, text: &'m str) -> Self {
        let mut lines = vec![0];
        let mut characters = Vec::with_capacity(text.len() / BLOCK + 1);
        let mut count = 0;
        for (at, byte) in text.bytes().enumerate() {
            if at % BLOCK == 0 {
                characters.push(count);
            }
            if byte == b'\n' {
                lines.push(at + 1);
            }
            count += usize::from(starts_character(byte));
        }
        Indexed { path, text, lines, characters }
    }

    fn position(&self, offset: u32) -> LineColumn {
        let at = self.text.floor_char_boundary(offset as usize);
        let line = self.lines.partition_point(|start| *start <= at);
        let line_start = line.checked_sub(1).and_then(|index| self.lines.get(index)).copied().unwrap_or(0);
        LineColumn { line, column: self.characters_before(at) - self.characters_before(line_start) + 1 }
    }

    fn characters_before(&self, at: usize) -> usize {
        let block = (at / BLOCK).min(self.characters.len().saturating_sub(1));
        let before_block = self.characters.get(block).copied().unwrap_or(0);
        let rest = &self.text.as_bytes()[block * BLOCK..at];
        before_block + rest.iter().filter(|byte| starts_character(**byte)).count()
    }
}

/// Not a continuation byte of UTF-8.
fn starts_character(byte: u8) -> bool {
    byte & 0xC0 != 0x80
}

/// The labels of a diagnostic, the main one first.
pub(super) fn labels(diagnostic: &Diagnostic) -> impl Iterator<Item = &Label> {
    diagnostic.primary.iter().chain(&diagnostic.secondary)
}

/// Text for one line of a terminal: line ends become blanks; control characters and those that turn the direction of
/// writing are spelled out, so that no document can move the cursor or hide what a message says.
pub(super) fn one_line(text: &str) -> String {
    let mut shown = String::with_capacity(text.len());
    for character in text.chars() {
        match character {
            '\n' | '\t' => shown.push(' '),
            '\r' => {}
            '\u{202A}'..='\u{202E}' | '\u{2066}'..='\u{2069}' => shown.extend(character.escape_unicode()),
            _ if character.is_control() => shown.extend(character.escape_unicode()),
            _ => shown.push(character),
        }
    }
    shown
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::diagnostic::Code;

    #[test]
    fn positions_agree_with_the_source_map_on_long_lines_and_wide_characters() {
        let mut sources = SourceMap::default();
        let text = format!("a\n{}\nü: {}x\n", "äb".repeat(5000), "😀".repeat(3000));
        let id = sources.add("m.yaml", text.clone());
        let diagnostic = Diagnostic::new(Code::Parse, "").at(Span { source: id, start: 0, end: 0 }, "");
        let places = Places::new(&[diagnostic], &sources);
        for at in (0..=text.len()).step_by(997).chain([0, 1, 2, 3, text.len()]) {
            let at = u32::try_from(at).unwrap();
            let place = places.place(Span { source: id, start: at, end: at }).unwrap();
            assert_eq!(place.start, sources.line_column(id, at), "{at}");
        }
    }

    #[test]
    fn the_bytes_of_lines() {
        let mut sources = SourceMap::default();
        let span = Span { source: sources.add("m.yaml", "ab\nc\n\nd"), start: 0, end: 0 };
        let places = Places::new(&[Diagnostic::new(Code::Parse, "").at(span, "")], &sources);
        let bytes = |first, last| places.line_bytes(span, first, last).unwrap();
        assert_eq!([bytes(1, 1), bytes(2, 2), bytes(3, 3), bytes(1, 4)], [(0, 2), (3, 4), (5, 5), (0, 7)]);
    }

    #[test]
    fn text_cannot_steer_a_terminal() {
        assert_eq!(one_line("a\r\nb\u{1b}[31m\u{9b}\u{202e}é"), "a b\\u{1b}[31m\\u{9b}\\u{202e}é");
    }
}
