//! A pipeline given to Flink. In: the pipeline, its Flink, a moment. Out: a job whose first checkpoint is in the rollup, or why there is none.
//! A job that runs already for the same meaning is left alone; one of an earlier meaning is stopped first.

use std::collections::BTreeMap;
use std::time::Duration;

use tokio::time::{Instant, sleep};
use unisono_compiler::diagnostic::{Code, Diagnostic};
use unisono_dialects::{Binding, Bindings, BoundSource, Engine, ROLLUP_KEY, TableSpec, rollup_spec};

use super::job::{Asked, Statement, settings, statement};
use super::record::FlinkJob;
use super::scans::{outside_windows, shared};
use super::status::wrong;
use super::stop::{end, forgotten};
use super::windowed;
use super::{Keeper, adapted, failed, unsupported};
use crate::check::evidence::shown_setting;
use crate::engine::Limits;
use crate::engine::flink::{CATALOG, Mode, Session, create_catalog, qualified};
use crate::lake::{FLINK, Handle, Lake, Line, Place, WRITER};
use crate::pipeline::meaning::unpinned;
use crate::pipeline::{NoLog, Prepared, Windows, other_writer};
use crate::table::Value;
use crate::version::{FORMAT, Store, hash};

/// What one statement may take.
const STATEMENT: Limits = Limits { rows: 100_000, time: Duration::from_mins(2) };
/// What telling the closed buckets of a beginning may take.
const FILLING: Limits = Limits { rows: 100_000, time: Duration::from_mins(30) };
/// How long the first checkpoint is waited for.
const FIRST_COMMIT: Duration = Duration::from_mins(2);
/// Between two looks.
const PAUSE: Duration = Duration::from_millis(500);

/// A job that runs.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Submitted {
    /// The pipeline.
    pub pipeline: String,
    /// Flink's id of the job.
    pub job: String,
    /// Whether it ran before.
    pub ran_before: bool,
    /// The rollup's snapshot of its first checkpoint, if it was waited for.
    pub snapshot: Option<i64>,
}

/// Gives a pipeline to its Flink. `now` is when, UTC.
pub async fn submit(
    lake: &Lake,
    store: &Store,
    prepared: &Prepared,
    keeper: &Keeper,
    now: &str,
) -> Result<Submitted, Vec<Diagnostic>> {
    let line = Line::Main;
    let _running =
        lake.lock_named(&format!("pipeline.{}", prepared.name), &Place::new(&prepared.rollup, &line)).await?;
    let spec = spec(prepared)?;
    let rollup = rollup(lake, prepared, &spec).await?;
    check_sources(lake, prepared).await?;
    let info = keeper.gateway.info(STATEMENT.time).await.map_err(|error| failed(&prepared.name, error))?;
    let name = format!(
        "unisono_{}_{}",
        prepared.name,
        &hash(&format!("{} {now} {}", prepared.generation, lake.root().display()))[..12]
    );
    // What cannot be said is said before anything is touched.
    stated(prepared, &info.version, &spec, &name, None)?;
    let batch = keeper.gateway.open(Mode::Batch).await.map_err(|error| failed(&prepared.name, error))?;
    let outcome =
        begin(lake, store, prepared, keeper, (&batch, &rollup, &spec, &name, &info.version), now).await;
    batch.close().await;
    outcome
}

