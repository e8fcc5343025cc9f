//! The rules of the house that no compiler checks: the shape of files, who may depend on whom, what may not be written.
//! In: the project's own files. Out: the places that break a rule; each rule also proves on a bad example that it can fail.

/// README.md and CI run the same.
mod commands;

/// The crates' order, and what the pure ones may not pull in.
mod dependencies;

/// Codes and their pages.
mod diagnostics;

/// Links between documents.
mod links;

/// What the reference evaluator may use.
mod oracle;

/// What compiler and dialects may not name.
mod purity;

/// Rust sources split into code, literals and tests.
mod rust;

/// How a source file looks from outside.
mod shape;

/// SQL is a tree until it is printed.
mod sql_text;

/// Traps of engines and their tests.
mod traps;

/// The files that the project keeps.
mod tree;

/// What no file may hold.
mod words;

/// A place that breaks a rule, as editors read it.
fn place(path: &str, line: usize, what: &str) -> String {
    format!("{path}:{line}: {what}")
}

/// Fails with one line for each place.
#[track_caller]
fn report(rule: &str, places: &[String]) {
    assert!(places.is_empty(), "{rule}\n{} broken places:\n{}", places.len(), places.join("\n"));
}
