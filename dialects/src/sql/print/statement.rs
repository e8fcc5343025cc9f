//! Statements of StarRocks around a query, clause by clause. In: a statement. Out: text without a semicolon.
//! <https://github.com/StarRocks/starrocks/blob/main/fe/fe-grammar/src/main/antlr/com/starrocks/sql/parser/StarRocks.g4>

use super::Printer;
use crate::sql::quote::Quoting;
use crate::sql::tree::Statement;

/// A statement as text.
pub(crate) fn statement(statement: &Statement, quoting: &Quoting) -> String {
    let mut out = Printer { quoting, text: String::new() };
    match statement {
        Statement::SetCatalog(name) => {
            out.push("SET CATALOG ");
            out.identifier(name);
        }
        Statement::CreateDatabase(name) => {
            out.push("CREATE DATABASE IF NOT EXISTS ");
            out.identifier(name);
        }
        Statement::CreateCatalog { name, properties } => {
            out.push("CREATE EXTERNAL CATALOG ");
            out.identifier(name);
            out.properties(properties);
        }
        Statement::CreateView { name, comment, distributed_by, properties, select } => {
            out.push("CREATE MATERIALIZED VIEW ");
            out.table(name);
            out.line(0);
            out.push("COMMENT ");
            out.string(comment);
            out.line(0);
            out.push("DISTRIBUTED BY HASH(");
            out.identifier(distributed_by);
            out.push(")");
            out.line(0);
            out.push("REFRESH DEFERRED MANUAL");
            out.properties(properties);
            out.line(0);
            out.push("AS");
            out.line(0);
            out.select(select, 0);
        }
        Statement::RefreshTable(name) => {
            out.push("REFRESH EXTERNAL TABLE ");
            out.table(name);
        }
        Statement::RefreshView(name) => {
            out.push("REFRESH MATERIALIZED VIEW ");
            out.table(name);
            out.push(" FORCE WITH SYNC MODE");
        }
    }
    out.text
}

impl Printer<'_> {
    fn properties(&mut self, properties: &[(String, String)]) {
        self.line(0);
        self.push("PROPERTIES (");
        for (index, (key, value)) in properties.iter().enumerate() {
            if index > 0 {
                self.push(",");
            }
            self.line(1);
            self.string(key);
            self.push(" = ");
            self.string(value);
        }
        self.line(0);
        self.push(")");
    }
}
