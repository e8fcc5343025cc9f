//! Keys and relationships as columns, and the cardinality that the declared keys give.
//! In: a model and its columns. Out: keys of each dataset, relationships with cardinality.

use std::fmt;

use crate::data_type::DataType;
use crate::diagnostic::{Code, Diagnostic};
use crate::ids::{Arena, ColumnId, DatasetId, RelationshipId};
use crate::model::{Model, Name};
use crate::resolve::columns::Columns;
use crate::resolve::names::Names;
use crate::resolve::{Cardinality, Column, Relationship, Resolved, choose};
use crate::syntax::expr::{ExprKind, Ident};

type Keys = Arena<DatasetId, Vec<Vec<ColumnId>>>;

/// Resolves all keys and relationships. A key with an unknown column is reported and left out; a relationship with one
/// keeps its place as N:N without columns, so that nothing joins over it.
pub(super) fn resolve_keys(
    model: &Model,
    columns: &mut Columns,
    names: &Names,
    dialect: &str,
    diagnostics: &mut Vec<Diagnostic>,
) -> (Keys, Arena<RelationshipId, Relationship>) {
    let mut keys = Keys::default();
    for (id, dataset) in model.datasets.iter() {
        let mut own = Vec::new();
        for key in &dataset.keys {
            let path = format_args!("datasets.{}", dataset.name.text);
            let resolved: Option<Vec<ColumnId>> = key
                .columns
                .iter()
                .map(|name| column(model, columns, names, dialect, id, name, path, diagnostics))
                .collect();
            own.extend(resolved);
        }
        keys.push(own);
    }
    let mut relationships = Arena::default();
    for (_, relationship) in model.relationships.iter() {
        let path = format_args!("relationships.{}", relationship.name.text);
        let mut on = Vec::new();
        let mut whole = true;
        for (from, to) in &relationship.columns {
            let from = column(model, columns, names, dialect, relationship.from, from, path, diagnostics);
            let to = column(model, columns, names, dialect, relationship.to, to, path, diagnostics);
            match (from, to) {
                (Some(from), Some(to)) => on.push((from, to)),
                _ => whole = false,
            }
        }
        let cardinality = if whole {
            cardinality(&keys[relationship.from], &keys[relationship.to], &on)
        } else {
            on.clear();
            Cardinality::ManyToMany
        };
        relationships.push(Relationship { from: relationship.from, to: relationship.to, on, cardinality });
    }
    (keys, relationships)
}

/// Columns that are joined must be compared without a conversion: exact numbers of any width, or one type that is no float.
pub(super) fn check_types(
    model: &Model,
    columns: &Arena<ColumnId, Column>,
    relationships: &Arena<RelationshipId, Relationship>,
    diagnostics: &mut Vec<Diagnostic>,
) {
    for (id, relationship) in relationships.iter() {
        let declared = &model.relationships[id];
        for (from, to) in &relationship.on {
            let (left, right) = (columns[*from].data_type, columns[*to].data_type);
            let exact = |found: DataType| found.is_integer() || found.is_decimal();
            let alike = left.is_open() || right.is_open() || exact(left) && exact(right);
            if alike || left == right && !left.is_float() {
                continue;
            }
            diagnostics.push(
                Diagnostic::new(
                    Code::TypeMismatch,
                    format!(
                        "relationship `{}` joins `{}` of type {left} with `{}` of type {right}",
                        declared.name.text, columns[*from].name, columns[*to].name
                    ),
                )
                .at(declared.name.span, "this relationship")
                .about(format!("relationships.{}", declared.name.text))
                .help("join columns of one type; floats are no keys"),
            );
        }
    }
}

