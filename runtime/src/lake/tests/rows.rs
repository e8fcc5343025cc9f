//! Rows in and out: appends, upserts, deletes, replays, every type, every snapshot.

use std::collections::BTreeSet;
use std::fs;
use std::sync::Arc;

use arrow::array::{
    ArrayRef, BooleanArray, Date32Array, Decimal128Array, Float32Array, Float64Array, Int8Array, Int16Array,
    Int32Array, Int64Array, RecordBatch, StringArray, TimestampMicrosecondArray,
};
use paimon::catalog::{Catalog, Identifier};
use paimon::spec::{Schema, TimestampType, VarBinaryType};
use unisono_compiler::data_type::DataType;
use unisono_dialects::{ColumnSpec, TableSpec};

use super::super::{Commit, Committed, KeyRange, Keys, Lake, Line, Pin, Scalar, TableName};
use super::{added, code, columns, commit, done, kinds, lake, on_main, orders, rows_at, spec, text};

#[tokio::test]
async fn an_append_table_is_read_at_each_snapshot() {
    let lake = lake("append");
    let table = lake.create(&spec(false, &[]), &Line::Main).await.unwrap();
    assert_eq!(table.head, Pin { line: Line::Main, snapshot: None, schema: 0 });
    assert_eq!(table.options.get("unisono.writer").map(String::as_str), Some("unisono"));
    assert_eq!(rows_at(&lake, &table.head).await, Vec::<String>::new());
    let batches = added(&[(1, Some(10), "a"), (2, None, "b")]);
    let first = lake.append(&orders(), &Line::Main, &batches, commit(1)).await.unwrap();
    assert_eq!(first, Committed { snapshot: Some(1), replayed: false });
    let batches = added(&[(1, Some(10), "a")]);
    let second = lake.append(&orders(), &Line::Main, &batches, commit(2)).await.unwrap();
    assert_eq!(second.snapshot, Some(2));
    assert_eq!(rows_at(&lake, &on_main(1)).await, ["1|10|a", "2||b"]);
    assert_eq!(rows_at(&lake, &on_main(2)).await, ["1|10|a", "1|10|a", "2||b"]);
    let none = lake.read(&orders(), &on_main(2), &[], &[]).await.unwrap().collect().await.unwrap();
    assert_eq!(none.iter().map(RecordBatch::num_rows).sum::<usize>(), 3);
    assert_eq!(none[0].num_columns(), 0);
    done(&lake);
}

#[tokio::test]
async fn a_table_with_a_key_holds_the_newest_row_of_each_key() {
    let lake = lake("key");
    lake.create(&spec(true, &[("changelog-producer", "lookup")]), &Line::Main).await.unwrap();
    let all = [(0, (1, Some(10), "a")), (0, (2, Some(20), "b"))];
    lake.upsert(&orders(), &Line::Main, &kinds(&all), commit(1)).await.unwrap();
    let some = [(2, (1, Some(11), "a")), (3, (2, Some(20), "b")), (0, (3, Some(30), "c"))];
    lake.upsert(&orders(), &Line::Main, &kinds(&some), commit(2)).await.unwrap();
    assert_eq!(rows_at(&lake, &on_main(1)).await, ["1|10|a", "2|20|b"]);
    assert_eq!(rows_at(&lake, &on_main(2)).await, ["1|11|a", "3|30|c"]);
    let rows = lake.read(&orders(), &on_main(2), &columns(&["t", "id"]), &[]).await.unwrap();
    assert_eq!(text(&rows.collect().await.unwrap()), ["a|1", "c|3"]);
    let error =
        lake.upsert(&orders(), &Line::Main, &kinds(&[(4, (1, None, ""))]), commit(3)).await.unwrap_err();
    assert_eq!(code(&error), "E_TYPE_MISMATCH");
    done(&lake);
}

