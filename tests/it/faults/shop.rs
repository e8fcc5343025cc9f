//! A small shop in a warehouse of its own, its random changes, and what its rollups should hold by an evaluation written here.
//! In: seeds. Out: commits, runs, and the groups of each metric that are stored wrongly.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use arrow::array::{
    ArrayRef, Decimal128Array, Int8Array, Int64Array, RecordBatch, StringArray, TimestampMicrosecondArray,
};
use unisono_compiler::catalog::{Column, Origin};
use unisono_compiler::data_type::DataType;
use unisono_compiler::diagnostic::has_errors;
use unisono_compiler::source::SourceId;
use unisono_compiler::syntax::document::SemanticModel;
use unisono_compiler::syntax::parse_document;
use unisono_dialects::{ColumnSpec, TableSpec, source_key_options};
use unisono_runtime::lake::{Commit, Lake, Line, TableName, VALUE_KIND};
use unisono_runtime::pipeline::{Prepared, Tap, prepare, run, table_rows};
use unisono_runtime::project::{Project, read_project};
use unisono_runtime::table::Value;
use unisono_runtime::version::{Store, TableState};

use super::Wrong;
use crate::lakehouse::MODEL;
use crate::project_folder::Folder;

const PROJECT: &str = "
version: 1
models: [models/*.yaml]
warehouse: {path: ./warehouse}
pipelines:
- {name: by_region, metrics: [revenue, order_count, average, largest, buyers, smallest], dimensions: [customers.region], rollup: shop.by_region}
- {name: by_week, metrics: [revenue, order_count, largest], dimensions: [\"orders.ordered_at:week\"], rollup: shop.by_week}
- {name: total, metrics: [revenue, order_count, average], dimensions: [], rollup: shop.total}
";

/// What the shop measures here besides.
const MORE_METRICS: &str =
    "  - {name: average, expression: {dialects: [{dialect: ANSI_SQL, expression: AVG(orders.amount)}]}}
  - {name: smallest, expression: {dialects: [{dialect: ANSI_SQL, expression: MIN(orders.amount)}]}}
";

/// Numbers that look random and are the same for a seed (xorshift64*).
pub(crate) struct Random(u64);

impl Random {
    /// Of a seed.
    pub(crate) fn new(seed: u64) -> Random {
        Random(seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) | 1)
    }

    /// Below a bound.
    pub(crate) fn below(&mut self, bound: u64) -> u64 {
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        self.0.wrapping_mul(0x2545_F491_4F6C_DD1D) % bound
    }
}

/// A customer may have none.
type Region = Option<String>;

#[derive(Clone, PartialEq)]
struct Order {
    customer: Option<i64>,
    cents: Option<i128>,
    at: Option<i64>,
}

/// The shop as it should be, and its warehouse.
pub(super) struct Shop {
    /// Where it lies.
    pub(super) folder: Folder,
    /// The warehouse.
    pub(super) lake: Lake,
    /// Its records.
    pub(super) store: Store,
    project: Project,
    models: Vec<SemanticModel>,
    orders: BTreeMap<i64, Order>,
    customers: BTreeMap<i64, Region>,
}

const DAY: i64 = 86_400_000_000;
/// 2024-02-26, a Monday.
const START: i64 = 19_779 * DAY;

fn name(table: &str) -> TableName {
    TableName::new("shop", table).unwrap()
}

impl Shop {
    /// Empty tables.
    pub(super) async fn new(title: &str) -> Shop {
        let folder = Folder::new(title);
        let lake = Lake::init(&folder.path.join("warehouse")).unwrap();
        let column = |name: &str, data_type, nullable| ColumnSpec {
            name: name.to_string(),
            data_type,
            nullable,
            comment: None,
        };
        let spec = |table: &str, columns: Vec<ColumnSpec>| TableSpec {
            name: format!("shop.{table}"),
            columns,
            primary_key: vec!["id".to_string()],
            options: source_key_options(),
        };
        let orders = spec(
            "orders",
            vec![
                column("id", DataType::Int64, false),
                column("customer_id", DataType::Int64, true),
                column("amount", DataType::Decimal { precision: 18, scale: 2 }, true),
                column("ordered_at", DataType::Timestamp, true),
            ],
        );
        let customers = spec(
            "customers",
            vec![column("id", DataType::Int64, false), column("region", DataType::String, true)],
        );
        lake.create(&orders, &Line::Main).await.unwrap();
        lake.create(&customers, &Line::Main).await.unwrap();
        let (project, findings) = read_project(SourceId(0), PROJECT);
        assert!(!has_errors(&findings), "{findings:?}");
        let (document, findings) = parse_document(SourceId(1), &[MODEL, MORE_METRICS].concat());
        assert!(!has_errors(&findings), "{findings:?}");
        Shop {
            store: Store::new(lake.root()),
            folder,
            lake,
            project: project.unwrap(),
            models: document.unwrap().models,
            orders: BTreeMap::new(),
            customers: BTreeMap::new(),
        }
    }

    /// A few commits of random inserts, updates and deletes in both tables.
    pub(super) async fn change(&mut self, random: &mut Random) {
        let first = self.orders.is_empty();
        let (many, few) = if first { (60, 8) } else { (6, 2) };
        let mut rows: BTreeMap<i64, Option<Order>> = BTreeMap::new();
        for _ in 0..=random.below(many) {
            let id = i64::try_from(random.below(90)).unwrap();
            let order = Order {
                customer: (random.below(12) > 0).then(|| i64::try_from(random.below(14)).unwrap()),
                cents: (random.below(10) > 0).then(|| i128::from(random.below(20_000)) - 4_000),
                at: (random.below(15) > 0)
                    .then(|| START + i64::try_from(random.below(28 * 24)).unwrap() * DAY / 24),
            };
            let gone = self.orders.contains_key(&id) && random.below(3) == 0;
            rows.insert(id, (!gone).then_some(order));
        }
        self.write_orders(&rows).await;
        for (id, row) in rows {
            match row {
                Some(order) => self.orders.insert(id, order),
                None => self.orders.remove(&id),
            };
        }
        let mut rows: BTreeMap<i64, Option<Region>> = BTreeMap::new();
        for _ in 0..random.below(few) + u64::from(first) {
            let id = i64::try_from(random.below(12)).unwrap();
            let region = ["EAST", "WEST", "NORTH", ""][usize::try_from(random.below(4)).unwrap()];
            let gone = self.customers.contains_key(&id) && random.below(4) == 0;
            rows.insert(id, (!gone).then(|| (!region.is_empty()).then(|| region.to_string())));
        }
        self.write_customers(&rows).await;
        for (id, row) in rows {
            match row {
                Some(region) => self.customers.insert(id, region),
                None => self.customers.remove(&id),
            };
        }
    }

    async fn write_orders(&self, rows: &BTreeMap<i64, Option<Order>>) {
        let value = |take: &dyn Fn(&Order) -> Option<i64>| -> ArrayRef {
            Arc::new(rows.values().map(|row| row.as_ref().and_then(take)).collect::<Int64Array>())
        };
        let cents: Decimal128Array =
            rows.values().map(|row| row.as_ref().and_then(|order| order.cents)).collect();
        let at: TimestampMicrosecondArray =
            rows.values().map(|row| row.as_ref().and_then(|order| order.at)).collect();
        let columns: Vec<(&str, ArrayRef)> = vec![
            ("id", Arc::new(rows.keys().copied().collect::<Int64Array>())),
            ("customer_id", value(&|order| order.customer)),
            ("amount", Arc::new(cents.with_precision_and_scale(18, 2).unwrap())),
            ("ordered_at", Arc::new(at)),
        ];
        self.write("orders", columns, rows.values().map(Option::is_some)).await;
    }

    async fn write_customers(&self, rows: &BTreeMap<i64, Option<Region>>) {
        if rows.is_empty() {
            return;
        }
        let columns: Vec<(&str, ArrayRef)> = vec![
            ("id", Arc::new(rows.keys().copied().collect::<Int64Array>())),
            ("region", Arc::new(rows.values().map(|row| row.clone().flatten()).collect::<StringArray>())),
        ];
        self.write("customers", columns, rows.values().map(Option::is_some)).await;
    }

    async fn write(&self, table: &str, columns: Vec<(&str, ArrayRef)>, stays: impl Iterator<Item = bool>) {
        let kinds: Int8Array = stays.map(|stays| Some(if stays { 0 } else { 3 })).collect();
        let kinds: ArrayRef = Arc::new(kinds);
        let batch = RecordBatch::try_from_iter(columns.into_iter().chain([(VALUE_KIND, kinds)])).unwrap();
        self.lake.upsert(&name(table), &Line::Main, &[batch], Commit::once("test")).await.unwrap();
    }

    /// The pipelines against the tables as they are.
    pub(super) async fn prepared(&self) -> Vec<Prepared> {
        let mut columns = BTreeMap::new();
        for table in self.lake.tables(&Line::Main).await.unwrap() {
            let handle = self.lake.table(&table, &Line::Main).await.unwrap();
            let known = handle.columns.into_iter().map(|column| Column {
                name: column.name,
                data_type: column.data_type,
                nullable: column.nullable,
                origin: Origin::Catalogue,
            });
            columns.insert(table, known.collect::<Vec<Column>>());
        }
        self.project
            .pipelines
            .iter()
            .map(|pipeline| {
                let (prepared, findings) = prepare(&self.project, pipeline, &self.models, &columns);
                prepared.unwrap_or_else(|| panic!("{findings:?}"))
            })
            .collect()
    }

    /// Runs all pipelines with a tap.
    pub(super) async fn run(&self, tap: &mut dyn Tap) {
        for prepared in self.prepared().await {
            run(&self.lake, &self.store, &prepared, &Line::Main, tap).await.unwrap();
        }
    }

    /// The heads of all tables.
    pub(super) async fn heads(&self) -> BTreeMap<String, TableState> {
        let mut heads = BTreeMap::new();
        for table in self.lake.tables(&Line::Main).await.unwrap() {
            let head = self.lake.head(&table, &Line::Main).await.unwrap();
            heads.insert(table.to_string(), TableState::from(&head));
        }
        heads
    }

    /// The groups of each metric whose stored value is not what the rows of this test say.
    pub(super) async fn wrong(&self) -> Wrong {
        let mut wrong = Wrong::new();
        for prepared in self.prepared().await {
            let expected = self.expected(&prepared.name);
            let names: Vec<String> = prepared.columns.iter().map(|column| column.name.clone()).collect();
            let head = self.lake.head(&prepared.rollup, &Line::Main).await.unwrap();
            let batches =
                self.lake.read(&prepared.rollup, &head, &names, &[]).await.unwrap().collect().await.unwrap();
            let mut stored: BTreeMap<String, Vec<Value>> = BTreeMap::new();
            for row in table_rows(&batches).unwrap() {
                let (key, values) = row.split_at(prepared.dimensions);
                let key: Vec<String> = key.iter().map(Value::text).collect();
                stored.insert(key.join("|"), values.to_vec());
            }
            let keys: BTreeSet<&String> = expected.keys().chain(stored.keys()).collect();
            for key in keys {
                for (at, metric) in names[prepared.dimensions..].iter().enumerate() {
                    let value =
                        |rows: &BTreeMap<String, Vec<Value>>| rows.get(key).map(|row| row[at].clone());
                    if value(&expected) != value(&stored) {
                        let group = (prepared.name.clone(), metric.clone());
                        wrong.entry(group).or_default().insert(key.clone());
                    }
                }
            }
        }
        wrong
    }

    /// A pipeline's answer, evaluated row by row.
    fn expected(&self, pipeline: &str) -> BTreeMap<String, Vec<Value>> {
        let mut groups: BTreeMap<String, Vec<&Order>> = BTreeMap::new();
        if pipeline == "total" {
            groups.insert(String::new(), Vec::new());
        }
        for order in self.orders.values() {
            let key = match pipeline {
                "by_region" => {
                    let customer = order.customer.and_then(|id| self.customers.get(&id));
                    customer.cloned().flatten().unwrap_or_default()
                }
                // Weeks start on Monday, and START is one.
                "by_week" => order.at.map_or(String::new(), |at| {
                    Value::Timestamp(START + (at - START).div_euclid(7 * DAY) * 7 * DAY).text()
                }),
                _ => String::new(),
            };
            groups.entry(key).or_default().push(order);
        }
        groups.into_iter().map(|(key, orders)| (key, Self::measures(pipeline, &orders))).collect()
    }

    #[expect(clippy::cast_precision_loss, reason = "cents of a test are small")]
    fn measures(pipeline: &str, orders: &[&Order]) -> Vec<Value> {
        let cents: Vec<i128> = orders.iter().filter_map(|order| order.cents).collect();
        let sum: i128 = cents.iter().sum();
        let revenue = if cents.is_empty() { Value::Null } else { Value::Decimal { unscaled: sum, scale: 2 } };
        let count = Value::Integer(i64::try_from(orders.len()).unwrap());
        let average = if cents.is_empty() {
            Value::Null
        } else {
            Value::Float((sum as f64 / 100.0) / cents.len() as f64)
        };
        let largest =
            cents.iter().max().map_or(Value::Null, |cents| Value::Decimal { unscaled: *cents, scale: 2 });
        let smallest =
            cents.iter().min().map_or(Value::Null, |cents| Value::Decimal { unscaled: *cents, scale: 2 });
        let buyers: BTreeSet<i64> = orders.iter().filter_map(|order| order.customer).collect();
        let buyers = Value::Integer(i64::try_from(buyers.len()).unwrap());
        match pipeline {
            "by_region" => vec![revenue, count, average, largest, buyers, smallest],
            "by_week" => vec![revenue, count, largest],
            _ => vec![revenue, count, average],
        }
    }
}
