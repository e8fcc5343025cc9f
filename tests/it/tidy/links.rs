//! Links between documents. In: every Markdown file. Out: relative links to a file or to a heading that does not exist.

use std::collections::BTreeMap;

use super::tree::{File, files};
use super::{place, report};
use unisono_tests::project;

/// A link as written, with its line.
#[derive(Debug, PartialEq, Eq)]
struct Link {
    line: usize,
    target: String,
}

/// Lines that are prose: fenced blocks are left out.
fn prose(text: &str) -> impl Iterator<Item = (usize, &str)> {
    let mut fenced = false;
    text.lines().enumerate().filter_map(move |(index, line)| {
        let fence = line.trim_start().starts_with("```") || line.trim_start().starts_with("~~~");
        let inside = fenced;
        fenced ^= fence;
        (!inside && !fence).then_some((index + 1, line))
    })
}

/// `[text](target)`, `![text](target "title")`, and `[name]: target`; code between backticks holds none.
fn links(text: &str) -> Vec<Link> {
    let mut found = Vec::new();
    for (line, written) in prose(text) {
        let spoken = written.split('`').step_by(2).collect::<Vec<_>>().join("``");
        let inline = spoken.match_indices("](").map(|(start, mark)| &spoken[start + mark.len()..]);
        let targets = inline.filter_map(|rest| rest.split([')', ' ']).next());
        let defined =
            spoken.strip_prefix('[').and_then(|rest| rest.split_once("]: ")).map(|(_, target)| target.trim());
        found.extend(targets.chain(defined).map(|target| Link { line, target: target.to_owned() }));
    }
    found
}

/// The anchors of a document's headings, as the hosts of repositories make them.
fn anchors(text: &str) -> Vec<String> {
    let mut counts: BTreeMap<String, usize> = BTreeMap::new();
    let headings = prose(text).filter_map(|(_, line)| {
        let heading = line.trim_start_matches('#');
        (heading.len() < line.len() && heading.starts_with(' ')).then_some(heading.trim())
    });
    headings
        .map(|heading| {
            let kept =
                heading.chars().filter(|&character| character.is_alphanumeric() || " -_".contains(character));
            let anchor: String = kept
                .flat_map(char::to_lowercase)
                .map(|character| if character == ' ' { '-' } else { character })
                .collect();
            let seen = counts.entry(anchor.clone()).or_default();
            *seen += 1;
            if *seen == 1 { anchor } else { format!("{anchor}-{}", *seen - 1) }
        })
        .collect()
}

/// The path from the root that `target` means in the document at `from`; nothing if it leaves the project.
fn resolve(from: &str, target: &str) -> Option<String> {
    let mut parts: Vec<&str> = from.split('/').collect();
    parts.pop();
    for part in target.split('/') {
        match part {
            "" | "." => {}
            ".." => {
                parts.pop()?;
            }
            name => parts.push(name),
        }
    }
    Some(parts.join("/"))
}

fn is_elsewhere(target: &str) -> bool {
    target.contains("://") || target.starts_with("mailto:")
}

fn fault(from: &File, target: &str) -> Option<String> {
    if is_elsewhere(target) {
        return None;
    }
    let (file, anchor) = target.split_once('#').unwrap_or((target, ""));
    let path = if file.is_empty() { Some(from.path.clone()) } else { resolve(&from.path, file) };
    let Some(path) = path.filter(|path| project(path).exists()) else {
        return Some(format!("{target} does not exist"));
    };
    let document = files().iter().find(|file| file.path == path);
    let known = anchor.is_empty()
        || document.is_none_or(|file| anchors(&file.text).iter().any(|known| known == anchor));
    (!known).then(|| format!("{target}: no such heading"))
}

#[test]
fn every_relative_link_leads_somewhere() {
    let documents = files().iter().filter(|file| file.is_a("md"));
    let broken: Vec<_> = documents
        .flat_map(|file| {
            let faults = links(&file.text)
                .into_iter()
                .filter_map(|link| Some((link.line, fault(file, &link.target)?)));
            faults.map(|(line, what)| place(&file.path, line, &what)).collect::<Vec<_>>()
        })
        .collect();
    report("A relative link names a file of the project, and a heading in it.", &broken);
}

#[test]
fn dead_links_are_seen() {
    let text =
        "See [a](a.md#one) and ![b](../b.png \"B\").\n```\n[no](no.md)\n```\n`[no](no.md)`\n[c]: c/d.md\n";
    let found: Vec<_> = links(text).into_iter().map(|link| (link.line, link.target)).collect();
    let expected = [(1, "a.md#one"), (1, "../b.png"), (6, "c/d.md")];
    assert_eq!(found, expected.map(|(line, target)| (line, target.to_owned())));

    assert_eq!(resolve("docs/guides/ci.md", "../start.md"), Some("docs/start.md".to_owned()));
    assert_eq!(resolve("README.md", "../start.md"), None);
    assert_eq!(anchors("# A `b` & C\n## A b\n## A b\n"), ["a-b--c", "a-b", "a-b-1"]);

    let file = File { path: "README.md".to_owned(), text: "# One\n".to_owned() };
    assert_eq!(fault(&file, "no/such.md"), Some("no/such.md does not exist".to_owned()));
    assert_eq!(fault(&file, "https://example.com/x"), None);
}
