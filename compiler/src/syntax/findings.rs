//! The findings of one reading. In: diagnostics as they are found. Out: all of them, up to a number that a person
//! can use; beyond it they are counted, and the count is said.

use crate::diagnostic::{Code, Diagnostic, Severity};

/// Errors that are listed.
const LISTED: usize = 1000;

/// Diagnostics in the order found.
#[derive(Default)]
pub(crate) struct Findings {
    list: Vec<Diagnostic>,
    errors: usize,
}

impl Findings {
    /// Adds one.
    pub(crate) fn push(&mut self, diagnostic: Diagnostic) {
        if diagnostic.severity() == Severity::Error {
            self.errors += 1;
            if self.errors > LISTED {
                return;
            }
        }
        self.list.push(diagnostic);
    }

    /// Adds an error that costs something to make; beyond the limit it is only counted.
    pub(crate) fn push_error(&mut self, make: impl FnOnce() -> Diagnostic) {
        if self.errors < LISTED {
            self.push(make());
        } else {
            self.errors += 1;
        }
    }

    /// All that were added, and a last one if some are not listed.
    pub(crate) fn finish(mut self) -> Vec<Diagnostic> {
        if self.errors > LISTED {
            let message = format!("{} more errors are not listed", self.errors - LISTED);
            self.list.push(Diagnostic::new(Code::LimitExceeded, message));
        }
        self.list
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
