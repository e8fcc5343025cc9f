//! The folder of artefacts. In: artefacts. Out: files and a manifest on disk, or how those on disk differ.
//! Files that an earlier manifest lists and this one does not are removed; no other file is touched.

use std::fs;
use std::path::Path;

use serde_json::{Value, json};
use unisono_compiler::diagnostic::{Code, Diagnostic};

use super::artefact::{Artefact, Origin, hash};
use crate::output::pretty;

/// The word for a file that is as it must be.
pub(super) const SAME: &str = "unchanged";

const MANIFEST: &str = "manifest.json";

/// The targets that a run is about; `None` for all. Files of other targets are left alone.
pub(super) type Scope = Option<Vec<&'static str>>;

/// A file name with its whole text.
pub(super) struct File {
    name: String,
    text: String,
}

/// What was done to a file, or what is wrong with it.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct State {
    /// The file's name in the folder.
    pub(super) path: String,
    /// `unchanged`, `written`, `removed`; or `missing`, `differs`, `stale`.
    pub(super) word: &'static str,
}

/// The files of the artefacts in order, the manifest last. The manifest keeps what an earlier one lists for targets out of
/// scope.
pub(super) fn files(folder: &Path, artefacts: &[(Artefact, Origin)], scope: &Scope) -> Vec<File> {
    let mut listed: Vec<Value> = artefacts
        .iter()
        .map(|(artefact, origin)| {
            json!({
                "pipeline": artefact.pipeline,
                "target": artefact.target,
                "kind": artefact.kind,
                "path": artefact.file_name(),
                "sha256": hash(&artefact.text),
                "dialect": artefact.dialect,
                "model": {"name": origin.model, "sha256": origin.sha256},
                "request": origin.request,
            })
        })
        .collect();
    listed.extend(earlier(folder).into_iter().filter(|entry| !in_scope(scope, entry)));
    listed.sort_by_cached_key(|entry| entry["path"].as_str().unwrap_or_default().to_string());
    let manifest = pretty(&json!({"version": 1, "artefacts": listed}));
    let own = artefacts
        .iter()
        .map(|(artefact, _)| File { name: artefact.file_name(), text: artefact.text.clone() });
    own.chain([File { name: MANIFEST.to_string(), text: manifest }]).collect()
}

/// Writes what is not there yet, and removes what an earlier manifest lists beyond.
pub(super) fn write(folder: &Path, files: &[File], scope: &Scope) -> Result<Vec<State>, Vec<Diagnostic>> {
    let stale = stale(folder, files, scope);
    let failed = |path: &Path, error: &std::io::Error| {
        let message = format!("`{}` cannot be written: {error}", path.display());
        vec![Diagnostic::new(Code::FileUnwritable, message)]
    };
    fs::create_dir_all(folder).map_err(|error| failed(folder, &error))?;
    let mut states = Vec::new();
    for file in files {
        let path = folder.join(&file.name);
        let word = if fs::read_to_string(&path).is_ok_and(|text| text == file.text) {
            SAME
        } else {
            // A reader must never see half a file.
            let temporary = folder.join(format!(".{}.{}", std::process::id(), file.name));
            fs::write(&temporary, &file.text).map_err(|error| failed(&temporary, &error))?;
            if let Err(error) = fs::rename(&temporary, &path) {
                // What is half done must not stay either.
                let _ = fs::remove_file(&temporary);
                return Err(failed(&path, &error));
            }
            "written"
        };
        states.push(State { path: file.name.clone(), word });
    }
    for name in stale {
        let path = folder.join(&name);
        fs::remove_file(&path).map_err(|error| failed(&path, &error))?;
        states.push(State { path: name, word: "removed" });
    }
    Ok(states)
}

/// How the files on disk differ from those that the project says.
pub(super) fn compare(folder: &Path, files: &[File], scope: &Scope) -> Vec<State> {
    let mut states: Vec<State> = files
        .iter()
        .map(|file| {
            let word = match fs::read_to_string(folder.join(&file.name)) {
                Ok(text) if text == file.text => SAME,
                Ok(_) => "differs",
                Err(_) => "missing",
            };
            State { path: file.name.clone(), word }
        })
        .collect();
    states.extend(stale(folder, files, scope).into_iter().map(|path| State { path, word: "stale" }));
    states
}

