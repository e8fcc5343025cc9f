//! The short ways to make a typed expression. In: its parts, type and class. Out: a node.

use crate::data_type::{DataType, Exactness};
use crate::expr::{Expr, ExprKind, Literal};
use crate::function::{Function, Scalar};

impl<R> Expr<R> {
    /// A node with its type and class.
    pub fn new(kind: ExprKind<R>, data_type: DataType, exactness: Exactness) -> Self {
        Expr { kind: Box::new(kind), data_type, exactness }
    }

    /// A leaf.
    pub fn reference(to: R, data_type: DataType, exactness: Exactness) -> Self {
        Expr::new(ExprKind::Reference(to), data_type, exactness)
    }

    /// A constant; all constants are exact.
    pub fn constant(literal: Literal, data_type: DataType) -> Self {
        Expr::new(ExprKind::Literal(literal), data_type, Exactness::Exact)
    }

    /// A whole number as Int64.
    pub fn integer(value: i64) -> Self {
        Expr::constant(Literal::Integer(value.to_string()), DataType::Int64)
    }

    /// A call of a scalar function.
    pub fn call(function: Scalar, arguments: Vec<Self>, data_type: DataType, exactness: Exactness) -> Self {
        Expr::new(ExprKind::Call { function: Function::Scalar(function), arguments }, data_type, exactness)
    }
}
