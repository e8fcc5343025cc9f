//! Rollups that name a table which a model reads: a pipeline would write over its own input.
//! In: the project and its models. Out: a finding at each such rollup.

use unisono_compiler::diagnostic::{Code, Diagnostic};
use unisono_compiler::model::lower;
use unisono_compiler::syntax::document::SemanticModel;

use crate::pipeline::table_of;
use crate::project::{Project, is_same_table};

/// The findings, in the order of the pipelines.
pub(in crate::command) fn check(project: &Project, models: &[SemanticModel]) -> Vec<Diagnostic> {
    let mut findings = Vec::new();
    let lowered: Vec<_> = models.iter().map(|model| lower(model).0).collect();
    for (at, pipeline) in project.pipelines.iter().enumerate() {
        let rollup = &pipeline.rollup;
        let read = lowered.iter().flat_map(|model| model.datasets.iter()).find(|(_, dataset)| {
            table_of(project, &dataset.source)
                .is_some_and(|table| is_same_table(&table.join("."), &rollup.value))
        });
        if let Some((_, dataset)) = read {
            let message = format!(
                "pipeline `{}` would write its rollup over `{}`, which the dataset `{}` reads",
                pipeline.name.value, rollup.value, dataset.name.text
            );
            findings.push(
                Diagnostic::new(Code::NameCollision, message)
                    .at(rollup.span, "")
                    .also_at(dataset.source_span, "the dataset's source")
                    .about(format!("pipelines[{at}].rollup"))
                    .help("give the rollup a table of its own"),
            );
        }
    }
    findings
}
