//! Files of text that people name: models, requests, DDL, the project file.
//! In: a path. Out: its text, or a finding that says what stands there instead and what was perhaps meant.

use std::fs;
use std::io::{ErrorKind, Read};
use std::path::Path;

use unisono_compiler::diagnostic::{Code, Diagnostic};

/// Bytes of one text at most; what the compiler reads is bounded again there.
const MAX_BYTES: u64 = 64 * 1024 * 1024;

/// The text of a file; `-` is standard input. `what` says what the file is to be, `endings` how such files end.
pub fn read_text(path: &Path, what: &str, endings: &[&str]) -> Result<String, Vec<Diagnostic>> {
    if path == Path::new("-") {
        let mut bytes = Vec::new();
        let read = std::io::stdin().lock().take(MAX_BYTES + 1).read_to_end(&mut bytes);
        read.map_err(|error| unreadable(format!("the {what} on standard input cannot be read: {error}")))?;
        return text(bytes, "standard input", what);
    }
    let shown = path.display().to_string();
    if path.is_dir() {
        let inside = file_names(path, endings);
        let finding =
            Diagnostic::new(Code::FileUnreadable, format!("`{shown}` is a directory, not a {what}"));
        let help = match inside.first() {
            Some(first) => format!("name a file in it, such as `{}`", path.join(first).display()),
            None => format!("name a file that ends in {}", endings.join(", ")),
        };
        return Err(vec![finding.help(help)]);
    }
    if fs::metadata(path).is_ok_and(|metadata| metadata.len() > MAX_BYTES) {
        return Err(too_large(&shown, what));
    }
    match fs::read(path) {
        Ok(bytes) => text(bytes, &shown, what),
        Err(error) if error.kind() == ErrorKind::NotFound => {
            let name = path.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
            let parent = path.parent().filter(|parent| !parent.as_os_str().is_empty());
            let parent = parent.unwrap_or_else(|| Path::new("."));
            let siblings = file_names(parent, endings);
            let finding =
                Diagnostic::new(Code::FileUnreadable, format!("the {what} `{shown}` does not exist"))
                    .suggest(&name, siblings.iter().map(String::as_str));
            Err(vec![if parent.is_dir() {
                finding
            } else {
                finding.help(format!("the directory `{}` does not exist either", parent.display()))
            }])
        }
        Err(error) => Err(unreadable(format!("the {what} `{shown}` cannot be read: {error}"))),
    }
}

fn text(bytes: Vec<u8>, shown: &str, what: &str) -> Result<String, Vec<Diagnostic>> {
    if bytes.len() as u64 > MAX_BYTES {
        return Err(too_large(shown, what));
    }
    String::from_utf8(bytes).map_err(|error| {
        let valid = error.utf8_error().valid_up_to();
        let line = error.as_bytes()[..valid].split(|byte| *byte == b'\n').count();
        let message = format!("the {what} `{shown}` is not UTF-8 text: line {line} holds a byte that is not");
        vec![Diagnostic::new(Code::FileUnreadable, message).help("save the file as UTF-8")]
    })
}

fn unreadable(message: String) -> Vec<Diagnostic> {
    vec![Diagnostic::new(Code::FileUnreadable, message)]
}

fn too_large(shown: &str, what: &str) -> Vec<Diagnostic> {
    let message = format!("the {what} `{shown}` is larger than {} MiB", MAX_BYTES / 1024 / 1024);
    vec![Diagnostic::new(Code::LimitExceeded, message)]
}

fn file_names(directory: &Path, endings: &[&str]) -> Vec<String> {
    let Ok(entries) = fs::read_dir(directory) else { return Vec::new() };
    let mut names: Vec<String> = entries
        .flatten()
        .filter(|entry| entry.path().is_file())
        .map(|entry| entry.file_name().to_string_lossy().into_owned())
        .filter(|name| endings.iter().any(|ending| name.ends_with(ending)))
        .collect();
    names.sort();
    names
}

#[cfg(test)]
mod tests {
    use super::*;

    fn directory(name: &str) -> std::path::PathBuf {
        let path = std::env::temp_dir().join(format!("unisono-load-{name}-{}", std::process::id()));
        fs::create_dir_all(&path).unwrap();
        path
    }

    #[test]
    fn a_directory_is_said_to_be_one_and_a_file_in_it_is_named() {
        let path = directory("dir");
        fs::write(path.join("shop.yaml"), "a: b\n").unwrap();
        let findings = read_text(&path, "model", &[".yaml"]).unwrap_err();
        assert!(findings[0].message.ends_with("is a directory, not a model"), "{}", findings[0].message);
        assert!(findings[0].help[0].ends_with("shop.yaml`"), "{}", findings[0].help[0]);
        fs::remove_dir_all(&path).unwrap();
    }

    #[test]
    fn a_missing_file_is_said_with_near_names() {
        let path = directory("missing");
        fs::write(path.join("shop.yaml"), "a: b\n").unwrap();
        let findings = read_text(&path.join("shp.yaml"), "model", &[".yaml"]).unwrap_err();
        assert_eq!(findings[0].candidates, ["shop.yaml"]);
        let findings = read_text(&path.join("no/shop.yaml"), "model", &[".yaml"]).unwrap_err();
        assert_eq!(findings[0].help.len(), 1);
        fs::remove_dir_all(&path).unwrap();
    }

    #[test]
    fn bytes_that_are_no_text_name_the_line() {
        let path = directory("bytes");
        fs::write(path.join("m.yaml"), b"a: b\nc: \xff\n").unwrap();
        let findings = read_text(&path.join("m.yaml"), "model", &[".yaml"]).unwrap_err();
        assert!(findings[0].message.contains("line 2"), "{}", findings[0].message);
        fs::remove_dir_all(&path).unwrap();
    }
}
