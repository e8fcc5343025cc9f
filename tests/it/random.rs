//! Random models, data and requests: what the compiler makes of them, run on DataFusion, DuckDB and StarRocks by oracle, against the reference.
//! In: seeds. Out: no wrong row, no text that an engine rejects, no code that the rules do not allow; what came of each seed is a list that
//! may only get better. UNISONO_CASES sets how many cases, UNISONO_SEED the first seed.

mod outcome;

use std::collections::BTreeMap;

use unisono_reference::generate::{self, Generated};
use unisono_reference::shrink::shrink;
use unisono_tests::helper::{self, skip};

pub(crate) use self::outcome::rows;
use self::outcome::{Outcome, outcome};
use crate::list;

/// Cases of a run of CI.
const CASES: u64 = 400;

/// Cases of a run of CI by the oracle, which reads each text with a parser of its own and takes longer.
const ORACLE_CASES: u64 = 120;

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
fn run(engine: &str, cases: u64) -> Vec<(Generated, Outcome)> {
    map(&seeds(cases), |seed| {
        let generated = generate::case(seed);
        let outcome = outcome(&generated.case, engine, &generated.features);
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
fn no_fault(engine: &str, all: &[(Generated, Outcome)]) {
    let faults: Vec<&(Generated, Outcome)> = all.iter().filter(|(_, outcome)| outcome.is_fault()).collect();
    let Some((first, found)) = faults.first() else { return };
    let small = shrink(first, &mut |case| kind(&outcome(case, engine, &first.features)) == kind(found));
    let mut text = format!("{engine}: {} faults\n", faults.len());
    for (generated, outcome) in faults.iter().take(40) {
        let said = outcome.text();
        text += &format!("seed {}: {}\n", generated.seed, said.lines().next().unwrap_or_default());
    }
    text += &format!(
        "\nseed {} made small: {}\n{}\n{}\n{}\n",
        first.seed,
        outcome(&small, engine, &first.features).text(),
        small.model,
        small.request,
        unisono_reference::script::script(&small.tables)
    );
    panic!("{text}");
}

/// What a smaller case must still show: the outcome, and how its reason begins.
fn kind(outcome: &Outcome) -> String {
    let said = outcome.text();
    let first = said.lines().next().unwrap_or_default();
    first.chars().filter(|letter| !letter.is_ascii_digit()).take(24).collect()
}

/// A seed of CI that was answered may not become refused. A run without all of them leaves the list alone.
fn compare_with_list(engine: &str, cases: u64, all: &[(Generated, Outcome)]) {
    let now: BTreeMap<String, String> = all
        .iter()
        .filter(|(generated, _)| (1..=cases).contains(&generated.seed))
        .map(|(generated, outcome)| (generated.seed.to_string(), outcome.word()))
        .collect();
    if u64::try_from(now.len()) == Ok(cases) {
        list::compare(&format!("random.{engine}.json"), &["answered"], &now);
    }
}

fn test(engine: &str, cases: u64) {
    let all = run(engine, cases);
    tell(engine, &all);
    no_fault(engine, &all);
    compare_with_list(engine, cases, &all);
}

#[test]
fn datafusion_agrees_with_the_reference() {
    test("datafusion", CASES);
}

#[test]
fn duckdb_agrees_with_the_reference() {
    if let Err(reason) = helper::shared() {
        return skip("duckdb_agrees_with_the_reference", reason);
    }
    test("duckdb", CASES);
}

#[test]
fn starrocks_by_oracle_agrees_with_the_reference() {
    if let Err(reason) = helper::shared() {
        return skip("starrocks_by_oracle_agrees_with_the_reference", reason);
    }
    test("starrocks", ORACLE_CASES);
}
