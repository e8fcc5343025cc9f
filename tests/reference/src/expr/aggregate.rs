//! Aggregates: one value of the rows of a group. In: a call and rows. Out: its value; NULLs do not count.
//! Over nothing the counts are 0 and all others NULL.

use std::cmp::Ordering;
use std::collections::BTreeSet;

use unisono_compiler::source::Spanned;
use unisono_compiler::syntax::expr::{Arguments, Call, Expr, Ident, OrderItem};

use super::compare::{Key, compare, order, order_item, same};
use super::number::{count, count_float, float, sum};
use super::{Place, Row, arguments, ill_typed, is_constant, logic, name_of, statistics, value_at};
use crate::stop::Stop;
use crate::value::Value;

/// The value of an aggregate call over the rows of a group.
pub fn aggregate(call: &Call, rows: &[&dyn Row]) -> Result<Value, Stop> {
    let name = name_of(call);
    let unknown = |what: &str| Err(Stop::Unknown(format!("{name} {what}")));
    let ordered = matches!(name.as_str(), "LISTAGG" | "STRING_AGG" | "PERCENTILE_CONT" | "PERCENTILE_DISC");
    if call.nulls.is_some() || !(ordered || (call.order_by.is_empty() && call.within_group.is_empty())) {
        return unknown("with clauses");
    }
    let takes_distinct = matches!(
        name.as_str(),
        "COUNT" | "SUM" | "AVG" | "MIN" | "MAX" | "ANY_VALUE" | "LISTAGG" | "STRING_AGG"
    );
    if call.distinct && !takes_distinct {
        return unknown("of DISTINCT values");
    }
    let rows = &filtered(call.filter.as_ref(), rows)?;
    match (name.as_str(), arguments(call)) {
        ("COUNT", []) if call.arguments == Arguments::Star && !call.distinct => Ok(count(rows.len())),
        ("COUNT", [x]) if !call.distinct => Ok(count(present(x, rows, Place::Plain)?.len())),
        ("COUNT", list @ [_, ..]) if call.distinct => distinct_tuples(list, rows),
        ("APPROX_COUNT_DISTINCT", list @ [_]) => distinct_tuples(list, rows),
        ("SUM", [x]) => total(&column(call, x, rows, Place::Sum)?),
        ("SUM_IF", [x, condition]) => total(&present(x, &filtered(Some(condition), rows)?, Place::Sum)?),
        ("AVG", [x]) => average(&column(call, x, rows, Place::BelowSum)?),
        ("COUNT_IF", [condition]) => Ok(count(filtered(Some(condition), rows)?.len())),
        ("MIN" | "ANY_VALUE", [x]) => extreme(&present(x, rows, Place::Plain)?, Ordering::Less),
        ("MAX", [x]) => extreme(&present(x, rows, Place::Plain)?, Ordering::Greater),
        ("MIN_BY", [x, y]) => pick(x, y, rows, Ordering::Less),
        ("MAX_BY", [x, y]) => pick(x, y, rows, Ordering::Greater),
        ("BOOL_AND", [condition]) => every(condition, rows, false),
        ("BOOL_OR", [condition]) => every(condition, rows, true),
        ("STDDEV" | "STDDEV_SAMP" | "STDDEV_POP" | "VARIANCE" | "VAR_SAMP" | "VAR_POP", [x]) => {
            statistics::spread(&name, &floats(x, rows)?)
        }
        ("MEDIAN", [x]) => statistics::percentile_cont(&floats(x, rows)?, 0.5),
        ("APPROX_PERCENTILE", [x, fraction]) => {
            statistics::percentile_cont(&floats(x, rows)?, constant_share(fraction)?.1)
        }
        ("PERCENTILE_CONT", [fraction]) => {
            let x = ascending(&call.within_group)?;
            statistics::percentile_cont(&floats(x, rows)?, constant_share(fraction)?.1)
        }
        ("PERCENTILE_DISC", [fraction]) => {
            let x = ascending(&call.within_group)?;
            statistics::percentile_disc(&present(x, rows, Place::Plain)?, &constant_share(fraction)?.0)
        }
        ("CORR" | "COVAR_POP" | "COVAR_SAMP", [x, y]) => statistics::pairs(&name, &both(x, y, rows)?),
        ("LISTAGG" | "STRING_AGG", [x, separator]) => listed(call, x, separator, rows),
        (_, list) => unknown(&format!("of {} arguments", list.len())),
    }
}

