//! Aggregation requests: every measure over the rows of its own home, then side by side. In: a model over tables, a request.
//! Out: one row a group, in the asked order (docs/semantics.md, section 5, steps 1 to 7).

use std::collections::{BTreeMap, BTreeSet};

use unisono_compiler::query::Request;
use unisono_compiler::syntax::expr::{Arguments, Expr};

use super::clauses::{self, Sort};
use super::far::{Sight, names_time, touched};
use super::home::{count_star_home, listing_home};
use super::measures::{Group, Parts, is_constant, is_wide, touched_by, used};
use super::order::{SortKey, same_key};
use super::refuse::{Reasons, check_expression, level};
use super::request::{self, Column};
use super::rows::World;
use super::time::TimeField;
use super::windows::{Known, evaluate_all};
use super::{Answer, in_order};
use crate::expr::{self, Row};
use crate::stop::Stop;
use crate::value::Value;

/// A home row with its group.
type Selected = Vec<(usize, Vec<Value>)>;

/// What one aggregate runs over.
type Place = (usize, Option<TimeField>);

/// A request taken apart.
struct Asked<'w, 'c> {
    world: &'w World<'c>,
    dimensions: Vec<Expr>,
    predicates: Vec<Expr>,
    /// The datasets that dimensions touch.
    grouped: BTreeSet<usize>,
    /// The datasets that predicates touch.
    filtered: BTreeSet<usize>,
    /// `metric_time` stands in a dimension or predicate.
    has_time: bool,
}

/// Answers an aggregation request.
pub(super) fn answer(world: &World<'_>, request: &Request) -> Result<Answer, Stop> {
    let mut reasons = Reasons::default();
    let mut may_refuse = Vec::new();
    let entries = |list: &Option<Vec<_>>, reasons: &mut Reasons| -> Vec<Column> {
        let entries = list.iter().flatten();
        entries.filter_map(|entry| reasons.note(request::column(world, entry, request))).collect()
    };
    let grouping = entries(&request.dimensions, &mut reasons);
    let selecting = entries(&request.measures, &mut reasons);
    let predicates = clauses::predicates(world, request, &mut reasons);
    let dimensions: Vec<Expr> = grouping.iter().map(|column| column.expr.clone()).collect();
    for dimension in &dimensions {
        clauses::check_dimension(world, dimension, &mut reasons);
    }
    for measure in &selecting {
        check_expression(world, &measure.expr, true, &mut reasons);
        clauses::check_composition(world, &measure.expr, &mut reasons);
    }
    let columns: Vec<Column> = grouping.into_iter().chain(selecting).collect();
    let having = clauses::having(world, request, &columns, &dimensions, &mut reasons, &mut may_refuse);
    let order = clauses::order(world, request, &columns, &mut reasons, &mut may_refuse);
    // Taking apart follows metrics into each other, so circles and the like stop here.
    reasons.result()?;

    let mut reasons = Reasons::default();
    let mut parts = Parts::new(world, dimensions.clone());
    let measures: Vec<Expr> = columns[dimensions.len()..]
        .iter()
        .filter_map(|column| reasons.note(parts.take(&column.expr, None)))
        .collect();
    let selected: BTreeSet<usize> = measures.iter().flat_map(used).collect();
    let having: Vec<Expr> = having.iter().filter_map(|expr| reasons.note(parts.take(expr, None))).collect();
    let order: Vec<Sort> = order
        .into_iter()
        .filter_map(|key| Some(Sort { expr: reasons.note(parts.take(&key.expr, None))?, ..key }))
        .collect();
    if !parts.fixed.is_empty() {
        // The project's page on semantics has no bare fields in metrics.
        may_refuse.push("E_UNAGGREGATED_FINER_GRAIN_REFERENCE");
    }
    let names = reasons.note(request::names(&columns));
    let asked = Asked {
        world,
        grouped: dimensions.iter().flat_map(|expr| touched(world, expr)).collect(),
        filtered: predicates.iter().flat_map(|expr| touched(world, expr)).collect(),
        has_time: dimensions.iter().chain(&predicates).any(names_time),
        dimensions,
        predicates,
    };
    let places = asked.places(&parts, &selected, &mut reasons);
    let mut sights: BTreeMap<Place, Sight<'_, '_>> = BTreeMap::new();
    for place in places.iter().flatten() {
        if !sights.contains_key(place)
            && let Some(sight) = asked.sight(*place, &mut reasons, &mut may_refuse)
        {
            sights.insert(*place, sight);
        }
    }
    asked.check_stitch(&places, &mut reasons);
    let listing = if measures.is_empty() { asked.listing(&mut reasons, &mut may_refuse) } else { None };
    reasons.result()?;

    let mut rows: BTreeMap<Place, Selected> = BTreeMap::new();
    for (place, sight) in &sights {
        rows.insert(*place, sight.select(&asked.predicates, &asked.dimensions)?);
    }
    let mut keys = Vec::new();
    if asked.dimensions.is_empty() {
        keys.push(Vec::new());
    }
    let of_selected = selected.iter().filter_map(|leaf| places[*leaf]).filter_map(|place| rows.get(&place));
    for (_, key) in of_selected.chain(&listing).flatten() {
        if !keys.iter().any(|known| same_key(known, key)) {
            keys.push(key.clone());
        }
    }
    if !measures.is_empty() && selected.is_empty() {
        return Err(Stop::Open("measures without an aggregate have no groups".into()));
    }
    check_keys(&keys)?;
    // Without a value nothing shows whether it would be a float.
    if (0..asked.dimensions.len()).any(|column| keys.iter().all(|key| key[column] == Value::Null)) {
        may_refuse.push("E_FLOAT_DIMENSION");
    }
    let wide: Vec<bool> = parts.leaves.iter().map(|leaf| is_wide(world, &leaf.call)).collect();
    let mut groups = Vec::new();
    for key in keys {
        let mut leaves = Vec::new();
        for (leaf, place) in parts.leaves.iter().zip(&places) {
            let Some(place) = place else { return Err(Stop::Unknown("an aggregate without a home".into())) };
            let (Some(sight), Some(selected)) = (sights.get(place), rows.get(place)) else {
                return Err(Stop::Unknown("a home without rows".into()));
            };
            // A group that this home lacks has no rows: its value is that of empty input.
            let rows: Vec<_> = selected
                .iter()
                .filter(|(_, other)| same_key(other, &key))
                .map(|(row, _)| sight.home_row(*row))
                .collect();
            let rows: Vec<&dyn Row> = rows.iter().map(|row| row as &dyn Row).collect();
            leaves.push(expr::aggregate(&leaf.call, &rows)?);
        }
        let fixed = parts.fixed_values(&key)?;
        groups.push(Group { key, leaves, fixed, wide: wide.clone() });
    }
    let is_kept = all_true(&having, &as_rows(&groups))?;
    // A window that `having` names is shown as it was filtered on.
    let mut known: Vec<Known> = Vec::new();
    for call in having.iter().flat_map(|entry| level(entry, &[]).windows) {
        let values = expr::window(&call, &as_rows(&groups))?;
        known.push((call, only(values, &is_kept)));
    }
    let groups: Vec<Group> = only(groups, &is_kept);
    let of_groups = as_rows(&groups);
    let values: Vec<Vec<Value>> =
        measures.iter().map(|measure| evaluate_all(measure, &of_groups, &known)).collect::<Result<_, _>>()?;
    let mut sort_keys = Vec::new();
    for key in &order {
        let values = evaluate_all(&key.expr, &of_groups, &known)?;
        sort_keys.push(SortKey { values, descending: key.descending, nulls_first: key.nulls_first });
    }
    let row = |(number, group): (usize, &Group)| {
        let measures = values.iter().map(|values| values[number].clone());
        group.key.iter().cloned().chain(measures).collect()
    };
    let rows: Vec<Vec<Value>> = groups.iter().enumerate().map(row).collect();
    Ok(in_order(names.unwrap_or_default(), &rows, &sort_keys, request, may_refuse))
}

