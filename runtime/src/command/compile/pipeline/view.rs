//! The rollup of a pipeline as a materialized view of StarRocks, and the catalogue of the warehouse that it reads. In: the pipeline, a
//! StarRocks. Out: the artefacts; none where the project file names no catalogue or no warehouse; no view of a windowed pipeline.

use unisono_compiler::catalog::Catalog;
use unisono_compiler::diagnostic::{Code, Diagnostic};
use unisono_compiler::query::Request;
use unisono_compiler::source::Spanned;
use unisono_compiler::syntax::document::SemanticModel;
use unisono_dialects::{
    Bindings, BoundSource, Target, ViewText, catalog_property, emit, starrocks_catalog, starrocks_view,
};

use super::{bound_tables, catalog_of, rollup};
use crate::command::compile::artefact::{Artefact, dialect};
use crate::compile::{Stages, compile_request, kept};
use crate::pipeline::{moment, scanned};
use crate::project::{Pipeline, PipelineKind, Project, Warehouse};

/// What stands for the warehouse's place where the project file names one relative to itself.
const PLACE: &str = "${UNISONO_WAREHOUSE}";

/// The artefacts; `None` with an error in the findings.
pub(super) fn compile(
    project: &Project,
    pipeline: &Pipeline,
    (model, catalog, request): (&SemanticModel, &Catalog, &Request),
    target: Target,
    findings: &mut Vec<Diagnostic>,
) -> Option<Vec<Artefact>> {
    let Some(name) = catalog_of(project, pipeline, target) else { return Some(Vec::new()) };
    let Some(warehouse) = &project.warehouse else { return Some(Vec::new()) };
    let artefact = |kind, text| Artefact {
        pipeline: pipeline.name.value.clone(),
        target: target.engine.as_str(),
        kind,
        ending: "sql",
        dialect: dialect(target),
        text,
    };
    let made = kept(catalog_text(&name, warehouse, target), findings)?;
    let mut artefacts = vec![artefact("catalog", made)];
    match pipeline.kind {
        PipelineKind::Updating => {
            // What is wrong with the request was said of its query already.
            let stages = compile_request(model, catalog, request, &moment(), target);
            let bindings = bound_tables(project, stages.resolved.as_ref()?, Some(&name));
            artefacts.push(artefact("view", view_text(pipeline, stages, &bindings, target, findings)?));
        }
        // Its rollup leaves out what came late, and a view would hold it.
        PipelineKind::Windowed { .. } => {}
    }
    Some(artefacts)
}

/// CREATE EXTERNAL CATALOG, with the words of the project file: the environment is not read.
fn catalog_text(name: &str, warehouse: &Warehouse, target: Target) -> Result<String, Vec<Diagnostic>> {
    let path = warehouse.path.value.as_str();
    let place = match path {
        _ if path.contains("://") => path.to_string(),
        _ if path.starts_with('/') => ["file://", path].concat(),
        _ => PLACE.to_string(),
    };
    let mut options: Vec<(&str, &str)> = Vec::new();
    for (option, value) in &warehouse.options {
        options.push((property_of(option, value)?, &value.value));
    }
    let statement = starrocks_catalog(name, &place, &options, target)?;
    let mut text = String::from(
        "-- The warehouse as a catalogue of StarRocks: made once, by an account that may. It is an error if the name is taken.\n",
    );
    if place == PLACE {
        text.push_str(
            "-- Put the warehouse's place as the nodes of StarRocks see it, such as file:///data/warehouse, for UNISONO_WAREHOUSE.\n",
        );
    }
    if statement.contains("${") {
        text.push_str("-- Each ${NAME} stands for a value that is not kept here: `envsubst` puts them in.\n");
    }
    Ok([&text, &statement, ";\n"].concat())
}

/// The property of a catalogue for an option of the warehouse. A secret may only stand in a variable.
fn property_of(option: &Spanned<String>, value: &Spanned<String>) -> Result<&'static str, Vec<Diagnostic>> {
    let (about, name) = (format!("warehouse.{}", option.value), &option.value);
    let Some((property, is_secret)) = catalog_property(name) else {
        let message =
            format!("the warehouse's option `{name}` has no counterpart in a catalogue of StarRocks");
        let help = "remove it, or remove `catalog` from the engine and make the catalogue by hand";
        return Err(vec![
            Diagnostic::new(Code::Warehouse, message).at(option.span, "").about(about).help(help),
        ]);
    };
    let is_variable = value
        .value
        .strip_prefix("${")
        .and_then(|rest| rest.strip_suffix('}'))
        .is_some_and(|variable| !variable.contains(['$', '{', '}']));
    if is_secret && !is_variable {
        let message = format!("the warehouse's option `{name}` holds a secret");
        let help = "put it into a variable of the environment and write `${NAME}`";
        return Err(vec![
            Diagnostic::new(Code::Warehouse, message).at(value.span, "").about(about).help(help),
        ]);
    }
    Ok(property)
}

/// The view and the refresh that fills it; `None` with an error, or where the request has no text.
fn view_text(
    pipeline: &Pipeline,
    stages: Stages,
    bindings: &Bindings,
    target: Target,
    findings: &mut Vec<Diagnostic>,
) -> Option<String> {
    let (bound, plan) = (stages.bound?, stages.plan?);
    let (relation, adapted) = (stages.relation?, stages.adapted?);
    let mut tables: Vec<Vec<String>> = Vec::new();
    for dataset in scanned(&plan) {
        if let Some(BoundSource::Table(parts)) = bindings.get(dataset).map(|binding| &binding.source)
            && !tables.contains(parts)
        {
            tables.push(parts.clone());
        }
    }
    let (name, spec) = rollup(pipeline, &bound, &relation, findings)?;
    let (query, wrong) = emit(&adapted, &target, bindings);
    findings.extend(wrong);
    let asked = ViewText {
        name: [name.database(), name.table()],
        comment: &["the rollup of the pipeline ", &pipeline.name.value, ", as of the last refresh"].concat(),
        rollup: &spec,
        dimensions: bound.dimensions(),
        query: &query?,
        tables: &tables,
    };
    let mut text = format!(
        "-- The rollup of the pipeline `{}` as a materialized view of StarRocks.\n\
         -- It holds what its last refresh read; nothing refreshes it but the last statements. A view that is there already is an error: drop it first.\n",
        pipeline.name.value
    );
    for statement in kept(starrocks_view(&asked, target), findings)? {
        text.push_str(&statement);
        text.push_str(";\n");
    }
    Some(text)
}
