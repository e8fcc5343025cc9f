//! Operators: arithmetic with its result types, comparison, logic, and the predicates that are sugar for them.

use crate::data_type::{DataType, Exactness};
use crate::diagnostic::{Code, Diagnostic};
use crate::expr::{Expr, ExprKind, Literal};
use crate::function::{Function, Scalar, Unit};
use crate::resolve::ModelExpr;
use crate::resolve::typing::common::{decimal_size, operand_type, unify};
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

    /// `d + INTERVAL '1' DAY`, `d - INTERVAL ..`, `INTERVAL .. + d`.
    fn interval_arithmetic(
        &mut self,
        op: BinaryOp,
        left: &syntax::Expr,
        right: &syntax::Expr,
        span: Span,
    ) -> Option<ModelExpr> {
        let (base, interval, sign) = match (op, &*left.kind, &*right.kind) {
            (BinaryOp::Add, _, syntax::ExprKind::Interval { value, unit }) => (left, (value, unit), ""),
            (BinaryOp::Subtract, _, syntax::ExprKind::Interval { value, unit }) => (left, (value, unit), "-"),
            (BinaryOp::Add, syntax::ExprKind::Interval { value, unit }, _) => (right, (value, unit), ""),
            _ => return None,
        };
        let (count, unit_word) = interval;
        let Some(unit) = Unit::parse(unit_word.value.trim_end_matches(['s', 'S'])) else {
            return Some(self.unknown_unit(&unit_word.value, unit_word.span));
        };
        let Ok(count) = format!("{sign}{}", count.trim()).replace("--", "").parse::<i64>() else {
            return Some(self.mismatch(span, format!("an interval counts whole units, found '{count}'")));
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

    fn add_or_subtract(
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
            (Scalar::Subtract, DataType::Date, DataType::Date) => {
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
            let class = exactness_of(&arguments).and(Exactness::Rounding);
            return call(function, arguments, DataType::Float64, class);
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

    fn divide(&mut self, left: ModelExpr, right: ModelExpr, span: Span) -> ModelExpr {
        if let Some(refused) = self.refuse_non_numbers(Scalar::Divide, &left, &right, span) {
            return refused;
        }
        let arguments = vec![cast_to(left, DataType::Float64), cast_to(right, DataType::Float64)];
        let class = exactness_of(&arguments).and(Exactness::Rounding);
        call(Scalar::Divide, arguments, DataType::Float64, class)
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
                let class = comparison_class(&pair);
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
        let above = self.compare(Scalar::GreaterEqual, value.clone(), low, span);
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
                let class = comparison_class(&values);
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

/// A call of a scalar function.
pub(crate) fn call(
    function: Scalar,
    arguments: Vec<ModelExpr>,
    data_type: DataType,
    exactness: Exactness,
) -> ModelExpr {
    Expr::new(ExprKind::Call { function: Function::Scalar(function), arguments }, data_type, exactness)
}

/// An exact number as an operand beside a decimal.
fn decimal_operand(value: ModelExpr, own: DataType) -> ModelExpr {
    let (whole, scale) = decimal_size(own);
    cast_to(value, DataType::Decimal { precision: (whole + scale).clamp(1, 38), scale })
}

/// Comparing values that engines may round differently can come out differently.
fn comparison_class(values: &[ModelExpr]) -> Exactness {
    match exactness_of(values) {
        Exactness::Exact => Exactness::Exact,
        Exactness::Rounding | Exactness::Approximate | Exactness::Divergent => Exactness::Divergent,
        Exactness::Nondeterministic => Exactness::Nondeterministic,
    }
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
