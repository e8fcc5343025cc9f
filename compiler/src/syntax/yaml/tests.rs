//! The reader on texts written by hand: trees, places, limits and refusals.

use super::*;
use crate::diagnostic::Severity;

const SOURCE: SourceId = SourceId(0);

/// The tree in one line; `'` marks a scalar that is not verbatim.
fn show(node: &Node<'_>) -> String {
    match &node.kind {
        NodeKind::Null => "null".to_string(),
        NodeKind::Scalar(scalar) => {
            format!("{:?}{}", scalar.text, if scalar.verbatim_at.is_some() { "" } else { "'" })
        }
        NodeKind::Sequence(items) => format!("[{}]", items.iter().map(show).collect::<Vec<_>>().join(", ")),
        NodeKind::Mapping(entries) => {
            let entries: Vec<String> =
                entries.iter().map(|entry| format!("{}: {}", entry.key.value, show(&entry.value))).collect();
            format!("{{{}}}", entries.join(", "))
        }
    }
}

fn read(text: &str) -> Node<'_> {
    let (node, diagnostics) = parse_yaml(SOURCE, text);
    assert_eq!(diagnostics, [], "{text}");
    node.unwrap()
}

fn check(text: &str, expected: &str) {
    assert_eq!(show(&read(text)), expected, "{text}");
}

/// The slices of all nodes, depth first.
fn slices<'t>(text: &'t str, node: &Node<'_>) -> Vec<&'t str> {
    let own = &text[node.span.start as usize..node.span.end as usize];
    let children: Vec<&'t str> = match &node.kind {
        NodeKind::Null | NodeKind::Scalar(_) => Vec::new(),
        NodeKind::Sequence(items) => items.iter().flat_map(|item| slices(text, item)).collect(),
        NodeKind::Mapping(entries) => entries
            .iter()
            .flat_map(|entry| {
                let key = &text[entry.key.span.start as usize..entry.key.span.end as usize];
                [vec![key], slices(text, &entry.value)].concat()
            })
            .collect(),
    };
    [vec![own], children].concat()
}

fn check_slices(text: &str, expected: &[&str]) {
    assert_eq!(slices(text, &read(text)), expected, "{text}");
}

/// Code, message and marked text of each finding.
fn findings(text: &str) -> Vec<(Code, String, String)> {
    let (_, diagnostics) = parse_yaml(SOURCE, text);
    diagnostics
        .into_iter()
        .map(|diagnostic| {
            let span = diagnostic.primary.unwrap().span;
            (diagnostic.code, diagnostic.message, text[span.start as usize..span.end as usize].to_string())
        })
        .collect()
}

fn check_refused(text: &str, code: Code, message: &str, marked: &str) {
    assert_eq!(findings(text), [(code, message.to_string(), marked.to_string())], "{text}");
}

