//! The findings of one reading. In: diagnostics as they are found. Out: all of them, up to a number that a person
//! can use; beyond it they are counted, and the count is said.

use crate::diagnostic::{Code, Diagnostic, Severity};
use crate::source::Span;

/// Errors that are listed.
const LISTED: usize = 1000;

/// Diagnostics in the order found.
#[derive(Default)]
pub(crate) struct Findings {
    list: Vec<(Place, Diagnostic)>,
    errors: usize,
}

/// Where a finding stands among those of a text: by its offset, and at one offset unknown keys before all others.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Place {
    offset: u32,
    rank: Rank,
}

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Rank {
    UnknownKey,
    Other,
}

impl Place {
    fn of(diagnostic: &Diagnostic) -> Place {
        let offset = diagnostic.primary.as_ref().map_or(u32::MAX, |label| label.span.start);
        Place { offset, rank: Rank::Other }
    }
}

impl Findings {
    /// Adds one.
    pub(crate) fn push(&mut self, diagnostic: Diagnostic) {
        self.push_at(Place::of(&diagnostic), diagnostic);
    }

    fn push_at(&mut self, place: Place, diagnostic: Diagnostic) {
        if diagnostic.severity() == Severity::Error {
            self.errors += 1;
            if self.errors > LISTED {
                return;
            }
        }
        self.list.push((place, diagnostic));
    }

    /// Adds an error that costs something to make; beyond the limit it is only counted.
    pub(crate) fn push_error(&mut self, make: impl FnOnce() -> Diagnostic) {
        if self.errors < LISTED {
            self.push(make());
        } else {
            self.errors += 1;
        }
    }

    /// Adds an unknown key of the object whose first key stands at `head`. A key written wrong explains why another
    /// is missing, so it comes before what is said of the object as a whole.
    pub(crate) fn push_unknown_key(&mut self, head: Span, make: impl FnOnce() -> Diagnostic) {
        if self.errors < LISTED {
            self.push_at(Place { offset: head.start, rank: Rank::UnknownKey }, make());
        } else {
            self.errors += 1;
        }
    }

    /// All that were added, in the order found, and a last one if some are not listed.
    pub(crate) fn finish(self) -> Vec<Diagnostic> {
        let unlisted = self.unlisted();
        self.list.into_iter().map(|(_, diagnostic)| diagnostic).chain(unlisted).collect()
    }

    /// All that were added and those of an `earlier` reading, in the order of the text; last what has no place in it.
    pub(crate) fn finish_with(self, earlier: Vec<Diagnostic>) -> Vec<Diagnostic> {
        let unlisted = self.unlisted();
        let mut all: Vec<(Place, Diagnostic)> = earlier
            .into_iter()
            .map(|diagnostic| (Place::of(&diagnostic), diagnostic))
            .chain(self.list)
            .collect();
        all.sort_by_key(|(place, _)| *place);
        all.into_iter().map(|(_, diagnostic)| diagnostic).chain(unlisted).collect()
    }

    fn unlisted(&self) -> Option<Diagnostic> {
        let unlisted = self.errors.checked_sub(LISTED).filter(|count| *count > 0)?;
        Some(Diagnostic::new(Code::LimitExceeded, format!("{unlisted} more errors are not listed")))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn errors_beyond_the_limit_are_counted_and_warnings_always_listed() {
        let mut findings = Findings::default();
        for _ in 0..1003 {
            findings.push_error(|| Diagnostic::new(Code::Parse, "x"));
            findings.push(Diagnostic::new(Code::UnknownDialect, "y"));
        }
        let listed = findings.finish();
        assert_eq!(listed.len(), 1000 + 1003 + 1);
        assert_eq!(listed.last().map(|last| last.message.as_str()), Some("3 more errors are not listed"));
    }
}
