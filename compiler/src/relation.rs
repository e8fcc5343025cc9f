//! The plan in SQL words, typed, with no text: selects over tables and earlier selects.
//! In: a plan. Out: what `dialects::adapt` bends to one target and `dialects::emit` prints.

mod from_plan;
mod names;
mod print;

pub use from_plan::relate;
pub use names::Names;
pub use print::print_relation;

use std::fmt;

use crate::data_type::DataType;
use crate::expr::{Expr, OrderKey};
use crate::ids::DatasetId;

/// A query: named selects, each over tables and earlier ones, and the final select.
#[derive(Clone, PartialEq, Debug)]
pub struct Relation {
    /// In order; a select uses only earlier ones. Names are unique.
    pub ctes: Vec<Cte>,
    /// The answer.
    pub body: Select,
    /// The order. Each key is a reference to one of the items of `body` (alias `None`), or, where `body` neither groups nor
    /// is DISTINCT, to a column of its sources.
    pub order_by: Vec<OrderKey<ColumnRef>>,
    /// At most so many rows.
    pub limit: Option<u64>,
    /// The names that no further CTE may have: those of the CTEs, of the datasets read and of their tables.
    pub names: Names,
}

/// A named select.
#[derive(Clone, PartialEq, Debug)]
pub struct Cte {
    /// What it is, in words of the model: `orders_rows`, `orders_by_region`.
    pub name: String,
    /// One line for the reader of the SQL: plan node and model objects.
    pub comment: String,
    /// Its rows.
    pub body: Body,
}

/// The rows of a CTE.
#[derive(Clone, PartialEq, Debug)]
pub enum Body {
    /// One select.
    Select(Select),
    /// All rows of several selects with the same column names and types.
    UnionAll(Vec<Select>),
}

/// One SELECT. Where it groups, each item is a key or a single aggregate over plain columns.
#[derive(Clone, PartialEq, Debug)]
pub struct Select {
    /// SELECT DISTINCT.
    pub distinct: bool,
    /// The columns, at least one, names unique.
    pub items: Vec<Item>,
    /// FROM; `None` for a select of constants.
    pub from: Option<Input>,
    /// Joins in order.
    pub joins: Vec<Join>,
    /// WHERE: all must be TRUE.
    pub filter: Vec<RelExpr>,
    /// How the rows are grouped.
    pub group_by: Grouping,
}

/// Whether a select aggregates.
#[derive(Clone, PartialEq, Debug)]
pub enum Grouping {
    /// No aggregation.
    None,
    /// One row for the whole input, also when it is empty.
    Global,
    /// One row a distinct tuple; at least one key. Keys are references to columns of the sources.
    Keys(Vec<RelExpr>),
}

/// A column of a select.
#[derive(Clone, PartialEq, Debug)]
pub struct Item {
    /// Its name.
    pub name: String,
    /// Its value.
    pub expr: RelExpr,
}

/// A source with the alias under which its columns are referred to; aliases are unique in a select.
#[derive(Clone, PartialEq, Debug)]
pub struct Input {
    /// What is read.
    pub source: Source,
    /// The alias.
    pub alias: String,
}

/// What a FROM or JOIN reads.
#[derive(Clone, PartialEq, Debug)]
pub enum Source {
    /// A dataset's physical source; bindings may redirect it to a table, branch or snapshot.
    Dataset(DatasetId),
    /// An earlier CTE.
    Cte(String),
}

/// A join to one more source.
#[derive(Clone, PartialEq, Debug)]
pub struct Join {
    /// Which rows survive.
    pub kind: JoinKind,
    /// The right side.
    pub right: Input,
    /// Equalities (left, right), all must hold; empty only for `Cross`.
    pub on: Vec<(RelExpr, RelExpr)>,
    /// NULL equals NULL in `on`.
    pub null_safe: bool,
}

/// Kinds of joins that plans need.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum JoinKind {
    /// All left rows.
    Left,
    /// All rows of both sides.
    Full,
    /// Every pair.
    Cross,
}

/// A column of a source in scope, or (alias `None`) of the select's own output.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct ColumnRef {
    /// The source's alias.
    pub alias: Option<String>,
    /// The column's name as the source spells it.
    pub column: String,
}

/// An expression over columns.
pub type RelExpr = Expr<ColumnRef>;

/// The columns of an answer, as every engine must return them.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct OutputColumn {
    /// Its name.
    pub name: String,
    /// Its type by the rules of docs/semantics.md, whatever the engine calls it.
    pub data_type: DataType,
}

impl Body {
    /// The selects of the body.
    pub fn selects(&self) -> &[Select] {
        match self {
            Body::Select(select) => std::slice::from_ref(select),
            Body::UnionAll(selects) => selects,
        }
    }

    /// The selects of the body, to change them in place.
    pub fn selects_mut(&mut self) -> &mut [Select] {
        match self {
            Body::Select(select) => std::slice::from_mut(select),
            Body::UnionAll(selects) => selects,
        }
    }
}

impl Select {
    /// The rows of one source, or without any a single row of constants.
    pub fn plain(items: Vec<Item>, from: Option<Input>) -> Select {
        Select {
            distinct: false,
            items,
            from,
            joins: Vec::new(),
            filter: Vec::new(),
            group_by: Grouping::None,
        }
    }
}

impl Input {
    /// A CTE under its own name.
    pub fn cte(name: &str) -> Input {
        Input { source: Source::Cte(name.to_string()), alias: name.to_string() }
    }
}

impl fmt::Display for ColumnRef {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.alias {
            Some(alias) => write!(f, "{alias}.{}", self.column),
            None => write!(f, "{}", self.column),
        }
    }
}

impl Relation {
    /// The answer's columns with their types.
    pub fn columns(&self) -> Vec<OutputColumn> {
        self.body
            .items
            .iter()
            .map(|item| OutputColumn { name: item.name.clone(), data_type: item.expr.data_type })
            .collect()
    }
}
