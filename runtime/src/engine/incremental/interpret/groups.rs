//! Rows made groups: aggregates, picks and distinct tuples. In: rows. Out: the cells of each group, and tables of groups.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use unisono_compiler::ids::NodeId;

use super::super::aggregate::{Accumulator, Measure};
use super::super::program::{GroupKind, Step};
use super::super::sources::{Key, Side};
use super::super::{Fault, Value};
use super::{Interpreter, Table};

/// What is kept of a group: the number of its rows, and the cells of its measures one after another.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(in super::super) struct Cells {
    pub(in super::super) rows: i64,
    pub(in super::super) cells: Vec<Value>,
}

impl Cells {
    /// Of a group without rows.
    pub(in super::super) fn empty(measures: &[Measure]) -> Result<Cells, Fault> {
        finish(measures, 0, measures.iter().map(Accumulator::new).collect())
    }

    /// The cells of each measure.
    pub(in super::super) fn by_measure<'c>(
        &'c self,
        measures: &'c [Measure],
    ) -> impl Iterator<Item = (&'c Measure, &'c [Value])> {
        measures.iter().scan(0, |start, measure| {
            let from = *start;
            *start += measure.cells();
            Some((measure, self.cells.get(from..*start).unwrap_or_default()))
        })
    }
}

fn finish(measures: &[Measure], rows: i64, accumulators: Vec<Accumulator>) -> Result<Cells, Fault> {
    let mut cells = Vec::new();
    for (measure, accumulator) in measures.iter().zip(accumulators) {
        cells.extend(accumulator.cells(measure)?);
    }
    Ok(Cells { rows, cells })
}

/// Groups while their rows come in.
pub(in super::super) struct Gather<'a> {
    keys: &'a [usize],
    measures: &'a [Measure],
    /// Only groups of these keys.
    only: Option<&'a BTreeSet<Key>>,
    index: HashMap<Key, usize>,
    groups: Vec<(i64, Vec<Accumulator>)>,
    key: Vec<Value>,
    inputs: Vec<Value>,
}

impl<'a> Gather<'a> {
    /// No groups yet.
    pub(in super::super) fn new(
        keys: &'a [usize],
        measures: &'a [Measure],
        only: Option<&'a BTreeSet<Key>>,
    ) -> Self {
        let (key, inputs) = (Vec::new(), Vec::new());
        Gather { keys, measures, only, index: HashMap::new(), groups: Vec::new(), key, inputs }
    }

    /// Adds a row to its group.
    pub(in super::super) fn add(&mut self, row: &[Value]) -> Result<(), Fault> {
        self.key.clear();
        self.key.extend(self.keys.iter().map(|place| row[*place].clone()));
        let at = match self.index.get(&self.key) {
            Some(at) => *at,
            None => {
                if self.only.is_some_and(|only| !only.contains(&self.key)) {
                    return Ok(());
                }
                self.groups.push((0, self.measures.iter().map(Accumulator::new).collect()));
                self.index.insert(self.key.clone(), self.groups.len() - 1);
                self.groups.len() - 1
            }
        };
        let (rows, accumulators) = &mut self.groups[at];
        *rows += 1;
        for (measure, accumulator) in self.measures.iter().zip(accumulators) {
            measure.inputs(row, &mut self.inputs)?;
            accumulator.add(measure, &self.inputs)?;
        }
        Ok(())
    }

    /// The groups by key.
    pub(in super::super) fn finish(self) -> Result<BTreeMap<Key, Cells>, Fault> {
        let mut groups: Vec<Option<(i64, Vec<Accumulator>)>> = self.groups.into_iter().map(Some).collect();
        // Sorted by key: hash order ends here.
        let keys: BTreeMap<Key, usize> = self.index.into_iter().collect();
        let mut finished = BTreeMap::new();
        for (key, at) in keys {
            if let Some((rows, accumulators)) = groups[at].take() {
                finished.insert(key, finish(self.measures, rows, accumulators)?);
            }
        }
        Ok(finished)
    }
}

/// The rows of a group node: its keys, then its values. `keys` are places, in the order of the groups' keys.
pub(in super::super) fn group_table(
    keys: &[usize],
    measures: &[Measure],
    kind: GroupKind,
    groups: &BTreeMap<Key, Cells>,
) -> Result<Table, Fault> {
    let places = keys.iter().copied().chain(measures.iter().map(|measure| measure.place)).collect();
    let mut rows = Vec::new();
    for (key, cells) in groups {
        let has_row = match kind {
            GroupKind::Aggregate => keys.is_empty() || cells.rows > 0,
            GroupKind::Distinct => cells.rows > 0,
            // The second cell of a pick is what decided: NULL where nothing was picked.
            GroupKind::Pick => cells.cells.get(1).is_some_and(|by| !by.is_null()),
        };
        if has_row {
            rows.push(group_row(key, measures, cells));
        }
    }
    if keys.is_empty() && kind == GroupKind::Aggregate && rows.is_empty() {
        rows.push(group_row(&[], measures, &Cells::empty(measures)?));
    }
    Ok(Table { places, rows })
}

fn group_row(key: &[Value], measures: &[Measure], cells: &Cells) -> Vec<Value> {
    let values = cells.by_measure(measures).map(|(measure, own)| measure.value(cells.rows, own));
    key.iter().cloned().chain(values).collect()
}

impl Interpreter<'_> {
    /// Makes all groups over a node in one pass over its rows.
    pub(super) fn materialise_groups(&mut self, input: NodeId) -> Result<(), Fault> {
        let program = self.program;
        let mut gathers = Vec::new();
        for (node, step) in program.nodes() {
            if let Step::Group { input: over, keys, measures, kind } = step
                && *over == input
                && !self.tables.contains_key(&node)
            {
                gathers.push((node, keys, measures, *kind, Gather::new(keys, measures, None)));
            }
        }
        self.rows_of(input, Side::New, &mut |row| {
            gathers.iter_mut().try_for_each(|(_, _, _, _, gather)| gather.add(row))
        })?;
        for (node, keys, measures, kind, gather) in gathers {
            let table = group_table(keys, measures, kind, &gather.finish()?)?;
            self.tables.insert(node, table);
        }
        Ok(())
    }
}