/// Relationships that no declared key makes single on either side: most often a forgotten key.
pub(super) fn without_key(resolved: &Resolved) -> impl Iterator<Item = Diagnostic> {
    let model = &resolved.model;
    let keyless = resolved.relationships.iter().filter(|(_, relationship)| {
        // One without columns has an error of its own, and a self-relationship is never walked.
        relationship.cardinality == Cardinality::ManyToMany
            && !relationship.on.is_empty()
            && relationship.from != relationship.to
    });
    keyless.map(|(id, relationship)| {
        let name = &model.relationships[id].name;
        let to = &model.datasets[relationship.to].name.text;
        let columns: Vec<&str> =
            relationship.on.iter().map(|(_, column)| resolved.columns[*column].name.as_str()).collect();
        let columns = columns.join(", ");
        let help = match forgotten(resolved, relationship) {
            Some(help) => help,
            None => format!(
                "declare `primary_key: [{columns}]` of `{to}`, or an entry of `unique_keys`, if that is so"
            ),
        };
        Diagnostic::new(
            Code::RelationshipWithoutKey,
            format!(
                "relationship `{}` is many-to-many: no declared key says that ({columns}) is once in `{to}`",
                name.text
            ),
        )
        .at(name.span, "this relationship")
        .about(format!("relationships.{}", name.text))
        .help(help)
    })
}

/// A key of either side that the relationship joins only in part: to declare another one would be wrong.
fn forgotten(resolved: &Resolved, relationship: &Relationship) -> Option<String> {
    let joined = |dataset: DatasetId, column: ColumnId| {
        relationship.on.iter().any(|(from, to)| {
            dataset == relationship.from && *from == column || dataset == relationship.to && *to == column
        })
    };
    [relationship.to, relationship.from].into_iter().find_map(|dataset| {
        let in_part = |key: &&Vec<ColumnId>| key.iter().any(|column| joined(dataset, *column));
        let key = resolved.keys[dataset].iter().find(in_part)?;
        let name = |columns: Vec<ColumnId>| {
            let names = columns.into_iter().map(|column| resolved.columns[column].name.as_str());
            names.collect::<Vec<_>>().join(", ")
        };
        let rest = key.iter().copied().filter(|column| !joined(dataset, *column)).collect();
        Some(format!(
            "the key of `{}` is ({}): join ({}) too, if one row is meant",
            resolved.model.datasets[dataset].name.text,
            name(key.clone()),
            name(rest)
        ))
    })
}

/// A side is one if the columns joined on contain one of its declared keys.
fn cardinality(
    from_keys: &[Vec<ColumnId>],
    to_keys: &[Vec<ColumnId>],
    on: &[(ColumnId, ColumnId)],
) -> Cardinality {
    let from_is_one =
        from_keys.iter().any(|key| key.iter().all(|column| on.iter().any(|(from, _)| from == column)));
    let to_is_one = to_keys.iter().any(|key| key.iter().all(|column| on.iter().any(|(_, to)| to == column)));
    match (from_is_one, to_is_one) {
        (true, true) => Cardinality::OneToOne,
        (false, true) => Cardinality::ManyToOne,
        (true, false) => Cardinality::OneToMany,
        (false, false) => Cardinality::ManyToMany,
    }
}

/// A name in a key or relationship is a physical column. Where the catalogue has no such column, a field of that name
/// that is a plain column stands for it.
#[expect(clippy::too_many_arguments, reason = "one name with all that can give it a meaning")]
fn column(
    model: &Model,
    columns: &mut Columns,
    names: &Names,
    dialect: &str,
    dataset: DatasetId,
    name: &Name,
    path: fmt::Arguments<'_>,
    diagnostics: &mut Vec<Diagnostic>,
) -> Option<ColumnId> {
    let text = &name.text;
    if let Some(found) = columns.known_or_assumed(dataset, text) {
        return Some(found);
    }
    let ident = Ident { text: text.clone(), quoted: name.quoted };
    let through_field = names
        .field(model, dataset, &ident)
        .and_then(|field| choose(&model.fields[field].expression, dialect, path).ok())
        .and_then(|expr| match &*expr.kind {
            ExprKind::Name(parts) => match parts.as_slice() {
                [only] => columns.known(dataset, &only.value.text),
                _ => None,
            },
            _ => None,
        });
    if through_field.is_none() {
        diagnostics.push(
            Diagnostic::new(
                Code::NameNotFound,
                format!(
                    "the table of dataset `{}` has no column `{text}`",
                    model.datasets[dataset].name.text
                ),
            )
            .at(name.span, "this column")
            .about(path.to_string())
            .suggest(text, columns.names(dataset)),
        );
    }
    through_field
}

