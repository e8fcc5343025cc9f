//! The merge of a branch into main. In: a branch, and the proof that exactly its state was checked. Out: main moved to that state, or
//! nothing moved. Main must not have moved since the fork: then the state that main gets is the branch's own, which is the candidate.

use std::collections::{BTreeMap, BTreeSet};

use unisono_compiler::diagnostic::{Code, Diagnostic};

use super::checkpoint::{tag_version, versions_lock};
use super::context::Context;
use super::journal::{Journal, Move};
use super::record::{BranchRecord, FORMAT, TableState, Version};
use super::store::Store;
use crate::lake::{Lake, LakeError, Line, Place, TableLock, TableName};
use crate::pipeline::Epoch;

/// Told before each step of a merge, by name; an error ends the merge there, as a crash would.
pub type AtStep<'a> = &'a mut (dyn FnMut(&str) -> Result<(), Vec<Diagnostic>> + Send);

/// What main would get.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Candidate {
    /// The branch.
    pub branch: String,
    /// The state of every table that main will have.
    pub tables: BTreeMap<String, TableState>,
    /// What moves.
    pub moves: Vec<Move>,
    /// Tables that a Flink keeps on main: they stay there and go on, and are not among `tables`.
    pub kept: BTreeSet<TableName>,
}

/// The state that a check has passed, table by table. Only a check makes one.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Passed {
    tables: BTreeMap<String, TableState>,
    kept: BTreeMap<String, TableState>,
    evidence: Vec<String>,
}

impl Passed {
    /// For checks: all verdicts let a merge pass on these states, and on those in which a Flink kept its rollups.
    pub(crate) fn new(
        tables: BTreeMap<String, TableState>,
        kept: BTreeMap<String, TableState>,
        evidence: Vec<String>,
    ) -> Self {
        Passed { tables, kept, evidence }
    }
}

/// What a merge would do; refused if main moved since the fork. Of `kept`, the rollups that a Flink keeps, main has its own.
pub async fn candidate(
    lake: &Lake,
    store: &Store,
    record: &BranchRecord,
    kept: &BTreeSet<TableName>,
) -> Result<Candidate, Vec<Diagnostic>> {
    let branch = record.name.as_str();
    let line = Line::branch(branch)?;
    let born = lake.born(branch).await?;
    let mut candidate = Candidate {
        branch: branch.to_string(),
        tables: BTreeMap::new(),
        moves: Vec::new(),
        kept: kept.clone(),
    };
    let known = lake.tables(&line).await?;
    let main = lake.tables(&Line::Main).await?;
    let new = main.iter().filter(|table| !known.contains(table) && !kept.contains(*table));
    // A table that was born here and became main's is no other's.
    let merged = merged(store, record)?;
    let of_merge = |table: &TableName| {
        merged.as_ref().is_some_and(|version| version.tables.contains_key(&table.to_string()))
    };
    let (settled, others): (Vec<&TableName>, Vec<&TableName>) = new.partition(|table| of_merge(table));
    let mut gone_on = settled.first().map(ToString::to_string);
    if let Some(table) = others.first() {
        return Err(vec![main_moved(&format!("main has a new table {table}"), branch)]);
    }
    for table in known {
        let head = lake.head(&table, &line).await?;
        let fork = record.tables.get(&table.to_string()).map(|fork| fork.snapshot);
        if kept.contains(&table) && fork.is_some() && fork == head.snapshot {
            continue;
        }
        candidate.tables.insert(table.to_string(), TableState::from(&head));
        if born.contains(&table) {
            let replaces = lake.exists(&table, &Line::Main).await?;
            if replaces {
                // What stands in its place must be what the branch began with.
                let main = lake.head(&table, &Line::Main).await?.snapshot;
                let fork = record.tables.get(&table.to_string());
                if fork.map(|fork| fork.snapshot) != main || fork.is_none() {
                    return Err(vec![main_moved(&format!("main made or wrote {table}"), branch)]);
                }
            }
            candidate.moves.push(Move::Settle { table: table.to_string(), head: head.snapshot, replaces });
            continue;
        }
        let moved = match lake.can_fast_forward(&table, branch).await {
            Ok(moved) => moved,
            Err(error @ LakeError::BranchDiverged { .. }) => {
                let state = candidate.tables.get(&table.to_string());
                if merged.as_ref().is_some_and(|version| version.tables.get(&table.to_string()) == state) {
                    // As it was merged: main went on from there.
                    gone_on = Some(table.to_string());
                    continue;
                }
                return Err(vec![main_moved(&error.to_string(), branch)]);
            }
            Err(other) => return Err(other.into()),
        };
        let main = lake.table(&table, &Line::Main).await?;
        if moved.from != moved.to || main.head.schema != head.schema {
            candidate.moves.push(Move::FastForward {
                table: table.to_string(),
                from: moved.from,
                to: moved.to,
            });
        }
    }
    if let (Some(version), Some(table)) = (&merged, gone_on)
        && !candidate.moves.is_empty()
    {
        let message = format!(
            "it was merged already, as v{}, and has changes since, but not {table} as main has it now",
            version.number
        );
        return Err(vec![main_moved(&message, branch)]);
    }
    Ok(candidate)
}

