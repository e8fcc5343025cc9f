//! The option pairs of tables that others made, each tried for reading, writing and deleting: refused by name where rows would be wrong,
//! hidden or unreadable, and working where they are not.

use std::fs;

use paimon::catalog::{Catalog, Identifier};
use paimon::spec::{BigIntType, DataType, IntType, Schema, VarCharType};

use super::super::gate::{Kind, problems};
use super::super::{Lake, Line};
use super::{LakeError, added, code, columns, commit, done, kinds, lake, orders, rows_at};

/// What the gate forbids of a table.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Gate {
    /// Nothing.
    Open,
    /// Reading, and so all.
    Read,
    /// Writing.
    Write,
    /// Deleting.
    Delete,
}

/// A row of the matrix: its options beside `bucket`, whether the table has a key, and what is forbidden.
type Row = (&'static [(&'static str, &'static str)], bool, Gate);

const SUM: (&str, &str) = ("fields.v.aggregate-function", "sum");
const TEXT: (&str, &str) = ("fields.t.aggregate-function", "last_non_null_value");
const AGGREGATION: (&str, &str) = ("merge-engine", "aggregation");
const PARTIAL: (&str, &str) = ("merge-engine", "partial-update");
const LOOKUP: (&str, &str) = ("changelog-producer", "lookup");
const VECTORS: (&str, &str) = ("deletion-vectors.enabled", "true");
const ON_READ: (&str, &str) = ("deletion-vectors.merge-on-read", "true");

const MATRIX: &[Row] = &[
    // Without a key.
    (&[], false, Gate::Open),
    (&[("file.format", "avro")], false, Gate::Open),
    (&[("file.format", "orc")], false, Gate::Write),
    (&[("file.format", "orc"), ("file.compression", "zstd")], false, Gate::Write),
    (&[("manifest.format", "orc")], false, Gate::Read),
    (&[("manifest.format", "parquet")], false, Gate::Read),
    // Of a key the newest row.
    (&[], true, Gate::Open),
    (&[("changelog-producer", "none")], true, Gate::Open),
    (&[("changelog-producer", "input")], true, Gate::Open),
    (&[LOOKUP], true, Gate::Open),
    (&[("changelog-producer", "full-compaction")], true, Gate::Open),
    (&[("force-lookup", "true")], true, Gate::Open),
    (&[("sequence.field", "v")], true, Gate::Open),
    (&[("file.format", "avro")], true, Gate::Open),
    (&[("file.format", "orc")], true, Gate::Write),
    (&[("manifest.format", "parquet")], true, Gate::Read),
    // Rows that only a compaction shows.
    (&[("merge-engine", "first-row")], true, Gate::Write),
    (&[("merge-engine", "first-row"), LOOKUP], true, Gate::Write),
    (&[("bucket", "-2")], true, Gate::Write),
    (&[VECTORS], true, Gate::Write),
    (&[VECTORS, LOOKUP], true, Gate::Write),
    // Sums: the lookup beside them is what makes them wrong.
    (&[AGGREGATION, SUM, TEXT], true, Gate::Open),
    (&[AGGREGATION, SUM, TEXT, ("changelog-producer", "input")], true, Gate::Open),
    (&[AGGREGATION, SUM, TEXT, ("changelog-producer", "full-compaction")], true, Gate::Open),
    (&[AGGREGATION, SUM, TEXT, LOOKUP], true, Gate::Read),
    (&[AGGREGATION, SUM, TEXT, ("force-lookup", "true")], true, Gate::Read),
    (&[AGGREGATION, LOOKUP], true, Gate::Read),
    (&[AGGREGATION, SUM, TEXT, LOOKUP, VECTORS, ON_READ], true, Gate::Write),
    (&[AGGREGATION, SUM, TEXT, VECTORS, ON_READ], true, Gate::Write),
    // Updates of a part.
    (&[PARTIAL], true, Gate::Delete),
    (&[PARTIAL, LOOKUP], true, Gate::Delete),
    (&[PARTIAL, ("ignore-delete", "true")], true, Gate::Open),
    (&[PARTIAL, ("partial-update.remove-record-on-delete", "true")], true, Gate::Open),
    (&[PARTIAL, ("fields.v.sequence-group", "t")], true, Gate::Open),
    (&[PARTIAL, ("fields.v.sequence-group", "t"), TEXT, LOOKUP], true, Gate::Read),
    (&[PARTIAL, ("fields.v.sequence-group", "t"), TEXT, ("force-lookup", "true")], true, Gate::Read),
    (&[PARTIAL, ("ignore-delete", "true"), VECTORS, ON_READ], true, Gate::Write),
];

/// `shop.orders` as another program makes it: past the gate of `create`.
async fn make(lake: &Lake, options: &[(&str, &str)], has_key: bool) {
    let mut schema = Schema::builder()
        .column("id", DataType::BigInt(BigIntType::with_nullable(!has_key)))
        .column("v", DataType::Int(IntType::new()))
        .column("t", DataType::VarChar(VarCharType::string_type()))
        .option("bucket", if has_key { "1" } else { "-1" });
    if has_key {
        schema = schema.primary_key(vec!["id"]);
    }
    for (key, value) in options {
        schema = schema.option(*key, *value);
    }
    let name = Identifier::new("shop", "orders");
    lake.catalog.create_table(&name, schema.build().unwrap(), false).await.unwrap();
}

async fn rows_now(lake: &Lake) -> Vec<String> {
    let head = lake.head(&orders(), &Line::Main).await.unwrap();
    rows_at(lake, &head).await
}

#[tokio::test]
async fn each_pair_of_options_is_refused_or_works() {
    let lake = lake("matrix");
    lake.catalog.create_database("shop", true, std::collections::HashMap::new()).await.unwrap();
    for (options, has_key, gate) in MATRIX {
        make(&lake, options, *has_key).await;
        let what = format!("{options:?}, key {has_key}");
        let head = lake.head(&orders(), &Line::Main).await.unwrap();
        let all = columns(&["id", "v", "t"]);
        let read = lake.read(&orders(), &head, &all, &[]).await.map(|_| ());
        let written =
            lake.append(&orders(), &Line::Main, &added(&[(1, Some(2), "a")]), commit(1)).await.map(|_| ());
        if written.is_ok() {
            assert_eq!(rows_now(&lake).await, ["1|2|a"], "{what}");
        }
        let deleted = if *has_key {
            lake.upsert(&orders(), &Line::Main, &kinds(&[(3, (9, None, "x"))]), commit(2)).await.map(|_| ())
        } else {
            Ok(())
        };
        if deleted.is_ok() {
            assert!(written.is_err() || rows_now(&lake).await.contains(&"1|2|a".to_string()), "{what}");
        }
        let refused = |result: &Result<(), LakeError>| result.as_ref().err().map(code);
        let found = [refused(&read), refused(&written), refused(&deleted)];
        let no = Some("E_TABLE_OPTIONS");
        let expected = match gate {
            Gate::Open => [None, None, None],
            Gate::Read => [no, no, no],
            Gate::Write => [None, no, no],
            Gate::Delete => [None, None, no],
        };
        // An append table takes no deletes in the first place.
        let expected = if *has_key { expected } else { [expected[0], expected[1], None] };
        assert_eq!(found, expected, "{what}: {read:?} {written:?} {deleted:?}");
        fs::remove_dir_all(lake.root().join("shop.db/orders")).unwrap();
    }
    done(&lake);
}

#[test]
fn two_writers_and_streams_are_told_of_each_pair() {
    let told = |options: &[(&str, &str)], kind: Kind| {
        let options = options.iter().map(|(key, value)| ((*key).to_string(), (*value).to_string())).collect();
        let has = |has_key| problems(&options, has_key).iter().any(|problem| problem.kind == kind);
        // Neither is a matter of tables without a key.
        assert!(!has(false), "{options:?}");
        has(true)
    };
    for engine in ["deduplicate", "partial-update"] {
        assert!(told(&[("merge-engine", engine)], Kind::TwoWriters));
        assert!(!told(&[("merge-engine", engine), ("sequence.field", "v")], Kind::TwoWriters));
    }
    assert!(told(&[], Kind::TwoWriters));
    assert!(!told(&[AGGREGATION, SUM], Kind::TwoWriters));
    for (producer, expected) in
        [("none", false), ("input", false), ("lookup", true), ("full-compaction", true)]
    {
        assert_eq!(told(&[("changelog-producer", producer)], Kind::Stream), expected, "{producer}");
    }
}
