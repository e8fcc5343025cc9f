//! The one printer: two blanks a level, one column a line, one commented block a CTE, parentheses only where they are needed.
//! In: a tree and a target's quoting. Out: text, the same bytes for the same tree.

use super::quote::{self, Quoting};
use super::tree::{
    Call, CreateTable, Expr, Input, NullTreatment, Operator, OrderKey, Query, Select, Source, Type, Version,
};

/// A query as text, without a closing semicolon or line break.
pub(crate) fn query(query: &Query, quoting: &Quoting) -> String {
    let mut out = Printer { quoting, text: String::new() };
    out.query(query);
    out.text
}

/// CREATE TABLE as text, in the shape that Flink reads.
pub(crate) fn create_table(table: &CreateTable, quoting: &Quoting) -> String {
    let mut out = Printer { quoting, text: String::new() };
    out.create_table(table);
    out.text
}

/// A type as text.
pub(crate) fn data_type(data_type: &Type) -> String {
    let mut text = data_type.name.to_string();
    if !data_type.parameters.is_empty() {
        let parameters: Vec<String> = data_type.parameters.iter().map(u8::to_string).collect();
        text.push('(');
        text.push_str(&parameters.join(", "));
        text.push(')');
    }
    if let Some(suffix) = data_type.suffix {
        text.push(' ');
        text.push_str(suffix);
    }
    text
}

/// How tightly an expression binds; an operand that binds less tightly than its place stands in parentheses.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Level {
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

struct Printer<'a> {
    quoting: &'a Quoting,
    text: String,
}

impl Printer<'_> {
    fn push(&mut self, text: &str) {
        self.text.push_str(text);
    }

    fn line(&mut self, depth: usize) {
        self.text.push('\n');
        for _ in 0..depth {
            self.text.push_str("  ");
        }
    }

    fn identifier(&mut self, name: &str) {
        let quoted = quote::identifier(name, self.quoting);
        self.push(&quoted);
    }

    fn string(&mut self, text: &str) {
        let quoted = quote::string(text, self.quoting);
        self.push(&quoted);
    }

    fn create_table(&mut self, table: &CreateTable) {
        self.push("CREATE TABLE ");
        self.table(&table.name);
        self.push(" (");
        for (index, column) in table.columns.iter().enumerate() {
            if index > 0 {
                self.push(",");
            }
            self.line(1);
            self.identifier(&column.name);
            self.push(" ");
            self.push(&data_type(&column.data_type));
            if !column.nullable {
                self.push(" NOT NULL");
            }
            if let Some(comment) = &column.comment {
                self.push(" COMMENT ");
                self.string(comment);
            }
        }
        if !table.primary_key.is_empty() {
            self.push(",");
            self.line(1);
            self.push("PRIMARY KEY (");
            for (index, column) in table.primary_key.iter().enumerate() {
                if index > 0 {
                    self.push(", ");
                }
                self.identifier(column);
            }
            self.push(") NOT ENFORCED");
        }
        self.line(0);
        self.push(")");
        for (index, (key, value)) in table.options.iter().enumerate() {
            self.push(if index == 0 { " WITH (" } else { "," });
            self.line(1);
            self.string(key);
            self.push(" = ");
            self.string(value);
        }
        if !table.options.is_empty() {
            self.line(0);
            self.push(")");
        }
    }

    fn query(&mut self, query: &Query) {
        for (index, cte) in query.ctes.iter().enumerate() {
            if index == 0 {
                self.push("WITH");
            } else {
                self.push(",");
            }
            self.line(1);
            let comment = quote::comment(&cte.comment);
            self.push("-- ");
            self.push(&comment);
            self.line(1);
            self.identifier(&cte.name);
            self.push(" AS (");
            for (part, select) in cte.selects.iter().enumerate() {
                if part > 0 {
                    self.line(2);
                    self.push("UNION ALL");
                }
                self.line(2);
                self.select(select, 2);
            }
            self.line(1);
            self.push(")");
        }
        if !query.ctes.is_empty() {
            self.line(0);
        }
        self.select(&query.body, 0);
        if !query.order_by.is_empty() {
            self.line(0);
            self.push("ORDER BY ");
            self.order_keys(&query.order_by);
        }
        if let Some(limit) = query.limit {
            self.line(0);
            self.push("LIMIT ");
            self.push(&limit.to_string());
        }
    }

    fn select(&mut self, select: &Select, depth: usize) {
        self.push(if select.distinct { "SELECT DISTINCT" } else { "SELECT" });
        for (index, (expr, alias)) in select.items.iter().enumerate() {
            if index > 0 {
                self.push(",");
            }
            self.line(depth + 1);
            self.expr(expr, Level::Or);
            self.push(" AS ");
            self.identifier(alias);
        }
        if let Some(from) = &select.from {
            self.line(depth);
            self.push("FROM ");
            self.input(from);
        }
        for join in &select.joins {
            self.line(depth);
            self.push(join.words);
            self.push(" ");
            self.input(&join.input);
            for (index, condition) in join.on.iter().enumerate() {
                self.push(if index == 0 { " ON " } else { " AND " });
                self.expr(condition, Level::Not);
            }
        }
        for (index, condition) in select.filter.iter().enumerate() {
            self.line(depth);
            self.push(if index == 0 { "WHERE " } else { "  AND " });
            self.expr(condition, Level::Not);
        }
        if !select.group_by.is_empty() {
            self.line(depth);
            self.push("GROUP BY ");
            self.list(&select.group_by);
        }
    }

    fn input(&mut self, input: &Input) {
        match &input.source {
            // The alias of a table without one is its name.
            Source::Table { name, version: None } if *name == [input.alias.as_str()] => {
                self.table(name);
                return;
            }
            Source::Table { name, version } => {
                self.table(name);
                match version {
                    None => {}
                    Some(Version::Snapshot(snapshot)) => {
                        self.push(" VERSION AS OF ");
                        self.push(&snapshot.to_string());
                    }
                    Some(Version::Name(name)) => {
                        self.push(" VERSION AS OF ");
                        self.string(name);
                    }
                    Some(Version::Options(options)) => self.options(options),
                }
            }
            Source::Query(text) => {
                // On lines of its own: a comment at its end must not hide the parenthesis.
                self.push("(\n");
                self.push(text);
                self.push("\n)");
            }
        }
        self.push(" AS ");
        self.identifier(&input.alias);
    }

    fn table(&mut self, name: &[String]) {
        for (index, part) in name.iter().enumerate() {
            if index > 0 {
                self.push(".");
            }
            self.identifier(part);
        }
    }

    fn options(&mut self, options: &[(&'static str, String)]) {
        self.push(" /*+ OPTIONS(");
        for (index, (key, value)) in options.iter().enumerate() {
            if index > 0 {
                self.push(", ");
            }
            self.string(key);
            self.push("=");
            self.string(value);
        }
        self.push(") */");
    }

    fn list(&mut self, exprs: &[Expr]) {
        for (index, expr) in exprs.iter().enumerate() {
            if index > 0 {
                self.push(", ");
            }
            self.expr(expr, Level::Or);
        }
    }

    fn order_keys(&mut self, keys: &[OrderKey]) {
        for (index, key) in keys.iter().enumerate() {
            if index > 0 {
                self.push(", ");
            }
            self.expr(&key.expr, Level::Or);
            self.push(if key.descending { " DESC" } else { " ASC" });
            self.push(if key.nulls_first { " NULLS FIRST" } else { " NULLS LAST" });
        }
    }

    fn expr(&mut self, expr: &Expr, place: Level) {
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
