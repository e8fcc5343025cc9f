//! For people: the message, the lines it is about with marks under them, and what to do.
//! In: diagnostics and texts. Out: text in the layout of rustc; colours only if asked for.

use std::borrow::Cow;
use std::ops::Range;

use annotate_snippets::{Annotation, AnnotationKind, Element, Group, Level, Origin, Renderer, Snippet};

use super::place::{Place, Places, labels, one_line};
use crate::diagnostic::{Diagnostic, Label, Severity};
use crate::source::SourceMap;

/// A mark over more lines than this is drawn under its first line only.
const MARKED_LINES: usize = 3;

/// Labels that are farther apart than this stand in excerpts of their own.
const EXCERPT_LINES: usize = 40;

/// Lines longer than this are not shown as lines: only some characters around the mark.
const LINE_BYTES: usize = 2000;

/// Every diagnostic with the lines it points at; a blank line between two. Costs one look at each text, and then no
/// more than what is shown.
pub fn render_human(diagnostics: &[Diagnostic], sources: &SourceMap, color: bool) -> String {
    let places = Places::new(diagnostics, sources);
    let renderer = if color { Renderer::styled() } else { Renderer::plain() };
    let reports: Vec<String> =
        diagnostics.iter().map(|diagnostic| renderer.render(&[report(diagnostic, &places)]) + "\n").collect();
    reports.join("\n")
}

/// One line: `E_CODE: message (path:line:column)`.
pub fn render_line(diagnostic: &Diagnostic, sources: &SourceMap) -> String {
    let place = diagnostic.primary.as_ref().and_then(|label| {
        let path = &sources.get(label.span.source)?.path;
        let start = sources.line_column(label.span.source, label.span.start);
        Some(format!(" ({}:{}:{})", one_line(path), start.line, start.column))
    });
    format!("{}: {}{}", diagnostic.code, one_line(&diagnostic.message), place.unwrap_or_default())
}

fn report<'m>(diagnostic: &'m Diagnostic, places: &Places<'m>) -> Group<'m> {
    let level = match diagnostic.severity() {
        Severity::Error => Level::ERROR,
        Severity::Warning => Level::WARNING,
    };
    let title = level.primary_title(one_line(&diagnostic.message)).id(diagnostic.code.as_str());
    let mut elements: Vec<Element<'m>> = Vec::new();
    for excerpt in excerpts(diagnostic, places) {
        match excerpt {
            Excerpt::Lines(snippet) => elements.push(snippet.into()),
            Excerpt::Inside { origin, text } => elements.extend([origin.into(), named("here", text)]),
        }
    }
    elements
        .extend(did_you_mean(&diagnostic.candidates).map(|question| Level::HELP.message(question).into()));
    elements.extend(diagnostic.help.iter().map(|advice| Level::HELP.message(one_line(advice)).into()));
    elements.push(named("docs", diagnostic.code.command()));
    title.elements(elements)
}

/// A line of its own below the excerpts: `= name: text`.
fn named<'m>(name: &'static str, text: String) -> Element<'m> {
    Level::INFO.with_name(name).message(text).into()
}

/// "did you mean `a`, `b` or `c`?"; `None` without names.
pub fn did_you_mean(candidates: &[String]) -> Option<String> {
    let names: Vec<String> = candidates.iter().map(|name| format!("`{}`", one_line(name))).collect();
    match names.as_slice() {
        [] => None,
        [only] => Some(format!("did you mean {only}?")),
        [first @ .., last] => Some(format!("did you mean {} or {last}?", first.join(", "))),
    }
}

/// A part of a text that is shown.
enum Excerpt<'m> {
    /// Whole lines with marks.
    Lines(Snippet<'m, Annotation<'m>>),
    /// Some characters of a line that is too long.
    Inside { origin: Origin<'m>, text: String },
}

/// A label with its place.
struct Mark<'m> {
    label: &'m Label,
    place: Place<'m>,
    kind: AnnotationKind,
    /// The last line that is marked.
    last_line: usize,
}

