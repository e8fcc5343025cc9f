//! What `unisono demo` shows: a market that is made here, and the project that keeps its candles.
//! In: a seed, a length. Out: rows, and the texts of the project's files.

/// Trades and quotes, made from a seed.
pub mod market;

/// The files of the project.
pub mod project;

/// Numbers that look random and are not.
mod random;
