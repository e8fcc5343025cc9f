//! `load`: a CSV, JSON lines or Parquet file into a table of the warehouse, all of it or nothing. In: the table, the file, how its rows count.
//! Out: one commit; its types are inferred once, when the table is made, and printed.

mod keys;
mod target;

use std::fmt::Write as _;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use arrow::array::{ArrayRef, Int8Array, RecordBatch};
use arrow::datatypes::{DataType as ArrowType, Field, Schema};
use serde_json::{Value, json};
use unisono_compiler::diagnostic::{Code, Diagnostic, counted};

use self::keys::Seen;
use self::target::Target;
use super::lakehouse::finish;
use super::progress::Progress;
use crate::data::file;
use crate::flags::Load;
use crate::lake::{Commit, VALUE_KIND, Writer};
use crate::output::{Outcome, Run};
use crate::project::is_same_table;
use crate::workspace::{self, Workspace, taken};

/// What the rows of a file do to a table with a key.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Effect {
    /// New rows; a key that is there already is refused.
    Insert,
    /// New rows, or new values of rows that are there.
    Upsert,
    /// Rows of these keys go.
    Delete,
}

pub(super) fn run(verb: &Load, project: Option<&Path>, quiet: bool) -> Outcome {
    finish(verb.format, async |run| load(run, verb, project, quiet).await)
}

async fn load(run: &mut Run, verb: &Load, project: Option<&Path>, quiet: bool) -> Option<(String, Value)> {
    let effect = match (verb.upsert, verb.delete) {
        (false, false) => Effect::Insert,
        (true, false) => Effect::Upsert,
        (false, true) => Effect::Delete,
        (true, true) => {
            run.diagnostics.push(Diagnostic::new(Code::Usage, "--upsert and --delete exclude each other"));
            return None;
        }
    };
    // Before the warehouse is made: a file that cannot be read makes nothing.
    run.check(file::format_of(&verb.file))?;
    let workspace = workspace::open(run, project, true).await?;
    let line = workspace.line(run, verb.branch.as_deref())?;
    workspace.may_write(run, &line)?;
    let rollup = workspace
        .found
        .project
        .pipelines
        .iter()
        .find(|pipeline| is_same_table(&pipeline.rollup.value, &verb.table));
    if let Some(pipeline) = rollup {
        let message = format!("{} is the rollup of pipeline `{}`", verb.table, pipeline.name.value);
        run.diagnostics.push(
            Diagnostic::new(Code::TableWriter, message)
                .help("only `unisono pipeline run` writes it: load the tables that it reads"),
        );
        return None;
    }
    let target = target::find(run, &workspace, verb, &line, effect).await?;
    let rows = write(run, &workspace, verb, &target, effect, quiet).await?;
    Some(report(&target, &verb.file, effect, &rows))
}

/// What was written.
struct Written {
    rows: u64,
    /// The different keys of the file, of a table with a key.
    keys: u64,
    /// How many of them the table had, where they are deleted.
    known: Option<u64>,
    snapshot: Option<i64>,
}

async fn write(
    run: &mut Run,
    workspace: &Workspace,
    verb: &Load,
    target: &Target,
    effect: Effect,
    quiet: bool,
) -> Option<Written> {
    let lake = &workspace.lake;
    let stopped = stopped();
    // The whole file is read once before a table is made or opened: a row that does not fit writes nothing.
    let mut seen = Seen::new(&target.key);
    let mut progress = Progress::new(&format!("reading {}", verb.file.display()), quiet);
    for batch in run.check(file::batches(&verb.file, &target.columns))? {
        let batch = run.check(batch)?;
        progress.add(batch.num_rows() as u64);
        let shaped = run.check(target.shape(&batch, &verb.file))?;
        run.check(seen.add(&shaped, &verb.file, effect == Effect::Insert))?;
        go_on(run, target, &stopped)?;
    }
    progress.done();
    if target.is_new {
        let spec = target.spec();
        taken(run, lake.create(&spec, &target.line).await)?;
    }
    let mut writer = taken(run, lake.writer(&target.name, &target.line, Commit::once("load")).await)?;
    // The lock of a table with a key is held since it was opened: what is there now is there until the commit.
    let known = match effect {
        Effect::Delete => keys::count_known(lake, target, &seen, writer.head()).await.map(Some),
        Effect::Insert => {
            keys::refuse_known(lake, target, &seen, &verb.file, writer.head()).await.map(|()| None)
        }
        Effect::Upsert => Ok(None),
    };
    let known = match known {
        Ok(known) => known,
        Err(findings) => {
            writer.abort().await;
            return run.check(Err(findings));
        }
    };
    let mut progress = Progress::new(&format!("writing {}", target.name), quiet);
    let written = fill(run, &mut writer, verb, target, effect, &mut progress, &stopped).await;
    progress.done();
    let Some(rows) = written else {
        writer.abort().await;
        if target.is_new {
            // A table that this run made holds nothing.
            let _ = lake.drop(&target.name, &target.line).await;
        }
        return None;
    };
    let Some(committed) = taken(run, writer.commit().await) else {
        // The same, if surely nothing was committed.
        if target.is_new
            && lake.head(&target.name, &target.line).await.is_ok_and(|head| head.snapshot.is_none())
        {
            let _ = lake.drop(&target.name, &target.line).await;
        }
        return None;
    };
    Some(Written { rows, known, keys: seen.count(), snapshot: committed.snapshot })
}

