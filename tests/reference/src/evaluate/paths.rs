//! How datasets lie to each other. In: relationships with the cardinality that declared keys give them.
//! Out: the one way from a home to a dataset, or the codes that the rules have where there is none or more than one.

use super::model::Model;
use crate::stop::Stop;

/// One relationship, walked from `from` to `to` or back.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) struct Step {
    /// Its number in the model.
    pub(super) relationship: usize,
    /// From `from` to `to`.
    pub(super) forward: bool,
}

/// How a dataset lies to a home.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Way {
    /// Along N:1 and 1:1 steps: one row at most.
    Near(Vec<Step>),
    /// A far side: along steps where one row has many, to the anchor, then along N:1 steps.
    Far {
        /// From the home to the anchor: a bridge, a finer dataset, or the other end of an N:N edge.
        up: Vec<Step>,
        /// From the anchor to the dataset.
        down: Vec<Step>,
    },
}

impl Model {
    /// Where a step leads.
    pub(super) fn end_of(&self, step: Step) -> usize {
        let relationship = &self.relationships[step.relationship];
        if step.forward { relationship.to } else { relationship.from }
    }

    /// All ways without a circle along steps where each row meets at most one row.
    pub(super) fn single_paths(&self, start: usize, end: usize) -> Vec<Vec<Step>> {
        let mut found = Vec::new();
        self.extend_path(end, &mut vec![start], &mut Vec::new(), &mut found);
        found
    }

    fn extend_path(
        &self,
        end: usize,
        seen: &mut Vec<usize>,
        path: &mut Vec<Step>,
        found: &mut Vec<Vec<Step>>,
    ) {
        let Some(here) = seen.last().copied() else { return };
        if here == end {
            found.push(path.clone());
            return;
        }
        for (number, relationship) in self.relationships.iter().enumerate() {
            let steps = [
                (relationship.from, relationship.to, relationship.to_is_one, true),
                (relationship.to, relationship.from, relationship.from_is_one, false),
            ];
            for (near, far, is_single, forward) in steps {
                if near == here && is_single && !seen.contains(&far) {
                    seen.push(far);
                    path.push(Step { relationship: number, forward });
                    self.extend_path(end, seen, path, found);
                    path.pop();
                    seen.pop();
                }
            }
        }
    }

    /// The way from a home to a dataset (docs/semantics.md, section 3, the table of two datasets, line by line).
    pub(super) fn way(&self, home: usize, target: usize) -> Result<Way, Stop> {
        if home == target {
            return Ok(Way::Near(Vec::new()));
        }
        match self.single_paths(home, target).as_slice() {
            [] => {}
            [path] => return Ok(Way::Near(path.clone())),
            _ => return Err(ambiguous()),
        }
        let edges = self.many_edges(home, target);
        match self.single_paths(target, home).as_slice() {
            [] => {}
            [_] if !edges.is_empty() => return Err(Stop::Open("a finer dataset beside an N:N edge".into())),
            [path] => return Ok(Way::Far { up: backwards(path), down: Vec::new() }),
            _ => return Err(ambiguous()),
        }
        let mut far = self.bridges(home, target);
        far.extend(edges.into_iter().map(|edge| Way::Far { up: vec![edge], down: Vec::new() }));
        match far.as_slice() {
            [] if self.connected(home).contains(&target) => {
                Err(Stop::Refused(vec!["E3012_MN_NO_SAFE_REWRITE"]))
            }
            [] => Err(Stop::Refused(vec!["E_NO_PATH"])),
            [way] => Ok(way.clone()),
            _ => Err(ambiguous()),
        }
    }

    /// The ways over a third dataset that reaches both; a way that meets itself is none.
    fn bridges(&self, home: usize, target: usize) -> Vec<Way> {
        let mut found: Vec<(Vec<Step>, usize)> = Vec::new();
        for bridge in 0..self.datasets.len() {
            if bridge == home || bridge == target {
                continue;
            }
            for to_home in self.single_paths(bridge, home) {
                for to_target in self.single_paths(bridge, target) {
                    let left: Vec<usize> = to_home.iter().map(|step| self.end_of(*step)).collect();
                    if to_target.iter().any(|step| left.contains(&self.end_of(*step))) {
                        continue;
                    }
                    let up = backwards(&to_home);
                    let turn = up.len();
                    let whole: Vec<Step> = up.into_iter().chain(to_target).collect();
                    // A 1:1 step can be the end of the one part or the start of the other: that is one way.
                    match found.iter_mut().find(|(steps, _)| *steps == whole) {
                        Some((_, first)) => *first = turn.min(*first),
                        None => found.push((whole, turn)),
                    }
                }
            }
        }
        let split = |(steps, turn): (Vec<Step>, usize)| Way::Far {
            up: steps[..turn].to_vec(),
            down: steps[turn..].to_vec(),
        };
        found.into_iter().map(split).collect()
    }

    /// N:N edges between two datasets, as steps from the first one.
    fn many_edges(&self, home: usize, target: usize) -> Vec<Step> {
        let step = |(number, relationship): (usize, &super::model::Relationship)| {
            let is_many = !relationship.to_is_one && !relationship.from_is_one;
            let forward = relationship.from == home && relationship.to == target;
            let back = relationship.to == home && relationship.from == target;
            (is_many && (forward || back)).then_some(Step { relationship: number, forward })
        };
        self.relationships.iter().enumerate().filter_map(step).collect()
    }

    /// All datasets of one connected part of the model.
    pub(super) fn connected(&self, start: usize) -> Vec<usize> {
        let mut found = vec![start];
        loop {
            let next = self.relationships.iter().find_map(|one| {
                match (found.contains(&one.from), found.contains(&one.to)) {
                    (true, false) => Some(one.to),
                    (false, true) => Some(one.from),
                    _ => None,
                }
            });
            let Some(next) = next else { return found };
            found.push(next);
        }
    }

    /// The finest of some datasets: it reaches all others along N:1 and 1:1 steps. Several are the ends of a 1:1.
    pub(super) fn finest(&self, touched: &[usize]) -> Result<Vec<usize>, Stop> {
        let mut finest = Vec::new();
        let mut is_ambiguous = false;
        for candidate in touched {
            let paths: Vec<usize> =
                touched.iter().map(|other| self.single_paths(*candidate, *other).len()).collect();
            if paths.iter().all(|count| *count == 1) {
                finest.push(*candidate);
            } else if paths.iter().all(|count| *count > 0) {
                is_ambiguous = true;
            }
        }
        if finest.is_empty() && is_ambiguous { Err(ambiguous()) } else { Ok(finest) }
    }
}

fn ambiguous() -> Stop {
    Stop::Refused(vec!["E_AMBIGUOUS_PATH"])
}

fn backwards(path: &[Step]) -> Vec<Step> {
    path.iter().rev().map(|step| Step { relationship: step.relationship, forward: !step.forward }).collect()
}
