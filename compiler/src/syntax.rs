//! Documents and expressions as written: spans on everything, nothing resolved.

pub mod document;
pub mod expr;
pub(crate) mod findings;
pub mod yaml;

pub use document::Document;
pub use expr::Expr;
