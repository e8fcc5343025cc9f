//! Aggregation requests. In: a shape with metrics. Out: the same with a request that should be legal: measures first, then dimensions and
//! predicates that all of them reach.

use std::collections::BTreeSet;

use super::Feature;
use super::dice::Dice;
use super::fields::computed;
use super::graph::{Way, Ways};
use super::metrics::{aggregate, window};
use super::operand::{Operand, condition, fields, predicate};
use super::shape::{
    About, Ask, Entry, Key, Kind, Measure, Metric, Nature, Shape, TimeRange, Traits, metric_mark,
};
use super::structure::Builder;

/// The far side that a request speaks of: at most one, since two of them are mostly refused.
#[derive(Clone, Debug, Default)]
struct Reach {
    homes: Vec<usize>,
    far: Option<usize>,
}

impl Reach {
    /// The datasets that entries may still name, the far ones apart.
    fn near(&self, ways: &Ways) -> Vec<usize> {
        ways.open(&self.homes, &[Way::Near])
    }

    fn of(&self, ways: &Ways, way: Way) -> Vec<usize> {
        let open = ways.open(&self.homes, &[Way::Near, Way::Finer, Way::Bridge, Way::Edge]);
        let is_so = |far: &usize| {
            self.homes.iter().any(|home| ways.way(*home, *far) == way)
                && self.far.is_none_or(|other| other == *far)
        };
        open.into_iter().filter(is_so).collect()
    }

    /// A dataset for an entry: a far side in so many of a hundred cases where there is one.
    fn choose(&mut self, dice: &mut Dice, ways: &Ways, far: usize) -> Option<usize> {
        for way in [Way::Bridge, Way::Finer, Way::Edge] {
            let sides = self.of(ways, way);
            if !sides.is_empty() && dice.chance(far) {
                let side = *dice.pick(&sides)?;
                self.far = Some(side);
                return Some(side);
            }
        }
        dice.pick(&self.near(ways)).copied()
    }
}

/// Throws an aggregation request.
pub(crate) fn aggregation(builder: &mut Builder<'_>) {
    let ways = Ways::of(&builder.shape);
    let mut ask = Ask::default();
    choose_measures(builder, &ways, &mut ask);
    if ask.measures.is_empty() {
        return super::lists::dimension_only(builder);
    }
    let homes: BTreeSet<usize> = measures(&ask).flat_map(|about| about.homes.iter().copied()).collect();
    let mut reach = Reach { homes: homes.into_iter().collect(), far: None };
    choose_dimensions(builder, &ways, &mut reach, &mut ask);
    if builder.dice.chance(45) {
        for _ in 0..builder.dice.count(1, 2) {
            choose_condition(builder, &ways, &mut reach, &mut ask);
        }
    }
    // Behind a bridge or an edge no dataset is the finest, and COUNT(*) has no rows to count.
    let bridged = [Way::Bridge, Way::Edge].iter().any(|way| !reach.of(&ways, *way).is_empty());
    if reach.far.is_some() && bridged && ask.measures.len() > 1 {
        ask.measures.retain(|entry| entry.text != "COUNT(*)");
    }
    choose_time_range(builder, &reach, &mut ask);
    choose_windows(builder, &reach, &mut ask);
    choose_having(builder, &ways, &reach, &mut ask);
    choose_order(builder.dice, &mut ask);
    ask.shout = builder.dice.chance(4);
    builder.shape.ask = ask;
}

pub(crate) fn measures(ask: &Ask) -> impl Iterator<Item = &Measure> {
    ask.measures.iter().filter_map(|entry| entry.about.measure.as_ref())
}

/// A metric's name, with an alias now and then.
fn metric_entry(dice: &mut Dice, metric: &Metric, position: usize) -> Entry {
    let alias = dice.chance(25).then(|| format!("as_{position}"));
    let about = About { measure: Some(metric.about.clone()), ..About::default() };
    Entry { text: metric_mark(metric.id), alias, about, ..Entry::default() }
}

