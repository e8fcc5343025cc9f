//! A request over the warehouse. In: the project, a branch, a version, or the heads of main. Out: rows of exactly the snapshots that
//! were pinned before the first row was read.

use std::collections::BTreeMap;
use std::path::Path;

use unisono_compiler::catalog::{Catalog, Column, Table as CatalogTable};
use unisono_compiler::diagnostic::{Code, Diagnostic};
use unisono_compiler::ids::DatasetId;
use unisono_compiler::model::{Source, lower};
use unisono_compiler::plan::Plan;
use unisono_compiler::resolve::Resolved;
use unisono_dialects::Target;

use super::{Answer, DataError, flink, starrocks, taken as filled};
use crate::calendar;
use crate::check::prove::StarRocks;
use crate::command::asked;
use crate::command::flink::answered;
use crate::compile::compile_request;
use crate::engine::datafusion::Session;
use crate::engine::flink::Gateway;
use crate::engine::pinned::{PinnedError, fill, scans};
use crate::engine::query_sources::{has_queries, query_columns};
use crate::engine::{self, Limits};
use crate::flags::Query;
use crate::lake::{Line, Pin, TableName};
use crate::models::Found;
use crate::output::Run;
use crate::pipeline::{pins as pins_of, table_of};
use crate::project::EngineKind;
use crate::table::Table;
use crate::version::Version;
use crate::workspace::{self, Workspace, taken};

/// Runs the request.
pub(super) async fn execute(
    run: &mut Run,
    verb: &Query,
    limits: Limits,
    project: Option<&Path>,
) -> Option<Answer> {
    if project.is_none() && crate::project::discover(&std::env::current_dir().ok()?).is_none() {
        run.diagnostics.push(
            Diagnostic::new(Code::Usage, "no data is named")
                .help("name a folder with one CSV, JSON lines or Parquet file a table: --data DIR")
                .help("or run it inside a project with a warehouse"),
        );
        return None;
    }
    let workspace = workspace::open(run, project, false).await?;
    let pins = pins(run, &workspace, verb).await?;
    let engine = chosen(run, &workspace.found, verb.engine.as_deref())?;
    let mut engine = match engine {
        Engine::Embedded => Ready::Embedded,
        Engine::Flink(gateway) => {
            let target = flink::target(run, &gateway, limits).await?;
            Ready::Flink(gateway, target)
        }
        Engine::StarRocks(engine) => Ready::StarRocks(Box::new(starrocks::open(run, engine, limits).await?)),
    };
    let answer = over(run, verb, limits, project, (&workspace, &pins, &mut engine)).await;
    if let Ready::StarRocks(opened) = engine {
        opened.session.close().await;
    }
    answer
}

