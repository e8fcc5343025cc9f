//! Operators: signs, comparison, logic, concatenation, and the predicates that are sugar for them.

use crate::data_type::{DataType, Exactness};
use crate::diagnostic::{Code, Diagnostic};
use crate::expr::{Expr, ExprKind, Literal};
use crate::function::{Function, Scalar};
use crate::resolve::ModelExpr;
use crate::resolve::typing::common_type::unify;
use crate::resolve::typing::literal::constant;
use crate::resolve::typing::{Ctx, cast_to, exactness_of};
use crate::source::Span;
use crate::syntax::expr::{self as syntax, BinaryOp, UnaryOp};

impl Ctx<'_> {
    pub(super) fn unary(&mut self, op: UnaryOp, operand: &syntax::Expr, span: Span) -> ModelExpr {
        if let (UnaryOp::Minus, syntax::ExprKind::Literal(literal)) = (op, &*operand.kind) {
            return self.negative_literal(literal, span);
        }
        let value = self.expr(operand);
        match op {
            UnaryOp::Not => self.logic(Scalar::Not, vec![(value, operand.span)]),
            UnaryOp::Plus => {
                self.expect_number(&value, operand.span);
                value
            }
            UnaryOp::Minus => {
                self.expect_number(&value, operand.span);
                let data_type = if value.data_type.is_integer() { DataType::Int64 } else { value.data_type };
                let class = value.exactness;
                call(Scalar::Negate, vec![value], data_type, class)
            }
        }
    }

    fn negative_literal(&mut self, literal: &syntax::Literal, span: Span) -> ModelExpr {
        if let syntax::Literal::Integer(digits) = literal
            && let Ok(value) = format!("-{digits}").parse::<i64>()
        {
            return constant(Literal::Integer(value.to_string()), DataType::Int64);
        }
        let value = self.literal(literal, span);
        let data_type = value.data_type;
        let negated = match *value.kind {
            ExprKind::Literal(Literal::Decimal(text)) => Literal::Decimal(format!("-{text}")),
            ExprKind::Literal(Literal::Float(text)) => Literal::Float(format!("-{text}")),
            ExprKind::Literal(Literal::Null) => Literal::Null,
            _ => return self.mismatch(span, format!("`-` wants a number, found {data_type}")),
        };
        constant(negated, data_type)
    }

    pub(super) fn binary(
        &mut self,
        op: BinaryOp,
        left: &syntax::Expr,
        right: &syntax::Expr,
        span: Span,
    ) -> ModelExpr {
        if let Some(shifted) = self.interval_arithmetic(op, left, right, span) {
            return shifted;
        }
        let (left_value, right_value) = (self.expr(left), self.expr(right));
        match op {
            BinaryOp::Or => self.logic(Scalar::Or, vec![(left_value, left.span), (right_value, right.span)]),
            BinaryOp::And => {
                self.logic(Scalar::And, vec![(left_value, left.span), (right_value, right.span)])
            }
            BinaryOp::Equal => self.compare(Scalar::Equal, left_value, right_value, span),
            BinaryOp::NotEqual => self.compare(Scalar::NotEqual, left_value, right_value, span),
            BinaryOp::Less => self.compare(Scalar::Less, left_value, right_value, span),
            BinaryOp::LessEqual => self.compare(Scalar::LessEqual, left_value, right_value, span),
            BinaryOp::Greater => self.compare(Scalar::Greater, left_value, right_value, span),
            BinaryOp::GreaterEqual => self.compare(Scalar::GreaterEqual, left_value, right_value, span),
            BinaryOp::Add => self.add_or_subtract(Scalar::Add, left_value, right_value, span),
            BinaryOp::Subtract => self.add_or_subtract(Scalar::Subtract, left_value, right_value, span),
            BinaryOp::Multiply => self.arithmetic(Scalar::Multiply, left_value, right_value, span),
            BinaryOp::Divide => self.divide(left_value, right_value, span),
            BinaryOp::Modulo => self.arithmetic(Scalar::Modulo, left_value, right_value, span),
            BinaryOp::Concat => self.concat(vec![(left_value, left.span), (right_value, right.span)]),
        }
    }

    pub(super) fn compare(
        &mut self,
        function: Scalar,
        left: ModelExpr,
        right: ModelExpr,
        span: Span,
    ) -> ModelExpr {
        match self.comparable(left, right, function.name(), span) {
            Ok(pair) => {
                let class = exactness_of(&pair).at_a_jump();
                call(function, pair, DataType::Boolean, class)
            }
            Err(stand_in) => stand_in,
        }
    }

    /// Two values that an engine compares rightly without a conversion of its own. Exact numbers stay as they are.
    fn comparable(
        &mut self,
        left: ModelExpr,
        right: ModelExpr,
        what: &str,
        span: Span,
    ) -> Result<Vec<ModelExpr>, ModelExpr> {
        let exact = |value: &ModelExpr| value.data_type.is_integer() || value.data_type.is_decimal();
        if exact(&left) && exact(&right) {
            return Ok(vec![left, right]);
        }
        unify(vec![left, right])
            .map(|(_, values)| values)
            .map_err(|(left_type, right_type)| self.error(mismatch_of(what, left_type, right_type, span)))
    }

    pub(super) fn is_null(&mut self, operand: &syntax::Expr, negated: bool) -> ModelExpr {
        let value = self.expr(operand);
        let class = value.exactness;
        let class = if class == Exactness::Rounding { Exactness::Exact } else { class };
        call(if negated { Scalar::IsNotNull } else { Scalar::IsNull }, vec![value], DataType::Boolean, class)
    }

    pub(super) fn is_distinct(
        &mut self,
        left: &syntax::Expr,
        right: &syntax::Expr,
        negated: bool,
        span: Span,
    ) -> ModelExpr {
        let (left, right) = (self.expr(left), self.expr(right));
        let function = if negated { Scalar::IsNotDistinctFrom } else { Scalar::IsDistinctFrom };
        self.compare(function, left, right, span)
    }

    /// `x BETWEEN a AND b` is `x >= a AND x <= b`.
    pub(super) fn between(
        &mut self,
        operand: &syntax::Expr,
        low: &syntax::Expr,
        high: &syntax::Expr,
        negated: bool,
        span: Span,
    ) -> ModelExpr {
        let (value, low, high) = (self.expr(operand), self.expr(low), self.expr(high));
        let again = self.copy(&value, span);
        let above = self.compare(Scalar::GreaterEqual, again, low, span);
        let below = self.compare(Scalar::LessEqual, value, high, span);
        let both = self.logic(Scalar::And, vec![(above, span), (below, span)]);
        if negated { self.logic(Scalar::Not, vec![(both, span)]) } else { both }
    }

    pub(super) fn in_list(
        &mut self,
        operand: &syntax::Expr,
        list: &[syntax::Expr],
        negated: bool,
        span: Span,
    ) -> ModelExpr {
        let mut values = vec![self.expr(operand)];
        values.extend(list.iter().map(|item| self.expr(item)));
        match unify(values) {
            Ok((_, mut values)) => {
                let class = exactness_of(&values).at_a_jump();
                let operand = values.remove(0);
                Expr::new(ExprKind::InList { operand, list: values, negated }, DataType::Boolean, class)
            }
            Err((left, right)) => self.error(mismatch_of("IN", left, right, span)),
        }
    }

    /// AND, OR, NOT over Booleans.
    pub(super) fn logic(&mut self, function: Scalar, values: Vec<(ModelExpr, Span)>) -> ModelExpr {
        for (value, span) in &values {
            if value.data_type != DataType::Boolean && !value.data_type.is_open() {
                let message = format!("{} wants Booleans, found {}", function.name(), value.data_type);
                return self.mismatch(*span, message);
            }
        }
        let values: Vec<ModelExpr> =
            values.into_iter().map(|(value, _)| cast_to(value, DataType::Boolean)).collect();
        let class = exactness_of(&values);
        call(function, values, DataType::Boolean, class)
    }

    pub(super) fn concat(&mut self, values: Vec<(ModelExpr, Span)>) -> ModelExpr {
        for (value, span) in &values {
            self.expect(value, *span, "||", "a String", |found| found == DataType::String);
        }
        let mut parts = Vec::new();
        for (value, _) in values {
            match *value.kind {
                ExprKind::Call { function: Function::Scalar(Scalar::Concat), arguments } => {
                    parts.extend(arguments);
                }
                _ => parts.push(value),
            }
        }
        let class = exactness_of(&parts);
        call(Scalar::Concat, parts, DataType::String, class)
    }

    pub(super) fn expect_number(&mut self, value: &ModelExpr, span: Span) {
        self.expect(value, span, "this", "a number", DataType::is_numeric);
    }

    /// Records a finding if a value has a known type that does not fit.
    pub(super) fn expect(
        &mut self,
        value: &ModelExpr,
        span: Span,
        what: &str,
        wanted: &str,
        fits: impl Fn(DataType) -> bool,
    ) {
        if !value.data_type.is_open() && !fits(value.data_type) {
            self.mismatch(span, format!("{what} wants {wanted}, found {}", value.data_type));
        }
    }
}

/// A call of a scalar function.
pub(crate) fn call(
    function: Scalar,
    arguments: Vec<ModelExpr>,
    data_type: DataType,
    exactness: Exactness,
) -> ModelExpr {
    Expr::call(function, arguments, data_type, exactness)
}

fn mismatch_of(what: &str, left: DataType, right: DataType, span: Span) -> Diagnostic {
    let finding = Diagnostic::new(Code::TypeMismatch, format!("`{what}` cannot compare {left} with {right}"))
        .at(span, "here");
    match (left, right) {
        (DataType::String, other) | (other, DataType::String) if other.is_temporal() => {
            finding.help("write dates as DATE '2024-01-31' and times as TIMESTAMP '2024-01-31 12:00:00'")
        }
        _ => finding.help("convert one side with CAST"),
    }
}
