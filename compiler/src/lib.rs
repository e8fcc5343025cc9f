//! OSI text in, plans and relations out. This crate reads no file, no clock, no environment and no network.
//!
//! The modules in the order in which data passes through them; each stage is a function on values.

#![deny(
    clippy::disallowed_methods,
    clippy::disallowed_types,
    reason = "functions on values: see clippy.toml"
)]

/// Source texts, spans, lines and columns.
pub mod source;

/// What the compiler says to people and programs.
pub mod diagnostic;

/// Typed ids and arenas.
pub mod ids;

/// Value types and exactness.
pub mod data_type;

/// The functions of the language, by meaning.
pub mod function;

/// The typed expression that the later stages share.
pub mod expr;

/// Documents and expressions as written.
pub mod syntax;

/// The model with ids for names.
pub mod model;

/// Rules about a model's names.
pub mod check;

/// What is known of physical tables.
pub mod catalog;

/// The model with names resolved and types inferred.
pub mod resolve;

/// Requests as written, and bound to a model.
pub mod query;

/// A request's plan in metric words.
pub mod plan;

/// The plan in SQL words.
pub mod relation;
