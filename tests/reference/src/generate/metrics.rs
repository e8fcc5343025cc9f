//! Metrics and measures written into requests. In: a shape with fields. Out: single aggregates, arithmetic over them, metrics over
//! metrics, windows over groups.

use std::collections::BTreeSet;

use super::dice::Dice;
use super::fields::both;
use super::graph::{Way, Ways};
use super::operand::{Operand, fields, predicate};
use super::shape::{Kind, Measure, Metric, Nature, Role, Shape, Traits, field_mark, metric_mark};
use super::structure::Builder;

/// A measure's text with what is known of it.
pub(crate) struct Made {
    pub(crate) text: String,
    pub(crate) about: Measure,
}

/// Names of metrics; a number follows.
const NAMES: [&str; 8] = ["total", "figure", "ratio", "\"Net Worth\"", "Share", "amount", "region", "kpi"];

/// Gives the model its metrics.
pub(crate) fn add(builder: &mut Builder<'_>) {
    let ways = Ways::of(&builder.shape);
    let homes: Vec<(usize, Role)> =
        builder.shape.datasets.iter().map(|dataset| (dataset.id, dataset.role)).collect();
    for (home, role) in homes {
        let count = match role {
            Role::Fact => builder.dice.count(1, 3),
            Role::Dimension | Role::Link => builder.dice.count(0, 1),
        };
        for _ in 0..count {
            if let Some(made) = aggregate(builder.dice, &builder.shape, &ways, home, true) {
                push(builder, made);
            }
        }
    }
    for _ in 0..builder.dice.count(0, 2) {
        if let Some(made) = composed(builder.dice, &builder.shape, &ways) {
            push(builder, made);
        }
    }
    if builder.dice.chance(12)
        && let Some(made) = window(builder.dice, &builder.shape, None, &[])
    {
        push(builder, made);
    }
}

fn push(builder: &mut Builder<'_>, made: Made) {
    let id = builder.shape.metrics.len();
    let stem = builder.dice.word(&NAMES);
    let taken = |name: &str| builder.shape.metrics.iter().any(|metric| metric.name == name);
    // Two in ten share a leaf name with columns; a second one of a name gets a number.
    let name = if stem.ends_with('"') {
        format!("{} {id}\"", stem.trim_end_matches('"'))
    } else if taken(stem) || builder.dice.chance(80) {
        format!("{stem}_{id}")
    } else {
        stem.to_string()
    };
    let private = builder.dice.chance(3);
    builder.shape.metrics.push(Metric { id, name, text: made.text, about: made.about, private });
}

fn of_kind(operands: &[Operand], wanted: impl Fn(&Operand) -> bool) -> Vec<Operand> {
    operands.iter().filter(|operand| wanted(operand)).cloned().collect()
}

/// A number that may be added up: a column or product, now and then with a factor from an N:1 dataset.
fn argument(dice: &mut Dice, own: &[Operand], near: &[Operand]) -> Option<Operand> {
    let numbers = of_kind(own, |operand| operand.kind.is_number() && !operand.key);
    let one = dice.pick(&numbers)?.clone();
    let exact_near = of_kind(near, |other| other.kind == one.kind && !other.key);
    if dice.chance(12)
        && let Some(other) = dice.pick(&exact_near)
    {
        let text = format!("{} * {}", one.text, other.text);
        return Some(Operand { text, traits: both(one.traits, other.traits), ..one });
    }
    let same = of_kind(&numbers, |other| other.kind == one.kind);
    match dice.weighted(&[72, 10, 8, 10]) {
        0 => Some(one),
        1 => {
            let other = dice.pick(&same)?;
            let text = format!("{} * {}", one.text, other.text);
            Some(Operand { text, traits: both(one.traits, other.traits), ..one })
        }
        2 => Some(Operand { text: format!("COALESCE({}, 0)", one.text), ..one }),
        _ => Some(Operand { text: format!("{} - 1", one.text), ..one }),
    }
}

