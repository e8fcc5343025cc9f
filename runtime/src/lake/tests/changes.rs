//! Net changes, by hand: every kind of table, every kind of commit in between.

use std::fs;

use paimon::catalog::{Catalog, Identifier};
use paimon::spec::{IntType, SchemaChange};
use unisono_dialects::TableSpec;

use super::super::files::{atomic_write, read_json};
use super::super::{Change, Changed, CommitKind, Lake, Line, Pin};
use super::{Row, added, code, columns, commit, done, kinds, lake, on_main, orders, spec, text};

async fn change(lake: &Lake, from: &Pin, to: &Pin, names: &[&str]) -> Change {
    lake.change(&orders(), from, to, &columns(names)).await.unwrap()
}

fn rows(change: Change) -> Changed {
    match change {
        Change::Rows(rows) => rows,
        other => panic!("{other:?}"),
    }
}

/// The change of all columns between two snapshots of main.
async fn lines(lake: &Lake, from: i64, to: i64) -> Vec<String> {
    text(&rows(change(lake, &on_main(from), &on_main(to), &["id", "v", "t"]).await).batches)
}

fn empty() -> Pin {
    Pin { line: Line::Main, snapshot: None, schema: 0 }
}

/// Replaces all rows, as an INSERT OVERWRITE of another engine does.
async fn overwrite(lake: &Lake, rows: &[Row<'_>]) {
    let table = lake.catalog.get_table(&Identifier::new("shop", "orders")).await.unwrap();
    let builder = table.new_write_builder().with_overwrite();
    let mut write = builder.new_write().unwrap();
    let batch = added(rows).remove(0);
    write.write_arrow_batch(&batch).await.unwrap();
    let messages = write.prepare_commit().await.unwrap();
    builder.new_commit().overwrite(messages, None).await.unwrap();
}

#[tokio::test]
async fn of_a_table_with_a_key_only_the_ends_of_the_range_count() {
    for options in [&[][..], &[("changelog-producer", "lookup")], &[("bucket", "4")]] {
        let lake =
            lake(&format!("change-key-{}", options.len() + options.iter().map(|o| o.1.len()).sum::<usize>()));
        lake.create(&spec(true, options), &Line::Main).await.unwrap();
        let write = async |identifier, rows: &[(i8, Row<'_>)]| {
            lake.upsert(&orders(), &Line::Main, &kinds(rows), commit(identifier)).await.unwrap();
        };
        write(
            1,
            &[(0, (1, Some(10), "a")), (0, (2, Some(20), "b")), (0, (3, Some(30), "c")), (0, (4, None, "d"))],
        )
        .await;
        // 2 changes twice and goes; 3 changes; 5 comes and goes again; 6 comes; 4 is written as it was.
        write(
            2,
            &[(2, (2, Some(21), "b")), (2, (3, Some(31), "c")), (0, (5, Some(50), "e")), (2, (4, None, "d"))],
        )
        .await;
        write(3, &[(3, (2, Some(21), "b")), (3, (5, Some(50), "e")), (0, (6, Some(60), "f"))]).await;
        assert_eq!(lines(&lake, 1, 3).await, ["2|20|b|-1", "3|30|c|-1", "3|31|c|1", "6|60|f|1"]);
        assert_eq!(lines(&lake, 2, 3).await, ["2|21|b|-1", "5|50|e|-1", "6|60|f|1"]);
        // In the columns asked for, row 3 did not change.
        let narrow = rows(change(&lake, &on_main(1), &on_main(3), &["t"]).await);
        assert_eq!(text(&narrow.batches), ["b|-1", "f|1"]);
        assert_eq!((narrow.given, narrow.schema.fields().len()), (2, 2));
        let counted = rows(change(&lake, &on_main(1), &on_main(3), &[]).await);
        assert_eq!(text(&counted.batches), ["-1", "1"]);
        let all = rows(change(&lake, &empty(), &on_main(3), &["id"]).await);
        assert_eq!(text(&all.batches), ["1|1", "3|1", "4|1", "6|1"]);
        assert!(matches!(change(&lake, &on_main(3), &on_main(3), &["id"]).await, Change::Unchanged));
        // Backwards: the signs turn.
        assert_eq!(lines(&lake, 3, 1).await, ["2|20|b|1", "3|30|c|1", "3|31|c|-1", "6|60|f|-1"]);
        done(&lake);
    }
}

#[tokio::test]
async fn few_touched_keys_read_few_rows() {
    let lake = lake("change-few");
    lake.create(&spec(true, &[]), &Line::Main).await.unwrap();
    let all: Vec<_> = (0..10_000).map(|id| (id, Some(1), "x")).collect();
    lake.append(&orders(), &Line::Main, &added(&all), commit(1)).await.unwrap();
    lake.upsert(
        &orders(),
        &Line::Main,
        &kinds(&[(2, (77, Some(2), "x")), (3, (9_000, Some(1), "x"))]),
        commit(2),
    )
    .await
    .unwrap();
    let found = rows(change(&lake, &on_main(1), &on_main(2), &["id", "v"]).await);
    assert_eq!(text(&found.batches), ["77|1|-1", "77|2|1", "9000|1|-1"]);
    assert_eq!((found.given, found.scanned), (3, 5));
    done(&lake);
}

#[tokio::test]
async fn an_overwrite_of_a_table_with_a_key_compares_the_states() {
    let lake = lake("change-key-overwrite");
    lake.create(&spec(true, &[]), &Line::Main).await.unwrap();
    let before = added(&[(1, Some(10), "a"), (2, Some(20), "b"), (3, Some(30), "c")]);
    lake.append(&orders(), &Line::Main, &before, commit(1)).await.unwrap();
    overwrite(&lake, &[(2, Some(20), "b"), (3, Some(31), "c"), (4, Some(40), "d")]).await;
    assert_eq!(lines(&lake, 1, 2).await, ["1|10|a|-1", "3|30|c|-1", "3|31|c|1", "4|40|d|1"]);
    done(&lake);
}

#[tokio::test]
async fn appends_are_given_as_they_came_and_read_alone() {
    let lake = lake("change-append");
    lake.create(&spec(false, &[]), &Line::Main).await.unwrap();
    lake.append(&orders(), &Line::Main, &added(&[(1, Some(10), "a"), (2, None, "b")]), commit(1))
        .await
        .unwrap();
    lake.append(&orders(), &Line::Main, &added(&[(1, Some(10), "a")]), commit(2)).await.unwrap();
    lake.append(&orders(), &Line::Main, &added(&[(3, Some(30), "c")]), commit(3)).await.unwrap();
    let found = rows(change(&lake, &on_main(1), &on_main(3), &["id", "t"]).await);
    assert_eq!(text(&found.batches), ["1|a|1", "3|c|1"]);
    assert_eq!((found.given, found.scanned), (2, 2));
    let counted = rows(change(&lake, &on_main(1), &on_main(3), &[]).await);
    assert_eq!(counted.given, 2);
    let all = rows(change(&lake, &empty(), &on_main(1), &["id"]).await);
    assert_eq!(text(&all.batches), ["1|1", "2|1"]);
    assert_eq!(lines(&lake, 3, 1).await, ["1|10|a|-1", "3|30|c|-1"]);
    done(&lake);
}

#[tokio::test]
async fn an_overwrite_of_an_append_table_compares_the_states_as_multisets() {
    let lake = lake("change-append-overwrite");
    lake.create(&spec(false, &[]), &Line::Main).await.unwrap();
    let before = added(&[(1, Some(10), "a"), (1, Some(10), "a"), (1, Some(10), "a"), (2, None, "b")]);
    lake.append(&orders(), &Line::Main, &before, commit(1)).await.unwrap();
    overwrite(&lake, &[(1, Some(10), "a"), (2, None, "b"), (2, None, "b"), (3, Some(30), "c")]).await;
    assert_eq!(lines(&lake, 1, 2).await, ["1|10|a|-1", "1|10|a|-1", "2||b|1", "3|30|c|1"]);
    let counted = rows(change(&lake, &on_main(1), &on_main(2), &[]).await);
    assert_eq!(counted.given, 0);
    lake.append(&orders(), &Line::Main, &added(&[(4, None, "d")]), commit(2)).await.unwrap();
    assert_eq!(lines(&lake, 2, 3).await, ["4||d|1"]);
    assert_eq!(lines(&lake, 1, 3).await, ["1|10|a|-1", "1|10|a|-1", "2||b|1", "3|30|c|1", "4||d|1"]);
    done(&lake);
}

#[tokio::test]
async fn an_empty_commit_changes_nothing() {
    let lake = lake("change-empty");
    lake.create(&spec(true, &[]), &Line::Main).await.unwrap();
    assert_eq!(lake.first_snapshot(&orders(), &Line::Main).await.unwrap(), 1);
    assert_eq!(lake.first_snapshot(&orders(), &Line::Main).await.unwrap(), 1);
    lake.append(&orders(), &Line::Main, &added(&[(1, Some(10), "a")]), commit(1)).await.unwrap();
    assert_eq!(lines(&lake, 1, 2).await, ["1|10|a|1"]);
    assert!(rows(change(&lake, &empty(), &on_main(1), &["id"]).await).batches.is_empty());
    done(&lake);
}

#[tokio::test]
async fn a_compaction_of_another_engine_changes_nothing() {
    for has_key in [false, true] {
        let lake = lake(&format!("change-compact-{has_key}"));
        lake.create(&spec(has_key, &[]), &Line::Main).await.unwrap();
        lake.append(&orders(), &Line::Main, &added(&[(1, Some(10), "a")]), commit(1)).await.unwrap();
        // The same rows again under the next number, as a compaction leaves them.
        let snapshots = lake.root().join("shop.db/orders/snapshot");
        let mut snapshot = read_json(&snapshots.join("snapshot-1")).unwrap().unwrap();
        snapshot["id"] = 2.into();
        snapshot["commitKind"] = "COMPACT".into();
        snapshot["commitUser"] = "flink".into();
        atomic_write(&snapshots.join("snapshot-2"), snapshot.to_string().as_bytes()).unwrap();
        assert!(matches!(change(&lake, &on_main(1), &on_main(2), &["id"]).await, Change::Unchanged));
        lake.append(&orders(), &Line::Main, &added(&[(2, None, "b")]), commit(2)).await.unwrap();
        assert_eq!(lines(&lake, 1, 3).await, ["2||b|1"]);
        let found = rows(change(&lake, &on_main(1), &on_main(3), &["id"]).await);
        assert_eq!(found.scanned, if has_key { 2 } else { 1 });
        let kinds: Vec<CommitKind> =
            lake.history(&orders(), &Line::Main).await.unwrap().iter().map(|commit| commit.kind).collect();
        assert_eq!(kinds, [CommitKind::Append, CommitKind::Compact, CommitKind::Append]);
        done(&lake);
    }
}

#[tokio::test]
async fn other_merge_engines_are_read_in_full() {
    let lake = lake("change-engine");
    let options = [("merge-engine", "aggregation"), ("fields.v.aggregate-function", "sum")];
    lake.create(&spec(true, &options), &Line::Main).await.unwrap();
    lake.append(&orders(), &Line::Main, &added(&[(1, Some(10), "a")]), commit(1)).await.unwrap();
    lake.append(&orders(), &Line::Main, &added(&[(1, Some(5), "a")]), commit(2)).await.unwrap();
    assert!(matches!(change(&lake, &on_main(1), &on_main(2), &["v"]).await, Change::Full { .. }));
    let all = rows(change(&lake, &empty(), &on_main(2), &["id", "v"]).await);
    assert_eq!(text(&all.batches), ["1|15|1"]);
    done(&lake);
}

#[tokio::test]
async fn a_key_of_two_columns_is_told_apart_in_both() {
    let lake = lake("change-two");
    let one = spec(true, &[]);
    let mut columns = one.columns.clone();
    columns[2].nullable = false;
    let two = TableSpec { primary_key: vec!["t".to_string(), "id".to_string()], columns, ..one };
    lake.create(&two, &Line::Main).await.unwrap();
    let first = added(&[(1, Some(10), "a"), (1, Some(20), "b"), (2, Some(30), "a")]);
    lake.append(&orders(), &Line::Main, &first, commit(1)).await.unwrap();
    let second = kinds(&[(3, (1, None, "b")), (2, (2, Some(31), "a"))]);
    lake.upsert(&orders(), &Line::Main, &second, commit(2)).await.unwrap();
    assert_eq!(lines(&lake, 1, 2).await, ["1|20|b|-1", "2|30|a|-1", "2|31|a|1"]);
    done(&lake);
}

#[tokio::test]
async fn a_column_added_in_between_was_null_before() {
    let lake = lake("change-column");
    lake.create(&spec(true, &[]), &Line::Main).await.unwrap();
    lake.append(&orders(), &Line::Main, &added(&[(1, Some(10), "a"), (2, Some(20), "b")]), commit(1))
        .await
        .unwrap();
    let added_column = SchemaChange::add_column("w".to_string(), paimon::spec::DataType::Int(IntType::new()));
    lake.catalog.alter_table(&Identifier::new("shop", "orders"), vec![added_column], false).await.unwrap();
    let head = lake.head(&orders(), &Line::Main).await.unwrap();
    assert_eq!((head.snapshot, head.schema), (Some(1), 0));
    let mut writer = lake.writer(&orders(), &Line::Main, commit(2)).await.unwrap();
    assert_eq!(writer.schema().fields().len(), 4);
    let batch = added(&[(1, Some(10), "a")]).remove(0);
    let mut arrays: Vec<(String, arrow::array::ArrayRef)> = vec![];
    for (field, array) in batch.schema().fields().iter().zip(batch.columns()) {
        arrays.push((field.name().clone(), array.clone()));
    }
    arrays.push(("w".to_string(), std::sync::Arc::new(arrow::array::Int32Array::from(vec![5]))));
    writer.write(&arrow::array::RecordBatch::try_from_iter(arrays).unwrap()).await.unwrap();
    writer.commit().await.unwrap();
    let head = lake.head(&orders(), &Line::Main).await.unwrap();
    assert_eq!((head.snapshot, head.schema), (Some(2), 1));
    let found = rows(change(&lake, &on_main(1), &head, &["id", "w"]).await);
    assert_eq!(text(&found.batches), ["1|5|1", "1||-1"]);
    let error = lake.read(&orders(), &on_main(1), &columns(&["w"]), &[]).await.err().unwrap();
    assert_eq!(code(&error), "E_NAME_NOT_FOUND");
    done(&lake);
}

#[tokio::test]
async fn an_expired_snapshot_is_said_unless_a_tag_holds_it() {
    let lake = lake("gone");
    lake.create(&spec(true, &[]), &Line::Main).await.unwrap();
    for identifier in 1..=4 {
        let row = (identifier, Some(1), "x");
        lake.append(&orders(), &Line::Main, &added(&[row]), commit(identifier)).await.unwrap();
    }
    lake.tag(&orders(), &Line::Main, "keep", 1).await.unwrap();
    for snapshot in [1, 2] {
        fs::remove_file(lake.root().join(format!("shop.db/orders/snapshot/snapshot-{snapshot}"))).unwrap();
    }
    assert_eq!(super::rows_at(&lake, &on_main(1)).await, ["1|1|x"]);
    assert_eq!(lines(&lake, 1, 4).await, ["2|1|x|1", "3|1|x|1", "4|1|x|1"]);
    let error = lake.read(&orders(), &on_main(2), &columns(&["id"]), &[]).await.err().unwrap();
    assert_eq!(code(&error), "E_SNAPSHOT_GONE");
    assert_eq!(
        error.to_string(),
        "`shop.orders` at snapshot 2 is gone: the snapshot, or a file of it, does not exist any more"
    );
    let error = lake.change(&orders(), &on_main(2), &on_main(4), &columns(&["id"])).await.unwrap_err();
    assert_eq!(code(&error), "E_SNAPSHOT_GONE");
    // A data file that expired under a pin.
    let bucket = lake.root().join("shop.db/orders/bucket-0");
    for entry in fs::read_dir(bucket).unwrap() {
        fs::remove_file(entry.unwrap().path()).unwrap();
    }
    let rows = lake.read(&orders(), &on_main(4), &columns(&["id"]), &[]).await.unwrap();
    assert_eq!(code(&rows.collect().await.unwrap_err()), "E_SNAPSHOT_GONE");
    done(&lake);
}
