//! One pipeline's artefacts. In: the pipeline, the models, declared types, what is wanted. Out: texts, or why there are none.

mod job;
mod view;

use serde_json::{Value, json};
use unisono_compiler::catalog::Catalog;
use unisono_compiler::diagnostic::{Code, Diagnostic, Severity, has_errors};
use unisono_compiler::plan::{Plan, plan};
use unisono_compiler::query::{Bound, Request, bind};
use unisono_compiler::relation::Relation;
use unisono_compiler::resolve::{Resolved, resolve_model};
use unisono_compiler::syntax::document::SemanticModel;
use unisono_dialects::{
    Binding, Bindings, BoundSource, Engine, TableSpec, Target, bindings_of, emit, flink_create_table,
    rollup_spec, schema_json, source_spec,
};

use super::Wanted;
use super::artefact::{Artefact, LeftOut, SCHEMAS, dialect};
use crate::compile::{compile_request, kept};
use crate::lake::names::DEFAULT_DATABASE;
use crate::lake::{LakeError, TableName};
use crate::output::pretty;
use crate::pipeline::{model_of, moment, refuse_clock, request, scanned, table_of, windows};
use crate::project::{EngineKind, Pipeline, Project};

/// What artefacts are made for.
pub(super) struct Wish<'a> {
    /// The targets.
    pub(super) wanted: &'a [Wanted],
    /// The command names them; else it is all there are.
    pub(super) by_name: bool,
}

/// What came of a pipeline.
#[derive(Default)]
pub(super) struct Made {
    /// The texts.
    pub(super) artefacts: Vec<Artefact>,
    /// The targets that have none.
    pub(super) left_out: Vec<LeftOut>,
    /// Which of the models they are of.
    pub(super) model: usize,
}

/// Everything wanted of a pipeline; `None` with an error.
pub(super) fn compile(
    project: &Project,
    pipeline: &Pipeline,
    models: &[SemanticModel],
    catalog: &Catalog,
    wish: &Wish<'_>,
) -> (Option<Made>, Vec<Diagnostic>) {
    let (request, mut findings, words) = request(pipeline);
    let made =
        request.and_then(|request| made(project, pipeline, models, catalog, (&request, wish), &mut findings));
    let findings: Vec<Diagnostic> = findings.into_iter().map(|finding| words.place(finding)).collect();
    let failed = has_errors(&findings);
    (made.filter(|_| !failed), findings)
}

