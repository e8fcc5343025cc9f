//! Merges broken off: at each step by an error in its place, and at any moment by a kill. In: a shop with a branch. Out: after the next
//! command main is wholly the old state or wholly the new one, and checks.

use std::collections::{BTreeMap, BTreeSet};
use std::process::{Command, Stdio};
use std::time::Duration;

use unisono_compiler::diagnostic::{Code, Diagnostic};
use unisono_runtime::check::prove::passed;
use unisono_runtime::engine::datafusion::block_on;
use unisono_runtime::lake::{Lake, Line};
use unisono_runtime::version::branch::whole;
use unisono_runtime::version::merge::{apply, candidate, recover};
use unisono_runtime::version::{Context, Store};

use crate::lakehouse::{revenue_by_region, shop};
use crate::project_folder::{Folder, binary};

const OLD: &str = "region,revenue,order_count\nEAST,12.50,2\nWEST,1.25,1\n,102.00,2\n";
const NEW: &str = "region,revenue,order_count\nEAST,13.50,2\nWEST,1.25,1\n,102.00,2\n";

/// A shop whose branch is ready to be merged.
fn ready(name: &str) -> Folder {
    let folder = shop(name);
    folder.good("pipeline run");
    folder.good("branch create fix");
    folder.write("data/fix.csv", "id,customer_id,amount,ordered_at\n10,1,6.00,2024-03-01 10:00:00\n");
    folder.good("load shop.orders data/fix.csv --upsert --branch fix");
    folder.good("pipeline run --branch fix");
    folder
}

/// Applies the merge and breaks off before a step; the steps passed.
fn broken_off(folder: &Folder, stop: usize) -> Option<usize> {
    block_on(async {
        let lake = Lake::open(&folder.path.join("warehouse")).unwrap();
        let store = Store::new(lake.root());
        let record = whole(&store, "fix").unwrap();
        let candidate = candidate(&lake, &store, &record, &BTreeSet::new()).await.unwrap();
        // What is checked is not this test's matter: no pipeline is.
        let passed = passed(&candidate.tables, &[], Vec::new()).unwrap();
        let context = Context {
            models: BTreeMap::new(),
            pipelines: BTreeMap::new(),
            who: "test".to_string(),
            when: "2024-01-01T00:00:00Z".to_string(),
        };
        let mut steps = 0;
        let done = apply(&lake, &store, &record, &candidate, &passed, &[], Vec::new(), &context, &mut |_| {
            if steps == stop {
                return Err(vec![Diagnostic::new(Code::Internal, "stopped here")]);
            }
            steps += 1;
            Ok(())
        })
        .await;
        done.is_err().then_some(steps)
    })
    .unwrap()
}

#[test]
fn a_merge_broken_off_at_any_step_is_finished_or_undone() {
    let mut stopped = 0;
    loop {
        let folder = ready("step");
        let end = broken_off(&folder, stopped).is_none();
        let said = revenue_by_region(&folder, "");
        assert!(said == OLD || said == NEW, "stopped before step {stopped}:\n{said}");
        // Before the journal nothing has begun; with the first move done, all of it is.
        assert_eq!(said == OLD, stopped <= 1, "stopped before step {stopped}");
        block_on(async {
            let lake = Lake::open(&folder.path.join("warehouse")).unwrap();
            let store = Store::new(lake.root());
            assert_eq!(recover(&lake, &store).await.unwrap(), None, "the query before has recovered");
            assert!(
                lake.exists(&unisono_runtime::lake::TableName::new("shop", "orders").unwrap(), &Line::Main)
                    .await
                    .unwrap()
            );
        })
        .unwrap();
        if said == OLD {
            assert!(folder.good("branch merge fix").contains("merged fix"), "undone, so it can be merged");
        }
        assert_eq!(revenue_by_region(&folder, ""), NEW);
        folder.good("pipeline run");
        folder.good("check");
        if end {
            break;
        }
        stopped += 1;
    }
    assert!(stopped >= 5, "{stopped} steps");
}

#[test]
fn a_killed_merge_leaves_main_whole() {
    for pause in [40, 90, 150, 220, 300, 400] {
        let folder = ready("kill");
        let mut child = Command::new(binary())
            .args(["branch", "merge", "fix"])
            .current_dir(&folder.path)
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        std::thread::sleep(Duration::from_millis(pause));
        // It may have ended by itself.
        let _ = child.kill();
        child.wait().unwrap();
        let said = revenue_by_region(&folder, "");
        assert!(said == OLD || said == NEW, "killed after {pause} ms:\n{said}");
        if said == OLD {
            folder.good("branch merge fix");
        }
        assert_eq!(revenue_by_region(&folder, ""), NEW);
        folder.good("check");
    }
}
