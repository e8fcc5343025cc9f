//! The real-time side: the rollup as it was stored, at the snapshot of the epoch that reflects the pins. In: a pipeline, the state.
//! Out: its visible columns, or why the rollup does not reflect the state.

use std::collections::BTreeMap;

use super::Asked;
use crate::check::verdict::Cause;
use crate::lake::{Pin, TableName};
use crate::pipeline::{Prepared, at_snapshot, table_rows};
use crate::table::{Column, Table};

/// An answer of the real-time side.
#[derive(Clone, PartialEq, Debug)]
pub struct Realtime {
    /// Its rows: dimensions and measures.
    pub answer: Table,
    /// The rollup's table.
    pub rollup: String,
    /// The snapshot that was read.
    pub snapshot: Option<i64>,
    /// The epoch that it holds.
    pub epoch: i64,
}

/// Reads the rollup; `Ok(Err(..))` says why it does not reflect the state.
pub(super) async fn read(
    asked: &Asked<'_>,
    prepared: &Prepared,
    state: &BTreeMap<TableName, Pin>,
) -> Result<Result<Realtime, String>, String> {
    let line = asked.line.name();
    let again = if line == "main" { String::new() } else { format!(" --branch {line}") };
    let run = format!("unisono pipeline run {}{again}", prepared.name);
    let Some(pin) = state.get(&prepared.rollup) else {
        return Ok(Err(format!("the pipeline has never run here: {run}")));
    };
    let found = at_snapshot(asked.lake, asked.store, prepared, asked.line, pin.snapshot).await;
    let Some(epoch) = found.map_err(|findings| said(&findings))? else {
        return Ok(Err(format!("the rollup holds no epoch of this pipeline: {run}")));
    };
    if epoch.generation != prepared.generation {
        return Ok(Err(format!("the rollup is of an earlier definition of the pipeline: {run}")));
    }
    for (table, reflected) in &epoch.sources {
        if asked.tables.get(table) != Some(reflected) {
            let shown = |snapshot: Option<i64>| snapshot.map_or("empty".to_string(), |id| id.to_string());
            let now = asked.tables.get(table).and_then(|state| state.snapshot);
            return Ok(Err(format!(
                "the rollup reflects {table} at {}, which is at {} now: {run}",
                shown(reflected.snapshot),
                shown(now)
            )));
        }
    }
    let names: Vec<String> = prepared.columns.iter().map(|column| column.name.clone()).collect();
    let rows =
        asked.lake.read(&prepared.rollup, pin, &names, &[]).await.map_err(|error| error.to_string())?;
    let batches = rows.collect().await.map_err(|error| error.to_string())?;
    let columns = prepared
        .columns
        .iter()
        .map(|column| Column { name: column.name.clone(), data_type: column.data_type })
        .collect();
    let rows = table_rows(&batches).map_err(|fault| fault.to_string())?;
    Ok(Ok(Realtime {
        answer: Table { columns, rows, truncated: false },
        rollup: prepared.rollup.to_string(),
        snapshot: pin.snapshot,
        epoch: epoch.epoch,
    }))
}

fn said(findings: &[unisono_compiler::diagnostic::Diagnostic]) -> String {
    findings
        .first()
        .map_or_else(|| Cause::EngineFailed.as_str().to_string(), |finding| finding.message.clone())
}
