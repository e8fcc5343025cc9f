//! A home row with what it sees: rows along N:1 steps, and one far row of each far side at a time.
//! In: a home and what a request refers to. Out: the home rows that `where` keeps, with the groups that each falls into, once each.

use std::collections::{BTreeMap, BTreeSet};

use unisono_compiler::source::Spanned;
use unisono_compiler::syntax::expr::{Call, Expr, ExprKind, Ident};

use super::order::same_key;
use super::paths::{Step, Way};
use super::rows::World;
use super::time::{self, TimeField};
use crate::expr::{self, Row};
use crate::stop::Stop;
use crate::value::Value;

/// A home with the ways to all that is referred to from it.
pub(super) struct Sight<'w, 'c> {
    /// The model and its rows.
    pub(super) world: &'w World<'c>,
    /// The home.
    pub(super) home: usize,
    /// What `metric_time` is here.
    pub(super) time: Option<TimeField>,
    ways: BTreeMap<usize, Way>,
    sides: Vec<Side>,
}

/// A far side: everything behind one way up.
struct Side {
    /// From the home to the anchor.
    up: Vec<Step>,
    /// The datasets of dimensions and predicates here: an anchor that reaches one of them brings a far row.
    named: BTreeSet<usize>,
    /// The side above, if this one lies below another.
    above: Option<usize>,
}

/// A home row with one choice of far rows: an anchor row a side, or none.
struct View {
    row: usize,
    anchors: Vec<Option<usize>>,
}

impl<'w, 'c> Sight<'w, 'c> {
    /// Finds the ways; the codes are those of the first dataset that has none.
    pub(super) fn new(
        world: &'w World<'c>,
        home: usize,
        time: Option<TimeField>,
        grouped: &BTreeSet<usize>,
        filtered: &BTreeSet<usize>,
    ) -> Result<Self, Stop> {
        let mut sight = Sight { world, home, time, ways: BTreeMap::new(), sides: Vec::new() };
        for dataset in grouped.iter().chain(filtered) {
            let way = world.way(home, *dataset)?;
            if let Way::Far { up, .. } = &way {
                let side = match sight.sides.iter().position(|side| side.up == *up) {
                    Some(side) => side,
                    None => {
                        sight.sides.push(Side { up: up.clone(), named: BTreeSet::new(), above: None });
                        sight.sides.len() - 1
                    }
                };
                sight.sides[side].named.insert(*dataset);
            }
            sight.ways.insert(*dataset, way);
        }
        sight.sides.sort_by_key(|side| side.up.len());
        for lower in 0..sight.sides.len() {
            for upper in 0..lower {
                let (above, below) = (&sight.sides[upper].up, &sight.sides[lower].up);
                if below.starts_with(above) {
                    sight.sides[lower].above = Some(upper);
                } else if below.first() == above.first() {
                    // One far side or two? The rules do not say.
                    return Err(Stop::Open("far sides that part below a common step".into()));
                }
            }
        }
        Ok(sight)
    }

    /// Whether there are far sides: the home then needs a key.
    pub(super) fn is_far(&self) -> bool {
        !self.sides.is_empty()
    }

    /// Whether a far side begins with an N:N edge.
    pub(super) fn has_many_edge(&self) -> bool {
        self.sides.iter().flat_map(|side| &side.up).any(|step| {
            let relationship = &self.world.model.relationships[step.relationship];
            !relationship.from_is_one && !relationship.to_is_one
        })
    }

    /// Whether one far side lies below another.
    pub(super) fn has_depths(&self) -> bool {
        self.sides.iter().any(|side| side.above.is_some())
    }

    /// The home rows that all predicates keep, each with the values of the keys: once a distinct key.
    pub(super) fn select(
        &self,
        predicates: &[Expr],
        keys: &[Expr],
    ) -> Result<Vec<(usize, Vec<Value>)>, Stop> {
        let mut selected: Vec<(usize, Vec<Value>)> = Vec::new();
        for row in 0..self.world.count(self.home)? {
            let first = selected.len();
            for view in self.views(row)? {
                let seen = Seen { sight: self, view: &view };
                if !holds(predicates, &seen)? {
                    continue;
                }
                let key: Vec<Value> =
                    keys.iter().map(|key| expr::evaluate(key, &seen)).collect::<Result<_, _>>()?;
                // A home row counts once in each group, however many far rows brought it there.
                if !selected[first..].iter().any(|(_, known)| same_key(known, &key)) {
                    selected.push((row, key));
                }
            }
        }
        Ok(selected)
    }

    /// All choices of far rows for a home row.
    fn views(&self, row: usize) -> Result<Vec<View>, Stop> {
        let mut views = vec![View { row, anchors: Vec::new() }];
        for side in &self.sides {
            let mut next = Vec::new();
            for view in views {
                for anchor in self.anchors(side, &view)? {
                    let anchors = view.anchors.iter().copied().chain([anchor]).collect();
                    next.push(View { row, anchors });
                }
            }
            views = next;
        }
        Ok(views)
    }

