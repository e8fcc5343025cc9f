//! Statements that make tables. In: specs and sources of events. Out: what `print` turns into text.

use super::{Expr, Type};

/// CREATE TABLE.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct CreateTable {
    /// Name parts.
    pub(crate) name: Vec<String>,
    /// IF NOT EXISTS.
    pub(crate) if_missing: bool,
    /// Columns in order.
    pub(crate) columns: Vec<ColumnDefinition>,
    /// PRIMARY KEY .. NOT ENFORCED; none if empty.
    pub(crate) primary_key: Vec<String>,
    /// WITH, in order.
    pub(crate) options: Vec<(String, String)>,
}

/// CREATE TEMPORARY TABLE of another table's columns with a computed time and its watermark.
#[derive(Clone, PartialEq, Debug)]
pub(crate) struct WatermarkedTable {
    /// Its name.
    pub(crate) name: String,
    /// The added column.
    pub(crate) time: &'static str,
    /// What it holds.
    pub(crate) value: Expr,
    /// The watermark.
    pub(crate) watermark: Expr,
    /// WITH, in order.
    pub(crate) options: Vec<(String, String)>,
    /// The other table's name parts.
    pub(crate) like: Vec<String>,
}

/// A column of CREATE TABLE.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct ColumnDefinition {
    /// Its name.
    pub(crate) name: String,
    /// Its type.
    pub(crate) data_type: Type,
    /// NOT NULL if not.
    pub(crate) nullable: bool,
    /// COMMENT.
    pub(crate) comment: Option<String>,
}
