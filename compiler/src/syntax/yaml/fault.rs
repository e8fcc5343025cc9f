//! What the YAML parser refuses, in words that say what to do.
//! In: the parser's error with its place. Out: a diagnostic.

use saphyr_parser::ScanError;

use crate::diagnostic::{Code, Diagnostic};
use crate::source::{SourceId, Span};

/// A part of the parser's message with the advice that belongs to it; the first row that fits is used.
const ADVICE: &[(&str, &str)] = &[
    ("tab", "indent with spaces: YAML allows no tabs there"),
    ("mapping values are not allowed", "put text that holds `: ` into quotes, or check the indentation"),
    ("simple key", "a line has no `:`, or is indented too little or too much"),
    ("did not find expected key", "a line has no `:`, or is indented too little or too much"),
    ("expected '-' indicator", "give all entries of a list the same indentation"),
    ("indentation", "give entries of one list or mapping the same indentation"),
    ("expected ',' or", "separate entries with `,` and close the bracket"),
    ("unexpected end of plain scalar", "close the bracket"),
    ("misplaced bracket", "put text that holds brackets into quotes"),
    (
        "unknown anchor",
        "put text that starts with `*` into quotes, or write `&name` before the first `*name`",
    ),
    ("anchor or alias", "put text that starts with `*` or `&` into quotes"),
    ("unknown escape", "inside \"..\" a `\\` begins an escape: double it, or use '..' quotes"),
    ("Unicode character escape", "write a character beyond U+FFFF as it is, or as `\\U0001F600`"),
    ("unexpected end of stream", "close the quotes"),
    ("trailing content after", "put the whole text into one pair of quotes"),
    ("unexpected character", "put text that starts with this character into quotes"),
    ("byte order mark", "remove the byte order mark: it may only be the first character of a file"),
    ("unprintable", "remove the character, or write it as an escape inside \"..\""),
    ("scanning a tag", "put text that starts with `!` into quotes"),
    ("parsing a tag", "put text that starts with `!` into quotes"),
    ("handle wasn't declared", "put text that starts with `!` into quotes"),
    ("comments must be separated", "put a blank before `#`, or the text into quotes"),
    ("comment intercepting", "put text that holds ` #` into quotes"),
    ("illegal placement of ':'", "close the bracket above with `]` or `}`"),
    ("unexpected document indicator", "close the quotes"),
    (
        "expected <document start>",
        "close the brackets above, and start the first keys of all lines in the same column",
    ),
    ("expected node content", "write a value here, or remove the `,` or `:` before it"),
    ("sequence entries are not allowed", "start the list on a line of its own"),
    (
        "only valid inside a block",
        "put text that starts with `- ` into quotes; inside brackets entries have no `-`",
    ),
    ("plain scalar cannot start", "put text that starts with `-` into quotes"),
    ("expected hexadecimal", "inside \"..\" a `\\` begins an escape: double it, or use '..' quotes"),
    ("block scalar", "indent the lines below `|` or `>` alike and deeper than their key"),
];

/// The parser's error as a diagnostic. Its stack runs out at 255 brackets, far beyond our own limit.
pub(super) fn unreadable(error: &ScanError, place: Span) -> Diagnostic {
    if error.info().contains("recursion limit") {
        return too_deep(place);
    }
    let diagnostic = Diagnostic::new(Code::Parse, format!("this is no valid YAML or JSON: {}", error.info()))
        .at(place, "");
    match ADVICE.iter().find(|(part, _)| error.info().contains(part)) {
        Some((_, advice)) => diagnostic.help(*advice),
        None => diagnostic,
    }
}

/// More collections inside each other than the limit.
pub(super) fn too_deep(place: Span) -> Diagnostic {
    let message = format!("lists and mappings stand more than {} deep inside each other", super::MAX_DEPTH);
    Diagnostic::new(Code::LimitExceeded, message).at(place, "")
}

/// More nodes, or more text, than the limit.
pub(super) fn too_large(place: Span) -> Diagnostic {
    let message = format!(
        "the document has more than {} nodes or {} bytes of text once its aliases are expanded",
        super::MAX_NODES,
        super::MAX_EXPANDED_TEXT
    );
    Diagnostic::new(Code::LimitExceeded, message).at(place, "").help("split it into several files")
}

/// No content at all.
pub(super) fn empty(source: SourceId, text: &str) -> Diagnostic {
    let place = Span { source, start: 0, end: 0 };
    let only_remarks = if text.trim().is_empty() { "" } else { ": there are only comments in it" };
    Diagnostic::new(Code::Parse, format!("the file is empty{only_remarks}"))
        .at(place, "")
        .help("write a document into it, such as a semantic model that starts with `version: 0.2.0.dev0`")
}

/// A directive other than `%YAML 1.x` before the document. Directives could give tags another meaning, and their
/// places are not counted reliably.
pub(super) fn unsupported_directive(source: SourceId, text: &str) -> Option<Diagnostic> {
    let mut start = 0;
    for line in text.split_inclusive(['\n', '\r']) {
        let content = line.trim_start_matches('\u{FEFF}').trim_end();
        if content.starts_with('%') && !content.starts_with("%YAML 1.") {
            let place = span_of(source, start, start + line.trim_end().len());
            return Some(
                Diagnostic::new(Code::Parse, "a YAML directive is not supported here")
                    .at(place, "")
                    .help("remove the line"),
            );
        }
        let is_prologue =
            content.is_empty() || content.starts_with(['%', '.']) || content.trim_start().starts_with('#');
        if !is_prologue {
            return None;
        }
        start += line.len();
    }
    None
}

/// A span of byte offsets. A text is at most 16 MiB, so they always fit.
pub(super) fn span_of(source: SourceId, start: usize, end: usize) -> Span {
    let narrow = |offset| u32::try_from(offset).unwrap_or(u32::MAX);
    Span { source, start: narrow(start), end: narrow(end.max(start)) }
}
