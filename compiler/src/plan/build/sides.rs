//! Home rows beside far sides: joined to every far row, filtered, then brought back to one row a home row and group.
//! In: a branch with its sides. Out: rows on which each home row counts once a group, whatever was joined.
//!
//! The far rows of one side are filtered together with the home row they belong to, so that a predicate and a dimension
//! there speak of the same far row, and a home row without far rows is judged on NULLs (docs/semantics.md, readings).

use std::collections::BTreeMap;

use crate::data_type::{DataType, Exactness};
use crate::expr::{Aggregate, Expr};
use crate::function::Scalar;
use crate::ids::{ColumnId, DatasetId, FieldId, NodeId, SlotId};
use crate::plan::build::groups::Pick;
use crate::plan::build::rows::{Ends, slot_in};
use crate::plan::build::{Builder, Rows};
use crate::plan::{Node, SlotExpr};
use crate::query::{Branch, Link, Side};
use crate::resolve::graph::{Reach, Step};

/// Home rows with all fields of a branch.
pub(super) struct HomeRows {
    pub(super) node: NodeId,
    pub(super) fields: BTreeMap<FieldId, SlotId>,
    /// The key of the home if far sides were joined: what tells home rows apart that stand there several times.
    pub(super) identity: Vec<SlotId>,
}

/// A far side's rows and the pairs of columns (home, slot of the far side) that join them.
struct FarRows {
    rows: Rows,
    on: Vec<(ColumnId, SlotId)>,
}

