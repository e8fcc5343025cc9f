//! One step of a rollup from the old sources to the new ones. In: a plan, its layout, the sources, and the rollup as it
//! stands. Out: the rows to write and the keys to delete; nothing for a row that stays as it is.
//!
//! The answer is linear in the home rows but for the aggregates: what a change adds is the changed home rows joined to the
//! new far sides, and the old home rows joined to what changed there, each with its sign. Counts and exact sums take that
//! up by addition; other aggregates where nothing was taken away that they rest on; else their groups are read again.

mod changes;
mod delta;
mod keyed;
mod regroup;
mod stored;

use std::collections::{BTreeMap, BTreeSet};

use unisono_compiler::ids::{DatasetId, Id, NodeId};
use unisono_compiler::plan::Plan;

use self::changes::Changes;
use self::delta::{Delta, Merged};
use super::interpret::{Cells, Gather, Interpreter, Table, group_table, pick};
use super::layout::{Layout, Maintenance, Shape, shape};
use super::program::{Program, Step};
use super::sources::{Key, Side, Sources, State};
use super::{Fault, Value};

/// What a step writes.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct Update {
    /// Rows in the columns of the layout, new ones and changed ones.
    pub upserts: BTreeMap<Key, Vec<Value>>,
    /// Keys of rows that are no more.
    pub deletes: BTreeSet<Key>,
}

/// Groups by group node, in the order of the shape.
type Groups = Vec<BTreeMap<Key, Cells>>;

/// Moves a rollup on. `first`: the state was not made from `Side::Old` by this plan, and only differences are written.
pub fn advance(
    plan: &Plan,
    layout: &Layout,
    sources: &mut dyn Sources,
    state: &mut dyn State,
    first: bool,
) -> Result<Update, Fault> {
    let program = Program::of(plan)?;
    let step = Advance { program: &program, layout };
    match layout.maintenance {
        Maintenance::Full { why: _ } => {
            if !first && !moved(&program, sources)? {
                return Ok(Update::default());
            }
            let mut interpreter = Interpreter::new(&program, sources);
            let rows = step.visible(&mut interpreter)?;
            Ok(difference(rows, &state.groups(None)?, None))
        }
        Maintenance::Incremental => {
            let keys: Vec<usize> = step.key_places();
            let shape = shape(&program, &keys).map_err(|why| Fault::Plan(why.to_string()))?;
            if first {
                return step.anew(&shape, sources, state);
            }
            match Changes::read(&program, sources)? {
                Changes::Unknown => step.anew(&shape, sources, state),
                Changes::Rows(changes) if changes.is_empty() => Ok(Update::default()),
                Changes::Rows(changes) => step.by_groups(&shape, &changes, sources, state),
            }
        }
    }
}

struct Advance<'a> {
    program: &'a Program,
    layout: &'a Layout,
}

