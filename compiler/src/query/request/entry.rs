//! Entries: names, expressions and truncated times, and the sort keys that are made of them.
//! In: lists of the request. Out: entries with aliases, sort keys with directions.

use std::fmt;

use super::{Entry, EntryExpr, OrderKey, keys, read_filled_text, read_items, read_name};
use crate::diagnostic::{Code, Diagnostic};
use crate::syntax::access::{Object, Title, open_object, shorten};
use crate::syntax::document::Text;
use crate::syntax::findings::Findings;
use crate::syntax::yaml::Node;

/// The entries under a key; `None` if it is absent.
pub(super) fn read_entries(request: &Object<'_>, key: &str, findings: &mut Findings) -> Option<Vec<Entry>> {
    let items = read_items(request.value(key)?, key, findings)?;
    let entries = items.iter().enumerate().filter_map(|(position, item)| {
        let path = format_args!("{key}[{position}]");
        let name = format_args!("an entry of `{key}`");
        if item.scalar().is_some() {
            let text = read_filled_text(item, name, &path, findings)?;
            return Some(Entry { expr: EntryExpr::Text(text), alias: None, span: item.span });
        }
        let title = name.to_string();
        let object = open_object(item, name, Title::Plain(&title), &path, findings)?;
        keys::check_keys(&object, keys::ENTRY, findings);
        let alias = read_name(&object, "as", findings);
        Some(Entry { expr: read_expr(&object, keys::ENTRY, findings)?, alias, span: item.span })
    });
    Some(entries.collect())
}

/// The sort keys.
pub(super) fn read_order(request: &Object<'_>, findings: &mut Findings) -> Vec<OrderKey> {
    let Some(value) = request.value("order_by") else { return Vec::new() };
    let items = read_items(value, "order_by", findings).unwrap_or(&[]);
    items
        .iter()
        .enumerate()
        .filter_map(|(position, item)| read_order_key(item, &format_args!("order_by[{position}]"), findings))
        .collect()
}

fn read_order_key(item: &Node<'_>, path: &dyn fmt::Display, findings: &mut Findings) -> Option<OrderKey> {
    let name = "an entry of `order_by`";
    if item.scalar().is_some() {
        let text = read_filled_text(item, name, path, findings)?;
        let (text, descending) = without_minus(text);
        if text.value.is_empty() {
            let message = "an entry of `order_by` is only a `-`";
            findings.push(Diagnostic::new(Code::Parse, message).about(path.to_string()).at(item.span, ""));
            return None;
        }
        return Some(OrderKey {
            expr: EntryExpr::Text(text),
            descending,
            nulls_first: None,
            span: item.span,
        });
    }
    let object = open_object(item, name, Title::Plain(name), path, findings)?;
    keys::check_keys(&object, keys::ORDER, findings);
    let descending = read_choice(&object, "direction", ["ASC", "DESC"], findings);
    let nulls_last = read_choice(&object, "nulls", ["FIRST", "LAST"], findings);
    Some(OrderKey {
        expr: read_expr(&object, keys::ORDER, findings)?,
        descending: descending.unwrap_or(false),
        nulls_first: nulls_last.map(|last| !last),
        span: item.span,
    })
}

/// `-revenue` sorts `revenue` from the highest down.
fn without_minus(text: Text) -> (Text, bool) {
    let Some(rest) = text.value.trim_start().strip_prefix('-') else { return (text, false) };
    let rest = rest.trim_start();
    // Only leading characters are gone, so the rest still stands in the source.
    let gone = u32::try_from(text.value.len() - rest.len()).unwrap_or(0);
    let stripped =
        Text { value: rest.to_string(), span: text.span, verbatim_at: text.verbatim_at.map(|at| at + gone) };
    (stripped, true)
}

/// False for the first word, true for the second, in any case.
fn read_choice(object: &Object<'_>, key: &str, words: [&str; 2], findings: &mut Findings) -> Option<bool> {
    let text = object.optional_text(key, findings)?;
    let choice = words.iter().position(|word| word.eq_ignore_ascii_case(&text.value));
    if choice.is_none() {
        let message =
            format!("`{key}` must be {} or {}, found `{}`", words[0], words[1], shorten(&text.value));
        findings.push(object.finding(Code::Parse, message).at(text.span, "").suggest(&text.value, words));
    }
    choice.map(|position| position == 1)
}

/// `expr` (or `expression`), or `field` with or without `grain`.
fn read_expr(object: &Object<'_>, known: &[&str], findings: &mut Findings) -> Option<EntryExpr> {
    let forms: Vec<&str> =
        ["expr", "expression", "field"].into_iter().filter(|key| object.value(key).is_some()).collect();
    let &[form] = forms.as_slice() else {
        let message = match forms.as_slice() {
            // A misspelt key has been reported with the right one.
            [] if keys::has_unknown(object, known) => return None,
            [] => format!("{} has neither `expr` nor `field`", object.title),
            [first, second, ..] => format!("{} has both `{first}` and `{second}`", object.title),
            [_] => return None,
        };
        findings.push(object.finding(Code::Parse, message).at(object.head, ""));
        return None;
    };
    let text = object.required_text(form, findings);
    let grain = read_name(object, "grain", findings);
    match (grain, form) {
        (None, _) => text.map(EntryExpr::Text),
        (Some(grain), "field") => Some(EntryExpr::Grain { field: text?, grain }),
        (Some(grain), _) => {
            findings.push(
                object
                    .finding(Code::Parse, format!("`grain` goes with `field`, not with `{form}`"))
                    .at(grain.span, "")
                    .help("name the time field under `field`, or truncate inside the expression"),
            );
            None
        }
    }
}
