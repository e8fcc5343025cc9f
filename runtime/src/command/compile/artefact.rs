//! A text that a pipeline needs on one target. In: the text. Out: a file name made of what it is and what it holds.

use sha2::{Digest, Sha256};

/// One file to be.
pub(super) struct Artefact {
    /// The pipeline; its name is safe in file names.
    pub(super) pipeline: String,
    /// `starrocks`, `flink-streaming`, `paimon` ..
    pub(super) target: &'static str,
    /// What it is: `query`, `flink-ddl`, `schemas`.
    pub(super) kind: &'static str,
    /// The file's ending.
    pub(super) ending: &'static str,
    /// The whole text.
    pub(super) text: String,
}

impl Artefact {
    /// `<pipeline>.<target>.<kind>.<16 digits of the hash>.<ending>`: another text is another file.
    pub(super) fn file_name(&self) -> String {
        let hash = hash(&self.text);
        format!("{}.{}.{}.{}.{}", self.pipeline, self.target, self.kind, &hash[..16], self.ending)
    }
}

/// SHA-256 in hexadecimal.
pub(super) fn hash(text: &str) -> String {
    let digits: Vec<String> =
        Sha256::digest(text.as_bytes()).iter().map(|byte| format!("{byte:02x}")).collect();
    digits.concat()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_follow_the_text() {
        let artefact = Artefact {
            pipeline: "p".to_string(),
            target: "starrocks",
            kind: "query",
            ending: "sql",
            text: "abc".to_string(),
        };
        // The well-known digest of "abc".
        assert_eq!(artefact.file_name(), "p.starrocks.query.ba7816bf8f01cfea.sql");
    }
}
