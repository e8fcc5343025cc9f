//! The folder of artefacts. In: artefacts. Out: files and a manifest on disk, or how those on disk differ.
//! Files that an earlier manifest lists and this one does not are removed, and those whose name holds their own hash: a run that broke off
//! before its manifest left them. No other file is touched.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use serde_json::{Value, json};
use unisono_compiler::diagnostic::{Code, Diagnostic};

use super::artefact::{Artefact, HASH_DIGITS, Origin};
use crate::output::pretty;
use crate::version::hash;

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
pub(super) fn files(
    folder: &Path,
    artefacts: &[(Artefact, Origin)],
    scope: &Scope,
) -> Result<Vec<File>, Vec<Diagnostic>> {
    let earlier = match (earlier(folder), scope) {
        (Some(entries), _) => entries,
        (None, None) => Vec::new(),
        // What it lists for other targets cannot be kept, and may not be forgotten.
        (None, Some(_)) => {
            let message = format!("`{}` is no manifest", folder.join(MANIFEST).display());
            return Err(vec![
                Diagnostic::new(Code::FileUnreadable, message)
                    .help("write it anew for all targets: unisono compile without --target"),
            ]);
        }
    };
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
    let keeps = |entry: &Value| entry["target"].as_str().is_some_and(|target| !in_scope(scope, target));
    listed.extend(earlier.into_iter().filter(keeps));
    listed.sort_by_cached_key(|entry| entry["path"].as_str().unwrap_or_default().to_string());
    let manifest = pretty(&json!({"version": 1, "artefacts": listed}));
    let own = artefacts
        .iter()
        .map(|(artefact, _)| File { name: artefact.file_name(), text: artefact.text.clone() });
    Ok(own.chain([File { name: MANIFEST.to_string(), text: manifest }]).collect())
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
            let written = fs::write(&temporary, &file.text).and_then(|()| fs::rename(&temporary, &path));
            if let Err(error) = written {
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

/// Files that the manifest on disk lists, or that hold what their name says, and that are not among `files`. Names with a way out of the
/// folder are left alone.
fn stale(folder: &Path, files: &[File], scope: &Scope) -> Vec<String> {
    let listed = earlier(folder).unwrap_or_default();
    let listed = listed
        .iter()
        .filter(|entry| {
            scope.is_none() || entry["target"].as_str().is_some_and(|target| in_scope(scope, target))
        })
        .filter_map(|entry| entry["path"].as_str().map(ToString::to_string));
    let mut names: BTreeSet<String> = listed.collect();
    let entries = fs::read_dir(folder).into_iter().flatten().flatten();
    let own = entries.filter_map(|entry| entry.file_name().into_string().ok());
    names.extend(own.filter(|name| is_own(folder, name, scope)));
    names
        .into_iter()
        .filter(|name| !name.contains(['/', '\\']) && !files.iter().any(|file| file.name == *name))
        .filter(|name| folder.join(name).is_file())
        .collect()
}

/// Whether a file has the name of an artefact and the text that the name tells the hash of.
fn is_own(folder: &Path, name: &str, scope: &Scope) -> bool {
    let mut parts = name.rsplitn(5, '.').skip(1);
    let (Some(digits), Some(_kind), Some(target), Some(_pipeline)) =
        (parts.next(), parts.next(), parts.next(), parts.next())
    else {
        return false;
    };
    let is_hash = digits.len() == HASH_DIGITS;
    is_hash
        && in_scope(scope, target)
        && fs::read_to_string(folder.join(name)).is_ok_and(|text| hash(&text)[..HASH_DIGITS] == *digits)
}

/// What the manifest on disk lists, nothing if there is none; `None` if it is no manifest.
fn earlier(folder: &Path) -> Option<Vec<Value>> {
    let path = folder.join(MANIFEST);
    if !path.exists() {
        return Some(Vec::new());
    }
    let manifest: Value = serde_json::from_str(&fs::read_to_string(path).ok()?).ok()?;
    manifest["artefacts"].as_array().cloned()
}

fn in_scope(scope: &Scope, target: &str) -> bool {
    scope.as_ref().is_none_or(|targets| targets.contains(&target))
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
        let first = files(&folder, &[artefact("starrocks", "SELECT 1\n")], &None).unwrap();
        assert_eq!(words(&compare(&folder, &first, &None)), ["missing", "missing"]);
        assert_eq!(words(&write(&folder, &first, &None).unwrap()), ["written", "written"]);
        assert_eq!(words(&write(&folder, &first, &None).unwrap()), [SAME, SAME]);
        fs::write(folder.join("own.txt"), "").unwrap();
        let second = files(&folder, &[artefact("starrocks", "SELECT 2\n")], &None).unwrap();
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
            files(&folder, &[artefact("flink", "SELECT 1\n"), artefact("starrocks", "SELECT 2\n")], &None)
                .unwrap();
        write(&folder, &all, &None).unwrap();
        let scope: Scope = Some(vec!["starrocks"]);
        let same = files(&folder, &[artefact("starrocks", "SELECT 2\n")], &scope).unwrap();
        assert_eq!(words(&compare(&folder, &same, &scope)), [SAME, SAME]);
        let other = files(&folder, &[artefact("starrocks", "SELECT 3\n")], &scope).unwrap();
        assert_eq!(words(&write(&folder, &other, &scope).unwrap()), ["written", "written", "removed"]);
        let both =
            files(&folder, &[artefact("flink", "SELECT 1\n"), artefact("starrocks", "SELECT 3\n")], &None)
                .unwrap();
        assert_eq!(words(&compare(&folder, &both, &None)), [SAME, SAME, SAME]);
        fs::remove_dir_all(&folder).unwrap();
    }

    #[test]
    fn what_a_run_that_broke_off_has_left_is_removed() {
        let folder = std::env::temp_dir().join(format!("unisono-broken-off-{}", std::process::id()));
        let first = files(&folder, &[artefact("starrocks", "SELECT 1\n")], &None).unwrap();
        write(&folder, &first, &None).unwrap();
        // The text of a later run came to the disk, and its manifest did not.
        let lost = artefact("starrocks", "SELECT 2\n").0.file_name();
        fs::write(folder.join(&lost), "SELECT 2\n").unwrap();
        // Names of that form whose text is another are somebody else's.
        let other = "p.starrocks.query.0123456789abcdef.sql";
        fs::write(folder.join(other), "SELECT 2\n").unwrap();
        let third = files(&folder, &[artefact("starrocks", "SELECT 3\n")], &None).unwrap();
        assert_eq!(words(&compare(&folder, &third, &None)), ["missing", "differs", "stale", "stale"]);
        let flink: Scope = Some(vec!["flink"]);
        let none = files(&folder, &[], &flink).unwrap();
        assert_eq!(words(&compare(&folder, &none, &flink)), [SAME]);
        write(&folder, &third, &None).unwrap();
        assert!(!folder.join(&lost).exists() && folder.join(other).is_file());
        assert_eq!(words(&compare(&folder, &third, &None)), [SAME, SAME]);
        fs::remove_dir_all(&folder).unwrap();
    }

    #[test]
    fn a_broken_manifest_is_not_taken_for_an_empty_one() {
        let folder = std::env::temp_dir().join(format!("unisono-broken-manifest-{}", std::process::id()));
        let all = files(&folder, &[artefact("flink", "SELECT 1\n")], &None).unwrap();
        write(&folder, &all, &None).unwrap();
        fs::write(folder.join(MANIFEST), "{\"artefacts\": [").unwrap();
        let scope: Scope = Some(vec!["starrocks"]);
        let refused = files(&folder, &[artefact("starrocks", "SELECT 2\n")], &scope).err().unwrap();
        assert_eq!(refused[0].code, Code::FileUnreadable);
        let anew = files(&folder, &[artefact("flink", "SELECT 1\n")], &None).unwrap();
        assert_eq!(words(&write(&folder, &anew, &None).unwrap()), [SAME, "written"]);
        fs::remove_dir_all(&folder).unwrap();
    }

    #[test]
    fn what_cannot_be_written_leaves_nothing_half_done() {
        let folder = std::env::temp_dir().join(format!("unisono-half-{}", std::process::id()));
        let wanted = files(&folder, &[artefact("starrocks", "SELECT 1\n")], &None).unwrap();
        // A folder stands where the file has to be.
        fs::create_dir_all(folder.join(&wanted[0].name)).unwrap();
        assert_eq!(write(&folder, &wanted, &None).unwrap_err()[0].code, Code::FileUnwritable);
        assert_eq!(fs::read_dir(&folder).unwrap().count(), 1);
        fs::remove_dir_all(&folder).unwrap();
    }
}
