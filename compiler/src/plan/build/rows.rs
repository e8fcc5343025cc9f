//! The rows of a dataset with the fields that are wanted: scanned, joined outward to what they need, computed.
//! In: a dataset and fields of it or of datasets that it reaches. Out: a node and the slot of each field.
//!
//! A far field is computed on the far dataset's own rows and then joined, so that it is NULL where the row is missing,
//! whatever its expression (docs/semantics.md, readings).

use std::collections::{BTreeMap, BTreeSet};

use crate::expr::{Expr, ExprKind};
use crate::ids::{ColumnId, DatasetId, FieldId, NodeId, SlotId};
use crate::plan::build::{Builder, MOST_DEPTH, MOST_NODES, Rows};
use crate::plan::{Node, SlotExpr};
use crate::query::now_literal;
use crate::resolve::graph::{Reach, Step};
use crate::resolve::{ModelExpr, Reference};

/// Steps in which the fields of one dataset may be computed, each over the one before: an engine plans a step inside the other.
const MOST_LAYERS: usize = 500;

/// An expression of more nodes than this is computed once and referred to, not repeated where it is used.
const MOST_INLINED: usize = 48;

/// Columns wanted at the end of a path, for joining on.
pub(super) type Ends = Vec<(Vec<Step>, Vec<ColumnId>)>;

/// One dataset of the join tree.
struct Stop {
    path: Vec<Step>,
    dataset: DatasetId,
    fields: Vec<FieldId>,
}

