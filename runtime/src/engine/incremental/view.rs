//! What can be followed change by change: one source's rows, taken through row-by-row steps and LEFT joins to far views of
//! the same kind, joined on plain columns. In: a node. Out: its view, or why it has none.

use unisono_compiler::ids::{ColumnId, DatasetId, NodeId};

use super::program::{Program, Step};

/// A source's rows and the steps above them.
#[derive(Clone, PartialEq, Debug)]
pub(super) struct View {
    pub(super) dataset: DatasetId,
    /// The columns scanned, and their places in a row.
    pub(super) columns: Vec<ColumnId>,
    pub(super) places: Vec<usize>,
    /// From the scan upward.
    pub(super) ops: Vec<NodeId>,
    /// Those of the steps that are joins.
    pub(super) joins: Vec<JoinView>,
}

/// A join of a view.
#[derive(Clone, PartialEq, Debug)]
pub(super) struct JoinView {
    pub(super) node: NodeId,
    /// Its position among the steps.
    pub(super) at: usize,
    pub(super) near: Near,
    pub(super) far: View,
    /// The far columns that are joined on, as positions in `far.columns`.
    pub(super) key: Vec<usize>,
}

/// Where the near columns of a join come from.
#[derive(Clone, PartialEq, Debug)]
pub(super) enum Near {
    /// The view's own source: positions in its columns.
    Own(Vec<usize>),
    /// The source of an earlier join's far view: which join, and positions in that view's columns.
    Far(usize, Vec<usize>),
}

impl View {
    /// The columns at positions.
    pub(super) fn columns_at(&self, positions: &[usize]) -> Vec<ColumnId> {
        positions.iter().filter_map(|position| self.columns.get(*position).copied()).collect()
    }

    /// The positions of places that are all scanned columns.
    pub(super) fn positions(&self, places: &[usize]) -> Option<Vec<usize>> {
        places.iter().map(|place| self.places.iter().position(|own| own == place)).collect()
    }
}

/// The view of a node.
pub(super) fn view(program: &Program, node: NodeId) -> Result<View, &'static str> {
    let mut ops = Vec::new();
    let mut base = node;
    let (dataset, columns, places) = loop {
        match program.step(base) {
            Step::Scan { dataset, columns, places } => break (*dataset, columns.clone(), places.clone()),
            Step::Join { fans: true, .. } => return Err("a far side has many rows for one home row"),
            Step::Compute { input, .. } | Step::Filter { input, .. } | Step::Join { input, .. } => {
                ops.push(base);
                base = *input;
            }
            Step::Group { .. } | Step::Stitch { .. } | Step::Attach { .. } => {
                return Err("rows are made distinct or grouped before they are grouped");
            }
            Step::Unsupported { .. } => return Err("rows are computed by window functions"),
        }
    };
    ops.reverse();
    let mut found = View { dataset, columns, places, ops: Vec::new(), joins: Vec::new() };
    for (at, op) in ops.iter().enumerate() {
        let Step::Join { far, near_keys, far_keys, .. } = program.step(*op) else { continue };
        let far = view(program, *far)?;
        let near = near(&found, near_keys).ok_or("a join is on computed values")?;
        let key = far.positions(far_keys).ok_or("a join is on computed values")?;
        found.joins.push(JoinView { node: *op, at, near, far, key });
    }
    found.ops = ops;
    Ok(found)
}

fn near(view: &View, keys: &[usize]) -> Option<Near> {
    let of_join =
        |(index, join): (usize, &JoinView)| join.far.positions(keys).map(|found| Near::Far(index, found));
    view.positions(keys).map(Near::Own).or_else(|| view.joins.iter().enumerate().find_map(of_join))
}
