//! Tests that loop over all targets, and the relations that they share.

mod escape;
mod evolution;
mod facts;
mod forms;
mod functions;
mod golden;
mod language;
mod limits;
mod negative_zero;
mod paimon;
mod relations;
mod samples;
mod sources;
mod stages;
mod strategies;
mod tumble;
mod values;

use unisono_compiler::diagnostic::Diagnostic;
use unisono_compiler::ids::{DatasetId, Id};
use unisono_compiler::relation::Relation;

use crate::{Binding, Bindings, BoundSource, TARGETS, Target, adapt, emit, parse_target};

fn target(text: &str) -> Target {
    parse_target(text).unwrap()
}

/// Tables for the datasets 0, 1 and 2.
fn bindings() -> Bindings {
    let mut bindings = Bindings::default();
    for (index, name) in ["orders", "customers", "t"].into_iter().enumerate() {
        let source = BoundSource::Table(vec![name.to_string()]);
        bindings.bind(DatasetId::from_index(index), Binding { source, pin: None });
    }
    bindings
}

/// Adapts and emits.
fn say(relation: &Relation, text: &str) -> (Option<String>, Vec<Diagnostic>) {
    let target = target(text);
    let (adapted, mut diagnostics) = adapt(relation, &target);
    let Some(adapted) = adapted else { return (None, diagnostics) };
    let (sql, findings) = emit(&adapted, &target, &bindings());
    diagnostics.extend(findings);
    (sql, diagnostics)
}

/// The text, where nothing is to be said about it.
fn sql(relation: &Relation, target: &str) -> String {
    let (sql, diagnostics) = say(relation, target);
    assert_eq!(diagnostics, [], "{target}");
    sql.unwrap()
}

/// The code and message of the first finding.
fn finding(relation: &Relation, target: &str) -> String {
    let (_, diagnostics) = say(relation, target);
    let first = diagnostics.first().unwrap();
    format!("{}: {}", first.code, first.message)
}
