//! The tables that a model reads, as files of a data folder. In: a model's sources, a folder, declared types.
//! Out: which file serves which source, with its columns, and the same as a catalogue for `resolve`.

use std::collections::BTreeSet;

use unisono_compiler::catalog::{Catalog, Column, Table};
use unisono_compiler::diagnostic::Diagnostic;
use unisono_compiler::ids::DatasetId;
use unisono_compiler::model::{Body, Dialect, Model, Source};
use unisono_compiler::syntax::expr::ExprKind;

use super::fit::Hint;
use super::locate::{DataFile, Folder, Format};
use super::{csv_table, json_table};
use crate::engine::EngineError;
use crate::engine::datafusion::{SCHEMA, Session};

/// A source with the file that holds its rows.
pub struct Served {
    /// The table's name with its schema.
    pub name: Vec<String>,
    /// The name as the model writes it, by which the catalogue is asked.
    pub source: Vec<String>,
    /// The file.
    pub file: DataFile,
    /// The file's columns.
    pub columns: Vec<Column>,
}

/// Why data could not be used.
#[derive(Debug)]
pub enum DataError {
    /// The files are at fault.
    Files(Vec<Diagnostic>),
    /// The engine could not read them.
    Engine(EngineError),
}

impl From<Vec<Diagnostic>> for DataError {
    fn from(findings: Vec<Diagnostic>) -> Self {
        DataError::Files(findings)
    }
}

impl From<EngineError> for DataError {
    fn from(error: EngineError) -> Self {
        DataError::Engine(error)
    }
}

/// The files of all sources that have one. A source without a file is none of this function's business: a request may
/// not need it.
pub async fn serve(
    session: &Session,
    folder: &Folder,
    model: &Model,
    declared: &Catalog,
) -> Result<Vec<Served>, DataError> {
    let mut served: Vec<Served> = Vec::new();
    for (_, dataset) in model.datasets.iter() {
        match &dataset.source {
            Source::Table(parts) => {
                let name = table_name(parts);
                if served.iter().any(|known| known.name == name) {
                    continue;
                }
                if let Some(file) = folder.find(&name)? {
                    let hints = hints(model, &name);
                    let columns = columns_of(session, file, declared.find(&name), &hints).await?;
                    served.push(Served { name, source: parts.clone(), file: file.clone(), columns });
                }
            }
            // The text of a query may name any table of the folder.
            Source::Query(_) => {
                for file in &folder.files {
                    let parts: Vec<String> = file.schema.iter().chain([&file.table]).cloned().collect();
                    let name = table_name(&parts);
                    if !served.iter().any(|known| known.name == name) {
                        let columns = columns_of(session, file, declared.find(&name), &[]).await?;
                        served.push(Served { name, source: parts, file: file.clone(), columns });
                    }
                }
            }
        }
    }
    Ok(served)
}

/// The catalogue of the served tables, then what else was declared.
pub fn catalog(served: &[Served], declared: Catalog) -> Catalog {
    let mut tables: Vec<Table> = served
        .iter()
        .map(|table| Table { name: table.source.clone(), columns: table.columns.clone() })
        .collect();
    let known = Catalog { tables: tables.clone(), ..Catalog::default() };
    tables.extend(declared.tables.into_iter().filter(|table| known.find(&table.name).is_none()));
    Catalog { tables, ..declared }
}

/// Loads a table with the columns that are wanted.
pub async fn load(session: &Session, table: &Served, wanted: &BTreeSet<String>) -> Result<(), DataError> {
    match table.file.format {
        Format::Csv => {
            let (schema, batches) = csv_table::rows(&table.file.path, &table.columns, wanted)?;
            session.add_batches(&table.name, schema, batches)?;
        }
        Format::JsonLines => {
            let (schema, batches) = json_table::rows(&table.file.path, &table.columns, wanted)?;
            session.add_batches(&table.name, schema, batches)?;
        }
        Format::Parquet => session.add_parquet(&table.name, &table.file.path).await?,
    }
    Ok(())
}

/// The name of a source's table with its schema, so that `orders` and `main.orders` are one table, read once.
pub fn table_name(parts: &[String]) -> Vec<String> {
    let default = if parts.len() == 1 { Some(SCHEMA.to_string()) } else { None };
    default.into_iter().chain(parts.iter().cloned()).collect()
}

/// The types that the fields of datasets over one table declare for its columns.
fn hints(model: &Model, table: &[String]) -> Vec<Hint> {
    let reads_table = |source: &Source| match source {
        Source::Table(parts) => table_name(parts) == table,
        Source::Query(_) => false,
    };
    let datasets = model.datasets.iter().filter(|(_, dataset)| reads_table(&dataset.source));
    datasets.flat_map(|(dataset, _)| hints_of(model, dataset)).collect()
}

/// The types that a dataset's fields declare for its columns: those of fields that are nothing but a column.
pub fn hints_of(model: &Model, dataset: DatasetId) -> Vec<Hint> {
    let mut hints = Vec::new();
    for field in &model.datasets[dataset].fields {
        let field = &model.fields[*field];
        let Some(logical) = field.logical_type.as_ref() else { continue };
        for variant in &field.expression.variants {
            if let (Dialect::Common(_), Body::Parsed(expr)) = (&variant.dialect, &variant.body)
                && let ExprKind::Name(parts) = &*expr.kind
                && let [column] = parts.as_slice()
            {
                hints.push(Hint { column: column.value.text.clone(), logical: logical.value });
            }
        }
    }
    hints
}

async fn columns_of(
    session: &Session,
    file: &DataFile,
    declared: Option<&Table>,
    hints: &[Hint],
) -> Result<Vec<Column>, DataError> {
    match file.format {
        Format::Csv => Ok(csv_table::columns(&file.path, declared, hints)?),
        Format::JsonLines => Ok(json_table::columns(&file.path, declared, hints)?),
        // A Parquet file says its types itself.
        Format::Parquet => {
            super::file::readable(&file.path)?;
            Ok(session.parquet_columns(&file.path).await?)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bare_sources_belong_to_the_default_schema() {
        let name = |parts: &[&str]| table_name(&parts.iter().map(ToString::to_string).collect::<Vec<_>>());
        assert_eq!(name(&["orders"]), ["main", "orders"]);
        assert_eq!(name(&["shop", "My Orders"]), ["shop", "My Orders"]);
    }
}
