//! Windowed pipelines that the embedded engine keeps: buckets told once, late rows left out and found by the check. In: events loaded commit by commit, in an
//! order that a stream would see. Out: rollups and verdicts against rows and counts worked out by hand (tests/cases/shop/B66b, B66c).

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::fs;

use serde_json::Value;

use crate::faults::Random;
use crate::lakehouse::tamper;
use crate::project_folder::{Folder, rows};

pub(crate) const MODEL: &str = "name: shop
datasets:
- name: events
  source: shop.events
  fields:
  - {name: id, expression: id}
  - {name: occurred_at, expression: occurred_at, dimension: {is_time: true}}
  - {name: kind, expression: kind}
  - {name: amount, expression: amount}
metrics:
- {name: total_amount, expression: SUM(events.amount)}
- {name: kinds, expression: COUNT(DISTINCT events.kind)}
- {name: first_amount, expression: 'MIN_BY(events.amount, events.occurred_at)'}
";

pub(crate) fn project(rest: &str) -> String {
    format!(
        "version: 1
models: [model.yaml]
warehouse: {{path: ./warehouse}}
sources:
  shop.events: {{event_time: occurred_at, watermark_delay: 5 seconds}}
pipelines:
- name: by_minute
  metrics: [total_amount, kinds, first_amount]
  dimensions: [\"events.occurred_at:minute\"]
  kind: windowed
  rollup: shop.by_minute
types: {{shop.events.id: BIGINT, shop.events.occurred_at: TIMESTAMP, shop.events.amount: BIGINT, shop.events.kind: VARCHAR}}
{rest}"
    )
}

fn events(name: &str, rest: &str) -> Folder {
    let folder = Folder::new(name);
    folder.write("model.yaml", MODEL);
    folder.write("unisono.yaml", &project(rest));
    folder
}

/// Loads rows as one commit: `id,time,kind,amount`, the time within 2024-01-01.
pub(crate) fn load(folder: &Folder, rows: &[&str]) {
    let mut text = "id,occurred_at,kind,amount\n".to_string();
    for row in rows {
        let (id, rest) = row.split_once(',').unwrap();
        let day = if rest.starts_with(',') || rest.starts_with("2023") { "" } else { "2024-01-01 " };
        writeln!(text, "{id},{day}{rest}").unwrap();
    }
    folder.write("events.csv", &text);
    folder.good("load shop.events events.csv");
}

/// The rollup's rows after a run: bucket, total, kinds, first amount.
fn told(folder: &Folder) -> Vec<String> {
    folder.good("pipeline run by_minute");
    rollup(folder)
}

fn rollup(folder: &Folder) -> Vec<String> {
    let columns = ["occurred_at__minute", "total_amount", "kinds", "first_amount"];
    rows(folder, "shop.by_minute", None, &columns)
}

/// Verdict and cause of each metric.
fn verdicts(folder: &Folder) -> Vec<String> {
    verdicts_of(folder, "by_minute")
}

pub(crate) fn verdicts_of(folder: &Folder, pipeline: &str) -> Vec<String> {
    let report = folder.json(&format!("check {pipeline}"));
    let metrics = report["pipelines"][0]["metrics"].as_array().unwrap();
    let said = |metric: &Value| {
        let cause = metric["cause"].as_str().map_or_else(String::new, |cause| format!(" {cause}"));
        format!("{}{cause}", metric["verdict"].as_str().unwrap())
    };
    metrics.iter().map(said).collect()
}

pub(crate) const FIRST: [&str; 2] = ["1,00:00:10,a,10", "2,00:01:02,b,7"];
pub(crate) const MINUTE_0: &str = "2024-01-01T00:00:00|15|1|10";
pub(crate) const MINUTE_1: &str = "2024-01-01T00:01:00|8|2|7";

#[test]
fn a_bucket_is_told_once_and_late_rows_are_found() {
    let folder = events("windowed", "");
    load(&folder, &FIRST);
    // The watermark is 00:00:57: no bucket is closed.
    assert_eq!(told(&folder), Vec::<String>::new());
    assert_eq!(verdicts(&folder), ["pending", "pending", "pending"]);
    folder.exits(3, "check by_minute");
    // Out of order, and not late.
    load(&folder, &["3,00:00:50,a,5"]);
    assert_eq!(told(&folder), Vec::<String>::new());
    load(&folder, &["4,00:01:05,a,1"]);
    assert_eq!(told(&folder), [MINUTE_0]);
    assert_eq!(verdicts(&folder), ["pending", "pending", "pending"]);
    // The first row is late: its bucket was closed by the commit before. The second closes the next bucket.
    load(&folder, &["5,00:00:59,c,100", "6,00:02:05,a,2"]);
    assert_eq!(told(&folder), [MINUTE_0, MINUTE_1]);
    assert_eq!(verdicts(&folder), ["different late-data", "different late-data", "pending"]);
    folder.exits(1, "check by_minute");
    let status = folder.json("pipeline status by_minute");
    assert_eq!(status["pipelines"][0]["watermark"], "2024-01-01T00:02:00");
    // A row without a time is of no bucket.
    load(&folder, &["7,,z,50"]);
    assert_eq!(told(&folder), [MINUTE_0, MINUTE_1]);
    assert_eq!(verdicts(&folder), ["different late-data"; 3]);
    let evidence = fs::read_to_string(folder.path.join("target/unisono/evidence/by_minute.json")).unwrap();
    let evidence: Value = serde_json::from_str(&evidence).unwrap();
    assert_eq!(evidence["epoch"]["late"]["count"], 2);
    assert_eq!(evidence["epoch"]["watermark"], "2024-01-01T00:02:00");
    folder.good("replay target/unisono/evidence/by_minute.json");
    folder.write("unisono.yaml", &project("checks: {on_late: accept, on_pending: exclude}\n"));
    assert_eq!(verdicts(&folder), ["within-tolerance late-data"; 3]);
    folder.exits(0, "check by_minute");
}

#[test]
fn what_is_told_does_not_depend_on_when_the_pipeline_runs() {
    let folder = events("windowed-late", "");
    load(&folder, &FIRST);
    assert_eq!(told(&folder), Vec::<String>::new());
    load(&folder, &["3,00:00:50,a,5"]);
    load(&folder, &["4,00:01:05,a,1"]);
    load(&folder, &["5,00:00:59,c,100", "6,00:02:05,a,2"]);
    assert_eq!(told(&folder), [MINUTE_0, MINUTE_1]);
    let ran = folder.good("pipeline run by_minute");
    assert!(ran.contains("up to date"), "{ran}");
    // What is there when a pipeline begins is one commit, and nothing of it is late.
    let begun = events("windowed-anew", "");
    load(
        &begun,
        &["1,00:00:10,a,10", "6,00:02:05,a,2", "2,00:01:02,b,7", "3,00:00:50,a,5", "4,00:01:05,a,1"],
    );
    assert_eq!(told(&begun), [MINUTE_0, MINUTE_1]);
    assert_eq!(verdicts(&begun), ["pending", "pending", "pending"]);
}

#[test]
fn a_run_reads_what_closes_and_not_the_table() {
    let folder = events("windowed-cost", "");
    let old: Vec<String> = (0..2000).map(|id| format!("{id},00:{:02}:{:02},k,1", id / 60, id % 60)).collect();
    load(&folder, &old.iter().map(String::as_str).collect::<Vec<_>>());
    folder.good("pipeline run by_minute");
    load(&folder, &["9001,10:00:00,k,1", "9002,10:00:30,k,2"]);
    folder.good("pipeline run by_minute");
    load(&folder, &["9003,10:01:05,k,4"]);
    let ran = folder.json("pipeline run by_minute")["pipelines"][0].clone();
    assert_eq!(ran["groups_written"], 1);
    // The two rows of the bucket, and the new commit once for its times and once for its rows.
    assert_eq!(ran["rows_read"], 4, "{ran}");
    assert_eq!(rollup(&folder).last().unwrap(), "2024-01-01T10:00:00|3|1|1");
}

#[test]
fn buckets_of_days_and_weeks_may_be_dates() {
    let folder = events("windowed-days", "");
    load(&folder, &["1,2023-12-24 12:00:00,a,10", "2,2023-12-25 00:00:00,b,7", "3,23:59:59,c,1"]);
    for (grain, column, told) in [
        // Sunday the 24th and Monday the 25th are closed, New Year's day is open.
        ("metric_time:day", "metric_time__day", ["2023-12-24|10", "2023-12-25|7"]),
        ("events.occurred_at:week", "occurred_at__week", ["2023-12-18T00:00:00|10", "2023-12-25T00:00:00|7"]),
    ] {
        let rollup = format!("shop.by_{column}");
        let file = project("").replace("events.occurred_at:minute", grain).replace("shop.by_minute", &rollup);
        folder.write("unisono.yaml", &file);
        folder.good("pipeline run by_minute");
        assert_eq!(rows(&folder, &rollup, None, &[column, "total_amount"]), told);
        assert_eq!(verdicts(&folder), ["pending"; 3], "{grain}");
    }
}

#[test]
fn a_changed_bucket_is_no_late_row() {
    let folder = events("windowed-tamper", "");
    load(&folder, &["1,00:00:10,a,10", "6,00:02:05,a,2", "2,00:01:02,b,7"]);
    assert_eq!(told(&folder), ["2024-01-01T00:00:00|10|1|10", "2024-01-01T00:01:00|7|1|7"]);
    tamper(&folder, "shop.by_minute", None, &["V26:2024-01-01T00:00:00.000000"]);
    load(&folder, &["5,00:00:59,c,100"]);
    let found = verdicts(&folder);
    assert!(
        found.iter().all(|verdict| !verdict.starts_with("equal") && !verdict.starts_with("pending")),
        "{found:?}"
    );
    assert!(!found.iter().any(|verdict| verdict.contains("late-data")), "{found:?}");
}

#[test]
fn what_has_no_windows_is_refused_by_name() {
    let folder = events("windowed-refused", "");
    load(&folder, &FIRST);
    let with = |from: &str, to: &str, code: i32, words: &str| {
        let file = project("");
        assert!(file.contains(from), "{from}");
        folder.write("unisono.yaml", &file.replace(from, to));
        folder.refused(code, "pipeline run by_minute", words);
    };
    with(":minute\"", ":month\"", 2, "months are not all of one length");
    with("[\"events.occurred_at:minute\"]", "[events.kind]", 2, "none of its dimensions is a bucket");
    with(
        "[\"events.occurred_at:minute\"]",
        "[\"events.occurred_at:minute\", \"events.occurred_at:hour\"]",
        2,
        "has 2 buckets",
    );
    with("event_time: occurred_at, ", "", 2, "nothing says when an event");
    with("event_time: occurred_at", "event_time: occured_at", 2, "occurred_at");
    with("event_time: occurred_at", "event_time: amount", 2, "the time of an event is a Timestamp");
    with("5 seconds", "5 secs", 2, "`5 secs` is no length of time");
    with("5 seconds", "1000 days", 2, "more than 90 days");
    folder.write("unisono.yaml", &project(""));
    folder.good("branch create fix");
    folder.refused(2, "pipeline run by_minute --branch fix", "run it on main");
    // A table whose rows can change.
    let keyed = events("windowed-keyed", "");
    keyed.write("events.csv", "id,occurred_at,kind,amount\n1,2024-01-01 00:00:10,a,10\n");
    keyed.good("load shop.events events.csv --primary-key id");
    keyed.refused(2, "pipeline run by_minute", "has a primary key");
}

#[test]
fn a_merge_passes_beside_open_buckets_only_if_they_are_left_out() {
    let folder = events("windowed-merge", "");
    load(&folder, &["1,00:00:10,a,10", "2,00:01:10,b,7"]);
    assert_eq!(told(&folder), ["2024-01-01T00:00:00|10|1|10"]);
    folder.write("other.csv", "id,region\n1,n\n");
    folder.good("load shop.other other.csv");
    folder.good("branch create fix");
    folder.good("load shop.other other.csv --branch fix");
    let said = folder.exits(3, "branch merge fix");
    assert!(said.contains("pending") && said.contains("refused"), "{said}");
    folder.write("unisono.yaml", &project("checks: {on_pending: exclude}\n"));
    folder.good("branch merge fix");
    // Events of a branch come to main as one commit, whatever they were.
    folder.good("branch create events");
    folder.write("late.csv", "id,occurred_at,kind,amount\n3,2024-01-01 00:00:20,a,1\n");
    folder.good("load shop.events late.csv --branch events");
    let said = folder.exits(3, "branch merge events");
    assert!(said.contains("load its events there"), "{said}");
}

/// Events of a random order, in random commits, the pipeline run after some of them. In: a seed. Out: what it should have told by a simulation that knows
/// nothing but the rule, and how many rows were late.
#[test]
fn random_commits_are_told_as_the_rule_says() {
    let seeds: u64 = std::env::var("UNISONO_WINDOWS").ok().and_then(|text| text.parse().ok()).unwrap_or(3);
    let (mut late_rows, mut told_rows) = (0, 0);
    for seed in 1..=seeds {
        let mut random = Random::new(seed);
        let mut below = |bound: u64| i64::try_from(random.below(bound)).unwrap();
        let folder = events(&format!("windowed-random{seed}"), "");
        let (mut latest, mut id) = (i64::MIN, 0);
        // Of each minute: the sum, and whether it is closed.
        let mut sums: BTreeMap<i64, i64> = BTreeMap::new();
        let mut late_now = 0;
        for commit in 0..8 {
            let mut lines = Vec::new();
            let known = latest;
            for _ in 0..=below(5) {
                let at = (commit * 40 + below(120) - 60).max(0);
                let amount = below(1000) - 500;
                id += 1;
                lines.push(format!("{id},{:02}:{:02}:{:02},k,{amount}", at / 3600, at / 60 % 60, at % 60));
                let closes = at / 60 * 60 + 60 + 5;
                // The first commit that a pipeline sees is never late.
                if closes <= known {
                    late_now += 1;
                } else {
                    *sums.entry(at / 60).or_default() += amount;
                }
                latest = latest.max(at);
            }
            load(&folder, &lines.iter().map(String::as_str).collect::<Vec<_>>());
            if commit == 0 || commit == 7 || below(2) == 0 {
                let wanted: Vec<String> = sums
                    .iter()
                    .filter(|(minute, _)| *minute * 60 + 65 <= latest)
                    .map(|(minute, sum)| format!("2024-01-01T{:02}:{:02}:00|{sum}", minute / 60, minute % 60))
                    .collect();
                folder.good("pipeline run by_minute");
                let found = rows(&folder, "shop.by_minute", None, &["occurred_at__minute", "total_amount"]);
                assert_eq!(found, wanted, "seed {seed}, commit {commit}");
                told_rows += found.len();
            }
        }
        folder.run("check by_minute");
        let evidence =
            fs::read_to_string(folder.path.join("target/unisono/evidence/by_minute.json")).unwrap();
        let evidence: Value = serde_json::from_str(&evidence).unwrap();
        assert_eq!(evidence["epoch"]["late"]["count"], late_now, "seed {seed}");
        let verdict = evidence["metrics"][0]["verdict"].as_str().unwrap();
        assert!(
            if late_now == 0 { ["equal", "pending"].contains(&verdict) } else { verdict != "cannot-tell" },
            "seed {seed}: {verdict}"
        );
        late_rows += late_now;
    }
    println!("{seeds} seeds: {told_rows} buckets told, {late_rows} rows late");
    assert!(told_rows > 0 && late_rows > 0, "{told_rows} {late_rows}");
}
