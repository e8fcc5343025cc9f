//! Tables of a session: names of one to three parts, batches spread over partitions, Parquet files.
//! In: a name and rows or a file. Out: a registered table.

use std::path::Path;
use std::sync::Arc;

use arrow::array::RecordBatch;
use arrow::datatypes::{DataType as ArrowType, Schema};
use datafusion::catalog::{MemoryCatalogProvider, MemorySchemaProvider, TableProvider};
use datafusion::error::{DataFusionError, Result};
use datafusion::logical_expr::{cast, ident};
use datafusion::prelude::{ParquetReadOptions, SessionContext};
use unisono_compiler::catalog::{Column, Origin};
use unisono_compiler::data_type::DataType;

use super::types::{arrow_type, data_type};
use super::{CATALOG, SCHEMA};

/// Registers a table, creating its catalog and schema where they do not exist.
pub(super) fn add(context: &SessionContext, name: &[String], table: Arc<dyn TableProvider>) -> Result<()> {
    let (catalog, schema, table_name) = match name {
        [table] => (CATALOG, SCHEMA, table),
        [schema, table] => (CATALOG, schema.as_str(), table),
        [catalog, schema, table] => (catalog.as_str(), schema.as_str(), table),
        _ => return Err(DataFusionError::Plan(format!("`{}` has not one to three parts", name.join(".")))),
    };
    let catalog = context.catalog(catalog).unwrap_or_else(|| {
        let made = Arc::new(MemoryCatalogProvider::new());
        context.register_catalog(catalog, made.clone());
        made
    });
    let schema = if let Some(schema) = catalog.schema(schema) {
        schema
    } else {
        let made = Arc::new(MemorySchemaProvider::new());
        catalog.register_schema(schema, made.clone())?;
        made
    };
    schema.register_table(table_name.clone(), table)?;
    Ok(())
}

/// Spreads batches evenly, in order, over at most so many partitions.
pub(super) fn partition(batches: Vec<RecordBatch>, count: usize) -> Vec<Vec<RecordBatch>> {
    let size = batches.len().div_ceil(count.max(1)).max(1);
    let mut partitions: Vec<Vec<RecordBatch>> = Vec::new();
    for batch in batches {
        match partitions.last_mut() {
            Some(last) if last.len() < size => last.push(batch),
            Some(_) | None => partitions.push(vec![batch]),
        }
    }
    if partitions.is_empty() {
        partitions.push(Vec::new());
    }
    partitions
}

/// A Parquet file as a table whose columns have the language's types.
pub(super) async fn parquet(context: &SessionContext, path: &Path) -> Result<Arc<dyn TableProvider>> {
    let text = path
        .to_str()
        .ok_or_else(|| DataFusionError::Plan(format!("the path `{}` is not Unicode text", path.display())))?;
    let frame = context.read_parquet(text, ParquetReadOptions::default()).await?;
    let columns: Vec<_> = frame
        .schema()
        .fields()
        .iter()
        .map(|field| {
            let column = ident(field.name());
            match data_type(field.data_type()) {
                Some(known) if known != DataType::String && arrow_type(known) != *field.data_type() => {
                    cast(column, arrow_type(known)).alias(field.name())
                }
                Some(_) | None => column,
            }
        })
        .collect();
    Ok(frame.select(columns)?.into_view())
}

/// The catalogue's columns of a table.
pub(super) fn columns(schema: &Schema) -> Vec<Column> {
    schema
        .fields()
        .iter()
        .map(|field| Column {
            name: field.name().clone(),
            data_type: data_type(field.data_type()).unwrap_or(DataType::Unknown),
            nullable: field.is_nullable(),
            origin: Origin::Catalogue,
        })
        .collect()
}

/// The columns of a query, of which any may be NULL; without a type where a value of it would not be the engine's own.
pub(super) fn exact_columns(schema: &Schema) -> Vec<Column> {
    let types = schema.fields().iter().map(|field| field.data_type());
    let is_exact = |arrow: &ArrowType| match data_type(arrow) {
        Some(DataType::String | DataType::Timestamp | DataType::TimestampTz) => true,
        Some(known) => arrow_type(known) == *arrow,
        None => false,
    };
    columns(schema)
        .into_iter()
        .zip(types)
        .map(|(column, arrow)| {
            let data_type = if is_exact(arrow) { column.data_type } else { DataType::Unknown };
            Column { data_type, nullable: true, ..column }
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn batches_are_spread_in_order() {
        let batch = RecordBatch::new_empty(Arc::new(Schema::empty()));
        let sizes = |count, batches| -> Vec<usize> {
            partition(vec![batch.clone(); batches], count).iter().map(Vec::len).collect()
        };
        assert_eq!(sizes(2, 5), [3, 2]);
        assert_eq!(sizes(4, 2), [1, 1]);
        assert_eq!(sizes(2, 0), [0]);
    }
}
