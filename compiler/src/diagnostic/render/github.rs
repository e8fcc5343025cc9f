//! For GitHub: one workflow command a diagnostic, which the host shows beside the line.
//! In: diagnostics and texts. Out: lines that start with `::`.

use super::human::did_you_mean;
use super::json::severity_word;
use super::place::{Place, Places};
use crate::diagnostic::Diagnostic;
use crate::source::SourceMap;

/// `::error file=..,line=..,col=..,endLine=..,endColumn=..,title=CODE::message`, one line each.
pub fn render_github(diagnostics: &[Diagnostic], sources: &SourceMap) -> String {
    let places = Places::new(diagnostics, sources);
    diagnostics.iter().map(|diagnostic| command(diagnostic, &places) + "\n").collect()
}

fn command(diagnostic: &Diagnostic, places: &Places<'_>) -> String {
    let place = diagnostic.primary.as_ref().and_then(|label| places.place(label.span));
    let properties = place.map_or_else(String::new, |place| format!("{},", position(&place)));
    let mut message = diagnostic.message.clone();
    for advice in did_you_mean(&diagnostic.candidates).iter().chain(&diagnostic.help) {
        message = format!("{message}\n{advice}");
    }
    format!(
        "::{} {properties}title={}::{}",
        severity_word(diagnostic.severity()),
        diagnostic.code,
        escape(&message, &[])
    )
}

fn position(place: &Place<'_>) -> String {
    let start = format!(
        "file={},line={},col={},endLine={}",
        escape(place.path, &[':', ',']),
        place.start.line,
        place.start.column,
        place.end.line
    );
    // The host takes columns only of ranges in one line, and the last column as part of the range.
    if place.start.line == place.end.line {
        format!("{start},endColumn={}", place.end.column.saturating_sub(1).max(place.start.column))
    } else {
        start
    }
}

/// The escapes of workflow commands; properties have two more.
fn escape(text: &str, more: &[char]) -> String {
    let mut escaped = String::with_capacity(text.len());
    for character in text.chars() {
        match character {
            '%' => escaped.push_str("%25"),
            '\r' => escaped.push_str("%0D"),
            '\n' => escaped.push_str("%0A"),
            ':' if more.contains(&':') => escaped.push_str("%3A"),
            ',' if more.contains(&',') => escaped.push_str("%2C"),
            other => escaped.push(other),
        }
    }
    escaped
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::diagnostic::Code;
    use crate::source::Span;

    #[test]
    fn commands_are_escaped() {
        let mut sources = SourceMap::default();
        let source = sources.add("a,b:c.yaml", "x: 1\ny: 22\nz: 3");
        let diagnostics = [
            Diagnostic::new(Code::Parse, "100% wrong")
                .at(Span { source, start: 8, end: 10 }, "")
                .suggest("abc", ["abd"])
                .help("mend it"),
            Diagnostic::new(Code::UnknownDialect, "`X`").at(Span { source, start: 0, end: 12 }, ""),
            Diagnostic::new(Code::NoPath, "none"),
        ];
        assert_eq!(
            render_github(&diagnostics, &sources),
            "::error file=a%2Cb%3Ac.yaml,line=2,col=4,endLine=2,endColumn=5,title=E_PARSE::100%25 wrong%0Adid you mean `abd`?%0Amend it\n\
             ::warning file=a%2Cb%3Ac.yaml,line=1,col=1,endLine=3,title=W_UNKNOWN_DIALECT::`X`\n\
             ::error title=E_NO_PATH::none\n"
        );
    }
}
