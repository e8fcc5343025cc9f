//! Cases whose answers are related in a way that is known without any answer. In: a random case. Out: variants of it, each with the
//! relation that must hold between what one engine answers. Comparing is for the caller.

use std::collections::BTreeSet;

use crate::case::{Case, ColumnType};
use crate::generate::operand::{fields, predicate};
use crate::generate::print;
use crate::generate::shape::{
    ColumnShape, Dataset, Entry, Field, Kind, Measure, Metric, Nature, Relationship, Role, Shape, TableShape,
    Traits, column_mark, field_mark,
};
use crate::generate::{Dice, Generated, Way, Ways};
use crate::value::Value;

/// How a variant came about.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Change {
    /// Datasets, fields, relationships, metrics, tables and rows in another order.
    Permuted,
    /// Two more datasets, a relationship between them and a metric that nothing asks for.
    WithUnrelated,
    /// Every name of the model, its tables and columns changed.
    Renamed,
    /// One more filter: TRUE, FALSE and unknown.
    SplitFilter,
    /// Fewer dimensions.
    RolledUp,
}

/// Cases and what must hold between their answers.
#[derive(Clone, PartialEq, Debug)]
pub struct Variant {
    /// How they came about.
    pub change: Change,
    /// The cases.
    pub cases: Vec<Case>,
    /// What must hold.
    pub relation: Relation,
}

/// What must hold between answers.
#[derive(Clone, PartialEq, Debug)]
pub enum Relation {
    /// All cases have the same rows, column by column, whatever the columns are called; or are refused with the same code.
    Same {
        /// The request has a limit: where its order is not total, rows of the answer are open.
        limited: bool,
    },
    /// The rows of all parts, added up by their keys, are the rows of the whole. If one case is refused the relation says nothing.
    AddsUp {
        /// The answer to compare with.
        whole: Columns,
        /// The answers to add up.
        parts: Vec<Columns>,
        /// How each of `sums` adds up, in their order.
        sums: Vec<OverNothing>,
    },
}

/// Columns of one case's answer, by position.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Columns {
    /// Position of the case in `Variant::cases`.
    pub case: usize,
    /// The columns that are compared NULL-safely to find the row. Without any there is one row, even over nothing.
    pub keys: Vec<usize>,
    /// The columns that are added up.
    pub sums: Vec<usize>,
}

/// What a row of a column that adds up holds where its parts hold nothing, or are missing; NULL parts are passed over.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum OverNothing {
    /// 0, as of a COUNT.
    Zero,
    /// NULL.
    Null,
}

/// All variants that a case allows; the same ones each time.
pub fn variants(generated: &Generated) -> Vec<Variant> {
    let shape = &generated.shape;
    let mut dice = Dice::new(generated.seed ^ 0x7661_7269_616e_7473);
    let same = Relation::Same { limited: shape.ask.limit.is_some() };
    let pair = |change, other: Shape| Variant {
        change,
        cases: vec![generated.case.clone(), print::case(&other)],
        relation: same.clone(),
    };
    let mut out = vec![
        permuted(&mut dice, generated, same.clone()),
        pair(Change::WithUnrelated, with_unrelated(shape)),
        pair(Change::Renamed, renamed(shape)),
    ];
    out.extend(split_filter(&mut dice, shape));
    out.extend(rolled_up(&mut dice, shape));
    out
}

fn permuted(dice: &mut Dice, generated: &Generated, relation: Relation) -> Variant {
    let mut shape = generated.shape.clone();
    dice.shuffle(&mut shape.datasets);
    dice.shuffle(&mut shape.relationships);
    dice.shuffle(&mut shape.metrics);
    for dataset in &mut shape.datasets {
        dice.shuffle(&mut dataset.fields);
    }
    for table in &mut shape.tables {
        dice.shuffle(&mut table.rows);
    }
    let mut case = print::case(&shape);
    dice.shuffle(&mut case.tables);
    Variant { change: Change::Permuted, cases: vec![generated.case.clone(), case], relation }
}

