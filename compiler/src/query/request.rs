//! The request as written: every text with its place, sugar inside texts untouched, shapes not yet decided.
//! In: JSON or YAML text. Out: what could be read, and everything that is wrong, in the order of the text.

mod entry;
mod keys;

use std::fmt;

use crate::diagnostic::{Code, Diagnostic};
use crate::source::{SourceId, Span, Spanned};
use crate::syntax::access::{Object, Title, open_object, read_list, read_text, shorten, spanned, wrong_kind};
use crate::syntax::document::Text;
use crate::syntax::findings::Findings;
use crate::syntax::yaml::{Node, NodeKind, Scalar, ScalarStyle, parse_yaml};

/// A request. A key that is absent, or null, is `None`; an empty list is not.
#[derive(Clone, PartialEq, Debug)]
pub struct Request {
    /// What to group by.
    pub dimensions: Option<Vec<Entry>>,
    /// What to compute for each group.
    pub measures: Option<Vec<Entry>>,
    /// What to show of each row.
    pub fields: Option<Vec<Entry>>,
    /// `where`: conditions that all must hold.
    pub where_all: Vec<Text>,
    /// `having`: conditions on groups that all must hold.
    pub having_all: Vec<Text>,
    /// A half-open range of time.
    pub time_range: Option<TimeRange>,
    /// Sort keys, the first one first.
    pub order_by: Vec<OrderKey>,
    /// Rows at most.
    pub limit: Option<Spanned<u64>>,
    /// Values for the parameters `:name` of expressions.
    pub params: Vec<(Spanned<String>, Spanned<ParamValue>)>,
    /// The zone of truncations, extractions and bounds.
    pub time_zone: Option<Spanned<String>>,
    /// The engine to run on, by its name in the project.
    pub engine: Option<Spanned<String>>,
    /// The version of the data.
    pub at: Option<At>,
    /// The home dataset of a scalar request.
    pub home: Option<Spanned<String>>,
    /// The whole request.
    pub span: Span,
}

/// One dimension, measure or field.
#[derive(Clone, PartialEq, Debug)]
pub struct Entry {
    /// What.
    pub expr: EntryExpr,
    /// The column name that is asked for.
    pub alias: Option<Spanned<String>>,
    /// The whole entry.
    pub span: Span,
}

/// What an entry asks for.
#[derive(Clone, PartialEq, Debug)]
pub enum EntryExpr {
    /// A name or an expression.
    Text(Text),
    /// A time field cut down to a grain.
    Grain {
        /// The time field.
        field: Text,
        /// `day`, `month`, as written.
        grain: Spanned<String>,
    },
}

/// A sort key.
#[derive(Clone, PartialEq, Debug)]
pub struct OrderKey {
    /// What to sort by.
    pub expr: EntryExpr,
    /// `DESC`, or a `-` before the text.
    pub descending: bool,
    /// `FIRST` is true, `LAST` is false, absent is the default of the direction.
    pub nulls_first: Option<bool>,
    /// The whole key.
    pub span: Span,
}

/// `start <= dimension < end`; one end may be open.
#[derive(Clone, PartialEq, Debug)]
pub struct TimeRange {
    /// The time field.
    pub dimension: Text,
    /// First moment.
    pub start: Option<Spanned<String>>,
    /// The moment after the last one.
    pub end: Option<Spanned<String>>,
    /// The whole range.
    pub span: Span,
}

/// The version of the data to read.
#[derive(Clone, PartialEq, Debug)]
pub struct At {
    /// How the version is named.
    pub kind: AtKind,
    /// Its name, number or time, as written.
    pub value: Spanned<String>,
}

/// The ways to name a version.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum AtKind {
    /// `version`: a snapshot's number.
    Version,
    /// `tag`: a tag's name.
    Tag,
    /// `time`: the last state before a moment.
    Time,
}

/// The value of a parameter. Only a plain scalar can be more than text.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum ParamValue {
    /// `null`.
    Null,
    /// `true`, `false`.
    Boolean(bool),
    /// An integer, a decimal or a float by its digits, as written.
    Number(String),
    /// Text, dates included.
    String(String),
}

/// Bytes of a request at most.
pub const MAX_TEXT: usize = 1024 * 1024;

/// Entries of one list of a request at most.
pub const MAX_ENTRIES: usize = 1000;

/// The largest `limit`.
const MAX_LIMIT: u64 = i64::MAX as u64;

