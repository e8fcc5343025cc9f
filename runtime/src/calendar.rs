//! Days and microseconds since 1970-01-01 to and from ISO text, in the proleptic Gregorian calendar.
//! In: text of data files, or numbers from an engine or the clock. Out: the other form; `None` for what is no date.

/// Microseconds of a day.
pub const MICROS_PER_DAY: i64 = 86_400_000_000;

/// A wall-clock time or, with a zone written, an instant in UTC; microseconds since 1970-01-01.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Moment {
    /// Microseconds since 1970-01-01 00:00:00.
    pub micros: i64,
    /// Whether a zone was written.
    pub zoned: bool,
}

/// Days since 1970-01-01 of a `YYYY-MM-DD` text.
pub fn parse_date(text: &str) -> Option<i32> {
    let bytes = text.as_bytes();
    if bytes.len() != 10 || bytes[4] != b'-' || bytes[7] != b'-' {
        return None;
    }
    let year = digits(&bytes[..4])?;
    let month = digits(&bytes[5..7])?;
    let day = digits(&bytes[8..])?;
    let valid = (1..=12).contains(&month) && day >= 1 && day <= days_in_month(year, month);
    if valid { i32::try_from(days_from_civil(year, month, day)).ok() } else { None }
}

/// A `YYYY-MM-DD[T ]HH:MM[:SS[.f{1,6}]]` text, optionally followed by `Z` or `±HH[:MM]`.
pub fn parse_timestamp(text: &str) -> Option<Moment> {
    let days = i64::from(parse_date(text.get(..10)?)?);
    let rest = text.get(10..)?;
    let rest = rest.strip_prefix('T').or_else(|| rest.strip_prefix(' '))?;
    let (clock, zone) = split_zone(rest);
    let micros = days * MICROS_PER_DAY + parse_time(clock)?;
    match zone {
        None => Some(Moment { micros, zoned: false }),
        Some(zone) => Some(Moment { micros: micros - parse_offset(zone)?, zoned: true }),
    }
}

/// Microseconds since midnight of an `HH:MM[:SS[.f{1,6}]]` text.
pub fn parse_time(text: &str) -> Option<i64> {
    let (whole, fraction) = match text.split_once('.') {
        Some((whole, fraction)) => (whole, Some(fraction)),
        None => (text, None),
    };
    let mut parts = whole.split(':');
    let hours = two_digits(parts.next()?)?;
    let minutes = two_digits(parts.next()?)?;
    let seconds = parts.next().map_or(Some(0), two_digits)?;
    if parts.next().is_some() || hours > 23 || minutes > 59 || seconds > 59 {
        return None;
    }
    let micros = match fraction {
        None => 0,
        Some(fraction) if whole.len() == 8 && (1..=6).contains(&fraction.len()) => {
            let scale = 10_i64.pow(u32::try_from(6 - fraction.len()).ok()?);
            digits(fraction.as_bytes())? * scale
        }
        Some(_) => return None,
    };
    Some(((hours * 60 + minutes) * 60 + seconds) * 1_000_000 + micros)
}

/// `YYYY-MM-DD`.
pub fn format_date(days: i32) -> String {
    let (year, month, day) = civil_from_days(i64::from(days));
    format!("{year:04}-{month:02}-{day:02}")
}

/// `YYYY-MM-DDTHH:MM:SS`, with six more digits where they are not zero.
pub fn format_timestamp(micros: i64) -> String {
    let (year, month, day) = civil_from_days(micros.div_euclid(MICROS_PER_DAY));
    format!("{year:04}-{month:02}-{day:02}T{}", format_time(micros.rem_euclid(MICROS_PER_DAY)))
}

/// `HH:MM:SS`, with six more digits where they are not zero.
pub fn format_time(micros: i64) -> String {
    let seconds = micros / 1_000_000;
    let fraction = micros % 1_000_000;
    let clock = format!("{:02}:{:02}:{:02}", seconds / 3600, seconds / 60 % 60, seconds % 60);
    if fraction == 0 { clock } else { format!("{clock}.{fraction:06}") }
}

fn digits(bytes: &[u8]) -> Option<i64> {
    bytes.iter().try_fold(0_i64, |sum, byte| {
        if byte.is_ascii_digit() { Some(sum * 10 + i64::from(byte - b'0')) } else { None }
    })
}

