//! Far sides of joins, and the row-by-row steps that look into them. In: a row of a chain's base. Out: the rows that the
//! chain makes of it. A key that stands twice on a far side doubles the row, as it does in any engine.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use unisono_compiler::ids::NodeId;

use super::super::program::{Program, Step};
use super::super::sources::Side;
use super::super::{Fault, Value};
use super::{Interpreter, Sink, pick, put};

/// The far sides read so far, by join and side of the sources.
#[derive(Default)]
pub(in super::super) struct Fars(BTreeMap<(NodeId, Side), Far>);

/// Far rows by key.
#[derive(Default)]
pub(in super::super) struct Far {
    /// All rows are here, not only those of the keys that were asked for.
    complete: bool,
    rows: HashMap<Vec<Value>, Vec<Vec<Value>>>,
}

impl Fars {
    /// The far side of a join.
    pub(in super::super) fn of(&mut self, join: NodeId, side: Side) -> &mut Far {
        self.0.entry((join, side)).or_default()
    }
}

impl Far {
    /// Adds a row, at its key.
    pub(in super::super) fn add(&mut self, key: Vec<Value>, row: Vec<Value>) {
        self.rows.entry(key).or_default().push(row);
    }

    /// Those of `keys` that were never asked for, from now on known.
    pub(in super::super) fn missing(&mut self, keys: BTreeSet<Vec<Value>>) -> BTreeSet<Vec<Value>> {
        if self.complete {
            return BTreeSet::new();
        }
        let missing: BTreeSet<Vec<Value>> =
            keys.into_iter().filter(|key| !self.rows.contains_key(key)).collect();
        for key in &missing {
            self.rows.insert(key.clone(), Vec::new());
        }
        missing
    }
}

impl Interpreter<'_> {
    /// Reads the whole far side of a node that is a join.
    pub(in super::super) fn load_far(&mut self, node: NodeId, side: Side) -> Result<(), Fault> {
        let program = self.program;
        let Step::Join { far, far_keys, .. } = program.step(node) else { return Ok(()) };
        if self.fars.of(node, side).complete {
            return Ok(());
        }
        let carried = program.carried(*far);
        let mut rows: HashMap<Vec<Value>, Vec<Vec<Value>>> = HashMap::new();
        self.rows_of(*far, side, &mut |row| {
            if let Some(key) = join_key(row, far_keys) {
                rows.entry(key).or_default().push(pick(row, carried));
            }
            Ok(())
        })?;
        *self.fars.of(node, side) = Far { complete: true, rows };
        Ok(())
    }
}

/// The key of a join, unless a part of it is NULL, which equals nothing.
pub(in super::super) fn join_key(row: &[Value], places: &[usize]) -> Option<Vec<Value>> {
    let key = pick(row, places);
    key.iter().all(|value| !value.is_null()).then_some(key)
}

/// Takes a row through steps; each row that comes out goes to the sink. Far sides must have been read before.
pub(in super::super) fn apply(
    program: &Program,
    fars: &Fars,
    side: Side,
    ops: &[NodeId],
    row: &mut [Value],
    sink: Sink<'_>,
) -> Result<(), Fault> {
    let Some((op, rest)) = ops.split_first() else { return sink(row) };
    match program.step(*op) {
        Step::Compute { input: _, values } => {
            for (place, value) in values {
                row[*place] = value.eval(row)?;
            }
            apply(program, fars, side, rest, row, sink)
        }
        Step::Filter { input: _, predicates } => {
            for predicate in predicates {
                if !predicate.holds(row)? {
                    return Ok(());
                }
            }
            apply(program, fars, side, rest, row, sink)
        }
        Step::Join { input: _, far, near_keys, far_keys: _, fans: _ } => {
            let carried = program.carried(*far);
            let found = join_key(row, near_keys)
                .and_then(|key| fars.0.get(&(*op, side)).and_then(|far| far.rows.get(&key)))
                .map_or(&[] as &[Vec<Value>], Vec::as_slice);
            if found.is_empty() {
                for place in carried {
                    row[*place] = Value::Null;
                }
                return apply(program, fars, side, rest, row, sink);
            }
            for far_row in found {
                put(row, carried, far_row.iter().cloned());
                apply(program, fars, side, rest, row, sink)?;
            }
            Ok(())
        }
        Step::Scan { .. }
        | Step::Group { .. }
        | Step::Stitch { .. }
        | Step::Attach { .. }
        | Step::Unsupported { .. } => {
            Err(Fault::Plan("a step over whole tables among steps over rows".to_string()))
        }
    }
}
