//! One pipeline's artefacts. In: the pipeline, the models, declared types, what is wanted. Out: texts, or why there are none.

mod job;

use serde_json::{Value, json};
use unisono_compiler::catalog::Catalog;
use unisono_compiler::diagnostic::{Diagnostic, has_errors};
use unisono_compiler::plan::{Plan, plan};
use unisono_compiler::query::{Request, Shape, bind};
use unisono_compiler::relation::Relation;
use unisono_compiler::resolve::{Resolved, resolve_model};
use unisono_compiler::syntax::document::SemanticModel;
use unisono_dialects::{
    Binding, BoundSource, Engine, TableSpec, Target, bindings_of, emit, flink_create_table, rollup_spec,
    schema_json, source_spec,
};

use super::Wanted;
use super::artefact::Artefact;
use crate::compile::compile_request;
use crate::output::pretty;
use crate::pipeline::{model_of, moment, refuse_clock, request, scanned, table_of};
use crate::project::{EngineKind, Pipeline, Project};

/// Everything wanted of a pipeline; `None` with an error.
pub(super) fn compile(
    project: &Project,
    pipeline: &Pipeline,
    models: &[SemanticModel],
    catalog: &Catalog,
    wanted: &[Wanted],
) -> (Option<Vec<Artefact>>, Vec<Diagnostic>) {
    let (request, mut findings, words) = request(pipeline);
    let made = request
        .and_then(|request| made(project, pipeline, models, catalog, (&request, wanted), &mut findings));
    let findings: Vec<Diagnostic> = findings.into_iter().map(|finding| words.place(finding)).collect();
    let failed = has_errors(&findings);
    (made.filter(|_| !failed), findings)
}

/// What is wrong with a pipeline on every target alike; what is wrong with its model is left to others.
pub(in crate::command) fn check(
    pipeline: &Pipeline,
    models: &[SemanticModel],
    catalog: &Catalog,
) -> Vec<Diagnostic> {
    let (request, mut findings, words) = request(pipeline);
    if let Some(request) = request
        && let Some(model) = model_of(pipeline, models, &mut findings)
        && let (Some(resolved), _) = resolve_model(model, catalog, "")
    {
        let (bound, wrong) = bind(&resolved, &request, &moment());
        let failed = has_errors(&wrong);
        findings.extend(wrong);
        if let Some(bound) = bound.filter(|_| !failed) {
            findings.extend(plan(&resolved, &bound).1);
            refuse_clock(&resolved, &request, pipeline, &mut findings);
        }
    }
    findings.into_iter().map(|finding| words.place(finding)).collect()
}

fn made(
    project: &Project,
    pipeline: &Pipeline,
    models: &[SemanticModel],
    catalog: &Catalog,
    (request, wanted): (&Request, &[Wanted]),
    findings: &mut Vec<Diagnostic>,
) -> Option<Vec<Artefact>> {
    let model = model_of(pipeline, models, findings)?;
    let mut artefacts = Vec::new();
    for one in wanted {
        match one {
            Wanted::Sql(target) => {
                artefacts.push(query(project, pipeline, model, catalog, request, *target, findings)?);
                if target.engine == Engine::FlinkStreaming {
                    let asked = (model, catalog, request);
                    artefacts.extend(job::compile(project, pipeline, asked, *target, findings)?);
                }
            }
            Wanted::Paimon => {
                artefacts.extend(tables(project, pipeline, model, catalog, request, findings)?);
            }
        }
    }
    Some(artefacts)
}

fn query(
    project: &Project,
    pipeline: &Pipeline,
    model: &SemanticModel,
    catalog: &Catalog,
    request: &Request,
    target: Target,
    findings: &mut Vec<Diagnostic>,
) -> Option<Artefact> {
    let stages = compile_request(model, catalog, request, &moment(), target);
    findings.extend(stages.diagnostics);
    // The same text again, with the tables of the project in place of the model's sources.
    stages.sql?;
    let (resolved, adapted) = (stages.resolved?, stages.adapted?);
    refuse_clock(&resolved, request, pipeline, findings);
    let mut bindings = bindings_of(&resolved);
    for (id, dataset) in resolved.model.datasets.iter() {
        if let Some(mut name) = table_of(project, &dataset.source) {
            name.splice(0..0, catalog_of(project, pipeline, target));
            bindings.bind(id, Binding { source: BoundSource::Table(name), pin: None });
        }
    }
    let (sql, wrong) = emit(&adapted, &target, &bindings);
    findings.extend(wrong);
    let mut text = sql?;
    if !text.ends_with('\n') {
        text.push('\n');
    }
    let name = target.engine.as_str();
    Some(Artefact { pipeline: pipeline.name.value.clone(), target: name, kind: "query", ending: "sql", text })
}

