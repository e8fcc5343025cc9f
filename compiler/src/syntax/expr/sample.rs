//! Test support: random trees that the parser can make, random texts, and a form of a tree that leaves no doubt.

use std::fmt::Write as _;

use super::tree::{
    Arguments, BinaryOp, Call, Expr, ExprKind, Frame, FrameBound, FrameMode, Ident, Literal, NullTreatment,
    OrderItem, TrimSide, TypeName, UnaryOp, WindowSpec,
};
use crate::source::{SourceId, Span, Spanned};

/// Marsaglia's xorshift64: small, and the same on every machine.
pub(super) struct Random(u64);

impl Random {
    pub(super) fn new(seed: u64) -> Self {
        Random(seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) | 1)
    }

    pub(super) fn below(&mut self, limit: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        usize::try_from((self.0 >> 11) % limit as u64).expect("below the limit")
    }

    pub(super) fn coin(&mut self) -> bool {
        self.below(2) == 0
    }

    pub(super) fn pick<T: Copy>(&mut self, items: &[T]) -> T {
        items[self.below(items.len())]
    }
}

const NOWHERE: Span = Span { source: SourceId(0), start: 0, end: 0 };

fn placed<T>(value: T) -> Spanned<T> {
    Spanned::new(value, NOWHERE)
}

const NAMES: &[&str] = &[
    "a",
    "B",
    "amount",
    "größe",
    "売上",
    "date",
    "Value",
    "user",
    "row",
    "first",
    "LAST",
    "filter",
    "over",
    "rows",
    "range",
    "nulls",
    "ignore",
    "both",
    "leading",
    "partition",
    "by",
    "for",
    "time",
    "timestamp",
    "interval",
    "current",
    "unbounded",
    "preceding",
    "position",
    "within",
    "unknown",
    "desc",
    "cast",
    "extract",
    "grain",
    "_x1",
    "groups",
    "respect",
];

const QUOTED: &[&str] = &["a", "order", "two words", "with \"quotes\"", "売上", "'", "--", "SELECT", "both"];

const FUNCTIONS: &[&str] = &[
    "SUM",
    "count",
    "LEFT",
    "RIGHT",
    "REPLACE",
    "IF",
    "DATE",
    "YEAR",
    "TRIM",
    "SUBSTRING",
    "first",
    "last",
    "FILTER",
    "over",
    "range",
    "row",
    "both",
    "interval",
    "time",
    "IGNORE",
    "by",
    "coalesce",
    "GROUPS",
    "nulls",
];

const STRINGS: &[&str] =
    &["", "x", "it's", "''", "a\\", "%_", "two\nlines", "-- no comment", "/* nor this", "größe", "\""];

const BINARY: &[BinaryOp] = &[
    BinaryOp::Or,
    BinaryOp::And,
    BinaryOp::Equal,
    BinaryOp::NotEqual,
    BinaryOp::Less,
    BinaryOp::LessEqual,
    BinaryOp::Greater,
    BinaryOp::GreaterEqual,
    BinaryOp::Add,
    BinaryOp::Subtract,
    BinaryOp::Concat,
    BinaryOp::Multiply,
    BinaryOp::Divide,
    BinaryOp::Modulo,
];

/// A tree of any kind, at most `depth` levels high.
pub(super) fn tree(random: &mut Random, depth: usize) -> Expr {
    let kind = if depth <= 1 || random.below(8) == 0 { leaf(random) } else { node(random, depth - 1) };
    Expr::new(kind, NOWHERE)
}

fn leaf(random: &mut Random) -> ExprKind {
    let text = random.pick(STRINGS).to_string();
    match random.below(16) {
        0 => ExprKind::Literal(Literal::Null),
        1 => ExprKind::Literal(Literal::Boolean(random.coin())),
        2 => ExprKind::Literal(Literal::Integer(
            random.pick(&["0", "1", "007", "99999999999999999999"]).to_string(),
        )),
        3 => ExprKind::Literal(Literal::Decimal(random.pick(&["1.5", ".5", "5.", "0.10"]).to_string())),
        4 => ExprKind::Literal(Literal::Float(random.pick(&["1e5", "1.5E-3", ".5e+2", "5.e1"]).to_string())),
        5 => ExprKind::Literal(Literal::String(text)),
        6 => ExprKind::Literal(Literal::Date(text)),
        7 => ExprKind::Literal(Literal::Timestamp(text)),
        8 => ExprKind::Literal(Literal::Time(text)),
        9 => ExprKind::Parameter(random.pick(&["n", "from", "größe"]).to_string()),
        10 => ExprKind::Interval {
            value: text,
            unit: placed(random.pick(&["DAY", "month", "Year"]).to_string()),
        },
        11 => {
            let name = random.pick(&["CURRENT_DATE", "current_time", "Current_Timestamp"]);
            ExprKind::Call(Box::new(Call {
                name: placed(Ident { text: name.to_string(), quoted: false }),
                arguments: Arguments::List(Vec::new()),
                distinct: false,
                order_by: Vec::new(),
                within_group: Vec::new(),
                filter: None,
                nulls: None,
                over: None,
            }))
        }
        _ => ExprKind::Name((0..=random.below(3)).map(|_| ident(random, NAMES)).collect()),
    }
}

