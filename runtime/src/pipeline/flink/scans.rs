//! The places at which a job's plan reads its sources. In: Flink's plan, the pipeline, its consumers. Out: the sources that are read in another number of
//! places than have a consumer: these do not tell of all of them.

use std::collections::BTreeMap;

use super::windowed::EVENTS_SCANNED;
use crate::engine::flink::CATALOG;
use crate::lake::TableName;
use crate::pipeline::Prepared;

/// The sources that a plan scans in another number of places than they have consumers.
pub(super) fn shared(
    plan: &str,
    prepared: &Prepared,
    readers: &BTreeMap<String, Vec<String>>,
) -> Vec<String> {
    unequal(plan, &scanned(prepared), readers)
}

/// An operator of the plan of a windowed pipeline that works change by change: Flink has not recognised the windows, and would tell groups before
/// their time.
pub(super) fn outside_windows(plan: &str) -> Option<&str> {
    let operators = last(plan).lines().filter_map(|line| {
        let line = line.trim_start_matches([' ', ':', '+', '-', '|']);
        Some(line.split_once('(')?.0)
    });
    operators.into_iter().find(|operator| {
        ["Aggregate", "Join", "Rank", "Deduplicate", "Normalize", "Sort", "Limit"]
            .iter()
            .any(|kind| operator.ends_with(kind))
            && !operator.contains("Window")
    })
}

/// The last of the plans that EXPLAIN shows: the one that is run.
fn last(plan: &str) -> &str {
    plan.rsplit("== Optimized Execution Plan ==").next().unwrap_or_default()
}

/// Each source with the name under which a plan scans it.
fn scanned(prepared: &Prepared) -> Vec<(TableName, String)> {
    let name = |table: &TableName| match &prepared.windows {
        Some(_) => EVENTS_SCANNED.to_string(),
        None => format!("{CATALOG}, {}, {}", table.database(), table.table()),
    };
    prepared.sources.iter().map(|table| (table.clone(), name(table))).collect()
}

fn unequal(
    plan: &str,
    sources: &[(TableName, String)],
    readers: &BTreeMap<String, Vec<String>>,
) -> Vec<String> {
    let plan = last(plan);
    let scans = |name: &str| {
        let scan = format!("TableSourceScan(table=[[{name}");
        plan.match_indices(&scan).filter(|(at, _)| plan[at + scan.len()..].starts_with([',', ']'])).count()
    };
    let told = |table: &TableName| readers.get(&table.to_string()).map_or(0, Vec::len);
    let differs = |(table, name): &&(TableName, String)| scans(name) == 0 || scans(name) != told(table);
    sources.iter().filter(differs).map(|(table, _)| table.to_string()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn operators_outside_of_windows_are_seen() {
        let plan = |operator: &str| {
            format!(
                "GroupAggregate(x)\n== Optimized Execution Plan ==\nSink(table=[t], fields=[a])\n+- Calc(select=[a])\n   :- {operator}(groupBy=[a])\n\
                 \x20  +- Exchange(distribution=[hash[a]])\n      +- TableSourceScan(table=[[t, Rank]], fields=[a])\n"
            )
        };
        for within in ["GlobalWindowAggregate", "LocalWindowAggregate", "WindowJoin", "WindowRank"] {
            assert_eq!(outside_windows(&plan(within)), None, "{within}");
        }
        for outside in ["GroupAggregate", "Join", "Rank", "Deduplicate", "ChangelogNormalize", "SortLimit"] {
            assert_eq!(outside_windows(&plan(outside)), Some(outside));
        }
    }

    #[test]
    fn scans_of_one_table_are_counted_in_the_last_plan() {
        let plan = "== Optimized Physical Plan ==\nTableSourceScan(table=[[unisono, m, t]], fields=[a])\n\
            == Optimized Execution Plan ==\nTableSourceScan(table=[[unisono, m, t]], fields=[a])\n\
            TableSourceScan(table=[[unisono, m, t, filter=[IS NOT NULL(a)]]], fields=[a])\n\
            TableSourceScan(table=[[unisono, m, tt]], fields=[a])\n";
        let names = ["m.t", "m.tt", "m.other"].map(|name| {
            let table = TableName::parse(name).unwrap();
            let scanned = format!("unisono, m, {}", table.table());
            (table, scanned)
        });
        let readers = |of_t: usize| {
            let consumers = |count: usize| (0..count).map(|at| format!("c{at}")).collect::<Vec<_>>();
            BTreeMap::from(
                [("m.t", of_t), ("m.tt", 1), ("m.other", 0)]
                    .map(|(name, count)| (name.to_string(), consumers(count))),
            )
        };
        assert_eq!(unequal(plan, &names, &readers(1)), ["m.t", "m.other"]);
        assert_eq!(unequal(plan, &names, &readers(2)), ["m.other"]);
        assert_eq!(unequal(plan, &names, &BTreeMap::new()), ["m.t", "m.tt", "m.other"]);
    }
}
