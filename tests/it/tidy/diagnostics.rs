//! Codes and their pages: every code has one under docs/diagnostics, every page a code, and documents name no other.

use std::collections::BTreeSet;

use super::tree::{files, text};
use super::{place, report};

/// Where the codes are listed.
const CODES: &str = "compiler/src/diagnostic/code.rs";

const PAGES: &str = "docs/diagnostics/";

/// The index of the pages.
const INDEX: &str = "README";

/// The quoted codes of the list.
fn listed(text: &str) -> BTreeSet<&str> {
    text.split('"').skip(1).step_by(2).filter(|quoted| is_code(quoted)).collect()
}

/// `E_NAME_NOT_FOUND`, `W_UNKNOWN_TYPE`, `E3012_MN_NO_SAFE_REWRITE`.
fn is_code(word: &str) -> bool {
    let Some((kind, name)) = word.split_once('_') else { return false };
    let number = kind.strip_prefix(['E', 'W']);
    number.is_some_and(|digits| digits.bytes().all(|byte| byte.is_ascii_digit()))
        && !name.is_empty()
        && !name.ends_with('_')
        && name.bytes().all(|byte| byte.is_ascii_uppercase() || byte.is_ascii_digit() || byte == b'_')
}

/// The codes that a document mentions, with their lines.
fn mentioned(text: &str) -> Vec<(usize, &str)> {
    let words =
        |line| str::split(line, |character: char| !character.is_ascii_alphanumeric() && character != '_');
    text.lines()
        .enumerate()
        .flat_map(|(index, line)| words(line).map(move |word| (index + 1, word)))
        .filter(|(_, word)| is_code(word))
        .collect()
}

#[test]
fn every_code_has_a_page_and_every_page_a_code() {
    let codes = listed(text(CODES));
    assert!(codes.contains("E_NAME_NOT_FOUND"), "{CODES} was not understood");
    let pages: BTreeSet<_> = files()
        .iter()
        .filter_map(|file| file.path.strip_prefix(PAGES)?.strip_suffix(".md"))
        .filter(|page| *page != INDEX)
        .collect();
    let without_page = codes.difference(&pages).map(|code| format!("{PAGES}{code}.md: there is no page"));
    let without_code =
        pages.difference(&codes).map(|page| format!("{PAGES}{page}.md: there is no such code"));
    report(
        "Every code has a page, and every page a code.",
        &without_page.chain(without_code).collect::<Vec<_>>(),
    );
}

#[test]
fn documents_name_codes_that_exist() {
    let codes = listed(text(CODES));
    let documents = files()
        .iter()
        .filter(|file| file.path == "README.md" || file.path.starts_with("docs/") && file.is_a("md"));
    let broken: Vec<_> = documents
        .flat_map(|file| {
            let unknown = mentioned(&file.text).into_iter().filter(|(_, code)| !codes.contains(code));
            unknown.map(|(line, code)| place(&file.path, line, code)).collect::<Vec<_>>()
        })
        .collect();
    report("A code in a document is one that Unisono knows.", &broken);
}

#[test]
fn codes_are_told_from_other_words() {
    assert!(is_code("E_PARSE") && is_code("W_UNKNOWN_TYPE") && is_code("E3012_MN_NO_SAFE_REWRITE"));
    assert!(!is_code("E_") && !is_code("MIN_BY") && !is_code("E_parse") && !is_code("EXACT_SUM"));
    assert_eq!(listed("A = \"E_PARSE\", \"A text.\"; // \"W_X\""), ["E_PARSE", "W_X"].into());
    assert_eq!(mentioned("see\n[`E_PARSE`](E_PARSE.md)"), [(2, "E_PARSE"), (2, "E_PARSE")]);
}
