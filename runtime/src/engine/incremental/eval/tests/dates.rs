//! Functions of dates and times, in each unit and part.

use unisono_compiler::data_type::DataType;
use unisono_compiler::function::{Function, Part, Unit};

use super::*;

#[test]
fn truncation_keeps_the_type() {
    let examples = [
        (Unit::Year, "2024-01-01 00:00:00.000000"),
        (Unit::Quarter, "2024-04-01 00:00:00.000000"),
        (Unit::Month, "2024-05-01 00:00:00.000000"),
        // The Monday before Wednesday the 15th.
        (Unit::Week, "2024-05-13 00:00:00.000000"),
        (Unit::Day, "2024-05-15 00:00:00.000000"),
        (Unit::Hour, "2024-05-15 13:00:00.000000"),
        (Unit::Minute, "2024-05-15 13:14:00.000000"),
        (Unit::Second, "2024-05-15 13:14:15.000000"),
    ];
    assert_eq!(examples.map(|(unit, _)| unit), Unit::ALL);
    let wall = moment("2024-05-15 13:14:15.678901");
    for (unit, expected) in examples {
        let found = apply(Function::DateTrunc(unit), std::slice::from_ref(&wall), DataType::Timestamp);
        assert_eq!(found, format!("timestamp {expected}"));
    }
    let truncated = |unit, value: Value| apply(Function::DateTrunc(unit), &[value], DataType::Unknown);
    assert_eq!(truncated(Unit::Month, date("2024-05-15")), "date 2024-05-01");
    assert_eq!(truncated(Unit::Week, date("2024-05-13")), "date 2024-05-13");
    assert_eq!(truncated(Unit::Week, date("2024-05-19")), "date 2024-05-13");
    assert_eq!(truncated(Unit::Week, date("1970-01-01")), "date 1969-12-29");
    assert_eq!(truncated(Unit::Quarter, date("2024-12-31")), "date 2024-10-01");
    assert_eq!(
        truncated(Unit::Hour, moment("1969-12-31 23:59:59.999999")),
        "timestamp 1969-12-31 23:00:00.000000"
    );
    assert_eq!(truncated(Unit::Day, instant("1969-12-31 23:59:59")), "instant 1969-12-31 00:00:00.000000");
    assert_eq!(truncated(Unit::Year, NULL), "NULL");
}

#[test]
fn parts_are_taken_out() {
    let examples = [
        (Part::Year, "2024"),
        (Part::Quarter, "2"),
        (Part::Month, "5"),
        (Part::Week, "20"),
        (Part::Day, "15"),
        (Part::DayOfYear, "136"),
        (Part::DayOfWeek, "4"),
        (Part::Hour, "13"),
        (Part::Minute, "14"),
        (Part::Second, "45"),
        (Part::Millisecond, "678"),
    ];
    assert_eq!(examples.map(|(part, _)| part), Part::ALL);
    let wall = moment("2024-05-15 13:14:45.678901");
    for (part, expected) in examples {
        assert_eq!(apply(Function::Extract(part), std::slice::from_ref(&wall), INT), expected, "{part:?}");
    }
    for (part, day, expected) in [
        (Part::Week, "2023-01-01", "52"),
        (Part::Week, "2024-12-30", "1"),
        (Part::Week, "2024-03-27", "13"),
        (Part::Week, "2021-01-03", "53"),
        (Part::Week, "2021-01-04", "1"),
        (Part::DayOfWeek, "2024-05-12", "1"),
        (Part::DayOfWeek, "2024-05-18", "7"),
        (Part::DayOfWeek, "1969-12-31", "4"),
        (Part::DayOfYear, "2024-12-31", "366"),
        (Part::DayOfYear, "1969-01-01", "1"),
    ] {
        assert_eq!(apply(Function::Extract(part), &[date(day)], INT), expected, "{part:?} of {day}");
    }
    assert_eq!(apply(Function::Extract(Part::Millisecond), &[moment("1969-12-31 23:59:59.9")], INT), "900");
    assert_eq!(apply(Function::Extract(Part::Year), &[NULL], INT), "NULL");
}

