//! Verdicts on metrics with their causes, and how several become one (docs/semantics.md, when two answers are equal).
//! In: what `judge` found. Out: plain values that reports and evidence hold.

use super::bound::Term;
use crate::table::Value;

/// What can be said of a metric; the worse of two is the later variant.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Verdict {
    /// All values are equal.
    Equal,
    /// All values are equal or within the bound.
    WithinTolerance,
    /// Time buckets are still open, and the closed ones agree.
    Pending,
    /// Nothing is proved.
    CannotTell,
    /// At least one group differs.
    Different,
}

impl Verdict {
    /// Every verdict, best first.
    pub const ALL: [Verdict; 5] =
        [Verdict::Equal, Verdict::WithinTolerance, Verdict::Pending, Verdict::CannotTell, Verdict::Different];

    /// The word in output.
    pub fn as_str(self) -> &'static str {
        match self {
            Verdict::Equal => "equal",
            Verdict::WithinTolerance => "within-tolerance",
            Verdict::Pending => "pending",
            Verdict::CannotTell => "cannot-tell",
            Verdict::Different => "different",
        }
    }

    /// The verdict of a word.
    pub fn parse(word: &str) -> Option<Verdict> {
        Verdict::ALL.into_iter().find(|verdict| verdict.as_str() == word)
    }

    /// Whether it lets a merge pass.
    pub fn passes(self) -> bool {
        match self {
            Verdict::Equal | Verdict::WithinTolerance => true,
            Verdict::Pending | Verdict::CannotTell | Verdict::Different => false,
        }
    }
}

/// Why a verdict is not plain `equal`; of several, the first variant is told.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Cause {
    /// A column is missing, or its types cannot be compared.
    SchemaMismatch,
    /// A key stands twice on one side.
    DuplicateKey,
    /// The real-time side lacks a group.
    MissingGroup,
    /// The real-time side has a group too many.
    ExtraGroup,
    /// Values differ.
    Value,
    /// Rows came after their bucket had closed, and they explain the difference.
    LateData,
    /// An engine or the lakehouse gave no answer.
    EngineFailed,
    /// Tables moved while they were read.
    SnapshotMoved,
    /// The real-time side does not reflect the pinned snapshots.
    Behind,
    /// An answer was cut off.
    Truncated,
    /// An answer is empty although there are home rows.
    EmptyAnswer,
    /// Something that planning trusted does not hold, or was not tested.
    Assumption,
    /// Values differ, and how far engines may differ here is not known.
    UnknownBound,
}

impl Cause {
    /// Every cause.
    pub const ALL: [Cause; 13] = [
        Cause::SchemaMismatch,
        Cause::DuplicateKey,
        Cause::MissingGroup,
        Cause::ExtraGroup,
        Cause::Value,
        Cause::LateData,
        Cause::EngineFailed,
        Cause::SnapshotMoved,
        Cause::Behind,
        Cause::Truncated,
        Cause::EmptyAnswer,
        Cause::Assumption,
        Cause::UnknownBound,
    ];

    /// The word in output.
    pub fn as_str(self) -> &'static str {
        match self {
            Cause::SchemaMismatch => "schema-mismatch",
            Cause::DuplicateKey => "duplicate-key",
            Cause::MissingGroup => "missing-group",
            Cause::ExtraGroup => "extra-group",
            Cause::Value => "value",
            Cause::LateData => "late-data",
            Cause::EngineFailed => "engine-failed",
            Cause::SnapshotMoved => "snapshot-moved",
            Cause::Behind => "behind",
            Cause::Truncated => "truncated",
            Cause::EmptyAnswer => "empty-answer",
            Cause::Assumption => "assumption",
            Cause::UnknownBound => "unknown-bound",
        }
    }

    /// The cause of a word.
    pub fn parse(word: &str) -> Option<Cause> {
        Cause::ALL.into_iter().find(|cause| cause.as_str() == word)
    }
}

/// The verdict on one metric.
#[derive(Clone, PartialEq, Debug)]
pub struct Outcome {
    /// Its column.
    pub metric: String,
    /// What can be said.
    pub verdict: Verdict,
    /// Why, where it is not plain `equal`.
    pub cause: Option<Cause>,
    /// The cause in words, where there is more to say than its name.
    pub detail: Option<String>,
    /// What was allowed.
    pub tolerance: Tolerance,
    /// How many groups there are of each kind.
    pub totals: Totals,
    /// Groups that differ, at most as many as were asked for, plain differences first.
    pub groups: Vec<GroupDifference>,
    /// Late rows behind the difference.
    pub late: Option<Late>,
}

/// Groups by what became of them.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Totals {
    /// All keys of both sides.
    pub groups: u64,
    /// Equal values.
    pub equal: u64,
    /// Unequal values within the bound.
    pub within: u64,
    /// Differences.
    pub different: u64,
    /// Unequal values without a bound.
    pub unknown: u64,
    /// Open buckets, not compared.
    pub open: u64,
}

/// A group whose values are not the same.
#[derive(Clone, PartialEq, Debug)]
pub struct GroupDifference {
    /// Dimensions with their values.
    pub key: Vec<(String, Value)>,
    /// The batch side's value; `None` where it has no such group.
    pub left: Option<Value>,
    /// The real-time side's value; `None` where it has no such group.
    pub right: Option<Value>,
    /// Right minus left, of numbers.
    pub delta: Option<Value>,
    /// What is wrong here.
    pub cause: Cause,
}

/// Rows that came after their bucket had closed.
#[derive(Clone, PartialEq, Debug)]
pub struct Late {
    /// How many.
    pub count: u64,
    /// What they amount to, by name of a metric.
    pub sums: Vec<(String, Value)>,
}

/// What was allowed between two values of a metric.
#[derive(Clone, PartialEq, Debug)]
pub struct Tolerance {
    /// The bound that was derived.
    pub basis: Basis,
    /// A looser one set by the project.
    pub set: Option<Looser>,
}

/// Where a bound comes from.
#[derive(Clone, PartialEq, Debug)]
pub enum Basis {
    /// Values must be equal.
    Exact,
    /// Derived for each group.
    Derived {
        /// The widest of all groups.
        bound: f64,
        /// What it was computed from.
        terms: Vec<Term>,
    },
    /// No bound is known for any group.
    Unknown,
}

/// A bound set by the project in place of a derived one, where it is wider.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Looser {
    /// |a - b| at most this.
    Absolute(f64),
    /// |a - b| at most this share of the greater of |a| and |b|.
    Relative(f64),
}

/// The worst of several verdicts; `equal` of none.
pub fn worst(verdicts: impl IntoIterator<Item = Verdict>) -> Verdict {
    verdicts.into_iter().max().unwrap_or(Verdict::Equal)
}

/// The exit code of a check: 0 all pass, 1 some are different, 3 some are pending or cannot be told, 4 engines or the
/// lakehouse failed and nothing was judged. A check of nothing passes; whether that may be is the caller's to say.
pub fn exit_code(judged: &[(Verdict, Option<Cause>)]) -> u8 {
    let failed = |(_, cause): &(Verdict, Option<Cause>)| *cause == Some(Cause::EngineFailed);
    if !judged.is_empty() && judged.iter().all(failed) {
        return 4;
    }
    match worst(judged.iter().map(|(verdict, _)| *verdict)) {
        Verdict::Equal | Verdict::WithinTolerance => 0,
        Verdict::Pending | Verdict::CannotTell => 3,
        Verdict::Different => 1,
    }
}

#[cfg(test)]
mod tests;
