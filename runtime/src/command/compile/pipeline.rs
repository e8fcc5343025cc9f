//! One pipeline's artefacts. In: the pipeline, the models, declared types, what is wanted. Out: texts, or why there are none.

use std::collections::BTreeSet;

use serde_json::{Value, json};
use unisono_compiler::catalog::Catalog;
use unisono_compiler::diagnostic::{Code, Diagnostic, has_errors};
use unisono_compiler::ids::DatasetId;
use unisono_compiler::model::Source;
use unisono_compiler::plan::{Node, Plan, plan};
use unisono_compiler::query::{Moment, Request, Shape, bind};
use unisono_compiler::resolve::Resolved;
use unisono_compiler::syntax::document::SemanticModel;
use unisono_dialects::{
    Binding, BoundSource, Engine, TableSpec, Target, bindings_of, emit, flink_create_table, rollup_spec,
    schema_json, source_spec,
};

use super::Wanted;
use super::artefact::Artefact;
use super::asked::request;
use crate::compile::{compile_request, resolve_model};
use crate::output::pretty;
use crate::project::{EngineKind, Pipeline, Project};

/// Two moments that differ in every part: what depends on the clock differs between them.
const MOMENTS: [&str; 2] = ["2001-02-03 04:05:06.000007", "2012-11-10 09:18:17.160015"];

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
        let (bound, wrong) = bind(&resolved, &request, &moment(0));
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
            }
            Wanted::Paimon => {
                artefacts.extend(tables(project, pipeline, model, catalog, request, findings)?);
            }
        }
    }
    Some(artefacts)
}

/// The model that has all the pipeline's metrics; the first one where none has, so that near names can be said.
fn model_of<'m>(
    pipeline: &Pipeline,
    models: &'m [SemanticModel],
    findings: &mut Vec<Diagnostic>,
) -> Option<&'m SemanticModel> {
    let has_all = |model: &&SemanticModel| {
        pipeline.metrics.iter().all(|wanted| {
            model.metrics.iter().any(|metric| metric.name.value.eq_ignore_ascii_case(&wanted.value))
        })
    };
    let fitting: Vec<&SemanticModel> = models.iter().filter(has_all).collect();
    match fitting.as_slice() {
        [] => {
            if models.is_empty() {
                let message = format!("no model is there for pipeline `{}`", pipeline.name.value);
                findings.push(Diagnostic::new(Code::NameNotFound, message).help("add a model to `models`"));
            }
            models.first()
        }
        [only] => Some(only),
        [first, second, ..] => {
            let message = format!(
                "the models `{}` and `{}` both have the metrics of pipeline `{}`",
                first.name.value, second.name.value, pipeline.name.value
            );
            findings.push(Diagnostic::new(Code::Usage, message).help("rename the metrics of one model"));
            None
        }
    }
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
    let stages = compile_request(model, catalog, request, &moment(0), target);
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

/// A pipeline is maintained for ever: what its metrics mean must not move with the clock.
fn refuse_clock(resolved: &Resolved, request: &Request, pipeline: &Pipeline, findings: &mut Vec<Diagnostic>) {
    let bound = |at: usize| bind(resolved, request, &moment(at)).0;
    if bound(0) != bound(1) {
        let name = &pipeline.name.value;
        findings.push(
            Diagnostic::new(
                Code::UnsupportedFunction,
                format!("pipeline `{name}` depends on the current time"),
            )
            .help(
                "remove CURRENT_DATE and CURRENT_TIMESTAMP from what it uses; a request can filter by them",
            ),
        );
    }
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
    let stages = compile_request(model, catalog, request, &moment(0), target);
    findings.extend(stages.diagnostics);
    let (resolved, plan, relation) = (stages.resolved?, stages.plan?, stages.relation?);
    let mut specs: Vec<TableSpec> = Vec::new();
    for dataset in scanned(&plan) {
        let (spec, wrong) = source_spec(&resolved, dataset);
        findings.extend(wrong);
        let mut spec = spec?;
        if let Some(name) = table_of(project, &resolved.model.datasets[dataset].source) {
            spec.name = name.join(".");
        }
        if !specs.iter().any(|known| known.name == spec.name) {
            specs.push(spec);
        }
    }
    let columns = relation.columns();
    let dimensions = match &stages.bound?.shape {
        Shape::Aggregation(aggregation) => aggregation.dimensions.len(),
        Shape::Scalar(_) => 0,
    };
    let (dimensions, measures) = columns.split_at(dimensions.min(columns.len()));
    let (rollup, wrong) = rollup_spec(&pipeline.rollup.value, dimensions, measures);
    findings.extend(wrong);
    specs.push(rollup?);
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

/// The datasets that a plan scans, in the order of the model.
fn scanned(plan: &Plan) -> BTreeSet<DatasetId> {
    plan.nodes
        .iter()
        .filter_map(|(_, node)| match node {
            Node::Scan { dataset, columns: _ } => Some(*dataset),
            Node::Compute { .. }
            | Node::Filter { .. }
            | Node::Enrich { .. }
            | Node::Fan { .. }
            | Node::Aggregate { .. }
            | Node::Pick { .. }
            | Node::Distinct { .. }
            | Node::Stitch { .. }
            | Node::Attach { .. } => None,
        })
        .collect()
}

/// The table behind a dataset: that of `sources:`, else the last two parts of its source; `None` for a query.
pub(super) fn table_of(project: &Project, source: &Source) -> Option<Vec<String>> {
    match source {
        Source::Table(parts) => {
            let source = parts.join(".");
            let named = project.sources.iter().find(|entry| entry.source.value == source);
            match named.and_then(|entry| entry.table.as_ref()) {
                Some(table) => Some(table.value.split('.').map(ToString::to_string).collect()),
                None => Some(parts[parts.len().saturating_sub(2)..].to_vec()),
            }
        }
        Source::Query(_) => None,
    }
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

fn moment(at: usize) -> Moment {
    Moment { now: MOMENTS[at].to_string(), zone: "UTC".to_string() }
}
