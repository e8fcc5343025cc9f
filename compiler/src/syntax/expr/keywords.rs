//! The one table of words that mean something in an expression, and which of them no object of a model may be called.
//! In: a word in any case. Out: its token, or whether it is reserved.

use super::lexer::Token;

/// Why a name may not be used for an object of a model.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Reserved {
    /// A word of the expression grammar or of a query that cannot be a bare name (`E_RESERVED_NAME`).
    Keyword,
    /// A word that OSI keeps for a later version (`E_DEFERRED_KEY_REJECTED`).
    Deferred,
}

struct Keyword {
    word: &'static str,
    token: Token,
    reserved: Option<Reserved>,
}

const fn kept(word: &'static str, token: Token) -> Keyword {
    Keyword { word, token, reserved: Some(Reserved::Keyword) }
}

const fn free(word: &'static str, token: Token) -> Keyword {
    Keyword { word, token, reserved: None }
}

const fn deferred(word: &'static str, token: Token) -> Keyword {
    Keyword { word, token, reserved: Some(Reserved::Deferred) }
}

/// Sorted by word. `kept` words cannot be bare names, `free` ones can, `deferred` ones only in expressions.
const KEYWORDS: &[Keyword] = &[
    kept("ALL", Token::All),
    kept("AND", Token::And),
    kept("AS", Token::As),
    free("ASC", Token::Asc),
    kept("BETWEEN", Token::Between),
    free("BY", Token::By),
    kept("CASE", Token::Case),
    free("CURRENT", Token::Current),
    kept("CURRENT_DATE", Token::Clock),
    kept("CURRENT_TIME", Token::Clock),
    kept("CURRENT_TIMESTAMP", Token::Clock),
    free("DATE", Token::Date),
    free("DESC", Token::Desc),
    kept("DISTINCT", Token::Distinct),
    kept("ELSE", Token::Else),
    kept("END", Token::End),
    kept("EXCEPT", Token::Unused),
    kept("FALSE", Token::False),
    deferred("FILTER", Token::Filter),
    free("FIRST", Token::First),
    free("FOLLOWING", Token::Following),
    free("FOR", Token::For),
    kept("FROM", Token::From),
    deferred("GRAIN", Token::Word),
    kept("GROUP", Token::Group),
    free("GROUPS", Token::Groups),
    kept("HAVING", Token::Unused),
    kept("ILIKE", Token::ILike),
    kept("IN", Token::In),
    kept("INTERSECT", Token::Unused),
    free("INTERVAL", Token::Interval),
    kept("IS", Token::Is),
    kept("JOIN", Token::Unused),
    free("LAST", Token::Last),
    kept("LIKE", Token::Like),
    kept("LIMIT", Token::Unused),
    kept("NOT", Token::Not),
    kept("NULL", Token::Null),
    free("NULLS", Token::Nulls),
    kept("ON", Token::Unused),
    kept("OR", Token::Or),
    kept("ORDER", Token::Order),
    free("OVER", Token::Over),
    free("PARTITION", Token::Partition),
    free("POSITION", Token::Position),
    free("PRECEDING", Token::Preceding),
    deferred("QUERY_FILTER", Token::Word),
    free("RANGE", Token::Range),
    free("ROW", Token::Row),
    free("ROWS", Token::Rows),
    kept("SELECT", Token::Unused),
    kept("THEN", Token::Then),
    free("TIME", Token::Time),
    free("TIMESTAMP", Token::Timestamp),
    free("TIMESTAMP_NTZ", Token::Timestamp),
    kept("TRUE", Token::True),
    kept("UNION", Token::Unused),
    free("UNKNOWN", Token::Unknown),
    kept("WHEN", Token::When),
    kept("WHERE", Token::Where),
    kept("WITH", Token::With),
    free("WITHIN", Token::Within),
];

/// Whether an unquoted name is reserved, in any case.
pub fn reserved(name: &str) -> Option<Reserved> {
    find(name).and_then(|keyword| keyword.reserved)
}

/// The token of a word that has one of its own.
pub(super) fn token(word: &str) -> Option<Token> {
    find(word).map(|keyword| keyword.token)
}

/// Whether a token is a word that can be a bare name in an expression.
pub(super) fn may_be_name(token: Token) -> bool {
    token == Token::Word
        || KEYWORDS
            .iter()
            .any(|keyword| keyword.token == token && keyword.reserved != Some(Reserved::Keyword))
}

/// Whether a token is a word that cannot be a bare name.
pub(super) fn is_reserved(token: Token) -> bool {
    KEYWORDS.iter().any(|keyword| keyword.token == token && keyword.reserved == Some(Reserved::Keyword))
}

fn find(word: &str) -> Option<&'static Keyword> {
    let folded = || word.bytes().map(|byte| byte.to_ascii_uppercase());
    KEYWORDS.binary_search_by(|keyword| keyword.word.bytes().cmp(folded())).ok().map(|at| &KEYWORDS[at])
}

#[cfg(test)]
mod tests {
    use super::super::parse::parse_expr_str;
    use super::*;
    use crate::source::SourceId;

    #[test]
    fn the_table_is_sorted() {
        assert!(KEYWORDS.windows(2).all(|pair| pair[0].word < pair[1].word));
    }

    #[test]
    fn query_words_and_grammar_words_are_reserved_in_any_case() {
        for word in "SELECT FROM WHERE GROUP HAVING ORDER LIMIT JOIN ON UNION INTERSECT EXCEPT WITH AS ALL and Case null".split(' ') {
            assert_eq!(reserved(word), Some(Reserved::Keyword), "{word}");
        }
        for word in ["GRAIN", "filter", "Query_Filter"] {
            assert_eq!(reserved(word), Some(Reserved::Deferred), "{word}");
        }
    }

    #[test]
    fn other_words_of_sql_are_ordinary_names() {
        for word in "returns method date value user row order_month first last rows interval position cast left \"order\"".split(' ') {
            assert_eq!(reserved(word), None, "{word}");
        }
    }

    #[test]
    fn the_grammar_takes_exactly_the_words_that_are_not_keywords_as_names() {
        for keyword in KEYWORDS {
            let name = format!("t.{}", keyword.word);
            let (parsed, _) = parse_expr_str(&name, SourceId(0));
            assert_eq!(parsed.is_some(), keyword.reserved != Some(Reserved::Keyword), "{name}");
        }
    }
}
