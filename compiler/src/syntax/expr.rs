//! The OSI expression language: text in, a tree with spans out, and back.

mod actions;
mod call;
mod fault;
mod keywords;
mod lexer;
mod parse;
mod place;
mod print;
#[cfg(test)]
mod sample;
mod settle;
mod tree;
mod unexpected;
mod visit;

lalrpop_util::lalrpop_mod!(
    #[allow(
        clippy::all,
        clippy::pedantic,
        clippy::panic,
        clippy::unwrap_used,
        unreachable_pub,
        reason = "generated; what it would panic on are errors of its generator, not inputs"
    )]
    grammar,
    "/syntax/expr/grammar.rs"
);

pub use keywords::{Reserved, reserved};
pub use parse::{MAX_BYTES, MAX_DEPTH, parse_expr, parse_expr_str};
pub use print::print_expr;
pub use tree::*;
pub use visit::{for_each_name, for_each_parameter};
