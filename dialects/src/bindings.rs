//! Where a dataset's rows come from in one text: a table, a branch or snapshot of it, or the model's own query.
//! In: a resolved model, or what the runtime knows of the lakehouse. Out: what `emit` puts after FROM.

use std::collections::BTreeMap;

use unisono_compiler::ids::DatasetId;
use unisono_compiler::model::Source;
use unisono_compiler::resolve::Resolved;

use crate::bucket::Bucket;

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

/// A table by name, the same by buckets, or a query in the model's words.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum BoundSource {
    /// Name parts, without quotes, at least one.
    Table(Vec<String>),
    /// A table whose rows are read with the bounds of their time bucket.
    Buckets {
        /// Name parts, without quotes, at least one.
        table: Vec<String>,
        /// Their length.
        bucket: Bucket,
    },
    /// A query's text, without the parentheses around it.
    Query(String),
}

/// How a Paimon table is read: a branch, a snapshot, or a snapshot of a branch; by a stream under a name.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Pin {
    /// The branch; `None` for main.
    pub branch: Option<String>,
    /// The snapshot; `None` for the latest.
    pub snapshot: Option<i64>,
    /// The name under which a stream keeps beside the table how far it has read.
    pub consumer: Option<String>,
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
            Source::Table(parts) => BoundSource::Table(parts.clone()),
            Source::Query(text) => BoundSource::Query(without_parentheses(text).to_string()),
        };
        bindings.bind(id, Binding { source, pin: None });
    }
    bindings
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
    use unisono_compiler::catalog::Catalog;
    use unisono_compiler::ids::Id;
    use unisono_compiler::resolve::resolve_model;
    use unisono_compiler::source::SourceId;
    use unisono_compiler::syntax::parse_document;

    use super::*;

    /// The table that a dataset of this source is read from.
    fn table(source: &str) -> Vec<String> {
        let text = format!("name: shop\ndatasets:\n- {{name: orders, source: '{source}'}}\n");
        let (document, _) = parse_document(SourceId(0), &text);
        let (resolved, _) = resolve_model(&document.unwrap().models[0], &Catalog::default(), "");
        match &bindings_of(&resolved.unwrap()).get(DatasetId::from_index(0)).unwrap().source {
            BoundSource::Table(parts) => parts.clone(),
            BoundSource::Buckets { .. } | BoundSource::Query(_) => panic!("{source}"),
        }
    }

    #[test]
    fn quotes_of_the_model_are_taken_off_once() {
        assert_eq!(table("shop . orders"), ["shop", "orders"]);
        assert_eq!(table(r#"shop."My Table""#), ["shop", "My Table"]);
        assert_eq!(table(r#"shop."""orders""""#), ["shop", r#""orders""#]);
        assert_eq!(table(r#"shop."`orders`""#), ["shop", "`orders`"]);
        assert_eq!(table(r#"shop." orders ""#), ["shop", " orders "]);
    }

    #[test]
    fn parentheses_of_the_model_are_taken_off_once() {
        assert_eq!(without_parentheses(" (SELECT 1 AS a) "), "SELECT 1 AS a");
        assert_eq!(without_parentheses("SELECT (1) AS a;"), "SELECT (1) AS a");
    }
}
