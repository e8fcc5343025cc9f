//! The stage `plan` as JSON: one object a node, with its inputs by id.

use serde_json::{Value, json};
use unisono_compiler::expr::{print_aggregate, print_typed};
use unisono_compiler::ids::SlotId;
use unisono_compiler::plan::{Node, Plan};
use unisono_compiler::resolve::Resolved;

/// The whole plan.
pub(super) fn dump(resolved: &Resolved, plan: &Plan) -> Value {
    json!({
        "nodes": plan.nodes.iter().map(|(id, node)| {
            let mut entries = dump_node(resolved, plan, node);
            if let Value::Object(entries) = &mut entries {
                entries.shift_insert(0, "id".to_string(), json!(format!("{id:?}")));
            }
            entries
        }).collect::<Vec<Value>>(),
        "root": format!("{:?}", plan.root),
        "output": plan.output.iter().map(|output| json!({
            "name": output.name,
            "slot": slot(plan, output.slot),
            "type": plan.slots[output.slot].data_type.to_string(),
            "class": plan.slots[output.slot].exactness.as_str(),
        })).collect::<Vec<Value>>(),
        "limit": plan.limit,
    })
}

fn dump_node(resolved: &Resolved, plan: &Plan, node: &Node) -> Value {
    let name = |id: &SlotId| slot(plan, *id);
    let slots = |ids: &[SlotId]| ids.iter().map(&name).collect::<Vec<_>>();
    let pairs = |on: &[(SlotId, SlotId)]| {
        on.iter().map(|(left, right)| json!([name(left), name(right)])).collect::<Vec<_>>()
    };
    match node {
        Node::Scan { dataset, columns } => json!({
            "node": "scan",
            "dataset": resolved.model.datasets[*dataset].name.text,
            "columns": columns.iter().map(|(column, id)| json!({
                "column": resolved.columns[*column].name,
                "slot": name(id),
            })).collect::<Vec<Value>>(),
        }),
        Node::Compute { input, values } => json!({
            "node": "compute",
            "inputs": [format!("{input:?}")],
            "values": values.iter().map(|(id, expr)| json!({
                "slot": name(id),
                "expression": print_typed(expr, &name),
            })).collect::<Vec<Value>>(),
        }),
        Node::Filter { input, predicates } => json!({
            "node": "filter",
            "inputs": [format!("{input:?}")],
            "predicates": predicates.iter().map(|expr| print_typed(expr, &name)).collect::<Vec<_>>(),
        }),
        Node::Enrich { input, far, relationship, on } => json!({
            "node": "enrich",
            "inputs": [format!("{input:?}"), format!("{far:?}")],
            "relationship": resolved.model.relationships[*relationship].name.text,
            "on": pairs(on),
        }),
        Node::Fan { input, far, on } => json!({
            "node": "fan",
            "inputs": [format!("{input:?}"), format!("{far:?}")],
            "on": pairs(on),
        }),
        Node::Aggregate { input, keys, measures } => json!({
            "node": "aggregate",
            "inputs": [format!("{input:?}")],
            "keys": slots(keys),
            "measures": measures.iter().map(|(id, aggregate)| json!({
                "slot": name(id),
                "expression": print_aggregate(aggregate, &name),
            })).collect::<Vec<Value>>(),
        }),
        Node::Pick { input, keys, value, by, greatest, result } => json!({
            "node": "pick",
            "inputs": [format!("{input:?}")],
            "keys": slots(keys),
            "value": name(value),
            "by": name(by),
            "end": if *greatest { "greatest" } else { "least" },
            "result": name(result),
        }),
        Node::Distinct { input, keys } => json!({
            "node": "distinct",
            "inputs": [format!("{input:?}")],
            "keys": slots(keys),
        }),
        Node::Stitch { branches, keys } => json!({
            "node": "stitch",
            "inputs": branches.iter().map(|branch| format!("{branch:?}")).collect::<Vec<_>>(),
            "keys": keys.iter().map(|(merged, from)| json!({
                "slot": name(merged),
                "from": slots(from),
            })).collect::<Vec<Value>>(),
        }),
        Node::Attach { input, branch, on } => json!({
            "node": "attach",
            "inputs": [format!("{input:?}"), format!("{branch:?}")],
            "on": pairs(on),
        }),
    }
}

fn slot(plan: &Plan, id: SlotId) -> String {
    format!("{id:?}:{}", plan.slots[id].name)
}
