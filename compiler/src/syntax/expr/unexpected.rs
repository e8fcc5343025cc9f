//! Words for a token that the grammar did not expect. In: the parser's error with the terminals it could have taken.
//! Out: one `E_PARSE` that says what was expected after what, what was found, and the likely remedy.

use lalrpop_util::ParseError;

use super::fault::{Fault, parse_fault};
use super::lexer::{Placed, Token};
use super::place::Place;
use super::settle::{Bracket, open_before};

/// The diagnostic of a failed parse.
pub(super) fn unexpected(
    place: &Place<'_>,
    tokens: &[Placed],
    error: ParseError<usize, Token, Fault>,
) -> Fault {
    let (found, mut expected) = match error {
        ParseError::User { error } => return error,
        ParseError::UnrecognizedEof { expected, .. } => (tokens.len(), expected),
        ParseError::UnrecognizedToken { token: (l, _, _), expected } => (index_of(tokens, l), expected),
        ParseError::ExtraToken { token: (l, _, _) } => (index_of(tokens, l), Vec::new()),
        ParseError::InvalidToken { location } => (index_of(tokens, location), Vec::new()),
    };
    if expected.is_empty() {
        // The expression is complete and the parser has closed it: only an operator could have gone on.
        expected.extend(["+", "OR"].map(String::from));
    }
    let at = Unexpected { place, tokens, found, expected: &expected };
    Box::new(at.diagnostic())
}

fn index_of(tokens: &[Placed], start: usize) -> usize {
    tokens.iter().position(|(l, _, _)| *l == start).unwrap_or(tokens.len())
}

struct Unexpected<'a, 't> {
    place: &'a Place<'t>,
    tokens: &'a [Placed],
    /// Index of the token; the number of tokens at the end of the text.
    found: usize,
    expected: &'a [String],
}

impl Unexpected<'_, '_> {
    fn diagnostic(&self) -> crate::diagnostic::Diagnostic {
        let message = match self.outright() {
            Some(message) => message,
            None => format!("expected {}{}, {}", self.wanted(), self.after(), self.found_text()),
        };
        let remark = if self.expects("INTEGER") { "an expression must stand here" } else { "found here" };
        let (range, remark) = match (self.token(0), self.before(1)) {
            (Some((l, _, r)), _) => ((l, r), remark),
            (None, Some((l, _, r))) => ((l, r), "the text ends after this"),
            (None, None) => ((0, 0), remark),
        };
        let found = parse_fault(self.place, message, range, remark);
        match self.advice() {
            Some(advice) => found.help(advice),
            None => found,
        }
    }

    fn expects(&self, terminal: &str) -> bool {
        self.expected.iter().any(|name| name.trim_matches('"') == terminal)
    }

    /// An operator could have stood here: an operand has just ended.
    fn after_operand(&self) -> bool {
        (self.expects("+") || self.expects("OR")) && !self.expects("INTEGER")
    }

    fn token(&self, ahead: usize) -> Option<Placed> {
        self.tokens.get(self.found + ahead).copied()
    }

    fn before(&self, back: usize) -> Option<Placed> {
        self.found.checked_sub(back).and_then(|index| self.tokens.get(index)).copied()
    }

    fn kind(&self) -> Option<Token> {
        self.token(0).map(|(_, token, _)| token)
    }

    fn kind_before(&self, back: usize) -> Option<Token> {
        self.before(back).map(|(_, token, _)| token)
    }

    fn text(&self, placed: Option<Placed>) -> &str {
        placed.map_or("", |(l, _, r)| self.place.slice(l, r))
    }

    /// The upper-cased name of the call whose parentheses are the innermost open bracket.
    fn callee(&self) -> Option<String> {
        match open_before(self.tokens, self.found).last() {
            Some((Bracket::Call | Bracket::Group, open)) => {
                let name = open.checked_sub(1).and_then(|index| self.tokens.get(index)).copied();
                Some(self.text(name).to_ascii_uppercase())
            }
            Some((Bracket::Case, _)) | None => None,
        }
    }

    /// Messages for what is not a matter of one missing token.
    fn outright(&self) -> Option<String> {
        let found = self.text(self.token(0)).to_ascii_uppercase();
        if self.subquery() {
            return Some("subqueries are not part of the expression language".to_string());
        }
        if self.after_operand() && self.is_clause() && !self.expects(&found) {
            return Some(format!("`{found}` is not part of the expression language"));
        }
        if self.chains() {
            return Some(format!("`{found}` cannot follow a comparison: comparisons do not chain"));
        }
        None
    }

