//! What plans trust, by hand, and what becomes of metrics when it does not hold.

use unisono_compiler::ids::Id;

use super::*;
use crate::check::judge::cannot_tell;
use crate::check::question::question;
use crate::check::sample::{bound, by_region, model, planned};

fn shown(request: &str) -> Vec<String> {
    let resolved = model();
    let bound = bound(&resolved, request);
    let plan = planned(&resolved, &bound);
    assumptions(&resolved, &plan, &question(&bound).unwrap())
        .into_iter()
        .map(|found| format!("{} {} [{}]", found.kind.as_str(), found.subject, found.metrics.join(",")))
        .collect()
}

#[test]
fn a_relationship_rests_on_the_key_of_its_one_side() {
    assert_eq!(
        shown(r#"{"dimensions": ["customers.region"], "measures": ["revenue", "order_count"]}"#),
        [
            "unique-key customers(id) [revenue,order_count]",
            "many-to-one orders(customer_id) -> customers(id) [revenue,order_count]",
            "orphans orders(customer_id) -> customers(id) [revenue,order_count]",
        ]
    );
    assert!(shown(r#"{"measures": ["revenue"]}"#).is_empty());
}

#[test]
fn metrics_rest_on_their_own_branch_only() {
    assert_eq!(
        shown(r#"{"dimensions": ["customers.region"], "measures": ["revenue", "visit_seconds"]}"#),
        [
            "unique-key customers(id) [revenue,visit_seconds]",
            "many-to-one orders(customer_id) -> customers(id) [revenue]",
            "orphans orders(customer_id) -> customers(id) [revenue]",
            "many-to-one visits(customer_id) -> customers(id) [visit_seconds]",
            "orphans visits(customer_id) -> customers(id) [visit_seconds]",
        ]
    );
}

#[test]
fn a_bridge_rests_on_the_key_of_the_home_too() {
    assert_eq!(
        shown(r#"{"dimensions": ["tags.label"], "measures": ["revenue"]}"#),
        [
            "unique-key tags(id) [revenue]",
            "many-to-one order_tags(tag_id) -> tags(id) [revenue]",
            "orphans order_tags(tag_id) -> tags(id) [revenue]",
            "unique-key orders(id) [revenue]",
            "many-to-one order_tags(order_id) -> orders(id) [revenue]",
        ]
    );
}

#[test]
fn what_is_counted_is_on_the_side_with_the_key_and_orphans_on_the_other() {
    let resolved = model();
    let bound = by_region(&resolved, &["SUM(orders.amount)"]);
    let found = assumptions(&resolved, &planned(&resolved, &bound), &question(&bound).unwrap());
    let name = |id: ColumnId| resolved.columns[id].name.clone();
    let dataset = |id: DatasetId| resolved.model.datasets[id].name.text.clone();
    let told: Vec<_> = found
        .iter()
        .map(|found| (dataset(found.dataset), name(found.columns[0]), found.relationship.is_some()))
        .collect();
    let told: Vec<_> =
        told.iter().map(|(dataset, column, joined)| (dataset.as_str(), column.as_str(), *joined)).collect();
    assert_eq!(
        told,
        [("customers", "id", false), ("customers", "id", true), ("orders", "customer_id", true)]
    );
}

fn assumption(kind: Kind, metrics: &[&str]) -> Assumption {
    Assumption {
        kind,
        dataset: DatasetId::from_index(0),
        columns: vec![ColumnId::from_index(0)],
        relationship: None,
        subject: "customers(id)".to_string(),
        metrics: metrics.iter().map(ToString::to_string).collect(),
    }
}

fn tested(kind: Kind, count: Option<u64>) -> Tested {
    test(assumption(kind, &["m0"]), count, vec!["id".to_string()], Vec::new())
}

#[test]
fn keys_that_stand_twice_break_and_orphans_do_not() {
    assert_eq!(tested(Kind::UniqueKey, Some(0)).verdict, Verdict::Equal);
    assert_eq!(tested(Kind::UniqueKey, Some(1)).verdict, Verdict::Different);
    assert_eq!(tested(Kind::ManyToOne, Some(2)).verdict, Verdict::Different);
    assert_eq!(tested(Kind::Orphans, Some(7)).verdict, Verdict::Equal);
    assert_eq!(tested(Kind::ManyToOne, None).verdict, Verdict::CannotTell);
    for kind in Kind::ALL {
        assert_eq!(Kind::parse(kind.as_str()), Some(kind));
    }
}

#[test]
fn a_broken_key_leaves_open_what_rests_on_it() {
    let resolved = model();
    let asked = question(&by_region(&resolved, &["SUM(orders.amount)", "COUNT(orders.id)"])).unwrap();
    let with = |verdict: Verdict| -> Vec<Outcome> {
        let outcomes = cannot_tell(&asked, Cause::Value, "");
        outcomes
            .into_iter()
            .map(|outcome| Outcome { verdict, cause: None, detail: None, ..outcome })
            .collect()
    };
    let verdicts = |outcomes: &[Outcome]| {
        outcomes.iter().map(|outcome| (outcome.verdict, outcome.cause)).collect::<Vec<_>>()
    };
    let doubted = (Verdict::CannotTell, Some(Cause::Assumption));
    let broken = tested(Kind::UniqueKey, Some(3));
    let judged = judge_with(with(Verdict::Equal), &[tested(Kind::Orphans, Some(1)), broken.clone()]);
    assert_eq!(verdicts(&judged), [doubted, (Verdict::Equal, None)]);
    assert_eq!(judged[0].detail.as_deref(), Some("3 keys of `customers(id)` stand more than once"));
    assert_eq!(verdicts(&judge_with(with(Verdict::Different), &[broken]))[0], doubted);
    let untested = tested(Kind::ManyToOne, None);
    assert_eq!(
        verdicts(&judge_with(with(Verdict::WithinTolerance), std::slice::from_ref(&untested)))[0],
        doubted
    );
    assert_eq!(verdicts(&judge_with(with(Verdict::Different), &[untested]))[0], (Verdict::Different, None));
    let fine =
        [tested(Kind::UniqueKey, Some(0)), tested(Kind::Orphans, None), tested(Kind::Orphans, Some(5))];
    assert_eq!(verdicts(&judge_with(with(Verdict::Equal), &fine))[0], (Verdict::Equal, None));
}
