//! The files of the demo's project, from models/candles. In: nothing. Out: names and texts to write into a folder, and the
//! changed models that a branch tries.

/// The project file.
pub const PROJECT: &str = include_str!("../../../models/candles/project/unisono.yaml");

/// The model.
pub const MODEL: &str = include_str!("../../../models/candles/model.yaml");

/// The model with a variant of `vwap` for DataFusion that is another number: the batch side then differs from the real-time side.
pub const VWAP_PER_ENGINE: &str =
    include_str!("../../../models/candles/project/changes/vwap_per_engine.yaml");

/// The same with a variant that means what the common expression means.
pub const VWAP_MENDED: &str = include_str!("../../../models/candles/project/changes/vwap_mended.yaml");

/// Where the model stands in the project; a changed model is copied over it.
pub const MODEL_PATH: &str = "models/candles.yaml";

/// The files that a new folder gets: paths with `/`, and texts.
pub const FILES: [(&str, &str); 5] = [
    ("unisono.yaml", PROJECT),
    (MODEL_PATH, MODEL),
    ("changes/start.yaml", MODEL),
    ("changes/vwap_per_engine.yaml", VWAP_PER_ENGINE),
    ("changes/vwap_mended.yaml", VWAP_MENDED),
];

#[cfg(test)]
mod tests {
    use unisono_compiler::diagnostic::has_errors;
    use unisono_compiler::query::Moment;
    use unisono_compiler::source::SourceMap;

    use super::*;
    use crate::compile::compile_texts;
    use crate::project::read_project;

    const SCHEMA: &str = include_str!("../../../models/candles/schema.sql");

    /// The lines of `vwap` in the answer's SQL.
    fn vwap(model: &str, target: &str) -> Vec<String> {
        let moment = Moment { now: "2026-03-02 10:00:00.000000".to_string(), zone: "UTC".to_string() };
        let request = r#"{"dimensions": ["symbols.sector"], "measures": ["vwap"]}"#;
        let compiled = compile_texts(model, request, Some(SCHEMA), target, &moment);
        assert!(!has_errors(&compiled.diagnostics), "{:?}", compiled.diagnostics);
        let sql = compiled.sql.unwrap();
        sql.lines().filter(|line| line.ends_with(" AS vwap")).map(ToString::to_string).collect()
    }

    #[test]
    fn the_project_file_is_read_without_findings() {
        let mut sources = SourceMap::default();
        let (project, findings) = read_project(sources.add("unisono.yaml", PROJECT), PROJECT);
        assert!(findings.is_empty(), "{findings:?}");
        let project = project.unwrap();
        let names: Vec<&str> =
            project.pipelines.iter().map(|pipeline| pipeline.name.value.as_str()).collect();
        assert_eq!(names, ["minute_candles", "sector_turnover", "market_by_minute"]);
    }

    #[test]
    fn a_changed_model_differs_in_the_metric_and_its_first_line() {
        let common = "      dialects: [{dialect: ANSI_SQL, expression: turnover / volume}]\n";
        for (changed, variant) in [
            (VWAP_PER_ENGINE, "AVG(trades.counted_price)"),
            (VWAP_MENDED, "SUM(trades.counted_amount) / SUM(trades.counted_quantity)"),
        ] {
            let both = format!(
                "      dialects:\n      - {{dialect: ANSI_SQL, expression: turnover / volume}}\n      - {{dialect: DATAFUSION, expression: {variant}}}\n"
            );
            let expected = MODEL.replace(common, &both);
            let body = |text: &str| text.split_once('\n').map(|(_, body)| body.to_string());
            assert_eq!(body(changed), body(&expected));
        }
    }

    #[test]
    fn the_batch_side_uses_the_variant_and_no_other_target_does() {
        for target in ["duckdb", "starrocks", "flink", "flink-streaming"] {
            assert_eq!(vwap(VWAP_PER_ENGINE, target), vwap(MODEL, target), "{target}");
        }
        assert_ne!(vwap(VWAP_PER_ENGINE, "datafusion"), vwap(MODEL, "datafusion"));
        assert_eq!(vwap(VWAP_MENDED, "datafusion"), vwap(MODEL, "datafusion"));
    }
}
