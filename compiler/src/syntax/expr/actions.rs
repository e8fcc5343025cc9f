//! What the productions of the grammar do: nodes with spans and a bounded height, texts without their quotes.
//! In: positions and parts from the parser. Out: parts of the tree, or a diagnostic. `call` has the productions of calls.

use lalrpop_util::ParseError;

use super::fault::{self, Fault};
use super::lexer::Token;
use super::parse::MAX_DEPTH;
use super::place::Place;
use super::tree::{BinaryOp, Expr, ExprKind, Ident, Literal, TypeName, UnaryOp};
use crate::source::Spanned;

/// A part of the tree with the height of what is below it: no tree grows higher than `MAX_DEPTH`, not even for the time of
/// a failing parse, so that every recursion over a tree (dropping one, too) is bounded.
pub(super) struct Tall<T> {
    pub(super) value: T,
    pub(super) height: usize,
}

/// What is tested after IS.
pub(super) enum Test {
    /// NULL, UNKNOWN.
    Null,
    /// TRUE, FALSE.
    Truth(bool),
    /// DISTINCT FROM.
    Distinct(Tall<Expr>),
}

pub(super) type Outcome<T> = Result<T, ParseError<usize, Token, Fault>>;

pub(super) type Node = Tall<Expr>;

pub(super) fn refuse<T>(fault: Fault) -> Outcome<T> {
    Err(ParseError::User { error: fault })
}

pub(super) fn flat<T>(value: T) -> Tall<T> {
    Tall { value, height: 0 }
}

pub(super) fn one<T>(item: Tall<T>) -> Tall<Vec<T>> {
    Tall { value: vec![item.value], height: item.height }
}

pub(super) fn push<T>(mut list: Tall<Vec<T>>, item: Tall<T>) -> Tall<Vec<T>> {
    list.height = list.height.max(item.height);
    list.value.push(item.value);
    list
}

/// Takes the value out of an optional part and raises `height` to its height.
pub(super) fn take<T>(part: Option<Tall<T>>, height: &mut usize) -> Option<T> {
    part.map(|part| {
        *height = (*height).max(part.height);
        part.value
    })
}

