//! Regular expressions: constants in the common subset, compiled once an expression.
//! In: a call, then its arguments row by row. Out: the value.

use regex::{NoExpand, Regex};
use unisono_compiler::function::{Function, Scalar};
use unisono_compiler::plan::SlotExpr;

use super::literal_text;
use crate::engine::incremental::{Fault, Value};

/// A function of a pattern.
#[derive(Clone, Copy, Debug)]
pub(super) enum Search {
    /// Whether it is found.
    Like,
    /// All matches replaced.
    Replace,
    /// The first match.
    Extract,
    /// How often it is found.
    Count,
}

const SEARCHES: [(Scalar, Search); 4] = [
    (Scalar::RegexpLike, Search::Like),
    (Scalar::RegexpReplace, Search::Replace),
    (Scalar::RegexpExtract, Search::Extract),
    (Scalar::RegexpCount, Search::Count),
];

/// The function and its compiled pattern, if it is one of those with a pattern.
pub(super) fn of(function: Function, arguments: &[SlotExpr]) -> Result<Option<(Search, Regex)>, Fault> {
    let found = SEARCHES.into_iter().find(|(scalar, _)| function == Function::Scalar(*scalar));
    let Some((scalar, search)) = found else { return Ok(None) };
    let Some(pattern) = arguments.get(1).and_then(literal_text) else {
        return Err(Fault::Unsupported(format!("{} of a pattern that is no constant", scalar.name())));
    };
    let regex =
        Regex::new(pattern).map_err(|why| Fault::Unsupported(format!("pattern '{pattern}': {why}")))?;
    Ok(Some((search, regex)))
}

/// The value for texts that start with the subject; NULL if any of them is.
pub(super) fn apply(search: Search, regex: &Regex, values: &[Value]) -> Result<Value, Fault> {
    if values.iter().any(Value::is_null) {
        return Ok(Value::Null);
    }
    let text = |index: usize| match values.get(index) {
        Some(Value::Text(text)) => Ok(&**text),
        found => Err(Fault::Plan(format!("{found:?} is no String to search in"))),
    };
    let subject = text(0)?;
    Ok(match search {
        Search::Like => Value::Boolean(regex.is_match(subject)),
        Search::Replace => Value::text(regex.replace_all(subject, NoExpand(text(2)?)).into_owned()),
        Search::Extract => regex.find(subject).map_or(Value::Null, |found| Value::text(found.as_str())),
        Search::Count => Value::Integer(i64::try_from(regex.find_iter(subject).count()).unwrap_or(i64::MAX)),
    })
}
