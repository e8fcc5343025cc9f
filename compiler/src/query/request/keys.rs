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
    "home",
    "engine",
    "at",
];

/// The last keys of [`REQUEST`]: they are read, so that `bind` can say that they are not planned yet, and never offered.
const NOT_PLANNED: &[&str] = &["engine", "at"];

/// Words of the command line and of other tools, with the key that says it here.
const OTHER_WORDS: &[(&str, &str)] = &[
    ("metrics", "measures"),
    ("metric", "measures"),
    ("by", "dimensions"),
    ("group_by", "dimensions"),
    ("filter", "where"),
    ("filters", "where"),
    ("order", "order_by"),
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
    report(object, known, known, &[], findings);
}

/// Reports every key that a request does not have.
pub(super) fn check_request_keys(object: &Object<'_>, findings: &mut Findings) {
    let offered: Vec<&str> = REQUEST.iter().copied().filter(|key| !NOT_PLANNED.contains(key)).collect();
    report(object, REQUEST, &offered, OTHER_WORDS, findings);
}

fn report(
    object: &Object<'_>,
    known: &[&str],
    offered: &[&str],
    other_words: &[(&str, &str)],
    findings: &mut Findings,
) {
    for entry in object.entries.iter().filter(|entry| !known.contains(&&*entry.key.value)) {
        findings.push_unknown_key(object.head, || {
            let message = format!("`{}` is no key of {}", entry.key.value, object.title);
            let mut finding = object
                .finding(Code::UnknownKey, message)
                .at(entry.key.span, "")
                .suggest(&entry.key.value, offered.iter().copied())
                .help(format!("{} knows {}", object.title, offered.join(", ")));
            if let Some((_, meant)) = other_words.iter().find(|(word, _)| *word == entry.key.value) {
                finding.candidates = vec![(*meant).to_string()];
            }
            finding
        });
    }
}

/// Whether [`check_keys`] found something.
pub(super) fn has_unknown(object: &Object<'_>, known: &[&str]) -> bool {
    object.entries.iter().any(|entry| !known.contains(&&*entry.key.value))
}
