//! Requests bound to small models: orders by short forms, and a graph of very many far sides.

use std::fmt::Write;

use crate::catalog::Catalog;
use crate::data_type::DataType;
use crate::diagnostic::Diagnostic;
use crate::expr::{Expr, ExprKind};
use crate::function::{Function, Scalar, Unit};
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

/// The codes of what is said about a request to the orders.
fn codes(request: &str) -> Vec<&'static str> {
    bound(&resolved(ORDERS), request).1.iter().map(|finding| finding.code.as_str()).collect()
}

#[test]
fn a_parameter_that_nothing_uses_is_told() {
    let request = |params: &str, rest: &str| {
        format!(r#"{{"dimensions": ["orders.id"], {rest}, "params": {{{params}}}}}"#)
    };
    let filter = r#""where": "orders.id > :least""#;
    assert_eq!(codes(&request(r#""least": 1"#, filter)), [""; 0]);
    assert_eq!(codes(&request(r#""least": 1, "zone": "EU""#, filter)), ["W_UNUSED_PARAMETER"]);
    // A near name is used: which of the two was meant is open.
    let near = request(r#""least": 1, "leest": 2"#, filter);
    let (answer, found) = bound(&resolved(ORDERS), &near);
    assert_eq!(answer, None);
    assert_eq!(
        (found[0].code.as_str(), found[0].candidates.as_slice()),
        ("E_UNKNOWN_KEY", &["least".to_string()][..])
    );
    // Each clause counts as a use.
    for clause in [
        r#""having": "COUNT(orders.id) > :n""#,
        r#""order_by": ["orders.id + :n"]"#,
        r#""measures": [{"expr": "SUM(CASE WHEN orders.id IN (1, :n) THEN 1 END)", "as": "s"}]"#,
    ] {
        assert_eq!(codes(&request(r#""n": 1"#, clause)), [""; 0], "{clause}");
    }
    assert_eq!(codes(r#"{"fields": ["orders.id"], "params": {"n": 1}}"#), ["W_UNUSED_PARAMETER"]);
}

#[test]
fn a_dimension_at_fault_does_not_hide_a_measure_at_fault() {
    let model = format!("{ORDERS}metrics:\n- {{name: order_count, expression: COUNT(orders.id)}}\n");
    let orders = resolved(&model);
    let near = |request: &str| -> Vec<String> {
        let (answer, found) = bound(&orders, request);
        assert_eq!(answer, None, "{request}");
        found.iter().map(|finding| format!("{}: {}", finding.code, finding.candidates.join(","))).collect()
    };
    let both = r#"{"dimensions": ["orders.ordered"], "measures": ["order_cuont", "order_count", "SUM(orders.idd)"]}"#;
    let found = near(both);
    assert_eq!(found.len(), 3, "{found:?}");
    assert!(found[0].starts_with("E_NAME_NOT_FOUND: ordered_at"), "{found:?}");
    assert!(found[1].starts_with("E_NAME_NOT_FOUND: order_count"), "{found:?}");
    assert!(found[2].starts_with("E_NAME_NOT_FOUND: id"), "{found:?}");
    // What cannot be read is said of both too.
    let unread = r#"{"dimensions": ["orders.id +"], "measures": ["order_cuont +"]}"#;
    assert_eq!(near(unread), ["E_PARSE: ", "E_PARSE: "]);
    // Whether a measure's time is there is the dimension's business.
    let time = r#"{"dimensions": ["orders.idd"], "measures": ["MAX(metric_time)"]}"#;
    assert_eq!(near(time), ["E_NAME_NOT_FOUND: id"]);
}

#[test]
fn a_time_range_that_ends_before_it_starts_is_refused() {
    for (start, end, reversed) in [
        ("2024-02-01", "2024-01-31", true),
        ("2024-02-01 00:00:00.1", "2024-02-01", true),
        ("2024-02-01T12:00:00", "2024-02-01 11:59:59", true),
        ("2024-01-01", "2024-02-01", false),
        ("2024-02-01", "2024-02-01", false),
        ("2024-02-01 00:00:00.500", "2024-02-01 00:00:00.5", false),
    ] {
        for asked in [r#""dimensions": ["orders.id"]"#, r#""fields": ["orders.id"]"#] {
            let request = format!(
                r#"{{{asked}, "time_range": {{"dimension": "orders.ordered_at", "start": "{start}", "end": "{end}"}}}}"#
            );
            let wanted: &[&str] = if reversed { &["E_TIME_RANGE_REVERSED"] } else { &[] };
            assert_eq!(codes(&request), wanted, "{request}");
        }
    }
}

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

const MEASURED: &str = "name: lab
datasets:
- name: runs
  source: runs
  fields:
  - {name: id, expression: id, datatype: Integer}
  - {name: x, expression: x, datatype: Float}
  - {name: share, expression: x / 3}
  - {name: label, expression: label, datatype: String}
";

#[test]
fn what_jumps_over_a_rounded_value_is_divergent() {
    let lab = resolved(MEASURED);
    for (expression, class) in [
        ("SUM(CAST(runs.x AS INTEGER))", "exact"),
        ("MAX(FLOOR(runs.x))", "exact"),
        ("MAX(TRUNC(runs.x))", "exact"),
        ("SUM(SIGN(runs.x))", "exact"),
        ("COUNT(runs.share)", "exact"),
        ("COUNT_IF(runs.x > 3)", "exact"),
        ("MAX(ABS(runs.share))", "rounding"),
        ("SUM(DISTINCT runs.x)", "rounding"),
        ("MAX(runs.x % 3)", "rounding"),
        // A double holds the whole numbers up to 2^53.
        ("MAX(CAST(runs.id AS DOUBLE))", "rounding"),
        ("COUNT_IF(runs.label LIKE 'a%')", "exact"),
        // Beyond ASCII, engines have other small letters.
        ("COUNT_IF(runs.label ILIKE 'a%')", "divergent"),
        // 2.675 is a little less than its text says.
        ("SUM(CAST(runs.x AS DECIMAL(10, 2)))", "divergent"),
        ("MAX(TRUNC(runs.x, 2))", "divergent"),
        ("MAX(ROUND(runs.x, 2))", "divergent"),
        // Next to a whole number, a value that is rounded otherwise is another whole number.
        ("SUM(CAST(runs.share AS INTEGER))", "divergent"),
        ("MAX(FLOOR(runs.share))", "divergent"),
        ("MAX(CEIL(runs.share))", "divergent"),
        ("MAX(TRUNC(runs.share))", "divergent"),
        ("SUM(SIGN(runs.share))", "divergent"),
        ("MAX(runs.share % 3)", "divergent"),
        ("SUM(NULLIF(runs.share, 0))", "divergent"),
        ("SUM(DISTINCT runs.share)", "divergent"),
        ("FLOOR(AVG(runs.id))", "divergent"),
        ("MIN_BY(runs.id, runs.share)", "divergent"),
        ("COUNT_IF(runs.share > 0)", "divergent"),
    ] {
        let request = format!(r#"{{"measures": [{{"as": "m", "expr": "{expression}"}}]}}"#);
        let (bound, findings) = bound(&lab, &request);
        assert_eq!(findings, [], "{expression}");
        let Shape::Aggregation(aggregation) = bound.unwrap().shape else { panic!("{expression}") };
        assert_eq!(aggregation.measures[0].expr.exactness.as_str(), class, "{expression}");
    }
}

const SALES: &str = "name: shop
datasets:
- name: sales
  source: sales
  primary_key: [venue, show]
  fields:
  - {name: venue, expression: venue, datatype: String}
  - {name: sold_on, expression: sold_on, datatype: Date}
  - {name: amount, expression: amount, datatype: Integer}
metrics:
- {name: revenue, expression: SUM(sales.amount)}
";

#[test]
fn messages_lead_to_what_was_meant() {
    let shop = resolved(SALES);
    for (request, message, advice) in [
        (
            r#"{"measures": [{"as": "m", "expr": "MEAN(sales.amount)"}]}"#,
            "`MEAN` is no function of the expression language",
            "write AVG(x)",
        ),
        (
            r#"{"measures": [{"as": "m", "expr": "FIRST_VALUE(sales.amount)"}]}"#,
            "FIRST_VALUE is a window function, and here is no OVER",
            "write FIRST_VALUE(..) OVER (ORDER BY ..); the value of the first or last row is MIN_BY or MAX_BY",
        ),
        (
            r#"{"measures": [{"as": "m", "expr": "AVG(sales.amount > 1)"}]}"#,
            "AVG wants a number, found Boolean",
            "a share of rows is COUNT_IF(c) / COUNT(c)",
        ),
        (
            r#"{"measures": ["revenue"], "where": "sales.venue LIKE 'a\\_b'"}"#,
            "the pattern of LIKE holds a backslash, which only some engines take as an escape",
            "use CONTAINS, STARTSWITH or ENDSWITH",
        ),
        (
            r#"{"measures": ["revenue"], "where": "sales.venue = \"hall\""}"#,
            "there is no metric `hall`",
            "a text stands in single quotes, as in 'hall'; in double quotes it is a name",
        ),
        (
            r#"{"measures": ["revenue"], "dimensions": ["sales.sold_on__month"]}"#,
            "dataset `sales` has no field `sold_on__month`",
            "a field at a grain is written `sales.sold_on:month`",
        ),
    ] {
        let (_, findings) = bound(&shop, request);
        let said: Vec<(&str, &[String])> =
            findings.iter().map(|finding| (finding.message.as_str(), finding.help.as_slice())).collect();
        let [(found, help)] = said.as_slice() else { panic!("{request}: {said:?}") };
        assert_eq!(*found, message, "{request}");
        assert!(help.iter().any(|line| line == advice), "{request}: {help:?}");
        assert!(findings[0].candidates.is_empty(), "{request}");
    }
}

#[test]
fn an_average_of_sums_is_a_window_over_groups() {
    let shop = resolved(SALES);
    for expression in ["AVG(SUM(sales.amount)) OVER ()", "AVG(COUNT(sales.amount)) OVER ()"] {
        let request = format!(
            r#"{{"dimensions": ["sales.venue"], "measures": [{{"as": "m", "expr": "{expression}"}}]}}"#
        );
        assert_eq!(bound(&shop, &request).1, [], "{expression}");
    }
    let (_, findings) = bound(
        &shop,
        r#"{"dimensions": ["sales.venue"], "measures": [{"as": "m", "expr": "AVG(sales.amount) OVER ()"}]}"#,
    );
    assert_eq!(findings[0].code.as_str(), "E_UNAGGREGATED_FINER_GRAIN_REFERENCE");
}

#[test]
fn an_alias_is_no_other_metric_s_name() {
    let shop = resolved(SALES);
    let code = |request: &str| {
        let codes: Vec<String> =
            bound(&shop, request).1.iter().map(|finding| finding.code.as_str().to_string()).collect();
        codes.join(" ")
    };
    assert_eq!(code(r#"{"measures": [{"expr": "-revenue", "as": "Revenue"}]}"#), "E_NAME_COLLISION");
    assert_eq!(
        code(
            r#"{"dimensions": [{"expr": "sales.venue", "as": "revenue"}], "measures": [{"expr": "COUNT(sales.venue)", "as": "n"}]}"#
        ),
        "E_NAME_COLLISION"
    );
    assert_eq!(code(r#"{"measures": [{"expr": "revenue", "as": "revenue"}]}"#), "");
}

const CLOCK: &str = "name: shop
datasets:
- name: sales
  source: sales
  primary_key: [id]
  fields:
  - {name: id, expression: id, datatype: Integer}
  - {name: sold_on, expression: sold_on, datatype: Date}
  - {name: past, expression: sold_on < CURRENT_DATE}
metrics:
- {name: past_sales, expression: COUNT_IF(sales.sold_on < CURRENT_DATE)}
- {name: age, expression: MAX(sales.sold_on) - CURRENT_DATE}
- {name: sales_count, expression: COUNT(sales.id)}
";

#[test]
fn the_clock_is_bound_in_fields_and_metrics_of_the_model_too() {
    let shop = resolved(CLOCK);
    for (request, reads_clock) in [
        (r#"{"measures": ["past_sales"]}"#, true),
        (r#"{"measures": ["age"]}"#, true),
        (r#"{"dimensions": ["sales.past"], "measures": ["sales_count"]}"#, true),
        (r#"{"measures": ["sales_count"], "where": "sales.past"}"#, true),
        (r#"{"fields": ["sales.id", "sales.past"]}"#, true),
        (r#"{"measures": ["sales_count"]}"#, false),
    ] {
        let (bound, findings) = bound(&shop, request);
        assert_eq!(findings, [], "{request}");
        let bound = bound.unwrap();
        assert_eq!(bound.reads_clock(), reads_clock, "{request}");
        let (plan, findings) = plan(&shop, &bound);
        assert_eq!(findings, [], "{request}");
        let printed = format!("{:?}", plan.unwrap());
        assert_eq!(printed.contains("2026-01-01"), reads_clock, "{request}: {printed}");
    }
}

#[test]
fn fields_that_stand_on_each_other_without_end_are_refused() {
    let mut model = String::from(
        "name: t\ndatasets:\n- name: t\n  source: t\n  fields:\n  - {name: f0, expression: a + 1}\n",
    );
    for number in 1..=3000 {
        let before = number - 1;
        let _ = writeln!(model, "  - {{name: f{number}, expression: f{before} + f{before}}}");
    }
    let chain = resolved(&model);
    let ask = |field: &str| {
        let (bound, findings) = bound(&chain, &format!(r#"{{"fields": ["t.{field}"]}}"#));
        assert_eq!(findings, []);
        plan(&chain, &bound.unwrap()).1
    };
    assert_eq!(ask("f1999"), []);
    let [finding] = ask("f2999").try_into().unwrap();
    assert_eq!(finding.code.as_str(), "E_LIMIT_EXCEEDED");
}

#[test]
fn a_time_range_leaves_its_end_out() {
    let shop = resolved(CLOCK);
    let request = r#"{"measures": ["sales_count"], "time_range": {"dimension": "sales.sold_on", "start": "2024-01-01", "end": "2024-02-01"}}"#;
    let (bound, findings) = bound(&shop, request);
    assert_eq!(findings, []);
    let Shape::Aggregation(aggregation) = bound.unwrap().shape else { panic!("measures are asked for") };
    let functions: Vec<&str> = aggregation.branches[0]
        .predicates
        .iter()
        .map(|predicate| match &*predicate.kind {
            ExprKind::Call { function: Function::Scalar(scalar), .. } => scalar.name(),
            other => panic!("{other:?}"),
        })
        .collect();
    assert_eq!(functions, [">=", "<"]);
}

const MIXED: &str = "name: lab
datasets:
- name: t
  source: t
  primary_key: [id]
  fields:
  - {name: id, expression: id, datatype: Integer}
  - {name: n, expression: n, datatype: Integer}
  - {name: y, expression: y, datatype: Integer}
  - {name: small, expression: 'CAST(n AS DECIMAL(36, 30))'}
  - {name: nearby, expression: SUM(n) OVER (ORDER BY y RANGE BETWEEN 30 PRECEDING AND 30 FOLLOWING)}
";

#[test]
fn a_number_that_a_shared_type_may_not_hold_is_added_to_zero_and_not_cast() {
    let lab = resolved(MIXED);
    for expression in
        ["COALESCE(t.n, t.small)", "GREATEST(t.small, t.n)", "CASE WHEN t.y = 1 THEN t.n ELSE t.small END"]
    {
        let request = format!(r#"{{"fields": [{{"expr": "{expression}", "as": "x"}}]}}"#);
        let (bound, findings) = bound(&lab, &request);
        assert_eq!(findings, [], "{expression}");
        let Shape::Scalar(scalar) = bound.unwrap().shape else { panic!("{expression}") };
        let expr = &scalar.fields[0].1;
        assert_eq!(expr.data_type, DataType::Decimal { precision: 38, scale: 30 }, "{expression}");
        let is_sum = |part: &Expr<_>| {
            matches!(&*part.kind, ExprKind::Call { function: Function::Scalar(Scalar::Add), .. })
        };
        assert!(expr.any(&mut { is_sum }), "{expression}");
        assert!(
            !expr.any(
                &mut |part| matches!(&*part.kind, ExprKind::Cast { .. } if part.data_type == expr.data_type
            && part.children()[0].data_type == DataType::Int64)
            ),
            "{expression}"
        );
    }
}

#[test]
fn a_range_with_an_offset_goes_by_a_key_that_the_offset_cannot_leave() {
    let lab = resolved(MIXED);
    let mut keys = Vec::new();
    for (_, field) in lab.fields.iter() {
        field.as_ref().unwrap().any(&mut |part| {
            if let ExprKind::Window(window) = &*part.kind {
                keys.push(window.order_by[0].expr.data_type);
            }
            false
        });
    }
    // 100 + 30 leaves TINYINT, and DataFusion then counts the rows without a key.
    assert_eq!(keys, [DataType::DECIMAL_38_0]);
}

#[test]
fn a_filter_leaves_out_the_value_and_the_key_of_min_by() {
    let shop = resolved(SALES);
    let request = r#"{"measures": [{"expr": "MIN_BY(sales.venue, sales.sold_on) FILTER (WHERE sales.amount > 0)", "as": "m"}]}"#;
    let (bound, findings) = bound(&shop, request);
    assert_eq!(findings, []);
    let Shape::Aggregation(aggregation) = bound.unwrap().shape else { panic!("a measure is asked for") };
    let arguments = &aggregation.aggregates[0].aggregate.arguments;
    // Were the key left as it is, a row outside the filter could win with NULL.
    assert!(matches!(*arguments[1].kind, ExprKind::Case { .. }), "{arguments:?}");
}
