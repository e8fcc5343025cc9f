//! Ranking and navigation windows of StarRocks 3.3 to 4.x.
//! <https://docs.starrocks.io/docs/sql-reference/sql-functions/Window_function/>

use unisono_compiler::function::Ranking;

use crate::form::{RankingCall, RankingForm, RankingRow, Refusal};
use crate::sql::tree::{Expr, NullTreatment, call, is_null, number, when_else};
use crate::target::Version;

const URL: &str = "https://docs.starrocks.io/docs/sql-reference/sql-functions/Window_function/";

/// The row of a ranking function.
pub(super) fn row(function: Ranking, _version: Version) -> RankingRow {
    let form = match function {
        Ranking::RowNumber => RankingForm::Call("ROW_NUMBER"),
        Ranking::Rank => RankingForm::Call("RANK"),
        Ranking::DenseRank => RankingForm::Call("DENSE_RANK"),
        Ranking::Ntile => RankingForm::Call("NTILE"),
        Ranking::PercentRank => RankingForm::Call("PERCENT_RANK"),
        Ranking::CumeDist => RankingForm::Call("CUME_DIST"),
        Ranking::Lag => RankingForm::Build(|node| neighbour(node, "LAG")),
        Ranking::Lead => RankingForm::Build(|node| neighbour(node, "LEAD")),
        Ranking::FirstValue => RankingForm::Call("FIRST_VALUE"),
        Ranking::LastValue => RankingForm::Call("LAST_VALUE"),
        Ranking::NthValue => RankingForm::Absent {
            why: "StarRocks has no NTH_VALUE",
            needs: "use FIRST_VALUE or LAST_VALUE, or DataFusion or DuckDB",
        },
    };
    RankingRow { form, url: URL }
}

/// A default of its own must be a literal, or be known not to be NULL, which a cast never is: it is written out. The mark holds the value's
/// column, since a constant is no column to look back in.
fn neighbour(node: &RankingCall<'_>, name: &'static str) -> Result<Expr, Refusal> {
    if node.arguments.get(1).is_some_and(|offset| offset.whole_number() == Some(0)) {
        return Err(Refusal::function("goes at least one row", "write the value itself"));
    }
    let [x, offset, default] = node.arguments else {
        return Ok(node.plain(name, NullTreatment::IgnoreInside));
    };
    if node.ignore_nulls {
        // The values that are looked back at are no NULLs.
        let arguments = vec![x.expr.clone(), offset.expr.clone()];
        let value = node.with_arguments(name, arguments, NullTreatment::IgnoreInside);
        return Ok(call("COALESCE", vec![value, default.expr.clone()]));
    }
    let mark = when_else(is_null(x.expr.clone()), number(0), number(1));
    Ok(node.or_default_by(name, mark, x.expr.clone(), &offset.expr, default.expr.clone()))
}
