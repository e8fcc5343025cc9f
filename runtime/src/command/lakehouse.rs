//! What the verbs on the warehouse share: the style of their reports, a runtime for the lake, the pipelines that are meant, the moment.
//! In: flags. Out: values for `pipeline`, `check` and `version`.

use std::collections::BTreeMap;

use serde_json::Value;
use unisono_compiler::catalog::Column;
use unisono_compiler::diagnostic::{Code, Diagnostic};

use super::asked::clock;
use super::compile::rollup;
use crate::calendar;
use crate::engine::datafusion::block_on;
use crate::flags::TextFormat;
use crate::lake::{Lake, Line, TableName};
use crate::output::{Exit, Outcome, Run, Style};
use crate::pipeline::{Prepared, prepare};
use crate::project::Pipeline;
use crate::version::{Context, hash};
use crate::workspace::{Models, Workspace, taken};

/// The style of a report.
fn style(format: TextFormat) -> Style {
    match format {
        TextFormat::Text => Style::Human,
        TextFormat::Json => Style::Json,
    }
}

/// Runs a verb that touches the lake, and answers with its text and data.
pub(super) fn finish(
    format: TextFormat,
    verb: impl AsyncFnOnce(&mut Run) -> Option<(String, Value)>,
) -> Outcome {
    let (run, result) = on_lake(verb);
    run.finish(style(format), result)
}

/// The same for a verb whose answer has an exit code of its own. Findings that are errors come first.
pub(super) fn finish_with(
    format: TextFormat,
    verb: impl AsyncFnOnce(&mut Run) -> Option<(String, Value, Exit)>,
) -> Outcome {
    let (run, answer) = on_lake(verb);
    let exit = answer.as_ref().map_or(Exit::Good, |(_, _, exit)| *exit);
    let mut outcome = run.finish(style(format), answer.map(|(text, data, _)| (text, data)));
    if outcome.exit == Exit::Good {
        outcome.exit = exit;
    }
    outcome
}

fn on_lake<T>(verb: impl AsyncFnOnce(&mut Run) -> Option<T>) -> (Run, Option<T>) {
    let mut run = Run::default();
    match block_on(verb(&mut run)) {
        Ok(result) => (run, result),
        Err(error) => {
            run.engine_failed = true;
            run.diagnostics.push(error.diagnostic("runtime"));
            (run, None)
        }
    }
}

/// The pipelines of these names, or all; an unknown name is a finding with near ones.
pub(super) fn chosen<'w>(
    run: &mut Run,
    workspace: &'w Workspace,
    names: &[String],
) -> Option<Vec<&'w Pipeline>> {
    let all = &workspace.found.project.pipelines;
    if all.is_empty() {
        run.diagnostics.push(
            Diagnostic::new(
                Code::NameNotFound,
                format!("`{}` declares no pipelines", workspace.found.path.display()),
            )
            .help("add one under `pipelines:`"),
        );
        return None;
    }
    if names.is_empty() {
        return Some(all.iter().collect());
    }
    let before = run.diagnostics.len();
    let mut found = Vec::new();
    for name in names {
        match all.iter().find(|pipeline| pipeline.name.value == *name) {
            Some(pipeline) => found.push(pipeline),
            None => run.diagnostics.push(
                Diagnostic::new(Code::NameNotFound, format!("there is no pipeline `{name}`"))
                    .suggest(name, all.iter().map(|pipeline| pipeline.name.value.as_str())),
            ),
        }
    }
    run.check_since(before)?;
    Some(found)
}

/// The columns of all tables of a line.
pub(super) async fn columns_of(
    run: &mut Run,
    lake: &Lake,
    line: &Line,
) -> Option<BTreeMap<TableName, Vec<Column>>> {
    let mut all = BTreeMap::new();
    for table in taken(run, lake.tables(line).await)? {
        let handle = taken(run, lake.table(&table, line).await)?;
        all.insert(table, handle.columns.iter().map(Column::from).collect());
    }
    Some(all)
}

/// Pipelines compiled against the tables of a line. A finding said of several pipelines is said once.
pub(super) async fn prepared(
    run: &mut Run,
    workspace: &Workspace,
    models: &Models,
    pipelines: &[&Pipeline],
    line: &Line,
) -> Option<Vec<Prepared>> {
    let all = prepared_alone(run, workspace, models, pipelines, line).await?;
    (all.len() == pipelines.len()).then_some(all)
}

/// The same where each pipeline stands for itself: one that does not compile is a finding, and left out.
pub(super) async fn prepared_alone(
    run: &mut Run,
    workspace: &Workspace,
    models: &Models,
    pipelines: &[&Pipeline],
    line: &Line,
) -> Option<Vec<Prepared>> {
    let over_sources = rollup::check(&workspace.found.project, &models.models);
    run.stage((Some(()), over_sources))?;
    let columns = columns_of(run, &workspace.lake, line).await?;
    let mut all = Vec::new();
    for pipeline in pipelines {
        let (made, findings) = prepare(&workspace.found.project, pipeline, &models.models, &columns);
        for finding in findings {
            if !run.diagnostics.contains(&finding) {
                run.diagnostics.push(finding);
            }
        }
        all.extend(made);
    }
    Some(all)
}

/// Who works now, with which models; their texts are kept, so that a version can be read with them.
pub(super) fn context(run: &mut Run, workspace: &Workspace, models: &Models) -> Option<Context> {
    let mut hashes = BTreeMap::new();
    for (path, text) in &models.texts {
        hashes.insert(path.clone(), run.check(workspace.store.put_model(text))?);
    }
    let pipelines = workspace
        .found
        .project
        .pipelines
        .iter()
        .map(|pipeline| (pipeline.name.value.clone(), hash(&words(pipeline))))
        .collect();
    let who =
        std::env::var("USER").ok().filter(|user| !user.is_empty()).unwrap_or_else(|| "unknown".to_string());
    Some(Context { models: hashes, pipelines, who, when: calendar::format_timestamp(clock()) + "Z" })
}

fn words(pipeline: &Pipeline) -> String {
    let list = |names: &[unisono_compiler::source::Spanned<String>]| {
        names.iter().map(|name| name.value.as_str()).collect::<Vec<_>>().join(",")
    };
    format!(
        "{} {} {} {}",
        pipeline.name.value,
        list(&pipeline.metrics),
        list(&pipeline.dimensions),
        pipeline.rollup.value
    )
}
