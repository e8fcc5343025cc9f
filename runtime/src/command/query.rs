//! `query`: one request run over the warehouse or the files of a folder, rows on stdout or in a file.
//! In: the model, the request, what is read. Out: rows in the form that is asked for; never more than the limit, and a word if there are more.

mod flink;
mod lake;
mod print;
mod starrocks;

use std::collections::{BTreeMap, BTreeSet};
use std::io::IsTerminal;
use std::path::Path;
use std::time::Duration;

use serde_json::Value;
use unisono_compiler::catalog::Catalog;
use unisono_compiler::diagnostic::{Code, Diagnostic};
use unisono_compiler::ids::DatasetId;
use unisono_compiler::model::{Source, lower};
use unisono_compiler::plan::Plan;
use unisono_compiler::relation::OutputColumn;
use unisono_compiler::resolve::Resolved;

use super::asked::{self, Asked};
use crate::compile::{Stages, compile_request};
use crate::data::locate::{self, Folder};
use crate::data::sources::{self, DataError, Served, table_name};
use crate::engine::datafusion::{Session, block_on};
use crate::engine::pinned::scans;
use crate::engine::query_sources::{has_queries, query_columns};
use crate::engine::{EngineError, Limits};
use crate::flags::{Query, RowFormat};
use crate::output::{Outcome, Run, Style};
use crate::table::Table;

/// Rows of a table for people, unless they ask for more.
const TABLE_ROWS: usize = 1_000;

pub(super) fn run(verb: &Query, project: Option<&Path>) -> Outcome {
    let format = verb
        .format
        .unwrap_or_else(|| if std::io::stdout().is_terminal() { RowFormat::Table } else { RowFormat::Csv });
    let style = match format {
        RowFormat::Table | RowFormat::Csv | RowFormat::Arrow | RowFormat::Parquet => Style::Human,
        RowFormat::Json => Style::Json,
    };
    let mut run = Run::default();
    let result = answer(&mut run, verb, format, project);
    run.finish(style, result)
}

fn answer(run: &mut Run, verb: &Query, format: RowFormat, project: Option<&Path>) -> Option<(String, Value)> {
    let output = verb.output.as_deref();
    run.check(print::allowed(format, output, std::io::stdout().is_terminal()))?;
    let rows = verb.max_rows.unwrap_or(match format {
        RowFormat::Table => TABLE_ROWS,
        RowFormat::Csv | RowFormat::Json | RowFormat::Arrow | RowFormat::Parquet => Limits::DEFAULT.rows,
    });
    let limits = Limits { rows, time: Duration::from_secs(verb.timeout) };
    let answer = match &verb.data {
        Some(data) => {
            let folder = run.check(locate::open(data))?;
            let own_schema = data.join("schema.sql");
            let schema = match &verb.schema {
                Some(path) => Some(path.as_path()),
                None if own_schema.is_file() => Some(own_schema.as_path()),
                None => None,
            };
            let asked = asked::read(run, &verb.model, &verb.request, "datafusion", schema, project)?;
            block_on(execute(run, &folder, asked, limits))
        }
        None => block_on(lake::execute(run, verb, limits, project)),
    };
    let answer = match answer {
        Ok(answer) => answer?,
        Err(error) => {
            engine_failed(run, &error);
            return None;
        }
    };
    if answer.table.truncated {
        let first = if rows == 1 { "row is".to_string() } else { format!("{rows} rows are") };
        let message = format!("only the first {first} printed, there are more");
        run.diagnostics.push(Diagnostic::new(Code::ResultTruncated, message).help("raise --max-rows"));
    }
    print::printed(run, &answer, format, output)
}

/// What a request gave.
struct Answer {
    table: Table,
    columns: Vec<OutputColumn>,
    sql: String,
    /// The snapshot read of each table; empty for files.
    snapshots: BTreeMap<String, Option<i64>>,
}

