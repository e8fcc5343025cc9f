//! Values of the expected form out of YAML nodes. In: nodes with the path they stand at. Out: values; what has another
//! form is a finding with its place.

use unisono_compiler::diagnostic::{Code, Diagnostic};
use unisono_compiler::source::Spanned;
use unisono_compiler::syntax::yaml::{Entry, Node, NodeKind};

/// Keys with texts.
pub(super) type Pairs = Vec<(Spanned<String>, Spanned<String>)>;

/// Collects findings while values are taken.
pub(super) struct Values {
    /// So far.
    pub(super) findings: Vec<Diagnostic>,
}

/// A mapping whose keys are all known.
pub(super) struct Mapping<'n> {
    entries: Vec<&'n Entry<'n>>,
}

impl<'n> Mapping<'n> {
    /// The value of a key.
    pub(super) fn get(&self, key: &str) -> Option<&'n Node<'n>> {
        self.entries.iter().find(|entry| entry.key.value == key).map(|entry| &entry.value)
    }
}

impl Values {
    /// The entries of a mapping; unknown keys are findings.
    pub(super) fn mapping<'n>(&mut self, node: &'n Node<'n>, path: &str, known: &[&str]) -> Mapping<'n> {
        let mut entries = Vec::new();
        for entry in self.open_mapping(node, path).unwrap_or_default() {
            let key = &entry.key;
            if known.contains(&&*key.value) {
                entries.push(entry);
            } else {
                let place = if path.is_empty() { "a project file".to_string() } else { format!("`{path}`") };
                self.findings.push(
                    Diagnostic::new(Code::UnknownKey, format!("{place} has no key `{}`", key.value))
                        .at(key.span, "")
                        .about(join(path, &key.value))
                        .suggest(&key.value, known.iter().copied())
                        .help(format!("known keys: {}", known.join(", "))),
                );
            }
        }
        Mapping { entries }
    }

    /// The entries of a mapping with keys of the user's choice; `null` is an empty one.
    pub(super) fn open_mapping<'n>(&mut self, node: &'n Node<'n>, path: &str) -> Option<Vec<&'n Entry<'n>>> {
        match &node.kind {
            NodeKind::Mapping(entries) => Some(entries.iter().collect()),
            NodeKind::Null if !path.is_empty() => Some(Vec::new()),
            NodeKind::Null | NodeKind::Scalar(_) | NodeKind::Sequence(_) => {
                self.wrong_form(node, path, "a mapping");
                None
            }
        }
    }

    /// The items of a list; one value that is no list stands for a list of it.
    pub(super) fn items<'n>(&mut self, node: &'n Node<'n>, path: &str) -> &'n [Node<'n>] {
        match &node.kind {
            NodeKind::Sequence(items) => items,
            NodeKind::Null => &[],
            NodeKind::Scalar(_) => std::slice::from_ref(node),
            NodeKind::Mapping(_) => {
                self.wrong_form(node, path, "a list");
                &[]
            }
        }
    }

    /// A list of texts.
    pub(super) fn texts(&mut self, node: &Node<'_>, path: &str) -> Vec<Spanned<String>> {
        let items = self.items(node, path);
        items.iter().enumerate().filter_map(|(at, item)| self.text(item, &format!("{path}[{at}]"))).collect()
    }

    /// A mapping of texts.
    pub(super) fn pairs(&mut self, node: &Node<'_>, path: &str) -> Pairs {
        let mut pairs = Vec::new();
        for entry in self.open_mapping(node, path).unwrap_or_default() {
            if let Some(value) = self.text(&entry.value, &join(path, &entry.key.value)) {
                pairs.push((entry.name(), value));
            }
        }
        pairs
    }

    /// A text of at least one character.
    pub(super) fn text(&mut self, node: &Node<'_>, path: &str) -> Option<Spanned<String>> {
        match node.scalar() {
            Some(scalar) if !scalar.text.is_empty() => Some(Spanned::new(scalar.text.to_string(), node.span)),
            Some(_) | None => {
                self.wrong_form(node, path, "text");
                None
            }
        }
    }

    /// The text of a key that must be there.
    pub(super) fn required(
        &mut self,
        node: &Node<'_>,
        map: &Mapping<'_>,
        path: &str,
        key: &str,
    ) -> Option<Spanned<String>> {
        match map.get(key) {
            Some(value) => self.text(value, &join(path, key)),
            None => {
                self.missing(node, path, key, &format!("add `{key}: ..`"));
                None
            }
        }
    }

    /// The position of a text in a list of words.
    pub(super) fn word(&mut self, node: &Node<'_>, path: &str, words: &[&str]) -> Option<usize> {
        let text = self.text(node, path)?;
        let found = words.iter().position(|word| *word == text.value);
        if found.is_none() {
            self.findings.push(
                Diagnostic::new(
                    Code::Parse,
                    format!("`{path}` is `{}`, not {}", text.value, alternatives(words)),
                )
                .at(text.span, "")
                .about(path)
                .suggest(&text.value, words.iter().copied()),
            );
        }
        found
    }

    /// true or false.
    pub(super) fn boolean(&mut self, node: &Node<'_>, path: &str) -> Option<bool> {
        let value = node.scalar().and_then(unisono_compiler::syntax::yaml::Scalar::boolean);
        if value.is_none() {
            self.wrong_form(node, path, "true or false");
        }
        value
    }

    /// A key that must be there is not.
    pub(super) fn missing(&mut self, node: &Node<'_>, path: &str, key: &str, help: &str) {
        let place = if path.is_empty() { "the project file".to_string() } else { format!("`{path}`") };
        self.findings.push(
            Diagnostic::new(Code::Parse, format!("{place} has no `{key}`"))
                .at(node.span, "")
                .about(join(path, key))
                .help(help),
        );
    }

    /// A text does not say what it must.
    pub(super) fn wrong(&mut self, text: &Spanned<String>, path: &str, wanted: &str) {
        self.findings.push(
            Diagnostic::new(Code::Parse, format!("`{path}` is `{}`, not {wanted}", text.value))
                .at(text.span, "")
                .about(path),
        );
    }

    fn wrong_form(&mut self, node: &Node<'_>, path: &str, wanted: &str) {
        let place = if path.is_empty() { "the project file".to_string() } else { format!("`{path}`") };
        self.findings.push(
            Diagnostic::new(Code::Parse, format!("{place} is {}, not {wanted}", node.describe()))
                .at(node.span, "")
                .about(path),
        );
    }
}

fn join(path: &str, key: &str) -> String {
    if path.is_empty() { key.to_string() } else { format!("{path}.{key}") }
}

fn alternatives(words: &[&str]) -> String {
    let quoted: Vec<String> = words.iter().map(|word| format!("`{word}`")).collect();
    match quoted.split_last() {
        Some((last, [])) => last.clone(),
        Some((last, rest)) => format!("{} or {last}", rest.join(", ")),
        None => String::new(),
    }
}