#[cfg(test)]
mod tests {
    use crate::catalog::{Catalog, parse_ddl};
    use crate::diagnostic::Diagnostic;
    use crate::resolve::{object_diagnostics, resolve_model};
    use crate::source::SourceId;
    use crate::syntax::parse_document;

    /// The columns of the first key of a dataset, whose table is as the statement says.
    fn key_columns(dataset: &str, schema: &str) -> Vec<String> {
        let text = format!("name: shop\ndatasets:\n- {{name: orders, source: orders, {dataset}}}\n");
        let (document, _) = parse_document(SourceId(0), &text);
        let (catalog, _) = parse_ddl(SourceId(1), schema);
        let (resolved, findings) = resolve_model(&document.unwrap().models[0], &catalog, "");
        assert_eq!(findings, []);
        let resolved = resolved.unwrap();
        resolved
            .keys
            .iter()
            .flat_map(|(_, keys)| &keys[0])
            .map(|id| resolved.columns[*id].name.clone())
            .collect()
    }

    #[test]
    fn a_column_of_a_key_is_unquoted_like_any_name() {
        assert_eq!(key_columns("primary_key: [id, '\"My Id\"', my id]", ""), ["id", "My Id", "my id"]);
        assert_eq!(key_columns("primary_key: ['\"a\"\"b\"']", ""), ["a\"b"]);
        assert_eq!(key_columns("primary_key: ['\"\"\"a\"\"\"']", ""), ["\"a\""]);
        // A field stands for its column; quoted, it is found in its own case.
        let fields = "fields: [{name: '\"Key\"', expression: id}]";
        let schema = "CREATE TABLE orders (id BIGINT NOT NULL)";
        assert_eq!(key_columns(&format!("primary_key: ['\"Key\"'], {fields}"), schema), ["id"]);
    }

    fn diagnostics(key: &str) -> Vec<Diagnostic> {
        let text = format!(
            "name: shop\ndatasets:\n- {{name: orders, source: orders, primary_key: [id]}}\n- {{name: customers, source: customers{key}}}\nrelationships:\n- {{name: r, from: orders, to: customers, from_columns: [customer_id], to_columns: [id]}}\n- {{name: parent, from: orders, to: orders, from_columns: [a], to_columns: [b]}}\n"
        );
        let (document, _) = parse_document(SourceId(0), &text);
        let (resolved, _) = resolve_model(&document.unwrap().models[0], &Catalog::default(), "");
        object_diagnostics(&resolved.unwrap())
    }

    fn findings(key: &str) -> Vec<String> {
        diagnostics(key).iter().map(|finding| format!("{}: {}", finding.code, finding.message)).collect()
    }

    #[test]
    fn a_part_of_a_key_is_not_taken_for_a_key_that_nobody_declared() {
        assert_eq!(
            diagnostics("")[0].help,
            ["declare `primary_key: [id]` of `customers`, or an entry of `unique_keys`, if that is so"]
        );
        assert_eq!(
            diagnostics(", primary_key: [id, year]")[0].help,
            ["the key of `customers` is (id, year): join (year) too, if one row is meant"]
        );
    }

    #[test]
    fn a_relationship_that_no_key_makes_single_is_told_and_others_are_not() {
        assert_eq!(
            findings(""),
            [
                "W_RELATIONSHIP_WITHOUT_KEY: relationship `r` is many-to-many: no declared key says that (id) is once in `customers`"
            ]
        );
        assert_eq!(findings(", primary_key: [id]"), [""; 0]);
        assert_eq!(findings(", unique_keys: [[id]]"), [""; 0]);
    }
}
