//! Files that are either whole or absent. In: a path and bytes. Out: a file whose bytes and name are on the disk.

use std::fs::{self, File};
use std::io::{self, ErrorKind, Write};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};

use serde_json::Value;

use super::error::LakeError;

/// Replaces a file in one step: written beside it, synced, renamed, the folder synced.
pub fn atomic_write(path: &Path, bytes: &[u8]) -> Result<(), LakeError> {
    let put = |temporary: &Path| fs::rename(temporary, path);
    publish(path, bytes, put).map_err(|source| written(path, source))
}

/// Makes a file that must not exist yet; `false` if it does, and then nothing changes. A hard link cannot replace a
/// file, a rename would.
pub fn create_new(path: &Path, bytes: &[u8]) -> Result<bool, LakeError> {
    let put = |temporary: &Path| {
        let linked = fs::hard_link(temporary, path);
        fs::remove_file(temporary)?;
        linked
    };
    match publish(path, bytes, put) {
        Ok(()) => Ok(true),
        Err(error) if error.kind() == ErrorKind::AlreadyExists => Ok(false),
        Err(source) => Err(written(path, source)),
    }
}

fn publish(path: &Path, bytes: &[u8], put: impl Fn(&Path) -> io::Result<()>) -> io::Result<()> {
    let folder = path.parent().unwrap_or_else(|| Path::new("."));
    fs::create_dir_all(folder)?;
    let temporary = temporary_beside(path);
    let done = (|| {
        let mut file = File::create_new(&temporary)?;
        file.write_all(bytes)?;
        file.sync_all()?;
        put(&temporary)
    })();
    if done.is_err() {
        // What is left of a failed write is ours alone; the failure itself is what is told.
        let _ = fs::remove_file(&temporary);
    }
    done?;
    sync_folder(folder)
}

/// A name that no reader takes for a table's file: Paimon looks for `snapshot-<n>`, `schema-<n>`, `tag-<name>`.
fn temporary_beside(path: &Path) -> PathBuf {
    static NEXT: AtomicU64 = AtomicU64::new(0);
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    let number = NEXT.fetch_add(1, Ordering::Relaxed);
    path.with_file_name(format!(".{name}.{}.{number}.tmp", std::process::id()))
}

/// Puts a folder's names on the disk.
pub fn sync_folder(folder: &Path) -> io::Result<()> {
    File::open(folder)?.sync_all()
}

/// Removes the files below a folder whose names begin so. One that stays behind harms nobody, so a failure is not told.
pub fn remove_of(folder: &Path, prefixes: &[String]) {
    let Ok(entries) = fs::read_dir(folder) else { return };
    for entry in entries.flatten() {
        let path = entry.path();
        if entry.file_type().is_ok_and(|kind| kind.is_dir()) {
            remove_of(&path, prefixes);
        } else if prefixes.iter().any(|prefix| entry.file_name().to_string_lossy().starts_with(prefix)) {
            let _ = fs::remove_file(&path);
        }
    }
}

/// The JSON of a file; `None` if there is no such file.
pub fn read_json(path: &Path) -> Result<Option<Value>, LakeError> {
    let Some(bytes) = read_bytes(path)? else { return Ok(None) };
    serde_json::from_slice(&bytes)
        .map(Some)
        .map_err(|error| read(path, io::Error::new(ErrorKind::InvalidData, error)))
}

/// The bytes of a file; `None` if there is no such file.
pub fn read_bytes(path: &Path) -> Result<Option<Vec<u8>>, LakeError> {
    match fs::read(path) {
        Ok(bytes) => Ok(Some(bytes)),
        Err(error) if error.kind() == ErrorKind::NotFound => Ok(None),
        Err(source) => Err(read(path, source)),
    }
}

/// An error of reading.
pub(super) fn read(path: &Path, source: io::Error) -> LakeError {
    LakeError::File { path: path.to_path_buf(), doing: "read", source }
}

/// An error of writing.
pub(super) fn written(path: &Path, source: io::Error) -> LakeError {
    LakeError::File { path: path.to_path_buf(), doing: "written", source }
}

#[cfg(test)]
mod tests {
    use super::super::tests::folder;
    use super::*;

    fn names(folder: &Path) -> Vec<String> {
        let mut names: Vec<String> = fs::read_dir(folder)
            .unwrap()
            .map(|entry| entry.unwrap().file_name().to_string_lossy().into_owned())
            .collect();
        names.sort();
        names
    }

    #[test]
    fn a_file_is_replaced_whole_and_nothing_is_left_beside_it() {
        let folder = folder("files");
        let path = folder.join("a/one.json");
        assert_eq!(read_json(&path).unwrap(), None);
        atomic_write(&path, b"[1]").unwrap();
        atomic_write(&path, b"[1, 2]").unwrap();
        assert_eq!(read_json(&path).unwrap(), Some(serde_json::json!([1, 2])));
        assert_eq!(names(&folder.join("a")), ["one.json"]);
        atomic_write(&path, b"[1").unwrap();
        assert_eq!(read_json(&path).unwrap_err().diagnostic().code.as_str(), "E_FILE_UNREADABLE");
        fs::remove_dir_all(folder).unwrap();
    }

    #[test]
    fn a_new_file_never_replaces_one() {
        let folder = folder("files-new");
        let path = folder.join("one");
        assert!(create_new(&path, b"first").unwrap());
        assert!(!create_new(&path, b"second").unwrap());
        assert_eq!(fs::read(&path).unwrap(), b"first");
        assert_eq!(names(&folder), ["one"]);
        fs::remove_dir_all(folder).unwrap();
    }

    #[test]
    fn a_folder_that_is_a_file_is_said() {
        let folder = folder("files-bad");
        fs::write(folder.join("f"), "").unwrap();
        let error = atomic_write(&folder.join("f/one"), b"x").unwrap_err();
        assert_eq!(error.diagnostic().code.as_str(), "E_FILE_UNWRITABLE");
        fs::remove_dir_all(folder).unwrap();
    }
}
