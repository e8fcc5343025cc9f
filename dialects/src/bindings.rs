//! Where a dataset's rows come from in one text: a table, a branch or snapshot of it, or the model's own query.
//! In: a resolved model, or what the runtime knows of the lakehouse. Out: what `emit` puts after FROM.

use std::collections::BTreeMap;

use unisono_compiler::ids::DatasetId;
use unisono_compiler::model::Source;
use unisono_compiler::resolve::Resolved;

/// The source of every dataset that a relation may read.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Bindings {
    entries: BTreeMap<DatasetId, Binding>,
}

/// One dataset's source.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Binding {
    /// What is read.
    pub source: BoundSource,
    /// Which state of it; `None` for whatever the engine finds.
    pub pin: Option<Pin>,
}

/// A table by name, or a query in the model's words.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum BoundSource {
    /// Name parts, without quotes, at least one.
    Table(Vec<String>),
    /// A query's text, without the parentheses around it.
    Query(String),
}

/// A state of a Paimon table: a branch, a snapshot, or a snapshot of a branch.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Pin {
    /// The branch; `None` for main.
    pub branch: Option<String>,
    /// The snapshot; `None` for the latest.
    pub snapshot: Option<i64>,
}

impl Bindings {
    /// Sets where a dataset is read.
    pub fn bind(&mut self, dataset: DatasetId, binding: Binding) {
        self.entries.insert(dataset, binding);
    }

    /// Where a dataset is read.
    pub fn get(&self, dataset: DatasetId) -> Option<&Binding> {
        self.entries.get(&dataset)
    }
}

/// Every dataset bound to its own source, unpinned.
pub fn bindings_of(model: &Resolved) -> Bindings {
    let mut bindings = Bindings::default();
    for (id, dataset) in model.model.datasets.iter() {
        let source = match &dataset.source {
            Source::Table(parts) => BoundSource::Table(parts.iter().map(|part| unquoted(part)).collect()),
            Source::Query(text) => BoundSource::Query(without_parentheses(text).to_string()),
        };
        bindings.bind(id, Binding { source, pin: None });
    }
    bindings
}

/// A name part without the quotes that the model may have written around it.
fn unquoted(part: &str) -> String {
    let part = part.trim();
    for quote in ['"', '`'] {
        if let Some(inner) = part.strip_prefix(quote).and_then(|rest| rest.strip_suffix(quote)) {
            return inner.replace(&format!("{quote}{quote}"), &quote.to_string());
        }
    }
    part.to_string()
}

/// The text inside one pair of parentheses around the whole query, if there is one.
fn without_parentheses(text: &str) -> &str {
    let text = text.trim().trim_end_matches(';').trim_end();
    match text.strip_prefix('(').and_then(|rest| rest.strip_suffix(')')) {
        Some(inner) => inner.trim(),
        None => text,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quotes_and_parentheses_of_the_model_are_taken_off_once() {
        assert_eq!(unquoted("\"My \"\"Table\"\"\""), "My \"Table\"");
        assert_eq!(unquoted("orders"), "orders");
        assert_eq!(without_parentheses(" (SELECT 1 AS a) "), "SELECT 1 AS a");
        assert_eq!(without_parentheses("SELECT (1) AS a;"), "SELECT (1) AS a");
    }
}
