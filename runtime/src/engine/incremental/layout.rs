//! The columns of a rollup, and how its plan is kept current. In: a plan. Out: dimensions, measures, and the hidden columns
//! in which the state of each aggregate lies beside its value.

mod shape;

use unisono_compiler::data_type::DataType;
use unisono_compiler::ids::{Id, SlotId};
use unisono_compiler::plan::Plan;
use unisono_compiler::resolve::Resolved;

use super::Fault;
use super::aggregate::Measure;
use super::program::{Program, Step};
pub(super) use shape::{GroupNode, Shape, shape};

/// The columns of a rollup: a row of it has the dimensions, then the measures, then the hidden columns.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Layout {
    /// The key of a row.
    pub dimensions: Vec<StoredColumn>,
    /// The values that are asked for.
    pub measures: Vec<StoredColumn>,
    /// State; none if the plan is maintained in full.
    pub hidden: Vec<StoredColumn>,
    /// How changes are followed.
    pub maintenance: Maintenance,
    /// Slots of the dimensions, then of the measures.
    pub(super) slots: Vec<SlotId>,
}

/// A column of a rollup. Hidden ones start with `__`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct StoredColumn {
    /// Unique in the rollup.
    pub name: String,
    /// Its type.
    pub data_type: DataType,
}

/// How a plan is kept current.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Maintenance {
    /// By the groups that changes touch.
    Incremental,
    /// By computing the whole answer and writing what differs.
    Full {
        /// What in the plan forbids more.
        why: String,
    },
}

/// The layout of a plan's rollup. Order and limit are not part of it: they belong to reading.
pub fn layout(resolved: &Resolved, plan: &Plan) -> Result<Layout, Fault> {
    let program = Program::of(plan)?;
    let (dimensions, why) = match shape::root_keys(&program, program.root) {
        Some(keys) => {
            // The dimensions of an answer come first; a measure that is a bare dimension may follow them.
            let is_key = |place: usize| keys.contains(&place);
            let leading = plan.output.iter().take_while(|output| is_key(output.slot.index())).count();
            ((0..leading).collect(), None)
        }
        None => (identity(resolved, plan, &program), Some("the pipeline lists rows and groups none")),
    };
    let measures: Vec<usize> = (0..plan.output.len()).filter(|index| !dimensions.contains(index)).collect();
    let order: Vec<usize> = dimensions.iter().chain(&measures).copied().collect();
    let slots: Vec<SlotId> = order.iter().map(|index| plan.output[*index].slot).collect();
    let columns = |indices: &[usize]| -> Vec<StoredColumn> {
        indices
            .iter()
            .map(|index| {
                let output = &plan.output[*index];
                StoredColumn { name: output.name.clone(), data_type: plan.slots[output.slot].data_type }
            })
            .collect()
    };
    let keys: Vec<usize> = slots.iter().take(dimensions.len()).map(|slot| slot.index()).collect();
    let followed = match why {
        Some(why) => Err(why),
        None => shape(&program, &keys),
    };
    let (hidden, maintenance) = match followed {
        Ok(shape) => (hidden(plan, &program, &shape), Maintenance::Incremental),
        Err(why) => (Vec::new(), Maintenance::Full { why: why.to_string() }),
    };
    Ok(Layout { dimensions: columns(&dimensions), measures: columns(&measures), hidden, maintenance, slots })
}

/// Outputs that tell listed rows apart: the key of the rows' dataset, if all of it is asked for.
fn identity(resolved: &Resolved, plan: &Plan, program: &Program) -> Vec<usize> {
    let mut base = program.root;
    let (dataset, columns, places) = loop {
        match program.step(base) {
            Step::Scan { dataset, columns, places } => break (*dataset, columns, places),
            Step::Compute { input, .. }
            | Step::Filter { input, .. }
            | Step::Join { input, .. }
            | Step::Group { input, .. }
            | Step::Attach { input, .. }
            | Step::Unsupported { input, .. } => base = *input,
            Step::Stitch { .. } => return Vec::new(),
        }
    };
    let output_of = |place: usize| plan.output.iter().position(|output| output.slot.index() == place);
    resolved
        .identity(dataset)
        .unwrap_or_default()
        .iter()
        .map(|key| {
            let position = columns.iter().position(|column| column == key)?;
            output_of(*places.get(position)?)
        })
        .collect::<Option<Vec<usize>>>()
        .unwrap_or_default()
}

/// `__rows` of each group node, then the cells of its measures.
fn hidden(plan: &Plan, program: &Program, shape: &Shape) -> Vec<StoredColumn> {
    let mut columns = Vec::new();
    let mut number = 0;
    for (index, group) in shape.groups.iter().enumerate() {
        let suffix = if shape.groups.len() > 1 { format!("_{}", index + 1) } else { String::new() };
        columns.push(StoredColumn { name: format!("__rows{suffix}"), data_type: DataType::Int64 });
        for measure in group.measures(program) {
            number += 1;
            columns.extend(cells(plan, group, measure, number));
        }
    }
    columns
}

fn cells(plan: &Plan, group: &GroupNode, measure: &Measure, number: usize) -> Vec<StoredColumn> {
    let column = |what: &str, data_type| StoredColumn { name: format!("__{what}_{number}"), data_type };
    let own =
        plan.slots.get(SlotId::from_index(measure.place)).map_or(DataType::Unknown, |slot| slot.data_type);
    match measure.cells() {
        0 => Vec::new(),
        2 if measure.is_exact_sum() => {
            vec![column("sum", measure.sum_data_type()), column("n", DataType::Int64)]
        }
        2 => {
            let by = plan.nodes.get(group.node).and_then(|node| match node {
                unisono_compiler::plan::Node::Pick { by, .. } => plan.slots.get(*by),
                _ => None,
            });
            vec![column("v", own), column("by", by.map_or(DataType::Unknown, |slot| slot.data_type))]
        }
        _ if measure.is_linear() => vec![column("n", DataType::Int64)],
        _ => vec![column("v", own)],
    }
}

#[cfg(test)]
mod tests;
