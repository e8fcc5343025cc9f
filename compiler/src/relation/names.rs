//! Names that must differ from each other: those of the steps of a relation, and of the columns of a select.
//! In: names that are taken, and wanted ones. Out: names that nothing else has.

use std::collections::{BTreeMap, BTreeSet};

/// Names that are taken, whatever the case of their ASCII letters.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Names {
    taken: BTreeSet<String>,
    /// The last number given to a wanted name: so many of one name cost no more than as many names.
    numbers: BTreeMap<String, usize>,
}

impl Names {
    /// Takes a name.
    pub fn take(&mut self, name: &str) {
        self.taken.insert(name.to_ascii_lowercase());
    }

    /// The wanted name, with a number behind it if it is taken; taken from now on.
    pub fn unused(&mut self, wanted: &str) -> String {
        if self.taken.insert(wanted.to_ascii_lowercase()) {
            return wanted.to_string();
        }
        let number = self.numbers.entry(wanted.to_ascii_lowercase()).or_insert(1);
        loop {
            *number += 1;
            let name = format!("{wanted}_{number}");
            if self.taken.insert(name.to_ascii_lowercase()) {
                return name;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::Names;

    #[test]
    fn names_of_steps_and_columns_differ_in_more_than_case() {
        // Names match in any case on StarRocks and DuckDB.
        let mut names = Names::default();
        names.take("Sales");
        assert_eq!(names.unused("sales"), "sales_2");
        assert_eq!(names.unused("SALES"), "SALES_3");
        assert_eq!(names.unused("s"), "s");
        assert_eq!(names.unused("S"), "S_2");
    }
}
