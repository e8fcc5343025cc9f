//! Forms with a syntax of their own: CASE, LIKE, EXTRACT, POSITION, TRIM, date arithmetic, the clock.

use crate::data_type::{DataType, Exactness};
use crate::diagnostic::{Code, Diagnostic};
use crate::expr::{Expr, ExprKind};
use crate::function::{Function, Part, Scalar, Unit};
use crate::resolve::typing::common_type::unify;
use crate::resolve::typing::operator::call;
use crate::resolve::typing::{Ctx, cast_to, exactness_of, pattern};
use crate::resolve::{ModelExpr, Reference};
use crate::source::{Span, Spanned};
use crate::syntax::expr::{self as syntax, TrimSide};

/// CURRENT_DATE and CURRENT_TIMESTAMP: constants once the request is bound.
pub(super) fn now(name: &str) -> Option<ModelExpr> {
    let data_type = match name.to_uppercase().as_str() {
        "CURRENT_DATE" => DataType::Date,
        "CURRENT_TIMESTAMP" => DataType::Timestamp,
        _ => return None,
    };
    Some(Expr::reference(Reference::Now, data_type, Exactness::Nondeterministic))
}

/// DATE_TRUNC of a date or time; a Date has no units below a day.
pub(crate) fn truncate(unit: Unit, value: ModelExpr, span: Span) -> Result<ModelExpr, Diagnostic> {
    let found = value.data_type;
    let fits = found.is_open() || found.is_temporal() && (found != DataType::Date || unit.is_day_or_longer());
    if !fits {
        let message = format!("{found} cannot be truncated to a {}", unit.as_str());
        return Err(Diagnostic::new(Code::TypeMismatch, message).at(span, "here"));
    }
    let class = value.exactness;
    let kind = ExprKind::Call { function: Function::DateTrunc(unit), arguments: vec![value] };
    Ok(Expr::new(kind, found, class))
}

