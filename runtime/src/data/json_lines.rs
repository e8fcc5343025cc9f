//! Objects of a JSON lines file (one a line, UTF-8, `\n` or `\r\n`), one at a time.
//! In: bytes. Out: keys with their values as texts, a number as it is written and never as a double. A blank line is skipped; a
//! list or an object as a value is refused where it begins, so that nothing is nested.

use std::io::{BufRead, Read};
use std::ops::Range;

use memchr::memchr2;
use unisono_compiler::diagnostic::Code;

use super::infer::is_number;

/// Bytes of one line at most.
const MAX_LINE: usize = 16 << 20;

/// Keys of one object, and columns of one file, at most.
pub const MAX_KEYS: usize = 4_096;

/// Reads objects; keeps one line in memory.
pub struct Reader<R> {
    input: R,
    raw: Vec<u8>,
    text: String,
    members: Vec<Member>,
    line: u64,
}

/// A key and its value, as places in the decoded text.
struct Member {
    key: Range<usize>,
    kind: Kind,
    value: Range<usize>,
}

/// What a value is in JSON.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Kind {
    /// null.
    Null,
    /// true, false.
    Boolean,
    /// A number.
    Number,
    /// A string.
    Text,
}

/// What is wrong with a file, and where.
#[derive(Debug, thiserror::Error)]
#[error("line {line}: {message}")]
pub struct LineError {
    /// Line of the file, from 1.
    pub line: u64,
    /// What kind of finding it is.
    pub code: Code,
    /// What is there.
    pub message: String,
}

impl<R: BufRead> Reader<R> {
    /// Starts at the beginning of `input`.
    pub fn new(input: R) -> Self {
        Reader { input, raw: Vec::new(), text: String::new(), members: Vec::new(), line: 0 }
    }

    /// Moves to the next object; false at the end.
    pub fn advance(&mut self) -> Result<bool, LineError> {
        loop {
            self.line += 1;
            self.raw.clear();
            // The longest line and its end, so that a longer one is seen to be longer and not read.
            let mut bounded = (&mut self.input).take(MAX_LINE as u64 + 2);
            match bounded.read_until(b'\n', &mut self.raw) {
                Ok(0) => return Ok(false),
                Ok(_) => {}
                Err(error) => return Err(self.error(Code::DataMalformed, error.to_string())),
            }
            if self.line == 1 && self.raw.starts_with(b"\xEF\xBB\xBF") {
                self.raw.drain(..3);
            }
            while self.raw.last().is_some_and(|byte| *byte == b'\n' || *byte == b'\r') {
                self.raw.pop();
            }
            if self.raw.len() > MAX_LINE {
                let message = format!("the line is longer than {} MiB", MAX_LINE >> 20);
                return Err(self.error(Code::LimitExceeded, message));
            }
            if self.raw.iter().all(|byte| matches!(byte, b' ' | b'\t')) {
                continue;
            }
            self.text.clear();
            self.members.clear();
            let Ok(line) = std::str::from_utf8(&self.raw) else {
                return Err(self.error(Code::DataMalformed, "the text is not UTF-8".to_string()));
            };
            return match object(line, &mut self.text, &mut self.members) {
                Ok(()) => Ok(true),
                Err((code, message)) => Err(self.error(code, message)),
            };
        }
    }

    /// Number of keys of the object.
    pub fn width(&self) -> usize {
        self.members.len()
    }

    /// A key of the object.
    pub fn key(&self, at: usize) -> &str {
        self.members.get(at).map_or("", |member| &self.text[member.key.clone()])
    }

    /// What the value of a key is.
    pub fn kind(&self, at: usize) -> Kind {
        self.members.get(at).map_or(Kind::Null, |member| member.kind)
    }

    /// The value of a key: what a string says, the digits of a number as written; `None` is NULL.
    pub fn value(&self, at: usize) -> Option<&str> {
        let member = self.members.get(at).filter(|member| member.kind != Kind::Null)?;
        Some(&self.text[member.value.clone()])
    }

    /// The line that the object stands on.
    pub fn line(&self) -> u64 {
        self.line
    }

    fn error(&self, code: Code, message: String) -> LineError {
        LineError { line: self.line, code, message }
    }
}

type Fault = (Code, String);

