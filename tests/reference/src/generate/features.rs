//! The words that say what is in a case. In: a shape. Out: features of its request, read off its parts, so that they are true whatever made them.

use std::collections::BTreeSet;

use super::ask::measures;
use super::data;
use super::graph::{Way, Ways};
use super::shape::{Ask, Field, Mark, Relationship, Shape, marks};

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

/// What the text of a measure holds. Metrics never form a circle, but a shrunk case may be odd: the depth is bounded.
fn features_in(shape: &Shape, text: &str, depth: usize) -> Vec<Feature> {
    let words = [
        ("MEDIAN(", Feature::Median),
        ("PERCENTILE_", Feature::Percentile),
        ("DISTINCT", Feature::Distinct),
        ("_BY(", Feature::MinBy),
        ("STDDEV", Feature::Deviation),
        ("VAR", Feature::Deviation),
        ("FILTER (", Feature::FilterInside),
        (" OVER (", Feature::Window),
    ];
    let mut found: Vec<Feature> =
        words.iter().filter(|(word, _)| text.contains(word)).map(|(_, feature)| *feature).collect();
    let below = marks(text).into_iter().filter_map(|mark| match mark {
        Mark::Metric(id) => shape.metric(id),
        _ => None,
    });
    for metric in below.filter(|_| depth < 6) {
        found.push(Feature::Derived);
        found.extend(features_in(shape, &metric.text, depth + 1));
    }
    found
}
