//! A model with every name resolved: columns, relationships' cardinality, typed expressions.
//! In: `model::Model` and a catalogue. Out: `Resolved`, which requests are bound against.

use crate::catalog::Origin;
use crate::data_type::DataType;
use crate::diagnostic::Diagnostic;
use crate::expr::Expr;
use crate::ids::{Arena, ColumnId, DatasetId, FieldId, MetricId, RelationshipId};
use crate::model::Model;

/// A model whose names are ids. Fields and metrics that cannot be resolved keep their findings and refuse use.
#[derive(Clone, PartialEq, Debug)]
pub struct Resolved {
    /// What was declared.
    pub model: Model,
    /// Every physical column that anything mentions, and all that the catalogue knows of the datasets' tables.
    pub columns: Arena<ColumnId, Column>,
    /// One a field, by the field's id.
    pub fields: Arena<FieldId, Outcome>,
    /// One a metric, by the metric's id.
    pub metrics: Arena<MetricId, Outcome>,
    /// One a relationship, by its id.
    pub relationships: Arena<RelationshipId, Relationship>,
    /// Keys of each dataset as columns, the primary key first.
    pub keys: Arena<DatasetId, Vec<Vec<ColumnId>>>,
    /// The time field of each dataset, for `metric_time`: the declared one, else the only one marked so.
    pub time_fields: Arena<DatasetId, TimeField>,
}

/// A resolved expression, or why there is none.
pub type Outcome = Result<ModelExpr, Vec<Diagnostic>>;

/// An expression over the model.
pub type ModelExpr = Expr<Reference>;

/// What an expression of the model refers to.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Reference {
    /// A physical column; only in the owning dataset's fields.
    Column(ColumnId),
    /// A field of any dataset.
    Field(FieldId),
    /// Another metric; gone after `bind`.
    Metric(MetricId),
    /// `metric_time`: each home's own time field; only in requests.
    MetricTime,
    /// CURRENT_DATE or CURRENT_TIMESTAMP: a constant after `bind`.
    Now,
}

/// A physical column of a dataset's source.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Column {
    /// The owner.
    pub dataset: DatasetId,
    /// As the table spells it, else as the model writes it.
    pub name: String,
    /// Its type.
    pub data_type: DataType,
    /// Whether NULL may occur.
    pub nullable: bool,
    /// Where the type was said.
    pub origin: Origin,
}

/// A relationship between resolved columns.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Relationship {
    /// The foreign-key side.
    pub from: DatasetId,
    /// The side pointed at.
    pub to: DatasetId,
    /// Pairs (column of `from`, column of `to`).
    pub on: Vec<(ColumnId, ColumnId)>,
    /// What the declared keys say.
    pub cardinality: Cardinality,
}

/// How many rows meet, `from` to `to`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Cardinality {
    /// `to_columns` contain a key of `to`.
    ManyToOne,
    /// And `from_columns` contain a key of `from`.
    OneToOne,
    /// Neither is known.
    ManyToMany,
}

/// What `metric_time` means for a home.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum TimeField {
    /// This field.
    Field(FieldId),
    /// No field is marked as a time.
    None,
    /// Several are marked and none is declared.
    Ambiguous,
}
