//! The semantic model with ids for names: what `lower` makes of a document. Expressions are parsed but not resolved.
//! In: `syntax::SemanticModel`. Out: a value that holds no text positions but those inside its expressions and names.

mod lower;

pub use lower::lower;

use std::borrow::Cow;

use crate::diagnostic::Diagnostic;
use crate::ids::{Arena, DatasetId, FieldId, MetricId, RelationshipId};
use crate::source::{Span, Spanned};
use crate::syntax;

/// A semantic model. Names in it are unique after folding, relationships join datasets that exist.
#[derive(Clone, PartialEq, Debug)]
pub struct Model {
    /// Its name.
    pub name: Spanned<String>,
    /// Tables in the order of the document.
    pub datasets: Arena<DatasetId, Dataset>,
    /// Fields of all datasets; a dataset's own stand together.
    pub fields: Arena<FieldId, Field>,
    /// Joins.
    pub relationships: Arena<RelationshipId, Relationship>,
    /// Metrics.
    pub metrics: Arena<MetricId, Metric>,
}

/// A name that folds: unquoted names match in any case, names written with double quotes exactly.
#[derive(Clone, Debug)]
pub struct Name {
    /// The text without quotes.
    pub text: String,
    /// Whether the document quoted it.
    pub quoted: bool,
    /// Where it was written.
    pub span: Span,
}

impl PartialEq for Name {
    fn eq(&self, other: &Self) -> bool {
        self.folded() == other.folded()
    }
}

impl Name {
    /// The form that is compared: lower case unless quoted. Two names are the same if their folded forms are equal.
    pub fn folded(&self) -> Cow<'_, str> {
        fold(&self.text, self.quoted)
    }
}

/// Folds an identifier: unquoted ones are lower-cased, quoted ones stay.
pub fn fold(text: &str, quoted: bool) -> Cow<'_, str> {
    let is_folded = quoted || text.bytes().all(|byte| byte.is_ascii() && !byte.is_ascii_uppercase());
    if is_folded { Cow::Borrowed(text) } else { Cow::Owned(text.to_lowercase()) }
}

/// A table with its declared keys.
#[derive(Clone, PartialEq, Debug)]
pub struct Dataset {
    /// Its name.
    pub name: Name,
    /// Where its rows come from.
    pub source: Source,
    /// Where the source was written.
    pub source_span: Span,
    /// The primary key first if declared, then the unique keys.
    pub keys: Vec<Key>,
    /// Its fields.
    pub fields: Vec<FieldId>,
    /// Text for people.
    pub description: Option<String>,
    /// The field that an extension names as its time.
    pub time_dimension: Option<Spanned<String>>,
}

/// What a dataset reads.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Source {
    /// `a.b.c`, at least one part, without the quotes that the document wrote around them.
    Table(Vec<String>),
    /// A query in parentheses or starting with SELECT or WITH.
    Query(String),
}

/// Columns that identify a row.
#[derive(Clone, PartialEq, Debug)]
pub struct Key {
    /// The primary key, whose columns are never NULL.
    pub primary: bool,
    /// Column names in the order of the document.
    pub columns: Vec<Name>,
}

/// A named expression over a dataset's rows.
#[derive(Clone, PartialEq, Debug)]
pub struct Field {
    /// The owner.
    pub dataset: DatasetId,
    /// Its name.
    pub name: Name,
    /// One expression a dialect.
    pub expression: Expression,
    /// Marked as a time dimension.
    pub is_time: bool,
    /// Declared type.
    pub logical_type: Option<Spanned<LogicalType>>,
    /// Hidden from requests.
    pub private: bool,
    /// Text for people.
    pub description: Option<String>,
}

/// A join by equal columns, `from` (many) to `to` (one) if the keys say so.
#[derive(Clone, PartialEq, Debug)]
pub struct Relationship {
    /// Its name.
    pub name: Name,
    /// The side that holds the foreign key.
    pub from: DatasetId,
    /// The side that is pointed at.
    pub to: DatasetId,
    /// Pairs (column of `from`, column of `to`), at least one.
    pub columns: Vec<(Name, Name)>,
}

/// A named aggregate expression.
#[derive(Clone, PartialEq, Debug)]
pub struct Metric {
    /// Its name.
    pub name: Name,
    /// One expression a dialect.
    pub expression: Expression,
    /// Declared type.
    pub logical_type: Option<Spanned<LogicalType>>,
    /// Hidden from requests.
    pub private: bool,
    /// Text for people.
    pub description: Option<String>,
    /// `dataset.field` that an extension names as its time.
    pub time_dimension: Option<Spanned<String>>,
}

/// The variants of one expression, parsed.
#[derive(Clone, PartialEq, Debug)]
pub struct Expression {
    /// At least one, in the order written.
    pub variants: Vec<Variant>,
    /// The whole value in the document.
    pub span: Span,
}

/// One variant.
#[derive(Clone, PartialEq, Debug)]
pub struct Variant {
    /// Whose language it is in.
    pub dialect: Dialect,
    /// The parsed text.
    pub body: Body,
}

/// What became of a variant's text.
#[derive(Clone, PartialEq, Debug)]
pub enum Body {
    /// In the common language, or in a target's own as far as it is the same.
    Parsed(syntax::Expr),
    /// Meant for us, but unreadable.
    Broken(Vec<Diagnostic>),
    /// In another vendor's language: not read.
    Foreign,
}

/// The dialects whose own variants a target uses before the common one.
pub const TARGET_DIALECTS: [&str; 4] = ["DATAFUSION", "DUCKDB", "FLINK", "STARROCKS"];

/// The language of a variant.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Dialect {
    /// The common language; lower rank is preferred: plain string or `OSI_SQL_2026`, then `Ossie_SQL_2026`, then `ANSI_SQL`.
    Common(u8),
    /// A target or vendor by its upper-cased name.
    Named(String),
}

/// OSI's portable types.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum LogicalType {
    /// Text.
    String,
    /// Int64.
    Integer,
    /// Base 10, precision not said.
    Decimal,
    /// Float64.
    Float,
    /// Boolean.
    Boolean,
    /// Date.
    Date,
    /// Time of day.
    Time,
    /// Timestamp without zone.
    DateTime,
    /// Instant.
    DateTimeTz,
    /// Outside the portable vocabulary.
    Opaque,
}

impl LogicalType {
    /// Every type with OSI's name for it.
    pub const ALL: [(LogicalType, &'static str); 10] = [
        (LogicalType::String, "String"),
        (LogicalType::Integer, "Integer"),
        (LogicalType::Decimal, "Decimal"),
        (LogicalType::Float, "Float"),
        (LogicalType::Boolean, "Boolean"),
        (LogicalType::Date, "Date"),
        (LogicalType::Time, "Time"),
        (LogicalType::DateTime, "DateTime"),
        (LogicalType::DateTimeTz, "DateTimeTz"),
        (LogicalType::Opaque, "Opaque"),
    ];
}
