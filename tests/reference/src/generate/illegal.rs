//! Requests and models that the rules refuse. In: a legal shape. Out: the same with one fault, as far as the shape has what it needs.

use super::Feature;
use super::dice::Dice;
use super::graph::{Way, Ways};
use super::operand::{Operand, fields};
use super::shape::{About, Ask, Dataset, Entry, Shape, field_mark, metric_mark};
use super::structure::Builder;

/// The choice that compares a text with a number.
const MISTYPED: usize = 14;

/// Puts one fault into a shape.
pub(crate) fn spoil(builder: &mut Builder<'_>) {
    for _ in 0..12 {
        // What cannot be reached has many reasons and few models: it is tried more often.
        let choice = match builder.dice.below(28) {
            20.. => 4,
            other => other,
        };
        let mut shape = builder.shape.clone();
        if fault(builder.dice, &mut shape, choice).is_some() {
            builder.shape = shape;
            builder.features.insert(Feature::Illegal);
            if choice == MISTYPED {
                builder.features.insert(Feature::Mistyped);
            }
            return;
        }
    }
}

fn any_field(dice: &mut Dice, shape: &Shape, wanted: impl Fn(&Operand) -> bool) -> Option<String> {
    let all: Vec<String> = shape
        .datasets
        .iter()
        .flat_map(|dataset| fields(shape, dataset.id, false))
        .filter(wanted)
        .map(|operand| operand.text)
        .collect();
    dice.pick(&all).cloned()
}

fn entry(text: impl Into<String>) -> Entry {
    Entry { text: text.into(), ..Entry::default() }
}

fn aliased(text: String) -> Entry {
    Entry { alias: Some("bad".to_string()), ..entry(text) }
}

