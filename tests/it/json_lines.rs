//! JSON lines loaded into a warehouse and queried in a folder, by the binary. In: small files. Out: rows worked out by hand, and what is
//! refused leaves nothing behind.

use serde_json::json;

use crate::lakehouse::{revenue_by_region, shop};
use crate::project_folder::Folder;

/// The orders of `lakehouse::shop`, one object a line: a missing key and null are NULL, numbers are exact.
const ORDERS: &str = r#"{"id": 10, "customer_id": 1, "amount": 5.00, "ordered_at": "2024-03-01 10:00:00"}
{"id": 11, "customer_id": 1, "amount": 7.50, "ordered_at": "2024-03-01T11:00:00"}

{"ordered_at": "2024-03-02 09:00:00", "amount": 1.25, "id": 12, "customer_id": 2}
{"id": 13, "customer_id": 9, "amount": 100.00, "ordered_at": "2024-03-02 23:59:59"}
{"id": 14, "customer_id": 3, "amount": 2.00}
"#;

const CUSTOMERS: &str =
    "{\"id\":1,\"region\":\"EAST\"}\n{\"id\":2,\"region\":\"WEST\"}\n{\"id\":3,\"region\":null}\n";

/// The shop of `lakehouse`, its tables loaded from JSON lines.
fn lines(name: &str) -> Folder {
    let folder = shop(name);
    std::fs::remove_dir_all(folder.path.join("warehouse")).unwrap();
    folder.write("data/orders.jsonl", ORDERS);
    folder.write("data/customers.ndjson", CUSTOMERS);
    folder.good("load shop.customers data/customers.ndjson");
    let made = folder.json("load shop.orders data/orders.jsonl");
    let columns = json!([
        {"name": "id", "type": "Int64"},
        {"name": "customer_id", "type": "Int64"},
        {"name": "amount", "type": "Decimal(18,2)"},
        {"name": "ordered_at", "type": "Timestamp"},
    ]);
    assert_eq!((&made["columns"], &made["rows"]), (&columns, &json!(5)));
    assert_eq!(made["primary_key"], json!(["id"]));
    folder
}

#[test]
fn lines_are_loaded_as_the_same_rows_of_a_csv_file() {
    let folder = lines("lines");
    assert_eq!(
        revenue_by_region(&folder, ""),
        "region,revenue,order_count\nEAST,12.50,2\nWEST,1.25,1\n,102.00,2\n"
    );
    folder.write(
        "data/more.jsonl",
        "{\"id\":12,\"amount\":9.25,\"customer_id\":2}\n{\"id\":15,\"customer_id\":2,\"amount\":0.75}\n",
    );
    folder.refused(2, "load shop.orders data/more.jsonl", "E_DUPLICATE_KEY");
    folder.good("load shop.orders data/more.jsonl --upsert");
    // Only the key is needed, and what else the line holds must be a column.
    folder.write("data/gone.jsonl", "{\"id\":13,\"amount\":100.00}\n{\"id\":10}\n");
    folder.good("load shop.orders data/gone.jsonl --delete");
    assert_eq!(
        revenue_by_region(&folder, ""),
        "region,revenue,order_count\nEAST,7.50,1\nWEST,10.00,2\n,2.00,1\n"
    );
    let pairs = folder
        .json("query --metrics order_count --by \"orders.ordered_at:day\" --order orders.ordered_at:day");
    // 11 has a day; 12 lost its time with the upsert, 14 and 15 never had one.
    assert_eq!(pairs["rows"], json!([["2024-03-01T00:00:00", 1], [null, 3]]));
}

#[test]
fn digits_and_declared_types_are_kept() {
    let folder = lines("lines-types");
    let wide = "{\"id\":1,\"a\":0.1000000000000000055511151231257827,\"b\":12345678901234567890123456789012345678}\n";
    folder.write("data/wide.jsonl", wide);
    let made = folder.json("load shop.wide data/wide.jsonl");
    assert_eq!(made["columns"][1]["type"], "Decimal(35,34)");
    assert_eq!(made["columns"][2]["type"], "Decimal(38,0)");
    folder
        .write("data/typed.jsonl", "{\"id\":\"1\",\"amount\":\"7\",\"note\":5}\n{\"id\":2,\"amount\":1.5}\n");
    let made = folder.json("load shop.typed data/typed.jsonl --types \"id BIGINT, amount DECIMAL(20,4)\"");
    let columns = json!([
        {"name": "id", "type": "Int64"}, {"name": "amount", "type": "Decimal(20,4)"}, {"name": "note", "type": "Int64"},
    ]);
    assert_eq!(made["columns"], columns);
}

