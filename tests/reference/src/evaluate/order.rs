//! Equality and order of values where rows are grouped, joined and sorted. In: values. Out: whether they are one, and rows in the asked order.

use std::cmp::Ordering;

use crate::expr;
use crate::value::Value;

/// Whether two group keys are one.
pub(super) fn same_key(left: &[Value], right: &[Value]) -> bool {
    left.len() == right.len() && left.iter().zip(right).all(|(left, right)| expr::same(left, right))
}

/// One key of a sort.
pub(super) struct SortKey {
    /// A value a row.
    pub(super) values: Vec<Value>,
    /// From the highest down.
    pub(super) descending: bool,
    /// Where NULLs stand; by default last when ascending and first when descending.
    pub(super) nulls_first: Option<bool>,
}

/// The numbers of the rows in order, and for each the number of its group of ties.
pub(super) fn sorted(count: usize, keys: &[SortKey]) -> (Vec<usize>, Vec<usize>) {
    let mut rows: Vec<usize> = (0..count).collect();
    let compare = |left: &usize, right: &usize| {
        keys.iter()
            .map(|key| compare_by(key, &key.values[*left], &key.values[*right]))
            .find(|order| *order != Ordering::Equal)
            .unwrap_or(Ordering::Equal)
    };
    rows.sort_by(compare);
    let mut ties = Vec::new();
    let mut tie = 0;
    for (at, row) in rows.iter().enumerate() {
        if at > 0 && compare(&rows[at - 1], row) != Ordering::Equal {
            tie += 1;
        }
        ties.push(tie);
    }
    (rows, ties)
}

fn compare_by(key: &SortKey, left: &Value, right: &Value) -> Ordering {
    let nulls_first = key.nulls_first.unwrap_or(key.descending);
    match (*left == Value::Null, *right == Value::Null) {
        (true, true) => Ordering::Equal,
        (true, false) if nulls_first => Ordering::Less,
        (true, false) => Ordering::Greater,
        (false, true) if nulls_first => Ordering::Greater,
        (false, true) => Ordering::Less,
        (false, false) => {
            let order = expr::order(left, right);
            if key.descending { order.reverse() } else { order }
        }
    }
}
