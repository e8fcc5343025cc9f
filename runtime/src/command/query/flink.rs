//! A request answered by Flink in batch mode. In: what was compiled, the warehouse, pins. Out: rows of exactly the pinned snapshots, or why
//! there are none.

use std::collections::BTreeMap;

use unisono_compiler::diagnostic::{Code, Diagnostic};
use unisono_compiler::ids::DatasetId;
use unisono_dialects::{Target, emit, parse_target};

use super::no_queries;
use crate::command::flink::answered;
use crate::compile::Stages;
use crate::engine::Limits;
use crate::engine::flink::{FlinkError, Gateway, Mode, bindings, create_catalog};
use crate::engine::pinned::scans;
use crate::lake::{Lake, Pin, TableName};
use crate::output::Run;
use crate::table::Table;
use crate::workspace::taken;

/// The target for the version that answers at a gateway.
pub(super) async fn target(run: &mut Run, gateway: &Gateway, limits: Limits) -> Option<Target> {
    run.notes.extend(gateway.address().warning());
    let info = answered(run, gateway.info(limits.time).await)?;
    run.check(parse_target(&format!("flink@{}", info.version)).map_err(|finding| vec![finding]))
}

/// Runs what was compiled; its text, and its rows.
pub(super) async fn execute(
    run: &mut Run,
    (gateway, target): (&Gateway, &Target),
    lake: &Lake,
    stages: &Stages,
    tables: &BTreeMap<DatasetId, TableName>,
    pins: &BTreeMap<TableName, Pin>,
    limits: Limits,
) -> Option<(String, Table)> {
    let (resolved, plan) = (stages.resolved.as_ref()?, stages.plan.as_ref()?);
    let read: Vec<DatasetId> = scans(resolved, plan).into_iter().map(|(dataset, _)| dataset).collect();
    run.check(no_queries(resolved, &read, "Flink"))?;
    let bound = taken(run, bindings(lake, tables, pins).await)?;
    let sql = run.stage(emit(stages.adapted.as_ref()?, target, &bound))?;
    let table = answered(run, ask(gateway, lake, &sql, limits).await)?;
    // Nothing pins a table without a snapshot: what was read there is empty only if it still has none.
    for name in read.iter().filter_map(|dataset| tables.get(dataset)) {
        let Some(pin) = pins.get(name).filter(|pin| pin.snapshot.is_none()) else { continue };
        if taken(run, lake.head(name, &pin.line).await)?.snapshot.is_some() {
            run.engine_failed = true;
            let message = format!("{name} got its first rows while it was read");
            run.diagnostics.push(Diagnostic::new(Code::EngineFailed, message).help("ask again"));
            return None;
        }
    }
    Some((sql, table))
}

async fn ask(gateway: &Gateway, lake: &Lake, sql: &str, limits: Limits) -> Result<Table, FlinkError> {
    let session = gateway.open(Mode::Batch).await?;
    let answer = match session.execute(&create_catalog(lake.root()), limits).await {
        Ok(_) => session.execute(sql, limits).await,
        Err(error) => Err(error),
    };
    session.close().await;
    Ok(answer?.table)
}
