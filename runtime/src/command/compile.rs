//! `compile`: the artefacts of the project's pipelines in `target/unisono/` beside the project file.
//! In: the project, its models, declared types. Out: files named by their content and a manifest; or, with `--check`, whether
//! the files on disk are those; or, with `--against`, what to do to tables of an earlier version. Same input, same bytes.

mod against;
mod artefact;
pub(super) mod pipeline;
pub(super) mod rollup;
mod store;

use std::path::Path;

use serde_json::{Value, json};
use unisono_compiler::diagnostic::Diagnostic;
use unisono_compiler::model::{Model, lower};
use unisono_compiler::syntax::document::SemanticModel;
use unisono_dialects::{Engine, Target, parse_target};

use self::artefact::{Artefact, LeftOut, Origin, SCHEMAS};
use self::store::Scope;
use super::asked::read_catalog;
use crate::compile::unused_types;
use crate::flags::{Compile, TextFormat};
use crate::models::{need_project, project_models, read_models};
use crate::output::{Exit, Outcome, Run, Style};
use crate::pipeline::request_json;
use crate::version::hash;

/// What artefacts are made for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Wanted {
    /// SQL of an engine.
    Sql(Target),
    /// Specs of the tables.
    Paimon,
}

impl Wanted {
    /// The target's word in file names and the manifest.
    fn name(self) -> &'static str {
        match self {
            Wanted::Sql(target) => target.engine.as_str(),
            Wanted::Paimon => "paimon",
        }
    }
}

/// The engines that a pipeline can run on; DuckDB is none.
const ENGINES: [Engine; 4] =
    [Engine::DataFusion, Engine::StarRocks, Engine::FlinkBatch, Engine::FlinkStreaming];

pub(super) fn run(verb: &Compile, project: Option<&Path>) -> Outcome {
    let style = match verb.format {
        TextFormat::Text => Style::Human,
        TextFormat::Json => Style::Json,
    };
    let mut run = Run::default();
    let (result, differs) = match compile(&mut run, verb, project) {
        Some((text, data, differs)) => (Some((text, data)), differs),
        None => (None, false),
    };
    let mut outcome = run.finish(style, result);
    if differs && outcome.exit == Exit::Good {
        outcome.exit = Exit::Difference;
    }
    outcome
}

