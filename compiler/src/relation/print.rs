//! Prints a relation for people, with types: the tree before any target has bent it. Not SQL of any target.

use std::fmt::Write;

use crate::expr::{print_order, print_typed};
use crate::relation::{Body, ColumnRef, Grouping, Input, JoinKind, Relation, Select, Source};

/// Prints a relation.
pub fn print_relation(relation: &Relation) -> String {
    let mut text = String::new();
    for cte in &relation.ctes {
        // Writing to a String cannot fail.
        let _ = writeln!(text, "with {} -- {}", cte.name, cte.comment);
        match &cte.body {
            Body::Select(select) => print_select(select, &mut text),
            Body::UnionAll(selects) => {
                for select in selects {
                    let _ = writeln!(text, "  union all of");
                    print_select(select, &mut text);
                }
            }
        }
    }
    let _ = writeln!(text, "answer");
    print_select(&relation.body, &mut text);
    if !relation.order_by.is_empty() {
        let _ = writeln!(text, "  order by {}", print_order(&relation.order_by, &ColumnRef::to_string));
    }
    if let Some(limit) = relation.limit {
        let _ = writeln!(text, "  limit {limit}");
    }
    text
}

fn print_select(select: &Select, text: &mut String) {
    let distinct = if select.distinct { " distinct" } else { "" };
    let _ = writeln!(text, "  select{distinct}");
    for item in &select.items {
        let _ = writeln!(
            text,
            "    {}: {} = {}",
            item.name,
            item.expr.data_type,
            print_typed(&item.expr, &ColumnRef::to_string)
        );
    }
    if let Some(input) = &select.from {
        let _ = writeln!(text, "  from {}", print_input(input));
    }
    for join in &select.joins {
        let kind = match join.kind {
            JoinKind::Left => "left",
            JoinKind::Full => "full",
            JoinKind::Cross => "cross",
        };
        let equals = if join.null_safe { "is not distinct from" } else { "=" };
        let on: Vec<String> = join
            .on
            .iter()
            .map(|(left, right)| {
                format!(
                    "{} {equals} {}",
                    print_typed(left, &ColumnRef::to_string),
                    print_typed(right, &ColumnRef::to_string)
                )
            })
            .collect();
        let _ = writeln!(text, "  {kind} join {} on [{}]", print_input(&join.right), on.join(", "));
    }
    for predicate in &select.filter {
        let _ = writeln!(text, "  where {}", print_typed(predicate, &ColumnRef::to_string));
    }
    match &select.group_by {
        Grouping::None => {}
        Grouping::Global => {
            let _ = writeln!(text, "  in one group");
        }
        Grouping::Keys(keys) => {
            let keys: Vec<String> = keys.iter().map(|key| print_typed(key, &ColumnRef::to_string)).collect();
            let _ = writeln!(text, "  group by {}", keys.join(", "));
        }
    }
}

fn print_input(input: &Input) -> String {
    match &input.source {
        Source::Dataset(dataset) => format!("dataset {dataset:?} as {}", input.alias),
        Source::Cte(name) if *name == input.alias => name.clone(),
        Source::Cte(name) => format!("{name} as {}", input.alias),
    }
}