    /// The far rows of one side; a single `None` where there is none.
    fn anchors(&self, side: &Side, view: &View) -> Result<Vec<Option<usize>>, Stop> {
        let (start, steps) = match side.above {
            None => (Some(view.row), side.up.as_slice()),
            Some(above) => (view.anchors[above], &side.up[self.sides[above].up.len()..]),
        };
        let Some(start) = start else { return Ok(vec![None]) };
        let mut good = Vec::new();
        for anchor in self.world.spread(start, steps)? {
            if self.reaches_any(&side.named, anchor)? {
                good.push(Some(anchor));
            }
        }
        // A dangling entry beside a good one adds nothing.
        if good.is_empty() { Ok(vec![None]) } else { Ok(good) }
    }

    fn reaches_any(&self, datasets: &BTreeSet<usize>, anchor: usize) -> Result<bool, Stop> {
        for dataset in datasets {
            if let Some(Way::Far { down, .. }) = self.ways.get(dataset)
                && self.world.follow(anchor, down)?.is_some()
            {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// A field as a row sees it.
    fn value(&self, view: &View, dataset: usize, field: usize) -> Result<Value, Stop> {
        let row = match self.world.way(self.home, dataset)? {
            Way::Near(steps) => self.world.follow(view.row, &steps)?,
            Way::Far { up, down } => {
                let Some(side) = self.sides.iter().position(|side| side.up == up) else {
                    return Err(Stop::Unknown("a far side that nobody named".into()));
                };
                match view.anchors.get(side).copied().flatten() {
                    Some(anchor) => self.world.follow(anchor, &down)?,
                    None => None,
                }
            }
        };
        row.map_or(Ok(Value::Null), |row| self.world.field(dataset, field, row))
    }

    /// A home row as an aggregate's argument sees it.
    pub(super) fn home_row(&self, row: usize) -> HomeRow<'_, 'w, 'c> {
        HomeRow { sight: self, view: View { row, anchors: Vec::new() } }
    }
}

/// Whether all predicates are TRUE.
fn holds(predicates: &[Expr], row: &dyn Row) -> Result<bool, Stop> {
    for predicate in predicates {
        match expr::evaluate(predicate, row)? {
            Value::Boolean(true) => {}
            Value::Boolean(false) | Value::Null => return Ok(false),
            _ => return Err(Stop::Refused(vec!["E_TYPE_MISMATCH"])),
        }
    }
    Ok(true)
}

/// A home row with a choice of far rows.
struct Seen<'s, 'w, 'c> {
    sight: &'s Sight<'w, 'c>,
    view: &'s View,
}

impl Row for Seen<'_, '_, '_> {
    fn name(&self, parts: &[Spanned<Ident>]) -> Result<Value, Stop> {
        let world = self.sight.world;
        match parts {
            [one] => {
                let Some(grain) = time::metric_time(&one.value.text) else {
                    return Err(Stop::Refused(vec!["E_NAME_NOT_FOUND"]));
                };
                let Some(time) = &self.sight.time else {
                    return Err(Stop::Refused(vec!["E_AMBIGUOUS_PATH"]));
                };
                let value = self.sight.value(self.view, time.dataset, time.field)?;
                time::truncated(value, grain)
            }
            [dataset, field] => match world.model.field(&dataset.value.text, &field.value.text) {
                Some((dataset, field)) => self.sight.value(self.view, dataset, field),
                None => Err(Stop::Refused(vec!["E_NAME_NOT_FOUND"])),
            },
            _ => Err(Stop::Refused(vec!["E_NAME_NOT_FOUND"])),
        }
    }

    fn wide(&self, parts: &[Spanned<Ident>]) -> bool {
        match parts {
            [dataset, field] => {
                let world = self.sight.world;
                let found = world.model.field(&dataset.value.text, &field.value.text);
                found.is_some_and(|(dataset, field)| world.is_wide(dataset, field))
            }
            _ => false,
        }
    }

    fn call(&self, _call: &Call) -> Option<Result<Value, Stop>> {
        None
    }
}

/// A home row without far rows.
pub(super) struct HomeRow<'s, 'w, 'c> {
    sight: &'s Sight<'w, 'c>,
    view: View,
}

impl Row for HomeRow<'_, '_, '_> {
    fn name(&self, parts: &[Spanned<Ident>]) -> Result<Value, Stop> {
        Seen { sight: self.sight, view: &self.view }.name(parts)
    }

    fn wide(&self, parts: &[Spanned<Ident>]) -> bool {
        Seen { sight: self.sight, view: &self.view }.wide(parts)
    }

    fn call(&self, _call: &Call) -> Option<Result<Value, Stop>> {
        None
    }
}

/// The datasets that an expression of a request or metric touches, by its qualified names.
pub(super) fn touched(world: &World<'_>, expr: &Expr) -> BTreeSet<usize> {
    let mut datasets = BTreeSet::new();
    super::tree::walk(expr, &mut |part| {
        if let ExprKind::Name(parts) = &*part.kind
            && let [dataset, field] = parts.as_slice()
            && let Some((dataset, _)) = world.model.field(&dataset.value.text, &field.value.text)
        {
            datasets.insert(dataset);
        }
        true
    });
    datasets
}

/// Whether an expression names `metric_time`, with or without a grain.
pub(super) fn names_time(expr: &Expr) -> bool {
    let mut found = false;
    super::tree::walk(expr, &mut |part| {
        if let ExprKind::Name(parts) = &*part.kind
            && let [one] = parts.as_slice()
        {
            found = found || time::metric_time(&one.value.text).is_some();
        }
        true
    });
    found
}
