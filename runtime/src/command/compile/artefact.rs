//! A text that a pipeline needs on one target, or why there is none. In: the text. Out: a file name made of what it is and what
//! it holds.

use serde_json::{Value, json};
use unisono_compiler::diagnostic::Diagnostic;
use unisono_dialects::Target;

use crate::version::hash;

/// The kind of the file that `--against` reads.
pub(super) const SCHEMAS: &str = "schemas";

/// How much of a text's hash its file's name holds.
pub(super) const HASH_DIGITS: usize = 16;

/// One file to be.
pub(super) struct Artefact {
    /// The pipeline; its name is safe in file names.
    pub(super) pipeline: String,
    /// `starrocks`, `flink-streaming`, `paimon` ..
    pub(super) target: &'static str,
    /// What it is: `query`, `job`, `catalog`, `view`, `flink-ddl`, `schemas`.
    pub(super) kind: &'static str,
    /// The file's ending.
    pub(super) ending: &'static str,
    /// The dialect that the text was written for, with its version.
    pub(super) dialect: String,
    /// The whole text.
    pub(super) text: String,
}

/// What a pipeline's artefacts are made from.
#[derive(Clone)]
pub(super) struct Origin {
    /// The model's name.
    pub(super) model: String,
    /// The hash of the file that it stands in.
    pub(super) sha256: String,
    /// The pipeline's request.
    pub(super) request: Value,
}

impl Artefact {
    /// `<pipeline>.<target>.<kind>.<16 digits of the hash>.<ending>`: another text is another file.
    pub(super) fn file_name(&self) -> String {
        let hash = hash(&self.text);
        let digits = &hash[..HASH_DIGITS];
        format!("{}.{}.{}.{digits}.{}", self.pipeline, self.target, self.kind, self.ending)
    }
}

/// A text that is not there: the target cannot say the request, and no engine of the pipeline needs it.
pub(super) struct LeftOut {
    /// The pipeline.
    pub(super) pipeline: String,
    /// The target.
    pub(super) target: &'static str,
    /// Why.
    pub(super) finding: Diagnostic,
}

impl LeftOut {
    /// One line for people.
    pub(super) fn note(&self) -> String {
        let LeftOut { pipeline, target, finding } = self;
        format!(
            "left out: `{pipeline}` for {target}, on which it does not run: {}: {}",
            finding.code, finding.message
        )
    }

    /// The same for programs.
    pub(super) fn json(&self) -> Value {
        let LeftOut { pipeline, target, finding } = self;
        json!({"pipeline": pipeline, "target": target, "code": finding.code.as_str(), "message": finding.message})
    }
}

/// An engine and its version, as `--target` takes them.
pub(super) fn dialect(target: Target) -> String {
    format!("{}@{}", target.engine.as_str(), target.version)
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
            dialect: "starrocks@4.1".to_string(),
            text: "abc".to_string(),
        };
        // The well-known digest of "abc".
        assert_eq!(artefact.file_name(), "p.starrocks.query.ba7816bf8f01cfea.sql");
    }
}
