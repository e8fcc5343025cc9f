//! Tree to text: keywords in capitals, names as written, one blank around operators, no parentheses that can be left out.
//! In: a tree as the parser makes it. Out: text that parses to the same tree.

mod level;

use self::level::{Level, level, sides};
use super::tree::{
    Arguments, BinaryOp, Call, Expr, ExprKind, Frame, FrameBound, FrameMode, Ident, Literal, NullTreatment,
    OrderItem, TrimSide, TypeName, UnaryOp, WindowSpec,
};
use crate::source::Spanned;

/// The canonical text of an expression.
pub fn print_expr(expr: &Expr) -> String {
    let mut out = String::new();
    write_expr(&mut out, expr, Level::Or);
    out
}

fn symbol(op: BinaryOp) -> &'static str {
    match op {
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
    }
}

/// Writes an expression where at least `weakest` may stand bare.
fn write_expr(out: &mut String, expr: &Expr, weakest: Level) {
    if level(&expr.kind) < weakest {
        out.push('(');
        write_kind(out, &expr.kind);
        out.push(')');
    } else {
        write_kind(out, &expr.kind);
    }
}

fn write_kind(out: &mut String, kind: &ExprKind) {
    match kind {
        ExprKind::Literal(literal) => write_literal(out, literal),
        ExprKind::Name(parts) => {
            for (index, part) in parts.iter().enumerate() {
                if index > 0 {
                    out.push('.');
                }
                write_ident(out, part);
            }
        }
        ExprKind::Parameter(name) => {
            out.push(':');
            out.push_str(name);
        }
        ExprKind::Unary { op, operand } => write_unary(out, *op, operand),
        ExprKind::Binary { op, left, right } => {
            let (left_level, right_level) = sides(*op);
            write_expr(out, left, left_level);
            write_words(out, symbol(*op));
            write_expr(out, right, right_level);
        }
        ExprKind::IsNull { operand, negated } => {
            write_expr(out, operand, Level::Sum);
            out.push_str(if *negated { " IS NOT NULL" } else { " IS NULL" });
        }
        ExprKind::IsDistinct { left, right, negated } => {
            write_expr(out, left, Level::Sum);
            write_words(out, if *negated { "IS NOT DISTINCT FROM" } else { "IS DISTINCT FROM" });
            write_expr(out, right, Level::Sum);
        }
        ExprKind::Between { operand, low, high, negated } => {
            write_expr(out, operand, Level::Sum);
            write_words(out, if *negated { "NOT BETWEEN" } else { "BETWEEN" });
            write_expr(out, low, Level::Sum);
            write_words(out, "AND");
            write_expr(out, high, Level::Sum);
        }
        ExprKind::InList { operand, list, negated } => {
            write_expr(out, operand, Level::Sum);
            out.push_str(if *negated { " NOT IN (" } else { " IN (" });
            write_list(out, list);
            out.push(')');
        }
        ExprKind::Like { operand, pattern, negated, any_case } => {
            write_expr(out, operand, Level::Sum);
            out.push_str(if *negated { " NOT" } else { "" });
            write_words(out, if *any_case { "ILIKE" } else { "LIKE" });
            write_expr(out, pattern, Level::Sum);
        }
        ExprKind::Case { operand, branches, otherwise } => {
            out.push_str("CASE");
            if let Some(operand) = operand {
                out.push(' ');
                write_expr(out, operand, Level::Or);
            }
            for (when, then) in branches {
                write_words(out, "WHEN");
                write_expr(out, when, Level::Or);
                write_words(out, "THEN");
                write_expr(out, then, Level::Or);
            }
            if let Some(otherwise) = otherwise {
                write_words(out, "ELSE");
                write_expr(out, otherwise, Level::Or);
            }
            out.push_str(" END");
        }
        ExprKind::Cast { operand, to, tolerant } => {
            out.push_str(if *tolerant { "TRY_CAST(" } else { "CAST(" });
            write_expr(out, operand, Level::Or);
            write_words(out, "AS");
            write_type(out, &to.value);
            out.push(')');
        }
        ExprKind::Extract { part, operand } => {
            out.push_str("EXTRACT(");
            out.push_str(&part.value);
            write_words(out, "FROM");
            write_expr(out, operand, Level::Or);
            out.push(')');
        }
        ExprKind::Position { needle, haystack } => {
            out.push_str("POSITION(");
            write_expr(out, needle, Level::Sum);
            write_words(out, "IN");
            write_expr(out, haystack, Level::Or);
            out.push(')');
        }
        ExprKind::Trim { side, character, operand } => {
            out.push_str(match side {
                TrimSide::Both => "TRIM(BOTH ",
                TrimSide::Leading => "TRIM(LEADING ",
                TrimSide::Trailing => "TRIM(TRAILING ",
            });
            if let Some(character) = character {
                write_expr(out, character, Level::Operand);
                out.push(' ');
            }
            out.push_str("FROM ");
            write_expr(out, operand, Level::Or);
            out.push(')');
        }
        ExprKind::Interval { value, unit } => {
            out.push_str("INTERVAL ");
            write_string(out, value);
            out.push(' ');
            out.push_str(&unit.value);
        }
        ExprKind::Call(call) => write_call(out, call),
    }
}

fn write_words(out: &mut String, words: &str) {
    out.push(' ');
    out.push_str(words);
    out.push(' ');
}

