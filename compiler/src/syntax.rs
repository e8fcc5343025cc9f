//! Documents and expressions as written: spans on everything, nothing resolved.

pub(crate) mod access;
pub mod document;
pub mod expr;
pub(crate) mod findings;
#[cfg(test)]
pub(crate) mod marked;
mod read;
pub mod yaml;

pub use document::Document;
pub use expr::Expr;
pub use read::parse_document;
