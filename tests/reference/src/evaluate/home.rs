//! Homes that a request decides. In: the datasets that a request touches. Out: whose rows COUNT(*) counts, and over which dataset dimensions
//! without measures are listed.

use std::collections::BTreeSet;

use unisono_compiler::source::Spanned;
use unisono_compiler::syntax::expr::Ident;

use super::rows::World;
use crate::stop::Stop;

/// COUNT(*) counts the rows of the finest dataset that the request touches: `shown` without, `all` with the measures that only
/// `having` and `order_by` name.
pub(super) fn count_star_home(
    world: &World<'_>,
    shown: &BTreeSet<usize>,
    all: &BTreeSet<usize>,
) -> Result<usize, Stop> {
    let finest = |touched: &BTreeSet<usize>| {
        let touched: Vec<usize> = touched.iter().copied().collect();
        match world.model.finest(&touched)?.as_slice() {
            [home] => Ok(*home),
            [] if touched.is_empty() && world.model.datasets.len() == 1 => {
                Err(Stop::Open("COUNT(*) of a model with one dataset".into()))
            }
            [] => Err(Stop::Refused(vec!["E_AMBIGUOUS_MEASURE_GRAIN"])),
            _ => Err(Stop::Open("COUNT(*) over both ends of a 1:1".into())),
        }
    };
    let home = finest(shown);
    if finest(all) == home {
        home
    } else {
        Err(Stop::Open("COUNT(*) beside a measure that is not shown".into()))
    }
}

/// The finest dataset that reaches all; of several, one that is asked for itself.
pub(super) fn listing_home(world: &World<'_>, touched: &BTreeSet<usize>) -> Result<usize, Stop> {
    let touched: Vec<usize> = touched.iter().copied().collect();
    if touched.is_empty() {
        return Err(Stop::Unknown("constants without a measure".into()));
    }
    match world.model.finest(&touched)?.as_slice() {
        [home] => return Ok(*home),
        [] => {}
        _ => return Err(Stop::Open("a list over both ends of a 1:1".into())),
    }
    let ways = |from: usize| -> Vec<usize> {
        touched.iter().map(|to| world.model.single_paths(from, *to).len()).collect()
    };
    let reaching: Vec<usize> =
        (0..world.model.datasets.len()).filter(|from| ways(*from).iter().all(|count| *count > 0)).collect();
    match reaching.as_slice() {
        [] => Err(Stop::Refused(vec!["E3013_NO_STITCHING_DIMENSION"])),
        [home] if ways(*home).iter().all(|count| *count == 1) => Ok(*home),
        [_] => Err(Stop::Refused(vec!["E_AMBIGUOUS_PATH"])),
        _ => Err(Stop::Open("several datasets reach all dimensions".into())),
    }
}

impl World<'_> {
    /// Whether a name is that of a metric.
    pub(super) fn metric_named(&self, name: &[Spanned<Ident>]) -> bool {
        matches!(name, [one] if self.model.metric(&one.value.text).is_some())
    }
}
