//! Paths between datasets along steps that never multiply rows: N:1, and 1:1 in either direction.
//! In: resolved relationships. Out: the one path between two datasets, or why there is none.

use std::collections::BTreeSet;

use crate::ids::{Arena, DatasetId, Id, RelationshipId};
use crate::resolve::{Cardinality, Relationship};

/// One step of a path.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Step {
    /// The relationship walked.
    pub relationship: RelationshipId,
    /// Where the step ends.
    pub to: DatasetId,
    /// Walked from the relationship's `to` to its `from` (1:1, or 1:N read from its many side).
    pub reversed: bool,
}

/// What leads from one dataset to another.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Reach {
    /// One way; empty if both are the same.
    Path(Vec<Step>),
    /// Two ways, each from start to end.
    Ambiguous(Vec<Step>, Vec<Step>),
    /// Many far rows for one near row, through this one dataset, which reaches both: the far one itself, or a bridge.
    Many(DatasetId),
    /// Several datasets reach both, and none lies between the others and the two.
    ManyWays(DatasetId, DatasetId),
    /// One edge that no key makes single on either side.
    Edge(RelationshipId),
    /// Connected only through a shared dimension or an edge without a key.
    NoSafeWay,
    /// Not connected at all.
    Unconnected,
}

/// The steps out of a dataset that keep at most one row, in the order of the model. A self-relationship is no step.
pub(crate) fn steps(
    relationships: &Arena<RelationshipId, Relationship>,
    from: DatasetId,
) -> impl Iterator<Item = Step> {
    relationships.iter().filter_map(move |(id, relationship)| {
        if relationship.from == relationship.to {
            return None;
        }
        let forwards = matches!(relationship.cardinality, Cardinality::ManyToOne | Cardinality::OneToOne);
        let backwards = matches!(relationship.cardinality, Cardinality::OneToMany | Cardinality::OneToOne);
        if relationship.from == from && forwards {
            Some(Step { relationship: id, to: relationship.to, reversed: false })
        } else if relationship.to == from && backwards {
            Some(Step { relationship: id, to: relationship.from, reversed: true })
        } else {
            None
        }
    })
}

/// What leads from `near` to `far`. Bounded: stops at the second path.
pub fn reach(
    relationships: &Arena<RelationshipId, Relationship>,
    datasets: usize,
    near: DatasetId,
    far: DatasetId,
) -> Reach {
    if near == far {
        return Reach::Path(Vec::new());
    }
    let mut paths = paths(relationships, near, far);
    match (paths.pop(), paths.pop()) {
        (Some(second), Some(first)) => Reach::Ambiguous(first, second),
        (Some(only), None) => Reach::Path(only),
        (None, _) => without_path(relationships, datasets, near, far),
    }
}

/// At most two different acyclic paths.
fn paths(
    relationships: &Arena<RelationshipId, Relationship>,
    near: DatasetId,
    far: DatasetId,
) -> Vec<Vec<Step>> {
    let useful = reaching(relationships, far);
    let mut found = Vec::new();
    let mut path: Vec<Step> = Vec::new();
    // One entry a dataset on the path: the steps out of it that are still to be tried.
    let mut open: Vec<Vec<Step>> = vec![steps(relationships, near).collect()];
    while let Some(choices) = open.last_mut() {
        let Some(step) = choices.pop() else {
            open.pop();
            path.pop();
            continue;
        };
        let visited = step.to == near || path.iter().any(|earlier| earlier.to == step.to);
        if visited || !useful.contains(&step.to) {
            continue;
        }
        path.push(step);
        if step.to == far {
            found.push(path.clone());
            if found.len() == 2 {
                break;
            }
            path.pop();
        } else {
            open.push(steps(relationships, step.to).collect());
        }
    }
    found
}

/// The datasets from which `far` can be reached.
fn reaching(relationships: &Arena<RelationshipId, Relationship>, far: DatasetId) -> BTreeSet<DatasetId> {
    let mut found = BTreeSet::from([far]);
    let mut open = vec![far];
    while let Some(at) = open.pop() {
        for (_, relationship) in relationships.iter() {
            if relationship.from == relationship.to {
                continue;
            }
            let (forwards, backwards) = match relationship.cardinality {
                Cardinality::ManyToOne => (true, false),
                Cardinality::OneToMany => (false, true),
                Cardinality::OneToOne => (true, true),
                Cardinality::ManyToMany => (false, false),
            };
            if forwards && relationship.to == at && found.insert(relationship.from) {
                open.push(relationship.from);
            }
            if backwards && relationship.from == at && found.insert(relationship.to) {
                open.push(relationship.to);
            }
        }
    }
    found
}

fn without_path(
    relationships: &Arena<RelationshipId, Relationship>,
    datasets: usize,
    near: DatasetId,
    far: DatasetId,
) -> Reach {
    let (reaching_near, reaching_far) = (reaching(relationships, near), reaching(relationships, far));
    let between: Vec<DatasetId> = (0..datasets)
        .map(DatasetId::from_index)
        .filter(|dataset| reaching_near.contains(dataset) && reaching_far.contains(dataset))
        .collect();
    let mut edges = edges(relationships, near, far);
    match (nearest(relationships, &between).as_slice(), edges.next(), edges.next()) {
        ([only], None, _) => Reach::Many(*only),
        ([first, second, ..], _, _) => Reach::ManyWays(*first, *second),
        ([bridge], Some(_), _) => Reach::ManyWays(*bridge, far),
        ([], Some(edge), None) => Reach::Edge(edge),
        ([], Some(_), Some(_)) => Reach::ManyWays(far, far),
        ([], None, _) if connected(relationships, near, far) => Reach::NoSafeWay,
        ([], None, _) => Reach::Unconnected,
    }
}

