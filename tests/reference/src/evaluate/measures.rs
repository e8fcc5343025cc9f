//! Measures taken apart into aggregates of single rows and what is computed of them for each group.
//! In: expressions of measures, `having` and `order_by`. Out: aggregates with a home each, and expressions over their values.

use std::collections::BTreeSet;

use unisono_compiler::source::Spanned;
use unisono_compiler::syntax::expr::{Arguments, Call, Expr, ExprKind, Ident};

use super::far::touched;
use super::paths::Way;
use super::refuse::{aggregates, level};
use super::rows::{FieldName, World};
use super::time;
use super::tree::{call_of, made_up, map, map_call, names_of, nowhere, read_made_up, walk_call};
use crate::expr::Row;
use crate::expr::same;
use crate::stop::Stop;
use crate::value::Value;

/// One aggregate over rows.
#[derive(Clone, PartialEq)]
pub(super) struct Leaf {
    /// The aggregate.
    pub(super) call: Call,
    /// The time field that its metric names.
    pub(super) time: Option<String>,
}

/// A field of a dataset whose row each group decides.
pub(super) struct Fixed {
    dataset: usize,
    field: usize,
    /// The dataset whose key is grouped by.
    keyed: usize,
    /// For each key column the number of its dimension.
    key: Vec<(usize, usize)>,
}

/// Takes expressions apart; dimensions and aggregates are numbered.
pub(super) struct Parts<'w, 'c> {
    world: &'w World<'c>,
    dimensions: Vec<Expr>,
    /// All aggregates so far.
    pub(super) leaves: Vec<Leaf>,
    /// All coarser fields so far.
    pub(super) fixed: Vec<Fixed>,
}

/// What a group has.
#[derive(Clone)]
pub(super) struct Group {
    /// A value a dimension.
    pub(super) key: Vec<Value>,
    /// A value an aggregate.
    pub(super) leaves: Vec<Value>,
    /// A value a coarser field.
    pub(super) fixed: Vec<Value>,
    /// For each aggregate whether its whole numbers are decimals.
    pub(super) wide: Vec<bool>,
}

impl<'w, 'c> Parts<'w, 'c> {
    /// Nothing taken apart yet.
    pub(super) fn new(world: &'w World<'c>, dimensions: Vec<Expr>) -> Self {
        Parts { world, dimensions, leaves: Vec::new(), fixed: Vec::new() }
    }

    /// An expression over groups: names of dimensions, metrics and aggregates give way to numbers.
    pub(super) fn take(&mut self, expr: &Expr, on_metric: Option<&str>) -> Result<Expr, Stop> {
        map(expr, &mut |part| self.node(part, on_metric))
    }

    fn node(&mut self, part: &Expr, on_metric: Option<&str>) -> Result<Option<Expr>, Stop> {
        if let Some(number) = self.dimensions.iter().position(|dimension| dimension == part) {
            return Ok(Some(made_up("group", number)));
        }
        match &*part.kind {
            ExprKind::Name(parts) => self.name(parts, on_metric).map(Some),
            ExprKind::Call(call) if call.over.is_some() => {
                let call = self.window(call, on_metric)?;
                Ok(Some(Expr::new(ExprKind::Call(Box::new(call)), part.span)))
            }
            ExprKind::Call(call) if aggregates(call) => Ok(Some(self.leaf(call, on_metric))),
            _ => Ok(None),
        }
    }

    fn leaf(&mut self, call: &Call, on_metric: Option<&str>) -> Expr {
        let leaf = Leaf { call: call.clone(), time: on_metric.map(str::to_string) };
        let known = self.leaves.iter().position(|other| *other == leaf);
        let number = known.unwrap_or_else(|| {
            self.leaves.push(leaf);
            self.leaves.len() - 1
        });
        made_up("leaf", number)
    }

