//! Branches joined: stitched side by side, or attached to rows; NULL equals NULL there. In: branches with one row a key.
//! Out: their rows joined. A branch with several rows a key, which no plan has, would double rows as joins do.

use std::collections::BTreeMap;

use unisono_compiler::ids::NodeId;

use super::super::sources::Side;
use super::super::{Fault, Value};
use super::{Interpreter, Table, pick, put};

impl Interpreter<'_> {
    /// FULL OUTER join on the merged keys; without keys a cross join.
    pub(super) fn stitch(
        &mut self,
        branches: &[NodeId],
        keys: &[(usize, Vec<usize>)],
        carried: &[usize],
    ) -> Result<Table, Fault> {
        let merged: Vec<usize> = keys.iter().map(|(place, _)| *place).collect();
        let mut joined: BTreeMap<Vec<Value>, Vec<Vec<Value>>> = BTreeMap::new();
        for (index, branch) in branches.iter().enumerate() {
            let own: Vec<usize> = keys.iter().filter_map(|(_, places)| places.get(index).copied()).collect();
            let table = self.collect(*branch, Side::New)?;
            let mut by_key: BTreeMap<Vec<Value>, Vec<Vec<Value>>> = BTreeMap::new();
            let mut wide = self.program.blank();
            for row in table.rows {
                put(&mut wide, &table.places, row.iter().cloned());
                by_key.entry(pick(&wide, &own)).or_default().push(row);
            }
            if keys.is_empty() && by_key.is_empty() {
                // A cross join with nothing is nothing.
                joined.clear();
                break;
            }
            if index == 0 && keys.is_empty() {
                joined.insert(Vec::new(), vec![self.program.blank()]);
            }
            for (key, rows) in by_key {
                let before = joined.remove(&key).unwrap_or_else(|| {
                    let mut blank = self.program.blank();
                    put(&mut blank, &merged, key.iter().cloned());
                    vec![blank]
                });
                let mut after = Vec::with_capacity(before.len() * rows.len());
                for left in &before {
                    for right in &rows {
                        let mut both = left.clone();
                        put(&mut both, &table.places, right.iter().cloned());
                        after.push(both);
                    }
                }
                joined.insert(key, after);
            }
        }
        let rows = joined.into_values().flatten().map(|row| pick(&row, carried)).collect();
        Ok(Table { places: carried.to_vec(), rows })
    }

    /// LEFT join of a branch to rows.
    pub(super) fn attach(
        &mut self,
        (input, branch): (NodeId, NodeId),
        (near_keys, far_keys): (&[usize], &[usize]),
        carried: &[usize],
    ) -> Result<Table, Fault> {
        let near = self.collect(input, Side::New)?;
        let far = self.collect(branch, Side::New)?;
        let mut by_key: BTreeMap<Vec<Value>, Vec<Vec<Value>>> = BTreeMap::new();
        let mut wide = self.program.blank();
        for row in far.rows {
            put(&mut wide, &far.places, row.iter().cloned());
            by_key.entry(pick(&wide, far_keys)).or_default().push(row);
        }
        let mut rows = Vec::with_capacity(near.rows.len());
        for row in near.rows {
            let mut wide = self.program.blank();
            put(&mut wide, &near.places, row);
            match by_key.get(&pick(&wide, near_keys)) {
                None => rows.push(pick(&wide, carried)),
                Some(found) => {
                    for far_row in found {
                        put(&mut wide, &far.places, far_row.iter().cloned());
                        rows.push(pick(&wide, carried));
                    }
                }
            }
        }
        Ok(Table { places: carried.to_vec(), rows })
    }
}