/// The datasets that no other of them is reached by: a finer one adds nothing to a coarser one that it reaches.
fn nearest(relationships: &Arena<RelationshipId, Relationship>, between: &[DatasetId]) -> Vec<DatasetId> {
    between
        .iter()
        .copied()
        .filter(|candidate| {
            between
                .iter()
                .all(|other| other == candidate || !reaching(relationships, *other).contains(candidate))
        })
        .collect()
}

/// N:N edges between two datasets.
fn edges(
    relationships: &Arena<RelationshipId, Relationship>,
    near: DatasetId,
    far: DatasetId,
) -> impl Iterator<Item = RelationshipId> {
    relationships.iter().filter_map(move |(id, relationship)| {
        let joins = (relationship.from, relationship.to) == (near, far)
            || (relationship.from, relationship.to) == (far, near);
        let usable = relationship.cardinality == Cardinality::ManyToMany && !relationship.on.is_empty();
        (joins && usable).then_some(id)
    })
}

/// Whether any relationships, of whatever cardinality, connect two datasets.
pub(crate) fn connected(
    relationships: &Arena<RelationshipId, Relationship>,
    near: DatasetId,
    far: DatasetId,
) -> bool {
    let mut found = BTreeSet::from([near]);
    let mut open = vec![near];
    while let Some(at) = open.pop() {
        for (_, relationship) in relationships.iter() {
            for (here, there) in [(relationship.from, relationship.to), (relationship.to, relationship.from)]
            {
                if here == at && found.insert(there) {
                    open.push(there);
                }
            }
        }
    }
    found.contains(&far)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn dataset(index: usize) -> DatasetId {
        DatasetId::from_index(index)
    }

    fn graph(edges: &[(usize, usize, Cardinality)]) -> Arena<RelationshipId, Relationship> {
        edges
            .iter()
            .map(|(from, to, cardinality)| Relationship {
                from: dataset(*from),
                to: dataset(*to),
                on: Vec::new(),
                cardinality: *cardinality,
            })
            .collect()
    }

    #[test]
    fn the_one_path_is_found_and_the_second_named() {
        use Cardinality::ManyToOne;
        let chain = graph(&[(0, 1, ManyToOne), (1, 2, ManyToOne)]);
        assert!(matches!(reach(&chain, 3, dataset(0), dataset(2)), Reach::Path(path) if path.len() == 2));
        assert_eq!(reach(&chain, 3, dataset(2), dataset(0)), Reach::Many(dataset(0)));
        let shortcut = graph(&[(0, 1, ManyToOne), (1, 2, ManyToOne), (0, 2, ManyToOne)]);
        assert!(matches!(reach(&shortcut, 3, dataset(0), dataset(2)), Reach::Ambiguous(..)));
    }

    #[test]
    fn bridges_shared_dimensions_and_islands_are_told_apart() {
        use Cardinality::{ManyToMany, ManyToOne};
        let bridge = graph(&[(2, 0, ManyToOne), (2, 1, ManyToOne)]);
        assert_eq!(reach(&bridge, 3, dataset(0), dataset(1)), Reach::Many(dataset(2)));
        let shared = graph(&[(0, 2, ManyToOne), (1, 2, ManyToOne)]);
        assert_eq!(reach(&shared, 3, dataset(0), dataset(1)), Reach::NoSafeWay);
        let two_bridges =
            graph(&[(2, 0, ManyToOne), (2, 1, ManyToOne), (3, 0, ManyToOne), (3, 1, ManyToOne)]);
        assert_eq!(reach(&two_bridges, 4, dataset(0), dataset(1)), Reach::ManyWays(dataset(2), dataset(3)));
        let mut keyless = graph(&[(0, 1, ManyToMany)]);
        assert_eq!(reach(&keyless, 2, dataset(0), dataset(1)), Reach::NoSafeWay);
        let edge = RelationshipId::from_index(0);
        keyless[edge].on = vec![(crate::ids::ColumnId::from_index(0), crate::ids::ColumnId::from_index(1))];
        assert_eq!(reach(&keyless, 2, dataset(0), dataset(1)), Reach::Edge(edge));
        assert_eq!(reach(&graph(&[]), 2, dataset(0), dataset(1)), Reach::Unconnected);
    }

    #[test]
    fn a_graph_with_very_many_paths_ends_quickly() {
        // A ladder of diamonds: 2^200 paths.
        let mut edges = Vec::new();
        for rung in 0..200 {
            let at = rung * 3;
            edges.extend([(at, at + 1), (at, at + 2), (at + 1, at + 3), (at + 2, at + 3)]);
        }
        let edges: Vec<_> = edges.into_iter().map(|(a, b)| (a, b, Cardinality::ManyToOne)).collect();
        assert!(matches!(reach(&graph(&edges), 601, dataset(0), dataset(600)), Reach::Ambiguous(..)));
    }
}
