//! Faults that a planner could have, each as a change of what our planner made. In: a plan or a relation. Out: the same with the fault, and
//! whether it had a place there.

use unisono_compiler::data_type::{DataType, Exactness};
use unisono_compiler::expr::{Expr, ExprKind, FrameBound, Literal};
use unisono_compiler::function::{AggregateFunction as Agg, Function, Scalar, Unit, WindowFunction};
use unisono_compiler::ids::{Id, SlotId};
use unisono_compiler::plan::{Node, Plan, SlotExpr};
use unisono_compiler::relation::{Grouping, JoinKind, Relation};

use super::tree::{aggregates, exprs, joins, nodes, rebuild, selects, windows};

/// Where a fault sits.
#[derive(Clone, Copy)]
pub(super) enum Place {
    /// In the plan.
    Plan(fn(&mut Plan) -> bool),
    /// In what `relate` made of it.
    Relation(fn(&mut Relation) -> bool),
}

use Place::{Plan as P, Relation as R};

/// Every fault by its name.
pub(super) const FAULTS: [(&str, Place); 42] = [
    ("an enrichment drops rows without a partner", P(enrich_inner)),
    ("a fan drops rows without a partner", P(fan_inner)),
    ("an enrichment by a part of a composite key", P(enrich_by_half)),
    ("an enrichment that lets NULL meet NULL", R(null_safe_enrichment)),
    ("a field computed on missing rows", P(late_field)),
    ("a stitch that keeps NULL groups apart", R(stitch_unsafe)),
    ("a stitch that keeps the first branch's groups only", R(stitch_left)),
    ("a stitched key from the first branch only", R(stitch_first_key)),
    ("picked values that miss the NULL group", R(attach_unsafe)),
    ("a missing count that stays NULL", P(count_stays_null)),
    ("a lost distinct", P(lost_distinct)),
    ("a distinct by too little", P(short_distinct)),
    ("a lost filter", P(lost_filter)),
    ("a filter on one branch only", P(one_branch_filter)),
    ("a filter that keeps what is unknown", P(unknown_kept)),
    ("a COUNT DISTINCT that counts all", P(count_all)),
    ("a COUNT that counts NULLs", P(count_rows)),
    ("a SUM over distinct values", P(sum_distinct)),
    ("MIN and MAX mixed up", P(min_as_max)),
    ("a median that is no mean of two", P(median_disc)),
    ("a sample deviation by n", P(stddev_pop)),
    ("a percentile by the other rule", P(percentile_other)),
    ("the wrong end picked", P(other_end)),
    ("no row for an empty input", R(no_global_row)),
    ("an order that is reversed", P(order_reversed)),
    ("NULLs at the other end", P(nulls_other_end)),
    ("a limit of one more", P(limit_more)),
    ("a lost limit", P(limit_lost)),
    ("a limit without its order", P(order_lost)),
    ("a window over all partitions", P(no_partition)),
    ("a window in the other order", P(window_reversed)),
    ("a window without its frame", P(frame_whole)),
    ("a windowed field after the filter", P(window_late)),
    ("a coarser time grain", P(coarser)),
    ("`<` that includes its bound", P(less_equal)),
    ("AND as OR", P(and_as_or)),
    ("a lost ELSE", P(lost_else)),
    ("IN for NOT IN", P(in_positive)),
    ("COALESCE that takes its first argument", P(coalesce_first)),
    ("a quotient turned over", P(quotient)),
    ("a difference turned over", P(difference)),
    ("a far side's rows that no near row meets", R(left_as_full)),
];

fn call(function: Scalar, arguments: Vec<SlotExpr>) -> SlotExpr {
    Expr::call(function, arguments, DataType::Boolean, Exactness::Exact)
}

fn truth() -> SlotExpr {
    Expr::constant(Literal::Boolean(true), DataType::Boolean)
}

/// Rows whose far key is NULL are filtered away behind the joins that `wanted` says.
fn inner(plan: &mut Plan, wanted: fn(&Node) -> Option<SlotId>) -> bool {
    let mut changed = false;
    let types: Vec<DataType> = plan.slots.iter().map(|(_, slot)| slot.data_type).collect();
    rebuild(plan, &mut |node, fresh| {
        let far = wanted(&node);
        let id = fresh.push(node);
        let Some(far) = far else { return id };
        changed = true;
        let key = Expr::reference(far, types[far.index()], Exactness::Exact);
        fresh.push(Node::Filter { input: id, predicates: vec![call(Scalar::IsNotNull, vec![key])] })
    });
    changed
}

