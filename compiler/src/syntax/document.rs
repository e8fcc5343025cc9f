//! A semantic model as written: every name, key and expression text with its span, nothing resolved.
//! In: the YAML or JSON tree. Out: what `lower` turns into `model` values.

use crate::source::{Span, Spanned};

/// One file: its shape, its version, its models.
#[derive(Clone, PartialEq, Debug)]
pub struct Document {
    /// Which of the four shapes was read.
    pub shape: Shape,
    /// The version as written, if any.
    pub version: Option<Spanned<String>>,
    /// At least one.
    pub models: Vec<SemanticModel>,
}

/// The document shapes that exist in the field (docs/semantics.md, documents).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Shape {
    /// `semantic_model: [..]`.
    WrapperList,
    /// `semantic_model: {..}`.
    WrapperMapping,
    /// The model at the root, with a version.
    Flat,
    /// The model at the root, no version, expressions as plain strings.
    Bare,
}

/// A semantic model.
#[derive(Clone, PartialEq, Debug)]
pub struct SemanticModel {
    /// Its name; a bare document may have none, then it is empty.
    pub name: Spanned<String>,
    /// Text for people.
    pub description: Option<String>,
    /// Tables.
    pub datasets: Vec<Dataset>,
    /// Joins.
    pub relationships: Vec<Relationship>,
    /// Metrics.
    pub metrics: Vec<Metric>,
    /// Vendor data.
    pub extensions: Vec<Extension>,
    /// The whole model.
    pub span: Span,
}

/// A table with its keys and fields.
#[derive(Clone, PartialEq, Debug)]
pub struct Dataset {
    /// Its name.
    pub name: Spanned<String>,
    /// `a.b.c`, or a query.
    pub source: Spanned<String>,
    /// Primary key columns; empty if none is declared.
    pub primary_key: Vec<Spanned<String>>,
    /// Further keys.
    pub unique_keys: Vec<Vec<Spanned<String>>>,
    /// Named expressions over its rows.
    pub fields: Vec<Field>,
    /// Text for people.
    pub description: Option<String>,
    /// Vendor data.
    pub extensions: Vec<Extension>,
}

/// A named expression over the rows of a dataset.
#[derive(Clone, PartialEq, Debug)]
pub struct Field {
    /// Its name.
    pub name: Spanned<String>,
    /// One text a dialect.
    pub expression: Expression,
    /// `dimension: {is_time: true}`.
    pub is_time: bool,
    /// OSI's logical type, if declared.
    pub datatype: Option<Spanned<String>>,
    /// `access_modifier: private`.
    pub private: bool,
    /// Text for people.
    pub description: Option<String>,
    /// Vendor data.
    pub extensions: Vec<Extension>,
}

/// A join between two datasets by equal columns.
#[derive(Clone, PartialEq, Debug)]
pub struct Relationship {
    /// Its name.
    pub name: Spanned<String>,
    /// The many side.
    pub from: Spanned<String>,
    /// The one side.
    pub to: Spanned<String>,
    /// Pairs (column of `from`, column of `to`), at least one.
    pub columns: Vec<(Spanned<String>, Spanned<String>)>,
}

/// A named aggregate expression.
#[derive(Clone, PartialEq, Debug)]
pub struct Metric {
    /// Its name.
    pub name: Spanned<String>,
    /// One text a dialect.
    pub expression: Expression,
    /// OSI's logical type, if declared.
    pub datatype: Option<Spanned<String>>,
    /// `access_modifier: private`.
    pub private: bool,
    /// Text for people.
    pub description: Option<String>,
    /// Vendor data.
    pub extensions: Vec<Extension>,
}

/// An expression in one dialect or several.
#[derive(Clone, PartialEq, Debug)]
pub struct Expression {
    /// In the order written; a plain string is one variant of the common language.
    pub variants: Vec<Variant>,
    /// The whole value.
    pub span: Span,
}

/// One text of an expression.
#[derive(Clone, PartialEq, Debug)]
pub struct Variant {
    /// The dialect's name as written; `None` for a plain string.
    pub dialect: Option<Spanned<String>>,
    /// The text.
    pub text: Text,
}

/// A scalar of the document whose characters may have to be pointed at.
#[derive(Clone, PartialEq, Debug)]
pub struct Text {
    /// The value after YAML's unescaping.
    pub value: String,
    /// The scalar in the file, quotes included.
    pub span: Span,
    /// The byte in the file at which `value` stands character for character, if it does.
    pub verbatim_at: Option<u32>,
}

/// `custom_extensions`: a vendor's name and its text, which is JSON for the vendors that we read.
#[derive(Clone, PartialEq, Debug)]
pub struct Extension {
    /// The vendor.
    pub vendor: Spanned<String>,
    /// Its data, unread.
    pub data: Spanned<String>,
}