fn ident(random: &mut Random, bare: &[&str]) -> Spanned<Ident> {
    let quoted = random.below(5) == 0;
    placed(Ident { text: random.pick(if quoted { QUOTED } else { bare }).to_string(), quoted })
}

fn node(random: &mut Random, depth: usize) -> ExprKind {
    let negated = random.coin();
    match random.below(20) {
        0 | 1 => ExprKind::Unary {
            op: random.pick(&[UnaryOp::Minus, UnaryOp::Plus, UnaryOp::Not]),
            operand: tree(random, depth),
        },
        2..=8 => ExprKind::Binary {
            op: random.pick(BINARY),
            left: tree(random, depth),
            right: tree(random, depth),
        },
        9 => ExprKind::IsNull { operand: tree(random, depth), negated },
        10 => ExprKind::IsDistinct { left: tree(random, depth), right: tree(random, depth), negated },
        11 => ExprKind::Between {
            operand: tree(random, depth),
            low: tree(random, depth),
            high: tree(random, depth),
            negated,
        },
        12 => ExprKind::InList { operand: tree(random, depth), list: trees(random, depth, 1), negated },
        13 => ExprKind::Like {
            operand: tree(random, depth),
            pattern: tree(random, depth),
            negated,
            any_case: random.coin(),
        },
        14 => ExprKind::Case {
            operand: random.coin().then(|| tree(random, depth)),
            branches: (0..=random.below(2)).map(|_| (tree(random, depth), tree(random, depth))).collect(),
            otherwise: random.coin().then(|| tree(random, depth)),
        },
        15 => {
            ExprKind::Cast { operand: tree(random, depth), to: placed(type_name(random)), tolerant: negated }
        }
        16 => ExprKind::Extract {
            part: placed(random.pick(&["YEAR", "month", "first", "dow"]).to_string()),
            operand: tree(random, depth),
        },
        17 => ExprKind::Position { needle: tree(random, depth), haystack: tree(random, depth) },
        18 => ExprKind::Trim {
            side: random.pick(&[TrimSide::Both, TrimSide::Leading, TrimSide::Trailing]),
            character: random.coin().then(|| tree(random, depth)),
            operand: tree(random, depth),
        },
        _ => ExprKind::Call(Box::new(call(random, depth))),
    }
}

fn trees(random: &mut Random, depth: usize, least: usize) -> Vec<Expr> {
    (0..least + random.below(3)).map(|_| tree(random, depth)).collect()
}

fn type_name(random: &mut Random) -> TypeName {
    let (name, numbers): (&str, &[u32]) = random.pick(&[
        ("BIGINT", &[] as &[u32]),
        ("DATE", &[]),
        ("DOUBLE PRECISION", &[]),
        ("VARCHAR", &[10]),
        ("CHARACTER VARYING", &[7]),
        ("DECIMAL", &[38, 2]),
        ("TIMESTAMP WITH TIME ZONE", &[3]),
        ("TIMESTAMP WITHOUT TIME ZONE", &[]),
        ("TIMESTAMP_NTZ", &[6]),
        ("INTERVAL", &[]),
    ]);
    TypeName { name: name.to_string(), numbers: numbers.to_vec() }
}

fn call(random: &mut Random, depth: usize) -> Call {
    let name = ident(random, FUNCTIONS);
    let star = random.below(8) == 0;
    let list = if star { Vec::new() } else { trees(random, depth, 0) };
    let some = !list.is_empty();
    let arguments = if star { Arguments::Star } else { Arguments::List(list) };
    Call {
        name,
        arguments,
        distinct: some && random.below(4) == 0,
        order_by: if some && random.below(4) == 0 { order_by(random, depth) } else { Vec::new() },
        within_group: if random.below(4) == 0 { order_by(random, depth) } else { Vec::new() },
        filter: (random.below(4) == 0).then(|| tree(random, depth)),
        nulls: (some && random.below(4) == 0)
            .then(|| random.pick(&[NullTreatment::Ignore, NullTreatment::Respect])),
        over: (random.below(3) == 0).then(|| window(random, depth)),
    }
}

