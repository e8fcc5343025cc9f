//! A model with every name resolved: columns, relationships' cardinality, typed expressions.
//! In: `model::Model` and a catalogue. Out: `Resolved`, which requests are bound against.

mod columns;
mod dependencies;
pub(crate) mod fields;
pub mod graph;
mod keys;
pub(crate) mod metrics;
pub(crate) mod names;
mod time_fields;
pub(crate) mod typing;

use std::collections::BTreeMap;
use std::fmt;

use crate::catalog::{Catalog, Origin};
use crate::check::check;
use crate::data_type::DataType;
use crate::diagnostic::{Code, Diagnostic, has_errors};
use crate::expr::Expr;
use crate::ids::{Arena, ColumnId, DatasetId, FieldId, MetricId, RelationshipId};
use crate::model::{Body, Dialect, Expression, Model, lower};
use crate::syntax;
use crate::syntax::document::SemanticModel;
use names::Names;

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
    /// The time field that a metric declares for itself.
    pub metric_times: Arena<MetricId, Option<FieldId>>,
    /// The dialect whose own variants are preferred; empty if none is.
    pub(crate) dialect: String,
    /// The relationships as a graph, in which requests look for their ways.
    pub(crate) graph: graph::Graph,
    /// Names to ids, for requests.
    pub(crate) names: Names,
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
    /// Only `from_columns` contain a key, of `from`: read backwards it is N:1.
    OneToMany,
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

impl Resolved {
    /// What tells the rows of a dataset apart: its primary key, or a unique key whose columns are never NULL.
    pub fn identity(&self, dataset: DatasetId) -> Option<&[ColumnId]> {
        let declared = &self.model.datasets[dataset].keys;
        let whole = |key: &[ColumnId]| key.iter().all(|column| !self.columns[*column].nullable);
        self.keys[dataset]
            .iter()
            .zip(declared)
            .find(|(key, declared)| declared.primary || whole(key))
            .map(|(key, _)| key.as_slice())
    }
}

/// Resolves a model against a catalogue. `dialect` is the upper-cased name of the target whose own variants are
/// preferred (`DUCKDB`), or empty. Findings about single fields and metrics stay with them (`object_diagnostics`); the
/// list holds those about keys and relationships.
pub fn resolve(model: Model, catalog: &Catalog, dialect: &str) -> (Resolved, Vec<Diagnostic>) {
    let mut diagnostics = Vec::new();
    let names = Names::of(&model);
    let mut columns = columns::Columns::of(&model, catalog);
    let (keys, relationships) = keys::resolve_keys(&model, &mut columns, &names, dialect, &mut diagnostics);
    let graph = graph::Graph::of(&relationships, model.datasets.len());
    let fields = fields::resolve_fields(&model, &names, &graph, &mut columns, dialect, &mut diagnostics);
    keys::check_types(&model, &columns.arena, &relationships, &mut diagnostics);
    let time_fields = time_fields::time_fields(&model, &names, &fields, &mut diagnostics);
    let metrics = metrics::resolve_metrics(&model, &names, &fields, dialect);
    let metric_times = time_fields::metric_times(&model, &names, &fields, &mut diagnostics);
    let resolved = Resolved {
        columns: columns.arena,
        fields,
        metrics,
        relationships,
        keys,
        time_fields,
        metric_times,
        dialect: dialect.to_string(),
        graph,
        names,
        model,
    };
    (resolved, diagnostics)
}

/// A document's model lowered, checked and resolved, with the findings of all three; `None` if any is an error. Findings about
/// single fields and metrics stay in it (`object_diagnostics`).
pub fn resolve_model(
    model: &SemanticModel,
    catalog: &Catalog,
    dialect: &str,
) -> (Option<Resolved>, Vec<Diagnostic>) {
    let (lowered, mut diagnostics) = lower(model);
    diagnostics.extend(check(&lowered));
    if has_errors(&diagnostics) {
        return (None, diagnostics);
    }
    let (resolved, findings) = resolve(lowered, catalog, dialect);
    let failed = has_errors(&findings);
    diagnostics.extend(findings);
    (if failed { None } else { Some(resolved) }, diagnostics)
}

/// The findings about single fields and metrics, and the warnings about relationships, in the order of the model.
pub fn object_diagnostics(resolved: &Resolved) -> Vec<Diagnostic> {
    let of_fields = resolved.fields.iter().map(|(_, outcome)| outcome);
    let of_metrics = resolved.metrics.iter().map(|(_, outcome)| outcome);
    let mut found: Vec<Diagnostic> = Vec::new();
    // By message, since a large model may have very many.
    let mut known: BTreeMap<&str, Vec<&Diagnostic>> = BTreeMap::new();
    for diagnostic in of_fields.chain(of_metrics).filter_map(|outcome| outcome.as_ref().err()).flatten() {
        // An object that uses a broken one carries the same finding.
        let same = known.entry(&diagnostic.message).or_default();
        if !same.contains(&diagnostic) {
            same.push(diagnostic);
            found.push(diagnostic.clone());
        }
    }
    found.extend(keys::without_key(resolved));
    found
}

/// The variant of an expression that a target uses: its own, else the common one of the best rank.
fn choose<'a>(
    expression: &'a Expression,
    dialect: &str,
    path: fmt::Arguments<'_>,
) -> Result<&'a syntax::Expr, Vec<Diagnostic>> {
    let is_own = |found: &Dialect| matches!(found, Dialect::Named(name) if name == dialect);
    let own = expression.variants.iter().find(|variant| is_own(&variant.dialect));
    let common = expression
        .variants
        .iter()
        .filter(|variant| matches!(variant.dialect, Dialect::Common(_)))
        .min_by(|one, other| one.dialect.cmp(&other.dialect));
    match own.or(common).map(|variant| &variant.body) {
        Some(Body::Parsed(expr)) => Ok(expr),
        Some(Body::Broken(findings)) => Err(findings.clone()),
        Some(Body::Foreign) | None => {
            let have: Vec<String> = expression
                .variants
                .iter()
                .filter_map(|variant| match &variant.dialect {
                    Dialect::Named(name) => Some(name.clone()),
                    Dialect::Common(_) => None,
                })
                .collect();
            Err(vec![
                Diagnostic::new(
                    Code::NoUsableExpression,
                    format!("`{path}` has an expression only in {}", have.join(", ")),
                )
                .at(expression.span, "this expression")
                .about(path.to_string())
                .help("add a variant in dialect ANSI_SQL"),
            ])
        }
    }
}
