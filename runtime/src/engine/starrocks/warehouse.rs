//! A project's warehouse as StarRocks sees it: tables of an external catalogue. In: an engine of the project file, a warehouse, pins. Out: a
//! front end, the names and pins that a text reads tables by, and which tables it can only read as they are at that moment.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use unisono_compiler::ids::DatasetId;
use unisono_dialects::{Binding, Bindings, BoundSource, Pin as TextPin, Target, reads_snapshots};

use super::address::Address;
use super::fault::StarRocksError;
use super::session::FrontEnd;
use crate::lake::{Lake, LakeError, Pin, TableName};
use crate::project::Tls;

/// The front end of an engine of the project, whose file lies in a directory.
pub fn front_end(
    url: &str,
    tls: Tls,
    authority: Option<&str>,
    directory: &Path,
) -> Result<FrontEnd, StarRocksError> {
    let authority = authority.map(|path| directory.join(path));
    let address = Address::parse(url, tls, authority.as_deref(), |name| std::env::var(name).ok())?;
    Ok(FrontEnd::new(address))
}

/// How a text reads its tables.
#[derive(Debug)]
pub struct Reading {
    /// Where each dataset is read.
    pub bindings: Bindings,
    /// The statements that make the front end forget what it knew of the tables.
    pub refresh: Vec<String>,
    /// The tables that are read as they are when the statement runs: the answer counts only if they stand at their pins before and after.
    pub unpinned: BTreeMap<TableName, Pin>,
}

/// How a text for a target reads datasets out of a catalogue, each at its pin.
pub async fn reading(
    lake: &Lake,
    (target, catalog): (&Target, &str),
    tables: &BTreeMap<DatasetId, TableName>,
    pins: &BTreeMap<TableName, Pin>,
) -> Result<Reading, LakeError> {
    let mut bindings = Bindings::default();
    let mut refresh = BTreeSet::new();
    let mut unpinned = BTreeMap::new();
    for (dataset, name) in tables {
        let Some(pin) = pins.get(name) else { continue };
        let (database, table, branch) = lake.table(name, &pin.line).await?.stored_as();
        // A snapshot of a branch has no name there, and an empty table has no snapshot.
        let by_number = reads_snapshots(target) && branch.is_none() && pin.snapshot.is_some();
        let text_pin = match (&branch, by_number) {
            (_, true) => Some(TextPin { branch: None, snapshot: pin.snapshot, consumer: None }),
            (Some(_), false) => Some(TextPin { branch, snapshot: None, consumer: None }),
            (None, false) => None,
        };
        if !by_number {
            unpinned.insert(name.clone(), pin.clone());
        }
        let parts = vec![catalog.to_string(), database, table];
        refresh.insert(format!("REFRESH EXTERNAL TABLE {}", quoted(&parts)));
        bindings.bind(*dataset, Binding { source: BoundSource::Table(parts), pin: text_pin });
    }
    Ok(Reading { bindings, refresh: refresh.into_iter().collect(), unpinned })
}

/// The first of the tables that does not stand at its pin, with where it stands.
pub async fn moved(
    lake: &Lake,
    unpinned: &BTreeMap<TableName, Pin>,
) -> Result<Option<(TableName, Option<i64>)>, LakeError> {
    for (name, pin) in unpinned {
        let head = lake.head(name, &pin.line).await?;
        if head.snapshot != pin.snapshot {
            return Ok(Some((name.clone(), head.snapshot)));
        }
    }
    Ok(None)
}

/// A name in parts, each in backticks.
pub fn quoted(parts: &[String]) -> String {
    let parts: Vec<String> = parts.iter().map(|part| format!("`{}`", part.replace('`', "``"))).collect();
    parts.join(".")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_backtick_in_a_name_ends_no_name() {
        let parts = ["la`ke".to_string(), "shop".to_string(), "orders".to_string()];
        assert_eq!(quoted(&parts), "`la``ke`.`shop`.`orders`");
    }
}
