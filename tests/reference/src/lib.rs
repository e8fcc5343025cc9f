//! The tests' oracle: metric requests evaluated row by row over small tables, straight from docs/semantics.md, and random cases for it.
//! In: a model's text, a request's text, rows. Out: the rows that every engine must give, or the codes that a refusal may have. No SQL, no
//! planner: of the compiler only the stages that parse are used, which tests/it/tidy reads from the imports.

/// A case: a model, tables with rows, a request.
pub mod case;

/// Values by their meaning, whatever their width.
pub mod value;

/// Why an evaluation ends without rows.
pub mod stop;

/// The rules for requests, row by row.
pub mod evaluate;

/// Expressions over rows: scalars, aggregates, windows.
pub mod expr;
/// Random cases by their seed.
pub mod generate;

/// Tables as SQL text.
pub mod script;

/// Smaller cases that still fail.
pub mod shrink;

/// Cases whose answers are related in a known way.
pub mod variants;
