//! Where values and names of columns come from. In: dice, a type. Out: small pools, so that groups collide and edges are met.

use super::dice::Dice;
use crate::case::ColumnType;
use crate::value::Value;

const DECIMALS: [ColumnType; 3] = [
    ColumnType::Decimal { precision: 10, scale: 2 },
    ColumnType::Decimal { precision: 12, scale: 4 },
    ColumnType::Decimal { precision: 5, scale: 1 },
];

/// A type of any attribute.
pub(crate) fn any_type(dice: &mut Dice) -> ColumnType {
    match dice.weighted(&[30, 18, 14, 10, 8, 20]) {
        0 => ColumnType::Text,
        1 => ColumnType::Int32,
        2 => DECIMALS[dice.below(3)],
        3 => ColumnType::Boolean,
        4 => ColumnType::Date,
        _ => number_type(dice),
    }
}

/// A type that can be added up.
pub(crate) fn number_type(dice: &mut Dice) -> ColumnType {
    match dice.weighted(&[35, 15, 35, 15]) {
        0 => ColumnType::Int32,
        1 => ColumnType::Int64,
        2 => DECIMALS[dice.below(3)],
        _ => ColumnType::Double,
    }
}

/// A column's name.
pub(crate) fn name(dice: &mut Dice, column_type: ColumnType) -> &'static str {
    dice.word(match column_type {
        ColumnType::Boolean => &["active", "paid", "flag"],
        ColumnType::Int32 | ColumnType::Int64 => &["qty", "units", "score", "value", "level"],
        ColumnType::Decimal { .. } => &["amount", "price", "cost", "balance", "ltv"],
        ColumnType::Double => &["weight", "rate", "temperature"],
        ColumnType::Text => &["region", "segment", "status", "city", "label", "method", "user"],
        ColumnType::Date => &["day", "ordered_on", "due", "date"],
        ColumnType::Timestamp => &["happened_at", "created_at"],
    })
}

fn integer(number: i64) -> Value {
    Value::Exact { digits: i128::from(number), scale: 0 }
}

/// Values of a key. No pool holds what `orphan` gives.
pub(crate) fn keys(column_type: ColumnType, size: i64) -> Vec<Value> {
    (1..=size)
        .map(|number| match column_type {
            ColumnType::Int64 => integer(5_000_000_000 + number),
            ColumnType::Text if number % 7 == 0 => Value::Text(format!("K {number}")),
            ColumnType::Text => Value::Text(format!("k{number}")),
            ColumnType::Date => Value::Date(19_700 + i32::try_from(number).unwrap_or(0)),
            _ => integer(if number % 9 == 0 { -number } else { number }),
        })
        .collect()
}

/// A key that no row has.
pub(crate) fn orphan(dice: &mut Dice, column_type: ColumnType) -> Value {
    let number = dice.between(90, 93);
    match column_type {
        ColumnType::Int64 => integer(6_000_000_000 + number),
        ColumnType::Text => Value::Text(format!("zz{number}")),
        ColumnType::Date => Value::Date(10_000 + i32::try_from(number).unwrap_or(0)),
        _ => integer(number),
    }
}

/// The values of an attribute: two to six, some at the edges of their type's rules.
pub(crate) fn values(dice: &mut Dice, column_type: ColumnType) -> Vec<Value> {
    const TEXTS: [&[&str]; 5] = [
        &["EAST", "WEST", "NORTH", "SOUTH"],
        &["retail", "wholesale", "Retail"],
        &["a", "b", "A", "b ", " a", ""],
        &["it's", "x\"y", "50%", "a_b", "ab"],
        &["naïve", "Öl", "日本", "ol", "é"],
    ];
    // Around ends of months and years, a leap day, and ISO weeks that lie in two years.
    const DAYS: [i32; 10] = [19_781, 19_782, 19_783, 19_722, 19_723, 20_087, 20_451, 19_889, 19_753, 18_262];
    const CLOCKS: [i64; 5] = [0, 86_399_999_999, 45_015_000_000, 3_600_000_000, 82_800_000_001];
    let size = dice.count(2, 6);
    if column_type == ColumnType::Boolean {
        return vec![Value::Boolean(true), Value::Boolean(false)];
    }
    if column_type == ColumnType::Text {
        let texts = TEXTS[dice.weighted(&[40, 25, 15, 10, 10])];
        return texts.iter().map(|text| Value::Text((*text).to_string())).collect();
    }
    (0..size)
        .map(|_| match column_type {
            ColumnType::Int32 => integer(dice.between(-3, 12)),
            ColumnType::Int64 if dice.chance(15) => integer(1_000_000_007 * dice.between(-3, 3)),
            ColumnType::Decimal { scale, .. } => {
                let unit = 10_i64.pow(u32::from(scale));
                let low = [unit, unit / 4, 1][dice.below(3)].max(1);
                Value::Exact { digits: i128::from(low * dice.between(-4, 40)), scale }
            }
            ColumnType::Double => {
                Value::Double(0.25 * f64::from(i32::try_from(dice.between(-8, 60)).unwrap_or(0)))
            }
            ColumnType::Date => Value::Date(DAYS[dice.below(DAYS.len())]),
            ColumnType::Timestamp => Value::Timestamp(
                i64::from(DAYS[dice.below(DAYS.len())]) * 86_400_000_000 + CLOCKS[dice.below(CLOCKS.len())],
            ),
            _ => integer(dice.between(-5, 50)),
        })
        .collect()
}
