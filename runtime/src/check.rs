//! `unisono check`: whether two answers to one request are the same, and what proves it.
//! In: answers of both sides as tables, the bound request, facts about the run. Out: verdicts, evidence, reports. Only `prove` does I/O.

/// Exact equality and order of values.
pub mod exact;

#[cfg(test)]
mod sample;

/// What both sides were asked.
pub mod question;

/// Rows of one key beside each other.
pub mod align;

/// Verdicts and their causes.
pub mod verdict;

/// Two answers judged.
pub mod judge;

/// Error bounds of rounded metrics.
pub mod bound;

/// What planning trusted, tested on the data.
pub mod assumptions;

/// One text and one hash of an answer or a document.
pub mod digest;

/// The document that can be replayed.
pub mod evidence;

/// What people and programs read.
pub mod report;

/// Both sides asked at pinned snapshots.
pub mod prove;
