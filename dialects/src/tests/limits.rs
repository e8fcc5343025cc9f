//! Inputs that are long, deep or tangled, through all stages to the text of a target: each ends soon, with an answer or a code.
//! In: generated models and requests. Out: nothing; a stack that overflows or a cost that grows faster than the input fails.

use std::fmt::Write;
use std::time::Duration;

use unisono_compiler::diagnostic::Code;
use unisono_compiler::diagnostic::render::render_human;
use unisono_compiler::resolve::Resolved;
use unisono_compiler::source::SourceMap;

use super::stages::{load, text_of, whole};
use crate::support::functions;

/// More than any of these takes in a build without optimisation, and far less than one whose cost doubles with a step.
const LONGEST: Duration = Duration::from_secs(20);

/// Runs something and fails if it took long.
fn soon<T>(what: &str, run: impl FnOnce() -> T) -> T {
    let began = processor_time();
    let result = run();
    let took = processor_time().saturating_sub(began);
    println!("{:8.3} s  {what}", took.as_secs_f64());
    assert!(took < LONGEST, "{what} took {took:?}");
    result
}

/// The time that this thread has run. On a machine with other work the time on the wall says nothing; where the system does not
/// say more, nothing is measured, and what does not end is still seen.
#[expect(clippy::disallowed_methods, reason = "a test that something ends soon needs a clock")]
fn processor_time() -> Duration {
    let text = std::fs::read_to_string("/proc/thread-self/schedstat").unwrap_or_default();
    let nanoseconds = text.split_whitespace().next().and_then(|first| first.parse().ok());
    Duration::from_nanos(nanoseconds.unwrap_or_default())
}

/// The codes of a model that says nothing but one thing.
fn refused(text: &str) -> Vec<Code> {
    let (_, findings) = load(text);
    let mut sources = SourceMap::default();
    sources.add("model.yaml", text);
    render_human(&findings[..findings.len().min(20)], &sources, false);
    findings.into_iter().map(|finding| finding.code).collect()
}

/// The length of the text of a request, or the code of the first error.
fn said(model: &Resolved, request: &str, target: &str) -> Result<usize, Code> {
    text_of(model, request, target).map(|text| text.len())
}

/// Targets that differ most in how they say things.
const SOME: [&str; 3] = ["duckdb", "starrocks", "flink-streaming@1.20"];

/// What some targets answer; they are expected to agree.
fn answers(what: &str, model: &Resolved, request: &str) -> Result<usize, Code> {
    let mut all = SOME.map(|target| soon(&format!("{what}, {target}"), || said(model, request, target)));
    all.sort_by_key(|answer| answer.as_ref().err().map(|code| code.as_str()));
    let [first, .., last] = all;
    assert_eq!(first.err(), last.err(), "{what}");
    first
}

/// An expression that refers to the one of that number.
type Link = fn(usize) -> String;

const HEAD: &str = "version: 0.2.0.dev0\nsemantic_model:\n- name: m\n  datasets:\n";

fn dataset(text: &mut String, name: &str, fields: impl Iterator<Item = (String, String)>) {
    let _ = writeln!(text, "  - name: {name}\n    source: s.{name}\n    primary_key: [id]\n    fields:");
    for (field, expression) in fields {
        let _ = writeln!(
            text,
            "    - {{name: {field}, datatype: Integer, expression: {{dialects: [{{dialect: ANSI_SQL, expression: '{expression}'}}]}}}}"
        );
    }
}

fn relationship(text: &mut String, number: usize, from: usize, to: usize, column: &str) {
    let _ = writeln!(
        text,
        "  - {{name: r{number}, from: d{from}, to: d{to}, from_columns: [{column}], to_columns: [id]}}"
    );
}

fn metrics(text: &mut String, metrics: impl Iterator<Item = (String, String)>) {
    text.push_str("  metrics:\n");
    for (name, expression) in metrics {
        let _ = writeln!(
            text,
            "  - {{name: {name}, expression: {{dialects: [{{dialect: ANSI_SQL, expression: '{expression}'}}]}}}}"
        );
    }
}