/// One aggregate over a home. Private fields only inside the model.
pub(crate) fn aggregate(
    dice: &mut Dice,
    shape: &Shape,
    ways: &Ways,
    home: usize,
    private: bool,
) -> Option<Made> {
    let own = fields(shape, home, private);
    let near: Vec<Operand> = ways
        .open(&[home], &[Way::Near])
        .into_iter()
        .filter(|near| *near != home)
        .flat_map(|near| fields(shape, near, private))
        .collect();
    let any = dice.pick(&own)?.clone();
    let mut nature = Nature::Other;
    let number = argument(dice, &own, &near);
    let choice = if number.is_some() {
        dice.weighted(&[26, 14, 9, 8, 11, 13, 4, 2, 6, 4, 3])
    } else {
        dice.weighted(&[0, 60, 20, 0, 0, 0, 0, 0, 0, 10, 10])
    };
    let mut number = number.unwrap_or_else(|| any.clone());
    // A filter stands behind the aggregate, or inside it.
    let all: Vec<Operand> = own.iter().chain(&near).cloned().collect();
    let filter = dice.pick(&all).cloned().map(|operand| predicate(dice, &operand));
    let filter = filter.filter(|_| dice.chance(22));
    let inside = dice.chance(50) && choice <= 1;
    let mut any = any;
    if let (Some(filter), true) = (&filter, inside) {
        number.text = format!("CASE WHEN {filter} THEN {} END", number.text);
        any.text = format!("CASE WHEN {filter} THEN {} END", any.text);
    }
    let it = number.text.as_str();
    let mut traits = number.traits;
    let double = |traits| Traits { rounded: true, ..traits };
    let (text, kind) = match choice {
        0 => {
            nature = Nature::Sum;
            (format!("SUM({it})"), number.kind)
        }
        1 => {
            nature = Nature::Count;
            traits = any.traits;
            (format!("COUNT({})", any.text), Kind::Integer)
        }
        2 => {
            let exact = of_kind(&own, |operand| operand.kind != Kind::Double);
            let one = dice.pick(&exact)?.clone();
            traits = one.traits;
            (format!("COUNT(DISTINCT {})", one.text), Kind::Integer)
        }
        3 => {
            traits = double(traits);
            (format!("AVG({it})"), Kind::Double)
        }
        4 => (format!("{}({it})", dice.word(&["MIN", "MAX"])), number.kind),
        5 => {
            traits = double(traits);
            (format!("MEDIAN({it})"), Kind::Double)
        }
        6 => {
            traits = double(traits);
            let fraction = dice.word(&["0.25", "0.5", "0.9", "0", "1"]);
            (format!("PERCENTILE_CONT({fraction}) WITHIN GROUP (ORDER BY {it})"), Kind::Double)
        }
        7 => (format!("PERCENTILE_DISC(0.5) WITHIN GROUP (ORDER BY {it})"), number.kind),
        8 => {
            traits = double(traits);
            let word = dice.word(&["STDDEV", "STDDEV_SAMP", "STDDEV_POP", "VARIANCE", "VAR_SAMP", "VAR_POP"]);
            (format!("{word}({it})"), Kind::Double)
        }
        9 => {
            let by = key_field(shape, home)?;
            traits = any.traits;
            (format!("{}({}, {by})", dice.word(&["MIN_BY", "MAX_BY"]), any.text), any.kind)
        }
        _ => {
            traits = any.traits;
            (format!("{}({})", dice.word(&["MIN", "MAX"]), any.text), any.kind)
        }
    };
    let text = match filter {
        Some(filter) if !inside => {
            format!("{text} FILTER (WHERE {filter})")
        }
        Some(_) | None => text,
    };
    let about = Measure { kind, homes: BTreeSet::from([home]), nature, traits };
    Some(Made { text, about })
}

/// The field that is the dataset's whole key.
fn key_field(shape: &Shape, id: usize) -> Option<String> {
    let dataset = shape.dataset(id)?;
    let [column] = dataset.primary.as_slice() else { return None };
    let field = dataset.fields.iter().find(|field| field.column == Some(*column))?;
    Some(field_mark(id, field.id))
}

