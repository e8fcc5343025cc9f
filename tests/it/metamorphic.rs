//! Variants of random cases whose answers are related in a way that is known without any answer, on both engines.
//! In: seeds. Out: no relation is broken. UNISONO_CASES sets how many cases (80 by default), UNISONO_SEED the first seed.

use std::collections::BTreeMap;

use unisono_reference::case::Case;
use unisono_reference::evaluate::evaluate;
use unisono_reference::generate;
use unisono_reference::script::ddl;
use unisono_reference::stop::Stop;
use unisono_reference::variants::{Change, Columns, OverNothing, Relation, Variant, variants};
use unisono_tests::agree::{near, unmatched};
use unisono_tests::helper::{self, skip};
use unisono_tests::judge::Answer;
use unisono_tests::value::{Kind, Table, Value};

use crate::engines::compile;
use crate::random::{map, rows, seeds};

/// Cases of a run of CI.
const CASES: u64 = 80;

/// What the compiler and an engine make of a case.
enum Said {
    Rows(Table),
    Refused(String),
    /// The engine's error where a value left its range, which may be in one variant only.
    Overflow,
}

fn said(case: &Case, engine: &str) -> Result<Said, String> {
    match compile(&case.model, &case.request, Some(&ddl(&case.tables)), engine) {
        Err(Answer::Refused { code, .. }) => Ok(Said::Refused(code)),
        Err(Answer::Rows(_)) => Err("rows from the compiler".to_owned()),
        Ok((sql, _)) => match rows(case, engine, &sql) {
            Ok(table) => Ok(Said::Rows(table)),
            Err(_) if matches!(evaluate(case), Err(Stop::Overflow(_))) => Ok(Said::Overflow),
            Err(error) => Err(format!("{error}\n{sql}")),
        },
    }
}

/// Whether the relation of a variant could be looked at; an error where it is broken.
fn holds(variant: &Variant, engine: &str) -> Result<bool, String> {
    let all = variant.cases.iter().map(|case| said(case, engine)).collect::<Result<Vec<_>, _>>()?;
    match &variant.relation {
        Relation::Same { limited } => {
            all[1..].iter().try_fold(true, |_, other| same(&all[0], other, *limited))
        }
        Relation::AddsUp { whole, parts, sums } => {
            let table = |columns: &Columns| match &all[columns.case] {
                Said::Rows(table) => Some(by_key(table, columns)),
                Said::Refused(_) | Said::Overflow => None,
            };
            let Some(total) = table(whole) else { return Ok(false) };
            let Some(parts) = parts.iter().map(table).collect::<Option<Vec<_>>>() else { return Ok(false) };
            adds_up(&total, &parts, sums, whole.keys.is_empty()).map(|()| true)
        }
    }
}

fn same(left: &Said, right: &Said, limited: bool) -> Result<bool, String> {
    match (left, right) {
        (Said::Rows(left), Said::Rows(right)) if limited => {
            // Which rows of a tie a limit cuts is open; the random cases judge them.
            if left.rows.len() == right.rows.len() {
                return Ok(true);
            }
            Err(format!("{} rows, and {} in the variant", left.rows.len(), right.rows.len()))
        }
        (Said::Rows(left), Said::Rows(right)) => {
            let is_row = |left: &Vec<Value>, right: &Vec<Value>| {
                left.len() == right.len() && left.iter().zip(right).all(|(left, right)| equal(left, right))
            };
            let (lost, added) = unmatched(&left.rows, &right.rows, is_row);
            if lost.is_empty() && added.is_empty() {
                return Ok(true);
            }
            Err(format!("the variant lacks the rows {lost:?} and has {added:?} instead"))
        }
        (Said::Refused(left), Said::Refused(right)) if left == right => Ok(true),
        (Said::Overflow, _) | (_, Said::Overflow) => Ok(false),
        (Said::Refused(left), Said::Refused(right)) => Err(format!("{left}, and {right} for the variant")),
        (Said::Refused(code), Said::Rows(_)) => Err(format!("{code}, and rows for the variant")),
        (Said::Rows(_), Said::Refused(code)) => Err(format!("rows, and {code} for the variant")),
    }
}

/// Floats may be summed in another order.
fn equal(left: &Value, right: &Value) -> bool {
    match (left, right) {
        (Value::Float(left), Value::Float(right)) => near(*left, *right),
        _ => left == right,
    }
}

/// Rows of the columns that are added up, by the text of their keys.
type ByKey = BTreeMap<String, Vec<Vec<Value>>>;

fn by_key(table: &Table, columns: &Columns) -> ByKey {
    let mut out = ByKey::new();
    for row in &table.rows {
        let key: Vec<&Value> = columns.keys.iter().map(|at| &row[*at]).collect();
        let sums = columns.sums.iter().map(|at| row[*at].clone()).collect();
        out.entry(format!("{key:?}")).or_default().push(sums);
    }
    out
}

