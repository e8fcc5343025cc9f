//! Reads CREATE TABLE statements into a catalogue.
//! In: DDL text, read with sqlparser's generic dialect; statements of other kinds (INSERT ...) are passed over. Out: `Catalog`.

use sqlparser::ast::{
    ColumnOption, DataType as SqlType, ExactNumberInfo, ObjectName, Statement, TimezoneInfo,
};
use sqlparser::dialect::GenericDialect;
use sqlparser::parser::Parser;

use crate::catalog::{Catalog, Column, Origin, Table};
use crate::data_type::DataType;
use crate::diagnostic::{Code, Diagnostic};
use crate::source::{SourceId, Span};

/// Reads all CREATE TABLE statements of a text. A type that has no counterpart is `E_TYPE_MISMATCH` with its column.
pub fn parse_ddl(source: SourceId, text: &str) -> (Catalog, Vec<Diagnostic>) {
    let whole = Span { source, start: 0, end: u32::try_from(text.len()).unwrap_or(u32::MAX) };
    let statements = match Parser::parse_sql(&GenericDialect {}, text) {
        Ok(statements) => statements,
        Err(error) => {
            let finding = Diagnostic::new(Code::Parse, format!("the schema cannot be read: {error}"))
                .at(Span { end: whole.end.min(1), ..whole }, "in this file")
                .help("write one CREATE TABLE a table, types as INTEGER, BIGINT, DECIMAL(10,2), DOUBLE, VARCHAR, BOOLEAN, DATE, TIMESTAMP");
            return (Catalog::default(), vec![finding]);
        }
    };
    let mut diagnostics = Vec::new();
    let mut catalog = Catalog::default();
    for statement in statements {
        if let Statement::CreateTable(create) = statement {
            let name = name_parts(&create.name);
            let mut columns = Vec::new();
            for column in &create.columns {
                let Some(data_type) = data_type(&column.data_type) else {
                    diagnostics.push(
                        Diagnostic::new(
                            Code::TypeMismatch,
                            format!(
                                "type {} of `{}.{}` has no counterpart",
                                column.data_type,
                                name.join("."),
                                column.name.value
                            ),
                        )
                        .at(Span { end: whole.end.min(1), ..whole }, "in this file"),
                    );
                    continue;
                };
                columns.push(Column {
                    name: column.name.value.clone(),
                    data_type,
                    nullable: !column.options.iter().any(|option| {
                        matches!(option.option, ColumnOption::NotNull | ColumnOption::PrimaryKey(_))
                    }),
                    origin: Origin::SchemaFile,
                });
            }
            catalog.tables.push(Table { name, columns });
        }
    }
    (catalog, diagnostics)
}

fn name_parts(name: &ObjectName) -> Vec<String> {
    name.0.iter().filter_map(|part| part.as_ident()).map(|ident| ident.value.clone()).collect()
}

/// The type of a SQL type name; `None` if there is none. Sized texts are plain Strings.
fn data_type(sql: &SqlType) -> Option<DataType> {
    let found = match sql {
        SqlType::Boolean | SqlType::Bool => DataType::Boolean,
        SqlType::TinyInt(_) => DataType::Int8,
        SqlType::SmallInt(_) | SqlType::Int2(_) => DataType::Int16,
        SqlType::Int(_) | SqlType::Integer(_) | SqlType::Int4(_) | SqlType::MediumInt(_) => DataType::Int32,
        SqlType::BigInt(_) | SqlType::Int8(_) => DataType::Int64,
        SqlType::Decimal(info) | SqlType::Numeric(info) | SqlType::Dec(info) => decimal(info)?,
        SqlType::Real | SqlType::Float4 => DataType::Float32,
        SqlType::Float(_) if sql.to_string().eq_ignore_ascii_case("float") => DataType::Float32,
        SqlType::Double(_)
        | SqlType::DoublePrecision
        | SqlType::Float8
        | SqlType::Float64
        | SqlType::Float(_) => DataType::Float64,
        SqlType::Varchar(_)
        | SqlType::CharVarying(_)
        | SqlType::CharacterVarying(_)
        | SqlType::Char(_)
        | SqlType::Character(_)
        | SqlType::Text
        | SqlType::String(_) => DataType::String,
        SqlType::Date => DataType::Date,
        SqlType::Time(_, TimezoneInfo::None | TimezoneInfo::WithoutTimeZone) => DataType::Time,
        SqlType::Timestamp(_, TimezoneInfo::None | TimezoneInfo::WithoutTimeZone) | SqlType::Datetime(_) => {
            DataType::Timestamp
        }
        SqlType::Timestamp(_, TimezoneInfo::WithTimeZone | TimezoneInfo::Tz) => DataType::TimestampTz,
        _ => return None,
    };
    Some(found)
}

fn decimal(info: &ExactNumberInfo) -> Option<DataType> {
    let (precision, scale) = match info {
        ExactNumberInfo::None => return Some(DataType::Unknown),
        ExactNumberInfo::Precision(precision) => (*precision, 0),
        ExactNumberInfo::PrecisionAndScale(precision, scale) => (*precision, u64::try_from(*scale).ok()?),
    };
    let fits = (1..=38).contains(&precision) && scale <= precision;
    fits.then_some(DataType::Decimal {
        precision: u8::try_from(precision).ok()?,
        scale: u8::try_from(scale).ok()?,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tables_and_types_are_read_and_inserts_passed_over() {
        let text =
            "CREATE TABLE main.t (a INTEGER NOT NULL, b DECIMAL(10,2), c VARCHAR(5), d TIMESTAMP, e DOUBLE,
                    f BIGINT PRIMARY KEY, g TIMESTAMP WITH TIME ZONE);
                    INSERT INTO main.t VALUES (1, 2.50, 'x', TIMESTAMP '2024-01-01 00:00:00', 1e0, 1, NULL);";
        let (catalog, diagnostics) = parse_ddl(SourceId(0), text);
        assert!(diagnostics.is_empty(), "{diagnostics:?}");
        let table = &catalog.tables[0];
        assert_eq!(table.name, ["main", "t"]);
        let types: Vec<_> = table.columns.iter().map(|column| (column.data_type, column.nullable)).collect();
        assert_eq!(
            types,
            [
                (DataType::Int32, false),
                (DataType::Decimal { precision: 10, scale: 2 }, true),
                (DataType::String, true),
                (DataType::Timestamp, true),
                (DataType::Float64, true),
                (DataType::Int64, false),
                (DataType::TimestampTz, true),
            ]
        );
    }

    #[test]
    fn a_broken_schema_is_an_error_with_help() {
        let (_, diagnostics) = parse_ddl(SourceId(0), "CREATE TABEL t (a INT)");
        assert_eq!(diagnostics[0].code, Code::Parse);
    }
}
