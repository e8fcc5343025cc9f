//! What the verbs on the warehouse share: the style of their reports, a runtime for the lake, the pipelines that are meant, the moment.
//! In: flags. Out: values for `pipeline`, `check` and `version`.

use std::collections::BTreeMap;
use std::future::Future;

use serde_json::Value;
use unisono_compiler::catalog::{Column, Origin};
use unisono_compiler::diagnostic::{Code, Diagnostic};

use super::asked::clock;
use super::compile::rollup;
use crate::calendar;
use crate::engine::datafusion::block_on;
use crate::flags::TextFormat;
use crate::lake::{Lake, Line, TableName};
use crate::output::{Outcome, Run, Style};
use crate::pipeline::{Prepared, prepare};
use crate::project::Pipeline;
use crate::version::{Context, hash};
use crate::workspace::{Models, Workspace, taken};

/// The style of a report.
pub(super) fn style(format: TextFormat) -> Style {
    match format {
        TextFormat::Text => Style::Human,
        TextFormat::Json => Style::Json,
    }
}

/// Runs a verb that touches the lake.
pub(super) fn finish<F>(format: TextFormat, verb: impl FnOnce(Run) -> F) -> Outcome
where
    F: Future<Output = (Run, Option<(String, Value)>)>,
{
    match block_on(verb(Run::default())) {
        Ok((run, result)) => run.finish(style(format), result),
        Err(error) => {
            let mut run = Run { engine_failed: true, ..Run::default() };
            run.diagnostics.push(error.diagnostic("runtime"));
            run.finish(style(format), None)
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
        let columns = handle
            .columns
            .iter()
            .map(|column| Column {
                name: column.name.clone(),
                data_type: column.data_type,
                nullable: column.nullable,
                origin: Origin::Catalogue,
            })
            .collect();
        all.insert(table, columns);
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
    let over_sources = rollup::check(&workspace.found.project, &models.models);
    run.stage((Some(()), over_sources))?;
    let columns = columns_of(run, &workspace.lake, line).await?;
    let mut all = Vec::new();
    let mut whole = true;
    for pipeline in pipelines {
        let (made, findings) = prepare(&workspace.found.project, pipeline, &models.models, &columns);
        for finding in findings {
            if !run.diagnostics.contains(&finding) {
                run.diagnostics.push(finding);
            }
        }
        whole &= made.is_some();
        all.extend(made);
    }
    whole.then_some(all)
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
