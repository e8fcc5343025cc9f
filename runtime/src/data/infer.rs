//! The type of a column of a CSV or JSON lines file from all of its texts: the narrowest of Boolean, Int64, Decimal, Float64, Date, Timestamp,
//! TimestampTz that holds every one, else String. In: texts. Out: a type. Text with a decimal point is a Decimal and
//! never a double, because money must not become one; only an exponent, NaN or an infinity makes a column Float64.

use unisono_compiler::data_type::DataType;

use crate::calendar;

/// Least precision of an inferred decimal, so that a later row with a larger number does not change the type.
const DECIMAL_PRECISION: usize = 18;

/// What has been seen of one column.
#[derive(Clone, Debug, Default)]
pub struct Guess {
    seen: Shapes,
    whole_digits: usize,
    fraction_digits: usize,
}

/// A set of shapes, one bit each: a column can have a hundred million texts.
#[derive(Clone, Copy, Debug, Default)]
struct Shapes(u16);

impl Shapes {
    fn insert(&mut self, shape: Shape) {
        self.0 |= 1 << shape as u16;
    }

    fn contains(self, shape: Shape) -> bool {
        self.0 & (1 << shape as u16) != 0
    }

    /// Whether nothing else was seen.
    fn only(self, shapes: &[Shape]) -> bool {
        let mut allowed = Shapes::default();
        for shape in shapes {
            allowed.insert(*shape);
        }
        self.0 & !allowed.0 == 0
    }
}

/// What one text looks like.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Shape {
    Boolean,
    Integer,
    Decimal,
    Exponent,
    SpecialFloat,
    Date,
    Timestamp,
    Instant,
    Text,
}

impl Guess {
    /// Takes one value into account; NULLs are not passed.
    pub fn observe(&mut self, text: &str) {
        if self.seen.contains(Shape::Text) {
            return;
        }
        let text = text.trim_matches(' ');
        self.take(text, shape(text));
    }

    /// The same of a value that its file calls a text: digits in it are no number.
    pub fn observe_text(&mut self, text: &str) {
        if self.seen.contains(Shape::Text) {
            return;
        }
        let text = text.trim_matches(' ');
        let shape = shape(text);
        let is_time = matches!(shape, Shape::Date | Shape::Timestamp | Shape::Instant);
        self.take(text, if is_time { shape } else { Shape::Text });
    }

    fn take(&mut self, text: &str, shape: Shape) {
        if matches!(shape, Shape::Integer | Shape::Decimal) {
            let digits = text.strip_prefix('-').unwrap_or(text);
            let (whole, fraction) = digits.split_once('.').unwrap_or((digits, ""));
            self.whole_digits = self.whole_digits.max(whole.len());
            self.fraction_digits = self.fraction_digits.max(fraction.len());
        }
        self.seen.insert(shape);
    }

    /// The type that holds everything seen; String if nothing was.
    pub fn data_type(&self) -> DataType {
        let only = |shapes: &[Shape]| self.seen.only(shapes);
        let numbers = [Shape::Integer, Shape::Decimal, Shape::Exponent];
        let has_number = numbers.iter().any(|shape| self.seen.contains(*shape));
        if only(&[]) {
            DataType::String
        } else if only(&[Shape::Boolean]) {
            DataType::Boolean
        } else if only(&[Shape::Integer, Shape::Decimal]) {
            self.exact_number()
        } else if has_number && only(&[Shape::Integer, Shape::Decimal, Shape::Exponent, Shape::SpecialFloat])
        {
            DataType::Float64
        } else if only(&[Shape::Date]) {
            DataType::Date
        } else if only(&[Shape::Date, Shape::Timestamp]) {
            DataType::Timestamp
        } else if only(&[Shape::Instant]) {
            DataType::TimestampTz
        } else {
            DataType::String
        }
    }

    fn exact_number(&self) -> DataType {
        // 18 digits always fit 64 bits.
        if !self.seen.contains(Shape::Decimal) && self.whole_digits <= 18 {
            return DataType::Int64;
        }
        let digits = (self.whole_digits + self.fraction_digits).max(DECIMAL_PRECISION);
        match (u8::try_from(digits), u8::try_from(self.fraction_digits)) {
            (Ok(precision), Ok(scale)) if precision <= 38 => DataType::Decimal { precision, scale },
            _ => DataType::String,
        }
    }
}

/// Whether a text is a number of JSON.
pub(super) fn is_number(text: &str) -> bool {
    number_shape(text).is_some()
}

fn shape(text: &str) -> Shape {
    let first = text.bytes().next().unwrap_or(b' ');
    if first.is_ascii_digit() || first == b'-' {
        if let Some(number) = number_shape(text) {
            return number;
        }
        if calendar::parse_date(text).is_some() {
            return Shape::Date;
        }
        return match calendar::parse_timestamp(text) {
            Some(moment) if moment.zoned => Shape::Instant,
            Some(_) => Shape::Timestamp,
            None if special_float(text) => Shape::SpecialFloat,
            None => Shape::Text,
        };
    }
    if text.eq_ignore_ascii_case("true") || text.eq_ignore_ascii_case("false") {
        Shape::Boolean
    } else if special_float(text) {
        Shape::SpecialFloat
    } else {
        Shape::Text
    }
}

