//! What the language writes out before any engine sees it, or refuses for all: read from a request, said to every engine.

use unisono_compiler::catalog::parse_ddl;
use unisono_compiler::diagnostic::{Code, has_errors};
use unisono_compiler::resolve::{Resolved, resolve_model};
use unisono_compiler::source::SourceId;
use unisono_compiler::syntax::parse_document;

use super::TARGETS;
use super::stages::text_of;

const MODEL: &str = "
name: m
datasets:
- name: t
  source: t
  primary_key: [id]
  fields:
  - {name: id, expression: id}
  - {name: i, expression: i}
  - {name: b, expression: b}
  - {name: d, expression: d}
  - {name: f, expression: f}
  - {name: s, expression: s}
  - {name: day, expression: day, dimension: {is_time: true}}
  - {name: yes, expression: yes}
";

const SCHEMA: &str = "CREATE TABLE t (id BIGINT, i INTEGER, b BIGINT, d DECIMAL(10, 2), f DOUBLE, s VARCHAR, day DATE, yes BOOLEAN);";

fn model() -> Resolved {
    let (document, findings) = parse_document(SourceId(0), MODEL);
    assert!(!has_errors(&findings), "{findings:?}");
    let (catalog, findings) = parse_ddl(SourceId(1), SCHEMA);
    assert_eq!(findings, []);
    let (resolved, findings) = resolve_model(&document.unwrap().models[0], &catalog, "");
    resolved.unwrap_or_else(|| panic!("{findings:?}"))
}

/// The text without the quotes of names, or the code.
fn text(request: &str, target: &str) -> Result<String, Code> {
    text_of(&model(), request, target).map(|text| text.replace(['`', '"'], ""))
}

fn field(expr: &str, target: &str) -> Result<String, Code> {
    let request = serde_json::json!({"home": "t", "fields": [{"expr": expr, "as": "answer"}]});
    text(&request.to_string(), target)
}

fn measure(expr: &str, target: &str) -> Result<String, Code> {
    let request = serde_json::json!({"dimensions": ["t.s"], "measures": [{"expr": expr, "as": "answer"}]});
    text(&request.to_string(), target)
}

const ENGINES: [&str; 4] = ["datafusion", "duckdb", "flink", "starrocks"];

#[test]
fn sugar_is_written_out_before_any_engine_sees_it() {
    let cases = [
        ("IF(t.i > t.b, t.i, t.b)", "CASE WHEN t.i > t.b THEN CAST(t.i AS BIGINT) ELSE t.b END AS answer"),
        ("IFF(t.i > t.b, t.b, t.b)", "CASE WHEN t.i > t.b THEN t.b ELSE t.b END AS answer"),
        ("IFNULL(t.s, t.s)", "COALESCE(t.s, t.s) AS answer"),
        ("NVL(t.s, t.s)", "COALESCE(t.s, t.s) AS answer"),
        ("ZEROIFNULL(t.b)", "COALESCE(t.b, 0) AS answer"),
        ("NULLIFZERO(t.b)", "NULLIF(t.b, 0) AS answer"),
        ("NVL2(t.s, t.b, t.b)", "CASE WHEN t.s IS NOT NULL THEN t.b ELSE t.b END AS answer"),
        ("t.b BETWEEN t.b AND t.b", "t.b >= t.b AND t.b <= t.b AS answer"),
        ("CASE t.b WHEN t.id THEN t.b END", "CASE WHEN t.b = t.id THEN t.b END AS answer"),
        ("t.s != t.s", "t.s <> t.s AS answer"),
        ("t.s NOT LIKE 'x%'", "NOT t.s LIKE 'x%' AS answer"),
    ];
    for (expr, wanted) in cases {
        for target in ENGINES {
            let told = field(expr, target).unwrap();
            assert!(told.contains(wanted), "{expr} on {target}: {told}");
        }
    }
}

