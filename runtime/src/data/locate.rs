//! Which file of a data folder holds which table: `<table>.csv`, `<table>.jsonl`, `<table>.ndjson`, `<table>.parquet`, or the same
//! in a folder `<schema>/`.
//! In: a folder. Out: its data files by name; what is missing is said with near names.

use std::fs;
use std::path::{Path, PathBuf};

use unisono_compiler::diagnostic::{Code, Diagnostic};

/// Formats of data files.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Format {
    /// Comma-separated text with a header.
    Csv,
    /// One JSON object a line.
    JsonLines,
    /// Apache Parquet.
    Parquet,
}

impl Format {
    /// The format that a file's name says.
    pub fn of(path: &Path) -> Option<Format> {
        match path.extension()?.to_str()?.to_ascii_lowercase().as_str() {
            "csv" => Some(Format::Csv),
            "jsonl" | "ndjson" => Some(Format::JsonLines),
            "parquet" => Some(Format::Parquet),
            _ => None,
        }
    }
}

/// A data file.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct DataFile {
    /// The folder it stands in, if that is below the data folder.
    pub schema: Option<String>,
    /// Its name without the ending.
    pub table: String,
    /// Its format, by its ending.
    pub format: Format,
    /// Where it is.
    pub path: PathBuf,
}

/// The data files of one folder, sorted by name.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Folder {
    /// The folder.
    pub root: PathBuf,
    /// Its files and those of its direct subfolders.
    pub files: Vec<DataFile>,
}

/// Lists the data files of a folder.
pub fn open(root: &Path) -> Result<Folder, Vec<Diagnostic>> {
    if !root.exists() {
        let name = root.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
        let siblings = parent_folders(root);
        return Err(vec![
            Diagnostic::new(
                Code::DataNotFound,
                format!("the data folder `{}` does not exist", root.display()),
            )
            .suggest(&name, siblings.iter().map(String::as_str))
            .help("name the folder that holds one CSV, JSON lines or Parquet file a table"),
        ]);
    }
    if !root.is_dir() {
        return Err(vec![
            Diagnostic::new(Code::DataNotFound, format!("`{}` is a file, not a data folder", root.display()))
                .help("name the folder that the file stands in"),
        ]);
    }
    let mut files = Vec::new();
    for path in entries(root)? {
        if path.is_dir() {
            let schema = path.file_name().map(|name| name.to_string_lossy().into_owned());
            for inner in entries(&path)? {
                files.extend(data_file(inner, schema.clone()));
            }
        } else {
            files.extend(data_file(path, None));
        }
    }
    Ok(Folder { root: root.to_path_buf(), files })
}

impl Folder {
    /// The file of the table that a source names, `None` if there is none: its schema's folder first, then the data
    /// folder itself; a name spelled the same first, then one that differs by case.
    pub fn find(&self, source: &[String]) -> Result<Option<&DataFile>, Vec<Diagnostic>> {
        let Some((table, qualifiers)) = source.split_last() else { return Ok(None) };
        for schema in [qualifiers.last(), None] {
            for same in [|a: &str, b: &str| a == b, |a: &str, b: &str| a.eq_ignore_ascii_case(b)] {
                let found: Vec<&DataFile> = self
                    .files
                    .iter()
                    .filter(|file| same(&file.table, table))
                    .filter(|file| match (schema, &file.schema) {
                        (None, None) => true,
                        (Some(wanted), Some(folder)) => same(folder, wanted),
                        (None, Some(_)) | (Some(_), None) => false,
                    })
                    .collect();
                match found.as_slice() {
                    [] => {}
                    [file] => return Ok(Some(file)),
                    [first, second, ..] => return Err(vec![ambiguous(table, first, second)]),
                }
            }
        }
        Ok(None)
    }

