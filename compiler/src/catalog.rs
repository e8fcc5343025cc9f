//! What is known of the physical tables: columns, types, and where each was said. A pure value; may be empty.
//! In: a `--schema` DDL text, `types:` of a project, a lakehouse's schemas. Out: what `resolve` types columns with.

mod ddl;

use std::collections::BTreeMap;

pub use ddl::parse_ddl;

use crate::data_type::DataType;
use crate::model::Source;

/// Tables by name.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Catalog {
    /// In the order added; a later table of the same name replaces nothing, the first wins.
    pub tables: Vec<Table>,
    /// Columns of the queries that stand as sources, by their text, where an engine was asked for them.
    pub queries: BTreeMap<String, Vec<Column>>,
}

/// One physical table.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Table {
    /// Name parts as declared: `orders`, `main.orders`, `lake.shop.orders`.
    pub name: Vec<String>,
    /// Columns in order.
    pub columns: Vec<Column>,
}

/// One physical column.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Column {
    /// As the table spells it.
    pub name: String,
    /// Its type.
    pub data_type: DataType,
    /// Whether NULL may occur.
    pub nullable: bool,
    /// Where the type was said.
    pub origin: Origin,
}

/// Where a type comes from; `explain` prints it.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Origin {
    /// The lakehouse or data file.
    Catalogue,
    /// A `--schema` file.
    SchemaFile,
    /// `types:` in the project file.
    ProjectFile,
    /// The model's `datatype`.
    Model,
    /// Nothing says it.
    Unknown,
}

impl Catalog {
    /// The columns of a source, if they are known.
    pub fn columns(&self, source: &Source) -> Option<&[Column]> {
        match source {
            Source::Table(parts) => self.find(parts).map(|table| table.columns.as_slice()),
            Source::Query(text) => self.queries.get(text).map(Vec::as_slice),
        }
    }

    /// The table that a source names: the longest declared name whose parts match the end of the source's parts or
    /// the other way round, in any case. Linear in the number of tables.
    pub fn find(&self, source: &[String]) -> Option<&Table> {
        self.tables
            .iter()
            .filter(|table| {
                let shared = table.name.len().min(source.len());
                table.name[table.name.len() - shared..]
                    .iter()
                    .zip(&source[source.len() - shared..])
                    .all(|(declared, wanted)| declared.eq_ignore_ascii_case(wanted))
            })
            // Of equal matches the one with as many parts, then the first: `max_by_key` takes the last.
            .rev()
            .max_by_key(|table| (table.name.len().min(source.len()), table.name.len() == source.len()))
    }
}

impl Table {
    /// The column of that name: spelled the same, else the only one that differs by case.
    pub fn column(&self, name: &str) -> Option<&Column> {
        self.columns.iter().find(|column| column.name == name).or_else(|| {
            let mut near = self.columns.iter().filter(|column| column.name.eq_ignore_ascii_case(name));
            near.next().filter(|_| near.next().is_none())
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn table(name: &[&str]) -> Table {
        Table { name: name.iter().map(ToString::to_string).collect(), columns: Vec::new() }
    }

    #[test]
    fn a_source_finds_the_table_with_the_longest_matching_end() {
        let catalog =
            Catalog { tables: vec![table(&["orders"]), table(&["main", "Orders"])], ..Catalog::default() };
        let source = ["lake".to_string(), "main".to_string(), "orders".to_string()];
        assert_eq!(catalog.find(&source), Some(&catalog.tables[1]));
        assert_eq!(catalog.find(&["orders".to_string()]), Some(&catalog.tables[0]));
        assert_eq!(catalog.find(&["returns".to_string()]), None);
    }
}
