//! What the strategies share: expressions with some parts replaced, steps that are added, nodes built by hand.
//! In: parts of a relation. Out: new parts.

use std::collections::BTreeSet;

use unisono_compiler::data_type::{DataType, Exactness};
use unisono_compiler::expr::{Expr, Literal, OrderKey};
use unisono_compiler::function::Scalar;
use unisono_compiler::relation::{
    Body, ColumnRef, Cte, Item, Join, Names, RelExpr, Relation, Select, Source,
};

/// The same expression with every part replaced for which `replacement` has an answer; the parts of an answer are left alone.
pub(super) fn replace(expr: &RelExpr, replacement: &mut impl FnMut(&RelExpr) -> Option<RelExpr>) -> RelExpr {
    let mut replaced = expr.clone();
    replace_parts(&mut replaced, replacement);
    replaced
}

fn replace_parts(expr: &mut RelExpr, replacement: &mut impl FnMut(&RelExpr) -> Option<RelExpr>) {
    if let Some(replaced) = replacement(expr) {
        *expr = replaced;
        return;
    }
    for part in expr.children_mut() {
        replace_parts(part, replacement);
    }
}

/// A column of a source.
pub(crate) fn column(alias: &str, name: &str, data_type: DataType, exactness: Exactness) -> RelExpr {
    Expr::reference(
        ColumnRef { alias: Some(alias.to_string()), column: name.to_string() },
        data_type,
        exactness,
    )
}

/// NULL of a type.
pub(super) fn null(data_type: DataType) -> RelExpr {
    Expr::constant(Literal::Null, data_type)
}

/// `NULLIF(x, NULL)`: the value of x, and to a planner neither a column nor known to be no NULL.
pub(super) fn opaque(x: RelExpr) -> RelExpr {
    let (data_type, exactness) = (x.data_type, x.exactness);
    let arguments = vec![x, null(data_type)];
    Expr::call(Scalar::NullIf, arguments, data_type, exactness)
}

/// The step below a select, as far as the select has asked for columns.
pub(super) struct Below {
    /// Its alias.
    pub(super) alias: String,
    /// Its columns.
    pub(super) items: Vec<Item>,
    names: Names,
}

impl Below {
    /// A step of which nothing was asked yet.
    pub(super) fn new(alias: &str) -> Below {
        Below { alias: alias.to_string(), items: Vec::new(), names: Names::default() }
    }

    /// A value as a column of the step, which is called as wanted if no other is.
    pub(super) fn column(&mut self, expr: &RelExpr, wanted: &str) -> RelExpr {
        let known = self.items.iter().find(|item| item.expr == *expr).map(|item| item.name.clone());
        let name = known.unwrap_or_else(|| {
            let name = self.names.unused(wanted);
            self.items.push(Item { name: name.clone(), expr: expr.clone() });
            name
        });
        column(&self.alias, &name, expr.data_type, expr.exactness)
    }
}

/// The CTEs that a rule adds before the one that it rewrites.
pub(super) struct Added<'a> {
    names: &'a mut Names,
    ctes: Vec<Cte>,
}

impl Added<'_> {
    /// A name that neither a CTE nor a table has.
    pub(super) fn name(&mut self, wanted: &str) -> String {
        self.names.unused(wanted)
    }

    /// Adds a CTE.
    pub(super) fn push(&mut self, name: String, comment: String, body: Body) {
        self.ctes.push(Cte { name, comment, body });
    }
}

/// Runs a rule on every select with the name of its CTE; the last one is the answer, whose order the rule may change too.
pub(super) fn every_select(
    relation: &mut Relation,
    rule: &mut impl FnMut(&mut Select, &mut [OrderKey<ColumnRef>], &str, &mut Added<'_>),
) {
    let mut added = Added { names: &mut relation.names, ctes: Vec::new() };
    for mut cte in std::mem::take(&mut relation.ctes) {
        for select in cte.body.selects_mut() {
            rule(select, &mut [], &cte.name, &mut added);
        }
        added.ctes.push(cte);
    }
    rule(&mut relation.body, &mut relation.order_by, "answer", &mut added);
    relation.ctes = added.ctes;
}

/// The CTEs whose rows come out of such a join, directly or by way of others.
pub(super) fn ctes_over(relation: &Relation, is_such: fn(&Join) -> bool) -> BTreeSet<String> {
    let mut found = BTreeSet::new();
    for cte in &relation.ctes {
        if cte.body.selects().iter().any(|select| is_over(select, &found, is_such)) {
            found.insert(cte.name.clone());
        }
    }
    found
}

/// Whether a select has such a join, or reads one of the CTEs over one.
pub(super) fn is_over(select: &Select, ctes: &BTreeSet<String>, is_such: fn(&Join) -> bool) -> bool {
    let mut inputs = select.from.iter().chain(select.joins.iter().map(|join| &join.right));
    select.joins.iter().any(is_such)
        || inputs.any(|input| matches!(&input.source, Source::Cte(name) if ctes.contains(name)))
}

/// Every expression of a select.
pub(super) fn exprs(select: &Select) -> impl Iterator<Item = &RelExpr> {
    let items = select.items.iter().map(|item| &item.expr);
    let joins = select.joins.iter().flat_map(|join| join.on.iter().flat_map(|(left, right)| [left, right]));
    items.chain(joins).chain(&select.filter)
}

/// Every expression of a select, to change it in place.
pub(super) fn exprs_mut(select: &mut Select) -> impl Iterator<Item = &mut RelExpr> {
    let items = select.items.iter_mut().map(|item| &mut item.expr);
    let joins = select.joins.iter_mut().flat_map(|join| &mut join.on).flat_map(|(left, right)| [left, right]);
    items.chain(joins).chain(&mut select.filter)
}