impl Advance<'_> {
    fn key_places(&self) -> Vec<usize> {
        self.layout.slots.iter().take(self.layout.dimensions.len()).map(|slot| slot.index()).collect()
    }

    /// The visible part of all rows that the interpreter makes of the tables it has.
    fn visible(&self, interpreter: &mut Interpreter<'_>) -> Result<BTreeMap<Key, Vec<Value>>, Fault> {
        let places: Vec<usize> = self.layout.slots.iter().map(|slot| slot.index()).collect();
        let keys = self.layout.dimensions.len();
        let mut rows = BTreeMap::new();
        interpreter.rows_of(self.program.root, Side::New, &mut |row| {
            let row = pick(row, &places);
            match rows.insert(row[..keys].to_vec(), row) {
                None => Ok(()),
                Some(row) => Err(Fault::Unsupported(format!(
                    "rollup in which two rows have one key: {:?} has no columns that tell its rows apart",
                    &row[..keys]
                ))),
            }
        })?;
        Ok(rows)
    }

    /// The rows of the given groups, with their hidden columns.
    fn rows(
        &self,
        shape: &Shape,
        interpreter: &mut Interpreter<'_>,
        groups: &Groups,
    ) -> Result<BTreeMap<Key, Vec<Value>>, Fault> {
        for (group, own) in shape.groups.iter().zip(groups) {
            let table: Table =
                group_table(&group.keys, group.measures(self.program), group.kind(self.program), own)?;
            interpreter.tables.insert(group.node, table);
        }
        let mut rows = self.visible(interpreter)?;
        let empty = self.empty(shape)?;
        for (key, row) in &mut rows {
            for (own, empty) in groups.iter().zip(&empty) {
                let cells = own.get(key).unwrap_or(empty);
                row.push(Value::Integer(cells.rows));
                row.extend(cells.cells.iter().cloned());
            }
        }
        Ok(rows)
    }

    /// The cells of a group without rows, by group node.
    fn empty(&self, shape: &Shape) -> Result<Vec<Cells>, Fault> {
        shape.groups.iter().map(|group| Cells::empty(group.measures(self.program))).collect()
    }

    /// All groups from all rows.
    fn anew(&self, shape: &Shape, sources: &mut dyn Sources, state: &mut dyn State) -> Result<Update, Fault> {
        let mut interpreter = Interpreter::new(self.program, sources);
        let mut groups: Groups = vec![BTreeMap::new(); shape.groups.len()];
        for (input, _) in &shape.views {
            let mut gathers: Vec<(usize, Gather<'_>)> = self.gathers(shape, *input, None);
            interpreter.rows_of(*input, Side::New, &mut |row| {
                gathers.iter_mut().try_for_each(|(_, gather)| gather.add(row))
            })?;
            for (index, gather) in gathers {
                groups[index] = gather.finish()?;
            }
        }
        let rows = self.rows(shape, &mut interpreter, &groups)?;
        Ok(difference(rows, &state.groups(None)?, None))
    }

    /// A gathering for each group node over some rows, with the node's position in the shape.
    fn gathers<'s>(
        &'s self,
        shape: &'s Shape,
        input: NodeId,
        only: Option<&'s [BTreeSet<Key>]>,
    ) -> Vec<(usize, Gather<'s>)> {
        let over = shape.groups.iter().enumerate().filter(|(_, group)| group.input == input);
        over.map(|(index, group)| {
            let only = only.and_then(|only| only.get(index));
            (index, Gather::new(&group.keys, group.measures(self.program), only))
        })
        .collect()
    }

    /// The groups that changes touch.
    fn by_groups(
        &self,
        shape: &Shape,
        changes: &BTreeMap<DatasetId, changes::Images>,
        sources: &mut dyn Sources,
        state: &mut dyn State,
    ) -> Result<Update, Fault> {
        let mut interpreter = Interpreter::new(self.program, sources);
        let deltas = self.deltas(shape, changes, &mut interpreter)?;
        let touched: BTreeSet<Key> = deltas.iter().flat_map(|own| own.keys().cloned()).collect();
        if touched.is_empty() {
            return Ok(Update::default());
        }
        let old = state.groups(Some(&touched))?;
        let mut groups: Groups = vec![BTreeMap::new(); shape.groups.len()];
        let mut again: Vec<BTreeSet<Key>> = vec![BTreeSet::new(); shape.groups.len()];
        let empty = self.empty(shape)?;
        for key in &touched {
            let stored = old.get(key).map(|row| self.stored(shape, row)).transpose()?;
            for (index, group) in shape.groups.iter().enumerate() {
                let before = match &stored {
                    Some(stored) => &stored[index],
                    // A group that may be hidden is not known to be empty.
                    None if shape.hides_groups => {
                        again[index].insert(key.clone());
                        continue;
                    }
                    None => &empty[index],
                };
                let merged = match deltas[index].get(key) {
                    None => Merged::Known(before.clone()),
                    Some(delta) => delta.merge(group.measures(self.program), before, &empty[index])?,
                };
                match merged {
                    Merged::Known(cells) => {
                        groups[index].insert(key.clone(), cells);
                    }
                    Merged::Again => {
                        again[index].insert(key.clone());
                    }
                }
            }
        }
        self.regroup(shape, &again, &mut interpreter, &mut groups)?;
        let rows = self.rows(shape, &mut interpreter, &groups)?;
        if let Some(key) = rows.keys().find(|key| !touched.contains(*key)) {
            // Without dimensions the one row is always there, touched or not; nothing else can come up.
            return Err(Fault::Plan(format!("{key:?} came up in a step that did not touch it")));
        }
        Ok(difference(rows, &old, Some(&touched)))
    }

    /// What the changes add to each group and take from it, by group node.
    fn deltas(
        &self,
        shape: &Shape,
        changes: &BTreeMap<DatasetId, changes::Images>,
        interpreter: &mut Interpreter<'_>,
    ) -> Result<Vec<BTreeMap<Key, Delta>>, Fault> {
        let mut deltas: Vec<BTreeMap<Key, Delta>> = shape.groups.iter().map(|_| BTreeMap::new()).collect();
        for (input, view) in &shape.views {
            let over: Vec<(usize, &[usize], &[super::aggregate::Measure])> = shape
                .groups
                .iter()
                .enumerate()
                .filter(|(_, group)| group.input == *input)
                .map(|(index, group)| (index, group.keys.as_slice(), group.measures(self.program)))
                .collect();
            interpreter.contributions(view, changes, &mut |sign, row| {
                for (index, keys, measures) in &over {
                    let delta = deltas[*index].entry(pick(row, keys)).or_insert_with(|| Delta::of(measures));
                    delta.add(measures, sign, row)?;
                }
                Ok(())
            })?;
        }
        for own in &mut deltas {
            own.retain(|_, delta| !delta.is_nothing());
        }
        Ok(deltas)
    }
}

/// Whether any source may have changed.
fn moved(program: &Program, sources: &mut dyn Sources) -> Result<bool, Fault> {
    for (_, step) in program.nodes() {
        if let Step::Scan { dataset, .. } = step
            && sources.moved(*dataset)?
        {
            return Ok(true);
        }
    }
    Ok(false)
}

/// What makes `old` the same as `rows`, within `touched` keys.
fn difference(
    rows: BTreeMap<Key, Vec<Value>>,
    old: &BTreeMap<Key, Vec<Value>>,
    touched: Option<&BTreeSet<Key>>,
) -> Update {
    let gone = |key: &&Key| !rows.contains_key(*key) && touched.is_none_or(|touched| touched.contains(*key));
    let deletes: BTreeSet<Key> = old.keys().filter(gone).cloned().collect();
    let upserts = rows.into_iter().filter(|(key, row)| old.get(key) != Some(row)).collect();
    Update { upserts, deletes }
}

#[cfg(test)]
mod tests;
