//! What the integration tests share: cases and data read from files, values from any engine in one form, and the judgement on both.
//! In: folders under tests/cases, answers of engines. Out: verdicts. No engine of ours is used here.

use std::path::{Path, PathBuf};

/// Cases: folders of files with a request and its right answer.
pub mod case;

/// Typed values and tables.
pub mod value;

/// Expected rows against rows.
pub mod compare;

/// A case's answer against its expectation.
pub mod judge;

/// An engine's rows against the reference's.
pub mod agree;

/// DuckDB, parsers and Flink, through one Python process.
pub mod helper;

/// TPC-H data.
pub mod tpch;

/// A path from the root of the project.
pub fn project(path: impl AsRef<Path>) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap_or(Path::new(".")).join(path)
}
