//! Random cases. In: a seed. Out: a small model, its rows and a request, always the same for a seed, with the words that say what is in
//! it: one case in twelve is wrong on purpose, the others should have an answer.

use std::collections::BTreeSet;

use crate::case::Case;

mod ask;
mod data;
mod dice;
mod features;
mod fields;
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
pub use features::Feature;
pub(crate) use graph::{Way, Ways};
use shape::Shape;

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
    features.extend(features::of_measures(&shape, &ways));
    features.extend(features::of_request(&shape, &ways));
    Generated { seed, case: print::case(&shape), features, shape }
}

#[cfg(test)]
mod tests;
