//! The keys of every mapping of a request: the one place to change when the contract grows.
//! In: a mapping and its known keys. Out: errors that name the nearest known key.

use crate::diagnostic::Code;
use crate::syntax::access::Object;
use crate::syntax::findings::Findings;

/// The request itself.
pub(super) const REQUEST: &[&str] = &[
    "dimensions",
    "measures",
    "fields",
    "where",
    "having",
    "time_range",
    "order_by",
    "limit",
    "params",
    "time_zone",
    "engine",
    "at",
    "home",
];

/// An entry of `dimensions`, `measures` and `fields`.
pub(super) const ENTRY: &[&str] = &["expr", "expression", "field", "grain", "as"];

/// An entry of `order_by`.
pub(super) const ORDER: &[&str] = &["expr", "expression", "field", "grain", "direction", "nulls"];

/// `time_range`.
pub(super) const TIME_RANGE: &[&str] = &["dimension", "start", "end"];

/// `at`.
pub(super) const AT: &[&str] = &["version", "tag", "time"];

/// Reports every key that is not among the known ones.
pub(super) fn check_keys(object: &Object<'_>, known: &[&str], findings: &mut Findings) {
    for entry in object.entries.iter().filter(|entry| !known.contains(&&*entry.key.value)) {
        findings.push_unknown_key(object.head, || {
            let message = format!("`{}` is no key of {}", entry.key.value, object.title);
            object
                .finding(Code::UnknownKey, message)
                .at(entry.key.span, "")
                .suggest(&entry.key.value, known.iter().copied())
                .help(format!("{} knows {}", object.title, known.join(", ")))
        });
    }
}

/// Whether [`check_keys`] found something.
pub(super) fn has_unknown(object: &Object<'_>, known: &[&str]) -> bool {
    object.entries.iter().any(|entry| !known.contains(&&*entry.key.value))
}
