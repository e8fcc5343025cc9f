//! A check compares this engine with another: what both shared could not be found wrong. So no file here may name the
//! dialects, the other engine, its columns or its rows.

use std::fs;
use std::path::{Path, PathBuf};

const SHARED: [&str; 6] =
    ["unisono_dialects", "datafusion", "arrow::", "paimon", "crate::table", "crate::lake"];

fn sources(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            sources(&path, found);
        } else {
            found.push(path);
        }
    }
}

#[test]
fn nothing_is_shared_with_the_batch_side() {
    let engine = Path::new(env!("CARGO_MANIFEST_DIR")).join("src/engine");
    let mut files = vec![engine.join("incremental.rs")];
    sources(&engine.join("incremental"), &mut files);
    assert!(files.len() > 10, "{files:?}");
    for file in files.iter().filter(|file| !file.ends_with("independence.rs")) {
        let text = fs::read_to_string(file).unwrap();
        let code = text.lines().filter(|line| !line.trim_start().starts_with("//"));
        for (line, word) in code.flat_map(|line| SHARED.map(|word| (line, word))) {
            assert!(!line.contains(word), "{}: {line}", file.display());
        }
    }
}
