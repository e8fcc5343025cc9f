//! The only place that turns an engine's name into its tables and capabilities.
//! In: a target. Out: everything that strategies and `emit` ask of it.

use crate::capabilities::Capabilities;
use crate::form::Tables;
use crate::target::{Engine, Target};
use crate::{datafusion, duckdb, flink, starrocks};

/// What is known of a target.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Dialect {
    /// Functions, types, casts, literals.
    pub(crate) tables: Tables,
    /// What it can say and does.
    pub(crate) capabilities: Capabilities,
}

/// The tables and capabilities of a target.
pub(crate) fn dialect(target: Target) -> Dialect {
    match target.engine {
        Engine::DataFusion => datafusion::dialect(),
        Engine::DuckDb => duckdb::dialect(),
        Engine::StarRocks => starrocks::dialect(target.version),
        Engine::FlinkBatch => flink::batch(target.version),
        Engine::FlinkStreaming => flink::streaming(target.version),
    }
}
