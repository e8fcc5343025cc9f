//! Functions of texts: positions and lengths count characters, from 1. In: a name and values. Out: a text, a number, a truth.

use unisono_compiler::syntax::expr::{Expr, ExprKind, Literal, TrimSide};

use super::number::{count, whole};
use super::scalar::Argument;
use super::{bad_constant, ill_typed};
use crate::stop::Stop;
use crate::value::Value;

/// A text; None for NULL.
fn text(value: &Value) -> Result<Option<&str>, Stop> {
    match value {
        Value::Null => Ok(None),
        Value::Text(text) => Ok(Some(text)),
        other => Err(ill_typed("a text", other)),
    }
}

/// A count that must not be below `least`: a constant is refused, a computed one makes the call NULL.
fn counted(argument: &Argument, least: i64) -> Result<Option<usize>, Stop> {
    match whole(&argument.value)? {
        Some(number) if number < least && argument.constant => Err(bad_constant()),
        Some(number) if number < least => Ok(None),
        Some(number) => Ok(Some(usize::try_from(number).unwrap_or(usize::MAX))),
        None => Ok(None),
    }
}

fn open(name: &str, text: &str) -> Stop {
    Stop::Open(format!("{name} of {text:?}"))
}

/// `a || b || ..`: NULL if any is.
pub(super) fn concat(values: &[Value]) -> Result<Value, Stop> {
    let parts = values.iter().map(text).collect::<Result<Vec<_>, _>>()?;
    let parts: Option<Vec<&str>> = parts.into_iter().collect();
    Ok(parts.map_or(Value::Null, |parts| Value::Text(parts.concat())))
}

/// Where the needle starts, 0 if nowhere.
pub(super) fn position(needle: &Value, haystack: &Value) -> Result<Value, Stop> {
    let (Some(needle), Some(haystack)) = (text(needle)?, text(haystack)?) else { return Ok(Value::Null) };
    Ok(count(haystack.find(needle).map_or(0, |at| haystack[..at].chars().count() + 1)))
}

/// LIKE, ILIKE. The pattern is a constant without a backslash.
pub(super) fn like(value: &Value, pattern: &Expr, any_case: bool) -> Result<Option<bool>, Stop> {
    let ExprKind::Literal(Literal::String(pattern)) = &*pattern.kind else {
        return Err(Stop::Unknown(String::from("LIKE with a computed pattern")));
    };
    if pattern.contains('\\') {
        return Err(bad_constant());
    }
    let Some(value) = text(value)? else { return Ok(None) };
    if any_case && !(value.is_ascii() && pattern.is_ascii()) {
        return Err(open("ILIKE", value));
    }
    let letters = |text: &str| -> Vec<char> {
        text.chars().map(|letter| if any_case { letter.to_ascii_lowercase() } else { letter }).collect()
    };
    Ok(Some(matches(&letters(value), &letters(pattern))))
}

fn matches(value: &[char], pattern: &[char]) -> bool {
    match (pattern, value) {
        ([], rest) => rest.is_empty(),
        (['%', rest @ ..], _) => (0..=value.len()).any(|skipped| matches(&value[skipped..], rest)),
        (['_', rest @ ..], [_, behind @ ..]) => matches(behind, rest),
        ([letter, rest @ ..], [found, behind @ ..]) => letter == found && matches(behind, rest),
        ([_, ..], []) => false,
    }
}

/// `TRIM(side c FROM s)` with one constant character.
pub(super) fn trim_character(value: &Value, side: TrimSide, character: Option<&Expr>) -> Result<Value, Stop> {
    let letter = match character.map(|expr| &*expr.kind) {
        None => ' ',
        Some(ExprKind::Literal(Literal::String(text))) => {
            let mut letters = text.chars();
            match (letters.next(), letters.next()) {
                (Some(letter), None) => letter,
                _ => return Err(bad_constant()),
            }
        }
        Some(_) => return Err(Stop::Unknown(String::from("TRIM of a computed character"))),
    };
    Ok(text(value)?.map_or(Value::Null, |text| Value::Text(trimmed(text, side, letter).to_string())))
}

fn trimmed(text: &str, side: TrimSide, letter: char) -> &str {
    match side {
        TrimSide::Both => text.trim_matches(letter),
        TrimSide::Leading => text.trim_start_matches(letter),
        TrimSide::Trailing => text.trim_end_matches(letter),
    }
}

