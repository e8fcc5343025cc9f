//! Rendered diagnostics, written by hand in the layout of the interface's page.

use super::*;
use crate::diagnostic::Code;
use crate::source::{SourceId, Span};

/// A source and the span of the first occurrence of each text in it.
fn source(path: &str, text: &str) -> (SourceMap, impl Fn(&str) -> Span) {
    let mut sources = SourceMap::default();
    let id = sources.add(path, text);
    let text = text.to_string();
    (sources, move |part: &str| span(id, text.find(part).unwrap(), part.len()))
}

fn span(source: SourceId, start: usize, length: usize) -> Span {
    Span { source, start: u32::try_from(start).unwrap(), end: u32::try_from(start + length).unwrap() }
}

#[test]
fn the_layout_is_that_of_the_interface() {
    let text = "relationships:\n- name: placed_by\n  from: orders\n  to: users\n- name: fulfilled_by\n  from: orders\n";
    let (sources, at) = source("models/shop.yaml", text);
    let diagnostics = [Diagnostic::new(Code::AmbiguousPath, "two ways lead from `orders` to `users`")
        .at(at("placed_by"), "placed_by -> users.id")
        .also_at(at("fulfilled_by"), "fulfilled_by -> users.id")
        .suggest("usres", ["users"])
        .help("use a role-playing copy of `users`")];
    let expected = "\
error[E_AMBIGUOUS_PATH]: two ways lead from `orders` to `users`
 --> models/shop.yaml:2:9
  |
2 | - name: placed_by
  |         ^^^^^^^^^ placed_by -> users.id
...
5 | - name: fulfilled_by
  |         ------------ fulfilled_by -> users.id
  |
  = help: did you mean `users`?
  = help: use a role-playing copy of `users`
  = docs: unisono explain E_AMBIGUOUS_PATH
";
    assert_eq!(render_human(&diagnostics, &sources, false), expected);
    assert!(render_human(&diagnostics, &sources, true).contains("\u{1b}["));
    assert_eq!(
        render_line(&diagnostics[0], &sources),
        "E_AMBIGUOUS_PATH: two ways lead from `orders` to `users` (models/shop.yaml:2:9)"
    );
}

#[test]
fn diagnostics_are_parted_by_a_blank_line_and_need_no_place() {
    let warning = Diagnostic::new(Code::CountStarGrain, "counts");
    let expected = "\
warning[W_COUNT_STAR_GRAIN]: counts
 |
 = docs: unisono explain W_COUNT_STAR_GRAIN

warning[W_COUNT_STAR_GRAIN]: counts
 |
 = docs: unisono explain W_COUNT_STAR_GRAIN
";
    let sources = SourceMap::default();
    assert_eq!(render_human(&[warning.clone(), warning.clone()], &sources, false), expected);
    assert_eq!(render_line(&warning, &sources), "W_COUNT_STAR_GRAIN: counts");
    assert_eq!(render_human(&[], &sources, false), "");
}

#[test]
fn distant_labels_stand_in_excerpts_of_their_own() {
    let text = format!("first: 1\n{}first: 2\n", "x: y\n".repeat(5000));
    let (sources, at) = source("m.yaml", &text);
    let again = span(SourceId(0), text.len() - 9, 5);
    let diagnostic =
        Diagnostic::new(Code::Parse, "twice").at(again, "again here").also_at(at("first"), "first here");
    let expected = "\
error[E_PARSE]: twice
    --> m.yaml:5002:1
     |
5002 | first: 2
     | ^^^^^ again here
     |
    ::: m.yaml:1:1
     |
   1 | first: 1
     | ----- first here
     |
     = docs: unisono explain E_PARSE
";
    assert_eq!(render_human(&[diagnostic], &sources, false), expected);
}

#[test]
fn a_mark_over_many_lines_is_drawn_under_the_first() {
    let (sources, _) = source("m.yaml", "a: b\n- c\n- d\n- e\n- f\n");
    let diagnostic = Diagnostic::new(Code::Parse, "a list").at(span(SourceId(0), 5, 15), "");
    let expected = "\
error[E_PARSE]: a list
 --> m.yaml:2:1
  |
2 | - c
  | ^^^
  |
  = docs: unisono explain E_PARSE
";
    assert_eq!(render_human(&[diagnostic], &sources, false), expected);
}

#[test]
fn of_a_very_long_line_only_a_part_is_shown() {
    let text = format!("{{\"x\": \"{}\",\"odd\":1,\"y\": \"{}\"}}", "ä".repeat(5000), "z".repeat(5000));
    let (sources, at) = source("m.json", &text);
    let diagnostic = Diagnostic::new(Code::UnknownKey, "`odd` is no key").at(at("\"odd\""), "");
    let expected = format!(
        "\
error[E_UNKNOWN_KEY]: `odd` is no key
--> m.json:1:5010
 = here: ..{}\",\"odd\":1,\"y\": \"{}..
 = docs: unisono explain E_UNKNOWN_KEY
",
        "ä".repeat(19),
        "z".repeat(31)
    );
    assert_eq!(render_human(&[diagnostic], &sources, false), expected);
}

#[test]
fn empty_texts_and_ends_of_texts_can_be_pointed_at() {
    let (sources, _) = source("m.yaml", "");
    let diagnostic = Diagnostic::new(Code::Parse, "the file is empty").at(span(SourceId(0), 0, 0), "");
    assert!(render_human(&[diagnostic], &sources, false).contains("--> m.yaml:1:1"));
    let (sources, _) = source("m.yaml", "a: [1\n");
    let diagnostic = Diagnostic::new(Code::Parse, "open").at(span(SourceId(0), 6, 0), "");
    assert!(render_human(&[diagnostic], &sources, false).contains("--> m.yaml:2:1"));
}

#[test]
fn control_characters_of_a_document_do_not_reach_the_terminal() {
    let (sources, at) = source("m.yaml", "a\u{1b}[31m\u{9b}: 1\n");
    let diagnostic = Diagnostic::new(Code::Parse, "bad \u{1b}[31m")
        .at(at("a"), "\u{9b}")
        .help("\u{1b}")
        .suggest("a\u{1b}", ["a\u{1b}"]);
    let rendered = render_human(&[diagnostic], &sources, false);
    assert!(!rendered.contains(['\u{1b}', '\u{9b}']), "{rendered}");
}

#[test]
fn a_large_source_costs_little() {
    let text = "key: value\n".repeat(900_000);
    let (sources, _) = source("m.yaml", &text);
    let many: Vec<Diagnostic> = (0..1000)
        .map(|step| Diagnostic::new(Code::Parse, "x").at(span(SourceId(0), step * 11 * 900, 3), ""))
        .collect();
    let rendered = render_human(&many, &sources, false);
    assert!(rendered.contains("--> m.yaml:899101:1"), "the last one");
}
