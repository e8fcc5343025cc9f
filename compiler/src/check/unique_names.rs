//! Rule: datasets, relationships and metrics share one namespace; fields are unique in their dataset. Names are compared
//! folded (OSI Foundation draft 4.6.3).

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::collections::btree_map::Entry;

use crate::diagnostic::{Code, Diagnostic};
use crate::model::{Model, Name};

pub(super) fn check_unique_names(model: &Model, diagnostics: &mut Vec<Diagnostic>) {
    let globals = model
        .datasets
        .iter()
        .map(|(_, dataset)| ("dataset", &dataset.name))
        .chain(model.relationships.iter().map(|(_, relationship)| ("relationship", &relationship.name)))
        .chain(model.metrics.iter().map(|(_, metric)| ("metric", &metric.name)));
    collide(globals, "the model", diagnostics);
    for (_, dataset) in model.datasets.iter() {
        let fields = dataset.fields.iter().map(|field| ("field", &model.fields[*field].name));
        collide(fields, &format!("dataset `{}`", dataset.name.text), diagnostics);
    }
}

fn collide<'a>(
    names: impl Iterator<Item = (&'a str, &'a Name)>,
    scope: &str,
    diagnostics: &mut Vec<Diagnostic>,
) {
    let mut seen: BTreeMap<Cow<'a, str>, (&str, &Name)> = BTreeMap::new();
    for (kind, name) in names {
        match seen.entry(name.folded()) {
            Entry::Occupied(known) => {
                let (first_kind, first) = known.get();
                diagnostics.push(
                    Diagnostic::new(
                        Code::NameCollision,
                        format!(
                            "{kind} `{}` has the same name as {first_kind} `{}` of {scope}",
                            name.text, first.text
                        ),
                    )
                    .at(name.span, "the second one")
                    .also_at(first.span, "the first one")
                    .help("rename one; unquoted names match in any case"),
                );
            }
            Entry::Vacant(free) => {
                free.insert((kind, name));
            }
        }
    }
}
