//! Exact equality, order, differences and texts of values against answers by hand.

use super::*;

fn decimal(unscaled: i128, scale: u8) -> Value {
    Value::Decimal { unscaled, scale }
}

#[test]
fn null_equals_null_only() {
    assert!(same(&Value::Null, &Value::Null));
    for other in
        [Value::Integer(0), Value::Text(String::new()), Value::Boolean(false), Value::Float(f64::NAN)]
    {
        assert!(!same(&Value::Null, &other) && !same(&other, &Value::Null), "{other:?}");
        assert_eq!(order(&Value::Null, &other), Ordering::Greater);
        assert_eq!(order(&other, &Value::Null), Ordering::Less);
    }
}

#[test]
fn numbers_are_equal_by_exact_value_whatever_their_type() {
    assert!(same(&decimal(10, 1), &decimal(100, 2)));
    assert!(same(&Value::Integer(1), &decimal(100, 2)));
    assert!(same(&Value::Float(0.5), &decimal(50, 2)));
    assert!(same(&Value::Float(3.0), &Value::Integer(3)));
    assert!(!same(&decimal(10, 1), &decimal(101, 2)));
    assert!(!same(&decimal(-10, 1), &decimal(100, 2)));
    // The double nearest to 0.1 is 0.1000000000000000055511151231257827...
    assert!(!same(&Value::Float(0.1), &decimal(1, 1)));
    // 2^53 + 1 is no double.
    assert!(!same(&Value::Float(9_007_199_254_740_992.0), &Value::Integer(9_007_199_254_740_993)));
    assert!(same(&Value::Float(9_007_199_254_740_992.0), &Value::Integer(9_007_199_254_740_992)));
    let largest = 10_i128.pow(38) - 1;
    assert!(!same(&decimal(largest, 0), &decimal(largest, 38)));
}

#[test]
fn signed_zeros_and_nans_are_equal() {
    assert!(same(&Value::Float(-0.0), &Value::Float(0.0)));
    assert!(same(&Value::Float(-0.0), &Value::Integer(0)));
    assert!(same(&decimal(0, 5), &Value::Float(-0.0)));
    assert!(same(&Value::Float(f64::NAN), &Value::Float(-f64::NAN)));
    assert!(!same(&Value::Float(f64::NAN), &Value::Float(f64::INFINITY)));
    assert!(!same(&Value::Float(f64::INFINITY), &Value::Float(f64::NEG_INFINITY)));
    assert!(!same(&Value::Float(f64::NAN), &Value::Integer(0)));
}

#[test]
fn families_never_meet() {
    let values = [
        Value::Boolean(true),
        Value::Integer(1),
        Value::Text("1".to_string()),
        Value::Date(1),
        Value::Time(1),
        Value::Timestamp(1),
        Value::Instant(1),
    ];
    for (at, left) in values.iter().enumerate() {
        for (other, right) in values.iter().enumerate() {
            assert_eq!(order(left, right), at.cmp(&other), "{left:?} {right:?}");
        }
    }
}

#[test]
fn numbers_are_ordered_across_types_with_nan_last() {
    let ascending = [
        Value::Float(f64::NEG_INFINITY),
        decimal(-101, 1),
        Value::Integer(-10),
        Value::Float(-9.5),
        Value::Integer(0),
        decimal(5, 2),
        Value::Float(0.0625),
        Value::Integer(9),
        decimal(955, 2),
        Value::Integer(10),
        Value::Float(f64::INFINITY),
        Value::Float(f64::NAN),
    ];
    for (at, left) in ascending.iter().enumerate() {
        for (other, right) in ascending.iter().enumerate() {
            assert_eq!(order(left, right), at.cmp(&other), "{left:?} {right:?}");
        }
    }
}

