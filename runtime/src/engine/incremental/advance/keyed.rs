//! Signed rows that changes make of a view. In: changes of its source and of its far sides. Out: what the view's rows
//! gain and lose. Far sides are read only at the keys that are needed.

use std::collections::{BTreeMap, BTreeSet};

use unisono_compiler::ids::DatasetId;

use super::super::interpret::{Interpreter, apply, pick, put};
use super::super::program::Step;
use super::super::sources::{Keep, Side};
use super::super::view::{JoinView, Near, View};
use super::super::{Fault, Value};
use super::changes::Images;

/// Keys of far rows.
type Keys = BTreeSet<Vec<Value>>;
/// Takes a signed row.
type SignedSink<'a> = &'a mut dyn FnMut(i64, &[Value]) -> Result<(), Fault>;

impl Interpreter<'_> {
    /// Changed rows of the view's source beside the new far sides, and its old rows beside what changed there.
    pub(super) fn contributions(
        &mut self,
        view: &View,
        changes: &BTreeMap<DatasetId, Images>,
        sink: SignedSink<'_>,
    ) -> Result<(), Fault> {
        let own = changes.get(&view.dataset).map(|images| images.in_columns(view)).transpose()?;
        let own = own.unwrap_or_default();
        let moved = self.rows_beside_changes(view, changes)?;
        let looked_up: Vec<&[Value]> =
            own.iter().map(|(_, row)| row.as_slice()).chain(moved.iter().map(Vec::as_slice)).collect();
        self.look_up(view, &looked_up, Side::New)?;
        let moved_rows: Vec<&[Value]> = moved.iter().map(Vec::as_slice).collect();
        self.look_up(view, &moved_rows, Side::Old)?;
        let signed = own.iter().map(|(sign, row)| (i64::from(*sign), row.as_slice(), Side::New));
        let before = moved_rows.iter().map(|row| (-1, *row, Side::Old));
        let after = moved_rows.iter().map(|row| (1, *row, Side::New));
        let mut wide = self.program.blank();
        for (sign, row, side) in signed.chain(before).chain(after) {
            put(&mut wide, &view.places, row.iter().cloned());
            apply(self.program, &self.fars, side, &view.ops, &mut wide, &mut |wide| sink(sign, wide))?;
        }
        Ok(())
    }

    /// Old rows of the view's source whose far rows may have changed, each once.
    fn rows_beside_changes(
        &mut self,
        view: &View,
        changes: &BTreeMap<DatasetId, Images>,
    ) -> Result<Vec<Vec<Value>>, Fault> {
        let far_keys = self.changed_far_keys(view, changes)?;
        let mut seen: Vec<(&[usize], &Keys)> = Vec::new();
        let mut found = Vec::new();
        for (join, keys) in view.joins.iter().zip(&far_keys) {
            let Near::Own(positions) = &join.near else { continue };
            if keys.is_empty() {
                continue;
            }
            let columns = view.columns_at(positions);
            let keep = Keep { columns: &columns, keys };
            self.sources.rows(view.dataset, &view.columns, Side::Old, Some(keep), &mut |row| {
                // A row that an earlier reading gave already.
                if !seen.iter().any(|(positions, keys)| keys.contains(&pick(&row, positions))) {
                    found.push(row);
                }
                Ok(())
            })?;
            seen.push((positions, keys));
        }
        Ok(found)
    }

    /// For each join of a view the keys whose far rows may have changed.
    fn changed_far_keys(
        &mut self,
        view: &View,
        changes: &BTreeMap<DatasetId, Images>,
    ) -> Result<Vec<Keys>, Fault> {
        let mut found = Vec::new();
        for join in &view.joins {
            found.push(self.changed_keys(&join.far, &join.key, changes)?);
        }
        // A far row that leads to a changed one of a later join.
        for (index, join) in view.joins.iter().enumerate().rev() {
            let Near::Far(nearer, positions) = &join.near else { continue };
            let keys = std::mem::take(&mut found[index]);
            let nearer_join = &view.joins[*nearer];
            let leading = self.keys_beside(&nearer_join.far, positions, &keys, &nearer_join.key)?;
            found[*nearer].extend(leading);
            found[index] = keys;
        }
        Ok(found)
    }

    /// The keys of a far view, by `key`, whose rows may have changed.
    fn changed_keys(
        &mut self,
        view: &View,
        key: &[usize],
        changes: &BTreeMap<DatasetId, Images>,
    ) -> Result<Keys, Fault> {
        let mut found = Keys::new();
        if let Some(images) = changes.get(&view.dataset) {
            for (_, row) in images.in_columns(view)? {
                add_key(&mut found, pick(&row, key));
            }
        }
        let far_keys = self.changed_far_keys(view, changes)?;
        for (join, keys) in view.joins.iter().zip(&far_keys) {
            if let Near::Own(positions) = &join.near {
                found.extend(self.keys_beside(view, positions, keys, key)?);
            }
        }
        Ok(found)
    }

    /// The keys, by `key`, of a source's old rows whose columns at `positions` are one of `keys`.
    fn keys_beside(
        &mut self,
        view: &View,
        positions: &[usize],
        keys: &Keys,
        key: &[usize],
    ) -> Result<Keys, Fault> {
        let mut found = Keys::new();
        if keys.is_empty() {
            return Ok(found);
        }
        let columns = view.columns_at(positions);
        let keep = Keep { columns: &columns, keys };
        self.sources.rows(view.dataset, &view.columns_at(key), Side::Old, Some(keep), &mut |row| {
            add_key(&mut found, row);
            Ok(())
        })?;
        Ok(found)
    }

    /// Reads the far rows that a view's rows need, level by level, one reading a far side.
    pub(super) fn look_up(&mut self, view: &View, rows: &[&[Value]], side: Side) -> Result<(), Fault> {
        if rows.is_empty() {
            return Ok(());
        }
        for join in &view.joins {
            let program = self.program;
            let Step::Join { near_keys, .. } = program.step(join.node) else { continue };
            let mut keys = Keys::new();
            let mut wide = program.blank();
            for row in rows {
                put(&mut wide, &view.places, row.iter().cloned());
                apply(program, &self.fars, side, &view.ops[..join.at], &mut wide, &mut |wide| {
                    add_key(&mut keys, pick(wide, near_keys));
                    Ok(())
                })?;
            }
            self.look_up_far(join, keys, side)?;
        }
        Ok(())
    }

    /// Reads the far rows of some keys.
    fn look_up_far(&mut self, join: &JoinView, keys: Keys, side: Side) -> Result<(), Fault> {
        let keys = self.fars.of(join.node, side).missing(keys);
        if keys.is_empty() {
            return Ok(());
        }
        let program = self.program;
        let Step::Join { far, far_keys, .. } = program.step(join.node) else { return Ok(()) };
        let rows = self.rows_at_keys(join, keys, side)?;
        let slices: Vec<&[Value]> = rows.iter().map(Vec::as_slice).collect();
        self.look_up(&join.far, &slices, side)?;
        let carried = program.carried(*far);
        let mut found = Vec::new();
        let mut wide = program.blank();
        for row in slices {
            put(&mut wide, &join.far.places, row.iter().cloned());
            apply(program, &self.fars, side, &join.far.ops, &mut wide, &mut |wide| {
                found.push((pick(wide, far_keys), pick(wide, carried)));
                Ok(())
            })?;
        }
        let table = self.fars.of(join.node, side);
        for (key, row) in found {
            table.add(key, row);
        }
        Ok(())
    }

    /// A far source's rows at some keys. Of one that is the same at both sides nothing is read twice.
    fn rows_at_keys(&mut self, join: &JoinView, keys: Keys, side: Side) -> Result<Vec<Vec<Value>>, Fault> {
        let is_same = !self.sources.moved(join.far.dataset)?;
        let mut rows: Vec<Vec<Value>> = Vec::new();
        let mut unread = keys;
        if is_same {
            let known = self.unmoved.entry(join.node).or_default();
            unread.retain(|key| match known.get(key) {
                Some(found) => {
                    rows.extend(found.iter().cloned());
                    false
                }
                None => true,
            });
            known.extend(unread.iter().map(|key| (key.clone(), Vec::new())));
        }
        if unread.is_empty() {
            return Ok(rows);
        }
        let columns = join.far.columns_at(&join.key);
        let keep = Keep { columns: &columns, keys: &unread };
        let mut read: Vec<Vec<Value>> = Vec::new();
        self.sources.rows(join.far.dataset, &join.far.columns, side, Some(keep), &mut |row| {
            read.push(row);
            Ok(())
        })?;
        if is_same {
            let known = self.unmoved.entry(join.node).or_default();
            for row in &read {
                known.entry(pick(row, &join.key)).or_default().push(row.clone());
            }
        }
        rows.append(&mut read);
        Ok(rows)
    }
}

/// Adds a key unless a part of it is NULL, which joins nothing.
fn add_key(keys: &mut Keys, key: Vec<Value>) {
    if key.iter().all(|value| !value.is_null()) {
        keys.insert(key);
    }
}
