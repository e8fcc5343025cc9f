//! Reads case folders (tests/cases/README.md says what they hold).
//! In: the folders under tests/cases. Out: `Case` and `TpchCase` values in the order of their names.

use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};

use serde_json::Value as Json;

use crate::compare::{Rules, Tolerance};
use crate::project;
use crate::value::{Column, Kind, Table, Value};

/// A case of tests/cases/foundation or tests/cases/shop.
#[derive(Clone, PartialEq, Debug)]
pub struct Case {
    /// `foundation/T-001`.
    pub id: String,
    /// `foundation`, `extension` or `design`.
    pub tier: String,
    /// The DDL and rows of its tables.
    pub schema: String,
    /// The same request in one form or two.
    pub variants: Vec<Variant>,
    /// The home dataset of a scalar request, which is not part of the request.
    pub home: Option<String>,
    /// A zone that an engine's session is set to and that must not change the answer.
    pub time_zone: Option<String>,
    /// Hand-written SQL for the expected rows, if there is some.
    pub check_sql: Option<String>,
    /// What must come out.
    pub expected: Expected,
}

/// A model and a request.
#[derive(Clone, PartialEq, Debug)]
pub struct Variant {
    /// `as written`, or `named`: each expression of the request declared in the model.
    pub name: &'static str,
    /// The model's file.
    pub model: PathBuf,
    /// The request's file.
    pub query: PathBuf,
}

/// What must come out.
#[derive(Clone, PartialEq, Debug)]
pub enum Expected {
    /// Rows.
    Rows {
        /// Each of them is right.
        answers: Vec<Table>,
        /// How to compare.
        rules: Rules,
        /// Codes that are right as well.
        also_accept: Vec<String>,
        /// A refusal is honest, though no pass.
        refusal_ok: bool,
    },
    /// So many rows, each one of these.
    Among {
        /// How many.
        count: usize,
        /// Which.
        rows: Table,
    },
    /// A refusal.
    Error {
        /// Any of them; empty: any code.
        codes: Vec<String>,
        /// Words of the message, in any case.
        words: Vec<String>,
    },
    /// Another kind of question, which `unisono sql` does not answer: `equivalence`, `compare`, `diff`, `lint`, `branch`.
    Other(String),
}

/// A case of tests/cases/tpch.
#[derive(Clone, PartialEq, Debug)]
pub struct TpchCase {
    /// `tpch/01_totals`.
    pub id: String,
    /// The request's file; the model is models/tpch/model.yaml.
    pub request: PathBuf,
    /// Hand-written SQL for `DuckDB`, over the schema `tpch`.
    pub check_sql: String,
    /// How to compare.
    pub rules: Rules,
}

/// The cases of the OSI Foundation.
pub fn foundation() -> Result<Vec<Case>, String> {
    folders("foundation")?.iter().map(|folder| read_case(folder)).collect()
}

/// The cases drawn from reports.
pub fn shop() -> Result<Vec<Case>, String> {
    folders("shop")?.iter().map(|folder| read_case(folder)).collect()
}

/// The cases made of faults that were found in this project and mended.
pub fn found() -> Result<Vec<Case>, String> {
    folders("found")?.iter().map(|folder| read_case(folder)).collect()
}

/// The requests over models/candles, over the rows in its folder.
pub fn candles() -> Result<Vec<Case>, String> {
    let model = project("models/candles");
    let mut schema = read(&model.join("schema.sql"))?;
    for table in ["symbols", "trades", "quotes"] {
        for line in read(&model.join(format!("data/{table}.csv")))?.lines().skip(1) {
            let values = line.replace('\'', "''").replace(',', "', '");
            let _ = writeln!(schema, "INSERT INTO market.{table} VALUES ('{values}');");
        }
    }
    let mut cases = Vec::new();
    for folder in folders("candles")? {
        let mut case = read_case(&folder)?;
        let name = folder.file_name().unwrap_or_default().to_string_lossy().into_owned();
        let query = model.join(format!("queries/{name}.json"));
        case.schema.clone_from(&schema);
        case.variants = vec![Variant { name: "as written", model: model.join("model.yaml"), query }];
        cases.push(case);
    }
    Ok(cases)
}

