//! `validate`: every finding of models and of the project file, with places.
//! In: files, directories or the project. Out: a line a model and the findings; exit 2 if any is an error.

use std::path::{Path, PathBuf};

use serde_json::{Value, json};
use unisono_compiler::catalog::Catalog;
use unisono_compiler::diagnostic::{counted, has_errors};
use unisono_compiler::model::{Model, lower};
use unisono_compiler::resolve::{object_diagnostics, resolve_model};
use unisono_compiler::syntax::Document;
use unisono_compiler::syntax::document::{SemanticModel, Shape};

use super::asked::read_catalog;
use super::compile::{pipeline, rollup};
use crate::compile::unused_types;
use crate::flags::{ReportFormat, Validate};
use crate::models::{ModelFile, directory_models, find_project, need_project, project_models, read_models};
use crate::output::{Outcome, Run, Style};
use crate::project::Project;

pub(super) fn run(verb: &Validate, project: Option<&Path>) -> Outcome {
    let style = match verb.format {
        ReportFormat::Human => Style::Human,
        ReportFormat::Json => Style::Json,
        ReportFormat::Sarif => Style::Sarif,
        ReportFormat::Github => Style::Github,
    };
    let mut run = Run::default();
    let result = report(&mut run, verb, project);
    run.finish(style, result)
}

fn report(run: &mut Run, verb: &Validate, project: Option<&Path>) -> Option<(String, Value)> {
    let (found, paths) = if verb.models.is_empty() {
        let found = need_project(run, project)?;
        let paths = project_models(run, &found);
        (Some(found), paths)
    } else {
        let found = project.and_then(|path| find_project(run, Some(path)));
        (found, named(run, &verb.models))
    };
    let catalog = read_catalog(run, verb.schema.as_deref(), found.as_ref()).unwrap_or_default();
    let files = read_models(run, &paths);
    let mut text = String::new();
    let mut models = Vec::new();
    for file in &files {
        if let Some(document) = &file.document {
            report_file(run, file, document, &catalog, (&mut text, &mut models));
        }
    }
    // A few named files need not hold what the project's pipelines ask for.
    if let Some(found) = found.filter(|_| verb.models.is_empty()) {
        report_pipelines(run, &found.project, files, &catalog);
    }
    Some((text, json!({ "models": models })))
}

fn report_pipelines(run: &mut Run, project: &Project, files: Vec<ModelFile>, catalog: &Catalog) {
    // With a model unread, its metrics would only seem to be missing.
    if has_errors(&run.diagnostics) {
        return;
    }
    let models: Vec<SemanticModel> =
        files.into_iter().filter_map(|file| file.document).flat_map(|document| document.models).collect();
    let mut findings = rollup::check(project, &models);
    let lowered: Vec<Model> = models.iter().map(|model| lower(model).0).collect();
    findings.extend(unused_types(project, &lowered, catalog));
    findings.extend(
        project.pipelines.iter().flat_map(|pipeline| pipeline::check(project, pipeline, &models, catalog)),
    );
    for finding in findings {
        if !run.diagnostics.contains(&finding) {
            run.diagnostics.push(finding);
        }
    }
}

fn report_file(
    run: &mut Run,
    file: &ModelFile,
    document: &Document,
    catalog: &Catalog,
    (text, models): (&mut String, &mut Vec<Value>),
) {
    for model in &document.models {
        let before = run.diagnostics.len();
        let (resolved, findings) = resolve_model(model, catalog, "");
        run.diagnostics.extend(findings);
        if let Some(resolved) = resolved {
            run.diagnostics.extend(object_diagnostics(&resolved));
        }
        let found = run.diagnostics.len() - before;
        let path = file.path.display().to_string();
        let name = &model.name.value;
        let (datasets, metrics) = (model.datasets.len(), model.metrics.len());
        let verdict = if found == 0 { "ok".to_string() } else { counted(found as u64, "finding") };
        text.push_str(&format_line(&path, name, datasets, metrics, &verdict));
        models.push(json!({
            "path": path,
            "name": name,
            "shape": shape_word(document.shape),
            "version": document.version.as_ref().map(|version| version.value.as_str()),
            "datasets": datasets,
            "metrics": metrics,
        }));
    }
}

fn format_line(path: &str, name: &str, datasets: usize, metrics: usize, verdict: &str) -> String {
    let shown = if name.is_empty() { String::new() } else { format!(" {name}:") };
    let (datasets, metrics) = (counted(datasets as u64, "dataset"), counted(metrics as u64, "metric"));
    format!("{path}:{shown} {datasets}, {metrics}: {verdict}\n")
}

/// The word of a shape in output.
pub(super) fn shape_word(shape: Shape) -> &'static str {
    match shape {
        Shape::WrapperList => "wrapper-list",
        Shape::WrapperMapping => "wrapper-mapping",
        Shape::Flat => "flat",
        Shape::Bare => "bare",
    }
}

fn named(run: &mut Run, named: &[PathBuf]) -> Vec<PathBuf> {
    let mut paths = Vec::new();
    for path in named {
        if path.is_dir() {
            paths.extend(directory_models(run, path));
        } else {
            paths.push(path.clone());
        }
    }
    paths
}
