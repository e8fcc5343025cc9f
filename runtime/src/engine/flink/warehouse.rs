//! A project's warehouse as Flink sees it. In: an engine of the project file, a warehouse, pinned tables. Out: a gateway, the catalogue's
//! statement, the names and pins that a text reads them by.

use std::collections::BTreeMap;
use std::path::Path;

use unisono_compiler::ids::DatasetId;
use unisono_compiler::source::Spanned;
use unisono_dialects::{Binding, Bindings, BoundSource, Pin as TextPin};

use super::address::Address;
use super::fault::FlinkError;
use super::session::Gateway;
use crate::lake::{Lake, LakeError, Pin, TableName};
use crate::project::Tls;

/// The catalogue's name in every session; it lives and dies with the session.
pub const CATALOG: &str = "unisono";

/// A table's name in a session.
pub fn qualified(name: &TableName) -> Vec<String> {
    [CATALOG, name.database(), name.table()].map(ToString::to_string).to_vec()
}

/// The gateway of an engine of the project.
pub fn gateway(
    address: &str,
    session: &[(Spanned<String>, Spanned<String>)],
    tls: Tls,
) -> Result<Gateway, FlinkError> {
    let address = Address::parse(address, tls, |name| std::env::var(name).ok())?;
    Gateway::new(address, settings(session))
}

/// The settings of the project file, without their places.
pub fn settings(session: &[(Spanned<String>, Spanned<String>)]) -> Vec<(String, String)> {
    session.iter().map(|(key, value)| (key.value.clone(), value.value.clone())).collect()
}

/// Makes the warehouse known to a session. Without a cache: another writer's column must not stay invisible.
pub fn create_catalog(warehouse: &Path) -> String {
    create_catalog_at(&format!("file://{}", warehouse.display()))
}

/// The same for a place that is written as a text.
pub fn create_catalog_at(warehouse: &str) -> String {
    let path = warehouse.replace('\'', "''");
    format!(
        "CREATE CATALOG `{CATALOG}` WITH ('type'='paimon', 'warehouse'='{path}', 'cache-enabled'='false')"
    )
}

/// Where a text reads each dataset: the table of its line at its pin. A table without a snapshot has no pin: the caller looks whether it
/// got one meanwhile.
pub async fn bindings(
    lake: &Lake,
    tables: &BTreeMap<DatasetId, TableName>,
    pins: &BTreeMap<TableName, Pin>,
) -> Result<Bindings, LakeError> {
    let mut bindings = Bindings::default();
    for (dataset, name) in tables {
        let Some(pin) = pins.get(name) else { continue };
        let (database, table, branch) = lake.table(name, &pin.line).await?.stored_as();
        let source = BoundSource::Table(vec![CATALOG.to_string(), database, table]);
        let pin = TextPin { branch, snapshot: pin.snapshot, consumer: None };
        bindings.bind(*dataset, Binding { source, pin: Some(pin) });
    }
    Ok(bindings)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_quote_in_a_path_ends_no_text() {
        assert_eq!(
            create_catalog(Path::new("/data/it's")),
            "CREATE CATALOG `unisono` WITH ('type'='paimon', 'warehouse'='file:///data/it''s', 'cache-enabled'='false')"
        );
    }
}
