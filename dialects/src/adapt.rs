//! Relation to relation: bends what the target cannot say, by named strategies, or refuses it by name.
//! In: a relation and a target. Out: a relation with the same answer that `emit` can print for it.

use unisono_compiler::diagnostic::{Diagnostic, has_errors};
use unisono_compiler::relation::Relation;

use crate::dialect::dialect;
use crate::strategy::{
    extremes, filtered_join, full_join, global_aggregate, limit, negative_zero, null_safe_keys, order_by,
    order_keys, window_keys, windows,
};
use crate::target::Target;

/// The relation that the target can say; `None` with at least one error if there is none.
pub fn adapt(relation: &Relation, target: &Target) -> (Option<Relation>, Vec<Diagnostic>) {
    let capabilities = dialect(*target).capabilities;
    let mut diagnostics = Vec::new();
    let mut adapted = relation.clone();
    limit::check(&adapted, capabilities.limits.rows, *target, &mut diagnostics);
    order_by::apply(&mut adapted, capabilities.order_by, *target, &mut diagnostics);
    full_join::apply(&mut adapted, capabilities.full_join, *target, &mut diagnostics);
    global_aggregate::apply(&mut adapted, capabilities.empty_aggregate, *target, &mut diagnostics);
    extremes::apply(&mut adapted, capabilities.extremes, *target, &mut diagnostics);
    filtered_join::apply(&mut adapted, capabilities.filtered_join);
    null_safe_keys::apply(&mut adapted, capabilities.null_safe_keys);
    windows::check(&adapted, &capabilities, *target, &mut diagnostics);
    negative_zero::apply(&mut adapted, capabilities.negative_zero);
    window_keys::apply(&mut adapted, capabilities.window_keys);
    order_keys::apply(&mut adapted, capabilities.order_keys);
    let adapted = (!has_errors(&diagnostics)).then_some(adapted);
    (adapted, diagnostics)
}