#[test]
fn a_bad_line_writes_nothing() {
    let folder = lines("lines-bad");
    let before = revenue_by_region(&folder, "");
    let good = "{\"id\":20,\"customer_id\":1,\"amount\":1.00}\n";
    for (name, line, word) in [
        ("key", "{\"id\":21,\"amuont\":1.00}", "key.jsonl:2: there is no column for the key `amuont`"),
        ("near", "{\"id\":21,\"amuont\":1.00}", "did you mean `amount`"),
        ("nested", "{\"id\":21,\"amount\":{\"value\":1}}", "nested.jsonl:2: `amount` holds an object"),
        ("list", "{\"id\":21,\"amount\":[1]}", "list.jsonl:2: `amount` holds a list"),
        (
            "digits",
            "{\"id\":21,\"amount\":1.001}",
            "digits.jsonl:2: `1.001` in column `amount` is no Decimal(18,2)",
        ),
        ("exponent", "{\"id\":21,\"amount\":1e2}", "exponent.jsonl:2: `1e2` in column `amount`"),
        ("text", "{\"id\":21,\"amount\":\"three\"}", "text.jsonl:2: `three`"),
        ("null", "{\"id\":null,\"amount\":1.00}", "null.jsonl:2: column `id` is empty"),
        ("none", "{\"amount\":1.00}", "none.jsonl:2: column `id` is empty"),
        ("same", "{\"id\":21,\"ID\":22}", "same.jsonl:2: the object has the key `id` twice"),
        ("twice", "{\"id\":20,\"amount\":1.00}", "E_DUPLICATE_KEY"),
        ("half", "{\"id\":21,\"amount\":1.0", "half.jsonl:2:"),
        ("array", "[{\"id\":21}]", "array.jsonl:2: the line holds no object"),
        ("nan", "{\"id\":21,\"amount\":NaN}", "nan.jsonl:2:"),
    ] {
        folder.write(&format!("data/{name}.jsonl"), &format!("{good}{line}\n"));
        let how = if name == "twice" { "" } else { "--upsert" };
        folder.refused(2, &format!("load shop.orders data/{name}.jsonl {how}"), word);
    }
    folder
        .write("data/long.jsonl", &format!("{good}{{\"id\":21,\"amount\":\"{}\"}}\n", "1".repeat(17 << 20)));
    folder.refused(2, "load shop.orders data/long.jsonl", "E_LIMIT_EXCEEDED");
    folder.write("data/empty.jsonl", "\n");
    folder.refused(2, "load shop.empty data/empty.jsonl", "has no object with a key");
    folder.refused(2, "load shop.other data/nested.jsonl", "nested.jsonl:2: `amount` holds an object");
    folder.refused(
        2,
        "load shop.other data/orders.json",
        "ends in none of .csv, .jsonl, .ndjson and .parquet",
    );
    assert_eq!(revenue_by_region(&folder, ""), before);
    // What was refused made no table.
    folder.refused(2, "load shop.other data/gone.jsonl --delete", "E_TABLE_NOT_FOUND");
}

#[test]
fn a_folder_may_hold_json_lines() {
    let folder = Folder::new("lines-folder");
    folder.write("models/shop.yaml", crate::lakehouse::MODEL);
    folder.write("data/shop/orders.jsonl", ORDERS);
    folder.write("data/shop/customers.ndjson", CUSTOMERS);
    let asked = "query --model models/shop.yaml --data data --metrics revenue,order_count --by customers.region --order customers.region";
    assert_eq!(folder.good(asked), "region,revenue,order_count\nEAST,12.50,2\nWEST,1.25,1\n,102.00,2\n");
    folder.write("data/shop/orders.csv", "id,customer_id,amount,ordered_at\n");
    folder.refused(2, asked, "two files could be the table `orders`");
}
