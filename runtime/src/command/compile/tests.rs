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

/// A project with a StarRocks that no pipeline runs on.
const VIEWED: &str = "
version: 1
models: [model.yaml]
warehouse: {path: ./warehouse}
engines: {sr: {kind: starrocks, url: \"mysql://reader@127.0.0.1:9030\", tls: disabled, catalog: lake}}
pipelines:
- {name: daily, metrics: [revenue], dimensions: [orders.status], rollup: shop.daily}
- {name: minutes, metrics: [revenue], dimensions: [orders.status], kind: windowed, rollup: shop.minutes}
";

/// The text of the only artefact of a pipeline and a kind.
fn artefact(folder: &Path, start: &str) -> String {
    let texts = on_disk(folder);
    let mut fitting =
        texts.iter().filter(|(path, _)| path.file_name().unwrap().to_string_lossy().starts_with(start));
    let (_, text) = fitting.next().unwrap_or_else(|| panic!("no {start}: {texts:?}"));
    assert!(fitting.next().is_none(), "{start}");
    text.clone()
}

#[test]
fn a_starrocks_gets_a_catalogue_and_a_view_of_each_rollup() {
    let folder = folder("view");
    let outcome = compiled(&folder, VIEWED);
    assert_eq!(outcome.exit, Exit::Good, "{:?}", outcome.diagnostics);
    assert_eq!(
        artefact(&folder, "daily.starrocks.catalog."),
        "\
-- The warehouse as a catalogue of StarRocks: made once, by an account that may. It is an error if the name is taken.
-- Put the warehouse's place as the nodes of StarRocks see it, such as file:///data/warehouse, for UNISONO_WAREHOUSE.
-- Each ${NAME} stands for a value that is not kept here: `envsubst` puts them in.
CREATE EXTERNAL CATALOG `lake`
PROPERTIES (
  'type' = 'paimon',
  'paimon.catalog.type' = 'filesystem',
  'paimon.catalog.warehouse' = '${UNISONO_WAREHOUSE}'
);
"
    );
    let query = artefact(&folder, "daily.starrocks.query.");
    assert!(query.contains("FROM `lake`.`shop`.`orders`"), "{query}");
    let view = artefact(&folder, "daily.starrocks.view.");
    let (before, rest) = view.split_once("CREATE MATERIALIZED VIEW `shop`.`daily`\n").unwrap();
    assert_eq!(
        before,
        "\
-- The rollup of the pipeline `daily` as a materialized view of StarRocks.
-- It holds what its last refresh read; nothing refreshes it but the last statements. A view that is there already is an error: drop it first.
SET time_zone = 'UTC';
SET sql_mode = 'ONLY_FULL_GROUP_BY,ERROR_IF_OVERFLOW';
SET sql_select_limit = 9223372036854775807;
SET group_concat_max_len = 2147483647;
SET enable_materialized_view_rewrite = false;
SET lower_upper_support_utf8 = true;
SET CATALOG `default_catalog`;
CREATE DATABASE IF NOT EXISTS `shop`;
"
    );
    let (_, rest) = rest.split_once("\nAS\nSELECT\n").unwrap();
    let (columns, rest) = rest.split_once("\nFROM (\n").unwrap();
    let names: Vec<&str> = columns.lines().map(|line| line.rsplit_once(" AS ").unwrap().1).collect();
    assert_eq!(names, ["`__key`,", "`status`,", "`revenue`"]);
    // What the view holds is the query, word for word.
    let (inner, after) = rest.split_once("\n) AS `answer`;\n").unwrap();
    assert_eq!(format!("{inner}\n"), query);
    assert_eq!(
        after,
        "REFRESH EXTERNAL TABLE `lake`.`shop`.`orders`;\nREFRESH MATERIALIZED VIEW `shop`.`daily` FORCE WITH SYNC MODE;\n"
    );
    // A rollup that leaves out what comes late is no view.
    artefact(&folder, "minutes.starrocks.catalog.");
    let kinds = |pipeline: &str| -> Vec<String> {
        let manifest = manifest(&folder);
        let listed = manifest["artefacts"].as_array().unwrap().iter();
        listed
            .filter(|entry| entry["pipeline"] == pipeline)
            .map(|entry| entry["kind"].as_str().unwrap().to_string())
            .collect()
    };
    assert_eq!(kinds("daily"), ["catalog", "query", "view"]);
    assert_eq!(kinds("minutes"), ["catalog", "query"]);
    // Without a warehouse, or a name for its catalogue, there is nothing to make a view of.
    for project in
        [VIEWED.replace("warehouse: {path: ./warehouse}\n", ""), VIEWED.replace(", catalog: lake", "")]
    {
        assert_eq!(compiled(&folder, &project).exit, Exit::Good);
        assert_eq!(kinds("daily"), ["query"]);
    }
    fs::remove_dir_all(&folder).unwrap();
}

#[test]
fn the_project_file_says_where_the_catalogue_is_and_never_with_which_secret() {
    let folder = folder("catalogue");
    let place = |warehouse: &str| {
        let project = VIEWED.replace("{path: ./warehouse}", warehouse);
        let outcome = compiled(&folder, &project);
        assert_eq!(outcome.exit, Exit::Good, "{warehouse}: {:?}", outcome.diagnostics);
        let text = artefact(&folder, "daily.starrocks.catalog.");
        let (_, properties) = text.split_once("'filesystem',\n").unwrap();
        (text.matches("\n-- ").count(), properties.to_string())
    };
    assert_eq!(
        place("{path: /data/warehouse}"),
        (0, "  'paimon.catalog.warehouse' = 'file:///data/warehouse'\n);\n".to_string())
    );
    assert_eq!(
        place(
            "{path: \"s3://bucket/prefix\", s3.endpoint: \"https://s3.example\", s3.access-key: \"${KEY}\", s3.secret-key: \"${SECRET}\", s3.path.style.access: \"true\"}"
        ),
        (
            1,
            "  'paimon.catalog.warehouse' = 's3://bucket/prefix',\n  'aws.s3.endpoint' = 'https://s3.example',\n  \
             'aws.s3.access_key' = '${KEY}',\n  'aws.s3.secret_key' = '${SECRET}',\n  \
             'aws.s3.enable_path_style_access' = 'true'\n);\n"
                .to_string()
        )
    );
    let refused = |project: &str| {
        let outcome = compiled(&folder, project);
        assert_eq!(outcome.exit, Exit::Refused, "{project}");
        let finding = outcome.diagnostics[0].clone();
        assert!(finding.primary.is_some() || !finding.path.is_empty(), "{finding:?}");
        (finding.code, finding.message)
    };
    let warehouse = |options: &str| VIEWED.replace("./warehouse", &format!("\"s3://b\", {options}"));
    for value in ["hunter2", "${A}${B}", "x${A}"] {
        let (code, message) = refused(&warehouse(&format!("s3.secret-key: \"{value}\"")));
        assert_eq!(code, Code::Warehouse);
        assert_eq!(message, "the warehouse's option `s3.secret-key` holds a secret");
    }
    let (code, message) = refused(&warehouse("s3.signer: x"));
    assert_eq!(code, Code::Warehouse);
    assert_eq!(message, "the warehouse's option `s3.signer` has no counterpart in a catalogue of StarRocks");
    let (code, message) = refused(&VIEWED.replace("catalog: lake", "catalog: la-ke"));
    assert_eq!((code, message.as_str()), (Code::TableName, "`la-ke` is no name of a catalogue on StarRocks"));
    let (code, message) = refused(&VIEWED.replace("shop.daily", "9shop.daily"));
    assert_eq!((code, message.as_str()), (Code::TableName, "`9shop` is no name of a database on StarRocks"));
    let (code, _) = refused(&VIEWED.replace("shop.daily", "\"shop.daily view\""));
    assert_eq!(code, Code::TableName);
    fs::remove_dir_all(&folder).unwrap();
}

#[test]
fn a_table_without_a_database_is_one_of_main_behind_a_catalogue() {
    let folder = folder("one-part");
    fs::write(folder.join("model.yaml"), MODEL.replace("shop.orders", "orders")).unwrap();
    assert_eq!(compiled(&folder, &VIEWED.replace("rollup: shop.daily", "rollup: daily")).exit, Exit::Good);
    let view = artefact(&folder, "daily.starrocks.view.");
    assert!(view.contains("FROM `lake`.`main`.`orders`"), "{view}");
    assert!(view.contains("REFRESH EXTERNAL TABLE `lake`.`main`.`orders`;\n"), "{view}");
    assert!(view.contains("CREATE MATERIALIZED VIEW `main`.`daily`\n"), "{view}");
    fs::remove_dir_all(&folder).unwrap();
}

#[test]
fn a_name_alone_is_of_the_database_that_the_warehouse_has_for_such() {
    let folder = folder("alone");
    fs::write(folder.join("model.yaml"), MODEL.replace("shop.orders", "orders")).unwrap();
    let project = PROJECT
        .replace("rollup: shop.daily", "rollup: daily")
        .replace("pipelines:", "warehouse: {path: ./w}\npipelines:");
    let outcome = compiled_for(&folder, &project, &["flink-streaming", "paimon"]);
    assert_eq!(outcome.exit, crate::output::Exit::Good, "{:?}", outcome.diagnostics);
    let mut seen = Vec::new();
    for (path, text) in on_disk(&folder) {
        let name = path.file_name().unwrap().to_string_lossy().into_owned();
        seen.extend([".job.", ".paimon."].into_iter().filter(|kind| name.contains(kind)));
        if name.contains(".job.") {
            for table in ["unisono.main.orders", "unisono.main.daily"] {
                assert!(text.contains(table), "{name}: {table}\n{text}");
            }
        } else if name.contains(".paimon.") {
            assert!(text.contains("main.orders") && text.contains("main.daily"), "{name}\n{text}");
        }
    }
    assert_eq!(seen, [".job.", ".paimon.", ".paimon."]);
    fs::remove_dir_all(folder).unwrap();
}
