//! The steps of shrinking: each drops or simplifies one part. In: a shape, a position. Out: a smaller shape, or `None` behind the last
//! position. What others name is not dropped; a step that changes nothing is passed over by the search.

use super::named;
use crate::generate::shape::{Entry, Mark, Shape, column_mark, replace_marks};

/// Whole settings of the request.
pub(super) fn clear(shape: &Shape, at: usize) -> Option<Shape> {
    let mut shape = shape.clone();
    let ask = &mut shape.ask;
    match at {
        0 => ask.limit = None,
        1 => ask.time_range = None,
        2 => ask.shout = false,
        3 => ask.home = None,
        4 => ask.order.clear(),
        5 => ask.having.clear(),
        6 => ask.conditions.clear(),
        7 => shape.datasets.iter_mut().for_each(|dataset| dataset.time = None),
        _ => return None,
    }
    Some(shape)
}

/// The shape without one item of a list.
fn without<T>(shape: &Shape, at: usize, list: fn(&mut Shape) -> &mut Vec<T>) -> Option<Shape> {
    let mut shape = shape.clone();
    let list = list(&mut shape);
    if at >= list.len() {
        return None;
    }
    list.remove(at);
    Some(shape)
}

pub(super) fn order(shape: &Shape, at: usize) -> Option<Shape> {
    without(shape, at, |shape| &mut shape.ask.order)
}

pub(super) fn having(shape: &Shape, at: usize) -> Option<Shape> {
    without(shape, at, |shape| &mut shape.ask.having)
}

pub(super) fn condition(shape: &Shape, at: usize) -> Option<Shape> {
    without(shape, at, |shape| &mut shape.ask.conditions)
}

pub(super) fn measure(shape: &Shape, at: usize) -> Option<Shape> {
    without(shape, at, |shape| &mut shape.ask.measures)
}

pub(super) fn dimension(shape: &Shape, at: usize) -> Option<Shape> {
    without(shape, at, |shape| &mut shape.ask.dimensions)
}

pub(super) fn field_entry(shape: &Shape, at: usize) -> Option<Shape> {
    without(shape, at, |shape| &mut shape.ask.fields)
}

pub(super) fn relationship(shape: &Shape, at: usize) -> Option<Shape> {
    without(shape, at, |shape| &mut shape.relationships)
}

/// Both sides of each AND and OR; a side that cannot be read no longer fails in the same way.
fn halves(text: &str) -> Vec<String> {
    let mut out = Vec::new();
    for word in [" AND ", " OR "] {
        for (at, _) in text.match_indices(word) {
            for side in [&text[..at], &text[at + word.len()..]] {
                let level = side.matches('(').count() == side.matches(')').count();
                if level && side.matches('\'').count() % 2 == 0 && !side.trim().ends_with("BETWEEN") {
                    out.push(side.to_string());
                }
            }
        }
    }
    if let Some(inner) = text.strip_prefix("NOT (").and_then(|text| text.strip_suffix(')')) {
        out.push(inner.to_string());
    }
    out
}

/// One side of a condition of `where` or `having`.
pub(super) fn half_condition(shape: &Shape, at: usize) -> Option<Shape> {
    let mut shape = shape.clone();
    let ask = &mut shape.ask;
    let mut at = at;
    for text in ask.conditions.iter_mut().chain(&mut ask.having) {
        let halves = halves(text);
        if let Some(half) = halves.get(at) {
            text.clone_from(half);
            return Some(shape);
        }
        at -= halves.len();
    }
    None
}

fn entries(shape: &mut Shape) -> impl Iterator<Item = &mut Entry> {
    let ask = &mut shape.ask;
    ask.dimensions.iter_mut().chain(&mut ask.measures).chain(&mut ask.fields)
}

/// An entry without its grain or alias.
pub(super) fn plain_entry(shape: &Shape, at: usize) -> Option<Shape> {
    let mut shape = shape.clone();
    let entry = entries(&mut shape).nth(at / 2)?;
    if at.is_multiple_of(2) {
        entry.grain = None;
    } else {
        entry.alias = None;
    }
    Some(shape)
}

pub(super) fn metric(shape: &Shape, at: usize) -> Option<Shape> {
    let used = named(shape);
    let mut shape = shape.clone();
    let id = shape.metrics.get(at)?.id;
    if !used.contains(&Mark::Metric(id)) {
        shape.metrics.remove(at);
    }
    Some(shape)
}

/// A measure without its filter.
pub(super) fn filter(shape: &Shape, at: usize) -> Option<Shape> {
    let mut shape = shape.clone();
    let metrics = shape.metrics.iter_mut().map(|metric| &mut metric.text);
    let text = metrics.chain(shape.ask.measures.iter_mut().map(|entry| &mut entry.text)).nth(at)?;
    if let Some((aggregate, _)) = text.split_once(" FILTER (") {
        *text = aggregate.to_string();
    }
    Some(shape)
}