/// Two signs keep a blank between them: `--` would begin a comment.
fn write_unary(out: &mut String, op: UnaryOp, operand: &Expr) {
    match op {
        UnaryOp::Not => {
            out.push_str("NOT ");
            write_expr(out, operand, Level::Not);
        }
        UnaryOp::Minus | UnaryOp::Plus => {
            out.push(if op == UnaryOp::Minus { '-' } else { '+' });
            if level(&operand.kind) == Level::Signed {
                out.push(' ');
            }
            write_expr(out, operand, Level::Signed);
        }
    }
}

fn write_list(out: &mut String, list: &[Expr]) {
    for (index, item) in list.iter().enumerate() {
        if index > 0 {
            out.push_str(", ");
        }
        write_expr(out, item, Level::Or);
    }
}

fn write_literal(out: &mut String, literal: &Literal) {
    match literal {
        Literal::Null => out.push_str("NULL"),
        Literal::Boolean(true) => out.push_str("TRUE"),
        Literal::Boolean(false) => out.push_str("FALSE"),
        Literal::Integer(digits) | Literal::Decimal(digits) | Literal::Float(digits) => out.push_str(digits),
        Literal::String(text) => write_string(out, text),
        Literal::Date(text) => {
            out.push_str("DATE ");
            write_string(out, text);
        }
        Literal::Timestamp(text) => {
            out.push_str("TIMESTAMP ");
            write_string(out, text);
        }
        Literal::Time(text) => {
            out.push_str("TIME ");
            write_string(out, text);
        }
    }
}

fn write_string(out: &mut String, text: &str) {
    out.push('\'');
    out.push_str(&text.replace('\'', "''"));
    out.push('\'');
}

fn write_ident(out: &mut String, ident: &Spanned<Ident>) {
    if ident.value.quoted {
        out.push('"');
        out.push_str(&ident.value.text.replace('"', "\"\""));
        out.push('"');
    } else {
        out.push_str(&ident.value.text);
    }
}

/// The numbers stand before `WITH TIME ZONE`: `TIMESTAMP(3) WITH TIME ZONE`.
fn write_type(out: &mut String, to: &TypeName) {
    let zone = to.name.find(" WITH").unwrap_or(to.name.len());
    out.push_str(&to.name[..zone]);
    if !to.numbers.is_empty() {
        let numbers: Vec<String> = to.numbers.iter().map(u32::to_string).collect();
        out.push('(');
        out.push_str(&numbers.join(", "));
        out.push(')');
    }
    out.push_str(&to.name[zone..]);
}

fn write_call(out: &mut String, call: &Call) {
    write_ident(out, &call.name);
    out.push('(');
    if call.distinct {
        out.push_str("DISTINCT ");
    }
    match &call.arguments {
        Arguments::Star => out.push('*'),
        Arguments::List(list) => write_list(out, list),
    }
    if !call.order_by.is_empty() {
        out.push(' ');
        write_order_by(out, &call.order_by);
    }
    // Inside the parentheses it can never be read as another call's.
    match call.nulls {
        Some(NullTreatment::Ignore) => out.push_str(" IGNORE NULLS"),
        Some(NullTreatment::Respect) => out.push_str(" RESPECT NULLS"),
        None => {}
    }
    out.push(')');
    if !call.within_group.is_empty() {
        out.push_str(" WITHIN GROUP (");
        write_order_by(out, &call.within_group);
        out.push(')');
    }
    if let Some(filter) = &call.filter {
        out.push_str(" FILTER (WHERE ");
        write_expr(out, filter, Level::Or);
        out.push(')');
    }
    if let Some(over) = &call.over {
        out.push_str(" OVER (");
        write_window(out, over);
        out.push(')');
    }
}

fn write_order_by(out: &mut String, items: &[OrderItem]) {
    out.push_str("ORDER BY ");
    for (index, item) in items.iter().enumerate() {
        if index > 0 {
            out.push_str(", ");
        }
        write_expr(out, &item.expr, Level::Or);
        if item.descending {
            out.push_str(" DESC");
        }
        match item.nulls_first {
            Some(true) => out.push_str(" NULLS FIRST"),
            Some(false) => out.push_str(" NULLS LAST"),
            None => {}
        }
    }
}

fn write_window(out: &mut String, window: &WindowSpec) {
    let mut gap = "";
    if !window.partition_by.is_empty() {
        out.push_str("PARTITION BY ");
        write_list(out, &window.partition_by);
        gap = " ";
    }
    if !window.order_by.is_empty() {
        out.push_str(gap);
        write_order_by(out, &window.order_by);
        gap = " ";
    }
    if let Some(frame) = &window.frame {
        out.push_str(gap);
        write_frame(out, &frame.value);
    }
}

fn write_frame(out: &mut String, frame: &Frame) {
    out.push_str(match frame.mode {
        FrameMode::Rows => "ROWS BETWEEN ",
        FrameMode::Range => "RANGE BETWEEN ",
        FrameMode::Groups => "GROUPS BETWEEN ",
    });
    write_bound(out, &frame.start);
    write_words(out, "AND");
    write_bound(out, &frame.end);
}

fn write_bound(out: &mut String, bound: &FrameBound) {
    match bound {
        FrameBound::UnboundedPreceding => out.push_str("UNBOUNDED PRECEDING"),
        FrameBound::UnboundedFollowing => out.push_str("UNBOUNDED FOLLOWING"),
        FrameBound::CurrentRow => out.push_str("CURRENT ROW"),
        FrameBound::Preceding(offset) => {
            write_expr(out, offset, Level::Sum);
            out.push_str(" PRECEDING");
        }
        FrameBound::Following(offset) => {
            write_expr(out, offset, Level::Sum);
            out.push_str(" FOLLOWING");
        }
    }
}

#[cfg(test)]
mod tests;
