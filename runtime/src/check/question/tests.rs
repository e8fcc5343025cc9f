//! Questions of bound requests.

use super::*;
use crate::check::sample::{bound, model};

fn of(request: &str) -> Question {
    question(&bound(&model(), request)).unwrap()
}

fn empties(measures: &[&str]) -> Vec<Option<Value>> {
    let entries: Vec<String> = measures
        .iter()
        .enumerate()
        .map(|(at, text)| format!("{{\"expr\": \"{text}\", \"as\": \"m{at}\"}}"))
        .collect();
    let question = of(&format!("{{\"measures\": [{}]}}", entries.join(", ")));
    question.metrics.into_iter().map(|metric| metric.empty).collect()
}

#[test]
fn dimensions_metrics_and_classes_are_those_of_the_request() {
    let question = of(r#"{"dimensions": ["customers.region"], "measures": ["revenue", "total_weight"]}"#);
    assert_eq!(question.dimensions, ["region"]);
    let metrics: Vec<_> =
        question.metrics.iter().map(|metric| (metric.name.as_str(), metric.class)).collect();
    assert_eq!(metrics, [("revenue", Exactness::Exact), ("total_weight", Exactness::Rounding)]);
    assert_eq!(question.grouping, Exactness::Exact);
}

#[test]
fn what_decides_groups_has_a_class_of_its_own() {
    let rounded = [
        r#"{"measures": ["revenue"], "where": ["orders.price * 1.1e0 > 5e0"]}"#,
        r#"{"measures": ["revenue"], "dimensions": ["customers.region"], "having": ["total_weight > 5e0"]}"#,
    ];
    for request in rounded {
        assert_eq!(of(request).grouping, Exactness::Divergent, "{request}");
    }
    let upper =
        of(r#"{"measures": ["revenue"], "dimensions": [{"expr": "UPPER(customers.region)", "as": "r"}]}"#);
    assert_eq!(upper.grouping, Exactness::Divergent);
    let exact = of(r#"{"measures": ["revenue"], "where": ["orders.amount > 5", "orders.weight > 5e0"]}"#);
    assert_eq!(exact.grouping, Exactness::Exact);
}

#[test]
fn values_over_no_rows_are_known_where_they_are_simple() {
    let (null, zero) = (Some(Value::Null), Some(Value::Integer(0)));
    assert_eq!(
        empties(&[
            "revenue",
            "order_count",
            "COUNT(orders.id) + SUM(orders.id)",
            "COUNT(DISTINCT orders.status)"
        ]),
        [null.clone(), zero, null.clone(), Some(Value::Integer(0))]
    );
    assert_eq!(
        empties(&[
            "COALESCE(SUM(orders.weight), 0e0)",
            "AVG(orders.amount)",
            "COUNT(orders.id) / COUNT(orders.id)"
        ]),
        [Some(Value::Float(0.0)), null.clone(), null]
    );
    let computed =
        ["COUNT(orders.id) + 1", "CASE WHEN COUNT(orders.id) > 0 THEN 1 END", "COUNT(orders.id) / 2e0"];
    assert_eq!(empties(&computed), [None, None, None]);
}

#[test]
fn a_list_of_rows_is_no_question() {
    assert_eq!(question(&bound(&model(), r#"{"fields": ["orders.id"]}"#)), None);
}