impl Builder<'_> {
    /// The rows of a branch's home, joined to its far sides.
    pub(super) fn home_rows(&mut self, branch: &Branch, wanted: &[FieldId]) -> HomeRows {
        let lies_on = |side: &Side, field: &FieldId| {
            side.datasets.contains(&self.resolved.model.fields[*field].dataset)
        };
        let (far, near): (Vec<FieldId>, Vec<FieldId>) =
            wanted.iter().partition(|field| branch.sides.iter().any(|side| lies_on(side, field)));
        let on_sides: Vec<Vec<FieldId>> = branch
            .sides
            .iter()
            .map(|side| far.iter().copied().filter(|field| lies_on(side, field)).collect())
            .collect();
        let sides: Vec<FarRows> = branch
            .sides
            .iter()
            .zip(&on_sides)
            .map(|(side, fields)| self.far_rows(branch.home, side, fields))
            .collect();
        let key: Vec<ColumnId> =
            if branch.sides.is_empty() { Vec::new() } else { self.home_key(branch.home).to_vec() };
        let joined = sides.iter().flat_map(|side| side.on.iter().map(|(home, _)| *home));
        let ends: Ends = vec![(Vec::new(), key.iter().copied().chain(joined).collect())];
        let home = self.rows(branch.home, &near, &ends);
        let columns = home.columns(&[]);
        let mut node = home.node;
        let mut fields = home.fields;
        for (side, asked) in sides.into_iter().zip(&on_sides) {
            let on = side.on.iter().map(|(near, far)| (slot_in(&columns, *near), *far)).collect();
            node = self.nodes.push(Node::Fan { input: node, far: side.rows.node, on });
            // A far row may carry a copy of the home's own fields, NULL where there is no far row: those of the home are meant.
            fields.extend(side.rows.fields.into_iter().filter(|(field, _)| asked.contains(field)));
        }
        let identity = key.iter().map(|column| slot_in(&columns, *column)).collect();
        HomeRows { node, fields, identity }
    }

    /// The columns that tell home rows apart. Bind refused sides of a home without a key.
    fn home_key(&self, home: DatasetId) -> &[ColumnId] {
        self.resolved.identity(home).unwrap_or(&[])
    }

    fn far_rows(&mut self, home: DatasetId, side: &Side, fields: &[FieldId]) -> FarRows {
        match side.link {
            Link::Edge(edge) => {
                let relationship = self.resolved.relationships[edge].clone();
                let forwards = relationship.from == home;
                let far = if forwards { relationship.to } else { relationship.from };
                let pairs: Vec<(ColumnId, ColumnId)> = relationship
                    .on
                    .iter()
                    .map(|(from, to)| if forwards { (*from, *to) } else { (*to, *from) })
                    .collect();
                let ends = vec![(Vec::new(), pairs.iter().map(|(_, far)| *far).collect())];
                let rows = self.rows(far, fields, &ends);
                let columns = rows.columns(&[]);
                let on = pairs.into_iter().map(|(near, far)| (near, slot_in(&columns, far))).collect();
                FarRows { rows, on }
            }
            Link::Through(entry) => self.rows_through(home, side, entry, fields),
        }
    }

    /// The rows of the finer dataset or bridge with what the side needs, joined to the home by its way there.
    fn rows_through(
        &mut self,
        home: DatasetId,
        side: &Side,
        entry: DatasetId,
        fields: &[FieldId],
    ) -> FarRows {
        let path = self.path(entry, home);
        let Some((last, before)) = path.split_last() else {
            // Never: an entry is another dataset than the home and reaches it.
            return FarRows { rows: self.rows(entry, fields, &Vec::new()), on: Vec::new() };
        };
        let pairs = self.step_columns(last);
        let ends = vec![(before.to_vec(), pairs.iter().map(|(near, _)| *near).collect())];
        let mut rows = self.rows(entry, fields, &ends);
        let columns = rows.columns(before);
        let on = pairs.iter().map(|(near, home)| (*home, slot_in(&columns, *near))).collect();
        if let Some(exists) = self.far_row_exists(side, entry, &rows) {
            rows.node = self.nodes.push(Node::Filter { input: rows.node, predicates: vec![exists] });
        }
        FarRows { rows, on }
    }

    /// A bridge entry counts only if it leads to a far row; `None` where the entry is itself one.
    fn far_row_exists(&self, side: &Side, entry: DatasetId, rows: &Rows) -> Option<SlotExpr> {
        if side.datasets.contains(&entry) {
            return None;
        }
        side.datasets
            .iter()
            .filter_map(|dataset| {
                let path = self.path(entry, *dataset);
                let (_, far_column) = self.step_columns(path.last()?).first().copied()?;
                let slot = slot_in(&rows.columns(&path), far_column);
                Some(boolean(Scalar::IsNotNull, vec![self.reference(slot)]))
            })
            .reduce(|left, right| boolean(Scalar::Or, vec![left, right]))
    }

    fn path(&self, from: DatasetId, to: DatasetId) -> Vec<Step> {
        match self.resolved.graph.reach(from, to) {
            Reach::Path(path) => path,
            // Never: bind made the side from exactly such paths.
            Reach::Ambiguous(..)
            | Reach::Many(_)
            | Reach::ManyWays(..)
            | Reach::Edge(_)
            | Reach::NoSafeWay
            | Reach::Unconnected => Vec::new(),
        }
    }

    /// Distinct home rows and groups, where home rows were repeated by far rows.
    pub(super) fn once_a_group(
        &mut self,
        rows: NodeId,
        identity: &[SlotId],
        keys: &[SlotId],
        plain: &[(SlotId, Aggregate<SlotId>)],
        picks: &[Pick],
    ) -> NodeId {
        if identity.is_empty() {
            return rows;
        }
        let arguments =
            plain.iter().flat_map(|(_, aggregate)| aggregate.parts()).flat_map(Expr::references).copied();
        let picked = picks.iter().flat_map(|pick| [pick.value, pick.by]);
        let mut distinct: Vec<SlotId> =
            identity.iter().chain(keys).copied().chain(arguments).chain(picked).collect();
        distinct.sort_unstable();
        distinct.dedup();
        self.nodes.push(Node::Distinct { input: rows, keys: distinct })
    }
}

fn boolean(function: Scalar, arguments: Vec<SlotExpr>) -> SlotExpr {
    Expr::call(function, arguments, DataType::Boolean, Exactness::Exact)
}
