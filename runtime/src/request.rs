//! A request as typed on a command line, or named by a pipeline, as the JSON request that the compiler reads.
//! In: lists of names with sugar (`orders.ordered_at:month`, `metric_time__month`, `orders__status`, `-revenue`).
//! Out: one JSON value; sugar that means nothing is a finding.

use serde_json::{Map, Value, json};
use unisono_compiler::diagnostic::{Code, Diagnostic};

/// The grains of times, finest last.
const GRAINS: [&str; 8] = ["year", "quarter", "month", "week", "day", "hour", "minute", "second"];

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
pub fn to_json(typed: &Typed) -> Result<Value, Vec<Diagnostic>> {
    let mut findings = Vec::new();
    let mut request = Map::new();
    let mut list = |key: &str, values: Vec<Value>| {
        if !values.is_empty() {
            request.insert(key.to_string(), Value::Array(values));
        }
    };
    let dimensions = split_all(&typed.by);
    list("dimensions", dimensions.iter().filter_map(|text| keep(dimension(text), &mut findings)).collect());
    list("measures", split_all(&typed.metrics).iter().map(|text| entry(&dotted(text))).collect());
    list("where", typed.filter.iter().map(|text| json!(text)).collect());
    list("having", typed.having.iter().map(|text| json!(text)).collect());
    let order = split_all(&typed.order);
    list("order_by", order.iter().filter_map(|text| keep(order_key(text), &mut findings)).collect());
    if typed.start.is_some() || typed.end.is_some() {
        let mut range = Map::new();
        range.insert("dimension".to_string(), json!("metric_time"));
        range.extend(typed.start.iter().map(|start| ("start".to_string(), json!(start))));
        range.extend(typed.end.iter().map(|end| ("end".to_string(), json!(end))));
        request.insert("time_range".to_string(), Value::Object(range));
    }
    request.extend(typed.limit.iter().map(|limit| ("limit".to_string(), json!(limit))));
    request.extend(typed.time_zone.iter().map(|zone| ("time_zone".to_string(), json!(zone))));
    if findings.is_empty() { Ok(Value::Object(request)) } else { Err(findings) }
}

