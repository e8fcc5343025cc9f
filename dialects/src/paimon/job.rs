//! The statement that keeps a rollup: a streaming query's answer into its table, with `__key` before it.
//! In: the rollup's columns, the query's text. Out: INSERT for Flink.

use super::key::{Texts, keyed, string};
use super::spec::TableSpec;
use crate::dialect::dialect;
use crate::sql::print;
use crate::sql::tree::{Expr, Insert, Type, cast};
use crate::target::{Engine, Target};

/// INSERT of a query into a rollup. The rollup's columns after `__key` are the query's, the first `dimensions` of them make the key.
pub fn flink_rollup_insert(table: &[String], rollup: &TableSpec, dimensions: usize, query: &str) -> String {
    let texts = Texts { moment, column: |text| text };
    let insert = Insert { table: table.to_vec(), select: keyed(rollup, dimensions, query, texts) };
    print::insert(&insert, &dialect(Target::latest(Engine::FlinkStreaming)).capabilities.quoting)
}

fn moment(value: Expr) -> Expr {
    string(cast(value, Type::with("TIMESTAMP", &[6])))
}