    /// SELECT anywhere, WITH where an operand may begin.
    fn subquery(&self) -> bool {
        let found = self.text(self.token(0));
        found.eq_ignore_ascii_case("SELECT") || (self.kind() == Some(Token::With) && self.expects("INTEGER"))
    }

    /// A word of a query at the top of the expression.
    fn is_clause(&self) -> bool {
        matches!(
            self.kind(),
            Some(Token::Unused | Token::From | Token::Where | Token::Group | Token::Order | Token::With)
        ) && open_before(self.tokens, self.found).is_empty()
    }

    /// A comparison right after a complete one.
    fn chains(&self) -> bool {
        let compares = matches!(
            self.kind(),
            Some(
                Token::Equal
                    | Token::NotEqual
                    | Token::Less
                    | Token::LessEqual
                    | Token::Greater
                    | Token::GreaterEqual
                    | Token::Is
                    | Token::In
                    | Token::Like
                    | Token::ILike
                    | Token::Between
                    | Token::Not
            )
        );
        // After `IS NULL` no arithmetic can follow either, so AND and OR tell that an operand has ended.
        compares && self.expects("OR") && !self.expects("=") && !self.expects("INTEGER")
    }

    fn wanted(&self) -> String {
        let mut wanted: Vec<String> = Vec::new();
        let also = |wanted: &mut Vec<String>, terminals: &[&str]| {
            for terminal in terminals {
                if self.expects(terminal) {
                    wanted.push(format!("`{terminal}`"));
                }
            }
        };
        if self.expects("INTEGER") && self.expects("CASE") {
            wanted.push("an expression".to_string());
            also(&mut wanted, &[")", "WHEN"]);
        } else if self.after_operand() {
            wanted.push("an operator".to_string());
            let callee = self.callee().unwrap_or_default();
            match callee.as_str() {
                "CAST" | "TRY_CAST" => also(&mut wanted, &["AS"]),
                "EXTRACT" => also(&mut wanted, &["FROM"]),
                _ => also(&mut wanted, &[",", ")", "THEN", "WHEN", "ELSE", "END", "PRECEDING", "FOLLOWING"]),
            }
            if !self.expects("OR") {
                also(&mut wanted, &["AND", "IN"]);
            }
            if self.expects("OR") && open_before(self.tokens, self.found).is_empty() {
                wanted.push("the end of the expression".to_string());
            }
        } else if self.expects("WORD") && self.expects("DATE") && !self.expects("QUOTED") {
            wanted.push("a type".to_string());
        } else if self.expects("WORD") && self.expects("QUOTED") {
            wanted.push("a name".to_string());
        } else if self.expects("WORD") && self.kind_before(2) == Some(Token::Interval) {
            wanted.push("a unit such as `DAY`".to_string());
        } else {
            // Between arguments the keywords of special calls are possible too, but not what was forgotten.
            let in_list = self.expects(",") && self.expects(")");
            let terminals = self.expected.iter().map(|name| plain_terminal(name));
            let likely = terminals.filter(|terminal| !in_list || matches!(*terminal, "," | ")"));
            wanted.extend(likely.take(8).map(|terminal| match terminal {
                "INTEGER" => "a whole number".to_string(),
                "STRING" => "a string".to_string(),
                "WORD" => "a word".to_string(),
                terminal => format!("`{terminal}`"),
            }));
        }
        one_of(&wanted)
    }

    fn after(&self) -> String {
        match self.before(1) {
            Some(placed) => format!(" after `{}`", shorten(self.text(Some(placed)))),
            None => String::new(),
        }
    }

    fn found_text(&self) -> String {
        match self.token(0) {
            Some(placed) => format!("found `{}`", shorten(self.text(Some(placed)))),
            None => "found the end of the text".to_string(),
        }
    }

