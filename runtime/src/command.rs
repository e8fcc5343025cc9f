//! The verbs, one file each. In: flags. Out: an `Outcome` that `output` prints.

mod asked;
mod branch;
mod check;
mod checked;
mod checkpoint;
mod compile;
mod demo;
mod doctor;
mod explain;
mod flink;
mod init;
mod lakehouse;
mod list;
mod load;
mod pipeline;
mod progress;
mod query;
mod replay;
mod schema;
mod shell;
mod sql;
mod starrocks;
mod validate;

use crate::flags::{Flags, Verb};
use crate::output::Outcome;

/// Does what the flags say.
pub fn run(flags: &Flags) -> Outcome {
    let project = flags.project.as_deref();
    match &flags.verb {
        Verb::Init(verb) => init::run(verb),
        Verb::Validate(verb) => validate::run(verb, project),
        Verb::List(verb) => list::run(verb, project),
        Verb::Sql(verb) => sql::run(verb, project),
        Verb::Query(verb) => query::run(verb, project),
        Verb::Explain(verb) => explain::run(verb, project),
        Verb::Load(verb) => load::run(verb, project, flags.quiet),
        Verb::Pipeline(verb) => pipeline::run(verb, project, flags.quiet),
        Verb::Check(verb) => check::run(verb, project, flags.quiet),
        Verb::Replay(verb) => replay::run(verb, project),
        Verb::Checkpoint(verb) => checkpoint::run(verb, project),
        Verb::Branch(verb) => branch::run(verb, project, flags.quiet),
        Verb::Demo(verb) => demo::run(verb),
        Verb::Doctor(verb) => doctor::run(verb, project),
        Verb::Completions(verb) => shell::completions(verb),
        Verb::Compile(verb) => compile::run(verb, project),
        Verb::Schema(verb) => schema::run(verb),
        Verb::Man => shell::man(),
    }
}
