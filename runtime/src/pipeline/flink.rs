//! Pipelines that a Flink keeps: the job, how it is submitted, what is known of it. In: a prepared pipeline, a gateway. Out: a running job
//! with its record, or where it stands; RUNNING is a state of the process and no answer.

mod job;
mod record;
mod scans;
mod status;
mod stop;
mod submit;
mod windowed;

pub use job::{Asked, JobText, SETTINGS, Statement, settings, statement};
pub use record::FlinkJob;
pub use status::{FlinkStatus, Reflected, State, status};
pub use stop::{Stopped, stop};
pub use submit::{Submitted, submit};
pub use windowed::event_table;

use unisono_compiler::diagnostic::{Code, Diagnostic};
use unisono_compiler::relation::Relation;
use unisono_dialects::{Engine, Target, parse_target};

use super::meaning::moment;
use super::prepare::Prepared;
use crate::compile::{compile_request, made};
use crate::engine::flink::{FlinkError, Gateway};

/// The Flink that keeps a pipeline.
pub struct Keeper {
    /// The engine's name in the project.
    pub name: String,
    /// Its gateway, with the settings of the project file.
    pub gateway: Gateway,
}

/// A pipeline's request for the version of Flink that answers, in batch or in streaming mode: bent to what that can say.
fn adapted(prepared: &Prepared, mode: Engine, version: &str) -> Result<(Target, Relation), Vec<Diagnostic>> {
    let target = parse_target(&format!("{}@{version}", mode.as_str())).map_err(|finding| vec![finding])?;
    let stages = compile_request(&prepared.model, &prepared.catalog, &prepared.request, &moment(), target);
    Ok((target, made(stages.adapted, stages.diagnostics)?))
}

/// A failure of Flink at a pipeline.
fn failed(pipeline: &str, error: FlinkError) -> Vec<Diagnostic> {
    let mut finding = error.diagnostic();
    finding.message = format!("pipeline `{pipeline}`: {}", finding.message);
    vec![finding]
}

/// What a pipeline on Flink cannot be.
fn unsupported(message: String, help: &str) -> Vec<Diagnostic> {
    vec![Diagnostic::new(Code::UnsupportedPipeline, message).help(help)]
}
