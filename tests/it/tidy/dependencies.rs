//! Who may depend on whom: compiler <- dialects <- runtime <- tests, and no engine below runtime.
//! In: the crates' manifests and Cargo.lock. Out: the edges that point the wrong way.

use std::collections::{BTreeMap, BTreeSet};

use super::report;
use super::tree::text;

/// The crates in their order; each may use those before it.
const ORDER: [&str; 4] = ["compiler", "dialects", "runtime", "tests"];

/// The crates that may not reach an engine, a terminal or a runtime, not even through others.
const PURE: [&str; 2] = ["compiler", "dialects"];

/// Packages, each with all that begin with its name and `-`.
const IMPURE: [&str; 11] = [
    "arrow",
    "async-std",
    "clap",
    "datafusion",
    "hyper",
    "mysql_async",
    "paimon",
    "parquet",
    "reqwest",
    "rustls",
    "tokio",
];

/// What a manifest asks for, by the kind of dependency.
#[derive(Default, Debug, PartialEq, Eq)]
struct Dependencies {
    /// For the crate and for its build script.
    built: BTreeSet<String>,
    /// For its tests, benches and examples.
    tests_only: BTreeSet<String>,
}

fn manifest(text: &str) -> Dependencies {
    let mut found = Dependencies::default();
    let mut section = "";
    for line in text.lines().map(str::trim) {
        if let Some(header) = line.strip_prefix('[').and_then(|rest| rest.strip_suffix(']')) {
            section = header;
            // `[dependencies.arrow]` names its package in the header.
            if let Some((kind, name)) = header.rsplit_once("dependencies.") {
                add(&mut found, kind, name);
            }
        } else if let Some(kind) = section.strip_suffix("dependencies") {
            let name = line.split(['=', '.', ' ']).next().unwrap_or_default();
            if !name.is_empty() && !name.starts_with('#') {
                add(&mut found, kind, name);
            }
        }
    }
    found
}

fn add(found: &mut Dependencies, kind: &str, name: &str) {
    let name = name.trim().trim_matches('"').to_owned();
    if kind.ends_with("dev-") {
        found.tests_only.insert(name)
    } else {
        found.built.insert(name)
    };
}

/// What each locked package depends on, all its versions together.
fn lock(text: &str) -> BTreeMap<&str, BTreeSet<&str>> {
    let mut packages: BTreeMap<&str, BTreeSet<&str>> = BTreeMap::new();
    for package in text.split("[[package]]").skip(1) {
        let mut lines = package.lines().map(str::trim);
        let Some(name) = lines.find_map(|line| line.strip_prefix("name = ")) else { continue };
        let listed =
            lines.skip_while(|line| *line != "dependencies = [").skip(1).take_while(|line| *line != "]");
        let entries = listed.filter_map(|line| line.trim_matches([',', '"']).split(' ').next());
        packages.entry(name.trim_matches('"')).or_default().extend(entries);
    }
    packages
}

/// The ways from the given packages to impure ones, each the shortest.
fn impure_paths(from: &BTreeSet<String>, packages: &BTreeMap<&str, BTreeSet<&str>>) -> Vec<String> {
    let mut seen: BTreeSet<&str> = from.iter().map(String::as_str).collect();
    let mut queue: Vec<Vec<&str>> = seen.iter().map(|name| vec![*name]).collect();
    let mut found = Vec::new();
    let mut next = 0;
    while next < queue.len() {
        let path = queue[next].clone();
        next += 1;
        let Some(&last) = path.last() else { continue };
        if is_impure(last) {
            found.push(path.join(" -> "));
            continue;
        }
        for &dependency in packages.get(last).into_iter().flatten() {
            if seen.insert(dependency) {
                queue.push([path.as_slice(), &[dependency]].concat());
            }
        }
    }
    found
}

fn is_impure(name: &str) -> bool {
    IMPURE
        .iter()
        .any(|impure| name.strip_prefix(impure).is_some_and(|rest| rest.is_empty() || rest.starts_with('-')))
}

#[test]
fn crates_depend_in_one_direction() {
    let mut broken = Vec::new();
    for (place, krate) in ORDER.iter().enumerate() {
        let path = format!("{krate}/Cargo.toml");
        let asked = manifest(text(&path));
        assert!(!asked.built.is_empty(), "{path} names no dependency");
        for later in &ORDER[place..] {
            let name = format!("unisono-{later}");
            if asked.built.contains(&name) || asked.tests_only.contains(&name) {
                broken.push(format!("{path}: depends on {name}"));
            }
        }
    }
    report("Dependencies run compiler <- dialects <- runtime <- tests.", &broken);
}

#[test]
fn compiler_and_dialects_pull_in_no_engine() {
    let packages = lock(text("Cargo.lock"));
    assert!(packages.contains_key("unisono-compiler"), "Cargo.lock was not read");
    let mut broken = Vec::new();
    for krate in PURE {
        let mut asked = manifest(text(&format!("{krate}/Cargo.toml"))).built;
        // The lock mixes a crate's own tests in; its manifest does not, and the compiler's is looked at by itself.
        asked.remove("unisono-compiler");
        broken.extend(
            impure_paths(&asked, &packages).into_iter().map(|path| format!("{krate}/Cargo.toml: {path}")),
        );
    }
    report("Neither compiler nor dialects reaches an engine, a terminal or a runtime.", &broken);
}

#[test]
fn wrong_edges_are_seen() {
    let text = "[package]\nname = \"a\"\n[dependencies]\n# why\nserde.workspace = true\nb = { path = \"../b\" }\n\
                [dev-dependencies]\ndivan = \"1\"\n[target.'cfg(unix)'.dependencies.arrow-json]\nversion = \"1\"\n";
    let asked = manifest(text);
    assert_eq!(asked.built, ["arrow-json", "b", "serde"].map(str::to_owned).into());
    assert_eq!(asked.tests_only, ["divan".to_owned()].into());

    let locked = "[[package]]\nname = \"b\"\nversion = \"1\"\ndependencies = [\n \"c\",\n \"d 1.0.0\",\n]\n\n\
                  [[package]]\nname = \"d\"\nversion = \"1.0.0\"\ndependencies = [\n \"tokio-util\",\n]\n";
    assert_eq!(impure_paths(&["b".to_owned()].into(), &lock(locked)), ["b -> d -> tokio-util"]);
    assert!(is_impure("arrow") && is_impure("clap-derive") && !is_impure("arrowhead"));
}
