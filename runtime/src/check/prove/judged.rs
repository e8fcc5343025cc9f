//! Two answers of a pipeline judged with the bounds that its own rows allow. In: both answers, which buckets are open. Out: one outcome a metric.

use super::Asked;
use super::batch::Compiled;
use crate::check::bound::{FloatSums, bounds};
use crate::check::judge::{OnOpen, Rules, judge as judge_by};
use crate::check::question::Question;
use crate::check::verdict::Outcome;
use crate::pipeline::Prepared;
use crate::table::{Table, Value};

/// Which buckets are open, and what they do.
pub(super) struct Buckets<'a> {
    /// Whether a key is of an open bucket.
    pub(super) is_open: &'a dyn Fn(&[Value]) -> bool,
    /// What such keys do.
    pub(super) on_open: OnOpen,
    /// Home rows that the rollup tells of, if they were counted.
    pub(super) home_rows: Option<u64>,
}

impl Buckets<'_> {
    /// Of a pipeline without windows.
    pub(super) fn none(home_rows: Option<u64>) -> Self {
        Buckets { is_open: &|_| false, on_open: OnOpen::Pend, home_rows }
    }
}

/// Judges the real-time answer by the batch answer, which has the companions that bounds need.
pub(super) fn judge(
    asked: &Asked<'_>,
    prepared: &Prepared,
    (question, compiled): (&Question, &Compiled),
    (batch, realtime): (&Table, &Table),
    open: &Buckets<'_>,
) -> Vec<Outcome> {
    let sums = if prepared.flink.is_some() { FloatSums::Retracted } else { FloatSums::Recomputed };
    let bounds = bounds(&compiled.bound, &compiled.companions, batch, sums);
    let rules = Rules {
        bounds: &bounds,
        home_rows: open.home_rows,
        looser: asked.looser,
        is_open: open.is_open,
        on_open: open.on_open,
        sample: asked.sample,
    };
    judge_by(question, batch, realtime, &rules)
}
