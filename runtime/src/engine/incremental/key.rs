//! The primary key of a rollup: its dimensions as one text, the same from every engine that writes the table.
//! In: the values of a group's dimensions. Out: the text of the column `__key`.

use super::Value;

/// Per value `N` for NULL, else `V`, the length in characters, `:`, the text. No two tuples share a text.
pub fn key_text(values: &[Value]) -> String {
    let mut key = String::new();
    for value in values {
        if value.is_null() {
            key.push('N');
        } else {
            let text = value.to_string();
            key.push('V');
            key.push_str(&text.chars().count().to_string());
            key.push(':');
            key.push_str(&text);
        }
    }
    key
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_type_has_one_text() {
        let decimal = |unscaled, scale| Value::Decimal { unscaled, scale };
        for (value, key) in [
            (Value::Null, "N"),
            (Value::Boolean(true), "V4:true"),
            (Value::Boolean(false), "V5:false"),
            (Value::Integer(0), "V1:0"),
            (Value::Integer(i64::MIN), "V20:-9223372036854775808"),
            (decimal(1050, 2), "V5:10.50"),
            (decimal(-5, 2), "V5:-0.05"),
            (decimal(0, 3), "V5:0.000"),
            (decimal(7, 0), "V1:7"),
            (decimal(10_i128.pow(38) - 1, 38), "V40:0.99999999999999999999999999999999999999"),
            (Value::text(""), "V0:"),
            (Value::text("N"), "V1:N"),
            (Value::text("V1:a"), "V4:V1:a"),
            // Two characters in eight bytes; a character may be two of UTF-16.
            (Value::text("\u{1f600}\u{1f600}"), "V2:\u{1f600}\u{1f600}"),
            (Value::text("Zürich"), "V6:Zürich"),
            (Value::Date(19_782), "V10:2024-02-29"),
            (Value::Date(-1), "V10:1969-12-31"),
            (Value::Date(-719_162), "V10:0001-01-01"),
            (Value::Time(0), "V15:00:00:00.000000"),
            (Value::Timestamp(0), "V26:1970-01-01 00:00:00.000000"),
            (Value::Timestamp(-1), "V26:1969-12-31 23:59:59.999999"),
            (Value::Timestamp(1_705_363_199_500_000), "V26:2024-01-15 23:59:59.500000"),
            (Value::Instant(-1_000_000), "V26:1969-12-31 23:59:59.000000"),
        ] {
            assert_eq!(key_text(std::slice::from_ref(&value)), key, "{value:?}");
        }
    }

    #[test]
    fn tuples_do_not_run_into_each_other() {
        assert_eq!(key_text(&[]), "");
        assert_eq!(
            key_text(&[Value::text("EAST"), Value::Null, Value::Date(19_723), Value::Integer(-3)]),
            "V4:EASTNV10:2024-01-01V2:-3"
        );
        assert_ne!(
            key_text(&[Value::text("a"), Value::text("bV1:c")]),
            key_text(&[Value::text("aV1:b"), Value::text("c")])
        );
        assert_ne!(key_text(&[Value::Null, Value::text("N")]), key_text(&[Value::text("N"), Value::Null]));
    }
}
