//! Every key of every object, in which variants of OSI it stands: the one place to change when OSI changes.
//! In: the keys of a mapping. Out: warnings for another variant's keys, errors for deferred and unknown ones.
//! The variants are the schemas in the history of apache/ossie's core-spec, and its Foundation draft.

use std::borrow::Cow;

use super::Context;
use crate::diagnostic::{Code, Diagnostic};
use crate::source::Spanned;
use crate::syntax::access::Object;
use crate::syntax::yaml::Entry;

/// A set of keys that OSI had at some time.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) enum Variant {
    /// January 2026, without a `version` key.
    Unversioned,
    /// February 2026.
    V1_0,
    /// March 2026, the same schema under its new name.
    V0_1_1,
    /// The 0.2.0.dev0 of May 2026.
    V0_2_0May,
    /// The 0.2.0.dev0 of early July 2026.
    V0_2_0July,
    /// The 0.2.0.dev0 since 23 July 2026.
    V0_2_0,
    /// Listed in the Foundation draft's tables, which build on 0.2.0.dev0.
    Foundation,
    /// Only in the prose or an example of the Foundation draft.
    FoundationProse,
}

impl Variant {
    fn name(self) -> &'static str {
        match self {
            Variant::Unversioned => "OSI without a version",
            Variant::V1_0 => "1.0",
            Variant::V0_1_1 => "0.1.1",
            Variant::V0_2_0May => "0.2.0.dev0 of May 2026",
            Variant::V0_2_0July => "0.2.0.dev0 of early July 2026",
            Variant::V0_2_0 => "0.2.0.dev0",
            Variant::Foundation => "the Foundation draft",
            Variant::FoundationProse => "a text of the Foundation draft",
        }
    }

    /// The variants whose keys are at home in a document of this one.
    fn at_home(self) -> &'static [Variant] {
        match self {
            Variant::Unversioned => &[Variant::Unversioned],
            Variant::V1_0 => &[Variant::V1_0],
            Variant::V0_1_1 => &[Variant::V0_1_1],
            Variant::V0_2_0May
            | Variant::V0_2_0July
            | Variant::V0_2_0
            | Variant::Foundation
            | Variant::FoundationProse => &[Variant::V0_2_0, Variant::Foundation],
        }
    }
}

/// The mappings with a closed set of keys.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) enum Kind {
    /// The root of a document.
    Document,
    /// A semantic model.
    Model,
    /// A dataset.
    Dataset,
    /// A field of a dataset.
    Field,
    /// `dimension` of a field.
    Dimension,
    /// A relationship.
    Relationship,
    /// A metric.
    Metric,
    /// `expression` of a field or metric.
    Expression,
    /// An entry of `dialects`.
    DialectExpression,
    /// An entry of `custom_extensions`.
    Extension,
}

impl Kind {
    fn name(self) -> &'static str {
        match self {
            Kind::Document => "a document",
            Kind::Model => "a semantic model",
            Kind::Dataset => "a dataset",
            Kind::Field => "a field",
            Kind::Dimension => "`dimension`",
            Kind::Relationship => "a relationship",
            Kind::Metric => "a metric",
            Kind::Expression => "`expression`",
            Kind::DialectExpression => "an entry of `dialects`",
            Kind::Extension => "an entry of `custom_extensions`",
        }
    }
}

const EVERY: &[Variant] = &[
    Variant::Unversioned,
    Variant::V1_0,
    Variant::V0_1_1,
    Variant::V0_2_0May,
    Variant::V0_2_0July,
    Variant::V0_2_0,
];
const UNTIL_MAY: &[Variant] = &[Variant::Unversioned, Variant::V1_0, Variant::V0_1_1, Variant::V0_2_0May];
const SINCE_1_0: &[Variant] =
    &[Variant::V1_0, Variant::V0_1_1, Variant::V0_2_0May, Variant::V0_2_0July, Variant::V0_2_0];
const SINCE_JULY: &[Variant] = &[Variant::V0_2_0];
const FOUNDATION: &[Variant] = &[Variant::Foundation];
const PROSE: &[Variant] = &[Variant::FoundationProse];

/// A key, and where it is known.
type Row = (&'static str, &'static [Variant]);

