//! What a pipeline of the project file means: its request, its model, the tables behind its datasets.
//! In: the project, the models. Out: values that `compile`, `pipeline run` and `check` work on.

use std::collections::BTreeSet;

use unisono_compiler::diagnostic::{Code, Diagnostic, REPORT_FAULT};
use unisono_compiler::ids::DatasetId;
use unisono_compiler::model::Source;
use unisono_compiler::plan::Plan;
use unisono_compiler::query::{Moment, Request, bind};
use unisono_compiler::resolve::Resolved;
use unisono_compiler::syntax::document::SemanticModel;

use crate::lake::TableName;
use crate::project::{Pipeline, Project};

/// The model that has all the pipeline's metrics; the first one where none has, so that near names can be said.
pub fn model_of<'m>(
    pipeline: &Pipeline,
    models: &'m [SemanticModel],
    findings: &mut Vec<Diagnostic>,
) -> Option<&'m SemanticModel> {
    let has_all = |model: &&SemanticModel| {
        pipeline.metrics.iter().all(|wanted| {
            model.metrics.iter().any(|metric| metric.name.value.eq_ignore_ascii_case(&wanted.value))
        })
    };
    let fitting: Vec<&SemanticModel> = models.iter().filter(has_all).collect();
    match fitting.as_slice() {
        [] => {
            if models.is_empty() {
                let message = format!("no model is there for pipeline `{}`", pipeline.name.value);
                findings.push(Diagnostic::new(Code::NameNotFound, message).help("add a model to `models`"));
            }
            models.first()
        }
        [only] => Some(only),
        [first, second, ..] => {
            let message = format!(
                "the models `{}` and `{}` both have the metrics of pipeline `{}`",
                first.name.value, second.name.value, pipeline.name.value
            );
            findings.push(Diagnostic::new(Code::Usage, message).help("rename the metrics of one model"));
            None
        }
    }
}

/// A pipeline is maintained for ever: what its metrics mean must not move with the clock.
pub fn refuse_clock(
    resolved: &Resolved,
    request: &Request,
    pipeline: &Pipeline,
    findings: &mut Vec<Diagnostic>,
) {
    if bind(resolved, request, &moment()).0.is_some_and(|bound| bound.reads_clock()) {
        let name = &pipeline.name.value;
        findings.push(
            Diagnostic::new(
                Code::UnsupportedFunction,
                format!("pipeline `{name}` depends on the current time"),
            )
            .help(
                "remove CURRENT_DATE and CURRENT_TIMESTAMP from what it uses; a request can filter by them",
            ),
        );
    }
}

/// The datasets that a plan scans, in the order of the model.
pub fn scanned(plan: &Plan) -> BTreeSet<DatasetId> {
    plan.scans().map(|(dataset, _)| dataset).collect()
}

/// The table behind a dataset: that of `sources:`, else the last two parts of its source; `None` for a query.
pub fn table_of(project: &Project, source: &Source) -> Option<Vec<String>> {
    match source {
        Source::Table(parts) => {
            let source = parts.join(".");
            let named = project.sources.iter().find(|entry| entry.source.value == source);
            match named.and_then(|entry| entry.table.as_ref()) {
                Some(table) => Some(table.value.split('.').map(ToString::to_string).collect()),
                None => Some(parts[parts.len().saturating_sub(2)..].to_vec()),
            }
        }
        Source::Query(_) => None,
    }
}

/// A fault of this program: a table that a pipeline reads has no pin.
pub(super) fn unpinned(table: &TableName) -> Vec<Diagnostic> {
    vec![Diagnostic::new(Code::Internal, format!("`{table}` is read and not pinned")).help(REPORT_FAULT)]
}

/// A moment that no pipeline may depend on.
pub fn moment() -> Moment {
    Moment { now: "2001-02-03 04:05:06.000007".to_string(), zone: "UTC".to_string() }
}
