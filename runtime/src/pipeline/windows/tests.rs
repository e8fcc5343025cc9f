//! When buckets begin and close, by hand.

use unisono_compiler::ids::Id;

use super::*;
use crate::calendar::parse_timestamp;

fn at(text: &str) -> i64 {
    parse_timestamp(text).unwrap().micros
}

fn windows(bucket: Bucket, delay: i64, lateness: i64) -> Windows {
    Windows {
        dataset: DatasetId::from_index(0),
        table: TableName::parse("market.trades").unwrap(),
        column: ColumnId::from_index(0),
        time: "at".to_string(),
        dimension: 0,
        bucket,
        delay,
        lateness,
    }
}

#[test]
fn a_bucket_is_closed_when_the_watermark_reaches_its_end() {
    let minute = windows(Bucket::Minute, 5 * SECOND, 0);
    let event = at("2024-01-01 00:00:40");
    assert_eq!(minute.start(event), at("2024-01-01 00:00:00"));
    assert_eq!(minute.closes(event), at("2024-01-01 00:01:05"));
    assert_eq!(minute.watermark(at("2024-01-01 00:01:05")), at("2024-01-01 00:01:00"));
    assert_eq!(minute.first_open(at("2024-01-01 00:01:04.999999")), at("2024-01-01 00:00:00"));
    assert_eq!(minute.first_open(at("2024-01-01 00:01:05")), at("2024-01-01 00:01:00"));
    let patient = windows(Bucket::Minute, 5 * SECOND, 60 * SECOND);
    assert_eq!(patient.closes(event), at("2024-01-01 00:02:05"));
    assert_eq!(patient.watermark(at("2024-01-01 00:01:05")), at("2024-01-01 00:01:00"));
}

#[test]
fn buckets_before_1970_and_weeks_begin_where_people_say() {
    let day = windows(Bucket::Day, 0, 0);
    assert_eq!(day.start(at("1969-12-31 23:59:59.999999")), at("1969-12-31 00:00:00"));
    let week = windows(Bucket::Week, 0, 0);
    for (event, monday) in [
        ("2024-01-07 23:59:59.999999", "2024-01-01 00:00:00"),
        ("2024-01-08 00:00:00", "2024-01-08 00:00:00"),
        ("1969-12-28 23:59:59", "1969-12-22 00:00:00"),
        ("1969-12-29 00:00:00", "1969-12-29 00:00:00"),
    ] {
        assert_eq!(week.start(at(event)), at(monday), "{event}");
    }
}
