//! Tests of single aggregates over hand-written values.

use unisono_compiler::data_type::{DataType, Exactness};
use unisono_compiler::expr::{Aggregate, Expr, ExprKind, Literal, OrderKey};
use unisono_compiler::ids::{Id, SlotId};
use unisono_compiler::plan::SlotExpr;

use super::*;

fn slot(index: usize, data_type: DataType) -> SlotExpr {
    Expr::reference(SlotId::from_index(index), data_type, Exactness::Exact)
}

fn literal(literal: Literal, data_type: DataType) -> SlotExpr {
    Expr::new(ExprKind::Literal(literal), data_type, Exactness::Exact)
}

fn of(function: AggregateFunction, arguments: Vec<SlotExpr>, distinct: bool) -> Aggregate<SlotId> {
    Aggregate { function, arguments, distinct, order_by: Vec::new() }
}

fn measure(aggregate: &Aggregate<SlotId>) -> Measure {
    let place = |expr: &SlotExpr| match &*expr.kind {
        ExprKind::Reference(slot) => Some(slot.index()),
        _ => None,
    };
    Measure::of(0, aggregate, &place).unwrap()
}

fn value(aggregate: &Aggregate<SlotId>, rows: &[Vec<Value>]) -> Result<Value, Fault> {
    let measure = measure(aggregate);
    let mut accumulator = Accumulator::new(&measure);
    let mut inputs = Vec::new();
    for row in rows {
        measure.inputs(row, &mut inputs)?;
        accumulator.add(&measure, &inputs)?;
    }
    let cells = accumulator.cells(&measure)?;
    assert_eq!(cells.len(), measure.cells());
    Ok(measure.value(i64::try_from(rows.len()).unwrap(), &cells))
}

fn one_by_one(values: &[Value]) -> Vec<Vec<Value>> {
    values.iter().map(|value| vec![value.clone()]).collect()
}

fn floats(values: &[f64]) -> Vec<Vec<Value>> {
    values.iter().map(|value| vec![Value::Float(*value)]).collect()
}

fn over_floats(function: AggregateFunction, values: &[f64]) -> Value {
    value(&of(function, vec![slot(0, DataType::Float64)], false), &floats(values)).unwrap()
}

const MONEY: DataType = DataType::Decimal { precision: 38, scale: 2 };

fn money(unscaled: i128) -> Value {
    Value::Decimal { unscaled, scale: 2 }
}

#[test]
fn nothing_counts_zero_and_has_no_other_value() {
    for function in AggregateFunction::ALL.iter().copied() {
        let mut arguments = vec![slot(0, DataType::Float64), slot(1, DataType::Float64)];
        match function {
            AggregateFunction::CountRows => arguments.clear(),
            AggregateFunction::PercentileCont | AggregateFunction::PercentileDisc => {
                arguments[1] = literal(Literal::Float("0.5".into()), DataType::Float64);
            }
            AggregateFunction::MinBy
            | AggregateFunction::MaxBy
            | AggregateFunction::ListAgg
            | AggregateFunction::Corr
            | AggregateFunction::CovarPop
            | AggregateFunction::CovarSamp => {}
            _ => arguments.truncate(1),
        }
        let counts = matches!(function, AggregateFunction::CountRows | AggregateFunction::Count);
        let expected = if counts { Value::Integer(0) } else { Value::Null };
        let aggregate = of(function, arguments, false);
        assert_eq!(value(&aggregate, &[]).unwrap(), expected, "{function:?}");
        if function != AggregateFunction::CountRows {
            let nulls = [vec![Value::Null, Value::Null]];
            assert_eq!(value(&aggregate, &nulls).unwrap(), expected, "{function:?}");
        }
    }
}