    /// What to say when `find` gave nothing.
    pub fn missing(&self, source: &[String]) -> Diagnostic {
        let table = source.last().map_or("", String::as_str);
        let folder = self.root.display();
        let diagnostic = Diagnostic::new(
            Code::DataNotFound,
            format!("the data folder `{folder}` has no file for the table `{}`", source.join(".")),
        );
        let diagnostic = diagnostic.suggest(table, self.files.iter().map(|file| file.table.as_str()));
        diagnostic.help(format!("put `{table}.csv`, `{table}.jsonl` or `{table}.parquet` into `{folder}`"))
    }
}

fn ambiguous(table: &str, first: &DataFile, second: &DataFile) -> Diagnostic {
    Diagnostic::new(
        Code::DataMalformed,
        format!(
            "two files could be the table `{table}`: `{}` and `{}`",
            first.path.display(),
            second.path.display()
        ),
    )
    .help("keep one of them in the data folder")
}

fn data_file(path: PathBuf, schema: Option<String>) -> Option<DataFile> {
    let format = Format::of(&path)?;
    let table = path.file_stem()?.to_str()?.to_string();
    Some(DataFile { schema, table, format, path })
}

fn entries(folder: &Path) -> Result<Vec<PathBuf>, Vec<Diagnostic>> {
    let unreadable = |error: std::io::Error| {
        let message = format!("the data folder `{}` cannot be read: {error}", folder.display());
        vec![Diagnostic::new(Code::FileUnreadable, message)]
    };
    let mut paths = Vec::new();
    for entry in fs::read_dir(folder).map_err(unreadable)? {
        paths.push(entry.map_err(unreadable)?.path());
    }
    paths.sort();
    Ok(paths)
}

fn parent_folders(path: &Path) -> Vec<String> {
    let parent = match path.parent() {
        Some(parent) if !parent.as_os_str().is_empty() => parent,
        Some(_) | None => Path::new("."),
    };
    entries(parent)
        .unwrap_or_default()
        .into_iter()
        .filter(|path| path.is_dir())
        .filter_map(|path| path.file_name().map(|name| name.to_string_lossy().into_owned()))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn file(schema: Option<&str>, table: &str, format: Format) -> DataFile {
        let ending = match format {
            Format::Csv => "csv",
            Format::JsonLines => "jsonl",
            Format::Parquet => "parquet",
        };
        let path = schema.map_or_else(PathBuf::new, PathBuf::from).join(format!("{table}.{ending}"));
        DataFile { schema: schema.map(ToString::to_string), table: table.to_string(), format, path }
    }

    fn source(text: &str) -> Vec<String> {
        text.split('.').map(ToString::to_string).collect()
    }

    #[test]
    fn the_schema_folder_comes_before_the_folder_itself() {
        let own = file(Some("shop"), "orders", Format::Parquet);
        let top = file(None, "orders", Format::Csv);
        let folder = Folder { root: PathBuf::from("d"), files: vec![top.clone(), own.clone()] };
        assert_eq!(folder.find(&source("lake.shop.orders")).unwrap(), Some(&own));
        assert_eq!(folder.find(&source("main.ORDERS")).unwrap(), Some(&top));
        assert_eq!(folder.find(&source("main.returns")).unwrap(), None);
    }

    #[test]
    fn two_files_of_one_table_are_an_error() {
        let files = vec![file(None, "orders", Format::Csv), file(None, "orders", Format::Parquet)];
        let folder = Folder { root: PathBuf::from("d"), files };
        let errors = folder.find(&source("orders")).unwrap_err();
        assert_eq!(errors[0].code, Code::DataMalformed);
    }

    #[test]
    fn a_missing_table_is_said_with_near_names() {
        let folder = Folder { root: PathBuf::from("d"), files: vec![file(None, "orders", Format::Csv)] };
        let missing = folder.missing(&source("main.order"));
        assert_eq!(missing.candidates, ["orders"]);
        assert_eq!(missing.help, ["put `order.csv`, `order.jsonl` or `order.parquet` into `d`"]);
    }

    #[test]
    fn a_missing_folder_is_an_error_with_help() {
        let errors = open(Path::new("no/such/folder")).unwrap_err();
        assert_eq!(errors[0].code, Code::DataNotFound);
        assert!(!errors[0].help.is_empty());
    }
}