/// The rows for which a condition is TRUE.
fn filtered<'a>(condition: Option<&Expr>, rows: &[&'a dyn Row]) -> Result<Vec<&'a dyn Row>, Stop> {
    let Some(condition) = condition else { return Ok(rows.to_vec()) };
    let mut kept = Vec::new();
    for row in rows {
        if logic::truth(&value_at(condition, *row, Place::Plain)?)? == Some(true) {
            kept.push(*row);
        }
    }
    Ok(kept)
}

/// The values of an expression that are not NULL.
fn present(expr: &Expr, rows: &[&dyn Row], place: Place) -> Result<Vec<Value>, Stop> {
    let mut found = Vec::new();
    for row in rows {
        let value = value_at(expr, *row, place)?;
        if value != Value::Null {
            found.push(value);
        }
    }
    Ok(found)
}

/// The same, each once if DISTINCT is written.
fn column(call: &Call, expr: &Expr, rows: &[&dyn Row], place: Place) -> Result<Vec<Value>, Stop> {
    let mut values = present(expr, rows, place)?;
    if call.distinct {
        values.sort_by(order);
        values.dedup_by(|a, b| same(a, b));
    }
    Ok(values)
}

fn floats(expr: &Expr, rows: &[&dyn Row]) -> Result<Vec<f64>, Stop> {
    let values = present(expr, rows, Place::Plain)?;
    Ok(values.iter().map(float).collect::<Result<Vec<_>, _>>()?.into_iter().flatten().collect())
}

/// The pairs of which neither is NULL.
fn both(x: &Expr, y: &Expr, rows: &[&dyn Row]) -> Result<Vec<(f64, f64)>, Stop> {
    let mut found = Vec::new();
    for row in rows {
        let (x, y) = (value_at(x, *row, Place::Plain)?, value_at(y, *row, Place::Plain)?);
        if let (Some(x), Some(y)) = (float(&x)?, float(&y)?) {
            found.push((x, y));
        }
    }
    Ok(found)
}

/// Tuples without a NULL, each once. Floats are not counted so: engines tell -0 and NaN apart or not.
fn distinct_tuples(list: &[Expr], rows: &[&dyn Row]) -> Result<Value, Stop> {
    let mut seen = BTreeSet::new();
    for row in rows {
        let tuple =
            list.iter().map(|expr| value_at(expr, *row, Place::Plain)).collect::<Result<Vec<_>, _>>()?;
        if let Some(number @ Value::Double(_)) = tuple.iter().find(|value| matches!(value, Value::Double(_)))
        {
            return Err(ill_typed("a value to count once", number));
        }
        if !tuple.contains(&Value::Null) {
            seen.insert(Key(tuple));
        }
    }
    Ok(count(seen.len()))
}

/// The sum: exact, or of floats if one of them is.
fn total(values: &[Value]) -> Result<Value, Stop> {
    let mut exact = Vec::new();
    let mut all = Vec::new();
    for value in values {
        if let Value::Exact { digits, scale } = value {
            exact.push((*digits, *scale));
        }
        all.extend(float(value)?);
    }
    match values {
        [] => Ok(Value::Null),
        _ if exact.len() == values.len() => sum(&exact),
        _ => Ok(Value::Double(all.iter().fold(0.0, |total, number| total + number))),
    }
}

fn average(values: &[Value]) -> Result<Value, Stop> {
    Ok(float(&total(values)?)?.map_or(Value::Null, |total| Value::Double(total / count_float(values.len()))))
}

fn extreme(values: &[Value], wanted: Ordering) -> Result<Value, Stop> {
    let mut best: Option<&Value> = None;
    for value in values {
        let better = match best {
            None => true,
            Some(best) => compare(value, best)? == Some(wanted),
        };
        if better {
            best = Some(value);
        }
    }
    Ok(best.cloned().unwrap_or(Value::Null))
}

/// `x` of the row with the least or greatest `y`; among ties the least `x`, a NULL after all others.
fn pick(x: &Expr, y: &Expr, rows: &[&dyn Row], wanted: Ordering) -> Result<Value, Stop> {
    let mut best: Option<(Value, Value)> = None;
    for row in rows {
        let (x, y) = (value_at(x, *row, Place::Plain)?, value_at(y, *row, Place::Plain)?);
        if y == Value::Null {
            continue;
        }
        let better = match &best {
            None => true,
            Some((best_x, best_y)) => {
                let by_y = order(&y, best_y);
                by_y == wanted || (by_y.is_eq() && order_item(&x, best_x, false, None).is_lt())
            }
        };
        if better {
            best = Some((x, y));
        }
    }
    Ok(best.map_or(Value::Null, |(x, _)| x))
}

