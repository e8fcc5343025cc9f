//! The one printer: two blanks a level, one column a line, one commented block a CTE, parentheses only where they are needed.
//! In: a tree and a target's quoting. Out: text, the same bytes for the same tree.

mod expression;

use expression::Level;

use super::quote::{self, Quoting};
use super::tree::{
    AlterTable, Alteration, ColumnDefinition, CreateTable, Expr, Input, Insert, Query, Select, Source, Type,
    Version, WatermarkedTable,
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

/// CREATE TEMPORARY TABLE .. LIKE as text, in the shape that Flink reads, without a semicolon.
pub(crate) fn watermarked_table(table: &WatermarkedTable, quoting: &Quoting) -> String {
    let mut out = Printer { quoting, text: String::new() };
    out.watermarked_table(table);
    out.text
}

/// ALTER TABLE as text, without a semicolon.
pub(crate) fn alter_table(table: &AlterTable, quoting: &Quoting) -> String {
    let mut out = Printer { quoting, text: String::new() };
    out.push("ALTER TABLE ");
    out.table(&table.name);
    let (word, column) = match &table.change {
        Alteration::Add(column) => (" ADD (", column),
        Alteration::Modify(column) => (" MODIFY (", column),
    };
    out.push(word);
    out.column(column);
    out.push(")");
    out.text
}

/// INSERT as text, without a semicolon.
pub(crate) fn insert(insert: &Insert, quoting: &Quoting) -> String {
    let mut out = Printer { quoting, text: String::new() };
    out.push("INSERT INTO ");
    out.table(&insert.table);
    out.line(0);
    out.select(&insert.select, 0);
    out.text
}

/// An expression by itself.
pub(crate) fn expression(expr: &Expr, quoting: &Quoting) -> String {
    let mut out = Printer { quoting, text: String::new() };
    out.expr(expr, Level::Or);
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

    fn column(&mut self, column: &ColumnDefinition) {
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

    fn create_table(&mut self, table: &CreateTable) {
        self.push(if table.if_missing { "CREATE TABLE IF NOT EXISTS " } else { "CREATE TABLE " });
        self.table(&table.name);
        self.push(" (");
        for (index, column) in table.columns.iter().enumerate() {
            if index > 0 {
                self.push(",");
            }
            self.line(1);
            self.column(column);
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
        self.with(&table.options);
    }

    fn watermarked_table(&mut self, table: &WatermarkedTable) {
        self.push("CREATE TEMPORARY TABLE ");
        self.identifier(&table.name);
        self.push(" (");
        self.line(1);
        self.identifier(table.time);
        self.push(" AS ");
        self.expr(&table.value, Level::Or);
        self.push(",");
        self.line(1);
        self.push("WATERMARK FOR ");
        self.identifier(table.time);
        self.push(" AS ");
        self.expr(&table.watermark, Level::Or);
        self.line(0);
        self.push(")");
        self.with(&table.options);
        self.push(" LIKE ");
        self.table(&table.like);
        self.push(" (EXCLUDING ALL)");
    }

    fn with(&mut self, options: &[(String, String)]) {
        for (index, (key, value)) in options.iter().enumerate() {
            self.push(if index == 0 { " WITH (" } else { "," });
            self.line(1);
            self.string(key);
            self.push(" = ");
            self.string(value);
        }
        if !options.is_empty() {
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
            Source::Table { name, version } => self.versioned(name, version.as_ref()),
            Source::Tumble { name, version, time, size, offset } => {
                // A hint beside the table's name inside of TUMBLE is a syntax error.
                self.push("TABLE(TUMBLE((SELECT * FROM ");
                self.versioned(name, version.as_ref());
                self.push("), DESCRIPTOR(");
                self.identifier(time);
                self.push(")");
                for interval in [size].into_iter().chain(offset) {
                    self.push(", ");
                    self.expr(interval, Level::Or);
                }
                self.push("))");
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

    fn versioned(&mut self, name: &[String], version: Option<&Version>) {
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
}