#[test]
fn texts_and_times_are_ordered_within_their_family() {
    let text = |text: &str| Value::Text(text.to_string());
    assert_eq!(order(&text("a"), &text("a ")), Ordering::Less);
    assert!(!same(&text("a"), &text("A")));
    assert_eq!(order(&Value::Date(2), &Value::Date(10)), Ordering::Less);
    assert!(same(&Value::Timestamp(5), &Value::Timestamp(5)));
    assert_eq!(order(&Value::Boolean(false), &Value::Boolean(true)), Ordering::Less);
}

#[test]
fn differences_are_right_minus_left_and_exact_where_both_are() {
    assert_eq!(difference(&decimal(100, 2), &decimal(15, 1)), Some(decimal(50, 2)));
    assert_eq!(difference(&Value::Integer(7), &Value::Integer(5)), Some(Value::Integer(-2)));
    assert_eq!(difference(&Value::Integer(1), &decimal(125, 2)), Some(decimal(25, 2)));
    assert_eq!(difference(&Value::Float(1.5), &Value::Integer(1)), Some(Value::Float(-0.5)));
    assert_eq!(
        difference(&Value::Integer(i64::MIN), &Value::Integer(1)),
        Some(decimal(9_223_372_036_854_775_809, 0))
    );
    let largest = 10_i128.pow(38) - 1;
    assert_eq!(difference(&decimal(-largest, 0), &decimal(largest, 0)), Some(Value::Float(2e38)));
    assert_eq!(difference(&decimal(1, 38), &decimal(largest, 0)), Some(Value::Float(1e38)));
    assert_eq!(difference(&Value::Null, &Value::Integer(1)), None);
    assert_eq!(difference(&Value::Date(1), &Value::Date(2)), None);
}

#[test]
fn equal_numbers_have_one_text() {
    let text = |value: Value| number_text(&value);
    for one in [Value::Integer(1), decimal(100, 2), Value::Float(1.0)] {
        assert_eq!(text(one).as_deref(), Some("1"));
    }
    assert_eq!(text(decimal(-50, 2)).as_deref(), Some("-0.5"));
    assert_eq!(text(Value::Float(-0.0)).as_deref(), Some("0"));
    assert_eq!(text(Value::Float(0.1)).as_deref(), Some("0.1"));
    assert_eq!(text(Value::Float(1e300)).as_deref(), Some("1e300"));
    assert_eq!(text(Value::Float(f64::NAN)).as_deref(), Some("NaN"));
    assert_eq!(text(Value::Float(f64::NEG_INFINITY)).as_deref(), Some("-Infinity"));
    // 2^-10 has ten digits after the point, as a double and as a decimal.
    assert_eq!(text(Value::Float(0.000_976_562_5)), text(decimal(9_765_625, 10)));
    // 2^-30 has 21 digits, and its shortest text has 16.
    let digits = 931_322_574_615_478_515_625;
    assert_eq!(text(Value::Float(1.0 / 1_073_741_824.0)), text(decimal(digits, 30)));
    assert_eq!(text(Value::Text("1".to_string())), None);
    assert_eq!(text(Value::Null), None);
}

#[test]
fn nearest_doubles_of_numbers() {
    assert!((to_float(&decimal(1, 1)) - 0.1).abs() < f64::MIN_POSITIVE);
    assert!((to_float(&Value::Integer(-3)) + 3.0).abs() < f64::MIN_POSITIVE);
    assert!(to_float(&Value::Text("3".to_string())).is_nan());
}

#[test]
fn types_belong_to_families_as_their_values_do() {
    assert_eq!(family_of_type(DataType::Int8), Some(Family::Number));
    assert_eq!(family_of_type(DataType::Decimal { precision: 5, scale: 2 }), Some(Family::Number));
    assert_eq!(family_of_type(DataType::Float32), Some(Family::Number));
    assert_eq!(family_of_type(DataType::TimestampTz), family(&Value::Instant(0)));
    assert_eq!(family_of_type(DataType::Timestamp), family(&Value::Timestamp(0)));
    assert_eq!(family_of_type(DataType::Unknown), None);
    assert_eq!(family_of_type(DataType::Null), None);
}
