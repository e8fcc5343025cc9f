//! Equality that holds between NULLs, as joins of grouped rows need it: IS NOT DISTINCT FROM, or `<=>` where that does not exist.
//! In: two operands. Out: the comparison, always in parentheses (docs/semantics.md, functions).

use crate::capabilities::NullSafeEquality;
use crate::sql::tree::{Expr, Operator, binary};

/// `left` and `right` are equal or both NULL.
pub(crate) fn equal(style: NullSafeEquality, left: Expr, right: Expr) -> Expr {
    let operator = match style {
        NullSafeEquality::IsNotDistinctFrom => Operator::IsNotDistinctFrom,
        NullSafeEquality::Spaceship => Operator::NullSafeEqual,
    };
    binary(left, operator, right)
}

/// `left` and `right` differ, or one of them is NULL.
pub(crate) fn distinct(style: NullSafeEquality, left: Expr, right: Expr) -> Expr {
    match style {
        NullSafeEquality::IsNotDistinctFrom => binary(left, Operator::IsDistinctFrom, right),
        NullSafeEquality::Spaceship => Expr::Not(Box::new(equal(style, left, right))),
    }
}
