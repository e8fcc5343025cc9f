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

use crate::engine::flink::{FlinkError, Gateway};

/// The Flink that keeps a pipeline.
pub struct Keeper {
    /// The engine's name in the project.
    pub name: String,
    /// Its gateway, with the settings of the project file.
    pub gateway: Gateway,
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
