//! Rust sources for rules that look at words. In: a source text. Out: its code without comments and literals line by line, its
//! string literals, and which lines only tests see.

use std::sync::OnceLock;

use super::tree::files;

/// A source of the project.
#[derive(Debug)]
pub(super) struct RustFile {
    /// From the root.
    pub(super) path: &'static str,
    /// As it stands.
    pub(super) text: &'static str,
    /// Split.
    pub(super) source: Source,
}

/// A source, split.
#[derive(Debug)]
pub(super) struct Source {
    /// The lines without comments and without the content of literals; the numbers of lines stay.
    pub(super) lines: Vec<Line>,
    /// String literals as written, without quotes.
    pub(super) literals: Vec<Literal>,
    /// Modules that only tests see and that have a file of their own.
    test_modules: Vec<String>,
}

/// A line of code.
#[derive(Debug)]
pub(super) struct Line {
    /// Its number, from 1.
    pub(super) number: usize,
    /// What stands there beside comments and literals.
    pub(super) code: String,
    /// It is below `#[cfg(test)]`.
    pub(super) test: bool,
}

/// A string literal.
#[derive(Debug)]
pub(super) struct Literal {
    /// The line on which it begins, from 1.
    pub(super) line: usize,
    /// Its content, escapes as written.
    pub(super) text: String,
    /// It is below `#[cfg(test)]`.
    pub(super) test: bool,
}

impl RustFile {
    /// The lines that a build without tests sees.
    pub(super) fn code(&self) -> impl Iterator<Item = &Line> {
        self.source.lines.iter().filter(|line| !line.test)
    }

    /// The literals that a build without tests sees.
    pub(super) fn literals(&self) -> impl Iterator<Item = &Literal> {
        self.source.literals.iter().filter(|literal| !literal.test)
    }
}

/// The sources below one of the folders; a file that another declares for tests only is a test as a whole.
pub(super) fn sources(folders: &[&str]) -> impl Iterator<Item = &'static RustFile> {
    static SOURCES: OnceLock<Vec<RustFile>> = OnceLock::new();
    let all = SOURCES.get_or_init(|| {
        let rust = files().iter().filter(|file| file.is_a("rs"));
        let mut sources: Vec<_> = rust
            .map(|file| RustFile { path: &file.path, text: &file.text, source: split(&file.text) })
            .collect();
        let modules: Vec<_> = sources
            .iter()
            .flat_map(|file| file.source.test_modules.iter().map(|module| child(file.path, module)))
            .collect();
        for file in &mut sources {
            if modules.iter().any(|module| is_in_module(file.path, module)) {
                file.source.lines.iter_mut().for_each(|line| line.test = true);
                file.source.literals.iter_mut().for_each(|literal| literal.test = true);
            }
        }
        sources
    });
    all.iter().filter(move |file| folders.iter().any(|folder| file.path.starts_with(folder)))
}

/// Splits a source.
pub(super) fn split(text: &str) -> Source {
    let (code, written) = blank(text);
    let regions = test_regions(&code);
    let in_test = |number: usize| regions.iter().any(|region| (region.first..=region.last).contains(&number));
    let lines = code
        .lines()
        .enumerate()
        .map(|(index, line)| Line { number: index + 1, code: line.to_owned(), test: in_test(index + 1) })
        .collect();
    let literals =
        written.into_iter().map(|(line, text)| Literal { line, text, test: in_test(line) }).collect();
    let test_modules = regions.into_iter().filter_map(|region| region.module).collect();
    Source { lines, literals, test_modules }
}

/// Whether `word` stands in the code with no letter, digit or `_` around it.
pub(super) fn has_word(code: &str, word: &str) -> bool {
    let part_of_word = |character: char| character.is_alphanumeric() || character == '_';
    code.match_indices(word).any(|(start, _)| {
        !code[..start].ends_with(part_of_word) && !code[start + word.len()..].starts_with(part_of_word)
    })
}

/// Where a module that the file at `path` declares stands, without `.rs`.
fn child(path: &str, module: &str) -> String {
    let stem = path.trim_end_matches(".rs");
    match stem.rsplit_once('/') {
        Some((folder, "lib" | "main")) => format!("{folder}/{module}"),
        Some(_) | None => format!("{stem}/{module}"),
    }
}

/// Whether the file is the module or below it.
fn is_in_module(path: &str, module: &str) -> bool {
    path.strip_prefix(module).is_some_and(|rest| rest == ".rs" || rest.starts_with('/'))
}

/// The code with comments and literals taken out, and the string literals with their lines.
fn blank(text: &str) -> (String, Vec<(usize, String)>) {
    let mut code = String::with_capacity(text.len());
    let mut literals = Vec::new();
    let mut rest = text;
    while let Some(first) = rest.chars().next() {
        let length = if rest.starts_with("//") {
            rest.find('\n').unwrap_or(rest.len())
        } else if rest.starts_with("/*") {
            block_comment(rest)
        } else if first == '"' {
            let hashes = code.len() - code.trim_end_matches('#').len();
            let raw = code.trim_end_matches('#').ends_with('r');
            let length = if raw { raw_string(rest, hashes) } else { quoted(rest, '"') };
            let end = length.saturating_sub(if raw { 1 + hashes } else { 1 }).max(1);
            literals.push((code.matches('\n').count() + 1, rest[1..end].to_owned()));
            code.push_str("\"\"");
            length
        } else if first == '\'' && is_character(rest) {
            code.push_str("''");
            quoted(rest, '\'')
        } else {
            code.push(first);
            rest = &rest[first.len_utf8()..];
            continue;
        };
        // Lines keep their numbers.
        code.extend(rest[..length].chars().filter(|&character| character == '\n'));
        rest = &rest[length..];
    }
    (code, literals)
}