/// BOOL_AND (`deciding` is FALSE) and BOOL_OR (TRUE) of the truths that are known.
fn every(condition: &Expr, rows: &[&dyn Row], deciding: bool) -> Result<Value, Stop> {
    let values = present(condition, rows, Place::Plain)?;
    let truths = values.iter().map(logic::truth).collect::<Result<Vec<_>, _>>()?;
    if truths.is_empty() {
        return Ok(Value::Null);
    }
    Ok(Value::Boolean(truths.contains(&Some(deciding)) == deciding))
}

/// What WITHIN GROUP orders by, which must be one expression in ascending order.
fn ascending(items: &[OrderItem]) -> Result<&Expr, Stop> {
    match items {
        [OrderItem { expr, descending: false, nulls_first: _ }] => Ok(expr),
        _ => Err(Stop::Unknown(String::from("a percentile of another order"))),
    }
}

/// A row for constants: it has no names.
struct NoRow;

impl Row for NoRow {
    fn name(&self, parts: &[Spanned<Ident>]) -> Result<Value, Stop> {
        Err(Stop::Unknown(format!("{parts:?} is no constant")))
    }

    fn call(&self, _: &Call) -> Option<Result<Value, Stop>> {
        None
    }
}

/// A constant from 0 to 1, and the same as a float.
fn constant_share(expr: &Expr) -> Result<(Value, f64), Stop> {
    let value = if is_constant(expr) { value_at(expr, &NoRow, Place::Plain)? } else { Value::Null };
    match float(&value)? {
        Some(share) if (0.0..=1.0).contains(&share) => Ok((value, share)),
        _ => Err(Stop::Unknown(format!("{value:?} as a share"))),
    }
}

/// Texts in an order, with a separator between them. Different texts of one place make the answer open.
fn listed(call: &Call, x: &Expr, separator: &Expr, rows: &[&dyn Row]) -> Result<Value, Stop> {
    let items: Vec<&OrderItem> = call.within_group.iter().chain(&call.order_by).collect();
    if items.is_empty() || !is_constant(separator) {
        return Err(Stop::Unknown(String::from("LISTAGG without an order or a constant separator")));
    }
    if call.distinct && !(items.len() == 1 && items[0].expr == *x) {
        return Err(Stop::Unknown(String::from("LISTAGG of DISTINCT texts in an order of others")));
    }
    let Value::Text(separator) = value_at(separator, &NoRow, Place::Plain)? else {
        return Err(Stop::Unknown(String::from("LISTAGG without a separator")));
    };
    let mut found = Vec::new();
    for row in rows {
        let place = Place::Plain;
        let keys =
            items.iter().map(|item| value_at(&item.expr, *row, place)).collect::<Result<Vec<_>, _>>()?;
        match value_at(x, *row, place)? {
            Value::Null => {}
            Value::Text(text) => found.push((keys, text)),
            other => return Err(ill_typed("a text", &other)),
        }
    }
    let by_keys = |a: &(Vec<Value>, String), b: &(Vec<Value>, String)| compare_keys(&items, &a.0, &b.0);
    found.sort_by(by_keys);
    if call.distinct {
        found.dedup_by(|a, b| a.1 == b.1);
    }
    if found.windows(2).any(|pair| by_keys(&pair[0], &pair[1]).is_eq() && pair[0].1 != pair[1].1) {
        return Err(Stop::Open(String::from("LISTAGG over ties")));
    }
    let texts: Vec<String> = found.into_iter().map(|(_, text)| text).collect();
    Ok(if texts.is_empty() { Value::Null } else { Value::Text(texts.join(&separator)) })
}

/// Two tuples of an ORDER BY.
pub(super) fn compare_keys(items: &[&OrderItem], a: &[Value], b: &[Value]) -> Ordering {
    let pairs = items.iter().zip(a.iter().zip(b));
    pairs
        .map(|(item, (a, b))| order_item(a, b, item.descending, item.nulls_first))
        .find(|ordering| ordering.is_ne())
        .unwrap_or(Ordering::Equal)
}

#[cfg(test)]
mod tests;