/// One dataset `d0` with columns `id`, `x` and `s`, and metrics.
fn small(of: impl Iterator<Item = (String, String)>) -> String {
    let mut text = HEAD.to_owned();
    let fields = ["id", "x"].map(|name| (name.to_owned(), name.to_owned()));
    dataset(&mut text, "d0", fields.into_iter());
    metrics(&mut text, of);
    text
}

/// Datasets `d0`, `d1`, .. with `id` and a field `f` made by `field`.
fn many(datasets: usize, field: impl Fn(usize) -> String) -> String {
    let mut text = HEAD.to_owned();
    for at in 0..datasets {
        let mut fields = ["id", "a", "b"].map(|name| (name.to_owned(), name.to_owned())).to_vec();
        fields.push(("f".to_owned(), field(at)));
        dataset(&mut text, &format!("d{at}"), fields.into_iter());
    }
    text.push_str("  relationships:\n");
    text
}

#[test]
fn a_long_chain_of_aliases_is_refused() {
    let chain: String = (1..2000).fold("a0: &a0 [x]\n".to_owned(), |mut text, step| {
        let _ = writeln!(text, "a{step}: &a{step} [*a{}]", step - 1);
        text
    });
    assert_eq!(soon("chain of aliases", || refused(&chain)), [Code::LimitExceeded]);
    let doubling: String = (1..2000).fold("a0: &a0 [x]\n".to_owned(), |mut text, step| {
        let _ = writeln!(text, "a{step}: &a{step} [*a{0}, *a{0}]", step - 1);
        text
    });
    assert_eq!(soon("doubling aliases", || refused(&doubling)), [Code::LimitExceeded]);
}

