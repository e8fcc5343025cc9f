//! A rollup belongs to the engine that made it. In: a pipeline, who keeps it, the options of its rollup's table. Out: nothing, or why that
//! engine does not write the table.

use std::collections::BTreeMap;

use unisono_compiler::diagnostic::{Code, Diagnostic};

use crate::lake::{FLINK, OURS, TableName, WRITER};

/// What is wrong with the writer of a rollup, if its table stands there already.
pub fn other_writer(
    pipeline: &str,
    rollup: &TableName,
    flink: bool,
    options: &BTreeMap<String, String>,
) -> Option<Diagnostic> {
    let writer = options.get(WRITER).map(String::as_str);
    let (fits, keeps) = if flink {
        (writer == Some(FLINK), "a Flink")
    } else {
        // A table without the option is nobody else's.
        (writer.is_none_or(|writer| writer == OURS), "the embedded engine")
    };
    if fits {
        return None;
    }
    let found = match writer {
        Some(FLINK) => "Flink".to_string(),
        Some(OURS) | None => "no Flink".to_string(),
        Some(other) => format!("`{other}`"),
    };
    let message = format!(
        "{found} writes {rollup}, and {keeps} keeps pipeline `{pipeline}`: a table has one writing engine"
    );
    Some(Diagnostic::new(Code::TableWriter, message).help("name another table under `rollup:`"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_rollup_is_written_by_the_engine_that_its_pipeline_names() {
        let said = |flink: bool, writer: Option<&str>| {
            let options = writer.map(|writer| (WRITER.to_string(), writer.to_string())).into_iter().collect();
            let rollup = TableName::parse("shop.by_day").unwrap();
            other_writer("by_day", &rollup, flink, &options).map(|finding| finding.message)
        };
        for (flink, writer) in [(true, Some("flink")), (false, Some("unisono")), (false, None)] {
            assert_eq!(said(flink, writer), None, "{flink} {writer:?}");
        }
        let end = "pipeline `by_day`: a table has one writing engine";
        for writer in [Some("unisono"), None] {
            let message = format!("no Flink writes shop.by_day, and a Flink keeps {end}");
            assert_eq!(said(true, writer), Some(message));
        }
        let message = format!("Flink writes shop.by_day, and the embedded engine keeps {end}");
        assert_eq!(said(false, Some("flink")), Some(message));
        let message = format!("`spark` writes shop.by_day, and a Flink keeps {end}");
        assert_eq!(said(true, Some("spark")), Some(message));
    }
}
