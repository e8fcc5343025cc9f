//! Bare names that mean a column where a reader would think of a field.
//! In: the fields' expressions and the known columns. Out: a warning for each such name.

use super::{path_of, written_field};
use crate::diagnostic::{Code, Diagnostic};
use crate::ids::Id;
use crate::model::Model;
use crate::resolve::columns::Columns;
use crate::resolve::names::Names;
use crate::syntax;

/// Bare names that mean a column of the catalogue although a sibling field of that name computes something else.
pub(super) fn shadowed_fields(
    model: &Model,
    names: &Names,
    columns: &Columns,
    chosen: &[Result<&syntax::Expr, Vec<Diagnostic>>],
) -> Vec<Diagnostic> {
    let mut found = Vec::new();
    for (id, field) in model.fields.iter().filter(|(_, field)| columns.is_closed(field.dataset)) {
        let Ok(expr) = &chosen[id.index()] else { continue };
        syntax::expr::for_each_name(expr, &mut |parts| {
            let [only] = parts else { return };
            let Some(sibling) =
                names.field(model, field.dataset, &only.value).filter(|sibling| *sibling != id)
            else {
                return;
            };
            let is_its_column = matches!(
                &chosen[sibling.index()],
                Ok(other) if matches!(&*other.kind, syntax::expr::ExprKind::Name(names) if names.as_slice() == parts)
            );
            if is_its_column || columns.known(field.dataset, &only.value.text).is_none() {
                return;
            }
            found.push(
                Diagnostic::new(
                    Code::ShadowedField,
                    format!(
                        "`{}` in field `{}` is the column of that name, not the field `{}`, which computes something else",
                        only.value.text,
                        written_field(model, id),
                        written_field(model, sibling)
                    ),
                )
                .at(only.span, "the column")
                .also_at(model.fields[sibling].name.span, "the field that it hides")
                .about(path_of(model, id))
                .help(format!("write `{}` for the field", written_field(model, sibling))),
            );
        });
    }
    found
}
