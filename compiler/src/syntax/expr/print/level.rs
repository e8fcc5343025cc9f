//! How tightly each form of an expression binds.
//! In: a node. Out: its level, and the weakest levels that may stand beside an operator.

use crate::syntax::expr::tree::{BinaryOp, ExprKind, UnaryOp};

/// How tightly a form binds, weakest first; what stands inside brackets of its own is `Operand`.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Level {
    Or,
    And,
    Not,
    Comparison,
    Sum,
    Product,
    Signed,
    Operand,
}

/// The level of a form.
pub(super) fn level(kind: &ExprKind) -> Level {
    match kind {
        ExprKind::Binary { op, .. } => binary_level(*op),
        ExprKind::Unary { op: UnaryOp::Not, .. } => Level::Not,
        ExprKind::Unary { op: UnaryOp::Minus | UnaryOp::Plus, .. } => Level::Signed,
        ExprKind::IsNull { .. }
        | ExprKind::IsDistinct { .. }
        | ExprKind::Between { .. }
        | ExprKind::InList { .. }
        | ExprKind::Like { .. } => Level::Comparison,
        ExprKind::Literal(_)
        | ExprKind::Name(_)
        | ExprKind::Parameter(_)
        | ExprKind::Case { .. }
        | ExprKind::Cast { .. }
        | ExprKind::Extract { .. }
        | ExprKind::Position { .. }
        | ExprKind::Trim { .. }
        | ExprKind::Interval { .. }
        | ExprKind::Call(_) => Level::Operand,
    }
}

fn binary_level(op: BinaryOp) -> Level {
    match op {
        BinaryOp::Or => Level::Or,
        BinaryOp::And => Level::And,
        BinaryOp::Equal
        | BinaryOp::NotEqual
        | BinaryOp::Less
        | BinaryOp::LessEqual
        | BinaryOp::Greater
        | BinaryOp::GreaterEqual => Level::Comparison,
        BinaryOp::Add | BinaryOp::Subtract | BinaryOp::Concat => Level::Sum,
        BinaryOp::Multiply | BinaryOp::Divide | BinaryOp::Modulo => Level::Product,
    }
}

/// The weakest levels that may stand left and right without parentheses: comparisons do not chain, the others lean left.
pub(super) fn sides(op: BinaryOp) -> (Level, Level) {
    match binary_level(op) {
        Level::Or => (Level::Or, Level::And),
        Level::And => (Level::And, Level::Not),
        Level::Sum => (Level::Sum, Level::Product),
        Level::Product => (Level::Product, Level::Signed),
        Level::Not | Level::Comparison | Level::Signed | Level::Operand => (Level::Sum, Level::Sum),
    }
}
