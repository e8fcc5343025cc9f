//! A small SQL tree, as wide as the emitted texts need, with builders.
//! In: what `emit` and the function tables build. Out: what `print` turns into text.

mod alter;
mod make;
mod size;
mod table;

pub(crate) use alter::{AlterTable, Alteration};
pub(crate) use size::size;
pub(crate) use table::{ColumnDefinition, CreateTable, WatermarkedTable};

pub(crate) use make::{
    NULL, binary, call, cast, chain, is_not_null, is_null, number, phrase, plain_call, text, try_cast, when,
    when_else,
};

/// A whole query.
#[derive(Clone, PartialEq, Debug)]
pub(crate) struct Query {
    /// WITH, in order.
    pub(crate) ctes: Vec<Cte>,
    /// The answer.
    pub(crate) body: Select,
    /// ORDER BY over the answer's columns.
    pub(crate) order_by: Vec<OrderKey>,
    /// LIMIT.
    pub(crate) limit: Option<u64>,
}

/// A named block.
#[derive(Clone, PartialEq, Debug)]
pub(crate) struct Cte {
    /// Its name.
    pub(crate) name: String,
    /// The line above it.
    pub(crate) comment: String,
    /// Its selects, joined by UNION ALL if there are several.
    pub(crate) selects: Vec<Select>,
}

/// One SELECT.
#[derive(Clone, PartialEq, Debug)]
pub(crate) struct Select {
    /// SELECT DISTINCT.
    pub(crate) distinct: bool,
    /// Columns, each with its alias.
    pub(crate) items: Vec<(Expr, String)>,
    /// FROM and the joins after it.
    pub(crate) from: Option<Input>,
    /// Joins in order.
    pub(crate) joins: Vec<Join>,
    /// WHERE, joined by AND.
    pub(crate) filter: Vec<Expr>,
    /// GROUP BY.
    pub(crate) group_by: Vec<Expr>,
}

/// A source with its alias.
#[derive(Clone, PartialEq, Debug)]
pub(crate) struct Input {
    /// What is read.
    pub(crate) source: Source,
    /// Its alias.
    pub(crate) alias: String,
}

/// What FROM reads.
#[derive(Clone, PartialEq, Debug)]
pub(crate) enum Source {
    /// A table or a CTE.
    Table {
        /// Name parts.
        name: Vec<String>,
        /// Which state of it.
        version: Option<Version>,
    },
    /// `TABLE(TUMBLE((SELECT * FROM t), DESCRIPTOR(c), size, offset))`.
    Tumble {
        /// Name parts.
        name: Vec<String>,
        /// Which state of it.
        version: Option<Version>,
        /// The column of the time.
        time: &'static str,
        /// The length of a window.
        size: Expr,
        /// Where windows begin, counted from 1970; `None` for there.
        offset: Option<Expr>,
    },
    /// Text of a query that the model itself holds.
    Query(String),
}

