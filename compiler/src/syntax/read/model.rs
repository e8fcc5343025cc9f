//! A semantic model. In: its mapping, wherever it stands. Out: the model with all of its parts that can be read.

use std::fmt;

use super::{Context, PathOf, dataset, extension, metric, relationship};
use crate::diagnostic::Code;
use crate::source::Spanned;
use crate::syntax::access::{Object, spanned};
use crate::syntax::document::SemanticModel;
use crate::syntax::yaml::{Node, NodeKind};

/// What stands beside the model and is the model's, if it has none of its own.
#[derive(Clone, Default)]
pub(super) struct Beside {
    /// The model's name.
    pub(super) name: Option<Spanned<String>>,
    /// The model's description.
    pub(super) description: Option<String>,
}

/// Reads the model; its keys have been checked. `may_lack_name` for the bare shape.
pub(super) fn read_model(
    object: &Object<'_>,
    may_lack_name: bool,
    beside: Beside,
    context: &mut Context,
) -> SemanticModel {
    let findings = &mut context.findings;
    let has_no_name = object.value("name").is_none();
    let name = if has_no_name && (may_lack_name || beside.name.is_some()) {
        beside.name
    } else {
        object.required_text("name", findings).map(spanned)
    };
    let description =
        object.optional_text("description", findings).map(|text| text.value).or(beside.description);
    context.dialect = object.optional_text("dialect", findings).map(spanned);
    if let Some(dialect) = context.dialect.clone() {
        super::expression::check_dialect(&dialect, object.path, context);
    }
    extension::check_ai_context(object, context);
    check_has_datasets(object, context);
    let datasets = read_each(object, "datasets", context, dataset::read_dataset);
    let relationships = read_each(object, "relationships", context, relationship::read_relationship);
    let metrics = read_each(object, "metrics", context, metric::read_metric);
    let extensions = extension::read_extensions(object, context);
    context.dialect = None;
    SemanticModel {
        name: name.unwrap_or_else(|| Spanned::new(String::new(), object.head)),
        description,
        datasets,
        relationships,
        metrics,
        extensions,
        span: object.span,
    }
}

fn check_has_datasets(object: &Object<'_>, context: &mut Context) {
    let Some(datasets) = object.required("datasets", &mut context.findings) else { return };
    if datasets.kind == NodeKind::Sequence(Vec::new()) {
        let message = format!("`datasets` of {} needs at least one dataset", object.title);
        context.findings.push(object.finding(Code::Parse, message).at(datasets.span, ""));
    }
}

/// Reads the entries of a list; each gets a path, by its name or else by its position.
fn read_each<T>(
    object: &Object<'_>,
    key: &str,
    context: &mut Context,
    read: fn(&Node<'_>, &dyn fmt::Display, &mut Context) -> Option<T>,
) -> Vec<T> {
    let items = object.list(key, &mut context.findings);
    items
        .iter()
        .enumerate()
        .filter_map(|(position, item)| read(item, &PathOf { list: key, position, item }, context))
        .collect()
}
