//! The order in which expressions that refer to each other are resolved, and the circles among them.

use std::collections::VecDeque;

/// Names of a circle that its message lists.
const LISTED: usize = 10;

/// Sorts `0..count` so that everything comes after what it needs. Iterative, so that a chain of any length ends; linear
/// in what is needed. What needs itself, through others or not, is left out of the order: members that reach each other
/// are one knot.
pub(super) fn dependency_order(count: usize, needs: impl Fn(usize) -> Vec<usize>) -> (Vec<usize>, Vec<Knot>) {
    let mut search = Search { marks: vec![Mark::New; count], path: Vec::new(), open: Vec::new(), found: 0 };
    let mut order = Vec::new();
    let mut knots = Vec::new();
    for start in 0..count {
        if search.marks[start] == Mark::New {
            search.enter(start, needs(start));
        }
        while let Some(visit) = search.path.last_mut() {
            if let Some(next) = visit.pending.pop() {
                match search.marks[next] {
                    Mark::New => search.enter(next, needs(next)),
                    Mark::Open(number) => {
                        visit.needs_itself |= next == visit.node;
                        visit.lowest = visit.lowest.min(number);
                    }
                    Mark::Done => {}
                }
            } else if let Some((members, needs_itself)) = search.leave() {
                match members.as_slice() {
                    [only] if !needs_itself => order.push(*only),
                    _ => knots.push(Knot::of(members, &needs)),
                }
            }
        }
    }
    (order, knots)
}

/// Things that need each other.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Knot {
    /// All of them, as they were met.
    pub(super) members: Vec<usize>,
    /// A shortest circle through the first of them, which is repeated at its end.
    pub(super) circle: Vec<usize>,
}

impl Knot {
    fn of(members: Vec<usize>, needs: &impl Fn(usize) -> Vec<usize>) -> Knot {
        let mut inside = members.clone();
        inside.sort_unstable();
        let place = |node: usize| inside.binary_search(&node).ok();
        let first = members[0];
        // By place: from where the search came.
        let mut from: Vec<Option<usize>> = vec![None; inside.len()];
        let mut queue = VecDeque::from([first]);
        while let Some(at) = queue.pop_front() {
            for next in needs(at).into_iter().rev() {
                if let Some(place) = place(next)
                    && from[place].is_none()
                {
                    from[place] = Some(at);
                    queue.push_back(next);
                }
            }
        }
        let mut circle = vec![first];
        let mut at = first;
        while let Some(before) = place(at).and_then(|place| from[place]) {
            circle.push(before);
            at = before;
            if at == first {
                break;
            }
        }
        circle.reverse();
        Knot { members, circle }
    }

    /// The circle as names; the middle of a long one is counted.
    pub(super) fn text(&self, name: impl Fn(usize) -> String) -> String {
        let mut names: Vec<String> = self.circle.iter().take(LISTED).map(|index| name(*index)).collect();
        if let [.., last] = self.circle.as_slice()
            && self.circle.len() > LISTED
        {
            let hidden = self.circle.len() - LISTED - 1;
            if hidden > 0 {
                names.push(format!("({hidden} more)"));
            }
            names.push(name(*last));
        }
        names.join(" -> ")
    }
}

#[derive(Clone, Copy, PartialEq)]
enum Mark {
    New,
    /// Met as that one, and its knot is not complete.
    Open(usize),
    Done,
}

/// A node on the way down.
struct Visit {
    node: usize,
    pending: Vec<usize>,
    /// The earliest open node that it leads back to, by number.
    lowest: usize,
    needs_itself: bool,
}

/// Tarjan's search for what is strongly connected.
struct Search {
    marks: Vec<Mark>,
    path: Vec<Visit>,
    /// Met, not yet in a complete knot.
    open: Vec<usize>,
    found: usize,
}

impl Search {
    fn enter(&mut self, node: usize, pending: Vec<usize>) {
        self.marks[node] = Mark::Open(self.found);
        self.open.push(node);
        self.path.push(Visit { node, pending, lowest: self.found, needs_itself: false });
        self.found += 1;
    }

    /// Goes back up; gives the members of a knot that is complete, and whether its first one needs itself.
    fn leave(&mut self) -> Option<(Vec<usize>, bool)> {
        let done = self.path.pop()?;
        if self.marks[done.node] != Mark::Open(done.lowest) {
            if let Some(above) = self.path.last_mut() {
                above.lowest = above.lowest.min(done.lowest);
            }
            return None;
        }
        let start = self.open.iter().rposition(|node| *node == done.node)?;
        let members = self.open.split_off(start);
        for member in &members {
            self.marks[*member] = Mark::Done;
        }
        Some((members, done.needs_itself))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn order_of(needs: &[&[usize]]) -> (Vec<usize>, Vec<Knot>) {
        dependency_order(needs.len(), |node| needs[node].to_vec())
    }

    #[test]
    fn needed_things_come_first() {
        assert_eq!(order_of(&[&[1], &[2], &[]]), (vec![2, 1, 0], vec![]));
    }

    #[test]
    fn circles_are_paths_and_stay_out_of_the_order() {
        let circle = Knot { members: vec![0, 1], circle: vec![0, 1, 0] };
        assert_eq!(order_of(&[&[1], &[0], &[0]]), (vec![2], vec![circle]));
        let itself = Knot { members: vec![1], circle: vec![1, 1] };
        assert_eq!(order_of(&[&[1], &[1, 2], &[]]), (vec![2, 0], vec![itself]));
    }

    #[test]
    fn what_needs_each_other_is_one_knot_with_a_shortest_circle() {
        let knot = Knot { members: vec![0, 2, 3, 1], circle: vec![0, 1, 0] };
        assert_eq!(order_of(&[&[1, 2], &[0], &[3], &[0]]), (vec![], vec![knot]));
    }

    #[test]
    fn a_chain_and_a_knot_of_many_end_quickly() {
        let count = 200_000;
        let (order, knots) = dependency_order(count, |node| if node == 0 { vec![] } else { vec![node - 1] });
        assert_eq!((order.len(), knots.len()), (count, 0));
        // Each needs the next one and the first: every second step is a circle of its own length.
        let (order, knots) = dependency_order(count, |node| vec![(node + 1) % count, 0]);
        assert_eq!((order.len(), knots.len()), (0, 1));
        assert_eq!(knots[0].circle, [0, 0]);
        let ring = dependency_order(count, |node| vec![(node + 1) % count]).1.remove(0);
        assert_eq!(ring.circle.len(), count + 1);
        assert_eq!(ring.text(|node| node.to_string()).matches("->").count(), 11);
    }

    #[test]
    fn a_long_circle_is_shortened_in_the_middle() {
        let text = |length: usize| {
            let ring = dependency_order(length, |node| vec![(node + 1) % length]).1.remove(0);
            ring.text(|node| node.to_string())
        };
        assert_eq!(text(2), "0 -> 1 -> 0");
        assert_eq!(text(10), "0 -> 1 -> 2 -> 3 -> 4 -> 5 -> 6 -> 7 -> 8 -> 9 -> 0");
        assert_eq!(text(12), "0 -> 1 -> 2 -> 3 -> 4 -> 5 -> 6 -> 7 -> 8 -> 9 -> (2 more) -> 0");
    }
}
