//! Texts of the protocol, as StarRocks' documents and recorded tests show them, and what is no value of its type.

use super::*;

fn one(data_type: DataType, wire: ColumnType, text: &str) -> Result<Value, String> {
    let column = Column { name: "c".to_string(), data_type };
    let announced = Announced { name: "c".to_string(), wire, scale: 0 };
    value(Some(text.as_bytes()), &column, &announced).map_err(|error| error.to_string())
}

const TEXT: ColumnType = ColumnType::MYSQL_TYPE_VAR_STRING;
const NUMBER: ColumnType = ColumnType::MYSQL_TYPE_LONGLONG;
const DECIMAL: ColumnType = ColumnType::MYSQL_TYPE_NEWDECIMAL;
const DOUBLE: ColumnType = ColumnType::MYSQL_TYPE_DOUBLE;

#[test]
fn booleans_are_one_and_zero() {
    let tiny = ColumnType::MYSQL_TYPE_TINY;
    assert_eq!(one(DataType::Boolean, tiny, "1"), Ok(Value::Boolean(true)));
    assert_eq!(one(DataType::Boolean, tiny, "0"), Ok(Value::Boolean(false)));
    for wrong in ["2", "-1", "true", "", "01"] {
        assert!(one(DataType::Boolean, tiny, wrong).is_err(), "{wrong}");
    }
}

#[test]
fn integers_have_the_size_of_their_type() {
    let big = "9007199254740993";
    assert_eq!(one(DataType::Int64, NUMBER, big), Ok(Value::Integer(9_007_199_254_740_993)));
    assert_eq!(one(DataType::Int64, NUMBER, "-9223372036854775808"), Ok(Value::Integer(i64::MIN)));
    // A LARGEINT comes as a text.
    assert_eq!(one(DataType::Int64, TEXT, "42"), Ok(Value::Integer(42)));
    for (data_type, wrong) in [
        (DataType::Int8, "128"),
        (DataType::Int16, "-32769"),
        (DataType::Int32, "2147483648"),
        (DataType::Int64, "9223372036854775808"),
        (DataType::Int64, "1.0"),
        (DataType::Int64, "1e3"),
        (DataType::Int64, "+1"),
        (DataType::Int64, " 1"),
        (DataType::Int64, ""),
    ] {
        assert!(one(data_type, NUMBER, wrong).is_err(), "{wrong}");
    }
}

#[test]
fn decimals_come_to_the_compiled_scale_without_losing_a_digit() {
    let money = DataType::Decimal { precision: 18, scale: 2 };
    for (text, unscaled) in
        [("12.30", 1_230), ("-0.05", -5), ("5", 500), ("12.3", 1_230), ("12.3000", 1_230), ("-0", 0)]
    {
        assert_eq!(one(money, DECIMAL, text), Ok(Value::Decimal { unscaled, scale: 2 }), "{text}");
    }
    let wide = DataType::Decimal { precision: 38, scale: 0 };
    let most = "99999999999999999999999999999999999999";
    // As a LARGEINT comes.
    assert_eq!(one(wide, TEXT, most), Ok(Value::Decimal { unscaled: 10_i128.pow(38) - 1, scale: 0 }));
    let small = DataType::Decimal { precision: 38, scale: 38 };
    let least = format!("0.{}1", "0".repeat(37));
    assert_eq!(one(small, DECIMAL, &least), Ok(Value::Decimal { unscaled: 1, scale: 38 }));
    for wrong in ["12.305", "12.", ".5", "1E+6", "", "-", "+1.00", "1.0a", "99999999999999999.00", "--1"] {
        assert!(one(money, DECIMAL, wrong).is_err(), "{wrong}");
    }
    assert!(one(wide, TEXT, "100000000000000000000000000000000000000").is_err());
}

#[test]
fn floats_have_their_words_for_what_is_no_number() {
    assert_eq!(one(DataType::Float64, DOUBLE, "8.04303946e+16"), Ok(Value::Float(8.043_039_46e16)));
    assert_eq!(one(DataType::Float64, DOUBLE, "-1e-07"), Ok(Value::Float(-1e-7)));
    assert_eq!(one(DataType::Float64, DOUBLE, "3"), Ok(Value::Float(3.0)));
    assert_eq!(one(DataType::Float32, DOUBLE, "0.1"), Ok(Value::Float(f64::from(0.1_f32))));
    for text in ["nan", "NaN", "-nan"] {
        assert!(
            matches!(one(DataType::Float64, DOUBLE, text), Ok(Value::Float(value)) if value.is_nan()),
            "{text}"
        );
    }
    for (text, value) in
        [("inf", f64::INFINITY), ("-Infinity", f64::NEG_INFINITY), ("-inf", f64::NEG_INFINITY)]
    {
        assert_eq!(one(DataType::Float64, DOUBLE, text), Ok(Value::Float(value)), "{text}");
    }
    for wrong in ["1e999", "", "x", "1,5", "infinite"] {
        assert!(one(DataType::Float64, DOUBLE, wrong).is_err(), "{wrong}");
    }
}

