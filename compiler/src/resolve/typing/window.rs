//! Windows: which functions, frames written out, and what a plain aggregate in a window means over groups.

use crate::data_type::{DataType, Exactness};
use crate::diagnostic::{Code, Diagnostic};
use crate::expr::{Expr, ExprKind, Frame, FrameBound, FrameMode, OrderKey, Window};
use crate::function::{AggregateFunction, Ranking, WindowFunction};
use crate::resolve::typing::scalar::integer_literal;
use crate::resolve::typing::{Ctx, Inside, Level, aggregate, cast_to, check, exactness_of};
use crate::resolve::{ModelExpr, Reference};
use crate::source::{Span, Spanned};
use crate::syntax::expr::{self as syntax, NullTreatment};

/// What stands in OVER, typed.
struct Over {
    partition_by: Vec<ModelExpr>,
    order_by: Vec<OrderKey<Reference>>,
    frame: Option<Frame>,
}

impl Ctx<'_> {
    pub(super) fn window(
        &mut self,
        name: &str,
        written: &syntax::Call,
        over: &syntax::WindowSpec,
        span: Span,
    ) -> ModelExpr {
        let inside = match self.inside {
            Inside::Nothing => Inside::Window,
            Inside::Aggregate => Inside::RowWindow,
            Inside::Window | Inside::WindowAggregate | Inside::RowWindow => {
                return self.error(check::nested_window(name, span));
            }
        };
        let outer = std::mem::replace(&mut self.inside, inside);
        let result = self.window_call(name, written, over, span);
        self.inside = outer;
        result
    }

    fn window_call(
        &mut self,
        name: &str,
        written: &syntax::Call,
        over: &syntax::WindowSpec,
        span: Span,
    ) -> ModelExpr {
        let partition_by = over.partition_by.iter().map(|expr| self.expr(expr)).collect();
        let order_by = over.order_by.iter().map(|item| self.order_key(item)).collect();
        let frame = match &over.frame {
            None => None,
            Some(frame) => match self.frame(frame) {
                Ok(frame) => Some(frame),
                Err(stand_in) => return stand_in,
            },
        };
        let mut over = Over { partition_by, order_by, frame };
        if let Some(finding) = check_range(&over, span) {
            return self.error(finding);
        }
        if counts_unordered_rows(&over) {
            return self.mismatch(span, format!("{name} over ROWS needs an ORDER BY in OVER"));
        }
        widen_range_key(&mut over);
        if let Some(ranking) = Ranking::ALL.iter().copied().find(|ranking| ranking.name() == name) {
            return self.ranking(ranking, written, over, span);
        }
        if aggregate::is_aggregate(name) {
            return self.aggregate_over(name, written, &over, span);
        }
        self.error(
            Diagnostic::new(Code::UnsupportedFunction, format!("`{name}` is no window function"))
                .at(span, "this call")
                .suggest(name, Ranking::ALL.iter().map(|ranking| ranking.name())),
        )
    }

    /// ROWS and RANGE with literal bounds; everything else is deferred by OSI.
    fn frame(&mut self, frame: &Spanned<syntax::Frame>) -> Result<Frame, ModelExpr> {
        let mode = match frame.value.mode {
            syntax::FrameMode::Rows => FrameMode::Rows,
            syntax::FrameMode::Range => FrameMode::Range,
            syntax::FrameMode::Groups => {
                return Err(
                    self.error(check::deferred_frame("GROUPS frames are deferred by OSI", frame.span))
                );
            }
        };
        let start = self.bound(&frame.value.start)?;
        let end = self.bound(&frame.value.end)?;
        let backwards = start == FrameBound::UnboundedFollowing
            || end == FrameBound::UnboundedPreceding
            || frame_rank(start) > frame_rank(end);
        if backwards {
            return Err(self.mismatch(frame.span, "the frame ends before it starts"));
        }
        Ok(Frame { mode, start, end })
    }

    fn bound(&mut self, bound: &syntax::FrameBound) -> Result<FrameBound, ModelExpr> {
        match bound {
            syntax::FrameBound::UnboundedPreceding => Ok(FrameBound::UnboundedPreceding),
            syntax::FrameBound::CurrentRow => Ok(FrameBound::CurrentRow),
            syntax::FrameBound::UnboundedFollowing => Ok(FrameBound::UnboundedFollowing),
            syntax::FrameBound::Preceding(offset) => self.offset(offset, FrameBound::Preceding),
            syntax::FrameBound::Following(offset) => self.offset(offset, FrameBound::Following),
        }
    }

    /// A literal offset; 0 of either side is the current row, which StarRocks takes by that name only.
    fn offset(
        &mut self,
        offset: &syntax::Expr,
        side: fn(u64) -> FrameBound,
    ) -> Result<FrameBound, ModelExpr> {
        let literal = match &*offset.kind {
            syntax::ExprKind::Literal(syntax::Literal::Integer(digits)) => digits.parse().ok(),
            _ => None,
        };
        let bound = |rows| if rows == 0 { FrameBound::CurrentRow } else { side(rows) };
        literal.map(bound).ok_or_else(|| {
            let reason = match &*offset.kind {
                syntax::ExprKind::Parameter(_) => "a parameter as a frame bound is deferred by OSI",
                _ => "a frame bound must be an integer literal",
            };
            self.error(check::deferred_frame(reason, offset.span))
        })
    }

    fn ranking(&mut self, ranking: Ranking, written: &syntax::Call, over: Over, span: Span) -> ModelExpr {
        let name = ranking.name();
        let syntax::Arguments::List(list) = &written.arguments else {
            return self.mismatch(span, format!("{name} takes no `*`"));
        };
        if written.distinct || written.filter.is_some() || !written.within_group.is_empty() {
            return self.mismatch(span, format!("{name} takes neither DISTINCT nor FILTER nor WITHIN GROUP"));
        }
        let (least, most) = match ranking {
            Ranking::RowNumber
            | Ranking::Rank
            | Ranking::DenseRank
            | Ranking::PercentRank
            | Ranking::CumeDist => (0, 0),
            Ranking::Ntile | Ranking::FirstValue | Ranking::LastValue => (1, 1),
            Ranking::Lag | Ranking::Lead => (1, 3),
            Ranking::NthValue => (2, 2),
        };
        if list.len() < least || list.len() > most {
            return self.wrong_count(name, list.len(), least, span);
        }
        if over.order_by.is_empty() {
            return self.mismatch(span, format!("{name} needs an ORDER BY in OVER"));
        }
        let mut arguments: Vec<ModelExpr> = list.iter().map(|argument| self.expr(argument)).collect();
        let counted = if ranking == Ranking::Ntile { arguments.first() } else { arguments.get(1) };
        let least = i64::from(matches!(ranking, Ranking::Ntile | Ranking::NthValue));
        if let Some(count) = counted
            && integer_literal(count).is_none_or(|value| value < least)
        {
            return self.mismatch(span, format!("{name} counts by an integer literal of at least {least}"));
        }
        if let [value, _, default] = arguments.as_slice() {
            match super::common_type::unify(vec![value.clone(), default.clone()]) {
                Ok((_, mut unified)) => {
                    arguments[2] = unified.remove(1);
                    arguments[0] = unified.remove(0);
                }
                Err((left, right)) => return self.mismatch(span, format!("{name} mixes {left} and {right}")),
            }
        }
        let framed = matches!(ranking, Ranking::FirstValue | Ranking::LastValue | Ranking::NthValue);
        if over.frame.is_some() && !framed {
            return self.mismatch(span, format!("{name} takes no frame"));
        }
        let data_type = match ranking {
            Ranking::RowNumber | Ranking::Rank | Ranking::DenseRank | Ranking::Ntile => DataType::Int64,
            Ranking::PercentRank | Ranking::CumeDist => DataType::Float64,
            Ranking::Lag | Ranking::Lead | Ranking::FirstValue | Ranking::LastValue | Ranking::NthValue => {
                arguments[0].data_type
            }
        };
        let ignore_nulls = written.nulls == Some(NullTreatment::Ignore);
        let frame = framed.then(|| over.frame.unwrap_or(default_frame(&over.order_by)));
        build(WindowFunction::Ranking(ranking), arguments, data_type, ignore_nulls, over, frame)
    }

    /// An aggregate with OVER. Typed as an aggregate first, so that the rules are the same, then turned.
    fn aggregate_over(&mut self, name: &str, written: &syntax::Call, over: &Over, span: Span) -> ModelExpr {
        if written.nulls.is_some() {
            return self.mismatch(span, format!("{name} takes no IGNORE NULLS"));
        }
        let typed = self.aggregate_call(name, written, span);
        let needs_lift = self.scope.level() == Level::Groups && self.inside == Inside::Window;
        // AVG is a quotient of two aggregates: over groups it could mean the mean of the rows or of the groups.
        let is_plain = matches!(*typed.kind, ExprKind::Aggregate(_) | ExprKind::Cast { .. });
        if needs_lift && !is_plain && has_rows_outside(&typed) {
            return self.error(check::finer_than_groups(name, span));
        }
        self.turn(&typed, over, needs_lift, span)
    }

    /// Replaces every aggregate of an expanded call (AVG is a quotient of two) by a window over the same frame.
    fn turn(&mut self, typed: &ModelExpr, over: &Over, needs_lift: bool, span: Span) -> ModelExpr {
        match &*typed.kind {
            ExprKind::Aggregate(aggregate) => {
                let mut arguments = aggregate.arguments.clone();
                let mut function = aggregate.function;
                if matches!(
                    function,
                    AggregateFunction::MinBy | AggregateFunction::MaxBy | AggregateFunction::ListAgg
                ) {
                    return self.error(
                        Diagnostic::new(
                            Code::UnsupportedFunction,
                            format!("{} is no window function", function.name()),
                        )
                        .at(span, "this call"),
                    );
                }
                if needs_lift && is_over_rows(typed) {
                    let lifts = !aggregate.distinct
                        && matches!(
                            function,
                            AggregateFunction::Sum
                                | AggregateFunction::Count
                                | AggregateFunction::CountRows
                                | AggregateFunction::Min
                                | AggregateFunction::Max
                        );
                    if !lifts {
                        return self.error(check::finer_than_groups(function.name(), span));
                    }
                    let inner = typed.clone();
                    if matches!(function, AggregateFunction::Count | AggregateFunction::CountRows) {
                        function = AggregateFunction::Sum;
                        arguments = vec![cast_to(inner, DataType::DECIMAL_38_0)];
                    } else {
                        arguments = vec![inner];
                    }
                }
                let over = Over {
                    partition_by: over.partition_by.clone(),
                    order_by: over.order_by.clone(),
                    frame: over.frame,
                };
                if aggregate.distinct {
                    return self.error(
                        Diagnostic::new(Code::UnsupportedFunction, "DISTINCT in a window is not planned")
                            .at(span, "this window")
                            .help("count distinct values in a metric of its own"),
                    );
                }
                let frame = over.frame.unwrap_or(default_frame(&over.order_by));
                let counted = typed.data_type == DataType::Int64 && function == AggregateFunction::Sum;
                let data_type = if counted { DataType::DECIMAL_38_0 } else { typed.data_type };
                let window = build(
                    WindowFunction::Aggregate(function),
                    arguments,
                    data_type,
                    false,
                    over,
                    Some(frame),
                );
                if counted { cast_to(window, DataType::Int64) } else { window }
            }
            ExprKind::Call { function, arguments } => {
                let arguments =
                    arguments.iter().map(|part| self.turn(part, over, needs_lift, span)).collect();
                Expr::new(ExprKind::Call { function: *function, arguments }, typed.data_type, typed.exactness)
            }
            ExprKind::Cast { operand } => {
                let operand = self.turn(operand, over, needs_lift, span);
                Expr::new(ExprKind::Cast { operand }, typed.data_type, typed.exactness)
            }
            ExprKind::Literal(_)
            | ExprKind::Reference(_)
            | ExprKind::Case { .. }
            | ExprKind::InList { .. }
            | ExprKind::Window(_) => typed.clone(),
        }
    }
}

