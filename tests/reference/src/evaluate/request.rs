//! The request's entries as expressions with folded names. In: the request as parsed. Out: columns with their names, predicates, sort keys.

use unisono_compiler::query::{Entry, EntryExpr, ParamValue, Request, TimeRange, parse_request};
use unisono_compiler::source::SourceId;
use unisono_compiler::syntax::document::Text;
use unisono_compiler::syntax::expr::{
    BinaryOp, Expr, ExprKind, Literal, parse_expr, parse_expr_str, print_expr,
};

use super::model::errors;
use super::rows::World;
use super::time;
use super::tree::{folded, map, nowhere, walk};
use crate::stop::Stop;

/// A column that the request asks for.
pub(super) struct Column {
    /// What.
    pub(super) expr: Expr,
    /// The name that is asked for.
    alias: Option<String>,
    /// The leaf name: the field's or metric's own, with a grain behind it.
    leaf: Option<String>,
    /// The name with the dataset before it, of fields.
    qualified: Option<String>,
}

/// Reads the request of a case.
pub(super) fn read_request(text: &str) -> Result<Request, Stop> {
    let (request, diagnostics) = parse_request(SourceId(1), text);
    let codes = errors(&diagnostics);
    match request {
        Some(request) if codes.is_empty() => Ok(request),
        _ if codes.is_empty() => Err(Stop::Refused(vec!["E_PARSE"])),
        _ => Err(Stop::Refused(codes)),
    }
}

/// A text as an expression.
pub(super) fn expression(text: &Text, request: &Request) -> Result<Expr, Stop> {
    let (expr, diagnostics) = parse_expr(text);
    match expr {
        Some(expr) => with_params(&folded(&expr)?, request),
        None => Err(Stop::Refused(errors(&diagnostics))),
    }
}

/// The values of parameters in their places; in a window they may not stand, which its own check says.
fn with_params(expr: &Expr, request: &Request) -> Result<Expr, Stop> {
    let mut has_window = false;
    walk(expr, &mut |part| {
        has_window |= matches!(&*part.kind, ExprKind::Call(call) if call.over.is_some());
        true
    });
    if has_window {
        return Ok(expr.clone());
    }
    map(expr, &mut |part| {
        let ExprKind::Parameter(name) = &*part.kind else { return Ok(None) };
        let value = request.params.iter().find(|(param, _)| param.value == *name);
        let Some((_, value)) = value else { return Err(Stop::Unknown(format!("the parameter {name}"))) };
        let literal = match &value.value {
            ParamValue::Null => Literal::Null,
            ParamValue::Boolean(truth) => Literal::Boolean(*truth),
            ParamValue::String(text) => Literal::String(text.clone()),
            ParamValue::Number(digits) if digits.contains(['e', 'E', '-', '+']) => {
                return Err(Stop::Unknown(format!("the parameter {digits}")));
            }
            ParamValue::Number(digits) if digits.contains('.') => Literal::Decimal(digits.clone()),
            ParamValue::Number(digits) => Literal::Integer(digits.clone()),
        };
        Ok(Some(Expr::new(ExprKind::Literal(literal), nowhere())))
    })
}

/// An entry's expression, with the field and grain where it is a time cut down.
pub(super) fn entry_expression(
    entry: &EntryExpr,
    request: &Request,
) -> Result<(Expr, Option<(Expr, String)>), Stop> {
    let (field, grain) = match entry {
        EntryExpr::Grain { field, grain } => (expression(field, request)?, grain.value.clone()),
        EntryExpr::Text(text) => match time::short_form(&text.value) {
            None => {
                let expr = expression(text, request)?;
                // `metric_time__month` is a name of its own.
                return Ok((expr, None));
            }
            Some((name, grain)) => {
                let (expr, diagnostics) = parse_expr_str(name, SourceId(1));
                let Some(expr) = expr else { return Err(Stop::Refused(errors(&diagnostics))) };
                (folded(&expr)?, grain.to_string())
            }
        },
    };
    Ok((time::cut(&field, &grain)?, Some((field, grain))))
}

/// An entry as a column.
pub(super) fn column(world: &World<'_>, entry: &Entry, request: &Request) -> Result<Column, Stop> {
    let (expr, cut) = entry_expression(&entry.expr, request)?;
    let (named, grain) = match &cut {
        Some((field, grain)) => (field, format!("__{}", grain.to_lowercase())),
        None => (&expr, String::new()),
    };
    let (mut leaf, mut qualified) = (None, None);
    if let ExprKind::Name(parts) = &*named.kind {
        match parts.as_slice() {
            [one] => {
                let metric = world.model.metric(&one.value.text);
                let name = metric.map_or(&one.value.text, |metric| &world.model.metrics[metric].written);
                leaf = Some(format!("{name}{grain}"));
            }
            [dataset, field] => {
                if let Some((dataset, field)) = world.model.field(&dataset.value.text, &field.value.text) {
                    let dataset = &world.model.datasets[dataset];
                    let field = &dataset.fields[field].written;
                    leaf = Some(format!("{field}{grain}"));
                    qualified = Some(format!("{}_{field}{grain}", dataset.written));
                }
            }
            _ => {}
        }
    }
    Ok(Column { expr, alias: entry.alias.as_ref().map(|alias| alias.value.clone()), leaf, qualified })
}