/// A field that nothing names; positions run through all datasets.
pub(super) fn field(shape: &Shape, at: usize) -> Option<Shape> {
    let used = named(shape);
    let mut shape = shape.clone();
    let mut at = at;
    for dataset in &mut shape.datasets {
        if at >= dataset.fields.len() {
            at -= dataset.fields.len();
            continue;
        }
        let id = dataset.fields[at].id;
        let is_used =
            used.contains(&Mark::Field(dataset.id, id)) || used.contains(&Mark::Sibling(dataset.id, id));
        if !is_used && dataset.time != Some(id) {
            dataset.fields.remove(at);
        }
        return Some(shape);
    }
    None
}

/// A dataset that nothing names, with its relationships.
pub(super) fn dataset(shape: &Shape, at: usize) -> Option<Shape> {
    let id = shape.datasets.get(at)?.id;
    let mut smaller = shape.clone();
    smaller.datasets.remove(at);
    smaller.relationships.retain(|one| one.from != id && one.to != id);
    let of_it = |mark: &Mark| match mark {
        Mark::Field(dataset, _)
        | Mark::Sibling(dataset, _)
        | Mark::Column(dataset, _)
        | Mark::Dataset(dataset) => *dataset == id,
        Mark::Metric(_) => false,
    };
    if named(&smaller).iter().any(of_it) || smaller.ask.home == Some(id) || smaller.datasets.is_empty() {
        return Some(shape.clone());
    }
    Some(smaller)
}

/// A column that nothing names; positions run through all tables.
pub(super) fn column(shape: &Shape, at: usize) -> Option<Shape> {
    let mut at = at;
    for table in 0..shape.tables.len() {
        let columns = shape.tables[table].columns.len();
        if at >= columns {
            at -= columns;
            continue;
        }
        let is_used = columns == 1 || uses_column(shape, table, at);
        return Some(if is_used { shape.clone() } else { without_column(shape, table, at) });
    }
    None
}

fn uses_column(shape: &Shape, table: usize, column: usize) -> bool {
    let used = named(shape);
    let over: Vec<usize> = shape.datasets.iter().filter(|one| one.table == table).map(|one| one.id).collect();
    let in_keys = shape.datasets.iter().filter(|one| one.table == table).any(|dataset| {
        dataset.primary.contains(&column) || dataset.unique.iter().any(|key| key.contains(&column))
    });
    let in_steps = shape.relationships.iter().any(|one| {
        let near = over.contains(&one.from) && one.columns.iter().any(|pair| pair.0 == column);
        near || over.contains(&one.to) && one.columns.iter().any(|pair| pair.1 == column)
    });
    in_keys || in_steps || over.iter().any(|id| used.contains(&Mark::Column(*id, column)))
}

fn without_column(shape: &Shape, table: usize, column: usize) -> Shape {
    let mut shape = shape.clone();
    shape.tables[table].columns.remove(column);
    for row in &mut shape.tables[table].rows {
        row.remove(column);
    }
    let over: Vec<usize> = shape.datasets.iter().filter(|one| one.table == table).map(|one| one.id).collect();
    let moved = |at: &mut usize| *at -= usize::from(*at > column);
    for dataset in shape.datasets.iter_mut().filter(|one| one.table == table) {
        dataset.primary.iter_mut().for_each(moved);
        dataset.unique.iter_mut().flatten().for_each(moved);
        let id = dataset.id;
        for field in &mut dataset.fields {
            field.column.iter_mut().for_each(moved);
            field.text = replace_marks(&field.text, |mark| {
                Some(match mark {
                    Mark::Column(dataset, at) if dataset == id => {
                        column_mark(id, at - usize::from(at > column))
                    }
                    other => other.text(),
                })
            });
        }
    }
    for one in &mut shape.relationships {
        for (from, to) in &mut one.columns {
            if over.contains(&one.from) {
                moved(from);
            }
            if over.contains(&one.to) {
                moved(to);
            }
        }
    }
    shape
}

/// A dataset, metric or field by a name without quotes.
pub(super) fn plain_name(shape: &Shape, at: usize) -> Option<Shape> {
    let mut shape = shape.clone();
    let datasets = shape.datasets.iter_mut().map(|one| (&mut one.name, format!("set_{}", one.id)));
    let metrics = shape.metrics.iter_mut().map(|one| (&mut one.name, format!("metric_{}", one.id)));
    let (name, plain) = datasets.chain(metrics).nth(at)?;
    if name.contains('"') {
        *name = plain;
    }
    Some(shape)
}
