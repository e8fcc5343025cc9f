//! A table spec as the JSON that Paimon's catalogues take when a table is created.
//! In: a `TableSpec`. Out: `{"fields", "partitionKeys", "primaryKeys", "options"}`.
//! <https://paimon.apache.org/docs/master/concepts/rest/rest-api/>

use serde_json::{Map, Value, json};
use unisono_compiler::data_type::DataType;

use super::spec::{ColumnSpec, TableSpec};

/// The schema of a new table.
pub fn schema_json(spec: &TableSpec) -> Value {
    let fields: Vec<Value> = spec.columns.iter().enumerate().map(|(id, column)| field(id, column)).collect();
    let options: Map<String, Value> =
        spec.options.iter().map(|(key, value)| (key.clone(), Value::String(value.clone()))).collect();
    json!({
        "fields": fields,
        "partitionKeys": [],
        "primaryKeys": spec.primary_key,
        "options": options,
    })
}

fn field(id: usize, column: &ColumnSpec) -> Value {
    let mut data_type = type_text(column.data_type);
    if !column.nullable {
        data_type.push_str(" NOT NULL");
    }
    let mut field = json!({ "id": id, "name": column.name, "type": data_type });
    if let (Some(comment), Some(object)) = (&column.comment, field.as_object_mut()) {
        object.insert("description".to_string(), Value::String(comment.clone()));
    }
    field
}

/// Paimon's word for a type. <https://paimon.apache.org/docs/master/concepts/data-types/>
fn type_text(data_type: DataType) -> String {
    match data_type {
        DataType::Boolean => "BOOLEAN".to_string(),
        DataType::Int8 => "TINYINT".to_string(),
        DataType::Int16 => "SMALLINT".to_string(),
        DataType::Int32 => "INT".to_string(),
        DataType::Int64 => "BIGINT".to_string(),
        DataType::Decimal { precision, scale } => format!("DECIMAL({precision}, {scale})"),
        DataType::Float32 => "FLOAT".to_string(),
        DataType::Float64 => "DOUBLE".to_string(),
        // A spec holds no type that is open or a Time: `source_spec` and `rollup_spec` refuse them.
        DataType::String | DataType::Time | DataType::Null | DataType::Unknown => "STRING".to_string(),
        DataType::Date => "DATE".to_string(),
        DataType::Timestamp => "TIMESTAMP(6)".to_string(),
        DataType::TimestampTz => "TIMESTAMP(6) WITH LOCAL TIME ZONE".to_string(),
    }
}
