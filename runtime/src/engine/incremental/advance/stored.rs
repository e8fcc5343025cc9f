//! Groups as they lie in hidden columns. In: a row of the rollup. Out: its cells, by group node.

use super::super::aggregate::Measure;
use super::super::interpret::Cells;
use super::super::layout::Shape;
use super::super::{Fault, Value};
use super::Advance;

impl Advance<'_> {
    /// The cells of each group node in a stored row.
    pub(super) fn stored(&self, shape: &Shape, row: &[Value]) -> Result<Vec<Cells>, Fault> {
        let visible = self.layout.dimensions.len() + self.layout.measures.len();
        let mut hidden = row.get(visible..).unwrap_or_default();
        if hidden.len() != self.layout.hidden.len() {
            return Err(broken("a row has not the columns of this plan"));
        }
        shape
            .groups
            .iter()
            .map(|group| {
                let width = group.measures(self.program).iter().map(Measure::cells).sum::<usize>();
                let (own, rest) = hidden
                    .split_at_checked(width + 1)
                    .ok_or_else(|| broken("a row has not the columns of this plan"))?;
                hidden = rest;
                match own {
                    [Value::Integer(rows), cells @ ..] => Ok(Cells { rows: *rows, cells: cells.to_vec() }),
                    _ => Err(broken("the number of a group's rows is missing")),
                }
            })
            .collect()
    }
}

/// The state is not what its sources make: it has to be built anew.
pub(super) fn broken(what: &str) -> Fault {
    Fault::Source(format!("the rollup's state does not belong to its sources: {what}; build it anew"))
}
