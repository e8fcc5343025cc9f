//! A relation over a stream whose rows have the bounds of their time bucket. In: the relation of an updating stream. Out: the same where every step hands
//! the bounds on, groups by them, ranks within them and joins by them, so that Flink tells a group once, when the watermark has passed its bucket.
//!
//! Flink gives the bounds by a table function and recognises them by their columns, not by what they are computed from: a select that loses them, or a join
//! without them, is kept up change by change like any other.
//! <https://nightlies.apache.org/flink/flink-docs-stable/docs/sql/reference/queries/window-tvf/>

use unisono_compiler::data_type::{DataType, Exactness};
use unisono_compiler::expr::{Expr, ExprKind, Literal};
use unisono_compiler::function::Scalar;
use unisono_compiler::relation::{
    Body, ColumnRef, Grouping, Input, Item, JoinKind, RelExpr, Relation, Select, Source,
};

use crate::strategy::column;

/// The time of a row as the watermark has it: milliseconds.
pub(crate) const TIME: &str = "__time";

/// The columns that a stream of events has beside its own: its time, and what Flink's table function adds. No column of a source may be called so.
pub const EVENT_COLUMNS: [&str; 4] = [TIME, "window_start", "window_end", "window_time"];

/// The bounds that are handed on.
const BOUNDS: [&str; 2] = ["window_start", "window_end"];

/// The relation by buckets. `since` leaves out the buckets that begin before a moment (`YYYY-MM-DD HH:MM:SS`): others have told them.
/// An error says what of the relation has no form over buckets.
pub fn tumbled(relation: &Relation, since: Option<&str>) -> Result<Relation, &'static str> {
    let mut tumbled = relation.clone();
    for cte in &mut tumbled.ctes {
        match &mut cte.body {
            Body::Select(select) => step(select, since, true)?,
            Body::UnionAll(_) => return Err("rows of several kinds are put below each other"),
        }
    }
    step(&mut tumbled.body, since, false)?;
    Ok(tumbled)
}

/// The rows of the relation's datasets that are older than a moment (`YYYY-MM-DD HH:MM:SS`), by their column `time`.
pub fn rows_before(relation: &Relation, time: &str, moment: &str) -> Relation {
    let mut older = relation.clone();
    let selects = older.ctes.iter_mut().flat_map(|cte| cte.body.selects_mut());
    for select in selects.chain([&mut older.body]) {
        if let Some(Input { source: Source::Dataset(_), alias }) = &select.from {
            let column = column(alias, time, DataType::Timestamp, Exactness::Exact);
            select.filter.push(compared(Scalar::Less, column, moment));
        }
    }
    older
}

/// One select; `hands_on` where others read it.
fn step(select: &mut Select, since: Option<&str>, hands_on: bool) -> Result<(), &'static str> {
    let Some(from) = &select.from else { return Err("a row of constants belongs to no bucket") };
    let bounds = bounds(&from.alias);
    if let (Source::Dataset(_), Some(since)) = (&from.source, since) {
        select.filter.push(compared(Scalar::GreaterEqual, bounds[0].clone(), since));
    }
    for join in &mut select.joins {
        match join.kind {
            JoinKind::Left => {}
            JoinKind::Full => return Err("groups of several kinds are put beside each other"),
            JoinKind::Cross => return Err("every row is paired with every other"),
        }
        let right = self::bounds(&join.right.alias);
        join.on.extend(bounds.iter().cloned().zip(right));
    }
    for item in &mut select.items {
        within(&mut item.expr, &bounds);
    }
    match &mut select.group_by {
        Grouping::None => {}
        Grouping::Global => return Err("there is one group of all rows"),
        Grouping::Keys(keys) => keys.extend(bounds.iter().cloned()),
    }
    if hands_on {
        let own = BOUNDS.iter().zip(bounds);
        select.items.extend(own.map(|(name, expr)| Item { name: (*name).to_string(), expr }));
    }
    Ok(())
}

/// Ranks are ranks of a bucket.
fn within(expr: &mut RelExpr, bounds: &[RelExpr; 2]) {
    if let ExprKind::Window(window) = &mut *expr.kind {
        window.partition_by.extend(bounds.iter().cloned());
    }
    for part in expr.children_mut() {
        within(part, bounds);
    }
}

fn bounds(alias: &str) -> [RelExpr; 2] {
    BOUNDS.map(|name| column(alias, name, DataType::Timestamp, Exactness::Exact))
}

fn compared(operator: Scalar, value: RelExpr, moment: &str) -> RelExpr {
    let moment: Expr<ColumnRef> = Expr::constant(Literal::Timestamp(moment.to_string()), DataType::Timestamp);
    Expr::call(operator, vec![value, moment], DataType::Boolean, Exactness::Exact)
}
