//! Typed ids and the arenas they index: after `resolve`, no stage looks a thing up by its name.

use std::fmt;
use std::marker::PhantomData;
use std::ops::{Index, IndexMut};

/// An id that indexes one [`Arena`].
pub trait Id: Copy {
    /// From a position.
    fn from_index(index: usize) -> Self;
    /// To a position.
    fn index(self) -> usize;
}

macro_rules! ids {
    ($($(#[doc = $doc:literal])* $name:ident $letter:literal;)*) => {$(
        $(#[doc = $doc])*
        #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub struct $name(u32);

        impl Id for $name {
            fn from_index(index: usize) -> Self {
                // More than 2^32 objects cannot be read: a document is at most 16 MiB.
                $name(u32::try_from(index).unwrap_or(u32::MAX))
            }
            fn index(self) -> usize {
                self.0 as usize
            }
        }

        impl fmt::Debug for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                write!(f, concat!($letter, "{}"), self.0)
            }
        }
    )*};
}

ids! {
    /// A dataset of the model.
    DatasetId "d";
    /// A field of a dataset.
    FieldId "f";
    /// A physical column of a dataset's source.
    ColumnId "c";
    /// A relationship of the model.
    RelationshipId "r";
    /// A metric of the model.
    MetricId "m";
    /// A node of a plan.
    NodeId "n";
    /// A value that a plan node produces; unique in the plan.
    SlotId "s";
}

/// A growing list addressed by a typed id.
#[derive(Clone, PartialEq, Debug)]
pub struct Arena<I, T> {
    items: Vec<T>,
    id: PhantomData<I>,
}

impl<I: Id, T> Arena<I, T> {
    /// Adds an item and returns its id.
    pub fn push(&mut self, item: T) -> I {
        self.items.push(item);
        I::from_index(self.items.len() - 1)
    }

    /// All ids in order.
    pub fn ids(&self) -> impl Iterator<Item = I> + use<I, T> {
        (0..self.items.len()).map(I::from_index)
    }

    /// All items in order with their ids.
    pub fn iter(&self) -> impl Iterator<Item = (I, &T)> {
        self.items.iter().enumerate().map(|(index, item)| (I::from_index(index), item))
    }

    /// The item of an id, if this arena gave it out.
    pub fn get(&self, id: I) -> Option<&T> {
        self.items.get(id.index())
    }

    /// Number of items.
    pub fn len(&self) -> usize {
        self.items.len()
    }

    /// No items.
    pub fn is_empty(&self) -> bool {
        self.items.is_empty()
    }
}

impl<I, T> Default for Arena<I, T> {
    fn default() -> Self {
        Arena { items: Vec::new(), id: PhantomData }
    }
}

impl<I: Id, T> FromIterator<T> for Arena<I, T> {
    fn from_iter<A: IntoIterator<Item = T>>(items: A) -> Self {
        Arena { items: items.into_iter().collect(), id: PhantomData }
    }
}

impl<I: Id, T> Index<I> for Arena<I, T> {
    type Output = T;
    fn index(&self, id: I) -> &T {
        &self.items[id.index()]
    }
}

impl<I: Id, T> IndexMut<I> for Arena<I, T> {
    fn index_mut(&mut self, id: I) -> &mut T {
        &mut self.items[id.index()]
    }
}