/// One fault; `None` where the shape lacks what it needs.
fn fault(dice: &mut Dice, shape: &mut Shape, choice: usize) -> Option<()> {
    let number = any_field(dice, shape, |operand| operand.kind.is_number());
    let is_scalar = !shape.ask.fields.is_empty();
    let aggregates = !shape.ask.measures.is_empty();
    match choice {
        0 if aggregates => shape.ask.conditions.push(format!("SUM({}) > 1", number?)),
        1 => {
            let known = shape.datasets.first()?.name.clone();
            let unknown = entry(format!("{known}.no_such_field"));
            if is_scalar { shape.ask.fields.push(unknown) } else { shape.ask.dimensions.push(unknown) }
        }
        2 if !is_scalar => shape.ask.fields.push(entry(any_field(dice, shape, |_| true)?)),
        3 if aggregates => shape.ask.measures.push(entry("no_such_metric")),
        4 if aggregates => {
            let home = shape.ask.measures.first()?.about.measure.as_ref()?.homes.first().copied()?;
            let far = Ways::of(shape).open(&[home], &[Way::Shut]);
            let far = *dice.pick(&far)?;
            let operand = fields(shape, far, false)
                .into_iter()
                .find(|operand| !operand.traits.rounded && operand.kind != super::shape::Kind::Double)?;
            shape.ask.dimensions = vec![entry(operand.text)];
            // Windows over the dimensions that are gone would be faults of their own.
            shape.ask.measures.retain(|measure| !measure.text.contains(" OVER "));
            shape.ask.order.clear();
        }
        5 => shape.ask.conditions.push(format!("RANK() OVER (ORDER BY {}) = 1", number?)),
        6 if aggregates => shape.ask.measures.push(aliased(format!("SUM(AVG({}))", number?))),
        7 => {
            let text = private_field(dice, shape)?;
            if is_scalar {
                shape.ask.fields.push(entry(text));
            } else {
                shape.ask.dimensions.push(entry(text));
            }
        }
        8 if aggregates => {
            let asked: Vec<String> = shape.ask.dimensions.iter().map(|entry| entry.text.clone()).collect();
            let field = any_field(dice, shape, |operand| !asked.contains(&operand.text))?;
            shape.ask.having.push(format!("{field} IS NOT NULL"));
        }
        9 if is_scalar => {
            let metric = shape.metrics.iter().find(|metric| !metric.private)?;
            shape.ask.fields.push(entry(metric_mark(metric.id)));
        }
        10 => {
            shape.ask = Ask { bare: true, ..Ask::default() };
        }
        11 if !is_scalar => {
            let float =
                any_field(dice, shape, |operand| operand.kind == super::shape::Kind::Double && !operand.key)?;
            shape.ask.dimensions.push(entry(float));
        }
        12 => {
            let number = number?;
            let at = dice.below(shape.datasets.len());
            let dataset: &mut Dataset = shape.datasets.get_mut(at)?;
            let field = dataset.fields.iter_mut().find(|field| field.column.is_none())?;
            field.text = format!("SUM({number})");
            field.private = false;
            // Named by the request: a faulty part that nothing uses need not be found.
            let named = entry(field_mark(dataset.id, field.id));
            if is_scalar { shape.ask.fields.push(named) } else { shape.ask.dimensions.push(named) }
        }
        13 if aggregates => {
            let asked: Vec<String> = shape.ask.dimensions.iter().map(|entry| entry.text.clone()).collect();
            let row = any_field(dice, shape, |operand| !asked.contains(&operand.text))?;
            shape.ask.having.push(format!("{row} IS NULL AND COUNT({}) > 0", number?));
        }
        MISTYPED => {
            let text = any_field(dice, shape, |operand| operand.kind == super::shape::Kind::Text)?;
            shape.ask.conditions.push(format!("{text} = 1"));
        }
        15 if aggregates => {
            let metric = shape.metrics.first_mut()?;
            metric.text = format!("{} + 1", metric_mark(metric.id));
            metric.private = false;
            let named = metric_mark(metric.id);
            if shape.ask.measures.iter().all(|entry| entry.text != named) {
                shape.ask.measures.push(entry(named));
            }
        }
        16 if aggregates => {
            let number = number?;
            let text = format!("SUM(SUM({number}) OVER ()) OVER ()");
            shape.ask.measures.push(aliased(text));
        }
        17 if is_scalar => {
            let home = shape.ask.fields.first()?.about.dataset?;
            let finer = Ways::of(shape).open(&[home], &[Way::Finer, Way::Bridge, Way::Shut]);
            let far = *dice.pick(&finer)?;
            let operand = fields(shape, far, false).into_iter().next()?;
            shape.ask.fields.push(entry(operand.text));
            shape.ask.order.clear();
        }
        18 => stitch_apart(dice, shape)?,
        19 if aggregates => {
            // A grouping column may stand bare in a measure.
            let number = number?;
            if shape.ask.dimensions.iter().any(|entry| entry.text == number) {
                return None;
            }
            shape.ask.measures.push(aliased(number));
        }
        _ => return None,
    }
    Some(())
}

/// Makes a field private that the request is to name.
fn private_field(dice: &mut Dice, shape: &mut Shape) -> Option<String> {
    let at = dice.below(shape.datasets.len());
    let dataset = shape.datasets.get_mut(at)?;
    let field = dice.below(dataset.fields.len());
    let field = dataset.fields.get_mut(field)?;
    field.private = true;
    Some(field_mark(dataset.id, field.id))
}

/// Two facts that nothing connects, without a dimension.
fn stitch_apart(dice: &mut Dice, shape: &mut Shape) -> Option<()> {
    let ways = Ways::of(shape);
    let public: Vec<_> = shape.metrics.iter().filter(|metric| !metric.private).collect();
    let one = *dice.pick(&public)?;
    let apart = |home: &usize| one.about.homes.iter().all(|near| !ways.connected(*near, *home));
    let other = public.iter().find(|metric| metric.about.homes.iter().all(apart))?;
    let measure = |metric: &super::shape::Metric| Entry {
        text: metric_mark(metric.id),
        about: About { measure: Some(metric.about.clone()), ..About::default() },
        ..Entry::default()
    };
    shape.ask = Ask { measures: vec![measure(one), measure(other)], ..Ask::default() };
    Some(())
}