fn compile(run: &mut Run, verb: &Compile, project: Option<&Path>) -> Option<(String, Value, bool)> {
    let wanted =
        if verb.against.is_empty() { run.check(wanted(&verb.target))? } else { vec![Wanted::Paimon] };
    let found = need_project(run, project)?;
    let catalog = read_catalog(run, verb.schema.as_deref(), Some(&found))?;
    let paths = project_models(run, &found);
    let files = read_models(run, &paths);
    // A pattern without files leaves pipelines without models: what is on disk would look stale.
    run.check_since(0)?;
    let mut models: Vec<SemanticModel> = Vec::new();
    let mut hashes: Vec<String> = Vec::new();
    for file in files {
        let text = run.sources.get(file.source).map_or("", |source| source.text.as_str());
        let of_file = file.document.map(|document| document.models).unwrap_or_default();
        hashes.extend(std::iter::repeat_n(hash(text), of_file.len()));
        models.extend(of_file);
    }
    let mut artefacts: Vec<(Artefact, Origin)> = Vec::new();
    let mut left_out: Vec<LeftOut> = Vec::new();
    let mut is_whole = true;
    run.diagnostics.extend(rollup::check(&found.project, &models));
    let lowered: Vec<Model> = models.iter().map(|model| lower(model).0).collect();
    run.diagnostics.extend(unused_types(&found.project, &lowered, &catalog));
    for pipeline in &found.project.pipelines {
        let asked = pipeline::Wish { wanted: &wanted, by_name: !verb.target.is_empty() };
        let (made, findings) = pipeline::compile(&found.project, pipeline, &models, &catalog, &asked);
        // One fault of a metric would be said again for every target.
        for finding in findings {
            if !run.diagnostics.contains(&finding) {
                run.diagnostics.push(finding);
            }
        }
        is_whole &= made.is_some();
        if let Some(made) = made {
            let origin = Origin {
                model: models[made.model].name.value.clone(),
                sha256: hashes[made.model].clone(),
                request: request_json(pipeline),
            };
            artefacts.extend(made.artefacts.into_iter().map(|artefact| (artefact, origin.clone())));
            left_out.extend(made.left_out);
        }
    }
    // Nothing is written or removed on the word of a project that is only half understood.
    run.check_since(0).filter(|()| is_whole)?;
    if found.project.pipelines.is_empty() {
        run.notes.push(format!("`{}` declares no pipelines", found.path.display()));
    }
    run.notes.extend(left_out.iter().map(LeftOut::note));
    if !verb.against.is_empty() {
        let schemas: Vec<&str> = artefacts
            .iter()
            .filter(|(artefact, _)| artefact.kind == SCHEMAS)
            .map(|(artefact, _)| artefact.text.as_str())
            .collect();
        let (text, data) = against::plan(run, &found.project, &verb.against, &schemas)?;
        return Some((text, data, false));
    }
    let folder = found.directory.join("target").join("unisono");
    let scope: Scope = (!verb.target.is_empty()).then(|| wanted.iter().map(|one| one.name()).collect());
    let files = run.check(store::files(&folder, &artefacts, &scope))?;
    let states = if verb.check {
        store::compare(&folder, &files, &scope)
    } else {
        run.check(store::write(&folder, &files, &scope))?
    };
    if !verb.check {
        run.notes.push(format!("the files are in {}", folder.display()));
    }
    let differs = verb.check && states.iter().any(|state| state.word != store::SAME);
    if differs {
        run.notes.push("the files differ from what the project says: run `unisono compile`".to_string());
    }
    let lines: Vec<String> =
        states.iter().map(|state| format!("{:<9} {}\n", state.word, state.path)).collect();
    let listed: Vec<Value> = artefacts
        .iter()
        .map(|(artefact, _)| {
            json!({
                "pipeline": artefact.pipeline,
                "target": artefact.target,
                "kind": artefact.kind,
                "path": artefact.file_name(),
            })
        })
        .collect();
    let left_out: Vec<Value> = left_out.iter().map(LeftOut::json).collect();
    let states: Vec<Value> =
        states.iter().map(|state| json!({"path": state.path, "state": state.word})).collect();
    Some((lines.concat(), json!({"artefacts": listed, "left_out": left_out, "files": states}), differs))
}

fn wanted(targets: &[String]) -> Result<Vec<Wanted>, Vec<Diagnostic>> {
    if targets.is_empty() {
        let sql = ENGINES.into_iter().map(|engine| Wanted::Sql(Target::latest(engine)));
        return Ok(sql.chain([Wanted::Paimon]).collect());
    }
    let mut wanted = Vec::new();
    for text in targets {
        let one = if text.eq_ignore_ascii_case("paimon") {
            Wanted::Paimon
        } else {
            Wanted::Sql(parse_target(text).map_err(|finding| vec![or_paimon(text, finding)])?)
        };
        if !wanted.contains(&one) {
            wanted.push(one);
        }
    }
    Ok(wanted)
}

/// Where the engine is not known, the tables' own target is one of those that were perhaps meant.
fn or_paimon(text: &str, finding: Diagnostic) -> Diagnostic {
    let name = text.split('@').next().unwrap_or_default().trim();
    if Engine::ALL.into_iter().any(|engine| engine.as_str().eq_ignore_ascii_case(name)) {
        return finding;
    }
    let known: Vec<&str> = Engine::ALL.map(Engine::as_str).into_iter().chain(["paimon"]).collect();
    Diagnostic::new(finding.code, finding.message)
        .suggest(name, known.iter().copied())
        .help(format!("use one of {}, each but paimon with an optional `@version`", known.join(", ")))
}

#[cfg(test)]
mod tests;