/// The excerpts of a diagnostic: that of the main label first, then by file and line.
fn excerpts<'m>(diagnostic: &'m Diagnostic, places: &Places<'m>) -> Vec<Excerpt<'m>> {
    let marks = labels(diagnostic).filter_map(|label| {
        let place = places.place(label.span)?;
        let is_primary = diagnostic.primary.as_ref().is_some_and(|primary| std::ptr::eq(primary, label));
        let kind = if is_primary { AnnotationKind::Primary } else { AnnotationKind::Context };
        let is_short = place.end.line - place.start.line < MARKED_LINES;
        let last_line = if is_short { place.end.line } else { place.start.line };
        Some(Mark { label, place, kind, last_line })
    });
    let mut clusters: Vec<Vec<Mark<'m>>> = Vec::new();
    for mark in marks {
        let near = clusters.iter_mut().find(|cluster| {
            cluster.iter().any(|other| {
                other.label.span.source == mark.label.span.source
                    && other.place.start.line.abs_diff(mark.place.start.line) <= EXCERPT_LINES
            })
        });
        match near {
            Some(cluster) => cluster.push(mark),
            None => clusters.push(vec![mark]),
        }
    }
    clusters.iter().flat_map(|cluster| excerpt(cluster, places)).collect()
}

/// One excerpt for the marks of a cluster, or one each where the lines are too long.
fn excerpt<'m>(cluster: &[Mark<'m>], places: &Places<'m>) -> Vec<Excerpt<'m>> {
    let first = cluster.iter().map(|mark| mark.place.start.line).min().unwrap_or(1);
    let last = cluster.iter().map(|mark| mark.last_line).max().unwrap_or(first);
    let lines = cluster.first().and_then(|mark| {
        let (start, end) = places.line_bytes(mark.label.span, first, last)?;
        let text = places.text(mark.label.span)?.get(start..end)?;
        Some((start, text, mark.place.path))
    });
    match lines {
        Some((start, text, path)) if text.lines().all(|line| line.len() <= LINE_BYTES) => {
            let annotations: Vec<Annotation<'m>> =
                cluster.iter().map(|mark| annotation(mark, start, text)).collect();
            let snippet = Snippet::source(without_c1(text))
                .path(one_line(path))
                .line_start(first)
                .annotations(annotations);
            vec![Excerpt::Lines(snippet)]
        }
        Some(_) | None => cluster.iter().filter_map(|mark| inside(mark, places)).collect(),
    }
}

fn annotation<'m>(mark: &Mark<'m>, start: usize, text: &str) -> Annotation<'m> {
    let relative = |offset: u32| text.floor_char_boundary((offset as usize).saturating_sub(start));
    let from = relative(mark.label.span.start);
    let to = if mark.last_line == mark.place.end.line {
        relative(mark.label.span.end)
    } else {
        text[from..].find('\n').map_or(text.len(), |length| from + length)
    };
    let annotation = mark.kind.span(Range { start: from, end: to.max(from) });
    if mark.label.message.is_empty() { annotation } else { annotation.label(one_line(&mark.label.message)) }
}

/// Some characters around a mark in a line that is too long to show.
fn inside<'m>(mark: &Mark<'m>, places: &Places<'m>) -> Option<Excerpt<'m>> {
    const AROUND: usize = 40;
    let text = places.text(mark.label.span)?;
    let (start, end) = (mark.label.span.start as usize, mark.label.span.end as usize);
    let from = text.floor_char_boundary(start.saturating_sub(AROUND));
    let to = text.floor_char_boundary(end.min(start + AROUND) + AROUND);
    let place = &mark.place;
    let origin = Origin::path(one_line(place.path)).line(place.start.line).char_column(place.start.column);
    let remark = if mark.label.message.is_empty() { "" } else { ": " };
    let text = one_line(&format!("..{}..{remark}{}", text.get(from..to)?, mark.label.message));
    Some(Excerpt::Inside { origin, text })
}

/// The renderer shows C0 controls as pictures; the C1 controls, which some terminals obey, become a sign of the same
/// length, so that no offset moves.
fn without_c1(text: &str) -> Cow<'_, str> {
    let is_c1 = |character: char| ('\u{80}'..='\u{9F}').contains(&character);
    if text.contains(is_c1) { Cow::Owned(text.replace(is_c1, "¤")) } else { Cow::Borrowed(text) }
}

#[cfg(test)]
mod tests;