/// Whether it is an aggregate of rows, and not of aggregates, metrics or constants.
fn is_over_rows(expr: &ModelExpr) -> bool {
    let ExprKind::Aggregate(aggregate) = &*expr.kind else { return false };
    let over_groups = aggregate.arguments.iter().any(|argument| {
        argument.has_aggregate()
            || argument.references().iter().any(|reference| matches!(reference, Reference::Metric(_)))
    });
    let has_leaf = aggregate.function == AggregateFunction::CountRows
        || aggregate.arguments.iter().any(|argument| !argument.references().is_empty());
    !over_groups && has_leaf
}

/// Whether an outermost aggregate is one of rows.
fn has_rows_outside(expr: &ModelExpr) -> bool {
    match &*expr.kind {
        ExprKind::Aggregate(_) => is_over_rows(expr),
        _ => expr.children().into_iter().any(has_rows_outside),
    }
}

/// Whether the frame is a part of the partition's rows, whose order nothing says.
fn counts_unordered_rows(over: &Over) -> bool {
    over.order_by.is_empty()
        && over.frame.is_some_and(|frame| {
            frame.mode == FrameMode::Rows
                && (frame.start, frame.end)
                    != (FrameBound::UnboundedPreceding, FrameBound::UnboundedFollowing)
        })
}