/// The cases that go through the functions of the language.
pub fn functions() -> Result<Vec<Case>, String> {
    folders("functions")?.iter().map(|folder| read_case(folder)).collect()
}

/// The requests over models/tpch.
pub fn tpch() -> Result<Vec<TpchCase>, String> {
    folders("tpch")?.iter().map(|folder| read_tpch(folder)).collect()
}

fn folders(area: &str) -> Result<Vec<PathBuf>, String> {
    let path = project("tests/cases").join(area);
    let entries = fs::read_dir(&path).map_err(|error| format!("{}: {error}", path.display()))?;
    let mut found: Vec<PathBuf> =
        entries.filter_map(Result::ok).map(|entry| entry.path()).filter(|path| path.is_dir()).collect();
    found.sort();
    if found.is_empty() { Err(format!("{} holds no case", path.display())) } else { Ok(found) }
}

fn read_case(folder: &Path) -> Result<Case, String> {
    let expected = json(&folder.join("expected.json"))?;
    let hints = folder.join("hints.json");
    let hints = if hints.exists() { json(&hints)? } else { Json::Null };
    let mut variants = Vec::new();
    for (name, model, query) in
        [("as written", "model.yaml", "query.json"), ("named", "model_named.yaml", "query_named.json")]
    {
        let (model, query) = (folder.join(model), folder.join(query));
        if model.exists() && query.exists() {
            variants.push(Variant { name, model, query });
        }
    }
    let schema = folder.join("schema.sql");
    let check = folder.join("check.sql");
    Ok(Case {
        id: id(folder),
        tier: expected["tier"].as_str().unwrap_or("foundation").to_owned(),
        schema: if schema.exists() { read(&schema)? } else { String::new() },
        variants,
        home: hints["home"].as_str().map(str::to_owned),
        time_zone: expected["session"]["timezone"].as_str().map(str::to_owned),
        check_sql: if check.exists() { Some(read(&check)?) } else { None },
        expected: read_expected(&expected).map_err(|error| format!("{}: {error}", folder.display()))?,
    })
}

fn read_expected(expected: &Json) -> Result<Expected, String> {
    let kind =
        expected["kind"].as_str().unwrap_or(if expected["error"].is_null() { "rows" } else { "error" });
    match kind {
        "error" => {
            let code = text(&expected["error"]);
            let mut codes = if code == "*" { Vec::new() } else { vec![code] };
            if !codes.is_empty() {
                codes.extend(texts(&expected["also_accept"]));
            }
            Ok(Expected::Error { codes, words: texts(&expected["must_contain"]) })
        }
        "rows" => {
            let columns = read_columns(expected)?;
            if let Some(count) = expected["row_count"].as_u64() {
                let count = usize::try_from(count).map_err(|error| error.to_string())?;
                return Ok(Expected::Among { count, rows: read_rows(&columns, &expected["subset_of"])? });
            }
            let mut answers = vec![read_rows(&columns, &expected["rows"])?];
            for rows in expected["also_accept_rows"].as_array().into_iter().flatten() {
                answers.push(read_rows(&columns, rows)?);
            }
            let rules = Rules {
                ordered: expected["ordered"].as_bool().unwrap_or(false),
                tolerance: Tolerance::Absolute(expected["tolerance"].as_f64().unwrap_or(0.0)),
            };
            Ok(Expected::Rows {
                answers,
                rules,
                also_accept: texts(&expected["also_accept"]),
                refusal_ok: expected["refusal_ok"].as_bool().unwrap_or(false),
            })
        }
        other => Ok(Expected::Other(other.to_owned())),
    }
}

fn read_columns(expected: &Json) -> Result<Vec<Column>, String> {
    let mut columns = Vec::new();
    for name in texts(&expected["columns"]) {
        let kind = match expected["types"][&name].as_str() {
            None => Kind::Any,
            Some(word) => Kind::of_word(word).ok_or_else(|| format!("{word} is no type of a column"))?,
        };
        columns.push(Column { name, kind });
    }
    if columns.is_empty() { Err("no columns".to_owned()) } else { Ok(columns) }
}