/// The value of a function of texts; None if the name with this number of arguments is none.
pub(super) fn function(name: &str, list: &[Argument]) -> Option<Result<Value, Stop>> {
    let found = match (name, list) {
        ("CONCAT", [_, ..]) => {
            return Some(concat(&list.iter().map(|argument| argument.value.clone()).collect::<Vec<_>>()));
        }
        ("CHARINDEX", [needle, haystack]) => return Some(position(&needle.value, &haystack.value)),
        ("LENGTH" | "LEN" | "CHAR_LENGTH", [s]) => {
            return Some(text(&s.value).map(|s| s.map_or(Value::Null, |s| count(s.chars().count()))));
        }
        ("CONTAINS" | "STARTSWITH" | "ENDSWITH", [s, p]) => return Some(affix(name, &s.value, &p.value)),
        ("UPPER" | "LOWER" | "INITCAP" | "REVERSE", [s]) => ascii(name, &s.value),
        ("TRIM", [s]) => trim(&s.value, TrimSide::Both),
        ("LTRIM", [s]) => trim(&s.value, TrimSide::Leading),
        ("RTRIM", [s]) => trim(&s.value, TrimSide::Trailing),
        ("SUBSTRING" | "SUBSTR", [s, start]) => substring(&s.value, start, None),
        ("SUBSTRING" | "SUBSTR", [s, start, length]) => substring(&s.value, start, Some(length)),
        ("LEFT" | "RIGHT" | "REPEAT", [s, n]) => sized(name, &s.value, n),
        ("LPAD" | "RPAD", [s, n, fill]) => pad(name, &s.value, n, &fill.value),
        ("REPLACE", [s, from, to]) => replace(&s.value, from, &to.value),
        ("SPLIT_PART", [s, delimiter, n]) => split_part(&s.value, &delimiter.value, n),
        _ => return None,
    };
    Some(found.map(|text| text.map_or(Value::Null, Value::Text)))
}

fn affix(name: &str, value: &Value, part: &Value) -> Result<Value, Stop> {
    let (Some(value), Some(part)) = (text(value)?, text(part)?) else { return Ok(Value::Null) };
    Ok(Value::Boolean(match name {
        "CONTAINS" => value.contains(part),
        "STARTSWITH" => value.starts_with(part),
        _ => value.ends_with(part),
    }))
}

/// What is fixed for ASCII only.
fn ascii(name: &str, value: &Value) -> Result<Option<String>, Stop> {
    let Some(value) = text(value)? else { return Ok(None) };
    if !value.is_ascii() {
        return Err(open(name, value));
    }
    match name {
        "UPPER" => Ok(Some(value.to_ascii_uppercase())),
        "LOWER" => Ok(Some(value.to_ascii_lowercase())),
        "REVERSE" => Ok(Some(value.chars().rev().collect())),
        // What else than a blank parts words is not written down.
        _ if !value.chars().all(|letter| letter.is_ascii_alphanumeric() || letter == ' ') => {
            Err(open(name, value))
        }
        _ => {
            let mut inside = false;
            let cased = value.chars().map(|letter| {
                let cased = if inside { letter.to_ascii_lowercase() } else { letter.to_ascii_uppercase() };
                inside = letter != ' ';
                cased
            });
            Ok(Some(cased.collect()))
        }
    }
}

fn trim(value: &Value, side: TrimSide) -> Result<Option<String>, Stop> {
    Ok(text(value)?.map(|text| trimmed(text, side, ' ').to_string()))
}

fn substring(value: &Value, start: &Argument, length: Option<&Argument>) -> Result<Option<String>, Stop> {
    let start = counted(start, 1)?;
    let length = match length {
        Some(length) => counted(length, 0)?,
        None => Some(usize::MAX),
    };
    let (Some(value), Some(start), Some(length)) = (text(value)?, start, length) else { return Ok(None) };
    Ok(Some(value.chars().skip(start - 1).take(length).collect()))
}

fn sized(name: &str, value: &Value, size: &Argument) -> Result<Option<String>, Stop> {
    let size = counted(size, 0)?;
    let (Some(value), Some(size)) = (text(value)?, size) else { return Ok(None) };
    match name {
        "LEFT" => Ok(Some(value.chars().take(size).collect())),
        "RIGHT" => Ok(Some(value.chars().skip(value.chars().count().saturating_sub(size)).collect())),
        _ if size > 10_000 => Err(Stop::Unknown(format!("REPEAT {size} times"))),
        _ => Ok(Some(value.repeat(size))),
    }
}

fn pad(name: &str, value: &Value, size: &Argument, fill: &Value) -> Result<Option<String>, Stop> {
    let size = counted(size, 0)?;
    let (Some(value), Some(size), Some(fill)) = (text(value)?, size, text(fill)?) else { return Ok(None) };
    if fill.is_empty() || size > 10_000 {
        return Err(open(name, value));
    }
    let missing = size.saturating_sub(value.chars().count());
    let kept = value.chars().take(size);
    let filling = fill.chars().cycle().take(missing);
    Ok(Some(if name == "LPAD" { filling.chain(kept).collect() } else { kept.chain(filling).collect() }))
}

fn replace(value: &Value, from: &Argument, to: &Value) -> Result<Option<String>, Stop> {
    if text(&from.value)? == Some("") {
        return if from.constant { Err(bad_constant()) } else { Ok(None) };
    }
    let (Some(value), Some(from), Some(to)) = (text(value)?, text(&from.value)?, text(to)?) else {
        return Ok(None);
    };
    Ok(Some(value.replace(from, to)))
}

fn split_part(value: &Value, delimiter: &Value, number: &Argument) -> Result<Option<String>, Stop> {
    let number = counted(number, 1)?;
    let (Some(value), Some(delimiter), Some(number)) = (text(value)?, text(delimiter)?, number) else {
        return Ok(None);
    };
    if delimiter.is_empty() {
        return Err(open("SPLIT_PART", value));
    }
    Ok(Some(value.split(delimiter).nth(number - 1).unwrap_or("").to_string()))
}
