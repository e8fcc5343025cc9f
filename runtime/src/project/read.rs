//! The text of a project file as a `Project`. In: a source text. Out: the project, and every finding with its place:
//! unknown keys with near names, values of the wrong form, names that nothing declares.

mod values;

use unisono_compiler::diagnostic::{Code, Diagnostic};
use unisono_compiler::source::SourceId;
use unisono_compiler::syntax::yaml::{Node, parse_yaml};

use self::values::{Mapping, Values};
use super::{
    Checks, ColumnType, Engine, EngineKind, Merge, OnLate, OnPending, Pipeline, PipelineKind, Project,
    SourceTable, Tls, Warehouse, is_same_table,
};

/// The keys of a project file.
pub const ROOT_KEYS: [&str; 10] =
    ["version", "models", "warehouse", "engines", "sources", "pipelines", "types", "checks", "main", "merge"];
/// The keys of a pipeline.
pub const PIPELINE_KEYS: [&str; 8] =
    ["name", "metrics", "dimensions", "kind", "allowed_lateness", "realtime", "batch", "rollup"];
/// The largest sample that reports still show well.
const MAX_SAMPLE: u64 = 10_000;

/// Reads a project file. Without a project it is no mapping at all; with errors it must not be used.
pub fn read_project(source: SourceId, text: &str) -> (Option<Project>, Vec<Diagnostic>) {
    let (node, findings) = parse_yaml(source, text);
    let Some(node) = node else { return (None, findings) };
    let mut values = Values { findings };
    let root = values.mapping(&node, "", &ROOT_KEYS);
    match root.get("version") {
        Some(node) => {
            if let Some(version) = values.text(node, "version").filter(|version| version.value != "1") {
                values.findings.push(
                    Diagnostic::new(
                        Code::UnsupportedVersion,
                        format!("project files of version `{}` are not known", version.value),
                    )
                    .at(version.span, "")
                    .about("version")
                    .help("write `version: 1`"),
                );
            }
        }
        None => values.missing(&node, "", "version", "write `version: 1`"),
    }
    let engines = root.get("engines").map_or_else(Vec::new, |node| read_engines(&mut values, node));
    let pipelines = root.get("pipelines").map_or_else(Vec::new, |node| read_pipelines(&mut values, node));
    check_pipelines(&mut values, &pipelines, &engines);
    let project = Project {
        source,
        models: root.get("models").map_or_else(Vec::new, |node| values.texts(node, "models")),
        warehouse: root.get("warehouse").and_then(|node| read_warehouse(&mut values, node)),
        engines,
        sources: root.get("sources").map_or_else(Vec::new, |node| read_sources(&mut values, node)),
        pipelines,
        types: root.get("types").map_or_else(Vec::new, |node| read_types(&mut values, node)),
        checks: read_checks(&mut values, root.get("checks")),
        main_protected: root.get("main").is_some_and(|node| read_main(&mut values, node)),
        merge: read_merge(&mut values, root.get("merge")),
    };
    (Some(project), values.findings)
}

fn read_warehouse(values: &mut Values, node: &Node<'_>) -> Option<Warehouse> {
    let entries = values.open_mapping(node, "warehouse")?;
    let mut path = None;
    let mut options = Vec::new();
    for entry in entries {
        let text = values.text(&entry.value, &format!("warehouse.{}", entry.key.value));
        match text {
            Some(text) if entry.key.value == "path" => path = Some(text),
            Some(text) => options.push((entry.name(), text)),
            None => {}
        }
    }
    match path {
        Some(path) => Some(Warehouse { path, options }),
        None => {
            values.missing(node, "warehouse", "path", "write `path: ./warehouse`");
            None
        }
    }
}

fn read_engines(values: &mut Values, node: &Node<'_>) -> Vec<Engine> {
    let mut engines = Vec::new();
    for entry in values.open_mapping(node, "engines").unwrap_or_default() {
        let path = format!("engines.{}", entry.key.value);
        if let Some(kind) = read_engine(values, &entry.value, &path) {
            engines.push(Engine { name: entry.name(), kind });
        }
    }
    engines
}

fn read_engine(values: &mut Values, node: &Node<'_>, path: &str) -> Option<EngineKind> {
    const KINDS: [&str; 4] = ["datafusion", "incremental", "flink", "starrocks"];
    let entries = values.open_mapping(node, path)?;
    let Some(kind) = entries.iter().find(|entry| entry.key.value == "kind") else {
        values.missing(node, path, "kind", "write `kind: datafusion`, `incremental`, `flink` or `starrocks`");
        return None;
    };
    match values.word(&kind.value, &format!("{path}.kind"), &KINDS)? {
        0 => {
            values.mapping(node, path, &["kind"]);
            Some(EngineKind::DataFusion)
        }
        1 => {
            values.mapping(node, path, &["kind"]);
            Some(EngineKind::Incremental)
        }
        2 => {
            let map = values.mapping(node, path, &["kind", "gateway", "session", "tls"]);
            let gateway = values.required(node, &map, path, "gateway")?;
            let session = match map.get("session") {
                Some(node) => values.pairs(node, &format!("{path}.session")),
                None => Vec::new(),
            };
            let tls = read_tls(values, &map, path);
            Some(EngineKind::Flink { gateway, session, tls })
        }
        _ => {
            let map = values.mapping(node, path, &["kind", "url", "tls", "ca", "catalog"]);
            let url = values.required(node, &map, path, "url")?;
            let tls = read_tls(values, &map, path);
            let mut optional =
                |key: &str| map.get(key).and_then(|node| values.text(node, &format!("{path}.{key}")));
            let (ca, catalog) = (optional("ca"), optional("catalog"));
            Some(EngineKind::StarRocks { url, tls, ca, catalog })
        }
    }
}

