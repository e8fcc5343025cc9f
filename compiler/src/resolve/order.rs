//! The order in which expressions that refer to each other are resolved, and the circles among them.

/// Sorts `0..count` so that everything comes after what it needs. Iterative, so that a chain of any length ends.
/// Members of a circle are left out of the order and given as one path a circle, its first node repeated at its end.
pub(super) fn dependency_order(
    count: usize,
    needs: impl Fn(usize) -> Vec<usize>,
) -> (Vec<usize>, Vec<Vec<usize>>) {
    #[derive(Clone, Copy, PartialEq)]
    enum Mark {
        New,
        Open,
        Done,
    }
    let mut marks = vec![Mark::New; count];
    let mut order = Vec::new();
    let mut circles = Vec::new();
    for start in 0..count {
        if marks[start] != Mark::New {
            continue;
        }
        let mut path: Vec<(usize, Vec<usize>)> = vec![(start, needs(start))];
        marks[start] = Mark::Open;
        while let Some((at, pending)) = path.last_mut() {
            match pending.pop() {
                Some(next) if marks[next] == Mark::New => {
                    marks[next] = Mark::Open;
                    path.push((next, needs(next)));
                }
                Some(next) if marks[next] == Mark::Open => {
                    let from = path.iter().position(|(node, _)| *node == next).unwrap_or(0);
                    let mut circle: Vec<usize> = path[from..].iter().map(|(node, _)| *node).collect();
                    circle.push(next);
                    circles.push(circle);
                }
                Some(_) => {}
                None => {
                    marks[*at] = Mark::Done;
                    order.push(*at);
                    path.pop();
                }
            }
        }
    }
    let in_circle = |node: &usize| circles.iter().any(|circle: &Vec<usize>| circle.contains(node));
    order.retain(|node| !in_circle(node));
    (order, circles)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn needed_things_come_first() {
        let needs = [vec![1], vec![2], vec![]];
        assert_eq!(dependency_order(3, |node| needs[node].clone()), (vec![2, 1, 0], vec![]));
    }

    #[test]
    fn circles_are_paths_and_stay_out_of_the_order() {
        let needs = [vec![1], vec![0], vec![0]];
        assert_eq!(dependency_order(3, |node| needs[node].clone()), (vec![2], vec![vec![0, 1, 0]]));
    }
}
