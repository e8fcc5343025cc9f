//! Where an expression's text stands in its file. In: byte ranges of the text. Out: spans of the file and the remarks that
//! a place needs when the file does not hold the text character for character.

use crate::source::Span;

/// The text of an expression and its place.
#[derive(Clone, Copy)]
pub(super) struct Place<'t> {
    /// The text.
    pub(super) text: &'t str,
    /// The scalar or the whole source.
    pub(super) whole: Span,
    /// The byte of the source at which `text` stands character for character, if it does.
    pub(super) verbatim_at: Option<u32>,
}

impl<'t> Place<'t> {
    /// The span of a byte range of the text: exact where the file holds the text verbatim, else the whole scalar.
    pub(super) fn span(&self, start: usize, end: usize) -> Span {
        match self.verbatim_at {
            Some(base) => {
                Span { source: self.whole.source, start: offset(base, start), end: offset(base, end) }
            }
            None => self.whole,
        }
    }

    /// The remark under a label; it says which character is meant where the span cannot.
    pub(super) fn remark(&self, start: usize, remark: &str) -> String {
        if self.verbatim_at.is_some() {
            return remark.to_string();
        }
        let before = self.text.get(..start).unwrap_or(self.text);
        format!("{remark} (character {} of the text)", before.chars().count() + 1)
    }

    /// The text of a byte range.
    pub(super) fn slice(&self, start: usize, end: usize) -> &'t str {
        self.text.get(start..end).unwrap_or("")
    }
}

fn offset(base: u32, at: usize) -> u32 {
    base.saturating_add(u32::try_from(at).unwrap_or(u32::MAX))
}
