//! Which datasets there are and how they meet. In: dice. Out: a shape with tables, columns, keys and relationships, without rows and
//! fields: stars, chains, two facts, bridges, edges without keys, roles, diamonds.

use std::collections::BTreeSet;

use super::Feature;
use super::dice::Dice;
use super::pools;
use super::shape::{Ask, ColumnShape, Dataset, Relationship, Role, Shape, TableShape};
use crate::case::ColumnType;

mod kinds;

/// A shape in the making.
pub(crate) struct Builder<'a> {
    pub(crate) dice: &'a mut Dice,
    pub(crate) shape: Shape,
    pub(crate) features: BTreeSet<Feature>,
    /// How many rows each table is to have.
    pub(crate) wanted: Vec<usize>,
    names: [Vec<&'static str>; 3],
}

/// How a dataset's rows are told apart.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Keyed {
    Single,
    Composite,
    /// Only a declared unique key, which may be NULL.
    Unique,
    No,
}

const FACTS: [&str; 8] =
    ["orders", "returns", "visits", "payments", "shipments", "tickets", "balances", "calls"];
const DIMENSIONS: [&str; 9] =
    ["customers", "products", "stores", "regions", "segments", "channels", "suppliers", "campaigns", "teams"];
const LINKS: [&str; 5] = ["memberships", "assignments", "castings", "tags", "bookings"];
/// Names that need their quotes, or fold.
const ODD_NAMES: [&str; 6] =
    ["\"Sales Book\"", "OrderBook", "\"select\"", "\"Größe\"", "Main_List", "\"a.b\""];

/// Throws a structure.
pub(crate) fn build(dice: &mut Dice) -> Builder<'_> {
    let shape = Shape {
        tables: Vec::new(),
        datasets: Vec::new(),
        relationships: Vec::new(),
        metrics: Vec::new(),
        ask: Ask::default(),
    };
    let names = [FACTS.to_vec(), DIMENSIONS.to_vec(), LINKS.to_vec()];
    let mut builder = Builder { dice, shape, features: BTreeSet::new(), wanted: Vec::new(), names };
    match builder.dice.weighted(&[26, 12, 21, 17, 7, 6, 4, 3, 2, 2]) {
        0 => builder.two_facts(),
        1 => builder.star(),
        2 => builder.bridge(),
        3 => builder.chain(),
        4 => builder.edge(),
        5 => builder.one_to_one(),
        6 => builder.with_itself(),
        7 => builder.roles(),
        8 => builder.diamond(),
        _ => {
            builder.fact();
        }
    }
    builder.spare_parts();
    builder
}

