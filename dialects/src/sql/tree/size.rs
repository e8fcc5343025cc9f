//! How large a tree is. In: an expression. Out: the number of its nodes.

use super::{Expr, OrderKey, Over};

/// The number of nodes. Without recursion: a tree may be higher than the expression that it says.
pub(crate) fn size(expr: &Expr) -> usize {
    let mut open = vec![expr];
    let mut count = 0;
    while let Some(at) = open.pop() {
        count += 1;
        add_parts(at, &mut open);
    }
    count
}

fn add_parts<'e>(expr: &'e Expr, open: &mut Vec<&'e Expr>) {
    match expr {
        Expr::Column { .. } | Expr::Number(_) | Expr::Text(_) | Expr::Typed { .. } | Expr::Word(_) => {}
        Expr::Call(call) => {
            open.extend(&call.arguments);
            add_keys(&call.order_by, open);
            open.extend(&call.separator);
            if let Some(Over { partition_by, order_by, frame: _ }) = &call.over {
                open.extend(partition_by);
                add_keys(order_by, open);
            }
        }
        Expr::Phrase { first, second, .. } => open.extend([&**first, &**second]),
        Expr::Binary { left, right, operator: _ } => open.extend([&**left, &**right]),
        Expr::Negative(operand)
        | Expr::Not(operand)
        | Expr::IsNull { operand, negated: _ }
        | Expr::Cast { operand, word: _, to: _ }
        | Expr::Interval { amount: operand, unit: _ }
        | Expr::Element { operand, index: _ } => open.push(operand),
        Expr::Case { branches, otherwise } => {
            open.extend(branches.iter().flat_map(|(when, then)| [when, then]));
            open.extend(otherwise.as_deref());
        }
        Expr::InList { operand, list, negated: _ } => {
            open.push(operand);
            open.extend(list);
        }
        Expr::Tuple(parts) => open.extend(parts),
    }
}

fn add_keys<'e>(keys: &'e [OrderKey], open: &mut Vec<&'e Expr>) {
    open.extend(keys.iter().map(|key| &key.expr));
}
