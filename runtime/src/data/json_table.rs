//! A JSON lines file as a table: its columns with types, then its rows as Arrow batches.
//! In: a path and the types that are declared. Out: columns, batches, or the line that does not fit. A key that an object lacks is NULL.

use std::collections::{BTreeSet, HashMap};
use std::fs::File;
use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use arrow::array::RecordBatch;
use arrow::datatypes::SchemaRef;
use unisono_compiler::catalog::{Column, Table};
use unisono_compiler::data_type::DataType;
use unisono_compiler::diagnostic::{Code, Diagnostic};

use super::fit::{BATCH_ROWS, Hint, Taken, hinted, not_null, unfit};
use super::infer::Guess;
use super::json_lines::{Kind, LineError, MAX_KEYS, Reader};

/// The columns of a file: every key that a line has, in the order of their first lines. A declared type wins, then the model's; the
/// others are inferred from all rows.
pub fn columns(
    path: &Path,
    declared: Option<&Table>,
    hints: &[Hint],
) -> Result<Vec<Column>, Vec<Diagnostic>> {
    columns_of(open(path)?, path, declared, hints)
}

/// The columns of a file for a table that is there: those that are wanted, then the table's others, which a line may hold as well.
pub fn columns_for(known: &Table, wanted: &Table) -> Vec<Column> {
    let is_wanted = |column: &&Column| wanted.columns.iter().any(|one| one.name == column.name);
    let others = known.columns.iter().filter(|column| !is_wanted(column));
    let others = others.map(|column| Column { nullable: true, ..column.clone() });
    wanted.columns.iter().cloned().chain(others).collect()
}

/// All rows of a file, with only those of its columns that are wanted; what the others hold is not looked at.
pub fn rows(
    path: &Path,
    columns: &[Column],
    wanted: &BTreeSet<String>,
) -> Result<(SchemaRef, Vec<RecordBatch>), Vec<Diagnostic>> {
    let batches = Batches::new(open(path)?, path, columns, wanted);
    let schema = Arc::clone(&batches.taken.schema);
    Ok((schema, batches.collect::<Result<_, _>>()?))
}

