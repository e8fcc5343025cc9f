//! Every case of tests/cases/foundation, shop, found, functions and candles (tiers that `unisono sql` answers), on DataFusion and on
//! DuckDB, with and without a schema. What came is listed in tests/cases/answered.<engine>.json; what is right there may only grow.

use std::collections::BTreeMap;
use std::fs;

use unisono_tests::case::{Case, Expected, Variant, candles, found, foundation, functions, shop};
use unisono_tests::helper::{self, skip};
use unisono_tests::judge::{Answer, Verdict, judge};
use unisono_tests::value::Table;

use crate::engines::{compile, datafusion, datafusion_session, duckdb};
use crate::list;

/// The words of cells that no later run may lose.
pub(crate) const RIGHT: [&str; 3] = ["equal", "stand-in", "right code"];

#[test]
fn datafusion_answers_the_cases() {
    run("datafusion", |case, sql| {
        let session = datafusion_session(&case.schema)?;
        datafusion(&session, sql)
    });
}

#[test]
fn duckdb_answers_the_cases() {
    if let Err(reason) = helper::shared() {
        skip("duckdb_answers_the_cases", reason);
        return;
    }
    run("duckdb", |case, sql| {
        let zone = case.time_zone.as_ref().map(|zone| format!("SET TimeZone = '{zone}';\n"));
        duckdb(&format!("{}{}", zone.unwrap_or_default(), case.schema), sql)
    });
}

/// The cases that have one request and one answer, in one order.
pub(crate) fn cases() -> Vec<Case> {
    let cases: Vec<Case> = foundation()
        .unwrap()
        .into_iter()
        .chain(shop().unwrap())
        .chain(found().unwrap())
        .chain(candles().unwrap())
        .chain(functions().unwrap())
        .filter(|case| case.tier == "foundation" && !matches!(case.expected, Expected::Other(_)))
        .collect();
    assert!(cases.len() >= 120, "only {} cases found", cases.len());
    cases
}

fn run(engine: &str, answer: impl Fn(&Case, &str) -> Result<Table, String>) {
    let mut cells = BTreeMap::new();
    let mut wrong = Vec::new();
    for case in &cases() {
        for variant in &case.variants {
            // What a function gives without a type of its argument is the engine's own affair.
            let untyped = (!case.id.starts_with("functions/")).then_some((None, "without types"));
            for (schema, types) in untyped.into_iter().chain([(Some(case.schema.as_str()), "with types")]) {
                let name = format!("{}, {}, {types}", case.id, variant.name);
                match cell(case, variant, schema, engine, &answer) {
                    Ok(word) => {
                        cells.insert(name, word);
                    }
                    Err(reason) => wrong.push(format!("{name}: {reason}")),
                }
            }
        }
    }
    assert!(wrong.is_empty(), "{engine}, {} wrong:\n{}", wrong.len(), wrong.join("\n"));
    list::compare(&format!("answered.{engine}.json"), &RIGHT, &cells);
}

/// What came of one case: `equal`, `right code`, `refused` and the code, `unproved` and the reason; or what is wrong.
pub(crate) fn cell(
    case: &Case,
    variant: &Variant,
    schema: Option<&str>,
    target: &str,
    answer: &impl Fn(&Case, &str) -> Result<Table, String>,
) -> Result<String, String> {
    let model = fs::read_to_string(&variant.model).unwrap();
    let mut request: serde_json::Value =
        serde_json::from_str(&fs::read_to_string(&variant.query).unwrap()).unwrap();
    if let Some(home) = &case.home {
        request["home"] = home.clone().into();
    }
    let sql = match compile(&model, &request.to_string(), schema, target) {
        Ok((sql, _)) => sql,
        Err(refusal) => return refused(case, &refusal),
    };
    let rows = match answer(case, &sql) {
        Ok(rows) => rows,
        Err(error) => {
            return match error.split_once("unproved: ") {
                Some((_, why)) => Ok(format!("unproved: {why}")),
                None => Err(format!("the engine refused our SQL: {error}\n{sql}")),
            };
        }
    };
    match judge(case, &Answer::Rows(rows)) {
        Verdict::Passed => Ok("equal".to_string()),
        Verdict::Refused(reason) | Verdict::Failed(reason) | Verdict::NotAsked(reason) => {
            Err(format!("{reason}\n{sql}"))
        }
    }
}

/// The cell of a refusal.
fn refused(case: &Case, refusal: &Answer) -> Result<String, String> {
    match (judge(case, refusal), refusal) {
        // A case may accept a code although it has rows; the engine then answered nothing.
        (Verdict::Passed, Answer::Refused { code, message: _ })
            if !matches!(case.expected, Expected::Error { .. }) =>
        {
            Ok(format!("refused {code}"))
        }
        (Verdict::Passed, _) => Ok("right code".to_string()),
        (Verdict::Refused(code), _) => Ok(format!("refused {code}")),
        (Verdict::Failed(reason) | Verdict::NotAsked(reason), _) => Err(reason),
    }
}