async fn begin(
    lake: &Lake,
    store: &Store,
    prepared: &Prepared,
    keeper: &Keeper,
    (batch, rollup, spec, name, version): (&Session, &Option<Handle>, &TableSpec, &str, &str),
    now: &str,
) -> Result<Submitted, Vec<Diagnostic>> {
    let fault = |error| failed(&prepared.name, error);
    let line = Line::Main;
    let before: Option<FlinkJob> = store.job(&prepared.name)?;
    let jobs = batch.jobs().await.map_err(fault)?;
    // One whose run was killed before it was there has no record any more; it is known by what it wrote.
    let own = before.as_ref().map(|record| record.name.as_str());
    for job in forgotten(lake, &prepared.name, &prepared.rollup, own, &jobs).await? {
        end(batch, &prepared.name, job).await?;
    }
    if let Some(record) = &before
        && let Some(job) = jobs.iter().find(|job| job.name == record.name && !job.has_ended())
    {
        if record.generation == prepared.generation && wrong(lake, prepared, record).await?.is_none() {
            let (pipeline, job) = (prepared.name.clone(), job.id.clone());
            return Ok(Submitted { pipeline, job, ran_before: true, snapshot: None });
        }
        end(batch, &prepared.name, job).await?;
    }
    batch.execute(&create_catalog(lake.root()), STATEMENT).await.map_err(fault)?;
    let mut start = BTreeMap::new();
    for source in &prepared.sources {
        // A stream from a table without a snapshot would begin at whatever comes first.
        start.insert(source.to_string(), Some(lake.first_snapshot(source, &line).await?));
    }
    let opening = opening(lake, prepared, &start).await?;
    let since = opening.as_ref().and_then(|opening| opening.since.as_deref());
    let statement = stated(prepared, version, spec, name, since)?;
    let tables: Vec<String> = prepared.sources.iter().map(ToString::to_string).collect();
    let settings = settings(name, keeper.gateway.settings(), &tables, &prepared.rollup.to_string());
    let stream = keeper.gateway.open_with(Mode::Streaming, &settings).await.map_err(fault)?;
    let all = keeper.gateway.session_settings(Mode::Streaming, &settings);
    let submitted = async {
        stream.execute(&create_catalog(lake.root()), STATEMENT).await.map_err(fault)?;
        match rollup {
            Some(handle) if handle.head.snapshot.is_some() => empty(lake, prepared, batch).await?,
            Some(_) => {}
            None => {
                lake.create(spec, &line).await?;
            }
        }
        if let Some(opening) = &opening {
            stream.execute(&opening.events, STATEMENT).await.map_err(fault)?;
        }
        let plan = stream.execute(&format!("EXPLAIN {}", statement.text), STATEMENT).await.map_err(fault)?;
        let plan: String = plan.table.rows.iter().flatten().map(Value::text).collect();
        if let Some(operator) = outside_windows(&plan).filter(|_| opening.is_some()) {
            let message = format!(
                "pipeline `{}`: Flink would tell its groups before their buckets close ({operator})",
                prepared.name
            );
            return Err(unsupported(message, "keep it with an engine of kind incremental"));
        }
        if let Some(Opening { windows, start, since: Some(since), events: _ }) = &opening {
            let rollup = qualified(&prepared.rollup);
            let fill = windowed::fill(prepared, windows, (version, &rollup, spec), (*start, since))?;
            let _lock = lake.lock_table(&prepared.rollup, &line).await?;
            batch.execute(&fill, FILLING).await.map_err(fault)?;
        }
        let record = FlinkJob {
            format: FORMAT,
            name: name.to_string(),
            engine: keeper.name.clone(),
            generation: prepared.generation.clone(),
            version: version.to_string(),
            settings: all.iter().map(|(key, value)| (key.clone(), shown_setting(key, value))).collect(),
            statement: match &opening {
                Some(opening) => [opening.events.as_str(), ";\n", statement.text.as_str()].concat(),
                None => statement.text.clone(),
            },
            submitted: now.to_string(),
            start,
            readers: statement.readers.clone(),
            shared: shared(&plan, prepared, &statement.readers),
            stopped: None,
        };
        store.put_job(&prepared.name, &record)?;
        stream.execute(&statement.text, STATEMENT).await.map_err(fault)?;
        Ok(())
    }
    .await;
    let outcome = match submitted {
        Ok(()) => first_commit(lake, prepared, &stream, name).await,
        Err(findings) => Err(findings),
    };
    stream.close().await;
    outcome
}

/// Waits until the job has committed a checkpoint into the rollup, or has failed.
async fn first_commit(
    lake: &Lake,
    prepared: &Prepared,
    session: &Session,
    name: &str,
) -> Result<Submitted, Vec<Diagnostic>> {
    let end = Instant::now() + FIRST_COMMIT;
    let message = |what: &str| format!("the job of pipeline `{}` {what}", prepared.name);
    loop {
        let jobs = session.jobs().await.map_err(|error| failed(&prepared.name, error))?;
        let job = jobs.into_iter().find(|job| job.name == name);
        if let Some(job) = job {
            if job.has_ended() {
                let cause = session.failure(&job.id).await;
                let what = format!("is {} before its first checkpoint: {cause}", job.status);
                return Err(vec![Diagnostic::new(Code::EngineFailed, message(&what))]);
            }
            let commits = lake.history(&prepared.rollup, &Line::Main).await?;
            if let Some(commit) = commits.iter().find(|commit| commit.user.starts_with(name)) {
                let (pipeline, snapshot) = (prepared.name.clone(), Some(commit.snapshot));
                return Ok(Submitted { pipeline, job: job.id, ran_before: false, snapshot });
            }
        }
        if Instant::now() >= end {
            let what = format!("has committed no checkpoint within {} s", FIRST_COMMIT.as_secs());
            return Err(vec![
                Diagnostic::new(Code::EngineFailed, message(&what))
                    .help("it may still: ask with unisono pipeline status; are there free slots?"),
            ]);
        }
        sleep(PAUSE).await;
    }
}

/// Takes the rows of an earlier job out: a new one computes all groups anew and would not know which have gone.
async fn empty(lake: &Lake, prepared: &Prepared, batch: &Session) -> Result<(), Vec<Diagnostic>> {
    let _lock = lake.lock_table(&prepared.rollup, &Line::Main).await?;
    let (database, table) = (prepared.rollup.database(), prepared.rollup.table());
    // With a condition it removes rows; without one it would truncate.
    let delete = format!("DELETE FROM `{CATALOG}`.`{database}`.`{table}` WHERE `{ROLLUP_KEY}` >= ''");
    batch.execute(&delete, STATEMENT).await.map_err(|error| failed(&prepared.name, error))?;
    Ok(())
}

