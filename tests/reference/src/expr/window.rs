//! Windows: a value a row from the rows around it. In: a call with OVER and rows. Out: values in the order of the rows.
//! Where rows tie, every order of them is tried: if a row's value depends on it, the rules leave the answer open.

use std::collections::BTreeMap;

use unisono_compiler::syntax::expr::{
    Call, Expr, FrameBound, FrameMode, NullTreatment, OrderItem, WindowSpec,
};

use super::aggregate::{aggregate, compare_keys};
use super::compare::{Key, same};
use super::frame::Sorted;
use super::number::{count, count_float, is_zero, whole};
use super::scalar::constant_whole;
use super::{Row, WINDOWS, arguments, evaluate, is_aggregate, name_of};
use crate::stop::Stop;
use crate::value::Value;

/// More orders of tied rows than this are not tried.
const MOST_ORDERS: usize = 720;

/// The values of a window call, one a row.
pub fn window(call: &Call, rows: &[&dyn Row]) -> Result<Vec<Value>, Stop> {
    let Some(spec) = &call.over else {
        return Err(Stop::Unknown(format!("{} without OVER", name_of(call))));
    };
    let mut partitions: BTreeMap<Key, Vec<usize>> = BTreeMap::new();
    for (index, row) in rows.iter().enumerate() {
        partitions.entry(Key(values(spec.partition_by.iter(), *row)?)).or_default().push(index);
    }
    let mut answer = vec![Value::Null; rows.len()];
    for members in partitions.into_values() {
        for (index, value) in partition(call, spec, rows, members)? {
            answer[index] = value;
        }
    }
    Ok(answer)
}

fn values<'a>(exprs: impl Iterator<Item = &'a Expr>, row: &dyn Row) -> Result<Vec<Value>, Stop> {
    exprs.map(|expr| evaluate(expr, row)).collect()
}

/// The values of one partition by the rows' indices.
fn partition(
    call: &Call,
    spec: &WindowSpec,
    rows: &[&dyn Row],
    members: Vec<usize>,
) -> Result<Vec<(usize, Value)>, Stop> {
    let items: Vec<&OrderItem> = spec.order_by.iter().collect();
    let mut keyed = Vec::new();
    for index in members {
        keyed.push((index, values(items.iter().map(|item| &item.expr), rows[index])?));
    }
    keyed.sort_by(|a, b| compare_keys(&items, &a.1, &b.1));
    let (order, keys): (Vec<usize>, Vec<Vec<Value>>) = keyed.into_iter().unzip();
    let sorted = Sorted { items, keys };
    let first = in_order(call, spec, &sorted, rows, &order)?;
    if !depends_on_ties(call, spec) {
        return Ok(first);
    }
    for other in orders(&sorted, &order)? {
        let found: BTreeMap<usize, Value> =
            in_order(call, spec, &sorted, rows, &other)?.into_iter().collect();
        let stays =
            |(index, value): &(usize, Value)| found.get(index).is_some_and(|found| near(found, value));
        if !first.iter().all(stays) {
            return Err(Stop::Open(format!("{} over ties", name_of(call))));
        }
    }
    Ok(first)
}

/// Whether a function could tell peers apart: not if it ranks, and not if it adds up a frame that holds all peers or none.
fn depends_on_ties(call: &Call, spec: &WindowSpec) -> bool {
    let name = name_of(call);
    if matches!(name.as_str(), "RANK" | "DENSE_RANK" | "PERCENT_RANK" | "CUME_DIST") {
        return false;
    }
    let by_rows = spec.frame.as_ref().is_some_and(|frame| {
        let whole = frame.value.start == FrameBound::UnboundedPreceding
            && frame.value.end == FrameBound::UnboundedFollowing;
        frame.value.mode == FrameMode::Rows && !whole
    });
    WINDOWS.contains(&name.as_str()) || by_rows
}

/// All orders of the rows that keep the sort keys in order.
fn orders(sorted: &Sorted<'_>, order: &[usize]) -> Result<Vec<Vec<usize>>, Stop> {
    let mut all = vec![Vec::new()];
    let mut at = 0;
    while at < order.len() {
        let peers = sorted.peers(at);
        let group = permutations(&order[peers.clone()]);
        at = peers.end;
        if peers.len() > 6 || group.len() * all.len() > MOST_ORDERS {
            return Err(Stop::Open(String::from("a window over many ties")));
        }
        all = all
            .iter()
            .flat_map(|front: &Vec<usize>| {
                group.iter().map(move |behind| [front.as_slice(), behind].concat())
            })
            .collect();
    }
    Ok(all)
}

/// All orders of a few items; of too many only one.
fn permutations(items: &[usize]) -> Vec<Vec<usize>> {
    if items.len() <= 1 || items.len() > 6 {
        return vec![items.to_vec()];
    }
    let mut all = Vec::new();
    for (index, item) in items.iter().enumerate() {
        let rest: Vec<usize> = [&items[..index], &items[index + 1..]].concat();
        all.extend(permutations(&rest).into_iter().map(|behind| [vec![*item], behind].concat()));
    }
    all
}

/// Equal, or floats that differ by the order of addition only.
fn near(a: &Value, b: &Value) -> bool {
    match (a, b) {
        (Value::Double(a), Value::Double(b)) if a.is_finite() && b.is_finite() => {
            (a - b).abs() <= 1e-9 * a.abs().max(b.abs()) || is_zero(a - b)
        }
        _ => same(a, b),
    }
}