#[tokio::test]
async fn a_commit_that_was_made_is_not_made_again() {
    let lake = lake("replay");
    lake.create(&spec(false, &[]), &Line::Main).await.unwrap();
    let batches = added(&[(1, Some(10), "a")]);
    let first = lake.append(&orders(), &Line::Main, &batches, commit(5)).await.unwrap();
    assert!(!first.replayed);
    let other = Commit { user: "other".to_string(), identifier: 1 };
    lake.append(&orders(), &Line::Main, &batches, other).await.unwrap();
    let again = lake.append(&orders(), &Line::Main, &batches, commit(5)).await.unwrap();
    assert!(again.replayed);
    assert_eq!(again.snapshot, Some(1));
    assert_eq!(rows_at(&lake, &lake.head(&orders(), &Line::Main).await.unwrap()).await.len(), 2);
    let history = lake.history(&orders(), &Line::Main).await.unwrap();
    let newest = history.iter().rfind(|commit| commit.user == "tester").unwrap();
    assert_eq!((newest.snapshot, newest.identifier), (1, 5));
    let empty = lake.append(&orders(), &Line::Main, &[], commit(6)).await.unwrap();
    assert_eq!(empty.snapshot, None);
    assert_eq!(lake.history(&orders(), &Line::Main).await.unwrap().len(), 2);
    done(&lake);
}

fn data_files(lake: &Lake) -> usize {
    fn count(folder: &std::path::Path) -> usize {
        fs::read_dir(folder)
            .unwrap()
            .map(|entry| entry.unwrap().path())
            .map(|path| {
                if path.is_dir() {
                    count(&path)
                } else {
                    usize::from(path.extension().is_some_and(|e| e == "parquet"))
                }
            })
            .sum()
    }
    count(&lake.root().join("shop.db/orders"))
}

#[tokio::test]
async fn a_write_that_is_given_up_leaves_nothing() {
    for has_key in [false, true] {
        let lake = lake(&format!("abort-{has_key}"));
        lake.create(&spec(has_key, &[]), &Line::Main).await.unwrap();
        let mut writer = lake.writer(&orders(), &Line::Main, commit(1)).await.unwrap();
        writer.write(&added(&[(1, Some(10), "a")])[0]).await.unwrap();
        assert_eq!(writer.rows(), 1);
        writer.abort().await;
        assert_eq!(lake.head(&orders(), &Line::Main).await.unwrap().snapshot, None);
        assert_eq!(data_files(&lake), 0);
        let mut writer = lake.writer(&orders(), &Line::Main, commit(1)).await.unwrap();
        writer.write(&added(&[(1, Some(10), "a")])[0]).await.unwrap();
        assert_eq!(writer.commit().await.unwrap().snapshot, Some(1));
        let mut writer = lake.writer(&orders(), &Line::Main, commit(1)).await.unwrap();
        writer.write(&added(&[(1, Some(10), "a")])[0]).await.unwrap();
        assert!(writer.commit().await.unwrap().replayed);
        assert_eq!(data_files(&lake), 1);
        done(&lake);
    }
}

#[tokio::test]
async fn rows_that_do_not_fit_are_refused_and_nothing_is_written() {
    let lake = lake("unfit");
    lake.create(&spec(true, &[]), &Line::Main).await.unwrap();
    let refused = async |batch: RecordBatch| {
        let error = lake.append(&orders(), &Line::Main, &[batch], commit(1)).await.unwrap_err();
        error.to_string()
    };
    let id = || -> ArrayRef { Arc::new(Int64Array::from(vec![1])) };
    let v = || -> ArrayRef { Arc::new(Int32Array::from(vec![1])) };
    let t = || -> ArrayRef { Arc::new(StringArray::from(vec!["a"])) };
    let missing = RecordBatch::try_from_iter(vec![("id", id()), ("v", v())]).unwrap();
    assert!(refused(missing).await.ends_with("the column `t` is missing"));
    let extra = RecordBatch::try_from_iter(vec![("id", id()), ("v", v()), ("t", t()), ("x", t())]).unwrap();
    assert!(refused(extra).await.ends_with("the table has no column `x`"));
    let other = RecordBatch::try_from_iter(vec![("id", id()), ("v", id()), ("t", t())]).unwrap();
    assert!(refused(other).await.ends_with("the column `v` is Int64, not Int32"));
    let null: ArrayRef = Arc::new(Int64Array::from(vec![None::<i64>]));
    let null = RecordBatch::try_from_iter_with_nullable(vec![
        ("id", null, true),
        ("v", v(), true),
        ("t", t(), true),
    ]);
    assert!(refused(null.unwrap()).await.ends_with("the column `id` may not be NULL"));
    let turned = RecordBatch::try_from_iter(vec![("t", t()), ("v", v()), ("id", id())]).unwrap();
    lake.append(&orders(), &Line::Main, &[turned], commit(1)).await.unwrap();
    assert_eq!(rows_at(&lake, &on_main(1)).await, ["1|1|a"]);
    done(&lake);
}

