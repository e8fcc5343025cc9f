//! What a request shows. In: a shape. Out: features, read off the parts of the request, so that they are true whatever made them.

use std::collections::BTreeSet;

use super::Feature;
use super::ask::measures;
use super::data;
use super::graph::{Way, Ways};
use super::metrics::features_in;
use super::shape::{Ask, Field, Mark, Relationship, Shape, marks};

/// What the request itself shows: read off its parts, so that it stays true after changes.
pub(crate) fn of_measures(shape: &Shape, ways: &Ways) -> BTreeSet<Feature> {
    let ask = &shape.ask;
    let mut found = BTreeSet::new();
    let homes: BTreeSet<usize> = measures(ask).flat_map(|about| about.homes.iter().copied()).collect();
    if homes.len() > 1 {
        found.insert(Feature::Stitch);
    }
    for entry in &ask.measures {
        found.extend(features_in(shape, &entry.text, 0));
    }
    let sides = |dataset: usize| homes.iter().map(move |home| ways.way(*home, dataset));
    let mut asked = BTreeSet::new();
    for dataset in ask.dimensions.iter().filter_map(|entry| entry.about.dataset) {
        asked.insert(dataset);
        for way in sides(dataset) {
            match way {
                Way::Bridge => found.insert(Feature::Bridge),
                Way::Finer => found.insert(Feature::FinerDimension),
                Way::Edge => found.insert(Feature::NToN),
                Way::Near | Way::Shut => false,
            };
        }
    }
    for text in &ask.conditions {
        for mark in marks(text) {
            let Mark::Field(dataset, _) = mark else { continue };
            if !asked.contains(&dataset) && sides(dataset).any(|way| way != Way::Near) {
                found.insert(Feature::FarPredicate);
            }
        }
    }
    found
}

/// The fields that the entries of a request name.
fn named_fields(ask: &Ask) -> BTreeSet<(usize, usize)> {
    let entries = ask.dimensions.iter().chain(&ask.measures).chain(&ask.fields).map(|entry| &entry.text);
    let texts = entries.chain(&ask.conditions).chain(&ask.having);
    texts
        .flat_map(|text| marks(text))
        .filter_map(|mark| match mark {
            Mark::Field(dataset, field) => Some((dataset, field)),
            _ => None,
        })
        .collect()
}

/// What the entries of the request, and the fields they name, are.
pub(crate) fn of_request(shape: &Shape, ways: &Ways) -> BTreeSet<Feature> {
    let ask = &shape.ask;
    let named = named_fields(ask);
    let any = |wanted: &dyn Fn(usize, &Field) -> bool| {
        named
            .iter()
            .any(|(dataset, field)| shape.field(*dataset, *field).is_some_and(|one| wanted(*dataset, one)))
    };
    let other = |own: usize, mark: &Mark| matches!(mark, Mark::Field(far, _) if *far != own);
    let said = [
        (Feature::Where, !ask.conditions.is_empty()),
        (Feature::Having, !ask.having.is_empty()),
        (Feature::OrderBy, !ask.order.is_empty()),
        (Feature::Limit, ask.limit.is_some()),
        (Feature::Scalar, !ask.fields.is_empty()),
        (Feature::DimensionOnly, !ask.dimensions.is_empty() && ask.measures.is_empty()),
        (Feature::WindowField, any(&|_, field| field.trait_of.windowed)),
        (Feature::FieldAcross, any(&|own, field| marks(&field.text).iter().any(|mark| other(own, mark)))),
        (Feature::Orphan, shape.relationships.iter().any(|one| meets_orphan(shape, ways, one))),
    ];
    said.into_iter().filter(|(_, is_so)| *is_so).map(|(feature, _)| feature).collect()
}

/// Whether the request walks a relationship some of whose keys point nowhere.
fn meets_orphan(shape: &Shape, ways: &Ways, relationship: &Relationship) -> bool {
    let ask = &shape.ask;
    let mut touched: BTreeSet<usize> = named_fields(ask).into_iter().map(|(dataset, _)| dataset).collect();
    let measures = ask.measures.iter().filter_map(|entry| entry.about.measure.as_ref());
    touched.extend(measures.flat_map(|about| about.homes.iter().copied()));
    // Between two touched datasets lies all that reaches the one and is reached from the other.
    let below = touched.iter().any(|from| ways.way(*from, relationship.from) == Way::Near);
    let above = touched.iter().any(|to| ways.way(relationship.to, *to) == Way::Near);
    below && above && data::oddities(shape, relationship).0
}
