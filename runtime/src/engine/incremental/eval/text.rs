//! Texts, counted in characters from 1. In: texts and counts. Out: a text or number; `None` for arguments without a
//! portable meaning: NULL.

use crate::engine::incremental::Fault;

/// Longer texts raise: a computed count must not exhaust memory.
const MOST_BYTES: i64 = 1 << 31;

pub(super) fn length(text: &str) -> i64 {
    i64::try_from(text.chars().count()).unwrap_or(i64::MAX)
}

/// Characters with exactly one counterpart in the other case; the others stay.
pub(super) fn upper(text: &str) -> String {
    text.chars().map(upper_character).collect()
}

pub(super) fn lower(text: &str) -> String {
    text.chars().map(lower_character).collect()
}

fn upper_character(character: char) -> char {
    let mut mapped = character.to_uppercase();
    mapped.next().filter(|_| mapped.next().is_none()).unwrap_or(character)
}

fn lower_character(character: char) -> char {
    let mut mapped = character.to_lowercase();
    mapped.next().filter(|_| mapped.next().is_none()).unwrap_or(character)
}

/// A word is a run of letters and digits.
pub(super) fn initcap(text: &str) -> String {
    let mut inside = false;
    text.chars()
        .map(|character| {
            let first = !inside;
            inside = character.is_alphanumeric();
            if first { upper_character(character) } else { lower_character(character) }
        })
        .collect()
}

/// A count as a number of characters, if it is not below `least`.
fn count(count: i64, least: i64) -> Option<usize> {
    (count >= least).then(|| usize::try_from(count).unwrap_or(usize::MAX))
}

pub(super) fn substring(text: &str, start: i64, length: Option<i64>) -> Option<String> {
    let skipped = count(start, 1)? - 1;
    let taken = length.map_or(Some(usize::MAX), |length| count(length, 0))?;
    Some(text.chars().skip(skipped).take(taken).collect())
}

pub(super) fn left(text: &str, taken: i64) -> Option<String> {
    Some(text.chars().take(count(taken, 0)?).collect())
}

pub(super) fn right(text: &str, taken: i64) -> Option<String> {
    let skipped = text.chars().count().saturating_sub(count(taken, 0)?);
    Some(text.chars().skip(skipped).collect())
}

pub(super) fn replace(text: &str, from: &str, to: &str) -> Option<String> {
    (!from.is_empty()).then(|| text.replace(from, to))
}

pub(super) fn split_part(text: &str, delimiter: &str, number: i64) -> Option<String> {
    let skipped = count(number, 1)? - 1;
    (!delimiter.is_empty()).then(|| text.split(delimiter).nth(skipped).unwrap_or("").to_string())
}

/// From 1; 0 if absent.
pub(super) fn position(needle: &str, haystack: &str) -> i64 {
    haystack.find(needle).map_or(0, |at| length(&haystack[..at]) + 1)
}

pub(super) fn reverse(text: &str) -> String {
    text.chars().rev().collect()
}

pub(super) fn repeat(text: &str, times: i64) -> Result<Option<String>, Fault> {
    let Some(times_counted) = count(times, 0) else { return Ok(None) };
    let bytes = i64::try_from(text.len()).ok().and_then(|bytes| bytes.checked_mul(times));
    if bytes.is_none_or(|bytes| bytes >= MOST_BYTES) {
        return Err(too_long("REPEAT"));
    }
    Ok(Some(text.repeat(times_counted)))
}

/// LPAD and RPAD: exactly `width` characters, the text cut off at its end or filled.
pub(super) fn pad(text: &str, width: i64, fill: &str, before: bool) -> Result<Option<String>, Fault> {
    let Some(characters) = count(width, 0).filter(|_| !fill.is_empty()) else { return Ok(None) };
    if width.checked_mul(4).is_none_or(|bytes| bytes >= MOST_BYTES) {
        return Err(too_long("LPAD or RPAD"));
    }
    let kept: String = text.chars().take(characters).collect();
    let missing = characters.saturating_sub(text.chars().count());
    let filling: String = fill.chars().cycle().take(missing).collect();
    Ok(Some(if before { filling + &kept } else { kept + &filling }))
}

fn too_long(function: &str) -> Fault {
    Fault::Overflow(format!("{function} gives a text of more than 2 GiB"))
}

/// `%` is any text, `_` one character.
pub(super) fn like(text: &str, pattern: &str) -> bool {
    let (mut rest, mut wanted) = (text.chars(), pattern.chars());
    // Where the last `%` lets the text go on one character later.
    let mut again = None;
    loop {
        let matched = match wanted.next() {
            Some('%') => {
                again = Some((rest.clone(), wanted.clone()));
                true
            }
            Some('_') => rest.next().is_some(),
            Some(character) => rest.next() == Some(character),
            None if rest.next().is_none() => return true,
            None => false,
        };
        if !matched {
            let Some((mut later, behind)) = again else { return false };
            if later.next().is_none() {
                return false;
            }
            again = Some((later.clone(), behind.clone()));
            (rest, wanted) = (later, behind);
        }
    }
}
