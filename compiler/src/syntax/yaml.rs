//! The YAML 1.2 and JSON reader: text in, a small tree out, with a byte span on every node.
//! Scalars keep their text: nothing becomes a number, a boolean or a date here. What a document can do to a
//! reader (size, depth, aliases, merges, tags) is bounded or refused in this module and nowhere else.

mod build;
mod fault;
mod input;
mod json;
mod keys;
mod node;
mod offset;
mod scalar;

pub use node::{Entry, Node, NodeKind, Scalar, ScalarStyle};

use crate::diagnostic::{Code, Diagnostic};
use crate::source::{SourceId, Span};

/// Bytes of one text at most.
pub const MAX_TEXT: usize = 16 * 1024 * 1024;

/// Lists and mappings inside each other at most.
pub const MAX_DEPTH: usize = 64;

/// Nodes of one text at most, after the expansion of aliases.
pub const MAX_NODES: usize = 1_000_000;

/// Bytes of all scalars at most, after the expansion of aliases: a short text can repeat a long scalar often.
pub const MAX_EXPANDED_TEXT: usize = 64 * 1024 * 1024;

/// Reads one document. Without a node the text cannot be read at all; with one there may still be errors, such as a
/// key that is written twice.
pub fn parse_yaml(source: SourceId, text: &str) -> (Option<Node<'_>>, Vec<Diagnostic>) {
    if text.len() > MAX_TEXT {
        let whole = Span { source, start: 0, end: 0 };
        let message = format!("the text has {} bytes, the limit is {MAX_TEXT}", text.len());
        let diagnostic = Diagnostic::new(Code::LimitExceeded, message)
            .at(whole, "")
            .help("split it into several files, each with models of its own");
        return (None, vec![diagnostic]);
    }
    if let Some(diagnostic) = fault::unsupported_directive(source, text) {
        return (None, vec![diagnostic]);
    }
    build::build_tree(source, text)
}

#[cfg(test)]
mod tests;
