//! Tests of `compile` over projects in temporary folders.

use std::fs;
use std::path::PathBuf;

use unisono_compiler::diagnostic::Code;

use super::*;

const MODEL: &str = "
name: shop
datasets:
- name: orders
  source: shop.orders
  primary_key: [id]
  fields:
  - {name: id, expression: id, datatype: Integer}
  - {name: status, expression: status, datatype: String}
  - {name: amount, expression: amount, datatype: Integer}
metrics:
- {name: revenue, expression: SUM(orders.amount)}
";
const PROJECT: &str = "
version: 1
models: [model.yaml]
pipelines:
- {name: daily, metrics: [revenue], dimensions: [orders.status], rollup: shop.daily}
";

fn folder(name: &str) -> PathBuf {
    let folder = std::env::temp_dir().join(format!("unisono-compile-{name}-{}", std::process::id()));
    fs::create_dir_all(&folder).unwrap();
    fs::write(folder.join("model.yaml"), MODEL).unwrap();
    folder
}

fn compiled(folder: &Path, project: &str) -> Outcome {
    let path = folder.join("unisono.yaml");
    fs::write(&path, project).unwrap();
    let verb = Compile {
        target: vec!["starrocks".to_string()],
        check: false,
        schema: None,
        format: TextFormat::Json,
    };
    run(&verb, Some(&path))
}

fn on_disk(folder: &Path) -> Vec<(PathBuf, String)> {
    let entries = fs::read_dir(folder.join("target/unisono")).unwrap();
    let mut paths: Vec<PathBuf> = entries.map(|entry| entry.unwrap().path()).collect();
    paths.sort();
    paths.into_iter().map(|path| (path.clone(), fs::read_to_string(path).unwrap())).collect()
}

fn codes(outcome: &Outcome) -> Vec<Code> {
    outcome.diagnostics.iter().map(|finding| finding.code).collect()
}

#[test]
fn a_project_at_fault_leaves_the_files_alone() {
    let folder = folder("fault");
    let good = compiled(&folder, PROJECT);
    assert_eq!(good.exit, Exit::Good, "{:?}", good.diagnostics);
    let before = on_disk(&folder);
    assert_eq!(before.len(), 2);
    for (right, wrong, code) in [
        ("[model.yaml]", "[modl.yaml]", Code::FileUnreadable),
        ("[model.yaml]", "[model.yaml, more/*.yaml]", Code::FileUnreadable),
        ("models: [model.yaml]", "models: []", Code::FileUnreadable),
        ("pipelines:", "pipelnes:", Code::UnknownKey),
        ("metrics: [revenue]", "metrics: [revenu]", Code::NameNotFound),
        ("rollup: shop.daily", "rollup: Shop.Orders", Code::NameCollision),
    ] {
        let outcome = compiled(&folder, &PROJECT.replace(right, wrong));
        assert_eq!((outcome.exit, codes(&outcome)), (Exit::Refused, vec![code]), "{wrong}");
        assert_eq!(on_disk(&folder), before, "{wrong}");
    }
    fs::write(folder.join("model.yaml"), "name: shop\ndatasets: [\n").unwrap();
    assert_eq!(compiled(&folder, PROJECT).exit, Exit::Refused);
    assert_eq!(on_disk(&folder), before);
    fs::remove_dir_all(&folder).unwrap();
}

fn place(outcome: &Outcome) -> (usize, usize) {
    let span = outcome.diagnostics[0].primary.as_ref().unwrap().span;
    let start = outcome.sources.line_column(span.source, span.start);
    (start.line, start.column)
}

#[test]
fn findings_stand_at_the_words_of_the_pipeline() {
    let folder = folder("words");
    let project = "version: 1\nmodels: [model.yaml]\npipelines:\n- name: daily\n  metrics:\n  - revenue\n  \
                   - nothing\n  dimensions: [orders.status, orders.sttus]\n  rollup: orders\n";
    let outcome = compiled(&folder, project);
    assert_eq!((codes(&outcome)[0], place(&outcome)), (Code::NameCollision, (9, 11)));
    let outcome = compiled(&folder, &project.replace("rollup: orders", "rollup: daily"));
    assert_eq!((codes(&outcome)[0], place(&outcome)), (Code::NameNotFound, (8, 31)));
    let fixed = project.replace("rollup: orders", "rollup: daily").replace("sttus", "id");
    let outcome = compiled(&folder, &fixed);
    assert_eq!((codes(&outcome)[0], place(&outcome)), (Code::NameNotFound, (7, 5)));
    fs::remove_dir_all(&folder).unwrap();
}

#[test]
fn targets_are_all_or_those_named() {
    assert_eq!(wanted(&[]).unwrap().len(), 5);
    let named = wanted(&["paimon".to_string(), "flink@1.20".to_string(), "Paimon".to_string()]).unwrap();
    assert_eq!(named.len(), 2);
    assert_eq!(wanted(&["starocks".to_string()]).unwrap_err()[0].candidates[0], "starrocks");
    let unknown = &wanted(&["pamion".to_string()]).unwrap_err()[0];
    assert_eq!((unknown.code, unknown.candidates[0].as_str()), (Code::UnknownTarget, "paimon"));
    assert!(unknown.help[0].contains(", paimon,"), "{}", unknown.help[0]);
}