/// The next id of a dataset; ids are never given twice.
fn next_dataset(shape: &Shape) -> usize {
    shape.datasets.iter().map(|dataset| dataset.id + 1).max().unwrap_or(0)
}

fn with_unrelated(shape: &Shape) -> Shape {
    let mut shape = shape.clone();
    let first = next_dataset(&shape);
    let number = |digits| Value::Exact { digits, scale: 0 };
    let column = |name: &str| ColumnShape {
        name: name.to_string(),
        column_type: ColumnType::Int32,
        pool: Vec::new(),
        nulls: 0,
        key: false,
    };
    for (at, columns) in [["id", "extra"], ["id", "near_id"]].iter().enumerate() {
        let id = first + at;
        let table = shape.tables.len();
        let rows = (1..4).map(|row| vec![number(row), number(row % 2 + 1)]).collect();
        let columns: Vec<ColumnShape> = columns.iter().map(|name| column(name)).collect();
        let fields = columns.iter().enumerate().map(|(at, column)| Field {
            id: at,
            name: column.name.clone(),
            text: column_mark(id, at),
            kind: Kind::Integer,
            column: Some(at),
            is_time: false,
            private: false,
            trait_of: Traits::default(),
        });
        shape.datasets.push(Dataset {
            id,
            name: format!("zz_unrelated_{at}"),
            table,
            primary: vec![0],
            unique: Vec::new(),
            fields: fields.collect(),
            time: None,
            role: Role::Dimension,
        });
        shape.tables.push(TableShape { name: format!("s.zz_unrelated_{at}"), columns, rows });
    }
    let name = "zz_rel".to_string();
    shape.relationships.push(Relationship { name, from: first + 1, to: first, columns: vec![(1, 0)] });
    let id = shape.metrics.iter().map(|metric| metric.id + 1).max().unwrap_or(0);
    let about = Measure {
        kind: Kind::Integer,
        homes: BTreeSet::from([first]),
        nature: Nature::Sum,
        traits: Traits::default(),
    };
    let text = format!("SUM({})", field_mark(first, 1));
    shape.metrics.push(Metric { id, name: "zz_metric".to_string(), text, about, private: false });
    shape
}

fn renamed(shape: &Shape) -> Shape {
    let mut shape = shape.clone();
    for (at, table) in shape.tables.iter_mut().enumerate() {
        table.name = format!("t.table_{at}");
        for (at, column) in table.columns.iter_mut().enumerate() {
            column.name = format!("column_{at}");
        }
    }
    for dataset in &mut shape.datasets {
        dataset.name = format!("dataset_{}", dataset.id);
        for field in &mut dataset.fields {
            field.name = format!("field_{}_{}", dataset.id, field.id);
        }
    }
    for (at, relationship) in shape.relationships.iter_mut().enumerate() {
        relationship.name = format!("step_{at}");
    }
    for metric in &mut shape.metrics {
        metric.name = format!("metric_{}", metric.id);
    }
    shape
}

/// The request with its additive measures only, without what looks at finished groups.
fn additive(shape: &Shape) -> Option<Shape> {
    let adds = |entry: &Entry| {
        let about = entry.about.measure.as_ref();
        about.is_some_and(|about| about.nature != Nature::Other && !about.traits.rounded)
    };
    let mut shape = shape.clone();
    let ask = &mut shape.ask;
    ask.measures.retain(adds);
    ask.having.clear();
    ask.order.clear();
    ask.limit = None;
    let is_plain = !ask.measures.is_empty() && ask.fields.is_empty() && !ask.bare;
    is_plain.then_some(shape)
}

fn sums(shape: &Shape) -> Vec<OverNothing> {
    let abouts = shape.ask.measures.iter().filter_map(|entry| entry.about.measure.as_ref());
    abouts
        .map(|about| if about.nature == Nature::Count { OverNothing::Zero } else { OverNothing::Null })
        .collect()
}

fn homes(shape: &Shape) -> Vec<usize> {
    let abouts = shape.ask.measures.iter().filter_map(|entry| entry.about.measure.as_ref());
    let homes: BTreeSet<usize> = abouts.flat_map(|about| about.homes.iter().copied()).collect();
    homes.into_iter().collect()
}

