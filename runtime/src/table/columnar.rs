//! Rows as Arrow columns, for readers that keep types. In: an answer and the types that it should have. Out: an Arrow IPC stream or a
//! Parquet file with exactly these types; a value that its type cannot hold is an error, never rounded or cut.

use std::collections::HashMap;
use std::sync::Arc;

use arrow::array::{
    ArrayRef, BooleanArray, Date32Array, Decimal128Array, Float32Array, Float64Array, Int8Array, Int16Array,
    Int32Array, Int64Array, RecordBatch, StringArray, Time64MicrosecondArray, TimestampMicrosecondArray,
};
use arrow::datatypes::{Field, Schema};
use arrow::ipc::writer::StreamWriter;
use datafusion::parquet::arrow::ArrowWriter;
use unisono_compiler::data_type::DataType;

use super::{Table, Value};

/// The key of the schema's metadata that is there, and `true`, if rows were cut.
const TRUNCATED: &str = "unisono.truncated";

/// An Arrow IPC stream of one batch.
pub fn to_arrow(table: &Table, types: &[DataType]) -> Result<Vec<u8>, String> {
    let batch = batch(table, types)?;
    let mut writer = StreamWriter::try_new(Vec::new(), &batch.schema()).map_err(|error| error.to_string())?;
    writer.write(&batch).map_err(|error| error.to_string())?;
    writer.finish().map_err(|error| error.to_string())?;
    writer.into_inner().map_err(|error| error.to_string())
}

/// A Parquet file.
pub fn to_parquet(table: &Table, types: &[DataType]) -> Result<Vec<u8>, String> {
    let batch = batch(table, types)?;
    let mut writer =
        ArrowWriter::try_new(Vec::new(), batch.schema(), None).map_err(|error| error.to_string())?;
    writer.write(&batch).map_err(|error| error.to_string())?;
    writer.into_inner().map_err(|error| error.to_string())
}

fn batch(table: &Table, types: &[DataType]) -> Result<RecordBatch, String> {
    let mut fields = Vec::new();
    let mut arrays = Vec::new();
    for (at, (column, data_type)) in table.columns.iter().zip(types).enumerate() {
        let values: Vec<&Value> = table.rows.iter().map(|row| row.get(at).unwrap_or(&Value::Null)).collect();
        let array = array(&values, *data_type).map_err(|at| {
            let found = values.get(at).map(|value| value.text()).unwrap_or_default();
            format!("the column `{}` is {data_type}, and the engine gave `{found}` for it", column.name)
        })?;
        fields.push(Field::new(&column.name, array.data_type().clone(), true));
        arrays.push(array);
    }
    let cut = table.truncated.then(|| (TRUNCATED.to_string(), "true".to_string()));
    let metadata: HashMap<String, String> = cut.into_iter().collect();
    RecordBatch::try_new(Arc::new(Schema::new(fields).with_metadata(metadata)), arrays)
        .map_err(|error| error.to_string())
}

/// The values of a column in its type; the number of the first that does not fit.
fn array(values: &[&Value], data_type: DataType) -> Result<ArrayRef, usize> {
    Ok(match data_type {
        DataType::Boolean => Arc::new(BooleanArray::from(taken(values, boolean)?)),
        DataType::Int8 => Arc::new(Int8Array::from(taken(values, integer::<i8>)?)),
        DataType::Int16 => Arc::new(Int16Array::from(taken(values, integer::<i16>)?)),
        DataType::Int32 => Arc::new(Int32Array::from(taken(values, integer::<i32>)?)),
        DataType::Int64 => Arc::new(Int64Array::from(taken(values, integer::<i64>)?)),
        DataType::Decimal { precision, scale } => {
            let digits = Decimal128Array::from(taken(values, |value| decimal(value, precision, scale))?);
            let scale = i8::try_from(scale).map_err(|_| 0_usize)?;
            Arc::new(digits.with_precision_and_scale(precision, scale).map_err(|_| 0_usize)?)
        }
        DataType::Float32 => Arc::new(Float32Array::from(taken(values, single)?)),
        DataType::Float64 => Arc::new(Float64Array::from(taken(values, double)?)),
        DataType::String | DataType::Null | DataType::Unknown => {
            Arc::new(StringArray::from(taken(values, text)?))
        }
        DataType::Date => Arc::new(Date32Array::from(taken(values, date)?)),
        DataType::Time => Arc::new(Time64MicrosecondArray::from(taken(values, time)?)),
        DataType::Timestamp => Arc::new(TimestampMicrosecondArray::from(taken(values, timestamp)?)),
        DataType::TimestampTz => {
            Arc::new(TimestampMicrosecondArray::from(taken(values, instant)?).with_timezone("UTC"))
        }
    })
}

