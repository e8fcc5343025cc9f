//! What the tests of this engine share: a small shop compiled from text, its tables as vectors, and a rollup in memory.

use std::collections::{BTreeMap, BTreeSet};

use unisono_compiler::catalog::parse_ddl;
use unisono_compiler::ids::{ColumnId, DatasetId};
use unisono_compiler::plan::{Plan, plan};
use unisono_compiler::query::{Moment, bind, parse_request};
use unisono_compiler::resolve::{Resolved, object_diagnostics, resolve_model};
use unisono_compiler::source::SourceId;
use unisono_compiler::syntax::parse_document;

use super::{
    Each, Fault, Keep, Key, Layout, Maintenance, Side, SourceChange, Sources, State, Update, Value, advance,
    answer, layout,
};

const MODEL: &str = "
name: shop
datasets:
- name: sales
  source: main.sales
  primary_key: [id]
  fields:
  - {name: id, expression: id}
  - {name: product, expression: product}
  - {name: amount, expression: amount}
  - {name: weight, expression: weight}
  - {name: customer_id, expression: customer_id}
  - {name: day, expression: day, dimension: {is_time: true}}
- name: returns
  source: main.returns
  primary_key: [id]
  fields:
  - {name: id, expression: id}
  - {name: refund, expression: refund}
