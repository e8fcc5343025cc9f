//! Which functions an engine was seen to compute: those that stand in a text whose rows were right.
//! In: the lists of tests/cases, which hold what came of each case and seed. Out: names of functions for each target.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;

use unisono_compiler::expr::{ExprKind, OrderKey};
use unisono_compiler::function::WindowFunction;
use unisono_compiler::plan::Node;
use unisono_compiler::relation::{ColumnRef, Grouping, RelExpr, Relation, Select};
use unisono_reference::generate;
use unisono_reference::script::ddl;
use unisono_runtime::compile::{Stages, stages_of_texts};
use unisono_tests::project;

use crate::cases::cases;
use crate::engines::moment;

/// What came of each case and seed of a list, by name.
pub(crate) fn listed(list: &str) -> BTreeMap<String, String> {
    let path = project("tests/cases").join(format!("{list}.json"));
    serde_json::from_str(&fs::read_to_string(path).unwrap()).unwrap()
}

/// The functions that a target computed rightly in the cases of a list, and in the seeds of another if it has one.
pub(crate) fn exercised(target: &str, list: &str, seeds: Option<&str>) -> BTreeSet<String> {
    let mut found = BTreeSet::new();
    let listed_cases = listed(list);
    for case in cases() {
        for variant in &case.variants {
            let names = [
                format!("{}, {}", case.id, variant.name),
                format!("{}, {}, with types", case.id, variant.name),
            ];
            let verdict = names.iter().find_map(|name| listed_cases.get(name)).map_or("", String::as_str);
            if verdict != "equal" && verdict != "stand-in" {
                continue;
            }
            let text = |path| fs::read_to_string(path).unwrap();
            let request = text(&variant.query);
            add(
                &stages_of_texts(&text(&variant.model), &request, Some(&case.schema), target, &moment()),
                &mut found,
            );
        }
    }
    let answered = seeds.map(listed).unwrap_or_default();
    for seed in answered.iter().filter(|(_, verdict)| *verdict == "answered").map(|(seed, _)| seed) {
        let case = generate::case(seed.parse().unwrap()).case;
        let schema = ddl(&case.tables);
        add(&stages_of_texts(&case.model, &case.request, Some(&schema), target, &moment()), &mut found);
    }
    found
}

/// The functions of a request as the planner hands it to the target.
fn add(stages: &Stages, found: &mut BTreeSet<String>) {
    let picks = stages.plan.iter().flat_map(|plan| plan.nodes.iter()).filter_map(|(_, node)| match node {
        Node::Pick { greatest, .. } => Some(if *greatest { "MAX_BY" } else { "MIN_BY" }),
        _ => None,
    });
    found.extend(picks.map(ToString::to_string));
    for expr in stages.relation.iter().flat_map(exprs) {
        expr.any(&mut |part| {
            match &*part.kind {
                ExprKind::Call { function, .. } => {
                    found.insert(function.name());
                }
                ExprKind::Aggregate(aggregate) => {
                    found.insert(aggregate.function.name().to_string());
                }
                ExprKind::Window(window) => {
                    found.insert(match window.function {
                        WindowFunction::Ranking(ranking) => ranking.name().to_string(),
                        WindowFunction::Aggregate(function) => function.name().to_string(),
                    });
                }
                _ => {}
            }
            false
        });
    }
}

/// Every expression of a relation.
fn exprs(relation: &Relation) -> Vec<&RelExpr> {
    let selects = relation.ctes.iter().flat_map(|cte| cte.body.selects()).chain([&relation.body]);
    selects.flat_map(of_select).chain(relation.order_by.iter().map(key)).collect()
}

fn of_select(select: &Select) -> Vec<&RelExpr> {
    let keys: &[RelExpr] = match &select.group_by {
        Grouping::Keys(keys) => keys,
        Grouping::None | Grouping::Global => &[],
    };
    let joined = select.joins.iter().flat_map(|join| join.on.iter().flat_map(|(left, right)| [left, right]));
    select.items.iter().map(|item| &item.expr).chain(joined).chain(&select.filter).chain(keys).collect()
}

fn key(key: &OrderKey<ColumnRef>) -> &RelExpr {
    &key.expr
}
