//! What the compiler says to people and programs: one value per finding, with a code that never changes its meaning.
//! In: facts found by a stage. Out: `Diagnostic` values; `render` turns them into text, JSON, SARIF or annotations.

mod code;
pub mod render;

pub use code::Code;

use crate::source::Span;

/// Whether a finding stops the work.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Severity {
    /// Nothing is compiled from the object concerned.
    Error,
    /// Work goes on; the finding is printed.
    Warning,
}

/// A place with a short remark.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Label {
    /// The place.
    pub span: Span,
    /// What is there; may be empty.
    pub message: String,
}

/// One finding. The message stands alone; labels, candidates and help add to it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Diagnostic {
    /// The stable code; it decides the severity.
    pub code: Code,
    /// One sentence without a full stop, names in backticks.
    pub message: String,
    /// Path of the object in the model or request (`metrics.revenue`), empty if none.
    pub path: String,
    /// The main place, if the finding has one.
    pub primary: Option<Label>,
    /// Other places that explain it.
    pub secondary: Vec<Label>,
    /// Near names, best first.
    pub candidates: Vec<String>,
    /// What to do, in the imperative.
    pub help: Vec<String>,
}

impl Diagnostic {
    /// A finding without a place; add to it with the methods below.
    pub fn new(code: Code, message: impl Into<String>) -> Self {
        Diagnostic {
            code,
            message: message.into(),
            path: String::new(),
            primary: None,
            secondary: Vec::new(),
            candidates: Vec::new(),
            help: Vec::new(),
        }
    }

    /// Sets the main place and the remark under it.
    #[must_use]
    pub fn at(mut self, span: Span, remark: impl Into<String>) -> Self {
        self.primary = Some(Label { span, message: remark.into() });
        self
    }

    /// Adds another place.
    #[must_use]
    pub fn also_at(mut self, span: Span, remark: impl Into<String>) -> Self {
        self.secondary.push(Label { span, message: remark.into() });
        self
    }

    /// Names the object that the finding is about.
    #[must_use]
    pub fn about(mut self, path: impl Into<String>) -> Self {
        self.path = path.into();
        self
    }

    /// Adds the names among `known` that are near to `wanted`, best first, at most three.
    #[must_use]
    pub fn suggest<'a>(mut self, wanted: &str, known: impl IntoIterator<Item = &'a str>) -> Self {
        self.candidates = near_names(wanted, known);
        self
    }

    /// Adds one piece of advice.
    #[must_use]
    pub fn help(mut self, advice: impl Into<String>) -> Self {
        self.help.push(advice.into());
        self
    }

    /// Error or warning, by the code.
    pub fn severity(&self) -> Severity {
        self.code.severity()
    }
}

/// Advice where no request can be at fault.
pub const REPORT_FAULT: &str = "this is a fault of Unisono; please report the model and the request";

/// A number of things for people: `1 row`, `2 rows`.
pub fn counted(count: u64, one: &str) -> String {
    let end = if count == 1 { "" } else { "s" };
    format!("{count} {one}{end}")
}

/// True if any finding is an error.
pub fn has_errors(diagnostics: &[Diagnostic]) -> bool {
    diagnostics.iter().any(|diagnostic| diagnostic.severity() == Severity::Error)
}

/// The names near to `wanted` (Jaro-Winkler of the lower-cased texts at least 0.8), best first, ties by name, at most three.
pub fn near_names<'a>(wanted: &str, known: impl IntoIterator<Item = &'a str>) -> Vec<String> {
    let folded = wanted.to_lowercase();
    let mut scored: Vec<(f64, &str)> = known
        .into_iter()
        .map(|name| (strsim::jaro_winkler(&folded, &name.to_lowercase()), name))
        .filter(|(score, _)| *score >= 0.8)
        .collect();
    scored.sort_by(|a, b| b.0.total_cmp(&a.0).then(a.1.cmp(b.1)));
    scored.dedup_by(|a, b| a.1 == b.1);
    scored.into_iter().take(3).map(|(_, name)| name.to_string()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_is_no_plural() {
        assert_eq!(
            [0, 1, 2, 11].map(|count| counted(count, "row")),
            ["0 rows", "1 row", "2 rows", "11 rows"]
        );
    }

    #[test]
    fn near_names_come_best_first_and_far_names_not_at_all() {
        assert_eq!(near_names("regoin", ["amount", "region", "regions"]), ["region", "regions"]);
        assert!(near_names("zzz", ["amount"]).is_empty());
    }
}
