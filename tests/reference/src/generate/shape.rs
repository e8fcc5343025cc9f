//! A random case in parts: tables, datasets, relationships, metrics, the request. In: nothing. Out: what `print` turns into texts.
//! Expressions hold marks (`[d0.f1]`, `[m2]`) in place of names, so that parts can be renamed, moved and dropped.

use std::collections::BTreeSet;

use crate::case::{ColumnType, Table};
use crate::value::Value;

/// All parts of a case.
#[derive(Clone, PartialEq, Debug)]
pub(crate) struct Shape {
    pub(crate) tables: Vec<TableShape>,
    pub(crate) datasets: Vec<Dataset>,
    pub(crate) relationships: Vec<Relationship>,
    pub(crate) metrics: Vec<Metric>,
    pub(crate) ask: Ask,
}

/// A physical table. Its position in the shape never changes: it is its id.
#[derive(Clone, PartialEq, Debug)]
pub(crate) struct TableShape {
    pub(crate) name: String,
    pub(crate) columns: Vec<ColumnShape>,
    pub(crate) rows: Vec<Vec<Value>>,
}

/// A column; its position in the table is its id.
#[derive(Clone, PartialEq, Debug)]
pub(crate) struct ColumnShape {
    pub(crate) name: String,
    pub(crate) column_type: ColumnType,
    /// What its values are taken from.
    pub(crate) pool: Vec<Value>,
    /// How many of a hundred are NULL.
    pub(crate) nulls: usize,
    /// Part of a key or of a relationship.
    pub(crate) key: bool,
}

/// A dataset of the model.
#[derive(Clone, PartialEq, Debug)]
pub(crate) struct Dataset {
    pub(crate) id: usize,
    pub(crate) name: String,
    pub(crate) table: usize,
    pub(crate) primary: Vec<usize>,
    pub(crate) unique: Vec<Vec<usize>>,
    pub(crate) fields: Vec<Field>,
    /// The field that an extension names as the time.
    pub(crate) time: Option<usize>,
    /// What it is for.
    pub(crate) role: Role,
}

/// What a dataset is for: it decides which columns, fields and metrics it gets.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Role {
    Fact,
    Dimension,
    Link,
}

/// What values are, as far as expressions have to know.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) enum Kind {
    Boolean,
    Integer,
    Decimal,
    Double,
    Text,
    Date,
    Timestamp,
}

impl Kind {
    pub(crate) fn of(column_type: ColumnType) -> Self {
        match column_type {
            ColumnType::Boolean => Kind::Boolean,
            ColumnType::Int32 | ColumnType::Int64 => Kind::Integer,
            ColumnType::Decimal { .. } => Kind::Decimal,
            ColumnType::Double => Kind::Double,
            ColumnType::Text => Kind::Text,
            ColumnType::Date => Kind::Date,
            ColumnType::Timestamp => Kind::Timestamp,
        }
    }

    pub(crate) fn is_number(self) -> bool {
        matches!(self, Kind::Integer | Kind::Decimal | Kind::Double)
    }

    pub(crate) fn is_time(self) -> bool {
        matches!(self, Kind::Date | Kind::Timestamp)
    }
}

/// A field of a dataset.
#[derive(Clone, PartialEq, Debug)]
pub(crate) struct Field {
    pub(crate) id: usize,
    pub(crate) name: String,
    pub(crate) text: String,
    pub(crate) kind: Kind,
    /// The column that it is, if it is no more than that.
    pub(crate) column: Option<usize>,
    /// Marked as a time dimension.
    pub(crate) is_time: bool,
    pub(crate) private: bool,
    pub(crate) trait_of: Traits,
}

/// What the makers of requests must know of a value.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub(crate) struct Traits {
    /// A window is in it.
    pub(crate) windowed: bool,
    /// Engines may differ in its last bit.
    pub(crate) rounded: bool,
    /// A text beyond ASCII may be in it.
    pub(crate) wide: bool,
}

/// A relationship, from many to one.
#[derive(Clone, PartialEq, Debug)]
pub(crate) struct Relationship {
    pub(crate) name: String,
    pub(crate) from: usize,
    pub(crate) to: usize,
    /// Columns of the two tables.
    pub(crate) columns: Vec<(usize, usize)>,
}

/// A metric of the model.
#[derive(Clone, PartialEq, Debug)]
pub(crate) struct Metric {
    pub(crate) id: usize,
    pub(crate) name: String,
    pub(crate) text: String,
    pub(crate) about: Measure,
    pub(crate) private: bool,
}

/// What is known of a measure.
#[derive(Clone, PartialEq, Debug)]
pub(crate) struct Measure {
    pub(crate) kind: Kind,
    /// The homes of its aggregates.
    pub(crate) homes: BTreeSet<usize>,
    pub(crate) nature: Nature,
    pub(crate) traits: Traits,
}

/// How a measure's parts add up.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Nature {
    /// A plain COUNT: adds up, 0 over nothing.
    Count,
    /// A plain SUM: adds up, NULL over nothing.
    Sum,
    /// Anything else.
    Other,
}

/// The request.
#[derive(Clone, PartialEq, Default, Debug)]
pub(crate) struct Ask {
    pub(crate) dimensions: Vec<Entry>,
    pub(crate) measures: Vec<Entry>,
    pub(crate) fields: Vec<Entry>,
    pub(crate) conditions: Vec<String>,
    pub(crate) having: Vec<String>,
    pub(crate) order: Vec<Key>,
    pub(crate) limit: Option<usize>,
    pub(crate) time_range: Option<TimeRange>,
    pub(crate) home: Option<usize>,
    /// Write empty lists too: an empty request is a case of its own.
    pub(crate) bare: bool,
    /// Write names in capitals, where that means the same.
    pub(crate) shout: bool,
}