/// The rollup's table: visible columns only, written by Flink.
fn spec(prepared: &Prepared) -> Result<TableSpec, Vec<Diagnostic>> {
    let (dimensions, measures) = prepared.columns.split_at(prepared.dimensions);
    let (spec, findings) = rollup_spec(&prepared.rollup.to_string(), dimensions, measures);
    let mut spec = spec.ok_or(findings)?;
    spec.options.insert(WRITER.to_string(), FLINK.to_string());
    Ok(spec)
}

/// The rollup, if it is there, is Flink's and has the pipeline's columns.
async fn rollup(
    lake: &Lake,
    prepared: &Prepared,
    spec: &TableSpec,
) -> Result<Option<Handle>, Vec<Diagnostic>> {
    if !lake.exists(&prepared.rollup, &Line::Main).await? {
        return Ok(None);
    }
    let handle = lake.table(&prepared.rollup, &Line::Main).await?;
    if let Some(finding) = other_writer(&prepared.name, &prepared.rollup, true, &handle.options) {
        return Err(vec![finding]);
    }
    let columns = |all: &[unisono_dialects::ColumnSpec]| -> Vec<_> {
        all.iter().map(|column| (column.name.clone(), column.data_type)).collect()
    };
    if columns(&handle.columns) != columns(&spec.columns) {
        return Err(vec![
            Diagnostic::new(
                Code::RollupColumns,
                format!(
                    "the rollup {} has other columns than pipeline `{}` now makes",
                    prepared.rollup, prepared.name
                ),
            )
            .help(format!(
                "stop the job: unisono pipeline stop {}, and alter the table by what `unisono compile --against` prints",
                prepared.name
            ))
            .help("or name another table under `rollup:`"),
        ]);
    }
    Ok(Some(handle))
}

/// Streams are read from append tables, and from tables with a key whose changes Flink can rebuild.
async fn check_sources(lake: &Lake, prepared: &Prepared) -> Result<(), Vec<Diagnostic>> {
    for source in &prepared.sources {
        let handle = lake.table(source, &Line::Main).await?;
        if handle.primary_key.is_empty() {
            continue;
        }
        if prepared.windows.is_some() {
            let message = format!("pipeline `{}`: {}", prepared.name, NoLog::HasKey(source.clone()));
            return Err(unsupported(message, "make the pipeline `kind: updating`"));
        }
        for (key, wanted) in [("merge-engine", "deduplicate"), ("changelog-producer", "none")] {
            let found = handle.options.get(key).map_or(wanted, String::as_str);
            if found != wanted {
                let message = format!(
                    "pipeline `{}` reads {source}, whose `{key}` is {found}: a stream of it is not proved to be its changes",
                    prepared.name
                );
                return Err(unsupported(
                    message,
                    "make the table with unisono load, or keep the pipeline with the embedded engine",
                ));
            }
        }
    }
    Ok(())
}

/// Where a windowed pipeline's job begins.
struct Opening<'a> {
    windows: &'a Windows,
    /// The source's snapshot.
    start: i64,
    /// The moment before which all buckets are told in batch.
    since: Option<String>,
    /// The table of events.
    events: String,
}

async fn opening<'a>(
    lake: &Lake,
    prepared: &'a Prepared,
    start: &BTreeMap<String, Option<i64>>,
) -> Result<Option<Opening<'a>>, Vec<Diagnostic>> {
    let Some(windows) = &prepared.windows else { return Ok(None) };
    let start =
        start.get(&windows.table.to_string()).copied().flatten().ok_or_else(|| unpinned(&windows.table))?;
    let since = windowed::since(lake, windows, start).await?;
    let warehouse = format!("file://{}", lake.root().display());
    let events = windowed::event_table(windows, &warehouse, Some(start));
    Ok(Some(Opening { windows, start, since, events }))
}

/// The statement for the version that answers at the gateway.
fn stated(
    prepared: &Prepared,
    version: &str,
    spec: &TableSpec,
    name: &str,
    since: Option<&str>,
) -> Result<Statement, Vec<Diagnostic>> {
    let (target, relation) = adapted(prepared, Engine::FlinkStreaming, version)?;
    let mut bindings = Bindings::default();
    for (dataset, name) in &prepared.tables {
        let source = BoundSource::Table(qualified(name));
        bindings.bind(*dataset, Binding { source, pin: None });
    }
    statement(&Asked {
        name,
        relation: &relation,
        datasets: prepared.resolved.model.datasets.len(),
        bindings: &bindings,
        target,
        rollup: (&qualified(&prepared.rollup), spec),
        dimensions: prepared.dimensions,
        windows: prepared.windows.as_ref().map(|windows| (windows, since)),
    })
}
