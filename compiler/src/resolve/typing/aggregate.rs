//! Aggregates: argument and result types, FILTER as CASE, and the names that are sugar (AVG, COUNT_IF, BOOL_AND ...).

use crate::data_type::{DataType, Exactness};
use crate::diagnostic::{Code, Diagnostic};
use crate::expr::{Aggregate, Expr, ExprKind, Literal, OrderKey};
use crate::function::{AggregateFunction, Function, Scalar};
use crate::resolve::ModelExpr;
use crate::resolve::typing::literal::constant;
use crate::resolve::typing::operator::call;
use crate::resolve::typing::{Ctx, Inside, cast_to, exactness_of};
use crate::source::Span;
use crate::syntax::expr::{self as syntax, Arguments};

/// The names of all aggregates.
pub(super) const NAMES: &[&str] = &[
    "ANY_VALUE",
    "APPROX_COUNT_DISTINCT",
    "APPROX_PERCENTILE",
    "AVG",
    "BOOL_AND",
    "BOOL_OR",
    "CORR",
    "COUNT",
    "COUNT_IF",
    "COVAR_POP",
    "COVAR_SAMP",
    "LISTAGG",
    "MAX",
    "MAX_BY",
    "MEDIAN",
    "MIN",
    "MIN_BY",
    "PERCENTILE_CONT",
    "PERCENTILE_DISC",
    "STDDEV",
    "STDDEV_POP",
    "STDDEV_SAMP",
    "STRING_AGG",
    "SUM",
    "SUM_IF",
    "VARIANCE",
    "VAR_POP",
    "VAR_SAMP",
];

/// Whether a call of this upper-cased name is an aggregate.
pub(super) fn is_aggregate(name: &str) -> bool {
    NAMES.contains(&name)
}