fn enrich_inner(plan: &mut Plan) -> bool {
    inner(plan, |node| match node {
        Node::Enrich { on, .. } => on.first().map(|(_, far)| *far),
        _ => None,
    })
}

fn fan_inner(plan: &mut Plan) -> bool {
    inner(plan, |node| match node {
        Node::Fan { on, .. } => on.first().map(|(_, far)| *far),
        _ => None,
    })
}

fn enrich_by_half(plan: &mut Plan) -> bool {
    nodes(plan, &mut |node| match node {
        Node::Enrich { on, .. } | Node::Fan { on, .. } if on.len() > 1 => on.pop().is_some(),
        _ => false,
    })
}

fn null_safe_enrichment(relation: &mut Relation) -> bool {
    joins(relation, &mut |join| {
        let hit = join.kind == JoinKind::Left && !join.null_safe;
        join.null_safe |= hit;
        hit
    })
}

/// Values of the far side are computed behind the join instead of before it.
fn late_field(plan: &mut Plan) -> bool {
    let mut changed = false;
    rebuild(plan, &mut |node, fresh| match node {
        Node::Enrich { input, far, relationship, on } => match fresh[far].clone() {
            Node::Compute { input: below, values }
                if on.iter().all(|(_, key)| values.iter().all(|(slot, _)| slot != key)) =>
            {
                changed = true;
                let joined = fresh.push(Node::Enrich { input, far: below, relationship, on });
                fresh.push(Node::Compute { input: joined, values })
            }
            _ => fresh.push(Node::Enrich { input, far, relationship, on }),
        },
        other => fresh.push(other),
    });
    changed
}

fn stitch_unsafe(relation: &mut Relation) -> bool {
    joins(relation, &mut |join| {
        let hit = join.kind == JoinKind::Full && join.null_safe;
        join.null_safe &= !hit;
        hit
    })
}

fn stitch_left(relation: &mut Relation) -> bool {
    joins(relation, &mut |join| {
        let hit = join.kind == JoinKind::Full;
        if hit {
            join.kind = JoinKind::Left;
        }
        hit
    })
}

fn left_as_full(relation: &mut Relation) -> bool {
    joins(relation, &mut |join| {
        let hit = join.kind == JoinKind::Left && !join.on.is_empty();
        if hit {
            join.kind = JoinKind::Full;
        }
        hit
    })
}

fn stitch_first_key(relation: &mut Relation) -> bool {
    selects(relation, &mut |select| {
        if !select.joins.iter().any(|join| join.kind == JoinKind::Full) {
            return false;
        }
        let mut changed = false;
        for item in &mut select.items {
            let first = match &*item.expr.kind {
                ExprKind::Call { function: Function::Scalar(Scalar::Coalesce), arguments } => {
                    arguments.first().cloned()
                }
                _ => None,
            };
            if let Some(first) = first {
                item.expr = first;
                changed = true;
            }
        }
        changed
    })
}

fn attach_unsafe(relation: &mut Relation) -> bool {
    joins(relation, &mut |join| {
        let hit = join.kind == JoinKind::Left && join.null_safe;
        join.null_safe &= !hit;
        hit
    })
}

fn is_zero(expr: &SlotExpr) -> bool {
    matches!(&*expr.kind, ExprKind::Literal(Literal::Integer(digits)) if digits == "0")
}

/// The first argument for the whole call, where `wanted` says so.
fn first_argument(plan: &mut Plan, wanted: fn(Scalar, &[SlotExpr]) -> bool) -> bool {
    exprs(plan, &mut |expr| {
        let first = match &*expr.kind {
            ExprKind::Call { function: Function::Scalar(scalar), arguments }
                if wanted(*scalar, arguments) =>
            {
                arguments.first().cloned()
            }
            _ => None,
        };
        let hit = first.is_some();
        if let Some(first) = first {
            *expr = first;
        }
        hit
    })
}

fn count_stays_null(plan: &mut Plan) -> bool {
    first_argument(plan, |scalar, arguments| {
        scalar == Scalar::Coalesce && arguments.last().is_some_and(is_zero)
    })
}

fn coalesce_first(plan: &mut Plan) -> bool {
    first_argument(plan, |scalar, arguments| {
        scalar == Scalar::Coalesce && !arguments.last().is_some_and(is_zero)
    })
}

fn lost_distinct(plan: &mut Plan) -> bool {
    let mut changed = false;
    rebuild(plan, &mut |node, fresh| match node {
        Node::Distinct { input, .. } => {
            changed = true;
            input
        }
        other => fresh.push(other),
    });
    changed
}

