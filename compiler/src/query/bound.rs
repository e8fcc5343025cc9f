//! A request whose every name is an id and whose every expression is typed: what `plan` works on.
//! In: made by `bind`. Out: dimensions, aggregates with their homes, predicates routed to each home.

use crate::data_type::{DataType, Exactness};
use crate::expr::{Aggregate, Expr, ExprKind, Literal, OrderKey};
use crate::ids::{DatasetId, RelationshipId};
use crate::resolve::{ModelExpr, Reference};

/// The caller's clock and zone, bound once a request.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Moment {
    /// `YYYY-MM-DD HH:MM:SS.ffffff`, UTC.
    pub now: String,
    /// The zone of the request if it names none; `UTC` by default.
    pub zone: String,
}

/// A bound request.
#[derive(Clone, PartialEq, Debug)]
pub struct Bound {
    /// What is asked for.
    pub shape: Shape,
    /// The zone in which instants are truncated and taken apart.
    pub zone: String,
    /// What CURRENT_DATE and CURRENT_TIMESTAMP mean in fields of the model, as `Moment::now`.
    pub now: String,
}

impl Bound {
    /// How many of the answer's columns, the first ones, are dimensions.
    pub fn dimensions(&self) -> usize {
        match &self.shape {
            Shape::Aggregation(request) => request.dimensions.len(),
            Shape::Scalar(_) => 0,
        }
    }

    /// Whether the answer moves with the caller's clock.
    pub fn reads_clock(&self) -> bool {
        let weakest = match &self.shape {
            Shape::Aggregation(request) => {
                let dimensions = request.dimensions.iter().map(|dimension| dimension.exactness);
                let predicates = request.branches.iter().flat_map(|branch| &branch.predicates);
                dimensions
                    .chain(predicates.map(|expr| expr.exactness))
                    .chain(request.aggregates.iter().map(|aggregate| aggregate.exactness))
                    .chain(request.measures.iter().map(|measure| measure.expr.exactness))
                    .chain(request.having.iter().map(|expr| expr.exactness))
                    .chain(request.order_by.iter().map(|key| key.expr.exactness))
                    .max()
            }
            Shape::Scalar(request) => request
                .fields
                .iter()
                .map(|(_, expr)| expr)
                .chain(&request.predicates)
                .chain(request.order_by.iter().map(|key| &key.expr))
                .map(|expr| expr.exactness)
                .max(),
        };
        weakest == Some(Exactness::Nondeterministic)
    }
}

/// The caller's moment (`Moment::now`) as the literal that CURRENT_DATE or CURRENT_TIMESTAMP stands for.
pub(crate) fn now_literal<R, S>(now: &str, leaf: &Expr<R>) -> Expr<S> {
    let literal = match leaf.data_type {
        DataType::Date => Literal::Date(now.chars().take(10).collect()),
        _ => Literal::Timestamp(now.to_string()),
    };
    Expr::new(ExprKind::Literal(literal), leaf.data_type, leaf.exactness)
}

/// The two shapes of a request.
#[derive(Clone, PartialEq, Debug)]
pub enum Shape {
    /// One row per distinct tuple of dimensions.
    Aggregation(Aggregation),
    /// One row per row of the home dataset.
    Scalar(Scalar),
}

/// An aggregation request. Branches are aggregated apart and stitched; their dimensions correspond by position.
#[derive(Clone, PartialEq, Debug)]
pub struct Aggregation {
    /// Names of the dimensions in the order of the request.
    pub dimensions: Vec<Dimension>,
    /// One a home (and time field, where `metric_time` is used); at least one.
    pub branches: Vec<Branch>,
    /// All aggregates that measures, `having` and `order_by` need, without repeats.
    pub aggregates: Vec<BoundAggregate>,
    /// What the request asks for, over dimensions and aggregates.
    pub measures: Vec<Measure>,
    /// Predicates on groups, all of which must be TRUE; windows in them see all groups.
    pub having: Vec<GroupExpr>,
    /// The order.
    pub order_by: Vec<OrderKey<GroupRef>>,
    /// At most so many rows.
    pub limit: Option<u64>,
}

/// A dimension of the answer.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Dimension {
    /// The column's name in the answer.
    pub name: String,
    /// The type, the same in every branch.
    pub data_type: DataType,
    /// The class.
    pub exactness: Exactness,
}

/// Home rows with what is grouped and filtered on them.
#[derive(Clone, PartialEq, Debug)]
pub struct Branch {
    /// The dataset whose rows are counted.
    pub home: DatasetId,
    /// One expression a dimension, over fields that the home reaches.
    pub dimensions: Vec<ModelExpr>,
    /// Row predicates over fields that the home reaches.
    pub predicates: Vec<ModelExpr>,
    /// Where dimensions and predicates lie that have many rows for one home row.
    pub sides: Vec<Side>,
    /// Positions in `Aggregation::aggregates`; none in a request without measures.
    pub aggregates: Vec<usize>,
}

/// A far side of a home: rows of which many can belong to one home row. All its datasets speak of the same row.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Side {
    /// How a far row belongs to a home row.
    pub link: Link,
    /// The datasets that dimensions and predicates touch on this side.
    pub datasets: Vec<DatasetId>,
}

/// How far rows belong to home rows.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Link {
    /// This dataset reaches the home and every dataset of the side: the finer dataset itself, or a bridge.
    Through(DatasetId),
    /// An N:N edge to the side's only dataset.
    Edge(RelationshipId),
}

/// An aggregate over home rows.
#[derive(Clone, PartialEq, Debug)]
pub struct BoundAggregate {
    /// A readable name, not unique.
    pub name: String,
    /// The aggregate over fields.
    pub aggregate: Aggregate<Reference>,
    /// Its type.
    pub data_type: DataType,
    /// Its class.
    pub exactness: Exactness,
}

/// A measure of the answer.
#[derive(Clone, PartialEq, Debug)]
pub struct Measure {
    /// The column's name in the answer.
    pub name: String,
    /// Over dimensions and aggregates; may hold windows.
    pub expr: GroupExpr,
}

/// What an expression over groups refers to.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum GroupRef {
    /// A dimension by position.
    Dimension(usize),
    /// An aggregate by position.
    Aggregate(usize),
}

/// An expression over groups.
pub type GroupExpr = Expr<GroupRef>;

/// A scalar request.
#[derive(Clone, PartialEq, Debug)]
pub struct Scalar {
    /// The dataset whose rows are listed.
    pub home: DatasetId,
    /// Columns of the answer: name and expression over fields that the home reaches; may hold windows.
    pub fields: Vec<(String, ModelExpr)>,
    /// Row predicates.
    pub predicates: Vec<ModelExpr>,
    /// The order.
    pub order_by: Vec<OrderKey<Reference>>,
    /// At most so many rows.
    pub limit: Option<u64>,
}
