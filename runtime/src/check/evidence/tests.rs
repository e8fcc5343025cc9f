//! Evidence written, read back, checked against its schema, and refused once it was changed.

use serde_json::{Value as Json, json};

use super::*;
use crate::check::bound::Term;
use crate::check::verdict::{Basis, Cause, GroupDifference, Looser, Tolerance, Totals};

fn decimal(unscaled: i128, scale: u8) -> Value {
    Value::Decimal { unscaled, scale }
}

fn side(engine: &str) -> Side {
    Side {
        engine: engine.to_string(),
        version: "1.2".to_string(),
        settings: vec![("batch_size".into(), "8192".into()), ("Reader_Password".into(), "hunter2".into())],
        text: "SELECT 1".to_string(),
        started: "2024-01-01T00:00:00Z".to_string(),
        ended: "2024-01-01T00:00:01Z".to_string(),
        rows: Some(2),
        digest: Some("ab".to_string()),
    }
}

fn outcome(verdict: Verdict, cause: Option<Cause>, basis: Basis, set: Option<Looser>) -> Outcome {
    let values = [
        Value::Null,
        Value::Boolean(true),
        Value::Integer(-5),
        decimal(-5, 2),
        Value::Float(0.1),
        Value::Float(f64::NEG_INFINITY),
        Value::Text("a\"b".to_string()),
        Value::Date(19_782),
        Value::Time(3_600_000_001),
        Value::Timestamp(-1_000_000),
        Value::Instant(1_705_363_199_500_000),
    ];
    let group = |value: &Value| GroupDifference {
        key: vec![("region".to_string(), value.clone()), ("day".to_string(), Value::Null)],
        left: Some(value.clone()),
        right: None,
        delta: None,
        cause: Cause::MissingGroup,
    };
    Outcome {
        metric: "revenue".to_string(),
        verdict,
        cause,
        detail: Some("why".to_string()),
        tolerance: Tolerance { basis, set },
        totals: Totals { groups: 21, equal: 6, within: 5, different: 4, unknown: 3, open: 2 },
        groups: values.iter().map(group).collect(),
        late: Some(Late { count: 1, sums: vec![("revenue".to_string(), decimal(100, 2))] }),
    }
}

fn evidence() -> Evidence {
    let term = Term { aggregate: "m0".to_string(), n: 3, magnitude: 1e-7 };
    let derived = Basis::Derived { bound: 0.1 + 0.2, terms: vec![term] };
    Evidence {
        tool: "0.1.0".to_string(),
        pipeline: "revenue_by_region".to_string(),
        request: json!({"measures": ["revenue"], "params": {"x": 1}}),
        now: "2024-01-01 00:00:00.000000".to_string(),
        zone: "UTC".to_string(),
        hashes: Hashes { model: "m".to_string(), project: "p".to_string(), pipeline: "q".to_string() },
        left: side("datafusion"),
        right: Side { rows: None, digest: None, settings: Vec::new(), ..side("incremental") },
        tables: vec![
            TablePin {
                table: "shop.orders".into(),
                line: "main".into(),
                rollup: false,
                snapshot: Some(7),
                schema: 0,
            },
            TablePin { table: "shop.r".into(), line: "b1".into(), rollup: true, snapshot: None, schema: 1 },
        ],
        epoch: Some(Epoch {
            number: 3,
            watermark: Some("2024-01-01T00:00:00".to_string()),
            late: Late { count: 0, sums: Vec::new() },
            window: Some(WindowStart { start: Some(4) }),
        }),
        home_rows: Some(12),
        outcomes: vec![
            outcome(Verdict::Different, Some(Cause::Value), derived, Some(Looser::Relative(0.01))),
            outcome(Verdict::Equal, None, Basis::Exact, None),
            outcome(
                Verdict::CannotTell,
                Some(Cause::UnknownBound),
                Basis::Unknown,
                Some(Looser::Absolute(1e-9)),
            ),
        ],
        assumptions: vec![Assumed {
            kind: "unique-key".to_string(),
            subject: "customers(id)".to_string(),
            verdict: Verdict::Different,
            count: Some(1),
            columns: vec!["id".to_string()],
            rows: vec![vec![Value::Integer(1)], vec![Value::Null]],
        }],
    }
}

/// The evidence as it is read back: without what speaks of secrets.
fn without_secrets() -> Evidence {
    let mut expected = evidence();
    expected.left.settings[1].1 = "(not written)".to_string();
    expected
}

#[test]
fn evidence_reads_back_to_what_was_written() {
    let text = evidence().to_json().to_string();
    assert!(!text.contains("hunter2"));
    let read: Json = serde_json::from_str(&text).unwrap();
    assert_eq!(Evidence::from_json(&read), Ok(without_secrets()));
    let bare = Evidence { epoch: None, home_rows: None, outcomes: Vec::new(), ..without_secrets() };
    assert_eq!(Evidence::from_json(&bare.to_json()), Ok(bare));
}

#[test]
fn the_order_of_keys_does_not_change_the_hash() {
    let Json::Object(entries) = evidence().to_json() else { panic!("no object") };
    let reversed: serde_json::Map<String, Json> = entries.into_iter().rev().collect();
    assert!(Evidence::from_json(&Json::Object(reversed)).is_ok());
}