/// The newest version by which a branch became main's. A later branch of the same name has a later fork.
pub fn merged(store: &Store, record: &BranchRecord) -> Result<Option<Version>, Vec<Diagnostic>> {
    let why = why(&record.name);
    let of_branch =
        |version: &Version| version.number > record.fork && version.line == "main" && version.why == why;
    Ok(store.versions()?.into_iter().rev().find(of_branch))
}

fn why(branch: &str) -> String {
    format!("merge of {branch}")
}

/// Moves main. Every table's lock is held from the last look at the heads to the last move; the journal stands from before the first move
/// to after the last.
#[expect(clippy::too_many_arguments, reason = "all that one merge rests on, said once")]
pub async fn apply(
    lake: &Lake,
    store: &Store,
    record: &BranchRecord,
    checked: &Candidate,
    passed: &Passed,
    pipelines: &[(String, TableName)],
    epochs: Vec<(String, Epoch)>,
    context: &Context,
    at: AtStep<'_>,
) -> Result<u64, Vec<Diagnostic>> {
    if passed.tables != checked.tables {
        return Err(vec![
            Diagnostic::new(
                Code::MergeRefused,
                format!("what was checked is not what branch `{}` holds", checked.branch),
            )
            .help("run the merge again"),
        ]);
    }
    let _numbers = versions_lock(lake).await?;
    // No pipeline runs on what is moved from under it.
    let mut running = Vec::new();
    for (pipeline, rollup) in pipelines {
        let place = Place::new(rollup, &Line::Main);
        running.push(lake.lock_named(&format!("pipeline.{pipeline}"), &place).await?);
    }
    let locks = locked(lake, &checked.branch, &checked.moves).await?;
    // Looked at again with all locks held: nobody moves a head from here on.
    if candidate(lake, store, record, &checked.kept).await? != *checked {
        return Err(vec![
            Diagnostic::new(
                Code::MergeRefused,
                format!("branch `{}` or main was written while the checks ran", checked.branch),
            )
            .help("run the merge again: its checks must see the state that main will get"),
        ]);
    }
    let number = store.next_version()?;
    let parent = store.line("main")?.map(|version| version.number);
    let why = why(&checked.branch);
    let mut tables = checked.tables.clone();
    tables.extend(passed.kept.clone());
    let version = context.version(number, "main", parent, None, tables, why, passed.evidence.clone());
    let journal = Journal {
        format: FORMAT,
        branch: checked.branch.clone(),
        moves: checked.moves.clone(),
        epochs,
        version,
    };
    at("journal")?;
    store.put_journal(&journal)?;
    finish(lake, store, &journal, locks, at).await?;
    Ok(number)
}

/// Finishes or undoes the merge that a crash left; what it did, in words.
pub async fn recover(lake: &Lake, store: &Store) -> Result<Option<String>, Vec<Diagnostic>> {
    let Some(journal) = store.journal()? else { return Ok(None) };
    let _numbers = versions_lock(lake).await?;
    let locks = locked(lake, &journal.branch, &journal.moves).await?;
    // Another process may have finished it while this one waited.
    if store.journal()?.as_ref() != Some(&journal) {
        return Ok(None);
    }
    if untouched(lake, &journal).await? {
        store.remove_journal()?;
        let note = format!("a merge of {} that had moved nothing yet was undone", journal.branch);
        return Ok(Some(note));
    }
    finish(lake, store, &journal, locks, &mut |_| Ok(())).await?;
    Ok(Some(format!(
        "a merge of {} that was broken off was finished: version {}",
        journal.branch, journal.version.number
    )))
}

