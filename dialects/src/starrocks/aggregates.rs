//! Aggregates of StarRocks 3.3 to 4.x.
//! <https://docs.starrocks.io/docs/category/aggregate-functions/>

use unisono_compiler::expr::Literal;
use unisono_compiler::function::AggregateFunction;

use crate::arithmetic::double;
use crate::build::{of_sample, over_doubles};
use crate::finite;
use crate::form::{AggregateCall, AggregateForm, AggregateRow, Refusal, Typed, Types};
use crate::sql::tree::{Call, Expr, call, number, plain_call};
use crate::target::Version;

const URL: &str = "https://docs.starrocks.io/docs/category/aggregate-functions/";

/// The row of an aggregate.
pub(super) fn row(function: AggregateFunction, _version: Version) -> AggregateRow {
    let (form, types) = match function {
        AggregateFunction::CountRows => (AggregateForm::Build(count_rows), Types::Any),
        AggregateFunction::Count => (AggregateForm::Call("COUNT"), Types::Any),
        AggregateFunction::Sum => (AggregateForm::Sum, Types::Needed),
        AggregateFunction::Min => (AggregateForm::Call("MIN"), Types::Any),
        AggregateFunction::Max => (AggregateForm::Call("MAX"), Types::Any),
        // Over one row the documents show 0 where NULL is meant.
        AggregateFunction::StddevSamp => {
            (AggregateForm::Build(|node| of_sample(node, "STDDEV_SAMP")), Types::Any)
        }
        AggregateFunction::StddevPop => {
            (AggregateForm::Build(|node| over_doubles(node, "STDDEV_POP")), Types::Any)
        }
        AggregateFunction::VarSamp => (AggregateForm::Build(|node| of_sample(node, "VAR_SAMP")), Types::Any),
        AggregateFunction::VarPop => (AggregateForm::Build(|node| over_doubles(node, "VAR_POP")), Types::Any),
        AggregateFunction::Median => (AggregateForm::Build(median), Types::Any),
        AggregateFunction::PercentileCont => (AggregateForm::Build(percentile), Types::Any),
        AggregateFunction::PercentileDisc => (
            AggregateForm::Absent {
                why: "StarRocks' PERCENTILE_DISC gives the larger of two neighbours",
                needs: "use PERCENTILE_CONT, or DataFusion or DuckDB, which give the smaller one",
            },
            Types::Any,
        ),
        AggregateFunction::MinBy | AggregateFunction::MaxBy => (AggregateForm::Planned, Types::Any),
        AggregateFunction::ListAgg => (AggregateForm::Build(list), Types::Any),
        AggregateFunction::Corr => (AggregateForm::Build(correlation), Types::Any),
        AggregateFunction::CovarPop => {
            (AggregateForm::Build(|node| over_doubles(node, "COVAR_POP")), Types::Any)
        }
        AggregateFunction::CovarSamp => {
            (AggregateForm::Build(|node| of_sample(node, "COVAR_SAMP")), Types::Any)
        }
    };
    AggregateRow { form, types, url: URL }
}

fn count_rows(node: &AggregateCall<'_>) -> Result<Expr, Refusal> {
    Ok(node.over_arguments("COUNT", vec![Expr::Word("*")]))
}

/// Without any spread there is no correlation; engines give NaN or NULL.
fn correlation(node: &AggregateCall<'_>) -> Result<Expr, Refusal> {
    Ok(finite::finite_statistic(over_doubles(node, "CORR")?))
}

/// PERCENTILE_CONT is no window function.
fn grouped(node: &AggregateCall<'_>) -> Result<(), Refusal> {
    match node.over {
        None => Ok(()),
        Some(_) => Err(Refusal::function(
            "a percentile over a window has no form on StarRocks",
            "aggregate it by a dimension instead",
        )),
    }
}

fn median(node: &AggregateCall<'_>) -> Result<Expr, Refusal> {
    grouped(node)?;
    let mut arguments: Vec<Expr> = node.arguments.iter().map(double).collect();
    arguments.push(number("0.5"));
    Ok(node.over_arguments("PERCENTILE_CONT", arguments))
}

/// The fraction must be a constant.
fn percentile(node: &AggregateCall<'_>) -> Result<Expr, Refusal> {
    grouped(node)?;
    let [x, fraction] = node.arguments else { return median(node) };
    Ok(node.over_arguments("PERCENTILE_CONT", vec![double(x), bare_number(fraction)]))
}

fn bare_number(fraction: &Typed<'_>) -> Expr {
    match fraction.literal() {
        Some(Literal::Decimal(digits) | Literal::Integer(digits) | Literal::Float(digits)) => number(digits),
        Some(
            Literal::Null
            | Literal::Boolean(_)
            | Literal::String(_)
            | Literal::Date(_)
            | Literal::Time(_)
            | Literal::Timestamp(_),
        )
        | None => fraction.expr.clone(),
    }
}

/// GROUP_CONCAT cuts at `group_concat_max_len`; the session must raise it.
fn list(node: &AggregateCall<'_>) -> Result<Expr, Refusal> {
    let [argument, separator] = node.arguments else { return Ok(call("GROUP_CONCAT", Vec::new())) };
    Ok(Expr::Call(Box::new(Call {
        distinct: node.distinct,
        order_by: node.order_by.clone(),
        separator: Some(separator.expr.clone()),
        over: node.over.clone(),
        ..plain_call("GROUP_CONCAT", vec![argument.expr.clone()])
    })))
}
