//! Diagnostics as text and as data, for people, programs and code hosts.
//! In: diagnostics with the texts they point into. Out: strings and JSON values; nothing is printed here.

mod github;
mod human;
mod json;
mod place;
mod sarif;

pub use github::render_github;
pub use human::{did_you_mean, render_human, render_line};
pub use json::diagnostics_json;
pub use sarif::diagnostics_sarif;