/// Whether no move of a journal has begun: then it is undone, since main may have been written in between.
async fn untouched(lake: &Lake, journal: &Journal) -> Result<bool, Vec<Diagnostic>> {
    for one in &journal.moves {
        if begun(lake, &journal.branch, one).await? {
            return Ok(false);
        }
    }
    Ok(true)
}

async fn begun(lake: &Lake, branch: &str, one: &Move) -> Result<bool, Vec<Diagnostic>> {
    let name = TableName::parse(one.table())?;
    match one {
        Move::FastForward { from, .. } => {
            // The first snapshot that the branch has more than the fork is on main, as the branch has it.
            let of_branch = lake.history(&name, &Line::branch(branch)?).await?;
            let of_main = lake.history(&name, &Line::Main).await?;
            let first = of_branch.iter().find(|commit| commit.snapshot > *from);
            Ok(first.is_some_and(|commit| of_main.contains(commit)))
        }
        // What it replaces is put away first.
        Move::Settle { replaces, .. } => Ok(!lake.born(branch).await?.contains(&name)
            || *replaces && !lake.exists(&name, &Line::Main).await?),
    }
}

async fn ended(lake: &Lake, branch: &str, one: &Move) -> Result<bool, Vec<Diagnostic>> {
    let name = TableName::parse(one.table())?;
    match one {
        Move::FastForward { from, to, .. } => {
            let of_branch = lake.history(&name, &Line::branch(branch)?).await?;
            let of_main = lake.history(&name, &Line::Main).await?;
            let last = of_branch.iter().find(|commit| commit.snapshot == *to && from < to);
            Ok(last.is_some_and(|commit| of_main.contains(commit)))
        }
        Move::Settle { .. } => Ok(!lake.born(branch).await?.contains(&name)),
    }
}

/// The locks of all tables that move: of main's place, and of the table that was born on the branch.
async fn locked(
    lake: &Lake,
    branch: &str,
    moves: &[Move],
) -> Result<BTreeMap<String, Locks>, Vec<Diagnostic>> {
    let line = Line::branch(branch)?;
    let mut locks = BTreeMap::new();
    for one in moves {
        let name = TableName::parse(one.table())?;
        let main = lake.lock_place(&name).await?;
        let is_born = lake.born(branch).await?.contains(&name);
        let born = match one {
            Move::Settle { .. } if is_born => Some(lake.lock_table(&name, &line).await?),
            Move::FastForward { .. } | Move::Settle { .. } => None,
        };
        locks.insert(one.table().to_string(), Locks { main, _born: born });
    }
    Ok(locks)
}

struct Locks {
    main: TableLock,
    _born: Option<TableLock>,
}

/// Does what is left of a merge; each step again changes nothing.
async fn finish(
    lake: &Lake,
    store: &Store,
    journal: &Journal,
    locks: BTreeMap<String, Locks>,
    at: AtStep<'_>,
) -> Result<(), Vec<Diagnostic>> {
    for one in &journal.moves {
        let name = TableName::parse(one.table())?;
        let lock = locks.get(one.table()).ok_or_else(|| {
            vec![Diagnostic::new(Code::Internal, format!("no lock is held for {}", one.table()))]
        })?;
        if ended(lake, &journal.branch, one).await? {
            continue;
        }
        at(one.table())?;
        match one {
            Move::FastForward { .. } => {
                lake.fast_forward_locked(&name, &journal.branch, &lock.main).await?;
            }
            Move::Settle { .. } => {
                lake.promote_locked(&name, &journal.branch, true, &lock.main)?;
            }
        }
    }
    // Main has moved: what follows only records it, and takes the tables' locks itself.
    drop(locks);
    at("epochs")?;
    for (pipeline, epoch) in &journal.epochs {
        store.put_epoch(pipeline, &epoch.stem(), epoch)?;
    }
    at("tags")?;
    tag_version(lake, journal.version.number, &journal.version.tables).await?;
    at("version")?;
    store.add_version(&journal.version)?;
    at("end")?;
    store.remove_journal()
}

fn main_moved(why: &str, branch: &str) -> Diagnostic {
    Diagnostic::new(Code::MainMoved, format!("main moved since branch `{branch}` was made: {why}"))
        .help("make a new branch of main, repeat the work there, and merge that")
}
