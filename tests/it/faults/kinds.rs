//! The kinds of faults. In: a random place. Out: a tap that strikes there once, or everywhere, as the kind is.

use unisono_compiler::ids::DatasetId;
use unisono_runtime::engine::incremental::{Update, Value};
use unisono_runtime::pipeline::{Pass, Tap};

use super::shop::Random;

/// A kind of fault.
pub(super) struct Fault {
    /// Its name.
    pub(super) name: &'static str,
    /// A tap that has it.
    pub(super) tap: fn(&mut Random) -> Box<dyn Tap>,
}

/// All kinds.
pub(super) const FAULTS: [Fault; 14] = [
    Fault { name: "lost_row", tap: |random| change(random, |sign, _| sign > 0, |_| Pass::Never) },
    Fault { name: "row_twice", tap: |random| change(random, |sign, _| sign > 0, |_| Pass::Twice) },
    Fault {
        name: "late_update_missing",
        tap: |_| changes(|_, row| if has(row, 40) { Pass::Never } else { Pass::Once }),
    },
    Fault { name: "delete_missing", tap: |random| change(random, |sign, _| sign < 0, |_| Pass::Never) },
    Fault {
        name: "filter_on_one_side",
        tap: |_| changes(|_, row| if negative(row) { Pass::Never } else { Pass::Once }),
    },
    Fault {
        name: "cents_cut",
        tap: |_| {
            changes(|_, row| {
                cut(row);
                Pass::Once
            })
        },
    },
    Fault {
        name: "week_from_sunday",
        tap: |_| {
            changes(|_, row| {
                sunday(row);
                Pass::Once
            })
        },
    },
    Fault {
        name: "stale_dimension",
        tap: |_| changes(|_, row| if is_customer(row) { Pass::Never } else { Pass::Once }),
    },
    Fault {
        name: "integer_average",
        tap: |_| {
            stored(|update| {
                each_value(update, |value| {
                    if let Value::Float(value) = value {
                        *value = value.trunc();
                    }
                });
            })
        },
    },
    Fault {
        name: "null_key_dropped",
        tap: |_| stored(|update| update.upserts.retain(|key, _| !key.contains(&Value::Null))),
    },
    Fault {
        name: "group_lost",
        tap: |random| {
            let at = random.below(8);
            Box::new(Stored {
                change: move |update: &mut Update| {
                    let key = update
                        .upserts
                        .keys()
                        .nth(usize::try_from(at).unwrap() % update.upserts.len().max(1))
                        .cloned();
                    if let Some(key) = key {
                        update.upserts.remove(&key);
                    }
                },
            })
        },
    },
    Fault { name: "group_kept", tap: |_| stored(|update| update.deletes.clear()) },
    Fault {
        name: "a_cent_too_much",
        tap: |_| {
            stored(|update| {
                each_value(update, |value| {
                    if let Value::Decimal { unscaled, scale: 2 } = value {
                        *unscaled += 1;
                    }
                });
            })
        },
    },
    Fault {
        name: "group_renamed",
        tap: |_| {
            stored(|update| {
                let moved: Vec<_> =
                    update.upserts.keys().filter(|key| key.contains(&Value::text("EAST"))).cloned().collect();
                for key in moved {
                    if let Some(mut row) = update.upserts.remove(&key) {
                        row[0] = Value::text("east");
                        update.upserts.insert(vec![Value::text("east")], row);
                    }
                }
            })
        },
    },
];

/// Strikes one change that fits, the n-th.
struct Once<F, E> {
    left: u64,
    fits: F,
    effect: E,
}

impl<F: FnMut(i8, &[Value]) -> bool, E: FnMut(&mut [Value]) -> Pass> Tap for Once<F, E> {
    fn changed(&mut self, _: DatasetId, sign: i8, row: &mut [Value]) -> Pass {
        if !(self.fits)(sign, row) {
            return Pass::Once;
        }
        if self.left == 0 {
            self.left = u64::MAX;
            return (self.effect)(row);
        }
        self.left = self.left.saturating_sub(1);
        Pass::Once
    }
}

fn change(
    random: &mut Random,
    fits: fn(i8, &[Value]) -> bool,
    effect: fn(&mut [Value]) -> Pass,
) -> Box<dyn Tap> {
    Box::new(Once { left: random.below(6), fits, effect })
}

/// Strikes every change.
struct Changes(fn(i8, &mut [Value]) -> Pass);

impl Tap for Changes {
    fn changed(&mut self, _: DatasetId, sign: i8, row: &mut [Value]) -> Pass {
        (self.0)(sign, row)
    }
}

fn changes(each: fn(i8, &mut [Value]) -> Pass) -> Box<dyn Tap> {
    Box::new(Changes(each))
}

/// Strikes what is stored.
struct Stored<C> {
    change: C,
}

impl<C: FnMut(&mut Update)> Tap for Stored<C> {
    fn stored(&mut self, update: &mut Update) {
        (self.change)(update);
    }
}

fn stored(change: fn(&mut Update)) -> Box<dyn Tap> {
    Box::new(Stored { change })
}

fn each_value(update: &mut Update, change: impl Fn(&mut Value)) {
    for row in update.upserts.values_mut() {
        for value in row.iter_mut() {
            change(value);
        }
    }
}

fn has(row: &[Value], below: i64) -> bool {
    matches!(row.first(), Some(Value::Integer(id)) if *id < below)
}

fn negative(row: &[Value]) -> bool {
    row.iter().any(|value| matches!(value, Value::Decimal { unscaled, scale: 2 } if *unscaled < 0))
}

fn cut(row: &mut [Value]) {
    for value in row {
        if let Value::Decimal { unscaled, scale: 2 } = value {
            *unscaled -= *unscaled % 100;
        }
    }
}

/// A Sunday counts as the first day of the next week.
fn sunday(row: &mut [Value]) {
    const DAY: i64 = 86_400_000_000;
    for value in row {
        if let Value::Timestamp(at) = value
            && (at.div_euclid(DAY) + 4).rem_euclid(7) == 0
        {
            *at += DAY;
        }
    }
}

fn is_customer(row: &[Value]) -> bool {
    row.iter().any(|value| matches!(value, Value::Text(_))) || row.len() == 2
}