/// The columns' names: the alias, else the leaf name, else where two are equal the name with the dataset.
pub(super) fn names(columns: &[Column]) -> Result<Vec<String>, Stop> {
    let first: Vec<String> = columns
        .iter()
        .map(|one| one.alias.clone().or(one.leaf.clone()).unwrap_or_else(|| print_expr(&one.expr)))
        .collect();
    let is_twice = |names: &[String], name: &String| {
        names.iter().filter(|other| other.to_lowercase() == name.to_lowercase()).count() > 1
    };
    let pick = |(column, name): (&Column, &String)| match (&column.alias, &column.qualified) {
        (None, Some(qualified)) if is_twice(&first, name) => qualified.clone(),
        _ => name.clone(),
    };
    let picked: Vec<String> = columns.iter().zip(&first).map(pick).collect();
    if picked.iter().any(|name| is_twice(&picked, name)) {
        return Err(Stop::Refused(vec!["E_NAME_COLLISION"]));
    }
    Ok(picked)
}

/// The columns' names put in place of aliases, in `having` and `order_by`. A metric of that name comes first.
pub(super) fn without_aliases(world: &World<'_>, expr: &Expr, columns: &[Column]) -> Result<Expr, Stop> {
    map(expr, &mut |part| {
        let ExprKind::Name(parts) = &*part.kind else { return Ok(None) };
        let [one] = parts.as_slice() else { return Ok(None) };
        let name = &one.value.text;
        let is_alias = |column: &&Column| {
            column.alias.as_ref().is_some_and(|alias| alias.to_lowercase() == name.to_lowercase())
        };
        match (columns.iter().find(is_alias), world.model.metric(name)) {
            (Some(column), None) => Ok(Some(column.expr.clone())),
            (Some(column), Some(_)) if column.expr != *part => {
                Err(Stop::Open("an alias that is a metric's name too".into()))
            }
            _ => Ok(None),
        }
    })
}

/// A sort key's expression. `ordered_at:month` and a column's own name mean a column of the answer.
pub(super) fn sort_expression(
    world: &World<'_>,
    key: &EntryExpr,
    columns: &[Column],
    request: &Request,
) -> Result<(Expr, bool), Stop> {
    if let EntryExpr::Text(text) = key {
        let leaf = time::short_form(&text.value).map(|(name, grain)| format!("{name}__{grain}"));
        let wanted = leaf.as_ref().unwrap_or(&text.value).trim().to_lowercase();
        let is_leaf = |column: &&Column| {
            column.leaf.as_ref().is_some_and(|leaf| leaf.to_lowercase() == wanted)
                || column.qualified.as_ref().is_some_and(|name| name.to_lowercase() == wanted)
        };
        let is_alias =
            |column: &&Column| column.alias.as_ref().is_some_and(|alias| alias.to_lowercase() == wanted);
        let is_metric = world.model.metric(&wanted).is_some();
        if !is_metric && !columns.iter().any(|column| is_alias(&column)) {
            let mut named = columns.iter().filter(is_leaf);
            match (named.next(), named.next()) {
                (Some(column), None) => return Ok((column.expr.clone(), leaf.is_none())),
                (Some(_), Some(_)) => return Err(Stop::Open("a name of two columns".into())),
                _ => {}
            }
        }
    }
    let (expr, _) = entry_expression(key, request)?;
    Ok((without_aliases(world, &expr, columns)?, false))
}

/// `start <= dimension < end` as predicates.
pub(super) fn range(range: &TimeRange, request: &Request) -> Result<Vec<Expr>, Stop> {
    let (dimension, _) = entry_expression(&EntryExpr::Text(range.dimension.clone()), request)?;
    let bounds = [(BinaryOp::GreaterEqual, &range.start), (BinaryOp::Less, &range.end)];
    let mut predicates = Vec::new();
    for (op, bound) in bounds {
        let Some(bound) = bound else { continue };
        let right = Expr::new(ExprKind::Literal(moment(&bound.value)?), nowhere());
        let left = dimension.clone();
        predicates.push(Expr::new(ExprKind::Binary { op, left, right }, nowhere()));
    }
    Ok(predicates)
}

/// A day or a moment as written in a bound.
fn moment(text: &str) -> Result<Literal, Stop> {
    let shape: String = text.chars().map(|one| if one.is_ascii_digit() { '9' } else { one }).collect();
    match shape.as_str() {
        "9999-99-99" => Ok(Literal::Date(text.to_string())),
        "9999-99-99 99:99:99" | "9999-99-99T99:99:99" => Ok(Literal::Timestamp(text.replace('T', " "))),
        _ => Err(Stop::Unknown(format!("the bound {text}"))),
    }
}
