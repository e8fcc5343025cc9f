//! A request answered by StarRocks. In: what was compiled, the warehouse, pins. Out: rows of exactly the pinned snapshots, or why there are none:
//! what a version cannot read by its number has to stand still from before the statement until after it.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use unisono_compiler::diagnostic::{Code, Diagnostic};
use unisono_compiler::ids::DatasetId;
use unisono_dialects::{Target, emit};

use super::no_queries;
use crate::check::prove::StarRocks;
use crate::command::starrocks::answered;
use crate::compile::Stages;
use crate::engine::Limits;
use crate::engine::pinned::scans;
use crate::engine::starrocks::{Session, StarRocksError, moved, reading};
use crate::lake::{Lake, Pin, TableName};
use crate::output::Run;
use crate::table::{Column, Table};
use crate::workspace::taken;

/// How often it is looked whether Ctrl-C was pressed.
const LOOK: Duration = Duration::from_millis(50);

/// A session, and what texts for it look like.
pub(super) struct Opened {
    /// The session; it must be closed.
    pub(super) session: Session,
    /// The target for the version that answers.
    pub(super) target: Target,
    /// The catalogue of the warehouse.
    catalog: String,
}

/// Opens a session.
pub(super) async fn open(run: &mut Run, engine: StarRocks, limits: Limits) -> Option<Opened> {
    let session = answered(run, engine.front_end.open(limits.time).await)?;
    match session.info().target() {
        Ok(target) => Some(Opened { session, target, catalog: engine.catalog }),
        Err(finding) => {
            session.close().await;
            run.diagnostics.push(finding);
            None
        }
    }
}

/// Runs what was compiled; its text, and its rows.
pub(super) async fn execute(
    run: &mut Run,
    opened: &mut Opened,
    lake: &Lake,
    stages: &Stages,
    (tables, pins): (&BTreeMap<DatasetId, TableName>, &BTreeMap<TableName, Pin>),
    limits: Limits,
) -> Option<(String, Table)> {
    let (resolved, plan) = (stages.resolved.as_ref()?, stages.plan.as_ref()?);
    let read: Vec<DatasetId> = scans(resolved, plan).into_iter().map(|(dataset, _)| dataset).collect();
    run.check(no_queries(resolved, &read, "StarRocks"))?;
    let tables: BTreeMap<DatasetId, TableName> =
        read.iter().filter_map(|dataset| Some((*dataset, tables.get(dataset)?.clone()))).collect();
    let how = taken(run, reading(lake, (&opened.target, &opened.catalog), &tables, pins).await)?;
    let sql = run.stage(emit(stages.adapted.as_ref()?, &opened.target, &how.bindings))?;
    if let Some((name, stands)) = taken(run, moved(lake, &how.unpinned).await)? {
        let stands = stands.map_or("empty".to_string(), |snapshot| format!("at snapshot {snapshot}"));
        let message = format!(
            "{name} stands {stands}, and {} reads it only as it stands, not as it was asked for",
            opened.target
        );
        let finding = Diagnostic::new(Code::UnsupportedSource, message);
        run.diagnostics.push(finding.help("ask for the heads of main, or use StarRocks 4.1"));
        return None;
    }
    for statement in &how.refresh {
        match opened.session.execute(statement, &[], limits).await {
            Err(error) if error.is_denied() => run.notes.push(format!(
                "the account may not refresh what StarRocks knows of tables (ALTER on them): it can take 10 minutes to see a new column ({error})"
            )),
            outcome => drop(answered(run, outcome)?),
        }
    }
    let compiled = stages.relation.as_ref()?.columns().into_iter();
    let columns: Vec<Column> =
        compiled.map(|column| Column { name: column.name, data_type: column.data_type }).collect();
    let outcome = watched(run, &mut opened.session, &sql, &columns, limits).await?;
    let table = answered(run, outcome)?;
    if let Some((name, _)) = taken(run, moved(lake, &how.unpinned).await)? {
        run.engine_failed = true;
        let message = format!("{name} was written while StarRocks read it");
        run.diagnostics.push(Diagnostic::new(Code::EngineFailed, message).help("ask again"));
        return None;
    }
    Some((sql, table))
}

/// Runs a statement and kills it at the server when Ctrl-C is pressed.
async fn watched(
    run: &mut Run,
    session: &mut Session,
    sql: &str,
    columns: &[Column],
    limits: Limits,
) -> Option<Result<Table, StarRocksError>> {
    let stopped = Arc::new(AtomicBool::new(false));
    let flag = Arc::clone(&stopped);
    // Where no handler can be set, the process ends as usual, and the server's own limit of time ends the statement.
    let _ = ctrlc::set_handler(move || flag.store(true, Ordering::Relaxed));
    let interrupted = async {
        while !stopped.load(Ordering::Relaxed) {
            tokio::time::sleep(LOOK).await;
        }
    };
    let outcome = tokio::select! {
        outcome = session.execute(sql, columns, limits) => Some(outcome),
        () = interrupted => None,
    };
    if outcome.is_none() {
        session.cancel().await;
        let finding =
            Diagnostic::new(Code::Interrupted, "the query was interrupted, and ended at StarRocks too");
        run.diagnostics.push(finding.help("run it again"));
    }
    outcome
}