/// Runs the request on an engine that answers.
async fn over(
    run: &mut Run,
    verb: &Query,
    limits: Limits,
    project: Option<&Path>,
    (workspace, pins, engine): (&Workspace, &BTreeMap<TableName, Pin>, &mut Ready),
) -> Option<Answer> {
    let dialect = match engine {
        Ready::Embedded => "datafusion".to_string(),
        Ready::Flink(_, target) => format!("flink@{}", target.version),
        Ready::StarRocks(opened) => format!("starrocks@{}", opened.target.version),
    };
    let asked = asked::read(run, &verb.model, &verb.request, &dialect, verb.schema.as_deref(), project)?;
    let (model, findings) = lower(&asked.model);
    let model = run.stage((Some(model), findings))?;
    let mut catalog = Catalog::default();
    let mut tables: BTreeMap<DatasetId, TableName> = BTreeMap::new();
    for (id, dataset) in model.datasets.iter() {
        let (Source::Table(parts), Some(names)) =
            (&dataset.source, table_of(&workspace.found.project, &dataset.source))
        else {
            continue;
        };
        let Ok(name) = TableName::parse(&names.join(".")) else { continue };
        if let Some(pin) = pins.get(&name) {
            if catalog.find(parts).is_none() {
                let columns = taken(run, workspace.lake.columns_at(&name, pin).await)?;
                let columns = columns.iter().map(Column::from).collect();
                catalog.tables.push(CatalogTable { name: parts.clone(), columns });
            }
            tables.insert(id, name);
        }
    }
    let declared = asked.catalog.tables.into_iter().filter(|table| catalog.find(&table.name).is_none());
    let declared: Vec<CatalogTable> = declared.collect();
    catalog.tables.extend(declared);
    if has_queries(&model) {
        let mut known = Vec::new();
        for (name, pin) in pins {
            let columns = taken(run, workspace.lake.columns_at(name, pin).await)?;
            let name = vec![name.database().to_string(), name.table().to_string()];
            known.push((name, columns.iter().map(Column::from).collect()));
        }
        catalog.queries = filled(run, query_columns(&model, &known).await.map_err(DataError::Engine))?;
    }
    let stages = compile_request(&asked.model, &catalog, &asked.request, &asked.moment, asked.target);
    if let (Some(resolved), Some(plan), Some(_)) = (&stages.resolved, &stages.plan, &stages.sql) {
        let mut missing = Vec::new();
        for (dataset, _) in scans(resolved, plan) {
            let declared = &resolved.model.datasets[dataset];
            if matches!(declared.source, Source::Table(_)) && !tables.contains_key(&dataset) {
                missing.push(absent(
                    workspace,
                    &declared.source,
                    declared.source_span,
                    &declared.name.text,
                    pins,
                ));
            }
        }
        if !missing.is_empty() {
            run.diagnostics.extend(missing);
            return None;
        }
    }
    // Those of `lower` are in the run already.
    let known = run.diagnostics.clone();
    let findings = stages.diagnostics.iter().filter(|finding| !known.contains(finding)).cloned().collect();
    let sql = run.stage((stages.sql.clone(), findings))?;
    let (relation, resolved, plan) =
        (stages.relation.as_ref()?, stages.resolved.as_ref()?, stages.plan.as_ref()?);
    let (sql, table) = match engine {
        Ready::Flink(gateway, target) => {
            let asked = (&*gateway, &*target);
            flink::execute(run, asked, &workspace.lake, &stages, &tables, pins, limits).await?
        }
        Ready::StarRocks(opened) => {
            starrocks::execute(run, opened, &workspace.lake, &stages, (&tables, pins), limits).await?
        }
        Ready::Embedded => {
            let table = embedded(run, workspace, (resolved, plan, &sql), &tables, pins, limits).await?;
            (sql, table)
        }
    };
    let snapshots = scans(resolved, plan)
        .iter()
        .filter_map(|(dataset, _)| tables.get(dataset))
        .filter_map(|table| Some((table.to_string(), pins.get(table)?.snapshot)))
        .collect();
    Some(Answer { table, columns: relation.columns(), sql, snapshots })
}

/// Who answers.
enum Engine {
    /// DataFusion in this process.
    Embedded,
    /// A Flink of the project.
    Flink(Gateway),
    /// A StarRocks of the project.
    StarRocks(StarRocks),
}

/// Who answers, once it is known in which version.
enum Ready {
    /// DataFusion in this process.
    Embedded,
    /// A Flink of the project.
    Flink(Gateway, Target),
    /// A StarRocks of the project.
    StarRocks(Box<starrocks::Opened>),
}

/// The engine of that name; without one the embedded engine.
fn chosen(run: &mut Run, found: &Found, name: Option<&str>) -> Option<Engine> {
    let project = &found.project;
    let Some(name) = name else { return Some(Engine::Embedded) };
    match project.engine(name) {
        Some(EngineKind::DataFusion) => Some(Engine::Embedded),
        Some(EngineKind::Flink { gateway, session, tls }) => {
            let gateway = answered(run, engine::flink::gateway(&gateway.value, session, *tls))?;
            Some(Engine::Flink(gateway))
        }
        Some(EngineKind::StarRocks { .. }) => {
            Some(Engine::StarRocks(crate::command::starrocks::engine(run, found, name)?))
        }
        Some(EngineKind::Incremental) => {
            let message = format!("the engine `{name}` answers no requests here");
            run.diagnostics.push(
                Diagnostic::new(Code::Usage, message).help("name one of kind datafusion, flink or starrocks"),
            );
            None
        }
        None => {
            let known = project.engines.iter().map(|engine| engine.name.value.as_str());
            let message = format!("the project declares no engine `{name}`");
            let finding = Diagnostic::new(Code::NameNotFound, message).suggest(name, known);
            run.diagnostics.push(finding.help("declare it under `engines:`, as in `flink: {kind: flink, gateway: \"http://127.0.0.1:8083\"}`"));
            None
        }
    }
}

