//! Checkpoints: every table of main tagged under one name, so that its files stay. In: a name. Out: a version that `--at` finds.

use std::collections::BTreeMap;

use unisono_compiler::diagnostic::{Code, Diagnostic};

use super::context::Context;
use super::record::{TableState, Version};
use super::store::Store;
use crate::lake::{Lake, LakeError, Line, Place, TableLock, TableName};

/// The tag that keeps a version's files.
pub fn version_tag(number: u64) -> String {
    format!("unisono_v{number}")
}

/// Held from the choice of a version's number to its record: a number is never given twice.
pub(super) async fn versions_lock(lake: &Lake) -> Result<TableLock, Vec<Diagnostic>> {
    let failed = |error: LakeError| vec![error.diagnostic()];
    let place = Place::new(&TableName::new("unisono", "versions").map_err(failed)?, &Line::Main);
    lake.lock_named("versions", &place).await.map_err(failed)
}

/// Makes a checkpoint of main.
pub async fn checkpoint(
    lake: &Lake,
    store: &Store,
    name: &str,
    context: &Context,
) -> Result<Version, Vec<Diagnostic>> {
    Line::branch(name).map_err(|_| {
        vec![
            Diagnostic::new(Code::BranchName, format!("`{name}` is no name of a checkpoint"))
                .help("use 1 to 64 lower-case letters, digits and `_`, not only digits, and not `main`"),
        ]
    })?;
    if store.versions()?.iter().any(|version| version.name.as_deref() == Some(name)) {
        return Err(vec![
            Diagnostic::new(Code::TagExists, format!("there is a checkpoint `{name}` already"))
                .help("choose another name: a checkpoint never moves"),
        ]);
    }
    let _numbers = versions_lock(lake).await?;
    let number = store.next_version()?;
    let tables = tag_all(lake, &Line::Main, number).await?;
    let parent = store.line("main")?.map(|version| version.number);
    let why = format!("checkpoint {name}");
    let version = context.version(number, "main", parent, Some(name.to_string()), tables, why, Vec::new());
    store.add_version(&version)?;
    Ok(version)
}

/// Tags the head of every table of a line that has one.
pub(super) async fn tag_all(
    lake: &Lake,
    line: &Line,
    number: u64,
) -> Result<BTreeMap<String, TableState>, Vec<Diagnostic>> {
    let failed = |error: LakeError| vec![error.diagnostic()];
    let mut tables = BTreeMap::new();
    for table in lake.tables(line).await.map_err(failed)? {
        let head = lake.head(&table, line).await.map_err(failed)?;
        if let Some(snapshot) = head.snapshot {
            lake.tag(&table, line, &version_tag(number), snapshot).await.map_err(failed)?;
        }
        tables.insert(table.to_string(), TableState { snapshot: head.snapshot, schema: head.schema });
    }
    Ok(tables)
}