/// A dimension, measure or field of a request.
#[derive(Clone, PartialEq, Default, Debug)]
pub(crate) struct Entry {
    pub(crate) text: String,
    pub(crate) grain: Option<&'static str>,
    /// Write the grain behind a colon.
    pub(crate) colon: bool,
    pub(crate) alias: Option<String>,
    pub(crate) about: About,
}

/// What is known of an entry.
#[derive(Clone, PartialEq, Default, Debug)]
pub(crate) struct About {
    /// The dataset of a dimension or field.
    pub(crate) dataset: Option<usize>,
    /// What is known of a measure.
    pub(crate) measure: Option<Measure>,
    /// The kind of values, if known.
    pub(crate) kind: Option<Kind>,
    pub(crate) rounded: bool,
}

/// A key of `order_by`.
#[derive(Clone, PartialEq, Debug)]
pub(crate) struct Key {
    pub(crate) text: String,
    pub(crate) grain: Option<&'static str>,
    pub(crate) descending: bool,
    pub(crate) nulls_first: Option<bool>,
}

/// `time_range`.
#[derive(Clone, PartialEq, Debug)]
pub(crate) struct TimeRange {
    pub(crate) dimension: String,
    pub(crate) start: Option<String>,
    pub(crate) end: Option<String>,
}

impl Shape {
    pub(crate) fn dataset(&self, id: usize) -> Option<&Dataset> {
        self.datasets.iter().find(|dataset| dataset.id == id)
    }

    pub(crate) fn dataset_mut(&mut self, id: usize) -> Option<&mut Dataset> {
        self.datasets.iter_mut().find(|dataset| dataset.id == id)
    }

    pub(crate) fn table_of(&self, dataset: usize) -> Option<&TableShape> {
        self.tables.get(self.dataset(dataset)?.table)
    }

    pub(crate) fn field(&self, dataset: usize, field: usize) -> Option<&Field> {
        self.dataset(dataset)?.fields.iter().find(|one| one.id == field)
    }

    pub(crate) fn metric(&self, id: usize) -> Option<&Metric> {
        self.metrics.iter().find(|metric| metric.id == id)
    }

    /// The tables with what engines need of them.
    pub(crate) fn plain_tables(&self) -> Vec<Table> {
        let read = |at: &usize| self.datasets.iter().any(|dataset| dataset.table == *at);
        let used = (0..self.tables.len()).filter(read).filter_map(|at| self.tables.get(at));
        used.map(|table| Table {
            name: table.name.clone(),
            columns: table
                .columns
                .iter()
                .map(|column| crate::case::Column {
                    name: column.name.clone(),
                    column_type: column.column_type,
                })
                .collect(),
            rows: table.rows.clone(),
        })
        .collect()
    }
}

/// A mark in an expression: what it stands for.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) enum Mark {
    /// `dataset.field`.
    Field(usize, usize),
    /// A field by its bare name, inside its dataset.
    Sibling(usize, usize),
    /// A physical column, inside its dataset.
    Column(usize, usize),
    /// A metric.
    Metric(usize),
    /// A dataset.
    Dataset(usize),
}

impl Mark {
    /// As an expression holds it.
    pub(crate) fn text(self) -> String {
        match self {
            Mark::Field(dataset, field) => field_mark(dataset, field),
            Mark::Sibling(dataset, field) => sibling_mark(dataset, field),
            Mark::Column(dataset, column) => column_mark(dataset, column),
            Mark::Metric(metric) => metric_mark(metric),
            Mark::Dataset(dataset) => format!("[d{dataset}]"),
        }
    }
}

pub(crate) fn field_mark(dataset: usize, field: usize) -> String {
    format!("[d{dataset}.f{field}]")
}

pub(crate) fn sibling_mark(dataset: usize, field: usize) -> String {
    format!("[d{dataset}:f{field}]")
}

pub(crate) fn column_mark(dataset: usize, column: usize) -> String {
    format!("[d{dataset}:c{column}]")
}

pub(crate) fn metric_mark(metric: usize) -> String {
    format!("[m{metric}]")
}

fn read_mark(text: &str) -> Option<Mark> {
    if let Some(metric) = text.strip_prefix('m') {
        return metric.parse().ok().map(Mark::Metric);
    }
    let text = text.strip_prefix('d')?;
    let number = |text: &str| text.parse::<usize>().ok();
    if let Some((dataset, field)) = text.split_once(".f") {
        return Some(Mark::Field(number(dataset)?, number(field)?));
    }
    if let Some((dataset, field)) = text.split_once(":f") {
        return Some(Mark::Sibling(number(dataset)?, number(field)?));
    }
    if let Some((dataset, column)) = text.split_once(":c") {
        return Some(Mark::Column(number(dataset)?, number(column)?));
    }
    number(text).map(Mark::Dataset)
}

/// The marks of a text, in their order.
pub(crate) fn marks(text: &str) -> Vec<Mark> {
    text.split('[').skip(1).filter_map(|part| read_mark(part.split(']').next()?)).collect()
}

/// The text with each mark replaced; a mark that stands for nothing becomes a name that no model has.
pub(crate) fn replace_marks(text: &str, mut name: impl FnMut(Mark) -> Option<String>) -> String {
    let mut parts = text.split('[');
    let mut out = parts.next().unwrap_or("").to_string();
    for part in parts {
        let (mark, rest) = part.split_once(']').unwrap_or((part, ""));
        match read_mark(mark).and_then(&mut name) {
            Some(name) => out.push_str(&name),
            None => out.push_str("gone_name"),
        }
        out.push_str(rest);
    }
    out
}