/// Reads a request. `None` if the text is no mapping; with errors, the request lacks what could not be read.
pub fn parse_request(source: SourceId, text: &str) -> (Option<Request>, Vec<Diagnostic>) {
    if text.len() > MAX_TEXT {
        let message = format!("the request has {} bytes, the limit is {MAX_TEXT}", text.len());
        let whole = Span { source, start: 0, end: 0 };
        return (None, vec![Diagnostic::new(Code::LimitExceeded, message).at(whole, "")]);
    }
    let (root, diagnostics) = parse_yaml(source, text);
    let Some(root) = root else { return (None, diagnostics) };
    let mut findings = Findings::default();
    let request = read_request(&root, &mut findings);
    (request, findings.finish_with(diagnostics))
}

fn read_request(root: &Node<'_>, findings: &mut Findings) -> Option<Request> {
    let object = open_object(root, "the request", Title::Plain("the request"), &"", findings)?;
    keys::check_request_keys(&object, findings);
    Some(Request {
        dimensions: entry::read_entries(&object, "dimensions", findings),
        measures: entry::read_entries(&object, "measures", findings),
        fields: entry::read_entries(&object, "fields", findings),
        where_all: read_conditions(&object, "where", findings),
        having_all: read_conditions(&object, "having", findings),
        time_range: read_time_range(&object, findings),
        order_by: entry::read_order(&object, findings),
        limit: read_limit(&object, findings),
        params: read_params(&object, findings),
        time_zone: read_name(&object, "time_zone", findings),
        engine: read_name(&object, "engine", findings),
        at: read_at(&object, findings),
        home: read_name(&object, "home", findings),
        span: root.span,
    })
}

/// The entries of a list that is not too long.
fn read_items<'n>(value: &'n Node<'n>, key: &str, findings: &mut Findings) -> Option<&'n [Node<'n>]> {
    let items = read_list(value, format_args!("`{key}`"), key, findings)?;
    check_length(items.len(), value, key, findings).then_some(items)
}

fn check_length(length: usize, value: &Node<'_>, key: &str, findings: &mut Findings) -> bool {
    if length > MAX_ENTRIES {
        findings.push(
            Diagnostic::new(
                Code::LimitExceeded,
                format!("`{key}` has {length} entries, the limit is {MAX_ENTRIES}"),
            )
            .about(key)
            .at(value.span, "")
            .help("ask in several requests"),
        );
    }
    length <= MAX_ENTRIES
}

/// A text or a list of texts.
fn read_conditions(request: &Object<'_>, key: &str, findings: &mut Findings) -> Vec<Text> {
    let Some(value) = request.value(key) else { return Vec::new() };
    let items = if value.scalar().is_some() {
        std::slice::from_ref(value)
    } else {
        read_items(value, key, findings).unwrap_or(&[])
    };
    let name = format_args!("an entry of `{key}`");
    items.iter().filter_map(|item| read_filled_text(item, name, &key, findings)).collect()
}

/// A text that says something.
fn read_filled_text(
    node: &Node<'_>,
    name: impl fmt::Display,
    path: &dyn fmt::Display,
    findings: &mut Findings,
) -> Option<Text> {
    let text = read_text(node, &name, path, findings)?;
    if text.value.trim().is_empty() {
        findings.push(
            Diagnostic::new(Code::Parse, format!("{name} is empty"))
                .about(path.to_string())
                .at(text.span, ""),
        );
        return None;
    }
    Some(text)
}

/// A text under a key that may be absent, but not blank.
fn read_name(request: &Object<'_>, key: &str, findings: &mut Findings) -> Option<Spanned<String>> {
    let value = request.value(key)?;
    read_filled_text(value, format_args!("`{key}`"), &key, findings).map(spanned)
}

fn read_time_range(request: &Object<'_>, findings: &mut Findings) -> Option<TimeRange> {
    let value = request.value("time_range")?;
    let object = open_object(value, "`time_range`", Title::Plain("`time_range`"), &"time_range", findings)?;
    keys::check_keys(&object, keys::TIME_RANGE, findings);
    let dimension = object.required_text("dimension", findings);
    let start = read_name(&object, "start", findings);
    let end = read_name(&object, "end", findings);
    if object.value("start").is_none() && object.value("end").is_none() {
        findings.push(
            object.finding(Code::Parse, "`time_range` has neither `start` nor `end`").at(object.head, ""),
        );
        return None;
    }
    Some(TimeRange { dimension: dimension?, start, end, span: value.span })
}

