//! A pipeline against the tables of a line. In: the project, the models, the columns that the line's tables have. Out: what the
//! real-time engine and the check work on, or why there is no such pipeline.

use std::collections::{BTreeMap, BTreeSet};

use unisono_compiler::catalog::{Catalog, Table};
use unisono_compiler::diagnostic::{Code, Diagnostic, has_errors};
use unisono_compiler::ids::DatasetId;
use unisono_compiler::model::{Source, lower};
use unisono_compiler::plan::{Plan, plan};
use unisono_compiler::query::{Bound, Request, bind};
use unisono_compiler::relation::{OutputColumn, relate};
use unisono_compiler::resolve::{Resolved, resolve_model};
use unisono_compiler::syntax::document::SemanticModel;
use unisono_dialects::Engine;

use super::meaning::{model_of, moment, refuse_clock, scanned, table_of};
use super::windows::{Windows, windows};
use super::words::{json, request};
use crate::compile::{add_types, dialect_name, kept};
use crate::lake::TableName;
use crate::project::{EngineKind, Pipeline, Project};
use crate::version::hash;

/// A pipeline with all that is known before data is read.
pub struct Prepared {
    /// Its name.
    pub name: String,
    /// The rollup's table.
    pub rollup: TableName,
    /// Its words as a request.
    pub request: Request,
    /// The same as a request is written in JSON.
    pub words: serde_json::Value,
    /// The model that has its metrics.
    pub model: SemanticModel,
    /// The columns of the line's tables, by the names that the model uses.
    pub catalog: Catalog,
    /// The model in the words of the real-time engine: the common language, or for a Flink with the variants that it has there.
    pub resolved: Resolved,
    /// The request in these words.
    pub bound: Bound,
    /// Its plan.
    pub plan: Plan,
    /// The answer's columns, dimensions first.
    pub columns: Vec<OutputColumn>,
    /// How many of them are dimensions.
    pub dimensions: usize,
    /// The table of each dataset that has one.
    pub tables: BTreeMap<DatasetId, TableName>,
    /// The tables that the plan reads.
    pub sources: Vec<TableName>,
    /// The engine of kind flink that keeps it; `None` for the embedded engine.
    pub flink: Option<String>,
    /// The engine of kind starrocks that answers in batch; `None` for the embedded engine.
    pub starrocks: Option<String>,
    /// The windows of a windowed pipeline.
    pub windows: Option<Windows>,
    /// Hash of the pipeline's words and of all that its meaning rests on.
    pub generation: String,
}

/// The tables that the models of a project read, with the datasets' names for them.
pub fn source_tables(project: &Project, models: &[SemanticModel]) -> Vec<(Vec<String>, Vec<String>)> {
    let mut found: Vec<(Vec<String>, Vec<String>)> = Vec::new();
    for model in models {
        for (_, dataset) in lower(model).0.datasets.iter() {
            if let (Source::Table(parts), Some(table)) = (&dataset.source, table_of(project, &dataset.source))
            {
                let entry = (parts.clone(), table);
                if !found.contains(&entry) {
                    found.push(entry);
                }
            }
        }
    }
    found
}

/// Compiles a pipeline for its real-time engine. `columns` are the tables of the line by their names in the lake.
pub fn prepare(
    project: &Project,
    pipeline: &Pipeline,
    models: &[SemanticModel],
    columns: &BTreeMap<TableName, Vec<unisono_compiler::catalog::Column>>,
) -> (Option<Prepared>, Vec<Diagnostic>) {
    let (request, mut findings, words) = request(pipeline);
    let prepared = request.and_then(|request| {
        let failed = has_errors(&findings);
        if failed { None } else { made(project, pipeline, models, columns, request, &mut findings) }
    });
    let findings: Vec<Diagnostic> = findings.into_iter().map(|finding| words.place(finding)).collect();
    let failed = has_errors(&findings);
    (prepared.filter(|_| !failed), findings)
}

