//! A request's plan in metric words: scan, enrich, filter, aggregate, pick, stitch, compute, window, order.
//! In: a bound request. Out: a tree of nodes over slots, with no SQL in it; `relate` turns it into SQL words.

mod build;
mod print;
mod reads;

pub use build::plan;
pub use print::print_plan;
pub(crate) use reads::slots_of;

use crate::data_type::{DataType, Exactness};
use crate::expr::{Aggregate, Expr};
use crate::ids::{Arena, ColumnId, DatasetId, NodeId, RelationshipId, SlotId};

/// A plan: nodes refer to earlier nodes only; the root is the last thing done before the output is named.
#[derive(Clone, PartialEq, Debug)]
pub struct Plan {
    /// All nodes, inputs before users.
    pub nodes: Arena<NodeId, Node>,
    /// All values, each made by exactly one node.
    pub slots: Arena<SlotId, Slot>,
    /// The node whose rows are the answer.
    pub root: NodeId,
    /// The answer's columns in the order of the request.
    pub output: Vec<Output>,
    /// The answer's order; empty if the request has none.
    pub order_by: Vec<SortKey>,
    /// At most so many rows.
    pub limit: Option<u64>,
}

/// A value with a name for people and its type.
#[derive(Clone, PartialEq, Debug)]
pub struct Slot {
    /// A readable name, not unique.
    pub name: String,
    /// Its type.
    pub data_type: DataType,
    /// Its class.
    pub exactness: Exactness,
}

/// A column of the answer.
#[derive(Clone, PartialEq, Debug)]
pub struct Output {
    /// Unique in the answer.
    pub name: String,
    /// Its value.
    pub slot: SlotId,
}

/// One key of the answer's order.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct SortKey {
    /// What is ordered by.
    pub slot: SlotId,
    /// Greatest first.
    pub descending: bool,
    /// NULLs before all values.
    pub nulls_first: bool,
}

/// An expression over slots.
pub type SlotExpr = Expr<SlotId>;

/// One step. A node's rows carry the slots of its input and those that it adds, unless its description says otherwise.
#[derive(Clone, PartialEq, Debug)]
pub enum Node {
    /// The rows of a dataset's source.
    Scan {
        /// Which dataset; two roles of one table are two datasets.
        dataset: DatasetId,
        /// The physical columns that anything needs, in the order of the dataset's columns.
        columns: Vec<(ColumnId, SlotId)>,
    },
    /// Adds computed values row by row; windows see all rows of the input.
    Compute {
        /// Its rows.
        input: NodeId,
        /// The values added.
        values: Vec<(SlotId, SlotExpr)>,
    },
    /// Keeps the rows where every predicate is TRUE.
    Filter {
        /// Its rows.
        input: NodeId,
        /// At least one.
        predicates: Vec<SlotExpr>,
    },
    /// LEFT join with plain equality to at most one row: nothing dropped, nothing doubled. Carries both sides' slots.
    Enrich {
        /// The near side.
        input: NodeId,
        /// The far side, one row a key.
        far: NodeId,
        /// The relationship walked.
        relationship: RelationshipId,
        /// Pairs (near, far), all equal.
        on: Vec<(SlotId, SlotId)>,
    },
    /// LEFT join with plain equality to a far side, of which one row can have many. Carries both sides' slots.
    Fan {
        /// The near side.
        input: NodeId,
        /// The far side.
        far: NodeId,
        /// Pairs (near, far), all equal.
        on: Vec<(SlotId, SlotId)>,
    },
    /// One row per distinct tuple of keys; no keys: exactly one row. Carries the keys and the measures only.
    Aggregate {
        /// Its rows.
        input: NodeId,
        /// The grouping slots, possibly none.
        keys: Vec<SlotId>,
        /// Arguments of the aggregates are plain slots of the input or literals.
        measures: Vec<(SlotId, Aggregate<SlotId>)>,
    },
    /// For each group of `keys`, values of the row with the least or greatest `by` (docs/semantics.md, MIN_BY and MAX_BY).
    /// Carries the keys and the picked values only; a group whose `by` are all NULL has no row.
    Pick {
        /// Its rows.
        input: NodeId,
        /// The grouping slots.
        keys: Vec<SlotId>,
        /// The value of the winning row.
        value: SlotId,
        /// What decides; NULLs never win.
        by: SlotId,
        /// Greatest wins (MAX_BY).
        greatest: bool,
        /// The slot of the answer.
        result: SlotId,
    },
    /// The distinct tuples of some slots. Carries those only.
    Distinct {
        /// Its rows.
        input: NodeId,
        /// Which slots.
        keys: Vec<SlotId>,
    },
    /// FULL OUTER join of branches that each have one row a key, NULL-safe; no keys: cross join of one-row branches.
    /// Carries the merged keys and all the branches' other slots, NULL where a branch has no row.
    Stitch {
        /// Two or more, in the order of the request.
        branches: Vec<NodeId>,
        /// Each merged key with its slot in every branch, in the branches' order.
        keys: Vec<(SlotId, Vec<SlotId>)>,
    },
    /// LEFT join, NULL-safe on keys, to a branch that has at most one row a key (picked values). Carries both sides' slots.
    Attach {
        /// The side that decides the rows.
        input: NodeId,
        /// The side whose values are added.
        branch: NodeId,
        /// Pairs (input, branch).
        on: Vec<(SlotId, SlotId)>,
    },
}
