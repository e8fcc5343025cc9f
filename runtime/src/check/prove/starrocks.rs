//! The batch side on a StarRocks. In: a front end, a pipeline, pins. Out: a session, and the answer at exactly these pins. A table that the version
//! cannot read by its snapshot's number has to stand still from before the statement until after it: else nothing can be told.

use std::collections::BTreeMap;

use unisono_compiler::ids::DatasetId;
use unisono_dialects::{Target, emit};

use super::batch::{Batch, Compiled, LIMITS, words};
use super::{Asked, Untold, engine_failed};
use crate::check::verdict::Cause;
use crate::engine::pinned::scans;
use crate::engine::starrocks::{FrontEnd, Session, moved, reading};
use crate::lake::{Pin, TableName};
use crate::pipeline::Prepared;
use crate::table::Column;

/// A StarRocks of the project.
#[derive(Clone, Debug)]
pub struct StarRocks {
    /// Its name in the project.
    pub name: String,
    /// Where it is.
    pub front_end: FrontEnd,
    /// Its catalogue of the warehouse.
    pub catalog: String,
}

/// A session of one.
pub(super) struct Opened {
    session: Session,
    catalog: String,
    /// The target for the version that answers.
    pub(super) target: Target,
}

impl Opened {
    /// Ends the session.
    pub(super) async fn close(self) {
        self.session.close().await;
    }
}

/// A session with the StarRocks that answers for a pipeline; `None` if the embedded engine does.
pub(super) async fn open(asked: &Asked<'_>, prepared: &Prepared) -> Result<Option<Opened>, String> {
    let Some(name) = &prepared.starrocks else { return Ok(None) };
    let known = asked.starrocks.iter().find(|known| known.name == *name);
    let StarRocks { front_end, catalog, .. } =
        known.ok_or_else(|| format!("the project declares no engine `{name}`"))?;
    let session = front_end.open(LIMITS.time).await.map_err(|error| error.to_string())?;
    match session.info().target() {
        Ok(target) => Ok(Some(Opened { session, catalog: catalog.clone(), target })),
        Err(finding) => {
            session.close().await;
            Err(finding.message)
        }
    }
}

/// Its answer.
pub(super) async fn answer(
    asked: &Asked<'_>,
    prepared: &Prepared,
    compiled: &Compiled,
    state: &BTreeMap<TableName, Pin>,
    opened: &mut Opened,
) -> Result<Batch, Untold> {
    let read = scans(&compiled.resolved, &compiled.plan);
    let tables: BTreeMap<DatasetId, TableName> = read
        .into_iter()
        .filter_map(|(dataset, _)| Some((dataset, prepared.tables.get(&dataset)?.clone())))
        .collect();
    let how = reading(asked.lake, (&opened.target, &opened.catalog), &tables, state)
        .await
        .map_err(engine_failed)?;
    let (sql, wrong) = emit(&compiled.adapted, &opened.target, &how.bindings);
    let sql = sql.ok_or_else(|| engine_failed(words(&wrong)))?;
    let stands = async |when: &str| match moved(asked.lake, &how.unpinned).await {
        Ok(None) => Ok(()),
        Ok(Some((name, _))) => {
            let target = &opened.target;
            let why = format!(
                "{name} does not stand at its pin {when} {target} reads it, and it reads it only as it stands"
            );
            Err((Cause::SnapshotMoved, why))
        }
        Err(error) => Err(engine_failed(error)),
    };
    stands("before").await?;
    for statement in &how.refresh {
        match opened.session.execute(statement, &[], LIMITS).await {
            // An account without ALTER sees a new column late, and then says that it is not there.
            Err(error) if error.is_denied() => {}
            outcome => drop(outcome.map_err(engine_failed)?),
        }
    }
    let columns: Vec<Column> = compiled
        .adapted
        .columns()
        .into_iter()
        .map(|column| Column { name: column.name, data_type: column.data_type })
        .collect();
    let answer = opened.session.execute(&sql, &columns, LIMITS).await.map_err(engine_failed)?;
    stands("after").await?;
    let settings = opened.session.settings();
    Ok(Batch {
        engine: "starrocks",
        version: opened.session.info().version.clone(),
        settings: settings.into_iter().map(|(name, literal)| (name.to_string(), literal)).collect(),
        sql,
        answer,
    })
}
