//! Records of a CSV file (RFC 4180, comma, UTF-8, `\n` or `\r\n`), one at a time.
//! In: bytes. Out: fields; an empty field without quotes is NULL, `""` is the empty text. A blank
//! line is skipped, but in a table of one column, where it is a row that holds NULL.

use std::io::BufRead;

use memchr::{memchr, memchr_iter};

/// Reads records; keeps one record in memory.
pub struct Reader<R> {
    input: R,
    raw: Vec<u8>,
    text: String,
    fields: Vec<Field>,
    /// The first record has one field: a blank line is a record too.
    is_narrow: Option<bool>,
    next_line: u64,
    line: u64,
}

#[derive(Clone, Copy)]
struct Field {
    start: usize,
    end: usize,
    quoted: bool,
}

/// What is wrong with a file, and where.
#[derive(Debug, thiserror::Error)]
#[error("line {line}: {message}")]
pub struct CsvError {
    /// Line of the file, from 1.
    pub line: u64,
    /// What is there.
    pub message: String,
}

impl<R: BufRead> Reader<R> {
    /// Starts at the beginning of `input`.
    pub fn new(input: R) -> Self {
        Reader {
            input,
            raw: Vec::new(),
            text: String::new(),
            fields: Vec::new(),
            is_narrow: None,
            next_line: 1,
            line: 1,
        }
    }

    /// Moves to the next record; false at the end.
    pub fn advance(&mut self) -> Result<bool, CsvError> {
        loop {
            self.line = self.next_line;
            self.raw.clear();
            if !self.read_line()? {
                return Ok(false);
            }
            if self.line == 1 && self.raw.starts_with(b"\xEF\xBB\xBF") {
                self.raw.drain(..3);
            }
            // A quoted field may span lines: the record ends at the line end where the quotes are even.
            while memchr_iter(b'"', &self.raw).count() % 2 == 1 {
                if !self.read_line()? {
                    return Err(self.error("a quoted field is not closed"));
                }
            }
            while self.raw.last().is_some_and(|byte| *byte == b'\n' || *byte == b'\r') {
                self.raw.pop();
            }
            if !self.raw.is_empty() || self.is_narrow == Some(true) {
                self.split()?;
                self.is_narrow.get_or_insert(self.fields.len() == 1);
                return Ok(true);
            }
        }
    }

    /// Number of fields of the record.
    pub fn width(&self) -> usize {
        self.fields.len()
    }

    /// A field of the record; `None` is NULL.
    pub fn field(&self, at: usize) -> Option<&str> {
        let field = self.fields.get(at)?;
        if field.start == field.end && !field.quoted {
            None
        } else {
            Some(&self.text[field.start..field.end])
        }
    }

    /// The line that the record starts at.
    pub fn line(&self) -> u64 {
        self.line
    }

    fn read_line(&mut self) -> Result<bool, CsvError> {
        let read =
            self.input.read_until(b'\n', &mut self.raw).map_err(|error| self.error(&error.to_string()))?;
        self.next_line += 1;
        Ok(read > 0)
    }

    fn split(&mut self) -> Result<(), CsvError> {
        let raw = std::str::from_utf8(&self.raw).map_err(|_| self.error("the text is not UTF-8"))?;
        self.text.clear();
        self.fields.clear();
        if memchr(b'"', &self.raw).is_none() {
            self.text.push_str(raw);
            let mut start = 0;
            for end in memchr_iter(b',', &self.raw) {
                self.fields.push(Field { start, end, quoted: false });
                start = end + 1;
            }
            self.fields.push(Field { start, end: self.raw.len(), quoted: false });
            return Ok(());
        }
        let mut rest = raw;
        loop {
            let start = self.text.len();
            let quoted = rest.starts_with('"');
            if quoted {
                rest = &rest[1..];
                while let Some(at) = rest.find('"') {
                    self.text.push_str(&rest[..at]);
                    rest = &rest[at + 1..];
                    if !rest.starts_with('"') {
                        break;
                    }
                    self.text.push('"');
                    rest = &rest[1..];
                }
                if !rest.is_empty() && !rest.starts_with(',') {
                    return Err(self.error("text follows the closing quote of a field"));
                }
            } else {
                let end = rest.find(',').unwrap_or(rest.len());
                if rest[..end].contains('"') {
                    return Err(self.error("a quote stands inside a field that does not start with one"));
                }
                self.text.push_str(&rest[..end]);
                rest = &rest[end..];
            }
            self.fields.push(Field { start, end: self.text.len(), quoted });
            match rest.strip_prefix(',') {
                Some(more) => rest = more,
                None => return Ok(()),
            }
        }
    }

    fn error(&self, message: &str) -> CsvError {
        CsvError { line: self.line, message: message.to_string() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn records(text: &str) -> Result<Vec<Vec<Option<String>>>, CsvError> {
        let mut reader = Reader::new(text.as_bytes());
        let mut all = Vec::new();
        while reader.advance()? {
            all.push((0..reader.width()).map(|at| reader.field(at).map(ToString::to_string)).collect());
        }
        Ok(all)
    }

    #[test]
    fn quotes_commas_newlines_and_nulls() {
        let text = "\u{feff}id,name\r\n1,\"a, \"\"b\"\"\nc\"\n\n2,\n3,\"\"";
        let expected = [
            [Some("id"), Some("name")],
            [Some("1"), Some("a, \"b\"\nc")],
            [Some("2"), None],
            [Some("3"), Some("")],
        ];
        assert_eq!(
            records(text).unwrap(),
            expected.map(|row| row.map(|field| field.map(String::from)).to_vec())
        );
    }

    #[test]
    fn a_blank_line_is_a_null_where_there_is_one_column() {
        let row = |text: Option<&str>| vec![text.map(String::from)];
        let expected = [row(Some("a")), row(Some("1")), row(None), row(Some("")), row(None)];
        assert_eq!(records("\na\n1\n\r\n\"\"\n\n").unwrap(), expected);
    }

    #[test]
    fn errors_name_the_line() {
        assert_eq!(records("a\n\"b\n").unwrap_err().to_string(), "line 2: a quoted field is not closed");
        let error = records("a\n\"b\" c\n").unwrap_err();
        assert_eq!(error.to_string(), "line 2: text follows the closing quote of a field");
        assert_eq!(
            records("a\nb\"c\"\n").unwrap_err().to_string(),
            "line 2: a quote stands inside a field that does not start with one"
        );
    }

    #[test]
    fn an_empty_file_has_no_records() {
        assert!(records("").unwrap().is_empty());
    }
}
