//! The OSI expression language: text in, a tree with spans out, and back.

mod tree;

pub use tree::*;
