//! Engines that run what the compiler emits. In: SQL text and limits. Out: typed rows, or why there are none.

/// The embedded batch engine.
pub mod datafusion;

/// What addresses share.
mod address;

/// Flink through its SQL Gateway.
pub mod flink;

/// The embedded real-time engine.
pub mod incremental;
/// Tables of the lake in a session.
pub mod pinned;
/// Types for sources that are queries.
pub mod query_sources;

/// StarRocks through a front end.
pub mod starrocks;

use std::time::Duration;

use unisono_compiler::diagnostic::{Code, Diagnostic};

/// Why an engine gave no answer.
#[derive(Debug, thiserror::Error)]
pub enum EngineError {
    /// The statement was refused or failed; the engine's own words.
    #[error("{0}")]
    Failed(String),
    /// The time was up.
    #[error("the statement ran longer than {} s", .0.as_secs_f64())]
    Timeout(Duration),
    /// The answer is larger than what is taken; the words say what the bound is.
    #[error("{0}")]
    TooLarge(String),
}

/// What one statement may use.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Limits {
    /// Rows returned; one more is asked for, to know whether there are more.
    pub rows: usize,
    /// Wall time.
    pub time: Duration,
}

impl Limits {
    /// 100,000 rows, five minutes.
    pub const DEFAULT: Limits = Limits { rows: 100_000, time: Duration::from_mins(5) };
}

impl EngineError {
    /// The finding that users see.
    pub fn diagnostic(&self, engine: &str) -> Diagnostic {
        match self {
            EngineError::Failed(message) => {
                Diagnostic::new(Code::EngineFailed, format!("{engine}: {message}"))
            }
            EngineError::Timeout(_) => Diagnostic::new(Code::LimitExceeded, format!("{engine}: {self}"))
                .help("raise it with --timeout"),
            EngineError::TooLarge(message) => {
                Diagnostic::new(Code::LimitExceeded, format!("{engine}: {message}"))
                    .help("ask for fewer rows")
            }
        }
    }
}
