//! Taking a tree apart: the keys of an object by name and kind, with one wording for everything that does not fit.
//! In: nodes of the YAML reader. Out: texts and lists with their places, and findings that name object and key.

use std::fmt;

use super::document::Text;
use super::findings::Findings;
use super::yaml::{Entry, Node, NodeKind};
use crate::diagnostic::{Code, Diagnostic};
use crate::source::{Span, Spanned};

/// A mapping that is being read. What it is called becomes text only in a finding: most objects have none.
pub(crate) struct Object<'n> {
    /// For messages: "dataset `orders`".
    pub(crate) title: Title<'n>,
    /// For programs: `datasets.orders`.
    pub(crate) path: &'n dyn fmt::Display,
    /// Its keys.
    pub(crate) entries: &'n [Entry<'n>],
    /// Its first key: where something is said to be missing.
    pub(crate) head: Span,
    /// All of it.
    pub(crate) span: Span,
}

/// What an object is called in messages.
#[derive(Clone, Copy)]
pub(crate) enum Title<'n> {
    /// "the document".
    Plain(&'n str),
    /// "dataset `orders`".
    Named(&'n str, &'n str),
    /// "a dataset".
    Nameless(&'n str),
    /// "`expression` of metric `revenue`".
    Part(&'n str, &'n Title<'n>),
}

impl fmt::Display for Title<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Title::Plain(text) => f.write_str(text),
            Title::Named(noun, name) => write!(f, "{noun} `{}`", shorten(name)),
            Title::Nameless(noun) => write!(f, "a {noun}"),
            Title::Part(part, whole) => write!(f, "{part} of {whole}"),
        }
    }
}

/// The node as a mapping. `name` is the key it stands under, or what it is.
pub(crate) fn open_object<'n>(
    node: &'n Node<'n>,
    name: impl fmt::Display,
    title: Title<'n>,
    path: &'n dyn fmt::Display,
    findings: &mut Findings,
) -> Option<Object<'n>> {
    let Some(entries) = node.entries() else {
        findings.push(wrong_kind(node, name, "a mapping", path));
        return None;
    };
    let head = entries.first().map_or(node.span, |entry| entry.key.span);
    Some(Object { title, path, entries, head, span: node.span })
}

impl<'n> Object<'n> {
    /// The entry of a key.
    pub(crate) fn entry(&self, key: &str) -> Option<&'n Entry<'n>> {
        self.entries.iter().find(|entry| entry.key.value == key)
    }

    /// The value of a key; a null counts as absent.
    pub(crate) fn value(&self, key: &str) -> Option<&'n Node<'n>> {
        self.entry(key).map(|entry| &entry.value).filter(|value| value.kind != NodeKind::Null)
    }

    /// A finding about this object.
    pub(crate) fn finding(&self, code: Code, message: impl Into<String>) -> Diagnostic {
        Diagnostic::new(code, message).about(self.path.to_string())
    }

    /// The value of a key that must be there.
    pub(crate) fn required(&self, key: &str, findings: &mut Findings) -> Option<&'n Node<'n>> {
        if let Some(value) = self.value(key) {
            return Some(value);
        }
        findings.push(match self.entry(key) {
            Some(entry) => self
                .finding(Code::Parse, format!("`{key}` of {} is empty", self.title))
                .at(entry.key.span, ""),
            None => self.finding(Code::Parse, format!("{} has no `{key}`", self.title)).at(self.head, ""),
        });
        None
    }

    /// Text that must be there and not blank.
    pub(crate) fn required_text(&self, key: &str, findings: &mut Findings) -> Option<Text> {
        let value = self.required(key, findings)?;
        let text = read_text(value, format_args!("`{key}`"), self.path, findings)?;
        if text.value.trim().is_empty() {
            findings.push(
                self.finding(Code::Parse, format!("`{key}` of {} is empty", self.title)).at(text.span, ""),
            );
            return None;
        }
        Some(text)
    }

