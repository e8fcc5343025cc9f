//! docs/support.md, generated from what the tests saw: the cases that pass on each engine, and each function on each target; and the sums of
//! it in the README. With `UNISONO_UPDATE=1` both are written anew; without, they must be what is committed.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;
use std::fs;

use unisono_dialects::{Answer, facts, parse_target, session_settings, support};
use unisono_tests::project;

use crate::exercised::{exercised, listed};

/// The columns of the table of functions: target, title, the list of its cases, the list of its seeds, the word for what was seen.
const TARGETS: [(&str, &str, &str, Option<&str>, &str); 5] = [
    ("datafusion", "DataFusion 54", "answered.datafusion", Some("random.datafusion"), "yes"),
    ("duckdb", "DuckDB", "answered.duckdb", Some("random.duckdb"), "yes"),
    ("flink", "Flink 2.2, batch", "matrix.flink", Some("random.flink"), "yes"),
    (
        "flink-streaming",
        "Flink 2.2, streaming",
        "matrix.flink-streaming",
        Some("random.flink-streaming"),
        "yes",
    ),
    ("starrocks", "StarRocks 3.5", "matrix.starrocks", Some("random.starrocks"), "stand-in"),
];

/// Versions beside the default ones.
const OTHER_VERSIONS: [(&str, &str); 7] = [
    ("flink@1.20", "flink"),
    ("flink-streaming@1.20", "flink-streaming"),
    ("starrocks@3.3", "starrocks"),
    ("starrocks@4.0", "starrocks"),
    ("starrocks@4.1", "starrocks"),
    ("starrocks@4.2", "starrocks"),
    ("duckdb@1.0", "duckdb"),
];

#[test]
fn the_support_page_is_what_the_tests_saw() {
    let mut page = String::from(
        "# Support\n\nGenerated from the tests; `UNISONO_UPDATE=1 cargo test -p unisono-tests support` writes it anew.\n\n",
    );
    cases(&mut page);
    functions(&mut page);
    dialects(&mut page);
    keep("docs/support.md", &page);
}

#[test]
fn the_readme_has_the_numbers_side_by_side() {
    let path = project("README.md");
    let readme = fs::read_to_string(path).unwrap();
    let (before, rest) = readme.split_once(NUMBERS_BEGIN).unwrap();
    let (_, after) = rest.split_once(NUMBERS_END).unwrap();
    keep("README.md", &format!("{before}{NUMBERS_BEGIN}\n{}{NUMBERS_END}{after}", numbers()));
}

const NUMBERS_BEGIN: &str = "<!-- begin: counted by tests/it/support.rs -->";
const NUMBERS_END: &str = "<!-- end -->";

/// A file must be this text, or is made so.
fn keep(name: &str, text: &str) {
    let path = project(name);
    if std::env::var_os("UNISONO_UPDATE").is_some() {
        fs::write(&path, text).unwrap();
        return;
    }
    let committed = fs::read_to_string(&path).unwrap_or_default();
    assert!(committed == text, "{name} is not what the tests saw; write it with UNISONO_UPDATE=1");
}

/// A row an engine: how many requests with rows it answers, refuses, is stood in for, and shows nothing about.
fn numbers() -> String {
    let mut table = String::from("| | equal | refused | stand-in | unproved |\n|---|---|---|---|---|\n");
    for (title, lists) in LISTS {
        let cells = typed(lists);
        let counts: Vec<String> = WORDS[..4]
            .iter()
            .map(|word| cells.values().filter(|cell| cell.starts_with(word)).count().to_string())
            .collect();
        writeln!(table, "| {title} | {} |", counts.join(" | ")).unwrap();
    }
    table
}

/// The cells of some lists, those with declared types.
fn typed(lists: &[&str]) -> BTreeMap<String, String> {
    lists
        .iter()
        .flat_map(|list| listed(list))
        .filter(|(name, _)| !name.ends_with(", without types"))
        .collect()
}

/// The columns of the first table, by the word that a verdict of a list begins with.
const WORDS: [&str; 5] = ["equal", "refused", "stand-in", "unproved", "right code"];

