//! Values that expressions are made of, and predicates over them. In: a shape, a dataset. Out: marks with their kinds and the literals
//! worth comparing them with.

use super::dice::Dice;
use super::shape::{Kind, Shape, Traits, column_mark, field_mark};
use crate::expr::{print_date, print_exact, print_timestamp};
use crate::value::Value;

/// A value that an expression may use.
#[derive(Clone, PartialEq, Debug)]
pub(crate) struct Operand {
    pub(crate) text: String,
    pub(crate) kind: Kind,
    /// Literals that it may equal.
    pub(crate) pool: Vec<Value>,
    pub(crate) traits: Traits,
    /// It names a column of a key or relationship.
    pub(crate) key: bool,
}

/// A value as a literal of the expression language.
pub(crate) fn constant(value: &Value) -> String {
    match value {
        Value::Null => "NULL".to_string(),
        Value::Boolean(true) => "TRUE".to_string(),
        Value::Boolean(false) => "FALSE".to_string(),
        Value::Exact { digits, scale } => print_exact(*digits, *scale),
        Value::Double(number) => format!("{number:?}e0"),
        Value::Text(text) => format!("'{}'", text.replace('\'', "''")),
        Value::Date(days) => format!("DATE '{}'", print_date(*days)),
        Value::Timestamp(micros) => format!("TIMESTAMP '{}'", print_timestamp(*micros)),
    }
}

fn is_wide(pool: &[Value]) -> bool {
    pool.iter().any(|value| matches!(value, Value::Text(text) if !text.is_ascii()))
}

/// The physical columns, for the dataset's own fields.
pub(crate) fn columns(shape: &Shape, dataset: usize) -> Vec<Operand> {
    let Some(table) = shape.table_of(dataset) else { return Vec::new() };
    let operand = |(at, column): (usize, &super::shape::ColumnShape)| Operand {
        text: column_mark(dataset, at),
        kind: Kind::of(column.column_type),
        pool: column.pool.clone(),
        traits: Traits { wide: is_wide(&column.pool), ..Traits::default() },
        key: column.key,
    };
    table.columns.iter().enumerate().map(operand).collect()
}

/// The fields, for metrics, requests and fields of other datasets. Private ones only where the model itself asks.
pub(crate) fn fields(shape: &Shape, dataset: usize, private: bool) -> Vec<Operand> {
    let Some(own) = shape.dataset(dataset) else { return Vec::new() };
    let table = shape.tables.get(own.table);
    own.fields
        .iter()
        .filter(|field| private || !field.private)
        .map(|field| {
            let column = field.column.and_then(|at| table?.columns.get(at));
            Operand {
                text: field_mark(dataset, field.id),
                kind: field.kind,
                pool: column.map_or_else(|| guesses(field.kind), |column| column.pool.clone()),
                traits: field.trait_of,
                key: column.is_some_and(|column| column.key),
            }
        })
        .collect()
}

/// Literals for a value whose own are not known.
fn guesses(kind: Kind) -> Vec<Value> {
    let number = |digits| Value::Exact { digits, scale: 0 };
    let texts = ["a", "big", "none", "EAST", "x"];
    match kind {
        Kind::Boolean => vec![Value::Boolean(true), Value::Boolean(false)],
        Kind::Integer | Kind::Decimal => (0..6).map(number).collect(),
        // Far from what sums of quarters can be, so that no last bit decides.
        Kind::Double => vec![Value::Double(2.371_234), Value::Double(10.123_457), Value::Double(-0.312_345)],
        Kind::Text => texts.iter().map(|text| Value::Text((*text).to_string())).collect(),
        Kind::Date => vec![Value::Date(19_723), Value::Date(19_782), Value::Date(20_087)],
        Kind::Timestamp => vec![Value::Timestamp(1_704_067_200_000_000)],
    }
}

fn pick_constant(dice: &mut Dice, operand: &Operand) -> String {
    let guessed = guesses(operand.kind);
    let pool = if operand.pool.is_empty() || operand.traits.rounded { &guessed } else { &operand.pool };
    dice.pick(pool).map_or_else(|| "NULL".to_string(), constant)
}

/// A condition on one value.
pub(crate) fn predicate(dice: &mut Dice, operand: &Operand) -> String {
    let it = operand.text.as_str();
    let [first, second] = [pick_constant(dice, operand), pick_constant(dice, operand)];
    if dice.chance(9) {
        return format!("{it} IS {}NULL", dice.word(&["", "NOT "]));
    }
    let compare = dice.word(&["=", "<>", "<", "<=", ">", ">=", "!="]);
    match operand.kind {
        Kind::Boolean => match dice.below(5) {
            0 => it.to_string(),
            1 => format!("NOT {it}"),
            2 => format!("{it} IS NOT TRUE"),
            3 => format!("{it} IS FALSE"),
            _ => format!("{it} = {first}"),
        },
        // Equality of rounded values tells nothing.
        Kind::Double => format!("{it} {} {first}", dice.word(&["<", "<=", ">", ">="])),
        Kind::Text => match dice.below(8) {
            0 => format!("{it} LIKE '{}'", dice.word(&["%a%", "E%", "_%", "%t", "re%l", "a_b", "%"])),
            1 => format!("{it} NOT LIKE '{}'", dice.word(&["%S%", "W%", "%e", "_"])),
            2 => format!("{it} IN ({first}, {second})"),
            3 => format!("{it} NOT IN ({first}, 'other')"),
            4 => format!("{it} IS NOT DISTINCT FROM {first}"),
            5 => format!("{it} >= {first}"),
            6 => format!("COALESCE({it}, 'none') <> {first}"),
            _ => format!("{it} {} {first}", dice.word(&["=", "<>"])),
        },
        Kind::Integer | Kind::Decimal => match dice.below(7) {
            0 => format!("{it} IN ({first}, {second})"),
            1 => format!("{it} BETWEEN {first} AND {second}"),
            2 => format!("{it} NOT BETWEEN {second} AND {first}"),
            3 => format!("{it} IS DISTINCT FROM {first}"),
            4 => format!("{it} + 1 {compare} {first}"),
            _ => format!("{it} {compare} {first}"),
        },
        Kind::Date | Kind::Timestamp => match dice.below(6) {
            0 => format!("{it} BETWEEN {first} AND {second}"),
            1 => format!("EXTRACT(YEAR FROM {it}) = {}", dice.between(2023, 2025)),
            2 => format!("DATE_TRUNC('month', {it}) {compare} {first}"),
            3 => format!("{it} IN ({first}, {second})"),
            _ => format!("{it} {compare} {first}"),
        },
    }
}

/// A condition on one or two values of a list.
pub(crate) fn condition(dice: &mut Dice, operands: &[Operand]) -> Option<String> {
    let first = dice.pick(operands)?.clone();
    let one = predicate(dice, &first);
    let second = dice.pick(operands)?.clone();
    Some(match dice.weighted(&[62, 12, 12, 8, 6]) {
        0 => one,
        1 => format!("{one} AND {}", predicate(dice, &second)),
        2 => format!("{one} OR {}", predicate(dice, &second)),
        3 => format!("NOT ({one})"),
        _ => format!("({one} OR {}) AND {}", predicate(dice, &second), predicate(dice, &second)),
    })
}
