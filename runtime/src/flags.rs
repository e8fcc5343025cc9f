//! The command line as typed. In: arguments. Out: one verb with its flags; what they mean is in `command/`.

mod lakehouse;

pub use lakehouse::{
    Branch, BranchList, BranchName, BranchVerb, Check, Checkpoint, Demo, Doctor, Load, Pipeline,
    PipelineFlags, PipelineNames, PipelineVerb, Replay,
};

use std::path::PathBuf;

use clap::{Args, Parser, Subcommand, ValueEnum};

use crate::request::Typed;

/// One metric definition, every engine, proven equal.
#[derive(Parser, Debug)]
#[command(name = "unisono", version, arg_required_else_help = true, max_term_width = 100)]
pub struct Flags {
    /// What to do.
    #[command(subcommand)]
    pub verb: Verb,
    /// Project file instead of the nearest unisono.yaml upward.
    #[arg(long, global = true, value_name = "FILE")]
    pub project: Option<PathBuf>,
    /// Print nothing on stderr but errors.
    #[arg(long, short, global = true)]
    pub quiet: bool,
}

/// The verbs.
#[derive(Subcommand, Debug)]
pub enum Verb {
    /// Write the files of a new project.
    Init(Init),
    /// Report every finding in models and the project file.
    Validate(Validate),
    /// List metrics, dimensions or datasets.
    List(List),
    /// Print the SQL of one request for one engine.
    Sql(Sql),
    /// Run one request and print its rows.
    Query(Query),
    /// Write the artefacts of the project's pipelines.
    Compile(Compile),
    /// Print the page of a code, or show what a stage makes of a request.
    Explain(Explain),
    /// Load a CSV, JSON lines or Parquet file into a table of the warehouse.
    Load(Load),
    /// Bring rollups up to date, tell where they stand, or stop their jobs.
    Pipeline(Pipeline),
    /// Prove that the real-time and the batch side agree on every metric.
    Check(Check),
    /// Run a recorded check again on the same snapshots.
    Replay(Replay),
    /// Name the state of main, and keep it readable.
    Checkpoint(Checkpoint),
    /// Work on branches of the warehouse, and merge them after a check.
    Branch(Branch),
    /// Show the whole story on a small market.
    Demo(Demo),
    /// Say what is there and what is missing.
    Doctor(Doctor),
    /// Print a JSON Schema for editors.
    Schema(Schema),
    /// Print a completion script for a shell.
    Completions(Completions),
    /// Print the manual page.
    Man,
}

/// Which models.
#[derive(Args, Debug, Clone)]
pub struct ModelFlags {
    /// Model file; may be given more than once. Default: the models of the project.
    #[arg(long = "model", short = 'm', value_name = "FILE")]
    pub models: Vec<PathBuf>,
    /// Name of the model, where the files hold several.
    #[arg(long, value_name = "MODEL")]
    pub name: Option<String>,
}

/// What is asked.
#[derive(Args, Debug, Clone)]
pub struct RequestFlags {
    /// Request in JSON or YAML; `-` reads standard input.
    #[arg(long, value_name = "FILE", conflicts_with_all = ["metrics", "by", "filter", "having", "order", "limit", "time_zone", "start", "end"])]
    pub query_file: Option<PathBuf>,
    /// Metrics, separated by commas.
    #[arg(long, value_name = "METRICS")]
    pub metrics: Vec<String>,
    /// Dimensions, separated by commas; `orders.ordered_at:month` cuts a time.
    #[arg(long, value_name = "DIMENSIONS")]
    pub by: Vec<String>,
    /// Predicate on rows; several must all hold.
    #[arg(long = "where", value_name = "PREDICATE")]
    pub filter: Vec<String>,
    /// Predicate on groups; several must all hold.
    #[arg(long, value_name = "PREDICATE")]
    pub having: Vec<String>,
    /// Columns to order by, separated by commas; `-` before one for descending.
    #[arg(long, value_name = "KEYS", allow_hyphen_values = true)]
    pub order: Vec<String>,
    /// At most so many rows.
    #[arg(long, value_name = "ROWS")]
    pub limit: Option<u64>,
    /// Zone in which instants are cut and compared.
    #[arg(long, value_name = "ZONE")]
    pub time_zone: Option<String>,
    /// First moment of metric_time.
    #[arg(long, value_name = "TIME")]
    pub start: Option<String>,
    /// The moment after the last of metric_time.
    #[arg(long, value_name = "TIME")]
    pub end: Option<String>,
    /// What CURRENT_DATE and CURRENT_TIMESTAMP mean; default: the clock.
    #[arg(long, value_name = "TIME")]
    pub now: Option<String>,
}