/// The targets of the first table and their lists.
const LISTS: [(&str, &[&str]); 5] = [
    ("DataFusion", &["answered.datafusion", "tpch.datafusion"]),
    ("DuckDB", &["answered.duckdb", "tpch.duckdb"]),
    ("Flink, batch", &["matrix.flink"]),
    ("Flink, streaming", &["matrix.flink-streaming"]),
    ("StarRocks, by oracle", &["matrix.starrocks"]),
];

/// Counts of the lists in tests/cases, which tests/it/cases.rs, tpch.rs and matrix.rs keep.
fn cases(page: &mut String) {
    page.push_str(
        "## Cases\n\nThe cases of [tests/cases](../tests/cases/README.md) with declared types, each in the forms that it has (ad hoc, named).\n\n\
         - *equal*: the engine ran the text and gave the rows that the case expects;\n\
         - *refused*: rows are expected, and a code came; the table below says which;\n\
         - *stand-in*: another engine ran the text with the meaning that StarRocks' documents give it, and gave the rows; StarRocks did not run;\n\
         - *unproved*: nothing that is here can show it; the table below says why;\n\
         - *right code*: no rows are expected, and the code came that is.\n\n\
         | engine | area | equal | refused | stand-in | unproved | right code |\n|---|---|---|---|---|---|---|\n",
    );
    let mut notes = String::new();
    for (title, lists) in LISTS {
        let cells = typed(lists);
        for area in ["foundation", "shop", "found", "functions", "candles", "tpch"] {
            let mut counts = [0; WORDS.len()];
            let of_area = cells.iter().filter(|(name, _)| name.split('/').next() == Some(area));
            for (name, verdict) in of_area {
                let column = WORDS.iter().position(|word| verdict.starts_with(word));
                counts[column.unwrap_or_else(|| panic!("{name}: {verdict} has no column"))] += 1;
                if verdict.starts_with("refused") || verdict.starts_with("unproved") {
                    let name = name.trim_end_matches(", with types");
                    writeln!(notes, "| {title} | {name} | {verdict} |").unwrap();
                }
            }
            let counts: Vec<String> = counts.iter().map(usize::to_string).collect();
            writeln!(page, "| {title} | {area} | {} |", counts.join(" | ")).unwrap();
        }
    }
    page.push_str("\nWhat is refused or unproved:\n\n| engine | case | why |\n|---|---|---|\n");
    page.push_str(&notes);
    page.push_str("\nDataFusion and DuckDB answer the same cases without declared types as well. [engines.md](engines.md) says how each is run.\n\n");
}

/// One row a function; a target that lacks it says why below the table.
fn functions(page: &mut String) {
    page.push_str("## Functions\n\n\
         - *yes*: the function stood in a text that the engine ran, in a case above or in a random one, and the rows were right;\n\
         - *stand-in*: the same, by the oracle for StarRocks;\n\
         - *unproved*: there is a form whose meaning is that of [semantics.md](semantics.md), with the vendor's page behind it, and no case ran it;\n\
         - a number: there is no form, and why is below.\n\n\
         Which form each has is pinned by `dialects/src/tests/forms.rs`; what goes wrong without it is in [traps.md](traps.md).\n\n| function |");
    for (_, title, ..) in TARGETS {
        write!(page, " {title} |").unwrap();
    }
    page.push_str("\n|---|---|---|---|---|---|\n");
    let tables: Vec<_> = TARGETS.iter().map(|(name, ..)| support(&parse_target(name).unwrap())).collect();
    let seen: Vec<BTreeSet<String>> =
        TARGETS.iter().map(|(name, _, list, seeds, _)| exercised(name, list, *seeds)).collect();
    let mut notes: Vec<String> = Vec::new();
    let mut unproved = [0; TARGETS.len()];
    for (row, first) in tables[0].iter().enumerate() {
        write!(page, "| `{}` |", first.function.replace('|', "\\|")).unwrap();
        for (at, table) in tables.iter().enumerate() {
            assert_eq!(table[row].function, first.function, "the tables list the functions in one order");
            match table[row].answer {
                Answer::Supported if seen[at].contains(&first.function) => {
                    write!(page, " {} |", TARGETS[at].4).unwrap();
                }
                Answer::Supported => {
                    unproved[at] += 1;
                    page.push_str(" unproved |");
                }
                Answer::Absent { why, needs } => {
                    let note = format!("{why}; {needs}");
                    let number = notes.iter().position(|known| *known == note).unwrap_or_else(|| {
                        notes.push(note);
                        notes.len() - 1
                    });
                    write!(page, " {} |", number + 1).unwrap();
                }
            }
        }
        page.push('\n');
    }
    let counts = TARGETS.iter().zip(unproved).map(|((_, title, ..), count)| format!("{title} {count}"));
    writeln!(page, "\nUnproved: {}.\n", counts.collect::<Vec<_>>().join(", ")).unwrap();
    for (number, note) in notes.iter().enumerate() {
        writeln!(page, "{}. {note}", number + 1).unwrap();
    }
    other_versions(page);
}