#[test]
fn a_null_has_the_type_of_its_place() {
    for target in ENGINES {
        for word in ["AND", "OR"] {
            let told = field(&format!("t.yes {word} NULL"), target).unwrap();
            let wanted = format!("t.yes {word} CAST(NULL AS BOOLEAN) AS answer");
            assert!(told.contains(&wanted), "{target}: {told}");
        }
    }
}

#[test]
fn two_spellings_of_one_meaning_have_one_text() {
    for target in ENGINES {
        assert_eq!(field("TRY_CAST(t.s AS BIGINT)", target), field("CAST(t.s AS BIGINT)", target));
        assert_eq!(
            measure("APPROX_PERCENTILE(t.f, 0.5)", target),
            measure("PERCENTILE_CONT(0.5) WITHIN GROUP (ORDER BY t.f)", target)
        );
        for told in [field("TRY_CAST(t.s AS BIGINT)", target), measure("APPROX_PERCENTILE(t.f, 0.5)", target)]
        {
            assert!(told.is_ok(), "{target}: {told:?}");
        }
    }
}

#[test]
fn aggregates_that_are_sugar_are_written_out() {
    let kept = |value: &str| format!("CASE WHEN t.yes THEN {value} END AS yes");
    let cases: [(&str, &[&str]); 7] = [
        ("ANY_VALUE(t.d)", &["MIN(t.d) AS answer"]),
        ("APPROX_COUNT_DISTINCT(t.s)", &["COUNT(DISTINCT t.s) AS answer"]),
        ("SUM_IF(t.f, t.yes)", &[&kept("t.f"), "SUM(t_rows.yes) AS answer"]),
        ("COUNT(t.b) FILTER (WHERE t.yes)", &[&kept("t.b"), "COUNT(t_rows.yes) AS answer"]),
        ("COUNT_IF(t.yes)", &["CASE WHEN t.yes THEN 1 END", "COUNT(t_rows.yes) AS answer"]),
        (
            "BOOL_AND(t.yes)",
            &["CASE WHEN t.yes THEN 1 WHEN NOT t.yes THEN 0 END", "MIN(t_rows.yes)", " = 1 AS answer"],
        ),
        (
            "BOOL_OR(t.yes)",
            &["CASE WHEN t.yes THEN 1 WHEN NOT t.yes THEN 0 END", "MAX(t_rows.yes)", " = 1 AS answer"],
        ),
    ];
    for (expr, wanted) in cases {
        for target in ENGINES {
            let told = measure(expr, target).unwrap();
            for part in wanted {
                assert!(told.contains(part), "{expr} on {target}: {told}");
            }
            assert!(!told.contains("FILTER"), "{expr} on {target}: {told}");
        }
    }
}

#[test]
fn avg_is_a_sum_over_a_count_of_doubles() {
    // Flink cuts AVG of whole numbers, DataFusion and Flink round that of decimals, and both wrap.
    for (expr, wide) in [("AVG(t.b)", "DECIMAL(38, 0)"), ("AVG(t.d)", "DECIMAL(38, 2)")] {
        for target in TARGETS {
            let told = measure(expr, target).unwrap();
            let column = &expr[6..7];
            for part in [
                format!("CAST(t.{column} AS {wide}) AS {column}_2"),
                format!("COUNT(t_rows.{column}) AS count_{column}"),
                format!("CAST(t_groups.sum_{column} AS DOUBLE) / "),
            ] {
                assert!(told.contains(&part), "{expr} on {target}: {told}");
            }
            assert!(!told.contains("AVG("), "{expr} on {target}: {told}");
        }
    }
}