impl RequestFlags {
    /// The clauses as typed.
    pub fn typed(&self) -> Typed {
        Typed {
            metrics: self.metrics.clone(),
            by: self.by.clone(),
            filter: self.filter.clone(),
            having: self.having.clone(),
            order: self.order.clone(),
            limit: self.limit,
            time_zone: self.time_zone.clone(),
            start: self.start.clone(),
            end: self.end.clone(),
        }
    }
}

/// `init`.
#[derive(Args, Debug)]
pub struct Init {
    /// Directory of the project, made where it is missing. Default: this one.
    #[arg(value_name = "DIR")]
    pub dir: Option<PathBuf>,
}

/// `validate`.
#[derive(Args, Debug)]
pub struct Validate {
    /// Files or directories; default: the models of the project.
    #[arg(value_name = "MODEL")]
    pub models: Vec<PathBuf>,
    /// CREATE TABLE statements that give columns their types.
    #[arg(long, value_name = "DDL")]
    pub schema: Option<PathBuf>,
    /// Form of the report.
    #[arg(long, value_enum, default_value_t = ReportFormat::Human)]
    pub format: ReportFormat,
}

/// `list`.
#[derive(Args, Debug)]
pub struct List {
    /// What to list.
    #[arg(value_enum)]
    pub what: Listed,
    /// Which models.
    #[command(flatten)]
    pub model: ModelFlags,
    /// Only the dimensions that all these metrics share, separated by commas.
    #[arg(long, value_name = "METRICS")]
    pub metrics: Vec<String>,
    /// CREATE TABLE statements that give columns their types.
    #[arg(long, value_name = "DDL")]
    pub schema: Option<PathBuf>,
    /// Form of the answer.
    #[arg(long, value_enum, default_value_t = TextFormat::Text)]
    pub format: TextFormat,
}

/// `sql`.
#[derive(Args, Debug)]
pub struct Sql {
    /// Which models.
    #[command(flatten)]
    pub model: ModelFlags,
    /// What is asked.
    #[command(flatten)]
    pub request: RequestFlags,
    /// datafusion, duckdb, starrocks, flink or flink-streaming, each with an optional @version.
    #[arg(long, short = 'd', value_name = "DIALECT", default_value = "datafusion")]
    pub dialect: String,
    /// CREATE TABLE statements that give columns their types.
    #[arg(long, value_name = "DDL")]
    pub schema: Option<PathBuf>,
    /// Form of the answer.
    #[arg(long, value_enum, default_value_t = TextFormat::Text)]
    pub format: TextFormat,
}

/// `query`.
#[derive(Args, Debug)]
pub struct Query {
    /// Which models.
    #[command(flatten)]
    pub model: ModelFlags,
    /// What is asked.
    #[command(flatten)]
    pub request: RequestFlags,
    /// Folder with one CSV, JSON lines or Parquet file a table, instead of the project's warehouse.
    #[arg(long, value_name = "DIR", conflicts_with_all = ["at", "branch"])]
    pub data: Option<PathBuf>,
    /// Engine of the project that answers, of kind datafusion, flink or starrocks. Default: the embedded one.
    #[arg(long, value_name = "ENGINE", conflicts_with = "data")]
    pub engine: Option<String>,
    /// State of main to read: a version (`v3`), a checkpoint's name, or a time. Default: the heads now.
    #[arg(long, value_name = "VERSION", conflicts_with = "branch")]
    pub at: Option<String>,
    /// Branch to read.
    #[arg(long, value_name = "BRANCH")]
    pub branch: Option<String>,
    /// CREATE TABLE statements that give columns their types; default: schema.sql of the data folder.
    #[arg(long, value_name = "DDL")]
    pub schema: Option<PathBuf>,
    /// Form of the rows; default: a table on a terminal, else CSV.
    #[arg(long, value_enum)]
    pub format: Option<RowFormat>,
    /// File for rows as arrow or parquet, replaced if it is there. Default: stdout, if that is no terminal.
    #[arg(long, value_name = "FILE")]
    pub output: Option<PathBuf>,
    /// Rows printed at most; default: 100000, or 1000 in a table.
    #[arg(long, value_name = "ROWS")]
    pub max_rows: Option<usize>,
    /// Seconds that the statement may run; reading the files comes before and is not bounded.
    #[arg(long, value_name = "SECONDS", default_value_t = 300)]
    pub timeout: u64,
}