/// Files that the manifest on disk lists and that are not among `files`. Names with a way out of the folder are left alone.
fn stale(folder: &Path, files: &[File], scope: &Scope) -> Vec<String> {
    earlier(folder)
        .iter()
        .filter(|entry| in_scope(scope, entry))
        .filter_map(|entry| entry["path"].as_str())
        .filter(|name| !name.contains(['/', '\\']) && !files.iter().any(|file| file.name == *name))
        .filter(|name| folder.join(name).is_file())
        .map(ToString::to_string)
        .collect()
}

/// What the manifest on disk lists.
fn earlier(folder: &Path) -> Vec<Value> {
    let Ok(text) = fs::read_to_string(folder.join(MANIFEST)) else { return Vec::new() };
    let manifest: Value = serde_json::from_str(&text).unwrap_or_default();
    manifest["artefacts"].as_array().cloned().unwrap_or_default()
}

fn in_scope(scope: &Scope, entry: &Value) -> bool {
    match scope {
        None => true,
        Some(targets) => targets.iter().any(|target| entry["target"] == *target),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn artefact(target: &'static str, text: &str) -> (Artefact, Origin) {
        let artefact = Artefact {
            pipeline: "p".to_string(),
            target,
            kind: "query",
            ending: "sql",
            dialect: target.to_string(),
            text: text.to_string(),
        };
        let origin =
            Origin { model: "m".to_string(), sha256: hash("m"), request: json!({"measures": ["a"]}) };
        (artefact, origin)
    }

    fn words(states: &[State]) -> Vec<&'static str> {
        states.iter().map(|state| state.word).collect()
    }

    #[test]
    fn files_are_written_once_checked_and_replaced() {
        let folder = std::env::temp_dir().join(format!("unisono-store-{}", std::process::id()));
        let first = files(&folder, &[artefact("starrocks", "SELECT 1\n")], &None);
        assert_eq!(words(&compare(&folder, &first, &None)), ["missing", "missing"]);
        assert_eq!(words(&write(&folder, &first, &None).unwrap()), ["written", "written"]);
        assert_eq!(words(&write(&folder, &first, &None).unwrap()), [SAME, SAME]);
        fs::write(folder.join("own.txt"), "").unwrap();
        let second = files(&folder, &[artefact("starrocks", "SELECT 2\n")], &None);
        assert_eq!(words(&compare(&folder, &second, &None)), ["missing", "differs", "stale"]);
        assert_eq!(words(&write(&folder, &second, &None).unwrap()), ["written", "written", "removed"]);
        assert_eq!(words(&compare(&folder, &second, &None)), [SAME, SAME]);
        assert!(folder.join("own.txt").is_file());
        fs::remove_dir_all(&folder).unwrap();
    }

    #[test]
    fn a_run_about_one_target_leaves_the_others_alone() {
        let folder = std::env::temp_dir().join(format!("unisono-scope-{}", std::process::id()));
        let all =
            files(&folder, &[artefact("flink", "SELECT 1\n"), artefact("starrocks", "SELECT 2\n")], &None);
        write(&folder, &all, &None).unwrap();
        let scope: Scope = Some(vec!["starrocks"]);
        let same = files(&folder, &[artefact("starrocks", "SELECT 2\n")], &scope);
        assert_eq!(words(&compare(&folder, &same, &scope)), [SAME, SAME]);
        let other = files(&folder, &[artefact("starrocks", "SELECT 3\n")], &scope);
        assert_eq!(words(&write(&folder, &other, &scope).unwrap()), ["written", "written", "removed"]);
        let both =
            files(&folder, &[artefact("flink", "SELECT 1\n"), artefact("starrocks", "SELECT 3\n")], &None);
        assert_eq!(words(&compare(&folder, &both, &None)), [SAME, SAME, SAME]);
        fs::remove_dir_all(&folder).unwrap();
    }
}
