//! Flags of the verbs that work on a warehouse. In: arguments. Out: one struct a verb.

use std::path::PathBuf;

use clap::{Args, Subcommand};

use super::TextFormat;

/// `load`.
#[derive(Args, Debug)]
pub struct Load {
    /// `database.table`, or `table` for one of the database `main`; made if it does not exist.
    #[arg(value_name = "TABLE")]
    pub table: String,
    /// CSV file with a header, JSON lines (.jsonl, .ndjson), or Parquet file.
    #[arg(value_name = "FILE")]
    pub file: PathBuf,
    /// Key of a new table, columns separated by commas; default: the model's primary key of the dataset over it.
    #[arg(long, value_name = "COLUMNS", value_delimiter = ',')]
    pub primary_key: Vec<String>,
    /// Replace rows whose key is there already.
    #[arg(long)]
    pub upsert: bool,
    /// Remove the rows whose keys the file holds.
    #[arg(long)]
    pub delete: bool,
    /// Branch to write.
    #[arg(long, value_name = "BRANCH")]
    pub branch: Option<String>,
    /// Types of a new table's columns, as in DDL: "id BIGINT, amount DECIMAL(18,2)".
    #[arg(long, value_name = "COLUMNS")]
    pub types: Option<String>,
    /// Form of the report.
    #[arg(long, value_enum, default_value_t = TextFormat::Text)]
    pub format: TextFormat,
}

/// `pipeline`.
#[derive(Args, Debug)]
pub struct Pipeline {
    /// What to do.
    #[command(subcommand)]
    pub verb: PipelineVerb,
}

/// What `pipeline` does.
#[derive(Subcommand, Debug)]
pub enum PipelineVerb {
    /// Bring rollups to the heads of their sources.
    Run(PipelineFlags),
    /// Tell what each rollup reflects.
    Status(PipelineFlags),
    /// Stop the jobs that a Flink runs for pipelines.
    Stop(PipelineNames),
}

/// Which pipelines, on which line.
#[derive(Args, Debug)]
pub struct PipelineFlags {
    /// Pipelines; default: all of the project.
    #[arg(value_name = "PIPELINE")]
    pub names: Vec<String>,
    /// Branch to work on.
    #[arg(long, value_name = "BRANCH")]
    pub branch: Option<String>,
    /// Form of the report.
    #[arg(long, value_enum, default_value_t = TextFormat::Text)]
    pub format: TextFormat,
}

/// Which pipelines, where there is only main.
#[derive(Args, Debug)]
pub struct PipelineNames {
    /// Pipelines; default: all of the project.
    #[arg(value_name = "PIPELINE")]
    pub names: Vec<String>,
    /// Form of the report.
    #[arg(long, value_enum, default_value_t = TextFormat::Text)]
    pub format: TextFormat,
}

/// `check`.
#[derive(Args, Debug)]
pub struct Check {
    /// Pipelines; default: all of the project.
    #[arg(value_name = "PIPELINE")]
    pub names: Vec<String>,
    /// The two engines that are compared, each by its name or kind; default: those of each pipeline.
    #[arg(long, value_name = "A,B", value_delimiter = ',')]
    pub between: Vec<String>,
    /// Branch to check.
    #[arg(long, value_name = "BRANCH")]
    pub branch: Option<String>,
    /// Folder for the evidence; default: target/unisono/evidence beside the project file.
    #[arg(long, value_name = "DIR")]
    pub evidence: Option<PathBuf>,
    /// File for a JUnit report.
    #[arg(long, value_name = "FILE")]
    pub junit: Option<PathBuf>,
    /// Form of the report.
    #[arg(long, value_enum, default_value_t = TextFormat::Text)]
    pub format: TextFormat,
}

/// `replay`.
#[derive(Args, Debug)]
pub struct Replay {
    /// File that a check wrote.
    #[arg(value_name = "EVIDENCE")]
    pub evidence: PathBuf,
    /// Form of the report.
    #[arg(long, value_enum, default_value_t = TextFormat::Text)]
    pub format: TextFormat,
}

/// `checkpoint`.
#[derive(Args, Debug)]
pub struct Checkpoint {
    /// Its name: small letters, digits and `_`.
    #[arg(value_name = "NAME")]
    pub name: String,
    /// Form of the report.
    #[arg(long, value_enum, default_value_t = TextFormat::Text)]
    pub format: TextFormat,
}

/// `branch`.
#[derive(Args, Debug)]
pub struct Branch {
    /// What to do.
    #[command(subcommand)]
    pub verb: BranchVerb,
}

/// What `branch` does.
#[derive(Subcommand, Debug)]
pub enum BranchVerb {
    /// Make a branch of main as it is now.
    Create(BranchName),
    /// List all branches.
    List(BranchList),
    /// Show what a branch holds beside main.
    Show(BranchName),
    /// Move main to a branch, after its checks.
    Merge(BranchName),
    /// Drop a branch with all that only it holds.
    Drop(BranchName),
}

/// A branch by name.
#[derive(Args, Debug)]
pub struct BranchName {
    /// Its name: small letters, digits and `_`.
    #[arg(value_name = "NAME")]
    pub name: String,
    /// Form of the report.
    #[arg(long, value_enum, default_value_t = TextFormat::Text)]
    pub format: TextFormat,
}

/// `branch list`.
#[derive(Args, Debug)]
pub struct BranchList {
    /// Form of the report.
    #[arg(long, value_enum, default_value_t = TextFormat::Text)]
    pub format: TextFormat,
}

/// `demo`.
#[derive(Args, Debug)]
pub struct Demo {
    /// Folder that keeps the project, its data and its warehouse; it must be empty or new.
    #[arg(long, value_name = "DIR")]
    pub keep: Option<PathBuf>,
}

/// `doctor`.
#[derive(Args, Debug)]
pub struct Doctor {
    /// Form of the report.
    #[arg(long, value_enum, default_value_t = TextFormat::Text)]
    pub format: TextFormat,
}
