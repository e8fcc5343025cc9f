//! Smaller cases that still fail. In: a random case, a test of failure. Out: the case without what the failure does not need: parts of the
//! request, metrics, fields, relationships, datasets, columns, rows, and long values.

use std::collections::BTreeSet;

use crate::case::Case;
use crate::generate::Generated;
use crate::generate::print;
use crate::generate::shape::{Mark, Shape, marks};
use crate::value::Value;

mod parts;

/// At most so many cases are tried.
const TRIES: usize = 4_000;

/// What is left of a case that fails. The case itself where it does not fail.
pub fn shrink(generated: &Generated, still_fails: &mut dyn FnMut(&Case) -> bool) -> Case {
    let mut search = Search { best: generated.shape.clone(), left: TRIES, still_fails };
    if !(search.still_fails)(&generated.case) {
        return generated.case.clone();
    }
    loop {
        let before = search.best.clone();
        for step in STEPS {
            search.all(*step);
        }
        search.rows();
        search.values();
        if search.best == before || search.left == 0 {
            return print::case(&search.best);
        }
    }
}

/// A step makes a shape smaller at a position; `None` where there is nothing more at or behind it.
type Step = fn(&Shape, usize) -> Option<Shape>;

const STEPS: &[Step] = &[
    parts::clear,
    parts::order,
    parts::having,
    parts::condition,
    parts::half_condition,
    parts::measure,
    parts::dimension,
    parts::field_entry,
    parts::plain_entry,
    parts::metric,
    parts::filter,
    parts::field,
    parts::relationship,
    parts::dataset,
    parts::column,
    parts::plain_name,
];

struct Search<'a> {
    best: Shape,
    left: usize,
    still_fails: &'a mut dyn FnMut(&Case) -> bool,
}

impl Search<'_> {
    fn accept(&mut self, shape: Shape) -> bool {
        if self.left == 0 || shape == self.best {
            return false;
        }
        self.left -= 1;
        let fails = (self.still_fails)(&print::case(&shape));
        if fails {
            self.best = shape;
        }
        fails
    }

    fn all(&mut self, step: Step) {
        let mut at = 0;
        while let Some(smaller) = step(&self.best, at) {
            if self.left == 0 {
                return;
            }
            // An accepted step moved what was behind it to its place.
            if !self.accept(smaller) {
                at += 1;
            }
        }
    }

    /// Drops rows: halves first.
    fn rows(&mut self) {
        for table in 0..self.best.tables.len() {
            let mut size = self.best.tables[table].rows.len();
            while size > 0 {
                let mut at = 0;
                while at < self.best.tables[table].rows.len() {
                    let mut smaller = self.best.clone();
                    let end = (at + size).min(smaller.tables[table].rows.len());
                    smaller.tables[table].rows.drain(at..end);
                    if !self.accept(smaller) {
                        at += size;
                    }
                }
                size /= 2;
            }
        }
    }

    /// Short values where no key needs them.
    fn values(&mut self) {
        for table in 0..self.best.tables.len() {
            let shape = &self.best.tables[table];
            let free: Vec<usize> =
                (0..shape.columns.len()).filter(|column| !shape.columns[*column].key).collect();
            for row in 0..shape.rows.len() {
                for column in &free {
                    let cell = &self.best.tables[table].rows[row][*column];
                    for short in shorter(cell) {
                        let mut smaller = self.best.clone();
                        smaller.tables[table].rows[row][*column] = short;
                        if self.accept(smaller) {
                            break;
                        }
                    }
                }
            }
        }
    }
}

/// Values that are easier to read, the easiest first.
fn shorter(value: &Value) -> Vec<Value> {
    let number = |digits| Value::Exact { digits, scale: 0 };
    let all = match value {
        Value::Null | Value::Boolean(_) => vec![],
        Value::Exact { .. } => vec![number(0), number(1)],
        Value::Double(_) => vec![Value::Double(0.0), Value::Double(1.0)],
        Value::Text(_) => vec![Value::Text("a".to_string()), Value::Text("b".to_string())],
        Value::Date(_) => vec![Value::Date(19_723)],
        Value::Timestamp(_) => vec![Value::Timestamp(1_704_067_200_000_000)],
    };
    // Nothing is shorter than the shortest: else two values would take turns for ever.
    all.into_iter().take_while(|short| short != value).collect()
}

/// What the texts of a shape name.
pub(crate) fn named(shape: &Shape) -> BTreeSet<Mark> {
    let ask = &shape.ask;
    let entries = ask.dimensions.iter().chain(&ask.measures).chain(&ask.fields).map(|entry| &entry.text);
    let fields = shape.datasets.iter().flat_map(|dataset| dataset.fields.iter()).map(|field| &field.text);
    let metrics = shape.metrics.iter().map(|metric| &metric.text);
    let order = ask.order.iter().map(|key| &key.text);
    let range = ask.time_range.iter().map(|range| &range.dimension);
    let all = entries.chain(&ask.conditions).chain(&ask.having).chain(order).chain(range);
    all.chain(fields).chain(metrics).flat_map(|text| marks(text)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::generate::{Feature, case};

    #[test]
    fn what_a_failure_does_not_need_is_dropped() {
        let has = |case: &Case| {
            let null =
                case.tables.iter().flat_map(|table| &table.rows).flatten().any(|one| *one == Value::Null);
            null && case.request.contains("MEDIAN")
        };
        let seed = (0..10_000).find(|seed| has(&case(*seed).case)).unwrap();
        let generated = case(seed);
        let small = shrink(&generated, &mut |case| has(case));
        assert!(has(&small));
        let rows: usize = small.tables.iter().map(|table| table.rows.len()).sum();
        assert_eq!(rows, 1, "{small:?}");
        assert!(small.request.len() <= generated.case.request.len());
        assert!(!small.request.contains("order_by") && !small.request.contains("limit"));
        assert!(!small.model.contains("metrics:") || small.request.contains("measures"), "{}", small.model);
        assert_eq!(small, shrink(&generated, &mut |case| has(case)), "the same each time");
    }

    #[test]
    fn tries_are_bounded_and_a_case_that_does_not_fail_stays() {
        let generated = (0..10_000).map(case).find(|one| one.features.contains(&Feature::Stitch)).unwrap();
        assert_eq!(shrink(&generated, &mut |_| false), generated.case);
        let mut tries = 0;
        let small = shrink(&generated, &mut |_| {
            tries += 1;
            true
        });
        assert!(tries <= TRIES + 1, "{tries}");
        assert!(small.tables.iter().all(|table| table.rows.is_empty()));
    }
}
