//! Faults put where the real-time side reads and stores values: each must be found by the check, on the right metric and group; without
//! one the check never says `different`. In: random changes of a small shop. Out: verdicts against an evaluation of this test's own.
//! UNISONO_SEQUENCES sets the number of random sequences (200 by hand, 4 by default).

mod kinds;
mod shop;

use std::collections::{BTreeMap, BTreeSet};

use datafusion::arrow::datatypes::DataType;
use datafusion::logical_expr::{Volatility, create_udaf};
use unisono_runtime::check::judge::OnOpen;
use unisono_runtime::check::prove::{Asked, Proof, Streams, prove};
use unisono_runtime::check::verdict::{Cause, Verdict};
use unisono_runtime::engine::datafusion::{Session, block_on};
use unisono_runtime::engine::incremental::Update;
use unisono_runtime::lake::Line;
use unisono_runtime::pipeline::{NoTap, Tap, run};
use unisono_runtime::project::OnLate;

use self::kinds::{FAULTS, Fault};
pub(crate) use self::shop::Random;
use self::shop::Shop;
use crate::lakehouse::tamper;

/// Groups of a metric that are not what they should be, by pipeline and metric.
type Wrong = BTreeMap<(String, String), BTreeSet<String>>;

async fn check(shop: &Shop, session: &dyn Fn() -> Session) -> Vec<Proof> {
    let tables = shop.heads().await;
    let asked = Asked {
        lake: &shop.lake,
        store: &shop.store,
        line: &Line::Main,
        tables: &tables,
        looser: &[],
        on_late: OnLate::Fail,
        on_open: OnOpen::Pend,
        sample: usize::MAX,
        session,
        starrocks: &[],
        streams: &Streams::Running(Vec::new()),
    };
    prove(&asked, &shop.prepared().await).await.unwrap()
}

/// What the check says differs, and what it cannot tell.
fn found(proofs: &[Proof]) -> (Wrong, Vec<String>) {
    let (mut wrong, mut untold) = (Wrong::new(), Vec::new());
    for proof in proofs {
        for outcome in &proof.outcomes {
            match outcome.verdict {
                Verdict::Equal | Verdict::WithinTolerance => {}
                Verdict::Different => {
                    let groups = outcome.groups.iter().map(|group| {
                        let key: Vec<String> = group.key.iter().map(|(_, value)| value.text()).collect();
                        key.join("|")
                    });
                    wrong.insert((proof.pipeline.clone(), outcome.metric.clone()), groups.collect());
                }
                Verdict::Pending | Verdict::CannotTell => {
                    untold.push(format!("{} {} {:?}", proof.pipeline, outcome.metric, outcome.detail));
                }
            }
        }
    }
    (wrong, untold)
}

#[test]
fn without_a_fault_no_sequence_of_changes_makes_a_difference() {
    let sequences = std::env::var("UNISONO_SEQUENCES").map_or(4, |text| text.parse().unwrap());
    for seed in 1..=sequences {
        block_on(async {
            let mut random = Random::new(seed);
            let mut shop = Shop::new(&format!("sequence{seed}")).await;
            for step in 0..5 {
                shop.change(&mut random).await;
                shop.run(&mut NoTap).await;
                assert_eq!(shop.wrong().await, Wrong::new(), "seed {seed}, step {step}: what was stored");
                let (wrong, untold) = found(&check(&shop, &Session::new).await);
                assert_eq!((wrong, untold), (Wrong::new(), Vec::new()), "seed {seed}, step {step}");
            }
        })
        .unwrap();
    }
}

/// Steps after which a fault should have had an effect: some need a group that loses its last row.
const MOST_STEPS: u32 = 400;

/// Runs changes until the fault has had an effect, and checks then.
async fn strike(fault: &Fault, seed: u64) {
    let mut random = Random::new(seed);
    let mut shop = Shop::new(&format!("{}{seed}", fault.name)).await;
    shop.change(&mut random).await;
    shop.run(&mut NoTap).await;
    for step in 0..MOST_STEPS {
        shop.change(&mut random).await;
        let mut tap = (fault.tap)(&mut random);
        shop.run(tap.as_mut() as &mut dyn Tap).await;
        let expected = shop.wrong().await;
        let (wrong, untold) = found(&check(&shop, &Session::new).await);
        assert_eq!(untold, Vec::<String>::new(), "{}, seed {seed}, step {step}", fault.name);
        assert_eq!(wrong, expected, "{}, seed {seed}, step {step}", fault.name);
        if !expected.is_empty() {
            return;
        }
    }
    panic!("{}, seed {seed}: no effect in {MOST_STEPS} steps", fault.name);
}

#[test]
fn each_seeded_fault_is_found_on_its_metric_and_group() {
    assert!(FAULTS.len() >= 12);
    let rounds = std::env::var("UNISONO_SEQUENCES").map_or(1, |text| text.parse::<u64>().unwrap() / 20);
    for fault in &FAULTS {
        for seed in 1..=rounds.max(1) {
            block_on(strike(fault, seed * 97)).unwrap();
        }
    }
}

