//! A request as typed on a command line, or named by a pipeline, as the JSON request that the compiler reads.
//! In: lists separated by commas, `expr AS name`, `-revenue`. Out: one JSON value with every name as it was typed.

use serde_json::{Map, Value, json};

/// What a request asks, as typed.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Typed {
    /// Metrics, or expressions with `AS name`.
    pub metrics: Vec<String>,
    /// Dimensions.
    pub by: Vec<String>,
    /// Predicates on rows.
    pub filter: Vec<String>,
    /// Predicates on groups.
    pub having: Vec<String>,
    /// Keys, `-` before one for descending.
    pub order: Vec<String>,
    /// At most so many rows.
    pub limit: Option<u64>,
    /// The zone that instants are cut in.
    pub time_zone: Option<String>,
    /// First moment of `metric_time`.
    pub start: Option<String>,
    /// The moment after the last of `metric_time`.
    pub end: Option<String>,
}

/// The request in the form of docs/guides (dimensions, measures, where, ..). Clauses that were not typed are left out.
pub fn to_json(typed: &Typed) -> Value {
    let mut request = Map::new();
    let mut list = |key: &str, values: Vec<Value>| {
        if !values.is_empty() {
            request.insert(key.to_string(), Value::Array(values));
        }
    };
    let entries = |texts: &[String]| split_all(texts).iter().map(|text| entry(text)).collect();
    list("dimensions", entries(&typed.by));
    list("measures", entries(&typed.metrics));
    list("where", typed.filter.iter().map(|text| json!(text)).collect());
    list("having", typed.having.iter().map(|text| json!(text)).collect());
    list("order_by", split_all(&typed.order).iter().map(|text| order_key(text)).collect());
    if typed.start.is_some() || typed.end.is_some() {
        let mut range = Map::new();
        range.insert("dimension".to_string(), json!("metric_time"));
        range.extend(typed.start.iter().map(|start| ("start".to_string(), json!(start))));
        range.extend(typed.end.iter().map(|end| ("end".to_string(), json!(end))));
        request.insert("time_range".to_string(), Value::Object(range));
    }
    request.extend(typed.limit.iter().map(|limit| ("limit".to_string(), json!(limit))));
    request.extend(typed.time_zone.iter().map(|zone| ("time_zone".to_string(), json!(zone))));
    Value::Object(request)
}

/// `a,COALESCE(b, 0)` has two parts: commas inside brackets and quotes do not separate.
fn split_all(texts: &[String]) -> Vec<String> {
    let mut parts = Vec::new();
    for text in texts {
        let mut depth = 0_u32;
        let mut quote = None;
        let mut part = String::new();
        for c in text.chars() {
            match (quote, c) {
                (Some(open), _) if c == open => quote = None,
                (None, '\'' | '"') => quote = Some(c),
                (None, '(' | '{' | '[') => depth += 1,
                (None, ')' | '}' | ']') => depth = depth.saturating_sub(1),
                _ => {}
            }
            if c == ',' && depth == 0 && quote.is_none() {
                parts.push(std::mem::take(&mut part));
            } else {
                part.push(c);
            }
        }
        parts.push(part);
    }
    parts.iter().map(|part| part.trim().to_string()).filter(|part| !part.is_empty()).collect()
}

/// A key with its direction: `-revenue` is descending.
fn order_key(text: &str) -> Value {
    match text.strip_prefix('-') {
        Some(key) => json!({"expr": key.trim(), "direction": "DESC"}),
        None => json!({"expr": text.strip_prefix('+').unwrap_or(text).trim(), "direction": "ASC"}),
    }
}

/// One name or expression as an entry, with the name after a last AS. Short forms of names are left to the compiler, which
/// knows the names of the model.
pub fn entry(text: &str) -> Value {
    let words: Vec<&str> = text.split_whitespace().collect();
    if let [_, .., marker, name] = words.as_slice()
        && marker.eq_ignore_ascii_case("as")
        && is_name(name)
    {
        let expr = text[..text.trim_end().len() - name.len()].trim_end();
        let expr = expr[..expr.len() - marker.len()].trim_end();
        return json!({"expr": expr, "as": name});
    }
    json!(text)
}

fn is_name(text: &str) -> bool {
    !text.starts_with(|c: char| c.is_ascii_digit()) && text.chars().all(|c| c.is_alphanumeric() || c == '_')
}

#[cfg(test)]
mod tests {
    use super::*;

    fn by(text: &str) -> Value {
        let typed = Typed { by: vec![text.to_string()], ..Typed::default() };
        to_json(&typed)["dimensions"].clone()
    }

    #[test]
    fn short_forms_are_left_to_the_compiler() {
        for text in
            ["orders.ordered_at:month", "metric_time__month", "orders__status", "rev__eu", "orders.at:mnoth"]
        {
            assert_eq!(by(text), json!([text]));
        }
    }

    #[test]
    fn commas_in_brackets_do_not_separate() {
        assert_eq!(
            by("customers.region, COALESCE(orders.status, 'a,b')"),
            json!(["customers.region", "COALESCE(orders.status, 'a,b')"])
        );
    }

    #[test]
    fn expressions_may_be_named() {
        let typed =
            Typed { metrics: vec!["revenue,COUNT(DISTINCT orders.id) as n".to_string()], ..Typed::default() };
        assert_eq!(
            to_json(&typed),
            json!({"measures": ["revenue", {"expr": "COUNT(DISTINCT orders.id)", "as": "n"}]})
        );
    }

    #[test]
    fn the_other_clauses() {
        let typed = Typed {
            filter: vec!["orders.status = 'completed'".to_string()],
            having: vec!["revenue > 100".to_string()],
            order: vec!["-revenue,orders.ordered_at:month".to_string()],
            limit: Some(10),
            time_zone: Some("Europe/Paris".to_string()),
            start: Some("2024-01-01".to_string()),
            ..Typed::default()
        };
        assert_eq!(
            to_json(&typed),
            json!({
                "where": ["orders.status = 'completed'"],
                "having": ["revenue > 100"],
                "order_by": [
                    {"expr": "revenue", "direction": "DESC"},
                    {"expr": "orders.ordered_at:month", "direction": "ASC"}
                ],
                "time_range": {"dimension": "metric_time", "start": "2024-01-01"},
                "limit": 10,
                "time_zone": "Europe/Paris"
            })
        );
    }
}
