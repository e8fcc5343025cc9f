//! Random models, data and requests: what the compiler makes of them, run on the engines, against the reference. In: seeds; UNISONO_CASES says how
//! many, UNISONO_SEED the first. Out: no wrong row, no text that an engine rejects, no code that the rules do not allow; what came of each seed is
//! a list that may only get better.

mod outcome;

use std::collections::BTreeMap;
use std::sync::Mutex;

use unisono_reference::generate::{self, Generated};
use unisono_reference::script::script;
use unisono_reference::shrink::shrink;
use unisono_tests::helper::{self, FlinkMode, skip};

pub(crate) use self::outcome::rows;
use self::outcome::{Engine, Outcome, outcome};
use crate::list;
use crate::matrix::flink::Flink;
use crate::matrix::version;

/// Cases of a run of CI.
const CASES: u64 = 400;

/// Cases of a run of CI by the oracle, which reads each text with a parser of its own and takes longer.
const ORACLE_CASES: u64 = 120;

/// Cases of a run of CI on a real Flink, where each is a job or several.
const BATCH_CASES: u64 = 30;

/// The same in streaming mode.
const STREAMING_CASES: u64 = 20;

/// A number from the environment.
fn number(name: &str, default: u64) -> u64 {
    std::env::var(name).map_or(default, |text| text.parse().unwrap())
}

/// The seeds of a run: UNISONO_CASES of them from UNISONO_SEED on.
pub(crate) fn seeds(cases: u64) -> Vec<u64> {
    let first = number("UNISONO_SEED", 1);
    (first..first + number("UNISONO_CASES", cases)).collect()
}

/// What a function gives for each seed, in their order; two threads share the work.
pub(crate) fn map<T: Send>(seeds: &[u64], each: impl Fn(u64) -> T + Sync) -> Vec<T> {
    let half = seeds.len().div_ceil(2).max(1);
    std::thread::scope(|scope| {
        let halves: Vec<_> = seeds
            .chunks(half)
            .map(|seeds| scope.spawn(|| seeds.iter().map(|seed| each(*seed)).collect::<Vec<T>>()))
            .collect();
        halves.into_iter().flat_map(|half| half.join().unwrap()).collect()
    })
}

/// Every seed with what came of it on an engine.
fn run(target: &str, cases: u64, engine: Engine<'_>) -> Vec<(Generated, Outcome)> {
    map(&seeds(cases), |seed| {
        let generated = generate::case(seed);
        let outcome = outcome(&generated.case, target, &generated.features, engine);
        (generated, outcome)
    })
}

/// Says how often each outcome came, in all and by feature; needs `--nocapture` to be seen.
fn tell(engine: &str, all: &[(Generated, Outcome)]) {
    let mut by_feature: BTreeMap<String, BTreeMap<String, usize>> = BTreeMap::new();
    for (generated, outcome) in all {
        let features = generated.features.iter().map(|feature| format!("{feature:?}"));
        for feature in features.chain(["(all)".to_string()]) {
            *by_feature.entry(feature).or_default().entry(outcome.word()).or_default() += 1;
        }
    }
    let mut text = format!("{engine}: {} cases\n", all.len());
    for (feature, counts) in by_feature {
        let counts: Vec<String> = counts.iter().map(|(word, count)| format!("{word} {count}")).collect();
        text += &format!("  {feature}: {}\n", counts.join(", "));
    }
    println!("{text}");
}

/// Fails with the first faults, the first one made small.
fn no_fault(target: &str, all: &[(Generated, Outcome)], engine: Engine<'_>) {
    let faults: Vec<&(Generated, Outcome)> = all.iter().filter(|(_, outcome)| outcome.is_fault()).collect();
    let Some((first, found)) = faults.first() else { return };
    let small =
        shrink(first, &mut |case| kind(&outcome(case, target, &first.features, engine)) == kind(found));
    let mut text = format!("{target}: {} faults\n", faults.len());
    for (generated, outcome) in faults.iter().take(40) {
        let said = outcome.text();
        text += &format!("seed {}: {}\n", generated.seed, said.lines().next().unwrap_or_default());
    }
    text += &format!(
        "\nseed {} made small: {}\n{}\n{}\n{}\n",
        first.seed,
        outcome(&small, target, &first.features, engine).text(),
        small.model,
        small.request,
        script(&small.tables)
    );
    panic!("{text}");
}

/// What a smaller case must still show: the outcome, and how its reason begins.
fn kind(outcome: &Outcome) -> String {
    let said = outcome.text();
    let first = said.lines().next().unwrap_or_default();
    first.chars().filter(|letter| !letter.is_ascii_digit()).take(24).collect()
}

/// A seed of CI that was answered may not become refused. A run without all of them, or on another version, leaves the list alone.
fn compare_with_list(engine: &str, cases: u64, all: &[(Generated, Outcome)]) {
    let now: BTreeMap<String, String> = all
        .iter()
        .filter(|(generated, _)| (1..=cases).contains(&generated.seed))
        .map(|(generated, outcome)| (generated.seed.to_string(), outcome.word()))
        .collect();
    if u64::try_from(now.len()) == Ok(cases) && !engine.contains('@') {
        list::compare(&format!("random.{engine}.json"), &["answered"], &now);
    }
}

fn test(target: &str, cases: u64, engine: Engine<'_>) {
    let all = run(target, cases, engine);
    tell(target, &all);
    no_fault(target, &all, engine);
    compare_with_list(target, cases, &all);
}

/// The same on a real Flink, whose session answers one case at a time; the changes of its sources, and those that take something back.
fn test_on_flink(name: &'static str, target: &str, mode: FlinkMode, cases: u64) -> Option<(usize, usize)> {
    let flink = match Flink::new(name, mode) {
        Ok(flink) => Mutex::new(flink),
        Err(reason) => {
            skip(name, &reason);
            return None;
        }
    };
    test(target, cases, &|case, sql| {
        let flink = flink.lock().map_err(|_| "another case broke off".to_string())?;
        flink.answer(&script(&case.tables), &case.model, "UTC", sql)
    });
    Some(flink.into_inner().unwrap().changes())
}

#[test]
fn datafusion_agrees_with_the_reference() {
    test("datafusion", CASES, &|case, sql| rows(case, "datafusion", sql));
}

#[test]
fn duckdb_agrees_with_the_reference() {
    if let Err(reason) = helper::shared() {
        return skip("duckdb_agrees_with_the_reference", reason);
    }
    test("duckdb", CASES, &|case, sql| rows(case, "duckdb", sql));
}

#[test]
fn starrocks_by_oracle_agrees_with_the_reference() {
    let helper = match helper::shared() {
        Ok(helper) => helper,
        Err(reason) => return skip("starrocks_by_oracle_agrees_with_the_reference", reason),
    };
    test("starrocks", ORACLE_CASES, &|case, sql| helper.starrocks(&[script(&case.tables)], sql));
}

#[test]
fn flink_agrees_with_the_reference_in_batch() {
    let name = "flink_agrees_with_the_reference_in_batch";
    test_on_flink(name, &version("flink"), FlinkMode::Batch, BATCH_CASES);
}

#[test]
fn flink_agrees_with_the_reference_in_streaming() {
    let name = "flink_agrees_with_the_reference_in_streaming";
    let Some((all, retractions)) =
        test_on_flink(name, &version("flink-streaming"), FlinkMode::Streaming, STREAMING_CASES)
    else {
        return;
    };
    println!("{all} changes read from the sources, {retractions} of them -U or -D");
    assert!(retractions * 5 >= all, "{retractions} of {all} changes take something back: less than a fifth");
}
