//! For code scanning: SARIF 2.1.0, one run with one rule for each code that occurs.
//! In: diagnostics and texts. Out: the log as a JSON value.

use serde_json::{Value, json};

use super::json::severity_word;
use super::place::{Place, Places};
use crate::diagnostic::{Code, Diagnostic, Label};
use crate::source::SourceMap;

/// The log. Paths become URIs as they are, so relative paths stay relative to the checkout.
pub fn diagnostics_sarif(diagnostics: &[Diagnostic], sources: &SourceMap) -> Value {
    let places = Places::new(diagnostics, sources);
    let mut codes: Vec<Code> = diagnostics.iter().map(|diagnostic| diagnostic.code).collect();
    codes.sort_unstable();
    codes.dedup();
    let rules: Vec<Value> = codes.iter().map(|code| rule(*code)).collect();
    let results: Vec<Value> =
        diagnostics.iter().map(|diagnostic| result(diagnostic, &codes, &places)).collect();
    json!({
        "$schema": "https://json.schemastore.org/sarif-2.1.0.json",
        "version": "2.1.0",
        "runs": [{
            "tool": { "driver": { "name": "unisono", "version": env!("CARGO_PKG_VERSION"), "rules": rules } },
            "columnKind": "unicodeCodePoints",
            "results": results,
        }],
    })
}

fn rule(code: Code) -> Value {
    json!({
        "id": code.as_str(),
        "shortDescription": { "text": code.meaning() },
        "help": { "text": format!("`{}` prints the page {}.", code.command(), code.page()) },
        "defaultConfiguration": { "level": severity_word(code.severity()) },
    })
}

fn result(diagnostic: &Diagnostic, codes: &[Code], places: &Places<'_>) -> Value {
    let mut text = diagnostic.message.clone();
    for advice in &diagnostic.help {
        text = format!("{text}\n{advice}");
    }
    let mut result = json!({
        "ruleId": diagnostic.code.as_str(),
        "ruleIndex": codes.binary_search(&diagnostic.code).unwrap_or_default(),
        "level": severity_word(diagnostic.severity()),
        "message": { "text": text },
        "locations": diagnostic.primary.iter().filter_map(|label| location(label, places)).collect::<Vec<_>>(),
    });
    let related: Vec<Value> =
        diagnostic.secondary.iter().filter_map(|label| location(label, places)).collect();
    if !related.is_empty() {
        result["relatedLocations"] = related.into();
    }
    if !diagnostic.path.is_empty() {
        result["properties"] = json!({ "path": diagnostic.path });
    }
    result
}

fn location(label: &Label, places: &Places<'_>) -> Option<Value> {
    let place = places.place(label.span)?;
    let mut location = json!({
        "physicalLocation": { "artifactLocation": { "uri": uri(place.path) }, "region": region(&place) },
    });
    if !label.message.is_empty() {
        location["message"] = json!({ "text": label.message });
    }
    Some(location)
}

fn region(place: &Place<'_>) -> Value {
    json!({
        "startLine": place.start.line,
        "startColumn": place.start.column,
        "endLine": place.end.line,
        "endColumn": place.end.column,
    })
}

/// A path as a URI reference: `\` becomes `/`, and what a URI cannot hold is percent-encoded.
fn uri(path: &str) -> String {
    let mut uri = String::with_capacity(path.len());
    for byte in path.bytes() {
        match byte {
            b'\\' => uri.push('/'),
            b'a'..=b'z'
            | b'A'..=b'Z'
            | b'0'..=b'9'
            | b'/'
            | b'-'
            | b'.'
            | b'_'
            | b'~'
            | b'+'
            | b'='
            | b'@' => {
                uri.push(char::from(byte));
            }
            _ => uri.extend(['%', hex_digit(byte >> 4), hex_digit(byte & 0xF)]),
        }
    }
    uri
}

fn hex_digit(value: u8) -> char {
    char::from_digit(u32::from(value), 16).unwrap_or('0').to_ascii_uppercase()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::source::Span;

    #[test]
    fn a_log_has_rules_results_and_places() {
        let mut sources = SourceMap::default();
        let source = sources.add("my models/ü.yaml", "a: 1\nb: 2\n");
        let diagnostics = [
            Diagnostic::new(Code::UnknownKey, "`b` is no key")
                .about("metrics.m")
                .at(Span { source, start: 5, end: 6 }, "")
                .also_at(Span { source, start: 0, end: 1 }, "first here")
                .help("remove it"),
            Diagnostic::new(Code::CountStarGrain, "counts"),
        ];
        let log = diagnostics_sarif(&diagnostics, &sources);
        assert_eq!(log["version"], "2.1.0");
        let run = &log["runs"][0];
        let rules: Vec<&str> = run["tool"]["driver"]["rules"]
            .as_array()
            .unwrap()
            .iter()
            .filter_map(|rule| rule["id"].as_str())
            .collect();
        assert_eq!(rules, ["E_UNKNOWN_KEY", "W_COUNT_STAR_GRAIN"]);
        assert_eq!(
            run["results"],
            json!([
                {
                    "ruleId": "E_UNKNOWN_KEY",
                    "ruleIndex": 0,
                    "level": "error",
                    "message": {"text": "`b` is no key\nremove it"},
                    "locations": [{"physicalLocation": {
                        "artifactLocation": {"uri": "my%20models/%C3%BC.yaml"},
                        "region": {"startLine": 2, "startColumn": 1, "endLine": 2, "endColumn": 2}
                    }}],
                    "relatedLocations": [{
                        "physicalLocation": {
                            "artifactLocation": {"uri": "my%20models/%C3%BC.yaml"},
                            "region": {"startLine": 1, "startColumn": 1, "endLine": 1, "endColumn": 2}
                        },
                        "message": {"text": "first here"}
                    }],
                    "properties": {"path": "metrics.m"}
                },
                {
                    "ruleId": "W_COUNT_STAR_GRAIN",
                    "ruleIndex": 1,
                    "level": "warning",
                    "message": {"text": "counts"},
                    "locations": []
                }
            ])
        );
    }
}