#[test]
fn dates_and_times_are_whole_texts_of_their_type() {
    let (date, stamp) = (ColumnType::MYSQL_TYPE_DATE, ColumnType::MYSQL_TYPE_DATETIME);
    assert_eq!(one(DataType::Date, date, "2024-02-29"), Ok(Value::Date(19_782)));
    assert_eq!(one(DataType::Date, date, "0001-01-01"), Ok(Value::Date(-719_162)));
    let micros = 1_704_067_200_000_000;
    assert_eq!(one(DataType::Timestamp, stamp, "2024-01-01 00:00:00"), Ok(Value::Timestamp(micros)));
    assert_eq!(
        one(DataType::Timestamp, stamp, "2024-01-01 00:00:00.123456"),
        Ok(Value::Timestamp(micros + 123_456))
    );
    assert_eq!(
        one(DataType::TimestampTz, stamp, "2024-01-01 00:00:00.678000"),
        Ok(Value::Instant(micros + 678_000))
    );
    let time = ColumnType::MYSQL_TYPE_TIME;
    assert_eq!(one(DataType::Time, time, "23:59:59"), Ok(Value::Time(86_399_000_000)));
    assert_eq!(one(DataType::Time, time, "00:00:00.000001"), Ok(Value::Time(1)));
    for (data_type, wrong) in [
        (DataType::Date, "0000-00-00"),
        (DataType::Date, "2023-02-29"),
        // DATE + INTERVAL is a DATETIME there: the text must have cast it.
        (DataType::Date, "2024-02-29 00:00:00"),
        (DataType::Timestamp, "2024-02-29"),
        (DataType::Timestamp, "2024-02-29T00:00:00"),
        (DataType::Timestamp, "2024-02-29 00:00"),
        (DataType::Timestamp, "2024-02-29 00:00:00.1"),
        (DataType::Timestamp, "2024-02-29 00:00:00+01:00"),
        (DataType::Time, "-01:00:00"),
        (DataType::Time, "24:00:00"),
        (DataType::Time, "838:59:59"),
    ] {
        assert!(one(data_type, stamp, wrong).is_err(), "{wrong}");
    }
}

#[test]
fn texts_stay_as_they_are_and_are_texts() {
    for text in ["NULL", "", " Zürich \u{1f600}\0", "null"] {
        assert_eq!(one(DataType::String, TEXT, text), Ok(Value::Text(text.to_string())));
    }
    assert!(one(DataType::String, DOUBLE, "1.5").unwrap_err().contains("another type"));
    let column = Column { name: "c".to_string(), data_type: DataType::String };
    let announced = Announced { name: "c".to_string(), wire: TEXT, scale: 0 };
    assert_eq!(value(None, &column, &announced), Ok(Value::Null));
    assert!(value(Some(b"\xff\xfe"), &column, &announced).unwrap_err().to_string().contains("no UTF-8"));
}

#[test]
fn columns_are_the_compiled_ones() {
    let announced = |name: &str, wire, scale| Announced { name: name.to_string(), wire, scale };
    let came = [announced("A", ColumnType::MYSQL_TYPE_TINY, 0), announced("b", DECIMAL, 4)];
    let compiled = [
        Column { name: "a".to_string(), data_type: DataType::Boolean },
        Column { name: "b".to_string(), data_type: DataType::Unknown },
    ];
    let typed = columns(&came, &compiled).unwrap();
    assert_eq!(typed[0], compiled[0]);
    assert_eq!(typed[1].data_type, DataType::Decimal { precision: 38, scale: 4 });
    assert!(columns(&came[..1], &compiled).unwrap_err().to_string().contains("1 columns came"));
    assert!(columns(&[], &compiled).is_err());
    assert_eq!(columns(&came, &[]).unwrap()[0].data_type, DataType::Int8);
}
