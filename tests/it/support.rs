//! docs/support.md, generated from what the tests saw: the cases that pass on each engine, and each function on each target.
//! With `UNISONO_UPDATE=1` the page is written anew; without, it must be what is committed.

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
    let path = project("docs/support.md");
    if std::env::var_os("UNISONO_UPDATE").is_some() {
        fs::write(&path, page).unwrap();
        return;
    }
    let committed = fs::read_to_string(&path).unwrap_or_default();
    assert!(committed == page, "docs/support.md is not what the tests saw; write it with UNISONO_UPDATE=1");
}

/// Counts of tests/cases/answered.*.json, which tests/it/cases.rs keeps.
fn cases(page: &mut String) {
    page.push_str(
        "## Cases\n\nThe cases of [tests/cases](../tests/cases/README.md), each in the forms that it has (ad hoc, named) and with and \
         without declared types. *Passed*: the rows, or the code, that the case expects.\n\n| engine | area | passed | refused with a code |\n|---|---|---|---|\n",
    );
    for engine in ["datafusion", "duckdb"] {
        let path = project("tests/cases").join(format!("answered.{engine}.json"));
        let listed: BTreeMap<String, String> =
            serde_json::from_str(&fs::read_to_string(path).unwrap()).unwrap();
        for area in ["foundation", "shop", "found"] {
            let of_area = listed
                .iter()
                .filter(|(name, _)| name.split_once('/').is_some_and(|(first, _)| first == area));
            let (passed, refused): (Vec<_>, Vec<_>) = of_area.partition(|(_, verdict)| *verdict == "passed");
            writeln!(page, "| {engine} | {area} | {} | {} |", passed.len(), refused.len()).unwrap();
        }
    }
    page.push_str(
        "\nFlink's and StarRocks' texts of these cases are not run yet: TPC-DS requests are explained by a real Flink, and read by \
         sqlglot's StarRocks parser and a list of what StarRocks does not accept.\n\n",
    );
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