#[test]
fn exact_sums_raise_past_38_digits() {
    let sum = of(AggregateFunction::Sum, vec![slot(0, MONEY)], false);
    let most = 10_i128.pow(38) - 1;
    let there_and_back = one_by_one(&[money(most), money(most), money(-most), Value::Null]);
    assert_eq!(value(&sum, &there_and_back).unwrap(), money(most));
    assert!(matches!(value(&sum, &there_and_back[..2]), Err(Fault::Overflow(_))));
    assert!(matches!(value(&sum, &one_by_one(&[money(-most), money(-1)])), Err(Fault::Overflow(_))));
}

#[test]
fn distinct_takes_each_value_once() {
    let rows = one_by_one(&[money(100), money(250), money(100), Value::Null]);
    let sum = of(AggregateFunction::Sum, vec![slot(0, MONEY)], true);
    assert_eq!(value(&sum, &rows).unwrap(), money(350));
    let count = of(AggregateFunction::Count, vec![slot(0, MONEY)], true);
    assert_eq!(value(&count, &rows).unwrap(), Value::Integer(2));
    // Tuples with a NULL are none.
    let pairs = of(AggregateFunction::Count, vec![slot(0, MONEY), slot(1, MONEY)], true);
    let rows = [
        vec![money(1), money(1)],
        vec![money(1), money(2)],
        vec![money(1), money(1)],
        vec![money(1), Value::Null],
        vec![Value::Null, money(1)],
    ];
    assert_eq!(value(&pairs, &rows).unwrap(), Value::Integer(2));
}

#[test]
fn nan_is_above_every_number() {
    let values = [2.0, f64::NAN, -1.0];
    assert_eq!(over_floats(AggregateFunction::Min, &values), Value::Float(-1.0));
    assert_eq!(over_floats(AggregateFunction::Max, &values), Value::Float(f64::NAN));
    assert_eq!(over_floats(AggregateFunction::Min, &[-0.0, 0.0]), Value::Float(0.0));
    assert_eq!(over_floats(AggregateFunction::Sum, &[0.5, 0.25]), Value::Float(0.75));
}

#[test]
fn variances_are_of_samples_unless_said() {
    let values = [1.0, 2.0, 4.0, 5.0];
    assert_eq!(over_floats(AggregateFunction::VarPop, &values), Value::Float(2.5));
    assert_eq!(over_floats(AggregateFunction::VarSamp, &values), Value::Float(10.0 / 3.0));
    assert_eq!(over_floats(AggregateFunction::StddevPop, &[1.0, 5.0]), Value::Float(2.0));
    assert_eq!(over_floats(AggregateFunction::StddevSamp, &[3.0]), Value::Null);
    assert_eq!(over_floats(AggregateFunction::StddevPop, &[3.0]), Value::Float(0.0));
    // Far from zero nothing cancels.
    assert_eq!(over_floats(AggregateFunction::VarPop, &[1e9 + 1.0, 1e9 + 3.0]), Value::Float(1.0));
}

#[test]
fn pairs_need_both() {
    let pair = |x: f64, y: f64| vec![Value::Float(x), Value::Float(y)];
    let rows = [pair(1.0, 2.0), pair(3.0, 6.0), vec![Value::Float(9.0), Value::Null]];
    let of_pairs = |function, rows: &[Vec<Value>]| {
        let arguments = vec![slot(0, DataType::Float64), slot(1, DataType::Float64)];
        value(&of(function, arguments, false), rows).unwrap()
    };
    assert_eq!(of_pairs(AggregateFunction::CovarPop, &rows), Value::Float(2.0));
    assert_eq!(of_pairs(AggregateFunction::CovarSamp, &rows), Value::Float(4.0));
    assert_eq!(of_pairs(AggregateFunction::Corr, &rows), Value::Float(1.0));
    assert_eq!(of_pairs(AggregateFunction::Corr, &rows[..1]), Value::Null);
    assert_eq!(of_pairs(AggregateFunction::CovarSamp, &rows[..1]), Value::Null);
}

