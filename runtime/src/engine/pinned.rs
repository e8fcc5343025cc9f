//! Tables of the lake in a session of the embedded batch engine, each at a pin. In: a plan, the pins of the tables that it reads.
//! Out: a session in which the plan's SQL finds exactly those rows, under the names that the model uses.

use std::collections::{BTreeMap, BTreeSet};

use unisono_compiler::ids::{ColumnId, DatasetId};
use unisono_compiler::model::Source;
use unisono_compiler::plan::Plan;
use unisono_compiler::resolve::Resolved;

use super::EngineError;
use super::datafusion::Session;
use crate::data::sources::table_name;
use crate::lake::{Lake, LakeError, Pin, TableName};

/// Why a session could not be filled.
#[derive(Debug, thiserror::Error)]
pub enum PinnedError {
    /// The lake gave no rows.
    #[error(transparent)]
    Lake(#[from] LakeError),
    /// The engine did not take them.
    #[error(transparent)]
    Engine(#[from] EngineError),
    /// A plan reads a table that is not pinned.
    #[error("`{0}` is read and not pinned")]
    NotPinned(String),
}

/// The datasets that a plan scans, with the columns that it reads there.
pub fn scans(resolved: &Resolved, plan: &Plan) -> Vec<(DatasetId, Vec<String>)> {
    let name = |column: ColumnId| resolved.columns[column].name.clone();
    plan.scans()
        .map(|(dataset, columns)| (dataset, columns.iter().map(|(column, _)| name(*column)).collect()))
        .collect()
}

/// Fills a session with the tables that a plan reads.
pub async fn fill(
    session: &Session,
    lake: &Lake,
    resolved: &Resolved,
    plan: &Plan,
    tables: &BTreeMap<DatasetId, TableName>,
    pins: &BTreeMap<TableName, Pin>,
) -> Result<(), PinnedError> {
    let mut wanted: BTreeMap<Vec<String>, (TableName, BTreeSet<String>)> = BTreeMap::new();
    for (dataset, columns) in scans(resolved, plan) {
        match (&resolved.model.datasets[dataset].source, tables.get(&dataset)) {
            (Source::Table(parts), Some(table)) => {
                let (_, known) =
                    wanted.entry(table_name(parts)).or_insert_with(|| (table.clone(), BTreeSet::new()));
                known.extend(columns);
            }
            (Source::Table(parts), None) => return Err(PinnedError::NotPinned(parts.join("."))),
            // Its text may read any column of any table.
            (Source::Query(_), _) => {
                for (table, pin) in pins {
                    let handle = lake.table(table, &pin.line).await?;
                    let name = vec![table.database().to_string(), table.table().to_string()];
                    let (_, known) = wanted.entry(name).or_insert_with(|| (table.clone(), BTreeSet::new()));
                    known.extend(handle.columns.into_iter().map(|column| column.name));
                }
            }
        }
    }
    for (name, (table, columns)) in wanted {
        let pin = pins.get(&table).ok_or_else(|| PinnedError::NotPinned(table.to_string()))?;
        let mut columns: Vec<String> = columns.into_iter().collect();
        if columns.is_empty() {
            // A batch without columns would not know its number of rows.
            let handle = lake.table(&table, &pin.line).await?;
            columns.extend(handle.columns.into_iter().next().map(|column| column.name));
        }
        let rows = lake.read(&table, pin, &columns, &[]).await?;
        let schema = rows.schema.clone();
        session.add_batches(&name, schema, rows.collect().await?)?;
    }
    Ok(())
}
