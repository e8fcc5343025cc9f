//! Names that become folders: databases, tables, branches. In: text. Out: a name that is safe in a path, or why not.

use std::fmt;

use super::error::LakeError;

/// The database of a table that names none.
pub const DEFAULT_DATABASE: &str = "main";

/// A database and a table of a branch stand in one folder name of at most 255 bytes.
const MAX_PART: usize = 100;

/// What the databases of tables that were born on a branch start with.
const BRANCH_DATABASE: &str = "_branch_";

/// A table's name, safe in a path.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct TableName {
    database: String,
    table: String,
}

impl TableName {
    /// Letters, digits and `_`, 1 to 100 of them in each part.
    pub fn new(database: &str, table: &str) -> Result<TableName, LakeError> {
        let refused = |why: &str| {
            Err(LakeError::TableName { name: format!("{database}.{table}"), why: why.to_string() })
        };
        for part in [database, table] {
            if part.is_empty() || part.len() > MAX_PART {
                return refused("each part of a table's name has 1 to 100 characters");
            }
            if !part.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_') {
                return refused("a table's name is made of letters, digits and `_`");
            }
        }
        if database.starts_with(BRANCH_DATABASE) {
            return refused("databases that start with `_branch_` belong to the branches");
        }
        Ok(TableName { database: database.to_string(), table: table.to_string() })
    }

    /// `database.table`, or `table` alone for one of the database `main`.
    pub fn parse(text: &str) -> Result<TableName, LakeError> {
        match text.split('.').collect::<Vec<_>>().as_slice() {
            [table] => TableName::new(DEFAULT_DATABASE, table),
            [database, table] => TableName::new(database, table),
            _ => Err(LakeError::TableName {
                name: text.to_string(),
                why: "a table's name is `database.table`".to_string(),
            }),
        }
    }

    /// The part before the point.
    pub fn database(&self) -> &str {
        &self.database
    }

    /// The part after the point.
    pub fn table(&self) -> &str {
        &self.table
    }
}

impl fmt::Display for TableName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}.{}", self.database, self.table)
    }
}

/// One line of history: main, or a branch.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Line {
    /// What everybody reads.
    Main,
    /// A branch, by name.
    Branch(String),
}

impl Line {
    /// `main` or the name of a branch.
    pub fn parse(text: &str) -> Result<Line, LakeError> {
        if text == "main" { Ok(Line::Main) } else { Line::branch(text) }
    }

    /// A branch: `[a-z0-9_]{1,64}`, not only digits, not `main`.
    pub fn branch(name: &str) -> Result<Line, LakeError> {
        if plain(name, 64) && name != "main" {
            Ok(Line::Branch(name.to_string()))
        } else {
            Err(LakeError::BranchName { what: "branch", name: name.to_string() })
        }
    }

    /// `main` or the branch's name.
    pub fn name(&self) -> &str {
        match self {
            Line::Main => "main",
            Line::Branch(name) => name,
        }
    }

    /// Anyone can build `Line::Branch`: what reaches a path is looked at again.
    pub(super) fn checked(&self) -> Result<&Line, LakeError> {
        match self {
            Line::Main => {}
            Line::Branch(name) => {
                Line::branch(name)?;
            }
        }
        Ok(self)
    }
}

impl fmt::Display for Line {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// A tag: `[a-z0-9_]{1,100}`, not only digits, since a version that is a number means a snapshot.
pub(super) fn checked_tag(name: &str) -> Result<&str, LakeError> {
    if plain(name, MAX_PART) {
        Ok(name)
    } else {
        Err(LakeError::BranchName { what: "tag", name: name.to_string() })
    }
}

fn plain(name: &str, longest: usize) -> bool {
    (1..=longest).contains(&name.len())
        && name.bytes().all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'_')
        && !name.bytes().all(|byte| byte.is_ascii_digit())
}

/// The database of the tables that were born on a branch.
pub(super) fn branch_database(branch: &str) -> String {
    format!("{BRANCH_DATABASE}{branch}")
}

/// Whether a database holds tables born on a branch.
pub(super) fn is_branch_database(database: &str) -> bool {
    database.starts_with(BRANCH_DATABASE)
}

/// The name in that database; the option `unisono.home` tells `a__b.c` from `a.b__c`.
pub(super) fn born_name(table: &TableName) -> String {
    format!("{}__{}", table.database, table.table)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn table_names_are_plain_and_bounded() {
        assert_eq!(TableName::parse("shop.orders").unwrap().to_string(), "shop.orders");
        assert_eq!(TableName::parse("orders").unwrap().to_string(), "main.orders");
        for name in ["", ".", "a.", "a.b.c", "a-b.c", "../x", "a.b/c", "_branch_x.t", "ü.t"] {
            assert!(TableName::parse(name).is_err(), "{name}");
        }
        assert!(TableName::new("a", &"t".repeat(101)).is_err());
    }

    #[test]
    fn branch_names_are_lower_case_and_not_a_number() {
        assert_eq!(Line::parse("main").unwrap(), Line::Main);
        assert_eq!(Line::parse("dev_2").unwrap(), Line::Branch("dev_2".to_string()));
        for name in ["", "12", "Dev", "a b", "a/b", "..", "ä"] {
            assert!(Line::parse(name).is_err(), "{name}");
        }
        assert!(Line::branch("main").is_err());
        assert!(Line::branch(&"a".repeat(65)).is_err());
    }
}
