//! The text of every function on every engine, written by hand after docs/semantics.md, functions, and docs/traps.md: a form that is taken
//! away or changed fails here by the function's name.

mod aggregates;
mod conditions;
mod numbers;
mod texts;
mod times;
mod windows;

use unisono_compiler::expr::ExprKind;
use unisono_compiler::function::{AggregateFunction, Function, Ranking, WindowFunction};
use unisono_compiler::relation::{Grouping, RelExpr};

use super::relations::one;
use super::say;
use crate::support::functions;

/// The engines, in the order of a row's texts.
const ENGINES: [&str; 4] = ["datafusion", "duckdb", "flink", "starrocks"];

/// One expression and what each engine is told. Names of columns stand without their quotes.
struct Row {
    says: RelExpr,
    texts: [String; 4],
}

/// An expression with a text for each of DataFusion, DuckDB, Flink, StarRocks; a text that begins with `E_` is a refusal's beginning.
fn row<T: Into<String>>(says: RelExpr, texts: [T; 4]) -> Row {
    Row { says, texts: texts.map(Into::into) }
}

/// An expression that every engine is told alike.
fn same(says: RelExpr, text: &str) -> Row {
    row(says, [text; 4])
}

/// What an engine is told, without the quotes of names, or the refusal.
fn told(says: &RelExpr, target: &str) -> String {
    let mut relation = one(says.clone());
    if says.any(&mut |part| matches!(&*part.kind, ExprKind::Aggregate(_))) {
        relation.body.group_by = Grouping::Global;
    }
    let (text, findings) = say(&relation, target);
    let Some(text) = text else { return format!("{}: {}", findings[0].code, findings[0].message) };
    assert_eq!(findings, [], "{target}");
    let line = text.lines().nth(1).unwrap().trim();
    let plain = line.replace(['`', '"'], "");
    plain.strip_suffix(" AS answer").unwrap_or(&plain).to_string()
}

fn check(says: &RelExpr, target: &str, wanted: &str) {
    assert_eq!(fault(says, target, wanted), None);
}

/// What is told, if it is not what is wanted.
fn fault(says: &RelExpr, target: &str, wanted: &str) -> Option<String> {
    let told = told(says, target);
    let is_right = if wanted.starts_with("E_") { told.starts_with(wanted) } else { told == wanted };
    (!is_right).then(|| format!("{target}\n  wanted {wanted}\n  told   {told}"))
}

/// Every text of every row.
fn check_all(rows: &[Row]) {
    let texts = rows.iter().flat_map(|row| ENGINES.iter().zip(&row.texts).map(move |text| (row, text)));
    let faults: Vec<String> =
        texts.filter_map(|(row, (target, wanted))| fault(&row.says, target, wanted)).collect();
    assert!(faults.is_empty(), "{} texts are others:\n{}", faults.len(), faults.join("\n"));
}

/// What a row is about: the name of its outermost function, and of an aggregate or a ranking.
fn name(says: &RelExpr) -> String {
    match &*says.kind {
        ExprKind::Call { function, .. } => function.name(),
        ExprKind::Aggregate(aggregate) => aggregate.function.name().to_string(),
        ExprKind::Window(window) => match window.function {
            WindowFunction::Ranking(ranking) => ranking.name().to_string(),
            WindowFunction::Aggregate(function) => format!("{} OVER", function.name()),
        },
        ExprKind::Cast { .. } => "CAST".to_string(),
        ExprKind::InList { .. } => "IN".to_string(),
        ExprKind::Literal(_) => "literal".to_string(),
        ExprKind::Case { .. } => "CASE".to_string(),
        ExprKind::Reference(_) => "reference".to_string(),
    }
}

#[test]
fn every_function_has_a_row() {
    let rows = [
        numbers::rows(),
        conditions::rows(),
        texts::rows(),
        times::rows(),
        aggregates::rows(),
        windows::rows(),
    ];
    let named: Vec<String> = rows.iter().flatten().map(|row| name(&row.says)).collect();
    let planned = [AggregateFunction::MinBy, AggregateFunction::MaxBy];
    let functions = functions().into_iter().map(Function::name).collect::<Vec<_>>();
    let aggregates = AggregateFunction::ALL.iter().filter(|name| !planned.contains(name));
    let rankings = Ranking::ALL.iter().map(|name| name.name().to_string());
    let wanted = functions
        .into_iter()
        .chain(aggregates.map(|name| name.name().to_string()))
        .chain(rankings)
        .filter(|name| !named.contains(name));
    assert_eq!(wanted.collect::<Vec<_>>(), Vec::<String>::new());
}
