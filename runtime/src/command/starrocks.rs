//! What verbs that ask a StarRocks share. In: what came of a call, what the project file says. Out: the value, or a finding and whether the
//! engine failed.

use std::collections::BTreeSet;

use unisono_compiler::diagnostic::{Code, Diagnostic};

use crate::check::prove::StarRocks;
use crate::engine::starrocks::{StarRocksError, front_end};
use crate::models::Found;
use crate::output::Run;
use crate::pipeline::Prepared;
use crate::project::EngineKind;

/// The value, or why StarRocks gave none: a fault of the project file is the user's, any other is the engine's.
pub(super) fn answered<T>(run: &mut Run, result: Result<T, StarRocksError>) -> Option<T> {
    match result {
        Ok(value) => Some(value),
        Err(error) => {
            run.engine_failed |= !error.is_of_project_file();
            run.diagnostics.push(error.diagnostic());
            None
        }
    }
}

/// An engine of that name and kind; nothing is sent to it yet. Without a catalogue a text would read tables of StarRocks' own that happen to be
/// called alike.
pub(super) fn engine(run: &mut Run, found: &Found, name: &str) -> Option<StarRocks> {
    let EngineKind::StarRocks { url, tls, ca, catalog } = found.project.engine(name)? else { return None };
    let Some(catalog) = catalog else {
        let message = format!("the engine `{name}` names no catalogue of the warehouse");
        let finding = Diagnostic::new(Code::Usage, message).about(format!("engines.{name}"));
        run.diagnostics.push(
            finding.help("write `catalog: NAME`, and make the catalogue in StarRocks by the script of `unisono compile --target starrocks`"),
        );
        return None;
    };
    let authority = ca.as_ref().map(|path| path.value.as_str());
    let front_end = answered(run, front_end(&url.value, *tls, authority, &found.directory))?;
    run.notes.extend(front_end.address().warning());
    Some(StarRocks { name: name.to_string(), front_end, catalog: catalog.value.clone() })
}

/// Those that answer for some of these pipelines, each once.
pub(super) fn starrocks(run: &mut Run, found: &Found, pipelines: &[Prepared]) -> Option<Vec<StarRocks>> {
    let names: BTreeSet<&String> =
        pipelines.iter().filter_map(|pipeline| pipeline.starrocks.as_ref()).collect();
    names.into_iter().map(|name| engine(run, found, name)).collect()
}
