//! The tree that the YAML reader makes: text, lists and mappings with their places, and nothing else.
//! In: events in order. Out: what the document and request readers take apart.

use std::borrow::Cow;

use crate::source::{Span, Spanned};
use crate::syntax::document::Text;

/// A value with the place it was written at. What an alias stands for keeps the place of its anchor.
/// What stands in the text as it is meant is borrowed from it.
#[derive(Clone, PartialEq, Debug)]
pub struct Node<'t> {
    /// What it is.
    pub kind: NodeKind<'t>,
    /// Scalars: with their quotes; lists and mappings: from the first to the last byte.
    pub span: Span,
}

/// The forms of a value.
#[derive(Clone, PartialEq, Debug)]
pub enum NodeKind<'t> {
    /// A plain `null` or `~`, or nothing at all.
    Null,
    /// Text.
    Scalar(Scalar<'t>),
    /// A list.
    Sequence(Vec<Node<'t>>),
    /// Keys with values, in the order written, each key once.
    Mapping(Vec<Entry<'t>>),
}

/// One key of a mapping with its value.
#[derive(Clone, PartialEq, Debug)]
pub struct Entry<'t> {
    /// The key's text.
    pub key: Spanned<Cow<'t, str>>,
    /// The value.
    pub value: Node<'t>,
}

/// Text as it stands in the document.
#[derive(Clone, PartialEq, Debug)]
pub struct Scalar<'t> {
    /// After YAML's unescaping and folding.
    pub text: Cow<'t, str>,
    /// How it was written.
    pub style: ScalarStyle,
    /// The byte of the source at which `text` stands character for character, if it does.
    pub verbatim_at: Option<u32>,
}

/// How a scalar was written.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ScalarStyle {
    /// Without quotes: the only style in which `true` or `12` may mean more than text.
    Plain,
    /// `'..'`.
    SingleQuoted,
    /// `".."`.
    DoubleQuoted,
    /// `|`.
    Literal,
    /// `>`.
    Folded,
}

impl<'t> Node<'t> {
    /// What the node is, for messages.
    pub fn describe(&self) -> &'static str {
        match &self.kind {
            NodeKind::Null => "nothing",
            NodeKind::Scalar(_) => "text",
            NodeKind::Sequence(_) => "a list",
            NodeKind::Mapping(_) => "a mapping",
        }
    }

    /// The scalar, if it is one.
    pub fn scalar(&self) -> Option<&Scalar<'t>> {
        match &self.kind {
            NodeKind::Scalar(scalar) => Some(scalar),
            NodeKind::Null | NodeKind::Sequence(_) | NodeKind::Mapping(_) => None,
        }
    }

    /// The entries, if it is a mapping.
    pub fn entries(&self) -> Option<&[Entry<'t>]> {
        match &self.kind {
            NodeKind::Mapping(entries) => Some(entries),
            NodeKind::Null | NodeKind::Scalar(_) | NodeKind::Sequence(_) => None,
        }
    }

    /// The scalar as a text that errors can point into, if it is one.
    pub fn text(&self) -> Option<Text> {
        self.scalar().map(|scalar| Text {
            value: scalar.text.to_string(),
            span: self.span,
            verbatim_at: scalar.verbatim_at,
        })
    }
}

impl Entry<'_> {
    /// The key as a name of its own.
    pub fn name(&self) -> Spanned<String> {
        Spanned::new(self.key.value.to_string(), self.key.span)
    }
}

impl Scalar<'_> {
    /// YAML 1.2's booleans: plain `true` and `false`, also capitalised or in capitals; never `yes`, `no`, `on`, `off`.
    pub fn boolean(&self) -> Option<bool> {
        match (self.style, &*self.text) {
            (ScalarStyle::Plain, "true" | "True" | "TRUE") => Some(true),
            (ScalarStyle::Plain, "false" | "False" | "FALSE") => Some(false),
            (
                ScalarStyle::Plain
                | ScalarStyle::SingleQuoted
                | ScalarStyle::DoubleQuoted
                | ScalarStyle::Literal
                | ScalarStyle::Folded,
                _,
            ) => None,
        }
    }
}
