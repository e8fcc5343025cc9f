//! The page of each code, taken into the program when it is built, so that it can be read where the project is not.
//! In: a code as typed. Out: its page, or near codes.

use serde_json::{Value, json};
use unisono_compiler::diagnostic::{Code, Diagnostic, Severity};

use crate::output::Run;

/// The page of a code; it may be typed in small letters.
pub(super) fn show(run: &mut Run, typed: &str) -> Option<(String, Value)> {
    let name = typed.to_uppercase();
    let Some(code) = Code::ALL.iter().copied().find(|code| code.as_str() == name) else {
        run.diagnostics.push(
            Diagnostic::new(Code::NameNotFound, format!("there is no code `{typed}`"))
                .suggest(&name, Code::ALL.iter().map(|code| code.as_str()))
                .help("`unisono explain CODE` takes the code of a finding, as in E_NO_PATH; a request is given with --metrics, --by or --query-file"),
        );
        return None;
    };
    let severity = match code.severity() {
        Severity::Error => "error",
        Severity::Warning => "warning",
    };
    let value =
        json!({"code": code.as_str(), "severity": severity, "meaning": code.meaning(), "page": page(code)});
    Some((page(code).to_string(), value))
}

/// The text of docs/diagnostics.
fn page(code: Code) -> &'static str {
    match code {
        Code::E3011MnAggregationRejected => {
            include_str!("../../../../docs/diagnostics/E3011_MN_AGGREGATION_REJECTED.md")
        }
        Code::E3012MnNoSafeRewrite => {
            include_str!("../../../../docs/diagnostics/E3012_MN_NO_SAFE_REWRITE.md")
        }
        Code::E3013NoStitchingDimension => {
            include_str!("../../../../docs/diagnostics/E3013_NO_STITCHING_DIMENSION.md")
        }
        Code::AggregateInField => include_str!("../../../../docs/diagnostics/E_AGGREGATE_IN_FIELD.md"),
        Code::AggregateInScalarQuery => {
            include_str!("../../../../docs/diagnostics/E_AGGREGATE_IN_SCALAR_QUERY.md")
        }
        Code::AggregateInWhere => include_str!("../../../../docs/diagnostics/E_AGGREGATE_IN_WHERE.md"),
        Code::AmbiguousMeasureGrain => {
            include_str!("../../../../docs/diagnostics/E_AMBIGUOUS_MEASURE_GRAIN.md")
        }
        Code::AmbiguousPath => include_str!("../../../../docs/diagnostics/E_AMBIGUOUS_PATH.md"),
        Code::BranchDiverged => include_str!("../../../../docs/diagnostics/E_BRANCH_DIVERGED.md"),
        Code::BranchExists => include_str!("../../../../docs/diagnostics/E_BRANCH_EXISTS.md"),
        Code::BranchName => include_str!("../../../../docs/diagnostics/E_BRANCH_NAME.md"),
        Code::BranchNotFound => include_str!("../../../../docs/diagnostics/E_BRANCH_NOT_FOUND.md"),
        Code::CommitLost => include_str!("../../../../docs/diagnostics/E_COMMIT_LOST.md"),
        Code::DataMalformed => include_str!("../../../../docs/diagnostics/E_DATA_MALFORMED.md"),
        Code::DataNotFound => include_str!("../../../../docs/diagnostics/E_DATA_NOT_FOUND.md"),
        Code::DeferredFrameMode => include_str!("../../../../docs/diagnostics/E_DEFERRED_FRAME_MODE.md"),
        Code::DeferredKeyRejected => include_str!("../../../../docs/diagnostics/E_DEFERRED_KEY_REJECTED.md"),
        Code::DuplicateKey => include_str!("../../../../docs/diagnostics/E_DUPLICATE_KEY.md"),
        Code::EmptyAggregationQuery => {
            include_str!("../../../../docs/diagnostics/E_EMPTY_AGGREGATION_QUERY.md")
        }
        Code::EmptyScalarQuery => include_str!("../../../../docs/diagnostics/E_EMPTY_SCALAR_QUERY.md"),
        Code::EncryptionRequired => include_str!("../../../../docs/diagnostics/E_ENCRYPTION_REQUIRED.md"),
        Code::EngineFailed => include_str!("../../../../docs/diagnostics/E_ENGINE_FAILED.md"),
        Code::EngineUnreachable => include_str!("../../../../docs/diagnostics/E_ENGINE_UNREACHABLE.md"),
        Code::FanOutInScalarQuery => {
            include_str!("../../../../docs/diagnostics/E_FAN_OUT_IN_SCALAR_QUERY.md")
        }
        Code::FieldCycle => include_str!("../../../../docs/diagnostics/E_FIELD_CYCLE.md"),
        Code::FileUnreadable => include_str!("../../../../docs/diagnostics/E_FILE_UNREADABLE.md"),
        Code::FileUnwritable => include_str!("../../../../docs/diagnostics/E_FILE_UNWRITABLE.md"),
        Code::FloatDimension => include_str!("../../../../docs/diagnostics/E_FLOAT_DIMENSION.md"),
        Code::Internal => include_str!("../../../../docs/diagnostics/E_INTERNAL.md"),
        Code::Interrupted => include_str!("../../../../docs/diagnostics/E_INTERRUPTED.md"),
        Code::InvalidNaturalGrain => include_str!("../../../../docs/diagnostics/E_INVALID_NATURAL_GRAIN.md"),
        Code::LimitExceeded => include_str!("../../../../docs/diagnostics/E_LIMIT_EXCEEDED.md"),
        Code::LoginRefused => include_str!("../../../../docs/diagnostics/E_LOGIN_REFUSED.md"),
        Code::MainMoved => include_str!("../../../../docs/diagnostics/E_MAIN_MOVED.md"),
        Code::MainProtected => include_str!("../../../../docs/diagnostics/E_MAIN_PROTECTED.md"),
        Code::MergeRefused => include_str!("../../../../docs/diagnostics/E_MERGE_REFUSED.md"),
        Code::MetricCycle => include_str!("../../../../docs/diagnostics/E_METRIC_CYCLE.md"),
        Code::MixedPredicateLevel => include_str!("../../../../docs/diagnostics/E_MIXED_PREDICATE_LEVEL.md"),
        Code::MixedQueryShape => include_str!("../../../../docs/diagnostics/E_MIXED_QUERY_SHAPE.md"),
        Code::NameCollision => include_str!("../../../../docs/diagnostics/E_NAME_COLLISION.md"),
        Code::NameNotFound => include_str!("../../../../docs/diagnostics/E_NAME_NOT_FOUND.md"),
        Code::NaturalGrainPreAggregationUnsafe => {
            include_str!("../../../../docs/diagnostics/E_NATURAL_GRAIN_PRE_AGGREGATION_UNSAFE.md")
        }
        Code::NestedAggregationDeferred => {
            include_str!("../../../../docs/diagnostics/E_NESTED_AGGREGATION_DEFERRED.md")
        }
        Code::NestedWindow => include_str!("../../../../docs/diagnostics/E_NESTED_WINDOW.md"),
        Code::NonAggregateInHaving => {
            include_str!("../../../../docs/diagnostics/E_NON_AGGREGATE_IN_HAVING.md")
        }
        Code::NoPath => include_str!("../../../../docs/diagnostics/E_NO_PATH.md"),
        Code::NoUsableExpression => include_str!("../../../../docs/diagnostics/E_NO_USABLE_EXPRESSION.md"),
        Code::Parse => include_str!("../../../../docs/diagnostics/E_PARSE.md"),
        Code::PrimaryKeyRequired => include_str!("../../../../docs/diagnostics/E_PRIMARY_KEY_REQUIRED.md"),
        Code::ProjectNotFound => include_str!("../../../../docs/diagnostics/E_PROJECT_NOT_FOUND.md"),
        Code::ReservedName => include_str!("../../../../docs/diagnostics/E_RESERVED_NAME.md"),
        Code::RollupColumns => include_str!("../../../../docs/diagnostics/E_ROLLUP_COLUMNS.md"),
        Code::SnapshotGone => include_str!("../../../../docs/diagnostics/E_SNAPSHOT_GONE.md"),
        Code::TableChange => include_str!("../../../../docs/diagnostics/E_TABLE_CHANGE.md"),
        Code::TableExists => include_str!("../../../../docs/diagnostics/E_TABLE_EXISTS.md"),
        Code::TableLocked => include_str!("../../../../docs/diagnostics/E_TABLE_LOCKED.md"),
        Code::TableName => include_str!("../../../../docs/diagnostics/E_TABLE_NAME.md"),
        Code::TableNotFound => include_str!("../../../../docs/diagnostics/E_TABLE_NOT_FOUND.md"),
        Code::TableOptions => include_str!("../../../../docs/diagnostics/E_TABLE_OPTIONS.md"),
        Code::TableWriter => include_str!("../../../../docs/diagnostics/E_TABLE_WRITER.md"),
        Code::TagExists => include_str!("../../../../docs/diagnostics/E_TAG_EXISTS.md"),
        Code::TagInUse => include_str!("../../../../docs/diagnostics/E_TAG_IN_USE.md"),
        Code::TimeRangeReversed => include_str!("../../../../docs/diagnostics/E_TIME_RANGE_REVERSED.md"),
        Code::TypeMismatch => include_str!("../../../../docs/diagnostics/E_TYPE_MISMATCH.md"),
        Code::TypeRequired => include_str!("../../../../docs/diagnostics/E_TYPE_REQUIRED.md"),
        Code::UnaggregatedFinerGrainReference => {
            include_str!("../../../../docs/diagnostics/E_UNAGGREGATED_FINER_GRAIN_REFERENCE.md")
        }
        Code::UnknownKey => include_str!("../../../../docs/diagnostics/E_UNKNOWN_KEY.md"),
        Code::UnknownTarget => include_str!("../../../../docs/diagnostics/E_UNKNOWN_TARGET.md"),
        Code::UnsafeReaggregation => include_str!("../../../../docs/diagnostics/E_UNSAFE_REAGGREGATION.md"),
        Code::UnsupportedFunction => include_str!("../../../../docs/diagnostics/E_UNSUPPORTED_FUNCTION.md"),
        Code::UnsupportedPattern => include_str!("../../../../docs/diagnostics/E_UNSUPPORTED_PATTERN.md"),
        Code::UnsupportedPipeline => include_str!("../../../../docs/diagnostics/E_UNSUPPORTED_PIPELINE.md"),
        Code::UnsupportedSource => include_str!("../../../../docs/diagnostics/E_UNSUPPORTED_SOURCE.md"),
        Code::UnsupportedVersion => include_str!("../../../../docs/diagnostics/E_UNSUPPORTED_VERSION.md"),
        Code::Usage => include_str!("../../../../docs/diagnostics/E_USAGE.md"),
        Code::VersionNotFound => include_str!("../../../../docs/diagnostics/E_VERSION_NOT_FOUND.md"),
        Code::Warehouse => include_str!("../../../../docs/diagnostics/E_WAREHOUSE.md"),
        Code::WindowedMetricComposition => {
            include_str!("../../../../docs/diagnostics/E_WINDOWED_METRIC_COMPOSITION.md")
        }
        Code::WindowInWhere => include_str!("../../../../docs/diagnostics/E_WINDOW_IN_WHERE.md"),
        Code::WindowOverFanoutRewrite => {
            include_str!("../../../../docs/diagnostics/E_WINDOW_OVER_FANOUT_REWRITE.md")
        }
        Code::CountStarGrain => include_str!("../../../../docs/diagnostics/W_COUNT_STAR_GRAIN.md"),
        Code::DialectVariant => include_str!("../../../../docs/diagnostics/W_DIALECT_VARIANT.md"),
        Code::DivergentFunction => include_str!("../../../../docs/diagnostics/W_DIVERGENT_FUNCTION.md"),
        Code::OrderDropped => include_str!("../../../../docs/diagnostics/W_ORDER_DROPPED.md"),
        Code::OtherVariantKey => include_str!("../../../../docs/diagnostics/W_OTHER_VARIANT_KEY.md"),
        Code::RelationshipWithoutKey => {
            include_str!("../../../../docs/diagnostics/W_RELATIONSHIP_WITHOUT_KEY.md")
        }
        Code::ResultTruncated => include_str!("../../../../docs/diagnostics/W_RESULT_TRUNCATED.md"),
        Code::ShadowedField => include_str!("../../../../docs/diagnostics/W_SHADOWED_FIELD.md"),
        Code::UnknownDialect => include_str!("../../../../docs/diagnostics/W_UNKNOWN_DIALECT.md"),
        Code::UnknownType => include_str!("../../../../docs/diagnostics/W_UNKNOWN_TYPE.md"),
        Code::UnusedParameter => include_str!("../../../../docs/diagnostics/W_UNUSED_PARAMETER.md"),
        Code::UnusedType => include_str!("../../../../docs/diagnostics/W_UNUSED_TYPE.md"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_code_has_its_own_page() {
        for code in Code::ALL {
            assert!(page(*code).starts_with(&format!("# {code}\n")), "{code}");
        }
    }

    #[test]
    fn a_code_is_found_in_any_case_and_a_near_one_is_offered() {
        let mut run = Run::default();
        assert!(show(&mut run, "e_no_path").unwrap().0.starts_with("# E_NO_PATH\n"));
        assert_eq!(show(&mut run, "E_NO_PTH"), None);
        assert_eq!(run.diagnostics[0].candidates[0], "E_NO_PATH");
    }
}
