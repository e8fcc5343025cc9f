//! Ranking and navigation windows of DataFusion 54.
//! <https://datafusion.apache.org/user-guide/sql/window_functions.html>

use unisono_compiler::function::Ranking;

use crate::form::{RankingCall, RankingForm, RankingRow, Refusal};
use crate::sql::tree::{Bound, Call, Expr, Frame, NullTreatment, Over, Type, call, cast, plain_call};
use crate::target::Version;

const URL: &str = "https://datafusion.apache.org/user-guide/sql/window_functions.html";

/// The row of a ranking function.
pub(super) fn row(function: Ranking, _version: Version) -> RankingRow {
    let form = match function {
        Ranking::RowNumber => RankingForm::Build(|node| signed(node, "ROW_NUMBER")),
        Ranking::Rank => RankingForm::Build(|node| signed(node, "RANK")),
        Ranking::DenseRank => RankingForm::Build(|node| signed(node, "DENSE_RANK")),
        Ranking::Ntile => RankingForm::Build(|node| signed(node, "NTILE")),
        Ranking::PercentRank => RankingForm::Call("PERCENT_RANK"),
        Ranking::CumeDist => RankingForm::Call("CUME_DIST"),
        Ranking::Lag => RankingForm::Build(|node| neighbour(node, "LAG")),
        Ranking::Lead => RankingForm::Build(|node| neighbour(node, "LEAD")),
        Ranking::FirstValue => RankingForm::Call("FIRST_VALUE"),
        Ranking::LastValue => RankingForm::Call("LAST_VALUE"),
        Ranking::NthValue => RankingForm::Call("NTH_VALUE"),
    };
    RankingRow { form, url: URL }
}

/// The engine counts in UINT64.
fn signed(node: &RankingCall<'_>, name: &'static str) -> Result<Expr, Refusal> {
    Ok(cast(node.plain(name, NullTreatment::IgnoreAfter), Type::word("BIGINT")))
}

/// LAG and LEAD with IGNORE NULLS stop the process on a column without NULLs (54.0, run); the next value that is not NULL
/// is also the last one before this row, or the first one after it.
fn neighbour(node: &RankingCall<'_>, name: &'static str) -> Result<Expr, Refusal> {
    if !node.ignore_nulls {
        return Ok(match node.arguments {
            // The engine takes only constants as defaults.
            [x, offset, default] if default.literal().is_none() => {
                node.or_default(name, x.expr.clone(), &offset.expr, default.expr.clone())
            }
            _ => node.plain(name, NullTreatment::IgnoreAfter),
        });
    }
    let [x, rest @ ..] = node.arguments else { return Ok(node.plain(name, NullTreatment::IgnoreAfter)) };
    if rest.first().is_some_and(|offset| offset.whole_number() != Some(1)) {
        return Err(Refusal::function(
            "with IGNORE NULLS goes one row only on DataFusion 54",
            "use an offset of 1, or leave IGNORE NULLS out",
        ));
    }
    let unbounded = |words| Bound { offset: None, words };
    let next = |words| Bound { offset: Some(1), words };
    let (name, start, end) = if name == "LAG" {
        ("LAST_VALUE", unbounded("UNBOUNDED PRECEDING"), next("PRECEDING"))
    } else {
        ("FIRST_VALUE", next("FOLLOWING"), unbounded("UNBOUNDED FOLLOWING"))
    };
    let over = Over { frame: Some(Frame { mode: "ROWS", start, end }), ..node.over.clone() };
    let value = Expr::Call(Box::new(Call {
        nulls: NullTreatment::IgnoreAfter,
        over: Some(over),
        ..plain_call(name, vec![x.expr.clone()])
    }));
    Ok(match rest.get(1) {
        Some(default) => call("COALESCE", vec![value, default.expr.clone()]),
        None => value,
    })
}
