//! Reading a table as it was. In: a pin, the columns, keys that are looked for. Out: a stream of batches in the
//! language's Arrow types. There is no read without a pin.

use std::collections::BTreeSet;
use std::sync::Arc;

use arrow::array::{Array, ArrayRef, AsArray, RecordBatch, RecordBatchOptions};
use arrow::compute::cast;
use arrow::datatypes::{
    DataType as ArrowType, Date32Type, Decimal128Type, Field, Int8Type, Int16Type, Int32Type, Int64Type,
    Schema, SchemaRef, TimestampMicrosecondType,
};
use futures::StreamExt;
use paimon::Table;
use paimon::spec::{DataField, DataType as PaimonType, Datum, Predicate, PredicateBuilder};
use paimon::table::ArrowRecordBatchStream;

use super::error::{LakeError, Place};
use super::handle::{Handle, failed};
use super::names::{Line, TableName};
use super::types::{arrow_type, from_paimon};
use super::warehouse::Lake;

/// One state of one table on one line.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Pin {
    /// The line.
    pub line: Line,
    /// The snapshot; `None` if nothing was ever written.
    pub snapshot: Option<i64>,
    /// The schema's number at that snapshot.
    pub schema: i64,
}

/// A value that is looked for.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Scalar {
    /// TRUE or FALSE.
    Boolean(bool),
    /// Int8 to Int64.
    Integer(i64),
    /// The digits of a decimal, at the column's scale.
    Decimal(i128),
    /// Text.
    Text(String),
    /// Days since 1970.
    Date(i32),
    /// Microseconds since 1970 of a Timestamp or TimestampTz.
    Micros(i64),
}

/// Only rows whose column has one of these values are needed. Other rows may come as well: the caller looks again.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct KeyRange {
    /// The column.
    pub column: String,
    /// The values; of more than a few only the first and the last count.
    pub keys: Keys,
    /// Whether NULL is looked for too.
    pub null: bool,
}

/// Values of one column that are looked for, all of one kind of `Scalar`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Keys {
    /// These.
    OneOf(BTreeSet<Scalar>),
    /// All from the first to the second, both included.
    Between(Scalar, Scalar),
}

/// Values up to this number are asked for one by one, more of them by their range: each costs a comparison a row.
const SINGLE_KEYS: usize = 16;

impl Keys {
    /// One by one if they are few, else by their range.
    pub fn of(keys: BTreeSet<Scalar>) -> Keys {
        match (keys.first(), keys.last()) {
            (Some(first), Some(last)) if keys.len() > SINGLE_KEYS => {
                Keys::Between(first.clone(), last.clone())
            }
            _ => Keys::OneOf(keys),
        }
    }

    /// Adds a value.
    #[must_use]
    pub fn with(self, key: Scalar) -> Keys {
        match self {
            Keys::OneOf(mut keys) => {
                keys.insert(key);
                Keys::of(keys)
            }
            Keys::Between(first, last) if key < first => Keys::Between(key, last),
            Keys::Between(first, last) if key > last => Keys::Between(first, key),
            Keys::Between(first, last) => Keys::Between(first, last),
        }
    }

    /// Adds the values of a column; none for a type that has no safe range.
    pub fn with_all(self, column: &ArrayRef) -> Option<Keys> {
        let mut keys = self;
        for row in (0..column.len()).filter(|row| column.is_valid(*row)) {
            keys = keys.with(scalar(column, row)?);
        }
        Some(keys)
    }

    fn is_empty(&self) -> bool {
        match self {
            Keys::OneOf(keys) => keys.is_empty(),
            Keys::Between(first, last) => first > last,
        }
    }
}

fn scalar(array: &ArrayRef, row: usize) -> Option<Scalar> {
    Some(match array.data_type() {
        ArrowType::Int8 => Scalar::Integer(array.as_primitive::<Int8Type>().value(row).into()),
        ArrowType::Int16 => Scalar::Integer(array.as_primitive::<Int16Type>().value(row).into()),
        ArrowType::Int32 => Scalar::Integer(array.as_primitive::<Int32Type>().value(row).into()),
        ArrowType::Int64 => Scalar::Integer(array.as_primitive::<Int64Type>().value(row)),
        ArrowType::Decimal128(_, _) => Scalar::Decimal(array.as_primitive::<Decimal128Type>().value(row)),
        ArrowType::Utf8 => Scalar::Text(array.as_string::<i32>().value(row).to_string()),
        ArrowType::Date32 => Scalar::Date(array.as_primitive::<Date32Type>().value(row)),
        ArrowType::Timestamp(_, _) => {
            Scalar::Micros(array.as_primitive::<TimestampMicrosecondType>().value(row))
        }
        _ => return None,
    })
}

