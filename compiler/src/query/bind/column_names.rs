//! The names of an answer's columns: shared by both shapes of request. In: the entries. Out: a name each, all different.

use std::collections::{BTreeMap, BTreeSet};

use crate::diagnostic::{Code, Diagnostic};
use crate::query::bind::entry::Parsed;
use crate::resolve::Resolved;
use crate::syntax::expr::Ident;

/// An alias over groups may not be the name of another metric: a bare name in `having` would mean the one, the column's head says the other.
pub(super) fn refuse_metric_names(
    resolved: &Resolved,
    columns: &[&Parsed],
    diagnostics: &mut Vec<Diagnostic>,
) {
    let model = &resolved.model;
    for column in columns {
        let Some(alias) = &column.alias else { continue };
        let metric = resolved.names.metric(model, &Ident { text: alias.clone(), quoted: false });
        let Some(metric) = metric.filter(|id| !model.metrics[*id].private) else { continue };
        let means_it = column.grain.is_none()
            && column.bare().is_some_and(|name| resolved.names.metric(model, name) == Some(metric));
        if !means_it {
            diagnostics.push(
                Diagnostic::new(
                    Code::NameCollision,
                    format!("`{alias}` is a metric, and the request gives its name to something else"),
                )
                .at(column.span, "this column")
                .help("give it another name with \"as\""),
            );
        }
    }
}

/// Gives every column a name of its own: the leaf, or `dataset_field` where two leaves, or a leaf and another column,
/// are the same.
pub(super) fn column_names(columns: &[&Parsed], diagnostics: &mut Vec<Diagnostic>) -> Vec<String> {
    let short: Vec<String> = columns.iter().map(|column| column.column_name()).collect();
    let mut counts: BTreeMap<String, usize> = BTreeMap::new();
    for name in &short {
        *counts.entry(name.to_lowercase()).or_default() += 1;
    }
    let names: Vec<String> = columns
        .iter()
        .zip(&short)
        .map(|(column, short)| {
            if counts.get(&short.to_lowercase()).is_some_and(|count| *count > 1) {
                column.long_column_name()
            } else {
                short.clone()
            }
        })
        .collect();
    let mut earlier = BTreeSet::new();
    for (column, name) in columns.iter().zip(&names) {
        if !earlier.insert(name.to_lowercase()) {
            diagnostics.push(
                Diagnostic::new(Code::NameCollision, format!("two columns of the answer are named `{name}`"))
                    .at(column.span, "the second one")
                    .help("give one of them another name with \"as\""),
            );
        }
    }
    names
}
