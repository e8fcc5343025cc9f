//! Several writers: the lock, many tasks at once, tables that are not ours to write.

use std::time::Duration;

use super::super::{Commit, Lake, Line, TableName};
use super::{added, code, commit, done, kinds, lake, orders, rows_at, spec};

#[tokio::test]
async fn two_handles_exclude_each_other() {
    let lake = lake("lock");
    lake.create(&spec(true, &[]), &Line::Main).await.unwrap();
    let other = Lake::open(lake.root()).unwrap().with_lock_wait(Duration::from_millis(50));
    let writer = lake.writer(&orders(), &Line::Main, commit(1)).await.unwrap();
    let error = other.writer(&orders(), &Line::Main, commit(2)).await.err().unwrap();
    assert_eq!(code(&error), "E_TABLE_LOCKED");
    let error = other.tag(&orders(), &Line::Main, "x", 1).await.unwrap_err();
    assert_eq!(code(&error), "E_TABLE_LOCKED");
    let patient = Lake::open(lake.root()).unwrap();
    let waiting =
        tokio::spawn(async move { patient.create(&spec(true, &[]), &Line::Main).await.map(|_| ()) });
    tokio::time::sleep(Duration::from_millis(30)).await;
    assert!(!waiting.is_finished());
    writer.abort().await;
    assert_eq!(code(&waiting.await.unwrap().unwrap_err()), "E_TABLE_EXISTS");
    other.writer(&orders(), &Line::Main, commit(2)).await.unwrap().abort().await;
    done(&lake);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn many_tasks_lose_no_commit() {
    for has_key in [false, true] {
        let lake = lake(&format!("tasks-{has_key}"));
        lake.create(&spec(has_key, &[]), &Line::Main).await.unwrap();
        let mut tasks = Vec::new();
        for task in 0..8_i64 {
            // A handle of its own, as another process would have.
            let lake = Lake::open(lake.root()).unwrap().with_lock_wait(Duration::from_mins(30));
            tasks.push(tokio::spawn(async move {
                for number in 1..=5_i64 {
                    let who = Commit { user: format!("task-{task}"), identifier: number };
                    // One row of its own, and one that all of them update.
                    let rows = added(&[(task * 100 + number, Some(1), "own"), (10_000, Some(1), "shared")]);
                    lake.append(&orders(), &Line::Main, &rows, who).await.unwrap();
                }
            }));
        }
        for task in tasks {
            task.await.unwrap();
        }
        let head = lake.head(&orders(), &Line::Main).await.unwrap();
        assert_eq!(head.snapshot, Some(40));
        assert_eq!(rows_at(&lake, &head).await.len(), if has_key { 41 } else { 80 });
        let history = lake.history(&orders(), &Line::Main).await.unwrap();
        assert_eq!(history.len(), 40);
        done(&lake);
    }
}

#[tokio::test]
async fn tables_that_read_wrong_or_hide_rows_are_refused_by_name() {
    let lake = lake("gate");
    let sums = [
        ("merge-engine", "aggregation"),
        ("fields.v.aggregate-function", "sum"),
        ("changelog-producer", "lookup"),
    ];
    let error = lake.create(&spec(true, &sums), &Line::Main).await.unwrap_err();
    assert_eq!(code(&error), "E_TABLE_OPTIONS");
    assert!(error.to_string().contains("`lookup` beside a merge engine that aggregates"));
    lake.create(&spec(true, &[("merge-engine", "first-row")]), &Line::Main).await.unwrap();
    let error = lake.append(&orders(), &Line::Main, &added(&[(1, None, "a")]), commit(1)).await.unwrap_err();
    assert!(error.to_string().contains("`merge-engine` first-row"), "{error}");
    lake.drop(&orders(), &Line::Main).await.unwrap();
    lake.create(&spec(true, &[("merge-engine", "partial-update")]), &Line::Main).await.unwrap();
    lake.append(&orders(), &Line::Main, &added(&[(1, Some(1), "a")]), commit(1)).await.unwrap();
    let error =
        lake.upsert(&orders(), &Line::Main, &kinds(&[(3, (1, None, "a"))]), commit(2)).await.unwrap_err();
    assert_eq!(code(&error), "E_TABLE_OPTIONS");
    lake.drop(&orders(), &Line::Main).await.unwrap();
    lake.create(&spec(true, &[("unisono.writer", "flink")]), &Line::Main).await.unwrap();
    let error = lake.append(&orders(), &Line::Main, &added(&[(1, None, "a")]), commit(1)).await.unwrap_err();
    assert_eq!(error.to_string(), "`shop.orders` is written by `flink`, and a table has one writing engine");
    let error =
        lake.writer(&TableName::parse("shop.x").unwrap(), &Line::Main, commit(1)).await.err().unwrap();
    assert_eq!(code(&error), "E_TABLE_NOT_FOUND");
    done(&lake);
}