fn choose_measures(builder: &mut Builder<'_>, ways: &Ways, ask: &mut Ask) {
    let usable: Vec<Metric> = builder
        .shape
        .metrics
        .iter()
        .filter(|metric| !metric.private && !metric.about.traits.windowed)
        .cloned()
        .collect();
    let Some(first) = builder.dice.pick(&usable).cloned() else { return };
    let home = first.about.homes.first().copied().unwrap_or(0);
    let wanted = builder.dice.weighted(&[0, 36, 40, 24]);
    ask.measures.push(metric_entry(builder.dice, &first, 0));
    while ask.measures.len() < wanted {
        let position = ask.measures.len();
        let homes: BTreeSet<usize> = measures(ask).flat_map(|about| about.homes.clone()).collect();
        let is_new = |metric: &&Metric| {
            let text = metric_mark(metric.id);
            ask.measures.iter().all(|entry| entry.text != text)
        };
        // Measures of other homes need a dataset that all of them reach.
        let stitched = |metric: &&Metric| {
            let all: Vec<usize> = homes.union(&metric.about.homes).copied().collect();
            metric.about.homes.is_disjoint(&homes) && !ways.open(&all, &[Way::Near]).is_empty()
        };
        let same = |metric: &&Metric| metric.about.homes.is_subset(&homes);
        let others: Vec<&Metric> = usable.iter().filter(is_new).collect();
        let apart: Vec<&Metric> = others.iter().copied().filter(stitched).collect();
        let alike: Vec<&Metric> = others.iter().copied().filter(same).collect();
        let next = if builder.dice.chance(60) && !apart.is_empty() {
            builder.dice.pick(&apart).copied()
        } else {
            builder.dice.pick(&alike).copied()
        };
        match next {
            Some(metric) if builder.dice.chance(72) => {
                ask.measures.push(metric_entry(builder.dice, metric, position));
            }
            _ if builder.dice.chance(6) && homes.len() == 1 => {
                builder.features.insert(Feature::CountStar);
                ask.measures.push(count_star(home, position));
            }
            _ => {
                let Some(made) = aggregate(builder.dice, &builder.shape, ways, home, false) else { return };
                builder.features.insert(Feature::AdHoc);
                let about = About { measure: Some(made.about), ..About::default() };
                let alias = Some(format!("own_{position}"));
                ask.measures.push(Entry { text: made.text, alias, about, ..Entry::default() });
            }
        }
    }
}

fn count_star(home: usize, position: usize) -> Entry {
    // It counts other rows where the request touches another dataset: not additive.
    let measure = Measure {
        kind: Kind::Integer,
        homes: BTreeSet::from([home]),
        nature: Nature::Other,
        traits: Traits::default(),
    };
    let about = About { measure: Some(measure), ..About::default() };
    Entry { text: "COUNT(*)".to_string(), alias: Some(format!("rows_{position}")), about, ..Entry::default() }
}

/// The grains of a time field.
fn grain(dice: &mut Dice, kind: Kind) -> &'static str {
    if kind == Kind::Timestamp && dice.chance(25) {
        return dice.word(&["hour", "minute", "second"]);
    }
    dice.word(&["year", "quarter", "month", "month", "week", "day"])
}

/// A field of a dataset as a dimension; floats cannot be one.
pub(crate) fn dimension(builder: &mut Builder<'_>, dataset: usize) -> Option<Entry> {
    let all: Vec<Operand> = fields(&builder.shape, dataset, false)
        .into_iter()
        .filter(|operand| operand.kind != Kind::Double)
        // Keys make groups of single rows: seldom.
        .filter(|operand| !operand.key || builder.dice.chance(25))
        .collect();
    let one = builder.dice.pick(&all)?.clone();
    let mut entry = Entry {
        text: one.text.clone(),
        about: About { dataset: Some(dataset), kind: Some(one.kind), ..About::default() },
        ..Entry::default()
    };
    if one.kind.is_time() && builder.dice.chance(60) {
        builder.features.insert(Feature::Grain);
        entry.grain = Some(grain(builder.dice, one.kind));
        entry.colon = builder.dice.chance(50);
    } else if builder.dice.chance(8)
        && let Some(made) = computed(builder.dice, &[one])
        && made.kind != Kind::Double
    {
        builder.features.insert(Feature::ComputedDimension);
        entry.text = made.text;
        entry.alias = Some(format!("dim_{}", builder.dice.below(1000)));
        entry.about.kind = Some(made.kind);
    } else if builder.dice.chance(8) {
        entry.alias = Some(format!("dim_{}", builder.dice.below(1000)));
    }
    Some(entry)
}

