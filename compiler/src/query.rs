//! Requests: what a person or program asks of a model.
//! In: JSON or YAML text. Out: the request as written, for `bind`.

mod request;

pub use request::*;
