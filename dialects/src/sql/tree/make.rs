//! Short builders of SQL expressions. In: parts. Out: nodes.

use super::{Call, Expr, NullTreatment, Operator, Type};

/// NULL.
pub(crate) const NULL: Expr = Expr::Word("NULL");

/// A number.
pub(crate) fn number(text: impl std::fmt::Display) -> Expr {
    Expr::Number(format!("{text}"))
}

/// A string literal.
pub(crate) fn text(text: impl Into<String>) -> Expr {
    Expr::Text(text.into())
}

/// A plain call.
pub(crate) fn call(name: &'static str, arguments: Vec<Expr>) -> Expr {
    Expr::Call(Box::new(plain_call(name, arguments)))
}

/// A call to add clauses to.
pub(crate) fn plain_call(name: &'static str, arguments: Vec<Expr>) -> Call {
    Call {
        name,
        distinct: false,
        arguments,
        order_by: Vec::new(),
        separator: None,
        nulls: NullTreatment::Respect,
        over: None,
    }
}

/// An operator between two operands.
pub(crate) fn binary(left: Expr, operator: Operator, right: Expr) -> Expr {
    Expr::Binary { left: Box::new(left), operator, right: Box::new(right) }
}

/// CAST.
pub(crate) fn cast(operand: Expr, to: Type) -> Expr {
    Expr::Cast { word: "CAST", operand: Box::new(operand), to }
}

/// TRY_CAST.
pub(crate) fn try_cast(operand: Expr, to: Type) -> Expr {
    Expr::Cast { word: "TRY_CAST", operand: Box::new(operand), to }
}

/// `x IS NULL`.
pub(crate) fn is_null(operand: Expr) -> Expr {
    Expr::IsNull { operand: Box::new(operand), negated: false }
}

/// `x IS NOT NULL`.
pub(crate) fn is_not_null(operand: Expr) -> Expr {
    Expr::IsNull { operand: Box::new(operand), negated: true }
}

/// `CASE WHEN condition THEN value END`.
pub(crate) fn when(condition: Expr, value: Expr) -> Expr {
    Expr::Case { branches: vec![(condition, value)], otherwise: None }
}

/// `CASE WHEN condition THEN value ELSE otherwise END`.
pub(crate) fn when_else(condition: Expr, value: Expr, otherwise: Expr) -> Expr {
    Expr::Case { branches: vec![(condition, value)], otherwise: Some(Box::new(otherwise)) }
}

/// `name(first word second)`.
pub(crate) fn phrase(name: &'static str, first: Expr, word: &'static str, second: Expr) -> Expr {
    Expr::Phrase { name, lead: None, first: Box::new(first), word, second: Box::new(second) }
}

/// All of several conditions, or any of them; at least one.
pub(crate) fn chain(operator: Operator, parts: Vec<Expr>) -> Expr {
    let mut parts = parts.into_iter();
    match parts.next() {
        Some(first) => parts.fold(first, |all, part| binary(all, operator, part)),
        None => Expr::Word("TRUE"),
    }
}