fn read_limit(request: &Object<'_>, findings: &mut Findings) -> Option<Spanned<u64>> {
    let value = request.value("limit")?;
    let plain = value.scalar().filter(|scalar| scalar.style == ScalarStyle::Plain);
    let digits =
        plain.map(|scalar| &*scalar.text).filter(|text| text.bytes().all(|byte| byte.is_ascii_digit()));
    let number = digits.and_then(|digits| digits.parse().ok()).filter(|number| *number <= MAX_LIMIT);
    if number.is_none() {
        let found = value
            .scalar()
            .map_or_else(|| value.describe().to_string(), |scalar| format!("`{}`", shorten(&scalar.text)));
        let diagnostic = request
            .finding(Code::Parse, format!("`limit` must be an integer from 0 to {MAX_LIMIT}, found {found}"))
            .about("limit")
            .at(value.span, "");
        let is_quoted = plain.is_none() && value.scalar().is_some();
        findings.push(if is_quoted {
            diagnostic.help("write the number without quotes")
        } else {
            diagnostic
        });
    }
    number.map(|number| Spanned::new(number, value.span))
}

fn read_params(request: &Object<'_>, findings: &mut Findings) -> Vec<(Spanned<String>, Spanned<ParamValue>)> {
    let Some(value) = request.value("params") else { return Vec::new() };
    let object = open_object(value, "`params`", Title::Plain("`params`"), &"params", findings);
    let entries = object.map_or(&[][..], |object| object.entries);
    if !check_length(entries.len(), value, "params", findings) {
        return Vec::new();
    }
    let mut params = Vec::new();
    for entry in entries {
        let node = &entry.value;
        let param = match &node.kind {
            NodeKind::Null => ParamValue::Null,
            NodeKind::Scalar(scalar) => param_value(scalar),
            NodeKind::Sequence(_) | NodeKind::Mapping(_) => {
                let path = format!("params.{}", shorten(&entry.key.value));
                findings.push(wrong_kind(
                    node,
                    format_args!("`{}`", shorten(&entry.key.value)),
                    "a single value",
                    path,
                ));
                continue;
            }
        };
        params.push((entry.name(), Spanned::new(param, node.span)));
    }
    params
}

/// What a scalar is under YAML 1.2's core schema, without its octal and hexadecimal integers and without infinities.
fn param_value(scalar: &Scalar<'_>) -> ParamValue {
    if let Some(truth) = scalar.boolean() {
        return ParamValue::Boolean(truth);
    }
    if scalar.style == ScalarStyle::Plain && is_number(&scalar.text) {
        return ParamValue::Number(scalar.text.to_string());
    }
    ParamValue::String(scalar.text.to_string())
}

/// `[+-] (digits [. digits] | . digits) [e [+-] digits]`.
fn is_number(text: &str) -> bool {
    let unsigned = text.strip_prefix(['+', '-']).unwrap_or(text);
    let (mantissa, exponent) = match unsigned.split_once(['e', 'E']) {
        Some((mantissa, exponent)) => (mantissa, Some(exponent.strip_prefix(['+', '-']).unwrap_or(exponent))),
        None => (unsigned, None),
    };
    let digits = |part: &str| part.bytes().all(|byte| byte.is_ascii_digit());
    let (whole, fraction) = mantissa.split_once('.').unwrap_or((mantissa, ""));
    let has_digits = !whole.is_empty() || !fraction.is_empty();
    has_digits
        && digits(whole)
        && digits(fraction)
        && exponent.is_none_or(|part| !part.is_empty() && digits(part))
}

fn read_at(request: &Object<'_>, findings: &mut Findings) -> Option<At> {
    let value = request.value("at")?;
    let object = open_object(value, "`at`", Title::Plain("`at`"), &"at", findings)?;
    keys::check_keys(&object, keys::AT, findings);
    let kinds = [("version", AtKind::Version), ("tag", AtKind::Tag), ("time", AtKind::Time)];
    let mut named = kinds.into_iter().filter(|(key, _)| object.value(key).is_some());
    let (Some((key, kind)), None) = (named.next(), named.next()) else {
        let message = "`at` must have one of `version`, `tag` and `time`";
        findings.push(object.finding(Code::Parse, message).at(value.span, ""));
        return None;
    };
    read_name(&object, key, findings).map(|value| At { kind, value })
}

#[cfg(test)]
mod tests;
