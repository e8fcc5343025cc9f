//! What verbs that ask a Flink share. In: what came of a call, or a project. Out: the value, or a finding and whether the engine failed; the
//! Flinks that keep pipelines.

use std::collections::BTreeSet;

use crate::check::prove::Streams;
use crate::engine::flink::{FlinkError, gateway};
use crate::output::Run;
use crate::pipeline::Prepared;
use crate::pipeline::flink::Keeper;
use crate::project::{EngineKind, Project};

/// The value, or why Flink gave none: a fault of the project file is the user's, any other is the engine's.
pub(super) fn answered<T>(run: &mut Run, result: Result<T, FlinkError>) -> Option<T> {
    match result {
        Ok(value) => Some(value),
        Err(error) => {
            run.engine_failed |= !error.is_of_project_file();
            run.diagnostics.push(error.diagnostic());
            None
        }
    }
}

/// The Flink of that name; nothing is sent to it yet.
pub(super) fn keeper(run: &mut Run, project: &Project, name: &str) -> Option<Keeper> {
    let EngineKind::Flink { gateway: address, session, tls } = project.engine(name)? else { return None };
    let gateway = answered(run, gateway(&address.value, session, *tls))?;
    run.notes.extend(gateway.address().warning());
    Some(Keeper { name: name.to_string(), gateway })
}

/// The Flinks that keep some of these pipelines, each once.
pub(super) fn streams(run: &mut Run, project: &Project, pipelines: &[Prepared]) -> Option<Streams> {
    let names: BTreeSet<&String> = pipelines.iter().filter_map(|pipeline| pipeline.flink.as_ref()).collect();
    let keepers = names.into_iter().map(|name| keeper(run, project, name));
    Some(Streams::Running(keepers.collect::<Option<_>>()?))
}
