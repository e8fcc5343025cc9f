//! -0 where an engine tells it from 0: it becomes 0 wherever a comparison, a divisor or a key looks at it.
//! In: a relation. Out: the same relation, whose floats are `x + 0`, or a CASE where a planner drops that, in these places.
//!
//! A value that is only handed on stays as it is: -0 equals 0 (docs/semantics.md, comparison).

use unisono_compiler::data_type::DataType;
use unisono_compiler::expr::{Expr, ExprKind, Literal};
use unisono_compiler::function::{Function, Scalar};
use unisono_compiler::relation::{Grouping, RelExpr, Relation, Select};

use super::rewrite::{every_select, exprs_mut};
use crate::capabilities::NegativeZero;

/// Makes -0 equal 0 where the target does not.
pub(crate) fn apply(relation: &mut Relation, style: NegativeZero) {
    if style == NegativeZero::EqualsZero {
        return;
    }
    every_select(relation, &mut |select, order, _, _| {
        for expr in exprs_mut(select).chain(order.iter_mut().map(|key| &mut key.expr)) {
            within(expr, style);
        }
        keys(select, style);
        if style != NegativeZero::ApartEverywhere {
            return;
        }
        for key in order {
            match &*key.expr.kind {
                // The key is a column of the answer, so the column itself is made plain.
                ExprKind::Reference(column) if column.alias.is_none() => {
                    for item in select.items.iter_mut().filter(|item| item.name == column.column) {
                        plain(&mut item.expr, style);
                    }
                }
                _ => plain(&mut key.expr, style),
            }
        }
    });
}

/// The keys of a select's groups, rows and joins.
fn keys(select: &mut Select, style: NegativeZero) {
    if let Grouping::Keys(keys) = &mut select.group_by {
        for key in keys.iter_mut().filter(|key| may_be_negative_zero(key)) {
            let items = select.items.iter_mut().map(|item| &mut item.expr);
            for same in items.filter(|expr| **expr == *key) {
                plain(same, style);
            }
            plain(key, style);
        }
    }
    if select.distinct {
        for item in &mut select.items {
            plain(&mut item.expr, style);
        }
    }
    for (left, right) in select.joins.iter_mut().flat_map(|join| &mut join.on) {
        plain(left, style);
        plain(right, style);
    }
}

/// Every node of an expression that looks at floats, innermost first.
fn within(expr: &mut RelExpr, style: NegativeZero) {
    for part in expr.children_mut() {
        within(part, style);
    }
    let everywhere = style == NegativeZero::ApartEverywhere;
    match &mut *expr.kind {
        ExprKind::Call { function, arguments } if everywhere => {
            for looked_at in looked_at(*function, arguments) {
                plain(looked_at, style);
            }
        }
        ExprKind::InList { operand, list, negated } if style == NegativeZero::ApartInKeys => {
            if let Some(said) = compared(operand, list, *negated) {
                *expr = said;
            }
        }
        ExprKind::InList { operand, list, negated: _ } => {
            if list.iter().any(|entry| !is_other_than_zero(entry)) {
                plain(operand, style);
            }
            for entry in list {
                plain(entry, style);
            }
        }
        ExprKind::Aggregate(aggregate) => {
            for key in aggregate.order_by.iter_mut().filter(|_| everywhere) {
                plain(&mut key.expr, style);
            }
            for argument in aggregate.arguments.iter_mut().filter(|_| aggregate.distinct) {
                plain(argument, style);
            }
        }
        ExprKind::Window(window) => {
            for key in &mut window.partition_by {
                plain(key, style);
            }
            for key in window.order_by.iter_mut().filter(|_| everywhere) {
                plain(&mut key.expr, style);
            }
        }
        ExprKind::Call { .. }
        | ExprKind::Literal(_)
        | ExprKind::Reference(_)
        | ExprKind::Case { .. }
        | ExprKind::Cast { .. } => {}
    }
}

/// A list in which 0 or what is no constant stands, by comparisons, which do not go by the bits: the magnitude beside 0, since the planner makes a list
/// again of equalities of one value.
fn compared(operand: &RelExpr, list: &[RelExpr], negated: bool) -> Option<RelExpr> {
    let (plain, others): (Vec<&RelExpr>, Vec<&RelExpr>) =
        list.iter().partition(|entry| is_other_than_zero(entry));
    if others.is_empty() || !list.iter().chain([operand]).any(|part| part.data_type.is_float()) {
        return None;
    }
    let exactness = operand.exactness;
    let boolean = |scalar, arguments| Expr::call(scalar, arguments, DataType::Boolean, exactness);
    let mut tests: Vec<RelExpr> = others
        .into_iter()
        .map(|entry| match constant(entry) {
            Some(literal) if *literal != Literal::Null => {
                let size = Expr::call(Scalar::Abs, vec![operand.clone()], operand.data_type, exactness);
                let zero = Expr::constant(Literal::Float("0e0".to_string()), DataType::Float64);
                boolean(Scalar::Equal, vec![size, zero])
            }
            _ => boolean(Scalar::Equal, vec![operand.clone(), entry.clone()]),
        })
        .collect();
    if !plain.is_empty() {
        let list = plain.into_iter().cloned().collect();
        let kind = ExprKind::InList { operand: operand.clone(), list, negated: false };
        tests.push(Expr::new(kind, DataType::Boolean, exactness));
    }
    let any = tests.into_iter().reduce(|any, test| boolean(Scalar::Or, vec![any, test]))?;
    Some(if negated { boolean(Scalar::Not, vec![any]) } else { any })
}