/// All rows of a file as batches, with all of its columns.
pub fn batches(path: &Path, columns: &[Column]) -> Result<Batches<BufReader<File>>, Vec<Diagnostic>> {
    let wanted = columns.iter().map(|column| column.name.clone()).collect();
    Ok(Batches::new(open(path)?, path, columns, &wanted))
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

/// Columns by their names, each with the last line that had it.
#[derive(Default)]
struct Names {
    exact: HashMap<String, usize>,
    list: Vec<(String, u64)>,
}

impl Names {
    fn add(&mut self, name: &str) -> usize {
        let at = self.list.len();
        self.exact.insert(name.to_string(), at);
        self.list.push((name.to_string(), 0));
        at
    }

    /// The column of a key: a name spelled the same, else the one that differs by case only.
    fn find(&self, key: &str) -> Option<usize> {
        self.exact.get(key).copied().or_else(|| {
            let near = |(name, _): &(String, u64)| name.eq_ignore_ascii_case(key);
            let first = self.list.iter().position(near)?;
            (!self.list[first + 1..].iter().any(near)).then_some(first)
        })
    }

    /// Marks that a line has the column; an object that has it twice would leave open which value is meant.
    fn mark(&mut self, at: usize, path: &Path, line: u64) -> Result<(), Vec<Diagnostic>> {
        let (name, last) = &mut self.list[at];
        if *last == line {
            let message = format!("{}:{line}: the object has the key `{name}` twice", path.display());
            return Err(vec![Diagnostic::new(Code::DataMalformed, message).help("leave one of them")]);
        }
        *last = line;
        Ok(())
    }

    fn names(&self) -> impl Iterator<Item = &str> {
        self.list.iter().map(|(name, _)| name.as_str())
    }
}

fn columns_of<R: BufRead>(
    mut reader: Reader<R>,
    path: &Path,
    declared: Option<&Table>,
    hints: &[Hint],
) -> Result<Vec<Column>, Vec<Diagnostic>> {
    let mut names = Names::default();
    let mut guesses: Vec<Guess> = Vec::new();
    let mut is_empty = true;
    while advance(&mut reader, path)? {
        is_empty = false;
        for member in 0..reader.width() {
            let at = match names.find(reader.key(member)) {
                Some(at) => at,
                None if guesses.len() == MAX_KEYS => {
                    let message = format!(
                        "{}:{}: the file has more than {MAX_KEYS} different keys",
                        path.display(),
                        reader.line()
                    );
                    return Err(vec![Diagnostic::new(Code::LimitExceeded, message)]);
                }
                None => {
                    guesses.push(Guess::default());
                    names.add(reader.key(member))
                }
            };
            names.mark(at, path, reader.line())?;
            match (reader.kind(member), reader.value(member)) {
                (Kind::Text, Some(text)) => guesses[at].observe_text(text),
                (Kind::Boolean | Kind::Number, Some(text)) => guesses[at].observe(text),
                (Kind::Null, _) | (_, None) => {}
            }
        }
    }
    if let Some(table) = declared {
        if is_empty {
            // A table without rows still has the columns that are declared.
            for column in &table.columns {
                names.add(&column.name);
                guesses.push(Guess::default());
            }
        }
        check_declared(path, &names, table)?;
    }
    if guesses.is_empty() {
        let message = format!("`{}` has no object with a key", path.display());
        return Err(vec![
            Diagnostic::new(Code::DataMalformed, message)
                .help("write one object a line, or declare the columns of a table without rows"),
        ]);
    }
    // A decimal without precision says no type to read by.
    let typed = |column: &&Column| column.data_type != DataType::Unknown;
    let columns = names.names().zip(guesses).map(|(name, guess)| {
        let known = declared.and_then(|table| table.column(name)).filter(typed);
        match known {
            Some(column) => Column { name: name.to_string(), ..column.clone() },
            None => hinted(name.to_string(), guess.data_type(), hints),
        }
    });
    Ok(columns.collect())
}

/// A declared column that no line has is said at once: its absence would otherwise look like a misspelled field.
fn check_declared(path: &Path, names: &Names, table: &Table) -> Result<(), Vec<Diagnostic>> {
    let missing: Vec<Diagnostic> = table
        .columns
        .iter()
        .filter(|column| names.find(&column.name).is_none())
        .map(|column| {
            let message = format!(
                "{}: no line has the key `{}`, which the schema declares for `{}`",
                path.display(),
                column.name,
                table.name.join(".")
            );
            Diagnostic::new(Code::DataMalformed, message)
                .suggest(&column.name, names.names())
                .help("a column that is empty everywhere needs one line with null")
        })
        .collect();
    if missing.is_empty() { Ok(()) } else { Err(missing) }
}

/// The rows of a file, a batch at a time; ends after the first error.
pub struct Batches<R> {
    reader: Reader<R>,
    path: PathBuf,
    names: Names,
    taken: Taken,
    /// The member of the object that holds each column.
    held: Vec<Option<usize>>,
    done: bool,
}

impl<R: BufRead> Batches<R> {
    fn new(reader: Reader<R>, path: &Path, columns: &[Column], wanted: &BTreeSet<String>) -> Self {
        let mut names = Names::default();
        for column in columns {
            names.add(&column.name);
        }
        Batches {
            reader,
            path: path.to_path_buf(),
            names,
            taken: Taken::new(columns, wanted),
            held: vec![None; columns.len()],
            done: false,
        }
    }

    fn read(&mut self) -> Result<Option<RecordBatch>, Vec<Diagnostic>> {
        let mut filled = 0;
        while filled < BATCH_ROWS && advance(&mut self.reader, &self.path)? {
            self.hold()?;
            for (builder, (at, column)) in self.taken.builders.iter_mut().zip(&self.taken.columns) {
                let text = self.held[*at].and_then(|member| self.reader.value(member));
                if text.is_none() && !column.nullable {
                    return Err(vec![not_null(&self.path, self.reader.line(), column)]);
                }
                // NULL is null here: an empty text is no number and no date.
                let is_blank = text.is_some() && builder.value_of(text).is_none();
                if is_blank || !builder.append(text) {
                    let shown = text.unwrap_or_default();
                    return Err(vec![unfit(&self.path, self.reader.line(), shown, column)]);
                }
            }
            filled += 1;
        }
        self.taken.batch(filled, &self.path)
    }

    /// Finds the columns of the object's keys.
    fn hold(&mut self) -> Result<(), Vec<Diagnostic>> {
        self.held.fill(None);
        for member in 0..self.reader.width() {
            let key = self.reader.key(member);
            let Some(at) = self.names.find(key) else {
                let line = self.reader.line();
                let message =
                    format!("{}:{line}: there is no column for the key `{key}`", self.path.display());
                return Err(vec![
                    Diagnostic::new(Code::DataMalformed, message)
                        .suggest(key, self.names.names())
                        .help("a table takes only the columns that it was made with"),
                ]);
            };
            self.names.mark(at, &self.path, self.reader.line())?;
            self.held[at] = Some(member);
        }
        Ok(())
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

fn advance<R: BufRead>(reader: &mut Reader<R>, path: &Path) -> Result<bool, Vec<Diagnostic>> {
    reader.advance().map_err(|LineError { line, code, message }| {
        let finding = Diagnostic::new(code, format!("{}:{line}: {message}", path.display()));
        vec![finding.help("a line holds one whole object with plain values: {\"id\": 1, \"name\": \"a\", \"left_on\": null}")]
    })
}

#[cfg(test)]
mod tests {
    use arrow::array::AsArray;
    use arrow::datatypes::{Decimal128Type, Int64Type};
    use unisono_compiler::catalog::Origin;
    use unisono_compiler::model::LogicalType;

    use super::*;

    fn inferred(text: &str, declared: Option<&Table>) -> Result<Vec<Column>, Vec<Diagnostic>> {
        columns_of(Reader::new(text.as_bytes()), Path::new("t.jsonl"), declared, &[])
    }

    fn read(text: &str, columns: &[Column]) -> Result<RecordBatch, Vec<Diagnostic>> {
        let wanted = columns.iter().map(|column| column.name.clone()).collect();
        let mut batches = Batches::new(Reader::new(text.as_bytes()), Path::new("t.jsonl"), columns, &wanted);
        batches.next().unwrap()
    }

    fn table(columns: &[(&str, DataType, bool)]) -> Table {
        let columns = columns
            .iter()
            .map(|(name, data_type, nullable)| Column {
                name: (*name).to_string(),
                data_type: *data_type,
                nullable: *nullable,
                origin: Origin::SchemaFile,
            })
            .collect();
        Table { name: vec!["t".to_string()], columns }
    }

    fn types(columns: &[Column]) -> Vec<(&str, DataType)> {
        columns.iter().map(|column| (column.name.as_str(), column.data_type)).collect()
    }

    const MONEY: DataType = DataType::Decimal { precision: 18, scale: 2 };

    #[test]
    fn types_come_from_all_lines_and_missing_keys_are_null() {
        let text = "{\"id\":1,\"amount\":10.50,\"on\":\"2024-01-31\"}\n{\"ID\":2,\"zip\":\"0123\",\"amount\":null}\n{\"id\":3,\"paid\":true,\"rate\":1e3,\"zip\":\"12\"}\n";
        let columns = inferred(text, None).unwrap();
        let expected = [
            ("id", DataType::Int64),
            ("amount", MONEY),
            ("on", DataType::Date),
            ("zip", DataType::String),
            ("paid", DataType::Boolean),
            ("rate", DataType::Float64),
        ];
        assert_eq!(types(&columns), expected);
        let batch = read(text, &columns).unwrap();
        assert_eq!(batch.column(0).as_primitive::<Int64Type>().values().to_vec(), [1, 2, 3]);
        assert_eq!(batch.column(1).as_primitive::<Decimal128Type>().value(0), 1050);
        let nulls: Vec<usize> = batch.columns().iter().map(|array| array.null_count()).collect();
        assert_eq!(nulls, [0, 2, 2, 1, 2, 2]);
    }

    #[test]
    fn digits_beyond_a_double_are_kept() {
        let text = "{\"a\":0.1000000000000000055511151231257827}\n{\"a\":12.3}\n";
        let columns = inferred(text, None).unwrap();
        assert_eq!(types(&columns), [("a", DataType::Decimal { precision: 36, scale: 34 })]);
        let batch = read(text, &columns).unwrap();
        let digits = batch.column(0).as_primitive::<Decimal128Type>();
        assert_eq!(digits.value(0), 1_000_000_000_000_000_055_511_151_231_257_827);
        assert_eq!(digits.value(1), 123 * 10_i128.pow(33));
    }

    #[test]
    fn what_is_declared_wins_and_the_rest_is_inferred() {
        let declared = table(&[("Amount", DataType::Decimal { precision: 30, scale: 4 }, true)]);
        let text = "{\"amount\":\"10.5\",\"n\":7}\n{\"amount\":2}\n";
        let columns = inferred(text, Some(&declared)).unwrap();
        let declared = DataType::Decimal { precision: 30, scale: 4 };
        assert_eq!(types(&columns), [("amount", declared), ("n", DataType::Int64)]);
        let batch = read(text, &columns).unwrap();
        assert_eq!(batch.column(0).as_primitive::<Decimal128Type>().values().to_vec(), [105_000, 20_000]);
        let hint = Hint { column: "ZIP".to_string(), logical: LogicalType::String };
        let reader = Reader::new(&b"{\"zip\":12.50}"[..]);
        let columns = columns_of(reader, Path::new("t.jsonl"), None, &[hint]).unwrap();
        assert_eq!(types(&columns), [("zip", DataType::String)]);
        assert_eq!(read("{\"zip\":12.50}", &columns).unwrap().column(0).as_string::<i32>().value(0), "12.50");
    }

    #[test]
    fn what_does_not_fit_names_line_and_key() {
        let columns = table(&[("id", DataType::Int64, false), ("on", DataType::Date, true)]).columns;
        for (text, message) in [
            ("{\"id\":1}\n{\"id\":1.5}", "t.jsonl:2: `1.5` in column `id` is no Int64"),
            ("{\"id\":true}", "t.jsonl:1: `true` in column `id` is no Int64"),
            ("{\"id\":1,\"on\":\"\"}", "t.jsonl:1: `` in column `on` is no Date"),
            ("{\"on\":null}", "t.jsonl:1: column `id` is empty and declared NOT NULL"),
            ("{\"id\":null}", "t.jsonl:1: column `id` is empty and declared NOT NULL"),
            ("\n{\"id\":1,\"Id\":2}", "t.jsonl:2: the object has the key `id` twice"),
            ("{\"id\":1,\"om\":2}", "t.jsonl:1: there is no column for the key `om`"),
            ("{\"id\":1,\"on\":[]}", "t.jsonl:1: `on` holds a list, and a column holds one value"),
        ] {
            assert_eq!(read(text, &columns).unwrap_err()[0].message, message);
        }
        let columns = table(&[("amount", DataType::Int64, true)]).columns;
        assert_eq!(read("{\"amuont\":2}", &columns).unwrap_err()[0].candidates, ["amount"]);
        let errors = inferred("{\"a\":1,\"A\":2}", None).unwrap_err();
        assert_eq!(errors[0].message, "t.jsonl:1: the object has the key `a` twice");
    }

    #[test]
    fn a_declared_column_that_no_line_has_is_said() {
        let declared = table(&[("amount", DataType::Int64, true)]);
        let errors = inferred("{\"amonut\":1}", Some(&declared)).unwrap_err();
        assert_eq!(
            errors[0].message,
            "t.jsonl: no line has the key `amount`, which the schema declares for `t`"
        );
        assert_eq!(errors[0].candidates, ["amonut"]);
        // No rows are no sign of a mistake.
        assert_eq!(types(&inferred("\n", Some(&declared)).unwrap()), [("amount", DataType::Int64)]);
        assert_eq!(inferred("{}\n", None).unwrap_err()[0].message, "`t.jsonl` has no object with a key");
    }

    #[test]
    fn a_table_that_is_there_gives_columns_and_the_file_may_lack_keys() {
        let known = table(&[("id", DataType::Int64, false), ("a", DataType::Int64, false)]);
        let mut wanted = table(&[("id", DataType::Int64, false)]);
        let columns = columns_for(&known, &wanted);
        assert_eq!(read("{\"id\":1}\n{\"id\":2,\"a\":3}", &columns).unwrap().column(1).null_count(), 1);
        wanted = known.clone();
        let errors = read("{\"id\":1}", &columns_for(&known, &wanted)).unwrap_err();
        assert_eq!(errors[0].message, "t.jsonl:1: column `a` is empty and declared NOT NULL");
    }

    #[test]
    fn a_file_has_a_limit_of_keys() {
        let lines: Vec<String> = (0..=MAX_KEYS).map(|number| format!("{{\"k{number}\":1}}")).collect();
        let errors = inferred(&lines.join("\n"), None).unwrap_err();
        assert_eq!(errors[0].code, Code::LimitExceeded);
        assert_eq!(inferred(&lines[1..].join("\n"), None).unwrap().len(), MAX_KEYS);
    }

    #[test]
    fn only_wanted_columns_are_read_and_rows_are_counted_without_any() {
        let text = "{\"id\":1,\"name\":\"a\"}\n{\"id\":2}\n";
        let columns = inferred(text, None).unwrap();
        for (wanted, name) in [(vec!["name".to_string()], "name"), (Vec::new(), "id")] {
            let wanted = wanted.into_iter().collect();
            let reader = Reader::new(text.as_bytes());
            let mut batches = Batches::new(reader, Path::new("t.jsonl"), &columns, &wanted);
            let batch = batches.next().unwrap().unwrap();
            assert_eq!((batch.schema().field(0).name().as_str(), batch.num_rows()), (name, 2));
        }
    }
}
