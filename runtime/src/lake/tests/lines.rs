//! Warehouses, tables of a line, forks, fast-forwards, merges of tables that were born on a branch.

use std::fs;
use std::path::Path;

use super::super::{Change, Lake, Line, Moved, TableName, fork_tag};
use super::{added, at, code, columns, commit, done, folder, lake, on_main, orders, rows_at, spec, text};

fn dev() -> Line {
    Line::branch("dev").unwrap()
}

#[test]
fn a_warehouse_is_a_local_folder_of_ours() {
    let folder = folder("warehouse");
    let failed = |result: Result<Lake, super::LakeError>| {
        let error = result.unwrap_err();
        assert_eq!(code(&error), "E_WAREHOUSE");
        error.to_string()
    };
    let message = failed(Lake::open(Path::new("s3://bucket/x")));
    assert_eq!(message, "the warehouse `s3://bucket/x` is not on the local file system");
    assert!(failed(Lake::init(Path::new("file:///x"))).ends_with("is not on the local file system"));
    assert!(failed(Lake::open(&folder.join("no"))).ends_with("does not exist"));
    assert!(failed(Lake::open(&folder)).ends_with("is not one of Unisono"));
    fs::write(folder.join("notes.txt"), "x").unwrap();
    assert!(failed(Lake::init(&folder)).ends_with("holds `notes.txt`, so it is some other folder"));
    assert!(failed(Lake::init(&folder.join("notes.txt"))).ends_with("is a file"));
    assert!(failed(Lake::open(&folder.join("notes.txt"))).ends_with("is a file"));
    let made = folder.join("a/b");
    Lake::init(&made).unwrap();
    Lake::init(&made).unwrap();
    fs::write(made.join(".unisono/format"), "2\n").unwrap();
    assert!(failed(Lake::open(&made)).ends_with("has the format 2, and this program knows 1"));
    fs::remove_dir_all(folder).unwrap();
}

#[tokio::test]
async fn a_missing_table_is_said_with_near_names() {
    let lake = lake("tables");
    assert_eq!(lake.tables(&Line::Main).await.unwrap(), []);
    lake.create(&spec(false, &[]), &Line::Main).await.unwrap();
    assert_eq!(lake.tables(&Line::Main).await.unwrap(), [orders()]);
    assert!(lake.exists(&orders(), &Line::Main).await.unwrap());
    let error = lake.table(&TableName::parse("shop.order").unwrap(), &Line::Main).await.unwrap_err();
    assert_eq!(error.to_string(), "the table `shop.order` does not exist");
    assert_eq!(error.diagnostic().candidates, ["shop.orders"]);
    let error = lake.table(&orders(), &dev()).await.unwrap_err();
    assert_eq!(error.to_string(), "the table `shop.orders` of branch `dev` does not exist");
    let error = lake.create(&spec(false, &[]), &Line::Main).await.unwrap_err();
    assert_eq!(code(&error), "E_TABLE_EXISTS");
    lake.drop(&orders(), &Line::Main).await.unwrap();
    assert_eq!(lake.tables(&Line::Main).await.unwrap(), []);
    lake.create(&spec(true, &[]), &Line::Main).await.unwrap();
    done(&lake);
}

