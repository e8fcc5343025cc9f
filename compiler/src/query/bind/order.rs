//! `order_by` and column names: shared by both shapes of request.

use crate::diagnostic::{Code, Diagnostic};
use crate::query::bind::entry::Parsed;

/// Gives every column a name of its own: the leaf, or `dataset_field` where two leaves, or a leaf and another column,
/// are the same.
pub(super) fn column_names(columns: &[&Parsed], diagnostics: &mut Vec<Diagnostic>) -> Vec<String> {
    let short: Vec<String> = columns.iter().map(|column| column.column_name()).collect();
    let taken = |names: &[String], index: usize| {
        names
            .iter()
            .enumerate()
            .any(|(other, name)| other != index && name.to_lowercase() == names[index].to_lowercase())
    };
    let names: Vec<String> = columns
        .iter()
        .enumerate()
        .map(
            |(index, column)| {
                if taken(&short, index) { column.long_column_name() } else { short[index].clone() }
            },
        )
        .collect();
    for (index, column) in columns.iter().enumerate() {
        let earlier = names[..index].iter().any(|name| name.to_lowercase() == names[index].to_lowercase());
        if earlier {
            diagnostics.push(
                Diagnostic::new(
                    Code::NameCollision,
                    format!("two columns of the answer are named `{}`", names[index]),
                )
                .at(column.span, "the second one")
                .help("give one of them another name with \"as\""),
            );
        }
    }
    names
}
