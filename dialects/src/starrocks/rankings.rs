//! Ranking and navigation windows of StarRocks 3.3 to 4.x.
//! <https://docs.starrocks.io/docs/sql-reference/sql-functions/Window_function/>

use unisono_compiler::function::Ranking;

use super::FOUR_ONE;
use crate::form::{RankingCall, RankingForm, RankingRow, Refusal};
use crate::sql::tree::{Expr, NullTreatment};
use crate::target::Version;

const URL: &str = "https://docs.starrocks.io/docs/sql-reference/sql-functions/Window_function/";

/// The row of a ranking function.
pub(super) fn row(function: Ranking, version: Version) -> RankingRow {
    let form = match function {
        Ranking::RowNumber => RankingForm::Call("ROW_NUMBER"),
        Ranking::Rank => RankingForm::Call("RANK"),
        Ranking::DenseRank => RankingForm::Call("DENSE_RANK"),
        Ranking::Ntile => RankingForm::Call("NTILE"),
        Ranking::PercentRank => RankingForm::Call("PERCENT_RANK"),
        Ranking::CumeDist => RankingForm::Call("CUME_DIST"),
        Ranking::Lag if version < FOUR_ONE => RankingForm::Build(|node| constant_default(node, "LAG")),
        Ranking::Lag => RankingForm::Call("LAG"),
        Ranking::Lead if version < FOUR_ONE => RankingForm::Build(|node| constant_default(node, "LEAD")),
        Ranking::Lead => RankingForm::Call("LEAD"),
        Ranking::FirstValue => RankingForm::Call("FIRST_VALUE"),
        Ranking::LastValue => RankingForm::Call("LAST_VALUE"),
        Ranking::NthValue => RankingForm::Absent {
            why: "StarRocks has no NTH_VALUE",
            needs: "use FIRST_VALUE or LAST_VALUE, or DataFusion or DuckDB",
        },
    };
    RankingRow { form, url: URL }
}

fn constant_default(node: &RankingCall<'_>, name: &'static str) -> Result<Expr, Refusal> {
    if node.arguments.get(2).is_some_and(|default| default.literal().is_none()) {
        return Err(Refusal::function(
            "with a default that is no constant needs StarRocks 4.1",
            "write a constant, or COALESCE around it",
        ));
    }
    Ok(node.plain(name, NullTreatment::IgnoreInside))
}
