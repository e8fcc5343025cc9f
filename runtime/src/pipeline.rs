//! Pipelines: metrics kept current in a rollup by the real-time engine. In: a pipeline of the project, a line of the lake.
//! Out: the rollup brought to the sources' heads, and what is known of it.

mod cells;
mod closed;
mod commits;
mod epoch;
/// Pipelines that a Flink keeps.
pub mod flink;
mod meaning;
mod prepare;
mod run;
mod sources;
mod step;
mod tap;
mod windows;
mod words;
mod writer;

pub use closed::WindowState;
pub use commits::{NoLog, commits};
pub use epoch::{Epoch, RowCounts};
pub use meaning::{model_of, moment, refuse_clock, scanned, table_of};
pub use prepare::{Prepared, flink_rollups, kept_by_flink, prepare, source_tables};
pub use run::{How, Ran, at_snapshot, current_epoch, heads, pins, run, user};
pub use sources::{LakeSources, Rollup, table_rows};
pub use tap::{NoTap, Pass, Tap};
pub use windows::{Windows, windows};
pub use words::{Words, json as request_json, request};
pub use writer::other_writer;
