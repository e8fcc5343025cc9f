//! LIMIT past what a target takes. In: a relation. Out: a finding where its limit is greater; it may not be cut to the greatest one, which is another limit.

use unisono_compiler::diagnostic::{Code, Diagnostic};
use unisono_compiler::relation::Relation;

use crate::target::Target;

/// Refuses a limit that is greater than `most`.
pub(crate) fn check(relation: &Relation, most: u64, target: Target, diagnostics: &mut Vec<Diagnostic>) {
    if let Some(limit) = relation.limit.filter(|limit| *limit > most) {
        diagnostics.push(
            Diagnostic::new(
                Code::LimitExceeded,
                format!("a `limit` of {limit} is greater than {most}, the greatest that {target} takes"),
            )
            .help("leave it out, or ask for fewer rows"),
        );
    }
}
