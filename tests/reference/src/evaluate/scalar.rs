//! Scalar requests: one row for each row of one home. In: a model over tables, a request. Out: the rows in the asked order.

use std::collections::BTreeSet;

use unisono_compiler::query::Request;
use unisono_compiler::syntax::expr::{Expr, ExprKind};

use super::clauses::predicates;
use super::far::{HomeRow, Sight, names_time, touched};
use super::model::name_in_yaml;
use super::order::SortKey;
use super::paths::Way;
use super::refuse::{Reasons, check_expression, level};
use super::request::{self, Column};
use super::rows::World;
use super::tree::{fold, names_of};
use super::windows::evaluate_all;
use super::{Answer, in_order};
use crate::expr::Row;
use crate::stop::Stop;
use crate::value::Value;

/// Answers a scalar request.
pub(super) fn answer(world: &World<'_>, request: &Request) -> Result<Answer, Stop> {
    let mut reasons = Reasons::default();
    let mut may_refuse = Vec::new();
    if !request.having_all.is_empty() {
        // There are no groups to filter; the rules name no code.
        for code in ["E_MIXED_QUERY_SHAPE", "E_AGGREGATE_IN_SCALAR_QUERY", "E_NON_AGGREGATE_IN_HAVING"] {
            reasons.add(code);
        }
    }
    let fields = request.fields.iter().flatten();
    let columns: Vec<Column> =
        fields.filter_map(|entry| reasons.note(request::column(world, entry, request))).collect();
    let predicates = predicates(world, request, &mut reasons);
    let mut order = Vec::new();
    for key in &request.order_by {
        let found = request::sort_expression(world, &key.expr, &columns, request);
        let Some((expr, is_by_leaf)) = reasons.note(found) else { continue };
        if is_by_leaf {
            may_refuse.push("E_NAME_NOT_FOUND");
        }
        order.push((expr, key.descending, key.nulls_first));
    }
    let shown: Vec<&Expr> = columns.iter().map(|column| &column.expr).collect();
    let sorting: Vec<&Expr> = order.iter().map(|(expr, _, _)| expr).collect();
    for expr in shown.iter().chain(&sorting) {
        check_row_expression(world, expr, &mut reasons);
    }
    let names = reasons.note(request::names(&columns));
    let home = reasons.note(home(world, request, &shown));
    let Some(home) = home else { return Err(reasons.result().err().unwrap_or_else(no_home)) };
    let grouped: BTreeSet<usize> =
        shown.iter().chain(&sorting).flat_map(|expr| touched(world, expr)).collect();
    for dataset in &grouped {
        check_single(world, home, *dataset, &mut reasons);
    }
    let filtered: BTreeSet<usize> = predicates.iter().flat_map(|expr| touched(world, expr)).collect();
    for dataset in &filtered {
        reasons.note(world.way(home, *dataset));
    }
    let has_time =
        shown.iter().chain(&sorting).any(|expr| names_time(expr)) || predicates.iter().any(names_time);
    let time = if has_time { reasons.note(world.model.time_of(home, None)) } else { None };
    reasons.result()?;

    let sight = Sight::new(world, home, time, &grouped, &filtered)?;
    if sight.is_far() {
        may_refuse.extend(["E_FAN_OUT_IN_SCALAR_QUERY", "E_PRIMARY_KEY_REQUIRED"]);
    }
    if sight.has_depths() {
        may_refuse.push("E_UNSAFE_REAGGREGATION");
    }
    let rows: Vec<HomeRow<'_, '_, '_>> =
        sight.select(&predicates, &[])?.into_iter().map(|(row, _)| sight.home_row(row)).collect();
    let rows: Vec<&dyn Row> = rows.iter().map(|row| row as &dyn Row).collect();
    let values: Vec<Vec<Value>> =
        shown.iter().map(|expr| evaluate_all(expr, &rows, &[])).collect::<Result<_, _>>()?;
    let mut keys = Vec::new();
    for (expr, descending, nulls_first) in &order {
        let values = evaluate_all(expr, &rows, &[])?;
        keys.push(SortKey { values, descending: *descending, nulls_first: *nulls_first });
    }
    let row = |number: usize| values.iter().map(|values| values[number].clone()).collect();
    let rows: Vec<Vec<Value>> = (0..rows.len()).map(row).collect();
    Ok(in_order(names.unwrap_or_default(), &rows, &keys, request, may_refuse))
}

fn no_home() -> Stop {
    Stop::Unknown("a scalar request without a home".into())
}

/// No aggregate and no metric among fields.
fn check_row_expression(world: &World<'_>, expr: &Expr, reasons: &mut Reasons) {
    let has_metric = names_of(expr).iter().any(|name| world.metric_named(name));
    let mut has_aggregate = !level(expr, &[]).aggregates.is_empty();
    super::tree::walk(expr, &mut |part| {
        has_aggregate |= matches!(
            &*part.kind,
            ExprKind::Call(call) if call.over.is_none() && super::refuse::aggregates(call)
        );
        true
    });
    if has_metric || has_aggregate {
        reasons.add("E_AGGREGATE_IN_SCALAR_QUERY");
    }
    check_expression(world, expr, true, reasons);
}

/// The home: named, else the finest dataset that the fields touch, of a 1:1 that of the first field.
fn home(world: &World<'_>, request: &Request, fields: &[&Expr]) -> Result<usize, Stop> {
    if let Some(name) = &request.home {
        let found = world.model.dataset(&fold(&name_in_yaml(&name.value)));
        return found.ok_or_else(|| Stop::Refused(vec!["E_NAME_NOT_FOUND"]));
    }
    let all: BTreeSet<usize> = fields.iter().flat_map(|expr| touched(world, expr)).collect();
    let all: Vec<usize> = all.into_iter().collect();
    if all.is_empty() {
        return Err(no_home());
    }
    match world.model.finest(&all) {
        Ok(finest) if finest.len() == 1 => Ok(finest[0]),
        Ok(finest) if finest.is_empty() => Err(Stop::Refused(vec!["E_FAN_OUT_IN_SCALAR_QUERY", "E_NO_PATH"])),
        Ok(finest) => {
            let first = fields.iter().map(|expr| touched(world, expr)).find(|touched| !touched.is_empty());
            let first = first.into_iter().flatten().find(|dataset| finest.contains(dataset));
            first.ok_or_else(|| Stop::Open("a 1:1 whose ends are not the first field's".into()))
        }
        Err(_) => Err(Stop::Refused(vec!["E_AMBIGUOUS_PATH", "E_FAN_OUT_IN_SCALAR_QUERY"])),
    }
}

/// A field of a dataset of which a home row has several rows would repeat the home's rows.
fn check_single(world: &World<'_>, home: usize, dataset: usize, reasons: &mut Reasons) {
    match world.way(home, dataset) {
        Ok(Way::Near(_)) => {}
        Ok(Way::Far { .. }) => reasons.add("E_FAN_OUT_IN_SCALAR_QUERY"),
        Err(stop) => {
            let is_path = stop == Stop::Refused(vec!["E_AMBIGUOUS_PATH"]);
            reasons.note::<()>(Err(stop));
            if !is_path {
                reasons.add("E_FAN_OUT_IN_SCALAR_QUERY");
            }
        }
    }
}