fn order_by(random: &mut Random, depth: usize) -> Vec<OrderItem> {
    (0..=random.below(2))
        .map(|_| OrderItem {
            expr: tree(random, depth),
            descending: random.coin(),
            nulls_first: random.pick(&[None, Some(true), Some(false)]),
        })
        .collect()
}

fn window(random: &mut Random, depth: usize) -> WindowSpec {
    WindowSpec {
        partition_by: trees(random, depth, 0),
        order_by: if random.coin() { order_by(random, depth) } else { Vec::new() },
        frame: random.coin().then(|| {
            placed(Frame {
                mode: random.pick(&[FrameMode::Rows, FrameMode::Range, FrameMode::Groups]),
                start: bound(random, depth),
                end: bound(random, depth),
            })
        }),
    }
}

fn bound(random: &mut Random, depth: usize) -> FrameBound {
    match random.below(5) {
        0 => FrameBound::UnboundedPreceding,
        1 => FrameBound::UnboundedFollowing,
        2 => FrameBound::CurrentRow,
        choice => {
            let offset = tree(random, depth);
            // The bare word is the keyword here; the parser never makes a column of it.
            match offset.kind.as_ref() {
                ExprKind::Name(parts) if parts[0].value.text == "unbounded" => FrameBound::CurrentRow,
                _ if choice == 3 => FrameBound::Preceding(offset),
                _ => FrameBound::Following(offset),
            }
        }
    }
}

/// Every operator in parentheses of its own, every other node as `word(part; part)`.
pub(super) fn explicit(expr: &Expr) -> String {
    match expr.kind.as_ref() {
        ExprKind::Literal(literal) => explicit_literal(literal),
        ExprKind::Name(parts) => {
            parts.iter().map(|part| explicit_ident(&part.value)).collect::<Vec<_>>().join(".")
        }
        ExprKind::Parameter(name) => format!(":{name}"),
        ExprKind::Unary { op, operand } => {
            let word = match op {
                UnaryOp::Minus => "-",
                UnaryOp::Plus => "+",
                UnaryOp::Not => "NOT",
            };
            format!("({word} {})", explicit(operand))
        }
        ExprKind::Binary { op, left, right } => {
            let symbol = match op {
                BinaryOp::Or => "OR",
                BinaryOp::And => "AND",
                BinaryOp::Equal => "=",
                BinaryOp::NotEqual => "<>",
                BinaryOp::Less => "<",
                BinaryOp::LessEqual => "<=",
                BinaryOp::Greater => ">",
                BinaryOp::GreaterEqual => ">=",
                BinaryOp::Add => "+",
                BinaryOp::Subtract => "-",
                BinaryOp::Concat => "||",
                BinaryOp::Multiply => "*",
                BinaryOp::Divide => "/",
                BinaryOp::Modulo => "%",
            };
            format!("({} {symbol} {})", explicit(left), explicit(right))
        }
        ExprKind::IsNull { operand, negated } => format!("({} IS{} NULL)", explicit(operand), not(*negated)),
        ExprKind::IsDistinct { left, right, negated } => {
            format!("({} IS{} DISTINCT FROM {})", explicit(left), not(*negated), explicit(right))
        }
        ExprKind::Between { operand, low, high, negated } => {
            format!(
                "({}{} BETWEEN {} AND {})",
                explicit(operand),
                not(*negated),
                explicit(low),
                explicit(high)
            )
        }
        ExprKind::InList { operand, list, negated } => {
            format!("({}{} IN [{}])", explicit(operand), not(*negated), explicit_list(list))
        }
        ExprKind::Like { operand, pattern, negated, any_case } => {
            let word = if *any_case { "ILIKE" } else { "LIKE" };
            format!("({}{} {word} {})", explicit(operand), not(*negated), explicit(pattern))
        }
        ExprKind::Case { operand, branches, otherwise } => {
            let mut parts = Vec::new();
            parts.extend(operand.iter().map(explicit));
            parts.extend(
                branches.iter().map(|(when, then)| format!("{} -> {}", explicit(when), explicit(then))),
            );
            parts.extend(otherwise.iter().map(|otherwise| format!("else {}", explicit(otherwise))));
            format!("case({})", parts.join("; "))
        }
        ExprKind::Cast { operand, to, tolerant } => {
            let word = if *tolerant { "try_cast" } else { "cast" };
            let numbers: Vec<String> = to.value.numbers.iter().map(u32::to_string).collect();
            format!("{word}({}; {} [{}])", explicit(operand), to.value.name, numbers.join(", "))
        }
        ExprKind::Extract { part, operand } => format!("extract({}; {})", part.value, explicit(operand)),
        ExprKind::Position { needle, haystack } => {
            format!("position({}; {})", explicit(needle), explicit(haystack))
        }
        ExprKind::Trim { side, character, operand } => {
            let character = character.as_ref().map_or("blank".to_string(), explicit);
            format!("trim({side:?}; {character}; {})", explicit(operand))
        }
        ExprKind::Interval { value, unit } => format!("interval({value}; {})", unit.value),
        ExprKind::Call(call) => explicit_call(call),
    }
}