#[tokio::test]
async fn every_type_comes_back_as_it_was_written() {
    let lake = lake("types");
    let name = TableName::parse("types").unwrap();
    let types = [
        DataType::Boolean,
        DataType::Int8,
        DataType::Int16,
        DataType::Int32,
        DataType::Int64,
        DataType::Decimal { precision: 38, scale: 10 },
        DataType::Float32,
        DataType::Float64,
        DataType::String,
        DataType::Date,
        DataType::Timestamp,
        DataType::TimestampTz,
    ];
    let names: Vec<String> = (0..types.len()).map(|index| format!("c{index}")).collect();
    let spec = TableSpec {
        name: "types".to_string(),
        columns: names
            .iter()
            .zip(types)
            .map(|(name, data_type)| ColumnSpec {
                name: name.clone(),
                data_type,
                nullable: true,
                comment: None,
            })
            .collect(),
        primary_key: Vec::new(),
        options: std::collections::BTreeMap::new(),
    };
    lake.create(&spec, &Line::Main).await.unwrap();
    let digits = 12_345_678_901_234_567_890_123_456_789_012_345_678_i128;
    let instant = -1_i64;
    let arrays: Vec<ArrayRef> = vec![
        Arc::new(BooleanArray::from(vec![Some(true), None])),
        Arc::new(Int8Array::from(vec![Some(-128), None])),
        Arc::new(Int16Array::from(vec![Some(-32768), None])),
        Arc::new(Int32Array::from(vec![Some(i32::MIN), None])),
        Arc::new(Int64Array::from(vec![Some(i64::MIN), None])),
        Arc::new(Decimal128Array::from(vec![Some(-digits), None]).with_precision_and_scale(38, 10).unwrap()),
        Arc::new(Float32Array::from(vec![Some(f32::NEG_INFINITY), None])),
        Arc::new(Float64Array::from(vec![Some(0.1), None])),
        Arc::new(StringArray::from(vec![Some("día "), None])),
        Arc::new(Date32Array::from(vec![Some(-1), None])),
        Arc::new(TimestampMicrosecondArray::from(vec![Some(instant), None])),
        Arc::new(TimestampMicrosecondArray::from(vec![Some(instant), None]).with_timezone("UTC")),
    ];
    let batch = RecordBatch::try_from_iter_with_nullable(
        names.iter().cloned().zip(arrays).map(|(name, array)| (name, array, true)),
    )
    .unwrap();
    lake.append(&name, &Line::Main, std::slice::from_ref(&batch), commit(1)).await.unwrap();
    let read = lake.read(&name, &on_main(1), &names, &[]).await.unwrap().collect().await.unwrap();
    assert_eq!(read, [batch]);
    let stored: Vec<DataType> =
        lake.table(&name, &Line::Main).await.unwrap().columns.iter().map(|column| column.data_type).collect();
    assert_eq!(stored, types);
    done(&lake);
}