/// Reads one object; its keys and values are added to `text`.
fn object(line: &str, text: &mut String, members: &mut Vec<Member>) -> Result<(), Fault> {
    let mut scanner = Scanner { line, at: 0 };
    if !scanner.takes(b'{') {
        return Err((Code::DataMalformed, "the line holds no object in braces".to_string()));
    }
    if !scanner.takes(b'}') {
        loop {
            if scanner.next() != Some(b'"') {
                return Err(scanner.expected("a key in double quotes"));
            }
            let key = scanner.string(text)?;
            if text[key.clone()].trim().is_empty() {
                return Err((Code::DataMalformed, "a key is empty".to_string()));
            }
            if !scanner.takes(b':') {
                return Err(scanner.expected("`:`"));
            }
            let (kind, value) = scanner.value(key.clone(), text)?;
            if members.len() == MAX_KEYS {
                return Err((Code::LimitExceeded, format!("the object has more than {MAX_KEYS} keys")));
            }
            members.push(Member { key, kind, value });
            if scanner.takes(b'}') {
                break;
            }
            if !scanner.takes(b',') {
                return Err(scanner.expected("`,` or `}`"));
            }
        }
    }
    if scanner.next().is_some() {
        return Err((Code::DataMalformed, "text follows the object".to_string()));
    }
    Ok(())
}

struct Scanner<'l> {
    line: &'l str,
    at: usize,
}

