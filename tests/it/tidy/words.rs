//! What no file may hold: places on one machine, hosts of registries, work that was put off.

use super::rust::has_word;
use super::tree::{File, files};
use super::{place, report};

// The words are written in two halves: this file is among those that are searched.
const FOLDERS: [&str; 4] =
    [concat!("/wo", "rk/"), concat!("/ro", "ot/"), concat!("/ho", "me/"), concat!("/Use", "rs/")];

const HOSTS: [&str; 7] = [
    concat!("crates", ".io"),
    concat!("pypi", ".org"),
    concat!("pythonhosted", ".org"),
    concat!("repo.maven", ".apache.org"),
    concat!("repo1.maven", ".org"),
    concat!("deb.debian", ".org"),
    concat!("registry.npmjs", ".org"),
];

const PUT_OFF: [&str; 4] =
    [concat!("TO", "DO"), concat!("FIX", "ME"), concat!("XX", "X"), concat!("HA", "CK")];

/// Cargo writes the registry into it, at the root and in fuzz/.
const LOCK: &str = "Cargo.lock";

/// A folder that begins a path: no letter, digit or dot before it, as in a URL or in a relative path.
fn machine_path(line: &str) -> Option<&'static str> {
    let inside_a_path = |character: char| character.is_alphanumeric() || "._-*}".contains(character);
    FOLDERS
        .into_iter()
        .find(|folder| line.match_indices(folder).any(|(start, _)| !line[..start].ends_with(inside_a_path)))
}

fn places(
    files: impl Iterator<Item = &'static File>,
    broken: impl Fn(&str) -> Option<&'static str>,
) -> Vec<String> {
    files
        .flat_map(|file| {
            let lines = file.text.lines().enumerate();
            lines
                .filter_map(|(index, line)| broken(line).map(|word| place(&file.path, index + 1, word)))
                .collect::<Vec<_>>()
        })
        .collect()
}

#[test]
fn no_file_knows_one_machine() {
    let broken = places(files().iter(), machine_path);
    report("No file holds an absolute path of one machine.", &broken);
}

#[test]
fn no_file_names_a_registry_host() {
    let searched = files().iter().filter(|file| !file.path.ends_with(LOCK));
    let broken = places(searched, |line| HOSTS.into_iter().find(|host| line.contains(host)));
    report("Registries are configured outside of the project: no file names their hosts.", &broken);
}

#[test]
fn nothing_is_put_off() {
    let broken = places(files().iter(), |line| PUT_OFF.into_iter().find(|word| has_word(line, word)));
    report("Work that is left is an issue, not a note in a file.", &broken);
}

#[test]
fn forbidden_words_are_seen() {
    let [folder, ..] = FOLDERS;
    assert_eq!(machine_path(&format!("cd {folder}main")), Some(folder));
    assert_eq!(machine_path(&format!("file://{folder}main")), Some(folder));
    assert_eq!(machine_path(&format!("https://example.com{folder}main and tests{folder}x")), None);
}