#[test]
fn scalars_keep_their_text() {
    check("[no, 1.0, 2024-01-01, true, 0x1F, 1e3]", r#"["no", "1.0", "2024-01-01", "true", "0x1F", "1e3"]"#);
    check("[null, ~, 'null', \"~\", !!str null, ]", r#"[null, null, "null", "~", "null"]"#);
    check("a:\nb: ''\nc: !!str\n", r#"{a: null, b: "", c: ""}"#);
}

#[test]
fn styles_are_unescaped_and_verbatim_where_nothing_changed() {
    check("a: 'it''s'", r#"{a: "it's"'}"#);
    check(r#"a: "x\ty""#, r#"{a: "x\ty"'}"#);
    check("a: |\n  one\n  two\nb: >-\n  one\n  two\n", r#"{a: "one\ntwo\n"', b: "one two"'}"#);
    check("a: |\n  SUM(x)\nb: >-\n  SUM(x)\n", r#"{a: "SUM(x)\n", b: "SUM(x)"}"#);
    check("a: one\n  two", r#"{a: "one two"'}"#);
}

#[test]
fn json_is_read_with_tabs_escapes_and_pairs() {
    check("{\"a\"\n:1,\t\"b\" :[ -1.5e3 ,true,null]\n}", r#"{a: "1", b: ["-1.5e3", "true", null]}"#);
    check("{\n\t\"a\": {\n\t\t\"b\": \"c\\/\\u00e4\\n\"\n\t}\n}\n", r#"{a: {b: "c/ä\n"'}}"#);
    check(r#"{"a": "\uD83D\ude00!", "b": "x"}"#, r#"{a: "😀!"', b: "x"}"#);
    check(r#"{"a":"\\uD83D","b":[]}"#, r#"{a: "\\uD83D"', b: []}"#);
    check("{\"a\":\"b\",}", r#"{a: "b"}"#);
}

#[test]
fn places_are_the_bytes_of_the_node() {
    check_slices(
        "a: \"x y\" # c\nb: &k !!str foo\n",
        &["a: \"x y\" # c\nb: &k !!str foo", "a", "\"x y\"", "b", "foo"],
    );
    check_slices(
        "- ä: [ü, {e: f} ] # z\n- |\n   SUM(x)\n\n",
        &[
            "- ä: [ü, {e: f} ] # z\n- |\n   SUM(x)",
            "ä: [ü, {e: f} ]",
            "ä",
            "[ü, {e: f} ]",
            "ü",
            "{e: f}",
            "e",
            "f",
            "SUM(x)",
        ],
    );
    check_slices(
        "\u{FEFF}x:\r\n  - 'a'\r\n  - b\r\n",
        &["x:\r\n  - 'a'\r\n  - b", "x", "- 'a'\r\n  - b", "'a'", "b"],
    );
    check_slices(
        "x: &m\n  y: 1\nz: *m\n",
        &["x: &m\n  y: 1\nz: *m", "x", "y: 1", "y", "1", "z", "y: 1", "y", "1"],
    );
    check_slices(
        r#"{"s": "\ud83d\ude00", "t": "u"}"#,
        &[r#"{"s": "\ud83d\ude00", "t": "u"}"#, "\"s\"", r#""\ud83d\ude00""#, "\"t\"", "\"u\""],
    );
}

#[test]
fn verbatim_places_point_at_the_value() {
    let text = "ä: [x, 'y', \"z\"]\nb: |\n  SUM(x)\n";
    let root = read(text);
    let mut found = Vec::new();
    for entry in root.entries().unwrap() {
        let scalars: Vec<&Scalar<'_>> = match &entry.value.kind {
            NodeKind::Sequence(items) => items.iter().filter_map(Node::scalar).collect(),
            NodeKind::Null | NodeKind::Scalar(_) | NodeKind::Mapping(_) => {
                entry.value.scalar().into_iter().collect()
            }
        };
        found.extend(scalars.into_iter().map(|scalar| &text[scalar.verbatim_at.unwrap() as usize..][..1]));
    }
    assert_eq!(found, ["x", "y", "z", "S"]);
}

#[test]
fn aliases_are_expanded() {
    check(
        "a: &x [1, {b: 2}]\nc: *x\nd: &y z\ne: *y\n",
        r#"{a: ["1", {b: "2"}], c: ["1", {b: "2"}], d: "z", e: "z"}"#,
    );
    check("a: &x 1\nb: &x 2\nc: *x\n", r#"{a: "1", b: "2", c: "2"}"#);
    check("- &k name\n- *k : v\n", r#"["name", {name: "v"}]"#);
}

#[test]
fn an_alias_inside_its_anchor_is_refused() {
    check_refused("x: &s [1, *s]", Code::Parse, "an alias stands inside what it stands for", "*s");
}

#[test]
fn keys_written_twice_name_both_places() {
    let text = "a: 1\nb: 2\n'a': 3\na: 4\n";
    let (node, diagnostics) = parse_yaml(SOURCE, text);
    assert_eq!(show(&node.unwrap()), r#"{a: "1", b: "2"}"#);
    let places: Vec<(u32, u32)> = diagnostics
        .iter()
        .map(|diagnostic| {
            (diagnostic.primary.as_ref().unwrap().span.start, diagnostic.secondary[0].span.start)
        })
        .collect();
    assert_eq!(places, [(10, 0), (17, 0)]);
    assert!(diagnostics.iter().all(|diagnostic| diagnostic.code == Code::Parse));
    assert_eq!(diagnostics[0].message, "the key `a` is written twice in one mapping");
}

#[test]
fn what_osi_documents_do_not_need_is_refused() {
    check_refused("a: {<<: {b: 1}}", Code::Parse, "merge keys (`<<`) are not supported", "<<");
    check("'<<': 1", r#"{<<: "1"}"#);
    check_refused("a: !!int 3", Code::Parse, "the tag `!!int` is not supported", "!!int 3");
    check_refused("a: !mine {b: 1}", Code::Parse, "the tag `!mine` is not supported", "!mine {");
    check_refused("a: 1\n---\nb: 2\n", Code::Parse, "a second document starts in the same file", "---");
    check_refused("{[a]: 1}", Code::Parse, "a list or mapping stands where a key is expected", "[a]");
    check_refused("null: 1", Code::Parse, "a key is null", "null");
    check_refused(
        "# x\n%TAG ! y:\n---\na: 1",
        Code::Parse,
        "a YAML directive is not supported here",
        "%TAG ! y:",
    );
    check("%YAML 1.2\n---\na: 1\n...\n", r#"{a: "1"}"#);
}

#[test]
fn a_text_without_content_is_empty() {
    check_refused("", Code::Parse, "the file is empty", "");
    check_refused(" \n\n", Code::Parse, "the file is empty", "");
    check_refused("# later\n", Code::Parse, "the file is empty: there are only comments in it", "");
    check_refused("---\n", Code::Parse, "the file is empty: there are only comments in it", "");
}

#[test]
fn unreadable_text_gets_a_place_and_advice() {
    let advice = |text: &str| {
        let (node, diagnostics) = parse_yaml(SOURCE, text);
        assert_eq!(node, None, "{text}");
        let [diagnostic] = <[Diagnostic; 1]>::try_from(diagnostics).unwrap();
        assert_eq!((diagnostic.code, diagnostic.severity()), (Code::Parse, Severity::Error));
        (diagnostic.primary.unwrap().span.start, diagnostic.help.join("; "))
    };
    assert_eq!(advice("a:\n\tb: 1\n"), (4, "indent with spaces: YAML allows no tabs there".to_string()));
    assert_eq!(
        advice("a: b: c"),
        (4, "put text that holds `: ` into quotes, or check the indentation".to_string())
    );
    assert_eq!(
        advice("a: \"\\d\""),
        (3, "inside \"..\" a `\\` begins an escape: double it, or use '..' quotes".to_string())
    );
    assert_eq!(advice("k: \"abc"), (3, "close the quotes".to_string()));
    assert_eq!(advice("a: [1, 2\nb: 3\n"), (10, "close the bracket above with `]` or `}`".to_string()));
    assert_eq!(advice("a: {b: 1\n"), (9, "separate entries with `,` and close the bracket".to_string()));
    assert_eq!(advice("e: *"), (3, "put text that starts with `*` or `&` into quotes".to_string()));
    assert_eq!(advice("e: @x"), (3, "put text that starts with this character into quotes".to_string()));
    assert_eq!(
        advice("name: \"\\ud83d\\ude00\""),
        (6, "write a character beyond U+FFFF as it is, or as `\\U0001F600`".to_string())
    );
    assert_eq!(
        advice("a: 1\nb: \u{FEFF}2\n"),
        (8, "remove the byte order mark: it may only be the first character of a file".to_string())
    );
}

#[test]
fn depth_is_limited() {
    let nested = |depth: usize| format!("{}{}", "[".repeat(depth), "]".repeat(depth));
    assert_eq!(findings(&nested(64)), []);
    let message = "lists and mappings stand more than 64 deep inside each other";
    check_refused(&nested(65), Code::LimitExceeded, message, "[");
    check_refused(&nested(300), Code::LimitExceeded, message, "[");
    check_refused(&"- ".repeat(100), Code::LimitExceeded, message, "");
    let chain: Vec<String> = (1..70).map(|step| format!("a{step}: &a{step} [*a{}]", step - 1)).collect();
    check_refused(&format!("a0: &a0 [x]\n{}", chain.join("\n")), Code::LimitExceeded, message, "*a62");
}

#[test]
fn aliases_cannot_explode() {
    let mut lines = vec!["a0: &a0 [x, x, x, x, x, x, x, x, x]".to_string()];
    for level in 1..10 {
        let aliases = vec![format!("*a{}", level - 1); 9].join(", ");
        lines.push(format!("a{level}: &a{level} [{aliases}]"));
    }
    let message =
        "the document has more than 1000000 nodes or 67108864 bytes of text once its aliases are expanded";
    let found = findings(&lines.join("\n"));
    assert_eq!(found.len(), 1);
    assert_eq!((found[0].0, found[0].1.as_str()), (Code::LimitExceeded, message));

    let long = format!("a: &a {}\nb: [{}]\n", "x".repeat(1_000_000), vec!["*a"; 100].join(", "));
    assert_eq!(findings(&long), [(Code::LimitExceeded, message.to_string(), "*a".to_string())]);
}

#[test]
fn size_is_limited() {
    let text = "#".repeat(MAX_TEXT + 1);
    assert_eq!(findings(&text)[0].0, Code::LimitExceeded);
}