fn block_comment(text: &str) -> usize {
    let mut depth = 0;
    let mut at = 0;
    while at < text.len() {
        if text[at..].starts_with("/*") {
            depth += 1;
            at += 2;
        } else if text[at..].starts_with("*/") {
            depth -= 1;
            at += 2;
            if depth == 0 {
                return at;
            }
        } else {
            at += text[at..].chars().next().map_or(1, char::len_utf8);
        }
    }
    text.len()
}

fn raw_string(text: &str, hashes: usize) -> usize {
    let end = format!("\"{}", "#".repeat(hashes));
    text[1..].find(&end).map_or(text.len(), |at| 1 + at + end.len())
}

/// The length of a literal that ends at a quote without a backslash before it.
fn quoted(text: &str, quote: char) -> usize {
    let mut escaped = false;
    for (at, character) in text.char_indices().skip(1) {
        if escaped {
            escaped = false;
        } else if character == '\\' {
            escaped = true;
        } else if character == quote {
            return at + 1;
        }
    }
    text.len()
}

/// `'x'` and `'\n'` are characters, `'x` is a lifetime.
fn is_character(text: &str) -> bool {
    let mut characters = text.chars().skip(1);
    match characters.next() {
        Some('\\') => true,
        Some(_) => characters.next() == Some('\''),
        None => false,
    }
}

/// Lines below one `#[cfg(test)]`, and the module's name if its text is in another file.
struct Region {
    first: usize,
    last: usize,
    module: Option<String>,
}

fn test_regions(code: &str) -> Vec<Region> {
    let line = |at: usize| code[..at].matches('\n').count() + 1;
    code.match_indices("#[cfg(test)]")
        .map(|(start, attribute)| {
            let item = start + attribute.len();
            let length = item_length(&code[item..]);
            let module = code[item..item + length]
                .trim_end_matches(';')
                .split_once("mod ")
                .map(|(_, name)| name.trim().to_owned())
                .filter(|name| name.chars().all(|character| character.is_alphanumeric() || character == '_'));
            Region { first: line(start), last: line(item + length), module }
        })
        .collect()
}

/// Where an item ends: at its closing brace, or at a semicolon outside all brackets.
fn item_length(code: &str) -> usize {
    let mut depth = 0;
    for (at, character) in code.char_indices() {
        match character {
            '{' | '(' | '[' => depth += 1,
            '}' | ')' | ']' => {
                depth -= 1;
                if depth == 0 && character == '}' {
                    return at + 1;
                }
            }
            ';' if depth == 0 => return at + 1,
            _ => {}
        }
    }
    code.len()
}

#[test]
fn comments_and_literals_are_no_code() {
    let text = "let a = \"std::fs // \\\" {b}\"; // std::env\nlet c = r#\"x \"y\" \n z\"#; /* 1 /* 2 */ 3 */ d('\"', 'e', '\\'');\nfn f<'a>() {}\n";
    let source = split(text);
    let code: Vec<_> = source.lines.iter().map(|line| line.code.trim_end()).collect();
    assert_eq!(code, ["let a = \"\";", "let c = r#\"\"", ";  d('', '', '');", "fn f<'a>() {}"]);
    let literals: Vec<_> =
        source.literals.iter().map(|literal| (literal.line, literal.text.as_str())).collect();
    assert_eq!(literals, [(1, "std::fs // \\\" {b}"), (2, "x \"y\" \n z")]);
}

#[test]
fn tests_are_told_from_code() {
    let text = "fn a() {}\n#[cfg(test)]\n#[path = \"x\"]\nmod tests {\n fn b() { \"}\"; }\n}\nfn c() {}\n#[cfg(test)]\nmod sample;\nfn d() {}\n";
    let source = split(text);
    let code: Vec<_> = source.lines.iter().filter(|line| !line.test).map(|line| line.number).collect();
    assert_eq!(code, [1, 7, 10]);
    assert_eq!(source.test_modules, ["sample"]);
}

#[test]
fn a_word_ends_where_no_letter_follows() {
    assert!(has_word("use std::fs;", "std::fs"));
    assert!(!has_word("use std::fslike; my_std::fs", "std::fs"));
}

#[test]
fn a_module_has_its_file_beside_or_below() {
    assert_eq!(child("compiler/src/lib.rs", "sample"), "compiler/src/sample");
    assert_eq!(child("compiler/src/syntax/expr.rs", "sample"), "compiler/src/syntax/expr/sample");
    assert!(is_in_module("a/sample.rs", "a/sample") && is_in_module("a/sample/b.rs", "a/sample"));
    assert!(!is_in_module("a/samples.rs", "a/sample"));
}
