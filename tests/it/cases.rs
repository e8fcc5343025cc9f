//! Every case of tests/cases/foundation, shop and found (tiers that `unisono sql` answers), on DataFusion and on
//! DuckDB, with and without a schema. What passes is listed in tests/cases/answered.<engine>.json; the list may only grow.

use std::collections::BTreeMap;
use std::fs;

use unisono_tests::case::{Case, Expected, Variant, found, foundation, shop};
use unisono_tests::helper::{self, skip};
use unisono_tests::judge::{Answer, Verdict, judge};

use crate::engines::{compile, datafusion, datafusion_session, duckdb};
use crate::list;

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

fn run(engine: &str, answer: impl Fn(&Case, &str) -> Result<unisono_tests::value::Table, String>) {
    let cases: Vec<Case> = foundation()
        .unwrap()
        .into_iter()
        .chain(shop().unwrap())
        .chain(found().unwrap())
        .filter(|case| case.tier == "foundation" && !matches!(case.expected, Expected::Other(_)))
        .collect();
    assert!(cases.len() >= 120, "only {} cases found", cases.len());
    let mut verdicts = BTreeMap::new();
    let mut failures = Vec::new();
    for case in &cases {
        for variant in &case.variants {
            for with_schema in [false, true] {
                let verdict = one(case, variant, with_schema, engine, &answer);
                let name = format!(
                    "{}, {}, {}",
                    case.id,
                    variant.name,
                    if with_schema { "with types" } else { "without types" }
                );
                if let Verdict::Failed(reason) = &verdict {
                    failures.push(format!("{name}: {reason}"));
                }
                verdicts.insert(name, word(&verdict));
            }
        }
    }
    assert!(failures.is_empty(), "{engine}, {} failures:\n{}", failures.len(), failures.join("\n"));
    list::compare(&format!("answered.{engine}.json"), "passed", &verdicts);
}

fn one(
    case: &Case,
    variant: &Variant,
    with_schema: bool,
    engine: &str,
    answer: &impl Fn(&Case, &str) -> Result<unisono_tests::value::Table, String>,
) -> Verdict {
    let model = fs::read_to_string(&variant.model).unwrap();
    let mut request: serde_json::Value =
        serde_json::from_str(&fs::read_to_string(&variant.query).unwrap()).unwrap();
    if let Some(home) = &case.home {
        request["home"] = home.clone().into();
    }
    let schema = with_schema.then_some(case.schema.as_str());
    match compile(&model, &request.to_string(), schema, engine) {
        Err(refusal) => judge(case, &refusal),
        Ok((sql, _)) => match answer(case, &sql) {
            Ok(rows) => match judge(case, &Answer::Rows(rows)) {
                Verdict::Failed(reason) => Verdict::Failed(format!("{reason}\n{sql}")),
                other => other,
            },
            Err(error) => Verdict::Failed(format!("the engine refused our SQL: {error}\n{sql}")),
        },
    }
}

/// What the list says of a verdict.
fn word(verdict: &Verdict) -> String {
    match verdict {
        Verdict::Passed => "passed".to_string(),
        Verdict::Refused(code) => format!("refused {code}"),
        Verdict::Failed(_) | Verdict::NotAsked(_) => "failed".to_string(),
    }
}