    /// Text that may be there.
    pub(crate) fn optional_text(&self, key: &str, findings: &mut Findings) -> Option<Text> {
        self.value(key).and_then(|value| read_text(value, format_args!("`{key}`"), self.path, findings))
    }

    /// The entries of a list that may be there.
    pub(crate) fn list(&self, key: &str, findings: &mut Findings) -> &'n [Node<'n>] {
        self.value(key)
            .and_then(|value| read_list(value, format_args!("`{key}`"), self.path, findings))
            .unwrap_or(&[])
    }

    /// A list of texts that may be there.
    pub(crate) fn texts(&self, key: &str, findings: &mut Findings) -> Vec<Spanned<String>> {
        self.value(key).map_or_else(Vec::new, |value| read_texts(value, key, self.path, findings))
    }
}

/// The node as text; `name` is what it is called in the message.
pub(crate) fn read_text(
    node: &Node<'_>,
    name: impl fmt::Display,
    path: impl fmt::Display,
    findings: &mut Findings,
) -> Option<Text> {
    let text = node.text();
    if text.is_none() {
        findings.push(wrong_kind(node, name, "text", path));
    }
    text
}

/// The node as a list.
pub(crate) fn read_list<'n>(
    node: &'n Node<'n>,
    name: impl fmt::Display,
    path: impl fmt::Display,
    findings: &mut Findings,
) -> Option<&'n [Node<'n>]> {
    if let NodeKind::Sequence(items) = &node.kind {
        return Some(items);
    }
    findings.push(wrong_kind(node, name, "a list", path));
    None
}

/// The node as a list of texts, none of them blank; what is wrong is reported and left out.
pub(crate) fn read_texts(
    node: &Node<'_>,
    key: &str,
    path: &dyn fmt::Display,
    findings: &mut Findings,
) -> Vec<Spanned<String>> {
    let mut texts = Vec::new();
    for item in read_list(node, format_args!("`{key}`"), path, findings).unwrap_or(&[]) {
        let Some(text) = read_text(item, format_args!("an entry of `{key}`"), path, findings) else {
            continue;
        };
        if text.value.trim().is_empty() {
            let message = format!("an entry of `{key}` is empty");
            findings.push(Diagnostic::new(Code::Parse, message).about(path.to_string()).at(text.span, ""));
        } else {
            texts.push(spanned(text));
        }
    }
    texts
}

/// A text as a name: errors point at it as a whole.
pub(crate) fn spanned(text: Text) -> Spanned<String> {
    Spanned::new(text.value, text.span)
}

/// A node of another kind than its key wants.
pub(crate) fn wrong_kind(
    node: &Node<'_>,
    name: impl fmt::Display,
    wanted: &str,
    path: impl fmt::Display,
) -> Diagnostic {
    let diagnostic =
        Diagnostic::new(Code::Parse, format!("{name} must be {wanted}, found {}", node.describe()))
            .about(path.to_string())
            .at(node.span, "");
    match (&node.kind, wanted) {
        (NodeKind::Scalar(scalar), "a list") => {
            diagnostic.help(format!("put it into brackets: `[{}]`", shorten(&scalar.text)))
        }
        (NodeKind::Mapping(_), "text") => diagnostic.help("put text that holds `: ` or `{` into quotes"),
        (NodeKind::Sequence(_), "text") => diagnostic.help("put text that starts with `[` into quotes"),
        (NodeKind::Null | NodeKind::Scalar(_) | NodeKind::Sequence(_) | NodeKind::Mapping(_), _) => {
            diagnostic
        }
    }
}

/// The beginning of a text, for messages.
pub(crate) fn shorten(text: &str) -> String {
    const SHOWN: usize = 40;
    let first_line = text.lines().next().unwrap_or("");
    if first_line.chars().count() <= SHOWN && first_line.len() == text.trim_end().len() {
        return first_line.to_string();
    }
    let start: String = first_line.chars().take(SHOWN).collect();
    format!("{start}..")
}