/// What was seen of other versions, and what they lack or have beside the one above.
fn other_versions(page: &mut String) {
    page.push_str(
        "\n## Other versions\n\nThe same requests with rows, each in the text for its version: Flink 1.20 on a 1.20.3 with Paimon 1.3.1 by hand (tests/flink/README.md), StarRocks by \
         its oracle, which knows no versions. A version that is not here was not run.\n\n| version | equal | refused | stand-in | unproved |\n|---|---|---|---|---|\n",
    );
    for (name, _) in OTHER_VERSIONS {
        let list = format!("matrix.{name}");
        if !project("tests/cases").join(format!("{list}.json")).exists() {
            continue;
        }
        let cells = typed(&[&list]);
        let count = |word: &&str| cells.values().filter(|cell| cell.starts_with(word)).count().to_string();
        let counts: Vec<String> = WORDS[..4].iter().map(count).collect();
        writeln!(page, "| {} | {} |", parse_target(name).unwrap(), counts.join(" | ")).unwrap();
    }
    page.push_str("\nWhat they lack, or have beside the version above:\n\n| version | function | what |\n|---|---|---|\n");
    for (name, usual) in OTHER_VERSIONS {
        let (target, beside) = (parse_target(name).unwrap(), parse_target(usual).unwrap());
        for (entry, usual) in support(&target).iter().zip(support(&beside)) {
            let what = match (entry.answer, usual.answer) {
                (Answer::Absent { why, .. }, Answer::Supported) => why,
                (Answer::Supported, Answer::Absent { .. }) => "has it",
                (Answer::Supported, Answer::Supported) | (Answer::Absent { .. }, Answer::Absent { .. }) => {
                    continue;
                }
            };
            writeln!(page, "| {target} | `{}` | {what} |", entry.function).unwrap();
        }
    }
}

/// Types, literals, names, orders, limits and the session, as the tables of the dialects have them.
fn dialects(page: &mut String) {
    page.push_str("\n## Dialects\n\nWhat texts are made by; the vendors' pages stand beside the tables in `dialects/src`.\n\n| |");
    let targets = TARGETS.map(|(name, title, ..)| (parse_target(name).unwrap(), title));
    for (_, title) in &targets {
        write!(page, " {title} |").unwrap();
    }
    page.push_str("\n|---|---|---|---|---|---|\n");
    let tables = targets.map(|(target, _)| facts(&target));
    for (row, first) in tables[0].iter().enumerate() {
        let answers: Vec<&str> = tables.iter().map(|table| table[row].answer.as_str()).collect();
        writeln!(page, "| {} | {} |", first.topic, answers.join(" | ")).unwrap();
    }
    page.push_str("\nA session begins with:\n\n| target | statement | without it |\n|---|---|---|\n");
    for (target, title) in targets {
        for setting in session_settings(&target) {
            writeln!(page, "| {title} | `{}` | [{}]({}) |", setting.statement, setting.without, setting.url)
                .unwrap();
        }
    }
}
