//! What is known of the columns in scope: how large a number can be, and which undeclared columns a value comes from.
//! In: the items of the selects emitted so far. Out: answers by column reference.

use std::collections::BTreeMap;

use unisono_compiler::data_type::DataType;
use unisono_compiler::expr::ExprKind;
use unisono_compiler::relation::{ColumnRef, Cte, Input, RelExpr, Select, Source};

use crate::magnitude::{Magnitude, magnitude};

/// Facts on the columns of CTEs, by CTE and column name.
#[derive(Debug, Default)]
pub(super) struct KnownColumns {
    ctes: BTreeMap<String, BTreeMap<String, Known>>,
}

/// Facts on one column.
#[derive(Clone, Debug)]
struct Known {
    magnitude: Magnitude,
    /// Columns of datasets without a type that it is made of.
    untyped: Vec<String>,
}

/// The sources of one select, by alias.
#[derive(Debug, Default)]
pub(super) struct Scope<'a> {
    sources: BTreeMap<&'a str, &'a Source>,
}

impl<'a> Scope<'a> {
    /// The scope of a select.
    pub(super) fn of(select: &'a Select) -> Scope<'a> {
        let inputs = select.from.iter().chain(select.joins.iter().map(|join| &join.right));
        Scope { sources: inputs.map(|Input { source, alias }| (alias.as_str(), source)).collect() }
    }

    fn cte(&self, column: &ColumnRef) -> Option<&str> {
        match self.sources.get(column.alias.as_deref()?)? {
            Source::Cte(name) => Some(name),
            Source::Dataset(_) => None,
        }
    }
}

impl KnownColumns {
    /// Adds the columns of a CTE whose sources are known already.
    pub(super) fn add(&mut self, cte: &Cte) {
        let mut columns: BTreeMap<String, Known> = BTreeMap::new();
        for select in cte.body.selects() {
            let scope = Scope::of(select);
            for item in &select.items {
                let fresh = Known {
                    magnitude: self.magnitude(&item.expr, &scope),
                    untyped: self.untyped(&item.expr, &scope),
                };
                match columns.get_mut(&item.name) {
                    None => {
                        columns.insert(item.name.clone(), fresh);
                    }
                    Some(known) => {
                        if fresh.magnitude.unscaled > known.magnitude.unscaled {
                            known.magnitude = fresh.magnitude;
                        }
                        known.untyped.extend(fresh.untyped);
                    }
                }
            }
        }
        self.ctes.insert(cte.name.clone(), columns);
    }

    /// How large an expression can be.
    pub(super) fn magnitude(&self, expr: &RelExpr, scope: &Scope<'_>) -> Magnitude {
        magnitude(expr, &|column| self.column(column, scope).map(|known| known.magnitude))
    }

    /// The undeclared columns of datasets that an expression is made of.
    pub(super) fn untyped(&self, expr: &RelExpr, scope: &Scope<'_>) -> Vec<String> {
        if expr.data_type != DataType::Unknown {
            return Vec::new();
        }
        let mut names = Vec::new();
        expr.any(&mut |part| {
            if let ExprKind::Reference(column) = &*part.kind
                && part.data_type == DataType::Unknown
            {
                match self.column(column, scope) {
                    Some(known) => names.extend(known.untyped.iter().cloned()),
                    None => names.push(column.to_string()),
                }
            }
            false
        });
        names.sort();
        names.dedup();
        names
    }

    fn column(&self, column: &ColumnRef, scope: &Scope<'_>) -> Option<&Known> {
        self.ctes.get(scope.cte(column)?)?.get(&column.column)
    }
}