/// Required, unless it is waived in so many words.
fn read_tls(values: &mut Values, map: &Mapping<'_>, path: &str) -> Tls {
    let word =
        map.get("tls").and_then(|node| values.word(node, &format!("{path}.tls"), &["required", "disabled"]));
    if word == Some(1) { Tls::Disabled } else { Tls::Required }
}

fn read_sources(values: &mut Values, node: &Node<'_>) -> Vec<SourceTable> {
    let mut sources = Vec::new();
    for entry in values.open_mapping(node, "sources").unwrap_or_default() {
        let path = format!("sources.{}", entry.key.value);
        let map = values.mapping(&entry.value, &path, &["table", "event_time", "watermark_delay"]);
        let mut optional =
            |key: &str| map.get(key).and_then(|node| values.text(node, &format!("{path}.{key}")));
        sources.push(SourceTable {
            source: entry.name(),
            table: optional("table"),
            event_time: optional("event_time"),
            watermark_delay: optional("watermark_delay"),
        });
    }
    sources
}

fn read_pipelines(values: &mut Values, node: &Node<'_>) -> Vec<Pipeline> {
    let mut pipelines = Vec::new();
    for (at, node) in values.items(node, "pipelines").iter().enumerate() {
        let path = format!("pipelines[{at}]");
        if let Some(pipeline) = read_pipeline(values, node, &path) {
            pipelines.push(pipeline);
        }
    }
    pipelines
}

fn read_pipeline(values: &mut Values, node: &Node<'_>, path: &str) -> Option<Pipeline> {
    let map = values.mapping(node, path, &PIPELINE_KEYS);
    let name = values.required(node, &map, path, "name");
    let rollup = values.required(node, &map, path, "rollup");
    let metrics = match map.get("metrics") {
        Some(node) => {
            let path = format!("{path}.metrics");
            let before = values.findings.len();
            let metrics = values.texts(node, &path);
            // A check of nothing would find nothing to differ.
            if metrics.is_empty() && values.findings.len() == before {
                values.findings.push(
                    Diagnostic::new(Code::Parse, format!("`{path}` names no metric"))
                        .at(node.span, "")
                        .about(path)
                        .help("list the metrics that the pipeline keeps"),
                );
            }
            metrics
        }
        None => {
            values.missing(node, path, "metrics", "list the metrics that the pipeline keeps");
            Vec::new()
        }
    };
    let dimensions = match map.get("dimensions") {
        Some(node) => values.texts(node, &format!("{path}.dimensions")),
        None => Vec::new(),
    };
    let windowed = match map.get("kind") {
        Some(node) => values.word(node, &format!("{path}.kind"), &["updating", "windowed"]) == Some(1),
        None => false,
    };
    let lateness_path = format!("{path}.allowed_lateness");
    let allowed_lateness = map.get("allowed_lateness").and_then(|node| values.text(node, &lateness_path));
    let kind = match (windowed, allowed_lateness) {
        (true, allowed_lateness) => PipelineKind::Windowed { allowed_lateness },
        (false, None) => PipelineKind::Updating,
        (false, Some(lateness)) => {
            values.findings.push(
                Diagnostic::new(Code::Parse, "`allowed_lateness` belongs to windowed pipelines")
                    .at(lateness.span, "")
                    .about(lateness_path)
                    .help("add `kind: windowed`, or remove the key: an updating pipeline takes rows however late"),
            );
            PipelineKind::Updating
        }
    };
    let mut engine = |key: &str| match map.get(key) {
        Some(node) => values.text(node, &format!("{path}.{key}")).map(|text| text.value),
        None => Some(key.to_string()),
    };
    let realtime = engine("realtime");
    let batch = engine("batch");
    Some(Pipeline {
        name: name?,
        metrics,
        dimensions,
        kind,
        realtime: realtime?,
        batch: batch?,
        rollup: rollup?,
    })
}

