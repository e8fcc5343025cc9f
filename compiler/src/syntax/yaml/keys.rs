//! Keys of mappings: what may be one, and which are written twice.
//! In: nodes in the place of keys, and the entries of a mapping. Out: keys, each once, and findings about the others.

use std::borrow::Cow;

use super::{Entry, Node, NodeKind, ScalarStyle};
use crate::diagnostic::{Code, Diagnostic};
use crate::source::Spanned;
use crate::syntax::findings::Findings;

/// A key that has been read.
pub(super) enum Key<'t> {
    Usable(Spanned<Cow<'t, str>>),
    /// Already reported; its value is read and dropped.
    Refused,
}

/// A node in the place of a key.
pub(super) fn read_key<'t>(node: Node<'t>, findings: &mut Findings) -> Key<'t> {
    let refused = match node.kind {
        NodeKind::Scalar(scalar) if scalar.style == ScalarStyle::Plain && scalar.text == "<<" => {
            Diagnostic::new(Code::Parse, "merge keys (`<<`) are not supported")
                .at(node.span, "")
                .help("write the keys out; an alias may stand for a whole value (`fields: *common`)")
        }
        NodeKind::Scalar(scalar) => return Key::Usable(Spanned::new(scalar.text, node.span)),
        // A plain `null` or `~` is as good a name for a key as any.
        NodeKind::Null if node.span.start < node.span.end => {
            Diagnostic::new(Code::Parse, "a key is null").at(node.span, "").help("put the key into quotes")
        }
        NodeKind::Null => Diagnostic::new(Code::Parse, "a key is missing before `:`").at(node.span, ""),
        NodeKind::Sequence(_) | NodeKind::Mapping(_) => {
            Diagnostic::new(Code::Parse, "a list or mapping stands where a key is expected")
                .at(node.span, "")
                .help("put text that holds brackets into quotes")
        }
    };
    findings.push(refused);
    Key::Refused
}

/// Reports keys that are written twice and keeps the first of each.
pub(super) fn without_duplicates<'t>(entries: Vec<Entry<'t>>, findings: &mut Findings) -> Vec<Entry<'t>> {
    if entries.len() <= FEW_KEYS && are_distinct(&entries) {
        return entries;
    }
    let mut order: Vec<usize> = (0..entries.len()).collect();
    order.sort_by(|a, b| entries[*a].key.value.cmp(&entries[*b].key.value).then(a.cmp(b)));
    let mut repeated = Vec::new();
    for group in order.chunk_by(|a, b| entries[*a].key.value == entries[*b].key.value) {
        let first = &entries[group[0]].key;
        for again in &group[1..] {
            findings.push_error(|| {
                let message = format!("the key `{}` is written twice in one mapping", first.value);
                Diagnostic::new(Code::Parse, message)
                    .at(entries[*again].key.span, "again here")
                    .also_at(first.span, "first here")
                    .help("remove one of the two")
            });
            repeated.push(*again);
        }
    }
    if repeated.is_empty() {
        return entries;
    }
    repeated.sort_unstable();
    let kept = |index: &usize| repeated.binary_search(index).is_err();
    entries.into_iter().enumerate().filter(|(index, _)| kept(index)).map(|(_, entry)| entry).collect()
}

/// Most mappings have no more keys than this, and comparing each two of them costs less than sorting them.
const FEW_KEYS: usize = 16;

fn are_distinct(entries: &[Entry<'_>]) -> bool {
    entries
        .iter()
        .enumerate()
        .all(|(index, entry)| entries[..index].iter().all(|earlier| earlier.key.value != entry.key.value))
}