    fn name(&mut self, parts: &[Spanned<Ident>], on_metric: Option<&str>) -> Result<Expr, Stop> {
        let too_fine = || Stop::Refused(vec!["E_UNAGGREGATED_FINER_GRAIN_REFERENCE"]);
        match parts {
            [one] => {
                let Some(metric) = self.world.model.metric(&one.value.text) else {
                    let is_time = time::metric_time(&one.value.text).is_some();
                    return Err(if is_time { too_fine() } else { Stop::Refused(vec!["E_NAME_NOT_FOUND"]) });
                };
                let metric = &self.world.model.metrics[metric];
                let own = metric.time.as_deref();
                if on_metric.is_some() && own.is_some() && own != on_metric {
                    return Err(Stop::Open("a metric and its part name different times".into()));
                }
                let expr = metric.expr.clone()?;
                self.take(&expr, own.or(on_metric))
            }
            [dataset, field] => {
                let Some((dataset, field)) = self.world.model.field(&dataset.value.text, &field.value.text)
                else {
                    return Err(Stop::Refused(vec!["E_NAME_NOT_FOUND"]));
                };
                let Some(fixed) = self.coarser(dataset, field) else { return Err(too_fine()) };
                self.fixed.push(fixed);
                Ok(made_up("fixed", self.fixed.len() - 1))
            }
            _ => Err(Stop::Refused(vec!["E_NAME_NOT_FOUND"])),
        }
    }

    /// A bare field is legal at a grain that is not finer: the dimensions hold a key of a dataset that reaches it.
    fn coarser(&self, dataset: usize, field: usize) -> Option<Fixed> {
        for (keyed, declared) in self.world.model.datasets.iter().enumerate() {
            let is_near = matches!(self.world.way(keyed, dataset), Ok(Way::Near(_)));
            let keys = declared.primary_key.iter().chain(&declared.unique_keys);
            for key in keys.filter(|_| is_near) {
                let found: Vec<(usize, usize)> = key
                    .iter()
                    .filter_map(|column| Some((*column, self.dimension_of(keyed, *column)?)))
                    .collect();
                if found.len() == key.len() {
                    return Some(Fixed { dataset, field, keyed, key: found });
                }
            }
        }
        None
    }

    /// The dimension that is a plain column of a dataset.
    fn dimension_of(&self, dataset: usize, column: usize) -> Option<usize> {
        self.dimensions.iter().position(|dimension| {
            let ExprKind::Name(parts) = &*dimension.kind else { return false };
            let [owner, field] = parts.as_slice() else { return false };
            match self.world.model.field(&owner.value.text, &field.value.text) {
                Some((owner, field)) if owner == dataset => {
                    match &self.world.model.datasets[owner].fields[field].expr {
                        Ok(expr) => match &*expr.kind {
                            ExprKind::Name(parts) => matches!(
                                self.world.name_in_field(owner, parts),
                                Ok(FieldName::Column(number)) if number == column
                            ),
                            _ => false,
                        },
                        Err(_) => false,
                    }
                }
                _ => false,
            }
        })
    }

    /// A window over groups; `SUM(x) OVER` over a value of single rows means `SUM(SUM(x)) OVER`.
    fn window(&mut self, call: &Call, on_metric: Option<&str>) -> Result<Call, Stop> {
        if !aggregates(call) {
            return map_call(call, &mut |part| self.node(part, on_metric));
        }
        let Arguments::List(arguments) = &call.arguments else {
            return Err(Stop::Open("COUNT(*) OVER counts rows of the answer or of the home".into()));
        };
        let row_names = arguments
            .iter()
            .flat_map(|argument| level(argument, &self.dimensions).names)
            .filter(|name| name.len() == 2)
            .count();
        let mut is_of_group = false;
        for argument in arguments {
            let found = level(argument, &self.dimensions);
            is_of_group |= !found.aggregates.is_empty() || found.names.iter().any(|name| name.len() == 1);
        }
        let name = call.name.value.text.to_uppercase();
        if row_names > 0 && !is_of_group {
            let outer = match name.as_str() {
                "SUM" | "COUNT" if !call.distinct => "SUM",
                "MIN" => "MIN",
                "MAX" => "MAX",
                _ => return Err(Stop::Refused(vec!["E_UNAGGREGATED_FINER_GRAIN_REFERENCE"])),
            };
            if name == "COUNT" {
                // A frame without rows gives 0 or NULL: the rules do not say.
                let is_open = call.over.as_ref().is_some_and(|over| over.frame.is_some());
                if is_open || call.filter.is_some() {
                    return Err(Stop::Open("COUNT(x) OVER a frame that may be empty".into()));
                }
            }
            let inner = Call { over: None, ..call.clone() };
            let leaf = self.leaf(&inner, on_metric);
            let bare = Call { over: call.over.clone(), ..call_of(outer, Vec::new()) };
            let mut whole = map_call(&bare, &mut |part| self.node(part, on_metric))?;
            whole.arguments = Arguments::List(vec![leaf]);
            return Ok(whole);
        }
        if !is_of_group && !["MIN", "MAX"].contains(&name.as_str()) {
            return Err(Stop::Open("an aggregate of a dimension or constant over groups".into()));
        }
        map_call(call, &mut |part| self.node(part, on_metric))
    }

