//! A metric. In: its mapping. Out: name and expression; `None` if one of them is missing.

use std::fmt;

use super::keys::{Kind, check_keys};
use super::{Context, expression, extension, field, open_named};
use crate::syntax::access::spanned;
use crate::syntax::document::Metric;
use crate::syntax::yaml::Node;

/// Reads a metric.
pub(super) fn read_metric(node: &Node<'_>, path: &dyn fmt::Display, context: &mut Context) -> Option<Metric> {
    let object = open_named(node, "metric", path, context)?;
    check_keys(&object, &[Kind::Metric], context);
    extension::check_ai_context(&object, context);
    let findings = &mut context.findings;
    let name = object.required_text("name", findings).map(spanned);
    let datatype = object.optional_text("datatype", findings).map(spanned);
    let description = object.optional_text("description", findings).map(|text| text.value);
    let private = field::read_private(&object, context);
    let expression = expression::read_expression(&object, context);
    let extensions = extension::read_extensions(&object, context);
    Some(Metric { name: name?, expression: expression?, datatype, private, description, extensions })
}
