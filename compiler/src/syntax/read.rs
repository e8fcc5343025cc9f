//! Documents: the YAML or JSON tree to `syntax::Document`, all four shapes and all versions that existed.
//! In: one text. Out: what could be read of it, and everything that is wrong with it, in the order of the text.

mod dataset;
mod expression;
mod extension;
mod field;
mod keys;
mod metric;
mod model;
mod relationship;
mod shape;

use std::collections::BTreeMap;
use std::fmt;

use self::keys::Variant;
use super::access::{Object, Title, open_object, shorten};
use super::document::Document;
use super::findings::Findings;
use super::yaml::{Node, parse_yaml};
use crate::diagnostic::Diagnostic;
use crate::source::{SourceId, Spanned};

/// Reads a document. `None` if the text is no semantic model at all; a document with errors beside it lacks the
/// objects that could not be read.
pub fn parse_document(source: SourceId, text: &str) -> (Option<Document>, Vec<Diagnostic>) {
    let (root, diagnostics) = parse_yaml(source, text);
    let Some(root) = root else { return (None, diagnostics) };
    let mut context = Context {
        variant: Variant::V0_2_0,
        dialect: None,
        findings: Findings::default(),
        remarks: BTreeMap::new(),
    };
    let document = shape::read_root(&root, &mut context);
    (document, context.finish(diagnostics))
}

/// What reading one document carries along.
struct Context {
    /// Whose keys are at home in the document.
    variant: Variant,
    /// The `dialect` of the model, which is that of its plain expressions.
    dialect: Option<Spanned<String>>,
    findings: Findings,
    /// By topic.
    remarks: BTreeMap<String, Remark>,
}

/// A warning that is given once, however often there is cause for it.
struct Remark {
    diagnostic: Diagnostic,
    count: usize,
}

impl Context {
    /// Warns at the first place of a topic and counts the others.
    fn remark(&mut self, topic: String, diagnostic: Diagnostic) {
        self.remarks.entry(topic).or_insert(Remark { diagnostic, count: 0 }).count += 1;
    }

    fn finish(mut self, earlier: Vec<Diagnostic>) -> Vec<Diagnostic> {
        for Remark { mut diagnostic, count } in self.remarks.into_values() {
            if count > 1 {
                diagnostic.message = format!("{}; the document has {count} of these", diagnostic.message);
            }
            self.findings.push(diagnostic);
        }
        self.findings.finish_with(earlier)
    }
}

/// The path of an entry of a list, by its name or else by its position.
struct PathOf<'n> {
    list: &'n str,
    position: usize,
    item: &'n Node<'n>,
}

impl fmt::Display for PathOf<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let PathOf { list, position, item } = self;
        match name_of(item) {
            Some(name) => write!(f, "{list}.{}", shorten(name)),
            None => write!(f, "{list}[{position}]"),
        }
    }
}

/// The text under `name`, if there is one.
fn name_of<'n>(node: &'n Node<'n>) -> Option<&'n str> {
    let entries = node.entries().unwrap_or(&[]);
    let name = entries.iter().find(|entry| entry.key.value == "name")?;
    name.value.scalar().map(|scalar| &*scalar.text)
}

/// Opens an object that has a name, if it is a mapping.
fn open_named<'n>(
    node: &'n Node<'n>,
    noun: &'n str,
    path: &'n dyn fmt::Display,
    context: &mut Context,
) -> Option<Object<'n>> {
    let title = match name_of(node) {
        Some(name) if !name.trim().is_empty() => Title::Named(noun, name),
        Some(_) | None => Title::Nameless(noun),
    };
    open_object(node, format_args!("a {noun}"), title, path, &mut context.findings)
}

#[cfg(test)]
mod tests;
