//! The parser on texts with hand-written trees, on texts that are wrong, and on texts that nobody would write.

use super::super::print::print_expr;
use super::super::sample::{Random, explicit};
use super::super::tree::ExprKind;
use super::*;
use crate::diagnostic::Code;

const SOURCE: SourceId = SourceId(7);

fn expr(text: &str) -> Expr {
    match parse_expr_str(text, SOURCE) {
        (Some(expr), found) if found.is_empty() => expr,
        (_, found) => panic!("{text}: {found:?}"),
    }
}

fn tree(text: &str) -> String {
    explicit(&expr(text))
}

fn fault(text: &str) -> Diagnostic {
    match parse_expr_str(text, SOURCE) {
        (None, mut found) if found.len() == 1 => found.remove(0),
        (parsed, found) => panic!("{text}: {parsed:?} {found:?}"),
    }
}

/// Message, text under the label, first help.
fn refusal(text: &str) -> (String, String, String) {
    let fault = fault(text);
    assert_eq!(fault.code, Code::Parse, "{text}");
    let span = fault.primary.as_ref().expect("a label").span;
    let under = text[span.start as usize..span.end as usize].to_string();
    (fault.message, under, fault.help.first().cloned().unwrap_or_default())
}

fn refused(text: &str, message: &str, under: &str, help: &str) {
    assert_eq!(refusal(text), (message.to_string(), under.to_string(), help.to_string()), "{text}");
}

#[test]
fn operators_bind_as_in_the_standard() {
    assert_eq!(tree("a + b * c - d"), "((a + (b * c)) - d)");
    assert_eq!(tree("a || b + c || d"), "(((a || b) + c) || d)");
    assert_eq!(tree("a / b % c * d"), "(((a / b) % c) * d)");
    assert_eq!(tree("-a * b"), "((- a) * b)");
    assert_eq!(tree("- + -a"), "(- (+ (- a)))");
    assert_eq!(tree("a - -1"), "(a - (- 1))");
    assert_eq!(tree("-a::int"), "(- cast(a; INT []))");
    assert_eq!(tree("a OR b AND NOT c = d OR e"), "((a OR (b AND (NOT (c = d)))) OR e)");
    assert_eq!(tree("NOT NOT a IS NULL"), "(NOT (NOT (a IS NULL)))");
    assert_eq!(
        tree("a + 1 >= b - 1 AND c <> d AND e != f"),
        "((((a + 1) >= (b - 1)) AND (c <> d)) AND (e <> f))"
    );
    assert_eq!(tree("(a OR b) AND c"), "((a OR b) AND c)");
    assert_eq!(tree("a - (b - c)"), "(a - (b - c))");
}

#[test]
fn predicates_do_not_swallow_what_follows() {
    assert_eq!(tree("a BETWEEN 1 AND 2 + 3 AND b"), "((a BETWEEN 1 AND (2 + 3)) AND b)");
    assert_eq!(tree("a NOT BETWEEN b AND c OR d"), "((a NOT BETWEEN b AND c) OR d)");
    assert_eq!(tree("a IS NOT DISTINCT FROM b AND c"), "((a IS NOT DISTINCT FROM b) AND c)");
    assert_eq!(tree("a IS DISTINCT FROM b + 1 OR c"), "((a IS DISTINCT FROM (b + 1)) OR c)");
    assert_eq!(tree("a NOT IN (1, 'x', b + 1) AND c"), "((a NOT IN [1, \"x\", (b + 1)]) AND c)");
    assert_eq!(tree("a LIKE 'x%' || b AND c NOT ILIKE d"), "((a LIKE (\"x%\" || b)) AND (c NOT ILIKE d))");
    assert_eq!(tree("a IS NULL OR b IS NOT NULL"), "((a IS NULL) OR (b IS NOT NULL))");
}

#[test]
fn truth_tests_are_null_safe_equality() {
    assert_eq!(tree("a IS TRUE"), "(a IS NOT DISTINCT FROM TRUE)");
    assert_eq!(tree("a IS NOT FALSE"), "(a IS DISTINCT FROM FALSE)");
    assert_eq!(tree("a IS NOT UNKNOWN"), "(a IS NOT NULL)");
}

