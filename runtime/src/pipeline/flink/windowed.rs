//! What a windowed pipeline's job has beside an updating one's: a temporary table whose rows have a time and a watermark, and the buckets that are closed
//! before it begins, which a batch statement tells. In: a prepared pipeline, its windows, where it begins. Out: texts, or the moment up to which all is told.
//!
//! A stream reads the rows with which it begins in no order that means anything, and its watermark would run ahead of most of them. So the stream is given
//! the buckets that are open at the beginning and later ones only.

use arrow::array::AsArray;
use arrow::datatypes::TimestampMicrosecondType;
use unisono_compiler::diagnostic::{Code, Diagnostic};
use unisono_dialects::{
    Binding, Bindings, BoundSource, Engine, EventTable, Pin, TableSpec, emit, flink_event_table,
    flink_rollup_insert, rows_before,
};

use super::adapted;
use super::job::SOURCE;
use crate::calendar::format_timestamp;
use crate::compile::made;
use crate::engine::flink::qualified;
use crate::lake::{Lake, Line, Pin as LakePin};
use crate::pipeline::{Prepared, Windows};

/// The temporary table of a job.
pub(super) const EVENTS: &str = "unisono_events";

/// Where it lies in a session that uses no catalogue of ours, as plans print it.
pub(super) const EVENTS_SCANNED: &str = "default_catalog, default_database, unisono_events";

/// CREATE TEMPORARY TABLE for a session. `start`: the snapshot whose rows come first; `None` for that of the moment.
pub fn event_table(windows: &Windows, warehouse: &str, start: Option<i64>) -> String {
    let (database, table) = (windows.table.database(), windows.table.table());
    let path = format!("{warehouse}/{database}.db/{table}");
    let of_source = SOURCE.iter().map(|(key, value)| ((*key).to_string(), (*value).to_string()));
    let begins = start.into_iter().flat_map(|start| {
        [
            ("scan.mode".to_string(), "from-snapshot-full".to_string()),
            ("scan.snapshot-id".to_string(), start.to_string()),
        ]
    });
    let options: Vec<(String, String)> = of_source.chain(begins).collect();
    flink_event_table(&EventTable {
        name: EVENTS,
        table: &qualified(&windows.table),
        path: &path,
        time: &windows.time,
        wait: u64::try_from(windows.wait() / 1000).unwrap_or(0),
        options: &options,
    })
}

/// The start of the first bucket that is open at a snapshot: all before it are told in batch. `None` where no row has a time.
pub(super) async fn since(
    lake: &Lake,
    windows: &Windows,
    start: i64,
) -> Result<Option<String>, Vec<Diagnostic>> {
    let head = lake.head(&windows.table, &Line::Main).await?;
    let pin = LakePin { snapshot: Some(start), ..head };
    let mut rows = lake.read(&windows.table, &pin, std::slice::from_ref(&windows.time), &[]).await?;
    let mut latest: Option<i64> = None;
    while let Some(batch) = rows.next().await? {
        let times = batch.column(0).as_primitive_opt::<TimestampMicrosecondType>();
        let times = times.ok_or_else(|| {
            vec![Diagnostic::new(Code::Internal, format!("`{}` is no Timestamp", windows.time))]
        })?;
        latest = latest.max(times.iter().flatten().max());
    }
    Ok(latest.map(|latest| format_timestamp(windows.first_open(latest)).replace('T', " ")))
}

/// INSERT of the buckets that begin before a moment, from the rows of a snapshot.
pub(super) fn fill(
    prepared: &Prepared,
    windows: &Windows,
    (version, rollup, spec): (&str, &[String], &TableSpec),
    (start, since): (i64, &str),
) -> Result<String, Vec<Diagnostic>> {
    let (target, relation) = adapted(prepared, Engine::FlinkBatch, version)?;
    let relation = rows_before(&relation, &windows.time, since);
    let mut bindings = Bindings::default();
    let pin = Pin { branch: None, snapshot: Some(start), consumer: None };
    let source = BoundSource::Table(qualified(&windows.table));
    bindings.bind(windows.dataset, Binding { source, pin: Some(pin) });
    let (sql, findings) = emit(&relation, &target, &bindings);
    Ok(flink_rollup_insert(rollup, spec, prepared.dimensions, &made(sql, findings)?))
}
