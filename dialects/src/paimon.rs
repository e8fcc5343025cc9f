//! Table specs for Apache Paimon: what a source or a rollup must be so that Rust and Flink read it alike.

mod json;
mod spec;

pub use json::schema_json;
pub use spec::{
    ColumnSpec, KEY, TableSpec, append_options, flink_create_table, rollup_spec, source_key_options,
    source_spec,
};