/// Every object with its keys.
const KEYS: &[(Kind, &[Row])] = &[
    (
        Kind::Document,
        &[("version", SINCE_1_0), ("semantic_model", EVERY), ("dialects", UNTIL_MAY), ("vendors", UNTIL_MAY)],
    ),
    (
        Kind::Model,
        &[
            ("name", EVERY),
            ("description", EVERY),
            ("ai_context", EVERY),
            ("datasets", EVERY),
            ("relationships", EVERY),
            ("metrics", EVERY),
            ("custom_extensions", EVERY),
            ("dialect", PROSE),
        ],
    ),
    (
        Kind::Dataset,
        &[
            ("name", EVERY),
            ("source", EVERY),
            ("primary_key", EVERY),
            ("unique_keys", EVERY),
            ("description", EVERY),
            ("ai_context", EVERY),
            ("fields", EVERY),
            ("custom_extensions", EVERY),
        ],
    ),
    (
        Kind::Field,
        &[
            ("name", EVERY),
            ("expression", EVERY),
            ("dimension", EVERY),
            ("label", EVERY),
            ("description", EVERY),
            ("datatype", SINCE_JULY),
            ("ai_context", EVERY),
            ("custom_extensions", EVERY),
            ("access_modifier", FOUNDATION),
            ("data_type", PROSE),
        ],
    ),
    (Kind::Dimension, &[("is_time", EVERY)]),
    (
        Kind::Relationship,
        &[
            ("name", EVERY),
            ("from", EVERY),
            ("to", EVERY),
            ("from_columns", EVERY),
            ("to_columns", EVERY),
            ("description", FOUNDATION),
            ("ai_context", EVERY),
            ("custom_extensions", EVERY),
        ],
    ),
    (
        Kind::Metric,
        &[
            ("name", EVERY),
            ("expression", EVERY),
            ("description", EVERY),
            ("datatype", SINCE_JULY),
            ("ai_context", EVERY),
            ("custom_extensions", EVERY),
            ("access_modifier", FOUNDATION),
        ],
    ),
    (Kind::Expression, &[("dialects", EVERY)]),
    (Kind::DialectExpression, &[("dialect", EVERY), ("expression", EVERY)]),
    (Kind::Extension, &[("vendor_name", EVERY), ("data", EVERY)]),
];

/// Keys that OSI recognises and has deferred, wherever they stand, with what to do instead.
const DEFERRED: &[(&str, &str)] = &[
    ("referential_integrity", "remove it: a row without a partner is kept, with NULL for what it lacks"),
    ("from_all_rows_match", "remove it: a row without a partner is kept, with NULL for what it lacks"),
    ("to_all_rows_match", "remove it: a row without a partner is kept, with NULL for what it lacks"),
    ("condition", "join by equal columns, and write other conditions into the request's `where`"),
    ("asof", "join by equal columns; compute the validity interval in the dataset's source"),
    ("range", "join by equal columns; compute the interval in the dataset's source"),
    ("grain", "remove it: a metric is computed at the grain of the request's dimensions"),
    ("filter", "write the condition into the expression: `SUM(CASE WHEN condition THEN amount END)`"),
    ("natural_grain", "remove it: each metric starts from its own dataset"),
    ("using_relationships", "give each role a dataset of its own, with one relationship each"),
    ("joins", "declare the join under the model's `relationships`"),
];

/// A key that is deferred in one object only.
const DATASET_METRICS: &str = "move it to the `metrics` of the model: a metric belongs to no dataset";

/// Checks the keys of an object; `kinds` is more than one where the model stands at the root of its document.
pub(super) fn check_keys(object: &Object<'_>, kinds: &[Kind], context: &mut Context) {
    for entry in object.entries {
        check_key(object, kinds, &entry.key, context);
    }
}

