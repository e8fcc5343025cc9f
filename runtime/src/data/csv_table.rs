//! A CSV file as a table: its columns with types, then its rows as Arrow batches.
//! In: a path and the types that are declared. Out: columns, batches, or the line that does not fit.

use std::collections::BTreeSet;
use std::fs::File;
use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use arrow::array::RecordBatch;
use arrow::datatypes::SchemaRef;
use unisono_compiler::catalog::{Column, Table, parse_ddl};
use unisono_compiler::data_type::DataType;
use unisono_compiler::diagnostic::{Code, Diagnostic, has_errors};
use unisono_compiler::source::SourceId;

use super::csv::{CsvError, Reader};
use super::fit::{BATCH_ROWS, Hint, Taken, hinted, not_null, unfit};
use super::infer::Guess;

/// The columns of a file in its own order. A declared type wins, then the model's; the others are inferred from all rows.
pub fn columns(
    path: &Path,
    declared: Option<&Table>,
    hints: &[Hint],
) -> Result<Vec<Column>, Vec<Diagnostic>> {
    columns_of(open(path)?, path, declared, hints)
}

/// All rows of a file, with only those of its columns that are wanted; what the others hold is not looked at.
pub fn rows(
    path: &Path,
    columns: &[Column],
    wanted: &BTreeSet<String>,
) -> Result<(SchemaRef, Vec<RecordBatch>), Vec<Diagnostic>> {
    rows_of(open(path)?, path, columns, wanted)
}

/// All rows of a file with the types that DDL text declares for a table; what it does not declare is inferred.
pub fn read_csv_table(
    path: &Path,
    table: &str,
    ddl: &str,
) -> Result<(SchemaRef, Vec<RecordBatch>), Vec<Diagnostic>> {
    let (catalog, findings) = parse_ddl(SourceId(0), ddl);
    if has_errors(&findings) {
        return Err(findings);
    }
    let columns = columns(path, catalog.find(&[table.to_string()]), &[])?;
    let wanted = columns.iter().map(|column| column.name.clone()).collect();
    rows(path, &columns, &wanted)
}

fn open(path: &Path) -> Result<Reader<BufReader<File>>, Vec<Diagnostic>> {
    match File::open(path) {
        Ok(file) => Ok(Reader::new(BufReader::with_capacity(1 << 16, file))),
        Err(error) => Err(vec![Diagnostic::new(
            Code::FileUnreadable,
            format!("`{}` cannot be read: {error}", path.display()),
        )]),
    }
}

fn columns_of<R: BufRead>(
    mut reader: Reader<R>,
    path: &Path,
    declared: Option<&Table>,
    hints: &[Hint],
) -> Result<Vec<Column>, Vec<Diagnostic>> {
    let header = read_header(&mut reader, path)?;
    if let Some(table) = declared {
        check_declared(path, &header, table)?;
    }
    // A decimal without precision says no type to read by.
    let typed = |column: &&Column| column.data_type != DataType::Unknown;
    let known: Vec<Option<&Column>> =
        header.iter().map(|name| declared.and_then(|table| table.column(name)).filter(typed)).collect();
    let mut guesses = vec![Guess::default(); header.len()];
    if known.iter().any(Option::is_none) {
        while advance(&mut reader, path, header.len())? {
            for (at, guess) in guesses.iter_mut().enumerate() {
                if let Some(text) = reader.field(at) {
                    guess.observe(text);
                }
            }
        }
    }
    Ok(header
        .into_iter()
        .zip(known)
        .zip(guesses)
        .map(|((name, known), guess)| match known {
            Some(column) => Column { name, ..column.clone() },
            None => hinted(name, guess.data_type(), hints),
        })
        .collect())
}

fn rows_of<R: BufRead>(
    reader: Reader<R>,
    path: &Path,
    columns: &[Column],
    wanted: &BTreeSet<String>,
) -> Result<(SchemaRef, Vec<RecordBatch>), Vec<Diagnostic>> {
    let batches = Batches::new(reader, path, columns, wanted)?;
    let schema = Arc::clone(&batches.taken.schema);
    Ok((schema, batches.collect::<Result<_, _>>()?))
}

/// The rows of a file, a batch at a time; ends after the first error.
pub struct Batches<R> {
    reader: Reader<R>,
    path: PathBuf,
    taken: Taken,
    width: usize,
    done: bool,
}

/// All rows of a file as batches, with all of its columns.
pub fn batches(path: &Path, columns: &[Column]) -> Result<Batches<BufReader<File>>, Vec<Diagnostic>> {
    let wanted = columns.iter().map(|column| column.name.clone()).collect();
    Batches::new(open(path)?, path, columns, &wanted)
}

