//! The one integration binary. Each module below holds the tests of one subject.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::format_push_string,
    clippy::print_stdout,
    reason = "a test fails by panicking, in its helpers too; clippy's exception for tests knows marked functions only; what it prints is shown where it fails"
)]

/// The project's shape: crates, files, words, links.
mod tidy;

/// Engines as the tests use them: one answer type for all.
mod engines;

/// What came of each case, in lists from which nothing right may be lost.
mod list;

/// Every case of tests/cases/foundation and shop, on DataFusion and on DuckDB, with a list that may only grow.
mod cases;

/// The same cases on the engines of a lake: StarRocks by oracle, Flink in batch and in streaming mode.
mod matrix;

/// TPC-H requests against hand-written SQL in DuckDB.
mod tpch;

/// The TPC-DS models of OSI, compiled for every target and read by parsers that are not ours.
mod tpcds;

/// Every model under models/ with its example requests, and the texts of all targets pinned.
mod models;

/// The binary as a person or program calls it: exit codes, streams, bad input.
mod cli;

/// Every page of docs/diagnostics, run.
mod diagnostics;

/// docs/support.md is what the tests saw.
mod support;

/// The functions that engines were seen to compute.
mod exercised;

/// The inputs that fuzzing found worth keeping.
mod corpus;

/// Projects in folders of their own.
mod project_folder;

/// Pipelines over TPC-H under inserts, updates and deletes.
mod tpch_pipelines;

/// A warehouse worked on by the binary.
mod lakehouse;

/// Jobs of pipelines stopped by hand.
mod pipeline_stop;

/// JSON lines loaded and queried.
mod json_lines;

/// Answers as Arrow and Parquet, read by pyarrow.
mod columnar;

/// Table specs as tables, made and altered and read by several programs.
mod paimon_specs;

/// Windowed pipelines of the embedded engine.
mod windowed;

/// The demo, and its rollups recomputed by others.
mod demo;

/// Faults put where the real-time side reads and stores values, and found by the check.
mod faults;

/// Merges broken off.
mod crashes;

/// Random cases on DataFusion, DuckDB and StarRocks by oracle against the reference evaluator.
mod random;

/// Related requests have related answers.
mod metamorphic;

/// Faults planted in the planner's output, found by the random cases.
mod planted;

/// The engine of kind flink, on a real one.
mod flink_engine;

/// The engine of kind starrocks, on a MariaDB that speaks its protocol.
mod starrocks_engine;

/// The same client on a real StarRocks, where there is one.
mod starrocks_live;

/// Projects with a StarRocks, on a stand-in that answers by the oracle.
mod starrocks_project;

/// The materialized views that `compile` makes for StarRocks: each holds the rollup.
mod starrocks_views;

/// Pipelines that a real Flink keeps.
mod flink_pipelines;

/// Checks of what a real Flink keeps.
mod flink_checks;

/// A Flink that loses a part of itself.
mod flink_faults;

/// A windowed pipeline that a real Flink keeps.
mod flink_windows;