impl Builder<'_> {
    fn count(&self) -> usize {
        self.shape.datasets.len()
    }

    fn name(&mut self, role: Role) -> (String, String) {
        let count = self.count();
        let pool = match role {
            Role::Fact => &mut self.names[0],
            Role::Dimension => &mut self.names[1],
            Role::Link => &mut self.names[2],
        };
        let plain = self.dice.take(pool).map_or_else(|| format!("set{count}"), str::to_string);
        let odd = ODD_NAMES[self.dice.below(ODD_NAMES.len())];
        let is_free = self.shape.datasets.iter().all(|dataset| dataset.name != odd);
        let shown = if self.dice.chance(6) && is_free { odd.to_string() } else { plain.clone() };
        (shown, format!("s.{plain}"))
    }

    fn dataset(&mut self, role: Role, keyed: Keyed) -> usize {
        let id = self.count();
        let (name, source) = self.name(role);
        let table = self.shape.tables.len();
        self.shape.tables.push(TableShape { name: source, columns: Vec::new(), rows: Vec::new() });
        let rows = match role {
            Role::Dimension => self.dice.count(2, 7),
            Role::Fact => self.dice.count(4, 14),
            Role::Link => self.dice.count(3, 12),
        };
        self.wanted.push(if self.dice.chance(4) { 0 } else { rows });
        self.shape.datasets.push(Dataset {
            id,
            name,
            table,
            primary: Vec::new(),
            unique: Vec::new(),
            fields: Vec::new(),
            time: None,
            role,
        });
        self.keys(id, keyed);
        self.attributes(id, role);
        id
    }

    fn keys(&mut self, id: usize, keyed: Keyed) {
        let names: &[&str] = match keyed {
            Keyed::Single => &["id"],
            Keyed::Composite => &["part", "line"],
            Keyed::Unique => &["code"],
            Keyed::No => &[],
        };
        let columns: Vec<usize> = names
            .iter()
            .map(|name| {
                let column_type = match self.dice.weighted(&[70, 12, 15, 3]) {
                    0 => ColumnType::Int32,
                    1 => ColumnType::Int64,
                    2 => ColumnType::Text,
                    _ => ColumnType::Date,
                };
                let size = if keyed == Keyed::Composite { 4 } else { 40 };
                let pool = pools::keys(column_type, size);
                let nulls = if keyed == Keyed::Unique { 12 } else { 0 };
                self.column(
                    id,
                    ColumnShape { name: (*name).to_string(), column_type, pool, nulls, key: true },
                )
            })
            .collect();
        if columns.len() > 1 {
            self.features.insert(Feature::CompositeKey);
        }
        let Some(dataset) = self.shape.dataset_mut(id) else { return };
        match keyed {
            Keyed::Unique => dataset.unique.push(columns),
            Keyed::Single | Keyed::Composite => dataset.primary = columns,
            Keyed::No => {}
        }
    }

    fn column(&mut self, id: usize, column: ColumnShape) -> usize {
        let Some(at) = self.shape.dataset(id).map(|dataset| dataset.table) else { return 0 };
        let Some(table) = self.shape.tables.get_mut(at) else { return 0 };
        let mut column = column;
        while table.columns.iter().any(|other| other.name == column.name) {
            column.name.push('2');
        }
        table.columns.push(column);
        table.columns.len() - 1
    }

    fn attributes(&mut self, id: usize, role: Role) {
        let mut types = Vec::new();
        match role {
            Role::Dimension => {
                types.push(ColumnType::Text);
                for _ in 0..self.dice.count(0, 2) {
                    types.push(pools::any_type(self.dice));
                }
            }
            Role::Fact => {
                types.push(pools::number_type(self.dice));
                types.push(ColumnType::Text);
                if self.dice.chance(65) {
                    types.push(if self.dice.chance(65) { ColumnType::Date } else { ColumnType::Timestamp });
                }
                for _ in 0..self.dice.count(0, 2) {
                    types.push(pools::any_type(self.dice));
                }
            }
            Role::Link => {
                for _ in 0..self.dice.count(0, 2) {
                    types.push(pools::any_type(self.dice));
                }
            }
        }
        for column_type in types {
            let pool = pools::values(self.dice, column_type);
            let name = pools::name(self.dice, column_type).to_string();
            let nulls = [0, 10, 15, 25][self.dice.below(4)];
            self.column(id, ColumnShape { name, column_type, pool, nulls, key: false });
        }
    }

    /// Adds columns that refer to a key of `to`; the relationship's columns.
    fn link(&mut self, from: usize, to: usize) -> Vec<usize> {
        if self.shape.dataset(to).is_some_and(|to| to.primary.is_empty() && to.unique.is_empty()) {
            self.keys(to, Keyed::Single);
        }
        let Some(dataset) = self.shape.dataset(to) else { return Vec::new() };
        let key = if dataset.primary.is_empty() { dataset.unique.first().cloned() } else { None };
        let key = key.unwrap_or_else(|| dataset.primary.clone());
        let stem = self.shape.table_of(to).map_or("", |table| table.name.as_str()).trim_start_matches("s.");
        let stem = stem.to_string();
        let mut pairs = Vec::new();
        for column in key {
            let Some(target) = self.shape.table_of(to).and_then(|table| table.columns.get(column)).cloned()
            else {
                continue;
            };
            let nulls = [0, 15, 20, 30][self.dice.below(4)];
            let name = format!("{stem}_{}", target.name);
            let refers = ColumnShape { name, nulls, key: true, ..target };
            pairs.push((self.column(from, refers), column));
        }
        self.relate(from, to, pairs.clone());
        pairs.into_iter().map(|(column, _)| column).collect()
    }

    fn relate(&mut self, from: usize, to: usize, columns: Vec<(usize, usize)>) {
        let name = format!("rel_{}", self.shape.relationships.len() + 1);
        self.shape.relationships.push(Relationship { name, from, to, columns });
    }

    fn dimension(&mut self) -> usize {
        let keyed = match self.dice.weighted(&[82, 10, 8]) {
            0 => Keyed::Single,
            1 => Keyed::Composite,
            _ => Keyed::Unique,
        };
        self.dataset(Role::Dimension, keyed)
    }

    fn fact(&mut self) -> usize {
        let keyed = match self.dice.weighted(&[84, 8, 3, 5]) {
            0 => Keyed::Single,
            1 => Keyed::Composite,
            2 => Keyed::Unique,
            _ => Keyed::No,
        };
        self.dataset(Role::Fact, keyed)
    }

    /// A dimension, now and then with another one above it.
    fn branch(&mut self, chance: usize) -> usize {
        let above = if self.dice.chance(chance) { Some(self.dimension()) } else { None };
        let near = self.dimension();
        if let Some(above) = above {
            self.link(near, above);
        }
        near
    }
}