    /// A group's coarser fields.
    pub(super) fn fixed_values(&self, key: &[Value]) -> Result<Vec<Value>, Stop> {
        self.fixed.iter().map(|fixed| self.fixed_value(fixed, key)).collect()
    }

    fn fixed_value(&self, fixed: &Fixed, key: &[Value]) -> Result<Value, Stop> {
        let rows = &self.world.table(fixed.keyed)?.rows;
        let is_it = |row: &&Vec<Value>| {
            fixed.key.iter().all(|(column, dimension)| {
                row[*column] != Value::Null && same(&row[*column], &key[*dimension])
            })
        };
        let Some(row) = rows.iter().position(|row| is_it(&row)) else { return Ok(Value::Null) };
        let Way::Near(steps) = self.world.way(fixed.keyed, fixed.dataset)? else {
            return Err(Stop::Unknown("a coarser field that is far".into()));
        };
        match self.world.follow(row, &steps)? {
            Some(row) => self.world.field(fixed.dataset, fixed.field, row),
            None => Ok(Value::Null),
        }
    }
}

/// The datasets that an aggregate touches, filter and order included.
pub(super) fn touched_by(world: &World<'_>, call: &Call) -> BTreeSet<usize> {
    touched(world, &Expr::new(ExprKind::Call(Box::new(call.clone())), nowhere()))
}

/// Whether an aggregate's whole numbers are decimals: a sum is, but of a plain column of 32 bits; a count is not.
pub(super) fn is_wide(world: &World<'_>, call: &Call) -> bool {
    let fields: Vec<(usize, usize)> = names_of(&Expr::new(ExprKind::Call(Box::new(call.clone())), nowhere()))
        .iter()
        .filter_map(|parts| match parts.as_slice() {
            [dataset, field] => world.model.field(&dataset.value.text, &field.value.text),
            _ => None,
        })
        .collect();
    let is_plain = matches!(&call.arguments, Arguments::List(list)
        if list.len() == 1 && matches!(&*list[0].kind, ExprKind::Name(_)));
    match call.name.value.text.to_uppercase().as_str() {
        "COUNT" | "COUNT_IF" | "APPROX_COUNT_DISTINCT" => false,
        "SUM" | "SUM_IF" => {
            !(is_plain && fields.iter().all(|(dataset, field)| world.is_narrow(*dataset, *field)))
        }
        _ => fields.iter().any(|(dataset, field)| world.is_wide(*dataset, *field)),
    }
}

/// Whether a call holds no name at all, as `SUM(1)`.
pub(super) fn is_constant(call: &Call) -> bool {
    let mut has_name = false;
    walk_call(call, &mut |part| {
        has_name |= matches!(&*part.kind, ExprKind::Name(_));
        true
    });
    !has_name
}

/// The aggregates that an expression taken apart uses.
pub(super) fn used(expr: &Expr) -> BTreeSet<usize> {
    let mut found = BTreeSet::new();
    super::tree::walk(expr, &mut |part| {
        if let ExprKind::Name(parts) = &*part.kind
            && let Some(("leaf", number)) = read_made_up(parts)
        {
            found.insert(number);
        }
        true
    });
    found
}

impl Row for Group {
    fn name(&self, parts: &[Spanned<Ident>]) -> Result<Value, Stop> {
        let value = match read_made_up(parts) {
            Some(("group", number)) => self.key.get(number),
            Some(("leaf", number)) => self.leaves.get(number),
            Some(("fixed", number)) => self.fixed.get(number),
            _ => None,
        };
        value.cloned().ok_or_else(|| Stop::Unknown("a name that was not taken apart".into()))
    }

    fn wide(&self, parts: &[Spanned<Ident>]) -> bool {
        match read_made_up(parts) {
            Some(("leaf", number)) => self.wide.get(number).copied().unwrap_or(false),
            _ => false,
        }
    }

    fn call(&self, _call: &Call) -> Option<Result<Value, Stop>> {
        None
    }
}
