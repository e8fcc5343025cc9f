//! Fields: columns as they are, and values computed from them. In: a shape with tables. Out: the shape with fields, windows over the
//! dataset's rows and values of N:1 datasets among them.

use super::dice::Dice;
use super::graph::{Way, Ways};
use super::operand::{Operand, columns, constant, fields, predicate};
use super::shape::{Field, Kind, Role, Shape, Traits, column_mark};
use super::structure::Builder;

/// Gives every dataset its fields.
pub(crate) fn add(builder: &mut Builder<'_>) {
    let ways = Ways::of(&builder.shape);
    let ids: Vec<usize> = builder.shape.datasets.iter().map(|dataset| dataset.id).collect();
    for id in ids {
        add_plain(builder.dice, &mut builder.shape, id);
        add_time(builder.dice, &mut builder.shape, id);
        for _ in 0..builder.dice.count(0, 2) {
            let own = columns(&builder.shape, id);
            if let Some(made) = computed(builder.dice, &own) {
                push(builder.dice, &mut builder.shape, id, made);
            }
        }
        if builder.dice.chance(45) {
            let near: Vec<usize> =
                ways.open(&[id], &[Way::Near]).into_iter().filter(|near| *near != id).collect();
            if let Some(made) = across(builder.dice, &builder.shape, id, &near) {
                push(builder.dice, &mut builder.shape, id, made);
            }
        }
        if ways.keyed(id)
            && builder.dice.chance(30)
            && let Some(made) = windowed(builder.dice, &builder.shape, id)
        {
            push(builder.dice, &mut builder.shape, id, made);
        }
    }
}

/// An expression with what is known of it.
pub(crate) struct Made {
    pub(crate) text: String,
    pub(crate) kind: Kind,
    pub(crate) traits: Traits,
}

fn made(text: String, kind: Kind, traits: Traits) -> Made {
    Made { text, kind, traits }
}

fn push(dice: &mut Dice, shape: &mut Shape, id: usize, made: Made) {
    let private = dice.chance(4);
    let Some(dataset) = shape.dataset_mut(id) else { return };
    let next = dataset.fields.len();
    dataset.fields.push(Field {
        id: next,
        name: format!("made_{next}"),
        text: made.text,
        kind: made.kind,
        column: None,
        is_time: false,
        private,
        trait_of: made.traits,
    });
}

fn add_plain(dice: &mut Dice, shape: &mut Shape, id: usize) {
    let own = columns(shape, id);
    let names: Vec<String> = shape
        .table_of(id)
        .map(|table| table.columns.iter().map(|column| column.name.clone()).collect())
        .unwrap_or_default();
    for (at, (operand, column)) in own.into_iter().zip(names).enumerate() {
        if dice.chance(if operand.key { 12 } else { 6 }) {
            continue;
        }
        let name = match dice.weighted(&[90, 6, 4]) {
            0 => column,
            1 => format!("the_{column}"),
            _ => format!("\"{} {at}\"", column.to_uppercase()),
        };
        let private = !operand.key && dice.chance(5);
        let Some(dataset) = shape.dataset_mut(id) else { return };
        dataset.fields.push(Field {
            id: dataset.fields.len(),
            name,
            text: column_mark(id, at),
            kind: operand.kind,
            column: Some(at),
            is_time: false,
            private,
            trait_of: operand.traits,
        });
    }
}

/// Marks a time field of a fact, by itself or through an extension.
fn add_time(dice: &mut Dice, shape: &mut Shape, id: usize) {
    let marked = dice.chance(80);
    let named = dice.chance(45);
    let Some(dataset) = shape.dataset_mut(id) else { return };
    if dataset.role != Role::Fact {
        return;
    }
    let Some(field) = dataset.fields.iter_mut().find(|field| field.kind.is_time() && !field.private) else {
        return;
    };
    field.is_time = marked;
    if named {
        dataset.time = Some(field.id);
    }
}

/// An expression over columns of one row.
pub(crate) fn computed(dice: &mut Dice, operands: &[Operand]) -> Option<Made> {
    let one = dice.pick(operands)?.clone();
    let other = dice.pick(operands)?.clone();
    let traits = one.traits;
    let it = one.text.as_str();
    Some(match one.kind {
        Kind::Text => text(dice, &one),
        Kind::Boolean => match dice.below(3) {
            0 => made(format!("NOT {it}"), Kind::Boolean, traits),
            1 => made(format!("COALESCE({it}, FALSE)"), Kind::Boolean, traits),
            _ => made(format!("CASE WHEN {it} THEN 1 ELSE 0 END"), Kind::Integer, traits),
        },
        Kind::Date => match dice.below(7) {
            0 => made(format!("DATE_TRUNC('month', {it})"), Kind::Date, traits),
            1 => made(format!("DATE_TRUNC('week', {it})"), Kind::Date, traits),
            2 => made(format!("EXTRACT(YEAR FROM {it})"), Kind::Integer, traits),
            3 => made(format!("EXTRACT(WEEK FROM {it})"), Kind::Integer, traits),
            4 => made(format!("DATEADD(month, 1, {it})"), Kind::Date, traits),
            5 => made(format!("DATEDIFF(month, DATE '2023-12-31', {it})"), Kind::Integer, traits),
            _ => made(format!("{it} + 7"), Kind::Date, traits),
        },
        Kind::Timestamp => match dice.below(4) {
            0 => made(format!("CAST({it} AS DATE)"), Kind::Date, traits),
            1 => made(format!("DATE_TRUNC('day', {it})"), Kind::Timestamp, traits),
            2 => made(format!("EXTRACT(HOUR FROM {it})"), Kind::Integer, traits),
            _ => made(format!("DATEADD(day, 1, {it})"), Kind::Timestamp, traits),
        },
        Kind::Integer | Kind::Decimal | Kind::Double => number(dice, &one, &other),
    })
}

