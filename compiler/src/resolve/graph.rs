//! Paths between datasets along steps that never multiply rows: N:1, and 1:1 in either direction.
//! In: resolved relationships. Out: the one path between two datasets, or why there is none.

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

/// The relationships by dataset, so that a search costs no more than what it walks. Made once a model.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Graph {
    /// Per dataset, the steps out of it that keep at most one row, in the order of the model. A self-relationship is no step.
    steps: Vec<Vec<Step>>,
    /// Per dataset, the datasets with a step to it.
    before: Vec<Vec<DatasetId>>,
    /// Per dataset, the number of its part of the graph, whatever the cardinality of what connects it.
    part: Vec<usize>,
    /// N:N relationships with columns to join on.
    edges: Vec<(DatasetId, DatasetId, RelationshipId)>,
}

impl Graph {
    /// The graph of a model's relationships between so many datasets.
    pub(crate) fn of(relationships: &Arena<RelationshipId, Relationship>, datasets: usize) -> Graph {
        let mut graph = Graph {
            steps: vec![Vec::new(); datasets],
            before: vec![Vec::new(); datasets],
            part: Vec::new(),
            edges: Vec::new(),
        };
        let mut beside = vec![Vec::new(); datasets];
        for (id, Relationship { from, to, on, cardinality }) in relationships.iter() {
            if from == to {
                continue;
            }
            beside[from.index()].push(*to);
            beside[to.index()].push(*from);
            let (forwards, backwards) = match cardinality {
                Cardinality::ManyToOne => (true, false),
                Cardinality::OneToMany => (false, true),
                Cardinality::OneToOne => (true, true),
                Cardinality::ManyToMany => (false, false),
            };
            if forwards {
                graph.steps[from.index()].push(Step { relationship: id, to: *to, reversed: false });
                graph.before[to.index()].push(*from);
            }
            if backwards {
                graph.steps[to.index()].push(Step { relationship: id, to: *from, reversed: true });
                graph.before[from.index()].push(*to);
            }
            if *cardinality == Cardinality::ManyToMany && !on.is_empty() {
                graph.edges.push((*from, *to, id));
            }
        }
        graph.part = parts(&beside);
        graph
    }

    /// What leads from `near` to `far`. Bounded: stops at the second path.
    pub fn reach(&self, near: DatasetId, far: DatasetId) -> Reach {
        if near == far {
            return Reach::Path(Vec::new());
        }
        let mut paths = self.paths(near, far);
        match (paths.pop(), paths.pop()) {
            (Some(second), Some(first)) => Reach::Ambiguous(first, second),
            (Some(only), None) => Reach::Path(only),
            (None, _) => self.without_path(near, far),
        }
    }

    /// Whether exactly one path leads from `near` to `far`.
    pub(crate) fn has_one_path(&self, near: DatasetId, far: DatasetId) -> bool {
        near == far || self.paths(near, far).len() == 1
    }

    /// Whether any relationships, of whatever cardinality, connect two datasets.
    pub(crate) fn connected(&self, near: DatasetId, far: DatasetId) -> bool {
        self.part[near.index()] == self.part[far.index()]
    }

    /// By dataset, whether a path leads there from `near`; it does to `near` itself.
    pub(crate) fn reached(&self, near: DatasetId) -> Vec<bool> {
        closure(self.steps.len(), near, |at| self.steps[at.index()].iter().map(|step| step.to))
    }

    /// By dataset, whether a path leads from there to `far`.
    fn reaching(&self, far: DatasetId) -> Vec<bool> {
        closure(self.before.len(), far, |at| self.before[at.index()].iter().copied())
    }

    /// At most two different acyclic paths.
    fn paths(&self, near: DatasetId, far: DatasetId) -> Vec<Vec<Step>> {
        let useful = self.reaching(far);
        let mut found = Vec::new();
        let mut path: Vec<Step> = Vec::new();
        // One entry a dataset on the path: the steps out of it that are still to be tried.
        let mut open: Vec<&[Step]> = vec![&self.steps[near.index()]];
        while let Some(choices) = open.last_mut() {
            let Some((step, others)) = choices.split_last() else {
                open.pop();
                path.pop();
                continue;
            };
            *choices = others;
            let visited = step.to == near || path.iter().any(|earlier| earlier.to == step.to);
            if visited || !useful[step.to.index()] {
                continue;
            }
            path.push(*step);
            if step.to == far {
                found.push(path.clone());
                if found.len() == 2 {
                    break;
                }
                path.pop();
            } else {
                open.push(&self.steps[step.to.index()]);
            }
        }
        found
    }

