//! Functions of numbers: rounding, and those of the mathematical library.
//! In: a name and typed arguments. Out: the call with its result type, or which argument does not fit.

use super::{Argument, integer_literal};
use crate::data_type::{DataType, Exactness};
use crate::diagnostic::{Code, Diagnostic};
use crate::expr::Literal;
use crate::function::Scalar;
use crate::resolve::ModelExpr;
use crate::resolve::typing::literal::constant;
use crate::resolve::typing::operator::call;
use crate::resolve::typing::{Ctx, cast_to, exactness_of};
use crate::source::Span;

impl Ctx<'_> {
    /// Numbers in, a fixed type out.
    pub(super) fn numbers(
        &mut self,
        name: &str,
        function: Scalar,
        count: usize,
        result: DataType,
        arguments: Vec<Argument>,
        span: Span,
    ) -> ModelExpr {
        if arguments.len() != count {
            return self.wrong_count(name, arguments.len(), count, span);
        }
        for (value, at) in &arguments {
            self.expect(value, *at, name, "a number", DataType::is_numeric);
        }
        let values: Vec<ModelExpr> = arguments.into_iter().map(|(value, _)| value).collect();
        let class = match function {
            Scalar::Floor | Scalar::Ceiling | Scalar::Sign => exactness_of(&values).at_a_jump(),
            _ => exactness_of(&values),
        };
        call(function, values, result, class)
    }

    /// Functions of the mathematical library: Float64 in and out, rounded differently by engines.
    pub(super) fn floats(
        &mut self,
        name: &str,
        function: Scalar,
        count: usize,
        arguments: Vec<Argument>,
        span: Span,
    ) -> ModelExpr {
        if arguments.len() != count {
            return self.wrong_count(name, arguments.len(), count, span);
        }
        for (value, at) in &arguments {
            self.expect(value, *at, name, "a number", DataType::is_numeric);
        }
        let values: Vec<ModelExpr> =
            arguments.into_iter().map(|(value, _)| cast_to(value, DataType::Float64)).collect();
        let class = exactness_of(&values).and(Exactness::Rounding);
        call(function, values, DataType::Float64, class)
    }

    pub(super) fn log(&mut self, name: &str, arguments: Vec<Argument>, span: Span) -> ModelExpr {
        if arguments.len() == 1 {
            return self.error(
                Diagnostic::new(
                    Code::UnsupportedFunction,
                    "LOG with one argument has base 10 on some engines and e on others",
                )
                .at(span, "this call")
                .help("write LN(x), LOG10(x) or LOG(base, x)"),
            );
        }
        self.floats(name, Scalar::Log, 2, arguments, span)
    }

    pub(super) fn number_in_type_out(
        &mut self,
        name: &str,
        function: Scalar,
        arguments: Vec<Argument>,
        span: Span,
    ) -> ModelExpr {
        let data_type = arguments.first().map_or(DataType::Unknown, |(value, _)| value.data_type);
        self.numbers(name, function, 1, data_type, arguments, span)
    }

    /// FLOOR and CEILING: Integers stay, Decimals lose their scale, floats stay.
    pub(super) fn whole_number(
        &mut self,
        name: &str,
        function: Scalar,
        arguments: Vec<Argument>,
        span: Span,
    ) -> ModelExpr {
        let data_type = arguments.first().map_or(DataType::Unknown, |(value, _)| match value.data_type {
            DataType::Decimal { precision, scale } => {
                DataType::Decimal { precision: (precision - scale + 1).min(38), scale: 0 }
            }
            other => other,
        });
        self.numbers(name, function, 1, data_type, arguments, span)
    }

    /// ROUND and TRUNC: the number of digits is a literal; a Decimal's scale becomes it.
    pub(super) fn round(
        &mut self,
        name: &str,
        function: Scalar,
        mut arguments: Vec<Argument>,
        span: Span,
    ) -> ModelExpr {
        if arguments.is_empty() || arguments.len() > 2 {
            return self.wrong_count(name, arguments.len(), 2, span);
        }
        let digits = match arguments.get(1) {
            None => 0,
            Some((digits, at)) => match integer_literal(digits) {
                Some(value @ -38..=38) => value,
                Some(_) | None => {
                    return self
                        .mismatch(*at, format!("{name} wants a literal number of digits from -38 to 38"));
                }
            },
        };
        let (value, at) = arguments.swap_remove(0);
        self.expect(&value, at, name, "a number", DataType::is_numeric);
        let data_type = match value.data_type {
            DataType::Decimal { precision, scale } => {
                let kept = u8::try_from(digits.max(0)).unwrap_or(scale).min(scale);
                DataType::Decimal { precision: (precision - scale + kept + 1).min(38), scale: kept }
            }
            other => other,
        };
        // A float is a little more or less than its text says, and engines differ in when they scale it.
        let class = match function {
            Scalar::Truncate if digits == 0 => value.exactness.at_a_jump(),
            _ if data_type.is_float() => value.exactness.and(Exactness::Divergent),
            _ => value.exactness.at_a_jump(),
        };
        let digits = constant(Literal::Integer(digits.to_string()), DataType::Int64);
        call(function, vec![value, digits], data_type, class)
    }
}
