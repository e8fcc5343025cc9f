//! A case: what a compiler with an engine is asked, and the reference too.
//! In: nothing. Out: the values that `generate` makes, `evaluate` answers and `script` turns into tables of an engine.

use crate::value::Value;

/// A model, its data and a request.
#[derive(Clone, PartialEq, Debug)]
pub struct Case {
    /// The model, YAML or JSON.
    pub model: String,
    /// The tables that its datasets read.
    pub tables: Vec<Table>,
    /// The request, JSON.
    pub request: String,
}

/// A physical table with its rows.
#[derive(Clone, PartialEq, Debug)]
pub struct Table {
    /// Its name as a dataset's `source` writes it.
    pub name: String,
    /// Its columns.
    pub columns: Vec<Column>,
    /// A value a column in each; of the column's type, or NULL.
    pub rows: Vec<Vec<Value>>,
}

/// A column.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Column {
    /// Its name.
    pub name: String,
    /// What it holds.
    pub column_type: ColumnType,
}

/// The types of columns (docs/semantics.md, types and values).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ColumnType {
    /// BOOLEAN.
    Boolean,
    /// INTEGER, 32 bits.
    Int32,
    /// BIGINT.
    Int64,
    /// DECIMAL(precision, scale).
    Decimal {
        /// Digits.
        precision: u8,
        /// Of these, behind the point.
        scale: u8,
    },
    /// DOUBLE.
    Double,
    /// VARCHAR.
    Text,
    /// DATE.
    Date,
    /// TIMESTAMP without zone.
    Timestamp,
}