/// Names of pipelines become file and table names; the engines they name must exist.
fn check_pipelines(values: &mut Values, pipelines: &[Pipeline], engines: &[Engine]) {
    for (at, pipeline) in pipelines.iter().enumerate() {
        let name = &pipeline.name;
        let path = format!("pipelines[{at}].name");
        let plain = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '_';
        if name.value.is_empty() || name.value.len() > 64 || !name.value.chars().all(plain) {
            values.findings.push(
                Diagnostic::new(Code::Parse, format!("`{}` is no name of a pipeline", name.value))
                    .at(name.span, "")
                    .about(&path)
                    .help("use 1 to 64 of the characters a-z, 0-9 and _"),
            );
        }
        if let Some(first) = pipelines[..at].iter().find(|other| other.name == *name) {
            values.findings.push(
                Diagnostic::new(Code::NameCollision, format!("two pipelines are called `{}`", name.value))
                    .at(name.span, "")
                    .also_at(first.name.span, "the first")
                    .about(&path),
            );
        }
        let rollup = &pipeline.rollup;
        if let Some(first) =
            pipelines[..at].iter().find(|other| is_same_table(&other.rollup.value, &rollup.value))
        {
            values.findings.push(
                Diagnostic::new(
                    Code::NameCollision,
                    format!(
                        "the pipelines `{}` and `{}` would both write the rollup `{}`",
                        first.name.value, name.value, rollup.value
                    ),
                )
                .at(rollup.span, "")
                .also_at(first.rollup.span, "the first")
                .about(format!("pipelines[{at}].rollup"))
                .help("give each pipeline a table of its own"),
            );
        }
        for (key, engine) in [("realtime", &pipeline.realtime), ("batch", &pipeline.batch)] {
            let known = engines.iter().map(|engine| engine.name.value.as_str());
            // `batch` and `realtime` are the embedded engines where the file declares no others.
            if engine != key && !known.clone().any(|known| known == engine) {
                values.findings.push(
                    Diagnostic::new(
                        Code::NameNotFound,
                        format!(
                            "pipeline `{}` names the engine `{engine}`, which `engines` does not declare",
                            name.value
                        ),
                    )
                    .at(name.span, "")
                    .about(format!("pipelines[{at}].{key}"))
                    .suggest(engine, known)
                    .help("declare it under `engines:`, as in `flink: {kind: flink, gateway: \"http://127.0.0.1:8083\"}`"),
                );
            }
        }
    }
}

fn read_types(values: &mut Values, node: &Node<'_>) -> Vec<ColumnType> {
    let pairs = values.pairs(node, "types");
    pairs.into_iter().map(|(column, sql_type)| ColumnType { column, sql_type }).collect()
}

fn read_checks(values: &mut Values, node: Option<&Node<'_>>) -> Checks {
    let mut checks =
        Checks { on_late: OnLate::Fail, on_pending: OnPending::Fail, tolerance: Vec::new(), sample_rows: 20 };
    let Some(node) = node else { return checks };
    let map = values.mapping(node, "checks", &["on_late", "on_pending", "tolerance", "sample_rows"]);
    let mut second = |key: &str, words: [&str; 2]| {
        map.get(key).and_then(|node| values.word(node, &format!("checks.{key}"), &words)) == Some(1)
    };
    if second("on_late", ["fail", "accept"]) {
        checks.on_late = OnLate::Accept;
    }
    if second("on_pending", ["fail", "exclude"]) {
        checks.on_pending = OnPending::Exclude;
    }
    if let Some(node) = map.get("tolerance") {
        for (metric, text) in values.pairs(node, "checks.tolerance") {
            match text.value.parse::<f64>() {
                Ok(bound) if bound.is_finite() && bound >= 0.0 => checks.tolerance.push((metric, bound)),
                Ok(_) | Err(_) => {
                    values.wrong(&text, &format!("checks.tolerance.{}", metric.value), "a number from 0 up");
                }
            }
        }
    }
    if let Some(text) = map.get("sample_rows").and_then(|node| values.text(node, "checks.sample_rows")) {
        match text.value.parse::<u64>() {
            Ok(rows) if rows <= MAX_SAMPLE => checks.sample_rows = rows,
            Ok(_) | Err(_) => {
                values.wrong(&text, "checks.sample_rows", &format!("a whole number from 0 to {MAX_SAMPLE}"));
            }
        }
    }
    checks
}

fn read_main(values: &mut Values, node: &Node<'_>) -> bool {
    let map = values.mapping(node, "main", &["protected"]);
    map.get("protected").and_then(|node| values.boolean(node, "main.protected")).unwrap_or(false)
}

fn read_merge(values: &mut Values, node: Option<&Node<'_>>) -> Merge {
    let mut merge = Merge { checks: true, person: false };
    let Some(node) = node else { return merge };
    let map = values.mapping(node, "merge", &["require", "accept"]);
    if let Some(node) = map.get("require") {
        merge.checks = false;
        for item in values.items(node, "merge.require") {
            merge.checks |= values.word(item, "merge.require", &["checks"]).is_some();
        }
    }
    if let Some(node) = map.get("accept") {
        merge.person = values.word(node, "merge.accept", &["none", "person"]) == Some(1);
    }
    merge
}

#[cfg(test)]
mod tests;
