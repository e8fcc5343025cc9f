//! Every case of tests/cases with types, and TPC-H, on StarRocks by oracle and on a real Flink in batch and in streaming mode.
//! In: the cases. Out: one cell a case and target in tests/cases/matrix.<target>.json: what was right may not be lost, and no cell may be wrong.

mod changelog;
pub(crate) mod flink;
mod tables;
mod tpch;

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::fs;

use unisono_tests::case::{Case, Expected};
use unisono_tests::helper::{self, FlinkMode, Helper, skip};
use unisono_tests::value::Table;

use crate::cases::{RIGHT, cases, cell};
use crate::list;

/// The versions of StarRocks beside the default one.
pub(crate) const STARROCKS_VERSIONS: [&str; 4] =
    ["starrocks@3.3", "starrocks@4.0", "starrocks@4.1", "starrocks@4.2"];

#[test]
fn starrocks_answers_the_cases_by_oracle() {
    let helper = match helper::shared() {
        Ok(helper) => helper,
        Err(reason) => return skip("starrocks_answers_the_cases_by_oracle", reason),
    };
    let known = RefCell::default();
    for target in ["starrocks"].into_iter().chain(STARROCKS_VERSIONS) {
        on_oracle(helper, target, &known);
    }
}

/// Answers by case and text: most texts are the same for all versions, and both forms of a request often have one text.
type Known = RefCell<BTreeMap<(String, String), Result<Table, String>>>;

fn on_oracle(helper: &Helper, target: &str, known: &Known) {
    let mut cells = run(target, known, |case, sql| {
        let zone = case.time_zone.as_ref().map(|zone| format!("SET TimeZone = '{zone}'"));
        let setup: Vec<String> = zone.into_iter().chain([case.schema.clone()]).collect();
        helper.starrocks(&setup, sql)
    });
    // StarRocks itself answered nothing.
    for word in cells.values_mut().filter(|word| *word == "equal") {
        *word = "stand-in".to_string();
    }
    list::compare(&format!("matrix.{target}.json"), &RIGHT, &cells);
}

#[test]
fn flink_answers_the_cases_in_batch() {
    let flink = match flink::Flink::new("matrix-batch", FlinkMode::Batch) {
        Ok(flink) => flink,
        Err(reason) => return skip("flink_answers_the_cases_in_batch", &reason),
    };
    let target = version("flink");
    let cells = run(&target, &RefCell::default(), |case, sql| on_flink(&flink, case, sql));
    list::compare(&format!("matrix.{target}.json"), &RIGHT, &cells);
}

#[test]
fn flink_answers_the_cases_in_streaming() {
    let flink = match flink::Flink::new("matrix-streaming", FlinkMode::Streaming) {
        Ok(flink) => flink,
        Err(reason) => return skip("flink_answers_the_cases_in_streaming", &reason),
    };
    let target = version("flink-streaming");
    let cells = run(&target, &RefCell::default(), |case, sql| on_flink(&flink, case, sql));
    let (all, retractions) = flink.changes();
    println!("{all} changes read from the sources, {retractions} of them -U or -D");
    assert!(retractions * 5 >= all, "{retractions} of {all} changes take something back: less than a fifth");
    list::compare(&format!("matrix.{target}.json"), &RIGHT, &cells);
}

/// The target of the Flink at hand: `UNISONO_FLINK_VERSION` names one that is not the default's.
pub(crate) fn version(target: &str) -> String {
    match std::env::var("UNISONO_FLINK_VERSION") {
        Ok(version) => format!("{target}@{version}"),
        Err(_) => target.to_string(),
    }
}

fn on_flink(flink: &flink::Flink, case: &Case, sql: &str) -> Result<Table, String> {
    let model = fs::read_to_string(&case.variants[0].model).map_err(|error| error.to_string())?;
    flink.answer(&case.schema, &model, case.time_zone.as_deref().unwrap_or("UTC"), sql)
}

/// The cases as a target can answer them: a changelog carries no order, so in streaming mode rows are compared as a set.
fn cases_of(target: &str) -> Vec<Case> {
    let mut cases = cases();
    cases.extend(tpch::cases(helper::shared().unwrap()));
    for case in &mut cases {
        if let (Expected::Rows { rules, .. }, true) =
            (&mut case.expected, target.starts_with("flink-streaming"))
        {
            rules.ordered = false;
        }
    }
    cases
}

/// Every variant of every case on a target; a wrong one fails.
fn run(
    target: &str,
    known: &Known,
    answer: impl Fn(&Case, &str) -> Result<Table, String>,
) -> BTreeMap<String, String> {
    let mut cells = BTreeMap::new();
    let mut wrong = Vec::new();
    let once = |case: &Case, sql: &str| {
        let key = (case.id.clone(), sql.to_string());
        if let Some(came) = known.borrow().get(&key) {
            return came.clone();
        }
        let came = answer(case, sql);
        known.borrow_mut().insert(key, came.clone());
        came
    };
    for case in &cases_of(target) {
        for variant in &case.variants {
            let name = format!("{}, {}", case.id, variant.name);
            match cell(case, variant, Some(&case.schema), target, &once) {
                Ok(word) => {
                    cells.insert(name, word);
                }
                Err(reason) => wrong.push(format!("{name}: {reason}")),
            }
        }
    }
    assert!(wrong.is_empty(), "{target}, {} wrong:\n{}", wrong.len(), wrong.join("\n"));
    cells
}
