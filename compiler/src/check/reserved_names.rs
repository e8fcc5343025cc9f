//! Rule: no object has a reserved name unless the name carries double quotes (docs/semantics.md, names).

use crate::check::{names, path_of};
use crate::diagnostic::{Code, Diagnostic};
use crate::model::Model;
use crate::syntax::expr::{Reserved, reserved};

pub(super) fn check_reserved_names(model: &Model, diagnostics: &mut Vec<Diagnostic>) {
    for (name, object) in names(model) {
        if name.quoted {
            continue;
        }
        let (code, message) = match reserved(&name.text) {
            None => continue,
            Some(Reserved::Keyword) => {
                (Code::ReservedName, format!("`{}` is a reserved word of the expression language", name.text))
            }
            Some(Reserved::Deferred) => {
                (Code::DeferredKeyRejected, format!("`{}` is reserved for a deferred part of OSI", name.text))
            }
        };
        diagnostics.push(
            Diagnostic::new(code, message)
                .at(name.span, "this name")
                .about(path_of(model, name, object))
                .help("rename it, or put the name in double quotes: '\"..\"'"),
        );
    }
}
