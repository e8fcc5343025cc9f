//! A length of time in words. In: `5 minutes`. Out: microseconds, or what is wrong with the words.

use unisono_compiler::diagnostic::{Code, Diagnostic};
use unisono_compiler::source::Spanned;

/// The units, each also without its `s`, in milliseconds.
const UNITS: [(&str, i64); 6] = [
    ("milliseconds", 1),
    ("seconds", 1000),
    ("minutes", 60_000),
    ("hours", 3_600_000),
    ("days", 86_400_000),
    ("weeks", 604_800_000),
];

/// A whole number and a unit; Flink's watermarks have no more than milliseconds.
pub(super) fn duration(text: &Spanned<String>) -> Result<i64, Vec<Diagnostic>> {
    let wrong = || {
        let known: Vec<&str> = UNITS.iter().map(|(name, _)| *name).collect();
        let finding = Diagnostic::new(Code::Parse, format!("`{}` is no length of time", text.value));
        vec![
            finding
                .at(text.span, "")
                .help(format!("write a whole number and one of {}, as in 5 minutes", known.join(", "))),
        ]
    };
    let mut words = text.value.split_whitespace();
    let (Some(count), Some(unit), None) = (words.next(), words.next(), words.next()) else {
        return Err(wrong());
    };
    let unit = unit.to_ascii_lowercase();
    let known = UNITS.iter().find(|(name, _)| *name == unit || name.strip_suffix('s') == Some(&unit));
    let digits = count.bytes().all(|byte| byte.is_ascii_digit());
    let count: Option<i64> = count.parse().ok().filter(|_| digits);
    let micros = known.zip(count).and_then(|((_, millis), count)| count.checked_mul(millis * 1000));
    micros.ok_or_else(wrong)
}

#[cfg(test)]
mod tests {
    use unisono_compiler::source::{SourceId, Span};

    use super::*;

    #[test]
    fn a_length_is_a_whole_number_and_a_unit() {
        let of = |text: &str| {
            let span = Span { source: SourceId(0), start: 0, end: 0 };
            duration(&Spanned { value: text.to_string(), span }).ok()
        };
        assert_eq!(of("5 minutes"), Some(300_000_000));
        assert_eq!(of("1 hour"), Some(3_600_000_000));
        assert_eq!(of(" 250  Milliseconds "), Some(250_000));
        assert_eq!(of("0 seconds"), Some(0));
        assert_eq!(of("2 weeks"), Some(1_209_600_000_000));
        for wrong in [
            "",
            "5",
            "minutes",
            "5 minutes 1 second",
            "-5 minutes",
            "+5 minutes",
            "1.5 hours",
            "5 months",
            "99999999999999 weeks",
        ] {
            assert_eq!(of(wrong), None, "{wrong}");
        }
    }
}