impl<R: BufRead> Batches<R> {
    fn new(
        mut reader: Reader<R>,
        path: &Path,
        columns: &[Column],
        wanted: &BTreeSet<String>,
    ) -> Result<Self, Vec<Diagnostic>> {
        read_header(&mut reader, path)?;
        let taken = Taken::new(columns, wanted);
        Ok(Batches { reader, path: path.to_path_buf(), taken, width: columns.len(), done: false })
    }

    fn read(&mut self) -> Result<Option<RecordBatch>, Vec<Diagnostic>> {
        let mut filled = 0;
        while filled < BATCH_ROWS && advance(&mut self.reader, &self.path, self.width)? {
            for (builder, (at, column)) in self.taken.builders.iter_mut().zip(&self.taken.columns) {
                let field = self.reader.field(*at);
                if !column.nullable && builder.value_of(field).is_none() {
                    return Err(vec![not_null(&self.path, self.reader.line(), column)]);
                }
                if !builder.append(field) {
                    let shown = field.unwrap_or_default();
                    return Err(vec![unfit(&self.path, self.reader.line(), shown, column)]);
                }
            }
            filled += 1;
        }
        self.taken.batch(filled, &self.path)
    }
}

impl<R: BufRead> Iterator for Batches<R> {
    type Item = Result<RecordBatch, Vec<Diagnostic>>;

    fn next(&mut self) -> Option<Self::Item> {
        if self.done {
            return None;
        }
        let batch = self.read().transpose();
        self.done = !matches!(batch, Some(Ok(_)));
        batch
    }
}

fn read_header<R: BufRead>(reader: &mut Reader<R>, path: &Path) -> Result<Vec<String>, Vec<Diagnostic>> {
    if !reader.advance().map_err(|error| malformed(path, &error))? {
        return Err(vec![
            Diagnostic::new(Code::DataMalformed, format!("`{}` is empty", path.display()))
                .help("write the column names into its first line"),
        ]);
    }
    let mut names: Vec<String> = Vec::new();
    for at in 0..reader.width() {
        let name = reader.field(at).unwrap_or_default().trim_matches(' ').to_string();
        if name.is_empty() || names.iter().any(|known| known.eq_ignore_ascii_case(&name)) {
            let what = if name.is_empty() { "has no name".to_string() } else { format!("repeats `{name}`") };
            return Err(vec![Diagnostic::new(
                Code::DataMalformed,
                format!("{}:1: column {} of the header {what}", path.display(), at + 1),
            )]);
        }
        names.push(name);
    }
    Ok(names)
}

/// A declared column that the file lacks is said at once: its absence would otherwise look like a misspelled field.
fn check_declared(path: &Path, header: &[String], table: &Table) -> Result<(), Vec<Diagnostic>> {
    let missing: Vec<Diagnostic> = table
        .columns
        .iter()
        .filter(|column| !header.iter().any(|name| name.eq_ignore_ascii_case(&column.name)))
        .map(|column| {
            let message = format!(
                "{}:1: the header has no column `{}`, which the schema declares for `{}`",
                path.display(),
                column.name,
                table.name.join(".")
            );
            Diagnostic::new(Code::DataMalformed, message)
                .suggest(&column.name, header.iter().map(String::as_str))
        })
        .collect();
    if missing.is_empty() { Ok(()) } else { Err(missing) }
}

fn advance<R: BufRead>(reader: &mut Reader<R>, path: &Path, width: usize) -> Result<bool, Vec<Diagnostic>> {
    if !reader.advance().map_err(|error| malformed(path, &error))? {
        return Ok(false);
    }
    if reader.width() == width {
        return Ok(true);
    }
    Err(vec![Diagnostic::new(
        Code::DataMalformed,
        format!(
            "{}:{}: the record has {} fields, the header has {width}",
            path.display(),
            reader.line(),
            reader.width()
        ),
    )])
}

fn malformed(path: &Path, error: &CsvError) -> Vec<Diagnostic> {
    let message = format!("{}:{}: {}", path.display(), error.line, error.message);
    vec![Diagnostic::new(Code::DataMalformed, message)]
}

#[cfg(test)]
mod tests {
    use unisono_compiler::catalog::Origin;
    use unisono_compiler::model::LogicalType;

    use super::*;

    fn read(
        text: &str,
        declared: Option<&Table>,
    ) -> Result<(Vec<Column>, Vec<RecordBatch>), Vec<Diagnostic>> {
        let path = Path::new("orders.csv");
        let columns = columns_of(Reader::new(text.as_bytes()), path, declared, &[])?;
        let wanted = columns.iter().map(|column| column.name.clone()).collect();
        let (_, batches) = rows_of(Reader::new(text.as_bytes()), path, &columns, &wanted)?;
        Ok((columns, batches))
    }