/// Whether the frame is by a distance between values.
fn has_range_offset(over: &Over) -> bool {
    over.frame.is_some_and(|frame| {
        frame.mode == FrameMode::Range
            && [frame.start, frame.end]
                .iter()
                .any(|bound| matches!(bound, FrameBound::Preceding(_) | FrameBound::Following(_)))
    })
}

/// Engines add the offset in the key's own type, where it may leave that type: DataFusion then counts the rows without a key.
fn widen_range_key(over: &mut Over) {
    if !has_range_offset(over) {
        return;
    }
    for key in &mut over.order_by {
        let scale = match key.expr.data_type {
            DataType::Decimal { scale, .. } => scale,
            other if other.is_integer() => 0,
            _ => continue,
        };
        key.expr = cast_to(key.expr.clone(), DataType::Decimal { precision: 38, scale });
    }
}

/// RANGE with an offset is a distance between values: of one number, which all engines count alike.
fn check_range(over: &Over, span: Span) -> Option<Diagnostic> {
    let has_offset = has_range_offset(over);
    let one_number = matches!(over.order_by.as_slice(), [key] if key.expr.data_type.is_numeric() || key.expr.data_type.is_open());
    (has_offset && !one_number).then(|| {
        Diagnostic::new(Code::UnsupportedFunction, "RANGE with an offset needs one ORDER BY key, a number")
            .at(span, "this window")
            .help("order by a number, as in DATEDIFF(day, DATE '2000-01-01', d), or use ROWS")
    })
}

