//! The Flink job of a pipeline as a script: settings, catalogue, tables, the statement that keeps the rollup. In: the pipeline, a
//! streaming target. Out: the artefact; none for a project without a warehouse.

use unisono_compiler::catalog::Catalog;
use unisono_compiler::diagnostic::Diagnostic;
use unisono_compiler::query::Request;
use unisono_compiler::syntax::document::SemanticModel;
use unisono_dialects::Target;

use super::{Asked, bound_tables, specs};
use crate::command::compile::artefact::{Artefact, dialect};
use crate::compile::{compile_request, kept};
use crate::engine::flink::{CATALOG, settings};
use crate::pipeline::flink::{Asked as StatementOf, JobText, event_table, statement};
use crate::pipeline::{moment, windows};
use crate::project::{EngineKind, Pipeline, Project};

/// The script; `None` with an error in the findings.
pub(super) fn compile(
    project: &Project,
    pipeline: &Pipeline,
    (model, catalog, request): (&SemanticModel, &Catalog, &Request),
    target: Target,
    findings: &mut Vec<Diagnostic>,
) -> Option<Vec<Artefact>> {
    let Some(warehouse) = &project.warehouse else { return Some(Vec::new()) };
    // What is wrong with the request was said of its query already.
    let stages = compile_request(model, catalog, request, &moment(), target);
    let (resolved, plan, relation) = (stages.resolved?, stages.plan?, stages.relation?);
    let bound = stages.bound?;
    let windows = kept(windows(project, pipeline, &resolved, &bound, &plan), findings)?;
    let asked = Asked { project, pipeline, resolved: &resolved, plan: &plan, bound: &bound };
    let (sources, rollup, dimensions) = specs(&asked, &relation, findings)?;
    let bindings = bound_tables(project, &resolved, Some(CATALOG));
    let table: Vec<String> =
        [CATALOG].into_iter().chain(rollup.name.split('.')).map(ToString::to_string).collect();
    let name = format!("unisono_{}", pipeline.name.value);
    let stated = statement(&StatementOf {
        name: &name,
        relation: &stages.adapted?,
        datasets: resolved.model.datasets.len(),
        bindings: &bindings,
        target,
        rollup: (&table, &rollup),
        dimensions,
        windows: windows.as_ref().map(|windows| (windows, None)),
    });
    let stated = kept(stated, findings)?;
    let own = settings_of(project, pipeline);
    let events = windows.as_ref().map(|windows| event_table(windows, &warehouse.path.value, None));
    let script = JobText {
        pipeline: &pipeline.name.value,
        warehouse: &warehouse.path.value,
        name: &name,
        own: &own,
        sources: &sources,
        rollup: &rollup,
        events: events.as_deref(),
        insert: &stated.text,
    };
    Some(vec![Artefact {
        pipeline: pipeline.name.value.clone(),
        target: target.engine.as_str(),
        kind: "job",
        ending: "sql",
        dialect: dialect(target),
        text: script.script(),
    }])
}

/// The session settings of the Flink that keeps the pipeline, if one does.
fn settings_of(project: &Project, pipeline: &Pipeline) -> Vec<(String, String)> {
    match project.engine(&pipeline.realtime) {
        Some(EngineKind::Flink { session, .. }) => settings(session),
        Some(EngineKind::DataFusion | EngineKind::Incremental | EngineKind::StarRocks { .. }) | None => {
            Vec::new()
        }
    }
}
