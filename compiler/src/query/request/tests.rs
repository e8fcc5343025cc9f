//! Requests written by hand: what is read of them, and what is said about them. `«` and `»` mark the places of the
//! findings and are taken out before the text is read.

use super::*;
use crate::syntax::marked::check_marked;

const SOURCE: SourceId = SourceId(0);

#[track_caller]
fn check(marked: &str, expected: &[(Code, &str)]) -> (Option<Request>, Vec<Diagnostic>) {
    check_marked(marked, |text| parse_request(SOURCE, text), expected)
}

#[track_caller]
fn read(text: &str) -> Request {
    check(text, &[]).0.unwrap()
}

#[track_caller]
fn check_refused(marked: &str, message: &str) {
    check(marked, &[(Code::Parse, message)]);
}

/// `expr as alias`, `field:grain`.
fn show(entry: &Entry) -> String {
    let alias = entry.alias.as_ref().map_or_else(String::new, |alias| format!(" as {}", alias.value));
    format!("{}{alias}", show_expr(&entry.expr))
}

fn show_expr(expr: &EntryExpr) -> String {
    match expr {
        EntryExpr::Text(text) => text.value.clone(),
        EntryExpr::Grain { field, grain } => format!("{}:{}", field.value, grain.value),
    }
}

fn show_all(entries: Option<&Vec<Entry>>) -> Vec<String> {
    entries.unwrap().iter().map(show).collect()
}

#[test]
fn the_request_of_the_interface_page_is_read() {
    let request = read(
        r#"{"dimensions": ["customers.region", {"field": "orders.ordered_at", "grain": "month", "as": "month"}],
     "measures":   ["revenue", {"expr": "COUNT(DISTINCT orders.customer_id)", "as": "buyers"}],
     "where": ["orders.status = 'completed'"], "having": ["revenue > 100"],
     "time_range": {"dimension": "orders.ordered_at", "start": "2024-01-01", "end": "2024-02-01"},
     "order_by": [{"expr": "revenue", "direction": "DESC", "nulls": "LAST"}], "limit": 10,
     "params": {}, "time_zone": "UTC", "engine": "batch", "at": {"tag": "before_load"}}"#,
    );
    assert_eq!(
        show_all(request.dimensions.as_ref()),
        ["customers.region", "orders.ordered_at:month as month"]
    );
    assert_eq!(
        show_all(request.measures.as_ref()),
        ["revenue", "COUNT(DISTINCT orders.customer_id) as buyers"]
    );
    assert_eq!(request.fields, None);
    assert_eq!(request.where_all[0].value, "orders.status = 'completed'");
    assert_eq!(request.having_all[0].value, "revenue > 100");
    let range = request.time_range.unwrap();
    assert_eq!(range.dimension.value, "orders.ordered_at");
    assert_eq!(
        (range.start.unwrap().value, range.end.unwrap().value),
        ("2024-01-01".into(), "2024-02-01".into())
    );
    let [key] = <[OrderKey; 1]>::try_from(request.order_by).unwrap();
    assert_eq!(
        (show_expr(&key.expr).as_str(), key.descending, key.nulls_first),
        ("revenue", true, Some(false))
    );
    assert_eq!(request.limit.unwrap().value, 10);
    assert_eq!(
        (request.time_zone.unwrap().value, request.engine.unwrap().value),
        ("UTC".into(), "batch".into())
    );
    let at = request.at.unwrap();
    assert_eq!((at.kind, at.value.value.as_str()), (AtKind::Tag, "before_load"));
    assert_eq!((request.params.len(), request.home), (0, None));
}

#[test]
fn yaml_absent_keys_and_empty_lists() {
    let request = read(
        "fields: [orders.id, {expression: orders.a + 1, as: b}]\nhome: orders\nwhere: a = 1\nmeasures:\n",
    );
    assert_eq!(show_all(request.fields.as_ref()), ["orders.id", "orders.a + 1 as b"]);
    assert_eq!((request.measures, request.dimensions), (None, None));
    assert_eq!(
        (request.where_all[0].value.as_str(), request.home.unwrap().value.as_str()),
        ("a = 1", "orders")
    );
    assert_eq!(read("measures: []").measures, Some(vec![]));
}

#[test]
fn sort_keys_have_directions() {
    let shown = |text: &str| {
        let request = read(text);
        request
            .order_by
            .iter()
            .map(|key| (show_expr(&key.expr), key.descending, key.nulls_first))
            .collect::<Vec<_>>()
    };
    assert_eq!(
        shown(
            "order_by: [a, -b, '- c', {field: d, grain: day, direction: desc}, {expression: e, nulls: first}]"
        ),
        [
            ("a".to_string(), false, None),
            ("b".to_string(), true, None),
            ("c".to_string(), true, None),
            ("d:day".to_string(), true, None),
            ("e".to_string(), false, Some(true)),
        ]
    );
    let text = "order_by: ['- c']";
    let EntryExpr::Text(key) = &read(text).order_by[0].expr else { panic!("a text") };
    assert_eq!(&text[key.verbatim_at.unwrap() as usize..][..1], "c");
}

#[test]
fn sugar_inside_texts_is_kept() {
    let request = read("dimensions: ['orders.ordered_at:month', metric_time__month]");
    assert_eq!(show_all(request.dimensions.as_ref()), ["orders.ordered_at:month", "metric_time__month"]);
}

