//! Statements of StarRocks around a query. In: what a catalogue or a view is made of. Out: what `print` turns into text.

use super::Select;

/// One statement.
#[derive(Clone, PartialEq, Debug)]
pub(crate) enum Statement {
    /// SET CATALOG.
    SetCatalog(String),
    /// CREATE DATABASE IF NOT EXISTS.
    CreateDatabase(String),
    /// CREATE EXTERNAL CATALOG.
    CreateCatalog {
        /// Its name.
        name: String,
        /// PROPERTIES, in order.
        properties: Vec<(String, String)>,
    },
    /// CREATE MATERIALIZED VIEW that is refreshed by hand.
    CreateView {
        /// Name parts.
        name: Vec<String>,
        /// COMMENT.
        comment: String,
        /// DISTRIBUTED BY HASH of a column.
        distributed_by: String,
        /// PROPERTIES, in order.
        properties: Vec<(String, String)>,
        /// What it holds.
        select: Box<Select>,
    },
    /// REFRESH EXTERNAL TABLE.
    RefreshTable(Vec<String>),
    /// REFRESH MATERIALIZED VIEW, whatever has changed, until it is done.
    RefreshView(Vec<String>),
}
