//! The codes of all diagnostics: those of the OSI Foundation draft's Appendix A, spelled as there, and ours.
//! A code never changes its meaning. Each has a page under docs/diagnostics/ whose example a test runs.

use std::fmt;

use super::Severity;

macro_rules! codes {
    ($($variant:ident = $text:literal, $meaning:literal;)*) => {
        /// The stable code of a diagnostic.
        #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
        pub enum Code {
            $(#[doc = $meaning] $variant,)*
        }

        impl Code {
            /// Every code, sorted by its text.
            pub const ALL: &'static [Code] = &[$(Code::$variant,)*];

            /// The code as users see it.
            pub fn as_str(self) -> &'static str {
                match self { $(Code::$variant => $text,)* }
            }

            /// One sentence on what it means.
            pub fn meaning(self) -> &'static str {
                match self { $(Code::$variant => $meaning,)* }
            }
        }
    };
}

codes! {
    E3011MnAggregationRejected = "E3011_MN_AGGREGATION_REJECTED", "An engine that supports no many-to-many traversal at all was asked for one. Unisono never raises it.";
    E3012MnNoSafeRewrite = "E3012_MN_NO_SAFE_REWRITE", "A many-to-many traversal has no safe form in this model at the grain asked for.";
    E3013NoStitchingDimension = "E3013_NO_STITCHING_DIMENSION", "Facts without any connection are asked for together and share no dimension.";
    AggregateInField = "E_AGGREGATE_IN_FIELD", "A field's expression holds an aggregate; aggregates live in metrics.";
    AggregateInScalarQuery = "E_AGGREGATE_IN_SCALAR_QUERY", "A scalar query asks for a metric or an aggregate.";
    AggregateInWhere = "E_AGGREGATE_IN_WHERE", "`where` holds an aggregate or a metric.";
    AmbiguousMeasureGrain = "E_AMBIGUOUS_MEASURE_GRAIN", "A measure has no single home dataset.";
    AmbiguousPath = "E_AMBIGUOUS_PATH", "More than one relationship path connects two datasets.";
    BranchDiverged = "E_BRANCH_DIVERGED", "Main was written, or its columns changed, after the branch was made.";
    BranchExists = "E_BRANCH_EXISTS", "A branch of that name exists already.";
    BranchName = "E_BRANCH_NAME", "A name of a branch or a tag has characters that it may not have.";
    BranchNotFound = "E_BRANCH_NOT_FOUND", "No such branch.";
    CommitLost = "E_COMMIT_LOST", "A commit was reported as done and is not in the table's history.";
    DataMalformed = "E_DATA_MALFORMED", "A data file does not hold what its header, its declared types or its format say.";
    DataNotFound = "E_DATA_NOT_FOUND", "A data folder, or the file of a table in it, does not exist.";
    DeferredFrameMode = "E_DEFERRED_FRAME_MODE", "A window frame uses GROUPS, a parameter or an interval.";
    DeferredKeyRejected = "E_DEFERRED_KEY_REJECTED", "A key or name that OSI recognises but has deferred.";
    DuplicateKey = "E_DUPLICATE_KEY", "Rows of one primary key are loaded twice as new rows.";
    EmptyAggregationQuery = "E_EMPTY_AGGREGATION_QUERY", "A request has neither dimensions nor measures.";
    EmptyScalarQuery = "E_EMPTY_SCALAR_QUERY", "A scalar request has no fields.";
    EncryptionRequired = "E_ENCRYPTION_REQUIRED", "A connection to an engine would not be encrypted, or not with one that counts.";
    EngineFailed = "E_ENGINE_FAILED", "An engine refused a statement or failed while it ran it.";
    EngineUnreachable = "E_ENGINE_UNREACHABLE", "No engine answers at the address, or the connection to it was lost.";
    FanOutInScalarQuery = "E_FAN_OUT_IN_SCALAR_QUERY", "A scalar request would repeat the rows of its home dataset.";
    FieldCycle = "E_FIELD_CYCLE", "Fields refer to each other in a circle.";
    FileUnreadable = "E_FILE_UNREADABLE", "A file is missing, is a directory, may not be read or is not UTF-8 text.";
    FileUnwritable = "E_FILE_UNWRITABLE", "A file or directory cannot be written.";
    FloatDimension = "E_FLOAT_DIMENSION", "A dimension is a floating-point number.";
    Internal = "E_INTERNAL", "A fault of Unisono itself; nothing is emitted.";
    Interrupted = "E_INTERRUPTED", "A command was stopped by a signal before its work was committed.";
    InvalidNaturalGrain = "E_INVALID_NATURAL_GRAIN", "A model declares `natural_grain` wrongly (deferred by OSI). Unisono never raises it.";
    LimitExceeded = "E_LIMIT_EXCEEDED", "An input is larger or deeper than the limit.";
    LoginRefused = "E_LOGIN_REFUSED", "An engine refused the account that the project file names.";
    MainMoved = "E_MAIN_MOVED", "Main was written after the branch was made, so the branch is not what main would become.";
    MainProtected = "E_MAIN_PROTECTED", "The project lets nothing but a merge write main.";
    MergeRefused = "E_MERGE_REFUSED", "A merge cannot go on: what was checked is not what would be merged, or a rule of the project is not met.";
    MetricCycle = "E_METRIC_CYCLE", "Metrics refer to each other in a circle.";
    MixedPredicateLevel = "E_MIXED_PREDICATE_LEVEL", "One predicate mixes rows and aggregates.";
    MixedQueryShape = "E_MIXED_QUERY_SHAPE", "A request has both fields and dimensions or measures.";
    NameCollision = "E_NAME_COLLISION", "Two names are equal after folding.";
    NameNotFound = "E_NAME_NOT_FOUND", "A name resolves to nothing.";
    NaturalGrainPreAggregationUnsafe = "E_NATURAL_GRAIN_PRE_AGGREGATION_UNSAFE", "A deferred `natural_grain` declaration cannot be kept. Unisono never raises it.";
    NestedAggregationDeferred = "E_NESTED_AGGREGATION_DEFERRED", "An aggregate of an aggregate.";
    NestedWindow = "E_NESTED_WINDOW", "A window function inside a window function.";
    NonAggregateInHaving = "E_NON_AGGREGATE_IN_HAVING", "`having` holds a predicate on rows that is no grouping column.";
    NoPath = "E_NO_PATH", "No relationship path connects two datasets.";
    NoUsableExpression = "E_NO_USABLE_EXPRESSION", "An object has no expression in a dialect that the target can use.";
    Parse = "E_PARSE", "A text cannot be read.";
    PrimaryKeyRequired = "E_PRIMARY_KEY_REQUIRED", "A request needs a declared key that a dataset does not have.";
    ProjectNotFound = "E_PROJECT_NOT_FOUND", "A command needs a project and no unisono.yaml stands in this directory or above it.";
    ReservedName = "E_RESERVED_NAME", "A name is a reserved word.";
    RollupColumns = "E_ROLLUP_COLUMNS", "A rollup on main has other columns than its pipeline makes now.";
    SnapshotGone = "E_SNAPSHOT_GONE", "A snapshot that is asked for does not exist any more.";
    TableChange = "E_TABLE_CHANGE", "A table cannot become what its new specification says without a loss.";
    TableExists = "E_TABLE_EXISTS", "A table of that name exists already.";
    TableLocked = "E_TABLE_LOCKED", "Another writer holds a table's lock.";
    TableName = "E_TABLE_NAME", "A table's name has characters that it may not have.";
    TableNotFound = "E_TABLE_NOT_FOUND", "The warehouse has no such table on that line.";
    TableOptions = "E_TABLE_OPTIONS", "A table's options give wrong, invisible or unreadable rows when it is used from here.";
    TableWriter = "E_TABLE_WRITER", "Another engine writes the table.";
    TagExists = "E_TAG_EXISTS", "A tag of that name exists already and holds another snapshot.";
    TagInUse = "E_TAG_IN_USE", "A branch lives from the files that a tag holds.";
    TimeRangeReversed = "E_TIME_RANGE_REVERSED", "A time range ends before it starts.";
    TypeMismatch = "E_TYPE_MISMATCH", "Types do not fit together.";
    TypeRequired = "E_TYPE_REQUIRED", "A target needs a column's type and nothing declares it.";
    UnaggregatedFinerGrainReference = "E_UNAGGREGATED_FINER_GRAIN_REFERENCE", "A bare reference to rows finer than the grain.";
    UnknownKey = "E_UNKNOWN_KEY", "A document or request has a key that nothing knows.";
    UnknownTarget = "E_UNKNOWN_TARGET", "A target's engine or version is not one that Unisono knows.";
    UnsafeReaggregation = "E_UNSAFE_REAGGREGATION", "An aggregate cannot survive the plan that the request forces.";
    UnsupportedFunction = "E_UNSUPPORTED_FUNCTION", "A function has no form on the target.";
    UnsupportedPattern = "E_UNSUPPORTED_PATTERN", "A LIKE or regular expression outside the common subset.";
    UnsupportedPipeline = "E_UNSUPPORTED_PIPELINE", "A pipeline asks for something that its engines cannot keep or check yet.";
    UnsupportedSource = "E_UNSUPPORTED_SOURCE", "A dataset's source cannot be used here.";
    UnsupportedVersion = "E_UNSUPPORTED_VERSION", "A document's version or kind is not one that Unisono reads.";
    Usage = "E_USAGE", "The command line lacks something, or asks for things that exclude each other.";
    VersionNotFound = "E_VERSION_NOT_FOUND", "No version of the warehouse has that number, name or time.";
    Warehouse = "E_WAREHOUSE", "The warehouse cannot be used.";
    WindowedMetricComposition = "E_WINDOWED_METRIC_COMPOSITION", "A metric uses a metric that is a window.";
    WindowInWhere = "E_WINDOW_IN_WHERE", "`where` holds a window function.";
    WindowOverFanoutRewrite = "E_WINDOW_OVER_FANOUT_REWRITE", "A window over rows that the request repeats.";
    CountStarGrain = "W_COUNT_STAR_GRAIN", "COUNT(*) counts the rows of the finest dataset that the request touches.";
    DialectVariant = "W_DIALECT_VARIANT", "A request uses an expression that is the target's own and not the common one.";
    DivergentFunction = "W_DIVERGENT_FUNCTION", "A function gives different answers on different engines for some inputs.";
    OrderDropped = "W_ORDER_DROPPED", "An order without a limit is left out, since the target's answer is a changelog.";
    OtherVariantKey = "W_OTHER_VARIANT_KEY", "A key that only another variant of the same OSI version knows.";
    RelationshipWithoutKey = "W_RELATIONSHIP_WITHOUT_KEY", "No declared key makes either side of a relationship single, so it is walked as many-to-many.";
    ResultTruncated = "W_RESULT_TRUNCATED", "More rows exist than the limit let through.";
    ShadowedField = "W_SHADOWED_FIELD", "A physical column shadows a field of the same name.";
    UnknownDialect = "W_UNKNOWN_DIALECT", "An expression is in a dialect that is not in OSI's list.";
    UnknownType = "W_UNKNOWN_TYPE", "The meaning depends on a type that nothing declares; the engine's own form is used.";
    UnusedParameter = "W_UNUSED_PARAMETER", "A request gives a value to a parameter that none of its expressions uses.";
    UnusedType = "W_UNUSED_TYPE", "`types:` of the project file names a table or a column that nothing reads.";
}

impl Code {
    /// `W_` codes warn, all others are errors.
    pub fn severity(self) -> Severity {
        if self.as_str().starts_with("W_") { Severity::Warning } else { Severity::Error }
    }

    /// The page that explains the code, relative to the project.
    pub fn page(self) -> String {
        format!("docs/diagnostics/{self}.md")
    }

    /// The command that prints this page, for people who have the program and not the project.
    pub fn command(self) -> String {
        format!("unisono explain {self}")
    }
}

impl fmt::Display for Code {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn codes_are_sorted_and_unique() {
        assert!(Code::ALL.windows(2).all(|pair| pair[0].as_str() < pair[1].as_str()));
    }
}
