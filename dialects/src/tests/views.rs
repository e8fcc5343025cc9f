//! Rollups as materialized views of StarRocks and the catalogue that they read: texts by hand, after the vendor's grammar.

use unisono_compiler::data_type::DataType;
use unisono_compiler::diagnostic::Code;
use unisono_compiler::relation::OutputColumn;

use super::relations::{BIG, TEXT, decimal};
use super::target;
use crate::{
    ViewText, catalog_property, rollup_spec, session_settings, starrocks_catalog, starrocks_view,
    view_properties,
};

fn output(name: &str, data_type: DataType) -> OutputColumn {
    OutputColumn { name: name.to_string(), data_type }
}

/// The statements of a view with these dimensions.
fn view(dimensions: &[OutputColumn], database: &str, version: &str) -> Result<Vec<String>, Code> {
    let (spec, _) = rollup_spec("shop.daily", dimensions, &[output("revenue", decimal(38, 2))]);
    let tables = [["lake", "shop", "orders"].map(ToString::to_string).to_vec()];
    let asked = ViewText {
        name: [database, "daily"],
        comment: "it's the rollup",
        rollup: &spec.unwrap(),
        dimensions: dimensions.len(),
        query: "SELECT 1\n",
        tables: &tables,
    };
    starrocks_view(&asked, target(version)).map_err(|findings| findings[0].code)
}

#[test]
fn a_view_says_what_its_refresh_depends_on() {
    let dimensions = [
        output("region", TEXT),
        output("month", DataType::Date),
        output("at", DataType::Timestamp),
        output("open", DataType::Boolean),
    ];
    let statements = view(&dimensions, "shop", "starrocks@3.5").unwrap();
    assert_eq!(
        statements,
        [
            "SET time_zone = 'UTC'",
            "SET sql_mode = 'ONLY_FULL_GROUP_BY,ERROR_IF_OVERFLOW'",
            "SET sql_select_limit = 9223372036854775807",
            "SET group_concat_max_len = 2147483647",
            "SET enable_materialized_view_rewrite = false",
            "SET lower_upper_support_utf8 = true",
            "SET CATALOG `default_catalog`",
            "CREATE DATABASE IF NOT EXISTS `shop`",
            "\
CREATE MATERIALIZED VIEW `shop`.`daily`
COMMENT 'it''s the rollup'
DISTRIBUTED BY HASH(`__key`)
REFRESH DEFERRED MANUAL
PROPERTIES (
  'enable_query_rewrite' = 'false',
  'session.time_zone' = 'UTC',
  'session.sql_mode' = 'ONLY_FULL_GROUP_BY,ERROR_IF_OVERFLOW',
  'session.sql_select_limit' = '9223372036854775807',
  'session.group_concat_max_len' = '2147483647',
  'session.enable_materialized_view_rewrite' = 'false',
  'session.lower_upper_support_utf8' = 'true',
  'session.enable_insert_strict' = 'true',
  'session.insert_max_filter_ratio' = '0'
)
AS
SELECT
  CONCAT(CONCAT(CASE WHEN `answer`.`region` IS NULL THEN 'N' ELSE CONCAT('V', CAST(CHAR_LENGTH(`answer`.`region`) AS STRING), ':', `answer`.`region`) END, CASE WHEN `answer`.`month` IS NULL THEN 'N' ELSE CONCAT('V', CAST(CHAR_LENGTH(CAST(`answer`.`month` AS STRING)) AS STRING), ':', CAST(`answer`.`month` AS STRING)) END, CASE WHEN `answer`.`at` IS NULL THEN 'N' ELSE CONCAT('V', CAST(CHAR_LENGTH(DATE_FORMAT(`answer`.`at`, '%Y-%m-%d %H:%i:%s.%f')) AS STRING), ':', DATE_FORMAT(`answer`.`at`, '%Y-%m-%d %H:%i:%s.%f')) END, CASE WHEN `answer`.`open` IS NULL THEN 'N' ELSE CONCAT('V', CAST(CHAR_LENGTH(CASE WHEN `answer`.`open` THEN 'true' ELSE 'false' END) AS STRING), ':', CASE WHEN `answer`.`open` THEN 'true' ELSE 'false' END) END), '') AS `__key`,
  CONCAT(`answer`.`region`, '') AS `region`,
  `answer`.`month` AS `month`,
  `answer`.`at` AS `at`,
  `answer`.`open` AS `open`,
  `answer`.`revenue` AS `revenue`
FROM (
SELECT 1
) AS `answer`",
            "REFRESH EXTERNAL TABLE `lake`.`shop`.`orders`",
            "REFRESH MATERIALIZED VIEW `shop`.`daily` FORCE WITH SYNC MODE",
        ]
    );
}