#[test]
fn percentiles_lie_between_values_or_on_one() {
    assert_eq!(over_floats(AggregateFunction::Median, &[4.0, 1.0, 2.0]), Value::Float(2.0));
    assert_eq!(over_floats(AggregateFunction::Median, &[4.0, 1.0, 2.0, 3.0]), Value::Float(2.5));
    let infinite = [f64::INFINITY, f64::INFINITY];
    assert_eq!(over_floats(AggregateFunction::Median, &infinite), Value::Float(f64::INFINITY));
    let at = |function, fraction: &str, values: &[f64]| {
        let fraction = literal(Literal::Float(fraction.into()), DataType::Float64);
        let aggregate = of(function, vec![slot(0, DataType::Float64), fraction], false);
        value(&aggregate, &floats(values)).unwrap()
    };
    let ten: Vec<f64> = (1..=10).map(f64::from).collect();
    assert_eq!(at(AggregateFunction::PercentileCont, "0.25", &[0.0, 10.0, 20.0]), Value::Float(5.0));
    assert_eq!(at(AggregateFunction::PercentileCont, "1", &ten), Value::Float(10.0));
    assert_eq!(at(AggregateFunction::PercentileDisc, "0.5", &[80.0, 100.0]), Value::Float(80.0));
    assert_eq!(at(AggregateFunction::PercentileDisc, "0", &ten), Value::Float(1.0));
    assert_eq!(at(AggregateFunction::PercentileDisc, "0.91", &ten), Value::Float(10.0));
    // 0.07 * 100 is above 7 in doubles.
    let hundred: Vec<f64> = (1..=100).map(f64::from).collect();
    assert_eq!(at(AggregateFunction::PercentileDisc, "0.07", &hundred), Value::Float(7.0));
    assert_eq!(at(AggregateFunction::PercentileDisc, "7e-2", &hundred[..10]), Value::Float(1.0));
}

#[test]
fn a_pick_breaks_ties_by_the_least_value() {
    let pick = |greatest: bool, rows: &[(Value, Value)]| {
        let function = if greatest { AggregateFunction::MaxBy } else { AggregateFunction::MinBy };
        let aggregate = of(function, vec![slot(0, DataType::Int64), slot(1, DataType::Int64)], false);
        let rows: Vec<Vec<Value>> = rows.iter().map(|(value, by)| vec![value.clone(), by.clone()]).collect();
        value(&aggregate, &rows).unwrap()
    };
    let int = Value::Integer;
    let rows =
        [(int(5), int(1)), (Value::Null, int(2)), (int(7), int(2)), (int(6), int(2)), (int(0), Value::Null)];
    assert_eq!(pick(true, &rows), int(6));
    assert_eq!(pick(false, &rows), int(5));
    // The value of the winning row is the answer, NULL or not.
    assert_eq!(pick(true, &rows[..2]), Value::Null);
}

#[test]
fn texts_are_listed_in_order() {
    let list = |distinct: bool, descending: bool| {
        let separator = literal(Literal::String(", ".into()), DataType::String);
        let key = OrderKey { expr: slot(1, DataType::Int64), descending, nulls_first: descending };
        let aggregate = Aggregate {
            function: AggregateFunction::ListAgg,
            arguments: vec![slot(0, DataType::String), separator],
            distinct,
            order_by: vec![key],
        };
        let row = |text: &str, key: Value| vec![Value::text(text), key];
        let rows = [
            row("b", Value::Integer(2)),
            row("a", Value::Integer(1)),
            vec![Value::Null, Value::Integer(1)],
            row("c", Value::Null),
            row("a", Value::Integer(3)),
        ];
        value(&aggregate, &rows).unwrap()
    };
    assert_eq!(list(false, false), Value::text("a, b, a, c"));
    assert_eq!(list(false, true), Value::text("c, a, b, a"));
    assert_eq!(list(true, false), Value::text("a, b, c"));
}