#[tokio::test]
async fn a_column_of_others_is_widened_or_refused_by_name() {
    let lake = lake("others");
    let schema = Schema::builder()
        .column("stamp", paimon::spec::DataType::Timestamp(TimestampType::new(3).unwrap()))
        .column("raw", paimon::spec::DataType::VarBinary(VarBinaryType::new(10).unwrap()))
        .build()
        .unwrap();
    lake.catalog.create_database("shop", true, std::collections::HashMap::new()).await.unwrap();
    lake.catalog.create_table(&Identifier::new("shop", "orders"), schema, false).await.unwrap();
    let table = lake.table(&orders(), &Line::Main).await.unwrap();
    assert_eq!(table.columns[0].data_type, DataType::Timestamp);
    assert_eq!(table.columns[1].data_type, DataType::Unknown);
    let error = lake.read(&orders(), &table.head, &columns(&["raw"]), &[]).await.err().unwrap();
    assert_eq!(
        error.to_string(),
        "the column `raw` of `shop.orders` is of type VARBINARY(10), which cannot be used here"
    );
    let error = lake.read(&orders(), &table.head, &columns(&["stmp"]), &[]).await.err().unwrap();
    assert_eq!(error.diagnostic().candidates, ["stamp"]);
    let error = lake.writer(&orders(), &Line::Main, commit(1)).await.err().unwrap();
    assert_eq!(code(&error), "E_TYPE_MISMATCH");
    done(&lake);
}

#[tokio::test]
async fn a_table_of_milliseconds_takes_no_microseconds() {
    let lake = lake("millis");
    let schema = Schema::builder()
        .column("at", paimon::spec::DataType::Timestamp(TimestampType::new(3).unwrap()))
        .build()
        .unwrap();
    lake.catalog.create_database("shop", true, std::collections::HashMap::new()).await.unwrap();
    lake.catalog.create_table(&Identifier::new("shop", "orders"), schema, false).await.unwrap();
    let batch = |micros: i64| {
        let array: ArrayRef = Arc::new(TimestampMicrosecondArray::from(vec![micros]));
        RecordBatch::try_from_iter(vec![("at", array)]).unwrap()
    };
    let error = lake.append(&orders(), &Line::Main, &[batch(1_001)], commit(1)).await.unwrap_err();
    assert!(error.to_string().ends_with("the column `at` has more digits than the table"));
    lake.append(&orders(), &Line::Main, &[batch(-2_000)], commit(1)).await.unwrap();
    let read = lake.read(&orders(), &on_main(1), &columns(&["at"]), &[]).await.unwrap();
    assert_eq!(text(&read.collect().await.unwrap()), ["1969-12-31T23:59:59.998"]);
    done(&lake);
}

#[tokio::test]
async fn a_key_range_reads_fewer_rows_and_never_misses_one() {
    for has_key in [false, true] {
        let lake = lake(&format!("range-{has_key}"));
        lake.create(&spec(has_key, &[]), &Line::Main).await.unwrap();
        let all: Vec<_> = (0..1000).map(|id| (id, (id % 7 != 0).then_some(7), "t")).collect();
        lake.append(&orders(), &Line::Main, &added(&all), commit(1)).await.unwrap();
        let one = KeyRange {
            column: "id".to_string(),
            keys: Keys::of(BTreeSet::from([Scalar::Integer(5), Scalar::Integer(900)])),
            null: false,
        };
        let mut rows =
            lake.read(&orders(), &on_main(1), &columns(&["id"]), std::slice::from_ref(&one)).await.unwrap();
        let mut found = Vec::new();
        while let Some(batch) = rows.next().await.unwrap() {
            found.push(batch);
        }
        assert_eq!(text(&found), ["5", "900"]);
        assert_eq!(rows.scanned, 2);
        let many = KeyRange { keys: Keys::of((10..40).map(Scalar::Integer).collect()), ..one.clone() };
        let rows = lake.read(&orders(), &on_main(1), &columns(&["id"]), &[many]).await.unwrap();
        assert_eq!(text(&rows.collect().await.unwrap()).len(), 30);
        let null = KeyRange { column: "v".to_string(), keys: Keys::OneOf(BTreeSet::new()), null: true };
        let rows = lake.read(&orders(), &on_main(1), &columns(&["id"]), &[null]).await.unwrap();
        assert_eq!(text(&rows.collect().await.unwrap()).len(), 143);
        let none = KeyRange { keys: Keys::OneOf(BTreeSet::new()), ..one };
        let rows = lake.read(&orders(), &on_main(1), &columns(&["id"]), &[none]).await.unwrap();
        assert!(rows.collect().await.unwrap().is_empty());
        done(&lake);
    }
}
