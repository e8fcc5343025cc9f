//! Physical columns: what the catalogue knows, and without one what keys, relationships and fields mention.
//! In: a model and a catalogue. Out: an arena of columns with types and where they were said.

use std::collections::BTreeMap;

use crate::catalog::{Catalog, Origin};
use crate::data_type::DataType;
use crate::ids::{Arena, ColumnId, DatasetId};
use crate::model::{LogicalType, Model};
use crate::resolve::Column;

/// The columns of all datasets while they are being found.
pub(super) struct Columns {
    pub(super) arena: Arena<ColumnId, Column>,
    tables: Arena<DatasetId, Table>,
}

/// The columns of one dataset.
#[derive(Default)]
struct Table {
    columns: Vec<ColumnId>,
    by_name: BTreeMap<String, ColumnId>,
    /// By the name in lower case; `None` where several columns differ only in case.
    by_folded: BTreeMap<String, Option<ColumnId>>,
    /// Whether the catalogue has the dataset's table, so that a column it lacks does not exist.
    closed: bool,
}

impl Columns {
    /// The columns of the catalogue's tables.
    pub(super) fn of(model: &Model, catalog: &Catalog) -> Columns {
        let mut columns = Columns { arena: Arena::default(), tables: Arena::default() };
        for (id, dataset) in model.datasets.iter() {
            let known = catalog.columns(&dataset.source);
            // `types:` of a project names single columns; a table known only from there may have others.
            let closed =
                known.is_some_and(|known| known.iter().any(|column| column.origin != Origin::ProjectFile));
            columns.tables.push(Table { closed, ..Table::default() });
            for column in known.unwrap_or_default() {
                columns.add(Column {
                    dataset: id,
                    name: column.name.clone(),
                    data_type: column.data_type,
                    nullable: column.nullable,
                    origin: column.origin,
                });
            }
        }
        columns
    }

    fn add(&mut self, column: Column) -> ColumnId {
        let (dataset, name) = (column.dataset, column.name.clone());
        let id = self.arena.push(column);
        let table = &mut self.tables[dataset];
        table.columns.push(id);
        table.by_folded.entry(name.to_ascii_lowercase()).and_modify(|only| *only = None).or_insert(Some(id));
        *table.by_name.entry(name).or_insert(id)
    }

    /// A column that is known: spelled the same, or, if the catalogue has the table, the only one in another case.
    pub(super) fn known(&self, dataset: DatasetId, name: &str) -> Option<ColumnId> {
        let table = &self.tables[dataset];
        if let Some(id) = table.by_name.get(name) {
            return Some(*id);
        }
        if !table.closed {
            return None;
        }
        table.by_folded.get(&name.to_ascii_lowercase()).copied().flatten()
    }

    /// The column of that name; without a catalogue it is taken to exist.
    pub(super) fn known_or_assumed(&mut self, dataset: DatasetId, name: &str) -> Option<ColumnId> {
        if let Some(id) = self.known(dataset, name) {
            return Some(id);
        }
        if self.is_closed(dataset) {
            return None;
        }
        Some(self.add(Column {
            dataset,
            name: name.to_string(),
            data_type: DataType::Unknown,
            nullable: true,
            origin: Origin::Unknown,
        }))
    }

    /// Whether all columns of the dataset's table are known.
    pub(super) fn is_closed(&self, dataset: DatasetId) -> bool {
        self.tables[dataset].closed
    }

    /// Takes a declared type for a column that has none yet.
    pub(super) fn declare(&mut self, id: ColumnId, logical: LogicalType) {
        let column = &mut self.arena[id];
        if column.data_type == DataType::Unknown && declared_type(logical) != DataType::Unknown {
            column.data_type = declared_type(logical);
            column.origin = Origin::Model;
        }
    }

    /// The names of a dataset's columns, for candidates.
    pub(super) fn names(&self, dataset: DatasetId) -> impl Iterator<Item = &str> {
        self.tables[dataset].columns.iter().map(|id| self.arena[*id].name.as_str())
    }
}

/// The value type of a declared logical type; a Decimal says no precision, Opaque says nothing.
pub(super) fn declared_type(logical: LogicalType) -> DataType {
    match logical {
        LogicalType::String => DataType::String,
        LogicalType::Integer => DataType::Int64,
        LogicalType::Float => DataType::Float64,
        LogicalType::Boolean => DataType::Boolean,
        LogicalType::Date => DataType::Date,
        LogicalType::Time => DataType::Time,
        LogicalType::DateTime => DataType::Timestamp,
        LogicalType::DateTimeTz => DataType::TimestampTz,
        LogicalType::Decimal | LogicalType::Opaque => DataType::Unknown,
    }
}