#[test]
fn months_stop_at_their_end() {
    let examples = [
        (Unit::Year, 1, "2024-02-29", "date 2025-02-28"),
        (Unit::Quarter, -1, "2024-05-31", "date 2024-02-29"),
        (Unit::Month, 1, "2024-01-31", "date 2024-02-29"),
        (Unit::Month, -13, "2024-01-31", "date 2022-12-31"),
        (Unit::Week, 2, "2024-02-20", "date 2024-03-05"),
        (Unit::Day, -1, "2024-03-01", "date 2024-02-29"),
        (Unit::Day, 0, "2024-03-01", "date 2024-03-01"),
        (Unit::Day, i64::MAX, "2024-03-01", "overflow"),
        (Unit::Day, 1 << 31, "2024-03-01", "overflow"),
        (Unit::Month, i64::MIN, "2024-03-01", "overflow"),
        (Unit::Month, 1 << 40, "2024-03-01", "overflow"),
        (Unit::Year, i64::MAX, "2024-03-01", "overflow"),
        (Unit::Week, i64::MAX, "2024-03-01", "overflow"),
    ];
    for (unit, count, from, expected) in examples {
        let found = apply(Function::DateAdd(unit), &[int(count), date(from)], DataType::Date);
        assert_eq!(found, expected, "{unit:?} {count}");
    }
    for (unit, count, from, expected) in [
        (Unit::Hour, -1, "1970-01-01 00:30:00", "timestamp 1969-12-31 23:30:00.000000"),
        (Unit::Minute, 90, "2024-02-28 23:00:00", "timestamp 2024-02-29 00:30:00.000000"),
        (Unit::Second, 1, "2024-12-31 23:59:59.5", "timestamp 2025-01-01 00:00:00.500000"),
        (Unit::Month, 1, "2024-01-31 10:00:00", "timestamp 2024-02-29 10:00:00.000000"),
        (Unit::Second, i64::MAX, "2024-01-01", "overflow"),
        (Unit::Year, 300_000, "2024-01-01", "overflow"),
    ] {
        let found = apply(Function::DateAdd(unit), &[int(count), moment(from)], DataType::Timestamp);
        assert_eq!(found, expected, "{unit:?} {count}");
    }
    let instants =
        apply(Function::DateAdd(Unit::Day), &[int(1), instant("2024-02-28")], DataType::TimestampTz);
    assert_eq!(instants, "instant 2024-02-29 00:00:00.000000");
    assert_eq!(apply(Function::DateAdd(Unit::Day), &[NULL, date("2024-01-01")], DataType::Date), "NULL");
}

#[test]
fn differences_count_boundaries() {
    for (unit, from, to, expected) in [
        (Unit::Year, "2023-12-31 23:59:59", "2024-01-01 00:00:00", "1"),
        (Unit::Quarter, "2023-12-31", "2024-04-01", "2"),
        (Unit::Month, "2024-01-31", "2024-02-01", "1"),
        (Unit::Month, "2024-02-01", "2024-01-31", "-1"),
        (Unit::Month, "2024-02-01", "2024-02-29", "0"),
        // Sunday to Monday.
        (Unit::Week, "2024-05-12", "2024-05-13", "1"),
        (Unit::Week, "2024-05-13", "2024-05-19", "0"),
        (Unit::Day, "2024-02-28 23:59:59", "2024-03-01 00:00:00", "2"),
        (Unit::Hour, "2024-01-01 00:59:59", "2024-01-01 01:00:00", "1"),
        (Unit::Hour, "1969-12-31 23:59:59", "1970-01-01 00:00:00", "1"),
        (Unit::Minute, "2024-01-01 00:00:59", "2024-01-01 00:01:00", "1"),
        (Unit::Second, "1969-12-31 23:59:59.5", "1970-01-01 00:00:00.5", "1"),
        (Unit::Second, "2024-01-01 00:00:00.1", "2024-01-01 00:00:00.9", "0"),
    ] {
        let found = apply(Function::DateDiff(unit), &[moment(from), moment(to)], INT);
        assert_eq!(found, expected, "{unit:?} {from} {to}");
    }
    let mixed = [date("2024-01-31"), moment("2024-02-01 12:00:00")];
    assert_eq!(apply(Function::DateDiff(Unit::Day), &mixed, INT), "1");
    assert_eq!(apply(Function::DateDiff(Unit::Hour), &mixed, INT), "36");
    assert_eq!(apply(Function::DateDiff(Unit::Day), &[NULL, date("2024-01-01")], INT), "NULL");
    let far = [Value::Date(i32::MIN), Value::Date(i32::MAX)];
    assert_eq!(apply(Function::DateDiff(Unit::Second), &far, INT), "371085174288000");
}