async fn fill(
    run: &mut Run,
    writer: &mut Writer,
    verb: &Load,
    target: &Target,
    effect: Effect,
    progress: &mut Progress,
    stopped: &AtomicBool,
) -> Option<u64> {
    for batch in run.check(file::batches(&verb.file, &target.columns))? {
        let batch = run.check(batch)?;
        let batch = run.check(target.shape(&batch, &verb.file))?;
        let batch = if target.key.is_empty() { batch } else { run.check(with_kind(&batch, effect))? };
        taken(run, writer.write(&batch).await)?;
        progress.add(batch.num_rows() as u64);
        go_on(run, target, stopped)?;
    }
    Some(writer.rows())
}

/// Nothing, with a finding, once Ctrl-C was pressed.
fn go_on(run: &mut Run, target: &Target, stopped: &AtomicBool) -> Option<()> {
    if !stopped.load(Ordering::Relaxed) {
        return Some(());
    }
    run.diagnostics.push(
        Diagnostic::new(Code::Interrupted, format!("the load into {} was interrupted", target.name))
            .help("nothing was written; run it again"),
    );
    None
}

/// Becomes true when Ctrl-C is pressed. Where no handler can be set, the process ends as usual, and nothing is committed either.
fn stopped() -> Arc<AtomicBool> {
    let stopped = Arc::new(AtomicBool::new(false));
    let flag = Arc::clone(&stopped);
    let _ = ctrlc::set_handler(move || flag.store(true, Ordering::Relaxed));
    stopped
}

/// The rows with what they do to a table with a key.
fn with_kind(batch: &RecordBatch, effect: Effect) -> Result<RecordBatch, Vec<Diagnostic>> {
    let kind = match effect {
        Effect::Insert | Effect::Upsert => 0,
        Effect::Delete => 3,
    };
    let mut fields: Vec<Arc<Field>> = batch.schema().fields().iter().cloned().collect();
    fields.push(Arc::new(Field::new(VALUE_KIND, ArrowType::Int8, false)));
    let mut arrays: Vec<ArrayRef> = batch.columns().to_vec();
    arrays.push(Arc::new(Int8Array::from(vec![kind; batch.num_rows()])));
    RecordBatch::try_new(Arc::new(Schema::new(fields)), arrays)
        .map_err(|error| vec![Diagnostic::new(Code::Internal, error.to_string())])
}

fn report(target: &Target, file: &Path, effect: Effect, written: &Written) -> (String, Value) {
    let told = match (effect, written.known) {
        (Effect::Insert, _) | (Effect::Delete, None) => counted(written.rows, "row"),
        (Effect::Upsert, _) => format!("{} upserted", counted(written.rows, "row")),
        (Effect::Delete, Some(known)) => {
            format!("{} deleted by {}", counted(known, "row"), counted(written.keys, "key"))
        }
    };
    let line =
        if target.line.name() == "main" { String::new() } else { format!(" on {}", target.line.name()) };
    let mut text = String::new();
    if target.is_new {
        text.push_str(&target.described());
    }
    match written.snapshot {
        Some(snapshot) => {
            let _ =
                writeln!(text, "{}{line}: {told} from {}, snapshot {snapshot}", target.name, file.display());
        }
        None => {
            let _ = writeln!(text, "{}{line}: {} has no rows, nothing to write", target.name, file.display());
        }
    }
    let data = json!({
        "table": target.name.to_string(),
        "branch": target.line.name(),
        "created": target.is_new,
        "rows": written.rows,
        "keys": written.known.map(|_| written.keys),
        "deleted": written.known,
        "snapshot": written.snapshot,
        "columns": target.columns.iter().map(|column| json!({"name": column.name, "type": column.data_type.to_string()})).collect::<Vec<_>>(),
        "primary_key": target.key,
    });
    (text, data)
}
