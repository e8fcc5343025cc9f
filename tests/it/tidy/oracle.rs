//! What the reference evaluator may use of the project: the stages that parse, and nothing behind them.
//! In: its manifest and imports. Out: the places that reach further.

use super::rust::{has_word, sources};
use super::tree::text;
use super::{place, report};

/// Modules of the compiler behind parsing; a fault in one of them must not be a fault of the oracle too.
const BEHIND_PARSING: [&str; 12] = [
    "catalog",
    "check",
    "data_type",
    "function",
    "ids",
    "model",
    "plan",
    "relation",
    "resolve",
    "bind",
    "Bound",
    "expr::Aggregate",
];

/// `unisono_compiler::plan`, `use unisono_compiler::{query::bind, syntax}`.
fn reaches_behind(code: &str) -> Option<&'static str> {
    let (_, path) = code.split_once("unisono_compiler::")?;
    let path = path.replace("syntax::expr", "syntax");
    BEHIND_PARSING.into_iter().find(|module| has_word(&path, module))
}

#[test]
fn the_reference_evaluator_shares_only_the_parsers() {
    let manifest = text("tests/reference/Cargo.toml");
    let project: Vec<&str> = manifest.lines().filter(|line| line.starts_with("unisono-")).collect();
    assert_eq!(project, ["unisono-compiler.workspace = true"]);
    let mut files = 0;
    let mut broken = Vec::new();
    for file in sources(&["tests/reference/"]) {
        files += 1;
        // An import may run over several lines; to its end it is one piece.
        let code: Vec<&str> = file.source.lines.iter().map(|line| line.code.as_str()).collect();
        for (at, piece) in code.join("\n").split(';').enumerate() {
            if let Some(module) = reaches_behind(piece) {
                broken.push(place(file.path, 1, &format!("statement {}: {module}", at + 1)));
            }
        }
    }
    assert!(files > 10, "the reference evaluator was not found");
    report("The reference evaluator uses the compiler's parsers and nothing behind them.", &broken);
}

#[test]
fn uses_behind_parsing_are_seen() {
    assert_eq!(reaches_behind("use unisono_compiler::{\n    query::bind,\n    syntax::Expr}"), Some("bind"));
    assert_eq!(reaches_behind("let a = unisono_compiler::plan::plan(b)"), Some("plan"));
    assert_eq!(reaches_behind("use unisono_compiler::syntax::expr::{Expr, Call}"), None);
    assert_eq!(reaches_behind("let plan = 1"), None);
}
