//! ALTER TABLE as a tree. In: what `paimon` plans. Out: what `print` turns into text.

use super::ColumnDefinition;

/// ALTER TABLE with one change.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct AlterTable {
    /// Name parts.
    pub(crate) name: Vec<String>,
    /// The change.
    pub(crate) change: Alteration,
}

/// What ALTER TABLE changes.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Alteration {
    /// ADD of a column behind the others.
    Add(ColumnDefinition),
    /// MODIFY of a column: its whole new definition.
    Modify(ColumnDefinition),
}