    fn without_path(&self, near: DatasetId, far: DatasetId) -> Reach {
        let (reaching_near, reaching_far) = (self.reaching(near), self.reaching(far));
        let between: Vec<DatasetId> = (0..self.steps.len())
            .filter(|dataset| reaching_near[*dataset] && reaching_far[*dataset])
            .map(DatasetId::from_index)
            .collect();
        let mut edges = self.edges_between(near, far);
        let by_way_of = |other: &DatasetId| self.has_one_path(*other, near) && self.has_one_path(*other, far);
        // A far one that leads here itself is no matter of bridges.
        let is_bridge = !reaching_near[far.index()];
        match (self.nearest(&between, near, far).as_slice(), edges.next(), edges.next()) {
            ([only], None, _) if !by_way_of(only) => Reach::ManyWays(*only, *only),
            ([only], None, _) => {
                match between.iter().find(|other| is_bridge && *other != only && !by_way_of(other)) {
                    // It leads to one of the two by another way too, and is a bridge of its own.
                    Some(other) => Reach::ManyWays(*only, *other),
                    None => Reach::Many(*only),
                }
            }
            ([first, second, ..], _, _) => Reach::ManyWays(*first, *second),
            ([bridge], Some(_), _) => Reach::ManyWays(*bridge, far),
            ([], Some(edge), None) => Reach::Edge(edge),
            ([], Some(_), Some(_)) => Reach::ManyWays(far, far),
            ([], None, _) if self.connected(near, far) => Reach::NoSafeWay,
            ([], None, _) => Reach::Unconnected,
        }
    }

    /// The datasets that lead to no other of them: a finer one adds nothing to a coarser one that it reaches. Of those that meet one to
    /// one, the far one itself, else the one that has fewer steps to both ends.
    fn nearest(&self, between: &[DatasetId], near: DatasetId, far: DatasetId) -> Vec<DatasetId> {
        let reached: Vec<Vec<bool>> = between.iter().map(|candidate| self.reached(*candidate)).collect();
        let steps = |at: usize| match between[at] {
            itself if itself == far => 0,
            other => self.distance(other, near) + self.distance(other, far),
        };
        let gives_way = |at: usize, other: usize| {
            at != other
                && reached[at][between[other].index()]
                && (!reached[other][between[at].index()] || steps(other) < steps(at))
        };
        (0..between.len())
            .filter(|at| !(0..between.len()).any(|other| gives_way(*at, other)))
            .map(|at| between[at])
            .collect()
    }

    /// The fewest steps from one dataset to another that it reaches.
    fn distance(&self, from: DatasetId, to: DatasetId) -> usize {
        let mut seen = vec![false; self.steps.len()];
        let (mut ring, mut distance) = (vec![from], 0);
        while !ring.contains(&to) && !ring.is_empty() {
            for at in &ring {
                seen[at.index()] = true;
            }
            let next = ring.iter().flat_map(|at| self.steps[at.index()].iter().map(|step| step.to));
            ring = next.filter(|next| !seen[next.index()]).collect();
            ring.sort_unstable();
            ring.dedup();
            distance += 1;
        }
        distance
    }

    /// N:N edges between two datasets.
    fn edges_between(&self, near: DatasetId, far: DatasetId) -> impl Iterator<Item = RelationshipId> {
        self.edges
            .iter()
            .filter(move |(from, to, _)| (*from, *to) == (near, far) || (*from, *to) == (far, near))
            .map(|(_, _, id)| *id)
    }
}

/// Everything that is reached from `start`, by dataset.
fn closure<I: Iterator<Item = DatasetId>>(
    datasets: usize,
    start: DatasetId,
    next: impl Fn(DatasetId) -> I,
) -> Vec<bool> {
    let mut found = vec![false; datasets];
    found[start.index()] = true;
    let mut open = vec![start];
    while let Some(at) = open.pop() {
        for other in next(at) {
            if !std::mem::replace(&mut found[other.index()], true) {
                open.push(other);
            }
        }
    }
    found
}