impl Place<'_> {
    pub(super) fn node(&self, kind: ExprKind, below: usize, l: usize, r: usize) -> Outcome<Node> {
        if below >= MAX_DEPTH {
            return refuse(fault::too_deep(self, l, r));
        }
        Ok(Tall { value: Expr::new(kind, self.span(l, r)), height: below + 1 })
    }

    pub(super) fn leaf(&self, kind: ExprKind, l: usize, r: usize) -> Node {
        Tall { value: Expr::new(kind, self.span(l, r)), height: 1 }
    }

    pub(super) fn literal(&self, literal: Literal, l: usize, r: usize) -> Node {
        self.leaf(ExprKind::Literal(literal), l, r)
    }

    /// The text of a string token.
    pub(super) fn string(&self, l: usize, r: usize) -> String {
        self.slice(l + 1, r.saturating_sub(1)).replace("''", "'")
    }

    pub(super) fn word(&self, l: usize, r: usize) -> Spanned<String> {
        Spanned::new(self.slice(l, r).to_string(), self.span(l, r))
    }

    pub(super) fn bare(&self, l: usize, r: usize) -> Spanned<Ident> {
        Spanned::new(Ident { text: self.slice(l, r).to_string(), quoted: false }, self.span(l, r))
    }

    pub(super) fn quoted(&self, l: usize, r: usize) -> Spanned<Ident> {
        let text = self.slice(l + 1, r.saturating_sub(1)).replace("\"\"", "\"");
        Spanned::new(Ident { text, quoted: true }, self.span(l, r))
    }

    pub(super) fn parameter(&self, l: usize, r: usize) -> Node {
        self.leaf(ExprKind::Parameter(self.slice(l + 1, r).to_string()), l, r)
    }

    pub(super) fn unary(&self, op: UnaryOp, operand: Node, l: usize, r: usize) -> Outcome<Node> {
        self.node(ExprKind::Unary { op, operand: operand.value }, operand.height, l, r)
    }

    pub(super) fn binary(&self, op: BinaryOp, left: Node, right: Node, l: usize, r: usize) -> Outcome<Node> {
        let below = left.height.max(right.height);
        self.node(ExprKind::Binary { op, left: left.value, right: right.value }, below, l, r)
    }

    /// `IS [NOT] TRUE` and FALSE are NULL-safe equality with the constant.
    pub(super) fn is(
        &self,
        operand: Node,
        not: bool,
        test: (Test, usize, usize),
        l: usize,
        r: usize,
    ) -> Outcome<Node> {
        let (test, test_l, test_r) = test;
        match test {
            Test::Null => {
                self.node(ExprKind::IsNull { operand: operand.value, negated: not }, operand.height, l, r)
            }
            Test::Truth(value) => {
                let right = self.literal(Literal::Boolean(value), test_l, test_r).value;
                let kind = ExprKind::IsDistinct { left: operand.value, right, negated: !not };
                self.node(kind, operand.height, l, r)
            }
            Test::Distinct(right) => {
                let below = operand.height.max(right.height);
                let kind = ExprKind::IsDistinct { left: operand.value, right: right.value, negated: not };
                self.node(kind, below, l, r)
            }
        }
    }

    pub(super) fn between(
        &self,
        operand: Node,
        negated: bool,
        (low, high): (Node, Node),
        l: usize,
        r: usize,
    ) -> Outcome<Node> {
        let below = operand.height.max(low.height).max(high.height);
        let kind = ExprKind::Between { operand: operand.value, low: low.value, high: high.value, negated };
        self.node(kind, below, l, r)
    }

    pub(super) fn in_list(
        &self,
        operand: Node,
        negated: bool,
        list: Tall<Vec<Expr>>,
        l: usize,
        r: usize,
    ) -> Outcome<Node> {
        let below = operand.height.max(list.height);
        self.node(ExprKind::InList { operand: operand.value, list: list.value, negated }, below, l, r)
    }

    pub(super) fn like(
        &self,
        operand: Node,
        (negated, any_case): (bool, bool),
        pattern: Node,
        l: usize,
        r: usize,
    ) -> Outcome<Node> {
        let below = operand.height.max(pattern.height);
        let kind = ExprKind::Like { operand: operand.value, pattern: pattern.value, negated, any_case };
        self.node(kind, below, l, r)
    }

    pub(super) fn case(
        &self,
        operand: Option<Node>,
        branches: Vec<(Node, Node)>,
        otherwise: Option<Node>,
        l: usize,
        r: usize,
    ) -> Outcome<Node> {
        let mut below = 0;
        let operand = take(operand, &mut below);
        let branches = branches
            .into_iter()
            .map(|(when, then)| {
                below = below.max(when.height).max(then.height);
                (when.value, then.value)
            })
            .collect();
        let otherwise = take(otherwise, &mut below);
        self.node(ExprKind::Case { operand, branches, otherwise }, below, l, r)
    }

    pub(super) fn cast(
        &self,
        operand: Node,
        to: Spanned<TypeName>,
        tolerant: bool,
        l: usize,
        r: usize,
    ) -> Outcome<Node> {
        self.node(ExprKind::Cast { operand: operand.value, to, tolerant }, operand.height, l, r)
    }

    pub(super) fn position(&self, needle: Node, haystack: Node, l: usize, r: usize) -> Outcome<Node> {
        let below = needle.height.max(haystack.height);
        self.node(ExprKind::Position { needle: needle.value, haystack: haystack.value }, below, l, r)
    }

    /// A type from the words and numbers that make it up.
    pub(super) fn type_name(
        &self,
        words: &[(usize, usize)],
        numbers: Option<Vec<(usize, usize)>>,
        l: usize,
        r: usize,
    ) -> Outcome<Spanned<TypeName>> {
        let name =
            words.iter().map(|(l, r)| self.slice(*l, *r).to_ascii_uppercase()).collect::<Vec<_>>().join(" ");
        let mut read = Vec::new();
        for (l, r) in numbers.unwrap_or_default() {
            match self.slice(l, r).parse() {
                Ok(number) => read.push(number),
                Err(_) => return refuse(fault::number_too_large(self, l, r)),
            }
        }
        Ok(Spanned::new(TypeName { name, numbers: read }, self.span(l, r)))
    }
}
