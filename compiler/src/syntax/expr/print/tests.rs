//! The printer on hand-written texts, against the parser on random trees, and against another parser's precedences.

use sqlparser::ast;
use sqlparser::dialect::GenericDialect;

use super::super::parse::parse_expr_str;
use super::super::sample::{Random, explicit, tree};
use super::*;
use crate::source::SourceId;

fn parse(text: &str) -> Expr {
    match parse_expr_str(text, SourceId(0)) {
        (Some(expr), found) if found.is_empty() => expr,
        (_, found) => panic!("{text}: {found:?}"),
    }
}

fn printed(text: &str) -> String {
    print_expr(&parse(text))
}

#[test]
fn parentheses_stand_only_where_they_change_the_tree() {
    assert_eq!(printed("((a + b)) * (c * d)"), "(a + b) * (c * d)");
    assert_eq!(printed("(a * b) + c"), "a * b + c");
    assert_eq!(printed("a - (b - c)"), "a - (b - c)");
    assert_eq!(printed("(a OR b) AND (c AND d)"), "(a OR b) AND (c AND d)");
    assert_eq!(printed("(a AND b) OR (NOT (c = d))"), "a AND b OR NOT c = d");
    assert_eq!(printed("NOT (a AND b)"), "NOT (a AND b)");
    assert_eq!(printed("(NOT a) = b"), "(NOT a) = b");
    assert_eq!(printed("(a = b) IS NULL"), "(a = b) IS NULL");
    assert_eq!(printed("a BETWEEN (b = c) AND (d + e)"), "a BETWEEN (b = c) AND d + e");
    assert_eq!(printed("-(-a)"), "- -a");
    assert_eq!(printed("-(a + b)"), "-(a + b)");
    assert_eq!(printed("(-a)::int"), "CAST(-a AS INT)");
    assert_eq!(printed("a - -1"), "a - -1");
}

#[test]
fn sugar_becomes_canonical() {
    assert_eq!(printed("a != b"), "a <> b");
    assert_eq!(printed("a is not true"), "a IS DISTINCT FROM TRUE");
    assert_eq!(printed("a::Decimal(10,2)"), "CAST(a AS DECIMAL(10, 2))");
    assert_eq!(printed("a::timestamp(3) with time zone"), "CAST(a AS TIMESTAMP(3) WITH TIME ZONE)");
    assert_eq!(printed("timestamp_ntz '2024-01-01'"), "TIMESTAMP '2024-01-01'");
    assert_eq!(printed("interval 3 day"), "INTERVAL '3' day");
    assert_eq!(printed("substring(s from 2 for 3)"), "substring(s, 2, 3)");
    assert_eq!(printed("trim('x' from s)"), "TRIM(BOTH 'x' FROM s)");
    assert_eq!(printed("current_date"), "current_date()");
    assert_eq!(printed("lag(x) ignore nulls over (order by y asc)"), "lag(x IGNORE NULLS) OVER (ORDER BY y)");
    assert_eq!(
        printed("sum(a) over (rows 2 preceding)"),
        "sum(a) OVER (ROWS BETWEEN 2 PRECEDING AND CURRENT ROW)"
    );
}

#[test]
fn names_and_texts_are_kept() {
    for text in [
        "Orders.\"Amount \"\"net\"\"\" || 'it''s'",
        "CASE WHEN a THEN b ELSE c END",
        "CASE a WHEN 1 THEN b WHEN 2 THEN c END",
        "x NOT IN (1, 2) AND y NOT LIKE 'a%' AND z NOT BETWEEN 1 AND 2",
        "PERCENTILE_CONT(0.5) WITHIN GROUP (ORDER BY x DESC NULLS LAST)",
        "COUNT(DISTINCT a) FILTER (WHERE b IS NOT NULL)",
        "LISTAGG(s, ',' ORDER BY k)",
        "SUM(a) OVER (PARTITION BY b ORDER BY c RANGE BETWEEN UNBOUNDED PRECEDING AND :n FOLLOWING)",
        "EXTRACT(YEAR FROM d) + POSITION('a' IN s)",
        "a IS NOT DISTINCT FROM b",
        "COUNT(*) / COUNT(*) OVER ()",
    ] {
        assert_eq!(printed(text), text);
    }
}

#[test]
fn random_trees_print_to_texts_that_parse_back() {
    let mut random = Random::new(1);
    for _ in 0..5_000 {
        let depth = 1 + random.below(5);
        let made = tree(&mut random, depth);
        let text = print_expr(&made);
        match parse_expr_str(&text, SourceId(0)) {
            (Some(read), _) => assert_eq!(read, made, "{text}"),
            (None, found) => panic!("{text}: {found:?}"),
        }
    }
}

