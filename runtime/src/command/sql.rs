//! `sql`: the text of one request for one engine on stdout, and nothing else there.
//! A refusal begins with `E_CODE: message` on stderr and has exit code 2, the contract of the OSI compliance adapter; then the
//! report follows that every verb gives.

use std::io::IsTerminal;
use std::path::Path;

use serde_json::json;

use super::asked;
use crate::compile::compile_request;
use crate::flags::{Sql, TextFormat};
use crate::output::{Outcome, Run, Style};

pub(super) fn run(verb: &Sql, project: Option<&Path>) -> Outcome {
    let style = match verb.format {
        // A person at a terminal needs no line for programs.
        TextFormat::Text if std::io::stderr().is_terminal() => Style::Human,
        TextFormat::Text => Style::Line,
        TextFormat::Json => Style::Json,
    };
    let mut run = Run::default();
    let result = text(&mut run, verb, project).map(|sql| {
        let data = json!({"dialect": verb.dialect, "sql": sql});
        (sql, data)
    });
    run.finish(style, result)
}

fn text(run: &mut Run, verb: &Sql, project: Option<&Path>) -> Option<String> {
    let asked = asked::read(run, &verb.model, &verb.request, &verb.dialect, verb.schema.as_deref(), project)?;
    let stages = compile_request(&asked.model, &asked.catalog, &asked.request, &asked.moment, asked.target);
    let sql = run.stage((stages.sql, stages.diagnostics))?;
    Some(if sql.ends_with('\n') { sql } else { sql + "\n" })
}