#[test]
fn a_changed_document_is_known_as_such() {
    for (pointer, new) in [
        ("/metrics/0/verdict", json!("equal")),
        ("/tables/0/snapshot", json!(8)),
        ("/request/params/x", json!(2)),
        ("/sides/batch/text", json!("SELECT 2")),
        ("/sha256", json!("00")),
    ] {
        let mut document = evidence().to_json();
        *document.pointer_mut(pointer).unwrap() = new;
        assert_eq!(Evidence::from_json(&document).unwrap_err().path, "sha256", "{pointer}");
    }
    let mut document = evidence().to_json();
    document["note"] = json!("added");
    assert_eq!(Evidence::from_json(&document).unwrap_err().path, "sha256");
}

/// The error of a document that was changed and hashed anew.
fn error(change: impl Fn(&mut Json)) -> String {
    let mut document = evidence().to_json();
    document.as_object_mut().unwrap().remove("sha256");
    change(&mut document);
    document["sha256"] = json!(crate::check::digest::json_digest(&document));
    Evidence::from_json(&document).unwrap_err().to_string()
}

#[test]
fn what_is_no_evidence_is_said_at_its_place() {
    let remove = |document: &mut Json, pointer: &str, key: &str| {
        document.pointer_mut(pointer).unwrap().as_object_mut().unwrap().remove(key);
    };
    assert_eq!(error(|document| remove(document, "", "tables")), "`tables` is missing");
    assert_eq!(
        error(|document| remove(document, "/sides/batch", "rows")),
        "`sides.batch`: `rows` is missing"
    );
    assert_eq!(error(|document| document["zone"] = json!(5)), "`zone`: expected text");
    assert_eq!(
        error(|document| document["tables"][1]["schema"] = json!("1")),
        "`tables[1].schema`: expected an integer"
    );
    assert_eq!(
        error(|document| document["metrics"][0]["verdict"] = json!("fine")),
        "`metrics[0].verdict`: `fine` is no verdict"
    );
    assert_eq!(
        error(|document| document["metrics"][0]["groups"][2]["left"] = json!({"integer": "x"})),
        "`metrics[0].groups[2].left`: `x` is no integer"
    );
    assert_eq!(
        error(|document| document["home_rows"] = json!(-1)),
        "`home_rows`: expected an integer from 0 up"
    );
    assert_eq!(
        error(|document| document["format"] = json!("unisono-evidence/2")),
        "`format`: this version reads `unisono-evidence/1`, and the document is `unisono-evidence/2`"
    );
    assert_eq!(Evidence::from_json(&json!([])).unwrap_err().to_string(), "expected an object");
}

/// What of JSON Schema the file uses; every other keyword makes the test fail.
fn satisfies(value: &Json, schema: &Json, root: &Json) -> Result<(), String> {
    for (keyword, wanted) in schema.as_object().unwrap() {
        let fits = match keyword.as_str() {
            "$ref" => {
                let pointer = wanted.as_str().unwrap().trim_start_matches('#');
                satisfies(value, root.pointer(pointer).unwrap(), root)?;
                true
            }
            "anyOf" => wanted.as_array().unwrap().iter().any(|one| satisfies(value, one, root).is_ok()),
            "enum" => wanted.as_array().unwrap().contains(value),
            "type" => match wanted {
                Json::Array(types) => types.iter().any(|one| is_of(value, one)),
                one => is_of(value, one),
            },
            "required" => {
                value.is_null()
                    || wanted.as_array().unwrap().iter().all(|key| value.get(key.as_str().unwrap()).is_some())
            }
            "items" => {
                for item in value.as_array().into_iter().flatten() {
                    satisfies(item, wanted, root)?;
                }
                true
            }
            "properties" => {
                for (key, part) in value.as_object().into_iter().flatten() {
                    let of_key = wanted.get(key).ok_or_else(|| format!("`{key}` is not in the schema"))?;
                    satisfies(part, of_key, root)?;
                }
                true
            }
            "additionalProperties" => *wanted == json!(false),
            "$schema" | "title" | "$defs" => true,
            other => panic!("the test does not know `{other}`"),
        };
        if !fits {
            return Err(format!("{keyword}: {value}"));
        }
    }
    Ok(())
}

fn is_of(value: &Json, name: &Json) -> bool {
    match name.as_str().unwrap() {
        "null" => value.is_null(),
        "object" => value.is_object(),
        "array" => value.is_array(),
        "string" => value.is_string(),
        "integer" => value.is_i64() || value.is_u64(),
        "boolean" => value.is_boolean(),
        other => panic!("the test does not know `{other}`"),
    }
}

#[test]
fn documents_satisfy_the_schema_and_others_do_not() {
    let schema: Json = serde_json::from_str(SCHEMA).unwrap();
    assert_eq!(satisfies(&evidence().to_json(), &schema, &schema), Ok(()));
    let bare = Evidence { epoch: None, outcomes: Vec::new(), ..evidence() };
    assert_eq!(satisfies(&bare.to_json(), &schema, &schema), Ok(()));
    let mut document = evidence().to_json();
    document["metrics"][0]["tolerance"]["bound"] = json!(0.3);
    assert!(satisfies(&document, &schema, &schema).is_err());
    let words = |pointer: &str| schema.pointer(pointer).unwrap().as_array().unwrap().clone();
    assert_eq!(words("/$defs/cause/enum"), Cause::ALL.map(|cause| json!(cause.as_str())));
    assert_eq!(words("/$defs/verdict/enum"), Verdict::ALL.map(|verdict| json!(verdict.as_str())));
}
