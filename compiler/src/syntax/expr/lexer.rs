//! The words of the expression language. In: a text. Out: tokens with byte ranges, or the first place that is no token.
//! Tokens carry no text; whoever needs it slices the range.

use logos::{Lexer, Logos};

use super::keywords;

/// A token with the bytes that it stands on.
pub(super) type Placed = (usize, Token, usize);

/// One kind of token. Variants without a pattern are words that the keyword table tells apart.
#[derive(Logos, Clone, Copy, PartialEq, Eq, Debug)]
#[logos(error = Misfit)]
#[logos(skip r"\p{White_Space}+")]
#[logos(skip(r"--[^\r\n]*", allow_greedy = true))]
pub(super) enum Token {
    #[regex(r"[\p{XID_Start}_]\p{XID_Continue}*")]
    Word,
    #[regex(r#""([^"]|"")+""#)]
    #[token(r#""""#, |_| misfit(Misfit::EmptyName))]
    #[regex(r#""([^"]|"")+"#, |_| misfit(Misfit::OpenName))]
    #[token(r#"""#, |_| misfit(Misfit::OpenName))]
    Quoted,
    #[regex(r"'([^']|'')*'")]
    #[regex(r"'([^']|'')*", |_| misfit(Misfit::OpenString))]
    String,
    #[regex(r"[0-9]+")]
    Integer,
    #[regex(r"[0-9]+\.[0-9]*|\.[0-9]+")]
    Decimal,
    // `1e5` is a number and not a digit that runs into a name, hence the priorities.
    #[regex(r"([0-9]+\.?[0-9]*|\.[0-9]+)[eE][+-]?[0-9]+", priority = 20)]
    #[regex(r"([0-9]+\.?[0-9]*|\.[0-9]+)[\p{XID_Start}_]\p{XID_Continue}*", |_| misfit(Misfit::NumberRunsOn), priority = 10)]
    Float,
    #[regex(r":[\p{XID_Start}_]\p{XID_Continue}*")]
    Parameter,

    #[token("+")]
    Plus,
    #[token("-")]
    Minus,
    #[token("*")]
    Star,
    #[token("/")]
    #[token("/*", block_comment)]
    Slash,
    #[token("%")]
    Percent,
    #[token("||")]
    Concat,
    #[token("=")]
    Equal,
    #[token("<>")]
    #[token("!=")]
    NotEqual,
    #[token("<")]
    Less,
    #[token("<=")]
    LessEqual,
    #[token(">")]
    Greater,
    #[token(">=")]
    GreaterEqual,
    #[token("(")]
    Open,
    #[token(")")]
    Close,
    #[token(",")]
    Comma,
    #[token(".")]
    Point,
    #[token("::")]
    Cast,

    All,
    And,
    As,
    Asc,
    Between,
    By,
    Case,
    /// `CURRENT_DATE`, `CURRENT_TIME`, `CURRENT_TIMESTAMP`.
    Clock,
    Current,
    Date,
    Desc,
    Distinct,
    Else,
    End,
    False,
    Filter,
    First,
    Following,
    For,
    From,
    Group,
    Groups,
    ILike,
    In,
    Interval,
    Is,
    Last,
    Like,
    Not,
    Null,
    Nulls,
    Or,
    Order,
    Over,
    Partition,
    Position,
    Preceding,
    Range,
    Row,
    Rows,
    Then,
    Time,
    Timestamp,
    True,
    Unknown,
    When,
    Where,
    With,
    Within,
    /// A reserved word that no rule of the grammar uses.
    Unused,

    /// `IGNORE` before `NULLS`, where it is no name (see `settle`).
    Ignore,
    /// `RESPECT` before `NULLS`, where it is no name.
    Respect,
    /// The same two as the last words of a call's parentheses.
    IgnoreInside,
    /// `RESPECT NULLS` inside a call's parentheses.
    RespectInside,
    /// `BOTH` at the start of TRIM's parentheses, where it is no name.
    Both,
    /// `LEADING`, likewise.
    Leading,
    /// `TRAILING`, likewise.
    Trailing,
}

