//! Paths between datasets along steps that never multiply rows: N:1, and 1:1 in either direction.
//! In: resolved relationships. Out: the one path between two datasets, or why there is none.

use std::collections::VecDeque;

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
    /// Two datasets reach both, and neither lies between the other and the two; one twice if it leads to an end in two ways, or is an
    /// end that is also joined by edges.
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
    /// Whether steps lead in a circle, as those of every 1:1 relationship do.
    has_circles: bool,
}

impl Graph {
    /// The graph of a model's relationships between so many datasets.
    pub(crate) fn of(relationships: &Arena<RelationshipId, Relationship>, datasets: usize) -> Graph {
        let mut graph = Graph {
            steps: vec![Vec::new(); datasets],
            before: vec![Vec::new(); datasets],
            part: Vec::new(),
            edges: Vec::new(),
            has_circles: false,
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
        graph.has_circles = has_circles(&graph.steps, &graph.before);
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
        if near == far {
            return true;
        }
        let Some(path) = self.shortest(near, far, None) else { return false };
        // A second path lacks a step of the first: with all of them it would be the first.
        path.iter().all(|step| self.shortest(near, far, Some(*step)).is_none())
    }

    /// A path of the fewest steps that does without one of them.
    fn shortest(&self, near: DatasetId, far: DatasetId, without: Option<Step>) -> Option<Vec<Step>> {
        // By dataset: the dataset and the step from which the search came.
        let mut from: Vec<Option<(DatasetId, Step)>> = vec![None; self.steps.len()];
        let mut queue = VecDeque::from([near]);
        while let Some(at) = queue.pop_front() {
            for step in &self.steps[at.index()] {
                if step.to != near && from[step.to.index()].is_none() && Some(*step) != without {
                    from[step.to.index()] = Some((at, *step));
                    queue.push_back(step.to);
                }
            }
        }
        let mut path = Vec::new();
        let mut at = far;
        while let Some((before, step)) = from[at.index()] {
            path.push(step);
            at = before;
        }
        path.reverse();
        (!path.is_empty()).then_some(path)
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

    /// By dataset, whether a path leads from there to `far` that keeps off `near` and the datasets of `path`.
    fn reaching_beside(&self, near: DatasetId, path: &[Step], far: DatasetId) -> Vec<bool> {
        let mut taken = vec![false; self.before.len()];
        taken[near.index()] = true;
        for step in path {
            taken[step.to.index()] = true;
        }
        closure(self.before.len(), far, |at| {
            self.before[at.index()].iter().copied().filter(|before| !taken[before.index()])
        })
    }

    /// At most two different acyclic paths. Only steps that still lead to `far` are tried, so that no search ends in vain.
    fn paths(&self, near: DatasetId, far: DatasetId) -> Vec<Vec<Step>> {
        let useful = self.reaching(far);
        let mut found = Vec::new();
        let mut path: Vec<Step> = Vec::new();
        // Without circles no way to `far` comes back to the path.
        let beside =
            |path: &[Step]| if self.has_circles { self.reaching_beside(near, path, far) } else { Vec::new() };
        // One entry a dataset on the path: the steps out of it that are still to be tried, and where they may lead.
        let mut open: Vec<(&[Step], Vec<bool>)> = vec![(&self.steps[near.index()], beside(&path))];
        while let Some((choices, beside_path)) = open.last_mut() {
            let Some((step, others)) = choices.split_last() else {
                open.pop();
                path.pop();
                continue;
            };
            *choices = others;
            if !beside_path.get(step.to.index()).unwrap_or(&useful[step.to.index()]) {
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
                let beside_path = beside(&path);
                open.push((&self.steps[step.to.index()], beside_path));
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
        if !self.has_circles {
            let mut among = vec![false; self.steps.len()];
            for dataset in between {
                among[dataset.index()] = true;
            }
            // What lies on the way from one of them to another reaches both ends as well, so the first step tells.
            let leads_on = |at: &DatasetId| self.steps[at.index()].iter().any(|step| among[step.to.index()]);
            return between.iter().copied().filter(|candidate| !leads_on(candidate)).collect();
        }
        let reached: Vec<Vec<bool>> = between.iter().map(|candidate| self.reached(*candidate)).collect();
        // No path is found from a dataset to itself, which is no step away.
        let distance = |start, end| self.shortest(start, end, None).map_or(0, |path| path.len());
        let steps = |at: usize| match between[at] {
            itself if itself == far => 0,
            other => distance(other, near) + distance(other, far),
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

/// Whether some steps lead back to where they began.
fn has_circles(steps: &[Vec<Step>], before: &[Vec<DatasetId>]) -> bool {
    let mut waiting: Vec<usize> = before.iter().map(Vec::len).collect();
    let mut open: Vec<usize> = (0..steps.len()).filter(|at| waiting[*at] == 0).collect();
    let mut sorted = 0;
    while let Some(at) = open.pop() {
        sorted += 1;
        for step in &steps[at] {
            let next = step.to.index();
            waiting[next] -= 1;
            if waiting[next] == 0 {
                open.push(next);
            }
        }
    }
    sorted < steps.len()
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

    #[test]
    fn a_graph_full_of_circles_ends_quickly() {
        use Cardinality::{ManyToOne, OneToOne};
        // A grid of 1:1 edges has more acyclic paths than anything can try; the only way to `far` is the one step beside it.
        let side = 22;
        let mut edges = Vec::new();
        for row in 0..side {
            for column in 0..side {
                let at = row * side + column;
                if column + 1 < side {
                    edges.push((at, at + 1, OneToOne));
                }
                if row + 1 < side {
                    edges.push((at, at + side, OneToOne));
                }
            }
        }
        let far = side * side;
        edges.push((0, far, ManyToOne));
        let beside = Graph::of(&graph(&edges), far + 1);
        assert!(matches!(beside.reach(dataset(0), dataset(far)), Reach::Path(path) if path.len() == 1));
        assert!(matches!(beside.reach(dataset(0), dataset(far - 1)), Reach::Ambiguous(..)));
        assert!(
            !beside.has_one_path(dataset(0), dataset(far - 1))
                && beside.has_one_path(dataset(0), dataset(far))
        );
    }

    #[test]
    fn paths_of_small_graphs_are_those_that_trying_all_finds() {
        // Pseudo-random graphs of six datasets.
        let mut random: u64 = 7;
        let mut next = |below: usize| {
            random = random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            usize::try_from(random >> 33).unwrap() % below
        };
        for _ in 0..300 {
            let edges: Vec<_> = (0..next(12))
                .map(|_| {
                    let cardinality =
                        [Cardinality::ManyToOne, Cardinality::OneToOne, Cardinality::OneToMany][next(3)];
                    (next(6), next(6), cardinality)
                })
                .collect();
            let graph = Graph::of(&graph(&edges), 6);
            for (near, far) in (0..36).map(|pair| (dataset(pair / 6), dataset(pair % 6))) {
                if near != far {
                    let count = count_paths(&graph, &mut vec![near], far);
                    assert_eq!(graph.paths(near, far).len(), count.min(2), "{edges:?} {near:?} {far:?}");
                    assert_eq!(graph.has_one_path(near, far), count == 1, "{edges:?} {near:?} {far:?}");
                }
            }
        }
    }

    fn count_paths(graph: &Graph, path: &mut Vec<DatasetId>, far: DatasetId) -> usize {
        let at = *path.last().unwrap();
        if at == far {
            return 1;
        }
        let mut count = 0;
        for step in &graph.steps[at.index()] {
            if !path.contains(&step.to) {
                path.push(step.to);
                count += count_paths(graph, path, far);
                path.pop();
            }
        }
        count
    }

    #[test]
    fn a_second_path_is_one_that_differs_in_a_step() {
        use Cardinality::{ManyToOne, OneToOne};
        let circle = of(&graph(&[(0, 1, OneToOne), (1, 2, OneToOne), (2, 0, OneToOne), (2, 3, ManyToOne)]));
        assert!(matches!(circle.reach(dataset(0), dataset(3)), Reach::Ambiguous(..)));
        let line = of(&graph(&[(0, 1, OneToOne), (1, 2, OneToOne), (2, 3, ManyToOne)]));
        assert!(matches!(line.reach(dataset(0), dataset(3)), Reach::Path(path) if path.len() == 3));
        let twice = of(&graph(&[(0, 1, OneToOne), (0, 1, OneToOne)]));
        assert!(matches!(twice.reach(dataset(1), dataset(0)), Reach::Ambiguous(..)));
    }
}