#[tokio::test]
async fn a_branch_is_written_alone_and_main_moves_to_it() {
    for has_key in [false, true] {
        let lake = lake(&format!("fork-{has_key}"));
        lake.create(&spec(has_key, &[]), &Line::Main).await.unwrap();
        lake.append(&orders(), &Line::Main, &added(&[(1, Some(10), "a")]), commit(1)).await.unwrap();
        let pin = lake.fork(&orders(), "dev", &fork_tag("dev")).await.unwrap();
        assert_eq!(pin, at(&dev(), 1));
        assert_eq!(lake.tables(&dev()).await.unwrap(), [orders()]);
        assert_eq!(lake.branches().await.unwrap(), ["dev"]);
        assert_eq!(code(&lake.fork(&orders(), "dev", "x").await.unwrap_err()), "E_BRANCH_EXISTS");
        lake.append(&orders(), &dev(), &added(&[(2, Some(20), "b")]), commit(2)).await.unwrap();
        lake.append(&orders(), &dev(), &added(&[(3, Some(30), "c")]), commit(3)).await.unwrap();
        lake.tag(&orders(), &dev(), "checked", 2).await.unwrap();
        assert_eq!(rows_at(&lake, &at(&dev(), 3)).await, ["1|10|a", "2|20|b", "3|30|c"]);
        assert_eq!(rows_at(&lake, &lake.head(&orders(), &Line::Main).await.unwrap()).await, ["1|10|a"]);
        // A pin of main before the fork is a snapshot of the branch too.
        let change = lake.change(&orders(), &on_main(1), &at(&dev(), 3), &columns(&["id"])).await.unwrap();
        let Change::Rows(change) = change else { panic!("{change:?}") };
        assert_eq!(text(&change.batches), ["2|1", "3|1"]);
        assert_eq!(lake.can_fast_forward(&orders(), "dev").await.unwrap(), Moved { from: 1, to: 3 });
        assert_eq!(lake.fast_forward(&orders(), "dev").await.unwrap(), Moved { from: 1, to: 3 });
        assert_eq!(lake.fast_forward(&orders(), "dev").await.unwrap(), Moved { from: 3, to: 3 });
        let head = lake.head(&orders(), &Line::Main).await.unwrap();
        assert_eq!(head.snapshot, Some(3));
        assert_eq!(rows_at(&lake, &head).await, ["1|10|a", "2|20|b", "3|30|c"]);
        assert_eq!(
            lake.tags(&orders(), &Line::Main).await.unwrap(),
            [("checked".to_string(), 2), ("fork_dev".to_string(), 1)]
        );
        let error = lake.delete_tag(&orders(), &Line::Main, "fork_dev").await.unwrap_err();
        assert_eq!(code(&error), "E_TAG_IN_USE");
        lake.drop_branch(&orders(), "dev").await.unwrap();
        lake.drop_branch(&orders(), "dev").await.unwrap();
        assert_eq!(lake.tags(&orders(), &Line::Main).await.unwrap(), [("checked".to_string(), 2)]);
        assert!(!lake.exists(&orders(), &dev()).await.unwrap());
        lake.append(&orders(), &Line::Main, &added(&[(4, None, "d")]), commit(4)).await.unwrap();
        assert_eq!(rows_at(&lake, &on_main(4)).await, ["1|10|a", "2|20|b", "3|30|c", "4||d"]);
        done(&lake);
    }
}

#[tokio::test]
async fn a_move_that_stopped_half_way_is_finished() {
    let lake = lake("resume");
    lake.create(&spec(true, &[]), &Line::Main).await.unwrap();
    lake.append(&orders(), &Line::Main, &added(&[(1, Some(10), "a")]), commit(1)).await.unwrap();
    lake.fork(&orders(), "dev", &fork_tag("dev")).await.unwrap();
    for id in 2..=4 {
        lake.append(&orders(), &dev(), &added(&[(id, Some(1), "b")]), commit(id)).await.unwrap();
    }
    let table = lake.root().join("shop.db/orders");
    fs::copy(table.join("branch/branch-dev/snapshot/snapshot-2"), table.join("snapshot/snapshot-2")).unwrap();
    assert_eq!(lake.fast_forward(&orders(), "dev").await.unwrap(), Moved { from: 2, to: 4 });
    assert_eq!(rows_at(&lake, &on_main(4)).await, ["1|10|a", "2|1|b", "3|1|b", "4|1|b"]);
    done(&lake);
}

