//! What people and vendors add to an object: `custom_extensions`, kept unread, and `ai_context`, only checked.
//! In: the object that has them. Out: the extensions; the remarks for AI tools mean nothing to a compiler.

use super::Context;
use super::keys::{Kind, check_keys};
use crate::diagnostic::Code;
use crate::syntax::access::{Object, Title, open_object, read_text, spanned};
use crate::syntax::document::Extension;
use crate::syntax::yaml::{Node, NodeKind};

/// Reads `custom_extensions`.
pub(super) fn read_extensions(owner: &Object<'_>, context: &mut Context) -> Vec<Extension> {
    let items = owner.list("custom_extensions", &mut context.findings);
    items.iter().filter_map(|item| read_extension(item, owner, context)).collect()
}

fn read_extension(item: &Node<'_>, owner: &Object<'_>, context: &mut Context) -> Option<Extension> {
    let name = "an entry of `custom_extensions`";
    let title = Title::Part(name, &owner.title);
    let object = open_object(item, name, title, owner.path, &mut context.findings)?;
    check_keys(&object, &[Kind::Extension], context);
    let vendor = object.required_text("vendor_name", &mut context.findings).map(spanned);
    let data = object.required("data", &mut context.findings)?;
    if data.scalar().is_none() {
        let message = format!("`data` of {} must be text, found {}", object.title, data.describe());
        context.findings.push(
            object
                .finding(Code::Parse, message)
                .at(data.span, "")
                .help("put the JSON into quotes: `data: '{..}'`"),
        );
        return None;
    }
    let data = object.required_text("data", &mut context.findings).map(spanned);
    Some(Extension { vendor: vendor?, data: data? })
}

/// Checks `ai_context`: text, or a mapping in which three keys have known kinds and any other is allowed.
pub(super) fn check_ai_context(owner: &Object<'_>, context: &mut Context) {
    let Some(value) = owner.value("ai_context") else { return };
    match &value.kind {
        NodeKind::Null | NodeKind::Scalar(_) => {}
        NodeKind::Sequence(_) => {
            let message = format!("`ai_context` of {} must be text or a mapping, found a list", owner.title);
            context.findings.push(owner.finding(Code::Parse, message).at(value.span, ""));
        }
        NodeKind::Mapping(entries) => {
            let object =
                Object { title: owner.title, path: owner.path, entries, head: value.span, span: value.span };
            let findings = &mut context.findings;
            if let Some(instructions) = object.value("instructions") {
                read_text(instructions, "`instructions`", owner.path, findings);
            }
            object.texts("synonyms", findings);
            object.texts("examples", findings);
        }
    }
}