fn short_distinct(plan: &mut Plan) -> bool {
    // A key that nobody reads afterwards is there to tell rows apart.
    let mut read: Vec<_> = plan.output.iter().map(|output| output.slot).collect();
    for (_, node) in plan.nodes.iter() {
        read.extend(node.reads().into_iter().flat_map(|(_, slots)| slots));
    }
    let reads = |slot| read.iter().filter(|other| **other == slot).count();
    let idle: Vec<_> = plan.slots.ids().filter(|slot| reads(*slot) <= 1).collect();
    nodes(plan, &mut |node| match node {
        Node::Distinct { keys, .. } if keys.len() > 1 => {
            let before = keys.len();
            if let Some(at) = keys.iter().position(|key| idle.contains(key)) {
                keys.remove(at);
            }
            keys.len() < before
        }
        _ => false,
    })
}

fn lost_filter(plan: &mut Plan) -> bool {
    nodes(plan, &mut |node| match node {
        Node::Filter { predicates, .. } => {
            predicates.pop();
            if predicates.is_empty() {
                predicates.push(truth());
            }
            true
        }
        _ => false,
    })
}

fn one_branch_filter(plan: &mut Plan) -> bool {
    let mut last = Vec::new();
    for (_, node) in plan.nodes.iter() {
        if let Node::Stitch { branches, .. } = node {
            last.extend(branches.last().copied());
        }
    }
    let mut changed = false;
    while let Some(id) = last.pop() {
        let node = &mut plan.nodes[id];
        if let Node::Filter { predicates, .. } = node {
            *predicates = vec![truth()];
            changed = true;
        }
        last.extend(super::tree::inputs(node).into_iter().map(|input| *input));
    }
    changed
}

fn unknown_kept(plan: &mut Plan) -> bool {
    nodes(plan, &mut |node| match node {
        Node::Filter { predicates, .. } => {
            for predicate in predicates {
                *predicate = call(Scalar::Coalesce, vec![predicate.clone(), truth()]);
            }
            true
        }
        _ => false,
    })
}

fn count_all(plan: &mut Plan) -> bool {
    aggregates(plan, &mut |aggregate| {
        let hit = aggregate.distinct && aggregate.function == Agg::Count;
        aggregate.distinct &= !hit;
        hit
    })
}

fn count_rows(plan: &mut Plan) -> bool {
    aggregates(plan, &mut |aggregate| {
        let hit = aggregate.function == Agg::Count && !aggregate.distinct;
        if hit {
            aggregate.function = Agg::CountRows;
            aggregate.arguments.clear();
        }
        hit
    })
}

fn sum_distinct(plan: &mut Plan) -> bool {
    aggregates(plan, &mut |aggregate| {
        let hit = aggregate.function == Agg::Sum && !aggregate.distinct;
        aggregate.distinct |= hit;
        hit
    })
}

/// One aggregate function in another's place.
fn instead(plan: &mut Plan, from: Agg, to: Agg) -> bool {
    aggregates(plan, &mut |aggregate| {
        let hit = aggregate.function == from;
        if hit {
            aggregate.function = to;
        }
        hit
    })
}

fn min_as_max(plan: &mut Plan) -> bool {
    instead(plan, Agg::Min, Agg::Max)
}

fn median_disc(plan: &mut Plan) -> bool {
    aggregates(plan, &mut |aggregate| {
        let hit = aggregate.function == Agg::Median;
        if hit {
            aggregate.function = Agg::PercentileDisc;
            aggregate.arguments.push(Expr::constant(
                Literal::Decimal("0.5".to_string()),
                DataType::Decimal { precision: 1, scale: 1 },
            ));
        }
        hit
    })
}

fn stddev_pop(plan: &mut Plan) -> bool {
    instead(plan, Agg::StddevSamp, Agg::StddevPop) | instead(plan, Agg::VarSamp, Agg::VarPop)
}

fn percentile_other(plan: &mut Plan) -> bool {
    instead(plan, Agg::PercentileCont, Agg::PercentileDisc)
}

fn other_end(plan: &mut Plan) -> bool {
    nodes(plan, &mut |node| match node {
        Node::Pick { greatest, .. } => {
            *greatest = !*greatest;
            true
        }
        _ => false,
    })
}

fn no_global_row(relation: &mut Relation) -> bool {
    selects(relation, &mut |select| {
        let hit = select.group_by == Grouping::Global && select.from.is_some();
        if hit {
            let one = Expr::constant(Literal::String("all".to_string()), DataType::String);
            select.group_by = Grouping::Keys(vec![one]);
        }
        hit
    })
}

