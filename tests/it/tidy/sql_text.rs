//! SQL is a tree until it is printed: no string in dialects joins SQL words with values outside of the printer.
//! A heuristic on literals: an SQL word in capitals and a place for a value, in a text that is no message.

use super::rust::sources;
use super::{place, report};

/// The printer, and where quoting and literals live.
const PRINTERS: [&str; 3] =
    ["dialects/src/sql/print.rs", "dialects/src/sql/print/", "dialects/src/sql/quote.rs"];

/// Words that no message needs in capitals beside a value.
const WORDS: [&str; 28] = [
    "AND",
    "AS",
    "BETWEEN",
    "BY",
    "CASE",
    "CAST",
    "CREATE",
    "CROSS",
    "DISTINCT",
    "ELSE",
    "END",
    "FILTER",
    "FROM",
    "FULL",
    "GROUP",
    "HAVING",
    "INSERT",
    "INTERVAL",
    "JOIN",
    "LIMIT",
    "ORDER",
    "OVER",
    "PARTITION",
    "SELECT",
    "THEN",
    "UNION",
    "WHEN",
    "WHERE",
];

/// A text with an SQL word and a place for a value (`{}`, `{name}`, `{0:?}`). Words between backticks are quoted in a message.
fn joins_sql(literal: &str) -> bool {
    let spoken: String = literal.split('`').step_by(2).collect::<Vec<_>>().join(" ");
    let takes_a_value = spoken.replace("{{", "").contains('{');
    let words = spoken.split(|character: char| !character.is_ascii_alphanumeric() && character != '_');
    takes_a_value && words.into_iter().any(|word| WORDS.contains(&word))
}

#[test]
fn no_sql_is_written_outside_the_printer() {
    let files = sources(&["dialects/src/"])
        .filter(|file| !PRINTERS.iter().any(|printer| file.path.starts_with(printer)));
    let broken: Vec<_> = files
        .flat_map(|file| {
            file.literals()
                .filter(|literal| joins_sql(&literal.text))
                .map(|literal| place(file.path, literal.line, &literal.text))
        })
        .collect();
    report("SQL is built as a tree; only sql/print.rs and sql/quote.rs write text.", &broken);
}

#[test]
fn joined_sql_is_seen() {
    assert!(
        joins_sql("SELECT {columns}") && joins_sql("CAST({} AS {to})") && joins_sql("{left} AND {right}")
    );
    assert!(!joins_sql("SELECT") && !joins_sql("{{\"FROM\": 1}}"));
    assert!(
        !joins_sql("`FULL JOIN` on {target}: use `GROUP BY`") && !joins_sql("{name} and {other} as written")
    );
}