/// The arguments of a function whose sign of zero decides its value.
fn looked_at(function: Function, arguments: &mut [RelExpr]) -> &mut [RelExpr] {
    let Function::Scalar(scalar) = function else { return &mut [] };
    match scalar {
        // Beside a constant that is not 0 the sign of zero decides nothing.
        Scalar::Equal
        | Scalar::NotEqual
        | Scalar::Less
        | Scalar::LessEqual
        | Scalar::Greater
        | Scalar::GreaterEqual
        | Scalar::IsDistinctFrom
        | Scalar::IsNotDistinctFrom
        | Scalar::NullIf => {
            if arguments.iter().any(is_other_than_zero) {
                &mut []
            } else {
                arguments
            }
        }
        // The divisor is compared with 0.
        Scalar::Divide | Scalar::Modulo => arguments.get_mut(1..).unwrap_or_default(),
        // The argument must not be below 0; an exponent below 0 must not stand over 0.
        Scalar::Sqrt | Scalar::Power => arguments,
        _ => &mut [],
    }
}

/// Replaces an expression that may be -0 by one that is 0 then.
fn plain(expr: &mut RelExpr, style: NegativeZero) {
    if !may_be_negative_zero(expr) {
        return;
    }
    let value = expr.clone();
    let (data_type, exactness) = (value.data_type, value.exactness);
    let call = |scalar, arguments, data_type| Expr::call(scalar, arguments, data_type, exactness);
    let zero = Expr::constant(Literal::Float("0e0".to_string()), DataType::Float64);
    *expr = match style {
        NegativeZero::EqualsZero => return,
        NegativeZero::ApartEverywhere => {
            in_type(call(Scalar::Add, vec![value, zero], DataType::Float64), data_type)
        }
        NegativeZero::ApartInKeys => {
            let is_zero = call(Scalar::Equal, vec![value.clone(), zero.clone()], DataType::Boolean);
            let kind = ExprKind::Case {
                branches: vec![(is_zero, in_type(zero, data_type))],
                otherwise: Some(value),
            };
            Expr::new(kind, data_type, exactness)
        }
    };
}

/// A Float64 as the type wanted.
fn in_type(expr: RelExpr, data_type: DataType) -> RelExpr {
    if data_type == expr.data_type {
        return expr;
    }
    let exactness = expr.exactness;
    Expr::new(ExprKind::Cast { operand: expr }, data_type, exactness)
}

fn may_be_negative_zero(expr: &RelExpr) -> bool {
    if !expr.data_type.is_float() {
        return false;
    }
    match &*expr.kind {
        ExprKind::Literal(literal) => digits(literal).is_some_and(|digits| digits.starts_with('-')),
        ExprKind::Cast { operand } => operand.data_type.is_float() && may_be_negative_zero(operand),
        // -0 comes only of adding -0 to itself.
        ExprKind::Call { function: Function::Scalar(Scalar::Add), arguments } => {
            arguments.iter().all(may_be_negative_zero)
        }
        ExprKind::Call { function: Function::Scalar(Scalar::Abs), .. } => false,
        ExprKind::Reference(_)
        | ExprKind::Call { .. }
        | ExprKind::Case { .. }
        | ExprKind::InList { .. }
        | ExprKind::Aggregate(_)
        | ExprKind::Window(_) => true,
    }
}

fn is_other_than_zero(expr: &RelExpr) -> bool {
    let mantissa = constant(expr).and_then(digits).and_then(|digits| digits.split(['e', 'E']).next());
    mantissa.is_some_and(|mantissa| mantissa.contains(|digit| ('1'..='9').contains(&digit)))
}

/// A literal, or one as a float.
fn constant(expr: &RelExpr) -> Option<&Literal> {
    match &*expr.kind {
        ExprKind::Literal(literal) => Some(literal),
        ExprKind::Cast { operand } if expr.data_type.is_float() => constant(operand),
        ExprKind::Cast { .. }
        | ExprKind::Reference(_)
        | ExprKind::Call { .. }
        | ExprKind::Case { .. }
        | ExprKind::InList { .. }
        | ExprKind::Aggregate(_)
        | ExprKind::Window(_) => None,
    }
}

fn digits(literal: &Literal) -> Option<&str> {
    match literal {
        Literal::Integer(digits) | Literal::Decimal(digits) | Literal::Float(digits) => Some(digits),
        Literal::Null
        | Literal::Boolean(_)
        | Literal::String(_)
        | Literal::Date(_)
        | Literal::Time(_)
        | Literal::Timestamp(_) => None,
    }
}
