//! Aggregates of Flink 1.20 and 2.x; streaming lacks tuples.
//! <https://nightlies.apache.org/flink/flink-docs-stable/docs/sql/functions/built-in-functions/#aggregate-functions>

use unisono_compiler::expr::Literal;
use unisono_compiler::function::AggregateFunction;

use super::{TWO, types};
use crate::arithmetic::double;
use crate::build::{of_sample, over_doubles};
use crate::float_extremes::{self, Nan};
use crate::form::{AggregateCall, AggregateForm, AggregateRow, Refusal, Typed, Types};
use crate::sql::tree::{Expr, Operator, call, chain, is_not_null, number, when};
use crate::target::Version;

const URL: &str = "https://nightlies.apache.org/flink/flink-docs-stable/docs/sql/functions/built-in-functions/#aggregate-functions";

/// The row of an aggregate in batch mode.
pub(super) fn batch_row(function: AggregateFunction, version: Version) -> AggregateRow {
    row(function, version, false)
}

/// The row of an aggregate in streaming mode.
pub(super) fn streaming_row(function: AggregateFunction, version: Version) -> AggregateRow {
    row(function, version, true)
}

fn row(function: AggregateFunction, version: Version, is_streaming: bool) -> AggregateRow {
    let (form, types) = match function {
        AggregateFunction::CountRows => (AggregateForm::Build(count_rows), Types::Any),
        AggregateFunction::Count if is_streaming => (AggregateForm::Build(count_of_one), Types::Any),
        AggregateFunction::Count => (AggregateForm::Build(count_of_rows), Types::Any),
        AggregateFunction::Sum => (AggregateForm::Sum, Types::Needed),
        AggregateFunction::Min => (AggregateForm::Build(|node| extreme(node, "MIN")), Types::Needed),
        AggregateFunction::Max => (AggregateForm::Build(|node| extreme(node, "MAX")), Types::Needed),
        AggregateFunction::StddevSamp
        | AggregateFunction::StddevPop
        | AggregateFunction::VarSamp
        | AggregateFunction::VarPop
            if is_streaming =>
        {
            (
                AggregateForm::Absent {
                    why: "Flink keeps a sum of squares as a double: a large value that leaves takes digits of the others with it",
                    needs: "use the `flink` target, which runs it in batch mode, or keep the rollup with the embedded engine",
                },
                Types::Any,
            )
        }
        // Of one value that cannot be NULL Flink gives -1: it takes the answer for one that cannot be NULL either (2.2.1, run).
        AggregateFunction::StddevSamp => {
            (AggregateForm::Build(|node| of_sample(node, "STDDEV_SAMP")), Types::Any)
        }
        AggregateFunction::StddevPop => {
            (AggregateForm::Build(|node| over_doubles(node, "STDDEV_POP")), Types::Any)
        }
        AggregateFunction::VarSamp => (AggregateForm::Build(|node| of_sample(node, "VAR_SAMP")), Types::Any),
        AggregateFunction::VarPop => (AggregateForm::Build(|node| over_doubles(node, "VAR_POP")), Types::Any),
        AggregateFunction::Median | AggregateFunction::PercentileCont if version < TWO => (
            AggregateForm::Absent {
                why: "Flink before 2.0 has no PERCENTILE",
                needs: "use Flink 2.0 or later",
            },
            Types::Any,
        ),
        AggregateFunction::Median => (AggregateForm::Build(median), Types::Any),
        AggregateFunction::PercentileCont => (AggregateForm::Build(percentile), Types::Any),
        AggregateFunction::PercentileDisc => (
            AggregateForm::Absent {
                why: "Flink parses PERCENTILE_DISC and has no function for it",
                needs: "use PERCENTILE_CONT, or DataFusion or DuckDB, which have a form for it",
            },
            Types::Any,
        ),
        AggregateFunction::MinBy | AggregateFunction::MaxBy => (AggregateForm::Planned, Types::Any),
        AggregateFunction::ListAgg => (
            AggregateForm::Absent {
                why: "Flink's LISTAGG has no order: it lists in order of arrival",
                needs: "use DataFusion, DuckDB or StarRocks, which order the texts",
            },
            Types::Any,
        ),
        AggregateFunction::Corr | AggregateFunction::CovarPop | AggregateFunction::CovarSamp => (
            AggregateForm::Absent {
                why: "Flink has no correlation or covariance",
                needs: "use DataFusion, DuckDB or StarRocks, or write it with SUM and COUNT",
            },
            Types::Any,
        ),
    };
    AggregateRow { form, types, url: URL }
}

fn extreme(node: &AggregateCall<'_>, name: &'static str) -> Result<Expr, Refusal> {
    float_extremes::extreme(node, name, Nan::Neither, types::exactly)
}

fn count_rows(node: &AggregateCall<'_>) -> Result<Expr, Refusal> {
    Ok(node.over_arguments("COUNT", vec![Expr::Word("*")]))
}

/// Several columns are counted as tuples without any NULL.
fn count_of_rows(node: &AggregateCall<'_>) -> Result<Expr, Refusal> {
    let arguments: Vec<Expr> = node.arguments.iter().map(|argument| argument.expr.clone()).collect();
    if arguments.len() < 2 {
        return Ok(node.plain("COUNT"));
    }
    let complete = chain(Operator::And, arguments.iter().cloned().map(is_not_null).collect());
    Ok(node.over_arguments("COUNT", vec![when(complete, call("ROW", arguments))]))
}

fn count_of_one(node: &AggregateCall<'_>) -> Result<Expr, Refusal> {
    if node.arguments.len() < 2 {
        return Ok(node.plain("COUNT"));
    }
    Err(Refusal::function(
        "over several columns needs tuples, which Flink does not count in streaming mode",
        "count one column, or one text made of all of them",
    ))
}

fn median(node: &AggregateCall<'_>) -> Result<Expr, Refusal> {
    let mut arguments: Vec<Expr> = node.arguments.iter().map(double).collect();
    arguments.push(number("0.5"));
    Ok(node.over_arguments("PERCENTILE", arguments))
}

/// The fraction must be a bare literal.
fn percentile(node: &AggregateCall<'_>) -> Result<Expr, Refusal> {
    let [x, fraction] = node.arguments else { return median(node) };
    Ok(node.over_arguments("PERCENTILE", vec![double(x), bare_number(fraction)]))
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