impl Scanner<'_> {
    /// The next byte that is no space.
    fn next(&mut self) -> Option<u8> {
        let bytes = self.line.as_bytes();
        while matches!(bytes.get(self.at), Some(b' ' | b'\t' | b'\r')) {
            self.at += 1;
        }
        bytes.get(self.at).copied()
    }

    /// Whether that byte comes next; it is passed.
    fn takes(&mut self, byte: u8) -> bool {
        let found = self.next() == Some(byte);
        self.at += usize::from(found);
        found
    }

    /// A string, decoded into `text`.
    fn string(&mut self, text: &mut String) -> Result<Range<usize>, Fault> {
        let begin = self.at + 1;
        let (mut end, mut escaped) = (begin, false);
        loop {
            match memchr2(b'"', b'\\', self.line.as_bytes().get(end..).unwrap_or_default()) {
                None => return Err((Code::DataMalformed, "a text is not closed".to_string())),
                Some(found) if self.line.as_bytes()[end + found] == b'"' => {
                    end += found;
                    break;
                }
                Some(found) => {
                    escaped = true;
                    end += found + 2;
                }
            }
        }
        let inner = &self.line[begin..end];
        if inner.bytes().any(|byte| byte < b' ') {
            let message = "a text holds a control character that is not escaped".to_string();
            return Err((Code::DataMalformed, message));
        }
        let start = text.len();
        if escaped {
            let whole = &self.line[self.at..=end];
            let decoded: String = serde_json::from_str(whole).map_err(|_| {
                (Code::DataMalformed, "a text holds an escape that JSON does not know".to_string())
            })?;
            text.push_str(&decoded);
        } else {
            text.push_str(inner);
        }
        self.at = end + 1;
        Ok(start..text.len())
    }

    /// The value of a key.
    fn value(&mut self, key: Range<usize>, text: &mut String) -> Result<(Kind, Range<usize>), Fault> {
        match self.next() {
            Some(b'"') => return Ok((Kind::Text, self.string(text)?)),
            Some(byte @ (b'{' | b'[')) => {
                let what = if byte == b'{' { "an object" } else { "a list" };
                let message = format!("`{}` holds {what}, and a column holds one value", &text[key]);
                return Err((Code::DataMalformed, message));
            }
            Some(_) | None => {}
        }
        let rest = &self.line[self.at..];
        let end = rest.find([',', '}', ' ', '\t', '\r']).unwrap_or(rest.len());
        let word = &rest[..end];
        let kind = match word {
            "null" => Kind::Null,
            "true" | "false" => Kind::Boolean,
            number if is_number(number) => Kind::Number,
            _ => return Err(self.expected("a text in double quotes, a number, true, false or null")),
        };
        let start = text.len();
        text.push_str(word);
        self.at += end;
        Ok((kind, start..text.len()))
    }

    fn expected(&self, what: &str) -> Fault {
        let column = self.line[..self.at].chars().count() + 1;
        (Code::DataMalformed, format!("{what} is expected at column {column}"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    type Row = Vec<(String, Kind, Option<String>)>;

    fn rows(text: &[u8]) -> Result<Vec<Row>, LineError> {
        let mut reader = Reader::new(text);
        let mut all = Vec::new();
        while reader.advance()? {
            let row = (0..reader.width()).map(|at| {
                let value = reader.value(at).map(ToString::to_string);
                (reader.key(at).to_string(), reader.kind(at), value)
            });
            all.push(row.collect());
        }
        Ok(all)
    }

    fn wrong(text: &str) -> String {
        rows(text.as_bytes()).unwrap_err().to_string()
    }

    #[test]
    fn values_are_what_is_written() {
        let text = "\u{feff}{\"a\": 1.10, \"b\":\"x\\u00e9\\n\\ud83d\\ude00\\\"\",\"c\" : null}\r\n\n \t\n{}\n{\"a\":-0,\"b\":\"\",\"c\":true}";
        let row = |parts: &[(&str, Kind, Option<&str>)]| -> Row {
            parts.iter().map(|(key, kind, value)| ((*key).into(), *kind, value.map(Into::into))).collect()
        };
        let expected = [
            row(&[
                ("a", Kind::Number, Some("1.10")),
                ("b", Kind::Text, Some("x\u{e9}\n\u{1f600}\"")),
                ("c", Kind::Null, None),
            ]),
            row(&[]),
            row(&[
                ("a", Kind::Number, Some("-0")),
                ("b", Kind::Text, Some("")),
                ("c", Kind::Boolean, Some("true")),
            ]),
        ];
        assert_eq!(rows(text.as_bytes()).unwrap(), expected);
    }

    #[test]
    fn digits_are_kept_as_they_are() {
        let digits = "12345678901234567890123456789012345678.10";
        let read = rows(format!("{{\"a\":{digits}}}").as_bytes()).unwrap();
        assert_eq!(read[0][0].2.as_deref(), Some(digits));
        assert_eq!(rows(b"{\"a\":1E+05}").unwrap()[0][0].2.as_deref(), Some("1E+05"));
    }

    #[test]
    fn what_is_no_flat_object_is_refused_with_its_line() {
        assert_eq!(wrong("{\"a\":1}\n[1]\n"), "line 2: the line holds no object in braces");
        assert_eq!(wrong("\n{\"a\":[1]}"), "line 2: `a` holds a list, and a column holds one value");
        assert_eq!(wrong("{\"a\":{}}"), "line 1: `a` holds an object, and a column holds one value");
        assert_eq!(wrong("{\"a\":1} 2"), "line 1: text follows the object");
        assert_eq!(wrong("{\"a\":1"), "line 1: `,` or `}` is expected at column 7");
        assert_eq!(wrong("{\"a\":1,}"), "line 1: a key in double quotes is expected at column 8");
        assert_eq!(wrong("{\"a\" 1}"), "line 1: `:` is expected at column 6");
        assert_eq!(wrong("{\" \":1}"), "line 1: a key is empty");
        assert_eq!(wrong("{\"a\":\"x"), "line 1: a text is not closed");
        assert_eq!(wrong("{\"a\":\"x\\\"}"), "line 1: a text is not closed");
        assert_eq!(wrong("{\"a\":\"x\\"), "line 1: a text is not closed");
        assert_eq!(wrong("{\"a\":\"\\q\"}"), "line 1: a text holds an escape that JSON does not know");
        assert_eq!(wrong("{\"a\":\"\\ud83d\"}"), "line 1: a text holds an escape that JSON does not know");
        assert_eq!(wrong("{\"a\":\"\t\"}"), "line 1: a text holds a control character that is not escaped");
        let error = rows(b"{\"a\":\"\xff\"}").unwrap_err();
        assert_eq!(error.to_string(), "line 1: the text is not UTF-8");
        for word in ["NaN", "01", "+1", ".5", "1.", "1e", "nul", "True", "Infinity", "'x'", "0x1", ""] {
            let said = wrong(&format!("{{\"a\":{word}}}"));
            assert!(said.contains("true, false or null is expected at column 6"), "{word}: {said}");
        }
    }

    #[test]
    fn a_line_and_an_object_have_limits() {
        let fits = format!("{{\"a\":\"{}\"}}\r\n{{}}\n", "x".repeat(MAX_LINE - 8));
        assert_eq!(rows(fits.as_bytes()).unwrap().len(), 2);
        let longer = format!("{{\"a\":\"{}\"}}\n", "x".repeat(MAX_LINE - 7));
        let error = rows(longer.as_bytes()).unwrap_err();
        assert_eq!(
            (error.code, error.to_string().as_str()),
            (Code::LimitExceeded, "line 1: the line is longer than 16 MiB")
        );
        let keys: Vec<String> = (0..=MAX_KEYS).map(|number| format!("\"k{number}\":1")).collect();
        assert_eq!(rows(format!("{{{}}}", keys[1..].join(",")).as_bytes()).unwrap()[0].len(), MAX_KEYS);
        let error = rows(format!("{{{}}}", keys.join(",")).as_bytes()).unwrap_err();
        assert_eq!(error.code, Code::LimitExceeded);
        // Brackets are refused at the first one, however many follow.
        let deep = format!("{{\"a\":{}", "[".repeat(1 << 20));
        assert_eq!(wrong(&deep), "line 1: `a` holds a list, and a column holds one value");
    }

    #[test]
    fn an_empty_file_has_no_objects() {
        assert!(rows(b"").unwrap().is_empty());
    }
}
