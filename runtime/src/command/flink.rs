//! What verbs that ask a Flink share. In: what came of a call. Out: the value, or a finding and whether the engine failed.

use crate::engine::flink::FlinkError;
use crate::output::Run;

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