/// Whether an answer would have two columns of one meaning.
pub(crate) fn is_new(ask: &Ask, entry: &Entry) -> bool {
    let same = |other: &&Entry| other.text == entry.text && other.grain == entry.grain;
    let alias = |other: &&Entry| other.alias.is_some() && other.alias == entry.alias;
    ask.dimensions.iter().chain(&ask.measures).all(|other| !same(&other) && !alias(&other))
}

fn choose_dimensions(builder: &mut Builder<'_>, ways: &Ways, reach: &mut Reach, ask: &mut Ask) {
    let times = reach.homes.iter().all(|home| time_field(&builder.shape, *home).is_some());
    let connected =
        reach.homes.iter().all(|home| reach.homes.first().is_some_and(|first| ways.connected(*first, *home)));
    let least = usize::from(!connected);
    let wanted = builder.dice.weighted(&[11, 45, 31, 13]).max(least);
    if wanted > 0 && times && builder.dice.chance(30) {
        builder.features.insert(Feature::MetricTime);
        let grain = Some(builder.dice.word(&["month", "month", "quarter", "day", "week", "year"]));
        let colon = builder.dice.chance(60);
        let about = About { kind: Some(Kind::Date), ..About::default() };
        ask.dimensions.push(Entry {
            text: "metric_time".to_string(),
            grain,
            colon,
            about,
            ..Entry::default()
        });
    }
    let mut tries = 0;
    while ask.dimensions.len() < wanted && tries < 8 {
        tries += 1;
        let Some(dataset) = reach.choose(builder.dice, ways, 48) else { break };
        let Some(entry) = dimension(builder, dataset) else { continue };
        if is_new(ask, &entry) {
            ask.dimensions.push(entry);
        }
    }
    builder.dice.shuffle(&mut ask.dimensions);
}

/// The time of a home, if it is one and no more.
pub(crate) fn time_field(shape: &Shape, home: usize) -> Option<usize> {
    let dataset = shape.dataset(home)?;
    let mut marked = dataset.fields.iter().filter(|field| field.is_time);
    match (dataset.time, marked.next(), marked.next()) {
        (Some(named), _, _) => Some(named),
        (None, Some(one), None) => Some(one.id),
        _ => None,
    }
}

fn choose_condition(builder: &mut Builder<'_>, ways: &Ways, reach: &mut Reach, ask: &mut Ask) {
    let Some(dataset) = reach.choose(builder.dice, ways, 32) else { return };
    let mut all = fields(&builder.shape, dataset, false);
    if reach.far != Some(dataset) && builder.dice.chance(20) {
        // Values of two datasets in one entry.
        let near = reach.near(ways);
        if let Some(other) = builder.dice.pick(&near) {
            all.extend(fields(&builder.shape, *other, false));
        }
    }
    if let Some(text) = condition(builder.dice, &all) {
        ask.conditions.push(text);
    }
}

fn choose_time_range(builder: &mut Builder<'_>, reach: &Reach, ask: &mut Ask) {
    let [home] = reach.homes.as_slice() else { return };
    if !builder.dice.chance(8) {
        return;
    }
    let times: Vec<Operand> = fields(&builder.shape, *home, false)
        .into_iter()
        .filter(|operand| operand.kind.is_time() && !operand.traits.windowed)
        .collect();
    let named = time_field(&builder.shape, *home);
    let dimension = match builder.dice.pick(&times) {
        Some(_) if named.is_some() && builder.dice.chance(40) => "metric_time".to_string(),
        Some(operand) => operand.text.clone(),
        None => return,
    };
    builder.features.insert(Feature::TimeRange);
    let start = builder.dice.word(&["2023-12-31", "2024-01-01", "2024-02-29"]).to_string();
    let end = builder.dice.word(&["2024-03-01", "2024-12-30", "2025-01-01"]).to_string();
    let only = builder.dice.below(5);
    ask.time_range =
        Some(TimeRange { dimension, start: (only != 0).then_some(start), end: (only != 1).then_some(end) });
}