/// Why a place is no token.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub(super) enum Misfit {
    /// A character that starts nothing.
    #[default]
    Character,
    /// `'` without its end.
    OpenString,
    /// `"` without its end.
    OpenName,
    /// `/*` without its end.
    OpenComment,
    /// `""`.
    EmptyName,
    /// `12ab`.
    NumberRunsOn,
}

/// All tokens of a text, keywords told apart from names by their spelling alone.
pub(super) fn lex(text: &str) -> Result<Vec<Placed>, (Misfit, usize, usize)> {
    // Tokens are seldom shorter than this on average, and growing the list costs more than the room.
    let mut tokens = Vec::with_capacity(text.len() / 4 + 4);
    for (token, range) in Token::lexer(text).spanned() {
        let token = match token {
            Ok(Token::Word) => keywords::token(&text[range.clone()]).unwrap_or(Token::Word),
            Ok(token) => token,
            Err(misfit) => return Err((misfit, range.start, range.end)),
        };
        tokens.push((range.start, token, range.end));
    }
    Ok(tokens)
}

/// The callback of a pattern that is an error.
fn misfit(misfit: Misfit) -> Result<(), Misfit> {
    Err(misfit)
}

/// Skips to the first `*/`; comments do not nest.
fn block_comment(lexer: &mut Lexer<'_, Token>) -> logos::FilterResult<(), Misfit> {
    match lexer.remainder().find("*/") {
        Some(end) => {
            lexer.bump(end + 2);
            logos::FilterResult::Skip
        }
        None => logos::FilterResult::Error(Misfit::OpenComment),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn kinds(text: &str) -> Vec<Token> {
        lex(text).expect("a text of tokens").into_iter().map(|(_, token, _)| token).collect()
    }

    #[test]
    fn numbers_are_told_apart_by_point_and_exponent() {
        assert_eq!(
            kinds("1 1.5 .5 5. 1e5 1.5E-3 .5e+2 5.e1"),
            [
                Token::Integer,
                Token::Decimal,
                Token::Decimal,
                Token::Decimal,
                Token::Float,
                Token::Float,
                Token::Float,
                Token::Float
            ]
        );
        assert_eq!(lex("12ab"), Err((Misfit::NumberRunsOn, 0, 4)));
        assert_eq!(lex("a + 1e"), Err((Misfit::NumberRunsOn, 4, 6)));
    }

    #[test]
    fn quotes_are_doubled_inside_and_backslashes_are_plain() {
        assert_eq!(lex(r"'it''s' 'a\'"), Ok(vec![(0, Token::String, 7), (8, Token::String, 12)]));
        assert_eq!(lex("\"a\"\"b\""), Ok(vec![(0, Token::Quoted, 6)]));
        assert_eq!(kinds("''"), [Token::String]);
    }

    #[test]
    fn what_is_left_open_is_named() {
        assert_eq!(lex("a 'bc''"), Err((Misfit::OpenString, 2, 7)));
        assert_eq!(lex("a \"bc"), Err((Misfit::OpenName, 2, 5)));
        assert_eq!(lex("a \""), Err((Misfit::OpenName, 2, 3)));
        assert_eq!(lex("a \"\""), Err((Misfit::EmptyName, 2, 4)));
        assert_eq!(lex("a /* b"), Err((Misfit::OpenComment, 2, 4)));
        assert_eq!(lex("a ; b"), Err((Misfit::Character, 2, 3)));
    }

    #[test]
    fn comments_and_blanks_vanish() {
        assert_eq!(kinds("a -- b\n/* c ** / */ + /**/ d\u{a0}--"), [Token::Word, Token::Plus, Token::Word]);
    }

    #[test]
    fn operators_are_read_longest_first() {
        assert_eq!(
            kinds("a::b!=c<>d||e<=f>=g"),
            [
                Token::Word,
                Token::Cast,
                Token::Word,
                Token::NotEqual,
                Token::Word,
                Token::NotEqual,
                Token::Word,
                Token::Concat,
                Token::Word,
                Token::LessEqual,
                Token::Word,
                Token::GreaterEqual,
                Token::Word
            ]
        );
    }

    #[test]
    fn words_are_unicode_and_keywords_have_any_case() {
        assert_eq!(
            kinds("größe _x 売上 aNd :from"),
            [Token::Word, Token::Word, Token::Word, Token::And, Token::Parameter]
        );
    }
}