/// Arithmetic over metrics and aggregates, across two facts where they can stand side by side.
pub(crate) fn composed(dice: &mut Dice, shape: &Shape, ways: &Ways) -> Option<Made> {
    let usable: Vec<&Metric> = shape
        .metrics
        .iter()
        .filter(|metric| metric.about.kind.is_number() && !metric.about.traits.windowed)
        .collect();
    let one = *dice.pick(&usable)?;
    let met = |other: &&&Metric| {
        one.about.homes.iter().all(|home| other.about.homes.iter().all(|far| ways.connected(*home, *far)))
    };
    let others: Vec<&Metric> = usable.iter().filter(met).copied().collect();
    let other = *dice.pick(&others)?;
    let (left, right) = (metric_mark(one.id), metric_mark(other.id));
    let same = one.about.kind == other.about.kind;
    let mut traits = both(one.about.traits, other.about.traits);
    let (text, kind) = match dice.below(9) {
        0 | 1 => {
            traits.rounded = true;
            (format!("{left} / {right}"), Kind::Double)
        }
        2 if same => (format!("{left} - {right}"), one.about.kind),
        3 if same => (format!("COALESCE({left}, 0) + COALESCE({right}, 0)"), one.about.kind),
        4 => (format!("CASE WHEN {right} > 3 THEN {left} END"), one.about.kind),
        5 => {
            traits.rounded = true;
            (format!("100.0 * {left} / NULLIF({right}, 0)"), Kind::Double)
        }
        6 => {
            let home = *one.about.homes.first()?;
            let made = aggregate(dice, shape, ways, home, true)?;
            if made.about.kind != one.about.kind {
                return None;
            }
            let about = Measure {
                kind: one.about.kind,
                homes: one.about.homes.clone(),
                nature: Nature::Other,
                traits: both(one.about.traits, made.about.traits),
            };
            let text = format!("{left} + {}", made.text);
            return Some(Made { text, about });
        }
        7 => {
            let about = one.about.clone();
            return Some(Made { text: left, about });
        }
        _ => (format!("{left} * 2"), one.about.kind),
    };
    let homes = one.about.homes.union(&other.about.homes).copied().collect();
    let about = Measure { kind, homes, nature: Nature::Other, traits };
    Some(Made { text, about })
}

/// A window over the rows of the answer. Without dimensions to order by it needs none.
pub(crate) fn window(
    dice: &mut Dice,
    shape: &Shape,
    among: Option<&[usize]>,
    dimensions: &[String],
) -> Option<Made> {
    let allowed = |metric: &&Metric| {
        let exact = !metric.about.traits.rounded && metric.about.kind.is_number();
        let reached = among.is_none_or(|homes| metric.about.homes.iter().all(|home| homes.contains(home)));
        exact && reached && !metric.about.traits.windowed && (among.is_none() || !metric.private)
    };
    let usable: Vec<&Metric> = shape.metrics.iter().filter(allowed).collect();
    let one = *dice.pick(&usable)?;
    let it = metric_mark(one.id);
    let all = dimensions.join(", ");
    let additive = one.about.nature != Nature::Other;
    let choice = if dimensions.is_empty() { dice.below(3) } else { dice.below(8) };
    let mut traits = Traits { windowed: true, ..one.about.traits };
    let (text, kind) = match choice {
        0 => (format!("RANK() OVER (ORDER BY {it} DESC)"), Kind::Integer),
        1 if one.about.nature == Nature::Sum => {
            traits.rounded = true;
            // In a request the text may name private fields.
            let text = if among.is_none() { &one.text } else { &it };
            (format!("{text} / SUM({text}) OVER ()"), Kind::Double)
        }
        2 if additive => (format!("SUM({it}) OVER ()"), one.about.kind),
        3 => (format!("LAG({it}) OVER (ORDER BY {all})"), one.about.kind),
        4 => (format!("ROW_NUMBER() OVER (ORDER BY {all})"), Kind::Integer),
        5 => (format!("DENSE_RANK() OVER (ORDER BY {it})"), Kind::Integer),
        6 => {
            let first = dimensions.first()?;
            (format!("MAX({it}) OVER (PARTITION BY {first})"), one.about.kind)
        }
        7 if additive => (
            format!("SUM({it}) OVER (ORDER BY {all} ROWS BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW)"),
            one.about.kind,
        ),
        _ => (format!("SUM({it}) OVER ()"), one.about.kind),
    };
    let about = Measure { kind, homes: one.about.homes.clone(), nature: Nature::Other, traits };
    Some(Made { text, about })
}