fn text(dice: &mut Dice, one: &Operand) -> Made {
    let it = one.text.as_str();
    let constant = dice.pick(&one.pool).map_or_else(|| "'a'".to_string(), constant);
    let text = match dice.below(9) {
        0 if !one.traits.wide => format!("UPPER({it})"),
        1 if !one.traits.wide => format!("LOWER({it})"),
        2 => format!("{it} || '-x'"),
        3 => format!("COALESCE({it}, 'none')"),
        4 => return made(format!("LENGTH({it})"), Kind::Integer, one.traits),
        5 => format!("SUBSTRING({it}, 1, 2)"),
        6 => format!("TRIM({it})"),
        7 => format!("CASE {it} WHEN {constant} THEN 'hit' ELSE {it} END"),
        _ => format!("NULLIF({it}, {constant})"),
    };
    made(text, Kind::Text, one.traits)
}

fn number(dice: &mut Dice, one: &Operand, other: &Operand) -> Made {
    let it = one.text.as_str();
    let traits = one.traits;
    let [low, high] = [dice.between(0, 4), dice.between(5, 20)];
    match dice.below(12) {
        0 => made(format!("{it} + {high}"), one.kind, traits),
        1 => made(format!("{it} * 2 - {low}"), one.kind, traits),
        2 => made(format!("ABS({it})"), one.kind, traits),
        3 => made(format!("COALESCE({it}, 0)"), one.kind, traits),
        4 => made(
            format!("CASE WHEN {it} > {high} THEN 'big' WHEN {it} IS NULL THEN 'none' ELSE 'small' END"),
            Kind::Text,
            Traits { rounded: false, ..traits },
        ),
        5 if one.kind == Kind::Integer => made(format!("{it} % 3"), Kind::Integer, traits),
        6 if one.kind == Kind::Decimal => made(format!("ROUND({it}, 1)"), Kind::Decimal, traits),
        7 => made(format!("{it} / {high}"), Kind::Double, Traits { rounded: true, ..traits }),
        8 if one.kind == Kind::Integer => made(format!("CAST({it} AS VARCHAR)"), Kind::Text, traits),
        9 => made(format!("CASE WHEN {} THEN {it} END", predicate(dice, other)), one.kind, traits),
        10 if other.kind == one.kind && !one.key && !other.key => {
            made(format!("{it} * {}", other.text), one.kind, both(traits, other.traits))
        }
        _ => made(format!("-{it}"), one.kind, traits),
    }
}

/// What is known of a value made of two.
pub(crate) fn both(left: Traits, right: Traits) -> Traits {
    Traits {
        windowed: left.windowed || right.windowed,
        rounded: left.rounded || right.rounded,
        wide: left.wide || right.wide,
    }
}

fn across(dice: &mut Dice, shape: &Shape, id: usize, near: &[usize]) -> Option<Made> {
    let far = *dice.pick(near)?;
    let from = fields(shape, far, true);
    let one = dice.pick(&from)?.clone();
    let own = columns(shape, id);
    Some(if one.kind.is_number() && dice.chance(60) {
        let numbers: Vec<Operand> =
            own.into_iter().filter(|operand| operand.kind == one.kind && !operand.key).collect();
        match dice.pick(&numbers) {
            Some(mine) => {
                made(format!("{} * {}", mine.text, one.text), one.kind, both(one.traits, mine.traits))
            }
            None => computed(dice, &[one])?,
        }
    } else if dice.chance(40) {
        Made { text: one.text.clone(), kind: one.kind, traits: one.traits }
    } else {
        computed(dice, &[one])?
    })
}

/// A window over the dataset's rows, ordered by its key: ties would leave the answer open.
fn windowed(dice: &mut Dice, shape: &Shape, id: usize) -> Option<Made> {
    let key = &shape.dataset(id)?.primary;
    let key: Vec<String> = key.iter().map(|column| column_mark(id, *column)).collect();
    let key = key.join(", ");
    let own = columns(shape, id);
    let part = dice.pick(&own)?.text.clone();
    let numbers: Vec<Operand> =
        own.into_iter().filter(|operand| operand.kind.is_number() && !operand.key).collect();
    let traits = Traits { windowed: true, ..Traits::default() };
    let Some(number) = dice.pick(&numbers).cloned() else {
        let text = format!("ROW_NUMBER() OVER (PARTITION BY {part} ORDER BY {key})");
        return Some(made(text, Kind::Integer, traits));
    };
    let it = number.text.as_str();
    Some(match dice.below(7) {
        0 => made(format!("ROW_NUMBER() OVER (PARTITION BY {part} ORDER BY {key})"), Kind::Integer, traits),
        1 => made(format!("RANK() OVER (ORDER BY {it} DESC)"), Kind::Integer, traits),
        2 => made(format!("SUM({it}) OVER (PARTITION BY {part} ORDER BY {key})"), number.kind, traits),
        3 => made(format!("COUNT({it}) OVER (PARTITION BY {part})"), Kind::Integer, traits),
        4 => made(format!("LAG({it}) OVER (ORDER BY {key})"), number.kind, traits),
        5 => made(format!("MAX({it}) OVER (PARTITION BY {part})"), number.kind, traits),
        _ => made(
            format!("SUM({it}) OVER (ORDER BY {key} ROWS BETWEEN 1 PRECEDING AND CURRENT ROW)"),
            number.kind,
            traits,
        ),
    })
}