#[test]
fn unknown_keys_are_errors_however_deep() {
    let unknown = |marked: &str, message: &str| {
        let (_, diagnostics) = check(marked, &[(Code::UnknownKey, message)]);
        diagnostics[0].candidates.first().cloned().unwrap_or_default()
    };
    assert_eq!(unknown("«dimension»: [a]", "`dimension` is no key of the request"), "dimensions");
    assert_eq!(unknown("measures: [{expr: a, «ass»: b}]", "`ass` is no key of an entry of `measures`"), "as");
    assert_eq!(unknown("measures: [{«exrp»: a}]", "`exrp` is no key of an entry of `measures`"), "expr");
    assert_eq!(
        unknown("order_by: [{expr: a, «dir»: DESC}]", "`dir` is no key of an entry of `order_by`"),
        "direction"
    );
    assert_eq!(
        unknown("time_range: {dimension: a, start: b, «ends»: c}", "`ends` is no key of `time_range`"),
        "end"
    );
    assert_eq!(unknown("at: {tag: a, «tags»: b}", "`tags` is no key of `at`"), "tag");
    unknown(
        "dimensions: [{field: a, grain: day, «fill_range»: true}]",
        "`fill_range` is no key of an entry of `dimensions`",
    );
}

#[test]
fn limits_are_integers() {
    let limit = |text: &str| read(text).limit.map(|limit| limit.value);
    assert_eq!(limit("limit: 0"), Some(0));
    assert_eq!(limit("{\"limit\": 9223372036854775807}"), Some(9_223_372_036_854_775_807));
    assert_eq!(limit("limit: null\nwhere: a"), None);
    for found in ["«-1»", "«9223372036854775808»", "«1.0»", "«ten»", "«'10'»", "«1e2»"] {
        let written = found.trim_matches(['«', '»', '\'']);
        let message = format!("`limit` must be an integer from 0 to 9223372036854775807, found `{written}`");
        check_refused(&format!("limit: {found}"), &message);
    }
    check_refused("limit: «[1]»", "`limit` must be an integer from 0 to 9223372036854775807, found a list");
}

#[test]
fn parameters_keep_what_they_are() {
    let request = read(
        "params: {a: 75, b: '75', c: true, d: null, e: -1.5e3, f: 2024-01-01, g: .5, h: yes, i: e5, j: 1., k: '.'}",
    );
    let values: Vec<(&str, ParamValue)> =
        request.params.iter().map(|(name, value)| (name.value.as_str(), value.value.clone())).collect();
    let number = |text: &str| ParamValue::Number(text.to_string());
    let string = |text: &str| ParamValue::String(text.to_string());
    assert_eq!(
        values,
        [
            ("a", number("75")),
            ("b", string("75")),
            ("c", ParamValue::Boolean(true)),
            ("d", ParamValue::Null),
            ("e", number("-1.5e3")),
            ("f", string("2024-01-01")),
            ("g", number(".5")),
            ("h", string("yes")),
            ("i", string("e5")),
            ("j", number("1.")),
            ("k", string(".")),
        ]
    );
    check_refused("params: {a: «[1]»}", "`a` must be a single value, found a list");
}

#[test]
fn a_key_of_the_command_line_is_answered_by_the_key_of_a_request() {
    for (written, meant) in
        [("metrics", "measures"), ("by", "dimensions"), ("filter", "where"), ("measure", "measures")]
    {
        let text = format!("{{«\"{written}\"»: [\"a\"]}}");
        let message = format!("`{written}` is no key of the request");
        let (_, found) = check(&text, &[(Code::UnknownKey, message.as_str())]);
        assert_eq!(found[0].candidates, [meant]);
    }
}

#[test]
fn keys_that_are_refused_are_not_offered() {
    let (_, found) = check("{«engin»: batch}", &[(Code::UnknownKey, "`engin` is no key of the request")]);
    assert!(!found[0].candidates.contains(&"engine".to_string()), "{:?}", found[0].candidates);
    assert_eq!(
        found[0].help,
        [
            "the request knows dimensions, measures, fields, where, having, time_range, order_by, limit, params, time_zone, home"
        ]
    );
}

#[test]
fn malformed_parts_are_refused_with_their_place() {
    check_refused("«[a]»", "the request must be a mapping, found a list");
    check_refused("dimensions: «a»", "`dimensions` must be a list, found text");
    check_refused("measures: [«''»]", "an entry of `measures` is empty");
    check_refused("measures: [«[a]»]", "an entry of `measures` must be a mapping, found a list");
    check_refused("measures: [{«as»: a}]", "an entry of `measures` has neither `expr` nor `field`");
    check_refused("measures: [{«expr»: a, field: b}]", "an entry of `measures` has both `expr` and `field`");
    check_refused("measures: [{expr: a, grain: «day»}]", "`grain` goes with `field`, not with `expr`");
    check_refused("where: [«{a: 1}»]", "an entry of `where` must be text, found a mapping");
    check_refused("where: «{a: 1}»", "`where` must be a list, found a mapping");
    check_refused("order_by: [«'-'»]", "an entry of `order_by` is only a `-`");
    check_refused(
        "order_by: [{expr: a, direction: «down»}]",
        "`direction` must be ASC or DESC, found `down`",
    );
    check_refused("time_range: {«dimension»: a}", "`time_range` has neither `start` nor `end`");
    check_refused("time_range: {«start»: a}", "`time_range` has no `dimension`");
    check_refused("at: «now»", "`at` must be a mapping, found text");
    check_refused("at: «{tag: a, version: 1}»", "`at` must have one of `version`, `tag` and `time`");
    check_refused("engine: «' '»", "`engine` is empty");
    assert_eq!(parse_request(SOURCE, "").0, None);
}
