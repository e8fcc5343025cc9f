//! Aggregates: argument and result types, FILTER as CASE, and the names that are sugar (AVG, COUNT_IF, BOOL_AND ...).

mod ordered_set;
mod sum;

use self::ordered_set::fraction_literal;
use crate::data_type::{DataType, Exactness};
use crate::diagnostic::{Code, Diagnostic};
use crate::expr::{Aggregate, Expr, ExprKind, Literal, OrderKey};
use crate::function::{AggregateFunction, Scalar};
use crate::resolve::ModelExpr;
use crate::resolve::typing::literal::constant;
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

/// The aggregates to which DISTINCT means something.
const TAKES_DISTINCT: [&str; 8] = ["ANY_VALUE", "AVG", "COUNT", "LISTAGG", "MAX", "MIN", "STRING_AGG", "SUM"];

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
        if written.distinct && !TAKES_DISTINCT.contains(&name) {
            return self.error(
                Diagnostic::new(Code::UnsupportedFunction, format!("{name} takes no DISTINCT"))
                    .at(span, "this call")
                    .help(format!("DISTINCT stands in {}", TAKES_DISTINCT.join(", "))),
            );
        }
        if matches!(name, "COUNT_IF" | "SUM_IF") {
            return self.conditional(name, arguments, written.filter.as_ref(), span);
        }
        // The value of an ordered set stands in WITHIN GROUP, and is filtered there.
        let is_ordered_set = matches!(name, "PERCENTILE_CONT" | "PERCENTILE_DISC");
        if let Some(filter) = written.filter.as_ref().filter(|_| !is_ordered_set) {
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

    fn conditional(
        &mut self,
        name: &str,
        mut arguments: Vec<(ModelExpr, Span)>,
        filter: Option<&syntax::Expr>,
        span: Span,
    ) -> ModelExpr {
        let wanted = if name == "COUNT_IF" { 1 } else { 2 };
        if arguments.len() != wanted {
            return self.wrong_count(name, arguments.len(), wanted, span);
        }
        let (condition, at) = arguments.remove(wanted - 1);
        let mut condition = self.boolean(condition, at);
        if let Some(filter) = filter {
            let also = self.expr(filter);
            condition = self.logic(Scalar::And, vec![(condition, at), (also, filter.span)]);
        }
        match arguments.pop() {
            None => self.count_where(condition, at),
            Some((value, _)) => {
                let kept = self.case_of(vec![condition], vec![value], false, span);
                self.sum(kept, false, span)
            }
        }
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
            // Answered exactly.
            "APPROX_PERCENTILE" => match fraction_literal(&values[1]) {
                Some(fraction) => {
                    self.percentile(AggregateFunction::PercentileCont, values.remove(0), fraction, at)
                }
                None => self.mismatch(span, format!("{name} wants a literal fraction from 0 to 1")),
            },
            // Never: the names of all aggregates stand above or have a form of their own.
            _ => self.error(
                Diagnostic::new(Code::Internal, format!("aggregate {name} has no meaning"))
                    .at(span, "this call"),
            ),
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
        let class = match class {
            _ if distinct => class.at_a_jump(),
            Exactness::Rounding => Exactness::Exact,
            other => other,
        };
        aggregate(AggregateFunction::Count, values, distinct, DataType::Int64, class)
    }

    /// BOOL_AND(c) is MIN(CASE WHEN c THEN 1 WHEN NOT c THEN 0 END) = 1.
    fn boolean_aggregate(&mut self, function: AggregateFunction, value: ModelExpr, span: Span) -> ModelExpr {
        let value = self.boolean(value, span);
        let again = self.copy(&value, span);
        let negated = self.logic(Scalar::Not, vec![(again, span)]);
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
    // Which row wins is decided by comparing.
    let class = values[0].exactness.and(values[1].exactness.at_a_jump());
    aggregate(function, values, false, data_type, class)
}
