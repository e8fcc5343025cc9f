//! The general interpreter: any node's rows, in full, from the sources. In: a program and its sources. Out: rows, one after
//! another. What lies below a chain of row-by-row steps is streamed; only far sides and groups are held in memory.

mod far;
mod groups;
mod join;

use std::collections::{BTreeMap, HashMap};

use unisono_compiler::ids::{Id, NodeId};
use unisono_compiler::plan::Plan;

use super::aggregate::{Direction, compare_by};
use super::program::{Program, Step};
use super::sources::{Side, Sources};
use super::{Fault, Value};
pub(super) use far::{Fars, apply};
pub(super) use groups::{Cells, Gather, group_table};

/// Takes one row, as wide as the plan has slots.
pub(super) type Sink<'a> = &'a mut dyn FnMut(&mut [Value]) -> Result<(), Fault>;

/// Rows held in memory: their values at some places.
#[derive(Clone, PartialEq, Debug)]
pub(super) struct Table {
    pub(super) places: Vec<usize>,
    pub(super) rows: Vec<Vec<Value>>,
}

/// A program at work.
pub(super) struct Interpreter<'a> {
    pub(super) program: &'a Program,
    pub(super) sources: &'a mut dyn Sources,
    pub(super) fars: Fars,
    /// What was read by key of far sources that are the same at both sides, by join.
    pub(super) unmoved: BTreeMap<NodeId, HashMap<Vec<Value>, Vec<Vec<Value>>>>,
    /// Nodes whose rows are known, at `Side::New`.
    pub(super) tables: BTreeMap<NodeId, Table>,
}

/// Steps that work row by row over a node whose rows do not: a scan, groups, or joined branches.
#[derive(Clone, PartialEq, Debug)]
pub(super) struct Chain {
    pub(super) base: NodeId,
    /// From the base upward.
    pub(super) ops: Vec<NodeId>,
}

/// The rows of a whole plan at `Side::New`, ordered and cut as it says: the values of its output.
pub fn answer(plan: &Plan, sources: &mut dyn Sources) -> Result<Vec<Vec<Value>>, Fault> {
    let program = Program::of(plan)?;
    let mut interpreter = Interpreter::new(&program, sources);
    let outputs: Vec<usize> = plan.output.iter().map(|output| output.slot.index()).collect();
    let keys: Vec<usize> = plan.order_by.iter().map(|key| key.slot.index()).collect();
    let directions: Vec<Direction> = plan
        .order_by
        .iter()
        .map(|key| Direction { descending: key.descending, nulls_first: key.nulls_first })
        .collect();
    let mut rows: Vec<(Vec<Value>, Vec<Value>)> = Vec::new();
    interpreter.rows_of(plan.root, Side::New, &mut |row| {
        rows.push((pick(row, &keys), pick(row, &outputs)));
        Ok(())
    })?;
    rows.sort_by(|left, right| compare_by(&left.0, &right.0, &directions));
    let most = plan.limit.and_then(|limit| usize::try_from(limit).ok()).unwrap_or(usize::MAX);
    Ok(rows.into_iter().take(most).map(|(_, row)| row).collect())
}

impl<'a> Interpreter<'a> {
    /// Nothing read yet.
    pub(super) fn new(program: &'a Program, sources: &'a mut dyn Sources) -> Self {
        Interpreter {
            program,
            sources,
            fars: Fars::default(),
            unmoved: BTreeMap::new(),
            tables: BTreeMap::new(),
        }
    }

    /// Gives a node's rows.
    pub(super) fn rows_of(&mut self, node: NodeId, side: Side, sink: Sink<'_>) -> Result<(), Fault> {
        let chain = self.chain(node);
        for op in &chain.ops {
            self.load_far(*op, side)?;
        }
        let program = self.program;
        if !self.tables.contains_key(&chain.base)
            && let Step::Scan { dataset, columns, places } = program.step(chain.base)
        {
            let fars = &self.fars;
            let mut wide = program.blank();
            return self.sources.rows(*dataset, columns, side, None, &mut |row| {
                put(&mut wide, places, row);
                apply(program, fars, side, &chain.ops, &mut wide, sink)
            });
        }
        self.materialise(chain.base)?;
        let mut wide = program.blank();
        if let Some(table) = self.tables.get(&chain.base) {
            for row in &table.rows {
                put(&mut wide, &table.places, row.iter().cloned());
                apply(program, &self.fars, side, &chain.ops, &mut wide, sink)?;
            }
        }
        Ok(())
    }

    /// A node's rows as a table of what it carries.
    pub(super) fn collect(&mut self, node: NodeId, side: Side) -> Result<Table, Fault> {
        let places = self.program.carried(node).to_vec();
        let mut rows = Vec::new();
        self.rows_of(node, side, &mut |row| {
            rows.push(pick(row, &places));
            Ok(())
        })?;
        Ok(Table { places, rows })
    }

    /// The row-by-row steps above the next node whose rows are known or have to be made as a whole.
    pub(super) fn chain(&self, node: NodeId) -> Chain {
        let mut base = node;
        let mut ops = Vec::new();
        while !self.tables.contains_key(&base)
            && let Step::Compute { input, .. } | Step::Filter { input, .. } | Step::Join { input, .. } =
                self.program.step(base)
        {
            ops.push(base);
            base = *input;
        }
        ops.reverse();
        Chain { base, ops }
    }

    /// Makes the rows of a node as a whole.
    fn materialise(&mut self, node: NodeId) -> Result<(), Fault> {
        if self.tables.contains_key(&node) {
            return Ok(());
        }
        let program = self.program;
        let table = match program.step(node) {
            Step::Group { input, .. } => return self.materialise_groups(*input),
            Step::Stitch { branches, keys } => self.stitch(branches, keys, program.carried(node))?,
            Step::Attach { input, branch, near_keys, far_keys } => {
                self.attach((*input, *branch), (near_keys, far_keys), program.carried(node))?
            }
            Step::Unsupported { input: _, what } => return Err(Fault::Unsupported((*what).to_string())),
            Step::Scan { .. } | Step::Compute { .. } | Step::Filter { .. } | Step::Join { .. } => {
                self.collect(node, Side::New)?
            }
        };
        self.tables.insert(node, table);
        Ok(())
    }
}

/// Writes values to places of a row.
pub(super) fn put(wide: &mut [Value], places: &[usize], values: impl IntoIterator<Item = Value>) {
    for (place, value) in places.iter().zip(values) {
        wide[*place] = value;
    }
}

/// Reads values from places of a row.
pub(super) fn pick(wide: &[Value], places: &[usize]) -> Vec<Value> {
    places.iter().map(|place| wide[*place].clone()).collect()
}
