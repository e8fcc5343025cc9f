//! The only crate of the workspace that does I/O: files, engines, the command line.
//! In: files and arguments. Out: what people and programs read.

/// The command line as typed.
pub mod flags;

/// The verbs.
pub mod command;

/// The one place that prints.
pub mod output;

/// Text files that people name.
pub mod load;

/// The project file.
pub mod project;

/// The models that a command works on.
pub mod models;

/// Requests as typed.
pub mod request;

/// The compiler's stages one after the other.
pub mod compile;

/// Dates and times as numbers and text.
pub mod calendar;

/// Data files as tables.
pub mod data;

/// Engines.
pub mod engine;

/// Answers as typed rows.
pub mod table;

/// Paimon tables.
pub mod lake;

/// What the demo shows.
pub mod demo;

/// Two answers to one request judged.
pub mod check;

/// Metrics kept current.
pub mod pipeline;

/// Versions, branches, merges.
pub mod version;

/// A project with its warehouse.
pub mod workspace;
