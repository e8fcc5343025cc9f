//! Requests without measures, and scalar requests. In: a shape with fields. Out: the same with such a request.

use super::Feature;
use super::ask::{choose_order, dimension, is_new};
use super::fields::computed;
use super::graph::{Way, Ways};
use super::operand::{Operand, condition, fields};
use super::shape::{About, Ask, Entry, Key, Kind, Metric, Shape, field_mark, metric_mark};
use super::structure::Builder;

/// Dimensions that exist, of one dataset or of all that one dataset reaches.
pub(crate) fn dimension_only(builder: &mut Builder<'_>) {
    let ways = Ways::of(&builder.shape);
    let ids: Vec<usize> = builder.shape.datasets.iter().map(|dataset| dataset.id).collect();
    let Some(base) = builder.dice.pick(&ids).copied() else { return };
    let near = ways.open(&[base], &[Way::Near]);
    let mut ask = Ask::default();
    let wanted = builder.dice.count(1, 3);
    for position in 0..6 {
        if ask.dimensions.len() == wanted {
            break;
        }
        // The base itself first: then it is the finest, whatever else is asked.
        let dataset = if position == 0 || builder.dice.chance(40) {
            base
        } else {
            builder.dice.pick(&near).copied().unwrap_or(base)
        };
        match dimension(builder, dataset) {
            Some(entry) if is_new(&ask, &entry) => ask.dimensions.push(entry),
            _ => {}
        }
    }
    if builder.dice.chance(40) {
        let dataset = builder.dice.pick(&near).copied().unwrap_or(base);
        let all = fields(&builder.shape, dataset, false);
        ask.conditions.extend(condition(builder.dice, &all));
    }
    let of_base = |metric: &&Metric| {
        !metric.private
            && !metric.about.traits.windowed
            && metric.about.homes.iter().all(|home| *home == base)
    };
    let metrics: Vec<String> = builder
        .shape
        .metrics
        .iter()
        .filter(of_base)
        .map(|metric| format!("{} IS NOT NULL", metric_mark(metric.id)))
        .collect();
    if builder.dice.chance(10) {
        ask.having.extend(builder.dice.pick(&metrics).cloned());
    }
    choose_order(builder.dice, &mut ask);
    builder.shape.ask = ask;
}

/// Fields of a home and of what it reaches.
pub(crate) fn scalar(builder: &mut Builder<'_>) {
    let ways = Ways::of(&builder.shape);
    let ids: Vec<usize> = builder.shape.datasets.iter().map(|dataset| dataset.id).collect();
    let Some(home) = builder.dice.pick(&ids).copied() else { return };
    let near: Vec<usize> = ways.open(&[home], &[Way::Near]).into_iter().filter(|id| *id != home).collect();
    let mut ask = Ask::default();
    let key = key_fields(&builder.shape, home);
    let own = fields(&builder.shape, home, false);
    if let Some(key) = &key
        && builder.dice.chance(60)
    {
        ask.fields.extend(key.iter().map(|text| plain(text.clone(), home)));
    }
    if ask.fields.is_empty() {
        ask.fields.extend(builder.dice.pick(&own).map(|operand| plain(operand.text.clone(), home)));
    }
    for _ in 0..builder.dice.count(0, 3) {
        let other = builder.dice.pick(&near).copied().filter(|_| builder.dice.chance(45));
        let dataset = other.unwrap_or(home);
        let all = fields(&builder.shape, dataset, false);
        let Some(operand) = builder.dice.pick(&all).cloned() else { continue };
        let mut entry = plain(operand.text.clone(), dataset);
        if builder.dice.chance(20)
            && let Some(made) = computed(builder.dice, &[operand])
        {
            entry.text = made.text;
            entry.alias = Some(format!("calc_{}", ask.fields.len()));
        }
        if ask.fields.iter().all(|other| other.text != entry.text) {
            ask.fields.push(entry);
        }
    }
    if builder.dice.chance(22)
        && let Some(text) = window(builder, &own, key.as_deref())
    {
        builder.features.insert(Feature::Window);
        let alias = Some("win".to_string());
        ask.fields.push(Entry { text, alias, ..Entry::default() });
    }
    if builder.dice.chance(50) {
        let dataset = builder.dice.pick(&near).copied().filter(|_| builder.dice.chance(40)).unwrap_or(home);
        let all = fields(&builder.shape, dataset, false);
        ask.conditions.extend(condition(builder.dice, &all));
    }
    ask.home = (near.is_empty() || builder.dice.chance(15)).then_some(home);
    order(builder, key.as_deref(), &mut ask);
    builder.shape.ask = ask;
}

