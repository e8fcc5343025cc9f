//! A StarRocks cluster through one of its front ends, over MySQL's protocol. In: an address, statements, the types that were compiled. Out:
//! typed rows, or a typed error. Every statement has a deadline here, and what does not end well is killed there.

mod address;
mod connection;
mod fault;
mod session;
mod values;
mod warehouse;

pub use address::Address;
pub use fault::StarRocksError;
pub use session::{FrontEnd, Info, STARROCKS, Session, Setup};
pub use warehouse::{Reading, front_end, moved, quoted, reading};
