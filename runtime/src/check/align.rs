//! Two answers side by side: rows of one key meet, NULL-safe, columns by name.
//! In: a question and both answers. Out: one group a key in the order of keys, or why the columns cannot be compared.

use std::cmp::Ordering;
use std::collections::BTreeMap;

use super::exact::{family_of_type, order};
use super::question::Question;
use crate::table::{Table, Value};

/// The dimensions' values of a row; equal keys are keys of one group.
#[derive(Clone, Debug)]
pub struct Key(pub Vec<Value>);

impl PartialEq for Key {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other) == Ordering::Equal
    }
}

impl Eq for Key {}

impl PartialOrd for Key {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Key {
    fn cmp(&self, other: &Self) -> Ordering {
        let differing = self.0.iter().zip(&other.0).map(|(left, right)| order(left, right));
        differing.into_iter().find(|found| found.is_ne()).unwrap_or(self.0.len().cmp(&other.0.len()))
    }
}

/// Two answers with rows and columns matched.
#[derive(Clone, PartialEq, Debug)]
pub struct Alignment {
    /// One a key, in the order of keys.
    pub groups: Vec<Group>,
    /// One a metric: its column on both sides, or why they cannot be compared.
    pub metrics: Vec<Result<Columns, String>>,
}

/// A group of the answer.
#[derive(Clone, PartialEq, Debug)]
pub struct Group {
    /// Its key.
    pub key: Key,
    /// The batch side's row.
    pub left: Option<Found>,
    /// The real-time side's row.
    pub right: Option<Found>,
}

/// Rows of one key on one side.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Found {
    /// Position of the first.
    pub first: usize,
    /// How many there are; more than one is a fault.
    pub rows: u64,
}

/// Positions of one column.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Columns {
    /// On the batch side.
    pub left: usize,
    /// On the real-time side.
    pub right: usize,
}

/// Aligns two answers. An error says which column of the key, or which row, makes them incomparable as a whole.
pub fn align(question: &Question, left: &Table, right: &Table) -> Result<Alignment, String> {
    check_width(left, "batch")?;
    check_width(right, "real-time")?;
    let key: Vec<Columns> =
        question.dimensions.iter().map(|name| columns(name, left, right)).collect::<Result<_, _>>()?;
    let metrics = question.metrics.iter().map(|metric| columns(&metric.name, left, right)).collect();
    let mut groups: BTreeMap<Key, Group> = BTreeMap::new();
    let left_key: Vec<usize> = key.iter().map(|columns| columns.left).collect();
    for (at, row) in left.rows.iter().enumerate() {
        add(&mut group_of(&mut groups, row, &left_key).left, at);
    }
    let right_key: Vec<usize> = key.iter().map(|columns| columns.right).collect();
    for (at, row) in right.rows.iter().enumerate() {
        add(&mut group_of(&mut groups, row, &right_key).right, at);
    }
    Ok(Alignment { groups: groups.into_values().collect(), metrics })
}

fn check_width(table: &Table, side: &str) -> Result<(), String> {
    match table.rows.iter().position(|row| row.len() != table.columns.len()) {
        None => Ok(()),
        Some(at) => Err(format!("row {} of the {side} side has another width than its columns", at + 1)),
    }
}

fn columns(name: &str, left: &Table, right: &Table) -> Result<Columns, String> {
    let found = Columns { left: column(name, left, "batch")?, right: column(name, right, "real-time")? };
    let (left, right) = (left.columns[found.left].data_type, right.columns[found.right].data_type);
    match (family_of_type(left), family_of_type(right)) {
        (Some(one), Some(other)) if one != other => {
            Err(format!("`{name}` is {left} on the batch side and {right} on the real-time side"))
        }
        // Where a type is not known, the values decide.
        (Some(_) | None, Some(_) | None) => Ok(found),
    }
}

fn column(name: &str, table: &Table, side: &str) -> Result<usize, String> {
    let mut found = table.columns.iter().enumerate().filter(|(_, column)| column.name == name);
    match (found.next(), found.next()) {
        (Some((at, _)), None) => Ok(at),
        (None, _) => Err(format!("the {side} side has no column `{name}`")),
        (Some(_), Some(_)) => Err(format!("the {side} side has two columns `{name}`")),
    }
}

/// The key's values in a row.
pub(super) fn key_of(row: &[Value], columns: &[usize]) -> Key {
    Key(columns.iter().map(|at| row.get(*at).cloned().unwrap_or(Value::Null)).collect())
}

fn group_of<'a>(groups: &'a mut BTreeMap<Key, Group>, row: &[Value], columns: &[usize]) -> &'a mut Group {
    let key = key_of(row, columns);
    groups.entry(key.clone()).or_insert(Group { key, left: None, right: None })
}

fn add(side: &mut Option<Found>, at: usize) {
    match side {
        Some(found) => found.rows += 1,
        None => *side = Some(Found { first: at, rows: 1 }),
    }
}

#[cfg(test)]
mod tests;
