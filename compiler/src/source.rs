//! Where text came from: ids of source texts, byte spans in them, and lines and columns for people.
//! In: texts with their display paths. Out: spans that every later stage carries and no stage compares.

use std::fmt;

/// Identifies one source text in a [`SourceMap`].
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct SourceId(pub u32);

/// A half-open byte range of one source text.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct Span {
    /// The text that the range is in.
    pub source: SourceId,
    /// First byte.
    pub start: u32,
    /// One past the last byte.
    pub end: u32,
}

impl Span {
    /// The smallest span that covers both; `other` must be of the same source.
    #[must_use]
    pub fn to(self, other: Span) -> Span {
        Span { source: self.source, start: self.start.min(other.start), end: self.end.max(other.end) }
    }
}

impl fmt::Debug for Span {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}..{}", self.source.0, self.start, self.end)
    }
}

/// A value with the place it was written at. Equality, ordering and hashing ignore the place.
#[derive(Clone, Debug)]
pub struct Spanned<T> {
    /// What was written.
    pub value: T,
    /// Where.
    pub span: Span,
}

impl<T> Spanned<T> {
    /// A value at a place.
    pub fn new(value: T, span: Span) -> Self {
        Spanned { value, span }
    }
}

impl<T: PartialEq> PartialEq for Spanned<T> {
    fn eq(&self, other: &Self) -> bool {
        self.value == other.value
    }
}

impl<T: Eq> Eq for Spanned<T> {}

/// A position for people: both count from 1; columns count characters.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct LineColumn {
    /// Line, from 1.
    pub line: usize,
    /// Column in characters, from 1.
    pub column: usize,
}

/// One source text with the path that messages show.
#[derive(Clone, Debug)]
pub struct Source {
    /// As the user named it.
    pub path: String,
    /// The whole text.
    pub text: String,
}

/// All texts of one run, addressed by [`SourceId`].
#[derive(Clone, Debug, Default)]
pub struct SourceMap {
    sources: Vec<Source>,
}

impl SourceMap {
    /// Adds a text and returns its id.
    pub fn add(&mut self, path: impl Into<String>, text: impl Into<String>) -> SourceId {
        self.sources.push(Source { path: path.into(), text: text.into() });
        SourceId(u32::try_from(self.sources.len() - 1).unwrap_or(u32::MAX))
    }

    /// The text of an id that this map gave out; `None` for any other.
    pub fn get(&self, id: SourceId) -> Option<&Source> {
        self.sources.get(id.0 as usize)
    }

    /// Line and column of a byte offset; past the end it is the end. Linear in the text.
    pub fn line_column(&self, id: SourceId, offset: u32) -> LineColumn {
        let text = self.get(id).map_or("", |source| source.text.as_str());
        let mut at = (offset as usize).min(text.len());
        while !text.is_char_boundary(at) {
            at -= 1;
        }
        let before = &text[..at];
        let line_start = before.rfind('\n').map_or(0, |newline| newline + 1);
        LineColumn {
            line: before.bytes().filter(|byte| *byte == b'\n').count() + 1,
            column: before[line_start..].chars().count() + 1,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn line_and_column_count_characters_from_one() {
        let mut sources = SourceMap::default();
        let id = sources.add("a.yaml", "ä: 1\nbc: 2");
        assert_eq!(sources.line_column(id, 0), LineColumn { line: 1, column: 1 });
        assert_eq!(sources.line_column(id, 2), LineColumn { line: 1, column: 2 });
        assert_eq!(sources.line_column(id, 6), LineColumn { line: 2, column: 1 });
        assert_eq!(sources.line_column(id, 99), LineColumn { line: 2, column: 6 });
    }

    #[test]
    fn spanned_equality_ignores_the_place() {
        let here = Span { source: SourceId(0), start: 0, end: 1 };
        let there = Span { source: SourceId(0), start: 5, end: 9 };
        assert_eq!(Spanned::new(1, here), Spanned::new(1, there));
    }
}
