//! Expressions over rows that windows see together. In: an expression, rows (of a home, or groups). Out: a value for each row.

use unisono_compiler::source::Spanned;
use unisono_compiler::syntax::expr::{Call, Expr, ExprKind, Ident};

use super::tree::{made_up, map, read_made_up};
use crate::expr::{self, Row};
use crate::stop::Stop;
use crate::value::Value;

/// A window with its value in each row.
pub(super) type Known = (Call, Vec<Value>);

/// An expression for each row; its windows run over exactly these rows, but for those whose values are known.
pub(super) fn evaluate_all(expr: &Expr, rows: &[&dyn Row], known: &[Known]) -> Result<Vec<Value>, Stop> {
    let mut calls: Vec<Call> = Vec::new();
    let over_windows = map(expr, &mut |part| match &*part.kind {
        ExprKind::Call(call) if call.over.is_some() => {
            calls.push((**call).clone());
            Ok(Some(made_up("window", calls.len() - 1)))
        }
        _ => Ok(None),
    })?;
    let windows: Vec<Vec<Value>> = calls
        .iter()
        .map(|call| match known.iter().find(|(window, _)| window == call) {
            Some((_, values)) => Ok(values.clone()),
            None => expr::window(call, rows),
        })
        .collect::<Result<_, _>>()?;
    rows.iter()
        .enumerate()
        .map(|(number, row)| {
            let windows = windows.iter().map(|values| values[number].clone()).collect();
            expr::evaluate(&over_windows, &WithWindows { row: *row, windows })
        })
        .collect()
}

/// A row beside the values of its windows.
struct WithWindows<'r> {
    row: &'r dyn Row,
    windows: Vec<Value>,
}

impl Row for WithWindows<'_> {
    fn name(&self, parts: &[Spanned<Ident>]) -> Result<Value, Stop> {
        match read_made_up(parts) {
            Some(("window", number)) => {
                let value = self.windows.get(number).cloned();
                value.ok_or_else(|| Stop::Unknown("a window that was not computed".into()))
            }
            _ => self.row.name(parts),
        }
    }

    fn wide(&self, parts: &[Spanned<Ident>]) -> bool {
        // A window may be a sum of decimals or not; which one would need its type.
        matches!(read_made_up(parts), Some(("window", _))) || self.row.wide(parts)
    }

    fn call(&self, _call: &Call) -> Option<Result<Value, Stop>> {
        None
    }
}
