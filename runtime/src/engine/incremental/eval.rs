//! Expressions over rows. In: an expression of a plan, once, and then row after row. Out: the value of each row, or
//! why it has none. The meaning of each node is docs/semantics.md's, sections 6 to 9.

use super::{Fault, Value};
use unisono_compiler::expr::{Expr, ExprKind};
use unisono_compiler::plan::SlotExpr;

/// An expression whose constants are read and whose slots are places in a row.
#[derive(Debug)]
pub struct Prepared(Step);

#[derive(Debug)]
enum Step {
    Column(usize),
    Unknown(String),
}

/// Reads an expression. `place` says in which column of the row the value of a node stands already: it must know every
/// reference, and may know whole nodes that were computed before, as windows and aggregates are.
pub fn prepare(expr: &SlotExpr, place: &dyn Fn(&SlotExpr) -> Option<usize>) -> Result<Prepared, Fault> {
    match place(expr) {
        Some(column) => Ok(Prepared(Step::Column(column))),
        None => Ok(Prepared(Step::Unknown(name(expr)))),
    }
}

impl Prepared {
    /// The value for a row.
    pub fn eval(&self, row: &[Value]) -> Result<Value, Fault> {
        match &self.0 {
            Step::Column(column) => {
                row.get(*column).cloned().ok_or_else(|| Fault::Plan(format!("a row without column {column}")))
            }
            Step::Unknown(name) => Err(Fault::Unsupported(name.clone())),
        }
    }

    /// Whether a predicate keeps a row.
    pub fn holds(&self, row: &[Value]) -> Result<bool, Fault> {
        Ok(self.eval(row)?.is_true())
    }
}

/// A node in words.
fn name<R>(expr: &Expr<R>) -> String {
    match &*expr.kind {
        ExprKind::Literal(_) => "literal".to_string(),
        ExprKind::Reference(_) => "reference".to_string(),
        ExprKind::Call { function, arguments: _ } => function.name(),
        ExprKind::Case { .. } => "CASE".to_string(),
        ExprKind::InList { .. } => "IN".to_string(),
        ExprKind::Cast { .. } => "CAST".to_string(),
        ExprKind::Aggregate(aggregate) => aggregate.function.name().to_string(),
        ExprKind::Window(window) => window.function.name().to_string(),
    }
}
