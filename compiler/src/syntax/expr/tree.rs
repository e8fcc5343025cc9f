//! The tree of an OSI expression as written: names are text, sugar is kept, every node has a span.
//! In: tokens through the grammar. Out: what `print_expr` prints back and `resolve` gives a meaning.

use crate::source::{Span, Spanned};

/// An expression with the place it was written at; equality ignores the place.
#[derive(Clone, Debug)]
pub struct Expr {
    /// What it is.
    pub kind: Box<ExprKind>,
    /// Where it was written.
    pub span: Span,
}

impl Expr {
    /// An expression at a place.
    pub fn new(kind: ExprKind, span: Span) -> Self {
        Expr { kind: Box::new(kind), span }
    }
}

impl PartialEq for Expr {
    fn eq(&self, other: &Self) -> bool {
        self.kind == other.kind
    }
}

/// One part of a name. Unquoted parts match in any case, quoted ones exactly.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Ident {
    /// The text without its quotes.
    pub text: String,
    /// Whether it was written in double quotes.
    pub quoted: bool,
}

/// The forms of an expression.
#[derive(Clone, PartialEq, Debug)]
pub enum ExprKind {
    /// A constant.
    Literal(Literal),
    /// `amount`, `orders.amount`: one part or more.
    Name(Vec<Spanned<Ident>>),
    /// `:name`, a parameter of the request.
    Parameter(String),
    /// A prefix operator.
    Unary {
        /// Which.
        op: UnaryOp,
        /// What it applies to.
        operand: Expr,
    },
    /// An infix operator.
    Binary {
        /// Which.
        op: BinaryOp,
        /// Left side.
        left: Expr,
        /// Right side.
        right: Expr,
    },
    /// `x IS [NOT] NULL`.
    IsNull {
        /// What is tested.
        operand: Expr,
        /// `NOT` was written.
        negated: bool,
    },
    /// `x IS [NOT] DISTINCT FROM y`.
    IsDistinct {
        /// Left side.
        left: Expr,
        /// Right side.
        right: Expr,
        /// `NOT` was written: the two count as the same.
        negated: bool,
    },
    /// `x [NOT] BETWEEN low AND high`.
    Between {
        /// What is tested.
        operand: Expr,
        /// Lower bound, included.
        low: Expr,
        /// Upper bound, included.
        high: Expr,
        /// `NOT` was written.
        negated: bool,
    },
    /// `x [NOT] IN (a, b)`.
    InList {
        /// What is tested.
        operand: Expr,
        /// At least one.
        list: Vec<Expr>,
        /// `NOT` was written.
        negated: bool,
    },
    /// `x [NOT] LIKE p`, `x [NOT] ILIKE p`.
    Like {
        /// What is tested.
        operand: Expr,
        /// With `%` and `_`.
        pattern: Expr,
        /// `NOT` was written.
        negated: bool,
        /// `ILIKE` was written.
        any_case: bool,
    },
    /// `CASE [operand] WHEN .. THEN .. [ELSE ..] END`.
    Case {
        /// The value of a simple CASE.
        operand: Option<Expr>,
        /// (WHEN, THEN), at least one.
        branches: Vec<(Expr, Expr)>,
        /// ELSE.
        otherwise: Option<Expr>,
    },
    /// `CAST(x AS t)`, `TRY_CAST(x AS t)`, `x::t`.
    Cast {
        /// What is cast.
        operand: Expr,
        /// To what.
        to: Spanned<TypeName>,
        /// `TRY_CAST` was written (the contract of CAST is the same: a value that does not fit is NULL).
        tolerant: bool,
    },
    /// `EXTRACT(part FROM x)`.
    Extract {
        /// The part's word as written.
        part: Spanned<String>,
        /// From what.
        operand: Expr,
    },
    /// `POSITION(needle IN haystack)`.
    Position {
        /// What is looked for.
        needle: Expr,
        /// In what.
        haystack: Expr,
    },
    /// `TRIM([BOTH|LEADING|TRAILING] [c FROM] s)`; plain `TRIM(s)` is a call.
    Trim {
        /// Which end.
        side: TrimSide,
        /// The character to remove; a blank if not written.
        character: Option<Expr>,
        /// From what.
        operand: Expr,
    },
    /// `INTERVAL '3' DAY`.
    Interval {
        /// The count's text.
        value: String,
        /// The unit's word as written.
        unit: Spanned<String>,
    },
    /// Any function, aggregate or window. Boxed, or every name and literal would be as large.
    Call(Box<Call>),
}