async fn execute(run: &mut Run, folder: &Folder, asked: Asked, limits: Limits) -> Option<Answer> {
    let session = Session::new();
    let (model, findings) = lower(&asked.model);
    let model = run.stage((Some(model), findings))?;
    let served = taken(run, sources::serve(&session, folder, &model, &asked.catalog).await)?;
    let mut catalog: Catalog = sources::catalog(&served, asked.catalog);
    if has_queries(&model) {
        let known: Vec<_> = served.iter().map(|table| (table.name.clone(), table.columns.clone())).collect();
        catalog.queries = taken(run, query_columns(&model, &known).await.map_err(DataError::Engine))?;
    }
    let stages = compile_request(&asked.model, &catalog, &asked.request, &asked.moment, asked.target);
    let Stages { resolved, plan, relation, sql, diagnostics, .. } = stages;
    // A missing file is said alone: that its columns have no types only follows from it.
    let tables = match (&resolved, &plan, &sql) {
        (Some(resolved), Some(plan), Some(_)) => run.check(needed(resolved, plan, &served, folder))?,
        (_, _, _) => Vec::new(),
    };
    // Those of `lower` are in the run already.
    let known = run.diagnostics.clone();
    let findings = diagnostics.into_iter().filter(|finding| !known.contains(finding)).collect();
    let (sql, relation) = (run.stage((sql, findings))?, relation?);
    for (table, wanted) in tables {
        taken(run, sources::load(&session, table, &wanted).await)?;
    }
    let table = session.run(&sql, limits).await.map_err(DataError::Engine);
    Some(Answer { table: taken(run, table)?, columns: relation.columns(), sql, snapshots: BTreeMap::new() })
}

/// The text of a query may name tables that nothing pins.
fn no_queries(resolved: &Resolved, read: &[DatasetId], engine: &str) -> Result<(), Vec<Diagnostic>> {
    let queries = read.iter().map(|dataset| &resolved.model.datasets[*dataset]);
    let found: Vec<Diagnostic> = queries
        .filter(|dataset| matches!(dataset.source, Source::Query(_)))
        .map(|dataset| {
            let message = format!(
                "the source of `{}` is a query, and {engine} reads pinned tables only",
                dataset.name.text
            );
            Diagnostic::new(Code::UnsupportedSource, message)
                .at(dataset.source_span, "")
                .about(format!("datasets.{}", dataset.name.text))
                .help("give the dataset a table, or ask the embedded engine")
        })
        .collect();
    if found.is_empty() { Ok(()) } else { Err(found) }
}

/// The tables that a plan scans, each with the columns that it reads there.
fn needed<'s>(
    resolved: &Resolved,
    plan: &Plan,
    served: &'s [Served],
    folder: &Folder,
) -> Result<Vec<(&'s Served, BTreeSet<String>)>, Vec<Diagnostic>> {
    let mut wanted: BTreeMap<usize, BTreeSet<String>> = BTreeMap::new();
    let mut missing = Vec::new();
    for (dataset, columns) in scans(resolved, plan) {
        let declared = &resolved.model.datasets[dataset];
        match &declared.source {
            Source::Table(parts) => {
                let name = table_name(parts);
                match served.iter().position(|table| table.name == name) {
                    Some(at) => wanted.entry(at).or_default().extend(columns),
                    None => missing.push(
                        folder
                            .missing(parts)
                            .at(declared.source_span, "")
                            .about(format!("datasets.{}", declared.name.text)),
                    ),
                }
            }
            // Its text may read any column of any table.
            Source::Query(_) => {
                for (at, table) in served.iter().enumerate() {
                    let all = table.columns.iter().map(|column| column.name.clone());
                    wanted.entry(at).or_default().extend(all);
                }
            }
        }
    }
    if !missing.is_empty() {
        return Err(missing);
    }
    Ok(wanted.into_iter().filter_map(|(at, columns)| Some((served.get(at)?, columns))).collect())
}

fn taken<T>(run: &mut Run, result: Result<T, DataError>) -> Option<T> {
    match result {
        Ok(value) => Some(value),
        Err(DataError::Files(findings)) => {
            run.diagnostics.extend(findings);
            None
        }
        Err(DataError::Engine(error)) => {
            engine_failed(run, &error);
            None
        }
    }
}

fn engine_failed(run: &mut Run, error: &EngineError) {
    run.engine_failed = true;
    run.diagnostics.push(error.diagnostic("DataFusion"));
}