fn as_rows(groups: &[Group]) -> Vec<&dyn Row> {
    groups.iter().map(|group| group as &dyn Row).collect()
}

/// For each group whether every entry of `having` is TRUE. Each entry sees all groups: windows in it do too.
fn all_true(having: &[Expr], groups: &[&dyn Row]) -> Result<Vec<bool>, Stop> {
    let mut is_kept = vec![true; groups.len()];
    for entry in having {
        for (number, value) in evaluate_all(entry, groups, &[])?.into_iter().enumerate() {
            match value {
                Value::Boolean(true) => {}
                Value::Boolean(false) | Value::Null => is_kept[number] = false,
                _ => return Err(Stop::Refused(vec!["E_TYPE_MISMATCH"])),
            }
        }
    }
    Ok(is_kept)
}

fn only<T>(items: Vec<T>, are_kept: &[bool]) -> Vec<T> {
    items.into_iter().zip(are_kept).filter(|(_, kept)| **kept).map(|(item, _)| item).collect()
}

/// Group keys are no floats, and one dimension has one type in all homes.
fn check_keys(keys: &[Vec<Value>]) -> Result<(), Stop> {
    for column in 0..keys.first().map_or(0, Vec::len) {
        let has = |wanted: fn(&Value) -> bool| keys.iter().any(|key| wanted(&key[column]));
        if has(|value| matches!(value, Value::Double(_))) {
            return Err(Stop::Refused(vec!["E_FLOAT_DIMENSION"]));
        }
        if has(|value| matches!(value, Value::Date(_))) && has(|value| matches!(value, Value::Timestamp(_))) {
            return Err(Stop::Open("a Date in one home and a Timestamp in another".into()));
        }
    }
    Ok(())
}