fn made(
    project: &Project,
    pipeline: &Pipeline,
    models: &[SemanticModel],
    columns: &BTreeMap<TableName, Vec<unisono_compiler::catalog::Column>>,
    request: Request,
    findings: &mut Vec<Diagnostic>,
) -> Option<Prepared> {
    refuse_engines(project, pipeline, findings);
    let rollup = kept(
        TableName::parse(&pipeline.rollup.value).map_err(|error| {
            vec![
                error
                    .diagnostic()
                    .at(pipeline.rollup.span, "")
                    .about(format!("pipelines.{}.rollup", pipeline.name.value)),
            ]
        }),
        findings,
    )?;
    let model = model_of(pipeline, models, findings)?;
    let mut catalog = catalog(project, model, columns);
    findings.extend(add_types(&mut catalog, &project.types));
    let flink = kept_by_flink(project, pipeline);
    let dialect = if flink { dialect_name(Engine::FlinkStreaming) } else { "" };
    let (resolved, wrong) = resolve_model(model, &catalog, dialect);
    findings.extend(wrong);
    let resolved = resolved?;
    let (bound, wrong) = bind(&resolved, &request, &moment());
    findings.extend(wrong);
    let bound = bound?;
    refuse_clock(&resolved, &request, pipeline, findings);
    let (plan, wrong) = plan(&resolved, &bound);
    findings.extend(wrong);
    let plan = plan?;
    let columns_out = relate(&resolved, &plan).columns();
    let dimensions = bound.dimensions();
    let mut tables = BTreeMap::new();
    for (id, dataset) in resolved.model.datasets.iter() {
        if let Some(parts) = table_of(project, &dataset.source)
            && let Ok(name) = TableName::parse(&parts.join("."))
        {
            tables.insert(id, name);
        }
    }
    let mut sources = Vec::new();
    for dataset in scanned(&plan) {
        let declared = &resolved.model.datasets[dataset];
        let about = format!("datasets.{}", declared.name.text);
        let Some(table) = tables.get(&dataset) else {
            findings.push(
                Diagnostic::new(
                    Code::UnsupportedSource,
                    format!(
                        "the source of `{}` is no table, and a pipeline reads tables only",
                        declared.name.text
                    ),
                )
                .at(declared.source_span, "")
                .about(about)
                .help("give the dataset a table `database.table`, or map it under `sources:`"),
            );
            continue;
        };
        if !columns.contains_key(table) {
            findings.push(
                Diagnostic::new(Code::TableNotFound, format!("the warehouse has no table `{table}`"))
                    .suggest(
                        &table.to_string(),
                        columns
                            .keys()
                            .map(ToString::to_string)
                            .collect::<Vec<_>>()
                            .iter()
                            .map(String::as_str),
                    )
                    .at(declared.source_span, "")
                    .about(about)
                    .help(format!("load it: unisono load {table} FILE")),
            );
        } else if !sources.contains(table) {
            sources.push(table.clone());
        }
    }
    if has_errors(findings) {
        return None;
    }
    let windows = kept(windows(project, pipeline, &resolved, &bound, &plan), findings)?;
    let generation = generation(pipeline, &resolved, &plan, windows.as_ref());
    Some(Prepared {
        name: pipeline.name.value.clone(),
        rollup,
        request,
        words: json(pipeline),
        model: model.clone(),
        catalog,
        resolved,
        bound,
        plan,
        columns: columns_out,
        dimensions,
        tables,
        sources,
        flink: flink.then(|| pipeline.realtime.clone()),
        starrocks: asked_of_starrocks(project, pipeline).then(|| pipeline.batch.clone()),
        windows,
        generation,
    })
}

/// What a rollup's values mean: the plan with its types and tables. Texts of the model that change no value change no generation.
fn generation(pipeline: &Pipeline, resolved: &Resolved, plan: &Plan, windows: Option<&Windows>) -> String {
    let sources: Vec<String> =
        resolved.model.datasets.iter().map(|(_, dataset)| format!("{:?}", dataset.source)).collect();
    let columns: Vec<String> = resolved.columns.iter().map(|(_, column)| column.name.clone()).collect();
    let windows = windows.map_or_else(String::new, |windows| format!(" {}", windows.words()));
    hash(&format!("{} {sources:?} {columns:?} {plan:?}{windows}", pipeline.rollup.value))
}

fn catalog(
    project: &Project,
    model: &SemanticModel,
    columns: &BTreeMap<TableName, Vec<unisono_compiler::catalog::Column>>,
) -> Catalog {
    let mut catalog = Catalog::default();
    for (source, table) in source_tables(project, std::slice::from_ref(model)) {
        if let Ok(name) = TableName::parse(&table.join("."))
            && let Some(columns) = columns.get(&name)
            && catalog.find(&source).is_none()
        {
            catalog.tables.push(Table { name: source, columns: columns.clone() });
        }
    }
    catalog
}

/// Whether the pipeline's real-time engine is a Flink.
pub fn kept_by_flink(project: &Project, pipeline: &Pipeline) -> bool {
    matches!(project.engine(&pipeline.realtime), Some(EngineKind::Flink { .. }))
}

/// Whether the pipeline's batch engine is a StarRocks.
fn asked_of_starrocks(project: &Project, pipeline: &Pipeline) -> bool {
    matches!(project.engine(&pipeline.batch), Some(EngineKind::StarRocks { .. }))
}

/// The rollups that a Flink keeps; it writes them whenever it has a checkpoint.
pub fn flink_rollups(project: &Project) -> BTreeSet<TableName> {
    let kept = project.pipelines.iter().filter(|pipeline| kept_by_flink(project, pipeline));
    kept.filter_map(|pipeline| TableName::parse(&pipeline.rollup.value).ok()).collect()
}

/// What only other engines keep is refused by name.
fn refuse_engines(project: &Project, pipeline: &Pipeline, findings: &mut Vec<Diagnostic>) {
    let refuse = |what: String, help: &str| {
        Diagnostic::new(Code::UnsupportedPipeline, what).at(pipeline.name.span, "").help(help)
    };
    let name = &pipeline.name.value;
    match project.engine(&pipeline.realtime) {
        None | Some(EngineKind::Incremental | EngineKind::Flink { .. }) => {}
        Some(EngineKind::DataFusion | EngineKind::StarRocks { .. }) => findings.push(refuse(
            format!(
                "pipeline `{name}` is kept by `{}`, which cannot keep rollups here yet",
                pipeline.realtime
            ),
            "name an engine of kind incremental or flink under `realtime:`",
        )),
    }
    match project.engine(&pipeline.batch) {
        None | Some(EngineKind::DataFusion | EngineKind::StarRocks { .. }) => {}
        Some(EngineKind::Incremental | EngineKind::Flink { .. }) => findings.push(refuse(
            format!("pipeline `{name}` is checked by `{}`, which cannot be asked here yet", pipeline.batch),
            "name an engine of kind datafusion or starrocks under `batch:`",
        )),
    }
}
