//! The project file `unisono.yaml`: models, engines, sources, pipelines and rules of one project.
//! In: a directory to look upward from, or a path. Out: a `Project` with the place of everything that can be wrong.
//! Secrets stay as `${NAME}`; nothing here reads the environment.

mod read;

pub use read::{PIPELINE_KEYS, ROOT_KEYS, read_project};

use std::path::{Path, PathBuf};

use unisono_compiler::source::{SourceId, Spanned};

/// The file's name.
pub const FILE_NAME: &str = "unisono.yaml";

/// A project as written, checked as far as the file alone allows.
#[derive(Clone, PartialEq, Debug)]
pub struct Project {
    /// The file's text.
    pub source: SourceId,
    /// Patterns of model files, relative to the project file.
    pub models: Vec<Spanned<String>>,
    /// Where the tables live.
    pub warehouse: Option<Warehouse>,
    /// Engines by the names that pipelines use.
    pub engines: Vec<Engine>,
    /// Tables of datasets' sources.
    pub sources: Vec<SourceTable>,
    /// Pipelines in the order of the file.
    pub pipelines: Vec<Pipeline>,
    /// Types of columns that neither the catalogue nor a model says.
    pub types: Vec<ColumnType>,
    /// Rules of checks.
    pub checks: Checks,
    /// `main: {protected: true}`: nothing but a merge writes main.
    pub main_protected: bool,
    /// What a merge needs.
    pub merge: Merge,
}

impl Project {
    /// What the engine of a name is; `None` for one that the file does not declare.
    pub fn engine(&self, name: &str) -> Option<&EngineKind> {
        self.engines.iter().find(|engine| engine.name.value == name).map(|engine| &engine.kind)
    }
}

/// Where the lakehouse's tables live.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Warehouse {
    /// A path or URL, unexpanded.
    pub path: Spanned<String>,
    /// Options of the object store, unexpanded.
    pub options: Vec<(Spanned<String>, Spanned<String>)>,
}

/// An engine of the project.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Engine {
    /// The name that pipelines use.
    pub name: Spanned<String>,
    /// What it is.
    pub kind: EngineKind,
}

/// The engines that exist, with what each needs.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum EngineKind {
    /// Embedded, batch.
    DataFusion,
    /// Embedded, real time.
    Incremental,
    /// A Flink SQL gateway.
    Flink {
        /// Its address, unexpanded.
        gateway: Spanned<String>,
        /// Settings of each session.
        session: Vec<(Spanned<String>, Spanned<String>)>,
        /// Whether an unencrypted connection was allowed by hand.
        tls: Tls,
    },
    /// A StarRocks front end.
    StarRocks {
        /// Its address, unexpanded.
        url: Spanned<String>,
        /// Whether an unencrypted connection was allowed by hand.
        tls: Tls,
        /// The file of the only authority whose certificates count, relative to the project file.
        ca: Option<Spanned<String>>,
        /// The external catalog that holds the lakehouse.
        catalog: Option<Spanned<String>>,
    },
}

/// Encryption of a connection.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Tls {
    /// Refused without it.
    Required,
    /// Off, by hand.
    Disabled,
}

/// The table behind a dataset's source, with its time and lateness.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SourceTable {
    /// The source as models write it.
    pub source: Spanned<String>,
    /// The table.
    pub table: Option<Spanned<String>>,
    /// The column that holds the time of the event.
    pub event_time: Option<Spanned<String>>,
    /// How late rows may come before the watermark passes them.
    pub watermark_delay: Option<Spanned<String>>,
}

/// Metrics kept current by one engine and checked by another.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Pipeline {
    /// Its name: small letters, digits and `_`.
    pub name: Spanned<String>,
    /// At least one.
    pub metrics: Vec<Spanned<String>>,
    /// Possibly none.
    pub dimensions: Vec<Spanned<String>>,
    /// Whether groups stay open.
    pub kind: PipelineKind,
    /// Name of the engine that keeps the rollup.
    pub realtime: String,
    /// Name of the engine that answers the same question in batch.
    pub batch: String,
    /// The rollup table.
    pub rollup: Spanned<String>,
}

/// Whether groups stay open (docs/semantics.md, real time).
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum PipelineKind {
    /// Every group follows every change.
    Updating,
    /// A time bucket is emitted once.
    Windowed {
        /// How long a bucket waits after the watermark.
        allowed_lateness: Option<Spanned<String>>,
    },
}

/// The type of one column.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ColumnType {
    /// `table.column` with as many table parts as wanted.
    pub column: Spanned<String>,
    /// The type as DDL writes it.
    pub sql_type: Spanned<String>,
}

/// How strict checks are.
#[derive(Clone, PartialEq, Debug)]
pub struct Checks {
    /// What late rows of windowed pipelines do.
    pub on_late: OnLate,
    /// What open buckets do.
    pub on_pending: OnPending,
    /// Looser bounds by metric.
    pub tolerance: Vec<(Spanned<String>, f64)>,
    /// Rows shown of each difference.
    pub sample_rows: u64,
}

/// What late rows do.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum OnLate {
    /// The verdict is `different`.
    Fail,
    /// The verdict is `within-tolerance`; they stay listed.
    Accept,
}

/// What open buckets do.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum OnPending {
    /// The verdict is `pending`.
    Fail,
    /// They are left out on both sides and listed.
    Exclude,
}

/// What a merge needs.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Merge {
    /// The checks must pass.
    pub checks: bool,
    /// A person must accept the report.
    pub person: bool,
}

/// The project file of a directory or of the nearest directory above it.
pub fn discover(from: &Path) -> Option<PathBuf> {
    from.ancestors().map(|directory| directory.join(FILE_NAME)).find(|path| path.is_file())
}

/// Whether two names may mean one table: parts that only one of them has may be the default ones.
pub fn is_same_table(left: &str, right: &str) -> bool {
    let mut parts = left.rsplit('.').zip(right.rsplit('.'));
    parts.all(|(left, right)| left.eq_ignore_ascii_case(right))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_tables_may_leave_out_the_first_parts() {
        assert!(is_same_table("lake.Shop.daily", "shop.Daily") && is_same_table("daily", "shop.daily"));
        assert!(!is_same_table("shop.daily", "store.daily") && !is_same_table("shop.daily", "shop.orders"));
    }

    #[test]
    fn the_nearest_project_file_upward_is_found() {
        let root = std::env::temp_dir().join(format!("unisono-discover-{}", std::process::id()));
        let inner = root.join("a/b");
        std::fs::create_dir_all(&inner).unwrap();
        std::fs::write(root.join(FILE_NAME), "version: 1\n").unwrap();
        assert_eq!(discover(&inner), Some(root.join(FILE_NAME)));
        std::fs::remove_dir_all(&root).unwrap();
    }
}
