//! Groups read again from their rows. In: their keys. Out: their cells. Where dimensions are plain columns of the home only
//! the groups' rows are asked for; else all home rows stream by.

use std::collections::{BTreeMap, BTreeSet};

use unisono_compiler::ids::NodeId;

use super::super::Fault;
use super::super::interpret::{Cells, Interpreter, apply, put};
use super::super::layout::Shape;
use super::super::sources::{Keep, Key, Side};
use super::super::view::View;
use super::Advance;

impl Advance<'_> {
    /// Makes the groups of `again` from all their rows at `Side::New`; a group without rows stays out.
    pub(super) fn regroup(
        &self,
        shape: &Shape,
        again: &[BTreeSet<Key>],
        interpreter: &mut Interpreter<'_>,
        groups: &mut [BTreeMap<Key, Cells>],
    ) -> Result<(), Fault> {
        for (input, view) in &shape.views {
            let mut gathers = self.gathers(shape, *input, Some(again));
            gathers.retain(|(index, _)| !again[*index].is_empty());
            if gathers.is_empty() {
                continue;
            }
            let keys = wanted(shape, again, *input);
            let mut take = |row: &mut [super::super::Value]| {
                gathers.iter_mut().try_for_each(|(_, gather)| gather.add(row))
            };
            match pushed_down(view, shape, *input, &keys) {
                None => interpreter.rows_of(*input, Side::New, &mut take)?,
                Some((positions, keys)) => {
                    let columns = view.columns_at(&positions);
                    let keep = Keep { columns: &columns, keys: &keys };
                    let mut rows = Vec::new();
                    interpreter.sources.rows(
                        view.dataset,
                        &view.columns,
                        Side::New,
                        Some(keep),
                        &mut |row| {
                            rows.push(row);
                            Ok(())
                        },
                    )?;
                    let slices: Vec<&[super::super::Value]> = rows.iter().map(Vec::as_slice).collect();
                    interpreter.look_up(view, &slices, Side::New)?;
                    let mut wide = self.program.blank();
                    for row in rows {
                        put(&mut wide, &view.places, row);
                        let fars = &interpreter.fars;
                        apply(self.program, fars, Side::New, &view.ops, &mut wide, &mut take)?;
                    }
                }
            }
            for (index, gather) in gathers {
                groups[index].extend(gather.finish()?);
            }
        }
        Ok(())
    }
}

/// The keys wanted of any group node over some rows.
fn wanted(shape: &Shape, again: &[BTreeSet<Key>], input: NodeId) -> BTreeSet<Key> {
    let over = shape.groups.iter().zip(again).filter(|(group, _)| group.input == input);
    over.flat_map(|(_, keys)| keys.iter().cloned()).collect()
}

/// The dimensions that are columns of the view's source, as positions in its columns, and the keys' values there.
/// All group nodes over the same rows have the same dimensions in the same places.
fn pushed_down(
    view: &View,
    shape: &Shape,
    input: NodeId,
    wanted: &BTreeSet<Key>,
) -> Option<(Vec<usize>, BTreeSet<Key>)> {
    let places = &shape.groups.iter().find(|group| group.input == input)?.keys;
    let (dimensions, positions): (Vec<usize>, Vec<usize>) = places
        .iter()
        .enumerate()
        .filter_map(|(dimension, place)| Some((dimension, view.places.iter().position(|own| own == place)?)))
        .unzip();
    if positions.is_empty() {
        return None;
    }
    let narrow = |key: &Key| dimensions.iter().filter_map(|dimension| key.get(*dimension).cloned()).collect();
    Some((positions, wanted.iter().map(narrow).collect()))
}