fn adds_up(whole: &ByKey, parts: &[ByKey], sums: &[OverNothing], grand_total: bool) -> Result<(), String> {
    if grand_total && whole.len() != 1 {
        return Err(format!("{} rows where there is always one", whole.len()));
    }
    if let Some(key) = parts.iter().flat_map(BTreeMap::keys).find(|key| !whole.contains_key(*key)) {
        return Err(format!("only a part has the group {key}"));
    }
    for (key, rows) in whole {
        let [row] = rows.as_slice() else { return Err(format!("{} rows of the group {key}", rows.len())) };
        for (at, sum) in sums.iter().enumerate() {
            let values = parts.iter().filter_map(|part| part.get(key)).flatten().map(|part| &part[at]);
            let total = total(values, *sum)?;
            if !equal(&total, &row[at]) {
                return Err(format!("group {key}, sum {at}: {:?}, the parts add up to {total:?}", row[at]));
            }
        }
    }
    Ok(())
}

fn total<'v>(values: impl Iterator<Item = &'v Value>, over_nothing: OverNothing) -> Result<Value, String> {
    let mut total = match over_nothing {
        OverNothing::Zero => Value::Exact("0".to_owned()),
        OverNothing::Null => Value::Null,
    };
    for value in values {
        total = match (&total, value) {
            (_, Value::Null) => total,
            (Value::Null, value) => value.clone(),
            (Value::Float(left), Value::Float(right)) => Value::Float(left + right),
            (Value::Exact(left), Value::Exact(right)) => Value::parse(Kind::Exact, &exact_sum(left, right)?)?,
            (left, right) => return Err(format!("{left:?} and {right:?} do not add up")),
        };
    }
    Ok(total)
}

/// Adds two decimal texts.
fn exact_sum(left: &str, right: &str) -> Result<String, String> {
    let places = |text: &str| text.split_once('.').map_or(0, |(_, places)| places.len());
    let scale = places(left).max(places(right));
    let digits = |text: &str| {
        let padded = text.replace('.', "") + &"0".repeat(scale - places(text));
        padded.parse::<i128>().map_err(|error| format!("{text}: {error}"))
    };
    let sum = digits(left)?.checked_add(digits(right)?).ok_or("the sum of the parts leaves 128 bits")?;
    Ok(format!("{sum}e-{scale}"))
}

fn test(engine: &str) {
    let seeds = seeds(CASES);
    let found = map(&seeds, |seed| {
        let variants = variants(&generate::case(seed));
        variants
            .into_iter()
            .map(|variant| (variant.change, holds(&variant, engine), variant))
            .collect::<Vec<_>>()
    });
    let mut seen: BTreeMap<Change, [usize; 2]> = BTreeMap::new();
    let mut broken = Vec::new();
    for (seed, found) in seeds.iter().zip(found) {
        for (change, outcome, variant) in found {
            match outcome {
                Ok(looked_at) => seen.entry(change).or_default()[usize::from(looked_at)] += 1,
                Err(reason) => broken.push((*seed, change, reason, variant)),
            }
        }
    }
    println!("{engine}: [nothing to compare, holds] {seen:?}, broken {}", broken.len());
    if let Some((_, _, _, first)) = broken.first() {
        for (seed, change, reason, _) in broken.iter().take(20) {
            println!("seed {seed}, {change:?}: {reason}");
        }
        for case in &first.cases {
            println!("{}\n{}\n", case.model, case.request);
        }
        println!("{}", unisono_reference::script::script(&first.cases[0].tables));
        panic!("{} relations are broken on {engine}", broken.len());
    }
    assert!(seen.values().all(|[_, held]| *held > 0) && seen.len() == 5, "{seen:?}");
}

#[test]
fn related_requests_have_related_answers_on_datafusion() {
    test("datafusion");
}

#[test]
fn related_requests_have_related_answers_on_duckdb() {
    if let Err(reason) = helper::shared() {
        return skip("related_requests_have_related_answers_on_duckdb", reason);
    }
    test("duckdb");
}

#[test]
fn sums_of_decimal_texts() {
    assert_eq!(exact_sum("1.5", "-0.25").as_deref(), Ok("125e-2"));
    assert_eq!(exact_sum("-7", "7").as_deref(), Ok("0e-0"));
}

#[test]
fn a_lost_row_and_a_lost_group_are_seen() {
    let sums = [OverNothing::Null];
    let table = |rows: &[(&str, &str)]| -> ByKey {
        let mut out = ByKey::new();
        for (key, number) in rows {
            out.entry((*key).to_owned()).or_default().push(vec![Value::Exact((*number).to_owned())]);
        }
        out
    };
    let whole = table(&[("a", "3"), ("b", "1")]);
    assert_eq!(
        adds_up(&whole, &[table(&[("a", "1"), ("b", "1")]), table(&[("a", "2")])], &sums, false),
        Ok(())
    );
    assert!(adds_up(&whole, &[table(&[("a", "1"), ("b", "1")])], &sums, false).is_err());
    assert!(adds_up(&whole, &[table(&[("a", "3"), ("b", "1"), ("c", "1")])], &sums, false).is_err());
    assert!(adds_up(&whole, &[table(&[("a", "3")])], &sums, false).is_err());
}
