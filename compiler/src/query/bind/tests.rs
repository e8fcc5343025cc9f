//! Requests bound to small models: orders by short forms, and a graph of very many far sides.

use std::fmt::Write;

use crate::catalog::Catalog;
use crate::diagnostic::Diagnostic;
use crate::expr::{Expr, ExprKind};
use crate::function::{Function, Unit};
use crate::plan::plan;
use crate::query::{Bound, GroupRef, Moment, Shape, bind, parse_request};
use crate::relation::relate;
use crate::resolve::{Resolved, resolve_model};
use crate::source::SourceId;
use crate::syntax::parse_document;

fn resolved(model: &str) -> Resolved {
    let (document, findings) = parse_document(SourceId(0), model);
    assert_eq!(findings, []);
    let (resolved, findings) = resolve_model(&document.unwrap().models[0], &Catalog::default(), "");
    resolved.unwrap_or_else(|| panic!("{findings:?}"))
}

fn bound(resolved: &Resolved, request: &str) -> (Option<Bound>, Vec<Diagnostic>) {
    let (request, findings) = parse_request(SourceId(1), request);
    assert_eq!(findings, []);
    let moment = Moment { now: "2026-01-01 00:00:00.000000".to_string(), zone: "UTC".to_string() };
    bind(resolved, &request.unwrap(), &moment)
}

const ORDERS: &str = r#"name: shop
datasets:
- name: orders
  source: orders
  primary_key: [id]
  fields:
  - {name: id, expression: id, datatype: Integer}
  - {name: ordered_at, expression: ordered_at, datatype: DateTime}
  - {name: '"Paid At"', expression: paid_at, datatype: DateTime}
"#;

#[test]
fn an_order_names_a_truncated_time_by_its_leaf_or_in_quotes() {
    let orders = resolved(ORDERS);
    for (dimension, key) in [
        (r#""orders.ordered_at:month""#, r#""ordered_at:month""#),
        (r#""orders.ordered_at:month""#, r#"{"field": "ordered_at", "grain": "month"}"#),
        (r#""orders.ordered_at:month""#, r#""orders.ordered_at:month""#),
        (r#""orders.\"Paid At\":month""#, r#""\"Paid At\":month""#),
        (r#""orders.\"Paid At\":month""#, r#""orders.\"Paid At\":month""#),
    ] {
        let request = format!(r#"{{"dimensions": [{dimension}], "order_by": [{key}]}}"#);
        let (bound, findings) = bound(&orders, &request);
        assert_eq!(findings, [], "{request}");
        let Shape::Aggregation(aggregation) = bound.unwrap().shape else { panic!("{request}") };
        let key = &aggregation.order_by[0].expr;
        assert!(matches!(*key.kind, ExprKind::Reference(GroupRef::Dimension(0))), "{request}");
    }
    let (bound, findings) = bound(
        &orders,
        r#"{"fields": ["orders.id", "orders.ordered_at:day"], "order_by": ["ordered_at:day"]}"#,
    );
    assert_eq!(findings, []);
    let Shape::Scalar(scalar) = bound.unwrap().shape else { panic!("fields are asked for") };
    let truncation = |expr: &Expr<_>| {
        matches!(&*expr.kind, ExprKind::Call { function: Function::DateTrunc(Unit::Day), .. })
    };
    assert!(truncation(&scalar.order_by[0].expr));
}

const VARIANTS: &str = "name: shop
datasets:
- name: orders
  source: orders
  fields:
  - {name: amount, expression: amount}
  - name: net
    expression: {dialects: [{dialect: ANSI_SQL, expression: amount}, {dialect: DUCKDB, expression: amount - 1}]}
  - name: gross
    expression: {dialects: [{dialect: ANSI_SQL, expression: amount*2}, {dialect: DUCKDB, expression: amount * 2}]}
  - {name: rest, expression: net + 1}
metrics:
- name: total
  expression: {dialects: [{dialect: ANSI_SQL, expression: SUM(orders.amount)}, {dialect: DUCKDB, expression: SUM(orders.rest)}]}
- {name: share, expression: total / 2}
";

#[test]
fn a_target_s_own_expressions_are_told_where_they_are_used() {
    let told = |dialect: &str, request: &str| -> Vec<String> {
        let (document, _) = parse_document(SourceId(0), VARIANTS);
        let (resolved, _) = resolve_model(&document.unwrap().models[0], &Catalog::default(), dialect);
        bound(&resolved.unwrap(), request).1.into_iter().map(|finding| finding.message).collect()
    };
    let share = r#"{"measures": ["share"]}"#;
    assert_eq!(
        told("DUCKDB", share),
        [
            "metric `total` uses its own expression for DUCKDB, `SUM(orders.rest)`",
            "field `net` uses its own expression for DUCKDB, `amount - 1`",
        ]
    );
    assert_eq!(told("FLINK", share), [""; 0]);
    assert_eq!(told("DUCKDB", r#"{"fields": ["orders.gross"]}"#), [""; 0]);
}

/// Searching the graph anew for each pair of sides took minutes here.
#[test]
fn a_hub_with_very_many_far_sides_is_compiled() {
    const SIDES: usize = 200;
    let mut text = String::from(
        "name: hub\ndatasets:\n- {name: hub, source: hub, primary_key: [id], fields: [{name: v, expression: v, datatype: Integer}]}\n",
    );
    for side in 0..SIDES {
        let _ = writeln!(
            text,
            "- {{name: far_{side}, source: far_{side}, fields: [{{name: l_{side}, expression: l, datatype: String}}]}}"
        );
    }
    text.push_str("relationships:\n");
    for side in 0..SIDES {
        let _ = writeln!(
            text,
            "- {{name: r_{side}, from: far_{side}, to: hub, from_columns: [hub_id], to_columns: [id]}}"
        );
    }
    let hub = resolved(&text);
    let dimensions: Vec<String> = (0..SIDES).map(|side| format!("\"far_{side}.l_{side}\"")).collect();
    let (bound, findings) = bound(
        &hub,
        &format!(
            "{{\"dimensions\": [{}], \"measures\": [{{\"expr\": \"SUM(hub.v)\", \"as\": \"v\"}}]}}",
            dimensions.join(", ")
        ),
    );
    assert_eq!(findings, []);
    let bound = bound.unwrap();
    let Shape::Aggregation(aggregation) = &bound.shape else { panic!("a measure is asked for") };
    assert_eq!(aggregation.branches[0].sides.len(), SIDES);
    let (planned, _) = plan(&hub, &bound);
    assert_eq!(relate(&hub, &planned.unwrap()).ctes[0].name, "hub_distinct");
}