fn order_reversed(plan: &mut Plan) -> bool {
    for key in &mut plan.order_by {
        key.descending = !key.descending;
    }
    !plan.order_by.is_empty()
}

fn nulls_other_end(plan: &mut Plan) -> bool {
    for key in &mut plan.order_by {
        key.nulls_first = !key.nulls_first;
    }
    !plan.order_by.is_empty()
}

fn limit_more(plan: &mut Plan) -> bool {
    plan.limit = plan.limit.map(|limit| limit.saturating_add(1));
    plan.limit.is_some()
}

fn limit_lost(plan: &mut Plan) -> bool {
    plan.limit.take().is_some()
}

fn order_lost(plan: &mut Plan) -> bool {
    let hit = plan.limit.is_some() && !plan.order_by.is_empty();
    plan.order_by.clear();
    hit
}

fn no_partition(plan: &mut Plan) -> bool {
    windows(plan, &mut |window| {
        let hit = !window.partition_by.is_empty();
        window.partition_by.clear();
        hit
    })
}

fn window_reversed(plan: &mut Plan) -> bool {
    windows(plan, &mut |window| {
        for key in &mut window.order_by {
            key.descending = !key.descending;
        }
        !window.order_by.is_empty()
    })
}

fn frame_whole(plan: &mut Plan) -> bool {
    windows(plan, &mut |window| match (&mut window.frame, window.function) {
        (Some(frame), WindowFunction::Aggregate(_)) if frame.end != FrameBound::UnboundedFollowing => {
            frame.start = FrameBound::UnboundedPreceding;
            frame.end = FrameBound::UnboundedFollowing;
            true
        }
        _ => false,
    })
}

/// A windowed value and the filter above it change places.
fn window_late(plan: &mut Plan) -> bool {
    let mut changed = false;
    rebuild(plan, &mut |node, fresh| match node {
        Node::Filter { input, predicates } => match fresh[input].clone() {
            Node::Compute { input: below, values }
                if values.iter().any(|(_, expr)| expr.has_window())
                    && predicates.iter().all(|predicate| {
                        predicate.references().iter().all(|slot| values.iter().all(|(made, _)| made != *slot))
                    }) =>
            {
                changed = true;
                let kept = fresh.push(Node::Filter { input: below, predicates });
                fresh.push(Node::Compute { input: kept, values })
            }
            _ => fresh.push(Node::Filter { input, predicates }),
        },
        other => fresh.push(other),
    });
    changed
}

fn coarser(plan: &mut Plan) -> bool {
    functions(plan, |function| match function {
        Function::DateTrunc(Unit::Day | Unit::Week | Unit::Month | Unit::Quarter) => {
            Some(Function::DateTrunc(Unit::Year))
        }
        _ => None,
    })
}

/// One function in another's place.
fn functions(plan: &mut Plan, other: fn(Function) -> Option<Function>) -> bool {
    exprs(plan, &mut |expr| match &mut *expr.kind {
        ExprKind::Call { function, .. } => match other(*function) {
            Some(instead) => {
                *function = instead;
                true
            }
            None => false,
        },
        _ => false,
    })
}

fn less_equal(plan: &mut Plan) -> bool {
    functions(plan, |function| match function {
        Function::Scalar(Scalar::Less) => Some(Function::Scalar(Scalar::LessEqual)),
        Function::Scalar(Scalar::Greater) => Some(Function::Scalar(Scalar::GreaterEqual)),
        _ => None,
    })
}

fn and_as_or(plan: &mut Plan) -> bool {
    functions(plan, |function| {
        (function == Function::Scalar(Scalar::And)).then_some(Function::Scalar(Scalar::Or))
    })
}

fn lost_else(plan: &mut Plan) -> bool {
    exprs(plan, &mut |expr| match &mut *expr.kind {
        ExprKind::Case { otherwise, .. } => otherwise.take().is_some(),
        _ => false,
    })
}

fn in_positive(plan: &mut Plan) -> bool {
    exprs(plan, &mut |expr| match &mut *expr.kind {
        ExprKind::InList { negated, .. } => std::mem::replace(negated, false),
        _ => false,
    })
}

/// The two arguments change places.
fn swapped(plan: &mut Plan, wanted: Scalar) -> bool {
    exprs(plan, &mut |expr| match &mut *expr.kind {
        ExprKind::Call { function, arguments } if *function == Function::Scalar(wanted) => {
            arguments.reverse();
            true
        }
        _ => false,
    })
}

fn quotient(plan: &mut Plan) -> bool {
    swapped(plan, Scalar::Divide)
}

fn difference(plan: &mut Plan) -> bool {
    swapped(plan, Scalar::Subtract)
}