fn not(negated: bool) -> &'static str {
    if negated { " NOT" } else { "" }
}

fn explicit_literal(literal: &Literal) -> String {
    match literal {
        Literal::Null => "NULL".to_string(),
        Literal::Boolean(value) => if *value { "TRUE" } else { "FALSE" }.to_string(),
        Literal::Integer(digits) => digits.clone(),
        Literal::Decimal(digits) => format!("decimal({digits})"),
        Literal::Float(digits) => format!("float({digits})"),
        Literal::String(text) => format!("{text:?}"),
        Literal::Date(text) => format!("date({text})"),
        Literal::Timestamp(text) => format!("timestamp({text})"),
        Literal::Time(text) => format!("time({text})"),
    }
}

fn explicit_ident(ident: &Ident) -> String {
    if ident.quoted { format!("quoted({})", ident.text) } else { ident.text.clone() }
}

fn explicit_list(list: &[Expr]) -> String {
    list.iter().map(explicit).collect::<Vec<_>>().join(", ")
}

fn explicit_order(items: &[OrderItem]) -> String {
    let item = |item: &OrderItem| {
        let direction = if item.descending { " desc" } else { "" };
        let nulls = match item.nulls_first {
            Some(true) => " first",
            Some(false) => " last",
            None => "",
        };
        format!("{}{direction}{nulls}", explicit(&item.expr))
    };
    items.iter().map(item).collect::<Vec<_>>().join(", ")
}

fn explicit_call(call: &Call) -> String {
    let mut text = format!("{}(", explicit_ident(&call.name.value));
    text.push_str(if call.distinct { "distinct " } else { "" });
    match &call.arguments {
        Arguments::Star => text.push('*'),
        Arguments::List(list) => text.push_str(&explicit_list(list)),
    }
    if !call.order_by.is_empty() {
        let _ = write!(text, "; order {}", explicit_order(&call.order_by));
    }
    if !call.within_group.is_empty() {
        let _ = write!(text, "; within {}", explicit_order(&call.within_group));
    }
    if let Some(filter) = &call.filter {
        let _ = write!(text, "; filter {}", explicit(filter));
    }
    match call.nulls {
        Some(NullTreatment::Ignore) => text.push_str("; ignore"),
        Some(NullTreatment::Respect) => text.push_str("; respect"),
        None => {}
    }
    if let Some(over) = &call.over {
        text.push_str("; over");
        if !over.partition_by.is_empty() {
            let _ = write!(text, " by {}", explicit_list(&over.partition_by));
        }
        if !over.order_by.is_empty() {
            let _ = write!(text, " order {}", explicit_order(&over.order_by));
        }
        if let Some(frame) = &over.frame {
            let frame = &frame.value;
            let mode = format!("{:?}", frame.mode).to_lowercase();
            let _ =
                write!(text, " {mode} {} .. {}", explicit_bound(&frame.start), explicit_bound(&frame.end));
        }
    }
    text.push(')');
    text
}

fn explicit_bound(bound: &FrameBound) -> String {
    match bound {
        FrameBound::UnboundedPreceding => "start".to_string(),
        FrameBound::Preceding(offset) => format!("-{}", explicit(offset)),
        FrameBound::CurrentRow => "current".to_string(),
        FrameBound::Following(offset) => format!("+{}", explicit(offset)),
        FrameBound::UnboundedFollowing => "end".to_string(),
    }
}
