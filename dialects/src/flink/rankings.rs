//! Ranking and navigation windows of Flink; streaming's limits are in the strategy `windows`.
//! <https://nightlies.apache.org/flink/flink-docs-stable/docs/sql/reference/queries/over-agg/>

use unisono_compiler::function::Ranking;

use crate::form::{RankingCall, RankingForm, RankingRow, Refusal};
use crate::sql::tree::{
    Call, Expr, NullTreatment, Operator, Type, binary, cast, is_null, number, plain_call, when, when_else,
};
use crate::target::Version;

const URL: &str = "https://nightlies.apache.org/flink/flink-docs-stable/docs/sql/reference/queries/over-agg/";

/// The row of a ranking function.
pub(super) fn row(function: Ranking, _version: Version) -> RankingRow {
    let form = match function {
        Ranking::RowNumber => RankingForm::Call("ROW_NUMBER"),
        Ranking::Rank => RankingForm::Call("RANK"),
        Ranking::DenseRank => RankingForm::Call("DENSE_RANK"),
        Ranking::Ntile => RankingForm::Build(ntile),
        Ranking::PercentRank => RankingForm::Call("PERCENT_RANK"),
        Ranking::CumeDist => RankingForm::Absent {
            why: "Flink's CUME_DIST counts the rows before and not those that are equal (2.2.1)",
            needs: "use PERCENT_RANK, or DataFusion, DuckDB or StarRocks",
        },
        Ranking::Lag => RankingForm::Build(lag),
        Ranking::Lead => RankingForm::Build(lead),
        Ranking::FirstValue => RankingForm::Build(|node| edge(node, "FIRST_VALUE")),
        Ranking::LastValue => RankingForm::Build(|node| edge(node, "LAST_VALUE")),
        Ranking::NthValue => RankingForm::Absent {
            why: "Flink has no NTH_VALUE",
            needs: "use FIRST_VALUE or LAST_VALUE, or DataFusion or DuckDB",
        },
    };
    RankingRow { form, url: URL }
}

fn ntile(node: &RankingCall<'_>) -> Result<Expr, Refusal> {
    Ok(cast(node.plain("NTILE", NullTreatment::Respect), Type::word("BIGINT")))
}

/// The engine's own skips NULLs, so a mark that is never NULL tells whether the row at the edge has a value.
fn edge(node: &RankingCall<'_>, name: &'static str) -> Result<Expr, Refusal> {
    let value = node.with_arguments(name, values(node), NullTreatment::Respect);
    let [x, ..] = node.arguments else { return Ok(value) };
    if node.ignore_nulls {
        return Ok(value);
    }
    let mark = when_else(is_null(x.expr.clone()), number(0), number(1));
    let has_value = node.with_arguments(name, vec![mark], NullTreatment::Respect);
    Ok(when(binary(has_value, Operator::Equal, number(1)), value))
}

fn values(node: &RankingCall<'_>) -> Vec<Expr> {
    node.arguments.iter().map(|argument| argument.expr.clone()).collect()
}

/// LAG and LEAD parse IGNORE NULLS and do not heed it.
fn heed_nulls(node: &RankingCall<'_>) -> Result<(), Refusal> {
    if node.ignore_nulls {
        Err(Refusal::function(
            "Flink parses IGNORE NULLS and does not heed it",
            "leave IGNORE NULLS out, or use another engine",
        ))
    } else {
        Ok(())
    }
}

/// A default is written out: Flink's own makes -1 of a NULL.
fn lag(node: &RankingCall<'_>) -> Result<Expr, Refusal> {
    heed_nulls(node)?;
    let [x, offset, default] = node.arguments else { return Ok(node.plain("LAG", NullTreatment::Respect)) };
    let row_number = Call { over: Some(node.over.clone()), ..plain_call("ROW_NUMBER", Vec::new()) };
    let early = binary(Expr::Call(Box::new(row_number)), Operator::LessEqual, offset.expr.clone());
    let value = node.with_arguments("LAG", vec![x.expr.clone(), offset.expr.clone()], NullTreatment::Respect);
    Ok(when_else(early, default.expr.clone(), value))
}

fn lead(node: &RankingCall<'_>) -> Result<Expr, Refusal> {
    heed_nulls(node)?;
    let [x, offset, default] = node.arguments else { return Ok(node.plain("LEAD", NullTreatment::Respect)) };
    // The planner fails on a COUNT of the partition beside LEAD.
    Ok(node.or_default("LEAD", x.expr.clone(), &offset.expr, default.expr.clone()))
}
