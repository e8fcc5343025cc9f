//! What verbs that ask a StarRocks share. In: what came of a call, what the project file says. Out: the value, or a finding and whether the
//! engine failed.

use unisono_compiler::diagnostic::{Code, Diagnostic};
use unisono_compiler::source::Spanned;

use crate::engine::starrocks::StarRocksError;
use crate::output::Run;

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

/// The external catalogue of the warehouse. Without its name a text would read tables of StarRocks' own that happen to be called alike.
pub(super) fn catalog_of(engine: &str, catalog: Option<&Spanned<String>>) -> Result<String, Vec<Diagnostic>> {
    catalog.map(|catalog| catalog.value.clone()).ok_or_else(|| {
        let message = format!("the engine `{engine}` names no catalogue of the warehouse");
        let finding = Diagnostic::new(Code::Usage, message).about(format!("engines.{engine}"));
        vec![
            finding.help("make an external catalogue of type paimon in StarRocks, and write `catalog: NAME`"),
        ]
    })
}
