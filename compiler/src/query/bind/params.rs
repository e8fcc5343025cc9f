//! Values that are given and that nothing asks for: a misspelt name would leave a predicate without its value, or a value without
//! its predicate. In: a request that could be bound. Out: an error where a near name is used, else a warning.

use std::collections::BTreeSet;

use crate::diagnostic::{Code, Diagnostic};
use crate::query::{EntryExpr, Request};
use crate::syntax::document::Text;
use crate::syntax::expr::{for_each_parameter, parse_expr};

/// What is wrong with the parameters that no expression of the request uses.
pub(super) fn unused(request: &Request) -> Vec<Diagnostic> {
    if request.params.is_empty() {
        return Vec::new();
    }
    let used = used(request);
    let unused = request.params.iter().filter(|(name, _)| !used.contains(&name.value));
    unused
        .map(|(name, _)| {
            let message = format!("nothing in the request uses the parameter `{}`", name.value);
            let near = Diagnostic::new(Code::UnknownKey, message.as_str())
                .suggest(&name.value, used.iter().map(String::as_str));
            let finding = if near.candidates.is_empty() {
                Diagnostic::new(Code::UnusedParameter, message)
                    .help(format!("write `:{}` where its value is meant, or leave it out", name.value))
            } else {
                near
            };
            finding.about(format!("params.{}", name.value)).at(name.span, "this parameter")
        })
        .collect()
}

/// The parameters of all texts; one that cannot be read was refused before.
fn used(request: &Request) -> BTreeSet<String> {
    let lists = [&request.dimensions, &request.measures, &request.fields];
    let entries = lists.into_iter().flatten().flatten().map(|entry| text_of(&entry.expr));
    let keys = request.order_by.iter().map(|key| text_of(&key.expr));
    let range = request.time_range.iter().map(|range| &range.dimension);
    let mut used = BTreeSet::new();
    for text in entries.chain(keys).chain(range).chain(&request.where_all).chain(&request.having_all) {
        if let (Some(expr), _) = parse_expr(text) {
            for_each_parameter(&expr, &mut |name| {
                used.insert(name.to_string());
            });
        }
    }
    used
}

fn text_of(expr: &EntryExpr) -> &Text {
    match expr {
        EntryExpr::Text(text) => text,
        EntryExpr::Grain { field, grain: _ } => field,
    }
}
