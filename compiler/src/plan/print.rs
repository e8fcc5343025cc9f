//! Prints a plan for people: one node a line with its slots, inputs first. Stable: same plan, same bytes.

use std::fmt::Write;

use crate::expr::{direction, print_aggregate, print_typed};
use crate::ids::SlotId;
use crate::plan::{Node, Plan};
use crate::resolve::Resolved;

/// Prints a plan.
pub fn print_plan(resolved: &Resolved, plan: &Plan) -> String {
    let slot = |id: &SlotId| format!("{id:?}:{}", plan.slots[*id].name);
    let slots = |ids: &[SlotId]| ids.iter().map(slot).collect::<Vec<_>>().join(", ");
    let pairs = |on: &[(SlotId, SlotId)]| {
        on.iter().map(|(near, far)| format!("{} = {}", slot(near), slot(far))).collect::<Vec<_>>().join(", ")
    };
    let mut text = String::new();
    for (id, node) in plan.nodes.iter() {
        let line = match node {
            Node::Scan { dataset, columns } => {
                let columns: Vec<SlotId> = columns.iter().map(|(_, slot)| *slot).collect();
                format!("scan {} [{}]", resolved.model.datasets[*dataset].name.text, slots(&columns))
            }
            Node::Compute { input, values } => {
                let values: Vec<String> = values
                    .iter()
                    .map(|(id, expr)| format!("{} = {}", slot(id), print_typed(expr, &slot)))
                    .collect();
                format!("compute {input:?} [{}]", values.join(", "))
            }
            Node::Filter { input, predicates } => {
                let predicates: Vec<String> =
                    predicates.iter().map(|predicate| print_typed(predicate, &slot)).collect();
                format!("filter {input:?} [{}]", predicates.join(" AND "))
            }
            Node::Enrich { input, far, relationship, on } => {
                let name = &resolved.model.relationships[*relationship].name.text;
                format!("enrich {input:?} with {far:?} by {name} [{}]", pairs(on))
            }
            Node::Fan { input, far, on } => format!("fan {input:?} to {far:?} [{}]", pairs(on)),
            Node::Aggregate { input, keys, measures } => {
                let measures: Vec<String> = measures
                    .iter()
                    .map(|(id, aggregate)| format!("{} = {}", slot(id), print_aggregate(aggregate, &slot)))
                    .collect();
                format!("aggregate {input:?} by [{}] [{}]", slots(keys), measures.join(", "))
            }
            Node::Pick { input, keys, value, by, greatest, result } => {
                let end = if *greatest { "greatest" } else { "least" };
                format!(
                    "pick {input:?} by [{}] [{} = {} of the {end} {}]",
                    slots(keys),
                    slot(result),
                    slot(value),
                    slot(by)
                )
            }
            Node::Distinct { input, keys } => format!("distinct {input:?} [{}]", slots(keys)),
            Node::Stitch { branches, keys } => {
                let keys: Vec<String> = keys
                    .iter()
                    .map(|(merged, from)| format!("{} from {}", slot(merged), slots(from)))
                    .collect();
                let branches: Vec<String> = branches.iter().map(|branch| format!("{branch:?}")).collect();
                format!("stitch {} on [{}]", branches.join(", "), keys.join("; "))
            }
            Node::Attach { input, branch, on } => {
                format!("attach {branch:?} to {input:?} on [{}]", pairs(on))
            }
        };
        // Writing to a String cannot fail.
        let _ = writeln!(text, "{id:?} {line}");
    }
    let output: Vec<String> =
        plan.output.iter().map(|output| format!("{} = {}", output.name, slot(&output.slot))).collect();
    let _ = writeln!(text, "output {:?} [{}]", plan.root, output.join(", "));
    if !plan.order_by.is_empty() {
        let keys = plan.order_by.iter();
        let keys =
            keys.map(|key| format!("{} {}", slot(&key.slot), direction(key.descending, key.nulls_first)));
        let _ = writeln!(text, "order by {}", keys.collect::<Vec<_>>().join(", "));
    }
    if let Some(limit) = plan.limit {
        let _ = writeln!(text, "limit {limit}");
    }
    text
}
