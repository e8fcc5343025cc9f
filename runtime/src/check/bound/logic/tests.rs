//! Three-valued logic and comparisons where engines may decide differently.

use super::*;
use crate::check::bound::span::Span;

fn span(low: f64, high: f64) -> Estimate {
    Estimate::Span(Span::new(low, f64::midpoint(low, high), high).unwrap())
}

const TRUE: Estimate = Same(Value::Boolean(true));
const FALSE: Estimate = Same(Value::Boolean(false));
const NULL: Estimate = Same(Value::Null);

#[test]
fn intervals_are_compared_where_they_have_nothing_in_common() {
    let (low, high) = (span(1.0, 2.0), span(2.5, 3.0));
    assert_eq!(compare(Scalar::Less, &low, &high), TRUE);
    assert_eq!(compare(Scalar::GreaterEqual, &low, &high), FALSE);
    assert_eq!(compare(Scalar::NotEqual, &high, &low), TRUE);
    assert_eq!(compare(Scalar::Greater, &high, &low), TRUE);
    // They touch: one engine may find them equal.
    assert_eq!(compare(Scalar::Less, &low, &span(2.0, 3.0)), Unknown);
    assert_eq!(compare(Scalar::Equal, &low, &low), Unknown);
    assert_eq!(compare(Scalar::LessEqual, &span(1.0, 1.0), &span(1.0, 1.0)), TRUE);
    assert_eq!(compare(Scalar::Equal, &low, &NULL), NULL);
    assert_eq!(compare(Scalar::Equal, &Unknown, &NULL), NULL);
    assert_eq!(compare(Scalar::Equal, &Unknown, &low), Unknown);
    assert_eq!(compare(Scalar::Less, &low, &Same(Value::Integer(3))), TRUE);
    assert_eq!(compare(Scalar::Less, &low, &Same(Value::Integer(2))), Unknown);
    let text = Same(Value::Text("a".to_string()));
    assert_eq!(compare(Scalar::Equal, &text, &text), TRUE);
}

#[test]
fn logic_is_decided_by_what_is_known() {
    assert_eq!(logic(Scalar::And, &[Unknown, FALSE]), FALSE);
    assert_eq!(logic(Scalar::And, &[Unknown, TRUE]), Unknown);
    assert_eq!(logic(Scalar::And, &[NULL, TRUE]), NULL);
    assert_eq!(logic(Scalar::And, &[TRUE, TRUE]), TRUE);
    assert_eq!(logic(Scalar::Or, &[Unknown, TRUE]), TRUE);
    assert_eq!(logic(Scalar::Or, &[Unknown, NULL]), Unknown);
    assert_eq!(logic(Scalar::Or, &[NULL, FALSE]), NULL);
    assert_eq!(logic(Scalar::Or, &[FALSE, FALSE]), FALSE);
    assert_eq!(logic(Scalar::Not, &[TRUE]), FALSE);
    assert_eq!(logic(Scalar::Not, &[NULL]), NULL);
    assert_eq!(logic(Scalar::Not, &[Unknown]), Unknown);
}

#[test]
fn choices_pass_null_in_their_own_ways() {
    let some = span(1.0, 2.0);
    assert_eq!(choose(Scalar::Coalesce, &[NULL, some.clone(), TRUE]), Some(some.clone()));
    assert_eq!(choose(Scalar::Coalesce, &[Unknown, TRUE]), Some(Unknown));
    assert_eq!(choose(Scalar::Coalesce, &[NULL, NULL]), Some(NULL));
    assert_eq!(choose(Scalar::IsNull, &[NULL]), Some(TRUE));
    assert_eq!(choose(Scalar::IsNull, std::slice::from_ref(&some)), Some(FALSE));
    assert_eq!(choose(Scalar::IsNotNull, std::slice::from_ref(&some)), Some(TRUE));
    assert_eq!(choose(Scalar::IsNotNull, &[NULL]), Some(FALSE));
    assert_eq!(choose(Scalar::IsNull, &[Unknown]), Some(Unknown));
    assert_eq!(choose(Scalar::NullIf, &[some.clone(), span(3.0, 4.0)]), Some(some.clone()));
    assert_eq!(choose(Scalar::NullIf, &[some.clone(), NULL]), Some(some.clone()));
    assert_eq!(choose(Scalar::NullIf, &[some.clone(), span(2.0, 4.0)]), Some(Unknown));
    assert_eq!(choose(Scalar::NullIf, &[span(2.0, 2.0), span(2.0, 2.0)]), Some(NULL));
    assert_eq!(choose(Scalar::IsDistinctFrom, &[some.clone(), NULL]), Some(TRUE));
    assert_eq!(choose(Scalar::IsDistinctFrom, &[NULL, NULL]), Some(FALSE));
    assert_eq!(choose(Scalar::IsNotDistinctFrom, &[some.clone(), span(5.0, 6.0)]), Some(FALSE));
    assert_eq!(choose(Scalar::IsNotDistinctFrom, &[some.clone(), some]), Some(Unknown));
    assert_eq!(choose(Scalar::Add, &[NULL, NULL]), None);
}
