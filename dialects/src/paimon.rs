//! Table specs for Apache Paimon: what a source or a rollup must be so that Rust and Flink read it alike.

mod evolve;
mod job;
mod json;
mod read;
mod spec;
mod watermark;

pub use evolve::{Change, evolve, flink_alter_table};
pub use job::flink_rollup_insert;
pub use json::schema_json;
pub use read::spec_of_json;
pub use spec::{
    ColumnSpec, KEY, TableSpec, append_options, flink_create_table, flink_create_table_if_missing,
    rollup_spec, source_key_options, source_spec,
};
pub use watermark::{EventTable, flink_event_table};
