//! Faults planted in the planner's output: each must give an answer that the tests of random cases and of tests/cases call wrong.
//! In: the faults, the cases of CI. Out: for each fault the first case that finds it.

mod faults;
mod tree;

use unisono_compiler::plan::Plan;
use unisono_compiler::relation::{Relation, relate};
use unisono_dialects::{Target, adapt, bindings_of, emit, parse_target};
use unisono_reference::case::Case;
use unisono_reference::evaluate::{Answer, evaluate};
use unisono_reference::generate;
use unisono_reference::script::ddl;
use unisono_runtime::compile::{Stages, stages_of_texts};
use unisono_tests::agree::agree;

use self::faults::{FAULTS, Place};
use crate::engines::moment;
use crate::random::rows;

/// Seeds that a fault may pass before it counts as not found. CI's random test has the first 400 on both engines; a fault that none of
/// those tells is looked for in further ones here.
const SEEDS: u64 = 2400;

/// A case whose answer is known, with what the stages made of it.
struct Known {
    case: Case,
    answer: Answer,
    stages: Stages,
}

/// The case of a seed, if it is answered.
fn known(seed: u64) -> Option<Known> {
    let case = generate::case(seed).case;
    let answer = evaluate(&case).ok()?;
    let schema = ddl(&case.tables);
    let stages = stages_of_texts(&case.model, &case.request, Some(&schema), "datafusion", &moment());
    stages.sql.is_some().then_some(Known { case, answer, stages })
}

/// The text with the fault; `None` where the fault has no place.
fn planted(known: &Known, place: Place, target: Target) -> Option<String> {
    let resolved = known.stages.resolved.as_ref()?;
    let mut plan: Plan = known.stages.plan.clone()?;
    let relation: Relation = match place {
        Place::Plan(change) => {
            if !change(&mut plan) {
                return None;
            }
            relate(resolved, &plan)
        }
        Place::Relation(change) => {
            let mut relation = known.stages.relation.clone()?;
            if !change(&mut relation) {
                return None;
            }
            relation
        }
    };
    let (adapted, _) = adapt(&relation, &target);
    emit(&adapted?, &target, &bindings_of(resolved)).0
}

#[test]
fn every_planted_fault_is_found() {
    let target = parse_target("datafusion").unwrap();
    let mut cases: Vec<Option<Known>> = Vec::new();
    let mut missed = Vec::new();
    for (name, place) in FAULTS {
        let mut tried = 0;
        let found = (1..=SEEDS).find(|seed| {
            let at = usize::try_from(seed - 1).unwrap();
            if at == cases.len() {
                cases.push(known(*seed));
            }
            let Some(known) = &cases[at] else { return false };
            let Some(sql) = planted(known, place, target) else { return false };
            tried += 1;
            // An engine that rejects the text would tell of the fault too, but proves nothing of the values.
            let table = rows(&known.case, "datafusion", &sql);
            table.is_ok_and(|table| agree(&known.answer, &table).is_err())
        });
        let told = match found {
            Some(seed) => format!("seed {seed}"),
            None => format!("no seed of {SEEDS}"),
        };
        println!("{name}: {told}, {tried} cases have a place for it");
        if found.is_none() {
            missed.push(name);
        }
    }
    assert!(missed.is_empty(), "not found: {missed:?}");
    assert!(FAULTS.len() >= 30);
}
