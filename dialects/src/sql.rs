//! SQL as a tree of our own, its quoting and its one printer. No text exists before `print`.

/// The tree and its builders.
pub(crate) mod tree;

/// Identifiers and string literals, the one home of quoting.
pub(crate) mod quote;

/// Tree to text.
pub(crate) mod print;
