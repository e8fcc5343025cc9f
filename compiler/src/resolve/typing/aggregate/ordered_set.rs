//! Aggregates over ordered values: percentiles and LISTAGG.
//! In: the call and its typed arguments. Out: the aggregate with its order, or what its text lacks.

use super::aggregate;
use crate::data_type::{DataType, Exactness};
use crate::diagnostic::{Code, Diagnostic};
use crate::expr::{Aggregate, Expr, ExprKind, Literal, OrderKey};
use crate::function::AggregateFunction;
use crate::resolve::ModelExpr;
use crate::resolve::typing::literal::constant;
use crate::resolve::typing::{Ctx, cast_to, exactness_of};
use crate::source::Span;
use crate::syntax::expr as syntax;

impl Ctx<'_> {
    /// PERCENTILE_CONT(p) WITHIN GROUP (ORDER BY x), LISTAGG(s, sep) WITHIN GROUP (ORDER BY k).
    pub(super) fn ordered_set(
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

    pub(super) fn percentile(
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
}

/// A literal from 0 to 1, as a Float64 literal.
pub(super) fn fraction_literal(value: &ModelExpr) -> Option<ModelExpr> {
    let ExprKind::Literal(Literal::Decimal(text) | Literal::Integer(text) | Literal::Float(text)) =
        &*value.kind
    else {
        return None;
    };
    let fits = text.parse::<f64>().is_ok_and(|fraction| (0.0..=1.0).contains(&fraction));
    fits.then(|| constant(Literal::Float(text.clone()), DataType::Float64))
}
