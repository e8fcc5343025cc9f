//! Types for datasets whose source is a query. In: a model, the tables that its queries may name. Out: each query's columns, as the
//! engine plans it over tables of these columns; nothing is read.

use std::collections::BTreeMap;

use unisono_compiler::catalog::Column;
use unisono_compiler::model::{Model, Source};

use super::EngineError;
use super::datafusion::Session;

/// Whether a dataset of the model reads a query.
pub fn has_queries(model: &Model) -> bool {
    model.datasets.iter().any(|(_, dataset)| matches!(dataset.source, Source::Query(_)))
}

/// The columns of the model's queries, by their text. A query that the engine does not take is left out: the engine says why once a
/// request needs it.
pub async fn query_columns(
    model: &Model,
    tables: &[(Vec<String>, Vec<Column>)],
) -> Result<BTreeMap<String, Vec<Column>>, EngineError> {
    let mut queries = BTreeMap::new();
    let session = Session::new();
    for (name, columns) in tables {
        session.add_columns(name, columns)?;
    }
    for (_, dataset) in model.datasets.iter() {
        if let Source::Query(text) = &dataset.source
            && let Ok(columns) = session.query_columns(text).await
        {
            queries.insert(text.clone(), columns);
        }
    }
    Ok(queries)
}