/// The rows of a read.
pub struct Rows {
    /// The columns in the order asked for.
    pub schema: SchemaRef,
    /// Rows that the reader gave so far.
    pub scanned: u64,
    pub(super) place: Place,
    pub(super) stream: Option<ArrowRecordBatchStream>,
}

impl Rows {
    /// The next batch; `None` at the end.
    pub async fn next(&mut self) -> Result<Option<RecordBatch>, LakeError> {
        let Some(stream) = self.stream.as_mut() else { return Ok(None) };
        match stream.next().await {
            Some(Ok(batch)) => {
                self.scanned += batch.num_rows() as u64;
                conform(&batch, &self.schema, &self.place).map(Some)
            }
            Some(Err(source)) => Err(failed(self.place.clone(), "read", source)),
            None => Ok(None),
        }
    }

    /// All batches.
    pub async fn collect(mut self) -> Result<Vec<RecordBatch>, LakeError> {
        let mut batches = Vec::new();
        while let Some(batch) = self.next().await? {
            if batch.num_rows() > 0 {
                batches.push(batch);
            }
        }
        Ok(batches)
    }
}

impl Lake {
    /// The rows of a table at a pin. `keep` narrows what is read where Paimon can; all of them must hold.
    pub async fn read(
        &self,
        name: &TableName,
        pin: &Pin,
        columns: &[String],
        keep: &[KeyRange],
    ) -> Result<Rows, LakeError> {
        let (handle, table) = self.pinned(name, pin).await?;
        read_table(&handle, table.as_ref(), columns, keep).await
    }
}

/// Reads a pinned table.
pub(super) async fn read_table(
    handle: &Handle,
    table: Option<&Table>,
    columns: &[String],
    keep: &[KeyRange],
) -> Result<Rows, LakeError> {
    let schema = schema_of(handle, columns)?;
    let place = handle.place.clone();
    let nothing = keep.iter().any(|range| range.keys.is_empty() && !range.null);
    let Some(table) = table.filter(|_| !nothing) else {
        return Ok(Rows { schema, scanned: 0, place, stream: None });
    };
    let mut builder = table.new_read_builder();
    let physical = physical_columns(handle, columns);
    builder.with_projection(&physical).map_err(|source| failed(place.clone(), "read", source))?;
    let predicates: Vec<Predicate> =
        keep.iter().filter_map(|range| predicate(table.schema().fields(), range)).collect();
    if !predicates.is_empty() {
        builder.with_filter(Predicate::and(predicates));
    }
    let plan = builder.new_scan().plan().await.map_err(|source| failed(place.clone(), "read", source))?;
    let stream = builder
        .new_read()
        .and_then(|read| read.to_arrow(plan.splits()))
        .map_err(|source| failed(place.clone(), "read", source))?;
    Ok(Rows { schema, scanned: 0, place, stream: Some(stream) })
}

/// The columns to read: those asked for, or one narrow column where only the number of rows is asked for.
pub(super) fn physical_columns<'a>(handle: &'a Handle, columns: &'a [String]) -> Vec<&'a str> {
    let mut wanted: Vec<&str> = Vec::new();
    for column in columns {
        if !wanted.contains(&column.as_str()) {
            wanted.push(column);
        }
    }
    if wanted.is_empty() {
        let narrow = handle.primary_key.first().map(String::as_str).or_else(|| {
            let usable = handle.columns.iter().find(|column| arrow_type(column.data_type).is_some());
            usable.or(handle.columns.first()).map(|column| column.name.as_str())
        });
        wanted.extend(narrow);
    }
    wanted
}

