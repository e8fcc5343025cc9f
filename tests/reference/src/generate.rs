//! Random cases. In: a seed. Out: a small model, its rows and a request, always the same for a seed, with the words that say what is in
//! it: one case in twelve is wrong on purpose, the others should have an answer.

use std::collections::BTreeSet;

use crate::case::Case;

mod ask;
mod data;
mod dice;
mod fields;
mod found;
mod graph;
mod illegal;
mod lists;
mod metrics;
pub(crate) mod operand;
mod pools;
pub(crate) mod print;
pub(crate) mod shape;
mod structure;

pub(crate) use dice::Dice;
pub(crate) use graph::{Way, Ways};
use shape::Shape;

/// What is in a case.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Feature {
    /// A text is compared with a number, which the reference does not see: it knows values and no types.
    Mistyped,
    /// A measure meets a dataset across a bridge.
    Bridge,
    /// Measures of two homes stand side by side.
    Stitch,
    /// A dimension lies on a dataset that is finer than the home.
    FinerDimension,
    /// A foreign key between datasets of the request points nowhere.
    Orphan,
    /// Groups are filtered.
    Having,
    /// A window is in the request.
    Window,
    /// MEDIAN.
    Median,
    /// PERCENTILE_CONT or PERCENTILE_DISC.
    Percentile,
    /// COUNT(DISTINCT ..).
    Distinct,
    /// STDDEV, VARIANCE.
    Deviation,
    /// MIN_BY, MAX_BY.
    MinBy,
    /// FILTER, or CASE inside an aggregate.
    FilterInside,
    /// Arithmetic over metrics.
    Derived,
    /// A scalar request.
    Scalar,
    /// Dimensions without measures.
    DimensionOnly,
    /// `metric_time`.
    MetricTime,
    /// A time cut to a grain.
    Grain,
    /// `time_range`.
    TimeRange,
    /// Rows are filtered.
    Where,
    /// A filter on a far side without a dimension there.
    FarPredicate,
    /// `order_by`.
    OrderBy,
    /// `limit`.
    Limit,
    /// An aggregate written into the request.
    AdHoc,
    /// A dimension that is computed in the request.
    ComputedDimension,
    /// COUNT(*).
    CountStar,
    /// The request names a field that is a window.
    WindowField,
    /// The request names a field that reads another dataset.
    FieldAcross,
    /// An N:N edge is in the model, or is walked.
    NToN,
    /// A dataset refers to itself.
    SelfRelationship,
    /// Two datasets meet 1:1.
    OneToOne,
    /// A key of several columns.
    CompositeKey,
    /// Two datasets over one table.
    RoleCopies,
    /// Two paths between two datasets.
    Diamond,
    /// A dataset that nothing connects.
    Unconnected,
    /// A foreign key holds NULL.
    NullKey,
    /// A foreign key holds a value twice.
    DuplicateKey,
    /// A table has no rows.
    EmptyTable,
    /// Wrong on purpose.
    Illegal,
}

/// A case with what is in it.
#[derive(Clone, PartialEq, Debug)]
pub struct Generated {
    /// Gives the case again.
    pub seed: u64,
    /// The case.
    pub case: Case,
    /// What is in it.
    pub features: BTreeSet<Feature>,
    /// Its parts, for `shrink` and `variants`.
    pub(crate) shape: Shape,
}

/// The case of a seed.
pub fn case(seed: u64) -> Generated {
    let mut dice = Dice::new(seed);
    let mut builder = structure::build(&mut dice);
    data::fill(&mut builder);
    fields::add(&mut builder);
    metrics::add(&mut builder);
    match builder.dice.weighted(&[79, 8, 13]) {
        0 => ask::aggregation(&mut builder),
        1 => lists::dimension_only(&mut builder),
        _ => lists::scalar(&mut builder),
    }
    if builder.dice.chance(8) {
        illegal::spoil(&mut builder);
    }
    let ways = Ways::of(&builder.shape);
    // What the structure has is no feature of the request: a bridge counts where a measure crosses it.
    builder.features.remove(&Feature::Bridge);
    let (shape, mut features) = (builder.shape, builder.features);
    features.extend(found::of_measures(&shape, &ways));
    features.extend(found::of_request(&shape, &ways));
    Generated { seed, case: print::case(&shape), features, shape }
}

#[cfg(test)]
mod tests;