#[test]
fn what_has_no_one_meaning_is_refused_for_all() {
    let rows = [
        ("LOG(t.f)", Code::UnsupportedFunction),
        ("t.s || t.i", Code::TypeMismatch),
        ("CONCAT(t.s, t.i)", Code::TypeMismatch),
        ("t.s = 1", Code::TypeMismatch),
        ("t.b + t.s", Code::TypeMismatch),
        // 39 digits after the point.
        ("CAST(t.d AS DECIMAL(38, 20)) * CAST(t.d AS DECIMAL(38, 19))", Code::TypeMismatch),
        ("CAST(t.f AS VARCHAR)", Code::TypeMismatch),
        ("CAST(t.yes AS VARCHAR)", Code::TypeMismatch),
        ("CAST(t.s AS VARCHAR(3))", Code::TypeMismatch),
        ("TO_CHAR(t.day, 'YYYY')", Code::UnsupportedFunction),
        ("TO_DATE(t.s, 'YYYY')", Code::TypeMismatch),
        ("t.s LIKE 'a\\_b'", Code::UnsupportedPattern),
        ("t.s LIKE t.s", Code::UnsupportedPattern),
        ("REGEXP_LIKE(t.s, '(?=a)b')", Code::UnsupportedPattern),
        ("REGEXP_LIKE(t.s, '(a)\\1')", Code::UnsupportedPattern),
        ("REGEXP_EXTRACT(t.s, '(a)b')", Code::UnsupportedPattern),
        (
            "SUM(t.b) OVER (ORDER BY t.day RANGE BETWEEN INTERVAL '1' DAY PRECEDING AND CURRENT ROW)",
            Code::DeferredFrameMode,
        ),
        (
            "SUM(t.b) OVER (ORDER BY t.day RANGE BETWEEN 1 PRECEDING AND CURRENT ROW)",
            Code::UnsupportedFunction,
        ),
        (
            "SUM(t.b) OVER (ORDER BY t.id, t.b RANGE BETWEEN 1 PRECEDING AND CURRENT ROW)",
            Code::UnsupportedFunction,
        ),
        ("SUM(t.b) OVER (ORDER BY t.id GROUPS BETWEEN 1 PRECEDING AND CURRENT ROW)", Code::DeferredFrameMode),
        ("COUNT(DISTINCT t.b) OVER (PARTITION BY t.s)", Code::UnsupportedFunction),
        ("ROW_NUMBER() OVER ()", Code::TypeMismatch),
    ];
    let mut wrong = Vec::new();
    for (expr, code) in rows {
        for target in ENGINES {
            let told = field(expr, target);
            if told != Err(code) {
                wrong.push(format!("{expr} on {target}: {told:?}, not {code}"));
            }
        }
    }
    for (expr, code) in [
        ("COUNT(DISTINCT t.f)", Code::TypeMismatch),
        ("ARRAY_AGG(t.s)", Code::UnsupportedFunction),
        ("FIRST_VALUE(t.s)", Code::UnsupportedFunction),
        ("STRING_AGG(t.s, ',')", Code::UnsupportedFunction),
        ("PERCENTILE_CONT(t.f) WITHIN GROUP (ORDER BY t.f)", Code::TypeMismatch),
    ] {
        let told = measure(expr, "datafusion");
        if told != Err(code) {
            wrong.push(format!("{expr}: {told:?}, not {code}"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn the_clock_is_a_constant_of_the_request() {
    for target in ENGINES {
        let told = field("CURRENT_DATE", target).unwrap();
        assert!(told.contains("DATE '2026-01-01' AS answer"), "{target}: {told}");
        let told = field("CURRENT_TIMESTAMP", target).unwrap();
        assert!(
            told.contains("'2026-01-01 00:00:00.000000'") && !told.contains("CURRENT"),
            "{target}: {told}"
        );
    }
}

#[test]
fn windows_are_what_every_engine_takes() {
    // A frame without an order is the whole partition, and StarRocks takes none there; 0 rows away is the current row.
    let key = "ORDER BY t.id ASC NULLS LAST";
    for (expr, wanted) in [
        ("COUNT(*) OVER ()", "COUNT(*) OVER ()".to_string()),
        ("MAX(t.s) OVER (PARTITION BY t.b)", "MAX(t.s) OVER (PARTITION BY t.b)".to_string()),
        (
            "MAX(t.s) OVER (PARTITION BY t.b ROWS BETWEEN UNBOUNDED PRECEDING AND UNBOUNDED FOLLOWING)",
            "MAX(t.s) OVER (PARTITION BY t.b)".to_string(),
        ),
        (
            "MAX(t.s) OVER (ORDER BY t.id ROWS BETWEEN 0 PRECEDING AND 0 FOLLOWING)",
            format!("MAX(t.s) OVER ({key} ROWS BETWEEN CURRENT ROW AND CURRENT ROW)"),
        ),
        (
            "MAX(t.s) OVER (ORDER BY t.id)",
            format!("MAX(t.s) OVER ({key} RANGE BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW)"),
        ),
    ] {
        for target in ENGINES {
            let told = field(expr, target).unwrap();
            assert_eq!(told, format!("SELECT\n  {wanted} AS answer\nFROM t"), "{expr} on {target}");
        }
    }
    // Where nothing is said: up to the peers of the row; NULLs are the greatest values.
    for (expr, part) in [
        (
            "FIRST_VALUE(t.s) OVER (ORDER BY t.id)",
            "(ORDER BY t.id ASC NULLS LAST RANGE BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW)",
        ),
        ("ROW_NUMBER() OVER (ORDER BY t.b DESC)", "(ORDER BY t.b DESC NULLS FIRST)"),
        ("ROW_NUMBER() OVER (ORDER BY t.b DESC NULLS LAST)", "(ORDER BY t.b DESC NULLS LAST)"),
    ] {
        for target in ENGINES {
            let told = field(expr, target).unwrap();
            assert!(told.contains(part), "{expr} on {target}: {told}");
        }
    }
    // Rows in no order are no frame.
    let unordered = "SUM(t.b) OVER (PARTITION BY t.s ROWS BETWEEN 1 PRECEDING AND CURRENT ROW)";
    assert_eq!(field(unordered, "duckdb"), Err(Code::TypeMismatch));
    let median = "MEDIAN(t.f) OVER (PARTITION BY t.s)";
    assert_eq!(field(median, "starrocks"), Err(Code::UnsupportedFunction));
}

#[test]
fn values_by_another_are_picked_by_row_numbers() {
    // MAX_BY takes any of several where it exists; a group without any value stays.
    for target in TARGETS {
        let told = measure("MAX_BY(t.d, t.id)", target).unwrap();
        let key = "ROW_NUMBER() OVER (PARTITION BY t_rows.s ORDER BY t_rows.id DESC NULLS LAST, t_rows.d ASC NULLS LAST)";
        for part in [
            key,
            "WHERE t_rows.id IS NOT NULL",
            "WHERE t_ranked.pick_rank = 1",
            "SELECT DISTINCT",
            "LEFT JOIN t_picked",
        ] {
            assert!(told.contains(part), "{target}: {told}");
        }
    }
}

#[test]
fn names_that_differ_in_case_alone_are_told_apart() {
    // Names of columns match in any case on StarRocks and DuckDB.
    let request = r#"{"dimensions": ["t.s"], "measures": [{"expr": "SUM(t.f)", "as": "S"}]}"#;
    for target in ENGINES {
        let told = text(request, target).unwrap();
        assert_eq!(told, "SELECT\n  t.s AS t_s,\n  SUM(t.f) AS S\nFROM t\nGROUP BY t.s", "{target}");
    }
}

#[test]
fn a_group_is_named_by_its_value_and_not_by_a_place_or_an_alias() {
    // `GROUP BY 1` is a constant on some engines and a place on others; an alias may hide a column.
    let request =
        r#"{"dimensions": [{"expr": "1", "as": "s"}], "measures": [{"expr": "MIN(t.s)", "as": "least"}]}"#;
    for target in ENGINES {
        let told = text(request, target).unwrap();
        assert!(told.ends_with("GROUP BY t_rows.s_2") || told.ends_with("GROUP BY t_rows.s"), "{told}");
        assert!(!told.contains("GROUP BY 1"), "{told}");
    }
}