- name: customers
  source: main.customers
  primary_key: [id]
  fields:
  - {name: tier, expression: tier}
  - {name: label, expression: \"COALESCE(tier, 'none')\"}
  - {name: place, expression: \"CONCAT(tier, regions.name)\"}
- name: regions
  source: main.regions
  primary_key: [id]
  fields:
  - {name: name, expression: name}
- name: products
  source: main.products
  primary_key: [name]
  fields:
  - {name: kind, expression: kind}
- name: tags
  source: main.tags
  primary_key: [sale_id, tag]
  fields:
  - {name: tag, expression: tag}
relationships:
- {name: r1, from: sales, to: customers, from_columns: [customer_id], to_columns: [id]}
- {name: r2, from: returns, to: customers, from_columns: [customer_id], to_columns: [id]}
- {name: r3, from: customers, to: regions, from_columns: [region_id], to_columns: [id]}
- {name: r5, from: sales, to: products, from_columns: [product], to_columns: [name]}
- {name: r4, from: tags, to: sales, from_columns: [sale_id], to_columns: [id]}
metrics:
- {name: revenue, expression: SUM(sales.amount)}
- {name: orders, expression: COUNT(sales.id)}
- {name: average, expression: AVG(sales.amount)}
- {name: middle, expression: MEDIAN(sales.amount)}
- {name: buyers, expression: COUNT(DISTINCT sales.customer_id)}
- {name: low, expression: MIN(sales.amount)}
- {name: high, expression: MAX(sales.amount)}
- {name: latest, expression: 'MAX_BY(sales.amount, sales.day)'}
- {name: mass, expression: SUM(sales.weight)}
- {name: refunds, expression: SUM(returns.refund)}
- {name: returned, expression: COUNT(returns.id)}
- {name: net, expression: revenue - refunds}
";
const SCHEMA: &str = "
CREATE TABLE sales (id INTEGER, customer_id INTEGER, product VARCHAR, amount DECIMAL(10,2), weight DOUBLE, day DATE);
CREATE TABLE returns (id INTEGER, customer_id INTEGER, refund DECIMAL(10,2));
CREATE TABLE customers (id INTEGER, region_id INTEGER, tier VARCHAR);
CREATE TABLE regions (id INTEGER, name VARCHAR);
CREATE TABLE products (name VARCHAR, kind VARCHAR);
CREATE TABLE tags (sale_id INTEGER, tag VARCHAR);
";

/// A row in the order of the table's columns.
pub(super) type Row = Vec<Value>;

pub(super) const NULL: Value = Value::Null;

pub(super) fn int(value: i64) -> Value {
    Value::Integer(value)
}

pub(super) fn cents(unscaled: i128) -> Value {
    Value::Decimal { unscaled, scale: 2 }
}

pub(super) fn text(value: &str) -> Value {
    Value::text(value)
}

/// A sale; the product `-` is NULL.
pub(super) fn sale(id: i64, customer: Value, product: &str, amount: Value, day: i32) -> Row {
    let product = if product == "-" { NULL } else { text(product) };
    let weight = Value::Float(f64::from(day) * 0.5);
    vec![int(id), customer, product, amount, weight, Value::Date(day)]
}

/// A compiled request over the shop.
pub(super) struct Case {
    pub(super) resolved: Resolved,
    pub(super) plan: Plan,
    pub(super) layout: Layout,
}

impl Case {
    pub(super) fn of(request: &str) -> Case {
        let (document, findings) = parse_document(SourceId(0), MODEL);
        assert!(findings.is_empty(), "{findings:?}");
        let (catalog, findings) = parse_ddl(SourceId(1), SCHEMA);
        assert!(findings.is_empty(), "{findings:?}");
        let (resolved, findings) = resolve_model(&document.unwrap().models[0], &catalog, "");
        assert!(findings.is_empty(), "{findings:?}");
        let resolved = resolved.unwrap();
        assert_eq!(object_diagnostics(&resolved), []);
        let (request, findings) = parse_request(SourceId(2), request);
        assert!(findings.is_empty(), "{findings:?}");
        let moment = Moment { now: "2024-01-01 00:00:00.000000".to_string(), zone: "UTC".to_string() };
        let (bound, findings) = bind(&resolved, &request.unwrap(), &moment);
        let (plan, more) = plan(&resolved, &bound.unwrap_or_else(|| panic!("{findings:?}")));
        let plan = plan.unwrap_or_else(|| panic!("{more:?}"));
        let layout = layout(&resolved, &plan).unwrap();
        Case { resolved, plan, layout }
    }

    pub(super) fn shop(&self) -> Shop {
        let mut shop = Shop::default();
        for (id, dataset) in self.resolved.model.datasets.iter() {
            let of_dataset = self.resolved.columns.iter().filter(|(_, column)| column.dataset == id);
            let mut columns: Vec<(usize, ColumnId)> = of_dataset
                .map(|(column, info)| {
                    let position = COLUMNS.iter().find(|(table, _)| *table == dataset.name.text).unwrap().1;
                    (position.iter().position(|name| *name == info.name).unwrap(), column)
                })
                .collect();
            columns.sort_unstable();
            let columns = columns.into_iter().map(|(_, column)| column).collect();
            shop.tables.insert(id, TableOf { columns, ..TableOf::default() });
            shop.names.insert(dataset.name.text.clone(), id);
        }
        shop
    }

    pub(super) fn is_incremental(&self) -> bool {
        self.layout.maintenance == Maintenance::Incremental
    }
}

const COLUMNS: [(&str, &[&str]); 6] = [
    ("sales", &["id", "customer_id", "product", "amount", "weight", "day"]),
    ("returns", &["id", "customer_id", "refund"]),
    ("customers", &["id", "region_id", "tier"]),
    ("regions", &["id", "name"]),
    ("products", &["name", "kind"]),
    ("tags", &["sale_id", "tag"]),
];

#[derive(Default)]
struct TableOf {
    columns: Vec<ColumnId>,
    old: Vec<Row>,
    new: Vec<Row>,
}

/// The tables at both sides, with what was read of them.
#[derive(Default)]
pub(super) struct Shop {
    names: BTreeMap<String, DatasetId>,
    tables: BTreeMap<DatasetId, TableOf>,
    /// Datasets whose change cannot be told.
    pub(super) unknown: BTreeSet<String>,
    /// One a reading: `customers New 2 of 5 by 1 columns`.
    pub(super) log: Vec<String>,
}

impl Shop {
    fn table(&mut self, name: &str) -> &mut TableOf {
        let id = self.names[name];
        self.tables.get_mut(&id).unwrap()
    }

    /// The new rows of a table, to be changed.
    pub(super) fn rows_of(&mut self, name: &str) -> &mut Vec<Row> {
        &mut self.table(name).new
    }

    pub(super) fn insert(&mut self, name: &str, rows: &[Row]) {
        self.rows_of(name).extend_from_slice(rows);
    }

    /// Removes the rows whose first column is `id`.
    pub(super) fn delete(&mut self, name: &str, id: &Value) {
        self.rows_of(name).retain(|row| row[0] != *id);
    }

    /// Puts a row in the place of those with its first column.
    pub(super) fn update(&mut self, name: &str, row: Row) {
        let rows = self.rows_of(name);
        rows.retain(|old| old[0] != row[0]);
        rows.push(row);
    }

    fn settle(&mut self) {
        for table in self.tables.values_mut() {
            table.old = table.new.clone();
        }
    }

    fn name(&self, id: DatasetId) -> String {
        self.names.iter().find(|(_, own)| **own == id).unwrap().0.clone()
    }
}

impl Sources for Shop {
    fn rows(
        &mut self,
        dataset: DatasetId,
        columns: &[ColumnId],
        at: Side,
        keep: Option<Keep<'_>>,
        each: Each<'_>,
    ) -> Result<(), Fault> {
        let table = &self.tables[&dataset];
        let rows = if at == Side::Old { &table.old } else { &table.new };
        let value = |row: &Row, column: &ColumnId| {
            row[table.columns.iter().position(|own| own == column).unwrap()].clone()
        };
        let narrow = |row: &Row, columns: &[ColumnId]| -> Row {
            columns.iter().map(|column| value(row, column)).collect()
        };
        let mut given = 0;
        for row in rows {
            if keep.is_none_or(|keep| keep.keys.contains(&narrow(row, keep.columns))) {
                given += 1;
                each(narrow(row, columns))?;
            }
        }
        let by = keep.map_or(0, |keep| keep.columns.len());
        let line = format!("{} {at:?} {given} of {} by {by} columns", self.name(dataset), rows.len());
        self.log.push(line);
        Ok(())
    }

    fn change(&mut self, dataset: DatasetId, columns: &[ColumnId]) -> Result<SourceChange, Fault> {
        if self.unknown.contains(&self.name(dataset)) {
            return Ok(SourceChange::Unknown);
        }
        let table = &self.tables[&dataset];
        let mut net: BTreeMap<&Row, i64> = BTreeMap::new();
        for row in &table.new {
            *net.entry(row).or_default() += 1;
        }
        for row in &table.old {
            *net.entry(row).or_default() -= 1;
        }
        net.retain(|_, times| *times != 0);
        if net.is_empty() {
            return Ok(SourceChange::Unchanged);
        }
        let mut rows = Vec::new();
        for (row, times) in net {
            let narrow: Row = columns
                .iter()
                .map(|column| row[table.columns.iter().position(|own| own == column).unwrap()].clone())
                .collect();
            let sign = if times < 0 { -1 } else { 1 };
            rows.extend(std::iter::repeat_n((sign, narrow), usize::try_from(times.abs()).unwrap()));
        }
        Ok(SourceChange::Rows(rows))
    }
}

/// A rollup in memory.
#[derive(Default)]
pub(super) struct Rollup {
    pub(super) rows: BTreeMap<Key, Row>,
    /// How many rows were asked for; all of them count as 1,000.
    pub(super) asked: usize,
}

impl State for Rollup {
    fn groups(&mut self, keys: Option<&BTreeSet<Key>>) -> Result<BTreeMap<Key, Row>, Fault> {
        self.asked += keys.map_or(1_000, BTreeSet::len);
        let wanted = |key: &Key| keys.is_none_or(|keys| keys.contains(key));
        Ok(self
            .rows
            .iter()
            .filter(|(key, _)| wanted(key))
            .map(|(key, row)| (key.clone(), row.clone()))
            .collect())
    }
}

/// A rollup that follows a shop.
pub(super) struct Pipeline {
    pub(super) case: Case,
    pub(super) shop: Shop,
    pub(super) rollup: Rollup,
}

impl Pipeline {
    /// Over these rows, built once.
    pub(super) fn of(request: &str, tables: &[(&str, &[Row])]) -> Pipeline {
        let case = Case::of(request);
        let mut shop = case.shop();
        for (name, rows) in tables {
            shop.insert(name, rows);
        }
        let mut pipeline = Pipeline { case, shop, rollup: Rollup::default() };
        pipeline.run(true);
        pipeline
    }

    /// Moves on to the new rows; the update is applied and returned, and what was read stands in the log.
    pub(super) fn step(&mut self) -> Update {
        self.run(false)
    }

    fn run(&mut self, first: bool) -> Update {
        self.shop.log.clear();
        self.rollup.asked = 0;
        let Case { resolved: _, plan, layout } = &self.case;
        let update = advance(plan, layout, &mut self.shop, &mut self.rollup, first).unwrap();
        for key in &update.deletes {
            assert!(self.rollup.rows.remove(key).is_some(), "{key:?} was not there");
        }
        for (key, row) in &update.upserts {
            assert_ne!(
                self.rollup.rows.insert(key.clone(), row.clone()).as_ref(),
                Some(row),
                "written twice"
            );
        }
        self.shop.settle();
        update
    }

    /// The rollup's dimensions and measures, by key.
    pub(super) fn visible(&self) -> Vec<Row> {
        let width = self.case.layout.dimensions.len() + self.case.layout.measures.len();
        self.rollup.rows.values().map(|row| row[..width].to_vec()).collect()
    }

    /// The rollup is what the whole plan answers, and its state what a new build makes.
    pub(super) fn must_be_right(&mut self) {
        let mut expected = answer(&self.case.plan, &mut self.shop).unwrap();
        expected.sort();
        assert_eq!(self.visible(), expected, "{:?}", self.shop.log);
        let mut empty = Rollup::default();
        let built =
            advance(&self.case.plan, &self.case.layout, &mut self.shop, &mut empty, true).unwrap().upserts;
        assert_eq!(self.rollup.rows, built);
    }
}
