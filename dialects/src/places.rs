//! The places at which a relation reads datasets, told apart. In: a relation whose steps may be used several times. Out: the same with a step
//! for each use, so that every place stands in the text once and can have a source of its own.

use std::collections::{BTreeMap, BTreeSet};

use unisono_compiler::ids::{DatasetId, Id};
use unisono_compiler::relation::{Body, Cte, Names, Relation, Select, Source};

/// Steps of a relation at most: each use of a step doubles what is behind it.
const MOST_STEPS: usize = 200;

/// The relation with a step for each use, and the dataset of each place: the place at position `k` reads the dataset with the index `free + k`,
/// which the caller binds. `None` where that would be too many steps.
pub fn separate(relation: &Relation, free: usize) -> Option<(Relation, Vec<DatasetId>)> {
    let mut all = Separated {
        old: relation.ctes.iter().map(|cte| (cte.name.as_str(), cte)).collect(),
        used: BTreeSet::new(),
        names: relation.names.clone(),
        ctes: Vec::new(),
        places: Vec::new(),
        free,
    };
    let body = all.select(&relation.body)?;
    let separated = Relation {
        ctes: all.ctes,
        body,
        order_by: relation.order_by.clone(),
        limit: relation.limit,
        names: all.names,
    };
    Some((separated, all.places))
}

struct Separated<'a> {
    old: BTreeMap<&'a str, &'a Cte>,
    used: BTreeSet<&'a str>,
    names: Names,
    ctes: Vec<Cte>,
    places: Vec<DatasetId>,
    free: usize,
}

impl<'a> Separated<'a> {
    fn select(&mut self, select: &'a Select) -> Option<Select> {
        let mut new = select.clone();
        let inputs = new.from.iter_mut().chain(new.joins.iter_mut().map(|join| &mut join.right));
        let old = select.from.iter().chain(select.joins.iter().map(|join| &join.right));
        for (input, old) in inputs.zip(old) {
            input.source = match &old.source {
                Source::Dataset(dataset) => {
                    self.places.push(*dataset);
                    Source::Dataset(DatasetId::from_index(self.free + self.places.len() - 1))
                }
                Source::Cte(name) => Source::Cte(self.step(name)?),
            };
        }
        Some(new)
    }

    /// A step for one use of an old one, after those that it uses; its name.
    fn step(&mut self, name: &'a str) -> Option<String> {
        if self.ctes.len() >= MOST_STEPS {
            return None;
        }
        // What is no step of this relation stays what it is.
        let Some(old) = self.old.get(name).copied() else { return Some(name.to_string()) };
        let body = match &old.body {
            Body::Select(select) => Body::Select(self.select(select)?),
            Body::UnionAll(selects) => {
                let selects = selects.iter().map(|select| self.select(select));
                Body::UnionAll(selects.collect::<Option<_>>()?)
            }
        };
        let own = if self.used.insert(name) { name.to_string() } else { self.names.unused(name) };
        self.ctes.push(Cte { name: own.clone(), comment: old.comment.clone(), body });
        Some(own)
    }
}