/// Rows as objects by column, or as lists.
fn read_rows(columns: &[Column], rows: &Json) -> Result<Table, String> {
    let mut read = Vec::new();
    for row in rows.as_array().ok_or("no rows")? {
        let mut values = Vec::new();
        for (at, column) in columns.iter().enumerate() {
            let value = row.get(&column.name).or_else(|| row.get(at));
            let value = value.ok_or_else(|| format!("a row without {}", column.name))?;
            values.push(Value::from_json(column.kind, value)?);
        }
        read.push(values);
    }
    Ok(Table { columns: columns.to_vec(), rows: read })
}

fn read_tpch(folder: &Path) -> Result<TpchCase, String> {
    let case = json(&folder.join("case.json"))?;
    let (Some(ordered), Some(tolerance)) = (case["ordered"].as_bool(), case["tolerance"].as_f64()) else {
        return Err(format!("{}: case.json wants ordered and tolerance", folder.display()));
    };
    Ok(TpchCase {
        id: id(folder),
        request: folder.join("request.json"),
        check_sql: read(&folder.join("check.sql"))?,
        rules: Rules { ordered, tolerance: Tolerance::Relative(tolerance) },
    })
}

/// The last two parts of a folder's path.
fn id(folder: &Path) -> String {
    let mut parts: Vec<String> =
        folder.iter().rev().take(2).map(|part| part.to_string_lossy().into_owned()).collect();
    parts.reverse();
    parts.join("/")
}

fn read(path: &Path) -> Result<String, String> {
    fs::read_to_string(path).map_err(|error| format!("{}: {error}", path.display()))
}

fn json(path: &Path) -> Result<Json, String> {
    serde_json::from_str(&read(path)?).map_err(|error| format!("{}: {error}", path.display()))
}

fn text(json: &Json) -> String {
    json.as_str().unwrap_or_default().to_owned()
}

fn texts(json: &Json) -> Vec<String> {
    json.as_array().into_iter().flatten().map(text).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_foundation_case_is_read_with_both_variants() {
        let cases = foundation().unwrap();
        assert_eq!(cases.len(), 58);
        assert!(cases.iter().all(|case| case.variants.len() == 2 && !case.schema.is_empty()));
        let errors = cases.iter().filter(|case| matches!(case.expected, Expected::Error { .. })).count();
        assert_eq!(errors, 28);
    }

    #[test]
    fn every_shop_case_is_read() {
        let cases = shop().unwrap();
        assert_eq!(cases.len(), 107);
        let rows = cases.iter().filter(|case| matches!(case.expected, Expected::Rows { .. })).count();
        let other = cases.iter().filter(|case| matches!(case.expected, Expected::Other(_))).count();
        assert_eq!((rows, other), (82, 18));
        assert_eq!(cases.iter().filter(|case| case.tier == "foundation").count(), 67);
    }

    #[test]
    fn every_request_over_candles_is_a_case() {
        let cases = candles().unwrap();
        let queries = fs::read_dir(project("models/candles/queries")).unwrap().count();
        assert_eq!(cases.len(), queries);
        assert!(cases.iter().all(|case| case.variants[0].query.exists()));
        assert_eq!(cases[0].schema.matches("INSERT").count(), 3 + 6 + 4);
    }

    #[test]
    fn a_case_has_its_rows_types_and_other_answers() {
        let cases = foundation().unwrap();
        let case = cases.iter().find(|case| case.id == "foundation/T-021").unwrap();
        let Expected::Rows { answers, also_accept, .. } = &case.expected else { panic!("T-021 has rows") };
        assert_eq!(also_accept, &["E_UNSAFE_REAGGREGATION"]);
        assert_eq!(answers[0].rows.len(), 3);
        assert_eq!(answers[1].rows[1], [Value::Text("pending".to_owned()), Value::Exact("1".to_owned())]);

        let cases = shop().unwrap();
        let case = cases.iter().find(|case| case.id == "shop/B04c").unwrap();
        let Expected::Rows { answers, .. } = &case.expected else { panic!("B04c has rows") };
        assert_eq!(answers[0].columns[1], Column { name: "total_arr".to_owned(), kind: Kind::Exact });
        let case = cases.iter().find(|case| case.id == "shop/B45").unwrap();
        assert_eq!(case.time_zone.as_deref(), Some("America/Chicago"));
        let case = cases.iter().find(|case| case.id == "shop/B53").unwrap();
        assert_eq!(case.home.as_deref(), Some("visits"));
    }
}