impl Ctx<'_> {
    pub(super) fn case(
        &mut self,
        operand: Option<&syntax::Expr>,
        branches: &[(syntax::Expr, syntax::Expr)],
        otherwise: Option<&syntax::Expr>,
        span: Span,
    ) -> ModelExpr {
        let subject = operand.map(|operand| self.expr(operand));
        let mut conditions = Vec::new();
        let mut values = Vec::new();
        for (when, then) in branches {
            let tested = self.expr(when);
            conditions.push(match &subject {
                Some(subject) => {
                    let again = self.copy(subject, when.span);
                    self.compare(Scalar::Equal, again, tested, when.span)
                }
                None => self.boolean(tested, when.span),
            });
            values.push(self.expr(then));
        }
        if let Some(otherwise) = otherwise {
            values.push(self.expr(otherwise));
        }
        self.case_of(conditions, values, otherwise.is_some(), span)
    }

    /// A searched CASE of typed parts; the last value is the ELSE if there is one.
    pub(super) fn case_of(
        &mut self,
        conditions: Vec<ModelExpr>,
        values: Vec<ModelExpr>,
        has_else: bool,
        span: Span,
    ) -> ModelExpr {
        let (data_type, mut values) = match unify(values) {
            Ok(unified) => unified,
            Err((left, right)) => {
                return self.mismatch(span, format!("CASE has values of types {left} and {right}"));
            }
        };
        let otherwise = if has_else { values.pop() } else { None };
        let class = exactness_of(conditions.iter().chain(&values).chain(&otherwise));
        let branches = conditions.into_iter().zip(values).collect();
        Expr::new(ExprKind::Case { branches, otherwise }, data_type, class)
    }

    pub(super) fn boolean(&mut self, value: ModelExpr, span: Span) -> ModelExpr {
        self.expect(&value, span, "a condition", "a Boolean", |found| found == DataType::Boolean);
        cast_to(value, DataType::Boolean)
    }

    pub(super) fn like(
        &mut self,
        operand: &syntax::Expr,
        pattern_text: &syntax::Expr,
        negated: bool,
        any_case: bool,
    ) -> ModelExpr {
        let (value, pattern) = (self.expr(operand), self.expr(pattern_text));
        self.expect(&value, operand.span, "LIKE", "a String", |found| found == DataType::String);
        if let Some(finding) = pattern::check_like(&pattern, pattern_text.span) {
            return self.error(finding);
        }
        let class = value.exactness.and(if any_case { Exactness::Divergent } else { Exactness::Exact });
        let function = if any_case { Scalar::ILike } else { Scalar::Like };
        let matched = call(function, vec![value, pattern], DataType::Boolean, class);
        if negated { self.logic(Scalar::Not, vec![(matched, operand.span)]) } else { matched }
    }

    pub(super) fn extract(&mut self, part: &Spanned<String>, operand: &syntax::Expr) -> ModelExpr {
        let value = self.expr(operand);
        match Part::parse(&part.value) {
            Some(found) => self.extract_part(found, value, operand.span),
            None => self.error(
                Diagnostic::new(Code::TypeMismatch, format!("`{}` is no part of a date or time", part.value))
                    .at(part.span, "this part")
                    .suggest(&part.value, Part::ALL.iter().map(|part| part.as_str())),
            ),
        }
    }

    pub(super) fn extract_part(&mut self, part: Part, value: ModelExpr, span: Span) -> ModelExpr {
        let wants_time = matches!(part, Part::Hour | Part::Minute | Part::Second | Part::Millisecond);
        self.expect(&value, span, "EXTRACT", "a date or time", |found| {
            found.is_temporal() && !(wants_time && found == DataType::Date)
        });
        let class = value.exactness;
        Expr::new(
            ExprKind::Call { function: Function::Extract(part), arguments: vec![value] },
            DataType::Int64,
            class,
        )
    }

    pub(super) fn date_trunc(&mut self, unit: Unit, value: ModelExpr, span: Span) -> ModelExpr {
        match truncate(unit, value, span) {
            Ok(truncated) => truncated,
            Err(finding) => self.error(finding),
        }
    }

    pub(super) fn date_add(
        &mut self,
        unit: Unit,
        count: ModelExpr,
        value: ModelExpr,
        span: Span,
    ) -> ModelExpr {
        self.expect(&count, span, "DATEADD", "an integer count", DataType::is_integer);
        self.expect(&value, span, "DATEADD", "a date or time", DataType::is_temporal);
        // A part of a day turns a Date into a Timestamp.
        let value = if value.data_type == DataType::Date && !unit.is_day_or_longer() {
            cast_to(value, DataType::Timestamp)
        } else {
            value
        };
        let (data_type, class) = (value.data_type, exactness_of([&count, &value]));
        Expr::new(
            ExprKind::Call { function: Function::DateAdd(unit), arguments: vec![count, value] },
            data_type,
            class,
        )
    }

    pub(super) fn position(&mut self, needle: &syntax::Expr, haystack: &syntax::Expr) -> ModelExpr {
        let (part, text) = (self.expr(needle), self.expr(haystack));
        self.expect(&part, needle.span, "POSITION", "a String", |found| found == DataType::String);
        self.expect(&text, haystack.span, "POSITION", "a String", |found| found == DataType::String);
        let class = exactness_of([&part, &text]);
        call(Scalar::Position, vec![part, text], DataType::Int64, class)
    }

    pub(super) fn trim(
        &mut self,
        side: TrimSide,
        character: Option<&syntax::Expr>,
        operand: &syntax::Expr,
    ) -> ModelExpr {
        let mut arguments = vec![self.expr(operand)];
        self.expect(&arguments[0], operand.span, "TRIM", "a String", |found| found == DataType::String);
        if let Some(written) = character {
            let value = self.expr(written);
            if pattern::literal_text(&value).is_none_or(|text| text.chars().count() != 1) {
                return self.mismatch(written.span, "TRIM removes one constant character");
            }
            arguments.push(value);
        }
        let function = match side {
            TrimSide::Both => Scalar::Trim,
            TrimSide::Leading => Scalar::TrimLeading,
            TrimSide::Trailing => Scalar::TrimTrailing,
        };
        let class = exactness_of(&arguments);
        call(function, arguments, DataType::String, class)
    }
}