/// The Arrow schema of the columns, or which of them cannot be had.
pub(super) fn schema_of(handle: &Handle, columns: &[String]) -> Result<SchemaRef, LakeError> {
    let mut fields = Vec::with_capacity(columns.len());
    for name in columns {
        let column =
            handle.columns.iter().find(|column| column.name == *name).ok_or_else(|| LakeError::Column {
                place: handle.place.clone(),
                column: name.clone(),
                known: handle.columns.iter().map(|column| column.name.clone()).collect(),
            })?;
        let data_type = arrow_type(column.data_type).ok_or_else(|| LakeError::ColumnType {
            place: handle.place.clone(),
            column: name.clone(),
            found: paimon_type(handle, name),
        })?;
        fields.push(Field::new(name, data_type, column.nullable));
    }
    Ok(Arc::new(Schema::new(fields)))
}

fn paimon_type(handle: &Handle, name: &str) -> String {
    let fields = handle.table.schema().fields();
    fields
        .iter()
        .find(|field| field.name() == name)
        .map_or_else(|| "unknown".to_string(), |field| field.data_type().to_string())
}

/// A batch of Paimon's with the columns and types that were promised. Timestamps of fewer digits are widened.
pub(super) fn conform(
    batch: &RecordBatch,
    schema: &SchemaRef,
    place: &Place,
) -> Result<RecordBatch, LakeError> {
    let broken = |source| LakeError::Arrow { place: place.clone(), source };
    let mut arrays: Vec<ArrayRef> = Vec::with_capacity(schema.fields().len());
    for field in schema.fields() {
        let index = batch.schema().index_of(field.name()).map_err(broken)?;
        let array = batch.column(index);
        arrays.push(if array.data_type() == field.data_type() {
            Arc::clone(array)
        } else {
            cast(array, field.data_type()).map_err(broken)?
        });
    }
    let options = RecordBatchOptions::new().with_row_count(Some(batch.num_rows()));
    RecordBatch::try_new_with_options(Arc::clone(schema), arrays, &options).map_err(broken)
}

/// The range as a filter of Paimon's, or nothing where the type has no safe one: floats by their NaN, and what the
/// language lacks.
fn predicate(fields: &[DataField], range: &KeyRange) -> Option<Predicate> {
    let field = fields.iter().find(|field| field.name() == range.column)?;
    let builder = PredicateBuilder::new(fields);
    let among = match &range.keys {
        Keys::OneOf(keys) => {
            let data = keys.iter().map(|key| datum(field.data_type(), key)).collect::<Option<Vec<_>>>()?;
            builder.is_in(&range.column, data).ok()?
        }
        Keys::Between(first, last) => Predicate::and(vec![
            builder.greater_or_equal(&range.column, datum(field.data_type(), first)?).ok()?,
            builder.less_or_equal(&range.column, datum(field.data_type(), last)?).ok()?,
        ]),
    };
    if range.null {
        let null = builder.is_null(&range.column).ok()?;
        Some(Predicate::or(vec![among, null]))
    } else {
        Some(among)
    }
}

fn datum(paimon: &PaimonType, key: &Scalar) -> Option<Datum> {
    from_paimon(paimon)?;
    Some(match (paimon, key) {
        (PaimonType::TinyInt(_), Scalar::Integer(value)) => Datum::TinyInt(i8::try_from(*value).ok()?),
        (PaimonType::SmallInt(_), Scalar::Integer(value)) => Datum::SmallInt(i16::try_from(*value).ok()?),
        (PaimonType::Int(_), Scalar::Integer(value)) => Datum::Int(i32::try_from(*value).ok()?),
        (PaimonType::BigInt(_), Scalar::Integer(value)) => Datum::Long(*value),
        (PaimonType::Date(_), Scalar::Date(value)) => Datum::Date(*value),
        (PaimonType::VarChar(_), Scalar::Text(value)) => Datum::String(value.clone()),
        (PaimonType::Decimal(decimal), Scalar::Decimal(value)) => {
            Datum::Decimal { unscaled: *value, precision: decimal.precision(), scale: decimal.scale() }
        }
        (PaimonType::Timestamp(_), Scalar::Micros(value)) => {
            Datum::Timestamp { millis: value.div_euclid(1000), nanos: nanos(*value)? }
        }
        (PaimonType::LocalZonedTimestamp(_), Scalar::Micros(value)) => {
            Datum::LocalZonedTimestamp { millis: value.div_euclid(1000), nanos: nanos(*value)? }
        }
        _ => return None,
    })
}

/// Nanoseconds within the millisecond.
fn nanos(micros: i64) -> Option<i32> {
    i32::try_from(micros.rem_euclid(1000) * 1000).ok()
}