/// A number as people write amounts. `007` and `+1` are codes, not numbers.
fn number_shape(text: &str) -> Option<Shape> {
    let bytes = text.as_bytes();
    let start = usize::from(bytes.first() == Some(&b'-'));
    let whole = digits_from(bytes, start);
    if whole == start || (whole - start > 1 && bytes[start] == b'0') {
        return None;
    }
    let mut end = whole;
    let mut shape = Shape::Integer;
    if bytes.get(end) == Some(&b'.') {
        end = digits_from(bytes, whole + 1);
        if end == whole + 1 {
            return None;
        }
        shape = Shape::Decimal;
    }
    if matches!(bytes.get(end), Some(b'e' | b'E')) {
        let sign = usize::from(matches!(bytes.get(end + 1), Some(b'-' | b'+')));
        let exponent = end + 1 + sign;
        end = digits_from(bytes, exponent);
        if end == exponent {
            return None;
        }
        shape = Shape::Exponent;
    }
    (end == bytes.len()).then_some(shape)
}

/// The end of the digits that start at a position.
fn digits_from(bytes: &[u8], start: usize) -> usize {
    let mut end = start;
    while end < bytes.len() && bytes[end].is_ascii_digit() {
        end += 1;
    }
    end
}

fn special_float(text: &str) -> bool {
    let unsigned = text.strip_prefix('-').unwrap_or(text);
    ["nan", "inf", "infinity"].iter().any(|word| unsigned.eq_ignore_ascii_case(word))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn infer(texts: &[&str]) -> DataType {
        let mut guess = Guess::default();
        for text in texts {
            guess.observe(text);
        }
        guess.data_type()
    }

    #[test]
    fn money_is_a_decimal() {
        assert_eq!(infer(&["100.00", "-50.5", "7"]), DataType::Decimal { precision: 18, scale: 2 });
        assert_eq!(infer(&["1234567890123456789.25"]), DataType::Decimal { precision: 21, scale: 2 });
        assert_eq!(infer(&["0.123456789012345678901234567890123456789"]), DataType::String);
    }

    #[test]
    fn integers_that_pass_64_bits_are_decimals() {
        assert_eq!(infer(&["1", "-20"]), DataType::Int64);
        assert_eq!(infer(&["99999999999999999999"]), DataType::Decimal { precision: 20, scale: 0 });
    }

    #[test]
    fn exponents_and_nan_make_doubles() {
        assert_eq!(infer(&["1.5", "1e3"]), DataType::Float64);
        assert_eq!(infer(&["1.5", "NaN", "-inf"]), DataType::Float64);
        assert_eq!(infer(&["nan"]), DataType::String);
    }

    #[test]
    fn dates_and_times() {
        assert_eq!(infer(&["2024-01-31"]), DataType::Date);
        assert_eq!(infer(&["2024-01-31", "2024-01-31 10:00:00"]), DataType::Timestamp);
        assert_eq!(infer(&["2024-01-31T10:00:00Z"]), DataType::TimestampTz);
        assert_eq!(infer(&["2024-01-31T10:00:00Z", "2024-01-31T10:00:00"]), DataType::String);
        assert_eq!(infer(&["2024-02-30"]), DataType::String);
    }

    #[test]
    fn what_is_called_a_text_is_a_time_or_a_text() {
        let infer = |texts: &[&str], numbers: &[&str]| {
            let mut guess = Guess::default();
            for text in texts {
                guess.observe_text(text);
            }
            for number in numbers {
                guess.observe(number);
            }
            guess.data_type()
        };
        assert_eq!(infer(&["12"], &[]), DataType::String);
        assert_eq!(infer(&["true"], &[]), DataType::String);
        assert_eq!(infer(&["NaN"], &["1.5"]), DataType::String);
        assert_eq!(infer(&["2024-01-31"], &[]), DataType::Date);
        assert_eq!(infer(&["2024-01-31T10:00:00.000Z"], &[]), DataType::TimestampTz);
        assert_eq!(infer(&["2024-01-31"], &["1"]), DataType::String);
        assert_eq!(infer(&[], &["1.5", "2"]), DataType::Decimal { precision: 18, scale: 1 });
    }

    #[test]
    fn codes_and_mixtures_are_text() {
        assert_eq!(infer(&["007"]), DataType::String);
        assert_eq!(infer(&["1", "x"]), DataType::String);
        assert_eq!(infer(&["true", "1"]), DataType::String);
        assert_eq!(infer(&["TRUE", "false"]), DataType::Boolean);
        assert_eq!(infer(&[]), DataType::String);
    }
}