/// `compile`.
#[derive(Args, Debug)]
pub struct Compile {
    /// Only this target: datafusion, starrocks, flink (the batch query), flink-streaming (the query and the job), paimon or duckdb;
    /// may be given more than once. Default: all but duckdb.
    #[arg(long, value_name = "TARGET")]
    pub target: Vec<String>,
    /// Write nothing; fail when the files on disk differ.
    #[arg(long)]
    pub check: bool,
    /// Write nothing; print the statements that make this version's tables of those in schema files of an earlier one.
    #[arg(long, value_name = "FILE", num_args = 1.., conflicts_with_all = ["check", "target"])]
    pub against: Vec<PathBuf>,
    /// CREATE TABLE statements that give columns their types.
    #[arg(long, value_name = "DDL")]
    pub schema: Option<PathBuf>,
    /// Form of the report.
    #[arg(long, value_enum, default_value_t = TextFormat::Text)]
    pub format: TextFormat,
}

/// `explain`.
#[derive(Args, Debug)]
pub struct Explain {
    /// Code of a finding, as E_NO_PATH: print its page. Without it a stage of a request is shown.
    #[arg(value_name = "CODE", conflicts_with_all = ["models", "name", "query_file", "metrics", "by", "filter", "having", "order", "limit", "time_zone", "start", "end", "now", "stage", "dialect", "schema"])]
    pub code: Option<String>,
    /// Which models.
    #[command(flatten)]
    pub model: ModelFlags,
    /// What is asked.
    #[command(flatten)]
    pub request: RequestFlags,
    /// Which stage to show.
    #[arg(long, value_enum, default_value_t = Stage::Plan)]
    pub stage: Stage,
    /// The engine of the stages after plan, as for `sql`.
    #[arg(long, short = 'd', value_name = "DIALECT", default_value = "datafusion")]
    pub dialect: String,
    /// CREATE TABLE statements that give columns their types.
    #[arg(long, value_name = "DDL")]
    pub schema: Option<PathBuf>,
    /// Form of the answer.
    #[arg(long, value_enum, default_value_t = TextFormat::Text)]
    pub format: TextFormat,
}

/// `schema`.
#[derive(Args, Debug)]
pub struct Schema {
    /// Of which kind of file.
    #[arg(value_enum)]
    pub of: SchemaOf,
}

/// `completions`.
#[derive(Args, Debug)]
pub struct Completions {
    /// The shell.
    #[arg(value_enum)]
    pub shell: clap_complete::Shell,
}

/// What `list` lists.
#[derive(ValueEnum, Clone, Copy, PartialEq, Eq, Debug)]
pub enum Listed {
    /// Metrics with type, grain and class.
    Metrics,
    /// Fields that can be grouped by.
    Dimensions,
    /// Datasets with keys and sources.
    Datasets,
}

/// The stages of docs/architecture, by their verbs.
#[derive(ValueEnum, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Stage {
    /// The document as read.
    Parse,
    /// The model with ids.
    Model,
    /// The model with columns and types.
    Resolve,
    /// The request against the model.
    Bind,
    /// The plan in metric words.
    Plan,
    /// The plan in SQL words, the same for every target.
    Relation,
    /// The relation bent to the target.
    Adapt,
    /// The text.
    Sql,
}

/// Kinds of files with a JSON Schema.
#[derive(ValueEnum, Clone, Copy, PartialEq, Eq, Debug)]
pub enum SchemaOf {
    /// A semantic model.
    Model,
    /// unisono.yaml.
    Project,
    /// A request.
    Request,
}

/// Forms of a report of findings.
#[derive(ValueEnum, Clone, Copy, PartialEq, Eq, Debug)]
pub enum ReportFormat {
    /// With excerpts of the source.
    Human,
    /// One JSON object.
    Json,
    /// SARIF 2.1.0.
    Sarif,
    /// Annotations of a workflow.
    Github,
}

/// Text or JSON.
#[derive(ValueEnum, Clone, Copy, PartialEq, Eq, Debug)]
pub enum TextFormat {
    /// For people.
    Text,
    /// One JSON object.
    Json,
}

/// Forms of rows.
#[derive(ValueEnum, Clone, Copy, PartialEq, Eq, Debug)]
pub enum RowFormat {
    /// Aligned columns.
    Table,
    /// RFC 4180.
    Csv,
    /// One JSON object.
    Json,
    /// An Arrow IPC stream.
    Arrow,
    /// A Parquet file.
    Parquet,
}

#[cfg(test)]
mod tests {
    use clap::CommandFactory;

    use super::*;

    #[test]
    fn the_flags_are_consistent() {
        Flags::command().debug_assert();
    }

    #[test]
    fn a_descending_key_is_no_flag() {
        let flags = Flags::try_parse_from(["unisono", "sql", "--metrics", "a", "--order", "-a"]).unwrap();
        let Verb::Sql(sql) = flags.verb else { panic!("sql") };
        assert_eq!(sql.request.order, ["-a"]);
    }
}
