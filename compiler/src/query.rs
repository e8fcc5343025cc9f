//! Requests: what a person or program asks of a model, as written and bound.
//! In: JSON or YAML text, a resolved model. Out: a `Request`, then a `Bound` for `plan`.

mod bind;
mod bound;
mod request;

pub use bind::bind;
pub use bound::*;
pub use request::*;
