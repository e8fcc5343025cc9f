//! Text to tree. In: a scalar of a document or a text of its own. Out: its tree, or what is wrong with it (one finding).
//! Nothing here recurses over its input: brackets are counted on the tokens, and no node grows higher than the limit.

use super::fault::{self, Fault};
use super::grammar::ExprParser;
use super::lexer::{self, Token};
use super::place::Place;
use super::settle::settle;
use super::tree::{Expr, ExprKind};
use super::unexpected::unexpected;
use crate::diagnostic::Diagnostic;
use crate::source::{SourceId, Span};
use crate::syntax::document::Text;

/// The longest text, in bytes.
pub const MAX_BYTES: usize = 64 * 1024;

/// The deepest nesting of brackets, and the height of the tree: each operator of a chain is a level.
pub const MAX_DEPTH: usize = 128;

/// The tree of a document's expression. Spans are places in the document's file, or the whole scalar where the file does
/// not hold the text character for character.
pub fn parse_expr(text: &Text) -> (Option<Expr>, Vec<Diagnostic>) {
    parse_at(&Place { text: &text.value, whole: text.span, verbatim_at: text.verbatim_at })
}

/// The tree of a text that is a source of its own.
pub fn parse_expr_str(text: &str, source: SourceId) -> (Option<Expr>, Vec<Diagnostic>) {
    let end = u32::try_from(text.len()).unwrap_or(u32::MAX);
    parse_at(&Place { text, whole: Span { source, start: 0, end }, verbatim_at: Some(0) })
}

fn parse_at(place: &Place<'_>) -> (Option<Expr>, Vec<Diagnostic>) {
    match parse(place) {
        Ok(expr) => (Some(expr), Vec::new()),
        Err(fault) => (None, vec![*fault]),
    }
}

fn parse(place: &Place<'_>) -> Result<Expr, Fault> {
    if place.text.len() > MAX_BYTES {
        return Err(fault::too_long(place));
    }
    let mut tokens =
        lexer::lex(place.text).map_err(|(misfit, start, end)| fault::misfit(place, misfit, start, end))?;
    if tokens.is_empty() {
        return Err(fault::empty(place));
    }
    // Most fields are columns of one word, and the grammar takes it through every level of operators.
    if let [(l, Token::Word, r)] = tokens[..] {
        return Ok(place.leaf(ExprKind::Name(vec![place.bare(l, r)]), l, r).value);
    }
    settle(place, &mut tokens)?;
    match ExprParser::new().parse(place, tokens.iter().copied()) {
        Ok(tall) => Ok(tall.value),
        Err(error) => Err(unexpected(place, &tokens, error)),
    }
}

#[cfg(test)]
mod tests;
