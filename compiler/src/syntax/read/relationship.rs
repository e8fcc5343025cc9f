//! A relationship. In: its mapping. Out: both ends with their columns in pairs; `None` if one of them is missing.

use std::fmt;

use super::keys::{Kind, check_keys};
use super::{Context, extension, open_named};
use crate::diagnostic::Code;
use crate::source::Spanned;
use crate::syntax::access::{Object, read_texts, spanned};
use crate::syntax::document::Relationship;
use crate::syntax::yaml::{Node, NodeKind};

/// Reads a relationship.
pub(super) fn read_relationship(
    node: &Node<'_>,
    path: &dyn fmt::Display,
    context: &mut Context,
) -> Option<Relationship> {
    let object = open_named(node, "relationship", path, context)?;
    check_keys(&object, &[Kind::Relationship], context);
    extension::check_ai_context(&object, context);
    extension::read_extensions(&object, context);
    let findings = &mut context.findings;
    object.optional_text("description", findings);
    let name = object.required_text("name", findings).map(spanned);
    let from = object.required_text("from", findings).map(spanned);
    let to = object.required_text("to", findings).map(spanned);
    let from_columns = read_columns(&object, "from_columns", context);
    let to_columns = read_columns(&object, "to_columns", context);
    let (from_columns, to_columns) = (from_columns?, to_columns?);
    if from_columns.len() != to_columns.len() {
        let message = format!(
            "{} joins {} columns of `from` to {} of `to`",
            object.title,
            from_columns.len(),
            to_columns.len()
        );
        let mut diagnostic = object
            .finding(Code::Parse, message)
            .at(object.head, "")
            .help("name as many columns on both sides, in pairs");
        for key in ["from_columns", "to_columns"] {
            if let Some(value) = object.value(key) {
                diagnostic = diagnostic.also_at(value.span, "");
            }
        }
        context.findings.push(diagnostic);
        return None;
    }
    let columns = from_columns.into_iter().zip(to_columns).collect();
    Some(Relationship { name: name?, from: from?, to: to?, columns })
}

fn read_columns(object: &Object<'_>, key: &str, context: &mut Context) -> Option<Vec<Spanned<String>>> {
    let value = object.required(key, &mut context.findings)?;
    let columns = read_texts(value, key, object.path, &mut context.findings);
    let NodeKind::Sequence(items) = &value.kind else { return None };
    if items.is_empty() {
        let message = format!("`{key}` of {} needs at least one column", object.title);
        context.findings.push(object.finding(Code::Parse, message).at(value.span, ""));
    }
    // An entry that could not be read has been reported; without it the pairs would not be the author's.
    (columns.len() == items.len() && !items.is_empty()).then_some(columns)
}
