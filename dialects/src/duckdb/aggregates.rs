//! Aggregates of DuckDB.
//! <https://duckdb.org/docs/stable/sql/functions/aggregates>

use unisono_compiler::function::AggregateFunction;

use crate::arithmetic::double;
use crate::build::over_doubles;
use crate::finite;
use crate::form::{AggregateCall, AggregateForm, AggregateRow, Refusal, Types};
use crate::sql::tree::{Call, Expr, Operator, chain, is_not_null, plain_call, when};
use crate::target::Version;

const URL: &str = "https://duckdb.org/docs/stable/sql/functions/aggregates";

/// The row of an aggregate.
pub(super) fn row(function: AggregateFunction, _version: Version) -> AggregateRow {
    let (form, types) = match function {
        AggregateFunction::CountRows => (AggregateForm::Build(count_rows), Types::Any),
        AggregateFunction::Count => (AggregateForm::Build(count), Types::Any),
        AggregateFunction::Sum => (AggregateForm::Sum, Types::Needed),
        AggregateFunction::Min => (AggregateForm::Call("MIN"), Types::Any),
        AggregateFunction::Max => (AggregateForm::Call("MAX"), Types::Any),
        AggregateFunction::StddevSamp => {
            (AggregateForm::Build(|node| over_doubles(node, "STDDEV_SAMP")), Types::Any)
        }
        AggregateFunction::StddevPop => {
            (AggregateForm::Build(|node| over_doubles(node, "STDDEV_POP")), Types::Any)
        }
        AggregateFunction::VarSamp => {
            (AggregateForm::Build(|node| over_doubles(node, "VAR_SAMP")), Types::Any)
        }
        AggregateFunction::VarPop => (AggregateForm::Build(|node| over_doubles(node, "VAR_POP")), Types::Any),
        AggregateFunction::Median => (AggregateForm::Build(|node| over_doubles(node, "MEDIAN")), Types::Any),
        AggregateFunction::PercentileCont => {
            (AggregateForm::Build(|node| over_doubles(node, "QUANTILE_CONT")), Types::Any)
        }
        AggregateFunction::PercentileDisc => (AggregateForm::Build(percentile_disc), Types::Any),
        AggregateFunction::MinBy | AggregateFunction::MaxBy => (AggregateForm::Planned, Types::Any),
        AggregateFunction::ListAgg => (AggregateForm::Build(list), Types::Any),
        AggregateFunction::Corr => (AggregateForm::Build(correlation), Types::Any),
        AggregateFunction::CovarPop => {
            (AggregateForm::Build(|node| over_doubles(node, "COVAR_POP")), Types::Any)
        }
        AggregateFunction::CovarSamp => {
            (AggregateForm::Build(|node| over_doubles(node, "COVAR_SAMP")), Types::Any)
        }
    };
    AggregateRow { form, types, url: URL }
}

fn count_rows(node: &AggregateCall<'_>) -> Result<Expr, Refusal> {
    Ok(node.over_arguments("COUNT", vec![Expr::Word("*")]))
}

/// Several columns are counted as tuples without any NULL.
fn count(node: &AggregateCall<'_>) -> Result<Expr, Refusal> {
    let arguments: Vec<Expr> = node.arguments.iter().map(|argument| argument.expr.clone()).collect();
    if arguments.len() < 2 {
        return Ok(node.plain("COUNT"));
    }
    let complete = chain(Operator::And, arguments.iter().cloned().map(is_not_null).collect());
    Ok(node.over_arguments("COUNT", vec![when(complete, Expr::Tuple(arguments))]))
}

/// The value keeps its type; the fraction is a double.
fn percentile_disc(node: &AggregateCall<'_>) -> Result<Expr, Refusal> {
    match node.arguments {
        [x, fraction] => Ok(node.over_arguments("QUANTILE_DISC", vec![x.expr.clone(), double(fraction)])),
        _ => Ok(node.plain("QUANTILE_DISC")),
    }
}

/// Without any spread there is no correlation; engines give NaN or NULL.
fn correlation(node: &AggregateCall<'_>) -> Result<Expr, Refusal> {
    Ok(finite::finite_statistic(over_doubles(node, "CORR")?))
}

fn list(node: &AggregateCall<'_>) -> Result<Expr, Refusal> {
    Ok(Expr::Call(Box::new(Call {
        distinct: node.distinct,
        order_by: node.order_by.clone(),
        over: node.over.clone(),
        ..plain_call("STRING_AGG", node.arguments.iter().map(|argument| argument.expr.clone()).collect())
    })))
}
