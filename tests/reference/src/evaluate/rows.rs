//! Rows of datasets and the values of their fields. In: a model and its tables.
//! Out: the row that a row meets along N:1 steps, the rows that it meets along the others, and fields evaluated where they are declared.

use std::cell::RefCell;
use std::collections::BTreeMap;

use unisono_compiler::source::Spanned;
use unisono_compiler::syntax::expr::{Call, Expr, ExprKind, Ident};

use super::model::{Model, find_column};
use super::paths::{Step, Way};
use super::tree::names_of;
use crate::case::{Case, ColumnType, Table};
use crate::expr::same;
use crate::expr::{self, Row};
use crate::stop::Stop;
use crate::value::Value;

/// A dataset's field in one row.
type Cell = (usize, usize, usize);

/// A window by the address of its call: the model that holds it never moves.
type Window = usize;

/// A model over tables.
pub(super) struct World<'c> {
    /// The model.
    pub(super) model: Model,
    case: &'c Case,
    cells: RefCell<BTreeMap<Cell, Result<Value, Stop>>>,
    windows: RefCell<BTreeMap<Window, Result<Vec<Value>, Stop>>>,
    ways: RefCell<BTreeMap<(usize, usize), Result<Way, Stop>>>,
}

/// What a bare or qualified name in a field's expression means.
pub(super) enum FieldName {
    /// A column of the source.
    Column(usize),
    /// A field of a dataset, possibly the same one.
    Field(usize, usize),
    /// A metric.
    Metric,
    /// Nothing.
    Missing,
}

impl<'c> World<'c> {
    /// A model over the tables of its case.
    pub(super) fn new(model: Model, case: &'c Case) -> Self {
        World {
            model,
            case,
            cells: RefCell::default(),
            windows: RefCell::default(),
            ways: RefCell::default(),
        }
    }

