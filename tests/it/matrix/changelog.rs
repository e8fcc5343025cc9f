//! A table's rows as they come about: inserted, corrected, taken back and put in again.
//! In: a table. Out: changes in order, which leave exactly the table's rows, and how many of them take something back.

use serde_json::{Value as Json, json};

use super::tables::{Row, SourceTable};

/// A change as Debezium writes it.
pub(super) struct Changes {
    /// One object each.
    pub(super) lines: Vec<Json>,
    /// The rows that a source makes of them: an update is -U and +U.
    pub(super) all: usize,
    /// Those of them that are -U or -D.
    pub(super) retractions: usize,
}

impl Changes {
    fn insert(&mut self, row: &Row) {
        self.lines.push(json!({"op": "c", "before": null, "after": row}));
        self.all += 1;
    }

    fn update(&mut self, before: &Row, after: &Row) {
        self.lines.push(json!({"op": "u", "before": before, "after": after}));
        self.all += 2;
        self.retractions += 1;
    }

    fn delete(&mut self, row: &Row) {
        self.lines.push(json!({"op": "d", "before": row, "after": null}));
        self.all += 1;
        self.retractions += 1;
    }
}

/// Of three rows the first comes as a draft with another row's values and is corrected, the second is deleted and comes again, the third
/// comes once. A row that is in no answer comes with the first wave, is changed, and goes with the last. The changes of a wave come together,
/// as in a commit.
pub(super) fn changes(table: &SourceTable) -> Changes {
    let mut changes = Changes { lines: Vec::new(), all: 0, retractions: 0 };
    let rows = &table.rows;
    let drafts: Vec<Row> = rows
        .iter()
        .enumerate()
        .map(|(at, row)| with_key_of(row, &rows[(at + 1) % rows.len()], &table.key))
        .collect();
    let ghost = rows.last().and_then(|row| ghost(table, row));
    for (at, row) in rows.iter().enumerate() {
        changes.insert(if at % 3 == 0 { &drafts[at] } else { row });
    }
    if let Some(ghost) = &ghost {
        changes.insert(ghost);
    }
    for (at, row) in rows.iter().enumerate() {
        match at % 3 {
            0 => changes.update(&drafts[at], row),
            1 => changes.delete(row),
            _ => {}
        }
    }
    let moved = ghost.as_ref().map(|ghost| with_key_of(ghost, &rows[0], &table.key));
    if let (Some(ghost), Some(moved)) = (&ghost, &moved) {
        changes.update(ghost, moved);
    }
    for (_, row) in rows.iter().enumerate().filter(|(at, _)| at % 3 == 1) {
        changes.insert(row);
    }
    if let Some(moved) = &moved {
        changes.delete(moved);
    }
    changes
}

/// Another row's values under the key of the first.
fn with_key_of(row: &Row, other: &Row, key: &[String]) -> Row {
    let mut mixed = other.clone();
    for name in key {
        if let Some(value) = row.get(name) {
            mixed.insert(name.clone(), value.clone());
        }
    }
    mixed
}

/// A row under a key that no row has; without a key, the same row once more. `None` where no such key is at hand.
fn ghost(table: &SourceTable, row: &Row) -> Option<Row> {
    let mut ghost = row.clone();
    let Some(name) = table.key.first() else { return Some(ghost) };
    let (_, data_type) = table.columns.iter().find(|(column, _)| column == name)?;
    let free = match data_type.as_str() {
        "STRING" => "a key of no row",
        "INTEGER" | "BIGINT" => "1999999999",
        _ => return None,
    };
    ghost.insert(name.clone(), free.into());
    Some(ghost)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn table(key: &[&str], ids: &[i64]) -> SourceTable {
        let row = |id: &i64| {
            let Json::Object(row) = json!({"id": id.to_string(), "v": format!("value {id}")}) else {
                panic!("no object")
            };
            row
        };
        SourceTable {
            database: "main".to_string(),
            name: "t".to_string(),
            columns: vec![("id".to_string(), "INTEGER".to_string()), ("v".to_string(), "STRING".to_string())],
            key: key.iter().map(ToString::to_string).collect(),
            rows: ids.iter().map(row).collect(),
        }
    }

    /// What is left when all changes have been made.
    fn left(changes: &Changes) -> Vec<String> {
        let mut rows: Vec<String> = Vec::new();
        for change in &changes.lines {
            if !change["before"].is_null() {
                let before = change["before"].to_string();
                let at = rows.iter().position(|row| *row == before).unwrap();
                rows.remove(at);
            }
            if !change["after"].is_null() {
                rows.push(change["after"].to_string());
            }
        }
        rows.sort();
        rows
    }

    #[test]
    fn the_rows_are_left_and_a_fifth_is_taken_back() {
        for key in [&["id"][..], &[]] {
            for ids in [&[][..], &[1], &[1, 2], &[1, 2, 3, 4, 5, 6, 7], &[2, 2, 2]] {
                let table = table(key, ids);
                let changes = changes(&table);
                let mut expected: Vec<String> =
                    table.rows.iter().map(|row| Json::Object(row.clone()).to_string()).collect();
                expected.sort();
                if key.is_empty() || ids != [2, 2, 2] {
                    assert_eq!(left(&changes), expected);
                }
                assert!(changes.retractions * 5 >= changes.all, "{ids:?}");
            }
        }
    }

    #[test]
    fn a_key_keeps_its_row() {
        let table = table(&["id"], &[1, 2, 3, 4]);
        for change in changes(&table).lines.iter().filter(|change| change["op"] == "u") {
            assert_eq!(change["before"]["id"], change["after"]["id"]);
            assert_ne!(change["before"], change["after"]);
        }
    }
}
