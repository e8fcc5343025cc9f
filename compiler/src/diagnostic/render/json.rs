//! For programs: the JSON of the contract, the same from every interface.
//! In: diagnostics and texts. Out: an array; keys may be added to its objects, none is ever renamed or left out.

use serde_json::{Value, json};

use super::place::{Place, Places, labels};
use crate::diagnostic::{Diagnostic, Severity};
use crate::source::SourceMap;

/// `[{code, severity, message, path, span, labels, candidates, help, docs}]`. Lines and columns count from 1, columns
/// in characters, and `end_column` is the one after the last. What is not there is null, or an empty list or text.
pub fn diagnostics_json(diagnostics: &[Diagnostic], sources: &SourceMap) -> Value {
    let places = Places::new(diagnostics, sources);
    diagnostics.iter().map(|diagnostic| diagnostic_json(diagnostic, &places)).collect()
}

fn diagnostic_json(diagnostic: &Diagnostic, places: &Places<'_>) -> Value {
    let primary = diagnostic.primary.as_ref().and_then(|label| places.place(label.span));
    let labels: Vec<Value> = labels(diagnostic)
        .filter_map(|label| {
            let place = places.place(label.span)?;
            Some(json!({ "file": place.path, "span": span_json(&place), "message": label.message }))
        })
        .collect();
    json!({
        "code": diagnostic.code.as_str(),
        "severity": severity_word(diagnostic.severity()),
        "message": diagnostic.message,
        "path": diagnostic.path,
        "span": primary.as_ref().map(span_json),
        "labels": labels,
        "candidates": diagnostic.candidates,
        "help": diagnostic.help.join("\n"),
        "docs": diagnostic.code.page(),
    })
}

fn span_json(place: &Place<'_>) -> Value {
    json!({
        "line": place.start.line,
        "column": place.start.column,
        "end_line": place.end.line,
        "end_column": place.end.column,
    })
}

/// `error` or `warning`, in every format.
pub(super) fn severity_word(severity: Severity) -> &'static str {
    match severity {
        Severity::Error => "error",
        Severity::Warning => "warning",
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::diagnostic::Code;
    use crate::source::Span;

    #[test]
    fn the_contract_has_these_keys() {
        let mut sources = SourceMap::default();
        let source = sources.add("models/shop.yaml", "a: 1\nmetrics: ü\n");
        let diagnostic = Diagnostic::new(Code::NameNotFound, "no metric is named `ü`")
            .about("metrics.ü")
            .at(Span { source, start: 14, end: 16 }, "named here")
            .also_at(Span { source, start: 0, end: 1 }, "")
            .suggest("regoin", ["region"])
            .help("one")
            .help("two");
        let expected = json!([{
            "code": "E_NAME_NOT_FOUND",
            "severity": "error",
            "message": "no metric is named `ü`",
            "path": "metrics.ü",
            "span": {"line": 2, "column": 10, "end_line": 2, "end_column": 11},
            "labels": [
                {
                    "file": "models/shop.yaml",
                    "span": {"line": 2, "column": 10, "end_line": 2, "end_column": 11},
                    "message": "named here"
                },
                {
                    "file": "models/shop.yaml",
                    "span": {"line": 1, "column": 1, "end_line": 1, "end_column": 2},
                    "message": ""
                }
            ],
            "candidates": ["region"],
            "help": "one\ntwo",
            "docs": "docs/diagnostics/E_NAME_NOT_FOUND.md"
        }]);
        assert_eq!(diagnostics_json(&[diagnostic], &sources), expected);
    }

    #[test]
    fn what_is_absent_is_null_or_empty() {
        let diagnostic = Diagnostic::new(Code::CountStarGrain, "m");
        let expected = json!([{
            "code": "W_COUNT_STAR_GRAIN",
            "severity": "warning",
            "message": "m",
            "path": "",
            "span": null,
            "labels": [],
            "candidates": [],
            "help": "",
            "docs": "docs/diagnostics/W_COUNT_STAR_GRAIN.md"
        }]);
        assert_eq!(diagnostics_json(&[diagnostic], &SourceMap::default()), expected);
    }
}
