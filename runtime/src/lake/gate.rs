//! Option pairs of a table that give wrong sums, invisible rows or lost ones. In: a table's options and whether it has a
//! key. Out: its problems by name. Options that are given as hints or in a session stand in no schema: they are not seen.

use std::collections::BTreeMap;

use super::error::{LakeError, Place};

/// Table option: the one engine that writes the table.
pub const WRITER: &str = "unisono.writer";

/// Table option: the name of a table that was born on a branch, before it moves there.
pub const HOME: &str = "unisono.home";

/// The name by which this program writes.
pub const OURS: &str = "unisono";

/// The name by which Flink writes what it keeps for a pipeline.
pub const FLINK: &str = "flink";

/// What a problem forbids.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Kind {
    /// Reading from Rust, and so writing.
    Read,
    /// Writing from Rust.
    Write,
    /// Streams from it lack what Rust wrote until Flink compacts.
    Stream,
    /// Two engines writing it lose rows even under a lock.
    TwoWriters,
    /// Rows of kind delete make it unreadable.
    Delete,
}

/// One problem.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Problem {
    /// What it forbids.
    pub kind: Kind,
    /// The options and what they do.
    pub text: String,
    /// What to do.
    pub help: String,
}

/// All problems of a table's options.
pub fn problems(options: &BTreeMap<String, String>, has_key: bool) -> Vec<Problem> {
    let option =
        |key: &str, default: &str| options.get(key).map_or(default, String::as_str).to_ascii_lowercase();
    let yes = |key: &str| option(key, "false") == "true";
    let ends = |ending: &str| options.keys().any(|key| key.starts_with("fields.") && key.ends_with(ending));
    let engine = option("merge-engine", "deduplicate");
    let producer = option("changelog-producer", "none");
    let format = option("file.format", "parquet");
    let aggregates = engine == "aggregation" || ends(".aggregate-function");
    let lookup = producer == "lookup" || yes("force-lookup");
    let vectors = yes("deletion-vectors.enabled");
    let mut found = Vec::new();
    let mut add = |kind, text: &str, help: &str| {
        found.push(Problem { kind, text: text.to_string(), help: help.to_string() });
    };
    if option("manifest.format", "avro") != "avro" {
        add(
            Kind::Read,
            "`manifest.format` is not `avro`",
            "make the table again with `manifest.format` avro",
        );
    }
    if has_key && aggregates && lookup && !vectors {
        add(
            Kind::Read,
            "`lookup` beside a merge engine that aggregates: sums are wrong after a compaction",
            "use `changelog-producer` none, input or full-compaction",
        );
    }
    if format == "orc" && option("file.compression", "zstd") != "none" {
        add(
            Kind::Write,
            "`file.format` orc with a compression cannot be written",
            "use `file.format` parquet, or `file.compression` none",
        );
    }
    let invisible = [
        (engine == "first-row", "`merge-engine` first-row"),
        (option("bucket", "-1") == "-2", "`bucket` -2"),
        (
            vectors && !yes("deletion-vectors.merge-on-read"),
            "`deletion-vectors.enabled` without `deletion-vectors.merge-on-read`",
        ),
    ];
    for (_, what) in invisible.iter().filter(|(applies, _)| has_key && *applies) {
        add(
            Kind::Write,
            &format!("{what}: written rows stay invisible until Flink compacts"),
            "let Flink write this table, or make it with other options",
        );
    }
    if has_key && vectors && (engine == "aggregation" || engine == "partial-update") {
        add(
            Kind::Write,
            "deletion vectors beside a merge engine that aggregates or updates in part cannot be written",
            "let Flink write this table",
        );
    }
    if has_key && (producer == "lookup" || producer == "full-compaction") {
        add(
            Kind::Stream,
            "`changelog-producer` lookup or full-compaction: streams see written rows only after Flink compacts",
            "use `changelog-producer` none for tables that Flink streams from",
        );
    }
    if has_key
        && (engine == "deduplicate" || engine == "partial-update")
        && !options.contains_key("sequence.field")
    {
        add(
            Kind::TwoWriters,
            "no `sequence.field`: of two writers the later commit may lose",
            "keep to one writing engine, or make the table with a `sequence.field`",
        );
    }
    if engine == "partial-update"
        && !yes("ignore-delete")
        && !yes("partial-update.remove-record-on-delete")
        && !ends(".sequence-group")
    {
        add(
            Kind::Delete,
            "`merge-engine` partial-update without a rule for deletes: one delete makes the table unreadable",
            "set `partial-update.remove-record-on-delete` or `ignore-delete` when the table is made",
        );
    }
    found
}

