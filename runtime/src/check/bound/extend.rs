//! The request that the batch side answers: its own measures and, beside them, what their bounds need.
//! In: a bound request. Out: the same with measures whose names start with `__`, and what each is for.
//!
//! Only measures are added, and only over branches that decide groups already: the groups, their order and their number
//! stay those of the request.

use std::collections::BTreeMap;

use unisono_compiler::data_type::{DataType, Exactness};
use unisono_compiler::expr::{Aggregate, Expr, ExprKind};
use unisono_compiler::function::AggregateFunction;
use unisono_compiler::query::{Aggregation, Bound, BoundAggregate, GroupExpr, GroupRef, Measure, Shape};
use unisono_compiler::resolve::{ModelExpr, Resolved};

use super::row::{as_float, row_error, square};
use super::{Companion, Companions, Role, aggregates_of};

/// The request with its companions. A request that lists rows has none.
pub fn companions(resolved: &Resolved, bound: &Bound) -> Companions {
    let request = match &bound.shape {
        Shape::Aggregation(request) => request,
        Shape::Scalar(_) => {
            return Companions {
                bound: bound.clone(),
                added: Vec::new(),
                ulps: BTreeMap::new(),
                every_group: false,
            };
        }
    };
    let mut extended = Extended {
        resolved,
        asked: request,
        request: request.clone(),
        added: Vec::new(),
        ulps: BTreeMap::new(),
    };
    extended.count_home_rows();
    for measure in request.measures.iter().filter(|measure| measure.expr.exactness != Exactness::Exact) {
        extended.walk(&measure.expr);
    }
    Companions {
        bound: Bound {
            shape: Shape::Aggregation(extended.request),
            zone: bound.zone.clone(),
            now: bound.now.clone(),
        },
        added: extended.added,
        ulps: extended.ulps,
        every_group: request.having.is_empty() && request.limit.is_none(),
    }
}

struct Extended<'a> {
    resolved: &'a Resolved,
    asked: &'a Aggregation,
    request: Aggregation,
    added: Vec<Companion>,
    ulps: BTreeMap<usize, Option<f64>>,
}

