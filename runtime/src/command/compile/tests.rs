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
    compiled_for(folder, project, &["starrocks"])
}

fn compiled_for(folder: &Path, project: &str, targets: &[&str]) -> Outcome {
    let path = folder.join("unisono.yaml");
    fs::write(&path, project).unwrap();
    let verb = Compile {
        target: targets.iter().map(ToString::to_string).collect(),
        check: false,
        against: Vec::new(),
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

#[test]
fn everything_that_types_are_missing_for_is_named_at_once() {
    let folder = folder("types");
    let model = MODEL.replace("- {name: amount, expression: amount, datatype: Integer}", "- {name: amount, expression: amount, datatype: Decimal}\n  - {name: tax, expression: tax, datatype: Decimal}");
    fs::write(folder.join("model.yaml"), model).unwrap();
    let outcome = compiled_for(&folder, PROJECT, &["starrocks", "flink", "paimon"]);
    assert_eq!(outcome.exit, Exit::Refused);
    let messages: Vec<&str> = outcome.diagnostics.iter().map(|finding| finding.message.as_str()).collect();
    assert_eq!(
        messages,
        [
            "StarRocks 3.5 needs the type of `orders.amount`, and nothing declares it",
            "Flink 2.2 needs the type of `orders.amount`, and nothing declares it",
            "a Paimon table needs the type of `orders.amount`, `orders.tax`, and nothing declares it",
        ]
    );
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

/// Two pipelines, a warehouse for the job, and an engine with settings.
const WHOLE: &str = "
version: 1
models: [model.yaml]
warehouse: {path: ./warehouse}
engines: {flink: {kind: flink, gateway: \"http://127.0.0.1:1\", session: {b.x: 1, a.x: 2}}}
pipelines:
- {name: daily, metrics: [revenue], dimensions: [orders.status], realtime: flink, rollup: shop.daily}
- {name: all, metrics: [revenue], rollup: shop.all}
";

fn manifest(folder: &Path) -> Value {
    let text = fs::read_to_string(folder.join("target/unisono/manifest.json")).unwrap();
    serde_json::from_str(&text).unwrap()
}

#[test]
fn the_manifest_ties_each_file_to_model_request_and_dialect() {
    let folder = folder("manifest");
    assert_eq!(compiled_for(&folder, WHOLE, &[]).exit, Exit::Good);
    let manifest = manifest(&folder);
    let listed = manifest["artefacts"].as_array().unwrap();
    let on_disk = on_disk(&folder);
    // Each pipeline has a query for four engines, a job, and the tables in two forms.
    assert_eq!((listed.len(), on_disk.len()), (14, 15));
    for entry in listed {
        let path = folder.join("target/unisono").join(entry["path"].as_str().unwrap());
        let digest = hash(&fs::read_to_string(&path).unwrap());
        assert_eq!(entry["sha256"], digest, "{entry}");
        assert!(entry["path"].as_str().unwrap().contains(&format!(".{}.", &digest[..16])), "{entry}");
        assert_eq!(entry["model"], json!({"name": "shop", "sha256": hash(MODEL)}));
    }
    let dialects = |pipeline: &str| -> Vec<(&str, &str)> {
        let own = listed.iter().filter(|entry| entry["pipeline"] == pipeline);
        own.map(|entry| (entry["kind"].as_str().unwrap(), entry["dialect"].as_str().unwrap())).collect()
    };
    let expected = [
        ("query", "datafusion@54.0"),
        ("job", "flink-streaming@2.2"),
        ("query", "flink-streaming@2.2"),
        ("query", "flink@2.2"),
        ("flink-ddl", "flink@2.2"),
        ("schemas", "paimon"),
        ("query", "starrocks@3.5"),
    ];
    assert_eq!((dialects("daily"), dialects("all")), (expected.to_vec(), expected.to_vec()));
    let request =
        |pipeline: &str| &listed.iter().find(|entry| entry["pipeline"] == pipeline).unwrap()["request"];
    assert_eq!(*request("daily"), json!({"dimensions": ["orders.status"], "measures": ["revenue"]}));
    assert_eq!(*request("all"), json!({"dimensions": [], "measures": ["revenue"]}));
    // An older dialect is told, for the files that were asked for in it.
    assert_eq!(compiled_for(&folder, WHOLE, &["starrocks@3.3"]).exit, Exit::Good);
    let after = self::manifest(&folder);
    let told: Vec<_> = after["artefacts"].as_array().unwrap().iter().map(|entry| &entry["dialect"]).collect();
    assert_eq!(told.iter().filter(|dialect| ***dialect == "starrocks@3.3").count(), 2);
    assert_eq!(told.len(), 14);
    fs::remove_dir_all(&folder).unwrap();
}

#[test]
fn runs_again_and_elsewhere_give_the_same_bytes() {
    let (here, there) = (folder("bytes-here"), folder("bytes-there-in-a-longer-folder"));
    assert_eq!(compiled_for(&here, WHOLE, &[]).exit, Exit::Good);
    let times = |folder: &Path| -> Vec<(PathBuf, std::time::SystemTime)> {
        let modified = |path: &Path| fs::metadata(path).unwrap().modified().unwrap();
        on_disk(folder).into_iter().map(|(path, _)| (path.clone(), modified(&path))).collect()
    };
    let before = times(&here);
    let again = compiled_for(&here, WHOLE, &[]);
    let states = again.data["files"].as_array().unwrap();
    assert!(states.iter().all(|state| state["state"] == store::SAME), "{states:?}");
    assert_eq!(times(&here), before);
    // The targets one by one, in another order.
    for target in ["paimon", "starrocks", "flink-streaming", "flink", "datafusion"] {
        assert_eq!(compiled_for(&there, WHOLE, &[target]).exit, Exit::Good, "{target}");
    }
    let texts = |folder: &Path| -> Vec<(String, String)> {
        let name = |path: PathBuf| path.file_name().unwrap().to_string_lossy().into_owned();
        on_disk(folder).into_iter().map(|(path, text)| (name(path), text)).collect()
    };
    assert_eq!(texts(&here), texts(&there));
    // Words that change no text change the model's hash in the manifest, and no other file.
    fs::write(here.join("model.yaml"), format!("{MODEL}# a remark\n")).unwrap();
    let remarked = compiled_for(&here, WHOLE, &[]);
    let written: Vec<_> = remarked.data["files"]
        .as_array()
        .unwrap()
        .iter()
        .filter(|state| state["state"] != store::SAME)
        .collect();
    assert_eq!(written, [&json!({"path": "manifest.json", "state": "written"})]);
    fs::remove_dir_all(&here).unwrap();
    fs::remove_dir_all(&there).unwrap();
}

/// The plan from the schema files of a folder to what another project says.
fn against(folder: &Path, project: &str, old: &[PathBuf]) -> Outcome {
    let path = folder.join("unisono.yaml");
    fs::write(&path, project).unwrap();
    let verb = Compile {
        target: Vec::new(),
        check: false,
        against: old.to_vec(),
        schema: None,
        format: TextFormat::Json,
    };
    run(&verb, Some(&path))
}

/// The schema files of a folder, moved away from it.
fn kept(folder: &Path) -> Vec<PathBuf> {
    let schemas =
        on_disk(folder).into_iter().filter(|(path, _)| path.to_string_lossy().contains(".paimon.schemas."));
    schemas
        .map(|(path, text)| {
            let kept = folder.join(path.file_name().unwrap());
            fs::write(&kept, text).unwrap();
            kept
        })
        .collect()
}

#[test]
fn tables_of_an_earlier_version_are_altered_or_refused() {
    let folder = folder("against");
    assert_eq!(compiled_for(&folder, WHOLE, &["paimon"]).exit, Exit::Good);
    let old = kept(&folder);
    let before = on_disk(&folder);
    let same = against(&folder, WHOLE, &old);
    assert_eq!((same.exit, same.text.as_str()), (Exit::Good, ""));
    // A wider type and a new column in the sources, a new metric in the rollup that Flink keeps, and a new pipeline.
    let wider = MODEL
        .replace(
            "- {name: status, ",
            "- {name: note, expression: note, datatype: String}\n  - {name: status, ",
        )
        .replace("metrics:", "metrics:\n- {name: largest, expression: MAX(orders.amount)}");
    fs::write(folder.join("model.yaml"), &wider).unwrap();
    let project = WHOLE.replace(
        "- {name: daily, metrics: [revenue],",
        "- {name: peak, metrics: [largest], realtime: flink, rollup: shop.peak}\n- {name: daily, metrics: [revenue, largest],",
    );
    // The column stands before another in the model: no statement puts it there.
    let refused = against(&folder, &project, &old);
    assert_eq!((refused.exit, codes(&refused)), (Exit::Refused, vec![Code::TableChange]));
    assert_eq!(
        refused.diagnostics[0].message,
        "`shop.orders` cannot be altered: the new column `note` would stand before `status`"
    );
    assert_eq!(refused.text, "");
    let wider = MODEL
        .replace("metrics:", "  - {name: note, expression: note, datatype: String}\nmetrics:\n- {name: largest, expression: MAX(orders.amount)}");
    fs::write(folder.join("model.yaml"), &wider).unwrap();
    let planned = against(&folder, &project, &old);
    assert_eq!(planned.exit, Exit::Good, "{:?}", planned.diagnostics);
    let statements: Vec<&str> = planned.text.lines().filter(|line| line.starts_with("ALTER")).collect();
    assert_eq!(
        statements,
        ["ALTER TABLE shop.orders ADD (note STRING);", "ALTER TABLE shop.daily ADD (largest BIGINT);"]
    );
    assert!(planned.text.contains("CREATE TABLE shop.peak (\n  __key STRING NOT NULL "), "{}", planned.text);
    let states: Vec<(&str, &str)> = planned.data["tables"]
        .as_array()
        .unwrap()
        .iter()
        .map(|table| (table["table"].as_str().unwrap(), table["state"].as_str().unwrap()))
        .collect();
    let expected = [
        ("shop.orders", "altered"),
        ("shop.peak", "new"),
        ("shop.daily", "altered"),
        ("shop.all", "unchanged"),
    ];
    assert_eq!(states, expected);
    // Nothing was written.
    assert_eq!(on_disk(&folder), before);
    fs::remove_dir_all(&folder).unwrap();
}

#[test]
fn rollups_are_not_altered_where_their_keys_would_mean_something_else() {
    let folder = folder("against-keys");
    assert_eq!(compiled_for(&folder, WHOLE, &["paimon"]).exit, Exit::Good);
    let old = kept(&folder);
    let turned = WHOLE.replace("[orders.status]", "[orders.status, orders.id]");
    let refused = against(&folder, &turned, &old);
    assert_eq!((refused.exit, codes(&refused)), (Exit::Refused, vec![Code::TableChange]));
    assert_eq!(
        refused.diagnostics[0].message,
        "`shop.daily` cannot be altered: its dimensions would be `status`, `id` in place of `status`, and the `__key` of each row is made of them"
    );
    // The rollup of the embedded engine is made anew by its pipeline; a table that nothing makes any more stays.
    let fewer = "{name: all, metrics: [revenue], rollup: shop.all}";
    let other = WHOLE
        .replace(
            &format!("- {fewer}\n"),
            "- {name: all, metrics: [revenue], dimensions: [orders.id], rollup: shop.all}\n",
        )
        .replace("rollup: shop.daily", "rollup: shop.other");
    let planned = against(&folder, &other, &old);
    assert_eq!(planned.exit, Exit::Good, "{:?}", planned.diagnostics);
    assert!(
        !planned.text.contains("ALTER") && planned.text.contains("CREATE TABLE shop.other"),
        "{}",
        planned.text
    );
    assert_eq!(planned.notes.len(), 2, "{:?}", planned.notes);
    assert!(planned.notes[0].starts_with("`shop.all` is kept by the embedded engine"), "{:?}", planned.notes);
    assert!(
        planned.notes[1].starts_with("`shop.daily` is no table of the project any more"),
        "{:?}",
        planned.notes
    );
    // What is no file of schemas, and files of two versions at once.
    let model = folder.join("model.yaml");
    assert_eq!(codes(&against(&folder, WHOLE, &[model])), [Code::Parse]);
    let manifest = folder.join("target/unisono/manifest.json");
    assert_eq!(codes(&against(&folder, WHOLE, &[manifest])), [Code::Parse]);
    let text = fs::read_to_string(&old[0]).unwrap();
    let changed = folder.join("changed.json");
    fs::write(&changed, text.replace("\"BIGINT\"", "\"INT\"")).unwrap();
    assert_eq!(codes(&against(&folder, WHOLE, &[old[0].clone(), changed])), [Code::TableChange]);
    fs::remove_dir_all(&folder).unwrap();
}