/// A session in which an aggregate is another function of the same name.
fn broken(name: &str) -> Session {
    use datafusion::logical_expr::Accumulator;
    use datafusion::scalar::ScalarValue;

    /// Always the same, whatever the rows.
    #[derive(Debug)]
    struct Constant(ScalarValue);

    impl Accumulator for Constant {
        fn update_batch(
            &mut self,
            _: &[datafusion::arrow::array::ArrayRef],
        ) -> datafusion::error::Result<()> {
            Ok(())
        }
        fn evaluate(&mut self) -> datafusion::error::Result<ScalarValue> {
            Ok(self.0.clone())
        }
        fn size(&self) -> usize {
            0
        }
        fn state(&mut self) -> datafusion::error::Result<Vec<ScalarValue>> {
            Ok(vec![self.0.clone()])
        }
        fn merge_batch(&mut self, _: &[datafusion::arrow::array::ArrayRef]) -> datafusion::error::Result<()> {
            Ok(())
        }
    }
    let (input, value) = match name {
        "count" => (DataType::Int64, ScalarValue::Int64(Some(-1))),
        _ => (DataType::Decimal128(38, 2), ScalarValue::Decimal128(Some(-1), 38, 2)),
    };
    let session = Session::new();
    session.context().register_udaf(create_udaf(
        name,
        vec![input.clone()],
        std::sync::Arc::new(value.data_type()),
        Volatility::Immutable,
        std::sync::Arc::new(move |_| Ok(Box::new(Constant(value.clone())))),
        std::sync::Arc::new(vec![input]),
    ));
    session
}

#[test]
fn a_batch_side_with_a_broken_aggregate_is_never_equal() {
    block_on(async {
        let mut random = Random::new(5);
        let mut shop = Shop::new("aggregates").await;
        shop.change(&mut random).await;
        shop.run(&mut NoTap).await;
        let (wrong, untold) = found(&check(&shop, &Session::new).await);
        assert!(wrong.is_empty() && untold.is_empty());
        for name in ["sum", "count", "max", "min"] {
            let proofs = check(&shop, &|| broken(name)).await;
            let passing: Vec<String> = proofs
                .iter()
                .flat_map(|proof| proof.outcomes.iter().map(move |outcome| (proof, outcome)))
                .filter(|(_, outcome)| outcome.verdict.passes())
                .map(|(proof, outcome)| format!("{}.{}", proof.pipeline, outcome.metric))
                .collect();
            let hit = proofs.iter().flat_map(|proof| &proof.outcomes).any(|outcome| {
                outcome.verdict == Verdict::Different
                    || outcome.verdict == Verdict::CannotTell && outcome.cause == Some(Cause::EngineFailed)
            });
            assert!(hit, "{name} is broken and nothing differs; passing: {passing:?}");
        }
    })
    .unwrap();
}

/// Moves the rollup's head while a run is about to write.
struct Meddler<'a>(&'a Shop);

impl Tap for Meddler<'_> {
    fn stored(&mut self, _: &mut Update) {
        let folder = &self.0.folder;
        // A thread of its own: this one belongs to a runtime.
        std::thread::scope(|scope| {
            scope.spawn(|| tamper(folder, "shop.total", None, &[""])).join().unwrap();
        });
    }
}

#[test]
fn a_run_writes_nothing_on_a_head_that_moved() {
    block_on(async {
        let mut random = Random::new(11);
        let mut shop = Shop::new("moved").await;
        shop.change(&mut random).await;
        shop.run(&mut NoTap).await;
        shop.change(&mut random).await;
        let prepared = shop.prepared().await;
        let total = prepared.iter().find(|prepared| prepared.name == "total").unwrap();
        let result = run(&shop.lake, &shop.store, total, &Line::Main, &mut Meddler(&shop)).await;
        let findings = result.unwrap_err();
        assert!(findings[0].message.contains("was written while pipeline `total` ran"), "{findings:?}");
        // The next run sees a head that is no epoch's, and makes all groups right.
        shop.run(&mut NoTap).await;
        assert_eq!(shop.wrong().await, Wrong::new());
    })
    .unwrap();
}

#[test]
fn the_check_knows_nothing_of_the_taps() {
    for entry in walk(&unisono_tests::project("runtime/src/check")) {
        let text = std::fs::read_to_string(&entry).unwrap();
        for word in ["Tap", "tap::", "NoTap"] {
            assert!(!text.contains(word), "{} names {word}", entry.display());
        }
    }
}

fn walk(folder: &std::path::Path) -> Vec<std::path::PathBuf> {
    let mut files = Vec::new();
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            files.extend(walk(&path));
        } else if path.extension().is_some_and(|ending| ending == "rs") {
            files.push(path);
        }
    }
    files
}
