//! How a source file looks from outside: its first lines say what it is, it is short, and its name says what is inside.

use super::rust::{RustFile, sources};
use super::{place, report};

const CRATES: [&str; 5] = ["compiler/", "dialects/", "runtime/", "tests/", "fuzz/"];

/// Lines that a file may have beside its tests.
const MOST_LINES: usize = 400;

/// Lines of the first paragraph.
const MOST_OPENING_LINES: usize = 3;

/// Longer files, each with its reason. The list is to stay tiny.
const LONGER: [(&str, &str); 1] =
    [("compiler/src/function.rs", "the one table of functions: a row and a sentence for each")];

/// Tables of words, one row a word.
const TABLES: [&str; 1] = ["/keywords.rs"];

/// Tests may be long: they are read one at a time.
const TESTS: &str = "tests/it/";

/// Names that say nothing of the content. `mod` is the other module style.
const EMPTY_NAMES: [&str; 8] = ["mod", "util", "utils", "helpers", "misc", "common", "shared", "stuff"];

/// The first paragraph of the file's documentation, in lines; 0 if the file does not open with one.
fn opening_lines(text: &str) -> usize {
    text.lines()
        .take_while(|line| line.strip_prefix("//!").is_some_and(|rest| !rest.trim().is_empty()))
        .count()
}

/// Lines that are no tests.
fn code_lines(file: &RustFile) -> usize {
    file.code().count()
}

fn may_be_longer(path: &str) -> bool {
    path.starts_with(TESTS)
        || TABLES.iter().any(|table| path.ends_with(table))
        || LONGER.iter().any(|(longer, _)| *longer == path)
}

fn has_empty_name(path: &str) -> bool {
    let name = path.rsplit('/').next().unwrap_or(path).trim_end_matches(".rs");
    EMPTY_NAMES.contains(&name)
}

/// Lines of documentation comments on which a block begins that is not called text: Rust, for rustdoc.
fn examples(text: &str) -> Vec<usize> {
    let fences = text.lines().enumerate().filter_map(|(index, line)| {
        let line = line.trim_start();
        let comment = line.strip_prefix("///").or(line.strip_prefix("//!"))?;
        Some((index + 1, comment.trim().strip_prefix("```")?))
    });
    fences.step_by(2).filter(|(_, language)| *language != "text").map(|(line, _)| line).collect()
}

#[test]
fn every_source_opens_with_what_it_is() {
    let broken: Vec<_> = sources(&CRATES)
        .map(|file| (file.path, opening_lines(file.text)))
        .filter(|(_, lines)| !(1..=MOST_OPENING_LINES).contains(lines))
        .map(|(path, lines)| place(path, 1, &format!("opens with {lines} lines of `//!`")))
        .collect();
    report("A source opens with `//!`, and its first paragraph has one to three lines.", &broken);
}

#[test]
fn sources_are_short() {
    let broken: Vec<_> = sources(&CRATES)
        .filter(|file| !may_be_longer(file.path))
        .map(|file| (file.path, code_lines(file)))
        .filter(|(_, lines)| *lines > MOST_LINES)
        .map(|(path, lines)| place(path, MOST_LINES, &format!("{lines} lines beside tests")))
        .collect();
    report("A source has at most 400 lines beside its tests: one subject a file.", &broken);
}

#[test]
fn longer_sources_are_still_longer_and_have_a_reason() {
    let broken: Vec<_> = LONGER
        .iter()
        .filter(|(path, reason)| {
            reason.is_empty() || !sources(&[path]).any(|file| code_lines(file) > MOST_LINES)
        })
        .map(|(path, _)| place(path, 1, "needs no exception, or gives no reason"))
        .collect();
    report("An exception that nothing needs is taken back.", &broken);
}

#[test]
fn names_say_what_is_inside() {
    let broken: Vec<_> = sources(&CRATES)
        .filter(|file| has_empty_name(file.path))
        .map(|file| place(file.path, 1, "a name that says nothing of the content"))
        .collect();
    report("No mod.rs (`foo.rs` stands beside `foo/`), no utils, no helpers.", &broken);
}

#[test]
fn no_example_in_a_comment_is_left_unrun() {
    let broken: Vec<_> = sources(&CRATES)
        .flat_map(|file| {
            examples(file.text).into_iter().map(|line| place(file.path, line, "an example that nothing runs"))
        })
        .collect();
    report(
        "The crates run no documentation tests, so comments hold no Rust examples: tests and docs/ do.",
        &broken,
    );
}

#[test]
fn bad_shapes_are_seen() {
    assert_eq!(opening_lines("use std::fmt;\n//! Late.\n"), 0);
    assert_eq!(opening_lines("//! One.\n//! Two.\n//!\n//! Another paragraph.\n"), 2);
    assert_eq!(examples("//! ```text\n//! a\n//! ```\n    /// ```\n    /// let a = 1;\n    /// ```\n"), [4]);
    assert!(has_empty_name("compiler/src/utils.rs") && has_empty_name("runtime/src/engine/mod.rs"));
    assert!(
        !has_empty_name("compiler/src/resolve/typing/common_type.rs")
            && !has_empty_name("compiler/src/model.rs")
    );
}
