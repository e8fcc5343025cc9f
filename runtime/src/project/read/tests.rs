//! Tests of reading a project file: hand-written texts in, expected values by hand.

use super::*;

fn read(text: &str) -> (Project, Vec<Diagnostic>) {
    let (project, findings) = read_project(SourceId(0), text);
    (project.unwrap(), findings)
}

/// (code, path, first candidate) of each finding.
fn summary(text: &str) -> Vec<(&'static str, String, String)> {
    read(text)
        .1
        .into_iter()
        .map(|found| (found.code.as_str(), found.path, found.candidates.first().cloned().unwrap_or_default()))
        .collect()
}

fn finding(code: &'static str, path: &str, candidate: &str) -> (&'static str, String, String) {
    (code, path.to_string(), candidate.to_string())
}

const WHOLE: &str = r#"
version: 1
models: [models/*.yaml]
warehouse: {path: ./warehouse, s3.access-key: "${KEY}"}
engines:
  batch:     {kind: datafusion}
  realtime:  {kind: incremental}
  flink:     {kind: flink, gateway: "http://127.0.0.1:8083", session: {parallelism.default: 2}}
  starrocks: {kind: starrocks, url: "mysql://reader:${SR_PASSWORD}@sr.example:9030", tls: required, catalog: lake}
sources:
  shop.orders: {table: shop.orders, event_time: ordered_at, watermark_delay: 5 minutes}
pipelines:
  - name: revenue_by_region
    metrics: [revenue, order_count]
    dimensions: [customers.region, "orders.ordered_at:day"]
    kind: windowed
    allowed_lateness: 1 hour
    realtime: flink
    batch: starrocks
    rollup: shop.revenue_by_region
types: {shop.orders.amount: "DECIMAL(18,2)"}
checks: {on_late: fail, on_pending: exclude, tolerance: {revenue: 0.01}, sample_rows: 5}
main: {protected: true}
merge: {require: [checks], accept: person}
"#;

#[test]
fn every_key_of_the_page_is_read() {
    let (project, findings) = read(WHOLE);
    assert!(findings.is_empty(), "{findings:?}");
    assert_eq!(project.models[0].value, "models/*.yaml");
    assert_eq!(project.warehouse.unwrap().options[0].1.value, "${KEY}");
    assert_eq!(project.engines.len(), 4);
    let EngineKind::Flink { gateway, session, tls } = &project.engines[2].kind else { panic!("flink") };
    assert_eq!((gateway.value.as_str(), *tls), ("http://127.0.0.1:8083", Tls::Required));
    assert_eq!((session[0].0.value.as_str(), session[0].1.value.as_str()), ("parallelism.default", "2"));
    let EngineKind::StarRocks { url, tls, .. } = &project.engines[3].kind else { panic!("starrocks") };
    assert_eq!(url.value, "mysql://reader:${SR_PASSWORD}@sr.example:9030");
    assert_eq!(*tls, Tls::Required);
    assert_eq!(project.sources[0].watermark_delay.as_ref().unwrap().value, "5 minutes");
    let pipeline = &project.pipelines[0];
    assert_eq!(pipeline.dimensions[1].value, "orders.ordered_at:day");
    assert!(matches!(pipeline.kind, PipelineKind::Windowed { allowed_lateness: Some(_) }));
    assert_eq!((pipeline.realtime.as_str(), pipeline.batch.as_str()), ("flink", "starrocks"));
    assert_eq!(project.types[0].sql_type.value, "DECIMAL(18,2)");
    assert_eq!(project.checks.on_pending, OnPending::Exclude);
    assert_eq!(project.checks.sample_rows, 5);
    assert!(project.main_protected && project.merge.checks && project.merge.person);
}

#[test]
fn a_small_file_has_defaults() {
    let (project, findings) = read("version: 1\nmodels: shop.yaml\n");
    assert!(findings.is_empty(), "{findings:?}");
    assert_eq!(project.models[0].value, "shop.yaml");
    assert_eq!(project.checks.sample_rows, 20);
    assert!(project.merge.checks && !project.merge.person && !project.main_protected);
}

#[test]
fn a_typo_at_each_level_is_an_unknown_key_with_the_near_name() {
    let cases = [
        ("modles: []", "modles", "models"),
        ("engines: {e: {kind: flink, gateway: g, sesion: {}}}", "engines.e.sesion", "session"),
        ("sources: {a: {event_tim: x}}", "sources.a.event_tim", "event_time"),
        (
            "pipelines: [{name: p, metrics: [m], rollup: r, dimension: []}]",
            "pipelines[0].dimension",
            "dimensions",
        ),
        ("checks: {on_lat: fail}", "checks.on_lat", "on_late"),
        ("main: {protect: true}", "main.protect", "protected"),
        ("merge: {requires: []}", "merge.requires", "require"),
    ];
    for (line, path, near) in cases {
        let text = format!("version: 1\n{line}\n");
        assert_eq!(summary(&text), [finding("E_UNKNOWN_KEY", path, near)], "{line}");
    }
}

#[test]
fn wrong_values_are_said_where_they_stand() {
    let cases = [
        ("engines: {e: {kind: datafuson}}", finding("E_PARSE", "engines.e.kind", "datafusion")),
        ("engines: {e: {}}", finding("E_PARSE", "engines.e.kind", "")),
        ("engines: {e: {kind: starrocks}}", finding("E_PARSE", "engines.e.url", "")),
        ("pipelines: [{name: p, metrics: [], rollup: r}]", finding("E_PARSE", "pipelines[0].metrics", "")),
        ("pipelines: [{name: P, metrics: [m], rollup: r}]", finding("E_PARSE", "pipelines[0].name", "")),
        (
            "pipelines: [{name: p, metrics: [m], rollup: r, allowed_lateness: 1 day}]",
            finding("E_PARSE", "pipelines[0].allowed_lateness", ""),
        ),
        ("checks: {sample_rows: -1}", finding("E_PARSE", "checks.sample_rows", "")),
        ("checks: {tolerance: {m: wide}}", finding("E_PARSE", "checks.tolerance.m", "")),
        ("main: {protected: yes}", finding("E_PARSE", "main.protected", "")),
        ("models: {a: b}", finding("E_PARSE", "models", "")),
    ];
    for (line, expected) in cases {
        assert_eq!(summary(&format!("version: 1\n{line}\n")), [expected], "{line}");
    }
}

#[test]
fn the_version_is_needed_and_known() {
    assert_eq!(summary("models: []\n"), [finding("E_PARSE", "version", "")]);
    assert_eq!(summary("version: 2\n"), [finding("E_UNSUPPORTED_VERSION", "version", "")]);
}

#[test]
fn pipelines_name_engines_that_exist() {
    let text = "version: 1\nengines: {flink: {kind: flink, gateway: g}}\n\
                pipelines:\n- {name: a, metrics: [m], rollup: r, realtime: flnk}\n- {name: a, metrics: [m], rollup: s}\n";
    assert_eq!(
        summary(text),
        [
            finding("E_NAME_NOT_FOUND", "pipelines[0].realtime", "flink"),
            finding("E_NAME_COLLISION", "pipelines[1].name", ""),
        ]
    );
}

#[test]
fn two_pipelines_with_one_rollup_are_refused() {
    let text = "version: 1\npipelines:\n- {name: a, metrics: [m], rollup: shop.daily}\n\
                - {name: b, metrics: [m], rollup: Daily}\n- {name: c, metrics: [m], rollup: shop.other}\n";
    assert_eq!(summary(text), [finding("E_NAME_COLLISION", "pipelines[1].rollup", "")]);
}