/// What is wrong with a pipeline on every target alike; what is wrong with its model is left to others.
pub(in crate::command) fn check(
    project: &Project,
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
            let (plan, wrong) = plan(&resolved, &bound);
            findings.extend(wrong);
            if let Some(plan) = plan {
                findings
                    .extend(windows(project, pipeline, &resolved, &bound, &plan).err().unwrap_or_default());
            }
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
    (request, wish): (&Request, &Wish<'_>),
    findings: &mut Vec<Diagnostic>,
) -> Option<Made> {
    let model = model_of(pipeline, models, findings)?;
    let at = models.iter().position(|one| std::ptr::eq(one, model))?;
    let mut made = Made { model: at, ..Made::default() };
    // What one target lacks keeps nobody from hearing what the next one lacks.
    let mut is_whole = true;
    for one in wish.wanted {
        match one {
            Wanted::Sql(target) => {
                let mut own = Vec::new();
                let text = query(project, pipeline, model, catalog, request, *target, &mut own);
                let is_needed = wish.by_name || runs_on(project, pipeline, target.engine);
                match reason(&own) {
                    Some(finding) if !is_needed => made.left_out.push(LeftOut {
                        pipeline: pipeline.name.value.clone(),
                        target: target.engine.as_str(),
                        finding: finding.clone(),
                    }),
                    Some(_) | None => {
                        findings.extend(own);
                        let asked = (model, catalog, request);
                        let more = match (&text, target.engine) {
                            (Some(_), Engine::FlinkStreaming) => {
                                job::compile(project, pipeline, asked, *target, findings)
                            }
                            (Some(_), Engine::StarRocks) => {
                                view::compile(project, pipeline, asked, *target, findings)
                            }
                            (Some(_), Engine::DataFusion | Engine::DuckDb | Engine::FlinkBatch) => {
                                Some(Vec::new())
                            }
                            (None, _) => None,
                        };
                        is_whole &= more.is_some();
                        made.artefacts.extend(text);
                        made.artefacts.extend(more.into_iter().flatten());
                    }
                }
            }
            Wanted::Paimon => {
                let tables = tables(project, pipeline, model, catalog, request, findings);
                is_whole &= tables.is_some();
                made.artefacts.extend(tables.into_iter().flatten());
            }
        }
    }
    is_whole.then_some(made)
}

/// What a target lacks of the request, if nothing else is wrong: whatever else is can be mended in the model or the schema.
fn reason(findings: &[Diagnostic]) -> Option<&Diagnostic> {
    let is_lack = |finding: &Diagnostic| {
        matches!(finding.code, Code::UnsupportedFunction | Code::UnsupportedPattern | Code::UnsupportedSource)
    };
    let mut errors = findings.iter().filter(|finding| finding.severity() == Severity::Error);
    let first = errors.next()?;
    (is_lack(first) && errors.all(is_lack)).then_some(first)
}

/// Whether one of a pipeline's two sides runs on an engine.
fn runs_on(project: &Project, pipeline: &Pipeline, engine: Engine) -> bool {
    let kind = |name: &str| project.engine(name).unwrap_or(&EngineKind::DataFusion);
    let is_of = |kind: &EngineKind, flink: Engine| match kind {
        EngineKind::DataFusion | EngineKind::Incremental => engine == Engine::DataFusion,
        EngineKind::Flink { .. } => engine == flink,
        EngineKind::StarRocks { .. } => engine == Engine::StarRocks,
    };
    is_of(kind(&pipeline.batch), Engine::FlinkBatch)
        || is_of(kind(&pipeline.realtime), Engine::FlinkStreaming)
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
    let bindings = bound_tables(project, &resolved, catalog_of(project, pipeline, target).as_deref());
    let (sql, wrong) = emit(&adapted, &target, &bindings);
    findings.extend(wrong);
    let mut text = sql?;
    if !text.ends_with('\n') {
        text.push('\n');
    }
    Some(Artefact {
        pipeline: pipeline.name.value.clone(),
        target: target.engine.as_str(),
        kind: "query",
        ending: "sql",
        dialect: dialect(target),
        text,
    })
}

/// The model's sources as tables of the project, their names within a catalog if the engine needs one.
fn bound_tables(project: &Project, resolved: &Resolved, catalog: Option<&str>) -> Bindings {
    let mut bindings = bindings_of(resolved);
    for (id, dataset) in resolved.model.datasets.iter() {
        if let Some(mut name) = table_of(project, &dataset.source) {
            if let Some(catalog) = catalog {
                // Behind a catalogue a name needs its database.
                let database = (name.len() == 1).then_some(DEFAULT_DATABASE);
                name.splice(0..0, [catalog].into_iter().chain(database).map(ToString::to_string));
            }
            bindings.bind(id, Binding { source: BoundSource::Table(name), pin: None });
        }
    }
    bindings
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
    let asked = Asked { project, pipeline, resolved: &resolved, plan: &plan, bound: &stages.bound? };
    let (mut specs, rollup, dimensions) = specs(&asked, &relation, findings)?;
    let key_of: Vec<&str> =
        rollup.columns.iter().skip(1).take(dimensions).map(|column| column.name.as_str()).collect();
    let mut schemas: Vec<Value> =
        specs.iter().map(|spec| json!({"table": spec.name, "schema": schema_json(spec)})).collect();
    schemas.push(json!({"table": rollup.name, "dimensions": key_of, "schema": schema_json(&rollup)}));
    specs.push(rollup);
    let ddl: Vec<String> = specs
        .iter()
        .map(|spec| {
            let text = flink_create_table(spec);
            format!("{};\n", text.trim_end().trim_end_matches(';'))
        })
        .collect();
    let name = &pipeline.name.value;
    Some([
        Artefact {
            pipeline: name.clone(),
            target: "paimon",
            kind: "flink-ddl",
            ending: "sql",
            dialect: dialect(target),
            text: ddl.join("\n"),
        },
        Artefact {
            pipeline: name.clone(),
            target: "paimon",
            kind: SCHEMAS,
            ending: "json",
            dialect: "paimon".to_string(),
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
    bound: &'a Bound,
}

/// The tables that a pipeline reads, its rollup, and how many of the rollup's columns are dimensions.
fn specs(
    asked: &Asked<'_>,
    relation: &Relation,
    findings: &mut Vec<Diagnostic>,
) -> Option<(Vec<TableSpec>, TableSpec, usize)> {
    let mut specs: Vec<TableSpec> = Vec::new();
    let mut is_whole = true;
    for dataset in scanned(asked.plan) {
        let (spec, wrong) = source_spec(asked.resolved, dataset);
        findings.extend(wrong);
        let Some(mut spec) = spec else {
            is_whole = false;
            continue;
        };
        if let Some(name) = table_of(asked.project, &asked.resolved.model.datasets[dataset].source) {
            // A name alone is of the database that the warehouse has for such.
            spec.name = TableName::parse(&name.join(".")).map_or(name.join("."), |name| name.to_string());
        }
        if !specs.iter().any(|known| known.name == spec.name) {
            specs.push(spec);
        }
    }
    // The types of the rollup come from these.
    if !is_whole {
        return None;
    }
    let (_, rollup) = rollup(asked.pipeline, asked.bound, relation, findings)?;
    Some((specs, rollup, asked.bound.dimensions()))
}

/// A pipeline's rollup: its name, and the table with `__key`, the dimensions, the measures.
fn rollup(
    pipeline: &Pipeline,
    bound: &Bound,
    relation: &Relation,
    findings: &mut Vec<Diagnostic>,
) -> Option<(TableName, TableSpec)> {
    let written = &pipeline.rollup;
    let place = |error: LakeError| vec![error.diagnostic().at(written.span, "")];
    let name = kept(TableName::parse(&written.value).map_err(place), findings)?;
    let columns = relation.columns();
    let (dimensions, measures) = columns.split_at(bound.dimensions().min(columns.len()));
    let (spec, wrong) = rollup_spec(&name.to_string(), dimensions, measures);
    findings.extend(wrong);
    Some((name, spec?))
}

/// The external catalog of the pipeline's StarRocks, which the names of its tables start with; of a pipeline that runs on none, that of all the
/// project's.
fn catalog_of(project: &Project, pipeline: &Pipeline, target: Target) -> Option<String> {
    if target.engine != Engine::StarRocks {
        return None;
    }
    let catalog_of = |kind: &EngineKind| match kind {
        EngineKind::StarRocks { catalog, .. } => catalog.as_ref().map(|catalog| catalog.value.clone()),
        EngineKind::DataFusion | EngineKind::Incremental | EngineKind::Flink { .. } => None,
    };
    let own =
        [&pipeline.batch, &pipeline.realtime].into_iter().find_map(|name| catalog_of(project.engine(name)?));
    own.or_else(|| {
        let mut all = project.engines.iter().filter_map(|engine| catalog_of(&engine.kind));
        let first = all.next()?;
        all.all(|other| other == first).then_some(first)
    })
}
