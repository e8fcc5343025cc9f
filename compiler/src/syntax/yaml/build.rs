//! Events to nodes, without recursion: a stack of open lists and mappings, anchors by id, and the budget.
//! In: the parser's events. Out: the tree, or what makes it unreadable, and what is wrong inside it.

use std::borrow::Cow;
use std::collections::BTreeMap;

use saphyr_parser::{Event, Parser, Tag};

use super::input::TextInput;
use super::json::{Joined, join_surrogates};
use super::keys::{Key, read_key, without_duplicates};
use super::offset::CharOffsets;
use super::scalar::locate_scalar;
use super::{Entry, MAX_DEPTH, MAX_EXPANDED_TEXT, MAX_NODES, Node, NodeKind, Scalar, ScalarStyle, fault};
use crate::diagnostic::{Code, Diagnostic};
use crate::source::{SourceId, Span};
use crate::syntax::findings::Findings;

/// Reads the events of a text that has passed the checks on the whole.
pub(super) fn build_tree(source: SourceId, text: &str) -> (Option<Node<'_>>, Vec<Diagnostic>) {
    let joined = join_surrogates(text);
    let offsets = CharOffsets::new(&joined.text);
    let mut builder = Builder {
        source,
        text,
        joined: &joined,
        offsets,
        frames: Vec::new(),
        items: Vec::new(),
        entries: Vec::new(),
        anchors: BTreeMap::new(),
        budget: Budget { nodes: MAX_NODES, bytes: MAX_EXPANDED_TEXT },
        root: None,
        findings: Findings::default(),
    };
    let fatal = builder.read(Parser::new(TextInput::new(&joined.text))).err();
    let Builder { root, mut findings, .. } = builder;
    match (fatal, root) {
        (Some(diagnostic), _) => {
            findings.push(*diagnostic);
            (None, findings.finish())
        }
        (None, Some(Node { kind: NodeKind::Null, .. }) | None) => {
            findings.push(fault::empty(source, text));
            (None, findings.finish())
        }
        (None, Some(root)) => (Some(root), findings.finish()),
    }
}

/// What ends the reading.
type Fatal = Box<Diagnostic>;

struct Builder<'t, 'j> {
    source: SourceId,
    text: &'t str,
    joined: &'j Joined<'t>,
    offsets: CharOffsets<'j>,
    frames: Vec<Frame<'t>>,
    /// The items of all open lists, those of the innermost last: each list is made once, in its size.
    items: Vec<Node<'t>>,
    /// The entries of all open mappings, likewise.
    entries: Vec<Entry<'t>>,
    anchors: BTreeMap<usize, Anchored<'t>>,
    budget: Budget,
    root: Option<Node<'t>>,
    findings: Findings,
}

/// A list or mapping whose end has not come.
struct Frame<'t> {
    start: usize,
    anchor: usize,
    content: Content<'t>,
    /// The bytes from the first child to the last, as they stand here: an alias counts where it is written.
    inside: Option<(usize, usize)>,
}

/// What is open, with the number of items or entries of those around it.
enum Content<'t> {
    Sequence {
        outer: usize,
    },
    Mapping {
        outer: usize,
        /// The key whose value comes next.
        key: Option<Key<'t>>,
    },
}

/// What an anchor stands for.
enum Anchored<'t> {
    /// Still being read: an alias to it would contain itself.
    Open,
    /// A copy to take more copies of.
    Closed(Node<'t>),
}

/// What may still be made.
struct Budget {
    nodes: usize,
    bytes: usize,
}

impl Budget {
    fn spend(&mut self, nodes: usize, bytes: usize) -> Option<()> {
        self.nodes = self.nodes.checked_sub(nodes)?;
        self.bytes = self.bytes.checked_sub(bytes)?;
        Some(())
    }
}

/// Nodes, bytes of text and levels of a tree.
struct Size {
    nodes: usize,
    bytes: usize,
    depth: usize,
}