    /// The table of a dataset.
    pub(super) fn table(&self, dataset: usize) -> Result<&'c Table, Stop> {
        let found = self.model.datasets[dataset].table.and_then(|number| self.case.tables.get(number));
        found.ok_or_else(|| {
            Stop::Unknown(format!("the source of {} is no table", self.model.datasets[dataset].written))
        })
    }

    /// The way from a home to a dataset, looked for once.
    pub(super) fn way(&self, home: usize, target: usize) -> Result<Way, Stop> {
        let mut ways = self.ways.borrow_mut();
        ways.entry((home, target)).or_insert_with(|| self.model.way(home, target)).clone()
    }

    /// How many rows a dataset has.
    pub(super) fn count(&self, dataset: usize) -> Result<usize, Stop> {
        Ok(self.table(dataset)?.rows.len())
    }

    /// Declared keys are trusted; where the data break one, the rules promise nothing.
    pub(super) fn check_keys(&self) -> Result<(), Stop> {
        for (number, dataset) in self.model.datasets.iter().enumerate() {
            let Ok(table) = self.table(number) else { continue };
            let primary = dataset.primary_key.iter().map(|key| (key, true));
            for (key, is_primary) in primary.chain(dataset.unique_keys.iter().map(|key| (key, false))) {
                let keys: Vec<Vec<&Value>> =
                    table.rows.iter().map(|row| key.iter().map(|column| &row[*column]).collect()).collect();
                for (at, one) in keys.iter().enumerate() {
                    let has_null = one.iter().any(|value| **value == Value::Null);
                    let is_twice = keys[..at]
                        .iter()
                        .any(|other| other.iter().zip(one).all(|(left, right)| same(left, right)));
                    if (has_null && is_primary) || (!has_null && is_twice) {
                        return Err(Stop::Open(format!("the data break a key of {}", dataset.written)));
                    }
                }
            }
        }
        Ok(())
    }

    /// Whether the data tell a dataset's rows apart by a declared key: a unique key with NULLs does not.
    pub(super) fn key_holds(&self, dataset: usize) -> Result<bool, Stop> {
        let declared = &self.model.datasets[dataset];
        let table = self.table(dataset)?;
        let is_full = |key: &Vec<usize>| {
            table.rows.iter().all(|row| key.iter().all(|column| row[*column] != Value::Null))
        };
        Ok(declared.primary_key.is_some() || declared.unique_keys.iter().any(is_full))
    }

    /// The rows that a row meets along one step: equal columns, and NULL equals nothing.
    pub(super) fn meets(&self, row: usize, step: Step) -> Result<Vec<usize>, Stop> {
        let one = &self.model.relationships[step.relationship];
        let ((near, near_columns), (far, far_columns)) = if step.forward {
            ((one.from, &one.from_columns), (one.to, &one.to_columns))
        } else {
            ((one.to, &one.to_columns), (one.from, &one.from_columns))
        };
        let mine = &self.table(near)?.rows[row];
        let is_met = |other: &Vec<Value>| {
            near_columns.iter().zip(far_columns).all(|(left, right)| {
                mine[*left] != Value::Null
                    && other[*right] != Value::Null
                    && same(&mine[*left], &other[*right])
            })
        };
        let rows = self.table(far)?.rows.iter().enumerate();
        Ok(rows.filter(|(_, other)| is_met(other)).map(|(number, _)| number).collect())
    }

    /// The row that a row meets along N:1 and 1:1 steps, if there is one.
    pub(super) fn follow(&self, row: usize, steps: &[Step]) -> Result<Option<usize>, Stop> {
        let mut here = row;
        for step in steps {
            match self.meets(here, *step)?.as_slice() {
                [] => return Ok(None),
                [next] => here = *next,
                _ => return Err(Stop::Open("several rows on a side with one".into())),
            }
        }
        Ok(Some(here))
    }

    /// All rows that a row meets along steps of any kind, each once.
    pub(super) fn spread(&self, row: usize, steps: &[Step]) -> Result<Vec<usize>, Stop> {
        let mut rows = vec![row];
        for step in steps {
            let mut next = Vec::new();
            for here in rows {
                next.extend(self.meets(here, *step)?);
            }
            next.sort_unstable();
            next.dedup();
            rows = next;
        }
        Ok(rows)
    }

    /// What a name in a field of a dataset means: a column, then a field beside it, then a global name.
    pub(super) fn name_in_field(&self, dataset: usize, parts: &[Spanned<Ident>]) -> Result<FieldName, Stop> {
        Ok(match parts {
            [one] => {
                let ident = &one.value;
                let column = find_column(self.table(dataset)?, ident).or_else(|| {
                    // Names are folded when the model is read, so an unquoted name may stand in another case.
                    let unquoted = Ident { text: ident.text.clone(), quoted: false };
                    self.table(dataset).ok().and_then(|table| find_column(table, &unquoted))
                });
                let fields = &self.model.datasets[dataset].fields;
                let sibling = fields.iter().position(|field| field.name == ident.text);
                match (column, sibling) {
                    (Some(column), _) => FieldName::Column(column),
                    (None, Some(field)) => FieldName::Field(dataset, field),
                    (None, None) if self.model.metric(&ident.text).is_some() => FieldName::Metric,
                    (None, None) => FieldName::Missing,
                }
            }
            [first, second] => match self.model.field(&first.value.text, &second.value.text) {
                Some((dataset, field)) => FieldName::Field(dataset, field),
                None => FieldName::Missing,
            },
            _ => FieldName::Missing,
        })
    }

    /// The value of a field in a row of its own dataset.
    pub(super) fn field(&self, dataset: usize, field: usize, row: usize) -> Result<Value, Stop> {
        let cell = (dataset, field, row);
        if let Some(known) = self.cells.borrow().get(&cell) {
            return known.clone();
        }
        let value = match &self.model.datasets[dataset].fields[field].expr {
            Ok(expr) => expr::evaluate(expr, &FieldRow { world: self, dataset, row }),
            Err(stop) => Err(stop.clone()),
        };
        self.cells.borrow_mut().insert(cell, value.clone());
        value
    }

    /// A field that is a window is a property of its dataset's rows: computed on all of them.
    fn window(&self, dataset: usize, call: &Call, row: usize) -> Result<Value, Stop> {
        let window: Window = std::ptr::from_ref(call) as usize;
        if !self.windows.borrow().contains_key(&window) {
            let rows: Vec<FieldRow<'_, '_>> =
                (0..self.count(dataset)?).map(|row| FieldRow { world: self, dataset, row }).collect();
            let rows: Vec<&dyn Row> = rows.iter().map(|row| row as &dyn Row).collect();
            let values = expr::window(call, &rows);
            self.windows.borrow_mut().insert(window, values);
        }
        match self.windows.borrow().get(&window) {
            Some(Ok(values)) => Ok(values[row].clone()),
            Some(Err(stop)) => Err(stop.clone()),
            None => Err(Stop::Unknown("a window that was not computed".into())),
        }
    }

    /// Whether a field is a plain column, or a field that is one, of a floating type.
    pub(super) fn is_float(&self, dataset: usize, field: usize) -> bool {
        let Ok(expr) = &self.model.datasets[dataset].fields[field].expr else { return false };
        let ExprKind::Name(parts) = &*expr.kind else { return false };
        match self.name_in_field(dataset, parts) {
            Ok(FieldName::Column(column)) => {
                self.table(dataset).is_ok_and(|table| table.columns[column].column_type == ColumnType::Double)
            }
            Ok(FieldName::Field(other, number)) if (other, number) != (dataset, field) => {
                self.is_float(other, number)
            }
            _ => false,
        }
    }

    /// Whether a field's whole numbers are decimals: it is a decimal column, or made of one.
    pub(super) fn is_wide(&self, dataset: usize, field: usize) -> bool {
        self.columns_of(dataset, field)
            .iter()
            .any(|column_type| matches!(column_type, ColumnType::Decimal { .. } | ColumnType::Double))
    }

    /// Whether a field is a plain column of 32 bits, whose sum is an Int64.
    pub(super) fn is_narrow(&self, dataset: usize, field: usize) -> bool {
        let is_name = |expr: &Expr| matches!(&*expr.kind, ExprKind::Name(_));
        self.model.datasets[dataset].fields[field].expr.as_ref().is_ok_and(is_name)
            && self.columns_of(dataset, field) == [ColumnType::Int32]
    }

    /// The types of the columns that a field is made of.
    fn columns_of(&self, dataset: usize, field: usize) -> Vec<ColumnType> {
        let Ok(expr) = &self.model.datasets[dataset].fields[field].expr else { return Vec::new() };
        let mut found = Vec::new();
        for parts in names_of(expr) {
            match self.name_in_field(dataset, &parts) {
                Ok(FieldName::Column(column)) => {
                    found.extend(self.table(dataset).map(|table| table.columns[column].column_type));
                }
                Ok(FieldName::Field(other, number)) => found.extend(self.columns_of(other, number)),
                _ => {}
            }
        }
        found
    }
}

