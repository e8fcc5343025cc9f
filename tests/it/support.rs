//! docs/support.md, generated from what the tests saw: the cases that pass on each engine, and each function on each target; and the sums of
//! it in the README. With `UNISONO_UPDATE=1` both are written anew; without, they must be what is committed.

use std::collections::BTreeMap;
use std::fmt::Write;
use std::fs;

use unisono_dialects::{Answer, parse_target, support};
use unisono_tests::project;

const TARGETS: [(&str, &str); 5] = [
    ("datafusion", "DataFusion 54"),
    ("duckdb", "DuckDB"),
    ("flink", "Flink 2.2, batch"),
    ("flink-streaming", "Flink 2.2, streaming"),
    ("starrocks", "StarRocks 3.5"),
];

#[test]
fn the_support_page_is_what_the_tests_saw() {
    let mut page = String::from(
        "# Support\n\nGenerated from the tests; `UNISONO_UPDATE=1 cargo test -p unisono-tests support` writes it anew.\n\n",
    );
    cases(&mut page);
    functions(&mut page);
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
        let cells = listed(lists);
        let counts: Vec<String> = WORDS[..4]
            .iter()
            .map(|word| cells.values().filter(|cell| cell.starts_with(word)).count().to_string())
            .collect();
        writeln!(table, "| {title} | {} |", counts.join(" | ")).unwrap();
    }
    table
}

/// The cells of some lists, those with declared types.
fn listed(lists: &[&str]) -> BTreeMap<String, String> {
    let cells = lists.iter().flat_map(|list| {
        let path = project("tests/cases").join(format!("{list}.json"));
        let all: BTreeMap<String, String> = serde_json::from_str(&fs::read_to_string(path).unwrap()).unwrap();
        all
    });
    cells.filter(|(name, _)| !name.ends_with(", without types")).collect()
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
        let listed = listed(lists);
        for area in ["foundation", "shop", "found", "candles", "tpch"] {
            let mut counts = [0; WORDS.len()];
            let of_area = listed.iter().filter(|(name, _)| name.split('/').next() == Some(area));
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
    page.push_str("## Functions\n\n*yes*: there is a form whose meaning is that of [semantics.md](semantics.md); a number: why not, below. \
         The forms of DataFusion, DuckDB and Flink were run on those engines; those of StarRocks come from its documentation and were never run on a server.\n\n| function |");
    for (_, title) in TARGETS {
        write!(page, " {title} |").unwrap();
    }
    page.push_str("\n|---|---|---|---|---|---|\n");
    let tables: Vec<_> = TARGETS.iter().map(|(name, _)| support(&parse_target(name).unwrap())).collect();
    let mut notes: Vec<String> = Vec::new();
    for (row, first) in tables[0].iter().enumerate() {
        write!(page, "| `{}` |", first.function.replace('|', "\\|")).unwrap();
        for table in &tables {
            assert_eq!(table[row].function, first.function, "the tables list the functions in one order");
            match table[row].answer {
                Answer::Supported => page.push_str(" yes |"),
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
    page.push('\n');
    for (number, note) in notes.iter().enumerate() {
        writeln!(page, "{}. {note}", number + 1).unwrap();
    }
}
