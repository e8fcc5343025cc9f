//! Walking an expression as written: the names and parameters that it mentions.

use crate::source::Spanned;
use crate::syntax::expr::{Arguments, Call, Expr, ExprKind, FrameBound, Ident, OrderItem};

/// Calls `found` for every name of the tree, left to right.
pub fn for_each_name(expr: &Expr, found: &mut dyn FnMut(&[Spanned<Ident>])) {
    for_each_leaf(expr, &mut |leaf| {
        if let ExprKind::Name(parts) = leaf {
            found(parts);
        }
    });
}

/// Calls `found` for every parameter of the tree, left to right.
pub fn for_each_parameter(expr: &Expr, found: &mut dyn FnMut(&str)) {
    for_each_leaf(expr, &mut |leaf| {
        if let ExprKind::Parameter(name) = leaf {
            found(name);
        }
    });
}

/// Depth is bounded by the parser.
fn for_each_leaf(expr: &Expr, found: &mut dyn FnMut(&ExprKind)) {
    match &*expr.kind {
        leaf @ (ExprKind::Name(_)
        | ExprKind::Literal(_)
        | ExprKind::Parameter(_)
        | ExprKind::Interval { .. }) => found(leaf),
        ExprKind::Unary { op: _, operand }
        | ExprKind::IsNull { operand, negated: _ }
        | ExprKind::Cast { operand, to: _, tolerant: _ }
        | ExprKind::Extract { part: _, operand } => for_each_leaf(operand, found),
        ExprKind::Binary { op: _, left, right } | ExprKind::IsDistinct { left, right, negated: _ } => {
            for_each_leaf(left, found);
            for_each_leaf(right, found);
        }
        ExprKind::Between { operand, low, high, negated: _ } => {
            for part in [operand, low, high] {
                for_each_leaf(part, found);
            }
        }
        ExprKind::InList { operand, list, negated: _ } => {
            for part in std::iter::once(operand).chain(list) {
                for_each_leaf(part, found);
            }
        }
        ExprKind::Like { operand, pattern, negated: _, any_case: _ } => {
            for_each_leaf(operand, found);
            for_each_leaf(pattern, found);
        }
        ExprKind::Case { operand, branches, otherwise } => {
            let branches = branches.iter().flat_map(|(when, then)| [when, then]);
            for part in operand.iter().chain(branches).chain(otherwise) {
                for_each_leaf(part, found);
            }
        }
        ExprKind::Position { needle, haystack } => {
            for_each_leaf(needle, found);
            for_each_leaf(haystack, found);
        }
        ExprKind::Trim { side: _, character, operand } => {
            for part in character.iter().chain([operand]) {
                for_each_leaf(part, found);
            }
        }
        ExprKind::Call(call) => for_each_leaf_of_call(call, found),
    }
}

fn for_each_leaf_of_call(call: &Call, found: &mut dyn FnMut(&ExprKind)) {
    if let Arguments::List(list) = &call.arguments {
        for argument in list {
            for_each_leaf(argument, found);
        }
    }
    let order = |items: &[OrderItem], found: &mut dyn FnMut(&ExprKind)| {
        for item in items {
            for_each_leaf(&item.expr, found);
        }
    };
    order(&call.order_by, found);
    order(&call.within_group, found);
    if let Some(filter) = &call.filter {
        for_each_leaf(filter, found);
    }
    if let Some(over) = &call.over {
        for part in &over.partition_by {
            for_each_leaf(part, found);
        }
        order(&over.order_by, found);
        if let Some(frame) = &over.frame {
            for bound in [&frame.value.start, &frame.value.end] {
                if let FrameBound::Preceding(offset) | FrameBound::Following(offset) = bound {
                    for_each_leaf(offset, found);
                }
            }
        }
    }
}
