//! `explain`: what one stage made of a request, as text for people or as JSON; or the page of a code.
//! In: the same flags as `sql`, and a stage; or a code. Out: the stage's value; a stage that an earlier one refused has only findings.

mod bind;
mod model;
mod outline;
mod pages;
mod parse;
mod plan;
mod resolve;

use std::path::Path;

use serde_json::{Value, json};
use unisono_compiler::model::lower;
use unisono_compiler::plan::print_plan;
use unisono_compiler::relation::{Relation, print_relation};
use unisono_compiler::resolve::resolve_model;

use super::asked::{self, Asked};
use crate::compile::{Stages, compile_request, dialect_name};
use crate::flags::{Explain, Stage, TextFormat};
use crate::models::{open_model, read_models};
use crate::output::{Outcome, Run, Style};

pub(super) fn run(verb: &Explain, project: Option<&Path>) -> Outcome {
    let style = match verb.format {
        TextFormat::Text => Style::Human,
        TextFormat::Json => Style::Json,
    };
    let mut run = Run::default();
    if let Some(code) = &verb.code {
        let page = pages::show(&mut run, code);
        return run.finish(style, page);
    }
    let result = show(&mut run, verb, project).map(|(text, stage)| {
        let name = clap::ValueEnum::to_possible_value(&verb.stage).map(|name| name.get_name().to_string());
        (text, json!({"stage": name, "value": stage}))
    });
    run.finish(style, result)
}

/// The stages up to `resolve` need no request.
fn show(run: &mut Run, verb: &Explain, project: Option<&Path>) -> Option<(String, Value)> {
    match verb.stage {
        Stage::Parse if !verb.model.models.is_empty() => {
            let files = read_models(run, &verb.model.models);
            let documents: Vec<Value> = files
                .iter()
                .filter_map(|file| Some(parse::document(&file.path, file.document.as_ref()?)))
                .collect();
            Some(outlined(json!({ "documents": documents })))
        }
        Stage::Parse => {
            let (model, _) = open_model(run, &verb.model, project)?;
            Some(outlined(parse::model(&model)))
        }
        Stage::Model => {
            let (model, _) = open_model(run, &verb.model, project)?;
            let (lowered, findings) = lower(&model);
            let lowered = run.stage((Some(lowered), findings))?;
            Some(outlined(model::dump(&lowered)))
        }
        Stage::Resolve => {
            let target =
                run.check(unisono_dialects::parse_target(&verb.dialect).map_err(|finding| vec![finding]))?;
            let (model, found) = open_model(run, &verb.model, project)?;
            let catalog = asked::read_catalog(run, verb.schema.as_deref(), found.as_ref())?;
            let resolved = run.stage(resolve_model(&model, &catalog, dialect_name(target.engine)))?;
            Some(outlined(resolve::dump(&resolved)))
        }
        Stage::Bind | Stage::Plan | Stage::Relation | Stage::Adapt | Stage::Sql => {
            let asked =
                asked::read(run, &verb.model, &verb.request, &verb.dialect, verb.schema.as_deref(), project)?;
            show_request(run, verb.stage, &asked)
        }
    }
}

fn show_request(run: &mut Run, stage: Stage, asked: &Asked) -> Option<(String, Value)> {
    let stages = compile_request(&asked.model, &asked.catalog, &asked.request, &asked.moment, asked.target);
    // A later refusal does not hide what the stage made; its findings are shown with it.
    let Stages { resolved, bound, plan, relation, adapted, sql, diagnostics } = stages;
    run.diagnostics.extend(diagnostics);
    match stage {
        Stage::Bind => Some(outlined(bind::dump(resolved.as_ref()?, bound.as_ref()?))),
        Stage::Plan => {
            let (resolved, plan) = (resolved.as_ref()?, plan.as_ref()?);
            Some((print_plan(resolved, plan), plan::dump(resolved, plan)))
        }
        Stage::Relation => Some(dump_relation(relation.as_ref()?)),
        Stage::Adapt => Some(dump_relation(adapted.as_ref()?)),
        Stage::Sql => {
            let sql = sql?;
            let value = json!({"sql": sql});
            Some((if sql.ends_with('\n') { sql } else { sql + "\n" }, value))
        }
        Stage::Parse | Stage::Model | Stage::Resolve => None,
    }
}

fn dump_relation(relation: &Relation) -> (String, Value) {
    let text = print_relation(relation);
    let columns: Vec<Value> = relation
        .columns()
        .iter()
        .map(|column| json!({"name": column.name, "type": column.data_type.to_string()}))
        .collect();
    let ctes: Vec<Value> =
        relation.ctes.iter().map(|cte| json!({"name": cte.name, "comment": cte.comment})).collect();
    let value = json!({"ctes": ctes, "columns": columns, "limit": relation.limit, "text": text});
    (text, value)
}

fn outlined(value: Value) -> (String, Value) {
    (outline::text(&value), value)
}
