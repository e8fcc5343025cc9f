//! Ranking and navigation windows of DuckDB.
//! <https://duckdb.org/docs/stable/sql/functions/window_functions>

use unisono_compiler::function::Ranking;

use crate::form::{RankingForm, RankingRow};
use crate::target::Version;

const URL: &str = "https://duckdb.org/docs/stable/sql/functions/window_functions";

/// The row of a ranking function.
pub(super) fn row(function: Ranking, _version: Version) -> RankingRow {
    let form = match function {
        Ranking::RowNumber => RankingForm::Call("ROW_NUMBER"),
        Ranking::Rank => RankingForm::Call("RANK"),
        Ranking::DenseRank => RankingForm::Call("DENSE_RANK"),
        Ranking::Ntile => RankingForm::Call("NTILE"),
        Ranking::PercentRank => RankingForm::Call("PERCENT_RANK"),
        Ranking::CumeDist => RankingForm::Call("CUME_DIST"),
        Ranking::Lag => RankingForm::Call("LAG"),
        Ranking::Lead => RankingForm::Call("LEAD"),
        Ranking::FirstValue => RankingForm::Call("FIRST_VALUE"),
        Ranking::LastValue => RankingForm::Call("LAST_VALUE"),
        Ranking::NthValue => RankingForm::Call("NTH_VALUE"),
    };
    RankingRow { form, url: URL }
}
