//! The real-time side: the rollup as it was stored, at the snapshot of the epoch or checkpoint that reflects the pins. In: a pipeline, the
//! state. Out: its visible columns, or why the rollup does not reflect the state.

mod stream;

use std::collections::BTreeMap;

use unisono_compiler::diagnostic::Diagnostic;

use super::{Asked, Untold, engine_failed};
use crate::check::evidence::WindowStart;
use crate::check::verdict::Cause;
use crate::lake::{Pin, TableName};
use crate::pipeline::{Prepared, at_snapshot, table_rows};
use crate::table::{Column, Table};
use crate::version::TableState;

pub use stream::{FLINK, Recorded, Stream, Streams};

/// An answer of the real-time side.
#[derive(Clone, PartialEq, Debug)]
pub struct Realtime {
    /// Its rows: dimensions and measures.
    pub answer: Table,
    /// The rollup's table.
    pub rollup: String,
    /// The state of the rollup that was read.
    pub state: TableState,
    /// The epoch that it holds; of a rollup that a Flink keeps the job's checkpoint.
    pub epoch: i64,
    /// Where a windowed pipeline began.
    pub start: Option<WindowStart>,
    /// The job, where a Flink keeps the rollup.
    pub stream: Option<Stream>,
}

/// Reads the rollup, or says why it does not reflect the state.
pub(super) async fn read(
    asked: &Asked<'_>,
    prepared: &Prepared,
    state: &BTreeMap<TableName, Pin>,
) -> Result<Realtime, Untold> {
    if prepared.flink.is_some() {
        return stream::read(asked, prepared).await;
    }
    let line = asked.line.name();
    let on = if line == "main" { String::new() } else { format!(" --branch {line}") };
    let run = format!("unisono pipeline run {}{on}", prepared.name);
    let behind = |why: String| Err((Cause::Behind, why));
    let Some(pin) = state.get(&prepared.rollup) else {
        return behind(format!("the pipeline has never run here: {run}"));
    };
    let found = at_snapshot(asked.lake, asked.store, prepared, asked.line, pin.snapshot).await;
    let Some(epoch) = found.map_err(|findings| failed(&findings))? else {
        return behind(format!("the rollup holds no epoch of this pipeline: {run}"));
    };
    if epoch.generation != prepared.generation {
        return behind(format!("the rollup is of an earlier definition of the pipeline: {run}"));
    }
    for (table, reflected) in &epoch.sources {
        if asked.tables.get(table) != Some(reflected) {
            if prepared.windows.is_some() && line != "main" {
                return behind(format!(
                    "branch `{line}` changes {table}, and a windowed pipeline goes by the commits of main: load its events there"
                ));
            }
            let shown = |snapshot: Option<i64>| snapshot.map_or("empty".to_string(), |id| id.to_string());
            let now = asked.tables.get(table).and_then(|state| state.snapshot);
            return behind(format!(
                "the rollup reflects {table} at {}, which is at {} now: {run}",
                shown(reflected.snapshot),
                shown(now)
            ));
        }
    }
    Ok(Realtime {
        answer: stored(asked, prepared, pin).await?,
        rollup: prepared.rollup.to_string(),
        state: TableState::from(pin),
        epoch: epoch.epoch,
        start: epoch.window.map(|window| WindowStart { start: window.start }),
        stream: None,
    })
}

/// The rollup's visible rows at a pin.
async fn stored(asked: &Asked<'_>, prepared: &Prepared, pin: &Pin) -> Result<Table, Untold> {
    let names: Vec<String> = prepared.columns.iter().map(|column| column.name.clone()).collect();
    let rows = asked.lake.read(&prepared.rollup, pin, &names, &[]).await;
    let batches = rows.map_err(engine_failed)?.collect().await;
    let batches = batches.map_err(engine_failed)?;
    let columns = prepared
        .columns
        .iter()
        .map(|column| Column { name: column.name.clone(), data_type: column.data_type })
        .collect();
    let rows = table_rows(&batches).map_err(engine_failed)?;
    Ok(Table { columns, rows, truncated: false })
}

/// The first of an engine's or the lakehouse's findings.
fn failed(findings: &[Diagnostic]) -> Untold {
    engine_failed(findings.first().map_or(Cause::EngineFailed.as_str(), |finding| &finding.message))
}
