//! What goes wrong in the lakehouse, with the table, the line and the snapshot. In: facts. Out: errors, and each as a
//! diagnostic with its code and advice.

use std::fmt;
use std::io;
use std::path::PathBuf;

use unisono_compiler::diagnostic::{Code, Diagnostic};

use super::gate::Problem;
use super::names::{Line, TableName};

/// The table, line and snapshot that an error is about.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Place {
    /// The table.
    pub table: TableName,
    /// Its line.
    pub line: Line,
    /// The snapshot, if one was meant.
    pub snapshot: Option<i64>,
}

impl Place {
    /// A table on a line.
    pub fn new(table: &TableName, line: &Line) -> Place {
        Place { table: table.clone(), line: line.clone(), snapshot: None }
    }

    /// The same at a snapshot.
    #[must_use]
    pub fn at(&self, snapshot: Option<i64>) -> Place {
        Place { snapshot, ..self.clone() }
    }
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "`{}`", self.table)?;
        match &self.line {
            Line::Main => {}
            Line::Branch(branch) => write!(f, " of branch `{branch}`")?,
        }
        match self.snapshot {
            Some(snapshot) => write!(f, " at snapshot {snapshot}"),
            None => Ok(()),
        }
    }
}

/// Why the lakehouse could not do what was asked.
#[derive(thiserror::Error, Debug)]
pub enum LakeError {
    /// The warehouse is missing, is a file, is not ours, or is of a later version.
    #[error("the warehouse `{path}` {why}")]
    Warehouse {
        /// As given.
        path: String,
        /// What is the matter, as the rest of a sentence.
        why: String,
        /// What to do.
        help: String,
    },
    /// A text that is no table name.
    #[error("`{name}` is no name for a table: {why}")]
    TableName {
        /// The text.
        name: String,
        /// The rule.
        why: String,
    },
    /// A text that is no name of a branch or a tag.
    #[error("`{name}` is no name for a {what}")]
    BranchName {
        /// `branch` or `tag`.
        what: &'static str,
        /// The text.
        name: String,
    },
    /// No such table on that line.
    #[error("the table {place} does not exist")]
    TableNotFound {
        /// The table.
        place: Place,
        /// The tables of the line.
        known: Vec<String>,
    },
    /// A table stands where one was to be made.
    #[error("the table {place} exists already")]
    TableExists {
        /// The table.
        place: Place,
    },
    /// Option pairs of the table that forbid what was asked.
    #[error("the options of {place} do not allow this: {}", texts(problems))]
    TableOptions {
        /// The table.
        place: Place,
        /// By name.
        problems: Vec<Problem>,
    },
    /// Another engine writes the table.
    #[error("{place} is written by `{writer}`, and a table has one writing engine")]
    TableWriter {
        /// The table.
        place: Place,
        /// The recorded engine.
        writer: String,
    },
    /// A snapshot that is no longer there.
    #[error("{place} is gone: the snapshot, or a file of it, does not exist any more")]
    SnapshotGone {
        /// The table and the snapshot.
        place: Place,
    },
    /// The lock was not free in time.
    #[error("{place} is locked by another writer, who did not let go for {seconds} seconds")]
    TableLocked {
        /// The table.
        place: Place,
        /// How long was waited.
        seconds: u64,
    },
    /// A commit that was reported as done and is not there.
    #[error(
        "the commit {identifier} of `{user}` to {place} was reported as done and is not in the table's history"
    )]
    CommitLost {
        /// The table.
        place: Place,
        /// The commit's user.
        user: String,
        /// The commit's number.
        identifier: i64,
    },
    /// No such branch of a table.
    #[error("{place} does not exist: the table has no such branch")]
    BranchNotFound {
        /// The table and the branch.
        place: Place,
    },
    /// The branch exists.
    #[error("{place} exists already")]
    BranchExists {
        /// The table and the branch.
        place: Place,
    },
    /// Main went on after the fork.
    #[error("{place} cannot move main forward: {why}")]
    BranchDiverged {
        /// The table and the branch.
        place: Place,
        /// What differs.
        why: String,
    },
    /// A tag of that name holds another snapshot.
    #[error("the tag `{tag}` of {place} exists already and holds another snapshot")]
    TagExists {
        /// The table.
        place: Place,
        /// The tag.
        tag: String,
    },
    /// A branch still lives from the tag's files.
    #[error("the tag `{tag}` of {place} holds the files of the branch `{branch}`")]
    TagInUse {
        /// The table.
        place: Place,
        /// The tag.
        tag: String,
        /// The branch.
        branch: String,
    },
    /// No such column.
    #[error("{place} has no column `{column}`")]
    Column {
        /// The table.
        place: Place,
        /// The name asked for.
        column: String,
        /// The columns that exist.
        known: Vec<String>,
    },
    /// A column whose type the language lacks.
    #[error("the column `{column}` of {place} is of type {found}, which cannot be used here")]
    ColumnType {
        /// The table.
        place: Place,
        /// The column.
        column: String,
        /// Its type, as Paimon or Arrow spells it.
        found: String,
    },
    /// Rows that the table cannot take.
    #[error("rows for {place} do not fit: {why}")]
    Rows {
        /// The table.
        place: Place,
        /// What does not fit.
        why: String,
    },
    /// A file of ours, or of a table, that could not be read or written.
    #[error("`{}` cannot be {doing}: {source}", path.display())]
    File {
        /// The file.
        path: PathBuf,
        /// `read` or `written`.
        doing: &'static str,
        /// What the system said.
        source: io::Error,
    },
    /// Anything else that Paimon reports.
    #[error("Paimon could not {doing} {place}: {source}")]
    Paimon {
        /// The table.
        place: Place,
        /// `read`, `write`, ...
        doing: &'static str,
        /// What Paimon said.
        source: Box<paimon::Error>,
    },
    /// Arrow refused batches.
    #[error("the rows of {place} could not be put together: {source}")]
    Arrow {
        /// The table.
        place: Place,
        /// What Arrow said.
        source: arrow::error::ArrowError,
    },
}

