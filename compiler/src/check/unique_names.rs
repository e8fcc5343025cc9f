//! Rule: datasets, relationships and metrics share one namespace; fields are unique in their dataset. Names are compared
//! folded (OSI Foundation draft 4.6.3).

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::collections::btree_map::Entry;

use crate::check::{Object, names, path_of};
use crate::diagnostic::{Code, Diagnostic};
use crate::ids::DatasetId;
use crate::model::{Model, Name};

/// A folded name in its dataset, or in the model.
type Scoped<'a> = (Option<DatasetId>, Cow<'a, str>);

pub(super) fn check_unique_names(model: &Model, diagnostics: &mut Vec<Diagnostic>) {
    let mut seen: BTreeMap<Scoped<'_>, (&Name, Object)> = BTreeMap::new();
    for (name, object) in names(model) {
        let dataset = match object {
            Object::Field(field) => Some(model.fields[field].dataset),
            Object::Dataset | Object::Relationship | Object::Metric => None,
        };
        let first = match seen.entry((dataset, name.folded())) {
            Entry::Vacant(free) => {
                free.insert((name, object));
                continue;
            }
            Entry::Occupied(first) => *first.get(),
        };
        let scope = match dataset {
            Some(dataset) => format!("dataset `{}`", model.datasets[dataset].name.text),
            None => "the model".to_string(),
        };
        diagnostics.push(
            Diagnostic::new(
                Code::NameCollision,
                format!(
                    "{} `{}` has the same name as {} `{}` of {scope}",
                    kind(object),
                    name.text,
                    kind(first.1),
                    first.0.text
                ),
            )
            .at(name.span, "the second one")
            .also_at(first.0.span, "the first one")
            .about(path_of(model, name, object))
            .help("rename one; unquoted names match in any case"),
        );
    }
}

fn kind(object: Object) -> &'static str {
    match object {
        Object::Dataset => "dataset",
        Object::Field(_) => "field",
        Object::Relationship => "relationship",
        Object::Metric => "metric",
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::lower;
    use crate::source::SourceId;
    use crate::syntax::parse_document;

    #[test]
    fn a_name_that_is_there_twice_is_told_with_its_path() {
        let text = "name: shop
datasets:
- name: orders
  source: orders
  fields: [{name: id, expression: id}, {name: ID, expression: key}, {name: '\"ID\"', expression: other}]
- {name: customers, source: customers, fields: [{name: id, expression: id}]}
metrics:
- {name: Orders, expression: COUNT(orders.id)}
";
        let (document, _) = parse_document(SourceId(0), text);
        let (model, _) = lower(&document.unwrap().models[0]);
        let mut found = Vec::new();
        check_unique_names(&model, &mut found);
        let told: Vec<(&str, &str)> =
            found.iter().map(|finding| (finding.message.as_str(), finding.path.as_str())).collect();
        assert_eq!(
            told,
            [
                (
                    "field `ID` has the same name as field `id` of dataset `orders`",
                    "datasets.orders.fields.ID"
                ),
                ("metric `Orders` has the same name as dataset `orders` of the model", "metrics.Orders"),
            ]
        );
    }
}
