//! A small model and requests against it, for tests of this module.
//! In: a request as JSON. Out: the resolved model and what the compiler made of the request.

use unisono_compiler::catalog::parse_ddl;
use unisono_compiler::plan::{Plan, plan};
use unisono_compiler::query::{Bound, Moment, bind, parse_request};
use unisono_compiler::resolve::{Resolved, resolve_model};
use unisono_compiler::source::SourceId;
use unisono_compiler::syntax::parse_document;

const MODEL: &str = "
name: shop
datasets:
- name: orders
  source: main.orders
  primary_key: [id]
  fields:
  - {name: id, expression: id}
  - {name: customer_id, expression: customer_id}
  - {name: status, expression: status}
  - {name: amount, expression: amount}
  - {name: weight, expression: weight}
  - {name: price, expression: CAST(amount AS DOUBLE)}
  - {name: gain, expression: CAST(amount AS DOUBLE) - weight}
- name: customers
  source: main.customers
  primary_key: [id]
  fields:
  - {name: id, expression: id}
  - {name: region, expression: region}
- name: tags
  source: main.tags
  primary_key: [id]
  fields:
  - {name: id, expression: id}
  - {name: label, expression: label}
- name: order_tags
  source: main.order_tags
  fields:
  - {name: order_id, expression: order_id}
- name: visits
  source: main.visits
  primary_key: [id]
  fields:
  - {name: id, expression: id}
  - {name: seconds, expression: seconds}
relationships:
- {name: orders_customers, from: orders, to: customers, from_columns: [customer_id], to_columns: [id]}
- {name: entries_orders, from: order_tags, to: orders, from_columns: [order_id], to_columns: [id]}
- {name: entries_tags, from: order_tags, to: tags, from_columns: [tag_id], to_columns: [id]}
- {name: visits_customers, from: visits, to: customers, from_columns: [customer_id], to_columns: [id]}
metrics:
- {name: revenue, expression: SUM(orders.amount)}
- {name: order_count, expression: COUNT(orders.id)}
- {name: total_weight, expression: SUM(orders.weight)}
- {name: visit_seconds, expression: SUM(visits.seconds)}
";

const SCHEMA: &str = "
CREATE TABLE orders (id BIGINT, customer_id BIGINT, status VARCHAR, amount DECIMAL(10,2), weight DOUBLE);
CREATE TABLE customers (id BIGINT, region VARCHAR);
CREATE TABLE tags (id BIGINT, label VARCHAR);
CREATE TABLE order_tags (order_id BIGINT, tag_id BIGINT);
CREATE TABLE visits (id BIGINT, customer_id BIGINT, seconds DOUBLE);
";

/// The model against its schema.
pub(super) fn model() -> Resolved {
    let (document, findings) = parse_document(SourceId(0), MODEL);
    assert!(findings.is_empty(), "{findings:?}");
    let (catalog, findings) = parse_ddl(SourceId(0), SCHEMA);
    assert!(findings.is_empty(), "{findings:?}");
    let (resolved, findings) = resolve_model(&document.unwrap().models[0], &catalog, "DATAFUSION");
    resolved.unwrap_or_else(|| panic!("{findings:?}"))
}

/// A request bound to the model.
pub(super) fn bound(resolved: &Resolved, request: &str) -> Bound {
    let (request, findings) = parse_request(SourceId(0), request);
    assert!(findings.is_empty(), "{findings:?}");
    let moment = Moment { now: "2024-01-01 00:00:00.000000".to_string(), zone: "UTC".to_string() };
    let (bound, findings) = bind(resolved, &request.unwrap(), &moment);
    bound.unwrap_or_else(|| panic!("{findings:?}"))
}

/// The request of measures written as expressions, named m0, m1 and so on, by region.
pub(super) fn by_region(resolved: &Resolved, measures: &[&str]) -> Bound {
    let entries = measures.iter().enumerate().map(|(at, text)| {
        let text = serde_json::Value::from(*text);
        format!("{{\"expr\": {text}, \"as\": \"m{at}\"}}")
    });
    let measures = entries.collect::<Vec<_>>().join(", ");
    bound(resolved, &format!("{{\"dimensions\": [\"customers.region\"], \"measures\": [{measures}]}}"))
}

/// The plan of a bound request.
pub(super) fn planned(resolved: &Resolved, bound: &Bound) -> Plan {
    let (plan, findings) = plan(resolved, bound);
    plan.unwrap_or_else(|| panic!("{findings:?}"))
}