    fn advice(&self) -> Option<String> {
        let found = self.text(self.token(0));
        let adjacent =
            matches!((self.before(1), self.token(0)), (Some((_, _, r)), Some((l, _, _))) if r == l);
        let advice = match (self.kind_before(1), self.kind()) {
            (Some(Token::Equal), Some(Token::Equal)) if adjacent => "write `=` to compare",
            (Some(Token::Equal), Some(Token::Greater)) if adjacent => "write `>=`",
            (Some(Token::Equal), Some(Token::Less)) if adjacent => "write `<=`",
            (Some(Token::LessEqual), Some(Token::Greater)) if adjacent => "write `IS NOT DISTINCT FROM`",
            (Some(Token::Star), Some(Token::Star)) if adjacent => "write `POWER(x, y)`",
            (Some(Token::Slash), Some(Token::Slash)) if adjacent => "a comment begins with `--`",
            _ if self.subquery() => "refer to a field or a metric by its name instead",
            _ if self.chains() => "put one of the two comparisons in parentheses",
            (Some(Token::Over), Some(Token::Word)) => {
                "write the window out: `OVER (PARTITION BY .. ORDER BY ..)`"
            }
            (_, Some(Token::Word)) if found.eq_ignore_ascii_case("ESCAPE") => {
                "`LIKE` has no `ESCAPE`; `%` and `_` are always wildcards"
            }
            (_, Some(Token::Word)) if found.eq_ignore_ascii_case("COLLATE") => {
                "texts are compared by code point, without collations"
            }
            (Some(Token::Word), _) if self.in_trim() => "write `TRIM(BOTH 'x' FROM s)`",
            (Some(Token::In), _) if self.expects("(") => "write the values in parentheses: `x IN (a, b)`",
            (Some(Token::Word), Some(Token::String)) if self.after_operand() => {
                "the words before a literal are `DATE`, `TIME`, `TIMESTAMP`, `TIMESTAMP_NTZ` and `INTERVAL`"
            }
            (Some(Token::Interval | Token::String | Token::Integer), _) if self.in_interval() => {
                "write `INTERVAL '3' DAY`"
            }
            (_, Some(Token::As)) if !self.expects("INTEGER") && !self.expects("AS") => {
                "names are given by the model or the request, not inside an expression"
            }
            (_, Some(Token::Open)) if self.kind_before(2) == Some(Token::Point) => {
                "a function's name has one part"
            }
            (_, Some(Token::Not)) if self.expects("INTEGER") => "put `NOT ..` in parentheses",
            (Some(Token::Point), Some(Token::Star)) => "write `COUNT(*)` or name a column",
            _ if self.after_operand() && self.is_clause() => {
                "an expression has no clauses; filters, grouping, order and limit belong to the request"
            }
            (Some(Token::Comma), Some(Token::Close)) => "remove the comma",
            (before, Some(token)) if self.expects("WORD") && is_reserved(token, before) => {
                return Some(format!("`{found}` is reserved; quote it where it is a name: `\"{found}\"`"));
            }
            _ => return None,
        };
        Some(advice.to_string())
    }

    fn in_interval(&self) -> bool {
        self.expects("WORD")
            && !self.expects("QUOTED")
            && (self.kind_before(1) == Some(Token::Interval) || self.kind_before(2) == Some(Token::Interval))
    }

    /// `TRIM(BOTH 'x', s)`: without FROM the side was read as a name.
    fn in_trim(&self) -> bool {
        let word = self.text(self.before(1)).to_ascii_uppercase();
        matches!(word.as_str(), "BOTH" | "LEADING" | "TRAILING") && self.callee().as_deref() == Some("TRIM")
    }
}

/// A word that could have been meant as a name: after a point any, else none of those that join or close expressions.
fn is_reserved(token: Token, before: Option<Token>) -> bool {
    let joins = matches!(
        token,
        Token::And
            | Token::Or
            | Token::Not
            | Token::Is
            | Token::In
            | Token::Like
            | Token::ILike
            | Token::Between
            | Token::When
            | Token::Then
            | Token::Else
            | Token::As
    );
    super::keywords::is_reserved(token) && (before == Some(Token::Point) || !joins)
}

/// The grammar's name of a terminal as users write it.
fn plain_terminal(name: &str) -> &str {
    match name.trim_matches('"') {
        "IGNORE inside" => "IGNORE",
        "RESPECT inside" => "RESPECT",
        plain => plain,
    }
}

fn one_of(wanted: &[String]) -> String {
    match wanted {
        [] => "the end of the expression".to_string(),
        [only] => only.clone(),
        [first @ .., last] => format!("{} or {last}", first.join(", ")),
    }
}

/// Long texts (strings, mostly) are cut in messages.
fn shorten(text: &str) -> String {
    const LONGEST: usize = 40;
    if text.chars().count() <= LONGEST {
        return text.to_string();
    }
    let start: String = text.chars().take(LONGEST - 2).collect();
    format!("{start}..")
}
