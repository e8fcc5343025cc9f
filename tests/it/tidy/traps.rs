//! docs/traps.md: every trap has a test that exists, or says why it has none. In: the page, the sources, tests/cases, tests/plants.
//! Out: the rows that name nothing that is there, plants of traps that are not listed, and those that have lost their place.

use std::collections::BTreeSet;

use super::tree::{files, text};
use super::{place, report};
use unisono_tests::project;

/// A row of the page.
struct Trap {
    line: usize,
    id: String,
    tests: String,
}

/// The rows of the tables: four cells, of which the first is an id.
fn traps(page: &str) -> Vec<Trap> {
    let rows = page.lines().enumerate().filter_map(|(index, line)| {
        let cells: Vec<&str> = line.trim().strip_prefix("| ")?.strip_suffix(" |")?.split(" | ").collect();
        let [id, _, _, tests] = cells.as_slice() else { return None };
        let is_id = id.split_once('-').is_some_and(|(area, number)| {
            area.chars().all(|letter| letter.is_ascii_uppercase())
                && number.chars().all(|digit| digit.is_ascii_digit())
        });
        is_id.then(|| Trap { line: index + 1, id: (*id).to_string(), tests: (*tests).to_string() })
    });
    rows.collect()
}

/// The names of all tests, of Rust and of Python: what stands behind `fn` below an attribute, and behind `def`.
fn tests() -> BTreeSet<String> {
    let name = |line: &str, word: &str| {
        let rest =
            line.trim_start().strip_prefix("async ").unwrap_or(line.trim_start()).strip_prefix(word)?;
        Some(rest.split('(').next().unwrap_or_default().to_string())
    };
    let mut found = BTreeSet::new();
    for file in files() {
        let lines: Vec<&str> = file.text.lines().collect();
        if file.is_a("rs") {
            for pair in lines.windows(2).filter(|pair| pair[0].trim_start().starts_with("#[")) {
                if pair[0].contains("test]") || pair[0].contains("test(") {
                    found.extend(name(pair[1], "fn "));
                }
            }
        } else if file.is_a("py") && file.path.starts_with("tests/python/test_") {
            found.extend(
                lines.iter().filter_map(|line| name(line, "def ")).filter(|name| name.starts_with("test_")),
            );
        }
    }
    found
}

/// What is wrong with the last cell of a row.
fn fault(tests: &str, known: &BTreeSet<String>) -> Option<String> {
    if let Some(why) = tests.strip_prefix("unproved: ") {
        return why.is_empty().then(|| "says not why it is unproved".to_string());
    }
    let named: Vec<&str> = tests.split('`').skip(1).step_by(2).collect();
    if named.is_empty() {
        return Some("names no test".to_string());
    }
    let missing = named.into_iter().find(|name| match name.split_once('/') {
        Some(_) => !project("tests/cases").join(name).join("expected.json").exists(),
        None => !known.contains(*name),
    });
    missing.map(|name| format!("`{name}` is no test and no case"))
}

#[test]
fn every_trap_has_a_test_or_a_reason() {
    let known = tests();
    let traps = traps(text("docs/traps.md"));
    assert!(traps.len() > 200, "only {} traps were found", traps.len());
    let mut ids = BTreeSet::new();
    let broken: Vec<String> = traps
        .iter()
        .filter_map(|trap| {
            let twice = (!ids.insert(&trap.id)).then(|| "stands twice".to_string());
            let what = twice.or_else(|| fault(&trap.tests, &known))?;
            Some(place("docs/traps.md", trap.line, &format!("{}: {what}", trap.id)))
        })
        .collect();
    report("Every trap names the tests that fail without its treatment.", &broken);
    let unknown: Vec<String> = plants()
        .into_iter()
        .filter(|[id, ..]| !ids.contains(id))
        .map(|[id, ..]| place("tests/plants/plants.json", 1, &id))
        .collect();
    report("Every plant is of a trap of docs/traps.md.", &unknown);
}

/// The trap, the file and the text of each plant.
fn plants() -> Vec<[String; 3]> {
    let plants: serde_json::Value = serde_json::from_str(text("tests/plants/plants.json")).unwrap();
    let word = |plant: &serde_json::Value, key: &str| plant[key].as_str().unwrap().to_string();
    let all = plants.as_array().unwrap().iter();
    all.map(|plant| ["trap", "file", "old"].map(|key| word(plant, key))).collect()
}

#[test]
fn every_plant_has_its_place() {
    let broken: Vec<String> = plants()
        .into_iter()
        .map(|[id, file, old]| (text(&file).matches(&old).count(), id, file))
        .filter(|(times, ..)| *times != 1)
        .map(|(times, id, file)| place(&file, 1, &format!("{id}: its text stands there {times} times")))
        .collect();
    report("The text that a plant takes away stands once in its file.", &broken);
}

#[test]
fn rows_without_a_test_are_seen() {
    let page = "| id | what | done | test |\n|---|---|---|---|\n| FL-01 | a \\| b | c | `one`, `area/case` |\n| x | y |\n";
    let rows = traps(page);
    assert_eq!((rows.len(), rows[0].line, rows[0].id.as_str()), (1, 3, "FL-01"));
    let known = BTreeSet::from(["one".to_string()]);
    assert_eq!(fault("`one`", &known), None);
    assert_eq!(fault("unproved: no server", &known), None);
    assert_eq!(fault("`one`, `two`", &known), Some("`two` is no test and no case".to_string()));
    assert_eq!(fault("`one`, `area/case`", &known), Some("`area/case` is no test and no case".to_string()));
    assert_eq!(fault("-", &known), Some("names no test".to_string()));
    assert!(tests().contains("rows_without_a_test_are_seen"));
}
