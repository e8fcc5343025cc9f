//! A table spec from the JSON of a schema, as `schema_json` writes it. In: `{"fields", "primaryKeys", "options"}` and the table's name.
//! Out: the spec, or what in the JSON is not one of ours.

use serde_json::Value;
use unisono_compiler::data_type::DataType;

use super::spec::{ColumnSpec, TableSpec};

/// The spec of a schema.
pub fn spec_of_json(name: &str, schema: &Value) -> Result<TableSpec, String> {
    let list = |key: &str| schema[key].as_array().ok_or_else(|| format!("`{name}` has no list `{key}`"));
    if !list("partitionKeys")?.is_empty() {
        return Err(format!("`{name}` has partitions, which no spec has"));
    }
    let columns = list("fields")?.iter().map(|field| column(name, field)).collect::<Result<_, _>>()?;
    let primary_key =
        list("primaryKeys")?.iter().map(|key| word(name, "a primary key", key)).collect::<Result<_, _>>()?;
    let options = schema["options"].as_object().ok_or_else(|| format!("`{name}` has no `options`"))?;
    let options = options
        .iter()
        .map(|(key, value)| Ok((key.clone(), word(name, key, value)?)))
        .collect::<Result<_, String>>()?;
    Ok(TableSpec { name: name.to_string(), columns, primary_key, options })
}

fn column(table: &str, field: &Value) -> Result<ColumnSpec, String> {
    let name = word(table, "the name of a field", &field["name"])?;
    let text = word(table, "the type of a field", &field["type"])?;
    let (type_text, nullable) =
        text.strip_suffix(" NOT NULL").map_or((text.as_str(), true), |rest| (rest, false));
    let data_type = data_type(type_text)
        .ok_or_else(|| format!("`{table}.{name}` has the type `{text}`, which no spec has"))?;
    let comment = match &field["description"] {
        Value::Null => None,
        description => Some(word(table, "the description of a field", description)?),
    };
    Ok(ColumnSpec { name, data_type, nullable, comment })
}

fn word(table: &str, what: &str, value: &Value) -> Result<String, String> {
    value
        .as_str()
        .map(ToString::to_string)
        .ok_or_else(|| format!("in `{table}`, {what} is not a text: {value}"))
}

/// The type of Paimon's word; of several that mean one type, those that a spec writes.
fn data_type(text: &str) -> Option<DataType> {
    Some(match text {
        "BOOLEAN" => DataType::Boolean,
        "TINYINT" => DataType::Int8,
        "SMALLINT" => DataType::Int16,
        "INT" => DataType::Int32,
        "BIGINT" => DataType::Int64,
        "FLOAT" => DataType::Float32,
        "DOUBLE" => DataType::Float64,
        "STRING" => DataType::String,
        "DATE" => DataType::Date,
        "TIMESTAMP(6)" => DataType::Timestamp,
        "TIMESTAMP(6) WITH LOCAL TIME ZONE" => DataType::TimestampTz,
        other => {
            let (precision, scale) = other.strip_prefix("DECIMAL(")?.strip_suffix(')')?.split_once(',')?;
            let (precision, scale): (u8, u8) = (precision.trim().parse().ok()?, scale.trim().parse().ok()?);
            let fits = (1..=38).contains(&precision) && scale <= precision;
            fits.then_some(DataType::Decimal { precision, scale })?
        }
    })
}
