//! A project with its warehouse open: what every verb that touches the lake starts from. In: the project file's place.
//! Out: the lake, its records, the models; a merge that a crash left half done is finished or undone first.

use std::path::{Path, PathBuf};

use unisono_compiler::diagnostic::{Code, Diagnostic};
use unisono_compiler::syntax::document::SemanticModel;

use crate::lake::{Lake, LakeError, Line};
use crate::models::{Found, need_project, project_models, read_models};
use crate::output::Run;
use crate::version::{Store, merge};

/// A project and its warehouse.
pub struct Workspace {
    /// The project.
    pub found: Found,
    /// Its tables.
    pub lake: Lake,
    /// Its records.
    pub store: Store,
}

/// The models of a project, with their texts by path.
pub struct Models {
    /// Every model of every file.
    pub models: Vec<SemanticModel>,
    /// File by file: the path relative to the project, the text.
    pub texts: Vec<(String, String)>,
}

/// Opens the warehouse of a project; a warehouse that does not exist is made by `load` only.
pub async fn open(run: &mut Run, project: Option<&Path>, may_make: bool) -> Option<Workspace> {
    let found = need_project(run, project)?;
    let path = run.check(warehouse_path(&found))?;
    let lake = if may_make && !path.exists() { Lake::init(&path) } else { Lake::open(&path) };
    let lake = taken(run, lake)?;
    let store = Store::new(lake.root());
    let note = run.check(merge::recover(&lake, &store).await)?;
    run.notes.extend(note);
    Some(Workspace { found, lake, store })
}

impl Workspace {
    /// The project's models; findings in them are errors here.
    pub fn models(&self, run: &mut Run) -> Option<Models> {
        let paths = project_models(run, &self.found);
        let files = read_models(run, &paths);
        run.check_since(0)?;
        let mut all = Models { models: Vec::new(), texts: Vec::new() };
        for file in files {
            let below = file.path.strip_prefix(&self.found.directory).unwrap_or(&file.path);
            all.texts.push((
                below.display().to_string(),
                run.sources.get(file.source).map(|source| source.text.clone()).unwrap_or_default(),
            ));
            all.models.extend(file.document.into_iter().flat_map(|document| document.models));
        }
        Some(all)
    }

    /// The line that a verb works on. A branch must be whole.
    pub fn line(&self, run: &mut Run, branch: Option<&str>) -> Option<Line> {
        let Some(name) = branch else { return Some(Line::Main) };
        let line = taken(run, Line::parse(name))?;
        if line == Line::Main {
            return Some(line);
        }
        run.check(crate::version::branch::whole(&self.store, name))?;
        Some(line)
    }

    /// Refuses to write a main that the project protects.
    pub fn may_write(&self, run: &mut Run, line: &Line) -> Option<()> {
        if *line == Line::Main && self.found.project.main_protected {
            run.diagnostics.push(
                Diagnostic::new(Code::MainProtected, "main is protected: only a merge writes it")
                    .help("work on a branch: unisono branch create NAME, then --branch NAME, then unisono branch merge NAME"),
            );
            return None;
        }
        Some(())
    }
}

/// The value, or its failure as a finding; a failure of storage is the lakehouse's, not the user's.
pub fn taken<T>(run: &mut Run, result: Result<T, LakeError>) -> Option<T> {
    checked(run, result.map_err(|error| vec![error.diagnostic()]))
}

/// The value, or its findings are kept, with the note whether the lakehouse or an engine failed.
pub fn checked<T>(run: &mut Run, result: Result<T, Vec<Diagnostic>>) -> Option<T> {
    if let Err(findings) = &result {
        run.engine_failed |= findings.iter().any(|finding| is_storage(finding.code));
    }
    run.check(result)
}

/// Whether a finding is the lakehouse's or an engine's failure, and no fault of what was asked.
fn is_storage(code: Code) -> bool {
    matches!(
        code,
        Code::EngineFailed
            | Code::EngineUnreachable
            | Code::CommitLost
            | Code::FileUnwritable
            | Code::TableLocked
    )
}

fn warehouse_path(found: &Found) -> Result<PathBuf, Vec<Diagnostic>> {
    match &found.project.warehouse {
        Some(warehouse) => {
            let text = &warehouse.path.value;
            if text.contains("://") {
                return Err(vec![
                    Diagnostic::new(
                        Code::Warehouse,
                        format!("the warehouse `{text}` is not on this machine's disks"),
                    )
                    .at(warehouse.path.span, "")
                    .help("name a local folder; object stores are not supported yet"),
                ]);
            }
            Ok(found.directory.join(text))
        }
        None => Err(vec![
            Diagnostic::new(Code::Warehouse, format!("`{}` names no warehouse", found.path.display()))
                .help("add `warehouse: {path: ./warehouse}`"),
        ]),
    }
}
