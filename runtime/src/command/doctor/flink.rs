//! What a Flink of the project can do. In: its engine, the warehouse if there is one. Out: the version that answers, and each thing that is
//! missing, one at a time in the order in which they are needed.

use std::path::Path;
use std::time::Duration;

use unisono_dialects::parse_target;

use super::{Found, databases};
use crate::engine::Limits;
use crate::engine::flink::{CATALOG, FlinkError, Gateway, Info, Mode, Session, create_catalog};
use crate::table::Value;

/// What the gateway itself may take; it answers at once or not at all.
const GATEWAY: Duration = Duration::from_secs(5);
/// What a job of one row may take; the first one of a cluster takes several seconds.
const JOB: Limits = Limits { rows: 1_000, time: Duration::from_secs(20) };

/// Looks at a gateway. Nothing is written, in no warehouse and no cluster.
pub(super) async fn look(gateway: Result<Gateway, FlinkError>, warehouse: Option<&Path>) -> Found {
    let gateway = match gateway {
        Ok(gateway) => gateway,
        Err(error) => return Found::Missing(error.to_string()),
    };
    let address = gateway.address().as_str().to_string();
    let info = match gateway.info(GATEWAY).await {
        Ok(info) => info,
        Err(error) => {
            return Found::Missing(format!("{}: start it, or mend its address", told(&error, &address)));
        }
    };
    let name = format!("{} {} at {address}", info.product, info.version);
    if let Err(finding) = parse_target(&format!("flink@{}", info.version)) {
        return Found::Missing(format!("{name}: {}", finding.message));
    }
    let session = match gateway.open(Mode::Batch).await {
        Ok(session) => session,
        Err(error) => return Found::Missing(format!("{name}: {}", told(&error, &address))),
    };
    let missing = missing(&session, &info, warehouse).await;
    session.close().await;
    let unsafe_line = gateway.address().warning().map(|warning| format!("; {warning}")).unwrap_or_default();
    match missing {
        Some(what) => Found::Missing(format!("{name}: {what}{unsafe_line}")),
        None => Found::Good(format!("{name}{unsafe_line}")),
    }
}

/// The first thing that a session lacks.
async fn missing(session: &Session, info: &Info, warehouse: Option<&Path>) -> Option<String> {
    if let Some(warehouse) = warehouse {
        match session.execute(&create_catalog(warehouse), JOB).await {
            Ok(_) => {}
            Err(FlinkError::Failed(cause)) if cause.contains("'paimon'") => {
                return Some(format!(
                    "it has no Paimon: put the jar of paimon-flink for Flink {} last on the class path of Flink and of its gateway",
                    info.version
                ));
            }
            Err(error) => return Some(format!("it cannot open the warehouse: {error}")),
        }
        match session.execute(&format!("SHOW DATABASES IN `{CATALOG}`"), JOB).await {
            Ok(answer) => {
                let seen: Vec<String> = answer.table.rows.iter().flatten().map(Value::text).collect();
                if let Some(unseen) =
                    databases(warehouse).into_iter().find(|database| !seen.contains(database))
                {
                    return Some(format!(
                        "it does not see the database `{unseen}` of the warehouse: Flink needs the same folder at the same path"
                    ));
                }
            }
            Err(error) => return Some(format!("it cannot read the warehouse: {error}")),
        }
    }
    match session.execute("VALUES (1)", JOB).await {
        Ok(_) => None,
        Err(error @ FlinkError::Timeout(_)) => Some(format!(
            "the gateway answers, and no task runs ({error}): is a TaskManager there, with a free slot?"
        )),
        Err(error) => Some(format!("the gateway answers, and a job fails: {error}")),
    }
}

fn told(error: &FlinkError, address: &str) -> String {
    match error {
        FlinkError::Timeout(_) => format!("no gateway answers at {address} within {} s", GATEWAY.as_secs()),
        other => other.to_string(),
    }
}
