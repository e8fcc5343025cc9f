//! A rollup that a Flink keeps, as a check reads it. In: a pipeline, the state, its Flink or a recorded check. Out: the rollup at a commit
//! that holds the pinned state of the sources and nothing after it, or why this cannot be told.

use super::{Realtime, failed, stored};
use crate::check::evidence::{Side, WindowStart};
use crate::check::prove::{Asked, Untold, engine_failed};
use crate::check::verdict::Cause;
use crate::lake::{LakeError, Line};
use crate::pipeline::flink::{FlinkStatus, Keeper, State, status};
use crate::pipeline::{Prepared, Windows};
use crate::version::TableState;

/// Who says what a rollup of Flink's reflects.
pub enum Streams {
    /// The jobs themselves, each at its Flink.
    Running(Vec<Keeper>),
    /// A recorded check: the stream has gone on since, and cannot be asked about what was.
    Recorded(Box<Recorded>),
}

/// What a recorded check found of a job.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Recorded {
    /// The real-time side.
    pub side: Side,
    /// The checkpoint; `None` where the rollup was not read.
    pub checkpoint: Option<i64>,
    /// Where a windowed pipeline began.
    pub start: Option<WindowStart>,
}

/// The job that keeps a rollup.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Stream {
    /// The version of Flink that took it.
    pub version: String,
    /// The settings of its session.
    pub settings: Vec<(String, String)>,
    /// The statement.
    pub statement: String,
}

/// The kind of engine in evidence.
pub const FLINK: &str = "flink";

pub(super) async fn read(asked: &Asked<'_>, prepared: &Prepared) -> Result<Realtime, Untold> {
    let Found { state, epoch, start, stream } = match asked.streams {
        Streams::Running(keepers) => running(asked, prepared, keepers).await?,
        Streams::Recorded(recorded) => put_down(asked, prepared, recorded)?,
    };
    let answer = stored(asked, prepared, &state.on(&Line::Main)).await?;
    Ok(Realtime { answer, rollup: prepared.rollup.to_string(), state, epoch, start, stream: Some(stream) })
}

/// What is known of a rollup.
struct Found {
    state: TableState,
    epoch: i64,
    start: Option<WindowStart>,
    stream: Stream,
}

/// What the recorded check found.
fn put_down(asked: &Asked<'_>, prepared: &Prepared, recorded: &Recorded) -> Result<Found, Untold> {
    let behind = |why: &str| (Cause::Behind, why.to_string());
    if recorded.side.engine != FLINK {
        return Err(behind("the recorded check read a rollup that the embedded engine kept"));
    }
    let state = asked.tables.get(&prepared.rollup.to_string());
    let (Some(state), Some(checkpoint)) = (state, recorded.checkpoint) else {
        return Err(behind("the recorded check did not read the rollup"));
    };
    let Side { version, settings, text, .. } = recorded.side.clone();
    let stream = Stream { version, settings, statement: text };
    Ok(Found { state: state.clone(), epoch: checkpoint, start: recorded.start, stream })
}

/// What the job says now. Its sources must be as they are pinned before it is asked and after the commit came: then the commit holds
/// exactly the pinned state.
async fn running(asked: &Asked<'_>, prepared: &Prepared, keepers: &[Keeper]) -> Result<Found, Untold> {
    let keeper = keepers.iter().find(|keeper| prepared.flink.as_ref() == Some(&keeper.name));
    let keeper = keeper.ok_or_else(|| engine_failed("its Flink is not at hand"))?;
    as_on_main(asked, prepared).await?;
    unmoved(asked, prepared).await?;
    let told =
        status(asked.lake, asked.store, prepared, keeper).await.map_err(|findings| failed(&findings))?;
    let run = format!("unisono pipeline run {}", prepared.name);
    let behind = |why: String| Err((Cause::Behind, why));
    let reflected = match &told.state {
        State::UpToDate(reflected) => *reflected,
        State::NeverRun => return behind(format!("the pipeline has never run here: {run}")),
        State::Earlier => {
            return behind(format!("the job keeps an earlier definition of the pipeline: {run}"));
        }
        State::Behind(tables) => return behind(format!("the job has not read {}", left(&told, tables))),
        State::CannotTell(why) => return behind(format!("what the rollup reflects cannot be told: {why}")),
        State::Wrong(why) => return behind(format!("the rollup is wrong: {why}")),
        State::Stopped(why) => {
            return Err(engine_failed(format!("no job keeps the rollup: {why}; submit it anew: {run}")));
        }
    };
    unmoved(asked, prepared).await?;
    let Some(record) = told.record else { return behind(format!("the pipeline has never run here: {run}")) };
    let state = TableState { snapshot: Some(reflected.snapshot), schema: reflected.schema };
    let stream = Stream { version: record.version, settings: record.settings, statement: record.statement };
    let at = |windows: &Windows| record.start.get(&windows.table.to_string()).copied();
    let start = prepared.windows.as_ref().and_then(at).map(|start| WindowStart { start });
    Ok(Found { state, epoch: reflected.checkpoint, start, stream })
}

/// Tables that the job has not read to their heads, and how far it has.
fn left(told: &FlinkStatus, tables: &[String]) -> String {
    let of = |table: &String| {
        let (next, head) = told.sources.get(table).copied().unwrap_or_default();
        let read = next.map_or_else(|| "nothing".to_string(), |next| (next - 1).to_string());
        let head = head.map_or_else(String::new, |head| head.to_string());
        format!("{table} to snapshot {head} (to {read} so far)")
    };
    tables.iter().map(of).collect::<Vec<_>>().join(", ")
}

/// How a change is proved that a branch holds back from a stream.
const OTHER_WAY: &str = "load the change into main, or keep the pipeline with an engine of kind incremental";

/// A stream reads main: on a branch it reflects only tables that are there as they are on main.
async fn as_on_main(asked: &Asked<'_>, prepared: &Prepared) -> Result<(), Untold> {
    let Line::Branch(branch) = asked.line else { return Ok(()) };
    for source in &prepared.sources {
        let why = match asked.lake.can_fast_forward(source, branch).await {
            Ok(moved) if moved.from == moved.to => continue,
            Ok(_) => format!("branch `{branch}` changes {source}, and a Flink reads main: {OTHER_WAY}"),
            Err(LakeError::BranchDiverged { .. }) => {
                format!(
                    "{source} of main is not that of branch `{branch}`, and a Flink reads main: {OTHER_WAY}"
                )
            }
            Err(error) => error.to_string(),
        };
        return Err((Cause::Behind, why));
    }
    Ok(())
}

/// The sources are on main as they are pinned.
async fn unmoved(asked: &Asked<'_>, prepared: &Prepared) -> Result<(), Untold> {
    for source in &prepared.sources {
        let now = asked.lake.head(source, &Line::Main).await;
        let now = now.map_err(engine_failed)?;
        if asked.tables.get(&source.to_string()) != Some(&TableState::from(&now)) {
            let why = format!("{source} was written while the check ran: check again when it is quiet");
            return Err((Cause::SnapshotMoved, why));
        }
    }
    Ok(())
}