/// The specs of all tables that the pipeline reads and of its rollup: as Flink DDL, and as the schemas of a catalogue.
fn tables(
    project: &Project,
    pipeline: &Pipeline,
    model: &SemanticModel,
    catalog: &Catalog,
    request: &Request,
    findings: &mut Vec<Diagnostic>,
) -> Option<[Artefact; 2]> {
    let target = Target::latest(Engine::FlinkBatch);
    let stages = compile_request(model, catalog, request, &moment(), target);
    findings.extend(stages.diagnostics);
    let (resolved, plan, relation) = (stages.resolved?, stages.plan?, stages.relation?);
    let asked = Asked { project, pipeline, resolved: &resolved, plan: &plan, shape: &stages.bound?.shape };
    let (mut specs, rollup, _) = specs(&asked, &relation, findings)?;
    specs.push(rollup);
    let ddl: Vec<String> = specs
        .iter()
        .map(|spec| {
            let text = flink_create_table(spec);
            format!("{};\n", text.trim_end().trim_end_matches(';'))
        })
        .collect();
    let schemas: Vec<Value> =
        specs.iter().map(|spec| json!({"table": spec.name, "schema": schema_json(spec)})).collect();
    let name = &pipeline.name.value;
    Some([
        Artefact {
            pipeline: name.clone(),
            target: "paimon",
            kind: "flink-ddl",
            ending: "sql",
            text: ddl.join("\n"),
        },
        Artefact {
            pipeline: name.clone(),
            target: "paimon",
            kind: "schemas",
            ending: "json",
            text: pretty(&json!({ "tables": schemas })),
        },
    ])
}

/// What the specs of a pipeline's tables are made from.
struct Asked<'a> {
    project: &'a Project,
    pipeline: &'a Pipeline,
    resolved: &'a Resolved,
    plan: &'a Plan,
    shape: &'a Shape,
}

/// The tables that a pipeline reads, its rollup, and how many of the rollup's columns are dimensions.
fn specs(
    asked: &Asked<'_>,
    relation: &Relation,
    findings: &mut Vec<Diagnostic>,
) -> Option<(Vec<TableSpec>, TableSpec, usize)> {
    let mut specs: Vec<TableSpec> = Vec::new();
    for dataset in scanned(asked.plan) {
        let (spec, wrong) = source_spec(asked.resolved, dataset);
        findings.extend(wrong);
        let mut spec = spec?;
        if let Some(name) = table_of(asked.project, &asked.resolved.model.datasets[dataset].source) {
            spec.name = name.join(".");
        }
        if !specs.iter().any(|known| known.name == spec.name) {
            specs.push(spec);
        }
    }
    let columns = relation.columns();
    let dimensions = match asked.shape {
        Shape::Aggregation(aggregation) => aggregation.dimensions.len(),
        Shape::Scalar(_) => 0,
    };
    let (dimensions, measures) = columns.split_at(dimensions.min(columns.len()));
    let (rollup, wrong) = rollup_spec(&asked.pipeline.rollup.value, dimensions, measures);
    findings.extend(wrong);
    Some((specs, rollup?, dimensions.len()))
}

/// The external catalog of the pipeline's StarRocks, which the names of its tables start with.
fn catalog_of(project: &Project, pipeline: &Pipeline, target: Target) -> Option<String> {
    if target.engine != Engine::StarRocks {
        return None;
    }
    let named = |name: &str| project.engines.iter().find(|engine| engine.name.value == name);
    [&pipeline.batch, &pipeline.realtime].into_iter().find_map(|name| match &named(name)?.kind {
        EngineKind::StarRocks { catalog, .. } => catalog.as_ref().map(|catalog| catalog.value.clone()),
        EngineKind::DataFusion | EngineKind::Incremental | EngineKind::Flink { .. } => None,
    })
}
