//! Where the engine's rows come from and where its state lies. In: what the runtime reads for it. Out: rows, changes, and
//! the rollup's own rows. Whoever implements the traits counts what was read.

use std::collections::{BTreeMap, BTreeSet};

use unisono_compiler::ids::{ColumnId, DatasetId};

use super::{Fault, Value};

/// The dimensions of a group in the order of the layout; empty in a rollup without dimensions.
pub type Key = Vec<Value>;

/// Which state of the sources.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Side {
    /// What the rollup reflects so far.
    Old,
    /// What it shall reflect.
    New,
}

/// Only the rows whose values in `columns` are one of `keys`; NULL in a key stands for NULL in the column.
#[derive(Clone, Copy, Debug)]
pub struct Keep<'a> {
    /// Some of the dataset's columns, not necessarily among those asked for.
    pub columns: &'a [ColumnId],
    /// One value a column.
    pub keys: &'a BTreeSet<Vec<Value>>,
}

/// What happened to a source between `Old` and `New`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum SourceChange {
    /// Nothing.
    Unchanged,
    /// Net images: -1 a row that went, +1 a row that came; an update is both. Rows that are the same may have cancelled.
    Rows(Vec<(i8, Vec<Value>)>),
    /// It cannot be told: whatever depends on the source is made anew.
    Unknown,
}

/// Takes one row; an error ends the reading.
pub type Each<'a> = &'a mut dyn FnMut(Vec<Value>) -> Result<(), Fault>;

/// The sources at both sides of a step.
pub trait Sources {
    /// Gives rows of a dataset, with the values of `columns` in that order.
    fn rows(
        &mut self,
        dataset: DatasetId,
        columns: &[ColumnId],
        at: Side,
        keep: Option<Keep<'_>>,
        each: Each<'_>,
    ) -> Result<(), Fault>;

    /// What changed, with the values of `columns` in that order.
    fn change(&mut self, dataset: DatasetId, columns: &[ColumnId]) -> Result<SourceChange, Fault>;

    /// Whether anything may have changed; sources that know their heads answer without reading.
    fn moved(&mut self, dataset: DatasetId) -> Result<bool, Fault> {
        Ok(self.change(dataset, &[])? != SourceChange::Unchanged)
    }
}

/// The rollup as it stands.
pub trait State {
    /// Its rows in the columns of the layout (dimensions, measures, hidden ones), by key: those of `keys`, or all.
    fn groups(&mut self, keys: Option<&BTreeSet<Key>>) -> Result<BTreeMap<Key, Vec<Value>>, Fault>;
}
