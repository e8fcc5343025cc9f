//! A generated warehouse of any size: facts, dimensions two levels deep, bridges, and metrics of every kind.
//! In: how many metrics and datasets. Out: the model's text, its tables, and requests of eight shapes that hold at any size.

use std::fmt::Write;

/// How much there is of what, with the name of the workload.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Size {
    /// The name.
    pub(crate) name: &'static str,
    metrics: usize,
    /// A multiple of `AREA`.
    datasets: usize,
}

/// The sizes that are measured.
pub(crate) const SIZES: [Size; 3] = [
    Size { name: "warehouse_100", metrics: 100, datasets: 10 },
    Size { name: "warehouse_1000", metrics: 1_000, datasets: 50 },
    Size { name: "warehouse_10000", metrics: 10_000, datasets: 200 },
];

/// Requests by shape; all speak of the first area and its ten first metrics, which every size has.
pub(crate) const SHAPES: [(&str, &str); 8] = [
    ("simple", r#"{"measures": ["amount_00000"]}"#),
    (
        "dimension_where",
        r#"{"dimensions": ["customers_00.segment"], "measures": ["amount_00000"], "where": ["orders_00.status = 'completed'"]}"#,
    ),
    (
        "three_way_join",
        r#"{"dimensions": ["customers_00.segment", "regions_00.name"], "measures": ["amount_00000", "net_00003"],
            "where": ["orders_00.status = 'completed'", "regions_00.name <> 'nowhere'"], "order_by": ["-amount_00000"], "limit": 10}"#,
    ),
    ("stitch", r#"{"dimensions": ["regions_00.name"], "measures": ["amount_00000", "returned_00005"]}"#),
    ("derived", r#"{"dimensions": ["categories_00.name"], "measures": ["per_buyer_00004"]}"#),
    ("bridge", r#"{"dimensions": ["tags_00.name"], "measures": ["amount_00000"]}"#),
    (
        "window",
        r#"{"dimensions": ["orders_00.ordered_at:month"], "measures": ["amount_00000", "rank_00009"]}"#,
    ),
    ("percentile", r#"{"dimensions": ["customers_00.segment"], "measures": ["p90_00007"]}"#),
];

/// Datasets of one area, with the columns after `id`, typed as in a model.
const AREA: [(&str, &[(&str, &str)]); 10] = [
    (
        "orders",
        &[
            ("customer_id", "Integer"),
            ("product_id", "Integer"),
            ("store_id", "Integer"),
            ("status", "String"),
            ("ordered_at", "Date"),
            ("quantity", "Integer"),
            ("price", "Decimal"),
            ("discount", "Decimal"),
            ("amount", "Decimal"),
        ],
    ),
    (
        "returns",
        &[
            ("customer_id", "Integer"),
            ("product_id", "Integer"),
            ("returned_at", "Date"),
            ("amount", "Decimal"),
        ],
    ),
    (
        "visits",
        &[
            ("customer_id", "Integer"),
            ("store_id", "Integer"),
            ("visited_at", "Date"),
            ("minutes", "Integer"),
        ],
    ),
    ("customers", &[("region_id", "Integer"), ("segment", "String"), ("since", "Date")]),
    ("regions", &[("name", "String")]),
    ("products", &[("category_id", "Integer"), ("name", "String"), ("brand", "String")]),
    ("categories", &[("name", "String")]),
    ("stores", &[("city", "String")]),
    ("order_tags", &[("order_id", "Integer"), ("tag_id", "Integer")]),
    ("tags", &[("name", "String")]),
];

/// Relationships inside one area; a number after `to` is an area that all share.
const JOINS: [(&str, &str, &str, Option<usize>); 11] = [
    ("orders", "customer_id", "customers", None),
    ("orders", "product_id", "products", None),
    ("orders", "store_id", "stores", None),
    ("returns", "customer_id", "customers", None),
    ("returns", "product_id", "products", None),
    ("visits", "customer_id", "customers", Some(0)),
    ("visits", "store_id", "stores", None),
    ("customers", "region_id", "regions", None),
    ("products", "category_id", "categories", None),
    ("order_tags", "order_id", "orders", None),
    ("order_tags", "tag_id", "tags", None),
];

/// The model of a size.
pub(crate) fn model(size: Size) -> String {
    let areas = size.datasets / AREA.len();
    let mut text = String::from("version: 0.2.0.dev0\nsemantic_model:\n- name: warehouse\n  datasets:\n");
    for area in 0..areas {
        for (dataset, columns) in AREA {
            let _ = write!(
                text,
                "  - name: {dataset}_{area:02}\n    source: warehouse.{dataset}_{area:02}\n    primary_key: [id]\n    fields:\n"
            );
            field(&mut text, "id", "id", "Integer", false);
            for (column, data_type) in columns {
                let is_time = *data_type == "Date" && *column != "since";
                field(&mut text, column, column, data_type, is_time);
            }
            if dataset == "orders" {
                field(&mut text, "net", "amount * (1 - discount)", "Decimal", false);
            }
        }
    }
    text.push_str("  relationships:\n");
    for area in 0..areas {
        for (from, column, to, shared) in JOINS {
            let to_area = shared.unwrap_or(area);
            let _ = writeln!(
                text,
                "  - {{name: {from}_{to}_{area:02}, from: {from}_{area:02}, to: {to}_{to_area:02}, from_columns: [{column}], to_columns: [id]}}"
            );
        }
    }
    text.push_str("  metrics:\n");
    for metric in 0..size.metrics {
        let (name, expression) = metric_of(metric, areas);
        let _ = write!(
            text,
            "  - name: {name}\n    expression:\n      dialects: [{{dialect: ANSI_SQL, expression: '{expression}'}}]\n    \
             description: Metric {metric} of area {}.\n",
            metric / 10 % areas
        );
    }
    text
}

/// Ten kinds of metric, one after the other, area by area; later rounds differ in a constant.
fn metric_of(metric: usize, areas: usize) -> (String, String) {
    let area = metric / 10 % areas;
    let round = metric / 10 / areas;
    let first = metric - metric % 10;
    let earlier = |kind: &str, offset: usize| format!("{kind}_{:05}", first + offset);
    let (kind, expression) = match metric % 10 {
        0 if round == 0 => ("amount", format!("SUM(orders_{area:02}.amount)")),
        0 => (
            "amount",
            format!("SUM(CASE WHEN orders_{area:02}.quantity > {round} THEN orders_{area:02}.amount END)"),
        ),
        1 => ("buyers", format!("COUNT(DISTINCT orders_{area:02}.customer_id)")),
        2 => ("average", format!("AVG(orders_{area:02}.price * {})", round + 1)),
        3 => ("net", format!("SUM(orders_{area:02}.net) - {round}")),
        4 => ("per_buyer", format!("{} / NULLIF({}, 0)", earlier("amount", 0), earlier("buyers", 1))),
        5 => (
            "returned",
            format!("SUM(returns_{area:02}.amount) FILTER (WHERE returns_{area:02}.amount > {round})"),
        ),
        6 => ("kept", format!("{} - COALESCE({}, 0)", earlier("net", 3), earlier("returned", 5))),
        7 => ("p90", format!("PERCENTILE_CONT(0.9) WITHIN GROUP (ORDER BY orders_{area:02}.amount)")),
        8 => (
            "long_visits",
            format!("COUNT(CASE WHEN visits_{area:02}.minutes >= {round} THEN visits_{area:02}.id END)"),
        ),
        _ => ("rank", format!("RANK() OVER (ORDER BY SUM(orders_{area:02}.amount) DESC)")),
    };
    (format!("{kind}_{metric:05}"), expression)
}

fn field(text: &mut String, name: &str, expression: &str, data_type: &str, is_time: bool) {
    let _ = write!(
        text,
        "    - name: {name}\n      expression:\n        dialects: [{{dialect: ANSI_SQL, expression: {expression}}}]\n      datatype: {data_type}\n"
    );
    if is_time {
        text.push_str("      dimension: {is_time: true}\n");
    }
}

/// The tables of a size.
pub(crate) fn tables(size: Size) -> String {
    let mut text = String::new();
    for area in 0..size.datasets / AREA.len() {
        for (dataset, columns) in AREA {
            let _ = write!(text, "CREATE TABLE warehouse.{dataset}_{area:02} (id BIGINT NOT NULL");
            for (column, data_type) in columns {
                let sql = match *data_type {
                    "Integer" => "BIGINT",
                    "Decimal" => "DECIMAL(12, 2)",
                    "Date" => "DATE",
                    _ => "VARCHAR",
                };
                let _ = write!(text, ", {column} {sql}");
            }
            text.push_str(");\n");
        }
    }
    text
}
