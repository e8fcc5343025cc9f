//! What `sql`, `query` and `explain` share: the model, the request, the declared types, the target and the moment.
//! In: flags. Out: values for the compiler's stages.

use std::path::Path;
use std::time::{SystemTime, UNIX_EPOCH};

use unisono_compiler::catalog::{Catalog, parse_ddl};
use unisono_compiler::diagnostic::{Code, Diagnostic};
use unisono_compiler::query::{Moment, Request, parse_request};
use unisono_compiler::syntax::document::SemanticModel;
use unisono_dialects::{Target, parse_target};

use crate::calendar;
use crate::compile::add_types;
use crate::flags::{ModelFlags, RequestFlags};
use crate::load::read_text;
use crate::models::{Found, open_model};
use crate::output::Run;
use crate::request::{self, Typed};

/// A request with everything that it is compiled from.
pub(super) struct Asked {
    /// The model.
    pub(super) model: SemanticModel,
    /// Declared types.
    pub(super) catalog: Catalog,
    /// The request.
    pub(super) request: Request,
    /// What CURRENT_DATE means.
    pub(super) moment: Moment,
    /// The engine of the text.
    pub(super) target: Target,
}

/// Reads everything; `None` if anything has errors.
pub(super) fn read(
    run: &mut Run,
    model: &ModelFlags,
    request: &RequestFlags,
    dialect: &str,
    schema: Option<&Path>,
    project: Option<&Path>,
) -> Option<Asked> {
    let target = run.check(parse_target(dialect).map_err(|finding| vec![finding]))?;
    let moment = run.check(moment(request))?;
    let (model, found) = open_model(run, model, project)?;
    let catalog = read_catalog(run, schema, found.as_ref())?;
    let request = read_request(run, request)?;
    Some(Asked { model, catalog, request, moment, target })
}

/// The types of `--schema` and of the project.
pub(super) fn read_catalog(run: &mut Run, schema: Option<&Path>, found: Option<&Found>) -> Option<Catalog> {
    let mut catalog = match schema {
        Some(path) => read_schema(run, path)?,
        None => Catalog::default(),
    };
    let findings = match found {
        Some(found) => add_types(&mut catalog, &found.project.types),
        None => Vec::new(),
    };
    run.stage((Some(catalog), findings))
}

/// The tables of a DDL file.
pub(super) fn read_schema(run: &mut Run, path: &Path) -> Option<Catalog> {
    let text = run.check(read_text(path, "schema", &[".sql", ".ddl"]))?;
    let source = run.sources.add(path.display().to_string(), text.as_str());
    let (catalog, findings) = parse_ddl(source, &text);
    run.stage((Some(catalog), findings))
}

/// The request of a file or of the flags.
pub(super) fn read_request(run: &mut Run, flags: &RequestFlags) -> Option<Request> {
    let (name, text) =
        match &flags.query_file {
            Some(path) => {
                (path.display().to_string(), run.check(read_text(path, "request", &[".json", ".yaml"]))?)
            }
            None => {
                let typed = flags.typed();
                if typed == Typed::default() {
                    run.diagnostics.push(Diagnostic::new(Code::Usage, "nothing is asked").help(
                        "name metrics with --metrics, dimensions with --by, or a file with --query-file",
                    ));
                    return None;
                }
                let json = request::to_json(&typed);
                ("<command line>".to_string(), json.to_string())
            }
        };
    let source = run.sources.add(name, text.as_str());
    run.stage(parse_request(source, &text))
}

/// What CURRENT_DATE means: `--now`, else the clock.
fn moment(flags: &RequestFlags) -> Result<Moment, Vec<Diagnostic>> {
    let micros = match &flags.now {
        Some(text) => match calendar::parse_timestamp(text) {
            Some(moment) => moment.micros,
            None => {
                let message = format!("`{text}` is no time");
                return Err(vec![
                    Diagnostic::new(Code::Usage, message).help("write --now as 2024-01-31T12:00:00Z"),
                ]);
            }
        },
        None => clock(),
    };
    Ok(at(micros))
}

/// Microseconds since 1970 by the machine's clock.
pub(super) fn clock() -> i64 {
    let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    i64::try_from(since.as_micros()).unwrap_or_default()
}

fn at(micros: i64) -> Moment {
    let text = calendar::format_timestamp(micros).replace('T', " ");
    let now = if text.contains('.') { text } else { text + ".000000" };
    Moment { now, zone: "UTC".to_string() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn moments_have_six_digits() {
        assert_eq!(at(1_705_363_199_000_000).now, "2024-01-15 23:59:59.000000");
        assert_eq!(at(1_705_363_199_000_001).now, "2024-01-15 23:59:59.000001");
    }
}