fn columns(case: usize, shape: &Shape, keys: Vec<usize>) -> Columns {
    let dimensions = shape.ask.dimensions.len();
    Columns { case, keys, sums: (dimensions..dimensions + shape.ask.measures.len()).collect() }
}

fn split_filter(dice: &mut Dice, shape: &Shape) -> Option<Variant> {
    let base = additive(shape)?;
    let near = Ways::of(&base).open(&homes(&base), &[Way::Near]);
    let all = fields(&base, *dice.pick(&near)?, false);
    let operand = dice.pick(&all)?.clone();
    let filter = predicate(dice, &operand);
    let mut cases = vec![print::case(&base)];
    for part in [format!("({filter})"), format!("NOT ({filter})"), format!("({filter}) IS NULL")] {
        let mut shape = base.clone();
        shape.ask.conditions.push(part);
        cases.push(print::case(&shape));
    }
    let keys: Vec<usize> = (0..base.ask.dimensions.len()).collect();
    let parts = (1..4).map(|case| columns(case, &base, keys.clone())).collect();
    let relation = Relation::AddsUp { whole: columns(0, &base, keys.clone()), parts, sums: sums(&base) };
    Some(Variant { change: Change::SplitFilter, cases, relation })
}

fn rolled_up(dice: &mut Dice, shape: &Shape) -> Option<Variant> {
    let fine = additive(shape)?;
    let ways = Ways::of(&fine);
    let homes = homes(&fine);
    // A home row is in several groups of a far side: those do not add up.
    let far = |dataset: usize| homes.iter().any(|home| ways.way(*home, dataset) != Way::Near);
    if fine.ask.dimensions.is_empty()
        || fine.ask.dimensions.iter().filter_map(|entry| entry.about.dataset).any(far)
    {
        return None;
    }
    let mut coarse = fine.clone();
    let mut kept: Vec<usize> = (0..fine.ask.dimensions.len()).collect();
    let dropped = dice.count(1, kept.len());
    for _ in 0..dropped {
        let at = dice.below(kept.len());
        kept.remove(at);
        coarse.ask.dimensions.remove(at);
    }
    let connected = homes.iter().all(|home| homes.first().is_some_and(|first| ways.connected(*first, *home)));
    if kept.is_empty() && !connected {
        return None;
    }
    let whole = columns(0, &coarse, (0..kept.len()).collect());
    let relation = Relation::AddsUp { whole, parts: vec![columns(1, &fine, kept)], sums: sums(&fine) };
    Some(Variant {
        change: Change::RolledUp,
        cases: vec![print::case(&coarse), print::case(&fine)],
        relation,
    })
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use super::*;
    use crate::generate::case;

    #[test]
    fn every_change_comes_often_and_the_same_each_time() {
        let mut counts: BTreeMap<Change, usize> = BTreeMap::new();
        for seed in 0..500 {
            let generated = case(seed);
            let made = variants(&generated);
            assert_eq!(made, variants(&case(seed)), "seed {seed}");
            for variant in made {
                *counts.entry(variant.change).or_default() += 1;
                if let Relation::AddsUp { whole, parts, sums } = &variant.relation {
                    assert!(parts.iter().all(|part| part.sums.len() == sums.len()));
                    assert!(whole.case < variant.cases.len() && whole.sums.len() == sums.len());
                    assert!(parts.iter().all(|part| part.keys.len() == whole.keys.len()));
                }
            }
        }
        assert_eq!(counts.get(&Change::Renamed), Some(&500));
        assert!(counts[&Change::SplitFilter] > 150 && counts[&Change::RolledUp] > 80, "{counts:?}");
    }

    #[test]
    fn renaming_leaves_no_old_name() {
        for seed in 0..200 {
            let case = print::case(&renamed(&case(seed).shape));
            for name in ["customers", "orders", "amount", "region", "made_", "kpi"] {
                let of_model = !case.model.contains(name);
                assert!(of_model || case.model.contains(&format!("'{name}'")), "{name}: {}", case.model);
            }
        }
    }
}