/// A row of a dataset, as the dataset's own fields see it.
struct FieldRow<'w, 'c> {
    world: &'w World<'c>,
    dataset: usize,
    row: usize,
}

impl Row for FieldRow<'_, '_> {
    fn name(&self, parts: &[Spanned<Ident>]) -> Result<Value, Stop> {
        let world = self.world;
        match world.name_in_field(self.dataset, parts)? {
            FieldName::Column(column) => Ok(world.table(self.dataset)?.rows[self.row][column].clone()),
            FieldName::Field(dataset, field) if dataset == self.dataset => {
                world.field(dataset, field, self.row)
            }
            FieldName::Field(dataset, field) => match world.way(self.dataset, dataset)? {
                Way::Near(steps) => match world.follow(self.row, &steps)? {
                    Some(row) => world.field(dataset, field, row),
                    // A missing row's field is NULL, whatever its expression.
                    None => Ok(Value::Null),
                },
                Way::Far { .. } => Err(Stop::Refused(vec![
                    "E_UNAGGREGATED_FINER_GRAIN_REFERENCE",
                    "E3012_MN_NO_SAFE_REWRITE",
                ])),
            },
            FieldName::Metric => Err(Stop::Refused(vec!["E_AGGREGATE_IN_FIELD"])),
            FieldName::Missing => Err(Stop::Refused(vec!["E_NAME_NOT_FOUND"])),
        }
    }

    fn wide(&self, parts: &[Spanned<Ident>]) -> bool {
        match self.world.name_in_field(self.dataset, parts) {
            Ok(FieldName::Column(column)) => self
                .world
                .table(self.dataset)
                .is_ok_and(|table| matches!(table.columns[column].column_type, ColumnType::Decimal { .. })),
            Ok(FieldName::Field(dataset, field)) => self.world.is_wide(dataset, field),
            _ => false,
        }
    }

    fn call(&self, call: &Call) -> Option<Result<Value, Stop>> {
        call.over.is_some().then(|| self.world.window(self.dataset, call, self.row))
    }
}
