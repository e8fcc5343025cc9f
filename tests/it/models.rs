//! Every example request of the models under models/: compiled for every target, the texts and the stages before them pinned by
//! snapshots, and run where the model brings data. The snapshots show what a change of a stage does to each target.

use std::fs;
use std::path::{Path, PathBuf};

use unisono_runtime::compile::compile_texts;
use unisono_tests::project;

use crate::engines::moment;

const TARGETS: [&str; 5] = ["datafusion", "duckdb", "starrocks", "flink", "flink-streaming"];

fn requests(folder: &Path) -> Vec<PathBuf> {
    let mut found: Vec<PathBuf> = fs::read_dir(folder)
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .filter(|path| path.extension().is_some_and(|extension| extension == "json"))
        .collect();
    found.sort();
    assert!(!found.is_empty(), "{} holds no request", folder.display());
    found
}

#[test]
fn shop_requests_compile_for_every_target() {
    let model = fs::read_to_string(project("models/shop/model.yaml")).unwrap();
    let schema = fs::read_to_string(project("models/shop/schema.sql")).unwrap();
    for path in requests(&project("models/shop/queries")) {
        let request = fs::read_to_string(&path).unwrap();
        let name = path.file_stem().unwrap().to_string_lossy().into_owned();
        let mut text = String::new();
        for target in TARGETS {
            let compiled = compile_texts(&model, &request, Some(&schema), target, &moment());
            text.push_str(&format!("-- {target}\n"));
            match compiled.sql {
                Some(sql) => text.push_str(&sql),
                None => {
                    for finding in &compiled.diagnostics {
                        text.push_str(&format!("{}: {}\n", finding.code, finding.message));
                    }
                }
            }
            text.push('\n');
        }
        insta::with_settings!({ prepend_module_to_snapshot => false, omit_expression => true }, {
            insta::assert_snapshot!(format!("shop_{name}"), text);
        });
    }
}

#[test]
fn the_same_request_gives_the_same_bytes() {
    let model = fs::read_to_string(project("models/tpch/model.yaml")).unwrap();
    let schema = fs::read_to_string(project("models/tpch/schema.sql")).unwrap();
    let request = r#"{"dimensions": ["metric_time:month"], "measures": ["revenue", "order_count"]}"#;
    for target in TARGETS {
        let first = compile_texts(&model, request, Some(&schema), target, &moment());
        let second = compile_texts(&model, request, Some(&schema), target, &moment());
        assert_eq!(first.sql, second.sql);
        assert!(first.sql.is_some(), "{target}: {:?}", first.diagnostics);
    }
}