fn two_digits(text: &str) -> Option<i64> {
    if text.len() == 2 { digits(text.as_bytes()) } else { None }
}

fn split_zone(text: &str) -> (&str, Option<&str>) {
    match text.find(['Z', '+', '-']) {
        Some(at) => (&text[..at], Some(&text[at..])),
        None => (text, None),
    }
}

fn parse_offset(zone: &str) -> Option<i64> {
    if zone == "Z" {
        return Some(0);
    }
    let (sign, rest) = match zone.as_bytes().first()? {
        b'+' => (1, &zone[1..]),
        b'-' => (-1, &zone[1..]),
        _ => return None,
    };
    let (hours, minutes) = match rest.split_once(':') {
        Some((hours, minutes)) => (two_digits(hours)?, two_digits(minutes)?),
        None => (two_digits(rest)?, 0),
    };
    if hours > 18 || minutes > 59 { None } else { Some(sign * (hours * 60 + minutes) * 60_000_000) }
}

/// 28 to 31.
pub(crate) fn days_in_month(year: i64, month: i64) -> i64 {
    match month {
        4 | 6 | 9 | 11 => 30,
        2 if year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) => 29,
        2 => 28,
        _ => 31,
    }
}

/// Days since 1970-01-01. Years are counted from March so that the leap day is the last of its year.
pub(crate) fn days_from_civil(year: i64, month: i64, day: i64) -> i64 {
    let year = if month <= 2 { year - 1 } else { year };
    let era = year.div_euclid(400);
    let year_of_era = year.rem_euclid(400);
    let day_of_year = (153 * ((month + 9) % 12) + 2) / 5 + day - 1;
    let day_of_era = year_of_era * 365 + year_of_era / 4 - year_of_era / 100 + day_of_year;
    era * 146_097 + day_of_era - 719_468
}

/// Year, month and day.
pub(crate) fn civil_from_days(days: i64) -> (i64, i64, i64) {
    let days = days + 719_468;
    let era = days.div_euclid(146_097);
    let day_of_era = days.rem_euclid(146_097);
    let year_of_era = (day_of_era - day_of_era / 1_460 + day_of_era / 36_524 - day_of_era / 146_096) / 365;
    let day_of_year = day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    let month_from_march = (5 * day_of_year + 2) / 153;
    let day = day_of_year - (153 * month_from_march + 2) / 5 + 1;
    let month = if month_from_march < 10 { month_from_march + 3 } else { month_from_march - 9 };
    let year = era * 400 + year_of_era + i64::from(month <= 2);
    (year, month, day)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dates_go_both_ways() {
        for (text, days) in
            [("1970-01-01", 0), ("2024-02-29", 19_782), ("1969-12-31", -1), ("0001-01-01", -719_162)]
        {
            assert_eq!(parse_date(text), Some(days), "{text}");
            assert_eq!(format_date(days), text);
        }
    }

    #[test]
    fn what_is_no_day_is_refused() {
        for text in
            ["2023-02-29", "2024-13-01", "2024-00-10", "2024-1-05", "24-01-05", "2024/01/05", "1900-02-29"]
        {
            assert_eq!(parse_date(text), None, "{text}");
        }
    }

    #[test]
    fn timestamps_know_their_zone() {
        let plain = parse_timestamp("2024-01-15 23:59:59.5");
        assert_eq!(plain, Some(Moment { micros: 1_705_363_199_500_000, zoned: false }));
        let zoned = parse_timestamp("2024-01-16T01:59:59.5+02:00");
        assert_eq!(zoned, Some(Moment { micros: 1_705_363_199_500_000, zoned: true }));
        assert_eq!(parse_timestamp("1970-01-01T00:01Z"), Some(Moment { micros: 60_000_000, zoned: true }));
        for text in ["2024-01-15", "2024-01-15 24:00:00", "2024-01-15 1:00:00", "2024-01-15 10:00:00.1234567"]
        {
            assert_eq!(parse_timestamp(text), None, "{text}");
        }
    }

    #[test]
    fn timestamps_print_with_six_digits_or_none() {
        assert_eq!(format_timestamp(1_705_363_199_500_000), "2024-01-15T23:59:59.500000");
        assert_eq!(format_timestamp(-1_000_000), "1969-12-31T23:59:59");
    }
}
