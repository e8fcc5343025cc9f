//! The text as the parser asks for it. The crate's own input for texts makes room for 128 more bytes in each plain scalar, and
//! decodes a character each time that it is looked at; both cost more than the rest of a scalar.
//! In: a text. Out: its characters one by one, and `\0` behind the last.

use std::str::Chars;

use saphyr_parser::Input;
use saphyr_parser::input::{is_blank_or_breakz, is_flow};

/// What the parser may look ahead at once, and the room that it makes in a plain scalar; as in the crate's input for iterators.
const LOOK_AHEAD: usize = 16;

/// A text that is being read.
pub(super) struct TextInput<'t> {
    next: Option<char>,
    /// What comes after `next`.
    rest: Chars<'t>,
}

impl<'t> TextInput<'t> {
    /// Before the first character.
    pub(super) fn new(text: &'t str) -> Self {
        let mut rest = text.chars();
        TextInput { next: rest.next(), rest }
    }
}

impl Input for TextInput<'_> {
    /// All of the text is there already.
    fn lookahead(&mut self, _: usize) {}

    fn buflen(&self) -> usize {
        LOOK_AHEAD
    }

    fn bufmaxlen(&self) -> usize {
        LOOK_AHEAD
    }

    fn raw_read_ch(&mut self) -> char {
        let character = self.peek();
        self.skip();
        character
    }

    fn raw_read_non_breakz_ch(&mut self) -> Option<char> {
        let character = self.next.filter(|next| !matches!(next, '\0' | '\n' | '\r' | '\u{FEFF}'))?;
        self.skip();
        Some(character)
    }

    #[inline]
    fn skip(&mut self) {
        self.next = self.rest.next();
    }

    fn skip_n(&mut self, count: usize) {
        for _ in 0..count {
            self.skip();
        }
    }

    #[inline]
    fn peek(&self) -> char {
        self.next.unwrap_or('\0')
    }

    #[inline]
    fn peek_nth(&self, n: usize) -> char {
        match n.checked_sub(1) {
            None => self.peek(),
            Some(skipped) => self.rest.clone().nth(skipped).unwrap_or('\0'),
        }
    }

    #[inline]
    fn peek_opt(&self) -> Option<char> {
        self.next
    }

    /// As the provided one, but looks behind the next character only where that matters.
    #[inline]
    fn next_can_be_plain_scalar(&self, in_flow: bool) -> bool {
        match self.peek() {
            ':' => {
                let after = self.peek_nth(1);
                !(is_blank_or_breakz(after) || in_flow && is_flow(after))
            }
            '\u{FEFF}' => false,
            next => !(in_flow && is_flow(next)),
        }
    }
}

#[cfg(test)]
mod tests {
    use saphyr_parser::Parser;

    use super::*;

    /// Events with their ranges, up to the first error.
    fn events<T: Input>(mut parser: Parser<'_, T>) -> Vec<String> {
        let mut shown = Vec::new();
        while let Some(event) = parser.next_event() {
            shown.push(format!("{event:?}"));
            if event.is_err() {
                break;
            }
        }
        shown
    }

    #[test]
    fn the_parser_reads_the_same_as_from_its_own_input() {
        let deep = format!("{}a: |\n{}x\n{}  y\n\nb: 1", " ".repeat(40), " ".repeat(42), " ".repeat(42));
        let texts = [
            "",
            "\u{FEFF}a: ä b\u{1F600}c # ü\nb: 'it''s'\nc: \"x\\\n  y\\u00e4\"\n",
            "a: one two three four five six seven\n  eight\n\n  nine\r\nb: [x, -y, z: {a: 1}]\r\n",
            "a: >\n  one\n\n  two\n   three\nb: |2-\n    x\n\nc: &k !!str d\ne: *k\n",
            "---\na: 1\n...\n%TAG ! x\n--- |\n x\n",
            "a: 1\nb: \u{FEFF}2\n",
            "a: x\u{0}y\n",
            "\ta: 1\n- [\t1,\n2]\n",
            "a: - 1\nb: [-]\n",
            "a: 1 #no\nb: x#y\nc: 'x'#z\n",
            &deep,
        ];
        for text in texts {
            let own = events(Parser::new(TextInput::new(text)));
            assert_eq!(own, events(Parser::new_from_str(text)), "{text:?}");
        }
    }
}