/// Checks the keys beside `semantic_model`: text about the model is accepted there, content is not.
pub(super) fn check_wrapper_keys(object: &Object<'_>, context: &mut Context) {
    for Entry { key, .. } in object.entries {
        match &*key.value {
            "name" | "description" | "ai_context" => {
                let message =
                    format!("`{}` stands beside `semantic_model`, as where the model is the root", key.value);
                let diagnostic = object
                    .finding(Code::OtherVariantKey, message)
                    .at(key.span, "")
                    .help(format!("move `{}` into the model", key.value));
                context.remark(format!("wrapper.{}", key.value), diagnostic);
            }
            "datasets" | "relationships" | "metrics" | "custom_extensions" => {
                context.findings.push_unknown_key(object.head, || {
                    let message = format!("`{}` stands beside `semantic_model`, not in a model", key.value);
                    object
                        .finding(Code::UnknownKey, message)
                        .at(key.span, "")
                        .help(format!("move `{}` into the model", key.value))
                });
            }
            _ => check_key(object, &[Kind::Document], key, context),
        }
    }
}

/// Where a key of one of these objects is known.
fn find(kinds: &[Kind], name: &str) -> Option<(Kind, &'static [Variant])> {
    KEYS.iter()
        .filter(|(kind, _)| kinds.contains(kind))
        .find_map(|(kind, rows)| rows.iter().find(|(row, _)| *row == name).map(|(_, known)| (*kind, *known)))
}

fn check_key(object: &Object<'_>, kinds: &[Kind], key: &Spanned<Cow<'_, str>>, context: &mut Context) {
    let name = &*key.value;
    if let Some((kind, known)) = find(kinds, name) {
        let at_home = context.variant.at_home();
        if !known.iter().any(|variant| at_home.contains(variant)) {
            other_variant(object, kind, key, known, context);
        }
        return;
    }
    let deferred = DEFERRED.iter().find(|(row, _)| *row == name).map(|(_, advice)| *advice);
    let deferred = deferred.or((kinds == [Kind::Dataset] && name == "metrics").then_some(DATASET_METRICS));
    match deferred {
        Some(advice) => context.findings.push_error(|| {
            object
                .finding(
                    Code::DeferredKeyRejected,
                    format!("`{name}` in {} is recognised by OSI but deferred", object.title),
                )
                .at(key.span, "")
                .help(advice)
        }),
        None => context.findings.push_unknown_key(object.head, || unknown_key(object, kinds, key)),
    }
}

fn other_variant(
    object: &Object<'_>,
    kind: Kind,
    key: &Spanned<Cow<'_, str>>,
    known: &[Variant],
    context: &mut Context,
) {
    let names: Vec<&str> = known.iter().map(|variant| variant.name()).collect();
    let message = format!(
        "`{}` of {} is known to {}, not to {}, which this document follows",
        key.value,
        kind.name(),
        listed(&names),
        context.variant.name()
    );
    let diagnostic = object.finding(Code::OtherVariantKey, message).at(key.span, "");
    context.remark(format!("{kind:?}.{}", key.value), diagnostic);
}

fn unknown_key(object: &Object<'_>, kinds: &[Kind], key: &Spanned<Cow<'_, str>>) -> Diagnostic {
    let known: Vec<&str> = KEYS
        .iter()
        .filter(|(kind, _)| kinds.contains(kind))
        .flat_map(|(_, rows)| rows.iter().map(|(name, _)| *name))
        .collect();
    let diagnostic = object
        .finding(Code::UnknownKey, format!("`{}` is no key of {}", key.value, object.title))
        .at(key.span, "")
        .suggest(&key.value, known.iter().copied());
    let elsewhere: Vec<&str> = KEYS
        .iter()
        .filter(|(_, rows)| rows.iter().any(|(name, _)| *name == key.value))
        .map(|(kind, _)| kind.name())
        .collect();
    if key.value.contains(')') {
        return diagnostic
            .help("inside `{..}` a comma ends the entry: put an expression that holds one in quotes");
    }
    if elsewhere.is_empty() {
        let owner = kinds.last().map_or("the object", |kind| kind.name());
        diagnostic.help(format!("{owner} knows {}", listed(&known)))
    } else {
        diagnostic.help(format!("`{}` is a key of {}", key.value, listed(&elsewhere)))
    }
}

/// `a, b and c`.
fn listed(names: &[&str]) -> String {
    match names {
        [] => String::new(),
        [only] => (*only).to_string(),
        [first @ .., last] => format!("{} and {last}", first.join(", ")),
    }
}