#[tokio::test]
async fn main_that_went_on_is_never_moved() {
    let lake = lake("diverged");
    lake.create(&spec(false, &[]), &Line::Main).await.unwrap();
    let pin = lake.fork(&orders(), "dev", &fork_tag("dev")).await.unwrap();
    assert_eq!(pin.snapshot, Some(1));
    lake.append(&orders(), &dev(), &added(&[(2, None, "branch")]), commit(1)).await.unwrap();
    lake.append(&orders(), &Line::Main, &added(&[(3, None, "main")]), commit(1)).await.unwrap();
    for error in [
        lake.can_fast_forward(&orders(), "dev").await.unwrap_err(),
        lake.fast_forward(&orders(), "dev").await.unwrap_err(),
    ] {
        assert_eq!(code(&error), "E_BRANCH_DIVERGED");
        assert_eq!(
            error.to_string(),
            "`shop.orders` of branch `dev` cannot move main forward: main was written after the branch was made"
        );
    }
    assert_eq!(rows_at(&lake, &on_main(2)).await, ["3||main"]);
    assert_eq!(rows_at(&lake, &at(&dev(), 2)).await, ["2||branch"]);
    // The states of the two lines are told apart although their snapshots have one number.
    let change = lake.change(&orders(), &on_main(2), &at(&dev(), 2), &columns(&["t"])).await.unwrap();
    let Change::Rows(change) = change else { panic!("{change:?}") };
    assert_eq!(text(&change.batches), ["branch|1", "main|-1"]);
    assert_eq!(code(&lake.fast_forward(&orders(), "other").await.unwrap_err()), "E_BRANCH_NOT_FOUND");
    done(&lake);
}

#[tokio::test]
async fn a_branch_starts_only_from_a_snapshot_that_is_there() {
    let lake = lake("fork-gone");
    lake.create(&spec(false, &[]), &Line::Main).await.unwrap();
    lake.append(&orders(), &Line::Main, &added(&[(1, None, "a")]), commit(1)).await.unwrap();
    lake.append(&orders(), &Line::Main, &added(&[(2, None, "b")]), commit(2)).await.unwrap();
    lake.tag(&orders(), &Line::Main, "old", 1).await.unwrap();
    lake.tag(&orders(), &Line::Main, "old", 1).await.unwrap();
    assert_eq!(code(&lake.tag(&orders(), &Line::Main, "old", 2).await.unwrap_err()), "E_TAG_EXISTS");
    assert_eq!(code(&lake.tag(&orders(), &Line::Main, "x", 9).await.unwrap_err()), "E_SNAPSHOT_GONE");
    assert_eq!(code(&lake.tag(&orders(), &Line::Main, "2", 1).await.unwrap_err()), "E_BRANCH_NAME");
    let pin = lake.fork(&orders(), "dev", "old").await.unwrap();
    assert_eq!(rows_at(&lake, &pin).await, ["1||a"]);
    fs::remove_file(lake.root().join("shop.db/orders/snapshot/snapshot-1")).unwrap();
    assert_eq!(code(&lake.fork(&orders(), "late", "old").await.unwrap_err()), "E_SNAPSHOT_GONE");
    assert!(!lake.root().join("shop.db/orders/branch/branch-late").exists());
    done(&lake);
}

#[tokio::test]
async fn a_table_born_on_a_branch_moves_to_its_place() {
    let lake = lake("born");
    let born = lake.create(&spec(true, &[]), &dev()).await.unwrap();
    assert!(born.born);
    lake.append(&orders(), &dev(), &added(&[(1, Some(10), "a")]), commit(1)).await.unwrap();
    assert_eq!(lake.tables(&dev()).await.unwrap(), [orders()]);
    assert_eq!(lake.tables(&Line::Main).await.unwrap(), []);
    assert_eq!(lake.born("dev").await.unwrap(), [orders()]);
    lake.promote(&orders(), "dev", false).await.unwrap();
    lake.promote(&orders(), "dev", false).await.unwrap();
    assert_eq!(rows_at(&lake, &on_main(1)).await, ["1|10|a"]);
    assert_eq!(lake.born("dev").await.unwrap(), []);
    // A new generation with other columns replaces the table at the merge.
    lake.create(&spec(true, &[]), &dev()).await.unwrap();
    lake.append(&orders(), &dev(), &added(&[(2, Some(20), "b")]), commit(1)).await.unwrap();
    assert_eq!(code(&lake.promote(&orders(), "dev", false).await.unwrap_err()), "E_TABLE_EXISTS");
    lake.promote(&orders(), "dev", true).await.unwrap();
    assert_eq!(rows_at(&lake, &on_main(1)).await, ["2|20|b"]);
    lake.create(&spec(true, &[]), &dev()).await.unwrap();
    lake.drop(&orders(), &dev()).await.unwrap();
    assert_eq!(rows_at(&lake, &on_main(1)).await, ["2|20|b"]);
    done(&lake);
}
