//! Expressions over rows. In: an expression of a plan, once, and then row after row. Out: the value of each row, or
//! why it has none. The meaning of each node is docs/semantics.md's, sections 6 to 9.

mod arithmetic;
mod cast;
mod compare;
mod decimal;
mod literal;
mod math;
mod pattern;
mod scalar;
mod temporal;
#[cfg(test)]
mod tests;
mod text;

use regex::Regex;
use unisono_compiler::data_type::DataType;
use unisono_compiler::expr::{Expr, ExprKind};
use unisono_compiler::function::{Function, Scalar};
use unisono_compiler::plan::SlotExpr;

use super::{Fault, Value};
use cast::cast;
use compare::equal;
use pattern::Search;

pub(super) use decimal::print as print_decimal;

/// An expression whose constants are read and whose slots are places in a row.
#[derive(Clone, Debug)]
pub struct Prepared(Step);

#[derive(Clone, Debug)]
enum Step {
    Constant(Value),
    Column(usize),
    Call { function: Function, arguments: Vec<Step>, to: DataType },
    Pattern { search: Search, regex: Regex, arguments: Vec<Step> },
    Case { branches: Vec<(Step, Step)>, otherwise: Option<Box<Step>> },
    InList { operand: Box<Step>, list: Vec<Step>, negated: bool },
    Cast { operand: Box<Step>, to: DataType },
}

/// Reads an expression. `place` says in which column of the row the value of a node stands already: it must know every
/// reference, and may know whole nodes that were computed before, as windows and aggregates are.
pub fn prepare(expr: &SlotExpr, place: &dyn Fn(&SlotExpr) -> Option<usize>) -> Result<Prepared, Fault> {
    step(expr, place).map(Prepared)
}

impl Prepared {
    /// The value for a row.
    pub fn eval(&self, row: &[Value]) -> Result<Value, Fault> {
        self.0.eval(row)
    }

    /// Whether a predicate keeps a row.
    pub fn holds(&self, row: &[Value]) -> Result<bool, Fault> {
        Ok(self.eval(row)?.is_true())
    }
}

fn step(expr: &SlotExpr, place: &dyn Fn(&SlotExpr) -> Option<usize>) -> Result<Step, Fault> {
    if let Some(column) = place(expr) {
        return Ok(Step::Column(column));
    }
    let all = |exprs: &[SlotExpr]| exprs.iter().map(|expr| step(expr, place)).collect::<Result<Vec<_>, _>>();
    Ok(match &*expr.kind {
        ExprKind::Literal(literal) => Step::Constant(literal::read(literal, expr.data_type)?),
        ExprKind::Reference(slot) => return Err(Fault::Plan(format!("{slot:?} is in no input"))),
        ExprKind::Call { function, arguments } => match pattern::of(*function, arguments)? {
            Some((search, regex)) => Step::Pattern { search, regex, arguments: all(arguments)? },
            None => Step::Call { function: *function, arguments: all(arguments)?, to: expr.data_type },
        },
        ExprKind::Case { branches, otherwise } => Step::Case {
            branches: branches
                .iter()
                .map(|(when, then)| Ok((step(when, place)?, step(then, place)?)))
                .collect::<Result<_, Fault>>()?,
            otherwise: otherwise.as_ref().map(|expr| step(expr, place)).transpose()?.map(Box::new),
        },
        ExprKind::InList { operand, list, negated } => {
            Step::InList { operand: Box::new(step(operand, place)?), list: all(list)?, negated: *negated }
        }
        ExprKind::Cast { operand } => {
            Step::Cast { operand: Box::new(step(operand, place)?), to: expr.data_type }
        }
        ExprKind::Aggregate(aggregate) => {
            return Err(Fault::Unsupported(format!(
                "{} inside a row's expression",
                aggregate.function.name()
            )));
        }
        ExprKind::Window(window) => {
            return Err(Fault::Unsupported(format!(
                "window {} inside a row's expression",
                window.function.name()
            )));
        }
    })
}

impl Step {
    fn eval(&self, row: &[Value]) -> Result<Value, Fault> {
        match self {
            Step::Constant(value) => Ok(value.clone()),
            Step::Column(column) => {
                row.get(*column).cloned().ok_or_else(|| Fault::Plan(format!("a row has no column {column}")))
            }
            Step::Call { function, arguments, to } => call(*function, arguments, *to, row),
            Step::Pattern { search, regex, arguments } => {
                pattern::apply(*search, regex, &values(arguments, row)?)
            }
            Step::Case { branches, otherwise } => {
                for (when, then) in branches {
                    if when.eval(row)?.is_true() {
                        return then.eval(row);
                    }
                }
                otherwise.as_ref().map_or(Ok(Value::Null), |step| step.eval(row))
            }
            Step::InList { operand, list, negated } => in_list(&operand.eval(row)?, list, *negated, row),
            Step::Cast { operand, to } => cast(&operand.eval(row)?, *to),
        }
    }
}

fn values(steps: &[Step], row: &[Value]) -> Result<Vec<Value>, Fault> {
    steps.iter().map(|step| step.eval(row)).collect()
}

fn call(function: Function, arguments: &[Step], to: DataType, row: &[Value]) -> Result<Value, Fault> {
    match function {
        Function::Scalar(Scalar::And) => logic(arguments, row, false),
        Function::Scalar(Scalar::Or) => logic(arguments, row, true),
        Function::Scalar(Scalar::Coalesce) => {
            for argument in arguments {
                let value = argument.eval(row)?;
                if !value.is_null() {
                    return Ok(value);
                }
            }
            Ok(Value::Null)
        }
        Function::Scalar(function) => scalar::call(function, &values(arguments, row)?, to),
        Function::DateTrunc(_) | Function::Extract(_) | Function::DateAdd(_) | Function::DateDiff(_) => {
            temporal::call(function, &values(arguments, row)?)
        }
    }
}

/// AND and OR: one `decisive` value decides, else one UNKNOWN leaves it open. What follows the decisive one is not
/// looked at.
fn logic(arguments: &[Step], row: &[Value], decisive: bool) -> Result<Value, Fault> {
    let mut known = true;
    for argument in arguments {
        match argument.eval(row)? {
            Value::Boolean(value) if value == decisive => return Ok(Value::Boolean(decisive)),
            Value::Boolean(_) => {}
            Value::Null => known = false,
            other => return Err(Fault::Plan(format!("{other:?} is no Boolean"))),
        }
    }
    Ok(if known { Value::Boolean(!decisive) } else { Value::Null })
}

fn in_list(operand: &Value, list: &[Step], negated: bool, row: &[Value]) -> Result<Value, Fault> {
    if operand.is_null() {
        return Ok(Value::Null);
    }
    let mut known = true;
    for item in list {
        match equal(operand, &item.eval(row)?)? {
            Some(true) => return Ok(Value::Boolean(!negated)),
            Some(false) => {}
            None => known = false,
        }
    }
    Ok(if known { Value::Boolean(negated) } else { Value::Null })
}

/// The literal text of an argument.
fn literal_text<R>(expr: &Expr<R>) -> Option<&str> {
    match &*expr.kind {
        ExprKind::Literal(unisono_compiler::expr::Literal::String(text)) => Some(text),
        ExprKind::Literal(_)
        | ExprKind::Reference(_)
        | ExprKind::Call { .. }
        | ExprKind::Case { .. }
        | ExprKind::InList { .. }
        | ExprKind::Cast { .. }
        | ExprKind::Aggregate(_)
        | ExprKind::Window(_) => None,
    }
}