fn taken<'v, T>(
    values: &[&'v Value],
    pick: impl Fn(&'v Value) -> Option<T>,
) -> Result<Vec<Option<T>>, usize> {
    let taken = values.iter().copied().enumerate().map(|(at, value)| {
        if matches!(value, Value::Null) { Ok(None) } else { pick(value).map(Some).ok_or(at) }
    });
    taken.collect()
}

fn boolean(value: &Value) -> Option<bool> {
    if let Value::Boolean(value) = value { Some(*value) } else { None }
}

/// An integer, or a decimal without a fraction.
fn integer<T: TryFrom<i128>>(value: &Value) -> Option<T> {
    T::try_from(decimal(value, 38, 0)?).ok()
}

/// The digits at a scale, if none is lost and the precision holds them.
fn decimal(value: &Value, precision: u8, scale: u8) -> Option<i128> {
    let (unscaled, given) = match value {
        Value::Integer(value) => (i128::from(*value), 0),
        Value::Decimal { unscaled, scale } => (*unscaled, *scale),
        Value::Null
        | Value::Boolean(_)
        | Value::Float(_)
        | Value::Text(_)
        | Value::Date(_)
        | Value::Time(_)
        | Value::Timestamp(_)
        | Value::Instant(_) => return None,
    };
    let power = |digits: u8| 10_i128.checked_pow(u32::from(digits));
    let made = if scale >= given {
        unscaled.checked_mul(power(scale - given)?)?
    } else {
        let factor = power(given - scale)?;
        if unscaled % factor == 0 { unscaled / factor } else { return None }
    };
    (made.unsigned_abs() < power(precision)?.unsigned_abs()).then_some(made)
}

fn single(value: &Value) -> Option<f32> {
    let value = double(value)?;
    #[expect(clippy::cast_possible_truncation, reason = "kept only if it comes back the same")]
    let made = value as f32;
    (f64::from(made).total_cmp(&value).is_eq() || value.is_nan()).then_some(made)
}

fn double(value: &Value) -> Option<f64> {
    if let Value::Float(value) = value { Some(*value) } else { None }
}

fn text(value: &Value) -> Option<&str> {
    if let Value::Text(value) = value { Some(value) } else { None }
}

fn date(value: &Value) -> Option<i32> {
    if let Value::Date(value) = value { Some(*value) } else { None }
}

fn time(value: &Value) -> Option<i64> {
    if let Value::Time(value) = value { Some(*value) } else { None }
}

fn timestamp(value: &Value) -> Option<i64> {
    if let Value::Timestamp(value) = value { Some(*value) } else { None }
}

fn instant(value: &Value) -> Option<i64> {
    if let Value::Instant(value) = value { Some(*value) } else { None }
}

#[cfg(test)]
mod tests {
    use arrow::array::{Array, AsArray};
    use arrow::datatypes::{DataType as ArrowType, Decimal128Type, TimeUnit};
    use arrow::ipc::reader::StreamReader;
    use datafusion::parquet::arrow::arrow_reader::ParquetRecordBatchReaderBuilder;

    use super::super::Column;
    use super::*;

    const MONEY: DataType = DataType::Decimal { precision: 38, scale: 2 };

    fn table(data_type: DataType, values: &[Value], truncated: bool) -> Table {
        Table {
            columns: vec![Column { name: "x".to_string(), data_type }],
            rows: values.iter().map(|value| vec![value.clone()]).collect(),
            truncated,
        }
    }

    fn fault(data_type: DataType, value: Value) -> String {
        to_arrow(&table(data_type, &[Value::Null, value], false), &[data_type]).unwrap_err()
    }

    fn arrow_type_of(data_type: DataType) -> ArrowType {
        array(&[&Value::Null], data_type).unwrap().data_type().clone()
    }

    #[test]
    fn each_type_is_its_arrow_type() {
        assert_eq!(arrow_type_of(MONEY), ArrowType::Decimal128(38, 2));
        assert_eq!(arrow_type_of(DataType::Date), ArrowType::Date32);
        assert_eq!(arrow_type_of(DataType::Timestamp), ArrowType::Timestamp(TimeUnit::Microsecond, None));
        let utc = ArrowType::Timestamp(TimeUnit::Microsecond, Some("UTC".into()));
        assert_eq!(arrow_type_of(DataType::TimestampTz), utc);
        assert_eq!(arrow_type_of(DataType::Int8), ArrowType::Int8);
        assert_eq!(arrow_type_of(DataType::Null), ArrowType::Utf8);
    }

    #[test]
    fn decimals_come_at_the_scale_of_the_column_and_lose_nothing() {
        let values = [Value::Decimal { unscaled: -15, scale: 1 }, Value::Integer(7), Value::Null];
        let bytes = to_arrow(&table(MONEY, &values, false), &[MONEY]).unwrap();
        let batch = StreamReader::try_new(bytes.as_slice(), None).unwrap().next().unwrap().unwrap();
        let digits = batch.column(0).as_primitive::<Decimal128Type>();
        assert_eq!((digits.value(0), digits.value(1), digits.is_null(2)), (-150, 700, true));
        let said = fault(MONEY, Value::Decimal { unscaled: 1_005, scale: 3 });
        assert_eq!(said, "the column `x` is Decimal(38,2), and the engine gave `1.005` for it");
        fault(DataType::Decimal { precision: 3, scale: 2 }, Value::Integer(10));
        fault(DataType::Int8, Value::Integer(128));
        fault(DataType::Int64, Value::Decimal { unscaled: 15, scale: 1 });
        fault(DataType::Float64, Value::Integer(1));
        fault(DataType::Float32, Value::Float(0.1));
        fault(DataType::Timestamp, Value::Instant(0));
        fault(DataType::Boolean, Value::Text("true".to_string()));
    }

    #[test]
    fn a_cut_answer_says_so_in_either_form() {
        let rows = table(DataType::Int64, &[Value::Integer(1)], true);
        let stream = to_arrow(&rows, &[DataType::Int64]).unwrap();
        let schema = StreamReader::try_new(stream.as_slice(), None).unwrap().schema();
        assert_eq!(schema.metadata().get(TRUNCATED).map(String::as_str), Some("true"));
        let path = std::env::temp_dir().join(format!("unisono-columnar-{}.parquet", std::process::id()));
        std::fs::write(&path, to_parquet(&rows, &[DataType::Int64]).unwrap()).unwrap();
        let file = std::fs::File::open(&path).unwrap();
        let schema = Arc::clone(ParquetRecordBatchReaderBuilder::try_new(file).unwrap().schema());
        assert_eq!(schema.metadata().get(TRUNCATED).map(String::as_str), Some("true"));
        std::fs::remove_file(&path).unwrap();
    }
}
