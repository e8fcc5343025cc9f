//! The tests' oracle: metric requests evaluated row by row over small tables, straight from docs/semantics.md, and random cases for it.
//! In: a model's text, a request's text, rows. Out: the rows that every engine must give, or the codes that a refusal may have. No SQL, no
//! planner: of the compiler only the stages that parse are used, which tests/it/tidy reads from the imports.

/// A case: a model, tables with rows, a request.
pub mod case;

/// Values by their meaning, whatever their width.
pub mod value;

/// Why an evaluation ends without rows.
pub mod stop;

/// Expressions over rows: scalars, aggregates, windows.
pub mod expr;
