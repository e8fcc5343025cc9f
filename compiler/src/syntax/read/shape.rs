//! Which kind of document it is: one of the four shapes of a semantic model, an ontology, or something else.
//! In: the root of the tree. Out: the document, or a refusal that names what was found and what is expected.

use super::Context;
use super::keys::{self, Kind, Variant};
use super::model::{self, Beside};
use crate::diagnostic::{Code, Diagnostic, near_names};
use crate::source::Spanned;
use crate::syntax::access::{Object, Title, open_object, read_texts, spanned};
use crate::syntax::document::{Document, SemanticModel, Shape};
use crate::syntax::yaml::{Entry, Node, NodeKind};

/// The versions that existed, with their variants.
const VERSIONS: &[(&str, Variant)] =
    &[("1.0", Variant::V1_0), ("0.1.1", Variant::V0_1_1), ("0.2.0.dev0", Variant::V0_2_0)];

/// What the root of a semantic model has.
const EXPECTED: &str = "a semantic model has `semantic_model`, or `name` and `datasets`, at the root";

/// Root keys by which other formats are recognised; the first row whose keys are all there is used.
const OTHER_FORMATS: &[(&[&str], &str)] = &[
    (&["semantic_models"], "a dbt or MetricFlow file"),
    (&["cubes"], "a Cube data model"),
    (&["export_metadata", "tables"], "a WisdomAI export"),
    (&["name", "tables"], "a Snowflake semantic view"),
    (&["source", "measures"], "a Databricks metric view"),
    (&["source", "dimensions"], "a Databricks metric view"),
    (&["dataObjects"], "an OrionBelt model"),
    (&["ldm"], "a GoodData logical model"),
    (&["semanticDataObjects"], "a Salesforce semantic model"),
    (&["base_view"], "an Omni topic"),
    (&["schema", "dimensions"], "an Omni view"),
    (&["included_schemas"], "an Omni model"),
    (&["semantic_layer"], "a GSF model"),
    (&["pipelines"], "a Unisono project file"),
    (&["warehouse"], "a Unisono project file"),
    (&["measures"], "a query"),
    (&["dimensions"], "a query"),
];

/// Reads the document under its root.
pub(super) fn read_root(root: &Node<'_>, context: &mut Context) -> Option<Document> {
    let NodeKind::Mapping(_) = root.kind else {
        let message = format!("the document is {}, not a semantic model", root.describe());
        context
            .findings
            .push(Diagnostic::new(Code::UnsupportedVersion, message).at(root.span, "").help(EXPECTED));
        return None;
    };
    let object = open_object(root, "the document", Title::Plain("the document"), &"", &mut context.findings)?;
    if object.value("semantic_model").is_none() && object.value("datasets").is_none() {
        context.findings.push(not_a_model(&object));
        return None;
    }
    let version = object.optional_text("version", &mut context.findings).map(spanned);
    let variant = read_variant(version.as_ref(), &object, context)?;
    context.variant = variant;
    let (shape, models) = match object.value("semantic_model") {
        None => {
            let shape = if version.is_some() { Shape::Flat } else { Shape::Bare };
            keys::check_keys(&object, &[Kind::Document, Kind::Model], context);
            (shape, vec![model::read_model(&object, shape == Shape::Bare, Beside::default(), context)])
        }
        Some(wrapped) => {
            keys::check_wrapper_keys(&object, context);
            read_wrapped(wrapped, &object, context)?
        }
    };
    read_declared_dialects(&object, context);
    Some(Document { shape, version, models })
}