#[test]
fn long_chains_of_fields_are_answered() {
    let steps = 2000;
    let chain = |link: Link| {
        let mut text = HEAD.to_owned();
        let fields =
            (0..steps).map(|at| (format!("f{at}"), if at == 0 { "x".to_owned() } else { link(at - 1) }));
        dataset(&mut text, "d0", fields);
        text
    };
    let forms: [(&str, Link); 3] = [
        ("names of names", |at| format!("f{at}")),
        ("sums of fields", |at| format!("f{at} + 1")),
        ("doubled fields", |at| format!("f{at} + f{at}")),
    ];
    for (what, link) in forms {
        let text = chain(link);
        let model = soon(what, || whole(&text));
        let request = format!(r#"{{"measures": ["MAX(d0.f{})"]}}"#, steps - 1);
        assert!(answers(what, &model, &request).is_ok(), "{what}");
    }
    // Small fields are written where they are used, and some targets guard each.
    let model = whole(&chain(|at| format!("GREATEST(f{at}, 1)")));
    let request = format!(r#"{{"measures": ["MAX(d0.f{})"]}}"#, steps - 1);
    for target in SOME {
        let answer = soon(&format!("guarded fields, {target}"), || said(&model, &request, target));
        assert!(answer.is_ok() || answer == Err(Code::LimitExceeded), "{answer:?}");
    }
}

#[test]
fn long_chains_of_metrics_are_refused_when_asked() {
    let forms: [(&str, Link); 4] = [
        ("metric of metric", |at| format!("m{at} + 1")),
        ("name of name", |at| format!("m{at}")),
        ("doubled metrics", |at| format!("m{at} + m{at}")),
        ("a metric many times", |at| format!("COALESCE({}m{at})", format!("m{at}, ").repeat(2000))),
    ];
    for (what, link) in forms {
        let steps = if what == "a metric many times" { 4 } else { 2000 };
        let text = small(
            (0..steps)
                .map(|at| (format!("m{at}"), if at == 0 { "SUM(d0.x)".to_owned() } else { link(at - 1) })),
        );
        let model = soon(what, || whole(&text));
        let request = format!(r#"{{"measures": ["m{}"]}}"#, steps - 1);
        let expected = if what == "name of name" { None } else { Some(Code::LimitExceeded) };
        assert_eq!(answers(what, &model, &request).err(), expected, "{what}");
    }
    // Each is small, and a request asks for very many of them.
    let model = whole(&small(
        [
            ("m0".to_owned(), format!("SUM(d0.x){}", " + 1".repeat(100))),
            ("m1".to_owned(), format!("COALESCE({}m0)", "m0, ".repeat(50))),
        ]
        .into_iter(),
    ));
    let measures: Vec<String> =
        (0..900).map(|at| format!(r#"{{"expr": "m1 + {at}", "as": "c{at}"}}"#)).collect();
    let request = format!(r#"{{"measures": [{}]}}"#, measures.join(", "));
    assert_eq!(answers("a metric in many measures", &model, &request), Err(Code::LimitExceeded));
}

#[test]
fn circles_of_any_length_are_found_and_told_shortly() {
    let count = 20_000;
    let ring = small((0..count).map(|at| (format!("m{at}"), format!("m{}", (at + 1) % count))));
    let (_, findings) = soon("a ring of metrics", || load(&ring));
    let longest = findings.iter().map(|finding| finding.message.len()).max();
    assert!(longest.is_some_and(|length| length < 300), "{longest:?}");
    assert!(findings.iter().all(|finding| finding.code == Code::MetricCycle));
    // 300 metrics of which each needs all.
    let all: Vec<String> = (0..300).map(|at| format!("m{at}")).collect();
    let knot = small((0..300).map(|at| (format!("m{at}"), all.join(" || "))));
    assert!(soon("a knot of metrics", || refused(&knot)).len() <= 300);
}

#[test]
fn graphs_with_very_many_paths_are_told_shortly() {
    // Diamonds behind each other, N:1.
    let mut text = many(500, |_| "id".to_owned());
    let mut number = 0;
    for at in (0..496).step_by(3) {
        for (from, to, column) in [(0, 1, "a"), (0, 2, "b"), (1, 3, "a"), (2, 3, "b")] {
            relationship(&mut text, number, at + from, at + to, column);
            number += 1;
        }
    }
    let model = soon("diamonds", || whole(&text));
    let request = r#"{"dimensions": ["d495.f"], "measures": ["SUM(d0.f)"]}"#;
    assert_eq!(answers("diamonds", &model, request), Err(Code::AmbiguousPath));

    // A grid, N:1 and 1:1.
    for (what, column) in [("grid of N:1", "a"), ("grid of 1:1", "id")] {
        let mut text = many(484, |_| "id".to_owned());
        let mut number = 0;
        for at in 0..484 {
            if at % 22 < 21 {
                relationship(&mut text, number, at, at + 1, column);
                number += 1;
            }
            if at + 22 < 484 {
                relationship(&mut text, number, at, at + 22, column);
                number += 1;
            }
        }
        let model = soon(what, || whole(&text));
        for request in [
            r#"{"dimensions": ["d483.f"], "measures": ["SUM(d0.f)"]}"#.to_owned(),
            r#"{"dimensions": ["d0.f"], "measures": ["SUM(d483.f)"]}"#.to_owned(),
            format!(
                r#"{{"measures": ["SUM(COALESCE({}d0.f))"]}}"#,
                (0..484).map(|at| format!("d{at}.f")).collect::<Vec<_>>().join(", ") + ", "
            ),
        ] {
            answers(what, &model, &request).unwrap_err();
        }
    }
}

#[test]
fn chains_of_datasets_are_answered_or_refused() {
    let chain = |datasets: usize, field: Link| {
        let mut text = many(datasets, |at| if at + 2 < datasets { field(at) } else { "id".to_owned() });
        for at in 0..datasets - 1 {
            relationship(&mut text, at, at, at + 1, "a");
        }
        text
    };
    let model = soon("a chain of datasets", || whole(&chain(500, |_| "id".to_owned())));
    let request = r#"{"dimensions": ["d499.f"], "measures": ["SUM(d0.f)"]}"#;
    assert!(answers("a chain of datasets", &model, request).is_ok());
    let all: Vec<String> = (0..500).map(|at| format!(r#"{{"expr": "d{at}.f", "as": "c{at}"}}"#)).collect();
    let request = format!(r#"{{"dimensions": [{}], "measures": ["SUM(d0.f)"]}}"#, all.join(", "));
    soon("all datasets of a chain", || said(&model, &request, "duckdb")).unwrap();
    let request = r#"{"measures": ["SUM(d0.f)"]}"#;
    for (what, datasets, field) in [
        ("fields through datasets", 500, (|at| format!("d{}.f + 1", at + 1)) as Link),
        ("fields through two datasets", 60, |at| format!("d{}.f + d{}.f", at + 1, at + 2)),
    ] {
        let model = soon(what, || whole(&chain(datasets, field)));
        assert_eq!(answers(what, &model, request), Err(Code::LimitExceeded));
    }
}

#[test]
fn many_homes_are_answered() {
    let mut text = many(300, |_| "id".to_owned());
    for at in 1..300 {
        relationship(&mut text, at, at, 0, "a");
    }
    let model = soon("many homes", || whole(&text));
    let measures: Vec<String> =
        (1..300).map(|at| format!(r#"{{"expr": "SUM(d{at}.f)", "as": "c{at}"}}"#)).collect();
    let request = format!(r#"{{"dimensions": ["d0.f"], "measures": [{}]}}"#, measures.join(", "));
    soon("many homes", || said(&model, &request, "duckdb")).unwrap();
}

#[test]
fn deep_expressions_are_refused_wherever_they_stand() {
    let model = whole(&small([("m0".to_owned(), "SUM(d0.x)".to_owned())].into_iter()));
    for (open, close) in [("(", ")"), ("NOT ", ""), ("- ", ""), ("ABS(", ")"), ("CASE WHEN ", " THEN 1 END")]
    {
        let deep = format!("{}d0.x{}", open.repeat(10_000), close.repeat(10_000));
        let what = format!("10,000 times {open}");
        let text = small([("m0".to_owned(), deep.clone())].into_iter());
        assert_eq!(soon(&what, || refused(&text)), [Code::LimitExceeded], "{what}");
        for key in ["dimensions", "measures", "fields", "where"] {
            let request = match key {
                "where" => format!(r#"{{"fields": ["d0.x"], "where": ["{deep}"]}}"#),
                _ => format!(r#"{{"{key}": ["{deep}"]}}"#),
            };
            assert_eq!(soon(&what, || said(&model, &request, "duckdb")), Err(Code::LimitExceeded), "{what}");
        }
    }
}

#[test]
fn sugar_and_guards_in_each_other_are_answered_or_refused() {
    let model = whole(&small([("m0".to_owned(), "SUM(d0.x)".to_owned())].into_iter()));
    let nested = |open: &str, close: &str| format!("{}d0.x{}", open.repeat(100), close.repeat(100));
    for (open, close) in [
        ("(", " BETWEEN 1 AND 2)"),
        ("(", " BETWEEN FALSE AND TRUE)"),
        ("CASE ", " WHEN 1 THEN 1 WHEN 2 THEN 2 END"),
        ("EXP(", ")"),
        ("GREATEST(", ", 1)"),
        ("LEAST(1, ", ")"),
        ("CAST(", " AS DECIMAL(10, 2))"),
        ("CAST(CAST(", " AS VARCHAR) AS INTEGER)"),
        ("LOG(", ", 2.5)"),
        ("(1.5 / ", ")"),
        ("(", " % 7)"),
        ("MOD(3, ", ")"),
        ("ROUND(", " * 1.5, 1)"),
        ("COALESCE(", ", 1)"),
        ("NULLIF(", ", 1)"),
        ("(", " + 1)"),
        ("ABS(-", ")"),
    ] {
        let what = format!("{open} .. {close}");
        for request in [
            format!(r#"{{"fields": [{{"expr": "{}", "as": "v"}}]}}"#, nested(open, close)),
            format!(r#"{{"measures": [{{"expr": "MAX({})", "as": "v"}}]}}"#, nested(open, close)),
        ] {
            for target in SOME {
                let answer = soon(&format!("{what}, {target}"), || said(&model, &request, target));
                assert!(answer.is_err() || answer.is_ok_and(|length| length < 10_000_000), "{what}");
            }
        }
    }
}

#[test]
fn every_function_in_itself_is_answered_or_refused() {
    let model = whole(&small([("m0".to_owned(), "SUM(d0.x)".to_owned())].into_iter()));
    let mut said_or_refused = 0;
    for function in functions() {
        let name = function.name();
        for (open, close) in [("(", ")"), ("(", ", 2)"), ("(2, ", ")"), ("(", ", 2, 3)")] {
            let deep = format!("{}d0.x{}", format!("{name}{open}").repeat(25), close.repeat(25));
            let request = format!(r#"{{"fields": [{{"expr": "{deep}", "as": "v"}}]}}"#);
            // What does not bind for one target binds for none.
            for target in SOME {
                match soon(&format!("{name}{open} .. {close}, {target}"), || said(&model, &request, target)) {
                    Err(Code::TypeMismatch | Code::Parse) => break,
                    Err(Code::LimitExceeded | Code::UnsupportedFunction) => said_or_refused += 1,
                    Err(other) => panic!("{name}: {other:?}"),
                    Ok(length) => {
                        assert!(length < 10_000_000, "{name}");
                        said_or_refused += 1;
                    }
                }
            }
        }
    }
    assert!(said_or_refused > 50, "{said_or_refused}");
}

#[test]
fn large_documents_are_read() {
    let long = small([("m0".to_owned(), "SUM(d0.x)".to_owned())].into_iter());
    let text =
        long.replace("- name: m\n", &format!("- name: m\n  description: {}\n", "words ".repeat(1_700_000)));
    assert!(text.len() > 10_000_000);
    soon("10 MB of description", || whole(&text));
    let text = format!("{long}# {}\n", "words ".repeat(1_700_000));
    soon("10 MB of comment", || whole(&text));
    let text = small((0..20_000).map(|at| (format!("m{at}"), format!("SUM(d0.x + {at})"))));
    soon("20,000 metrics", || whole(&text));
    let text = small((0..20_000).map(|at| (format!("m{at}"), format!("SUM(d0.y{at})"))));
    soon("20,000 metrics of fields that are not there", || load(&text));
    let text = format!("{HEAD}{}", "[".repeat(10_000_000));
    assert!(!soon("10 MB of brackets", || refused(&text)).is_empty());
    let text = "a: {b: ".repeat(1_500_000);
    assert!(!soon("10 MB of open mappings", || refused(&text)).is_empty());
    let text = format!("{}\n", "k: v\n".repeat(2_000_000));
    soon("10 MB of one key", || refused(&text));
}

#[test]
fn large_requests_are_refused() {
    let model = whole(&small([("m0".to_owned(), "SUM(d0.x)".to_owned())].into_iter()));
    for key in ["dimensions", "measures", "fields", "where", "having", "order_by"] {
        let entries = |count: usize| vec![r#""d0.x""#; count].join(", ");
        let request = format!(r#"{{"{key}": [{}]}}"#, entries(10_000));
        let what = format!("10,000 entries of {key}");
        assert_eq!(soon(&what, || said(&model, &request, "duckdb")), Err(Code::LimitExceeded), "{what}");
    }
    let request = format!(r#"{{"fields": ["d0.x"], "home": "{}"}}"#, "d".repeat(2_000_000));
    assert_eq!(soon("2 MB of request", || said(&model, &request, "duckdb")), Err(Code::LimitExceeded));
    let columns: Vec<String> =
        (0..900).map(|at| format!(r#"{{"expr": "d0.x + {at}", "as": "v{at}"}}"#)).collect();
    let columns = columns.join(", ");
    let request = format!(
        r#"{{"dimensions": [{columns}], "measures": [{}]}}"#,
        columns.replace("d0.x", "MAX(d0.x)").replace('v', "w")
    );
    assert!(answers("1,800 columns", &model, &request).is_ok());
    let unknown = vec![r#""d0.y || x.y || zz || COUNT(m1)""#; 900].join(", ");
    let request = format!(r#"{{"measures": [{unknown}]}}"#);
    soon("unknown names", || said(&model, &request, "duckdb")).unwrap_err();
}