impl<'w, 'c> Asked<'w, 'c> {
    /// The home and time of each aggregate.
    fn places(
        &self,
        parts: &Parts<'_, '_>,
        selected: &BTreeSet<usize>,
        reasons: &mut Reasons,
    ) -> Vec<Option<Place>> {
        let world = self.world;
        let of_leaves: Vec<BTreeSet<usize>> =
            parts.leaves.iter().map(|leaf| touched_by(world, &leaf.call)).collect();
        let mut places = Vec::new();
        for (leaf, mine) in parts.leaves.iter().zip(&of_leaves) {
            let home = if leaf.call.arguments == Arguments::Star {
                let of_request = self.grouped.union(&self.filtered).copied();
                let shown = of_leaves.iter().enumerate().filter(|(number, _)| selected.contains(number));
                let shown: BTreeSet<usize> =
                    of_request.chain(shown.flat_map(|(_, touched)| touched.iter().copied())).collect();
                let all = shown.union(&of_leaves.iter().flatten().copied().collect()).copied().collect();
                count_star_home(world, &shown, &all)
            } else if is_constant(&leaf.call) {
                Err(Stop::Unknown("an aggregate of a constant".into()))
            } else {
                let touched: Vec<usize> = mine.iter().copied().collect();
                match world.model.finest(&touched) {
                    Ok(finest) => match finest.as_slice() {
                        [home] => Ok(*home),
                        [] => Err(Stop::Refused(vec!["E_AMBIGUOUS_MEASURE_GRAIN"])),
                        _ => Err(Stop::Open("an aggregate over both ends of a 1:1".into())),
                    },
                    Err(stop) => Err(stop),
                }
            };
            let Some(home) = reasons.note(home) else {
                places.push(None);
                continue;
            };
            let time = if self.has_time {
                reasons.note(world.model.time_of(home, leaf.time.as_deref()))
            } else {
                None
            };
            places.push(Some((home, time)));
        }
        places
    }

    /// What a home sees; its far sides need a key.
    fn sight(
        &self,
        (home, time): Place,
        reasons: &mut Reasons,
        may_refuse: &mut Vec<&'static str>,
    ) -> Option<Sight<'w, 'c>> {
        let sight = self.look(home, time, reasons)?;
        if sight.is_far() {
            if !reasons.note(self.world.key_holds(home))? {
                reasons.add("E_PRIMARY_KEY_REQUIRED");
                if sight.has_many_edge() {
                    reasons.add("E3012_MN_NO_SAFE_REWRITE");
                }
            } else if self.world.model.datasets[home].primary_key.is_none() {
                may_refuse.push("E_PRIMARY_KEY_REQUIRED");
            }
        }
        if sight.has_depths() {
            may_refuse.push("E_UNSAFE_REAGGREGATION");
        }
        Some(sight)
    }

    /// The ways to everything that the request names; each dataset without one brings its codes.
    fn look(&self, home: usize, time: Option<TimeField>, reasons: &mut Reasons) -> Option<Sight<'w, 'c>> {
        let mut is_whole = true;
        for dataset in self.grouped.union(&self.filtered) {
            is_whole &= reasons.note(self.world.way(home, *dataset)).is_some();
        }
        if !is_whole {
            return None;
        }
        reasons.note(Sight::new(self.world, home, time, &self.grouped, &self.filtered))
    }

    /// Homes side by side: without dimensions relationships must connect them.
    fn check_stitch(&self, places: &[Option<Place>], reasons: &mut Reasons) {
        let homes: BTreeSet<usize> = places.iter().flatten().map(|(home, _)| *home).collect();
        let Some(first) = homes.first() else { return };
        let connected = self.world.model.connected(*first);
        if homes.iter().all(|home| connected.contains(home)) {
            return;
        }
        if self.dimensions.is_empty() {
            reasons.add("E3013_NO_STITCHING_DIMENSION");
        } else if self.grouped.is_empty() && !self.dimensions.iter().any(names_time) {
            reasons.note::<()>(Err(Stop::Open("unconnected homes that share a constant".into())));
        }
    }

    /// Dimensions without measures list the tuples that exist.
    fn listing(&self, reasons: &mut Reasons, may_refuse: &mut Vec<&'static str>) -> Option<Selected> {
        if self.has_time {
            reasons.note::<()>(Err(Stop::Unknown("metric_time without a measure".into())));
            return None;
        }
        let home = reasons.note(listing_home(self.world, &self.grouped))?;
        let sight = self.look(home, None, reasons)?;
        if sight.is_far() {
            may_refuse.push("E_PRIMARY_KEY_REQUIRED");
        }
        if sight.has_depths() {
            may_refuse.push("E_UNSAFE_REAGGREGATION");
        }
        let rows = reasons.note(sight.select(&self.predicates, &self.dimensions))?;
        let with_filters: BTreeSet<usize> = self.grouped.union(&self.filtered).copied().collect();
        if let Ok(other) = listing_home(self.world, &with_filters)
            && other != home
        {
            // Listed over the finest dataset of the dimensions, or of the filters too? It matters for orphans only.
            let sight = self.look(other, None, reasons)?;
            let others = reasons.note(sight.select(&self.predicates, &self.dimensions))?;
            let within = |left: &Selected, right: &Selected| {
                left.iter().all(|(_, key)| right.iter().any(|(_, other)| same_key(key, other)))
            };
            if !within(&rows, &others) || !within(&others, &rows) {
                reasons.note::<()>(Err(Stop::Open("tuples of the dimensions or of the filters".into())));
            }
        }
        Some(rows)
    }
}