    fn declared(columns: &[(&str, DataType)]) -> Table {
        let columns = columns
            .iter()
            .map(|(name, data_type)| Column {
                name: (*name).to_string(),
                data_type: *data_type,
                nullable: true,
                origin: Origin::SchemaFile,
            })
            .collect();
        Table { name: vec!["orders".to_string()], columns }
    }

    #[test]
    fn declared_types_win_and_the_rest_is_inferred() {
        let table = declared(&[("ID", DataType::Int32)]);
        let (columns, batches) = read("id,amount,at\n1,10.50,2024-01-31\n2,,\n", Some(&table)).unwrap();
        let types: Vec<DataType> = columns.iter().map(|column| column.data_type).collect();
        assert_eq!(types, [DataType::Int32, DataType::Decimal { precision: 18, scale: 2 }, DataType::Date]);
        assert_eq!(columns[0].name, "id");
        assert_eq!(batches[0].num_rows(), 2);
        assert_eq!(batches[0].column(1).null_count(), 1);
    }

    #[test]
    fn what_does_not_fit_names_line_and_column() {
        let table = declared(&[("id", DataType::Int64)]);
        let errors = read("id\n1\nx\n", Some(&table)).unwrap_err();
        assert_eq!(errors[0].message, "orders.csv:3: `x` in column `id` is no Int64");
        let errors = read("id,name\n1\n", None).unwrap_err();
        assert_eq!(errors[0].message, "orders.csv:2: the record has 1 fields, the header has 2");
        let errors = read("", None).unwrap_err();
        assert_eq!(errors[0].message, "`orders.csv` is empty");
        let errors = read("id,Id\n", None).unwrap_err();
        assert_eq!(errors[0].message, "orders.csv:1: column 2 of the header repeats `Id`");
    }

    #[test]
    fn what_the_model_declares_wins_over_the_texts() {
        let hint = |column: &str, logical| Hint { column: column.to_string(), logical };
        let hints = [
            hint("ZIP", LogicalType::String),
            hint("amount", LogicalType::Decimal),
            hint("at", LogicalType::DateTime),
        ];
        let text = "zip,amount,at,n\n1234,5,2024-01-31,7\n";
        let columns = columns_of(Reader::new(text.as_bytes()), Path::new("t.csv"), None, &hints).unwrap();
        let types: Vec<DataType> = columns.iter().map(|column| column.data_type).collect();
        let decimal = DataType::Decimal { precision: 19, scale: 0 };
        assert_eq!(types, [DataType::String, decimal, DataType::Timestamp, DataType::Int64]);
    }

    #[test]
    fn a_decimal_without_precision_is_inferred_and_not_null_is_kept() {
        let mut table = declared(&[("a", DataType::Unknown), ("b", DataType::Int64)]);
        table.columns[1].nullable = false;
        let (columns, _) = read("a,b\n1.5,1\n", Some(&table)).unwrap();
        assert_eq!(columns[0].data_type, DataType::Decimal { precision: 18, scale: 1 });
        for text in ["a,b\n1.5,\n", "a,b\n1.5,\"\"\n", "a,b\n1.5,  \n"] {
            let errors = read(text, Some(&table)).unwrap_err();
            assert_eq!(
                errors[0].message, "orders.csv:2: column `b` is empty and declared NOT NULL",
                "{text}"
            );
        }
    }

    #[test]
    fn only_wanted_columns_are_read_and_rows_are_counted_without_any() {
        let path = Path::new("orders.csv");
        let text = "id,name\n1,a\n2,b\n";
        let columns = columns_of(Reader::new(text.as_bytes()), path, None, &[]).unwrap();
        for (wanted, name) in [(vec!["name".to_string()], "name"), (Vec::new(), "id")] {
            let wanted = wanted.into_iter().collect();
            let (schema, batches) = rows_of(Reader::new(text.as_bytes()), path, &columns, &wanted).unwrap();
            assert_eq!((schema.field(0).name().as_str(), schema.fields().len()), (name, 1));
            assert_eq!(batches[0].num_rows(), 2);
        }
    }

    #[test]
    fn a_declared_column_that_is_missing_is_said_with_near_names() {
        let table = declared(&[("amount", DataType::Int64)]);
        let errors = read("id,amonut\n", Some(&table)).unwrap_err();
        assert_eq!(errors[0].candidates, ["amonut"]);
    }
}
