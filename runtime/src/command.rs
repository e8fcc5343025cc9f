//! The verbs, one file each. In: flags. Out: an `Outcome` that `output` prints.

mod asked;
mod compile;
mod explain;
mod init;
mod list;
mod query;
mod schema;
mod shell;
mod sql;
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
        Verb::Completions(verb) => shell::completions(verb),
        Verb::Compile(verb) => compile::run(verb, project),
        Verb::Schema(verb) => schema::run(verb),
        Verb::Man => shell::man(),
    }
}
