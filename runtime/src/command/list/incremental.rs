//! How a metric can be kept current under changes (docs/semantics.md, real time): the weakest class of its aggregates.

use unisono_compiler::expr::Aggregate;
use unisono_compiler::function::AggregateFunction;
use unisono_compiler::query::{Bound, Shape};
use unisono_compiler::resolve::Reference;

/// The classes, best first.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) enum Incremental {
    /// From its state, under inserts and deletes.
    SelfMaintainable,
    /// From its state under inserts; a deletion recomputes the group.
    InsertOnly,
    /// The affected groups are computed again.
    Recompute,
}

impl Incremental {
    /// The class's word in output.
    pub(super) fn as_str(self) -> &'static str {
        match self {
            Incremental::SelfMaintainable => "self-maintainable",
            Incremental::InsertOnly => "insert-only",
            Incremental::Recompute => "recompute",
        }
    }
}

/// The weakest class of a request's aggregates; windows recompute.
pub(super) fn class_of(bound: &Bound) -> Incremental {
    match &bound.shape {
        Shape::Aggregation(aggregation) => {
            let windows = aggregation.measures.iter().any(|measure| measure.expr.has_window());
            let aggregates = aggregation.aggregates.iter().map(|bound| class_of_aggregate(&bound.aggregate));
            let worst = aggregates.max().unwrap_or(Incremental::SelfMaintainable);
            if windows { Incremental::Recompute } else { worst }
        }
        Shape::Scalar(_) => Incremental::Recompute,
    }
}

fn class_of_aggregate(aggregate: &Aggregate<Reference>) -> Incremental {
    let floats = aggregate.arguments.iter().any(|argument| argument.data_type.is_float());
    if aggregate.distinct {
        return Incremental::Recompute;
    }
    match aggregate.function {
        AggregateFunction::Sum if floats => Incremental::InsertOnly,
        AggregateFunction::CountRows | AggregateFunction::Count | AggregateFunction::Sum => {
            Incremental::SelfMaintainable
        }
        // The statistics are sums of squares of floats.
        AggregateFunction::Min
        | AggregateFunction::Max
        | AggregateFunction::StddevSamp
        | AggregateFunction::StddevPop
        | AggregateFunction::VarSamp
        | AggregateFunction::VarPop
        | AggregateFunction::Corr
        | AggregateFunction::CovarPop
        | AggregateFunction::CovarSamp => Incremental::InsertOnly,
        AggregateFunction::Median
        | AggregateFunction::PercentileCont
        | AggregateFunction::PercentileDisc
        | AggregateFunction::MinBy
        | AggregateFunction::MaxBy
        | AggregateFunction::ListAgg => Incremental::Recompute,
    }
}