#[test]
fn a_view_has_the_properties_of_its_version() {
    let of = |version: &str| {
        let statements = view(&[output("n", BIG)], "shop", version).unwrap();
        let made = statements.iter().find(|statement| statement.starts_with("CREATE MATERIALIZED")).unwrap();
        made.lines()
            .filter_map(|line| line.strip_prefix("  '")?.split_once("' = "))
            .map(|(name, _)| name.to_string())
            .collect::<Vec<String>>()
    };
    let has = |version: &str, property: &str| of(version).iter().any(|known| known == property);
    assert!(!has("starrocks@3.3", "session.insert_max_filter_ratio"));
    assert!(!has("starrocks@3.3", "session.lower_upper_support_utf8"));
    assert!(has("starrocks@3.4", "session.insert_max_filter_ratio"));
    assert!(!has("starrocks@4.0", "refresh_mode") && has("starrocks@4.1", "refresh_mode"));
    for version in ["starrocks@3.3", "starrocks@3.4", "starrocks@3.5", "starrocks@4.0", "starrocks@4.1"] {
        assert!(has(version, "enable_query_rewrite"), "{version}");
        // What a session is told, a refresh is told too, with the same value.
        for setting in session_settings(&target(version)) {
            let (name, value) =
                setting.statement.strip_prefix("SET ").and_then(|said| said.split_once(" = ")).unwrap();
            let name = format!("session.{name}");
            assert!(has(version, &name), "{version}: {name}");
            let known = view_properties().into_iter().find(|property| property.name == name).unwrap();
            assert_eq!(known.value, value.trim_matches('\''), "{version}: {name}");
        }
    }
}

#[test]
fn a_view_of_one_row_has_an_empty_key() {
    let statements = view(&[], "shop", "starrocks").unwrap();
    let made = statements.iter().find(|statement| statement.starts_with("CREATE MATERIALIZED")).unwrap();
    assert!(
        made.contains("SELECT\n  CONCAT(CAST('' AS STRING), '') AS `__key`,\n  `answer`.`revenue`"),
        "{made}"
    );
}

#[test]
fn a_catalogue_is_made_of_a_warehouse_and_its_options() {
    let options = [("aws.s3.endpoint", "https://s3.example"), ("aws.s3.secret_key", "${SECRET}")];
    assert_eq!(
        starrocks_catalog("lake", "s3://it's/a\\b", &options, target("starrocks")).unwrap(),
        "\
CREATE EXTERNAL CATALOG `lake`
PROPERTIES (
  'type' = 'paimon',
  'paimon.catalog.type' = 'filesystem',
  'paimon.catalog.warehouse' = 's3://it''s/a\\\\b',
  'aws.s3.endpoint' = 'https://s3.example',
  'aws.s3.secret_key' = '${SECRET}'
)"
    );
    assert_eq!(catalog_property("s3.secret-key"), Some(("aws.s3.secret_key", true)));
    assert_eq!(catalog_property("fs.oss.endpoint"), Some(("aliyun.oss.endpoint", false)));
    assert_eq!(catalog_property("s3.anything"), None);
}

#[test]
fn names_that_starrocks_does_not_take_are_refused() {
    let long = "a".repeat(65);
    for name in ["", "_", "__lake", "9lake", "la-ke", "la ke", "la`ke", "läke", long.as_str()] {
        assert_eq!(view(&[], name, "starrocks"), Err(Code::TableName), "{name}");
        let catalog = starrocks_catalog(name, "file:///w", &[], target("starrocks"));
        assert_eq!(catalog.unwrap_err()[0].code, Code::TableName, "{name}");
    }
    for name in ["lake", "_lake", "_9", "L_9"] {
        assert!(view(&[], name, "starrocks").is_ok(), "{name}");
    }
}
