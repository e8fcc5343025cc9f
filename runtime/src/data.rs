//! Data files as tables: where a dataset's file is, what its columns are, and its rows as Arrow batches.
//! In: a folder, the tables that a model names, declared types. Out: columns for a catalogue and batches for an engine.

mod column;

/// Records of a CSV file.
pub mod csv;

/// A CSV file as a table.
pub mod csv_table;

/// A file to load, a batch at a time.
pub mod file;

/// What text files share.
pub mod fit;

/// Types from texts.
pub mod infer;

/// Objects of a JSON lines file.
pub mod json_lines;

/// A JSON lines file as a table.
pub mod json_table;

/// Files in a folder.
pub mod locate;

/// The files behind a model's sources.
pub mod sources;

pub use column::ColumnBuilder;
pub use csv_table::read_csv_table;
