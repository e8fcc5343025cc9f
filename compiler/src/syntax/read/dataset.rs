//! A dataset. In: its mapping. Out: name, source, keys and fields; `None` if it has no name or no source.

use std::fmt;

use super::keys::{Kind, check_keys};
use super::{Context, PathOf, extension, field, open_named};
use crate::diagnostic::Code;
use crate::source::Spanned;
use crate::syntax::access::{Object, read_texts, spanned};
use crate::syntax::document::Dataset;
use crate::syntax::yaml::Node;

/// Reads a dataset.
pub(super) fn read_dataset(
    node: &Node<'_>,
    path: &dyn fmt::Display,
    context: &mut Context,
) -> Option<Dataset> {
    let object = open_named(node, "dataset", path, context)?;
    check_keys(&object, &[Kind::Dataset], context);
    extension::check_ai_context(&object, context);
    let findings = &mut context.findings;
    let name = object.required_text("name", findings).map(spanned);
    let source = object.required_text("source", findings).map(spanned);
    let primary_key = object.texts("primary_key", findings);
    let description = object.optional_text("description", findings).map(|text| text.value);
    let unique_keys = read_unique_keys(&object, context);
    let fields = object
        .list("fields", &mut context.findings)
        .iter()
        .enumerate()
        .filter_map(|(position, item)| {
            let own = PathOf { list: "fields", position, item };
            field::read_field(item, &format_args!("{}.{own}", object.path), context)
        })
        .collect();
    let extensions = extension::read_extensions(&object, context);
    Some(Dataset { name: name?, source: source?, primary_key, unique_keys, fields, description, extensions })
}

/// Each unique key is a list of columns.
fn read_unique_keys(object: &Object<'_>, context: &mut Context) -> Vec<Vec<Spanned<String>>> {
    let mut keys = Vec::new();
    for item in object.list("unique_keys", &mut context.findings) {
        if item.scalar().is_some() {
            let message =
                format!("an entry of `unique_keys` must be a list of columns, found {}", item.describe());
            context.findings.push(
                object
                    .finding(Code::Parse, message)
                    .at(item.span, "")
                    .help("put the columns of each key into a list of their own: `[[order_number]]`"),
            );
            continue;
        }
        let columns = read_texts(item, "unique_keys", object.path, &mut context.findings);
        if item.kind == crate::syntax::yaml::NodeKind::Sequence(Vec::new()) {
            let message = "an entry of `unique_keys` has no columns";
            context.findings.push(object.finding(Code::Parse, message).at(item.span, ""));
        } else {
            keys.push(columns);
        }
    }
    keys
}