impl<'t> Builder<'t, '_> {
    fn read(&mut self, parser: Parser<'_, TextInput<'_>>) -> Result<(), Fatal> {
        let mut documents = 0;
        for event in parser {
            let (event, range) = match event {
                Ok(event) => event,
                Err(error) => {
                    let at = self.byte(error.marker().index());
                    let place = fault::span_of(self.source, at, self.after_character(at));
                    return Err(Box::new(fault::unreadable(&error, place)));
                }
            };
            let start = self.byte(range.start.index());
            let end = self.byte(range.end.index());
            match event {
                Event::DocumentStart(_) => {
                    documents += 1;
                    if documents > 1 {
                        let diagnostic = Diagnostic::new(Code::Parse, "a second document starts in the same file")
                            .at(self.span(start, end), "")
                            .help("put each document into a file of its own; several models may stand in one `semantic_model` list");
                        return Err(Box::new(diagnostic));
                    }
                }
                Event::Scalar(value, style, anchor, tag) => {
                    let node = self.scalar(value, style_of(style), (start, end), anchor, tag.as_deref())?;
                    let place = (node.span.start as usize, node.span.end as usize);
                    self.close(node, anchor, place)?;
                }
                Event::SequenceStart(anchor, tag) => {
                    self.check_tag(tag.as_deref(), "seq", start, end);
                    let outer = self.items.len();
                    self.open(Content::Sequence { outer }, anchor, start, end)?;
                }
                Event::MappingStart(anchor, tag) => {
                    self.check_tag(tag.as_deref(), "map", start, end);
                    let outer = self.entries.len();
                    self.open(Content::Mapping { outer, key: None }, anchor, start, end)?;
                }
                Event::SequenceEnd | Event::MappingEnd => self.end(start, end)?,
                Event::Alias(anchor) => {
                    let node = self.alias(anchor, start, end)?;
                    self.place(node, (start, end));
                }
                Event::Nothing | Event::StreamStart | Event::StreamEnd | Event::DocumentEnd => {}
            }
        }
        Ok(())
    }

    fn byte(&self, character: usize) -> usize {
        self.joined.original(self.offsets.byte(character)).min(self.text.len())
    }

    fn span(&self, start: usize, end: usize) -> Span {
        fault::span_of(self.source, start, end)
    }

    /// The end of the character at a byte.
    fn after_character(&self, at: usize) -> usize {
        at + self.text.get(at..).and_then(|rest| rest.chars().next()).map_or(0, char::len_utf8)
    }

    fn scalar(
        &mut self,
        value: Cow<'_, str>,
        style: ScalarStyle,
        (start, end): (usize, usize),
        anchor: usize,
        tag: Option<&Tag>,
    ) -> Result<Node<'t>, Fatal> {
        let place = locate_scalar(self.text, start, end, style, &value, anchor > 0 || tag.is_some());
        let span = self.span(place.start, place.end);
        self.check_tag(tag, "str", start, end);
        self.spend(1, value.len(), span)?;
        let is_null = tag.is_none()
            && style == ScalarStyle::Plain
            && matches!(&*value, "" | "~" | "null" | "Null" | "NULL");
        if is_null {
            return Ok(Node { kind: NodeKind::Null, span });
        }
        let verbatim_at = place.verbatim_at.map(|at| self.span(at, at).start);
        let scalar = Scalar { text: self.written(value, style, place.verbatim_at), style, verbatim_at };
        Ok(Node { kind: NodeKind::Scalar(scalar), span })
    }

    /// The value as it stands in the text, if it does; a block may lack its last line end there.
    fn written(&self, value: Cow<'_, str>, style: ScalarStyle, verbatim_at: Option<usize>) -> Cow<'t, str> {
        let written = match style {
            ScalarStyle::Plain | ScalarStyle::SingleQuoted | ScalarStyle::DoubleQuoted => {
                verbatim_at.and_then(|at| self.text.get(at..at + value.len()))
            }
            ScalarStyle::Literal | ScalarStyle::Folded => None,
        };
        written.map_or_else(|| Cow::Owned(value.into_owned()), Cow::Borrowed)
    }

    /// Only the tags that change nothing: `!!str`, `!!seq`, `!!map`, each on its own kind, and `!`.
    fn check_tag(&mut self, tag: Option<&Tag>, own: &str, start: usize, end: usize) {
        let Some(tag) = tag else { return };
        let name = format!("{}{}", tag.handle, tag.suffix);
        if name == "!" || name.strip_prefix("tag:yaml.org,2002:") == Some(own) {
            return;
        }
        let written = name.replace("tag:yaml.org,2002:", "!!");
        self.findings.push(
            Diagnostic::new(Code::Parse, format!("the tag `{written}` is not supported"))
                .at(self.span(start, end), "")
                .help("remove the tag: scalars keep their text"),
        );
    }

    fn open(&mut self, content: Content<'t>, anchor: usize, start: usize, end: usize) -> Result<(), Fatal> {
        if self.frames.len() >= MAX_DEPTH {
            return Err(Box::new(fault::too_deep(self.span(start, end))));
        }
        if anchor > 0 {
            self.anchors.insert(anchor, Anchored::Open);
        }
        self.frames.push(Frame { start, anchor, content, inside: None });
        Ok(())
    }

    fn end(&mut self, start: usize, end: usize) -> Result<(), Fatal> {
        let Some(Frame { start: first, anchor, content, inside }) = self.frames.pop() else { return Ok(()) };
        let kind = match content {
            Content::Sequence { outer } => NodeKind::Sequence(self.items.drain(outer..).collect()),
            Content::Mapping { outer, key: _ } => {
                let entries = self.entries.drain(outer..).collect();
                NodeKind::Mapping(without_duplicates(entries, &mut self.findings))
            }
        };
        // A bracket has a range; the end of a block has none, or that of what comes next.
        let place = if start < end && matches!(self.text.as_bytes()[start], b']' | b'}') {
            (first, start + 1)
        } else {
            // An anchor before a block is no part of it.
            let (first_child, last) = inside.unwrap_or((first, first));
            (if anchor > 0 { first_child } else { first }, last)
        };
        let span = self.span(place.0, place.1);
        self.spend(1, 0, span)?;
        self.close(Node { kind, span }, anchor, place)
    }

    /// Keeps a copy of an anchored node and puts the node into its parent.
    fn close(&mut self, node: Node<'t>, anchor: usize, place: (usize, usize)) -> Result<(), Fatal> {
        if anchor > 0 {
            let size = measure(&node);
            self.spend(size.nodes, size.bytes, node.span)?;
            self.anchors.insert(anchor, Anchored::Closed(node.clone()));
        }
        self.place(node, place);
        Ok(())
    }

    fn alias(&mut self, anchor: usize, start: usize, end: usize) -> Result<Node<'t>, Fatal> {
        let place = self.span(start, end);
        let Some(Anchored::Closed(node)) = self.anchors.get(&anchor) else {
            let diagnostic = Diagnostic::new(Code::Parse, "an alias stands inside what it stands for")
                .at(place, "")
                .help("write the value out");
            return Err(Box::new(diagnostic));
        };
        let size = measure(node);
        if self.frames.len() + size.depth > MAX_DEPTH {
            return Err(Box::new(fault::too_deep(place)));
        }
        self.budget.spend(size.nodes, size.bytes).ok_or_else(|| Box::new(fault::too_large(place)))?;
        Ok(node.clone())
    }

    fn spend(&mut self, nodes: usize, bytes: usize, place: Span) -> Result<(), Fatal> {
        self.budget.spend(nodes, bytes).ok_or_else(|| Box::new(fault::too_large(place)))
    }

    /// Puts a finished node where it belongs.
    fn place(&mut self, node: Node<'t>, (start, end): (usize, usize)) {
        let Some(frame) = self.frames.last_mut() else {
            self.root = Some(node);
            return;
        };
        frame.inside = Some((frame.inside.map_or(start, |(first, _)| first), end));
        match &mut frame.content {
            Content::Sequence { outer: _ } => self.items.push(node),
            Content::Mapping { outer: _, key } => match key.take() {
                None => {
                    *key = Some(read_key(node, &mut self.findings));
                    // Keys are no nodes of their own: what is counted is values.
                    self.budget.nodes += 1;
                }
                Some(Key::Usable(key)) => self.entries.push(Entry { key, value: node }),
                Some(Key::Refused) => {}
            },
        }
    }
}

