//! Expressions: which operand stands in parentheses, and how each form is written.
//! In: an expression and how tightly its place binds. Out: text appended to the printer's.

use super::{Printer, data_type};
use crate::sql::tree::{Call, Expr, NullTreatment, Operator, OrderKey};

/// How tightly an expression binds; an operand that binds less tightly than its place stands in parentheses.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Level {
    Or,
    And,
    Not,
    Comparison,
    Concat,
    Sum,
    Product,
    Sign,
    Primary,
}

impl Operator {
    fn level(self) -> Level {
        match self {
            Operator::Or => Level::Or,
            Operator::And => Level::And,
            Operator::Equal
            | Operator::NotEqual
            | Operator::Less
            | Operator::LessEqual
            | Operator::Greater
            | Operator::GreaterEqual
            | Operator::Like
            | Operator::ILike
            | Operator::IsDistinctFrom
            | Operator::IsNotDistinctFrom
            | Operator::NullSafeEqual => Level::Comparison,
            Operator::Concat => Level::Concat,
            Operator::Add | Operator::Subtract => Level::Sum,
            Operator::Multiply | Operator::Divide | Operator::Modulo | Operator::IntegerDivide => {
                Level::Product
            }
        }
    }

    fn text(self) -> &'static str {
        match self {
            Operator::Or => "OR",
            Operator::And => "AND",
            Operator::Equal => "=",
            Operator::NotEqual => "<>",
            Operator::Less => "<",
            Operator::LessEqual => "<=",
            Operator::Greater => ">",
            Operator::GreaterEqual => ">=",
            Operator::Like => "LIKE",
            Operator::ILike => "ILIKE",
            Operator::IsDistinctFrom => "IS DISTINCT FROM",
            Operator::IsNotDistinctFrom => "IS NOT DISTINCT FROM",
            Operator::NullSafeEqual => "<=>",
            Operator::Concat => "||",
            Operator::Add => "+",
            Operator::Subtract => "-",
            Operator::Multiply => "*",
            Operator::Divide => "/",
            Operator::Modulo => "%",
            Operator::IntegerDivide => "DIV",
        }
    }

    /// DataFusion reads `a IS NOT DISTINCT FROM b AND c` as if `b AND c` stood in parentheses, so these carry their own.
    fn carries_parentheses(self) -> bool {
        matches!(self, Operator::IsDistinctFrom | Operator::IsNotDistinctFrom | Operator::NullSafeEqual)
    }

    /// The places of the operands. Comparisons do not chain; `||` stands beside no other operator without parentheses,
    /// since engines differ in how tightly it binds.
    fn operands(self) -> (Level, Level) {
        match self.level() {
            Level::Or => (Level::Or, Level::And),
            Level::And => (Level::And, Level::Not),
            Level::Comparison | Level::Not => (Level::Concat, Level::Concat),
            Level::Concat => (Level::Concat, Level::Sign),
            Level::Sum => (Level::Sum, Level::Product),
            Level::Product | Level::Sign | Level::Primary => (Level::Product, Level::Sign),
        }
    }
}

fn level(expr: &Expr) -> Level {
    match expr {
        Expr::Binary { operator, .. } => match operator {
            operator if operator.carries_parentheses() => Level::Primary,
            operator => operator.level(),
        },
        Expr::Not(_) => Level::Not,
        Expr::IsNull { .. } | Expr::InList { .. } => Level::Comparison,
        Expr::Negative(_) => Level::Sign,
        // A sign beside an operator is put in parentheses: `a - -1` would be read as a comment after `a`.
        Expr::Number(text) if text.starts_with('-') => Level::Concat,
        Expr::Number(_)
        | Expr::Column { .. }
        | Expr::Text(_)
        | Expr::Typed { .. }
        | Expr::Word(_)
        | Expr::Call(_)
        | Expr::Phrase { .. }
        | Expr::Case { .. }
        | Expr::Cast { .. }
        | Expr::Interval { .. }
        | Expr::Element { .. }
        | Expr::Tuple(_) => Level::Primary,
    }
}