/// The models under `semantic_model`.
fn read_wrapped(
    wrapped: &Node<'_>,
    root: &Object<'_>,
    context: &mut Context,
) -> Option<(Shape, Vec<SemanticModel>)> {
    let (shape, items) = match &wrapped.kind {
        NodeKind::Sequence(items) => (Shape::WrapperList, items.as_slice()),
        NodeKind::Mapping(_) => (Shape::WrapperMapping, std::slice::from_ref(wrapped)),
        NodeKind::Null | NodeKind::Scalar(_) => {
            let message =
                format!("`semantic_model` must be a list or a mapping, found {}", wrapped.describe());
            context.findings.push(Diagnostic::new(Code::Parse, message).at(wrapped.span, ""));
            return None;
        }
    };
    // In the mapping shape the model's own name may stand beside it.
    let beside = match shape {
        Shape::WrapperMapping => Beside {
            name: root.optional_text("name", &mut context.findings).map(spanned),
            description: root.optional_text("description", &mut context.findings).map(|text| text.value),
        },
        Shape::WrapperList | Shape::Flat | Shape::Bare => Beside::default(),
    };
    let mut models = Vec::new();
    for (position, item) in items.iter().enumerate() {
        let path = if items.len() > 1 { format!("semantic_model[{position}]") } else { String::new() };
        let object = super::open_named(item, "semantic model", &path, context);
        let Some(object) = object else { continue };
        keys::check_keys(&object, &[Kind::Model], context);
        models.push(model::read_model(&object, false, beside.clone(), context));
    }
    if items.is_empty() {
        let message = "`semantic_model` needs at least one model";
        context.findings.push(Diagnostic::new(Code::Parse, message).at(wrapped.span, ""));
    }
    (!models.is_empty()).then_some((shape, models))
}

/// The variant that a version stands for.
fn read_variant(
    version: Option<&Spanned<String>>,
    root: &Object<'_>,
    context: &mut Context,
) -> Option<Variant> {
    let Some(version) = version else {
        // Without a version a wrapper is the schema of January 2026, and a model at the root the compliance form.
        let wrapped = root.value("semantic_model").is_some();
        return Some(if wrapped { Variant::Unversioned } else { Variant::V0_2_0 });
    };
    if let Some((_, variant)) = VERSIONS.iter().find(|(name, _)| *name == version.value) {
        return Some(*variant);
    }
    let known: Vec<&str> = VERSIONS.iter().map(|(name, _)| *name).collect();
    let message = format!("version `{}` of OSI is not supported", version.value);
    context.findings.push(
        Diagnostic::new(Code::UnsupportedVersion, message)
            .at(version.span, "")
            .help(format!("supported are {}, and documents without a version", known.join(", "))),
    );
    None
}

/// A mapping that is no semantic model.
fn not_a_model(root: &Object<'_>) -> Diagnostic {
    let has = |key: &&str| root.entry(key).is_some();
    if has(&"ontology") || has(&"ontology_mappings") {
        return Diagnostic::new(
            Code::UnsupportedVersion,
            "this is an OSI ontology document, not a semantic model",
        )
        .at(root.head, "")
        .help("pass the semantic model that the ontology's mappings name");
    }
    let found = OTHER_FORMATS.iter().find(|(marks, _)| marks.iter().all(has));
    let message = match found {
        Some((_, format)) => format!("this looks like {format}, not like an OSI semantic model"),
        None => match root.entries.iter().find_map(misspelt_mark) {
            Some(misspelt) => return misspelt,
            None => "this is not an OSI semantic model".to_string(),
        },
    };
    Diagnostic::new(Code::UnsupportedVersion, message).at(root.head, "").help(EXPECTED)
}

/// A root key that is nearly one of those by which a semantic model is known.
fn misspelt_mark(entry: &Entry<'_>) -> Option<Diagnostic> {
    let key = &entry.key;
    let nearest = near_names(&key.value, ["semantic_model", "datasets"]).into_iter().next()?;
    let message = format!("`{}` is no key of the document; the nearest is `{nearest}`", key.value);
    let finding = Diagnostic::new(Code::UnknownKey, message).at(key.span, "").help(EXPECTED);
    Some(finding.suggest(&key.value, [nearest.as_str()]))
}

/// `dialects` and `vendors` at the root of older variants: lists of names, without effect.
fn read_declared_dialects(root: &Object<'_>, context: &mut Context) {
    if let Some(dialects) = root.value("dialects") {
        for dialect in read_texts(dialects, "dialects", &"", &mut context.findings) {
            super::expression::check_dialect(&dialect, &"", context);
        }
    }
    root.texts("vendors", &mut context.findings);
}
