//! SUM and AVG: sums that cannot leave their type, and averages as a sum over a count.
//! In: a typed number. Out: the aggregate over it, widened first.

use super::aggregate;
use crate::data_type::{DataType, Exactness};
use crate::diagnostic::{Code, Diagnostic};
use crate::expr::{Expr, ExprKind};
use crate::function::{AggregateFunction, Function, Scalar};
use crate::resolve::ModelExpr;
use crate::resolve::typing::operator::call;
use crate::resolve::typing::{Ctx, cast_to, exactness_of};
use crate::source::Span;

impl Ctx<'_> {
    /// Integers are summed as Decimal(38,0), decimals at 38 digits, floats as Float64.
    pub(super) fn sum(&mut self, value: ModelExpr, distinct: bool, span: Span) -> ModelExpr {
        self.expect(&value, span, "SUM", "a number", DataType::is_numeric);
        let given = value.data_type;
        let summed = match given {
            DataType::Int8 | DataType::Int16 | DataType::Int32 | DataType::Int64 => {
                let wide = widen(value);
                let class = wide.exactness;
                aggregate(AggregateFunction::Sum, vec![wide], distinct, DataType::DECIMAL_38_0, class)
            }
            DataType::Decimal { precision: _, scale } => {
                let wide = cast_to(value, DataType::Decimal { precision: 38, scale });
                let (data_type, class) = (wide.data_type, wide.exactness);
                aggregate(AggregateFunction::Sum, vec![wide], distinct, data_type, class)
            }
            DataType::Float32 | DataType::Float64 => {
                let wide = cast_to(value, DataType::Float64);
                let class = if distinct { wide.exactness.at_a_jump() } else { wide.exactness };
                let class = class.and(Exactness::Rounding);
                aggregate(AggregateFunction::Sum, vec![wide], distinct, DataType::Float64, class)
            }
            DataType::Null => {
                let class = value.exactness;
                let null = cast_to(value, DataType::DECIMAL_38_0);
                aggregate(AggregateFunction::Sum, vec![null], distinct, DataType::DECIMAL_38_0, class)
            }
            _ => {
                let class = value.exactness;
                aggregate(AggregateFunction::Sum, vec![value], distinct, DataType::Unknown, class)
            }
        };
        // The sum of at most 32 bits fits Int64 for any table that exists.
        if given.is_integer() && given != DataType::Int64 { cast_to(summed, DataType::Int64) } else { summed }
    }

    /// The exact sum as Float64 over the count as Float64.
    pub(super) fn average(&mut self, value: ModelExpr, distinct: bool, span: Span) -> ModelExpr {
        if !value.data_type.is_numeric() && !value.data_type.is_open() {
            let message = format!("AVG wants a number, found {}", value.data_type);
            let finding = Diagnostic::new(Code::TypeMismatch, message).at(span, "here");
            return self.error(match value.data_type {
                DataType::Boolean => finding.help("a share of rows is COUNT_IF(c) / COUNT(c)"),
                _ => finding,
            });
        }
        let again = self.copy(&value, span);
        // Counted as it is summed: past Int64 the one would raise where the other has a value.
        let is_computed = value.data_type.is_integer()
            && matches!(*value.kind, ExprKind::Call { .. } | ExprKind::Case { .. });
        let count = self.count(vec![if is_computed { widen(again) } else { again }], distinct, span);
        let sum = match value.data_type {
            given if given.is_integer() && given != DataType::Int64 => {
                // Without the cast back to Int64, which SUM has for its own result.
                let wide = widen(value);
                let class = wide.exactness;
                aggregate(AggregateFunction::Sum, vec![wide], distinct, DataType::DECIMAL_38_0, class)
            }
            _ => self.sum(value, distinct, span),
        };
        let arguments = vec![cast_to(sum, DataType::Float64), cast_to(count, DataType::Float64)];
        let class = exactness_of(&arguments).and(Exactness::Rounding);
        call(Scalar::Divide, arguments, DataType::Float64, class)
    }
}

/// Integer arithmetic inside a sum is done in Decimal(38,0), so that it cannot leave Int64 on the way.
fn widen(value: ModelExpr) -> ModelExpr {
    let class = value.exactness;
    match *value.kind {
        ExprKind::Call {
            function:
                Function::Scalar(scalar @ (Scalar::Add | Scalar::Subtract | Scalar::Multiply | Scalar::Negate)),
            arguments,
        } => call(scalar, arguments.into_iter().map(widen).collect(), DataType::DECIMAL_38_0, class),
        ExprKind::Case { branches, otherwise } => Expr::new(
            ExprKind::Case {
                branches: branches.into_iter().map(|(when, then)| (when, widen(then))).collect(),
                otherwise: otherwise.map(widen),
            },
            DataType::DECIMAL_38_0,
            class,
        ),
        kind => cast_to(Expr::new(kind, value.data_type, class), DataType::DECIMAL_38_0),
    }
}