/// How a text pins a table.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Version {
    /// `VERSION AS OF n`.
    Snapshot(i64),
    /// `VERSION AS OF 'branch:name'`.
    Name(String),
    /// `/*+ OPTIONS('k'='v') */`.
    Options(Vec<(&'static str, String)>),
}

/// INSERT of a select.
#[derive(Clone, PartialEq, Debug)]
pub(crate) struct Insert {
    /// Name parts.
    pub(crate) table: Vec<String>,
    /// What is inserted; its items are the table's columns in order.
    pub(crate) select: Select,
}

/// A join.
#[derive(Clone, PartialEq, Debug)]
pub(crate) struct Join {
    /// `LEFT JOIN`, `FULL JOIN`, `CROSS JOIN`.
    pub(crate) words: &'static str,
    /// The right side.
    pub(crate) input: Input,
    /// ON, joined by AND; empty for CROSS JOIN.
    pub(crate) on: Vec<Expr>,
}

/// A key of ORDER BY; the null order is always written.
#[derive(Clone, PartialEq, Debug)]
pub(crate) struct OrderKey {
    /// What is ordered by.
    pub(crate) expr: Expr,
    /// DESC.
    pub(crate) descending: bool,
    /// NULLS FIRST.
    pub(crate) nulls_first: bool,
}

/// An expression.
#[derive(Clone, PartialEq, Debug)]
pub(crate) enum Expr {
    /// A column, qualified by an alias or not.
    Column {
        /// The alias.
        qualifier: Option<String>,
        /// The name.
        name: String,
    },
    /// Digits, with sign, point and exponent where the text has them.
    Number(String),
    /// A string literal.
    Text(String),
    /// `DATE '..'` and its like.
    Typed {
        /// The word before the text.
        word: &'static str,
        /// The text.
        text: String,
    },
    /// NULL, TRUE, FALSE, `*`, a unit.
    Word(&'static str),
    /// A function call.
    Call(Box<Call>),
    /// `EXTRACT(YEAR FROM x)`, `FLOOR(x TO MONTH)`, `POSITION(p IN s)`, `TRIM(BOTH 'x' FROM s)`.
    Phrase {
        /// The function.
        name: &'static str,
        /// A word before the first part, such as BOTH.
        lead: Option<&'static str>,
        /// The part before the word.
        first: Box<Expr>,
        /// The word between the parts.
        word: &'static str,
        /// The part after the word.
        second: Box<Expr>,
    },
    /// An operator between two operands.
    Binary {
        /// Left operand.
        left: Box<Expr>,
        /// The operator.
        operator: Operator,
        /// Right operand.
        right: Box<Expr>,
    },
    /// `-x`.
    Negative(Box<Expr>),
    /// `NOT x`.
    Not(Box<Expr>),
    /// `x IS NULL`, `x IS NOT NULL`.
    IsNull {
        /// What is tested.
        operand: Box<Expr>,
        /// IS NOT NULL.
        negated: bool,
    },
    /// Searched CASE.
    Case {
        /// WHEN, THEN.
        branches: Vec<(Expr, Expr)>,
        /// ELSE.
        otherwise: Option<Box<Expr>>,
    },
    /// `x IN (..)`.
    InList {
        /// What is tested.
        operand: Box<Expr>,
        /// The values.
        list: Vec<Expr>,
        /// NOT IN.
        negated: bool,
    },
    /// CAST and TRY_CAST.
    Cast {
        /// `CAST` or `TRY_CAST`.
        word: &'static str,
        /// What is cast.
        operand: Box<Expr>,
        /// To which type.
        to: Type,
    },
    /// `INTERVAL n UNIT`.
    Interval {
        /// A number or a text, as the engine wants it.
        amount: Box<Expr>,
        /// DAY, MONTH, ...
        unit: &'static str,
    },
    /// `(x)[n]`.
    Element {
        /// The list.
        operand: Box<Expr>,
        /// From 1.
        index: u32,
    },
    /// `(a, b)`.
    Tuple(Vec<Expr>),
}

/// A function call with the clauses that calls can carry.
#[derive(Clone, PartialEq, Debug)]
pub(crate) struct Call {
    /// The function's name as the target spells it.
    pub(crate) name: &'static str,
    /// DISTINCT.
    pub(crate) distinct: bool,
    /// Arguments.
    pub(crate) arguments: Vec<Expr>,
    /// ORDER BY inside the parentheses.
    pub(crate) order_by: Vec<OrderKey>,
    /// SEPARATOR inside the parentheses.
    pub(crate) separator: Option<Expr>,
    /// IGNORE NULLS and where it stands.
    pub(crate) nulls: NullTreatment,
    /// OVER.
    pub(crate) over: Option<Over>,
}

/// IGNORE NULLS.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum NullTreatment {
    /// Not written.
    Respect,
    /// `f(x IGNORE NULLS)`.
    IgnoreInside,
    /// `f(x) IGNORE NULLS`.
    IgnoreAfter,
}

/// A window specification.
#[derive(Clone, PartialEq, Debug)]
pub(crate) struct Over {
    /// PARTITION BY.
    pub(crate) partition_by: Vec<Expr>,
    /// ORDER BY.
    pub(crate) order_by: Vec<OrderKey>,
    /// The frame.
    pub(crate) frame: Option<Frame>,
}

/// A frame.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Frame {
    /// `ROWS` or `RANGE`.
    pub(crate) mode: &'static str,
    /// First bound.
    pub(crate) start: Bound,
    /// Last bound.
    pub(crate) end: Bound,
}

/// One end of a frame.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Bound {
    /// The number before the words, if any.
    pub(crate) offset: Option<u64>,
    /// `UNBOUNDED PRECEDING`, `PRECEDING`, `CURRENT ROW`, ...
    pub(crate) words: &'static str,
}

/// Operators between two operands.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Operator {
    /// OR.
    Or,
    /// AND.
    And,
    /// `=`.
    Equal,
    /// `<>`.
    NotEqual,
    /// `<`.
    Less,
    /// `<=`.
    LessEqual,
    /// `>`.
    Greater,
    /// `>=`.
    GreaterEqual,
    /// LIKE.
    Like,
    /// ILIKE.
    ILike,
    /// IS DISTINCT FROM, in parentheses wherever it stands.
    IsDistinctFrom,
    /// IS NOT DISTINCT FROM, in parentheses wherever it stands.
    IsNotDistinctFrom,
    /// `<=>`, in parentheses wherever it stands.
    NullSafeEqual,
    /// `||`.
    Concat,
    /// `+`.
    Add,
    /// `-`.
    Subtract,
    /// `*`.
    Multiply,
    /// `/`.
    Divide,
    /// `%`.
    Modulo,
    /// DIV.
    IntegerDivide,
}

/// A type as the target spells it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Type {
    /// `DECIMAL`, `BIGINT`, ...
    pub(crate) name: &'static str,
    /// Precision and scale.
    pub(crate) parameters: Vec<u8>,
    /// `WITH TIME ZONE`.
    pub(crate) suffix: Option<&'static str>,
}

impl Type {
    /// A type of one word.
    pub(crate) fn word(name: &'static str) -> Type {
        Type { name, parameters: Vec::new(), suffix: None }
    }

    /// A type with numbers.
    pub(crate) fn with(name: &'static str, parameters: &[u8]) -> Type {
        Type { name, parameters: parameters.to_vec(), suffix: None }
    }

    /// DECIMAL(precision, scale), the same word on every target.
    pub(crate) fn decimal(precision: u8, scale: u8) -> Type {
        Type::with("DECIMAL", &[precision, scale])
    }
}