impl Ctx<'_> {
    pub(super) fn aggregate(&mut self, name: &str, written: &syntax::Call, span: Span) -> ModelExpr {
        let inside = match self.inside {
            Inside::Nothing => Inside::Aggregate,
            Inside::Window => Inside::WindowAggregate,
            Inside::Aggregate | Inside::WindowAggregate | Inside::RowWindow => {
                return self.error(super::check::nested_aggregation(name, span));
            }
        };
        let outer = std::mem::replace(&mut self.inside, inside);
        let result = self.aggregate_call(name, written, span);
        self.inside = outer;
        result
    }

    /// A call's own aggregate, whatever is around it; `window` turns it into a window.
    pub(super) fn aggregate_call(&mut self, name: &str, written: &syntax::Call, span: Span) -> ModelExpr {
        if written.nulls.is_some() {
            return self.error(
                Diagnostic::new(
                    Code::UnsupportedFunction,
                    format!("IGNORE NULLS stands only in windows, and {name} here is none"),
                )
                .at(span, "this call"),
            );
        }
        let list = match &written.arguments {
            Arguments::Star if name == "COUNT" && !written.distinct => {
                return self.count_rows(written.filter.as_ref());
            }
            Arguments::Star => {
                return self.error(
                    Diagnostic::new(Code::Parse, format!("`*` stands only in COUNT(*), found {name}(*)"))
                        .at(span, "this call"),
                );
            }
            Arguments::List(list) => list,
        };
        let mut arguments: Vec<(ModelExpr, Span)> =
            list.iter().map(|argument| (self.expr(argument), argument.span)).collect();
        if matches!(name, "COUNT_IF" | "SUM_IF") {
            return self.conditional(name, arguments, span);
        }
        if let Some(filter) = &written.filter {
            let condition = self.expr(filter);
            let condition = self.boolean(condition, filter.span);
            if let Some((first, at)) = arguments.first_mut() {
                let kept = std::mem::replace(first, constant(Literal::Null, DataType::Null));
                *first = self.case_of(vec![condition.clone()], vec![kept], false, *at);
            }
            if matches!(name, "MIN_BY" | "MAX_BY")
                && let Some((by, at)) = arguments.get_mut(1)
            {
                let kept = std::mem::replace(by, constant(Literal::Null, DataType::Null));
                *by = self.case_of(vec![condition], vec![kept], false, *at);
            }
        }
        if let Some(result) = self.ordered_set(name, written, &arguments, span) {
            return result;
        }
        self.plain_aggregate(name, written.distinct, arguments, span)
    }

    /// COUNT(*), and COUNT(*) FILTER (WHERE c) as COUNT(CASE WHEN c THEN 1 END).
    fn count_rows(&mut self, filter: Option<&syntax::Expr>) -> ModelExpr {
        let Some(filter) = filter else {
            return aggregate(
                AggregateFunction::CountRows,
                Vec::new(),
                false,
                DataType::Int64,
                Exactness::Exact,
            );
        };
        let condition = self.expr(filter);
        let condition = self.boolean(condition, filter.span);
        self.count_where(condition, filter.span)
    }

    fn count_where(&mut self, condition: ModelExpr, span: Span) -> ModelExpr {
        let one = constant(Literal::Integer("1".into()), DataType::Int64);
        let counted = self.case_of(vec![condition], vec![one], false, span);
        let class = counted.exactness;
        aggregate(AggregateFunction::Count, vec![counted], false, DataType::Int64, class)
    }

    fn conditional(&mut self, name: &str, mut arguments: Vec<(ModelExpr, Span)>, span: Span) -> ModelExpr {
        let wanted = if name == "COUNT_IF" { 1 } else { 2 };
        if arguments.len() != wanted {
            return self.wrong_count(name, arguments.len(), wanted, span);
        }
        let (condition, at) = arguments.remove(wanted - 1);
        let condition = self.boolean(condition, at);
        match arguments.pop() {
            None => self.count_where(condition, at),
            Some((value, _)) => {
                let kept = self.case_of(vec![condition], vec![value], false, span);
                self.sum(kept, false, span)
            }
        }
    }

    /// PERCENTILE_CONT(p) WITHIN GROUP (ORDER BY x), LISTAGG(s, sep) WITHIN GROUP (ORDER BY k).
    fn ordered_set(
        &mut self,
        name: &str,
        written: &syntax::Call,
        arguments: &[(ModelExpr, Span)],
        span: Span,
    ) -> Option<ModelExpr> {
        let function = match name {
            "PERCENTILE_CONT" => AggregateFunction::PercentileCont,
            "PERCENTILE_DISC" => AggregateFunction::PercentileDisc,
            "LISTAGG" | "STRING_AGG" => return Some(self.list_aggregate(name, written, arguments, span)),
            _ if written.within_group.is_empty() && written.order_by.is_empty() => return None,
            _ => {
                return Some(
                    self.error(
                        Diagnostic::new(Code::UnsupportedFunction, format!("{name} takes no ORDER BY"))
                            .at(span, "this call"),
                    ),
                );
            }
        };
        let ([(fraction, at)], [order]) = (arguments, written.within_group.as_slice()) else {
            return Some(self.mismatch(span, format!("write {name}(0.5) WITHIN GROUP (ORDER BY x)")));
        };
        if order.descending || order.nulls_first.is_some() || written.distinct {
            return Some(
                self.mismatch(span, format!("{name} takes a plain ascending ORDER BY and no DISTINCT")),
            );
        }
        let value = self.expr(&order.expr);
        let value = match &written.filter {
            None => value,
            Some(filter) => {
                let condition = self.expr(filter);
                let condition = self.boolean(condition, filter.span);
                self.case_of(vec![condition], vec![value], false, order.expr.span)
            }
        };
        let fraction = fraction_literal(fraction);
        let Some(fraction) = fraction else {
            return Some(self.mismatch(*at, format!("{name} wants a literal fraction from 0 to 1")));
        };
        Some(self.percentile(function, value, fraction, order.expr.span))
    }

    fn percentile(
        &mut self,
        function: AggregateFunction,
        value: ModelExpr,
        fraction: ModelExpr,
        span: Span,
    ) -> ModelExpr {
        if function == AggregateFunction::PercentileDisc {
            let (data_type, class) = (value.data_type, value.exactness);
            return aggregate(function, vec![value, fraction], false, data_type, class);
        }
        self.expect(&value, span, function.name(), "a number", DataType::is_numeric);
        let value = cast_to(value, DataType::Float64);
        let class = value.exactness.and(Exactness::Rounding);
        aggregate(function, vec![value, fraction], false, DataType::Float64, class)
    }

    fn list_aggregate(
        &mut self,
        name: &str,
        written: &syntax::Call,
        arguments: &[(ModelExpr, Span)],
        span: Span,
    ) -> ModelExpr {
        let [(text, at), (separator, _)] = arguments else {
            return self.wrong_count(name, arguments.len(), 2, span);
        };
        self.expect(text, *at, name, "a String", |found| found == DataType::String);
        let order: Vec<&syntax::OrderItem> = written.within_group.iter().chain(&written.order_by).collect();
        if order.is_empty() {
            return self.error(
                Diagnostic::new(
                    Code::UnsupportedFunction,
                    format!("{name} without an order gives a text that no two engines agree on"),
                )
                .at(span, "this call")
                .help("add WITHIN GROUP (ORDER BY ..) over columns that identify a row"),
            );
        }
        let order_by: Vec<OrderKey<_>> = order.into_iter().map(|item| self.order_key(item)).collect();
        let values = vec![text.clone(), separator.clone()];
        let class = exactness_of(values.iter().chain(order_by.iter().map(|key| &key.expr)));
        Expr::new(
            ExprKind::Aggregate(Aggregate {
                function: AggregateFunction::ListAgg,
                arguments: values,
                distinct: written.distinct,
                order_by,
            }),
            DataType::String,
            class,
        )
    }

    /// One ORDER BY entry; NULLs are last ascending and first descending unless said.
    pub(super) fn order_key(&mut self, item: &syntax::OrderItem) -> OrderKey<crate::resolve::Reference> {
        OrderKey {
            expr: self.expr(&item.expr),
            descending: item.descending,
            nulls_first: item.nulls_first.unwrap_or(item.descending),
        }
    }

    fn plain_aggregate(
        &mut self,
        name: &str,
        distinct: bool,
        arguments: Vec<(ModelExpr, Span)>,
        span: Span,
    ) -> ModelExpr {
        let wanted = match name {
            "COUNT" => arguments.len().max(1),
            "MIN_BY" | "MAX_BY" | "CORR" | "COVAR_POP" | "COVAR_SAMP" | "APPROX_PERCENTILE" => 2,
            _ => 1,
        };
        if arguments.len() != wanted || (name == "COUNT" && arguments.len() > 1 && !distinct) {
            return self.wrong_count(name, arguments.len(), if name == "COUNT" { 1 } else { wanted }, span);
        }
        let at = arguments[0].1;
        let mut values: Vec<ModelExpr> = arguments.into_iter().map(|(value, _)| value).collect();
        match name {
            "COUNT" => self.count(values, distinct, at),
            "APPROX_COUNT_DISTINCT" => self.count(values, true, at),
            "SUM" => self.sum(values.remove(0), distinct, at),
            "AVG" => self.average(values.remove(0), distinct, at),
            "MIN" | "ANY_VALUE" => extreme(AggregateFunction::Min, values.remove(0)),
            "MAX" => extreme(AggregateFunction::Max, values.remove(0)),
            "MIN_BY" => pick(AggregateFunction::MinBy, values),
            "MAX_BY" => pick(AggregateFunction::MaxBy, values),
            "BOOL_AND" => self.boolean_aggregate(AggregateFunction::Min, values.remove(0), at),
            "BOOL_OR" => self.boolean_aggregate(AggregateFunction::Max, values.remove(0), at),
            "STDDEV" | "STDDEV_SAMP" => self.statistic(AggregateFunction::StddevSamp, values, distinct, at),
            "STDDEV_POP" => self.statistic(AggregateFunction::StddevPop, values, distinct, at),
            "VARIANCE" | "VAR_SAMP" => self.statistic(AggregateFunction::VarSamp, values, distinct, at),
            "VAR_POP" => self.statistic(AggregateFunction::VarPop, values, distinct, at),
            "MEDIAN" => self.statistic(AggregateFunction::Median, values, distinct, at),
            "CORR" => self.statistic(AggregateFunction::Corr, values, distinct, at),
            "COVAR_POP" => self.statistic(AggregateFunction::CovarPop, values, distinct, at),
            "COVAR_SAMP" => self.statistic(AggregateFunction::CovarSamp, values, distinct, at),
            // APPROX_PERCENTILE(x, p): answered exactly.
            _ => match fraction_literal(&values[1]) {
                Some(fraction) => {
                    self.percentile(AggregateFunction::PercentileCont, values.remove(0), fraction, at)
                }
                None => self.mismatch(span, format!("{name} wants a literal fraction from 0 to 1")),
            },
        }
    }

    fn count(&mut self, values: Vec<ModelExpr>, distinct: bool, span: Span) -> ModelExpr {
        if distinct && values.iter().any(|value| value.data_type.is_float()) {
            return self.error(
                Diagnostic::new(
                    Code::TypeMismatch,
                    "distinct floats cannot be counted: engines disagree on -0 and NaN",
                )
                .at(span, "this argument")
                .help("round it to a Decimal first, as in CAST(x AS DECIMAL(18, 2))"),
            );
        }
        let class = exactness_of(&values);
        let class = if !distinct && class == Exactness::Rounding { Exactness::Exact } else { class };
        aggregate(AggregateFunction::Count, values, distinct, DataType::Int64, class)
    }

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
                let class = wide.exactness.and(Exactness::Rounding);
                aggregate(AggregateFunction::Sum, vec![wide], distinct, DataType::Float64, class)
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
    fn average(&mut self, value: ModelExpr, distinct: bool, span: Span) -> ModelExpr {
        self.expect(&value, span, "AVG", "a number", DataType::is_numeric);
        let count = self.count(vec![value.clone()], distinct, span);
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

    /// BOOL_AND(c) is MIN(CASE WHEN c THEN 1 WHEN NOT c THEN 0 END) = 1.
    fn boolean_aggregate(&mut self, function: AggregateFunction, value: ModelExpr, span: Span) -> ModelExpr {
        let value = self.boolean(value, span);
        let negated = self.logic(Scalar::Not, vec![(value.clone(), span)]);
        let number = |digits: &str| constant(Literal::Integer(digits.into()), DataType::Int64);
        let flag = self.case_of(vec![value, negated], vec![number("1"), number("0")], false, span);
        let extreme = extreme(function, flag);
        self.compare(Scalar::Equal, extreme, number("1"), span)
    }

    fn statistic(
        &mut self,
        function: AggregateFunction,
        values: Vec<ModelExpr>,
        distinct: bool,
        span: Span,
    ) -> ModelExpr {
        if distinct {
            return self.error(
                Diagnostic::new(Code::UnsupportedFunction, format!("{} takes no DISTINCT", function.name()))
                    .at(span, "here"),
            );
        }
        for value in &values {
            self.expect(value, span, function.name(), "a number", DataType::is_numeric);
        }
        let values: Vec<ModelExpr> =
            values.into_iter().map(|value| cast_to(value, DataType::Float64)).collect();
        let class = exactness_of(&values).and(Exactness::Rounding);
        aggregate(function, values, false, DataType::Float64, class)
    }
}