/// A number for each connected part of the graph, by dataset.
fn parts(beside: &[Vec<DatasetId>]) -> Vec<usize> {
    let mut part = vec![usize::MAX; beside.len()];
    for first in 0..beside.len() {
        if part[first] != usize::MAX {
            continue;
        }
        let mut open = vec![first];
        while let Some(at) = open.pop() {
            part[at] = first;
            open.extend(
                beside[at].iter().map(|other| other.index()).filter(|other| part[*other] == usize::MAX),
            );
        }
    }
    part
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

    fn of(relationships: &Arena<RelationshipId, Relationship>) -> Graph {
        Graph::of(relationships, 4)
    }

    #[test]
    fn the_one_path_is_found_and_the_second_named() {
        use Cardinality::ManyToOne;
        let chain = graph(&[(0, 1, ManyToOne), (1, 2, ManyToOne)]);
        assert!(matches!(of(&chain).reach(dataset(0), dataset(2)), Reach::Path(path) if path.len() == 2));
        assert_eq!(of(&chain).reach(dataset(2), dataset(0)), Reach::Many(dataset(0)));
        let shortcut = graph(&[(0, 1, ManyToOne), (1, 2, ManyToOne), (0, 2, ManyToOne)]);
        assert!(matches!(of(&shortcut).reach(dataset(0), dataset(2)), Reach::Ambiguous(..)));
    }

    #[test]
    fn bridges_shared_dimensions_and_islands_are_told_apart() {
        use Cardinality::{ManyToMany, ManyToOne};
        let bridge = graph(&[(2, 0, ManyToOne), (2, 1, ManyToOne)]);
        assert_eq!(of(&bridge).reach(dataset(0), dataset(1)), Reach::Many(dataset(2)));
        let shared = graph(&[(0, 2, ManyToOne), (1, 2, ManyToOne)]);
        assert_eq!(of(&shared).reach(dataset(0), dataset(1)), Reach::NoSafeWay);
        let two_bridges =
            graph(&[(2, 0, ManyToOne), (2, 1, ManyToOne), (3, 0, ManyToOne), (3, 1, ManyToOne)]);
        assert_eq!(of(&two_bridges).reach(dataset(0), dataset(1)), Reach::ManyWays(dataset(2), dataset(3)));
        let mut keyless = graph(&[(0, 1, ManyToMany)]);
        assert_eq!(of(&keyless).reach(dataset(0), dataset(1)), Reach::NoSafeWay);
        let edge = RelationshipId::from_index(0);
        keyless[edge].on = vec![(crate::ids::ColumnId::from_index(0), crate::ids::ColumnId::from_index(1))];
        assert_eq!(of(&keyless).reach(dataset(0), dataset(1)), Reach::Edge(edge));
        assert_eq!(of(&graph(&[])).reach(dataset(0), dataset(1)), Reach::Unconnected);
    }

    #[test]
    fn a_finer_dataset_with_a_way_of_its_own_is_a_second_bridge() {
        use Cardinality::ManyToOne;
        let chain = [(2, 0, ManyToOne), (2, 1, ManyToOne), (3, 2, ManyToOne)];
        assert_eq!(of(&graph(&chain)).reach(dataset(0), dataset(1)), Reach::Many(dataset(2)));
        let shortcut = [chain.as_slice(), &[(3, 1, ManyToOne)]].concat();
        assert_eq!(
            of(&graph(&shortcut)).reach(dataset(0), dataset(1)),
            Reach::ManyWays(dataset(2), dataset(3))
        );
    }

    #[test]
    fn a_far_one_that_leads_back_in_two_ways_is_ambiguous() {
        use Cardinality::ManyToOne;
        let twice = graph(&[(1, 0, ManyToOne), (2, 0, ManyToOne), (3, 1, ManyToOne), (3, 2, ManyToOne)]);
        assert_eq!(of(&twice).reach(dataset(0), dataset(3)), Reach::ManyWays(dataset(3), dataset(3)));
    }

    #[test]
    fn of_datasets_that_meet_one_to_one_the_nearer_is_the_way() {
        use Cardinality::{ManyToOne, OneToOne};
        // 2 has one row of 1, and many for one of 0: from 0, 2 is the far side itself.
        let finer = graph(&[(2, 1, OneToOne), (2, 0, ManyToOne)]);
        assert_eq!(of(&finer).reach(dataset(0), dataset(2)), Reach::Many(dataset(2)));
        assert_eq!(of(&finer).reach(dataset(0), dataset(1)), Reach::Many(dataset(1)));
        // 3 extends the bridge 2 and is none of its own.
        let extended = graph(&[(2, 0, ManyToOne), (2, 1, ManyToOne), (3, 2, OneToOne)]);
        assert_eq!(of(&extended).reach(dataset(0), dataset(1)), Reach::Many(dataset(2)));
    }

    #[test]
    fn parts_of_the_graph_are_connected_by_relationships_of_any_kind() {
        use Cardinality::{ManyToMany, ManyToOne};
        let graph = of(&graph(&[(0, 1, ManyToMany), (1, 2, ManyToOne), (3, 3, ManyToOne)]));
        assert!(graph.connected(dataset(0), dataset(2)) && !graph.connected(dataset(0), dataset(3)));
        assert_eq!(graph.reached(dataset(1)), [false, true, true, false]);
        assert!(graph.has_one_path(dataset(1), dataset(2)) && !graph.has_one_path(dataset(0), dataset(1)));
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
        assert!(matches!(
            Graph::of(&graph(&edges), 601).reach(dataset(0), dataset(600)),
            Reach::Ambiguous(..)
        ));
    }
}
