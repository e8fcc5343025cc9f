//! ORDER BY where an unlimited answer is a changelog, which has no order: it is left out with a warning. Beside LIMIT it stays,
//! and the engine keeps the first rows. In: a relation. Out: the same relation, perhaps without its order.

use unisono_compiler::diagnostic::{Code, Diagnostic};
use unisono_compiler::relation::Relation;

use crate::capabilities::OrderBy;
use crate::target::Target;

/// Drops the order where the target has none.
pub(crate) fn apply(
    relation: &mut Relation,
    style: OrderBy,
    target: Target,
    diagnostics: &mut Vec<Diagnostic>,
) {
    match style {
        OrderBy::Sorts => {}
        OrderBy::OnlyWithLimit => {
            if relation.limit.is_none() && !relation.order_by.is_empty() {
                relation.order_by.clear();
                diagnostics.push(
                    Diagnostic::new(
                        Code::OrderDropped,
                        format!("`order_by` is left out on {target}: an answer without `limit` is a changelog and has no order"),
                    )
                    .help("order the rows where they are read, or add a `limit`"),
                );
            }
        }
    }
}
