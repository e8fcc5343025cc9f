//! Who makes a version, when, and with which models. In: the working tree and the clock. Out: the parts of a version's record that the
//! lake does not know.

use std::collections::BTreeMap;

use super::record::{FORMAT, TableState, Version};

/// What a version is made with.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Context {
    /// Model files by path, each with the hash of its text.
    pub models: BTreeMap<String, String>,
    /// Pipelines by name, each with the hash of its words.
    pub pipelines: BTreeMap<String, String>,
    /// Who.
    pub who: String,
    /// When, UTC.
    pub when: String,
}

impl Context {
    /// A version's record.
    #[expect(clippy::too_many_arguments, reason = "the parts of one record")]
    pub fn version(
        &self,
        number: u64,
        line: &str,
        parent: Option<u64>,
        name: Option<String>,
        tables: BTreeMap<String, TableState>,
        why: String,
        checks: Vec<String>,
    ) -> Version {
        Version {
            format: FORMAT,
            number,
            line: line.to_string(),
            parent,
            name,
            tables,
            models: self.models.clone(),
            pipelines: self.pipelines.clone(),
            who: self.who.clone(),
            when: self.when.clone(),
            why,
            checks,
        }
    }
}
