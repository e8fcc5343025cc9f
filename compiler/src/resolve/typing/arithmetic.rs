//! Arithmetic of numbers and dates: `+ - * / %`, and intervals beside dates.
//! In: typed operands. Out: the call with its result type, or which operand does not fit.

use crate::data_type::{DataType, Exactness};
use crate::diagnostic::{Code, Diagnostic};
use crate::expr::{Expr, ExprKind, Literal};
use crate::function::{Function, Scalar, Unit};
use crate::resolve::ModelExpr;
use crate::resolve::typing::common_type::{decimal_size, operand_type};
use crate::resolve::typing::literal::constant;
use crate::resolve::typing::operator::call;
use crate::resolve::typing::{Ctx, cast_to, exactness_of};
use crate::source::Span;
use crate::syntax::expr::{self as syntax, BinaryOp};

impl Ctx<'_> {
    /// `d + INTERVAL '1' DAY`, `d - INTERVAL ..`, `INTERVAL .. + d`.
    pub(super) fn interval_arithmetic(
        &mut self,
        op: BinaryOp,
        left: &syntax::Expr,
        right: &syntax::Expr,
        span: Span,
    ) -> Option<ModelExpr> {
        let (base, interval, negative) = match (op, &*left.kind, &*right.kind) {
            (BinaryOp::Add, _, syntax::ExprKind::Interval { value, unit }) => (left, (value, unit), false),
            (BinaryOp::Subtract, _, syntax::ExprKind::Interval { value, unit }) => {
                (left, (value, unit), true)
            }
            (BinaryOp::Add, syntax::ExprKind::Interval { value, unit }, _) => (right, (value, unit), false),
            _ => return None,
        };
        let (count, unit_word) = interval;
        let Some(unit) = Unit::parse(unit_word.value.trim_end_matches(['s', 'S'])) else {
            return Some(self.unknown_unit(&unit_word.value, unit_word.span));
        };
        let count = count
            .trim()
            .parse::<i64>()
            .ok()
            .and_then(|count| if negative { count.checked_neg() } else { Some(count) });
        let Some(count) = count else {
            return Some(self.mismatch(span, "an interval counts whole units, as in INTERVAL '3' DAY"));
        };
        let value = self.expr(base);
        Some(self.date_add(
            unit,
            constant(Literal::Integer(count.to_string()), DataType::Int64),
            value,
            base.span,
        ))
    }

    pub(super) fn unknown_unit(&mut self, word: &str, span: Span) -> ModelExpr {
        self.error(
            Diagnostic::new(Code::TypeMismatch, format!("`{word}` is no unit of time"))
                .at(span, "this unit")
                .suggest(word, Unit::ALL.iter().map(|unit| unit.as_str()))
                .help("units are year, quarter, month, week, day, hour, minute, second"),
        )
    }

    pub(super) fn add_or_subtract(
        &mut self,
        function: Scalar,
        left: ModelExpr,
        right: ModelExpr,
        span: Span,
    ) -> ModelExpr {
        match (function, left.data_type, right.data_type) {
            (_, DataType::Date, right_type) if right_type.is_integer() => {
                let days = if function == Scalar::Subtract { negate_count(right) } else { right };
                self.date_add(Unit::Day, days, left, span)
            }
            (Scalar::Add, left_type, DataType::Date) if left_type.is_integer() => {
                self.date_add(Unit::Day, left, right, span)
            }
            // A date can only be taken from another.
            (Scalar::Subtract, DataType::Date | DataType::Unknown, DataType::Date) => {
                let class = exactness_of([&left, &right]);
                // DATEDIFF counts from its first argument to its second.
                Expr::new(
                    ExprKind::Call { function: Function::DateDiff(Unit::Day), arguments: vec![right, left] },
                    DataType::Int64,
                    class,
                )
            }
            _ => self.arithmetic(function, left, right, span),
        }
    }

    /// `+ - * %`: Int64, Decimal at full scale, or Float64 (docs/semantics.md, values).
    pub(super) fn arithmetic(
        &mut self,
        function: Scalar,
        left: ModelExpr,
        right: ModelExpr,
        span: Span,
    ) -> ModelExpr {
        if let Some(refused) = self.refuse_non_numbers(function, &left, &right, span) {
            return refused;
        }
        let class = exactness_of([&left, &right]);
        let (left_type, right_type) =
            (operand_type(&left, right.data_type), operand_type(&right, left.data_type));
        if left_type.is_open() || right_type.is_open() {
            let known = if left_type == DataType::Null { right_type } else { left_type };
            let open = left_type == DataType::Unknown || right_type == DataType::Unknown;
            return call(function, vec![left, right], if open { DataType::Unknown } else { known }, class);
        }
        if left_type.is_float() || right_type.is_float() {
            let arguments = vec![cast_to(left, DataType::Float64), cast_to(right, DataType::Float64)];
            let class = exactness_of(&arguments);
            // The rest falls from the whole divisor to nothing.
            let class = if function == Scalar::Modulo { class.at_a_jump() } else { class };
            return call(function, arguments, DataType::Float64, class.and(Exactness::Rounding));
        }
        if !left_type.is_decimal() && !right_type.is_decimal() {
            return call(function, vec![left, right], DataType::Int64, class);
        }
        let ((whole_left, scale_left), (whole_right, scale_right)) =
            (decimal_size(left_type), decimal_size(right_type));
        let (whole, scale) = match function {
            Scalar::Multiply => (whole_left + whole_right, scale_left + scale_right),
            Scalar::Modulo => (whole_left.max(whole_right), scale_left.max(scale_right)),
            _ => (whole_left.max(whole_right) + 1, scale_left.max(scale_right)),
        };
        if scale > 38 {
            return self.mismatch(
                span,
                format!(
                    "{left_type} {} {right_type} needs {scale} digits after the point, more than 38",
                    function.name()
                ),
            );
        }
        let (left, right) = (decimal_operand(left, left_type), decimal_operand(right, right_type));
        let precision = (whole + scale).clamp(1, 38);
        call(function, vec![left, right], DataType::Decimal { precision, scale }, class)
    }

    fn refuse_non_numbers(
        &mut self,
        function: Scalar,
        left: &ModelExpr,
        right: &ModelExpr,
        span: Span,
    ) -> Option<ModelExpr> {
        let fits = |value: &ModelExpr| value.data_type.is_numeric() || value.data_type.is_open();
        if fits(left) && fits(right) {
            return None;
        }
        let message = format!(
            "`{}` wants two numbers, found {} and {}",
            function.name(),
            left.data_type,
            right.data_type
        );
        Some(self.mismatch(span, message))
    }

    pub(super) fn divide(&mut self, left: ModelExpr, right: ModelExpr, span: Span) -> ModelExpr {
        if let Some(refused) = self.refuse_non_numbers(Scalar::Divide, &left, &right, span) {
            return refused;
        }
        let arguments = vec![cast_to(left, DataType::Float64), cast_to(right, DataType::Float64)];
        let class = exactness_of(&arguments).and(Exactness::Rounding);
        call(Scalar::Divide, arguments, DataType::Float64, class)
    }
}

fn negate_count(count: ModelExpr) -> ModelExpr {
    if let ExprKind::Literal(Literal::Integer(digits)) = &*count.kind
        && let Ok(value) = digits.parse::<i64>()
        && let Some(negated) = value.checked_neg()
    {
        return constant(Literal::Integer(negated.to_string()), DataType::Int64);
    }
    let class = count.exactness;
    call(Scalar::Negate, vec![count], DataType::Int64, class)
}

/// An exact number as an operand beside a decimal.
fn decimal_operand(value: ModelExpr, own: DataType) -> ModelExpr {
    let (whole, scale) = decimal_size(own);
    cast_to(value, DataType::Decimal { precision: (whole + scale).clamp(1, 38), scale })
}