fn plain(text: String, dataset: usize) -> Entry {
    Entry { text, about: About { dataset: Some(dataset), ..About::default() }, ..Entry::default() }
}

/// The public fields that are the dataset's primary key.
pub(crate) fn key_fields(shape: &Shape, id: usize) -> Option<Vec<String>> {
    let dataset = shape.dataset(id)?;
    if dataset.primary.is_empty() {
        return None;
    }
    let field = |column: &usize| {
        let is_so = |field: &&super::shape::Field| field.column == Some(*column) && !field.private;
        dataset.fields.iter().find(is_so).map(|field| field_mark(id, field.id))
    };
    dataset.primary.iter().map(field).collect()
}

/// A window over the rows of the answer, ordered by the key.
fn window(builder: &mut Builder<'_>, own: &[Operand], key: Option<&[String]>) -> Option<String> {
    let key = key?.join(", ");
    let part = builder.dice.pick(own)?.text.clone();
    let numbers: Vec<&Operand> =
        own.iter().filter(|operand| operand.kind.is_number() && !operand.traits.windowed).collect();
    let number = builder.dice.pick(&numbers)?.text.clone();
    Some(match builder.dice.below(6) {
        0 => format!("ROW_NUMBER() OVER (PARTITION BY {part} ORDER BY {key})"),
        1 => format!("SUM({number}) OVER (ORDER BY {key})"),
        2 => format!("RANK() OVER (PARTITION BY {part} ORDER BY {number} DESC)"),
        3 => format!("LEAD({number}, 1) OVER (ORDER BY {key})"),
        4 => format!("COUNT(*) OVER (PARTITION BY {part})"),
        _ => format!("MIN({number}) OVER (ORDER BY {key} ROWS BETWEEN 2 PRECEDING AND 1 PRECEDING)"),
    })
}

/// Rows of the home are told apart by its key only: a limit needs it in the order.
fn order(builder: &mut Builder<'_>, key: Option<&[String]>, ask: &mut Ask) {
    let selected = |text: &String| ask.fields.iter().any(|entry| entry.text == *text);
    let total = key.is_some_and(|key| key.iter().all(selected));
    if !builder.dice.chance(45) {
        return;
    }
    let by = |builder: &mut Builder<'_>, text: String| {
        let nulls_first = builder.dice.chance(30).then(|| builder.dice.chance(50));
        Key { text, grain: None, descending: builder.dice.chance(45), nulls_first }
    };
    let rounded = |entry: &Entry| entry.about.kind == Some(Kind::Double);
    let names: Vec<String> = ask
        .fields
        .iter()
        .filter(|entry| !rounded(entry) && !entry.text.contains(" OVER ") && !entry.text.contains('/'))
        .map(|entry| entry.alias.clone().unwrap_or_else(|| entry.text.clone()))
        .collect();
    if let Some(name) = builder.dice.pick(&names).cloned()
        && builder.dice.chance(70)
    {
        ask.order.push(by(builder, name));
    }
    for text in key.unwrap_or(&[]).iter().filter(|_| total) {
        if ask.order.iter().all(|other| other.text != *text) {
            ask.order.push(by(builder, text.clone()));
        }
    }
    if total && builder.dice.chance(40) {
        ask.limit = Some(builder.dice.count(1, 6));
    }
}