impl Builder<'_> {
    /// The rows of `dataset` with `wanted` fields, and with the columns that the caller joins on at the ends of paths
    /// (the empty path is the dataset itself).
    pub(super) fn rows(&mut self, dataset: DatasetId, wanted: &[FieldId], ends: &Ends) -> Rows {
        self.is_full |= self.depth >= MOST_DEPTH || self.nodes.len() > MOST_NODES;
        if self.is_full {
            let node = self.nodes.push(Node::Scan { dataset, columns: Vec::new() });
            return Rows { node, fields: BTreeMap::new(), at_stop: BTreeMap::new() };
        }
        self.depth += 1;
        let rows = self.rows_within(dataset, wanted, ends);
        self.depth -= 1;
        rows
    }

    fn rows_within(&mut self, dataset: DatasetId, wanted: &[FieldId], ends: &Ends) -> Rows {
        let (own, far) = self.needed_fields(dataset, wanted);
        let stops = self.stops(dataset, &far, ends);
        let mut needed = self.near_columns(&stops, &[], ends);
        for field in &own {
            needed.extend(self.columns_of(*field));
        }
        let (mut node, scanned) = self.scan(dataset, needed);

        let mut fields = BTreeMap::new();
        // The columns of every stop that later stops join on; the empty path is this dataset.
        let mut at_stop: BTreeMap<Vec<Step>, BTreeMap<ColumnId, SlotId>> = BTreeMap::new();
        at_stop.insert(Vec::new(), scanned.clone());
        for stop in &stops {
            let Some((step, near_path)) = stop.path.split_last() else { continue };
            let mut far_columns = self.near_columns(&stops, &stop.path, ends);
            far_columns.extend(self.step_columns(step).into_iter().map(|(_, far)| far));
            let far_rows = self.rows(stop.dataset, &stop.fields, &vec![(Vec::new(), far_columns)]);
            let far_slots = far_rows.columns(&[]);
            let near_slots = at_stop.get(near_path).cloned().unwrap_or_default();
            let on = self
                .step_columns(step)
                .into_iter()
                .map(|(near, far)| (slot_in(&near_slots, near), slot_in(&far_slots, far)))
                .collect();
            node = self.nodes.push(Node::Enrich {
                input: node,
                far: far_rows.node,
                relationship: step.relationship,
                on,
            });
            // A far field may need fields of datasets that the home reaches in its own way, or of the home itself: those stay there.
            fields.extend(far_rows.fields.into_iter().filter(|(field, _)| stop.fields.contains(field)));
            at_stop.insert(stop.path.clone(), far_slots);
        }
        let node = self.compute_fields(node, &own, &scanned, &mut fields);
        Rows { node, fields, at_stop }
    }

    /// Own fields that are wanted or needed by wanted ones, needed ones first, and far fields.
    fn needed_fields(&self, dataset: DatasetId, wanted: &[FieldId]) -> (Vec<FieldId>, Vec<FieldId>) {
        let mut own = Vec::new();
        let mut far = Vec::new();
        let mut seen: BTreeSet<FieldId> = BTreeSet::new();
        let mut open: Vec<(FieldId, bool)> = wanted.iter().rev().map(|field| (*field, false)).collect();
        while let Some((field, ready)) = open.pop() {
            if self.resolved.model.fields[field].dataset != dataset {
                if seen.insert(field) {
                    far.push(field);
                }
                continue;
            }
            if ready {
                if seen.insert(field) {
                    own.push(field);
                }
                continue;
            }
            if seen.contains(&field) {
                continue;
            }
            open.push((field, true));
            if let Some(expr) = self.field_expr(field) {
                for reference in expr.references() {
                    if let Reference::Field(other) = reference {
                        open.push((*other, false));
                    }
                }
            }
        }
        (own, far)
    }

    fn field_expr(&self, field: FieldId) -> Option<&ModelExpr> {
        // A bound request refers only to fields that resolved.
        self.resolved.fields[field].as_ref().ok()
    }

    fn columns_of(&self, field: FieldId) -> Vec<ColumnId> {
        let references = self.field_expr(field).map(Expr::references).unwrap_or_default();
        references
            .into_iter()
            .filter_map(|reference| match reference {
                Reference::Column(column) => Some(*column),
                Reference::Field(_) | Reference::Metric(_) | Reference::Now => None,
            })
            .collect()
    }

    /// Every dataset on the way to a far field, nearer ones first.
    fn stops(&self, home: DatasetId, far: &[FieldId], ends: &Ends) -> Vec<Stop> {
        let mut stops: BTreeMap<Vec<Step>, Stop> = BTreeMap::new();
        for field in far {
            let target = self.resolved.model.fields[*field].dataset;
            // Bind refused every request in which a field is not reached by exactly one path.
            let Reach::Path(path) = self.resolved.graph.reach(home, target) else {
                continue;
            };
            add_stops(&mut stops, &path);
            if let Some(stop) = stops.get_mut(&path) {
                stop.fields.push(*field);
            }
        }
        for (path, _) in ends {
            add_stops(&mut stops, path);
        }
        // A path sorts right after its own beginning.
        stops.into_values().collect()
    }

    /// Pairs of columns (near, far) that a step joins on.
    pub(super) fn step_columns(&self, step: &Step) -> Vec<(ColumnId, ColumnId)> {
        let relationship = &self.resolved.relationships[step.relationship];
        relationship
            .on
            .iter()
            .map(|(from, to)| if step.reversed { (*to, *from) } else { (*from, *to) })
            .collect()
    }

    /// The columns at the end of `path` that the next stops, or the caller, join on.
    fn near_columns(&self, stops: &[Stop], path: &[Step], ends: &Ends) -> Vec<ColumnId> {
        let next = stops
            .iter()
            .filter(|stop| stop.path.len() == path.len() + 1 && stop.path.starts_with(path))
            .flat_map(|stop| self.step_columns(&stop.path[path.len()]))
            .map(|(near, _)| near);
        let wanted =
            ends.iter().filter(|(end, _)| end == path).flat_map(|(_, columns)| columns.iter().copied());
        next.chain(wanted).collect()
    }

    fn scan(
        &mut self,
        dataset: DatasetId,
        mut needed: Vec<ColumnId>,
    ) -> (NodeId, BTreeMap<ColumnId, SlotId>) {
        needed.sort_unstable();
        needed.dedup();
        let columns: Vec<(ColumnId, SlotId)> = needed
            .into_iter()
            .map(|id| {
                let column = &self.resolved.columns[id];
                let (name, data_type) = (column.name.clone(), column.data_type);
                (id, self.slot(&name, data_type, crate::data_type::Exactness::Exact))
            })
            .collect();
        let by_column = columns.iter().copied().collect();
        (self.nodes.push(Node::Scan { dataset, columns }), by_column)
    }

    /// Computes own fields in layers: a field that refers to a windowed or large sibling comes in a later layer, a small
    /// sibling is repeated in place.
    fn compute_fields(
        &mut self,
        mut node: NodeId,
        own: &[FieldId],
        columns: &BTreeMap<ColumnId, SlotId>,
        fields: &mut BTreeMap<FieldId, SlotId>,
    ) -> NodeId {
        let mut inlined: BTreeMap<FieldId, SlotExpr> = BTreeMap::new();
        let mut layer_of: BTreeMap<FieldId, usize> = BTreeMap::new();
        let mut layers: Vec<Vec<(SlotId, SlotExpr)>> = Vec::new();
        for field in own {
            let Some(expr) = self.field_expr(*field) else { continue };
            let layer = expr
                .references()
                .into_iter()
                .filter_map(|reference| match reference {
                    Reference::Field(sibling) => {
                        let below = layer_of.get(sibling).copied()?;
                        Some(if inlined.contains_key(sibling) { below } else { below + 1 })
                    }
                    Reference::Column(_) | Reference::Metric(_) | Reference::Now => None,
                })
                .max()
                .unwrap_or(0);
            let over_slots = expr.map_references(&mut |reference, leaf| match reference {
                Reference::Column(column) => match columns.get(column) {
                    Some(slot) => Expr::reference(*slot, leaf.data_type, leaf.exactness),
                    None => super::missing(leaf),
                },
                Reference::Field(sibling) => match (inlined.get(sibling), fields.get(sibling)) {
                    (Some(expr), _) => expr.clone(),
                    (None, Some(slot)) => Expr::reference(*slot, leaf.data_type, leaf.exactness),
                    (None, None) => super::missing(leaf),
                },
                Reference::Now => now_literal(self.now, leaf),
                Reference::Metric(_) => super::missing(leaf),
            });
            layer_of.insert(*field, layer);
            if let ExprKind::Reference(slot) = &*over_slots.kind {
                // A plain column or an alias of a sibling is no computation of its own.
                fields.insert(*field, *slot);
                inlined.insert(*field, over_slots);
                continue;
            }
            let name = self.resolved.model.fields[*field].name.text.clone();
            let slot = self.slot(&name, over_slots.data_type, over_slots.exactness);
            fields.insert(*field, slot);
            if !over_slots.has_window() && over_slots.size() <= MOST_INLINED {
                inlined.insert(*field, over_slots.clone());
            }
            if layers.len() <= layer {
                layers.resize_with(layer + 1, Vec::new);
            }
            layers[layer].push((slot, over_slots));
        }
        self.is_full |= layers.len() > MOST_LAYERS;
        for values in layers.into_iter().filter(|values| !values.is_empty()) {
            node = self.nodes.push(Node::Compute { input: node, values });
        }
        node
    }
}

/// Adds every beginning of a path that is not there yet.
fn add_stops(stops: &mut BTreeMap<Vec<Step>, Stop>, path: &[Step]) {
    for length in 1..=path.len() {
        let part = path[..length].to_vec();
        let dataset = part[length - 1].to;
        stops.entry(part.clone()).or_insert_with(|| Stop { path: part, dataset, fields: Vec::new() });
    }
}

/// The slot of a column that was asked for where the rows were made.
pub(super) fn slot_in(columns: &BTreeMap<ColumnId, SlotId>, column: ColumnId) -> SlotId {
    columns.get(&column).copied().unwrap_or_else(super::missing_slot)
}