impl Printer<'_> {
    pub(super) fn list(&mut self, exprs: &[Expr]) {
        for (index, expr) in exprs.iter().enumerate() {
            if index > 0 {
                self.push(", ");
            }
            self.expr(expr, Level::Or);
        }
    }

    pub(super) fn order_keys(&mut self, keys: &[OrderKey]) {
        for (index, key) in keys.iter().enumerate() {
            if index > 0 {
                self.push(", ");
            }
            self.expr(&key.expr, Level::Or);
            self.push(if key.descending { " DESC" } else { " ASC" });
            self.push(if key.nulls_first { " NULLS FIRST" } else { " NULLS LAST" });
        }
    }

    pub(super) fn expr(&mut self, expr: &Expr, place: Level) {
        if level(expr) < place {
            self.push("(");
            self.bare_expr(expr);
            self.push(")");
        } else {
            self.bare_expr(expr);
        }
    }

    fn bare_expr(&mut self, expr: &Expr) {
        match expr {
            Expr::Column { qualifier, name } => {
                if let Some(qualifier) = qualifier {
                    self.identifier(qualifier);
                    self.push(".");
                }
                self.identifier(name);
            }
            Expr::Number(text) => self.push(text),
            Expr::Text(text) => {
                self.string(text);
            }
            Expr::Typed { word, text } => {
                self.push(word);
                self.push(" ");
                self.string(text);
            }
            Expr::Word(word) => self.push(word),
            Expr::Call(call) => self.call(call),
            Expr::Phrase { name, lead, first, word, second } => {
                self.push(name);
                self.push("(");
                if let Some(lead) = lead {
                    self.push(lead);
                    self.push(" ");
                }
                self.expr(first, Level::Primary);
                self.push(" ");
                self.push(word);
                self.push(" ");
                self.expr(second, Level::Primary);
                self.push(")");
            }
            Expr::Binary { left, operator, right } => self.binary(left, *operator, right),
            Expr::Negative(operand) => {
                self.push("-");
                self.expr(operand, Level::Primary);
            }
            Expr::Not(operand) => {
                self.push("NOT ");
                self.expr(operand, Level::Comparison);
            }
            Expr::IsNull { operand, negated } => {
                self.expr(operand, Level::Concat);
                self.push(if *negated { " IS NOT NULL" } else { " IS NULL" });
            }
            Expr::Case { branches, otherwise } => {
                self.push("CASE");
                for (condition, value) in branches {
                    self.push(" WHEN ");
                    self.expr(condition, Level::Or);
                    self.push(" THEN ");
                    self.expr(value, Level::Or);
                }
                if let Some(otherwise) = otherwise {
                    self.push(" ELSE ");
                    self.expr(otherwise, Level::Or);
                }
                self.push(" END");
            }
            Expr::InList { operand, list, negated } => {
                self.expr(operand, Level::Concat);
                self.push(if *negated { " NOT IN (" } else { " IN (" });
                self.list(list);
                self.push(")");
            }
            Expr::Cast { word, operand, to } => {
                self.push(word);
                self.push("(");
                self.expr(operand, Level::Or);
                self.push(" AS ");
                self.push(&data_type(to));
                self.push(")");
            }
            Expr::Interval { amount, unit } => {
                self.push("INTERVAL ");
                self.expr(amount, Level::Primary);
                self.push(" ");
                self.push(unit);
            }
            Expr::Element { operand, index } => {
                self.push("(");
                self.expr(operand, Level::Or);
                self.push(")[");
                self.push(&index.to_string());
                self.push("]");
            }
            Expr::Tuple(parts) => {
                self.push("(");
                self.list(parts);
                self.push(")");
            }
        }
    }

    fn binary(&mut self, left: &Expr, operator: Operator, right: &Expr) {
        let wrapped = operator.carries_parentheses();
        let (left_place, right_place) = operator.operands();
        if wrapped {
            self.push("(");
        }
        self.expr(left, left_place);
        self.push(" ");
        self.push(operator.text());
        self.push(" ");
        self.expr(right, right_place);
        if wrapped {
            self.push(")");
        }
    }

    fn call(&mut self, call: &Call) {
        self.push(call.name);
        self.push("(");
        if call.distinct {
            self.push("DISTINCT ");
        }
        self.list(&call.arguments);
        if call.nulls == NullTreatment::IgnoreInside {
            self.push(" IGNORE NULLS");
        }
        if !call.order_by.is_empty() {
            self.push(" ORDER BY ");
            self.order_keys(&call.order_by);
        }
        if let Some(separator) = &call.separator {
            self.push(" SEPARATOR ");
            self.expr(separator, Level::Primary);
        }
        self.push(")");
        if call.nulls == NullTreatment::IgnoreAfter {
            self.push(" IGNORE NULLS");
        }
        let Some(over) = &call.over else { return };
        self.push(" OVER (");
        let mut clauses = 0;
        if !over.partition_by.is_empty() {
            self.push("PARTITION BY ");
            self.list(&over.partition_by);
            clauses += 1;
        }
        if !over.order_by.is_empty() {
            self.push(if clauses > 0 { " ORDER BY " } else { "ORDER BY " });
            self.order_keys(&over.order_by);
            clauses += 1;
        }
        if let Some(frame) = over.frame {
            if clauses > 0 {
                self.push(" ");
            }
            self.push(frame.mode);
            self.push(" BETWEEN ");
            for (bound, after) in [(frame.start, " AND "), (frame.end, "")] {
                if let Some(offset) = bound.offset {
                    self.push(&offset.to_string());
                    self.push(" ");
                }
                self.push(bound.words);
                self.push(after);
            }
        }
        self.push(")");
    }
}
