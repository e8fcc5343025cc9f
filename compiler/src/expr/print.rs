//! Prints a typed expression for people: plans, `explain`, messages. Not SQL of any target.

use std::fmt::Write;

use crate::expr::{Aggregate, Expr, ExprKind, Frame, FrameBound, FrameMode, Literal, OrderKey, Window};
use crate::function::{Function, Scalar};

/// Prints an expression; `name` prints its leaves. Every nested operation is in parentheses.
pub fn print_typed<R>(expr: &Expr<R>, name: &dyn Fn(&R) -> String) -> String {
    match &*expr.kind {
        ExprKind::Literal(literal) => print_literal(literal),
        ExprKind::Reference(reference) => name(reference),
        ExprKind::Call { function, arguments } => print_call(*function, arguments, name),
        ExprKind::Case { branches, otherwise } => {
            let mut text = "CASE".to_string();
            for (when, then) in branches {
                // Writing to a String cannot fail.
                let _ = write!(text, " WHEN {} THEN {}", print_typed(when, name), print_typed(then, name));
            }
            if let Some(otherwise) = otherwise {
                let _ = write!(text, " ELSE {}", print_typed(otherwise, name));
            }
            text + " END"
        }
        ExprKind::InList { operand, list, negated } => {
            let not = if *negated { "NOT " } else { "" };
            format!("({} {not}IN ({}))", print_typed(operand, name), print_list(list, name))
        }
        ExprKind::Cast { operand } => format!("CAST({} AS {})", print_typed(operand, name), expr.data_type),
        ExprKind::Aggregate(aggregate) => print_aggregate(aggregate, name),
        ExprKind::Window(window) => print_window(window, name),
    }
}

/// Prints an aggregate.
pub fn print_aggregate<R>(aggregate: &Aggregate<R>, name: &dyn Fn(&R) -> String) -> String {
    if aggregate.arguments.is_empty() {
        return aggregate.function.name().to_string();
    }
    let distinct = if aggregate.distinct { "DISTINCT " } else { "" };
    let order = if aggregate.order_by.is_empty() {
        String::new()
    } else {
        format!(" ORDER BY {}", print_order(&aggregate.order_by, name))
    };
    format!("{}({distinct}{}{order})", aggregate.function.name(), print_list(&aggregate.arguments, name))
}

/// Prints an order.
pub fn print_order<R>(keys: &[OrderKey<R>], name: &dyn Fn(&R) -> String) -> String {
    let keys: Vec<String> = keys
        .iter()
        .map(|key| format!("{} {}", print_typed(&key.expr, name), direction(key.descending, key.nulls_first)))
        .collect();
    keys.join(", ")
}

/// The direction of a key with its null order.
pub(crate) fn direction(descending: bool, nulls_first: bool) -> &'static str {
    match (descending, nulls_first) {
        (false, false) => "ASC NULLS LAST",
        (false, true) => "ASC NULLS FIRST",
        (true, false) => "DESC NULLS LAST",
        (true, true) => "DESC NULLS FIRST",
    }
}

fn print_list<R>(exprs: &[Expr<R>], name: &dyn Fn(&R) -> String) -> String {
    exprs.iter().map(|expr| print_typed(expr, name)).collect::<Vec<_>>().join(", ")
}

fn print_call<R>(function: Function, arguments: &[Expr<R>], name: &dyn Fn(&R) -> String) -> String {
    let is_infix = matches!(
        function,
        Function::Scalar(
            Scalar::Add
                | Scalar::Subtract
                | Scalar::Multiply
                | Scalar::Divide
                | Scalar::Modulo
                | Scalar::Equal
                | Scalar::NotEqual
                | Scalar::Less
                | Scalar::LessEqual
                | Scalar::Greater
                | Scalar::GreaterEqual
                | Scalar::IsDistinctFrom
                | Scalar::IsNotDistinctFrom
                | Scalar::And
                | Scalar::Or
                | Scalar::Like
                | Scalar::ILike
        )
    );
    match (function, arguments) {
        (_, [left, right]) if is_infix => {
            format!("({} {} {})", print_typed(left, name), function.name(), print_typed(right, name))
        }
        (Function::Scalar(Scalar::IsNull | Scalar::IsNotNull), [operand]) => {
            format!("({} {})", print_typed(operand, name), function.name())
        }
        (Function::Scalar(Scalar::Not), [operand]) => format!("(NOT {})", print_typed(operand, name)),
        (
            Function::Scalar(_)
            | Function::DateTrunc(_)
            | Function::Extract(_)
            | Function::DateAdd(_)
            | Function::DateDiff(_),
            _,
        ) => format!("{}({})", function.name(), print_list(arguments, name)),
    }
}

fn print_literal(literal: &Literal) -> String {
    match literal {
        Literal::Null => "NULL".to_string(),
        Literal::Boolean(true) => "TRUE".to_string(),
        Literal::Boolean(false) => "FALSE".to_string(),
        Literal::Integer(digits) | Literal::Decimal(digits) | Literal::Float(digits) => digits.clone(),
        Literal::String(text) => format!("'{}'", text.replace('\'', "''")),
        Literal::Date(text) => format!("DATE '{text}'"),
        Literal::Time(text) => format!("TIME '{text}'"),
        Literal::Timestamp(text) => format!("TIMESTAMP '{text}'"),
    }
}

fn print_window<R>(window: &Window<R>, name: &dyn Fn(&R) -> String) -> String {
    let mut over = Vec::new();
    if !window.partition_by.is_empty() {
        over.push(format!("PARTITION BY {}", print_list(&window.partition_by, name)));
    }
    if !window.order_by.is_empty() {
        over.push(format!("ORDER BY {}", print_order(&window.order_by, name)));
    }
    if let Some(frame) = window.frame {
        over.push(print_frame(frame));
    }
    let ignore = if window.ignore_nulls { " IGNORE NULLS" } else { "" };
    let arguments = print_list(&window.arguments, name);
    format!("{}({arguments}){ignore} OVER ({})", window.function.name(), over.join(" "))
}

fn print_frame(frame: Frame) -> String {
    let mode = match frame.mode {
        FrameMode::Rows => "ROWS",
        FrameMode::Range => "RANGE",
    };
    let bound = |bound: FrameBound| match bound {
        FrameBound::UnboundedPreceding => "UNBOUNDED PRECEDING".to_string(),
        FrameBound::Preceding(rows) => format!("{rows} PRECEDING"),
        FrameBound::CurrentRow => "CURRENT ROW".to_string(),
        FrameBound::Following(rows) => format!("{rows} FOLLOWING"),
        FrameBound::UnboundedFollowing => "UNBOUNDED FOLLOWING".to_string(),
    };
    format!("{mode} BETWEEN {} AND {}", bound(frame.start), bound(frame.end))
}
