//! What happened to the sources of a plan. In: the plan's scans. Out: signed rows by dataset, read once for all scans of it.

use std::collections::{BTreeMap, BTreeSet};

use unisono_compiler::ids::{ColumnId, DatasetId};

use super::super::program::{Program, Step};
use super::super::sources::{SourceChange, Sources};
use super::super::view::View;
use super::super::{Fault, Value};

/// Signed rows of one dataset.
pub(super) struct Images {
    columns: Vec<ColumnId>,
    rows: Vec<(i8, Vec<Value>)>,
}

/// Signed rows of those datasets that changed.
pub(super) enum Changes {
    /// Of one it cannot be told.
    Unknown,
    /// By dataset.
    Rows(BTreeMap<DatasetId, Images>),
}

impl Changes {
    /// Asks every source for what changed in the columns that the plan scans.
    pub(super) fn read(program: &Program, sources: &mut dyn Sources) -> Result<Changes, Fault> {
        let mut scanned: BTreeMap<DatasetId, BTreeSet<ColumnId>> = BTreeMap::new();
        for (_, step) in program.nodes() {
            if let Step::Scan { dataset, columns, places: _ } = step {
                scanned.entry(*dataset).or_default().extend(columns);
            }
        }
        let mut changes = BTreeMap::new();
        for (dataset, columns) in scanned {
            let columns: Vec<ColumnId> = columns.into_iter().collect();
            match sources.change(dataset, &columns)? {
                SourceChange::Unchanged => {}
                SourceChange::Unknown => return Ok(Changes::Unknown),
                SourceChange::Rows(rows) if rows.is_empty() => {}
                SourceChange::Rows(rows) => {
                    changes.insert(dataset, Images { columns, rows });
                }
            }
        }
        Ok(Changes::Rows(changes))
    }
}

impl Images {
    /// The rows in a view's columns.
    pub(super) fn in_columns(&self, view: &View) -> Result<Vec<(i8, Vec<Value>)>, Fault> {
        let positions: Vec<usize> = view
            .columns
            .iter()
            .map(|column| self.columns.iter().position(|own| own == column))
            .collect::<Option<_>>()
            .ok_or_else(|| Fault::Plan("a change without a scanned column".to_string()))?;
        let narrow = |row: &[Value]| -> Option<Vec<Value>> {
            positions.iter().map(|position| row.get(*position).cloned()).collect()
        };
        self.rows
            .iter()
            .map(|(sign, row)| {
                let row = narrow(row)
                    .ok_or_else(|| Fault::Source("a changed row has too few columns".to_string()))?;
                Ok((*sign, row))
            })
            .collect()
    }
}