fn choose_windows(builder: &mut Builder<'_>, reach: &Reach, ask: &mut Ask) {
    if !builder.dice.chance(18) {
        return;
    }
    // OVER can name dimensions that are plain fields.
    let plain = |entry: &&Entry| {
        entry.grain.is_none() && entry.text.ends_with(']') && entry.text.rfind('[') == Some(0)
    };
    let dimensions: Vec<String> =
        ask.dimensions.iter().filter(plain).map(|entry| entry.text.clone()).collect();
    // An order by some of them is not total, and ties leave the answer open.
    let usable = if dimensions.len() == ask.dimensions.len() { dimensions } else { Vec::new() };
    if let Some(made) = window(builder.dice, &builder.shape, Some(&reach.homes), &usable) {
        let about = About { measure: Some(made.about), ..About::default() };
        let alias = Some(format!("win_{}", ask.measures.len()));
        ask.measures.push(Entry { text: made.text, alias, about, ..Entry::default() });
    }
}

/// What `having` and `order_by` call a measure.
fn name_of(entry: &Entry) -> String {
    entry.alias.clone().unwrap_or_else(|| entry.text.clone())
}

fn measure_operand(text: String, about: &Measure) -> Operand {
    Operand { text, kind: about.kind, pool: Vec::new(), traits: about.traits, key: false }
}

fn choose_having(builder: &mut Builder<'_>, ways: &Ways, reach: &Reach, ask: &mut Ask) {
    if !builder.dice.chance(if ask.dimensions.is_empty() { 8 } else { 27 }) {
        return;
    }
    let selected: Vec<Operand> = ask
        .measures
        .iter()
        .filter_map(|entry| {
            let about = entry.about.measure.as_ref()?;
            // An aggregate by its text, or by its alias.
            Some(measure_operand(name_of(entry), about)).filter(|operand| !operand.traits.windowed)
        })
        .collect();
    let others: Vec<Operand> = builder
        .shape
        .metrics
        .iter()
        .filter(|metric| !metric.private && !metric.about.traits.windowed)
        .filter(|metric| metric.about.homes.iter().all(|home| reach.homes.contains(home)))
        .map(|metric| measure_operand(metric_mark(metric.id), &metric.about))
        .collect();
    let made = match builder.dice.weighted(&[55, 22, 13, 10]) {
        0 => builder.dice.pick(&selected).cloned().map(|operand| predicate(builder.dice, &operand)),
        1 => builder.dice.pick(&others).cloned().map(|operand| predicate(builder.dice, &operand)),
        2 => reach
            .homes
            .first()
            .and_then(|home| aggregate(builder.dice, &builder.shape, ways, *home, false))
            .map(|made| {
                let operand = measure_operand(made.text, &made.about);
                predicate(builder.dice, &operand)
            }),
        _ => {
            let dimension =
                ask.dimensions.iter().find(|entry| entry.alias.is_none() && entry.grain.is_none());
            let one = builder.dice.pick(&selected).cloned();
            one.map(|operand| {
                let measure = predicate(builder.dice, &operand);
                dimension
                    .map_or(measure.clone(), |dimension| format!("{} IS NULL OR {measure}", dimension.text))
            })
        }
    };
    if let Some(text) = made {
        ask.having.push(text);
    }
}

fn key(dice: &mut Dice, entry: &Entry) -> Key {
    let nulls_first = dice.chance(30).then(|| dice.chance(50));
    let grain = if entry.alias.is_some() { None } else { entry.grain };
    Key { text: name_of(entry), grain, descending: dice.chance(45), nulls_first }
}

/// An order, total where there is a limit: else the answer is open.
pub(crate) fn choose_order(dice: &mut Dice, ask: &mut Ask) {
    let limited = dice.chance(16);
    if !limited && !dice.chance(25) {
        return;
    }
    let exact = |entry: &&Entry| {
        entry.about.measure.as_ref().is_some_and(|about| {
            !about.traits.rounded && about.kind != Kind::Double && !about.traits.windowed
        })
    };
    let exact: Vec<Entry> = ask.measures.iter().filter(exact).cloned().collect();
    if dice.chance(55)
        && let Some(entry) = dice.pick(&exact)
    {
        ask.order.push(key(dice, entry));
    }
    let mut dimensions = ask.dimensions.clone();
    dice.shuffle(&mut dimensions);
    for entry in dimensions {
        if limited || dice.chance(70) {
            ask.order.push(key(dice, &entry));
        }
    }
    if limited {
        let least = usize::from(dice.chance(90));
        ask.limit = Some(dice.count(least, 5));
    }
}
