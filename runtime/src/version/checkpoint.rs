//! Checkpoints: every table of main tagged under one name, so that its files stay. In: a name. Out: a version that `--at` finds.

use std::collections::BTreeMap;

use unisono_compiler::diagnostic::{Code, Diagnostic};

use super::context::Context;
use super::record::{TableState, Version};
use super::store::Store;
use crate::lake::{Lake, LakeError, Line, Place, TableLock, TableName};

/// The tag that keeps a version's files.
fn version_tag(number: u64) -> String {
    format!("unisono_v{number}")
}

/// Held from the choice of a version's number to its record: a number is never given twice.
pub(super) async fn versions_lock(lake: &Lake) -> Result<TableLock, Vec<Diagnostic>> {
    let place = Place::new(&TableName::new("unisono", "versions")?, &Line::Main);
    Ok(lake.lock_named("versions", &place).await?)
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
    let tables = heads(lake, &Line::Main).await?;
    tag_version(lake, number, &tables).await?;
    let parent = store.line("main")?.map(|version| version.number);
    let why = format!("checkpoint {name}");
    let version = context.version(number, "main", parent, Some(name.to_string()), tables, why, Vec::new());
    store.add_version(&version)?;
    Ok(version)
}

/// The heads of all tables of a line.
pub async fn heads(lake: &Lake, line: &Line) -> Result<BTreeMap<String, TableState>, LakeError> {
    let mut heads = BTreeMap::new();
    for table in lake.tables(line).await? {
        let head = lake.head(&table, line).await?;
        heads.insert(table.to_string(), TableState::from(&head));
    }
    Ok(heads)
}

/// Tags main's tables at the snapshots of a version, so that their files stay; the same again changes nothing.
pub(super) async fn tag_version(
    lake: &Lake,
    number: u64,
    tables: &BTreeMap<String, TableState>,
) -> Result<(), Vec<Diagnostic>> {
    for (table, state) in tables {
        if let Some(snapshot) = state.snapshot {
            lake.tag(&TableName::parse(table)?, &Line::Main, &version_tag(number), snapshot).await?;
        }
    }
    Ok(())
}
