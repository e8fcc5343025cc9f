//! A Flink cluster through its SQL Gateway, over REST. In: an address, settings, statements. Out: typed rows, the id of a job, or a typed
//! error with Flink's innermost cause. Every statement has a deadline here: the gateway has none.

mod address;
mod changelog;
mod fault;
mod http;
mod jobs;
mod session;
mod values;
mod warehouse;
mod wire;

pub use address::Address;
pub use fault::FlinkError;
pub use jobs::Job;
pub use session::{Answer, Gateway, Info, Mode, Session, own_settings};
pub use warehouse::{CATALOG, bindings, create_catalog, create_catalog_at, gateway, qualified, settings};