#[test]
fn literals_keep_their_text() {
    assert_eq!(tree("1"), "1");
    assert_eq!(tree("1.50"), "decimal(1.50)");
    assert_eq!(tree(".5"), "decimal(.5)");
    assert_eq!(tree("5."), "decimal(5.)");
    assert_eq!(tree("1.5E-3"), "float(1.5E-3)");
    assert_eq!(tree("'it''s'"), "\"it's\"");
    assert_eq!(tree(r"'a\'"), r#""a\\""#);
    assert_eq!(tree("nUll"), "NULL");
    assert_eq!(tree("true"), "TRUE");
    assert_eq!(tree("DATE '2024-01-15'"), "date(2024-01-15)");
    assert_eq!(tree("time '10:30:00'"), "time(10:30:00)");
    assert_eq!(tree("TIMESTAMP '2024-01-15 10:30:00'"), "timestamp(2024-01-15 10:30:00)");
    assert_eq!(tree("TIMESTAMP_NTZ '2024-01-15 10:30:00'"), "timestamp(2024-01-15 10:30:00)");
    assert_eq!(tree("INTERVAL '3' DAY"), "interval(3; DAY)");
    assert_eq!(tree("d + INTERVAL 3 day"), "(d + interval(3; day))");
    assert_eq!(tree(":from + :n"), "(:from + :n)");
}

#[test]
fn names_have_parts_and_words_that_are_not_reserved() {
    assert_eq!(tree("orders.amount"), "orders.amount");
    assert_eq!(tree("a.\"B c\".\"d\"\"e\""), "a.quoted(B c).quoted(d\"e)");
    for name in [
        "returns",
        "method",
        "date",
        "value",
        "user",
        "row",
        "order_month",
        "first",
        "last",
        "filter",
        "interval",
        "time",
        "timestamp",
        "position",
        "cast",
        "extract",
        "trim",
        "both",
        "rows",
        "range",
        "groups",
        "partition",
        "over",
        "within",
        "nulls",
        "ignore",
        "respect",
        "current",
        "unbounded",
        "preceding",
        "for",
        "by",
        "asc",
        "desc",
        "grain",
        "unknown",
        "year",
        "left",
        "replace",
        "if",
        "größe",
        "_a1",
        "orders.date",
        "date.first.row",
        "t.position",
    ] {
        assert_eq!(tree(name), name);
        assert_eq!(tree(&format!("SUM({name}) + {name}")), format!("(SUM({name}) + {name})"));
    }
}

#[test]
fn calls_may_have_the_names_of_keywords() {
    for name in [
        "LEFT", "RIGHT", "REPLACE", "IF", "DATE", "YEAR", "first", "last", "row", "filter", "time", "range",
        "mod",
    ] {
        assert_eq!(tree(&format!("{name}(a, 2)")), format!("{name}(a, 2)"));
    }
    assert_eq!(tree("\"left\"(a)"), "quoted(left)(a)");
    assert_eq!(tree("PI()"), "PI()");
}

#[test]
fn case_has_two_forms() {
    assert_eq!(tree("CASE WHEN a THEN 1 WHEN b THEN 2 ELSE 3 END"), "case(a -> 1; b -> 2; else 3)");
    assert_eq!(tree("case a + 1 when 2 then 'x' end || 'y'"), "(case((a + 1); 2 -> \"x\") || \"y\")");
}

#[test]
fn casts_name_any_type() {
    assert_eq!(tree("CAST(a AS DECIMAL(10, 2))"), "cast(a; DECIMAL [10, 2])");
    assert_eq!(tree("TRY_CAST('1' AS double precision)"), "try_cast(\"1\"; DOUBLE PRECISION [])");
    assert_eq!(tree("a::varchar(10)::date IS NULL"), "(cast(cast(a; VARCHAR [10]); DATE []) IS NULL)");
    assert_eq!(tree("CAST(a AS TIMESTAMP(3) WITH TIME ZONE)"), "cast(a; TIMESTAMP WITH TIME ZONE [3])");
    assert_eq!(tree("CAST(a AS timestamp without time zone)"), "cast(a; TIMESTAMP WITHOUT TIME ZONE [])");
    assert_eq!(tree("CAST(a AS TIMESTAMP_NTZ)"), "cast(a; TIMESTAMP_NTZ [])");
}

#[test]
fn special_forms_have_their_own_nodes() {
    assert_eq!(tree("EXTRACT(YEAR FROM d + 1)"), "extract(YEAR; (d + 1))");
    assert_eq!(tree("POSITION('@' IN email || x)"), "position(\"@\"; (email || x))");
    assert_eq!(tree("POSITION(a || 'b' IN (c))"), "position((a || \"b\"); c)");
    assert_eq!(tree("TRIM(s)"), "TRIM(s)");
    assert_eq!(tree("TRIM(both)"), "TRIM(both)");
    assert_eq!(tree("TRIM(leading || 'x')"), "TRIM((leading || \"x\"))");
    assert_eq!(tree("TRIM(BOTH FROM s)"), "trim(Both; blank; s)");
    assert_eq!(tree("TRIM('x' FROM s)"), "trim(Both; \"x\"; s)");
    assert_eq!(tree("trim(leading 'x' from s)"), "trim(Leading; \"x\"; s)");
    assert_eq!(tree("TRIM(TRAILING (a || b) FROM s)"), "trim(Trailing; (a || b); s)");
    assert_eq!(tree("TRIM(BOTH both FROM s)"), "trim(Both; both; s)");
    assert_eq!(tree("SUBSTRING(s FROM 2 FOR 3)"), "SUBSTRING(s, 2, 3)");
    assert_eq!(tree("substring(s from 2)"), "substring(s, 2)");
    assert_eq!(tree("SUBSTRING(s, 2, 3)"), "SUBSTRING(s, 2, 3)");
    assert_eq!(tree("CURRENT_DATE"), "CURRENT_DATE()");
    assert_eq!(tree("current_timestamp() - d"), "(current_timestamp() - d)");
}

#[test]
fn aggregates_have_their_clauses() {
    assert_eq!(tree("COUNT(*)"), "COUNT(*)");
    assert_eq!(tree("COUNT(DISTINCT a, b)"), "COUNT(distinct a, b)");
    assert_eq!(tree("SUM(ALL a)"), "SUM(a)");
    assert_eq!(
        tree("LISTAGG(s, ',' ORDER BY k DESC NULLS LAST, l)"),
        "LISTAGG(s, \",\"; order k desc last, l)"
    );
    assert_eq!(
        tree("PERCENTILE_CONT(0.5) WITHIN GROUP (ORDER BY x ASC)"),
        "PERCENTILE_CONT(decimal(0.5); within x)"
    );
    assert_eq!(tree("SUM(a) FILTER (WHERE b = 1 OR c) / 2"), "(SUM(a; filter ((b = 1) OR c)) / 2)");
    assert_eq!(tree("SUM(a) FILTER (WHERE filter)"), "SUM(a; filter filter)");
}

#[test]
fn null_treatment_stands_inside_or_after_the_parentheses() {
    assert_eq!(tree("LAG(x IGNORE NULLS) OVER ()"), "LAG(x; ignore; over)");
    assert_eq!(tree("LAG(x, 1) RESPECT NULLS OVER ()"), "LAG(x, 1; respect; over)");
    assert_eq!(tree("ANY_VALUE(x) IGNORE NULLS + 1"), "(ANY_VALUE(x; ignore) + 1)");
    assert_eq!(tree("LAST_VALUE(SUM(x) IGNORE NULLS) OVER ()"), "LAST_VALUE(SUM(x); ignore; over)");
    assert_eq!(tree("F(LAG(x) IGNORE NULLS OVER ())"), "F(LAG(x; ignore; over))");
    assert_eq!(tree("(ANY_VALUE(x) IGNORE NULLS) + 1"), "(ANY_VALUE(x; ignore) + 1)");
    assert_eq!(tree("RANK() OVER (ORDER BY ignore NULLS FIRST)"), "RANK(; over order ignore first)");
    assert_eq!(
        tree("RANK() OVER (PARTITION BY ANY_VALUE(x) IGNORE NULLS)"),
        "RANK(; over by ANY_VALUE(x; ignore))"
    );
}

#[test]
fn windows_have_partitions_orders_and_frames() {
    assert_eq!(
        tree("RANK() OVER (PARTITION BY a, b + 1 ORDER BY c DESC NULLS FIRST, d)"),
        "RANK(; over by a, (b + 1) order c desc first, d)"
    );
    assert_eq!(
        tree("SUM(SUM(a)) OVER (ORDER BY b ROWS BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW)"),
        "SUM(SUM(a); over order b rows start .. current)"
    );
    assert_eq!(tree("AVG(a) OVER (ORDER BY b ROWS 6 PRECEDING)"), "AVG(a; over order b rows -6 .. current)");
    assert_eq!(
        tree("AVG(a) OVER (RANGE BETWEEN :n PRECEDING AND n + 1 FOLLOWING)"),
        "AVG(a; over range -:n .. +(n + 1))"
    );
    assert_eq!(
        tree("AVG(a) OVER (GROUPS BETWEEN CURRENT ROW AND UNBOUNDED FOLLOWING)"),
        "AVG(a; over groups current .. end)"
    );
    assert_eq!(
        tree("AVG(a) OVER (RANGE BETWEEN INTERVAL '1' DAY PRECEDING AND current FOLLOWING)"),
        "AVG(a; over range -interval(1; DAY) .. +current)"
    );
}

#[test]
fn spans_point_into_the_text() {
    let text = "  a + \"b c\" * f(x)";
    let parsed = expr(text);
    let at = |span: Span| &text[span.start as usize..span.end as usize];
    assert_eq!(at(parsed.span), "a + \"b c\" * f(x)");
    assert_eq!(parsed.span.source, SOURCE);
    match parsed.kind.as_ref() {
        ExprKind::Binary { right, .. } => assert_eq!(at(right.span), "\"b c\" * f(x)"),
        other => panic!("{other:?}"),
    }
}

#[test]
fn spans_of_a_document_are_places_in_its_file_or_the_whole_scalar() {
    let whole = Span { source: SOURCE, start: 100, end: 112 };
    let mut text = Text { value: "a + (b".to_string(), span: whole, verbatim_at: Some(101) };
    let label = |text: &Text| parse_expr(text).1.remove(0).primary.expect("a label");
    assert_eq!(label(&text).span, Span { source: SOURCE, start: 105, end: 106 });
    assert_eq!(label(&text).message, "it opens here");
    text.verbatim_at = None;
    assert_eq!(label(&text).span, whole);
    assert_eq!(label(&text).message, "it opens here (character 5 of the text)");
    text.value = "a + b".to_string();
    assert_eq!(parse_expr(&text).0.expect("a tree").span, whole);
}

#[test]
fn what_is_missing_is_said_in_plain_words() {
    refused("a +", "expected an expression after `+`, found the end of the text", "+", "");
    refused("a + )", "`)` closes nothing", ")", "remove it or add the `(`");
    refused("(a +)", "expected an expression after `+`, found `)`", ")", "");
    refused("SUM(a", "`(` is never closed", "(", "add the missing `)`");
    refused("a b", "expected an operator or the end of the expression after `a`, found `b`", "b", "");
    refused("f(a b)", "expected an operator, `,` or `)` after `a`, found `b`", "b", "");
    refused("f(a,)", "expected an expression after `,`, found `)`", ")", "remove the comma");
    refused("a IN ()", "expected an expression after `(`, found `)`", ")", "");
    refused("", "the expression is empty", "", "");
    refused(" -- nothing\n", "the expression is empty", " -- nothing\n", "");
    refused(
        "CASE WHEN a THEN b",
        "`CASE` is never closed",
        "CASE",
        "add `END`; a name `case` must be quoted: `\"case\"`",
    );
    refused("CASE WHEN a b END", "expected an operator or `THEN` after `a`, found `b`", "b", "");
    refused(
        "CASE END",
        "expected an expression or `WHEN` after `CASE`, found `END`",
        "END",
        "`END` is reserved; quote it where it is a name: `\"END\"`",
    );
    refused("CAST(a INT)", "expected an operator or `AS` after `a`, found `INT`", "INT", "");
    refused("CAST(a AS 1)", "expected a type after `AS`, found `1`", "1", "");
    refused("CAST(a)", "`CAST` needs `AS` in its parentheses", "CAST(a)", "write `CAST(x AS type)`");
    refused(
        "EXTRACT('year' FROM a)",
        "`EXTRACT` needs a part's word before `FROM`",
        "'year'",
        "write `EXTRACT(YEAR FROM x)`",
    );
    refused("a BETWEEN 1 OR 2", "expected an operator or `AND` after `1`, found `OR`", "OR", "");
    refused(
        "a IS 1",
        "expected `DISTINCT`, `FALSE`, `NOT`, `NULL`, `TRUE` or `UNKNOWN` after `IS`, found `1`",
        "1",
        "",
    );
    refused(
        "orders.1",
        "expected an operator or the end of the expression after `orders`, found `.1`",
        ".1",
        "",
    );
    refused("orders.", "expected a name after `.`, found the end of the text", ".", "");
    refused(
        "SUM(a) OVER (ROWS 1)",
        "expected an operator, `PRECEDING` or `FOLLOWING` after `1`, found `)`",
        ")",
        "",
    );
    refused(
        "INTERVAL '3 days'",
        "expected a unit such as `DAY` after `'3 days'`, found the end of the text",
        "'3 days'",
        "write `INTERVAL '3' DAY`",
    );
    refused("f(x IGNORE NULLS) IGNORE NULLS", "a call says twice how it sees NULLs", "IGNORE NULLS", "");
}

#[test]
fn what_is_left_open_or_is_no_token_is_named() {
    refused(
        "'abc",
        "a string is never closed",
        "'",
        "close it with `'`; a quote inside a string is written twice: `'it''s'`",
    );
    refused(
        "\"abc",
        "a quoted name is never closed",
        "\"",
        "close it with `\"`; a quote inside a name is written twice",
    );
    refused("a /* b", "a comment is never closed", "/*", "close it with `*/`");
    refused("a = \"\"", "a quoted name is empty", "\"\"", "write an empty string as `''`");
    refused(
        "2024_sales",
        "a number runs into a name: `2024_sales`",
        "2024_sales",
        "put a name that begins with a digit in double quotes: `\"2024_sales\"`",
    );
    refused("a;", "`;` is not part of the expression language", ";", "write one expression without `;`");
    refused(
        "`a`",
        "a backtick is not part of the expression language",
        "`",
        "quote names with double quotes: `\"name\"`",
    );
    refused(
        "[Orders].[amount]",
        "`[` is not part of the expression language",
        "[",
        "quote names with double quotes; there are no arrays and no subscripts",
    );
    refused("a && b", "`&` is not part of the expression language", "&", "write `AND`");
    refused("a # b", "`#` is not part of the expression language", "#", "");
    refused(
        "a = \u{2018}x\u{2019}",
        "`\u{2018}` is not part of the expression language",
        "\u{2018}",
        "write strings with straight quotes: `'text'`",
    );
    refused("a \u{0} b", "`\\u{0}` is not part of the expression language", "\u{0}", "");
}

#[test]
fn obvious_mistakes_come_with_their_remedy() {
    refused("a == 1", "expected an expression after `=`, found `=`", "=", "write `=` to compare");
    refused("a => 1", "expected an expression after `=`, found `>`", ">", "write `>=`");
    refused("a ** 2", "expected an expression after `*`, found `*`", "*", "write `POWER(x, y)`");
    refused(
        "a = b = c",
        "`=` cannot follow a comparison: comparisons do not chain",
        "=",
        "put one of the two comparisons in parentheses",
    );
    refused(
        "a = b IS NULL",
        "`IS` cannot follow a comparison: comparisons do not chain",
        "IS",
        "put one of the two comparisons in parentheses",
    );
    refused(
        "a IS NULL = b",
        "`=` cannot follow a comparison: comparisons do not chain",
        "=",
        "put one of the two comparisons in parentheses",
    );
    refused(
        "a = NOT b",
        "expected an expression after `=`, found `NOT`",
        "NOT",
        "put `NOT ..` in parentheses",
    );
    refused(
        "(SELECT 1)",
        "subqueries are not part of the expression language",
        "SELECT",
        "refer to a field or a metric by its name instead",
    );
    refused(
        "a IN (SELECT b FROM c)",
        "subqueries are not part of the expression language",
        "SELECT",
        "refer to a field or a metric by its name instead",
    );
    refused(
        "EXISTS(SELECT 1)",
        "subqueries are not part of the expression language",
        "SELECT",
        "refer to a field or a metric by its name instead",
    );
    refused(
        "SUM(a) AS total",
        "expected an operator or the end of the expression after `)`, found `AS`",
        "AS",
        "names are given by the model or the request, not inside an expression",
    );
    refused(
        "SUM(a) FROM t",
        "`FROM` is not part of the expression language",
        "FROM",
        "an expression has no clauses; filters, grouping, order and limit belong to the request",
    );
    refused(
        "a + FROM",
        "expected an expression after `+`, found `FROM`",
        "FROM",
        "`FROM` is reserved; quote it where it is a name: `\"FROM\"`",
    );
    refused(
        "order",
        "expected an expression, found `order`",
        "order",
        "`order` is reserved; quote it where it is a name: `\"order\"`",
    );
    refused(
        "t.order",
        "expected a name after `.`, found `order`",
        "order",
        "`order` is reserved; quote it where it is a name: `\"order\"`",
    );
    refused(
        "a LIKE 'x' ESCAPE '!'",
        "expected an operator or the end of the expression after `'x'`, found `ESCAPE`",
        "ESCAPE",
        "`LIKE` has no `ESCAPE`; `%` and `_` are always wildcards",
    );
    refused(
        "RANK() OVER w",
        "expected `(` after `OVER`, found `w`",
        "w",
        "write the window out: `OVER (PARTITION BY .. ORDER BY ..)`",
    );
    refused(
        "a.b(c)",
        "expected an operator or the end of the expression after `b`, found `(`",
        "(",
        "a function's name has one part",
    );
    refused(
        "COUNT(orders.*)",
        "expected a name after `.`, found `*`",
        "*",
        "write `COUNT(*)` or name a column",
    );
    refused(
        "f(a FROM b)",
        "`f` takes no `FROM` of this form",
        "f(a FROM b)",
        "`EXTRACT(part FROM x)`, `SUBSTRING(x FROM a FOR b)` and `TRIM(BOTH c FROM x)` are known",
    );
    refused(
        "f(a AS b)",
        "`f` takes no `AS`",
        "b",
        "names are given by the model or the request, not inside an expression",
    );
    refused(
        "DATETIME '2024-01-01'",
        "expected an operator or the end of the expression after `DATETIME`, found `'2024-01-01'`",
        "'2024-01-01'",
        "the words before a literal are `DATE`, `TIME`, `TIMESTAMP`, `TIMESTAMP_NTZ` and `INTERVAL`",
    );
    refused("start <= end", "`END` closes nothing", "end", "a name `end` must be quoted: `\"end\"`");
    refused("IF(a > 1 THEN 2)", "expected `)` or `,` after `1`, found `THEN`", "THEN", "");
    refused(
        "a IN b",
        "expected `(` after `IN`, found `b`",
        "b",
        "write the values in parentheses: `x IN (a, b)`",
    );
    refused("a <=> b", "expected an expression after `<=`, found `>`", ">", "write `IS NOT DISTINCT FROM`");
    refused(
        "TRIM(BOTH 'x', s)",
        "expected an operator, `,` or `)` after `BOTH`, found `'x'`",
        "'x'",
        "write `TRIM(BOTH 'x' FROM s)`",
    );
    refused("a AND OR b", "expected an expression after `AND`, found `OR`", "OR", "");
    refused(
        "(SUM(a) AS t)",
        "expected `)` after `)`, found `AS`",
        "AS",
        "names are given by the model or the request, not inside an expression",
    );
    refused(
        "WITH x AS (SELECT 1) SELECT x",
        "subqueries are not part of the expression language",
        "WITH",
        "refer to a field or a metric by its name instead",
    );
}

fn limit(text: &str) -> String {
    let fault = fault(text);
    assert_eq!(fault.code, Code::LimitExceeded);
    fault.message
}

#[test]
fn depth_is_limited_and_never_overflows_the_stack() {
    let nested =
        |open: &str, close: &str, times: usize| format!("{}a{}", open.repeat(times), close.repeat(times));
    let message = "the expression is nested more than 128 levels deep";
    assert_eq!(tree(&nested("(", ")", 128)), "a");
    for text in [
        nested("(", ")", 129),
        nested("(", ")", 10_000),
        nested("(", "", 10_000),
        nested("f(", ")", 10_000),
        nested("f(1, ", ")", 128),
        nested("CASE WHEN ", " THEN 1 END", 2_000),
        nested("NOT ", "", 10_000),
        nested("- ", "", 20_000),
        nested("", "::int", 5_000),
        nested("", " + a", 13_000),
        nested("", "+a", 20_000),
        nested("", "+a", 20_000) + "+",
        nested("", "+a", 20_000) + " b",
        nested("", " OR a", 10_000),
        nested("", "*a", 128),
    ] {
        assert_eq!(limit(&text), message, "{}", &text[..20]);
    }
    assert!(tree(&nested("", "*a", 127)).starts_with("(((("));
    assert!(tree(&nested("f(", ")", 127)).starts_with("f(f(f("));
}

#[test]
fn length_is_limited() {
    let list = format!("a IN ({}1)", "1, ".repeat(21_000));
    assert!(parse_expr_str(&list, SOURCE).0.is_some());
    assert_eq!(limit(&"a".repeat(MAX_BYTES + 1)), "the expression has 65537 bytes, the limit is 65536");
    assert_eq!(tree(&"a".repeat(MAX_BYTES)).len(), MAX_BYTES);
}

#[test]
fn random_texts_never_panic() {
    const CHARACTERS: &[char] = &[
        'a', 'E', '_', '0', '9', '.', '\'', '"', '(', ')', ',', ':', '+', '-', '*', '/', '%', '|', '=', '<',
        '>', '!', ' ', '\n', 'ä', '売', '\u{301}', '\u{a0}', ';', '`', '[', '\\', '\0', '&', '😀',
    ];
    let mut random = Random::new(11);
    let mut parsed = 0;
    for _ in 0..20_000 {
        let text: String = (0..random.below(30)).map(|_| random.pick(CHARACTERS)).collect();
        parsed += usize::from(parse_expr_str(&text, SOURCE).0.is_some());
    }
    assert!(parsed > 100, "{parsed}");
}

#[test]
fn random_tokens_never_panic_and_what_parses_prints_back() {
    const TOKENS: &[&str] = &[
        "a",
        "b",
        "\"c\"",
        "'s'",
        "1",
        "1.5",
        "1e5",
        ":p",
        "+",
        "-",
        "*",
        "/",
        "%",
        "||",
        "=",
        "<>",
        "<",
        ">=",
        "(",
        ")",
        "(",
        ")",
        ",",
        ".",
        "::",
        "ALL",
        "AND",
        "AS",
        "ASC",
        "BETWEEN",
        "BOTH",
        "BY",
        "CASE",
        "CURRENT",
        "CURRENT_DATE",
        "DATE",
        "DESC",
        "DISTINCT",
        "ELSE",
        "END",
        "FALSE",
        "FILTER",
        "FIRST",
        "FOLLOWING",
        "FOR",
        "FROM",
        "GROUP",
        "GROUPS",
        "IGNORE",
        "ILIKE",
        "IN",
        "INTERVAL",
        "IS",
        "LAST",
        "LEADING",
        "LIKE",
        "NOT",
        "NULL",
        "NULLS",
        "OR",
        "ORDER",
        "OVER",
        "PARTITION",
        "POSITION",
        "PRECEDING",
        "RANGE",
        "RESPECT",
        "ROW",
        "ROWS",
        "SELECT",
        "THEN",
        "TIME",
        "TIMESTAMP",
        "TRIM",
        "EXTRACT",
        "CAST",
        "TRUE",
        "UNBOUNDED",
        "UNKNOWN",
        "WHEN",
        "WHERE",
        "WITH",
        "WITHIN",
    ];
    let mut random = Random::new(12);
    let mut parsed = 0;
    for _ in 0..20_000 {
        let words: Vec<&str> = (0..random.below(12)).map(|_| random.pick(TOKENS)).collect();
        if let (Some(tree), _) = parse_expr_str(&words.join(" "), SOURCE) {
            parsed += 1;
            assert_eq!(expr(&print_expr(&tree)), tree, "{words:?}");
        }
    }
    assert!(parsed > 500, "{parsed}");
}
