//! Texts and hashes by hand; the hashes of known texts are public test vectors.

use serde_json::json;
use unisono_compiler::data_type::DataType;

use super::*;
use crate::table::Column;

fn table(names: &[&str], rows: Vec<Vec<Value>>) -> Table {
    let column = |name: &&str| Column { name: (*name).to_string(), data_type: DataType::Unknown };
    Table { columns: names.iter().map(column).collect(), rows, truncated: false }
}

fn text(text: &str) -> Value {
    Value::Text(text.to_string())
}

fn columns() -> Vec<String> {
    vec!["k".to_string(), "v".to_string()]
}

#[test]
fn equal_answers_have_one_text() {
    let left = table(
        &["k", "v"],
        vec![
            vec![Value::Null, Value::Float(-0.0)],
            vec![text("b\t\"c\""), Value::Decimal { unscaled: 150, scale: 2 }],
            vec![text("a"), Value::Integer(3)],
        ],
    );
    let right = table(
        &["v", "__rows", "k"],
        vec![
            vec![Value::Float(3.0), Value::Integer(1), text("a")],
            vec![Value::Integer(0), Value::Integer(1), Value::Null],
            vec![Value::Decimal { unscaled: 15, scale: 1 }, Value::Integer(1), text("b\t\"c\"")],
        ],
    );
    let expected = "\"k\"\t\"v\"\nt\"a\"\tn3\nt\"b\\t\\\"c\\\"\"\tn1.5\n-\tn0\n";
    assert_eq!(answer_text(&columns(), &left).as_deref(), Some(expected));
    assert_eq!(answer_text(&columns(), &right).as_deref(), Some(expected));
    assert_eq!(answer_digest(&columns(), &left), answer_digest(&columns(), &right));
}

#[test]
fn values_of_other_families_never_look_alike() {
    let of = |value: Value| answer_text(&["v".to_string()], &table(&["v"], vec![vec![value]])).unwrap();
    let texts = [
        of(Value::Null),
        of(text("")),
        of(text("-")),
        of(text("1")),
        of(Value::Integer(1)),
        of(Value::Boolean(true)),
        of(Value::Date(0)),
        of(text("1970-01-01")),
        of(Value::Timestamp(0)),
        of(Value::Instant(0)),
        of(Value::Time(0)),
        of(Value::Float(f64::NAN)),
        of(text("NaN")),
    ];
    for (at, one) in texts.iter().enumerate() {
        assert!(texts[at + 1..].iter().all(|other| other != one), "{one}");
    }
}

#[test]
fn a_missing_column_or_value_has_no_text() {
    assert_eq!(answer_text(&columns(), &table(&["k"], Vec::new())), None);
    assert_eq!(answer_text(&columns(), &table(&["k", "v"], vec![vec![Value::Null]])), None);
    assert_eq!(answer_text(&columns(), &table(&["k", "v"], Vec::new())).as_deref(), Some("\"k\"\t\"v\"\n"));
}

#[test]
fn json_has_sorted_keys_and_one_form_of_numbers() {
    let value = json!({"b": [1, 1.0, -0.0, 0.5, 1e300, true, null], "a": {"z": "x\"\n", "y": 18_446_744_073_709_551_615_u64}});
    let expected = r#"{"a":{"y":18446744073709551615,"z":"x\"\n"},"b":[1,1,0,0.5,1e300,true,null]}"#;
    assert_eq!(canonical_json(&value), expected);
    let other: serde_json::Value = serde_json::from_str(r#"{"y": 1, "x": 2.0}"#).unwrap();
    assert_eq!(json_digest(&other), json_digest(&json!({"x": 2, "y": 1.0})));
    assert_ne!(json_digest(&other), json_digest(&json!({"x": 2, "y": 1.5})));
}

#[test]
fn sha256_of_known_texts() {
    assert_eq!(sha256(b""), "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
    assert_eq!(sha256(b"abc"), "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
}
