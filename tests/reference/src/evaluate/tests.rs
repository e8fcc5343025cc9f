//! The hand-made vectors of tests/cases, answered row by row.

mod pages;
mod script;

use std::fs;
use std::path::{Path, PathBuf};

use serde_json::Value as Json;

use super::{Answer, evaluate};
use crate::case::Case;
use crate::expr::{print_date, print_exact, print_timestamp};
use crate::stop::Stop;
use crate::value::Value;

/// What became of a vector.
enum Outcome {
    Agreed,
    Silent(String),
    Wrong(String),
}

#[test]
fn vectors_of_the_cases_are_answered() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../cases");
    let (mut agreed, mut silent, mut wrong) = (0, Vec::new(), Vec::new());
    for folder in ["foundation", "found", "shop"] {
        let mut cases: Vec<PathBuf> =
            fs::read_dir(root.join(folder)).unwrap().map(|one| one.unwrap().path()).collect();
        cases.sort();
        for case in cases.iter().filter(|case| case.is_dir()) {
            for (model, query) in [("model.yaml", "query.json"), ("model_named.yaml", "query_named.json")] {
                if !case.join(model).exists() || !case.join(query).exists() {
                    continue;
                }
                let name = format!("{folder}/{} {model}", case.file_name().unwrap().to_string_lossy());
                match judge(case, model, query) {
                    None => {}
                    Some(Outcome::Agreed) => agreed += 1,
                    Some(Outcome::Silent(why)) => silent.push(format!("{name}: {why}")),
                    Some(Outcome::Wrong(why)) => wrong.push(format!("{name}: {why}")),
                }
            }
        }
    }
    println!("agreed {agreed}, silent {}, wrong {}", silent.len(), wrong.len());
    println!("silent:\n{}", silent.join("\n"));
    println!("wrong:\n{}", wrong.join("\n"));
    assert!(wrong.is_empty(), "see the list above");
    assert!(agreed >= AGREED, "{agreed} vectors agree; fewer than before");
}

/// How many vectors agree; the rest is listed with its reason.
const AGREED: usize = 228;

/// None for the vectors of another kind.
fn judge(folder: &Path, model: &str, query: &str) -> Option<Outcome> {
    let read = |name: &str| fs::read_to_string(folder.join(name)).unwrap_or_default();
    let expected: Json = serde_json::from_str(&read("expected.json")).unwrap();
    let kind = expected["kind"].as_str().unwrap_or("rows");
    if !["rows", "error"].contains(&kind) {
        return None;
    }
    let tables = match script::read_script(&read("schema.sql")) {
        Ok(tables) => tables,
        Err(why) => return Some(Outcome::Silent(format!("the script: {why}"))),
    };
    let case = Case { model: read(model), tables, request: read(query) };
    Some(compare(&evaluate(&case), &expected))
}

fn compare(answer: &Result<Answer, Stop>, expected: &Json) -> Outcome {
    let accepted: Vec<&str> = expected["error"]
        .as_str()
        .into_iter()
        .chain(expected["also_accept"].as_array().into_iter().flatten().filter_map(Json::as_str))
        .collect();
    match answer {
        Err(Stop::Refused(codes)) => {
            let is_right = accepted.iter().any(|code| *code == "*" || codes.contains(code));
            if is_right || expected["refusal_ok"] == Json::Bool(true) {
                Outcome::Agreed
            } else {
                Outcome::Wrong(format!("refused {codes:?}, expected {accepted:?}"))
            }
        }
        Err(Stop::Open(why) | Stop::Unknown(why) | Stop::Overflow(why)) => Outcome::Silent(why.clone()),
        Ok(answer) => {
            if expected["rows"].is_null() && expected["subset_of"].is_null() {
                return if accepted.iter().any(|code| answer.may_refuse.contains(code)) {
                    Outcome::Agreed
                } else {
                    Outcome::Wrong(format!("answered {:?}, expected {accepted:?}", answer.rows))
                };
            }
            compare_rows(answer, expected)
        }
    }
}

fn compare_rows(answer: &Answer, expected: &Json) -> Outcome {
    let tolerance = expected["tolerance"].as_f64().unwrap_or(0.0).max(1e-9);
    let columns: Vec<&str> =
        expected["columns"].as_array().unwrap().iter().filter_map(Json::as_str).collect();
    let rows_of = |rows: &Json| -> Vec<Vec<Json>> {
        let row = |row: &Json| match row.as_array() {
            Some(values) => values.clone(),
            None => columns.iter().map(|column| row[column].clone()).collect(),
        };
        rows.as_array().into_iter().flatten().map(row).collect()
    };
    let is_row = |row: &Vec<Value>, wanted: &Vec<Json>| {
        row.len() == wanted.len()
            && row.iter().zip(wanted).all(|(value, json)| is_value(value, json, tolerance))
    };
    let limit = answer.limit.map_or(usize::MAX, |limit| usize::try_from(limit).unwrap());
    let rows: Vec<&Vec<Value>> = answer.rows.iter().take(limit).collect();
    let mut sets = vec![rows_of(&expected["rows"])];
    sets.extend(expected["also_accept_rows"].as_array().into_iter().flatten().map(rows_of));
    let is_right = if let Some(count) = expected["row_count"].as_u64() {
        let all = rows_of(&expected["subset_of"]);
        rows.len() as u64 == count && rows.iter().all(|row| all.iter().any(|wanted| is_row(row, wanted)))
    } else if expected["ordered"] == Json::Bool(true) {
        sets.iter().any(|set| {
            set.len() == rows.len() && set.iter().zip(&rows).all(|(wanted, row)| is_row(row, wanted))
        })
    } else {
        sets.iter().any(|set| {
            let mut left = rows.clone();
            set.iter().all(|wanted| {
                let at = left.iter().position(|row| is_row(row, wanted));
                at.map(|at| left.remove(at)).is_some()
            }) && left.is_empty()
        })
    };
    if is_right {
        Outcome::Agreed
    } else {
        Outcome::Wrong(format!("answered {rows:?}, expected {}", expected["rows"]))
    }
}

fn is_value(value: &Value, json: &Json, tolerance: f64) -> bool {
    match (value, json) {
        (Value::Null, Json::Null) => true,
        (Value::Boolean(left), Json::Bool(right)) => left == right,
        (Value::Text(left), Json::String(right)) => left == right,
        (Value::Date(day), Json::String(text)) => print_date(*day) == text.trim_end_matches(" 00:00:00"),
        (Value::Timestamp(moment), Json::String(text)) => {
            let printed = print_timestamp(*moment);
            printed == *text || printed == format!("{text} 00:00:00")
        }
        (Value::Exact { digits, scale }, Json::Number(number)) => {
            let value: f64 = format!("{digits}e-{scale}").parse().unwrap();
            (value - number.as_f64().unwrap()).abs() <= tolerance
        }
        // Digits beyond those of a double.
        (Value::Exact { digits, scale }, Json::String(text)) => print_exact(*digits, *scale) == *text,
        (Value::Double(value), Json::Number(number)) => (value - number.as_f64().unwrap()).abs() <= tolerance,
        // NaN and the infinities, which JSON writes as texts only.
        (Value::Double(value), Json::String(text)) => {
            text.parse().is_ok_and(|wanted: f64| value.total_cmp(&wanted).is_eq())
        }
        _ => false,
    }
}
