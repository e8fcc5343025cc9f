//! What compiler and dialects may not name: files, clocks, environments, networks, terminals, hash order, and engines outside
//! the places that are about one engine.

use super::rust::{RustFile, has_word, sources};
use super::{place, report};

const PURE: [&str; 2] = ["compiler/src/", "dialects/src/"];

/// Modules of the standard library that reach outside.
const OUTSIDE: [&str; 7] = ["env", "fs", "io", "net", "os", "process", "thread"];

/// Names that read a clock, write to a terminal, or keep state for a whole process.
const SIDE_EFFECTS: [&str; 9] = [
    "SystemTime",
    "UNIX_EPOCH",
    "Instant::now",
    "time::Instant",
    "println!",
    "eprintln!",
    "print!",
    "eprint!",
    "static mut",
];

/// Collections whose order differs from run to run.
const HASHED: [&str; 2] = ["HashMap", "HashSet"];

/// Where dialects may name an engine: what a target is, the one place that looks its tables up, and the engines' own folders.
const OF_AN_ENGINE: [&str; 7] = ["target", "dialect", "datafusion", "duckdb", "starrocks", "flink", "paimon"];

/// `std::fs`, `std::fs::read`, `use std::{fmt, fs}`.
fn reaches_outside(code: &str) -> Option<&'static str> {
    let path = |module: &str| ["std", "core"].iter().any(|root| has_word(code, &format!("{root}::{module}")));
    let group = code.split_once("std::{").map_or("", |(_, group)| group.split(';').next().unwrap_or(group));
    let in_group = |module: &str| {
        group
            .split([',', '{', '}'])
            .any(|part| part.trim().split("::").next().is_some_and(|first| first == module))
    };
    OUTSIDE.into_iter().find(|module| path(module) || in_group(module))
}

fn names_any(code: &str, names: &[&'static str]) -> Option<&'static str> {
    names.iter().copied().find(|name| match name.strip_suffix('!') {
        Some(bare) => has_word(code, bare) && code.contains(name),
        None => has_word(code, name),
    })
}

/// `Engine::Flink`, `match engine`, `engine ==`: a question that a capability should answer.
fn asks_which_engine(code: &str) -> bool {
    let variant = code.match_indices("Engine::").any(|(start, path)| {
        code[start + path.len()..].starts_with(|first: char| first.is_ascii_uppercase())
            && !code[start + path.len()..].starts_with("ALL")
    });
    variant
        || code.contains("match engine")
        || code.contains(".engine ==")
        || code.contains("match target.engine")
}

fn is_of_an_engine(path: &str) -> bool {
    let Some(inside) = path.strip_prefix("dialects/src/") else { return false };
    let first = inside.split('/').next().unwrap_or(inside).trim_end_matches(".rs");
    OF_AN_ENGINE.contains(&first)
}

fn places(
    files: impl Iterator<Item = &'static RustFile>,
    broken: impl Fn(&str) -> Option<String>,
) -> Vec<String> {
    files
        .flat_map(|file| {
            file.code().filter_map(|line| broken(&line.code).map(|what| place(file.path, line.number, &what)))
        })
        .collect()
}

#[test]
fn compiler_and_dialects_reach_nothing_outside() {
    let broken = places(sources(&PURE), |code| {
        reaches_outside(code)
            .map(|module| format!("std::{module}"))
            .or_else(|| names_any(code, &SIDE_EFFECTS).map(str::to_owned))
    });
    report("compiler and dialects read no file, clock, environment or network, and print nothing.", &broken);
}

#[test]
fn compiler_and_dialects_keep_an_order() {
    let broken = places(sources(&PURE), |code| names_any(code, &HASHED).map(str::to_owned));
    report("compiler and dialects use Vec and BTreeMap: hash order must not reach an output.", &broken);
}

#[test]
fn dialects_ask_capabilities_and_not_names() {
    let files = sources(&["dialects/src/"]).filter(|file| !is_of_an_engine(file.path));
    let broken = places(files, |code| asks_which_engine(code).then(|| code.trim().to_owned()));
    report("Outside of an engine's own folder no code asks which engine it is for.", &broken);
}

#[test]
fn impure_words_are_seen() {
    assert_eq!(reaches_outside("let text = std::fs::read_to_string(path);"), Some("fs"));
    assert_eq!(reaches_outside("use std::{fmt, env::{self, VarError}};"), Some("env"));
    assert_eq!(reaches_outside("use std::{fmt, collections::BTreeMap}; env(1);"), None);
    assert_eq!(names_any("    println!(\"\");", &SIDE_EFFECTS), Some("println!"));
    assert_eq!(names_any("let now = Instant::now();", &SIDE_EFFECTS), Some("Instant::now"));
    assert_eq!(names_any("DataType::Instant, println(x)", &SIDE_EFFECTS), None);
    assert!(asks_which_engine("if target.engine == other") && asks_which_engine("Engine::DuckDb => 1"));
    assert!(!asks_which_engine("for engine in Engine::ALL"));
    assert!(is_of_an_engine("dialects/src/flink/types.rs") && is_of_an_engine("dialects/src/duckdb.rs"));
    assert!(!is_of_an_engine("dialects/src/emit/flink.rs"));
}