fn build(
    function: WindowFunction,
    arguments: Vec<ModelExpr>,
    data_type: DataType,
    ignore_nulls: bool,
    over: Over,
    frame: Option<Frame>,
) -> ModelExpr {
    let keys = exactness_of(over.partition_by.iter().chain(over.order_by.iter().map(|key| &key.expr)));
    let class = exactness_of(&arguments).and(keys.at_a_jump());
    let class = match function {
        WindowFunction::Aggregate(_) if data_type.is_float() => class.and(Exactness::Rounding),
        WindowFunction::Aggregate(_) | WindowFunction::Ranking(_) => class,
    };
    let window = Window {
        function,
        arguments,
        ignore_nulls,
        partition_by: over.partition_by,
        order_by: over.order_by,
        frame,
    };
    Expr::new(ExprKind::Window(Box::new(window)), data_type, class)
}

/// SQL's default: up to the current row's peers with an order, the whole partition without.
fn default_frame(order_by: &[OrderKey<Reference>]) -> Frame {
    if order_by.is_empty() {
        return Frame {
            mode: FrameMode::Rows,
            start: FrameBound::UnboundedPreceding,
            end: FrameBound::UnboundedFollowing,
        };
    }
    Frame { mode: FrameMode::Range, start: FrameBound::UnboundedPreceding, end: FrameBound::CurrentRow }
}

/// Position of a bound relative to the current row, for telling a frame that ends before it starts.
fn frame_rank(bound: FrameBound) -> i128 {
    match bound {
        FrameBound::UnboundedPreceding => i128::MIN,
        FrameBound::Preceding(rows) => -i128::from(rows),
        FrameBound::CurrentRow => 0,
        FrameBound::Following(rows) => i128::from(rows),
        FrameBound::UnboundedFollowing => i128::MAX,
    }
}
