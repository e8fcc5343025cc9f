//! A JSON value as indented text: a line a key, a dash an item, short lists on one line.

use serde_json::Value;

/// Longest list that stays on one line.
const LINE: usize = 100;

/// The text, with a newline at the end.
pub(super) fn text(value: &Value) -> String {
    let mut text = String::new();
    push(&mut text, value, 0);
    text
}

fn push(text: &mut String, value: &Value, depth: usize) {
    let indent = "  ".repeat(depth);
    match value {
        Value::Object(entries) => {
            for (key, value) in entries {
                match inline(value) {
                    Some(short) => text.push_str(&format_line(&indent, &format!("{key}: {short}"))),
                    None => {
                        text.push_str(&format_line(&indent, &format!("{key}:")));
                        push(text, value, depth + 1);
                    }
                }
            }
        }
        Value::Array(items) => {
            for item in items {
                match inline(item) {
                    Some(short) => text.push_str(&format_line(&indent, &format!("- {short}"))),
                    None => {
                        let mut inner = String::new();
                        push(&mut inner, item, depth + 1);
                        // The dash takes the place of the first line's last indent.
                        let first = format!("{indent}- {}", inner.trim_start());
                        text.push_str(&first);
                    }
                }
            }
        }
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => {
            text.push_str(&format_line(&indent, &scalar(value)));
        }
    }
}

/// Scalars, and lists of scalars that are short.
fn inline(value: &Value) -> Option<String> {
    match value {
        Value::Array(items) => {
            let plain = items.iter().all(|item| !item.is_array() && !item.is_object());
            let line = format!("[{}]", items.iter().map(scalar).collect::<Vec<_>>().join(", "));
            (plain && line.len() <= LINE).then_some(line)
        }
        Value::Object(entries) if entries.is_empty() => Some("{}".to_string()),
        Value::Object(_) => None,
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => Some(scalar(value)),
    }
}

fn scalar(value: &Value) -> String {
    match value {
        Value::String(text) => text.replace('\n', "\\n"),
        Value::Null => "none".to_string(),
        Value::Bool(_) | Value::Number(_) | Value::Array(_) | Value::Object(_) => value.to_string(),
    }
}

fn format_line(indent: &str, text: &str) -> String {
    format!("{indent}{text}\n")
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn keys_items_and_short_lists() {
        let value = json!({"name": "shop", "keys": [["id"]], "fields": [{"name": "a", "type": "Int64"}, "b"], "none": null});
        let expected =
            "name: shop\nkeys:\n  - [id]\nfields:\n  - name: a\n    type: Int64\n  - b\nnone: none\n";
        assert_eq!(text(&value), expected);
    }
}