/// As the layers above report it.
impl From<LakeError> for Vec<Diagnostic> {
    fn from(error: LakeError) -> Self {
        vec![error.diagnostic()]
    }
}

fn texts(problems: &[Problem]) -> String {
    problems.iter().map(|problem| problem.text.as_str()).collect::<Vec<_>>().join("; ")
}

impl LakeError {
    /// The finding that people read.
    pub fn diagnostic(&self) -> Diagnostic {
        let finding = |code| Diagnostic::new(code, self.to_string());
        match self {
            LakeError::Warehouse { help, .. } => finding(Code::Warehouse).help(help.clone()),
            LakeError::TableName { .. } => {
                finding(Code::TableName).help("name the table `database.table`, with letters, digits and `_`")
            }
            LakeError::BranchName { .. } => finding(Code::BranchName).help(
                "use 1 to 64 lower-case letters, digits and `_`, not only digits, and not `main`",
            ),
            LakeError::TableNotFound { place, known } => {
                let finding = finding(Code::TableNotFound)
                    .suggest(&place.table.to_string(), known.iter().map(String::as_str));
                match &place.line {
                    Line::Main => finding.help("load the table first, or name one that `unisono doctor` lists"),
                    Line::Branch(_) => {
                        finding.help("a branch holds the tables of main as they were when it was made, and its own")
                    }
                }
            }
            LakeError::TableExists { .. } => finding(Code::TableExists).help("name another table, or drop this one first"),
            LakeError::TableOptions { problems, .. } => problems
                .iter()
                .fold(finding(Code::TableOptions), |finding, problem| finding.help(problem.help.clone())),
            LakeError::TableWriter { writer, .. } => finding(Code::TableWriter).help(format!(
                "let `{writer}` write it, or make a table of your own; two writers without a shared lock lose rows"
            )),
            LakeError::SnapshotGone { .. } => finding(Code::SnapshotGone)
                .help("use a later version; keep what must stay readable under a tag before snapshots expire"),
            LakeError::TableLocked { .. } => finding(Code::TableLocked)
                .help("wait for the other command or job to end, then run this one again; nothing was written"),
            LakeError::CommitLost { .. } => finding(Code::CommitLost)
                .help("stop what else writes this table without the lock, then run the command again"),
            LakeError::BranchNotFound { .. } => finding(Code::BranchNotFound).help("make the branch first"),
            LakeError::BranchExists { .. } => finding(Code::BranchExists).help("choose another name, or drop the branch first"),
            LakeError::BranchDiverged { .. } => {
                finding(Code::BranchDiverged).help("make a new branch of main and do the work again on it")
            }
            LakeError::TagExists { .. } => finding(Code::TagExists).help("choose another name, or delete the tag first"),
            LakeError::TagInUse { .. } => finding(Code::TagInUse).help("drop the branch first, then the tag"),
            LakeError::Column { column, known, .. } => {
                finding(Code::NameNotFound).suggest(column, known.iter().map(String::as_str))
            }
            LakeError::ColumnType { .. } => {
                finding(Code::TypeMismatch).help("leave the column out, or keep its values as text")
            }
            LakeError::Rows { .. } => finding(Code::TypeMismatch).help("nothing was written; correct the rows and write them again"),
            LakeError::File { doing: "read", .. } => finding(Code::FileUnreadable),
            LakeError::File { .. } => finding(Code::FileUnwritable),
            LakeError::Paimon { .. } | LakeError::Arrow { .. } => finding(Code::EngineFailed),
        }
    }
}
