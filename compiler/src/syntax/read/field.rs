//! A field of a dataset. In: its mapping. Out: name, expression and role; `None` if it has no name or no expression.

use std::fmt;

use super::keys::{Kind, check_keys};
use super::{Context, expression, extension, open_named};
use crate::diagnostic::Code;
use crate::syntax::access::{Object, Title, open_object, shorten, spanned};
use crate::syntax::document::Field;
use crate::syntax::yaml::Node;

/// Reads a field.
pub(super) fn read_field(node: &Node<'_>, path: &dyn fmt::Display, context: &mut Context) -> Option<Field> {
    let object = open_named(node, "field", path, context)?;
    check_keys(&object, &[Kind::Field], context);
    extension::check_ai_context(&object, context);
    let findings = &mut context.findings;
    let name = object.required_text("name", findings).map(spanned);
    let datatype = object.optional_text("datatype", findings).map(spanned);
    let description = object.optional_text("description", findings).map(|text| text.value);
    object.optional_text("label", findings);
    // A type alone makes no field the time of its dataset: a second date is ordinary.
    let is_time = read_is_time(&object, context).unwrap_or(false);
    let private = read_private(&object, context);
    let expression = expression::read_expression(&object, context);
    let extensions = extension::read_extensions(&object, context);
    Some(Field { name: name?, expression: expression?, is_time, datatype, private, description, extensions })
}

/// `dimension: {is_time: ..}`.
fn read_is_time(field: &Object<'_>, context: &mut Context) -> Option<bool> {
    let node = field.value("dimension")?;
    let title = Title::Part("`dimension`", &field.title);
    let object = open_object(node, "`dimension`", title, field.path, &mut context.findings)?;
    check_keys(&object, &[Kind::Dimension], context);
    let value = object.value("is_time")?;
    let Some(scalar) = value.scalar() else {
        let message = format!("`is_time` must be true or false, found {}", value.describe());
        context.findings.push(object.finding(Code::Parse, message).at(value.span, ""));
        return None;
    };
    let truth = scalar.boolean();
    if truth.is_none() {
        let message = format!("`is_time` must be true or false, found the text `{}`", shorten(&scalar.text));
        context.findings.push(
            object
                .finding(Code::Parse, message)
                .at(value.span, "")
                .help("write `true` or `false` without quotes"),
        );
    }
    truth
}

/// `access_modifier: private`, of fields and metrics.
pub(super) fn read_private(object: &Object<'_>, context: &mut Context) -> bool {
    let Some(modifier) = object.optional_text("access_modifier", &mut context.findings) else { return false };
    match modifier.value.as_str() {
        "private" => true,
        "public" => false,
        other => {
            let message = format!("`access_modifier` must be public or private, found `{}`", shorten(other));
            context.findings.push(
                object
                    .finding(Code::Parse, message)
                    .at(modifier.span, "")
                    .suggest(other, ["public", "private"]),
            );
            false
        }
    }
}
