//! What LR(1) cannot see and what must hold before the grammar runs: brackets are closed and not too deep, and a few words
//! are keywords only in one place. In: tokens of the lexer. Out: the same tokens with those words settled, or one diagnostic.

use super::fault::{self, Fault};
use super::keywords;
use super::lexer::{Placed, Token};
use super::parse::MAX_DEPTH;
use super::place::Place;

/// What an open bracket belongs to.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Bracket {
    /// `name (`.
    Call,
    /// Any other `(`.
    Group,
    /// `CASE`, closed by `END`.
    Case,
}

/// The brackets that are open before token `end`, outermost first, each with the index of its token.
pub(super) fn open_before(tokens: &[Placed], end: usize) -> Vec<(Bracket, usize)> {
    let mut open = Vec::new();
    for (index, (_, token, _)) in tokens.iter().enumerate().take(end) {
        match token {
            Token::Open => open.push((bracket(tokens, index), index)),
            Token::Case => open.push((Bracket::Case, index)),
            Token::Close | Token::End => {
                open.pop();
            }
            _ => {}
        }
    }
    open
}

/// Checks the brackets and turns the words that are keywords only here into keywords.
pub(super) fn settle(place: &Place<'_>, tokens: &mut [Placed]) -> Result<(), Fault> {
    let mut open: Vec<(Bracket, usize)> = Vec::new();
    for index in 0..tokens.len() {
        match tokens[index].1 {
            Token::Open => open.push((bracket(tokens, index), index)),
            Token::Case => open.push((Bracket::Case, index)),
            Token::Close => match open.pop() {
                Some((Bracket::Call | Bracket::Group, _)) => {}
                Some((Bracket::Case, case)) => return Err(fault::case_without_end(place, tokens[case])),
                None => return Err(fault::close_without_open(place, tokens[index])),
            },
            Token::End => match open.pop() {
                Some((Bracket::Case, _)) => {}
                Some((Bracket::Call | Bracket::Group, _)) | None => {
                    return Err(fault::end_without_case(place, tokens[index]));
                }
            },
            Token::Word => {
                tokens[index].1 = contextual(place, tokens, index, open.last().map(|(kind, _)| *kind));
            }
            _ => {}
        }
        if open.len() > MAX_DEPTH {
            return Err(fault::too_deep(place, tokens[index].0, tokens[index].2));
        }
    }
    match open.pop() {
        Some((Bracket::Case, case)) => Err(fault::case_without_end(place, tokens[case])),
        Some((Bracket::Call | Bracket::Group, opener)) => {
            Err(fault::open_without_close(place, tokens[opener]))
        }
        None => Ok(()),
    }
}

/// A word that could be a name is a call's before `(`, unless an operand has just ended (`f(x) OVER (`) or it is ORDER's BY.
fn bracket(tokens: &[Placed], index: usize) -> Bracket {
    let kind_before = |back: usize| index.checked_sub(back).map(|before| tokens[before].1);
    let Some(name) = kind_before(1) else { return Bracket::Group };
    let named = name == Token::Quoted || (keywords::may_be_name(name) && name != Token::Position);
    match kind_before(2) {
        _ if !named => Bracket::Group,
        Some(
            Token::Word
            | Token::Quoted
            | Token::String
            | Token::Integer
            | Token::Decimal
            | Token::Float
            | Token::Parameter
            | Token::Close
            | Token::End
            | Token::Clock
            | Token::Null
            | Token::Nulls
            | Token::True
            | Token::False,
        ) => Bracket::Group,
        Some(Token::Order | Token::Partition) if name == Token::By => Bracket::Group,
        _ => Bracket::Call,
    }
}

/// The token of a word in its place. `IGNORE NULLS` closing a call's parentheses belongs to that call, anywhere else to the
/// call before it: `LAST_VALUE(SUM(x) IGNORE NULLS)` is LAST_VALUE's. Before FIRST or LAST, `ignore` is a column. BOTH and
/// its like are no columns at the start of TRIM's parentheses if a FROM follows in them.
fn contextual(place: &Place<'_>, tokens: &[Placed], index: usize, inside: Option<Bracket>) -> Token {
    let (start, _, end) = tokens[index];
    let word = place.slice(start, end);
    let is = |keyword: &str| word.eq_ignore_ascii_case(keyword);
    let kind = |at: usize| tokens.get(at).map(|(_, token, _)| *token);
    if is("IGNORE") || is("RESPECT") {
        if kind(index + 1) != Some(Token::Nulls) {
            return Token::Word;
        }
        return match kind(index + 2) {
            Some(Token::First | Token::Last) => Token::Word,
            Some(Token::Close) if inside == Some(Bracket::Call) => {
                if is("IGNORE") {
                    Token::IgnoreInside
                } else {
                    Token::RespectInside
                }
            }
            _ => {
                if is("IGNORE") {
                    Token::Ignore
                } else {
                    Token::Respect
                }
            }
        };
    }
    let side = if is("BOTH") {
        Token::Both
    } else if is("LEADING") {
        Token::Leading
    } else if is("TRAILING") {
        Token::Trailing
    } else {
        return Token::Word;
    };
    let opens_trim = index >= 2
        && tokens[index - 1].1 == Token::Open
        && place.slice(tokens[index - 2].0, tokens[index - 2].2).eq_ignore_ascii_case("TRIM");
    let continued = kind(index + 1).is_none_or(continues_a_name);
    if opens_trim && !continued && from_follows(&tokens[index..]) { side } else { Token::Word }
}

/// Whether a FROM (not that of IS DISTINCT) stands before the bracket closes that the tokens begin in.
fn from_follows(tokens: &[Placed]) -> bool {
    let mut depth = 0_usize;
    let mut previous = Token::Open;
    for (_, token, _) in tokens {
        match token {
            Token::Open => depth += 1,
            Token::Close if depth == 0 => return false,
            Token::Close => depth -= 1,
            Token::From if depth == 0 && previous != Token::Distinct => return true,
            _ => {}
        }
        previous = *token;
    }
    false
}

/// Before what continues or ends an operand the word is a name: `TRIM(both)`, `TRIM(leading || 'x')`.
fn continues_a_name(next: Token) -> bool {
    matches!(
        next,
        Token::Close
            | Token::Comma
            | Token::Point
            | Token::Cast
            | Token::Plus
            | Token::Minus
            | Token::Star
            | Token::Slash
            | Token::Percent
            | Token::Concat
            | Token::Equal
            | Token::NotEqual
            | Token::Less
            | Token::LessEqual
            | Token::Greater
            | Token::GreaterEqual
            | Token::And
            | Token::Or
            | Token::Is
            | Token::In
            | Token::Like
            | Token::ILike
            | Token::Between
            | Token::Not
            | Token::Order
            | Token::As
    )
}