fn aggregate(
    function: AggregateFunction,
    arguments: Vec<ModelExpr>,
    distinct: bool,
    data_type: DataType,
    class: Exactness,
) -> ModelExpr {
    let aggregate = Aggregate { function, arguments, distinct, order_by: Vec::new() };
    Expr::new(ExprKind::Aggregate(aggregate), data_type, class)
}

fn extreme(function: AggregateFunction, value: ModelExpr) -> ModelExpr {
    let (data_type, class) = (value.data_type, value.exactness);
    aggregate(function, vec![value], false, data_type, class)
}

fn pick(function: AggregateFunction, values: Vec<ModelExpr>) -> ModelExpr {
    let data_type = values[0].data_type;
    // Which row wins is decided by comparing values that may be rounded.
    let class = values[0].exactness.and(match values[1].exactness {
        Exactness::Rounding => Exactness::Divergent,
        other => other,
    });
    aggregate(function, values, false, data_type, class)
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

/// A literal from 0 to 1, as a Float64 literal.
fn fraction_literal(value: &ModelExpr) -> Option<ModelExpr> {
    let ExprKind::Literal(Literal::Decimal(text) | Literal::Integer(text) | Literal::Float(text)) =
        &*value.kind
    else {
        return None;
    };
    let fits = text.parse::<f64>().is_ok_and(|fraction| (0.0..=1.0).contains(&fraction));
    fits.then(|| constant(Literal::Float(text.clone()), DataType::Float64))
}