impl Extended<'_> {
    /// A branch that only `having` or `order_by` looks at must not begin to decide groups.
    fn count_home_rows(&mut self) {
        let selected: Vec<usize> =
            self.asked.measures.iter().flat_map(|measure| aggregates_of(&measure.expr)).collect();
        for (at, branch) in self.asked.branches.iter().enumerate() {
            let decides = branch.aggregates.is_empty()
                || self.asked.dimensions.is_empty()
                || branch.aggregates.iter().any(|index| selected.contains(index));
            if decides {
                let rows = self.aggregate(at, AggregateFunction::CountRows, None);
                self.measure(format!("__home_rows_{at}"), Role::HomeRows(at), rows);
            }
        }
    }

    /// Adds what the bound of an expression needs: parts that are the same everywhere as they stand, aggregates apart.
    fn walk(&mut self, expr: &GroupExpr) {
        if expr.exactness == Exactness::Exact {
            if !matches!(*expr.kind, ExprKind::Literal(_)) {
                self.add(Role::Same(expr.clone()), expr.clone());
            }
            return;
        }
        match &*expr.kind {
            ExprKind::Reference(GroupRef::Aggregate(index)) => self.of_aggregate(*index, expr),
            // A window over rounded values has no bound.
            ExprKind::Window(_) => {}
            ExprKind::Reference(GroupRef::Dimension(_))
            | ExprKind::Literal(_)
            | ExprKind::Call { .. }
            | ExprKind::Case { .. }
            | ExprKind::InList { .. }
            | ExprKind::Cast { .. }
            | ExprKind::Aggregate(_) => {
                for child in expr.children() {
                    self.walk(child);
                }
            }
        }
    }

    fn of_aggregate(&mut self, index: usize, leaf: &GroupExpr) {
        let value = Role::Value(index);
        if self.added.iter().any(|added| added.role == value) {
            return;
        }
        let Some(home) = self.asked.branches.iter().position(|branch| branch.aggregates.contains(&index))
        else {
            return;
        };
        let Some(aggregate) = self.asked.aggregates.get(index).map(|bound| bound.aggregate.clone()) else {
            return;
        };
        self.add(value, leaf.clone());
        let Some(argument) = aggregate.arguments.first() else { return };
        let error = row_error(argument, self.resolved);
        self.ulps.insert(index, error.as_ref().map(|error| error.ulps));
        let Some(error) = error else { return };
        let magnitude = error.magnitude_of(argument);
        let sum = AggregateFunction::Sum;
        let count = (Role::Count(index), AggregateFunction::Count, argument.clone());
        let largest = (Role::Largest(index), AggregateFunction::Max, magnitude.clone());
        let needed = match aggregate.function {
            AggregateFunction::Sum => vec![count, (Role::Magnitude(index), sum, magnitude)],
            AggregateFunction::StddevSamp
            | AggregateFunction::StddevPop
            | AggregateFunction::VarSamp
            | AggregateFunction::VarPop => vec![count, (Role::Squares(index), sum, square(&magnitude))],
            AggregateFunction::Median | AggregateFunction::PercentileCont => vec![
                count,
                largest,
                (Role::Least(index), AggregateFunction::Min, as_float(argument)),
                (Role::Greatest(index), AggregateFunction::Max, as_float(argument)),
            ],
            AggregateFunction::Min
            | AggregateFunction::Max
            | AggregateFunction::PercentileDisc
            | AggregateFunction::MinBy
            | AggregateFunction::MaxBy => vec![count, largest],
            AggregateFunction::CountRows
            | AggregateFunction::Count
            | AggregateFunction::ListAgg
            | AggregateFunction::Corr
            | AggregateFunction::CovarPop
            | AggregateFunction::CovarSamp => Vec::new(),
        };
        for (role, function, argument) in needed {
            let expr = self.aggregate(home, function, Some(argument));
            self.add(role, expr);
        }
    }

    /// An aggregate of a branch; one that the request has already is used again.
    fn aggregate(
        &mut self,
        branch: usize,
        function: AggregateFunction,
        argument: Option<ModelExpr>,
    ) -> GroupExpr {
        let (data_type, exactness) = match function {
            AggregateFunction::Count | AggregateFunction::CountRows => (DataType::Int64, Exactness::Exact),
            _ => (DataType::Float64, Exactness::Rounding),
        };
        let aggregate = Aggregate {
            function,
            arguments: argument.into_iter().collect(),
            distinct: false,
            order_by: Vec::new(),
        };
        let members = self.request.branches.get(branch).map(|branch| branch.aggregates.clone());
        let known = members.unwrap_or_default().into_iter().find(|index| {
            let known = self.request.aggregates.get(*index);
            known.is_some_and(|known| known.aggregate == aggregate && known.data_type == data_type)
        });
        let index = known.unwrap_or_else(|| {
            let name = format!("__{}", function.name().to_lowercase());
            self.request.aggregates.push(BoundAggregate { name, aggregate, data_type, exactness });
            let index = self.request.aggregates.len() - 1;
            if let Some(branch) = self.request.branches.get_mut(branch) {
                branch.aggregates.push(index);
            }
            index
        });
        Expr::reference(GroupRef::Aggregate(index), data_type, exactness)
    }

    fn add(&mut self, role: Role, expr: GroupExpr) {
        if !self.added.iter().any(|added| added.role == role) {
            self.measure(format!("__bound_{}", self.added.len()), role, expr);
        }
    }

    fn measure(&mut self, column: String, role: Role, expr: GroupExpr) {
        self.request.measures.push(Measure { name: column.clone(), expr });
        self.added.push(Companion { column, role });
    }
}