/// Refuses to read a table that reads wrong.
pub fn allow_read(place: &Place, options: &BTreeMap<String, String>, has_key: bool) -> Result<(), LakeError> {
    refuse(place, options, has_key, &[Kind::Read])
}

/// Refuses to write a table that reads wrong, hides what is written, or belongs to another engine.
pub fn allow_write(
    place: &Place,
    options: &BTreeMap<String, String>,
    has_key: bool,
) -> Result<(), LakeError> {
    match options.get(WRITER) {
        Some(writer) if writer != OURS => {
            return Err(LakeError::TableWriter { place: place.clone(), writer: writer.clone() });
        }
        Some(_) | None => {}
    }
    refuse(place, options, has_key, &[Kind::Read, Kind::Write])
}

/// Refuses rows of kind delete where one would make the table unreadable.
pub fn allow_delete(
    place: &Place,
    options: &BTreeMap<String, String>,
    has_key: bool,
) -> Result<(), LakeError> {
    refuse(place, options, has_key, &[Kind::Delete])
}

fn refuse(
    place: &Place,
    options: &BTreeMap<String, String>,
    has_key: bool,
    kinds: &[Kind],
) -> Result<(), LakeError> {
    let problems: Vec<Problem> =
        problems(options, has_key).into_iter().filter(|problem| kinds.contains(&problem.kind)).collect();
    if problems.is_empty() { Ok(()) } else { Err(LakeError::TableOptions { place: place.clone(), problems }) }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn kinds(pairs: &[(&str, &str)], has_key: bool) -> Vec<Kind> {
        let options = pairs.iter().map(|(key, value)| ((*key).to_string(), (*value).to_string())).collect();
        problems(&options, has_key).into_iter().map(|problem| problem.kind).collect()
    }

    #[test]
    fn our_own_tables_pass() {
        assert_eq!(kinds(&[("bucket", "-1"), ("file.format", "parquet")], false), []);
        let rollup = [("bucket", "1"), ("changelog-producer", "lookup"), ("merge-engine", "deduplicate")];
        assert_eq!(kinds(&rollup, true), [Kind::Stream, Kind::TwoWriters]);
    }

    #[test]
    fn option_pairs_that_read_wrong_or_hide_rows_are_named() {
        let sums = [("merge-engine", "aggregation"), ("changelog-producer", "lookup")];
        assert_eq!(kinds(&sums, true), [Kind::Read, Kind::Stream]);
        let sums = [("merge-engine", "Aggregation"), ("changelog-producer", "full-compaction")];
        assert_eq!(kinds(&sums, true), [Kind::Stream]);
        assert_eq!(kinds(&[("manifest.format", "orc")], false), [Kind::Read]);
        assert_eq!(kinds(&[("merge-engine", "first-row")], true), [Kind::Write]);
        assert_eq!(kinds(&[("bucket", "-2"), ("sequence.field", "v")], true), [Kind::Write]);
        let vectors = [("deletion-vectors.enabled", "true"), ("sequence.field", "v")];
        assert_eq!(kinds(&vectors, true), [Kind::Write]);
        assert_eq!(kinds(&[("file.format", "orc")], false), [Kind::Write]);
        assert_eq!(kinds(&[("file.format", "orc"), ("file.compression", "none")], false), []);
        let partial = [("merge-engine", "partial-update")];
        assert_eq!(kinds(&partial, true), [Kind::TwoWriters, Kind::Delete]);
        let summed = [
            ("merge-engine", "partial-update"),
            ("fields.g.sequence-group", "a"),
            ("fields.a.aggregate-function", "sum"),
            ("force-lookup", "true"),
            ("sequence.field", "v"),
        ];
        assert_eq!(kinds(&summed, true), [Kind::Read]);
    }
}