/// The answer of the engine in this process.
async fn embedded(
    run: &mut Run,
    workspace: &Workspace,
    (resolved, plan, sql): (&Resolved, &Plan, &str),
    tables: &BTreeMap<DatasetId, TableName>,
    pins: &BTreeMap<TableName, Pin>,
    limits: Limits,
) -> Option<Table> {
    let session = Session::new();
    match fill(&session, &workspace.lake, resolved, plan, tables, pins).await {
        Ok(()) => {}
        Err(PinnedError::Lake(error)) => return taken(run, Err(error)),
        Err(PinnedError::Engine(error)) => return filled(run, Err(DataError::Engine(error))),
        Err(error @ PinnedError::NotPinned(_)) => {
            run.diagnostics.push(Diagnostic::new(Code::Internal, error.to_string()));
            return None;
        }
    }
    filled(run, session.run(sql, limits).await.map_err(DataError::Engine))
}

/// The pins of all tables: of a version, or of a line's heads.
async fn pins(run: &mut Run, workspace: &Workspace, verb: &Query) -> Option<BTreeMap<TableName, Pin>> {
    if let Some(at) = &verb.at {
        let version = run.check(version_of(workspace, at))?;
        // Every version is of main: a fork's is the state that the branch began with.
        return run.check(pins_of(&version.tables, &Line::Main));
    }
    let mut pins = BTreeMap::new();
    let line = workspace.line(run, verb.branch.as_deref())?;
    for name in taken(run, workspace.lake.tables(&line).await)? {
        let head = taken(run, workspace.lake.head(&name, &line).await)?;
        pins.insert(name, head);
    }
    Some(pins)
}

/// A version by number (`v3`), by a checkpoint's name, or the newest of main at a time.
fn version_of(workspace: &Workspace, at: &str) -> Result<Version, Vec<Diagnostic>> {
    let versions = workspace.store.versions()?;
    let number = at.strip_prefix('v').and_then(|digits| digits.parse::<u64>().ok());
    let found = if let Some(number) = number {
        versions.iter().find(|version| version.number == number)
    } else if let Some(moment) = calendar::parse_timestamp(at) {
        versions.iter().rev().find(|version| {
            version.line == "main"
                && calendar::parse_timestamp(&version.when).is_some_and(|when| when.micros <= moment.micros)
        })
    } else {
        versions.iter().find(|version| version.name.as_deref() == Some(at))
    };
    found.cloned().ok_or_else(|| {
        let names: Vec<String> = versions
            .iter()
            .flat_map(|version| std::iter::once(format!("v{}", version.number)).chain(version.name.clone()))
            .collect();
        vec![
            Diagnostic::new(Code::VersionNotFound, format!("there is no version `{at}`"))
                .suggest(at, names.iter().map(String::as_str))
                .help("use v1, v2, ..., a checkpoint's name, or a time such as 2024-01-31T12:00:00Z after the first version"),
        ]
    })
}

fn absent(
    workspace: &Workspace,
    source: &Source,
    span: unisono_compiler::source::Span,
    dataset: &str,
    pins: &BTreeMap<TableName, Pin>,
) -> Diagnostic {
    let name = table_of(&workspace.found.project, source).unwrap_or_default().join(".");
    let known: Vec<String> = pins.keys().map(ToString::to_string).collect();
    Diagnostic::new(Code::TableNotFound, format!("the warehouse has no table `{name}`"))
        .suggest(&name, known.iter().map(String::as_str))
        .at(span, "")
        .about(format!("datasets.{dataset}"))
        .help(format!("load it: unisono load {name} FILE"))
}