/// The values with the rows in one order.
fn in_order(
    call: &Call,
    spec: &WindowSpec,
    sorted: &Sorted<'_>,
    rows: &[&dyn Row],
    order: &[usize],
) -> Result<Vec<(usize, Value)>, Stop> {
    let ordered: Vec<&dyn Row> = order.iter().map(|index| rows[*index]).collect();
    let mut found = Vec::new();
    for (position, index) in order.iter().enumerate() {
        found.push((*index, one(call, spec, sorted, &ordered, position)?));
    }
    Ok(found)
}

fn one(
    call: &Call,
    spec: &WindowSpec,
    sorted: &Sorted<'_>,
    rows: &[&dyn Row],
    position: usize,
) -> Result<Value, Stop> {
    let name = name_of(call);
    let frame = spec.frame.as_ref().map(|frame| &frame.value);
    let bare = Call { over: None, ..call.clone() };
    if is_aggregate(&bare) {
        if matches!(name.as_str(), "MIN_BY" | "MAX_BY" | "LISTAGG" | "STRING_AGG") {
            return Err(Stop::Unknown(format!("{name} as a window")));
        }
        return aggregate(&bare, &rows[sorted.frame(frame, position)?]);
    }
    let framed = matches!(name.as_str(), "FIRST_VALUE" | "LAST_VALUE" | "NTH_VALUE");
    let clauses = call.distinct
        || call.filter.is_some()
        || !call.order_by.is_empty()
        || !call.within_group.is_empty()
        || (!framed && (frame.is_some() || spec.order_by.is_empty()));
    if clauses {
        return Err(Stop::Unknown(format!("{name} with these clauses, or without ORDER BY")));
    }
    let ignoring = call.nulls == Some(NullTreatment::Ignore);
    let peers = sorted.peers(position);
    let all = rows.len();
    match (name.as_str(), arguments(call)) {
        ("ROW_NUMBER", []) => Ok(count(position + 1)),
        ("RANK", []) => Ok(count(peers.start + 1)),
        ("DENSE_RANK", []) => {
            let starts = (0..=position).filter(|at| sorted.peers(*at).start == *at);
            Ok(count(starts.count()))
        }
        ("PERCENT_RANK", []) if all == 1 => Ok(Value::Double(0.0)),
        ("PERCENT_RANK", []) => Ok(Value::Double(count_float(peers.start) / count_float(all - 1))),
        ("CUME_DIST", []) => Ok(Value::Double(count_float(peers.end) / count_float(all))),
        ("NTILE", [buckets]) => {
            match constant_whole(buckets).and_then(|buckets| usize::try_from(buckets).ok()) {
                Some(buckets) if buckets > 0 => Ok(count(bucket(position, all, buckets) + 1)),
                _ => Err(Stop::Unknown(String::from("NTILE of another number"))),
            }
        }
        ("LAG" | "LEAD", [x, rest @ ..]) if rest.len() <= 2 => {
            let steps =
                rest.first().map_or(Some(1), constant_whole).and_then(|steps| usize::try_from(steps).ok());
            let Some(steps) = steps else { return Err(Stop::Unknown(format!("{name} by another number"))) };
            let outside = rest.get(1).map_or(Ok(Value::Null), |default| evaluate(default, rows[position]))?;
            let away: Box<dyn Iterator<Item = usize>> =
                if name == "LAG" { Box::new((0..position).rev()) } else { Box::new(position + 1..all) };
            if steps == 0 {
                return if ignoring {
                    Err(Stop::Unknown(format!("{name} by 0")))
                } else {
                    evaluate(x, rows[position])
                };
            }
            Ok(nth(x, away, rows, steps, ignoring)?.unwrap_or(outside))
        }
        ("FIRST_VALUE", [x]) => {
            let found = nth(x, sorted.frame(frame, position)?, rows, 1, ignoring)?;
            Ok(found.unwrap_or(Value::Null))
        }
        ("LAST_VALUE", [x]) => {
            let found = nth(x, sorted.frame(frame, position)?.rev(), rows, 1, ignoring)?;
            Ok(found.unwrap_or(Value::Null))
        }
        ("NTH_VALUE", [x, n]) => {
            match whole(&evaluate(n, rows[position])?)?.and_then(|n| usize::try_from(n).ok()) {
                Some(n) if n > 0 => {
                    Ok(nth(x, sorted.frame(frame, position)?, rows, n, ignoring)?.unwrap_or(Value::Null))
                }
                _ => Err(Stop::Unknown(String::from("NTH_VALUE of another number"))),
            }
        }
        _ => Err(Stop::Unknown(format!("window {name}"))),
    }
}

/// The n-th value along the positions, NULLs passed over if they are ignored.
fn nth(
    x: &Expr,
    positions: impl Iterator<Item = usize>,
    rows: &[&dyn Row],
    n: usize,
    ignoring: bool,
) -> Result<Option<Value>, Stop> {
    let mut left = n;
    for position in positions {
        let value = evaluate(x, rows[position])?;
        if ignoring && value == Value::Null {
            continue;
        }
        left -= 1;
        if left == 0 {
            return Ok(Some(value));
        }
    }
    Ok(None)
}

/// The bucket of a position: the first ones are larger by one if the rows do not divide.
fn bucket(position: usize, rows: usize, buckets: usize) -> usize {
    let (small, larger) = (rows / buckets, rows % buckets);
    let in_larger = larger * (small + 1);
    if position < in_larger { position / (small + 1) } else { larger + (position - in_larger) / small.max(1) }
}

#[cfg(test)]
mod tests;
