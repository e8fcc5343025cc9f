//! Which datasets a measure's home meets. In: a shape. Out: for each dataset whether it is near, finer, behind a bridge or an edge, or out
//! of reach, so that most random requests are legal. An estimate: what a request means is for `evaluate` to say.

use super::shape::{Dataset, Relationship, Shape};

/// How a dataset lies from a home.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) enum Way {
    /// The home itself, or reached along N:1 and 1:1 steps.
    Near,
    /// It reaches the home.
    Finer,
    /// A third dataset reaches both.
    Bridge,
    /// An N:N edge joins them.
    Edge,
    /// No way, or more than one.
    Shut,
}

/// The ways between all datasets of a shape.
#[derive(Clone, Debug)]
pub(crate) struct Ways {
    ids: Vec<usize>,
    /// Paths along N:1 and 1:1 steps, from a dataset to another.
    paths: Vec<Vec<usize>>,
    edges: Vec<(usize, usize)>,
    component: Vec<usize>,
    keyed: Vec<bool>,
}

fn has_key(dataset: &Dataset, columns: &[usize]) -> bool {
    let contains = |key: &Vec<usize>| !key.is_empty() && key.iter().all(|column| columns.contains(column));
    contains(&dataset.primary) || dataset.unique.iter().any(contains)
}

fn steps(shape: &Shape, relationship: &Relationship) -> (bool, bool) {
    let (near, far): (Vec<usize>, Vec<usize>) = relationship.columns.iter().copied().unzip();
    let keyed = |id: usize, columns: &[usize]| shape.dataset(id).is_some_and(|one| has_key(one, columns));
    (keyed(relationship.to, &far), keyed(relationship.from, &near))
}

impl Ways {
    pub(crate) fn of(shape: &Shape) -> Self {
        let ids: Vec<usize> = shape.datasets.iter().map(|dataset| dataset.id).collect();
        let at = |id: usize| ids.iter().position(|one| *one == id);
        let mut next: Vec<Vec<usize>> = vec![Vec::new(); ids.len()];
        let mut edges = Vec::new();
        let mut component: Vec<usize> = (0..ids.len()).collect();
        for relationship in shape.relationships.iter().filter(|one| one.from != one.to) {
            let (Some(from), Some(to)) = (at(relationship.from), at(relationship.to)) else { continue };
            let (forward, backward) = steps(shape, relationship);
            if forward {
                next[from].push(to);
            }
            if backward {
                next[to].push(from);
            }
            if !forward && !backward {
                edges.push((from, to));
            }
            let (old, new) = (component[from], component[to]);
            component.iter_mut().filter(|one| **one == old).for_each(|one| *one = new);
        }
        let mut paths = vec![vec![0; ids.len()]; ids.len()];
        for (start, row) in paths.iter_mut().enumerate() {
            count_paths(&next, start, &mut vec![start], row);
        }
        // A key that may be NULL tells no rows apart.
        let keyed = shape.datasets.iter().map(|dataset| !dataset.primary.is_empty()).collect();
        Ways { ids, paths, edges, component, keyed }
    }

    fn at(&self, id: usize) -> usize {
        self.ids.iter().position(|one| *one == id).unwrap_or(0)
    }

    /// How `far` lies from `home`.
    pub(crate) fn way(&self, home: usize, far: usize) -> Way {
        let (home, far) = (self.at(home), self.at(far));
        let one = |from: usize, to: usize| self.paths[from][to] == 1;
        match self.paths[home][far] {
            1 => return Way::Near,
            0 => {}
            _ => return Way::Shut,
        }
        if !self.keyed[home] {
            return Way::Shut;
        }
        match self.paths[far][home] {
            1 => return Way::Finer,
            0 => {}
            _ => return Way::Shut,
        }
        let both: Vec<usize> =
            (0..self.ids.len()).filter(|at| self.paths[*at][home] > 0 && self.paths[*at][far] > 0).collect();
        let least: Vec<usize> = both
            .iter()
            .copied()
            .filter(|at| !both.iter().any(|other| other != at && self.paths[*at][*other] > 0))
            .collect();
        let edge = self.edges.iter().any(|edge| *edge == (home, far) || *edge == (far, home));
        match (least.as_slice(), edge) {
            ([bridge], false) if one(*bridge, home) && one(*bridge, far) => Way::Bridge,
            ([], true) => Way::Edge,
            _ => Way::Shut,
        }
    }

    /// The datasets that lie so from all homes.
    pub(crate) fn open(&self, homes: &[usize], wanted: &[Way]) -> Vec<usize> {
        let is_open = |far: &usize| homes.iter().all(|home| wanted.contains(&self.way(*home, *far)));
        self.ids.iter().copied().filter(is_open).collect()
    }

    /// Whether relationships of any kind connect two datasets.
    pub(crate) fn connected(&self, left: usize, right: usize) -> bool {
        self.component[self.at(left)] == self.component[self.at(right)]
    }

    /// Whether home rows can be told apart.
    pub(crate) fn keyed(&self, home: usize) -> bool {
        self.keyed[self.at(home)]
    }
}

/// Counts simple paths; a 1:1 step is walked both ways.
fn count_paths(next: &[Vec<usize>], at: usize, walked: &mut Vec<usize>, found: &mut [usize]) {
    found[at] += 1;
    let Some(steps) = next.get(at) else { return };
    for step in steps {
        if !walked.contains(step) {
            walked.push(*step);
            count_paths(next, *step, walked, found);
            walked.pop();
        }
    }
}
