//! A table as aligned text, as CSV and as JSON rows.
//! In: a `Table`. Out: text that ends with a newline, or a JSON value.

use unicode_width::UnicodeWidthStr;

use super::{Table, Value};

/// Columns aligned, numbers to the right, a rule under the names; NULL is shown as the word.
pub fn to_text(table: &Table) -> String {
    let cells: Vec<Vec<String>> = table.rows.iter().map(|row| row.iter().map(cell).collect()).collect();
    let widths: Vec<usize> = table
        .columns
        .iter()
        .enumerate()
        .map(|(at, column)| {
            cells.iter().map(|row| width(&row[at])).chain([width(&column.name)]).max().unwrap_or(0)
        })
        .collect();
    let right: Vec<bool> = table.columns.iter().map(|column| column.data_type.is_numeric()).collect();
    let mut text = String::new();
    let names: Vec<String> = table.columns.iter().map(|column| column.name.clone()).collect();
    push_line(&mut text, &names, &widths, &right);
    let rule: Vec<String> = widths.iter().map(|width| "-".repeat(*width)).collect();
    push_line(&mut text, &rule, &widths, &right);
    for row in &cells {
        push_line(&mut text, row, &widths, &right);
    }
    text
}

/// RFC 4180 with `\n`: NULL is an empty field, an empty text is `""`. Where NULL is the only field of a record it is `""` too:
/// most readers pass over an empty line, and the row would be lost.
pub fn to_csv(table: &Table) -> String {
    let mut text = String::new();
    let names: Vec<String> = table.columns.iter().map(|column| quoted(&column.name)).collect();
    text.push_str(&names.join(","));
    text.push('\n');
    for row in &table.rows {
        let fields: Vec<String> = row
            .iter()
            .map(|value| match value {
                Value::Text(value) if value.is_empty() => "\"\"".to_string(),
                Value::Null
                | Value::Boolean(_)
                | Value::Integer(_)
                | Value::Decimal { .. }
                | Value::Float(_)
                | Value::Text(_)
                | Value::Date(_)
                | Value::Time(_)
                | Value::Timestamp(_)
                | Value::Instant(_) => quoted(&value.text()),
            })
            .collect();
        let record = fields.join(",");
        text.push_str(if record.is_empty() { "\"\"" } else { &record });
        text.push('\n');
    }
    text
}

/// Each row a list of JSON values.
pub fn to_json_rows(table: &Table) -> serde_json::Value {
    table
        .rows
        .iter()
        .map(|row| row.iter().map(Value::json).collect::<serde_json::Value>())
        .collect::<serde_json::Value>()
}

fn cell(value: &Value) -> String {
    match value {
        Value::Null => "NULL".to_string(),
        // Control characters would break the lines of the table and could steer a terminal.
        Value::Text(text) => text
            .chars()
            .map(|c| if c.is_control() { c.escape_default().to_string() } else { c.to_string() })
            .collect(),
        Value::Boolean(_)
        | Value::Integer(_)
        | Value::Decimal { .. }
        | Value::Float(_)
        | Value::Date(_)
        | Value::Time(_)
        | Value::Timestamp(_)
        | Value::Instant(_) => value.text(),
    }
}

fn width(text: &str) -> usize {
    UnicodeWidthStr::width(text)
}

/// Lines of cells, the first with the names, in columns.
pub fn aligned(lines: &[Vec<String>]) -> String {
    let count = lines.iter().map(Vec::len).max().unwrap_or(0);
    let widths: Vec<usize> = (0..count)
        .map(|at| lines.iter().filter_map(|line| line.get(at)).map(|cell| width(cell)).max().unwrap_or(0))
        .collect();
    let mut text = String::new();
    for line in lines {
        push_line(&mut text, line, &widths, &vec![false; count]);
    }
    text
}

fn push_line(text: &mut String, cells: &[String], widths: &[usize], right: &[bool]) {
    let mut line = String::new();
    for (at, ((cell, total), right)) in cells.iter().zip(widths).zip(right).enumerate() {
        let padding = " ".repeat(total - width(cell));
        if at > 0 {
            line.push_str("  ");
        }
        if *right {
            line.push_str(&padding);
            line.push_str(cell);
        } else {
            line.push_str(cell);
            line.push_str(&padding);
        }
    }
    text.push_str(line.trim_end());
    text.push('\n');
}

fn quoted(field: &str) -> String {
    if field.contains([',', '"', '\n', '\r']) {
        format!("\"{}\"", field.replace('"', "\"\""))
    } else {
        field.to_string()
    }
}

#[cfg(test)]
mod tests {
    use unisono_compiler::data_type::DataType;

    use super::super::Column;
    use super::*;

    fn sample() -> Table {
        Table {
            columns: vec![
                Column { name: "region".to_string(), data_type: DataType::String },
                Column {
                    name: "revenue".to_string(),
                    data_type: DataType::Decimal { precision: 38, scale: 2 },
                },
            ],
            rows: vec![
                vec![Value::Text("EAST".to_string()), Value::Decimal { unscaled: 35_000, scale: 2 }],
                vec![Value::Null, Value::Decimal { unscaled: 3_000, scale: 2 }],
                vec![Value::Text("a,\"b\"\n".to_string()), Value::Null],
                vec![Value::Text(String::new()), Value::Null],
            ],
            truncated: false,
        }
    }

    #[test]
    fn text_aligns_numbers_to_the_right() {
        let expected = [
            "region   revenue",
            "-------  -------",
            "EAST      350.00",
            "NULL       30.00",
            "a,\"b\"\\n     NULL",
            "            NULL",
            "",
        ];
        assert_eq!(to_text(&sample()), expected.join("\n"));
    }

    #[test]
    fn csv_keeps_null_and_empty_text_apart() {
        let expected = "region,revenue\nEAST,350.00\n,30.00\n\"a,\"\"b\"\"\n\",\n\"\",\n";
        assert_eq!(to_csv(&sample()), expected);
    }

    #[test]
    fn no_record_is_an_empty_line() {
        let rows =
            vec![vec![Value::Text("EAST".to_string())], vec![Value::Null], vec![Value::Text(String::new())]];
        let table = Table { columns: sample().columns[..1].to_vec(), rows, truncated: false };
        assert_eq!(to_csv(&table), "region\nEAST\n\"\"\n\"\"\n");
    }

    #[test]
    fn json_rows_are_lists() {
        assert_eq!(
            to_json_rows(&sample()).to_string(),
            r#"[["EAST",350.0],[null,30.0],["a,\"b\"\n",null],["",null]]"#
        );
    }
}
