//! Project branches: one branch of every table, from one version of main. In: a name. Out: the branch, whole or on its way:
//! a crash leaves its record `creating` or `dropping`, and the same command again goes on.

use std::collections::{BTreeMap, BTreeSet};

use unisono_compiler::diagnostic::{Code, Diagnostic};

use super::checkpoint::{heads, tag_version, versions_lock};
use super::context::Context;
use super::record::{BranchRecord, BranchState, BranchTable, FORMAT, TableState, Version};
use super::store::Store;
use crate::lake::{Lake, Line, TableName, fork_tag};

/// Makes a branch of main as it is now. What a Flink writes, `kept`, is taken at any moment: it is main's own.
pub async fn create(
    lake: &Lake,
    store: &Store,
    name: &str,
    context: &Context,
    kept: &BTreeSet<TableName>,
) -> Result<(BranchRecord, Version), Vec<Diagnostic>> {
    Line::branch(name)?;
    match store.branch(name)? {
        Some(BranchRecord { state: BranchState::Ready, .. }) => {
            return Err(vec![
                Diagnostic::new(Code::BranchExists, format!("there is a branch `{name}` already"))
                    .help(format!("choose another name, or drop it: unisono branch drop {name}")),
            ]);
        }
        Some(BranchRecord { state: BranchState::Dropping, .. }) => {
            return Err(vec![
                Diagnostic::new(Code::BranchExists, format!("the branch `{name}` is half dropped"))
                    .help(format!("finish it: unisono branch drop {name}")),
            ]);
        }
        // Half made: nobody can have written it yet, so it starts anew.
        Some(BranchRecord { state: BranchState::Creating, .. }) => remove_tables(lake, name).await?,
        None => {}
    }
    let _numbers = versions_lock(lake).await?;
    let number = store.next_version()?;
    let mut record = BranchRecord {
        format: FORMAT,
        name: name.to_string(),
        state: BranchState::Creating,
        fork: number,
        tables: BTreeMap::new(),
    };
    store.put_branch(&record)?;
    let mut tries = 0;
    let tables = loop {
        let before = first_heads(lake, kept).await?;
        let tables = fork_all(lake, name, &mut record).await?;
        // A branch is one state of main: no table may have moved while the others were forked.
        if first_heads(lake, kept).await? == before {
            break tables;
        }
        tries += 1;
        remove_tables(lake, name).await?;
        record.tables.clear();
        if tries == 5 {
            store.remove_branch(name)?;
            return Err(vec![
                Diagnostic::new(
                    Code::MainMoved,
                    format!("main was written each time branch `{name}` was made"),
                )
                .help("make it again when less is written; no branch was made"),
            ]);
        }
    };
    // The version stays readable on main when the branch is gone.
    let state = |fork: &BranchTable| TableState { snapshot: Some(fork.snapshot), schema: fork.schema };
    let forked = record.tables.iter().map(|(table, fork)| (table.clone(), state(fork))).collect();
    tag_version(lake, number, &forked).await?;
    let parent = store.line("main")?.map(|version| version.number);
    let version =
        context.version(number, name, parent, None, tables, format!("fork of main as {name}"), Vec::new());
    store.add_version(&version)?;
    record.state = BranchState::Ready;
    store.put_branch(&record)?;
    Ok((record, version))
}

/// The head of every table of main that stands still, after one that has no snapshot got one: a fork would give it one.
async fn first_heads(
    lake: &Lake,
    kept: &BTreeSet<TableName>,
) -> Result<BTreeMap<String, TableState>, Vec<Diagnostic>> {
    for table in lake.tables(&Line::Main).await? {
        lake.first_snapshot(&table, &Line::Main).await?;
    }
    let mut heads = heads(lake, &Line::Main).await?;
    heads.retain(|table, _| !kept.iter().any(|kept| kept.to_string() == *table));
    Ok(heads)
}

/// Forks every table of main; the states that the branch begins with.
async fn fork_all(
    lake: &Lake,
    name: &str,
    record: &mut BranchRecord,
) -> Result<BTreeMap<String, TableState>, Vec<Diagnostic>> {
    let line = Line::branch(name)?;
    let tag = fork_tag(name);
    let mut tables = BTreeMap::new();
    for table in lake.tables(&Line::Main).await? {
        let pin = lake.fork(&table, name, &tag).await?;
        let head = lake.head(&table, &line).await?;
        let state = TableState::from(&head);
        if let Some(snapshot) = pin.snapshot {
            record
                .tables
                .insert(table.to_string(), BranchTable { tag: tag.clone(), snapshot, schema: pin.schema });
        }
        tables.insert(table.to_string(), state);
    }
    Ok(tables)
}

/// Drops a branch with all that only it holds.
pub async fn drop(lake: &Lake, store: &Store, name: &str) -> Result<(), Vec<Diagnostic>> {
    let Some(mut record) = store.branch(name)? else { return Err(vec![unknown(store, name)?]) };
    record.state = BranchState::Dropping;
    store.put_branch(&record)?;
    remove_tables(lake, name).await?;
    store.remove_branch(name)
}

/// Whether a branch can be read and written.
pub fn whole(store: &Store, name: &str) -> Result<BranchRecord, Vec<Diagnostic>> {
    match store.branch(name)? {
        Some(record) => match record.state {
            BranchState::Ready => Ok(record),
            BranchState::Creating => Err(vec![
                Diagnostic::new(Code::BranchNotFound, format!("the branch `{name}` is half made"))
                    .help(format!("make it again: unisono branch create {name}")),
            ]),
            BranchState::Dropping => Err(vec![
                Diagnostic::new(Code::BranchNotFound, format!("the branch `{name}` is half dropped"))
                    .help(format!("finish it: unisono branch drop {name}")),
            ]),
        },
        None => Err(vec![unknown(store, name)?]),
    }
}

async fn remove_tables(lake: &Lake, name: &str) -> Result<(), Vec<Diagnostic>> {
    let line = Line::branch(name)?;
    for table in lake.born(name).await? {
        lake.drop(&table, &line).await?;
    }
    for table in lake.tables(&Line::Main).await? {
        lake.drop_branch(&table, name).await?;
    }
    Ok(())
}

fn unknown(store: &Store, name: &str) -> Result<Diagnostic, Vec<Diagnostic>> {
    let known: Vec<String> = store.branches()?.into_keys().collect();
    Ok(Diagnostic::new(Code::BranchNotFound, format!("there is no branch `{name}`"))
        .suggest(name, known.iter().map(String::as_str))
        .help("list them: unisono branch list"))
}
