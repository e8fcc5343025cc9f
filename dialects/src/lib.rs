//! Relations in, texts out: SQL for DataFusion, DuckDB, StarRocks and Flink, and specs of Paimon tables. This crate reads no file, no clock, no environment
//! and no network, and no engine inherits from another: each states every function, type, keyword and capability itself.

#![deny(
    clippy::disallowed_methods,
    clippy::disallowed_types,
    reason = "functions on values: see clippy.toml"
)]
#![expect(
    clippy::unnecessary_wraps,
    reason = "the forms of one table share one signature, whether or not they can refuse"
)]

mod adapt;
mod arithmetic;
mod bindings;
mod bucket;
mod build;
mod capabilities;
mod casting;
mod datafusion;
mod dialect;
mod duckdb;
mod emit;
mod facts;
mod finite;
mod flink;
mod float_extremes;
mod form;
mod magnitude;
mod paimon;
mod pattern;
mod places;
mod sql;
mod starrocks;
mod strategy;
mod support;
mod target;
#[cfg(test)]
mod tests;
mod tumble;

pub use adapt::adapt;
pub use bindings::{Binding, Bindings, BoundSource, Pin, bindings_of};
pub use bucket::Bucket;
pub use capabilities::Setting;
pub use emit::emit;
pub use facts::{Fact, facts, reads_snapshots, session_settings};
pub use paimon::{
    Change, ColumnSpec, EventTable, KEY as ROLLUP_KEY, TableSpec, append_options, evolve, flink_alter_table,
    flink_create_table, flink_create_table_if_missing, flink_event_table, flink_rollup_insert, rollup_spec,
    schema_json, source_key_options, source_spec, spec_of_json,
};
pub use places::separate;
pub use starrocks::{
    ViewProperty, ViewText, catalog_property, starrocks_catalog, starrocks_view, view_properties,
};
pub use support::{Answer, Support, support};
pub use target::{Engine, TARGETS, Target, Version, parse_target};
pub use tumble::{EVENT_COLUMNS, rows_before, tumbled};
