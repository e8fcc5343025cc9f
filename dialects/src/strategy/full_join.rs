//! FULL JOIN on NULL-safe keys where no engine fact proves it: the branches are put under each other and grouped by the keys.
//! In: a relation. Out: the same answer by UNION ALL and GROUP BY; each branch has at most one row a key (plan, stitch), so MAX
//! of the one value that is there is that value.

use unisono_compiler::diagnostic::{Code, Diagnostic};
use unisono_compiler::expr::{Aggregate, Expr, ExprKind, OrderKey};
use unisono_compiler::function::{AggregateFunction, Function, Scalar};
use unisono_compiler::relation::{
    Body, ColumnRef, Grouping, Input, Item, Join, JoinKind, Names, RelExpr, Relation, Select,
};

use super::rewrite::{Added, column, every_select, null, replace};
use crate::capabilities::FullJoin;
use crate::target::Target;

/// Replaces every FULL JOIN where the target does not prove it.
pub(crate) fn apply(
    relation: &mut Relation,
    style: FullJoin,
    target: Target,
    diagnostics: &mut Vec<Diagnostic>,
) {
    if style == FullJoin::Native {
        return;
    }
    every_select(relation, &mut |select, order, name, added| {
        rewrite(select, order, name, added, target, diagnostics);
    });
}

/// A side of the join: its source and the values that it is joined by, in the keys' order.
struct Branch {
    input: Input,
    keys: Vec<RelExpr>,
}

fn rewrite(
    select: &mut Select,
    order: &mut [OrderKey<ColumnRef>],
    name: &str,
    added: &mut Added<'_>,
    target: Target,
    diagnostics: &mut Vec<Diagnostic>,
) {
    let full = select.joins.iter().take_while(|join| join.kind == JoinKind::Full).count();
    if select.joins.iter().skip(full).any(|join| join.kind == JoinKind::Full) {
        diagnostics.push(Diagnostic::new(
            Code::UnsupportedFunction,
            format!("`FULL JOIN` on {target}: `{name}` joins two sides fully after another join, which has no form there"),
        ));
        return;
    }
    let Some(branches) = branches(select, full) else { return };
    let keys = Keys::new(&branches);
    let mut used = Used { branches: &branches, columns: Vec::new(), taken: keys.taken.clone() };
    let groups = added.name(&[name, "_groups"].concat());
    let rows = added.name(&[name, "_branches"].concat());
    let mut carried = |expr: &RelExpr| {
        replace(expr, &mut |part| keys.merged(part, &groups).or_else(|| used.column(part, &groups)))
    };
    let items =
        select.items.iter().map(|item| Item { name: item.name.clone(), expr: carried(&item.expr) }).collect();
    for key in order {
        key.expr = carried(&key.expr);
    }
    let filter = select.filter.iter().map(&mut carried).collect();
    let joins = select.joins[full..]
        .iter()
        .map(|join| Join {
            kind: join.kind,
            right: join.right.clone(),
            on: join.on.iter().map(|(left, right)| (carried(left), carried(right))).collect(),
            null_safe: join.null_safe,
        })
        .collect();
    let group_by = match &select.group_by {
        Grouping::None => Grouping::None,
        Grouping::Global => Grouping::Global,
        Grouping::Keys(exprs) => Grouping::Keys(exprs.iter().map(&mut carried).collect()),
    };
    let columns = used.columns;
    let branch_selects = branches.iter().map(|branch| branch_rows(branch, &keys, &columns)).collect();
    added.push(
        rows.clone(),
        format!("the branches of {name} under each other"),
        Body::UnionAll(branch_selects),
    );
    let grouped = one_row_a_key(&rows, &keys, &columns);
    added.push(groups.clone(), format!("one row a key of {name}"), Body::Select(grouped));
    let from = Some(Input::cte(&groups));
    *select = Select { distinct: select.distinct, items, from, joins, filter, group_by };
}

/// The sides of the leading FULL JOINs; `None` if there are none.
fn branches(select: &Select, full: usize) -> Option<Vec<Branch>> {
    let first = select.joins.first().filter(|_| full > 0)?;
    let from = select.from.clone()?;
    let mut branches =
        vec![Branch { input: from, keys: first.on.iter().map(|(left, _)| left.clone()).collect() }];
    branches.extend(select.joins.iter().take(full).map(|join| Branch {
        input: join.right.clone(),
        keys: join.on.iter().map(|(_, right)| right.clone()).collect(),
    }));
    Some(branches)
}