fn keep<T>(result: Result<T, Box<Diagnostic>>, findings: &mut Vec<Diagnostic>) -> Option<T> {
    match result {
        Ok(value) => Some(value),
        Err(finding) => {
            findings.push(*finding);
            None
        }
    }
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

fn dimension(text: &str) -> Result<Value, Box<Diagnostic>> {
    Ok(match grain(text)? {
        Some((field, grain)) => json!({"field": field, "grain": grain}),
        None => entry(&dotted(text)),
    })
}

/// A key over the answer's columns: `ordered_at:month` is the column `ordered_at__month`.
fn order_key(text: &str) -> Result<Value, Box<Diagnostic>> {
    let (name, direction) = match text.strip_prefix('-') {
        Some(name) => (name.trim(), "DESC"),
        None => (text.strip_prefix('+').unwrap_or(text).trim(), "ASC"),
    };
    let expr = match grain(name)? {
        Some((field, grain)) => {
            let leaf = field.rsplit('.').next().unwrap_or(&field).to_string();
            format!("{leaf}__{grain}")
        }
        None => dotted(name),
    };
    Ok(json!({"expr": expr, "direction": direction}))
}

/// A name stands for itself, anything else is an expression, with the name after a last AS.
fn entry(text: &str) -> Value {
    if is_name(text) {
        return json!(text);
    }
    let words: Vec<&str> = text.split_whitespace().collect();
    if let [.., marker, name] = words.as_slice()
        && marker.eq_ignore_ascii_case("as")
        && is_name(name)
        && !name.contains('.')
    {
        let expr = text[..text.len() - name.len()].trim_end();
        let expr = expr[..expr.len() - marker.len()].trim_end();
        return json!({"expr": expr, "as": name});
    }
    json!({"expr": text})
}

/// The field and grain of `field:grain`, `metric_time__grain` and `dataset__field__grain`; `None` without a grain.
fn grain(text: &str) -> Result<Option<(String, &'static str)>, Box<Diagnostic>> {
    let known = |word: &str| GRAINS.into_iter().find(|grain| grain.eq_ignore_ascii_case(word));
    if let Some((field, word)) = text.rsplit_once(':') {
        if !is_name(field) {
            return Ok(None);
        }
        return match known(word) {
            Some(grain) => Ok(Some((dotted(field), grain))),
            None => Err(Box::new(
                Diagnostic::new(Code::NameNotFound, format!("`{word}` in `{text}` is no grain of time"))
                    .suggest(word, GRAINS)
                    .help(format!("grains: {}", GRAINS.join(", "))),
            )),
        };
    }
    let Some((field, word)) = text.rsplit_once("__") else { return Ok(None) };
    let long_enough = field.eq_ignore_ascii_case("metric_time") || field.contains("__");
    match known(word) {
        Some(grain) if is_name(text) && !text.contains('.') && long_enough => {
            Ok(Some((dotted(field), grain)))
        }
        Some(_) | None => Ok(None),
    }
}

/// `dataset__field` is `dataset.field`; names that have a point are left alone.
fn dotted(text: &str) -> String {
    if is_name(text) && !text.contains(['.', '"']) { text.replacen("__", ".", 1) } else { text.to_string() }
}

/// Identifiers joined by points; quoted ones may hold anything.
fn is_name(text: &str) -> bool {
    let mut rest = text;
    loop {
        let length = match rest.strip_prefix('"') {
            Some(inner) => match inner.find('"') {
                Some(end) if end > 0 => end + 2,
                Some(_) | None => return false,
            },
            None => rest.find(|c: char| !(c.is_alphanumeric() || c == '_' || c == '$')).unwrap_or(rest.len()),
        };
        if length == 0 || rest.starts_with(|c: char| c.is_ascii_digit()) {
            return false;
        }
        rest = &rest[length..];
        if rest.is_empty() {
            return true;
        }
        match rest.strip_prefix('.') {
            Some(more) => rest = more,
            None => return false,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn by(text: &str) -> Value {
        let typed = Typed { by: vec![text.to_string()], ..Typed::default() };
        to_json(&typed).unwrap()["dimensions"].clone()
    }

    #[test]
    fn grains_and_metricflow_names() {
        assert_eq!(by("orders.ordered_at:month"), json!([{"field": "orders.ordered_at", "grain": "month"}]));
        assert_eq!(by("metric_time:Day"), json!([{"field": "metric_time", "grain": "day"}]));
        assert_eq!(by("metric_time__month"), json!([{"field": "metric_time", "grain": "month"}]));
        assert_eq!(by("orders__ordered_at__week"), json!([{"field": "orders.ordered_at", "grain": "week"}]));
        assert_eq!(by("orders__status"), json!(["orders.status"]));
        assert_eq!(by("orders__day"), json!(["orders.day"]));
        assert_eq!(by("orders.x__month"), json!(["orders.x__month"]));
    }

    #[test]
    fn commas_in_brackets_do_not_separate() {
        assert_eq!(
            by("customers.region, COALESCE(orders.status, 'a,b')"),
            json!(["customers.region", {"expr": "COALESCE(orders.status, 'a,b')"}])
        );
    }

    #[test]
    fn expressions_may_be_named() {
        let typed =
            Typed { metrics: vec!["revenue,COUNT(DISTINCT orders.id) as n".to_string()], ..Typed::default() };
        assert_eq!(
            to_json(&typed).unwrap(),
            json!({"measures": ["revenue", {"expr": "COUNT(DISTINCT orders.id)", "as": "n"}]})
        );
    }

    #[test]
    fn a_wrong_grain_is_said_with_near_ones() {
        let typed = Typed { by: vec!["orders.at:mnoth".to_string()], ..Typed::default() };
        let findings = to_json(&typed).unwrap_err();
        assert_eq!(findings[0].candidates, ["month"]);
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
            to_json(&typed).unwrap(),
            json!({
                "where": ["orders.status = 'completed'"],
                "having": ["revenue > 100"],
                "order_by": [
                    {"expr": "revenue", "direction": "DESC"},
                    {"expr": "ordered_at__month", "direction": "ASC"}
                ],
                "time_range": {"dimension": "metric_time", "start": "2024-01-01"},
                "limit": 10,
                "time_zone": "Europe/Paris"
            })
        );
    }
}