/// Flat texts of operands and operators, so that only precedence decides the tree. `||` is left out: the other parser
/// binds it like `*`. IS DISTINCT FROM is left out: its right side swallows AND there.
fn flat(random: &mut Random) -> String {
    let mut text = String::new();
    let operand = |random: &mut Random, text: &mut String| {
        while random.below(4) == 0 {
            text.push_str(random.pick(&["- ", "+ "]));
        }
        text.push_str(
            random.pick(&["a", "b", "t.c", "1", "2.5", "'s'", "NULL", "TRUE", "f(x)", "(a OR b)", "a::INT"]),
        );
    };
    for clause in 0..=random.below(3) {
        if clause > 0 {
            text.push_str(random.pick(&[" AND ", " OR "]));
        }
        while random.below(4) == 0 {
            text.push_str("NOT ");
        }
        operand(random, &mut text);
        for _ in 0..random.below(4) {
            text.push_str(random.pick(&[" + ", " - ", " * ", " / ", " % "]));
            operand(random, &mut text);
        }
        match random.below(7) {
            0 => text.push_str(random.pick(&[" IS NULL", " IS NOT NULL"])),
            1 => {
                text.push_str(random.pick(&[" BETWEEN ", " NOT BETWEEN "]));
                operand(random, &mut text);
                text.push_str(" AND ");
                operand(random, &mut text);
                text.push_str(random.pick(&["", " + 1", " * a - b"]));
            }
            2 => text.push_str(random.pick(&[" IN (1, a + b * c)", " NOT IN (a)"])),
            3 => {
                text.push_str(random.pick(&[" LIKE ", " NOT LIKE ", " ILIKE "]));
                operand(random, &mut text);
            }
            4 | 5 => {
                text.push_str(random.pick(&[" = ", " <> ", " < ", " <= ", " > ", " >= "]));
                operand(random, &mut text);
                text.push_str(random.pick(&["", " + 1 * 2", " - a"]));
            }
            _ => {}
        }
    }
    text
}

fn other_parser(text: &str) -> String {
    let parsed = sqlparser::parser::Parser::new(&GenericDialect {})
        .try_with_sql(text)
        .and_then(|mut parser| parser.parse_expr())
        .unwrap_or_else(|error| panic!("{text}: {error}"));
    other(&parsed)
}

/// `explicit` for the other parser's trees.
fn other(expr: &ast::Expr) -> String {
    let not = |negated: bool| if negated { " NOT" } else { "" };
    match expr {
        ast::Expr::Identifier(ident) => ident.value.clone(),
        ast::Expr::CompoundIdentifier(parts) => {
            parts.iter().map(|part| part.value.clone()).collect::<Vec<_>>().join(".")
        }
        ast::Expr::Value(value) => match &value.value {
            ast::Value::Number(digits, _) if digits.contains('.') => format!("decimal({digits})"),
            ast::Value::Number(digits, _) => digits.clone(),
            ast::Value::SingleQuotedString(text) => format!("{text:?}"),
            ast::Value::Boolean(value) => if *value { "TRUE" } else { "FALSE" }.to_string(),
            ast::Value::Null => "NULL".to_string(),
            value => panic!("{value:?}"),
        },
        ast::Expr::Nested(inner) => other(inner),
        ast::Expr::UnaryOp { op, expr } => format!("({op} {})", other(expr)),
        ast::Expr::BinaryOp { left, op, right } => format!("({} {op} {})", other(left), other(right)),
        ast::Expr::IsNull(operand) => format!("({} IS NULL)", other(operand)),
        ast::Expr::IsNotNull(operand) => format!("({} IS NOT NULL)", other(operand)),
        ast::Expr::Between { expr, negated, low, high } => {
            format!("({}{} BETWEEN {} AND {})", other(expr), not(*negated), other(low), other(high))
        }
        ast::Expr::InList { expr, list, negated } => {
            let list = list.iter().map(other).collect::<Vec<_>>().join(", ");
            format!("({}{} IN [{list}])", other(expr), not(*negated))
        }
        ast::Expr::Like { negated, expr, pattern, .. } => {
            format!("({}{} LIKE {})", other(expr), not(*negated), other(pattern))
        }
        ast::Expr::ILike { negated, expr, pattern, .. } => {
            format!("({}{} ILIKE {})", other(expr), not(*negated), other(pattern))
        }
        ast::Expr::Cast { expr, data_type, .. } => format!("cast({}; {data_type} [])", other(expr)),
        ast::Expr::Function(function) => function.to_string(),
        expr => panic!("{expr:?}"),
    }
}

#[test]
fn precedences_are_those_of_another_parser() {
    let mut random = Random::new(2);
    for _ in 0..5_000 {
        let text = flat(&mut random);
        assert_eq!(explicit(&parse(&text)), other_parser(&text), "{text}");
    }
}
