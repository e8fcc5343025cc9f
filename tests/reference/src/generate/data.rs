//! The rows of a shape. In: tables with keys and relationships. Out: rows that keep the declared keys and nothing else: foreign keys
//! are NULL, doubled or point nowhere.

use std::collections::BTreeSet;

use super::Feature;
use super::dice::Dice;
use super::pools;
use super::shape::{Relationship, Shape};
use super::structure::Builder;
use crate::script::literal;
use crate::value::Value;

/// How often a row is thrown again when it breaks a key.
const TRIES: usize = 30;

/// Fills every table.
pub(crate) fn fill(builder: &mut Builder<'_>) {
    // How odd this case's foreign keys are: clean ones exist too.
    let orphans = [0, 10, 16, 22][builder.dice.below(4)];
    for table in 0..builder.shape.tables.len() {
        let wanted = builder.wanted.get(table).copied().unwrap_or(0);
        for _ in 0..wanted {
            for _ in 0..TRIES {
                let row = throw_row(builder.dice, &builder.shape, table, orphans);
                if keeps_keys(&builder.shape, table, &row) {
                    if let Some(table) = builder.shape.tables.get_mut(table) {
                        table.rows.push(row);
                    }
                    break;
                }
            }
        }
    }
    builder.features.extend(features(&builder.shape));
}

fn references(shape: &Shape, table: usize) -> impl Iterator<Item = &Relationship> {
    shape
        .relationships
        .iter()
        .filter(move |one| shape.dataset(one.from).is_some_and(|from| from.table == table))
}

fn throw_row(dice: &mut Dice, shape: &Shape, table: usize, orphans: usize) -> Vec<Value> {
    let Some(own) = shape.tables.get(table) else { return Vec::new() };
    let declared: BTreeSet<usize> = shape
        .datasets
        .iter()
        .filter(|dataset| dataset.table == table)
        .flat_map(|dataset| dataset.primary.iter().copied())
        .collect();
    let mut row: Vec<Value> = own
        .columns
        .iter()
        .map(|column| {
            if dice.chance(column.nulls) {
                return Value::Null;
            }
            dice.pick(&column.pool).cloned().unwrap_or(Value::Null)
        })
        .collect();
    for relationship in references(shape, table) {
        let Some(to) = shape.table_of(relationship.to) else { continue };
        let met = if to.rows.is_empty() || dice.chance(orphans) {
            None
        } else {
            // Mostly the first rows, so that many rows meet one.
            let among = if dice.chance(60) { to.rows.len().min(3) } else { to.rows.len() };
            to.rows.get(dice.below(among))
        };
        for (from, target) in &relationship.columns {
            let (Some(column), Some(cell)) = (own.columns.get(*from), row.get_mut(*from)) else { continue };
            *cell = match met.and_then(|met| met.get(*target)) {
                Some(value) => value.clone(),
                None => pools::orphan(dice, column.column_type),
            };
            if !declared.contains(from) && dice.chance(column.nulls) {
                *cell = Value::Null;
            }
        }
    }
    row
}

/// The declared keys of a table: whether NULL is allowed in them, and their columns.
fn declared_keys(shape: &Shape, table: usize) -> Vec<(bool, Vec<usize>)> {
    let of_table = shape.datasets.iter().filter(|dataset| dataset.table == table);
    of_table
        .flat_map(|dataset| {
            let primary = (!dataset.primary.is_empty()).then(|| (false, dataset.primary.clone())).into_iter();
            primary.chain(dataset.unique.iter().map(|key| (true, key.clone())))
        })
        .collect()
}

fn cells(row: &[Value], columns: &[usize]) -> Vec<Value> {
    columns.iter().map(|at| row.get(*at).cloned().unwrap_or(Value::Null)).collect()
}

fn keeps_keys(shape: &Shape, table: usize, row: &[Value]) -> bool {
    let Some(own) = shape.tables.get(table) else { return false };
    declared_keys(shape, table).into_iter().all(|(may_be_null, columns)| {
        let key = cells(row, &columns);
        if key.contains(&Value::Null) {
            return may_be_null;
        }
        own.rows.iter().all(|other| cells(other, &columns) != key)
    })
}

/// Whether rows of a relationship point nowhere, hold NULL, or meet the same row.
pub(crate) fn oddities(shape: &Shape, relationship: &Relationship) -> (bool, bool, bool) {
    let (Some(from), Some(to)) = (shape.table_of(relationship.from), shape.table_of(relationship.to)) else {
        return (false, false, false);
    };
    let (near, far): (Vec<usize>, Vec<usize>) = relationship.columns.iter().copied().unzip();
    let targets: Vec<Vec<Value>> = to.rows.iter().map(|row| cells(row, &far)).collect();
    let mut seen = BTreeSet::new();
    let (mut orphan, mut null, mut double) = (false, false, false);
    for key in from.rows.iter().map(|row| cells(row, &near)) {
        if key.contains(&Value::Null) {
            null = true;
            continue;
        }
        orphan |= !targets.contains(&key);
        let text: Vec<String> = key.iter().map(|value| literal(value, None)).collect();
        double |= !seen.insert(text.join(","));
    }
    (orphan, null, double)
}

/// What the data shows of the whole model.
pub(crate) fn features(shape: &Shape) -> BTreeSet<Feature> {
    let mut found = BTreeSet::new();
    for relationship in &shape.relationships {
        let (_, null, double) = oddities(shape, relationship);
        if null {
            found.insert(Feature::NullKey);
        }
        if double {
            found.insert(Feature::DuplicateKey);
        }
    }
    if shape.plain_tables().iter().any(|table| table.rows.is_empty()) {
        found.insert(Feature::EmptyTable);
    }
    found
}
