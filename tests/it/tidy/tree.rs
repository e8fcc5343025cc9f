//! The files that the project keeps. In: the tree below the root, without what tools write there. Out: paths with their texts.
//! The tree is walked, because a source archive has no git to ask.

use std::fs;
use std::path::Path;
use std::sync::OnceLock;

use unisono_tests::project;

/// What tools write and .gitignore names, relative to the root.
const WRITTEN_BY_TOOLS: [&str; 3] = ["target", ".cache", ".git"];

/// The same, wherever it stands.
const WRITTEN_ANYWHERE: [&str; 1] = ["__pycache__"];

/// Endings of what is left of a snapshot that nobody accepted.
const UNACCEPTED: [&str; 2] = [".pending-snap", ".snap.new"];

/// A text that the project keeps.
#[derive(Debug)]
pub(super) struct File {
    /// From the root, with `/` between folders.
    pub(super) path: String,
    /// The whole of it.
    pub(super) text: String,
}

impl File {
    /// Whether the name ends in a point and `extension`.
    pub(super) fn is_a(&self, extension: &str) -> bool {
        Path::new(&self.path).extension().is_some_and(|found| found == extension)
    }
}

/// Every text, sorted by path; read once.
pub(super) fn files() -> &'static [File] {
    static FILES: OnceLock<Vec<File>> = OnceLock::new();
    FILES.get_or_init(|| {
        let mut files = Vec::new();
        walk(&project(""), "", &mut files);
        files.sort_by(|left, right| left.path.cmp(&right.path));
        files
    })
}

/// The text of one file; empty if there is none.
pub(super) fn text(path: &str) -> &'static str {
    files().iter().find(|file| file.path == path).map_or("", |file| &file.text)
}

fn walk(folder: &Path, below: &str, files: &mut Vec<File>) {
    let Ok(entries) = fs::read_dir(folder) else { return };
    for entry in entries.flatten() {
        let Ok(name) = entry.file_name().into_string() else { continue };
        let path = if below.is_empty() { name.clone() } else { format!("{below}/{name}") };
        if WRITTEN_BY_TOOLS.contains(&path.as_str()) || WRITTEN_ANYWHERE.contains(&name.as_str()) {
            continue;
        }
        match entry.file_type() {
            Ok(kind) if kind.is_dir() => walk(&entry.path(), &path, files),
            Ok(kind) if kind.is_file() && !UNACCEPTED.iter().any(|ending| name.ends_with(ending)) => {
                // What is no UTF-8 is no text, and no rule speaks of it.
                if let Ok(text) = fs::read_to_string(entry.path()) {
                    files.push(File { path, text });
                }
            }
            // A link's target is read where it stands.
            _ => {}
        }
    }
}

#[test]
fn the_walk_finds_the_sources_and_leaves_out_what_tools_wrote() {
    for path in ["Cargo.toml", "compiler/src/lib.rs", "dialects/src/lib.rs", "tests/it/tidy/tree.rs"] {
        assert!(!text(path).is_empty(), "{path} was not found");
    }
    assert!(
        files().iter().all(|file| !file.path.starts_with("target/") && !file.path.starts_with(".cache/"))
    );
}
