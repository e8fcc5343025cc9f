//! What a StarRocks of the project can do. In: its engine, the warehouse if there is one. Out: the version that answers, and the first thing that
//! is missing in the order in which they are needed.

use std::path::Path;
use std::time::Duration;

use super::{Found, databases};
use crate::engine::Limits;
use crate::engine::starrocks::{FrontEnd, Session, StarRocksError, quoted};
use crate::table::Value;

/// What a statement may take; each looks at metadata only.
const LIMITS: Limits = Limits { rows: 100_000, time: Duration::from_secs(20) };

/// Looks at a front end. Nothing is written there.
pub(super) async fn look(
    front_end: Result<FrontEnd, StarRocksError>,
    catalog: Option<&str>,
    warehouse: Option<&Path>,
) -> Found {
    let front_end = match front_end {
        Ok(front_end) => front_end,
        Err(error) => return Found::Missing(told(error)),
    };
    let unsafe_line = front_end.address().warning().map(|warning| format!("; {warning}")).unwrap_or_default();
    let mut session = match front_end.open(LIMITS.time).await {
        Ok(session) => session,
        Err(error) => return Found::Missing(told(error) + &unsafe_line),
    };
    let name = format!("StarRocks {} at {}", session.info().version, front_end.address().place());
    let missing = match session.info().target() {
        Ok(_) => missing(&mut session, catalog, warehouse).await,
        Err(finding) => Some(finding.message),
    };
    session.close().await;
    match missing {
        Some(what) => Found::Missing(format!("{name}: {what}{unsafe_line}")),
        None => Found::Good(format!("{name}{unsafe_line}")),
    }
}

/// The first thing that a session lacks.
async fn missing(session: &mut Session, catalog: Option<&str>, warehouse: Option<&Path>) -> Option<String> {
    let Some(catalog) = catalog else {
        return Some("the project names no catalogue of the warehouse: write `catalog: NAME`".to_string());
    };
    let catalog = quoted(&[catalog.to_string()]);
    let seen = match session.execute(&format!("SHOW DATABASES FROM {catalog}"), &[], LIMITS).await {
        Ok(table) => table.rows,
        Err(error) => return Some(format!("it has no catalogue {catalog} for this account: {error}")),
    };
    let seen: Vec<String> = seen.iter().filter_map(|row| row.first()).map(Value::text).collect();
    let unseen =
        warehouse.map(databases).unwrap_or_default().into_iter().find(|name| !seen.contains(name))?;
    Some(format!(
        "its catalogue {catalog} does not show the database `{unseen}`: it needs the same folder at the same path, and the account a right on it"
    ))
}

/// The error with what mends it.
fn told(error: StarRocksError) -> String {
    let finding = error.diagnostic();
    match finding.help.first() {
        Some(help) => format!("{}: {help}", finding.message),
        None => finding.message,
    }
}