fn style_of(style: saphyr_parser::ScalarStyle) -> ScalarStyle {
    match style {
        saphyr_parser::ScalarStyle::Plain => ScalarStyle::Plain,
        saphyr_parser::ScalarStyle::SingleQuoted => ScalarStyle::SingleQuoted,
        saphyr_parser::ScalarStyle::DoubleQuoted => ScalarStyle::DoubleQuoted,
        saphyr_parser::ScalarStyle::Literal => ScalarStyle::Literal,
        saphyr_parser::ScalarStyle::Folded => ScalarStyle::Folded,
    }
}

/// Measures a tree; its depth is bounded, so recursion is safe.
fn measure(node: &Node<'_>) -> Size {
    let add = |total: Size, part: Size| Size {
        nodes: total.nodes + part.nodes,
        bytes: total.bytes + part.bytes,
        depth: total.depth.max(part.depth + 1),
    };
    match &node.kind {
        NodeKind::Null => Size { nodes: 1, bytes: 0, depth: 0 },
        NodeKind::Scalar(scalar) => Size { nodes: 1, bytes: scalar.text.len(), depth: 0 },
        NodeKind::Sequence(items) => {
            items.iter().map(measure).fold(Size { nodes: 1, bytes: 0, depth: 1 }, add)
        }
        NodeKind::Mapping(entries) => {
            entries.iter().fold(Size { nodes: 1, bytes: 0, depth: 1 }, |total, entry| {
                let total = Size { bytes: total.bytes + entry.key.value.len(), ..total };
                add(total, measure(&entry.value))
            })
        }
    }
}
