//! The kinds of structure. In: a builder. Out: the builder with two to six datasets that meet in one way or another.

use super::super::Feature;
use super::super::pools;
use super::super::shape::{ColumnShape, Dataset, Role, Shape};
use super::{Builder, Keyed};
use crate::case::ColumnType;

impl Builder<'_> {
    pub(super) fn star(&mut self) {
        let dimensions: Vec<usize> = (0..self.dice.count(1, 3)).map(|_| self.branch(30)).collect();
        let fact = self.fact();
        for dimension in dimensions {
            self.link(fact, dimension);
        }
    }

    pub(super) fn two_facts(&mut self) {
        let shared: Vec<usize> = (0..self.dice.count(1, 2)).map(|_| self.branch(25)).collect();
        let own = if self.dice.chance(30) { Some(self.dimension()) } else { None };
        let facts = [self.fact(), self.fact()];
        for fact in facts {
            for dimension in &shared {
                if self.dice.chance(90) || shared.len() == 1 {
                    self.link(fact, *dimension);
                }
            }
        }
        if let Some(own) = own {
            self.link(facts[0], own);
        }
        if self.dice.chance(30) && self.count() < 6 {
            let lines = self.fact();
            self.link(lines, facts[1]);
        }
    }

    pub(super) fn bridge(&mut self) {
        self.features.insert(Feature::Bridge);
        let near = if self.dice.chance(40) { Some(self.dimension()) } else { None };
        let home = if self.dice.chance(60) { self.fact() } else { self.dimension() };
        if let Some(near) = near {
            self.link(home, near);
        }
        let far = self.branch(25);
        let link = self.dataset(Role::Link, Keyed::No);
        let mut columns = self.link(link, home);
        columns.extend(self.link(link, far));
        match self.dice.weighted(&[45, 30, 25]) {
            0 => {
                if let Some(dataset) = self.shape.dataset_mut(link) {
                    dataset.primary = columns;
                }
                self.features.insert(Feature::CompositeKey);
            }
            1 => self.keys(link, Keyed::Single),
            _ => {}
        }
        if self.dice.chance(35) && self.count() < 6 {
            let lines = self.fact();
            self.link(lines, home);
        }
    }

    pub(super) fn chain(&mut self) {
        let top = self.branch(25);
        let middle = if self.dice.chance(70) { self.fact() } else { self.dimension() };
        self.link(middle, top);
        let bottom = self.fact();
        self.link(bottom, middle);
        if self.dice.chance(35) {
            let side = self.dimension();
            let from = if self.dice.chance(50) { bottom } else { middle };
            self.link(from, side);
        }
        if self.dice.chance(30) && self.count() < 6 {
            let other = self.fact();
            self.link(other, middle);
        }
    }

    pub(super) fn edge(&mut self) {
        self.features.insert(Feature::NToN);
        let left = self.fact();
        let right = self.fact();
        let column_type = if self.dice.chance(50) { ColumnType::Text } else { ColumnType::Int32 };
        let pool = pools::keys(column_type, 4);
        let nulls = 12;
        let column = ColumnShape { name: "grp".to_string(), column_type, pool, nulls, key: true };
        let to = self.column(right, column.clone());
        let from = self.column(left, column);
        self.relate(left, right, vec![(from, to)]);
        if self.dice.chance(50) {
            let near = self.dimension();
            self.link(left, near);
        }
    }

    pub(super) fn one_to_one(&mut self) {
        self.features.insert(Feature::OneToOne);
        let left = self.branch(30);
        let right = self.dataset(Role::Dimension, Keyed::No);
        let columns = self.link(right, left);
        if let Some(dataset) = self.shape.dataset_mut(right) {
            if self.dice.chance(60) {
                dataset.primary = columns;
            } else {
                dataset.unique.push(columns);
            }
        }
        if self.dice.chance(70) {
            let fact = self.fact();
            let to = if self.dice.chance(70) { left } else { right };
            self.link(fact, to);
        }
    }

    pub(super) fn with_itself(&mut self) {
        self.features.insert(Feature::SelfRelationship);
        let above = self.branch(25);
        let staff = self.dataset(Role::Dimension, Keyed::Single);
        self.link(staff, above);
        self.link(staff, staff);
        if self.dice.chance(60) {
            let fact = self.fact();
            self.link(fact, staff);
        }
    }

    pub(super) fn roles(&mut self) {
        self.features.insert(Feature::RoleCopies);
        let first = self.dataset(Role::Dimension, Keyed::Single);
        let id = self.count();
        if let Some(dataset) = self.shape.dataset(first).cloned() {
            self.shape.datasets.push(Dataset { id, name: "second_role".to_string(), ..dataset });
        }
        let fact = self.fact();
        self.link(fact, first);
        self.link(fact, id);
    }

    pub(super) fn diamond(&mut self) {
        self.features.insert(Feature::Diamond);
        let top = self.dimension();
        let sides = [self.dimension(), self.dimension()];
        let fact = self.fact();
        for side in sides {
            self.link(side, top);
            self.link(fact, side);
        }
    }

    /// What most requests do not ask for: an empty dimension, a dataset that nothing meets.
    pub(super) fn spare_parts(&mut self) {
        if self.dice.chance(62) && self.count() < 6 {
            let from = self.dice.below(self.count());
            let spare = self.dataset(Role::Dimension, Keyed::Single);
            self.wanted[spare_table(&self.shape, spare)] = 0;
            self.link(from, spare);
        }
        if self.dice.chance(12) && self.count() < 6 {
            self.features.insert(Feature::Unconnected);
            self.fact();
        }
    }
}

fn spare_table(shape: &Shape, dataset: usize) -> usize {
    shape.dataset(dataset).map_or(0, |dataset| dataset.table)
}