/// A call by name with everything that SQL lets stand around the arguments.
#[derive(Clone, PartialEq, Debug)]
pub struct Call {
    /// The function's name as written.
    pub name: Spanned<Ident>,
    /// What stands in the parentheses.
    pub arguments: Arguments,
    /// `DISTINCT` before the arguments.
    pub distinct: bool,
    /// `ORDER BY` inside the parentheses.
    pub order_by: Vec<OrderItem>,
    /// `WITHIN GROUP (ORDER BY ..)`.
    pub within_group: Vec<OrderItem>,
    /// `FILTER (WHERE ..)`.
    pub filter: Option<Expr>,
    /// `IGNORE NULLS` or `RESPECT NULLS`.
    pub nulls: Option<NullTreatment>,
    /// `OVER (..)`.
    pub over: Option<WindowSpec>,
}

/// The arguments of a call.
#[derive(Clone, PartialEq, Debug)]
pub enum Arguments {
    /// `COUNT(*)`.
    Star,
    /// Possibly none.
    List(Vec<Expr>),
}

/// Constants. Numbers keep their text: their digits decide their type.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Literal {
    /// `NULL`.
    Null,
    /// `TRUE`, `FALSE`.
    Boolean(bool),
    /// Digits only.
    Integer(String),
    /// Digits with a point.
    Decimal(String),
    /// With an exponent.
    Float(String),
    /// Unescaped text.
    String(String),
    /// `DATE 'YYYY-MM-DD'`.
    Date(String),
    /// `TIMESTAMP '..'`, `TIMESTAMP_NTZ '..'`.
    Timestamp(String),
    /// `TIME '..'`.
    Time(String),
}

/// Prefix operators.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum UnaryOp {
    /// `-x`.
    Minus,
    /// `+x`.
    Plus,
    /// `NOT x`, weaker than comparison.
    Not,
}

/// Infix operators, weakest first.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum BinaryOp {
    /// `OR`.
    Or,
    /// `AND`.
    And,
    /// `=`.
    Equal,
    /// `<>`, `!=`.
    NotEqual,
    /// `<`.
    Less,
    /// `<=`.
    LessEqual,
    /// `>`.
    Greater,
    /// `>=`.
    GreaterEqual,
    /// `+`.
    Add,
    /// `-`.
    Subtract,
    /// `||`.
    Concat,
    /// `*`.
    Multiply,
    /// `/`.
    Divide,
    /// `%`.
    Modulo,
}

/// Which end TRIM works on.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum TrimSide {
    /// Both ends.
    Both,
    /// The start.
    Leading,
    /// The end.
    Trailing,
}

/// How a window function sees NULLs.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum NullTreatment {
    /// Skips them.
    Ignore,
    /// Counts them, the default.
    Respect,
}

/// A type's name with its numbers, as written: `DECIMAL(10, 2)`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct TypeName {
    /// Upper-cased words joined by one blank (`DOUBLE PRECISION`).
    pub name: String,
    /// The numbers in parentheses.
    pub numbers: Vec<u32>,
}

/// One entry of an ORDER BY.
#[derive(Clone, PartialEq, Debug)]
pub struct OrderItem {
    /// What is ordered by.
    pub expr: Expr,
    /// `DESC` was written.
    pub descending: bool,
    /// `NULLS FIRST` (true) or `NULLS LAST` (false), if written.
    pub nulls_first: Option<bool>,
}

/// What stands in `OVER (..)`.
#[derive(Clone, PartialEq, Debug)]
pub struct WindowSpec {
    /// `PARTITION BY`.
    pub partition_by: Vec<Expr>,
    /// `ORDER BY`.
    pub order_by: Vec<OrderItem>,
    /// The frame, if written.
    pub frame: Option<Spanned<Frame>>,
}

/// A frame as written.
#[derive(Clone, PartialEq, Debug)]
pub struct Frame {
    /// ROWS, RANGE or GROUPS.
    pub mode: FrameMode,
    /// The first row.
    pub start: FrameBound,
    /// The last row; `CURRENT ROW` where BETWEEN was not written.
    pub end: FrameBound,
}

/// The unit of a frame.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum FrameMode {
    /// Single rows.
    Rows,
    /// Values of the ordering expression.
    Range,
    /// Groups of peers; deferred by OSI.
    Groups,
}

/// One end of a frame. Offsets are any expression here; `resolve` wants integer literals.
#[derive(Clone, PartialEq, Debug)]
pub enum FrameBound {
    /// `UNBOUNDED PRECEDING`.
    UnboundedPreceding,
    /// `n PRECEDING`.
    Preceding(Expr),
    /// `CURRENT ROW`.
    CurrentRow,
    /// `n FOLLOWING`.
    Following(Expr),
    /// `UNBOUNDED FOLLOWING`.
    UnboundedFollowing,
}