/// The join's keys with a name each.
struct Keys {
    names: Vec<String>,
    /// The same names, which no other column may have.
    taken: Names,
    /// By key: its value in every branch.
    values: Vec<Vec<RelExpr>>,
}

impl Keys {
    fn new(branches: &[Branch]) -> Keys {
        let count = branches.first().map_or(0, |branch| branch.keys.len());
        let mut keys = Keys { names: Vec::new(), taken: Names::default(), values: Vec::new() };
        for index in 0..count {
            let values: Vec<RelExpr> =
                branches.iter().filter_map(|branch| branch.keys.get(index).cloned()).collect();
            let wanted = values.first().and_then(column_name).unwrap_or("key");
            keys.names.push(keys.taken.unused(wanted));
            keys.values.push(values);
        }
        keys
    }

    /// COALESCE over the same key of several branches is the merged key.
    fn merged(&self, expr: &RelExpr, alias: &str) -> Option<RelExpr> {
        let ExprKind::Call { function: Function::Scalar(Scalar::Coalesce), arguments } = &*expr.kind else {
            return None;
        };
        let whole = |values: &&Vec<RelExpr>| {
            arguments.len() == values.len() && arguments.iter().all(|argument| is_key(argument, values))
        };
        let index = self.values.iter().position(|values| whole(&values))?;
        Some(column(alias, &self.names[index], expr.data_type, expr.exactness))
    }
}

/// One branch's value of a key, or the merged value of several.
fn is_key(argument: &RelExpr, values: &[RelExpr]) -> bool {
    if let ExprKind::Call { function: Function::Scalar(Scalar::Coalesce), arguments } = &*argument.kind {
        return arguments.iter().all(|inner| is_key(inner, values));
    }
    values.contains(argument)
}

fn column_name(expr: &RelExpr) -> Option<&str> {
    match &*expr.kind {
        ExprKind::Reference(reference) => Some(&reference.column),
        _ => None,
    }
}

/// The columns of the branches that the select uses, each with its name in the union.
struct Used<'a> {
    branches: &'a [Branch],
    columns: Vec<(String, RelExpr)>,
    taken: Names,
}

impl Used<'_> {
    fn column(&mut self, expr: &RelExpr, alias: &str) -> Option<RelExpr> {
        let ExprKind::Reference(ColumnRef { alias: Some(source), column: wanted }) = &*expr.kind else {
            return None;
        };
        if !self.branches.iter().any(|branch| branch.input.alias == *source) {
            return None;
        }
        let known =
            self.columns.iter().find(|(_, column)| column.kind == expr.kind).map(|(name, _)| name.clone());
        let name = known.unwrap_or_else(|| {
            let name = self.taken.unused(wanted);
            self.columns.push((name.clone(), expr.clone()));
            name
        });
        Some(column(alias, &name, expr.data_type, expr.exactness))
    }
}

fn branch_rows(branch: &Branch, keys: &Keys, columns: &[(String, RelExpr)]) -> Select {
    let own = |expr: &RelExpr| {
        expr.references()
            .iter()
            .all(|reference| reference.alias.as_deref() == Some(branch.input.alias.as_str()))
    };
    let key_items =
        keys.names.iter().zip(&branch.keys).map(|(name, key)| Item { name: name.clone(), expr: key.clone() });
    let column_items = columns.iter().map(|(name, expr)| Item {
        name: name.clone(),
        expr: if own(expr) { expr.clone() } else { null(expr.data_type) },
    });
    Select::plain(key_items.chain(column_items).collect(), Some(branch.input.clone()))
}

fn one_row_a_key(rows: &str, keys: &Keys, columns: &[(String, RelExpr)]) -> Select {
    let key_columns: Vec<RelExpr> = keys
        .names
        .iter()
        .zip(&keys.values)
        .filter_map(|(name, values)| {
            values.first().map(|key| column(rows, name, key.data_type, key.exactness))
        })
        .collect();
    let key_items =
        keys.names.iter().zip(&key_columns).map(|(name, key)| Item { name: name.clone(), expr: key.clone() });
    let column_items = columns.iter().map(|(name, expr)| {
        let greatest = Aggregate {
            function: AggregateFunction::Max,
            arguments: vec![column(rows, name, expr.data_type, expr.exactness)],
            distinct: false,
            order_by: Vec::new(),
        };
        Item {
            name: name.clone(),
            expr: Expr::new(ExprKind::Aggregate(greatest), expr.data_type, expr.exactness),
        }
    });
    let items = key_items.chain(column_items).collect();
    Select { group_by: Grouping::Keys(key_columns), ..Select::plain(items, Some(Input::cte(rows))) }
}
