//! Where the rows of a query go, and in which form. In: an answer, the form, perhaps a file. Out: text, JSON, or bytes for stdout or the
//! file; a terminal gets no bytes that are no text.

use std::fs;
use std::path::Path;

use serde_json::{Value, json};
use unisono_compiler::data_type::DataType;
use unisono_compiler::diagnostic::{Code, Diagnostic, counted};

use super::Answer;
use crate::flags::RowFormat;
use crate::lake::files::atomic_write;
use crate::output::Run;
use crate::table::{to_arrow, to_csv, to_json_rows, to_parquet, to_text};

/// Refuses what would end in a mess, before anything runs.
pub(super) fn allowed(
    format: RowFormat,
    output: Option<&Path>,
    is_terminal: bool,
) -> Result<(), Vec<Diagnostic>> {
    let word = match format {
        RowFormat::Table | RowFormat::Csv | RowFormat::Json if output.is_some() => {
            let finding = Diagnostic::new(Code::Usage, "--output takes rows as arrow or parquet only");
            let finding = finding.help("add --format arrow or --format parquet");
            return Err(vec![finding.help("write text into a file with `>`")]);
        }
        RowFormat::Table | RowFormat::Csv | RowFormat::Json => return Ok(()),
        RowFormat::Arrow => "arrow",
        RowFormat::Parquet => "parquet",
    };
    if output.is_some() || !is_terminal {
        return Ok(());
    }
    let message = format!("rows as {word} are no text, and stdout is a terminal");
    Err(vec![
        Diagnostic::new(Code::Usage, message)
            .help(format!("name a file: --output answer.{word}"))
            .help("or send stdout to a file or a program"),
    ])
}

/// The answer in its form; bytes go into the run, or into the file.
pub(super) fn printed(
    run: &mut Run,
    answer: &Answer,
    format: RowFormat,
    output: Option<&Path>,
) -> Option<(String, Value)> {
    let Answer { table, columns: _, sql, snapshots } = answer;
    let types = types(answer);
    let bytes = match format {
        RowFormat::Table => return Some((to_text(table), Value::Null)),
        RowFormat::Csv => return Some((to_csv(table), Value::Null)),
        RowFormat::Json => {
            let columns: Vec<Value> = answer
                .columns
                .iter()
                .zip(&types)
                .map(|(column, data_type)| json!({"name": column.name, "type": data_type.to_string()}))
                .collect();
            let data = json!({
                "columns": columns,
                "rows": to_json_rows(table),
                "truncated": table.truncated,
                "snapshots": snapshots,
                "sql": sql,
            });
            return Some((String::new(), data));
        }
        RowFormat::Arrow => to_arrow(table, &types),
        RowFormat::Parquet => to_parquet(table, &types),
    };
    let bytes = bytes.map_err(|why| {
        vec![Diagnostic::new(Code::Internal, why).help("ask with --format csv, and report what was asked")]
    });
    let bytes = run.check(bytes)?;
    match output {
        None => run.bytes = bytes,
        Some(path) => {
            run.check(write(path, &bytes))?;
            run.notes.push(format!("{} in {}", counted(table.rows.len() as u64, "row"), path.display()));
        }
    }
    Some((String::new(), Value::Null))
}

/// The type of each column: what the request means, else what the engine gave.
fn types(answer: &Answer) -> Vec<DataType> {
    let columns = answer.table.columns.iter().zip(&answer.columns);
    columns
        .map(|(engine, wanted)| {
            let known = wanted.data_type != DataType::Unknown;
            if known { wanted.data_type } else { engine.data_type }
        })
        .collect()
}

/// Replaces a file in one step; what is no file, such as a device, is left alone.
fn write(path: &Path, bytes: &[u8]) -> Result<(), Vec<Diagnostic>> {
    let unwritable = |why: String| {
        let message = format!("`{}` cannot be written: {why}", path.display());
        vec![Diagnostic::new(Code::FileUnwritable, message)]
    };
    let target = fs::canonicalize(path)
        .or_else(|_| std::path::absolute(path))
        .map_err(|error| unwritable(error.to_string()))?;
    if target.exists() && !target.is_file() {
        return Err(unwritable("it is there and no file".to_string()));
    }
    atomic_write(&target, bytes).map_err(|error| vec![error.diagnostic()])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bytes_go_to_no_terminal_and_text_to_no_file() {
        let file = Some(Path::new("a.parquet"));
        for format in [RowFormat::Arrow, RowFormat::Parquet] {
            assert!(allowed(format, None, false).is_ok());
            assert!(allowed(format, file, true).is_ok());
            assert_eq!(allowed(format, None, true).unwrap_err()[0].code, Code::Usage);
        }
        for format in [RowFormat::Table, RowFormat::Csv, RowFormat::Json] {
            assert!(allowed(format, None, true).is_ok());
            assert_eq!(allowed(format, file, false).unwrap_err()[0].code, Code::Usage);
        }
    }

    #[test]
    fn a_folder_is_not_replaced_and_a_file_is() {
        let folder = std::env::temp_dir().join(format!("unisono-print-{}", std::process::id()));
        fs::create_dir_all(&folder).unwrap();
        assert_eq!(write(&folder, b"x").unwrap_err()[0].code, Code::FileUnwritable);
        let file = folder.join("a.arrow");
        write(&file, b"first").unwrap();
        write(&file, b"second").unwrap();
        assert_eq!(fs::read(&file).unwrap(), b"second");
        assert_eq!(write(&file.join("b"), b"x").unwrap_err()[0].code, Code::FileUnwritable);
        fs::remove_dir_all(&folder).unwrap();
    }
}
