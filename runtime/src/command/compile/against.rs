//! `compile --against`: how the tables of an earlier version become those of this one. In: schema files that an earlier `compile` wrote, the
//! schemas that it would write now. Out: CREATE and ALTER TABLE for Flink, or a finding for each change that would lose something.

use std::path::{Path, PathBuf};

use serde_json::{Value, json};
use unisono_compiler::diagnostic::{Code, Diagnostic};
use unisono_dialects::{Change, TableSpec, evolve, flink_alter_table, flink_create_table, spec_of_json};

use crate::lake::TableName;
use crate::load::read_text;
use crate::output::Run;
use crate::project::{EngineKind, Pipeline, Project};

/// A table of a schema file.
struct Described {
    spec: TableSpec,
    /// What a rollup's `__key` is made of; `None` for a source.
    dimensions: Option<Vec<String>>,
}

/// What becomes of a table.
struct Planned {
    table: String,
    state: State,
    statements: Vec<String>,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum State {
    Unchanged,
    New,
    Altered,
    /// The rollup of a pipeline that this program keeps.
    MadeAnew,
    Gone,
}

impl State {
    fn as_str(self) -> &'static str {
        match self {
            State::Unchanged => "unchanged",
            State::New => "new",
            State::Altered => "altered",
            State::MadeAnew => "made anew",
            State::Gone => "gone",
        }
    }
}

/// The plan as text and data; `None` with a finding for each change that is refused.
pub(super) fn plan(
    run: &mut Run,
    project: &Project,
    files: &[PathBuf],
    now: &[&str],
) -> Option<(String, Value)> {
    let mut old: Vec<Described> = Vec::new();
    for path in files {
        let tables = run.check(from_file(path))?;
        run.check(join(&mut old, tables))?;
    }
    let mut new: Vec<Described> = Vec::new();
    for text in now {
        let tables = run.check(from_text(Path::new("the project"), text))?;
        run.check(join(&mut new, tables))?;
    }
    let mut planned = Vec::new();
    for table in &new {
        let before = old.iter().find(|before| before.spec.name == table.spec.name);
        planned.extend(run.check(table_plan(project, before, table)));
    }
    run.check_since(0)?;
    for gone in old.iter().filter(|old| !new.iter().any(|new| new.spec.name == old.spec.name)) {
        planned.push(Planned { table: gone.spec.name.clone(), state: State::Gone, statements: Vec::new() });
    }
    run.notes.extend(planned.iter().filter_map(note));
    if planned.iter().all(|one| one.state == State::Unchanged) {
        run.notes.push("no table changes: there is nothing to run".to_string());
    }
    let lines = planned.iter().flat_map(|one| &one.statements).map(|statement| format!("{statement};\n"));
    let text = lines.collect();
    let tables: Vec<Value> = planned
        .iter()
        .map(|one| json!({"table": one.table, "state": one.state.as_str(), "statements": one.statements}))
        .collect();
    Some((text, json!({"tables": tables})))
}

fn note(planned: &Planned) -> Option<String> {
    let table = &planned.table;
    match planned.state {
        State::Gone => Some(format!("`{table}` is no table of the project any more: nothing is done to it")),
        State::MadeAnew => Some(format!(
            "`{table}` is kept by the embedded engine, which makes it anew: unisono branch create NAME, unisono pipeline run --branch NAME, unisono branch merge NAME"
        )),
        State::Unchanged | State::New | State::Altered => None,
    }
}

fn table_plan(
    project: &Project,
    before: Option<&Described>,
    table: &Described,
) -> Result<Planned, Vec<Diagnostic>> {
    let name = table.spec.name.clone();
    let planned = |state, statements| Planned { table: name.clone(), state, statements };
    let Some(before) = before else { return Ok(planned(State::New, vec![flink_create_table(&table.spec)])) };
    if before.spec == table.spec && before.dimensions == table.dimensions {
        return Ok(planned(State::Unchanged, Vec::new()));
    }
    if is_embedded(project, &name) {
        return Ok(planned(State::MadeAnew, Vec::new()));
    }
    if before.dimensions != table.dimensions {
        let message = format!(
            "`{name}` cannot be altered: its dimensions would be {} in place of {}, and the `__key` of each row is made of them",
            words(table.dimensions.as_ref()),
            words(before.dimensions.as_ref())
        );
        return Err(vec![Diagnostic::new(Code::TableChange, message).about(name).help(OTHER)]);
    }
    let changes = evolve(&before.spec, &table.spec)?;
    let statement = |change: &Change| flink_alter_table(&table.spec.name, change);
    Ok(planned(State::Altered, changes.iter().filter_map(statement).collect()))
}

const OTHER: &str = "name another table under `rollup:`";

fn words(dimensions: Option<&Vec<String>>) -> String {
    match dimensions.map(Vec::as_slice) {
        None | Some([]) => "none".to_string(),
        Some(names) => format!("`{}`", names.join("`, `")),
    }
}

/// Whether a table is the rollup of a pipeline that this program keeps.
fn is_embedded(project: &Project, table: &str) -> bool {
    let is_of = |pipeline: &&Pipeline| {
        TableName::parse(&pipeline.rollup.value).is_ok_and(|rollup| rollup.to_string() == table)
    };
    let mut pipelines = project.pipelines.iter().filter(is_of);
    pipelines.any(|pipeline| !matches!(project.engine(&pipeline.realtime), Some(EngineKind::Flink { .. })))
}

fn from_file(path: &Path) -> Result<Vec<Described>, Vec<Diagnostic>> {
    from_text(path, &read_text(path, "file of schemas", &[".json"])?)
}

fn from_text(path: &Path, text: &str) -> Result<Vec<Described>, Vec<Diagnostic>> {
    let wrong = |why: String| {
        let message = format!("`{}` is no file of schemas: {why}", path.display());
        vec![
            Diagnostic::new(Code::Parse, message)
                .help("name a `*.paimon.schemas.*.json` that `compile` wrote"),
        ]
    };
    let document: Value = serde_json::from_str(text).map_err(|error| wrong(error.to_string()))?;
    let tables = document["tables"].as_array().ok_or_else(|| wrong("it has no list `tables`".to_string()))?;
    tables.iter().map(|entry| described(entry).map_err(&wrong)).collect()
}

fn described(entry: &Value) -> Result<Described, String> {
    let name = entry["table"].as_str().ok_or("a table has no name")?;
    let spec = spec_of_json(name, &entry["schema"])?;
    let dimensions = match &entry["dimensions"] {
        Value::Null => None,
        Value::Array(names) => {
            Some(names.iter().filter_map(Value::as_str).map(ToString::to_string).collect())
        }
        other => return Err(format!("the dimensions of `{name}` are no list: {other}")),
    };
    Ok(Described { spec, dimensions })
}

/// Adds tables; one that is there already must be the same.
fn join(all: &mut Vec<Described>, more: Vec<Described>) -> Result<(), Vec<Diagnostic>> {
    for table in more {
        match all.iter().find(|known| known.spec.name == table.spec.name) {
            None => all.push(table),
            Some(known) if known.spec == table.spec && known.dimensions == table.dimensions => {}
            Some(_) => {
                let message = format!("two schemas of `{}` differ, and one table has one", table.spec.name);
                return Err(vec![
                    Diagnostic::new(Code::TableChange, message)
                        .about(table.spec.name)
                        .help("name the files of one version only"),
                ]);
            }
        }
    }
    Ok(())
}
