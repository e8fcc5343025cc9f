//! A real Flink that answers cases: one session for all, a catalog for each set of tables.
//! In: a case's tables and model, and the text for Flink. Out: rows; in streaming mode those that are left of the changes.

use std::cell::{Cell, RefCell};
use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use unisono_tests::helper::{self, FlinkMode, FlinkRows, Helper};
use unisono_tests::project;
use unisono_tests::value::{Table, Value};

use super::changelog::changes;
use super::tables::{SourceTable, tables};

/// A session of the gateway.
pub(crate) struct Flink {
    helper: Helper,
    mode: FlinkMode,
    session: &'static str,
    folder: PathBuf,
    /// The catalog of each script and model whose tables are there.
    catalogs: RefCell<BTreeMap<(String, String), String>>,
    /// Changes of all sources, and those that take something back, once for each query that may read them.
    changes: Cell<(usize, usize)>,
}

impl Flink {
    /// A session of this name without tables, or what is missing.
    pub(crate) fn new(name: &'static str, mode: FlinkMode) -> Result<Flink, String> {
        let helper = helper::flink_apart()?;
        let folder = project(".cache").join(name);
        let _ = fs::remove_dir_all(&folder);
        Ok(Flink {
            helper,
            mode,
            session: name,
            folder,
            catalogs: RefCell::default(),
            changes: Cell::new((0, 0)),
        })
    }

    /// The changes that the sources of all catalogs hold, and those of them that are -U or -D.
    pub(crate) fn changes(&self) -> (usize, usize) {
        self.changes.get()
    }

    /// The rows of a query over a script's tables, with the keys that a model declares.
    pub(crate) fn answer(&self, script: &str, model: &str, zone: &str, sql: &str) -> Result<Table, String> {
        let key = (script.to_string(), model.to_string());
        let known = self.catalogs.borrow().get(&key).cloned();
        let catalog = match known {
            Some(catalog) => catalog,
            None => {
                let catalog = format!("c{}", self.catalogs.borrow().len());
                self.make(&catalog, &tables(&key.0, &key.1)?)?;
                self.catalogs.borrow_mut().insert(key, catalog.clone());
                catalog
            }
        };
        let statements = [
            format!("USE CATALOG `{catalog}`"),
            format!("SET 'table.local-time-zone' = '{zone}'"),
            sql.to_string(),
        ];
        let mut last = None;
        for result in self.helper.flink_in(self.session, self.mode, &statements)? {
            last = Some(result?);
        }
        let rows = last.ok_or("no result")?;
        match self.mode {
            FlinkMode::Batch => Ok(rows.table),
            FlinkMode::Streaming => left(&rows),
        }
    }

    /// Writes the tables' files and declares them.
    fn make(&self, catalog: &str, tables: &[SourceTable]) -> Result<(), String> {
        let mut statements = vec![
            format!(
                "CREATE CATALOG `{catalog}` WITH ('type' = 'generic_in_memory', 'default-database' = 'main')"
            ),
            format!("USE CATALOG `{catalog}`"),
        ];
        for table in tables {
            statements.push(format!("CREATE DATABASE IF NOT EXISTS `{}`", table.database));
            let folder = self.folder.join(catalog).join(&table.database).join(&table.name);
            fs::create_dir_all(&folder).map_err(|error| error.to_string())?;
            let lines: Vec<String> = match self.mode {
                FlinkMode::Batch => table
                    .rows
                    .iter()
                    .map(|row| serde_json::Value::Object(row.clone()).to_string() + "\n")
                    .collect(),
                FlinkMode::Streaming => {
                    let changes = changes(table);
                    let (all, retractions) = self.changes.get();
                    self.changes.set((all + changes.all, retractions + changes.retractions));
                    changes.lines.iter().map(|line| format!("{line}\n")).collect()
                }
            };
            fs::write(folder.join("rows.json"), lines.concat()).map_err(|error| error.to_string())?;
            statements.push(self.declared(table, &folder));
        }
        for (statement, result) in
            statements.iter().zip(self.helper.flink_in(self.session, self.mode, &statements)?)
        {
            result.map_err(|error| format!("{error}\n{statement}"))?;
        }
        Ok(())
    }

    /// A table over a folder of files: rows in batch mode, changes in streaming mode.
    fn declared(&self, table: &SourceTable, folder: &Path) -> String {
        let format = match self.mode {
            FlinkMode::Batch => "json",
            FlinkMode::Streaming => "debezium-json",
        };
        let mut columns: Vec<String> = table
            .columns
            .iter()
            .map(|(name, data_type)| {
                let not_null = if table.key.contains(name) { " NOT NULL" } else { "" };
                format!("`{name}` {data_type}{not_null}")
            })
            .collect();
        if !table.key.is_empty() {
            columns.push(format!("PRIMARY KEY (`{}`) NOT ENFORCED", table.key.join("`, `")));
        }
        format!(
            "CREATE TABLE `{}`.`{}` ({}) WITH ('connector' = 'filesystem', 'path' = 'file://{}', 'format' = '{format}', \
             '{format}.timestamp-format.standard' = 'SQL')",
            table.database,
            table.name,
            columns.join(", "),
            folder.display()
        )
    }
}

impl Drop for Flink {
    fn drop(&mut self) {
        // A gateway that is gone has no session to close.
        let _ = self.helper.flink_close(self.session);
    }
}

/// The rows that are left when all changes have been made.
fn left(changelog: &FlinkRows) -> Result<Table, String> {
    let mut rows: Vec<&Vec<Value>> = Vec::new();
    let text = |row: &Vec<Value>| format!("{row:?}");
    for (row, kind) in changelog.table.rows.iter().zip(&changelog.kinds) {
        match kind.as_str() {
            "INSERT" | "UPDATE_AFTER" => rows.push(row),
            "UPDATE_BEFORE" | "DELETE" => {
                // NaN is no NaN, but its text is.
                let at = rows.iter().rposition(|other| text(other) == text(row));
                rows.remove(at.ok_or_else(|| format!("{kind} of a row that is not there: {row:?}"))?);
            }
            other => return Err(format!("a change of kind {other}")),
        }
    }
    Ok(Table { columns: changelog.table.columns.clone(), rows: rows.into_iter().cloned().collect() })
}
